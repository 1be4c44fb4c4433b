"""Tables with stubborn sets: accepted are just those that have them, by their definition."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path

import pytest
from evidence_files import write_json
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import formula, net_of
from oracle import first_markings, known_verdict, successor
from strategies import harder_problems, problems, repeatable, targets

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    evaluate,
)
from petricheck.engines.reductions import reduce
from petricheck.evidence import standalone
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.audit.shapes.finite_set import about_rows
from petricheck.evidence.audit.tables import rows
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.stubborn_sets import StubbornTable
from petricheck.evidence.files.json import Json
from petricheck.explicit.kernel.explore import Exploration
from petricheck.explicit.kernel.packing import markings_certificate
from petricheck.formats.nets import read_net, write_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.guarded.net import guarded
from petricheck.model.net import Marking, Transition, make_net
from petricheck.model.problem import Problem
from petricheck.questions import ask, check
from petricheck.questions.verification import evidence_of
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError

Markings = Collection[Marking]

Counted = tuple[tuple[str, tuple[tuple[str, int], ...]], ...]


# The definition


def may_help(problem: Problem, transition: Transition, formula: Formula, m: Marking) -> bool:
    """Whether the transition may bring the term of a false atom nearer to where it is true."""
    places = problem.net.places
    assert isinstance(formula, Inequality | Equality | Congruence)
    weights = dict(formula.term.coefficients)
    change = sum(weights.get(places[place], 0) * n for place, n in transition.effect)
    match formula:
        case Inequality():
            return change < 0
        case Equality(term):
            return change * term.evaluate(problem.net.values(m)) < 0
        case Congruence(_, modulus):
            return change % modulus != 0


def excluded(problem: Problem, own: Collection[str], formula: Formula, m: Marking) -> bool:
    """Whether the formula is false, and no transition but these can help to change that."""
    match formula:
        case Conjunction(operands):
            return any(excluded(problem, own, operand, m) for operand in operands)
        case Disjunction(operands):
            return all(excluded(problem, own, operand, m) for operand in operands)
        case Negation(Conjunction(operands)):
            return excluded(problem, own, Disjunction(tuple(map(Negation, operands))), m)
        case Negation(Disjunction(operands)):
            return excluded(problem, own, Conjunction(tuple(map(Negation, operands))), m)
        case Negation(Negation(operand)):
            return excluded(problem, own, operand, m)
        case Negation(Inequality(term)):
            return excluded(problem, own, Inequality(1 - term), m)
        case Negation(Equality(term)):
            sides = Inequality(term + 1), Inequality(1 - term)
            return all(excluded(problem, own, side, m) for side in sides)
        case _:
            atom = formula.operand if isinstance(formula, Negation) else formula
            helpful = (t for t in problem.net.transitions if t.name not in own)
            false = not evaluate(formula, problem.net.values(m))
            return false and not any(may_help(problem, t, atom, m) for t in helpful)


def is_stubborn(problem: Problem, own: Collection[str], m: Marking, table: Markings) -> bool:
    """Whether the transitions, all with an effect, are a stubborn set that leads to the table."""
    moving = [t for t in problem.net.transitions if t.effect]
    for transition in (t for t in moving if t.name in own):
        after = successor(m, transition)
        if after is None:
            lacking = [place for place, n in transition.pre if m[place] < n]
            if not any(
                all(t.name in own for t in moving if dict(t.effect).get(place, 0) > 0)
                for place in lacking
            ):
                return False
        elif after not in table or any(
            n < 0 and place in dict(t.pre) and t.name not in own
            for place, n in transition.effect
            for t in moving
        ):
            return False
    idle = [t.name for t in problem.net.transitions if not t.effect]
    return excluded(problem, {*own, *idle}, problem.target, m)


def proves(problem: Problem, table: Markings) -> bool:
    """Whether the initial marking is there, and each has a stubborn set: all sets are tried."""
    names = [t.name for t in problem.net.transitions if t.effect]
    subsets = [*chain.from_iterable(combinations(names, n) for n in range(len(names) + 1))]
    return problem.net.initial in table and all(
        any(is_stubborn(problem, own, m, table) for own in subsets) for m in table
    )


# Two checkers


def stubborn(problem: Problem, table: Markings) -> StubbornTable:
    listed = markings_certificate(problem.net.places, sorted(table))
    assert listed is not None
    return StubbornTable(listed)


def audited(problem: Problem, certificate: StubbornTable) -> bool:
    try:
        return bool(audit(problem, Unreachable(certificate)))
    except EvidenceError:
        return False


def is_checked(folder: Path, problem: Problem, certificate: StubbornTable) -> bool:
    """Whether the standalone checker accepts it."""
    net, evidence = folder / "net.pnml", folder / "e.json"
    data = Pnml().write(problem.net)
    net.write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    evidence.write_bytes(write_json(problem, digest, Unreachable(certificate)))
    status = standalone.main([str(net), str(evidence)])
    assert status in (0, 4)
    return status == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stubborn")


def judged(folder: Path, problem: Problem, table: Markings) -> bool:
    """Whether both checkers accept it, on which they agree."""
    certificate = stubborn(problem, table)
    accepted = audited(problem, certificate)
    assert is_checked(folder, problem, certificate) == accepted
    return accepted


# One false table for each condition


def problem_of(system: str, goal: str) -> Problem:
    """The problem with the target as it is written."""
    return Problem(net_of(system), formula(goal))


FALSE = {
    "the initial marking is a row": ("p=1 q=0, t: p -> q", "q >= 1", [(0, 0)]),
    "no row is in the target": ("p=1 q=0, t: p -> q", "q >= 1", [(1, 0), (0, 1)]),
    "a false operand is needed": ("p=1 q=0, t: -> q", "p <= 1 and q >= 1", [(1, 0)]),
    "enabled members lead to rows": ("p=1 q=0, t: p -> q", "q >= 1", [(1, 0)]),
    "numbers fit their fields": ("p=1 q=0, t: p -> 2 q", "q >= 2", [(1, 0), (0, 1)]),
    "a disabled member has what fills its place": (
        "p=1 q=0 r=0, fill: p -> q, t: q -> r",
        "r >= 1",
        [(1, 0, 0)],
    ),
    "a disabled member has what fills one place, not a marked one": (
        "p=1 q=0 r=0, fill: p -> p + q, t: q + p -> r",
        "r >= 1",
        [(1, 0, 0)],
    ),
    "a disabled member has what fills a place that is marked too little": (
        "p=1 q=1 r=0, fill: p -> q, t: 2 q -> r",
        "r >= 1",
        [(1, 1, 0)],
    ),
    "what is omitted has others omitted, and they others": (
        "p=1 q=0 r=0 s=0, c: r -> s, b: q -> r, a: p -> q",
        "s >= 1",
        [(1, 0, 0, 0)],
    ),
    "an enabled member has what takes its tokens": (
        "p=1 q=0 r=0 s=0, t: p -> q, u: p -> s, back: s -> p + r",
        "q >= 1 and r >= 1",
        [(1, 0, 0, 0), (0, 1, 0, 0)],
    ),
    "an enabled member has what reads its tokens": (
        "p=1 q=0 r=0, t: p -> q, u: p -> p + r",
        "q >= 1 and r >= 1",
        [(1, 0, 0), (0, 1, 0)],
    ),
    "an enabled member has what takes its tokens, in any order": (
        "q=0 r=0 p=1, u: p -> p + r, t: p -> q",
        "q >= 1 and r >= 1",
        [(0, 0, 1), (1, 0, 0)],
    ),
    "an enabled member has what reads tokens that it returns in part": (
        "p=2 q=0 r=0, t: 2 p -> p + q, u: 2 p -> 2 p + r",
        "q >= 1 and r >= 1",
        [(2, 0, 0), (1, 1, 0)],
    ),
    "all operands of a disjunction are kept false": (
        "p=1 q=0 r=1 s=0, t: p -> q, u: r -> s",
        "q >= 2 or s >= 1",
        [(1, 0, 1, 0), (0, 1, 1, 0)],
    ),
    "operands of a denied disjunction are conjuncts": (
        "p=1 q=0, t: -> q",
        "not (p >= 2 or q <= 0)",
        [(1, 0)],
    ),
    "operands of a denied conjunction are disjuncts": (
        "p=1 q=0 r=1 s=0, t: p -> q, u: r -> s",
        "not (q <= 1 and s <= 0)",
        [(1, 0, 1, 0), (0, 1, 1, 0)],
    ),
    "a denied denial is none": ("p=1 q=0, t: p -> q", "not (not q >= 1)", [(1, 0)]),
    "a denied bound is one on the other side": ("p=1, t: -> p", "not p <= 1", [(1,)]),
    "a sum has what raises any part of it": (
        "p=1 q=0 r=1 s=0, t: p -> q, u: r -> s",
        "q + s >= 2",
        [(1, 0, 1, 0), (0, 1, 1, 0)],
    ),
    "a bound from above has what lowers the sum": ("p=1, t: p ->", "p <= 0", [(1,)]),
    "an equation has what raises a sum that is less": ("p=1, t: -> p", "p == 2", [(1,)]),
    "an equation has what lowers a sum that is more": ("p=2, t: p ->", "p == 1", [(2,)]),
    "a denied equation has what raises the sum": ("p=1, t: -> p", "not p == 1", [(1,)]),
    "a denied equation has what lowers the sum": ("p=1, t: p ->", "not p == 1", [(1,)]),
    "a residue has what changes it": ("p=1, t: -> 3 p", "p % 2 == 0", [(1,)]),
    "a denied residue has what changes it": ("p=1, t: -> 3 p", "not p % 2 == 1", [(1,)]),
}


@pytest.mark.parametrize(("system", "goal", "table"), FALSE.values(), ids=FALSE)
def test_false_tables_are_refused(
    system: str, goal: str, table: list[Marking], folder: Path
) -> None:
    problem = problem_of(system, goal)
    assert known_verdict(problem, 100) == "reachable"
    assert not judged(folder, problem, table)


TRUE = {
    "what does not help does not fire": (
        "p=1 q=0 r=1 s=0, t: p -> q, u: r -> s",
        "q >= 2 and s <= 1",
        [(1, 0, 1, 0), (0, 1, 1, 0)],
    ),
    "though it goes on for ever": (
        "p=1 q=0 r=0, t: p -> q, grow: -> r",
        "q >= 2",
        [(1, 0, 0), (0, 1, 0)],
    ),
    "what is disabled for ever": ("p=1 q=0 r=0, t: q -> r, u: p ->", "r >= 1", [(1, 0, 0)]),
    "a circle that nothing fills": (
        "p=1 q=0 r=0 s=0, t: q -> r, u: r -> q, v: q -> s, w: p ->",
        "s >= 1",
        [(1, 0, 0, 0)],
    ),
    "a denied bound that nothing moves": ("p=1, t: p ->", "not p <= 1", [(1,)]),
    "what drains the place that lacks tokens": (
        "p=1 q=0 x=0, t: 2 p -> q, drain: p -> x",
        "q >= 1",
        [(1, 0, 0)],
    ),
    "what takes from where a member puts": (
        "p=1 q=0 x=0 r=0, t: p -> q, u: q + x -> r, grow: -> x",
        "q >= 2",
        [(1, 0, 0, 0), (0, 1, 0, 0)],
    ),
    "what has no effect needs what it likes": (
        "p=1 q=0 r=0, t: p -> q, reads: p + r -> r + p, grow: -> r",
        "q >= 2",
        [(1, 0, 0), (0, 1, 0)],
    ),
    "what needs more than a number of 64 bits": (
        f"p=1 q=0, t: {2**70} p -> q",
        "q >= 1",
        [(1, 0)],
    ),
    "what changes no residue": ("p=1, t: -> 2 p", "p % 2 == 0", [(1,)]),
    "what moves away": ("p=3, t: -> p", "p == 2", [(3,)]),
}


@pytest.mark.parametrize(("system", "goal", "table"), TRUE.values(), ids=TRUE)
def test_their_neighbours_are_accepted(
    system: str, goal: str, table: list[Marking], folder: Path
) -> None:
    problem = problem_of(system, goal)
    assert known_verdict(problem, 100) != "reachable" and proves(problem, table)
    assert judged(folder, problem, table)


def test_the_row_that_is_left_is_named() -> None:
    problem = problem_of("p=10 q=0, t: p -> q", "q >= 11")
    table = [(10 - q, q) for q in range(11) if q != 7]
    with pytest.raises(EvidenceError, match=r"excludes the target, .* from p = 4, q = 6$"):
        audit(problem, Unreachable(stubborn(problem, table)))


# Random tables

LARGEST = 60


def visited(problem: Problem) -> tuple[set[Marking], bool]:
    """What a search with stubborn sets visits, and whether that is all without the target."""
    search = Exploration(problem.net, [problem.target], 1 << 24, preserved=[0])
    while search.open and not search.ended and search.size < LARGEST:
        search.run(LARGEST)
    return set(search.markings), search.excluded == (0,)


def compare(folder: Path, problem: Problem, table: Markings) -> bool:
    """Whether the checkers accept the table, as they should by definition; then it is true."""
    accepted = judged(folder, problem, table)
    assert accepted == proves(problem, table)
    if accepted:
        first = first_markings(problem.net, 200)
        assert not any(evaluate(problem.target, problem.net.values(m)) for m in first)
    return accepted


@st.composite
def altered(draw: st.DrawFn, problem: Problem) -> tuple[Problem, set[Marking]]:
    """The problem with what is visited, of which something is changed."""
    table = visited(problem)[0]
    if draw(st.booleans()):
        return replace(problem, target=draw(targets(problem.net))), table
    listed = sorted(table)
    gone = draw(st.sets(st.sampled_from(listed), max_size=2))
    raised = draw(st.sampled_from(listed)), draw(st.integers(0, len(problem.net.places) - 1))
    more = tuple(n + (place == raised[1]) for place, n in enumerate(raised[0]))
    return problem, (table - gone) | ({more} if draw(st.booleans()) or gone == table else set())


def compare_all(folder: Path, problem: Problem, data: st.DataObject) -> None:
    table, is_proof = visited(problem)
    assert compare(folder, problem, table) or not is_proof
    assert known_verdict(problem, 200) in (
        (None, "unreachable") if is_proof else (None, "reachable", "unreachable")
    )
    compare(folder, *data.draw(altered(problem)))


@repeatable(25)
@given(problems() | harder_problems(), st.data())
def test_accepted_are_tables_with_stubborn_sets(
    folder: Path, problem: Problem, data: st.DataObject
) -> None:
    compare_all(folder, problem, data)


@pytest.mark.campaign
@pytest.mark.timeout(0)
@pytest.mark.parametrize("part", range(10))
@settings(max_examples=2_000, database=None)
@given(problems() | harder_problems(), st.data())
def test_so_they_are_of_many_nets(
    folder: Path, part: int, problem: Problem, data: st.DataObject
) -> None:
    compare_all(folder, problem, data)


# Tables of some places, and of sums


@st.composite
def projected(draw: st.DrawFn) -> tuple[Problem, StubbornTable]:
    """A problem with a table of some sums of places, which a search for what they show visits."""
    problem = draw(problems())
    net, places = problem.net, problem.net.places
    columns = draw(st.lists(st.sampled_from(places), min_size=1, unique=True))
    others = st.dictionaries(st.sampled_from(places), st.integers(1, 2), max_size=1)
    counted = {column: draw(others) for column in columns}
    further = {c: tuple(o.items()) for c, o in counted.items() if o and c not in o}
    layout = MarkingTable(tuple((c, 1) for c in columns), b"", tuple(further.items()))
    seen = Problem(rows.counting(net, layout), about_rows(problem.target, layout, {}))
    table = stubborn(seen, visited(seen)[0]).table
    return problem, StubbornTable(replace(table, counted=tuple(further.items())))


@repeatable(30)
@given(projected())
def test_tables_of_some_places_and_of_sums_are_true(case: tuple[Problem, StubbornTable]) -> None:
    problem, certificate = case
    if audited(problem, certificate):
        first = first_markings(problem.net, 200)
        assert not any(evaluate(problem.target, problem.net.values(m)) for m in first)


@pytest.mark.parametrize("counted", [(), (("q", (("r", 1),)),)], ids=["some", "sums"])
def test_tables_of_some_places_and_of_sums_are_proofs(counted: Counted) -> None:
    problem = problem_of("p=1 q=0 r=0 s=1, t: p -> q, u: q -> r, v: s ->", "q >= 2 and r <= 0")
    table = MarkingTable((("p", 1), ("q", 1)), bytes(7) + b"\1" + bytes(7) + b"\2", counted)
    assert audited(problem, StubbornTable(table))
    assert not audited(problem, StubbornTable(replace(table, rows=table.rows[:8])))


def test_a_number_that_all_rows_share_is_not_that_of_all_reachable_markings() -> None:
    problem = problem_of("c=1 q=0 x=0, grow: -> x", "c <= x and q <= 0")
    assert known_verdict(problem, 100) == "reachable"
    table = MarkingTable((("q", 1), ("x", 1)), bytes(7) + b"\1", (("q", (("c", 1),)),))
    assert not audited(problem, StubbornTable(table))


# The engine


@repeatable(15)
@given(problems())
def test_proofs_about_a_reduced_net_are_lifted_or_given_up(problem: Problem) -> None:
    reduced = reduce(problem, Budget())
    table, is_proof = visited(reduced.problem)
    if reduced.decided() is None and is_proof:
        answer = Unreachable(stubborn(reduced.problem, table))
        lifted = reduced.lift(answer)
        assert lifted is None or (isinstance(lifted, Unreachable) and audit(problem, lifted))


def test_a_proof_about_a_reduced_net_is_lifted() -> None:
    problem = problem_of(
        "p=1 q=0 r=0 c=3 d=0, t: p + c -> q + c, u: q -> r, never: d -> r, grow: -> c", "r >= 2"
    )
    reduced = reduce(problem, Budget(), ["constant_places", "dead_transitions"])
    assert len(reduced.problem.net.places) < 5
    lifted = reduced.lift(Unreachable(stubborn(reduced.problem, visited(reduced.problem)[0])))
    assert isinstance(lifted, Unreachable) and audit(problem, lifted)


def test_evidence_about_guarded_nets_is_accepted(folder: Path) -> None:
    arcs = {"enter": ({"out": 1}, {"inside": 1}), "count": ({}, {"n": 1}), "halt": ({}, {})}
    plain = make_net("room", {"out": 3, "inside": 0, "n": 0}, arcs)
    net = guarded(plain, inhibitors=[(0, 1, 2)], resets=[(2, 1)])
    write_net(net, folder / "net.pnml")
    question = ask(read_net(folder / "net.pnml").net, formula="inside >= 3")
    finding = check(question, engine="best_first", budget=Budget(10))
    assert finding.value is False
    evidence = Json().write(question.net, evidence_of(finding, None))
    assert b"stubborn" in evidence
    (folder / "e.json").write_bytes(evidence)
    assert standalone.main([str(folder / "net.pnml"), str(folder / "e.json")]) == 0


def test_of_several_initial_markings_it_proves_nothing() -> None:
    net = net_of("p=1 x=0 q=0, t: p + x -> q, u: p ->")
    question = ask(net, formula="q >= 1", initial="p >= 1")
    finding = check(question, engine="best_first", budget=Budget(10))
    assert finding.value is None and finding.unknown is not None
    assert check(question, budget=Budget(10)).value is False
