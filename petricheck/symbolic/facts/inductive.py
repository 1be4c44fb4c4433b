"""Formulas that hold in every reachable marking, each checked before it is believed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Conjunction,
    Formula,
    evaluate,
    variables,
)
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.evidence.audit.invariants.obligation import preservation, successor
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


def inductive_part(net: Net, facts: Iterable[Formula], budget: Budget) -> tuple[Formula, ...]:
    """Return the most of the facts about places that are inductive together.

    Those that a firing breaks go, until no firing breaks any (Flanagan, Leino: Houdini, an
    annotation assistant for ESC/Java, 2001).
    """
    start = net.values(net.initial)
    own = (fact for fact in dict.fromkeys(facts) if set(variables(fact)) <= start.keys())
    holding, before = [fact for fact in own if evaluate(fact, start)], -1
    while len(holding) != before:
        before = len(holding)
        for transition in net.transitions:
            broken = _broken(net, transition, holding, budget)
            holding = [fact for fact in holding if fact not in broken]
    return tuple(holding)


def _broken(
    net: Net, transition: Transition, facts: Sequence[Formula], budget: Budget
) -> set[Formula]:
    """Return facts that a firing may break where all hold, and after which the others hold."""
    change = successor(net, transition)
    doubtful = [fact for fact in facts if not _evidently_kept(net, transition, fact)]
    broken = set[Formula]()
    while doubtful:
        parts = Conjunction(tuple(facts)), Conjunction(tuple(doubtful))
        obligation = preservation(net, transition, *parts)
        budget.check()
        try:
            model = find_model(obligation.formula, budget=budget.within(SECONDS), natural=True)
        except BudgetExhausted:
            budget.check()
            return {*broken, *doubtful}
        if model is None:
            break
        values = defaultdict(int, model)
        after = {**model, **{name: term.evaluate(values) for name, term in change.items()}}
        broken |= {fact for fact in doubtful if not evaluate(fact, after)}
        doubtful = [fact for fact in doubtful if fact not in broken]
    return broken


def _is_inductive(
    net: Net, transition: Transition, fact: Formula, invariants: Sequence[Formula], budget: Budget
) -> bool:
    """Return whether a firing preserves the fact, given the invariants."""
    if _evidently_kept(net, transition, fact):
        return True
    obligation = preservation(net, transition, Conjunction((*invariants, fact)), fact)
    limits = budget.within(SECONDS)
    try:
        return find_model(obligation.formula, budget=limits, natural=True) is None
    except BudgetExhausted:
        budget.check()
        return False


def _evidently_kept(net: Net, transition: Transition, fact: Formula) -> bool:
    """Return whether a firing preserves the fact by its effect alone."""
    if isinstance(fact, Atom):
        return preserves(net, (transition,), fact)
    return {net.places[p] for p, _ in transition.effect}.isdisjoint(variables(fact))
