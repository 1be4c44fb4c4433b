"""Every loop of the audit looks at its budget, and none that evidence can make long is quadratic.

How often a budget is looked at grows with what the evidence holds: each loop over n items looks
n / `STRIDE` times. The examples say how many loops there are over what they hold.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from budgets import Counted
from false_rows import Row, both, clauses, either, listed, net, p, q, r, wall

from petricheck.answer import Certificate, Reachable, Trace, Unreachable
from petricheck.audit import audit
from petricheck.audit.limits import BITS, STRIDE
from petricheck.audit.obligation import Obligation
from petricheck.audit.proofs import prove
from petricheck.audit.shapes import invariant as invariant_shape
from petricheck.audit.solvers import refute_cvc5, refute_z3
from petricheck.audit.upward import Antichain
from petricheck.budget import Budget
from petricheck.claims import Claim, Pumped, Reached, Stage
from petricheck.errors import BudgetExhausted, EvidenceError
from petricheck.presburger import second_solver, solver
from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    at_least,
    at_most,
    congruent,
    disjunction,
    equal,
)
from petricheck.presburger.terms import linear, variable
from petricheck.problem import Problem


def looks(row: Row) -> int:
    budget = Counted()
    answer = (
        Reachable(row.evidence) if isinstance(row.evidence, Trace) else Unreachable(row.evidence)
    )
    audit(Problem(row.net, row.target), answer, budget=budget)
    return len(budget.looks)


STILL = net({"p": 0, "q": 0, "r": 0}, t="->")
GROWS = net({"p": 0, "q": 0, "r": 0}, t="-> p")


def wide(count: int) -> list[str]:
    return [f"x{number}" for number in range(count)]


def steps(n: int) -> Row:
    return Row("", GROWS, equal(p, n), Trace((("t", 1),) * n))


def atoms(n: int) -> Row:
    return Row("", STILL, at_least(p, 1), Certificate(both(*(at_most(p, k) for k in range(n)))))


def goals(n: int) -> Row:
    goal = both(*(at_least(p, k + 1) for k in range(n)))
    return Row("", STILL, goal, Certificate(at_most(p, 0)))


def disjuncts(n: int) -> Row:
    parts = [[at_most(p, 0), at_most(q, k)] for k in range(n)]
    after = [(k,) for k in range(n)]
    return Row("", STILL, at_least(p, 1), listed(*parts, after=after, walls=[wall(p, 1)]))


def bounds(n: int) -> Row:
    part = [at_most(p + k * q, 0) for k in range(n)]
    return Row("", STILL, at_least(p, 1), listed(part, after=((0,),), walls=[wall(p, 1)]))


def greater(n: int) -> Row:
    """Only the last of n directions is a source of p ≤ 0."""
    before = [*(at_most(q - k * p, 0) for k in range(n)), at_most(p + r, 0)]
    after = [at_most(p, 0)]
    evidence = listed(before, after, after=((1,), (1,)), walls=[wall(p + r, 1), wall(p, 1)])
    return Row("", STILL, at_least(p, 1), evidence)


def residues(n: int) -> Row:
    part = [congruent(p, 0, 3), *(congruent((3 * k + 1) * p, 0, 3) for k in range(1, n))]
    walls = [wall(p, 1, modulus=3)]
    return Row("", STILL, equal(p, 1), listed(part, after=((0,),), walls=walls))


def finer(n: int) -> Row:
    """Only the last of n sources has the residue."""
    before = [*(congruent((6 * k + 1) * p, 0, 6) for k in range(n))]
    after = [congruent((6 * n + 1) * p, 0, 3)]
    evidence = listed(before, after, after=((1,), (1,)), walls=[wall(p, 1, modulus=3)])
    return Row("", STILL, equal(p, 1), evidence)


def separators(n: int) -> Row:
    walls = [wall(p, 1, scale=k + 2) for k in range(n)]
    return Row(
        "",
        STILL,
        at_least(p, 1),
        listed([at_most(p, 0)], after=((0,),), walls=[*walls, wall(p, 1)]),
    )


def clashes(n: int) -> Row:
    """n separators that contradict another residue than the disjunct has, and one that does not."""
    goal = equal(p, 1)
    walls = [wall(p, k, modulus=7, scale=k) for k in range(7, 7 * n, 7)]
    evidence = listed([congruent(p, 0, 7)], after=((0,),), walls=[*walls, wall(p, 1, modulus=7)])
    return Row("", STILL, goal, evidence)


def moduli(n: int) -> Row:
    """One separator about n residues."""
    part = [congruent(p, 0, 3 * k) for k in range(1, n)]
    return Row("", STILL, equal(p, 1), listed(part, after=((0,),), walls=[wall(p, 1, modulus=3)]))


def cubes(n: int) -> Row:
    goal = disjunction(at_least(p, k + 1) for k in range(n))
    return Row("", STILL, goal, clauses(at_most(p, 0)))


def parts(n: int) -> Row:
    conjuncts = [either(at_most(p, k), at_most(q, n - k)) for k in range(n)]
    return Row("", STILL, at_least(r, 1), clauses(at_most(r, 0), *conjuncts))


def clause(n: int) -> Row:
    names = wide(n)
    part = either(*(at_most(variable(name), 0) for name in names))
    system = net(dict.fromkeys(names, 0), t="->")
    goal = both(*(at_least(variable(name), 1) for name in names))
    return Row("", system, goal, clauses(part))


def elements(n: int) -> Row:
    """A clause of n minimal elements."""
    names = wide(n)
    system = net(dict.fromkeys(names, 0), t="->")
    total = linear((name, 1) for name in names)
    return Row("", system, at_least(total, 1), clauses(either(at_most(total, 0))))


def half_spaces(n: int) -> Row:
    """n half-spaces that p is in; it grows where t is excluded by none of them."""
    system = net({"p": 0, "q": 0, "r": 0}, t="q -> p")
    found = [at_most(p + q + k * r, 1) for k in range(n)]
    return Row("", system, at_least(p, 2), clauses(*found))


def demands(n: int) -> Row:
    """The last half-space demands what is excluded."""
    found = [at_most(p - k * q, 9) for k in range(1, n)]
    return Row("", STILL, at_least(p, 1), clauses(*found, at_most(p - r, 0), at_most(r, 0)))


def cases(n: int) -> Row:
    """A half-space that demands one of n cases, all of them excluded."""
    names = wide(n)
    system = net({"p": 0, **dict.fromkeys(names, 0)}, t="->")
    total = linear((name, 1) for name in names)
    zeros = [at_most(variable(name), 0) for name in names]
    return Row("", system, at_least(p, 1), clauses(at_most(p - total, 0), *zeros))


def sums(n: int) -> Row:
    system = net({"p": 0, "q": 0, "r": 0}, t="2 p -> 2 p + r")
    return Row(
        "",
        system,
        at_least(r, 1),
        clauses(at_most(r, 0), at_most(p + q, 1), sums=[[(1, k + 1)] for k in range(n)]),
    )


def terms(n: int) -> Row:
    system = net({"p": 0, "q": 0, "r": 0}, t="2 p -> 2 p + r")
    return Row(
        "",
        system,
        at_least(r, 1),
        clauses(at_most(r, 0), at_most(p + q, 1), sums=[[(1, k + 1) for k in range(n)]]),
    )


def grown(n: int) -> Row:
    """n bounds of the place that grows, kept since the guard is excluded with it."""
    system = net({"p": 0, "q": 0}, t="q -> q + p")
    found = [at_most(p, k + 1) for k in range(n)]
    return Row("", system, at_least(p, 2), clauses(*found, either(at_most(p, 0), at_most(q, 0))))


def heavy(n: int) -> Row:
    """n ceilings, the last of which excludes what would break the clause."""
    system = net({"p": 0, "q": 0, "r": 0}, t="r -> r + q")
    slack = [at_most(p + r, 9 + k) for k in range(n)]
    part = either(at_most(p, 0), at_most(q, 0))
    goal = both(at_least(p, 1), at_least(q, 1))
    return Row("", system, goal, clauses(part, *slack, at_most(p + r, 1)))


EXAMPLES: tuple[tuple[Callable[[int], Row], int], ...] = (
    (steps, 1),
    (atoms, 1),
    (goals, 1),
    (disjuncts, 4),
    (bounds, 2),
    (greater, 2),
    (residues, 4),
    (finer, 4),
    (separators, 1),
    (clashes, 2),
    (moduli, 4),
    (cubes, 3),
    (parts, 3),
    (clause, 4),
    (elements, 3),
    (half_spaces, 4),
    (demands, 3),
    (cases, 4),
    (sums, 1),
    (terms, 1),
    (grown, 3),
    (heavy, 3),
)
"""Each with how many loops run over what it holds n of."""


@pytest.fixture(autouse=True)
def _exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invariant_shape, "refute_z3", lambda obligation, budget: None)


@pytest.mark.parametrize(
    ("example", "loops"), EXAMPLES, ids=lambda part: getattr(part, "__name__", "")
)
def test_every_loop_looks_at_the_budget(example: Callable[[int], Row], loops: int) -> None:
    small, large = looks(example(2 * STRIDE)), looks(example(22 * STRIDE))
    assert large - small >= 20 * loops


@pytest.mark.parametrize("example", [example for example, _ in EXAMPLES], ids=lambda e: e.__name__)
def test_an_audit_ends_as_inconclusive_wherever_its_budget_does(
    example: Callable[[int], Row],
) -> None:
    row = example(2 * STRIDE)
    answer = (
        Reachable(row.evidence) if isinstance(row.evidence, Trace) else Unreachable(row.evidence)
    )
    for most in range(looks(row)):
        with pytest.raises(EvidenceError, match="inconclusive") as caught:
            audit(Problem(row.net, row.target), answer, budget=Counted(most=most))
        assert isinstance(caught.value.__cause__, BudgetExhausted)


@pytest.mark.parametrize(
    "claim",
    [
        Reached(Trace((("t", 1),) * 64), ((64, TRUE),)),
        Reached(Trace(()), ((0, TRUE),) * 64),
        Pumped((variable("p"),), (Stage(Trace(()), Trace((("t", 1),))),) * 64),
        Pumped((variable("p"),) * 64, (Stage(Trace(()), Trace((("t", 1),))),)),
    ],
    ids=["steps", "stops", "stages", "sums"],
)
def test_an_audit_of_a_claim_looks_at_the_budget(claim: Claim) -> None:
    budget = Counted()
    prove(GROWS, claim, budget=budget)
    assert len(budget.looks) == 64 // STRIDE


def test_an_antichain_looks_at_the_budget() -> None:
    rows = np.ones((2000, 2), dtype=np.int64)
    budget = Counted()
    assert Antichain(rows).below_each(rows, budget).all()
    assert len(budget.looks) >= 4


def hostile_residues() -> Row:
    part = [congruent((1 + 7 * k) * p, 0, 7) for k in range(4000)]
    return Row("", GROWS, equal(p, 1), listed(part, after=((0,),)))


def hostile_moduli() -> Row:
    before = [congruent(p, k, 30011) for k in range(1, 6000)]
    return Row("", GROWS, equal(p, 1), listed([congruent(p, 0, 2)], before, after=((1,), (0,))))


def hostile_separators() -> Row:
    part = [congruent((k + 1) * p, 0, 30011) for k in range(6000)]
    walls = [wall(p, 1, modulus=30011, scale=k + 1) for k in range(20000)]
    return Row("", STILL, equal(p, 1), listed(part, after=((0,),), walls=walls))


def hostile_walls() -> Row:
    parts = [[at_most((k + 1) * p, 0)] for k in range(2000)]
    walls = [wall((k + 1) * p, 1) for k in range(20000)]
    return Row("", STILL, at_least(p, 1), listed(*parts, after=((0,),) * 2000, walls=walls))


def hostile_bounds() -> Row:
    part = [at_most((k + 1) * p - k * q, 0) for k in range(6000)]
    return Row("", GROWS, at_least(p, 1), listed(part, after=((0,),)))


def hostile_pairs() -> Row:
    names = wide(300)
    pairs = ((m, n) for m in range(300) for n in range(m))
    found = [
        either(at_most(variable(names[m]), 0), at_most(variable(names[n]), 0)) for m, n in pairs
    ]
    system = net(dict.fromkeys(names, 0), t="-> x0")
    return Row("", system, at_least(variable("x1"), 5), clauses(*found))


def hostile_table() -> Row:
    """Few elements on many places each, too many for a table."""
    names = wide(9000)
    found = [
        either(at_most(variable(one), 0), at_most(variable(two), 0)) for one, two in pairwise(names)
    ]
    system = net(dict.fromkeys(names, 0), t="->")
    return Row("", system, at_least(variable("x1"), 5), clauses(*found))


HOSTILE = (
    hostile_residues,
    hostile_moduli,
    hostile_separators,
    hostile_walls,
    hostile_bounds,
    hostile_pairs,
    hostile_table,
)


@pytest.mark.parametrize("example", HOSTILE, ids=lambda example: example.__name__)
def test_a_limit_holds_for_hostile_evidence(example: Callable[[], Row]) -> None:
    row = example()
    assert isinstance(row.evidence, Certificate)
    started = time.monotonic()
    with suppress(EvidenceError):
        audit(Problem(row.net, row.target), Unreachable(row.evidence), budget=Budget(seconds=0.3))
    assert time.monotonic() - started < 15


@pytest.mark.parametrize("number", [1 << BITS, -(1 << BITS)], ids=["positive", "negative"])
def test_numbers_too_long_to_compute_with_are_refused(number: int) -> None:
    for atom in (at_most(p, abs(number)), at_most(number * p, 0), congruent(p, number, 3)):
        with pytest.raises(EvidenceError, match="bits"):
            audit(Problem(STILL, at_least(p, 1)), Unreachable(Certificate(atom)))
    with pytest.raises(EvidenceError, match="bits"):
        audit(Problem(STILL, at_most(number * p, 0)), Unreachable(Certificate(at_most(p, 0))))
    with pytest.raises(EvidenceError, match="no positive count"):
        audit(Problem(GROWS, equal(p, number)), Reachable(Trace((("t", abs(number)),))))


@pytest.mark.parametrize(
    ("refute", "module", "name"),
    [(refute_z3, solver, "find_model"), (refute_cvc5, second_solver, "satisfiable")],
    ids=["z3", "cvc5"],
)
def test_a_solver_is_given_the_time_that_is_left(
    refute: Callable[[Obligation, Budget], None],
    module: ModuleType,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[float | None] = []

    def solve(_: object, *, seconds: float | None, natural: bool = True) -> None:
        given.append(seconds)

    monkeypatch.setattr(module, name, solve)
    for budget in (Budget(100), Budget()):
        refute(Obligation("never", FALSE), budget)
    first, second = given
    assert first is not None and 0 < first <= 100
    assert second is None
