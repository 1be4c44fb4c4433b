"""The nets of this project: what is committed is what is described, and asks what is known."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from folders import ROOT, SHARED, question_formula, questions_of, read_question
from oracle import explore, known_verdict, replay

from petricheck.arithmetic.formulas.formulas import evaluate
from petricheck.batch.questions.index import BatchQuestion
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.formats.language.grammar import read_formula
from petricheck.formats.nets import read_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.laboratory.commands.table2 import table
from petricheck.model.net import Net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import check
from petricheck.support.budget import Budget

sys.path.insert(0, str(ROOT / "nets"))

import families

TABLE_2 = SHARED / "nets" / "table2"
QUESTIONS = questions_of(ROOT / "nets")
ROWS = """
    Basic ME U, IFIP U, L6000 U, Long 1 U, Long 2 U, Long 3 U, Long 4 U, Manufacturing 3 U,
    Manufacturing 9 R, Alternating bit prot. R, FMS R, FMS U, FinkelKM R, FinkelKM U,
    Finkel Counterex. R, Kanban R, Kanban U, Mesh 2x2 R, Mesh 2x2 U, Multipool U, Pingpong U,
    PNCSA Cover R, Exponential U, Language inclusion U
"""


def problem_of(question: BatchQuestion) -> Problem:
    net = read_net(question.net).net
    return make_problem(net, question_formula(question, net))


@pytest.mark.parametrize("path", sorted((ROOT / "nets").glob("*.pnml")), ids=lambda path: path.stem)
def test_a_committed_net_is_as_its_writer_writes_it_and_has_its_question(path: Path) -> None:
    read = read_net(path)
    assert not read.warnings
    if isinstance(read.source, Net):
        assert Pnml().write(read.net) == path.read_bytes()
    fields = json.loads(path.with_suffix(".json").read_text("utf-8"))
    exact = {place for place, relation, _ in fields["target"] if relation == "=="}
    assert fields["full"] == (exact == {read.net.places[n] for n in read.net.known})
    assert (fields["places"], fields["transitions"]) == (
        len(read.source.places),
        len(read.source.transitions),
    )


MEMBERS = {
    "exponential_U": ("exponential", 2),
    "exponential_U_33": ("exponential", 5),
    "l6000_U": ("long", 1000),
    "long_1_U": ("long", 10),
    "long_2_U": ("long", 100),
    "long_3_U": ("long", 500),
    "long_4_U": ("long", 10_000),
    "manufacturing_3_U": ("manufacturing", 3),
    "manufacturing_8_U": ("manufacturing", 8),
    "manufacturing_9_R": ("manufacturing", 9),
    "manufacturing_10_R": ("manufacturing", 10),
}
OWN = {"l6000_U": ("source",)} | {f"long_{n}_U": ("target", "why") for n in (1, 2, 4)}
"""Fields of members that were published, or have a question that place invariants decide."""


@pytest.mark.parametrize("name", MEMBERS)
def test_a_committed_member_of_a_family_is_what_the_family_writes(name: str) -> None:
    family, size = MEMBERS[name]
    (member,) = families.FAMILIES[family](size)
    written = dict(member.fields, net=f"{name}.pnml")
    committed = families.base_question(name)
    for field in OWN.get(name, ()):
        written[field] = committed[field]
    assert json.loads(json.dumps(written)) == committed
    net = next(content for file, content in member.files().items() if file.endswith(".pnml"))
    assert net == (ROOT / "nets" / f"{name}.pnml").read_bytes()


def test_every_row_of_table_2_is_there_once() -> None:
    found = [f"{q.row} {q.expected_text[0].upper()}" for q in QUESTIONS if q.row]
    assert sorted(found) == sorted(" ".join(row.split()) for row in ROWS.split(","))
    assert sorted(table()) == sorted(found)


def doubled(rounds: int) -> str:
    """After n rounds of Hopcroft and Pansiot's net there are at most 2^n tokens on p2 and p3."""
    steps = (
        f"p5 = {n} and (p1 = 1 and p4 = 0 and p2 + p3 <= {2**n}"
        f" or p1 = 0 and p4 = 1 and p2 + 2*p3 <= {2 ** (n + 1)})"
        for n in range(rounds + 1)
    )
    return " or ".join((f"p5 > {rounds}", *steps))


INVARIANTS = {
    "exponential_U": doubled(2),
    "exponential_U_33": doubled(5),
    "exponential_U_lower": "p1 + p4 = 1 and p2 + p3 >= 1",
    "fig8_U": "p1 = p2",
    "finkel_km_U": "p1 <= 1 and p2 + p3 + p4 + p5 = 0 or p1 = 0 and (p2 + p3 = 0 or p4 + p5 = 0)",
    "fms_U": "p12 + p13 = 1",
    "fms_U2": "p8 + p9 = 3",
    "kanban_U": "p4 + p5 + p7 = p8 + p9 + p11",
    "language_inclusion_U": "u >= x + y",
    "mesh2x2_U": "p2 + p3 + p6 + p7 = 1",
    "multipool_U": "p3 + p4 + p6 + p7 + p8 + p9 + p10 + p11 + p13 + p14 = 3",
    "parity_U": "p1 mod 2 = 0",
    "three_five_U": "p1 = 0 or p1 = 3 or p1 >= 5",
}
"""What holds in unbounded nets, thought out by hand."""


