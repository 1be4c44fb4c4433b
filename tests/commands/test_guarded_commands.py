"""Files with inhibitor arcs, resets and capacities: decided, verified, converted, described."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from invoked import run, settled

from petricheck.evidence import standalone
from petricheck.formats.libraries import to_snakes
from petricheck.formats.nets import read_net
from petricheck.model.guarded.net import GuardedNet
from petricheck.support.errors import InputError

PIPE = """<?xml version="1.0" encoding="ISO-8859-1"?>
<pnml><net id="library" type="P/T net"><token id="Default" enabled="true"/>
<place id="idle"><initialMarking><value>Default,3</value></initialMarking>
<capacity><value>0</value></capacity></place>
<place id="reading"><initialMarking><value>Default,0</value></initialMarking>
<capacity><value>2</value></capacity></place>
<place id="writing"><capacity><value>0</value></capacity></place>
<transition id="read"/><transition id="close"/><transition id="write"/><transition id="save"/>
<arc id="a" source="idle" target="read"/><arc id="b" source="read" target="reading"/>
<arc id="c" source="reading" target="close"/><arc id="d" source="close" target="idle"/>
<arc id="e" source="idle" target="write"/><arc id="f" source="write" target="writing"/>
<arc id="g" source="writing" target="save"/><arc id="h" source="save" target="idle"/>
<arc id="i" source="reading" target="write"><inscription><value>Default,1</value></inscription>
<type value="inhibitor"/></arc>
<arc id="j" source="writing" target="write"><type value="inhibitor"/></arc>
<arc id="k" source="writing" target="read"><type value="inhibitor"/></arc>
</net></pnml>
"""

TAPAAL = """<pnml xmlns="http://www.informatik.hu-berlin.de/top/pnml/ptNetb">
<net active="true" id="buffer" type="P/T net">
<place id="buffer" initialMarking="0" invariant="&lt; inf" name="buffer"/>
<place id="sent" initialMarking="0" invariant="&lt; inf" name="sent"/>
<transition id="put" name="put" priority="0" urgent="false"/>
<transition id="get" name="get" priority="0" urgent="false"/>
<arc id="a" inscription="[0,inf)" source="buffer" target="put" type="tapnInhibitor" weight="2"/>
<arc id="b" inscription="1" source="put" target="buffer" type="normal" weight="2"/>
<arc id="c" inscription="[0,inf)" source="buffer" target="get" type="timed" weight="1"/>
<arc id="d" inscription="1" source="get" target="sent" type="normal" weight="1"/>
</net><feature isGame="false" isTimed="false"/></pnml>
"""

RESET = """<pnml><net id="n"><place id="p"><initialMarking><text>2</text></initialMarking>
<capacity><text>2</text></capacity></place>
<transition id="fill"/><transition id="empty"/><arc id="a" source="fill" target="p"/>
<arc id="b" source="p" target="empty"><type value="reset"/></arc></net></pnml>
"""

FILES = {"pipe.pnml": PIPE, "tapaal.tapn": TAPAAL, "reset.pnml": RESET}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)


@pytest.mark.parametrize(
    ("name", "question", "answer"),
    [
        ("pipe.pnml", ("--cover", "reading=1, writing=1"), "unreachable"),
        ("pipe.pnml", ("--cover", "writing=2"), "unreachable"),
        ("pipe.pnml", ("--cover", "reading=2"), "reachable"),
        ("pipe.pnml", ("--cover", "reading=3"), "unreachable"),
        ("pipe.pnml", ("--deadlock",), "unreachable"),
        ("tapaal.tapn", ("--cover", "buffer=3"), "reachable"),
        ("tapaal.tapn", ("--cover", "buffer=4"), "unreachable"),
        ("tapaal.tapn", ("--cover", "buffer=2, sent=5"), "reachable"),
        ("reset.pnml", ("--cover", "p=3"), "unreachable"),
        ("reset.pnml", ("--target", "p=0"), "reachable"),
    ],
)
def test_a_file_is_decided_as_its_tool_means_it_and_verified(
    name: str, question: tuple[str, ...], answer: str
) -> None:
    decided = settled(run(name, *question, "--timeout", 60, "--evidence", "e.json", "--quiet"))
    assert decided.stdout.strip() == answer
    assert settled(run("verify", name, "e.json", "--quiet")).stdout.startswith("accepted: ")


@pytest.mark.parametrize("name", ["pipe.pnml", "tapaal.tapn"])
def test_a_guarded_net_goes_around_the_formats_and_comes_back(name: str) -> None:
    stations = [name, "a.net", "b.tapn", "c.pnml", "d.net.gz", "e.pnml"]
    for before, after in pairwise(stations):
        settled(run("convert", before, after))
    source, end = read_net(name).source, read_net("e.pnml").source
    assert isinstance(source, GuardedNet) and isinstance(end, GuardedNet)
    assert (end.places, end.plain.initial) == (source.places, source.plain.initial)
    assert (end.transitions, end.guards) == (source.transitions, source.guards)
    question = ("--cover", f"{end.places[0]}=1", "--timeout", 60, "--evidence", "e.json")
    settled(run("e.pnml", *question))
    assert standalone.main(["e.pnml", "e.json"]) == 0


def test_an_ordinary_net_is_written_if_it_is_asked_for() -> None:
    words = "add --ordinary"
    assert words in run("convert", "pipe.pnml", "n.smt2", "--cover", "reading=1").output
    for out in ("n.lola", "n.spec", "n.net", "n.pnml"):
        question = ("--cover", "reading=1, writing=1")
        settled(run("convert", "pipe.pnml", out, *question, "--ordinary", "--force"))
        assert not Path("n.map.json").exists()
        answer = run(out, "--cover", "reading=1, writing=1", "--timeout", 60, "--quiet")
        assert settled(answer).stdout == "unreachable\n"
    assert "(--ordinary)" in settled(run("convert", "pipe.pnml", "m.lola"), 3).output
    assert "has a reset arc" in settled(run("convert", "reset.pnml", "m.net"), 3).output
    assert not Path("m.net").exists()
    settled(run("convert", "reset.pnml", "m.net", "--ordinary"))


def test_a_question_beside_a_guarded_net_speaks_of_its_places_alone() -> None:
    settled(run("convert", "pipe.pnml", "n.pnml", "--deadlock"))
    assert "complement" not in Path("n.xml").read_text()
    answer = settled(run("n.pnml", "--properties", "n.xml", "--timeout", 60, "--quiet"))
    assert answer.stdout == "question: violated\n"


UNBOUNDED = """<pnml><net id="n"><place id="p"><initialMarking><text>1</text></initialMarking>
</place><place id="q"/><transition id="a"/><transition id="b"/><arc id="1" source="a" target="p"/>
<arc id="2" source="q" target="a"><type value="inhibitor"/></arc>
<arc id="3" source="b" target="q"/><arc id="4" source="p" target="b"><type value="inhibitor"/></arc>
</net></pnml>
"""
"""Places without a known bound; p is unbounded, and q always empty, as p never is."""


def test_without_a_known_bound_a_net_is_converted_but_to_no_ordinary_one() -> None:
    Path("n.pnml").write_text(UNBOUNDED)
    settled(run("convert", "n.pnml", "n.tapn"))
    written, source = read_net("n.tapn").source, read_net("n.pnml").source
    assert isinstance(written, GuardedNet) and isinstance(source, GuardedNet)
    assert (written.guards, written.transitions) == (source.guards, source.transitions)
    with pytest.raises(InputError, match="no bound is known of 'p'"):
        to_snakes(read_net("n.pnml").net)
    for out in ("n.lola", "n.smt2", "n.spec"):
        question = ("--cover", "q=1")
        refused = settled(run("convert", "n.pnml", out, *question, "--ordinary", "--force"), 3)
        assert "no bound is known of 'p'" in refused.output
    assert not Path("n.formula").exists()


def test_info_claims_nothing_that_a_net_without_the_guards_alone_reaches() -> None:
    Path("n.pnml").write_text(UNBOUNDED)
    facts = json.loads(settled(run("info", "n.pnml", "--json")).stdout)
    assert facts["guarded"]["without_bound"] == ["p", "q"]
    assert (facts["bounded"], facts["safe"], facts["unbounded"]) == (None, None, [])
    assert facts["reached"] == {"p": 1, "q": 0}
    assert "described without inhibitor arcs and resets of p, q" in run("info", "n.pnml").stdout


def test_info_lists_the_guards_and_shows_no_complement_places_as_places() -> None:
    facts = json.loads(settled(run("info", "pipe.pnml", "--json")).stdout)["guarded"]
    assert {"place": "reading", "transition": "write", "weight": 1} in facts["inhibitor_arcs"]
    assert (facts["capacities"], facts["resets"]) == ({"reading": 2}, [])
    shown = settled(run("info", "pipe.pnml")).stdout
    assert shown.startswith("guarded net library: 3 places, 4 transitions, 8 arcs, 3 inhibitor")
    assert "  idle + reading + writing = 3\nbounds (3):" in shown
    assert "  true" not in shown
    facts = json.loads(settled(run("info", "reset.pnml", "--json")).stdout)["guarded"]
    assert facts["resets"] == [{"place": "p", "transition": "empty"}]
