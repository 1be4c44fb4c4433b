"""Lemmas of k-induction and property-directed reachability, which every firing keeps."""

from __future__ import annotations

from contextlib import suppress

from petricheck.budget import Budget
from petricheck.presburger.formulas import Cube, Formula
from petricheck.problem import Net
from petricheck.state_equation.congruences import KeptResidue, separating_congruence
from petricheck.state_equation.half_spaces import KeptHalfSpace, separating_half_space
from petricheck.state_equation.invariants import Facts

_SECONDS = 5.0
"""For the linear program of a lemma."""


def refuting(net: Net, facts: Facts, cube: Cube, budget: Budget) -> tuple[Formula, ...]:
    """A congruence or half-space that, with the traps known, contradicts the cube, and these traps.

    It is added to the facts. Empty where none is found.
    """
    effects = (transition.effect for transition in facts.unblocked)
    fact: KeptResidue | KeptHalfSpace | None = separating_congruence(net, effects, cube)
    with suppress(OverflowError):  # no float is as large as a number of the cube
        seconds = min(_SECONDS, budget.remaining)
        fact = fact or separating_half_space(net, facts.unblocked, cube, facts.traps, seconds)
    return () if fact is None else facts.add(None, fact)
