"""Nets, questions, answers and results as Python prints them and as a notebook shows them."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from folders import NETS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import successor
from questions import answered
from strategies import nets

import petricheck
from petricheck.arithmetic.formulas.shown import brief_lines
from petricheck.model.drawing.svg import NODES
from petricheck.model.net import Net, make_net
from petricheck.questions import ask, check

FMS = petricheck.load(str(NETS / "fms_U.pnml"))
PUMP = petricheck.load(str(NETS / "finkel_km_R.pnml"))
HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\n\u202e"

few = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


def cells(shown: str) -> list[list[str]]:
    """The rows of the table of steps, without what only emphasises."""
    (table,) = re.findall(r'<table class="trace">(.*?)</table>', shown) or [""]
    plain = re.sub(r"</?(?:var|sub|sup|b|span)[^>]*>", "", table)
    rows = re.findall(r"<tr[^>]*>(<td.*?)</tr>", plain)
    return [[html.unescape(t) for t in re.findall(r"<td[^>]*>(.*?)</td>", row)] for row in rows]


def test_a_net_is_told_by_its_sizes_its_marking_and_its_transitions() -> None:
    assert repr(PUMP) == "<Net finkel_km: 5 places, 6 transitions, 12 arcs>"
    assert str(PUMP).splitlines()[:4] == [
        "finkel_km: 5 places, 6 transitions, 12 arcs", "initially p1 = 1",
        "t1: p1 -> p2", "t2: p2 -> 2*p3",
    ]  # fmt: skip


def test_transitions_beyond_the_first_are_counted() -> None:
    net = petricheck.make_net("n", {"p": 0}, {f"t{n}": ({}, {"p": 1}) for n in range(25)})
    assert str(net).splitlines()[-1] == "… and 5 more transitions"
    assert "t0: nothing -> p" in str(net)


def test_a_question_is_asked_in_words() -> None:
    question = petricheck.ask(FMS, cover="p12=2")
    assert repr(question) == "<Question cover: p12=2>"
    assert repr(question.problem).endswith(": p12 >= 2>")
    for shown in (question, question.problem):
        assert str(shown).endswith("reachable that satisfies this?\np12 >= 2")
        assert "<svg" in shown._repr_html_() and "p12 &gt;= 2" in shown._repr_html_()
    assert str(petricheck.ask(FMS, bound="p1 + p2")).endswith("\np1 + p2")


def test_an_invariant_is_shown_with_its_question_its_explanation_and_the_net() -> None:
    result = petricheck.check(petricheck.ask(FMS, cover="p12=2"))
    assert "p12 + p13 = 1" in str(result) and "Audit: checked" in str(result)
    assert repr(result) == "<Finding cover: unreachable>"
    shown = result._repr_html_()
    for part in ("unreachable", " ≥ 2", "place invariant", "<svg", "Audit: checked"):
        assert part in shown


def test_a_trace_is_shown_as_a_table_of_markings() -> None:
    result = petricheck.check(petricheck.ask(PUMP, target={"p2": 7, "p3": 5}))
    assert repr(result.answer) == "<reachable: a trace of 29 firings>"
    assert str(result.answer).splitlines()[1].startswith("t1 t2 t4^2")
    rows = cells(result._repr_html_())
    assert rows[0][:2] == ["0", "initially"] and rows[-1][2:] == ["0", "7", "5"]


def test_a_long_trace_is_shown_by_its_ends() -> None:
    net = petricheck.make_net(
        "n", {"p": 0, "q": 1}, {"t": ({"q": 1}, {"p": 1}), "u": ({}, {"q": 1})}
    )
    steps = (("t", 1), ("u", 1)) * 500
    question = petricheck.ask(net, target={"p": 500, "q": 1})
    answer = petricheck.Reachable(petricheck.Trace(steps))
    assert petricheck.audit(question.problem, answer)
    shown = answered(question, answer)._repr_html_()
    rows = cells(shown)
    assert ["970", "940 steps left out", "485", "1"] in rows
    assert rows[-1] == ["1000", "u", "500", "1"] and rows[-10] == ["991", "t", "496", "0"]
    assert str(answer).endswith("… and 900 more steps")


def test_of_many_places_the_changes_are_told() -> None:
    places = {f"p{n}": 1 for n in range(20)}
    net = petricheck.make_net("n", places, {"t": (places, {})})
    result = petricheck.check(petricheck.ask(net, target=dict.fromkeys(places, 0)))
    assert cells(result._repr_html_())[-1][-1].startswith("p0 1 → 0, p1 1 → 0")


def test_no_verdict_is_told_with_its_reason_on_one_line() -> None:
    answer = petricheck.Unknown("a: gave up\nb: gave up", "wait")
    assert str(answer) == "unknown: a: gave up; b: gave up\nHint: wait."
    assert repr(answer) == "<unknown: a: gave up>"


def test_what_several_claims_answer_is_told_with_its_audit() -> None:
    finding = petricheck.check(petricheck.ask(PUMP, bounded=True))
    assert repr(finding) == "<Finding bounded: not bounded>"
    assert str(finding).splitlines()[:2] == ["not bounded", "Unbounded: p2, p3, p4, p5."]
    assert "Audit of 5 claims" in str(finding) and ">not bounded<" in finding._repr_html_()


@pytest.mark.parametrize("certificate", [
    petricheck.StateEquationCertificate((("a", "b"),), ("c",)),
    petricheck.MarkingTable((("a", 1),), b""),
])  # fmt: skip
def test_other_certificates_are_told_in_a_line(certificate: object) -> None:
    answer = petricheck.Unreachable(certificate)
    assert "\n" not in str(certificate) and str(certificate) in answer._repr_html_()


def test_names_are_text_wherever_they_are_shown() -> None:
    net = petricheck.make_net(HOSTILE, {HOSTILE: 2, "q": 0}, {HOSTILE: ({HOSTILE: 1}, {"q": 1})})
    result = petricheck.check(petricheck.ask(net, target={HOSTILE: 1, "q": 1}))
    for shown in (net, result.question, result.problem, result.answer, result):
        text = shown._repr_html_()
        assert "<img" not in text and "\u202e" not in text + str(shown) + repr(shown)
    assert "\u202e" not in net.draw("dot")


@few
@given(data=st.data())
def test_the_marking_that_a_notebook_shows_last_is_where_the_trace_ends(
    data: st.DataObject,
) -> None:
    net = data.draw(nets())
    marking, fired = net.initial, []
    for transition in data.draw(st.lists(st.sampled_from(net.transitions), max_size=12)):
        after = successor(marking, transition)
        if after is not None:
            marking, fired = after, [*fired, (transition.name, 1)]
    answer = petricheck.Reachable(petricheck.Trace(tuple(fired)))
    shown = answered(petricheck.ask(net, target=net.values(marking)), answer)._repr_html_()
    if not fired:
        assert "nothing has to fire" in shown
        return
    (head,) = re.findall(r'<table class="trace"><thead>(.*?)</thead>', shown)
    bare = re.sub(r"</?(?:var|sub|span)[^>]*>", "", head)
    heads = [html.unescape(t) for t in re.findall(r"<th[^>]*>(.*?)</th>", bare)][2:]
    values = net.values(marking)
    assert cells(shown)[-1][2:] == [str(values[place]) for place in heads]
    assert {p for p, tokens in net.values(net.initial).items() if values[p] != tokens} <= {*heads}


@few
@given(net=nets())
def test_every_node_and_arc_of_a_net_is_in_its_pictures(net: Net) -> None:
    root = ElementTree.fromstring(net.draw())
    titles = [(e.text or "").split(":")[0] for e in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == [*net.places, *net.actions]
    arcs = sum(len(t.pre) + len(t.post) for t in net.transitions)
    dot = net.draw("dot")
    assert dot.count(" -> ") == arcs
    for name in (*net.places, *net.actions):
        assert f'"{name}"' in dot


def test_a_net_of_nothing_is_drawn() -> None:
    assert ElementTree.fromstring(petricheck.make_net("n", {}, {}).draw()).tag.endswith("svg")


def captions(picture: str) -> list[str]:
    """The lines below the net."""
    root = ElementTree.fromstring(picture)
    return [str(element.text) for element in root.iter() if element.get("class") == "caption"]


def tokens(picture: str) -> list[str | None]:
    """What is drawn in each place."""
    root = ElementTree.fromstring(picture)
    return [place.get("data-n") for place in root.iter() if place.get("class") == "place"]


def test_a_drawn_answer_has_the_question_and_the_invariant_below_the_net() -> None:
    answer = petricheck.check(petricheck.ask(FMS, cover="p12=2"))
    assert captions(answer.draw()) == [
        "Is a marking reachable that satisfies this? p12 >= 2",
        "unreachable",
        "This invariant holds initially, is kept by every transition and excludes the target:",
        "p12 + p13 = 1",
        "Audit: checked in exact integer arithmetic.",
    ]
    assert tokens(answer.draw()) == [str(count) for count in FMS.initial]


def test_a_drawn_trace_ends_in_the_marking_of_the_picture() -> None:
    answer = petricheck.check(petricheck.ask(PUMP, target="p2=7, p3=5"))
    assert tokens(answer.draw()) == ["0", "7", "5", "0", "0"]
    assert "reachable" in captions(answer.draw())


def test_a_drawn_bound_names_its_expression_and_its_value() -> None:
    drawn = petricheck.check(petricheck.ask(FMS, bound="p8 + p12")).draw()
    assert captions(drawn)[:2] == [
        "What is the maximum of an expression, or its minimum? p8 + p12", "maximum 4"
    ]  # fmt: skip


def test_an_answer_about_a_large_net_is_not_drawn() -> None:
    places = {f"p{number}": 1 for number in range(NODES + 1)}
    net = petricheck.make_net("large", places, {})
    with pytest.raises(petricheck.PetricheckError, match=f"at most {NODES} places and transitions"):
        petricheck.check(petricheck.ask(net, deadlock=True)).draw()


def test_large_nets_are_drawn_for_graphviz_alone() -> None:
    net = petricheck.make_net("n", {f"p{n}": 0 for n in range(NODES + 1)}, {})
    assert "<svg" not in net._repr_html_() and net.draw("dot").count("xlabel") == NODES + 1
    with pytest.raises(petricheck.PetricheckError, match="use 'dot' and Graphviz"):
        net.draw("svg")
    with pytest.raises(petricheck.PetricheckError, match="as 'svg' or 'dot'"):
        net.draw("png")


def test_types_are_known_to_those_who_use_the_package(tmp_path: Path) -> None:
    assert (Path(petricheck.__file__).parent / "py.typed").is_file()


def test_showing_an_answer_loads_no_heavy_library() -> None:
    code = (
        "import sys, petricheck as p\n"
        "from petricheck.questions import answering, checking\n"
        "n = p.make_net('n', {'a': 1}, {'t': ({'a': 1}, {})})\n"
        "a = p.Reachable(p.Trace((('t', 1),)))\n"
        "q = p.ask(n, target={'a': 0})\n"
        "s = p.questions.Study(n, checking.Setting('mine'), p.Budget())\n"
        "s.proved.append((checking.claim_of(q.target, a), 'x'))\n"
        "answering.so_far(q, s, a)._repr_html_()\n"
        "sys.exit(', '.join({'z3', 'numpy', 'jinja2', 'matplotlib'} & set(sys.modules)) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_long_target_takes_at_most_ten_lines_in_a_notebook() -> None:
    places = [f"p{n}" for n in range(400)]
    net = make_net("n", dict.fromkeys(places, 0), {})
    conditions = "\n".join(f"and {place} = 0" for place in places[1:])
    asked = ask(net, formula=f"p0 = 1 {conditions}")
    for shown in (asked._repr_html_(), check(asked)._repr_html_()):
        text = shown.split("<pre", 1)[1].split("</pre>")[0]
        assert text.count("\n") == 9 and text.endswith("… and 391 more parts")
    (line,) = brief_lines(ask(net, formula=f"{' + '.join(places)} = 1").target)
    assert len(line) < 1_000 and line.endswith(" …")
