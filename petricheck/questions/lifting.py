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
from functools import cache, partial
from itertools import accumulate, chain, compress, pairwise

from petricheck.arithmetic.formulas.formulas import TRUE, Formula, variables
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.colours.observed import of_totals
from petricheck.evidence.claims import (
    Claim,
    Excluded,
    ExcludedAfter,
    InfiniteRun,
    Pumped,
    Reached,
    Stage,
    Terminating,
    reached,
)
from petricheck.model.coloured.classes import Merging
from petricheck.model.coloured.lifting import Firing, lift
from petricheck.model.coloured.names import read_firing
from petricheck.model.coloured.net import ColouredNet, Transition
from petricheck.model.coloured.skeleton import Skeleton
from petricheck.model.coloured.sorts import Quotient, Sort
from petricheck.model.coloured.terms import All, Comparison, Constant, ElementOf, Term, Variable
from petricheck.model.coloured.unfolding import Unfolding
from petricheck.model.guarded.translation import DRAIN, Complementation
from petricheck.model.net import Net, cached_by_net
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, Refused

MOST_NAMED = 20_000
"""The most firings of a trace of classes that is lifted."""

_PART, _MOST = 1.25, 60.0
"""The part of the remaining time for lifting a trace (1 / `_PART`); the most seconds."""


@cached_by_net
def searched(net: Net) -> Net:
    """Return the net as engines take it: one that fires more than its origin, without that.

    Engines then search for its own traces, such as those of totals, not of bindings.
    """
    boundless = isinstance(net.origin, Complementation) and net.origin.boundless
    return replace(net, origin=None) if isinstance(net.origin, Skeleton) or boundless else net


def searched_target(net: Net, target: Formula) -> Formula:
    """Return the target as engines take it: of a skeleton what follows for totals."""
    return of_totals(net, target) if isinstance(net.origin, Skeleton) else target


def lifted(net: Net, claim: Claim, budget: Budget) -> Claim:
    """Lift a claim about the net as engines take it; Refused where it proves nothing of colours."""
    match net.origin, claim:
        case Complementation(boundless=()), _:
            return claim
        case Complementation() as origin, Reached():
            return _in_guarded(net, origin, claim, budget)
        case Complementation() | Skeleton(), Excluded() | Terminating():
            return claim
        case Skeleton(coloured), Reached():
            if _names_bindings(net, coloured, claim, budget):
                return claim
            bound = _bound(net, coloured, coloured.transitions.__getitem__, claim, budget)
            _require_observed(net, bound, budget)
            return bound
        case Skeleton(), _:
            raise Refused("without colours it is not proved what can follow")
        case Complementation(), Pumped() | InfiniteRun():
            try:
                prove(net, claim, budget=budget)
            except EvidenceError as error:
                raise Refused(f"a loop is none of the guarded net: {error}") from None
            return claim
        case Complementation(), _:
            raise Refused("without bounds it is not proved what can follow")
        case Unfolding(merging=Merging()) as origin, Reached():
            return _of_colours(net, origin, claim, budget)
        case Unfolding(merging=Merging()) as origin, ExcludedAfter(trace):
            ending = _of_colours(net, origin, reached(TRUE, trace), budget)
            return replace(claim, trace=ending.trace)
        case Unfolding(merging=Merging()), Pumped(sums, stages):
            return Pumped(sums, tuple(_stage_of_classes(net, stage) for stage in stages))
        case Unfolding(merging=Merging()), InfiniteRun(stage):
            return InfiniteRun(_stage_of_classes(net, stage))
    return claim


def _in_guarded(net: Net, origin: Complementation, claim: Reached, budget: Budget) -> Reached:
    """Return the claim without steps that no transition takes; Refused where it does not hold so.

    Where a place may have any number of tokens, the ordinary net fires more than the guarded one.
    """
    drains = {name for name, number, _ in origin.named if number == DRAIN}
    own = [name not in drains for name, _ in claim.trace.steps]
    steps = tuple(compress(claim.trace.steps, own))
    claim = Reached(Trace(steps), tuple((sum(own[:after]), f) for after, f in claim.stops))
    try:
        prove(net, claim, budget=budget)
    except EvidenceError as error:
        raise Refused(f"a trace does not fire in the guarded net: {error}") from None
    return claim


