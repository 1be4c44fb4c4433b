"""Proofs of backward searches, made certificates: each needs all of what is put into it."""

from __future__ import annotations

import pytest
from false_rows import net, p, r
from notation import EXACT

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Formula,
    at_least,
    at_most,
    variables,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines.coverability import certificate
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.invariant import Certificate, CoverHints
from petricheck.explicit.covering.backward import CoverabilityProof
from petricheck.explicit.covering.exclusions import Exclusions, TrapExclusion
from petricheck.model.net import Net, Weights
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.symbolic.linear import HalfSpace

c, s, x = (variable(name) for name in "csx")


def certified(
    system: Net,
    target: Formula,
    basis: tuple[tuple[int, ...], ...],
    *found: TrapExclusion,
    traps: tuple[frozenset[int], ...] = (),
    needed: int = 0,
) -> Certificate:
    """The certificate of a basis and all exclusions from a number on; it needs no solver."""
    exclusions = Exclusions(system, Budget())
    first = len(exclusions.entries)
    exclusions.entries += found
    exclusions.facts.traps = list(traps)
    numbers = range(first + needed, first + len(found))
    result = certificate(system, exclusions, CoverabilityProof(basis, tuple(numbers)))
    assert audit(Problem(system, target), Unreachable(result)) == EXACT
    return result


def fact(below: Weights, bound: int, weights: Weights, traps: Weights) -> TrapExclusion:
    """below·m ≤ bound, from weights·m ≤ bound + Σ z_Q and the traps."""
    kept = HalfSpace(weights, bound + sum(times for _, times in traps))
    return TrapExclusion(HalfSpace(below, bound), kept, traps)


TRAPPED = {"a": 1, "b": 0, "c": 0, "s": 0}
MOVES = {"t": "a -> b", "u": "b -> a", "v": "2 a -> a + 2 c"}
TRAP = frozenset({0, 1})


def half_space(trap: int) -> TrapExclusion:
    """2a + 2b + c ≤ 2 and twice a + b ≥ 1 make c ≤ 0."""
    return fact(((2, 1),), 0, ((0, 2), (1, 2), (2, 1)), ((trap, 2),))


def test_a_basis_is_what_may_not_be_covered() -> None:
    system = net({"p": 1, "q": 0, "r": 0}, t="2 q -> r", u="p -> q")
    basis = ((0, 0, 1), (0, 2, 0), (1, 1, 0), (2, 0, 0))
    assert certified(system, at_least(r, 1), basis).hints == CoverHints(())


def test_a_trap_is_added_as_often_as_the_fact_says_and_what_is_not_needed_left_out() -> None:
    system, other = net(TRAPPED, **MOVES), fact(((3, 1),), 0, ((3, 1),), ())
    traps = (frozenset({2}), TRAP)
    found = certified(system, at_least(c, 1), (), other, half_space(1), traps=traps, needed=1)
    assert variables(found.invariant) == ("a", "b", "c")
    assert isinstance(found.hints, CoverHints) and len(found.hints.sums) == 1
    assert sorted(times for _, times in found.hints.sums[0]) == [1, 2]


@pytest.mark.parametrize("move", ["s -> c", "s + a ->", "s + a -> b"])
def test_the_siphon_is_kept_empty_where_its_token_would_break_the_rest(move: str) -> None:
    """It grows 2a + 2b + c, or empties the trap, but takes from s."""
    system = net(TRAPPED, **MOVES, d=move)
    found = certified(system, at_least(c, 1), (), half_space(0), traps=(TRAP,))
    assert "s" in variables(found.invariant)


def test_the_siphon_alone_may_be_the_proof() -> None:
    system = net({"p": 1, "s": 0}, t="s -> p")
    assert (
        at_most(s, 0) in certified(system, at_least(variable("p"), 2), ((2, 0),)).invariant.operands
    )
    system = net({"s": 0, "x": 0, "p": 0}, t="s -> x", u="x -> s")
    assert certified(system, at_least(x, 1), ()).invariant == Conjunction((at_most(s + x + p, 0),))


def test_all_is_said_once() -> None:
    known = fact(((0, 1),), 0, ((0, 1),), ())
    found = certified(net({"p": 0, "q": 0}, t="-> q"), at_least(p, 1), (), known, known)
    assert found.invariant == Conjunction((at_most(p, 0),))


def test_numbers_of_any_size_are_exact() -> None:
    n = 2**63
    known = fact(((0, 1), (1, 1)), n, ((0, 1), (1, 1)), ())
    certified(net({"p": n, "q": 0}, t="p -> q"), at_least(p, n + 1), (), known)
    certified(net({"p": n, "q": 0}, t="p -> p"), at_least(p, n + 1), ((n + 1, 0), (n, 1)))
