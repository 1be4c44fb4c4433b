"""Formulas that hold in every reachable marking, each checked before it is believed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Conjunction,
    Formula,
    evaluate,
    variables,
)
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.evidence.audit.invariants.obligation import preservation
from petricheck.model.net import Net, Transition
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.linear import preserves

SECONDS = 1.0
"""How long a solver may take for a fact and a transition."""

SHARE = 0.2
"""Part of the time that is left which may be spent on facts."""


def confirm_facts(
    net: Net, facts: Iterable[Formula], invariants: Sequence[Formula], budget: Budget
) -> tuple[Formula, ...]:
    """Return the facts about places that hold initially and that every firing preserves.

    Each may rest on the invariants, whose conjunction is inductive, and on those confirmed before
    it, so that all of them together are inductive. What is not looked at in a share of the time is
    not among them.
    """
    inductive = list(invariants)
    start = net.values(net.initial)
    limits = budget.within(SHARE * budget.remaining)
    for fact in facts:
        budget.check()
        if not limits.remaining:
            break
        if not set(variables(fact)) <= start.keys() or not evaluate(fact, start):
            continue
        if all(
            _is_inductive(net, transition, fact, inductive, budget)
            for transition in net.transitions
        ):
            inductive.append(fact)
    return tuple(inductive[len(invariants) :])


def _is_inductive(
    net: Net, transition: Transition, fact: Formula, invariants: Sequence[Formula], budget: Budget
) -> bool:
    """Return whether a firing preserves the fact, given the invariants."""
    if isinstance(fact, Atom):
        if preserves(net, (transition,), fact):
            return True
    elif {net.places[p] for p, _ in transition.effect}.isdisjoint(variables(fact)):
        return True
    obligation = preservation(net, transition, Conjunction((*invariants, fact)), fact)
    limits = budget.within(SECONDS)
    try:
        return find_model(obligation.formula, budget=limits, natural=True) is None
    except BudgetExhausted:
        budget.check()
        return False
