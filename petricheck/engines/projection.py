"""Finite proofs on few places.

A net without some of its places can do everything that the whole net does, on the remaining
places. So a finite set of projected markings, closed under firing in the projected net and without
the target, is an inductive invariant of the whole net. The places are found by refinement: start
with those of the target. Where the projected net reaches the target, or more markings than can be
listed, replay its trace in the whole net, and add the places that disable a transition.
"""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import variables
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.explicit.search.exploration import Exploration
from petricheck.explicit.search.listing import listing
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.words import counted


def projected(problem: Problem, most: int, work: int, budget: Budget) -> Certificate | None:
    """Return a listing over some of the places; None if there is none within the limits.

    Args:
        problem: the question.
        most: how many markings may be listed.
        work: how many may be explored, over all attempts together.
        budget: limits.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    net = problem.net
    places = {net.place_numbers[name] for name in variables(problem.target)}
    while work > 0:
        budget.check()
        part = Problem(net.without(set(range(len(net.places))) - places), problem.target)
        exploration = Exploration(part, budget)
        exploration.run(most)
        markings = exploration.visited.markings
        work -= len(markings)
        if exploration.goal is None and exploration.exhausted and len(markings) <= most:
            return listing(part, markings)
        number = len(markings) - 1 if exploration.goal is None else exploration.goal
        missing = blocking(net, exploration.trace(number))
        if not missing:
            return None
        places |= missing
        budget.report(f"a proof on {len(places)} of {counted(len(net.places), 'place')} is tried")
    return None


def blocking(net: Net, trace: Trace) -> set[int]:
    """Return the places that lack tokens where the trace first fails to fire; empty if it fires."""
    marking = net.initial
    for name, times in trace.steps:
        transition = net.transitions[net.transition_numbers[name]]
        for _ in range(times):
            lacking = {place for place, weight in transition.pre if marking[place] < weight}
            if lacking:
                return lacking
            marking = transition.fire(marking)
    return set()
