"""Bounds of the places that guards watch or empty, so that a guarded net becomes an ordinary one.

A place has a bound of its own where each transition that fills it has an upper guard on it, or
resets it. Otherwise a sum that no transition increases, as if there were no guards, may bound it; a
linear program suggests one. What is proposed is confirmed exactly.
"""

from __future__ import annotations

from collections.abc import Mapping

from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram, integer_ray
from petricheck.evidence.audit.guards import is_bound
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.guarded.translation import SumBound, complemented
from petricheck.model.net import Net
from petricheck.support.budget import Budget


def ordinary(net: GuardedNet, budget: Budget) -> Net:
    """Return the ordinary net of a guarded one.

    Raises:
        InputError: a place may be reset in too many ways.
        BudgetExhausted: a limit was reached.
    """
    return complemented(net, tuple(dict.fromkeys(sum_bounds(net, budget).values())))


def sum_bounds(net: GuardedNet, budget: Budget) -> Mapping[int, SumBound]:
    """Return a sum with its bound for each watched place that one is known of."""
    bounds = {place: bound for place in net.watched if (bound := _own_bound(net, place))}
    boundless = [place for place in net.watched if place not in bounds]
    program = LinearProgram()
    for tokens in net.plain.initial if boundless else ():
        program.column(tokens)
    for transition in net.transitions if boundless else ():
        program.row(dict(transition.effect), upper=0.0)
    for place in boundless:
        budget.check()
        program.bound(place, 1.0, INFINITY)
        optimum = program.optimum(budget.remaining)
        program.bound(place, 0.0, INFINITY)
        weights = optimum and integer_ray(optimum.values.tolist())
        if weights and weights[place] > 0 and min(weights) >= 0:
            sum_of = tuple((p, n) for p, n in enumerate(weights) if n)
            bound = sum_of, sum(n * net.plain.initial[p] for p, n in sum_of)
            if is_bound(net, bound):
                bounds[place] = bound
    return bounds


def _own_bound(net: GuardedNet, place: int) -> SumBound | None:
    """Return the most tokens that guards on the place itself allow; None without a limit."""
    most = net.plain.initial[place]
    for transition, guard in zip(net.transitions, net.guards, strict=True):
        gain, upper = dict(transition.effect).get(place, 0), dict(guard.upper)
        if place in guard.resets:
            most = max(most, dict(transition.post).get(place, 0))
        elif gain > 0 and place in upper:
            most = max(most, upper[place] - 1 + gain)
    bound = (((place, 1),), most)
    return bound if is_bound(net, bound) else None