def _of_colours(net: Net, origin: Unfolding, claim: Reached, budget: Budget) -> Reached:
    """Return the claim about classes with bindings for its trace; itself where none are found."""
    assert origin.merging is not None
    if claim.trace.length <= MOST_NAMED:
        with suppress(Refused):
            transition = partial(_of_class, origin)
            return _bound(net, origin.merging.original, transition, claim, budget)
    return claim


def _require_observed(net: Net, claim: Reached, budget: Budget) -> None:
    """Raise Refused where the formulas say of transitions what does not follow from totals."""
    names = {name for _, formula in claim.stops for name in variables(formula)}
    if names - net.place_numbers.keys():
        try:
            prove(net, claim, budget=budget)
        except EvidenceError as error:
            raise Refused(f"a trace without colours proves too little: {error}") from None


def _names_bindings(net: Net, coloured: ColouredNet, claim: Reached, budget: Budget) -> bool:
    """Return whether the trace names bindings that fire.

    A transition without variables is called as its only binding, which may not fire where the
    transition of a skeleton does.
    """
    if all(read_firing(coloured, name) for name in {name for name, _ in claim.trace.steps}):
        with suppress(EvidenceError):
            return bool(prove(net, claim, budget=budget))
    return False


def _stage_of_classes(net: Net, stage: Stage) -> Stage:
    """Return the stage of classes: a loop along a trace of single colours is one of theirs."""
    return Stage(_of_classes(net, stage.stem), _of_classes(net, stage.loop))


def _of_classes(net: Net, trace: Trace) -> Trace:
    """Return the trace with the transitions that represent these firings."""
    numbers = ((net.transition_numbers[name], times) for name, times in trace.steps)
    return Trace(tuple((net.actions[number], times) for number, times in numbers))


def _of_class(origin: Unfolding, number: int) -> Transition:
    """Return the transition as it was before colours were merged, for bindings of one class."""
    assert origin.merging is not None
    position, classes = origin.binding(number)
    guards = []
    for variable in origin.coloured.transitions[position].variables:
        sort: Sort = variable.sort
        term: Term = variable
        if isinstance(sort, Quotient):
            term = ElementOf(sort, Variable(variable.name, sort.whole))
        guards.append(Comparison("=", term, Constant(sort, classes[variable.name])))
    transition = origin.merging.original.transitions[position]
    return replace(transition, guard=All((transition.guard, *guards)))


def _bound(
    net: Net,
    coloured: ColouredNet,
    transition: Callable[[int], Transition],
    claim: Reached,
    budget: Budget,
) -> Reached:
    """Return the claim about the net, made from a coloured one, with bindings for its trace.

    For the number of a transition of the net, `transition` returns that of the coloured one, with a
    guard for the bindings for which it stands. Refused where no bindings are found.
    """
    cuts = sorted({0, *(after for after, _ in claim.stops), len(claim.trace.steps)})
    guarded = cache(transition)
    steps = [(guarded(net.transition_numbers[name]), times) for name, times in claim.trace.steps]
    parts = [steps[a:b] for a, b in pairwise(cuts)]
    bound = None
    with budget.tolerate_overruns():
        bound = lift(coloured, parts, budget.part(_PART, _MOST))
    if bound is None:
        raise Refused("no bindings were found for a trace without colours")
    lifted = [[*_steps(part)] for part in bound]
    ends = dict(zip(cuts, accumulate(map(len, lifted), initial=0), strict=True))
    stops = tuple((ends[after], formula) for after, formula in claim.stops)
    return Reached(Trace(tuple(chain.from_iterable(lifted))), stops)


def _steps(part: Sequence[Firing]) -> Iterator[tuple[str, int]]:
    """Yield the firings as steps of a trace."""
    return ((transition.text(binding), times) for transition, binding, times in part)
