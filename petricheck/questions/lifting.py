"""Traces of nets without colours, or with merged ones, lifted to bindings of single colours.

A formula that is excluded in a skeleton is excluded in the coloured net. The traces of a skeleton
say how often transitions fire; the claim needs a trace of bindings with the same firings
(`coloured.lifting`). Where colours were merged, a trace of classes is a proof already. It is lifted
so that it names colours: some binding can fire wherever its class can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import accumulate, chain, pairwise

from petricheck.answer import Trace
from petricheck.budget import Budget
from petricheck.claims import Claim, Excluded, Pumped, Reached, Stage
from petricheck.coloured.classes import Merging
from petricheck.coloured.lifting import Firing, lift
from petricheck.coloured.names import read_firing
from petricheck.coloured.net import ColouredNet, Transition
from petricheck.coloured.skeleton import Skeleton
from petricheck.coloured.sorts import Partition
from petricheck.coloured.terms import All, Comparison, Constant, ElementOf, Variable
from petricheck.coloured.unfolding import Unfolding
from petricheck.errors import Refused
from petricheck.problem import Net, cached_by_net

MOST_NAMED = 20_000
"""The most firings of a trace of classes that is lifted."""

_PART, _MOST = 1.25, 60.0
"""The part of the remaining time for lifting a trace (1 / `_PART`); the most seconds."""


@cached_by_net
def searched(net: Net) -> Net:
    """Return the net as engines take it: that of a skeleton without its origin.

    Engines then search for traces of totals, not of bindings.
    """
    return replace(net, origin=None) if isinstance(net.origin, Skeleton) else net


def lifted(net: Net, claim: Claim, budget: Budget) -> Claim:
    """Lift a claim about the net as engines take it to single colours.

    Raises:
        Refused: it proves nothing about single colours.
        BudgetExhausted: time or memory of the budget ran out.
    """
    match net.origin, claim:
        case Skeleton(), Excluded():
            return claim
        case Skeleton(coloured), Reached():
            numbers = coloured.transition_numbers
            return _bound(coloured, claim, lambda t: coloured.transitions[numbers[t]], budget)
        case Unfolding(merging=Merging(original)) as origin, Reached(trace) if (
            trace.length <= MOST_NAMED
        ):
            with suppress(Refused):
                return _bound(original, claim, lambda name: _of_class(origin, name), budget)
        case Unfolding(merging=Merging()), Pumped(sums, stages):
            # A loop along a trace of single colours is one of their classes.
            loops = (Stage(_of_classes(net, s.stem), _of_classes(net, s.loop)) for s in stages)
            return Pumped(sums, tuple(loops))
        case Skeleton(), _:
            raise Refused("without colours it is not proved what can follow")
    return claim


def _of_classes(net: Net, trace: Trace) -> Trace:
    """Return the trace with the transitions that represent these firings."""
    numbers = ((net.transition_numbers[name], times) for name, times in trace.steps)
    return Trace(tuple((net.actions[number], times) for number, times in numbers))


def _of_class(origin: Unfolding, name: str) -> Transition:
    """Return the transition as it was before colours were merged, for bindings of one class."""
    read, merging = read_firing(origin.coloured, name), origin.merging
    assert merging is not None
    if read is None:
        raise Refused(f"{name} cannot be read")
    number, classes = read
    transition, guards = merging.original.transitions[number], []
    for variable in origin.coloured.transitions[number].variables:
        name, constant = variable.name, Constant(variable.sort, classes[variable.name])
        if merging.variables[number][name] is None:
            guards.append(Comparison("=", variable, constant))
        else:
            assert isinstance(variable.sort, Partition)
            colour = Variable(name, variable.sort.whole)
            guards.append(Comparison("=", ElementOf(variable.sort, colour), constant))
    return replace(transition, guard=All((transition.guard, *guards)))


def _bound(
    net: ColouredNet, claim: Reached, transition: Callable[[str], Transition], budget: Budget
) -> Reached:
    """Return the claim with bindings for its trace; itself where it has them.

    Raises:
        Refused: there are none, or the search ended without any.
        BudgetExhausted: time or memory of the budget ran out.
    """
    steps = claim.trace.steps
    if all(read_firing(net, name) for name in {name for name, _ in steps}):
        return claim
    cuts = sorted({0, *(after for after, _ in claim.stops), len(steps)})
    named = cache(transition)
    parts = [[(named(name), times) for name, times in steps[a:b]] for a, b in pairwise(cuts)]
    bound = None
    with budget.tolerate_overruns():
        bound = lift(net, parts, budget.part(_PART, _MOST))
    if bound is None:
        raise Refused("no bindings were found for a trace without colours")
    lifted = [[*_steps(net, part)] for part in bound]
    ends = dict(zip(cuts, accumulate(map(len, lifted), initial=0), strict=True))
    stops = tuple((ends[after], formula) for after, formula in claim.stops)
    return Reached(Trace(tuple(chain.from_iterable(lifted))), stops)


def _steps(net: ColouredNet, part: Sequence[Firing]) -> Iterator[tuple[str, int]]:
    """Yield the firings as steps of a trace.

    Raises:
        Refused: two bindings are written alike.
    """
    for transition, binding, times in part:
        name = transition.text(binding)
        if read_firing(net, name) != (net.transition_numbers[transition.name], binding):
            raise Refused(f"{name} is not the only binding that is written so")
        yield name, times
