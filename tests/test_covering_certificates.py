"""Proofs of backward searches, made certificates: each needs all of what is put into it."""

from __future__ import annotations

import pytest
from false_rows import net, p, r

from petricheck.answer import Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.covering.backward import Proof
from petricheck.covering.certify import certificate
from petricheck.covering.facts import Fact, Facts
from petricheck.evidence.invariant import Certificate, CoverHints
from petricheck.linear import HalfSpace
from petricheck.presburger.formulas import Conjunction, Formula, at_least, at_most, variables
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Problem, Weights

EXACT = "checked in exact integer arithmetic"
a, b, c, s, x = (variable(name) for name in "abcsx")


def certified(
    system: Net,
    target: Formula,
    proof: Proof,
    *found: Fact,
    traps: tuple[frozenset[int], ...] = (),
) -> Certificate:
    """The certificate, which is asserted to need no solver."""
    facts = Facts(system, Budget())
    facts.found, facts.traps = list(found), list(traps)
    result = certificate(Problem(system, target), facts, proof)
    assert audit(Problem(system, target), Unreachable(result)) == EXACT
    return result


def test_a_basis_is_what_may_not_be_covered() -> None:
    system = net({"p": 1, "q": 0, "r": 0}, t="2 q -> r", u="p -> q")
    basis = ((0, 0, 1), (0, 2, 0), (1, 1, 0), (2, 0, 0))
    found = certified(system, at_least(r, 1), Proof(basis, (), ()))
    assert found.hints == CoverHints(())


def fact(below: Weights, bound: int, weights: Weights, traps: Weights) -> Fact:
    """below·m ≤ bound, from weights·m ≤ bound + Σ z_Q and the traps."""
    kept = HalfSpace(weights, bound + sum(times for _, times in traps))
    return Fact(HalfSpace(below, bound), kept, traps)


TRAPPED = {"a": 1, "b": 0, "c": 0, "s": 0}
MOVES = {"t": "a -> b", "u": "b -> a", "v": "2 a -> a + 2 c"}
HALF_SPACE = fact(((2, 1),), 0, ((0, 2), (1, 2), (2, 1)), ((0, 2),))
TRAP = frozenset({0, 1})


def test_a_trap_is_added_as_often_as_the_fact_says() -> None:
    """2a + 2b + c ≤ 2 and twice a + b ≥ 1 make c ≤ 0."""
    system = net(TRAPPED, **MOVES)
    found = certified(system, at_least(c, 1), Proof((), (0,), ()), HALF_SPACE, traps=(TRAP,))
    assert isinstance(found.hints, CoverHints) and len(found.hints.sums) == 1
    assert sorted(times for _, times in found.hints.sums[0]) == [1, 2]


def test_facts_are_those_that_the_proof_names() -> None:
    system = net(TRAPPED, **MOVES)
    other = fact(((3, 1),), 0, ((3, 1),), ())
    third = frozenset({2})
    found = certified(
        system, at_least(c, 1), Proof((), (1,), ()), other,
        fact(((2, 1),), 0, ((0, 2), (1, 2), (2, 1)), ((1, 2),)), traps=(third, TRAP),
    )  # fmt: skip
    assert variables(found.invariant) == ("a", "b", "c")


@pytest.mark.parametrize(
    ("move", "kept"),
    [("s -> c", True), ("s + a ->", True), ("s + a -> b", False), ("s -> s", False)],
)
def test_a_place_is_kept_empty_where_its_token_would_break_a_half_space_or_empty_a_trap(
    move: str, kept: bool
) -> None:
    """It grows 2a + 2b + c, or empties the trap, but takes from s."""
    system = net(TRAPPED, **MOVES, d=move)
    found = certified(system, at_least(c, 1), Proof((), (0,), ()), HALF_SPACE, traps=(TRAP,))
    assert ("s" in variables(found.invariant)) == kept


def test_a_place_is_kept_empty_that_would_break_a_clause_or_mark_one_that_is() -> None:
    system = net({"p": 1, "s": 0}, t="s -> p")
    found = certified(system, at_least(p, 2), Proof(((2, 0),), (), ()))
    assert isinstance(found.invariant, Conjunction)
    assert at_most(s, 0) in found.invariant.operands
    system = net({"s": 0, "x": 0, "p": 0}, t="s -> x", u="x -> s")
    found = certified(system, at_least(x, 1), Proof((), (), (1,)))
    assert variables(found.invariant) == ("s", "x")


def test_all_is_said_once() -> None:
    system = net({"p": 0, "q": 0}, t="-> q")
    known = fact(((0, 1),), 0, ((0, 1),), ())
    found = certified(system, at_least(p, 1), Proof((), (0, 1), ()), known, known)
    assert found.invariant == Conjunction((at_most(p, 0),))


def test_numbers_of_any_size_are_exact() -> None:
    n = 2**63
    system = net({"p": n, "q": 0}, t="p -> q")
    known = fact(((0, 1), (1, 1)), n, ((0, 1), (1, 1)), ())
    certified(system, at_least(p, n + 1), Proof((), (0,), ()), known)
    basis = ((n + 1, 0), (n, 1))
    system = net({"p": n, "q": 0}, t="p -> p")
    certified(system, at_least(p, n + 1), Proof(basis, (), ()))
