"""Facts about a net that hold in every reachable marking, each checked before it is believed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from petricheck.audit.obligation import preservation
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.flows.basis import invariant_basis
from petricheck.flows.place_invariant import invariant
from petricheck.linear import direction_of, products
from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Equality,
    Formula,
    Inequality,
    evaluate,
    variables,
)
from petricheck.presburger.solver import find_model
from petricheck.presburger.terms import Term
from petricheck.problem import Net, Transition

SECONDS = 1.0
"""How long a solver may take for a fact and a transition."""

SHARE = 0.2
"""Part of the time that is left which may be spent on facts."""


def place_invariants(net: Net) -> tuple[Equality, ...]:
    """A basis of the place invariants; none where it takes too much work."""
    return tuple(invariant(net, sums).formula(net) for sums in invariant_basis(net) or ())


def confirmed(
    net: Net, facts: Iterable[Formula], known: Sequence[Formula], budget: Budget
) -> tuple[Formula, ...]:
    """Those of the facts that hold initially, and that every firing keeps.

    Each may rest on the known ones and on those confirmed before it, so that all of them together
    are inductive. What is not looked at in a share of the time is not among them.

    Args:
        net: the net.
        facts: formulas that need not be true; what is not about places is passed over.
        known: formulas whose conjunction is inductive.
        budget: limits.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    kept = list(known)
    start = net.values(net.initial)
    limits = budget.within(SHARE * budget.remaining)
    for fact in facts:
        budget.check()
        if not limits.remaining:
            break
        if not set(variables(fact)) <= start.keys() or not evaluate(fact, start):
            continue
        if all(_kept(net, transition, fact, kept, budget) for transition in net.transitions):
            kept.append(fact)
    return tuple(kept[len(known) :])


def _kept(
    net: Net, transition: Transition, fact: Formula, known: Sequence[Formula], budget: Budget
) -> bool:
    """Whether a firing from where the fact and the known ones hold leads to where it holds."""
    if _unchanged(net, transition, fact):
        return True
    obligation = preservation(net, transition, Conjunction((*known, fact)), fact)
    seconds = min(SECONDS, budget.remaining)
    try:
        return find_model(obligation.formula, seconds=seconds, natural=True) is None
    except BudgetExhausted:
        budget.check()
        return False


def _unchanged(net: Net, transition: Transition, fact: Formula) -> bool:
    """Whether the effect alone says that an atom is kept."""
    match fact:
        case Inequality(term):
            change = _change(net, transition, term)
            return change <= 0
        case Equality(term):
            return _change(net, transition, term) == 0
        case Congruence(term, modulus):
            return _change(net, transition, term) % modulus == 0
        case _:
            return not {net.places[p] for p, _ in transition.effect} & set(variables(fact))


def _change(net: Net, transition: Transition, term: Term) -> int:
    (change,) = products(direction_of(net, term), (transition.effect,))
    return change
