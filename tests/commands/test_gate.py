"""A pipeline stops where a property is violated, refused or not decided."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from invoked import run
from notation import net_of
from property_files import ag, at_least, bound, ef, fireable, possible, tag, write_properties

from petricheck.arithmetic.formulas.formulas import variables
from petricheck.engines.cegar import Cegar
from petricheck.evidence.answer import Unknown
from petricheck.formats.nets import write_net

NET = net_of("p=1 q=0 r=0, go: p -> q, back: q -> p, leave: p -> r")
FORMULAS = {
    "holds": ag(tag("negation", at_least(2, "p"))),
    "able": possible(1, "q"),
    "violated": ag(tag("negation", at_least(1, "q"))),
    "unable": possible(2, "q"),
    "lost": ag(ef(at_least(1, "q"))),
    "dead": ag(ef(fireable("go"))),
    "full": ag(tag("negation", at_least(1, "p"))),
    "most": bound("p"),
    "refused": ef(at_least(1, "nowhere")),
}


@pytest.fixture
def net(tmp_path: Path) -> str:
    write_net(NET, tmp_path / "net.pnml")
    return str(tmp_path / "net.pnml")


def gate(net: str, *names: str, options: tuple[str, ...] = ("--expect", "holds")) -> int:
    file = write_properties(Path(net).with_name("f.xml"), **{n: FORMULAS[n] for n in names})
    return int(run(net, "--properties", file, "--quiet", *options).exit_code)


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["holds", "able", "most"], 0),
        (["holds", "violated"], 5),
        (["unable", "holds"], 5),
        (["lost"], 5),
        (["dead"], 5),
        (["holds", "refused"], 2),
        (["refused", "violated"], 5),
        (["violated", "refused", "holds"], 5),
    ],
)
def test_what_does_not_hold_is_status_5_and_what_is_refused_2(
    names: list[str], status: int, net: str
) -> None:
    assert gate(net, *names) == status


def test_without_an_expectation_an_answer_is_status_0_and_none_is_1(net: str) -> None:
    assert gate(net, "holds", "violated", "most", options=()) == 0
    assert gate(net, "holds", "violated", "refused", options=()) == 1


def test_what_is_not_decided_is_status_1_unless_another_is_graver(
    net: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve = Cegar.solve

    def gives_up(engine, problem, budget):
        if "q" in variables(problem.target):
            return Unknown("it gave up")
        return solve(engine, problem, budget)

    monkeypatch.setattr(Cegar, "solve", gives_up)
    cegar = ("--expect", "holds", "--engine", "cegar")
    assert gate(net, "holds", "able", options=cegar) == 1
    assert gate(net, "refused", "able", options=cegar) == 2
    assert gate(net, "able", "full", "refused", options=cegar) == 5


def test_only_that_properties_hold_can_be_expected_of_many(net: str, tmp_path: Path) -> None:
    file = write_properties(tmp_path / "f.xml", holds=FORMULAS["holds"])
    refused = run(net, "--properties", file, "--expect", "unreachable")
    assert refused.exit_code == 2 and "--expect holds" in refused.stderr


def test_people_and_programs_read_what_holds_and_the_words_of_its_evidence(
    net: str, tmp_path: Path
) -> None:
    file = write_properties(tmp_path / "f.xml", **FORMULAS)
    told = run(net, "--properties", file).stdout
    for line in (
        "holds: holds, what violates it is unreachable",
        "able: holds, what satisfies it is reachable",
        "violated: violated, what violates it is reachable",
        "unable: violated, what satisfies it is unreachable",
        "lost: violated, what satisfies it is not a home space",
        "dead: violated, go is not live",
        "refused: refused: line 2: there is no place",
        "9 properties: 2 hold, 5 violated, 1 answered, 1 refused.",
    ):
        assert f"\n{line}" in f"\n{told}"
    lines = map(json.loads, run(net, "--properties", file, "--json").stdout.splitlines())
    by_name = {fields["property"]: fields for fields in lines}
    read = {n: (f.get("quantifier"), f.get("holds"), f["verdict"]) for n, f in by_name.items()}
    assert read == {
        "holds": ("AG", True, "unreachable"),
        "able": ("EF", True, "reachable"),
        "violated": ("AG", False, "reachable"),
        "unable": ("EF", False, "unreachable"),
        "lost": ("AG EF", False, "not a home space"),
        "dead": ("AG EF", False, "not live"),
        "full": ("AG", False, "reachable"),
        "most": (None, None, "maximum 1"),
        "refused": (None, None, "unknown"),
    }