def confirm(question: BatchQuestion) -> None:
    """Check the verdict expected: by its witness, by brute force, or by an invariant of ours."""
    problem = problem_of(question)
    if question.expected is True:
        assert question.witness is not None
        end = replay(problem.net, question.witness)
        assert end is not None
        assert evaluate(problem.target, problem.net.values(end))
    elif question.bounded:
        assert known_verdict(problem, limit=60_000) == question.expected_text
    else:
        assert question.expected_text == "unreachable"
        if question.name in INVARIANTS:
            invariant = read_formula(problem.net, INVARIANTS[question.name])
            assert audit(problem, Unreachable(Certificate(invariant)))
        else:  # a small member of a family
            assert isinstance(check(problem, budget=Budget(60)).answer, Unreachable)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_the_verdict_expected_is_right(question: BatchQuestion) -> None:
    confirm(question)


@pytest.mark.skipif(not TABLE_2.is_dir(), reason="the shared nets are not here")
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_the_net_and_its_question_are_those_of_the_shared_collection(
    question: BatchQuestion,
) -> None:
    path = TABLE_2 / f"{question.net.stem}.json"
    if not path.exists():
        pytest.skip("no question of this name is shared")
    shared, ours = read_question(path), question
    assert shared is not None
    asked = [set(question.text.split(" and ")) for question in (shared, ours)]
    assert asked[0] == asked[1]
    assert (shared.kind, shared.expected) == (ours.kind, ours.expected)
    assert shared.bounded == ours.bounded
    assert structure(read_net(shared.net).net) == structure(read_net(ours.net).net)


def structure(net: Net) -> tuple[object, ...]:
    """Places, tokens and transitions by id, whatever their order."""

    def named(weights: tuple[tuple[int, int], ...]) -> frozenset[tuple[str, int]]:
        return frozenset((net.places[place], weight) for place, weight in weights)

    arcs = {t.name: (named(t.pre), named(t.post)) for t in net.transitions}
    return net.values(net.initial), arcs


@pytest.mark.parametrize(
    ("family", "size", "markings"),
    # Kanban and FMS: the numbers that the literature gives for these sizes.
    [("kanban", 1, 160), ("kanban", 2, 4600), ("fms", 1, 120), ("fms", 2, 3444), ("long", 7, 42)],
)
def test_a_closed_family_has_the_known_number_of_markings(
    family: str, size: int, markings: int
) -> None:
    found = explore(next(iter(families.FAMILIES[family](size))).net, limit=5000)
    assert found is not None
    assert len(found) == markings


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize(
    "family", ["exponential", "fms", "kanban", "long", "manufacturing", "mesh"]
)
def test_small_members_of_a_family_have_the_verdicts_they_state(
    family: str, size: int, tmp_path: Path
) -> None:
    families.main([family, str(size), str(tmp_path)])
    questions = questions_of(tmp_path)
    assert questions
    for question in questions:
        confirm(question)


def test_the_manufacturing_system_blocks_from_nine_pieces_on() -> None:
    members = {pieces: next(families.manufacturing(pieces)) for pieces in range(7, 12)}
    verdicts = [member.fields["expected"] for member in members.values()]
    assert verdicts == ["unreachable", "unreachable", "reachable", "reachable", "reachable"]
    assert [has_deadlock(members[pieces].net) for pieces in (8, 9)] == [False, True]


def has_deadlock(net: Net) -> bool:
    markings = explore(net, limit=5000)
    assert markings is not None
    return any(not any(t.enabled(marking) for t in net.transitions) for marking in markings)


def test_one_copy_is_the_mesh_as_published() -> None:
    copied = structure(families.mesh_chain(1))
    published = structure(families.base_net("mesh2x2_U"))
    assert copied == tuple(map(numbered_once, published))


def numbered_once(part: object) -> object:
    """The part of a structure with every id renamed as in the first copy."""
    match part:
        case str():
            return families.numbered(part, 1)
        case dict():
            return {numbered_once(key): numbered_once(value) for key, value in part.items()}
        case tuple() | frozenset():
            return type(part)(numbered_once(element) for element in part)
        case _:
            return part


def test_each_mesh_of_a_chain_is_fed_by_the_one_before() -> None:
    net = families.mesh_chain(3)
    arcs = {(t.name, net.places[place]) for t in net.transitions for place, _ in t.pre + t.post}
    across = {(t, p) for t, p in arcs if t.rpartition("_")[2] != p.rpartition("_")[2]}
    assert across == {("t32_2", "p10_1"), ("t32_3", "p10_2")}


def test_a_family_is_written_the_same_way_each_time(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        families.main(["kanban", "100", str(tmp_path / folder)])
    first, second = (
        {p.name: p.read_bytes() for p in (tmp_path / f).iterdir()} for f in ("one", "two")
    )
    assert first == second
    assert set(first) == {f"kanban_n100_{v}.{kind}" for v in "UR" for kind in ("pnml", "json")}


@pytest.mark.parametrize("arguments", [["kanban"], ["kanban", "0"], ["kanban", "x"], ["grid", "2"]])
def test_a_family_without_a_proper_size_is_a_usage_error(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        families.main(arguments)
    assert stopped.value.code == 2
    assert re.search("size|invalid", capsys.readouterr().err)
