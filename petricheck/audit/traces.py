"""Firing sequences, replayed with exact integers, and claims that they prove.

*Pumped*: stages are fired in a marking where filled places lack nothing. Let F be the places that
loops have filled so far, and m the marking of the others. For every N there is a reachable marking
that is m on the others and at least N everywhere in F: without loops that is the initial marking.
A stem takes only so much from F. A loop that can fire, and adds to no place outside of F less than
nothing, can fire N times more, taking N times as much from F, and then the places to which it
adds hold N tokens as well, while F is left at least N if it was full enough before.

So a sum whose weights are ≥ 0 on F, one of them positive, exceeds every number. Where there is one
loop, nothing is taken from F, and N repetitions add N times what the loop adds to the sum.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence, Set
from typing import TypeAlias

from petricheck.answer import Trace
from petricheck.audit.limits import checked, integral
from petricheck.budget import Budget, watched
from petricheck.claims import Pumped, Reached, Stage
from petricheck.errors import EvidenceError
from petricheck.presburger.formulas import Inequality, evaluate, variables
from petricheck.problem import Marking, Net, Transition, Weights
from petricheck.words import counted

_Arcs: TypeAlias = tuple[Weights, Weights, Weights]


def _transition(net: Net, name: str) -> Transition:
    """What fires: of a net that was unfolded, the coloured net does."""
    if name not in net.transition_numbers:
        raise EvidenceError(f"the net has no transition {name!r}")
    number = net.transition_numbers[name]
    if net.origin is None:
        return net.transitions[number]
    from petricheck.audit.unfolding import firing

    return firing(net, number)


def check_reached(net: Net, claim: Reached, budget: Budget) -> None:
    """That each formula holds where the trace passes."""
    positions = [position for position, _ in claim.stops]
    if not positions or not integral(*positions):
        raise EvidenceError("the trace has no stops")
    steps, tokens, fired = claim.trace.steps, _initial(net), _transition
    if net.origin is not None:
        # numpy takes its time
        from petricheck.audit.bindings import binding, initial_colours, names_bindings

        if steps and names_bindings(net, steps):
            tokens.update(initial_colours(net))
            fired = binding
    firing = replayed(net, steps, tokens, budget, fired=fired)
    after = 0
    for position, formula in watched(claim.stops, budget):
        while after < position:
            after = _next(firing)
        formula = checked("a stop of the trace", net, formula, budget)
        values = {name: tokens[net.place_numbers[name]] for name in variables(formula)}
        # A stop that comes too early in the list is passed already.
        if after != position or not evaluate(formula, values):
            raise EvidenceError(
                f"a formula does not hold after {counted(position, 'step')} of the trace"
            )
    deque(firing, maxlen=0)


def _next(firing: Iterator[int]) -> int:
    for fired in firing:
        return fired
    raise EvidenceError("the trace ends before one of its stops")


def marking_after(net: Net, trace: Trace, budget: Budget) -> Marking:
    """The marking that the trace leads to.

    Raises:
        EvidenceError: it cannot fire.
        BudgetExhausted: time or memory ran out.
    """
    tokens = _initial(net)
    deque(replayed(net, trace.steps, tokens, budget), maxlen=0)
    return tuple(tokens[place] for place in range(len(net.places)))


def check_pumped(net: Net, claim: Pumped, budget: Budget) -> None:
    """That loops fill places, and every sum with them."""
    tokens, filled = _initial(net), frozenset[int]()
    gain: dict[int, int] = {}
    for stage in watched(claim.stages, budget):
        gain = _gain(net, stage, tokens, filled, budget)
        filled |= gain.keys()
    if not claim.sums:
        raise EvidenceError("nothing is pumped")
    once = gain if len(claim.stages) == 1 else {}
    for term in watched(claim.sums, budget):
        atom = checked("a pumped sum", net, Inequality(term), budget)
        assert isinstance(atom, Inequality)
        weights = {net.place_numbers[name]: weight for name, weight in atom.term.coefficients}
        raised = sum(weight * once.get(place, 0) for place, weight in weights.items()) > 0
        pumped = [weight for place, weight in weights.items() if place in filled]
        if not raised and not (pumped and min(pumped) > 0):
            raise EvidenceError("a sum does not grow with the loops")


def _gain(
    net: Net, stage: Stage, tokens: Counter[int], filled: Set[int], budget: Budget
) -> dict[int, int]:
    """What the loop adds to places that are not filled yet; `tokens` are those after it.

    Raises:
        EvidenceError: the stage cannot fire, or the loop takes from such a place.
        BudgetExhausted: time or memory ran out.
    """
    deque(replayed(net, stage.stem.steps, tokens, budget, filled), maxlen=0)
    before = tokens.copy()
    deque(replayed(net, stage.loop.steps, tokens, budget, filled), maxlen=0)
    changes = {place: now - before[place] for place, now in tokens.items()}
    if min(changes.values(), default=0) < 0:
        raise EvidenceError("a loop takes tokens that no loop before it adds")
    return {place: change for place, change in changes.items() if change}


def replayed(
    net: Net,
    steps: Sequence[tuple[str, int]],
    tokens: Counter[int],
    budget: Budget,
    filled: Set[int] = frozenset(),
    fired: Callable[[Net, str], Transition] = _transition,
) -> Iterator[int]:
    """Fire the steps, (name, how often in a row), one after the other; none is trusted.

    `tokens`, by place number, are changed with each step, and then the number of the step is told.
    Places that are `filled` lack nothing: they disable no transition, and keep their number. What
    fires under a name, `fired` says: by default the transition of the net with this id.

    Raises:
        EvidenceError: a step cannot fire, or is none.
        BudgetExhausted: time or memory ran out.
    """
    arcs: dict[str, _Arcs] = {}
    for number, (name, times) in enumerate(watched(steps, budget), 1):
        if name not in arcs:
            try:
                arcs[name] = _arcs(fired(net, name), filled)
            except EvidenceError as error:
                raise EvidenceError(f"step {number} of the trace: {error}") from None
        if not integral(times) or times < 1:
            raise EvidenceError(f"step {number} of the trace: {name!r} has no positive count")
        pre, effect, needed = arcs[name]
        enabled = True
        for place, weight in pre:
            enabled = enabled and tokens[place] >= weight
        for place, change in effect:
            tokens[place] += times * change
        for place, least in needed:
            enabled = enabled and tokens[place] >= least
        if not enabled:
            raise EvidenceError(f"step {number} of the trace: {name!r} cannot fire that often")
        yield number


def _initial(net: Net) -> Counter[int]:
    """The initial tokens by place number."""
    return Counter(dict(enumerate(net.initial)))


def _arcs(transition: Transition, filled: Set[int]) -> _Arcs:
    """What it takes, what it changes, and the least that is there after it fired."""
    pre, effect, post = (
        tuple((place, weight) for place, weight in weights if place not in filled)
        for weights in (transition.pre, transition.effect, transition.post)
    )
    needed = dict.fromkeys((place for place, _ in pre), 0) | dict(post)
    return pre, effect, tuple(needed.items())
