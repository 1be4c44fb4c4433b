"""The page of one answer: what stands in it, what is refused, and that it needs nothing else."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
from folders import NETS
from notation import net_of

from petricheck.arithmetic.formulas.formulas import at_least, at_most
from petricheck.arithmetic.formulas.terms import variable
from petricheck.commands import main
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import Excluded, Pumped, Reached, Stage
from petricheck.formats.nets import read_net, write_net
from petricheck.model.guarded.net import guarded
from petricheck.model.net import make_net
from petricheck.reports.explanation.claims import explain
from petricheck.reports.explanation.sections import claims_html
from petricheck.reports.explanation.text import BRIEF, claim_lines, explained_lines

FMS = str(NETS / "fms_U.pnml")
HOSTILE = "</script><img src=x onerror=alert(1)>"


def run(*words: str) -> int:
    return main([*words], standalone_mode=False) or 0


def page_of(folder: Path, *words: str, status: int = 0) -> str:
    path = folder / "answer.html"
    assert run(*words, "--html", str(path)) == status
    return path.read_text("utf-8")


def text_of(page: str) -> str:
    """The text of the page, without its tags."""
    body = page[page.index("<body>") : page.index("<script>")]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", body)).split())


def test_page_tells_the_limits_and_how_to_check_again_without_any_script(tmp_path: Path) -> None:
    evidence = tmp_path / "e.json"
    limits = ("--timeout", "60", "--memory", "4096")
    page = page_of(tmp_path, FMS, "--cover", "p12=2", *limits, "--evidence", str(evidence))
    assert '<h1 class="neutral">unreachable</h1>' in page
    assert "<dt>Audit</dt><dd>checked in exact integer arithmetic</dd>" in page
    assert "<dt>Limits</dt><dd>60 s, 4096 MiB</dd>" in page
    assert f"petricheck verify {FMS} {evidence}" in text_of(page)
    assert read_net(FMS).sha256 in page


def test_markings_of_a_coloured_net_are_told_by_its_places(tmp_path: Path) -> None:
    path = str(NETS / "philosophers.pnml")
    page = page_of(tmp_path, path, "--cover", "eating(ada)=1", "--engine", "shortest")
    assert "4 places, 3 transitions, 9 arcs, unfolded to 20 places" in page
    assert 'data-p="0" data-n="5" data-c="all(Phil)"' in page
    head = '<th scope="col"><span class="ids">'
    heads = "".join(f"{head}{p}</span></th>" for p in ("thinking", "fork", "waiting", "eating"))
    assert heads in page
    last = page[page.index('<tr data-t="1"><td>2</td><td class="fires">') :]
    row = last[: last.index("</tr>")]
    assert "take_right(x=ada)" in row and "<td>{ben, cleo, dan, eve}</td>" in row
    assert '<td class="moved" data-p="1" data-n="3">{cleo, dan, eve}</td>' in row
    assert row.endswith('<td class="moved" data-p="3" data-n="1">{ada}</td>')


def test_a_guarded_net_is_drawn_with_its_guards_and_fires_its_own_transitions(
    tmp_path: Path,
) -> None:
    net = net_of("p=2 q=0 r=0, t: p -> q, u: q -> r")
    path = tmp_path / "net.pnml"
    write_net(guarded(net, inhibitors=[(0, 2, 1)], resets=[(1, 1)]), path)
    page = page_of(tmp_path, str(path), "--cover", "r=1", "--engine", "shortest")
    assert "3 places, 2 transitions, 4 arcs, 1 inhibitor arc, 1 reset arc" in page
    assert "with complement places 5 places, 3 transitions" in page
    assert re.search(r'<tr data-t="1"><td>2</td><td class="fires"><span class="ids">u[(]q=1', page)
    assert page.count('inhibitor)"') == page.count('reset)"') == 1
    assert "complement" not in page[page.index("<tbody") :]


@pytest.mark.parametrize("limit", ["COLUMNS", "CELLS"])
def test_changes_are_told_by_colour_where_a_table_of_markings_is_too_large(
    limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"petricheck.reports.explanation.html.{limit}", 3)
    path = str(NETS / "philosophers.pnml")
    page = page_of(tmp_path, path, "--cover", "eating(ada)=1", "--engine", "shortest")
    assert 'fork(ben)</span> 1 → <b data-p="1" data-n="3">0</b>' in page


def test_a_loop_is_told_with_what_all_its_firings_change() -> None:
    net = make_net("n", {"p": 1, "q": 0}, {"t": ({}, {"p": 1}), "u": ({"p": 3}, {"q": 2})})
    loop = Stage(Trace((("t", 1),)), Trace((("t", 4), ("u", 1))))
    explained = explain(net, Pumped((variable("q"),), (loop,)))
    lines = list(explained_lines(explained))
    assert "  One repetition changes p +1, q +2." in lines
    assert "  3. u: p 6 → 3, q 0 → 2" in lines


def test_a_trace_is_told_with_what_holds_on_its_way() -> None:
    net = make_net("n", {"p": 0}, {"t": ({}, {"p": 1})})
    stops = tuple((n, at_least(variable("p"), n)) for n in range(70))
    page = claims_html(net, [Reached(Trace((("t", 1),) * 69), stops)])
    assert "After step 59: " in page and "After step 60: " not in page
    assert "… and 10 more formulas" in page and "into the target" not in page


def test_page_of_no_verdict_says_why(tmp_path: Path) -> None:
    words = (FMS, "--cover", "p12=2", "--engine", "bmc", "-o", "length=1")
    page = page_of(tmp_path, *words, status=1)
    assert '<h1 class="open">unknown</h1>' in page and "no run of at most 1 blocks meets" in page
    assert '<div class="proof" id="proof"></div>' in page


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    net = tmp_path / "hostile.pnml"
    write_net(make_net(HOSTILE, {HOSTILE: 2, "q": 0}, {"t": ({HOSTILE: 1}, {"q": 1})}), net)
    page = page_of(tmp_path, str(net), "--formula", f'"{HOSTILE}" = 0')
    assert "<img" not in page


def test_page_names_no_other_place_and_allows_nothing_to_load(tmp_path: Path) -> None:
    page = page_of(tmp_path, FMS, "--deadlock")
    assert set(re.findall(r"https?://[\w.]+", page)) <= {"http://www.w3.org"}
    assert "default-src 'none'" in html.unescape(page)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--cover", "p12=2", "--html", "{net}"], 2, "would replace"),
        (["--cover", "@{question}", "--html", "{question}"], 2, "would replace"),
        (["--cover", "p12=2", "--html", "{e}.json", "--evidence", "{e}.json"], 2, "would replace"),
        (["--cover", "p12=2", "--html", ""], 2, "names no file"),
        (["--cover", "p12=2", "--html", "{e}/none/a.html"], 3, "no such folder"),
    ],
)
def test_page_that_cannot_or_must_not_be_written_is_refused_before_the_search(
    words: list[str], status: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    net, question = tmp_path / "net.pnml", tmp_path / "question"
    net.write_bytes(Path(FMS).read_bytes())
    question.write_text("p12=2")
    names = {"net": net, "question": question, "e": tmp_path / "e"}
    assert run(str(net), *(word.format(**names) for word in words)) == status
    out, err = capsys.readouterr()
    assert said in err and not out
    assert net.read_bytes() == Path(FMS).read_bytes() and question.read_text() == "p12=2"


def test_page_is_of_one_question(tmp_path: Path) -> None:
    from click import UsageError

    path = tmp_path / "answer.html"
    with pytest.raises(UsageError, match="--html goes with one question"):
        run(FMS, "--properties", str(NETS / "fms_U.xml"), "--html", str(path))
    assert not path.exists()


def test_evidence_is_told_in_the_names_that_people_see() -> None:
    net = make_net("n", dict.fromkeys("abcd", 1), {"t": (dict.fromkeys("abcd", 1), {})})
    net = replace(net, labels=("robot", "twice", "twice", "a"))
    trace = Reached(Trace((("t", 1),)), ((1, at_least(variable("d"), 0)),))
    below = Excluded(at_least(variable("b"), 9), Certificate(at_most(variable("b"), 1)))
    for claim, name in ((trace, "a (d)"), (below, "twice (b)")):
        told = [*claim_lines(explain(net, claim), BRIEF)]
        assert any(f'"{name}"' in line for line in told)
        assert name in claims_html(net, [claim])
