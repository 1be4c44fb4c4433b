"""Replay of firing sequences with exact integers, and the claims that they prove.

A sequence that cannot fire, and a claim that it does not prove, raise `EvidenceError`.

`Pumped`: the stages fire one after the other. Let F be the places that earlier loops have filled,
and m the marking of the other places. Invariant: for every N some reachable marking is m outside of
F and has at least N tokens in each place of F. At first F is empty and m the initial marking. A
stem takes a fixed number of tokens from F, so the invariant remains true. A loop that can fire, and
takes nothing outside of F all in all, can be repeated N times: then the places to which it adds
have at least N tokens. It takes N times as much from F as one repetition; the invariant provides
these tokens beforehand, and N more. So these places join F.

A sum exceeds every number if its weights on F are ≥ 0 and one of them is positive. If there is one
loop only, it takes nothing, and N repetitions add N times its effect; so a sum that its effect
increases exceeds every number, too.

`InfiniteRun`: a loop that can fire after its stem, and takes no token from any place all in all,
leads to at least the tokens that it began with. So it can fire again, for ever.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain, islice, repeat
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula, Inequality, evaluate, variables
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit.limits import checked, integral
from petricheck.evidence.claims import InfiniteRun, Pumped, Reached, Stage
from petricheck.model.net import Marking, Net, Transition, Weights
from petricheck.model.origin import Origin
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError
from petricheck.support.words import counted

_Arcs: TypeAlias = tuple[Weights, Weights, Weights]


def _transition(net: Net, name: str) -> Transition:
    """Return the transition that fires; for an unfolded net, as the coloured net defines it.

    Where colours are merged, that of its class represents a binding.
    """
    try:
        number = net.transition_numbers[name]
    except KeyError:
        raise EvidenceError(f"the net has no transition {name!r}") from None
    if not net.is_unfolded:
        return net.transitions[number]
    from petricheck.evidence.audit.colours.unfolding import firing  # numpy is slow to import.

    return firing(net, number)


def check_reached(net: Net, claim: Reached, budget: Budget) -> None:
    """Check that the trace fires, and that each formula holds at its position."""
    positions = [position for position, _ in claim.stops]
    if not positions or not integral(*positions):
        raise EvidenceError("the trace has no stops")
    stops = [
        (position, checked("a stop of the trace", net, formula, budget, observing=True))
        for position, formula in watched(claim.stops, budget)
    ]
    names = frozenset(name for _, formula in stops for name in variables(formula))
    observed = names - net.place_numbers.keys() - net.parameters.keys()
    (firing, tokens), after = _fire(net, claim.trace, budget, observing=bool(observed)), 0
    for position, formula in stops:
        while after < position:
            after = _next(firing)
        values = _values(net, formula, tokens, budget)
        if net.initials is not None:  # What is added fires first: more tokens disable nothing.
            from petricheck.evidence.audit.initial import beginning

            start = beginning(net, claim.trace.steps[:position])
            values |= {name: start[name] for name in net.parameters}
        # Stops must ascend; the replay has already passed one that does not.
        if after != position or not evaluate(formula, values):
            raise EvidenceError(
                f"a formula does not hold after {counted(position, 'step')} of the trace"
            )
    deque(firing, maxlen=0)


def _values(net: Net, formula: Formula, tokens: Counter[int], budget: Budget) -> dict[str, int]:
    """Return the values of the names in the formula where these are the tokens."""
    names, places = variables(formula), net.place_numbers
    values = {name: tokens[places[name]] for name in names if name in places}
    if observed := [name for name in names if name not in places and name not in net.parameters]:
        from petricheck.evidence.audit.colours import observed as colours  # Few nets are coloured.

        values |= colours.values(net, observed, tokens, budget)
    return values


def _fire(
    net: Net, trace: Trace, budget: Budget, *, observing: bool = False
) -> tuple[Iterator[int], Counter[int]]:
    """Return what `replay` does for a trace from the initial marking, and the tokens it changes.

    Where the net counts tokens of several colours together, the trace may name bindings of the
    coloured net; then, and if `observing`, single colours are moved along.
    """
    steps, tokens = trace.steps, _initial(net)
    if net.origin is not None and not net.is_unfolded:
        return _fire_guarded(net, net.origin, trace, tokens, budget), tokens
    if (steps or observing) and net.origin is not None:
        # numpy is slow to import.
        from petricheck.evidence.audit.colours.bindings import (
            binding,
            initial_colours,
            names_bindings,
        )

        if names_bindings(net, steps):
            tokens.update(initial_colours(net))
            return replay(net, steps, tokens, budget, transition_of=binding), tokens
    return replay(net, steps, tokens, budget), tokens


def _fire_guarded(
    net: Net, origin: Origin, trace: Trace, tokens: Counter[int], budget: Budget
) -> Iterator[int]:
    """Replay the steps in the guarded net itself; as `replay` does, where the net fires alike."""
    from petricheck.evidence.audit.guards import firing_by_guards  # Few nets are guarded.

    markings = firing_by_guards(net, trace.steps)
    ordinary = repeat(0) if origin.boundless else replay(net, trace.steps, tokens, budget)
    for number, (marking, _) in enumerate(
        zip(watched(markings, budget), ordinary, strict=False), 1
    ):
        if origin.boundless:
            tokens.update({place: n - tokens[place] for place, n in enumerate(marking)})
        elif any(tokens[place] != n for place, n in enumerate(marking)):
            raise EvidenceError("the guarded net reaches another marking by the trace")
        yield number


def _next(firing: Iterator[int]) -> int:
    for fired in firing:
        return fired
    raise EvidenceError("the trace ends before one of its stops")


def marking_after(net: Net, trace: Trace, budget: Budget) -> Marking:
    """Return the last marking of the trace."""
    firing, tokens = _fire(net, trace, budget)
    deque(firing, maxlen=0)
    return tuple(tokens[place] for place in range(len(net.places)))


def check_infinite_run(net: Net, claim: InfiniteRun, budget: Budget) -> None:
    """Check that stem and loop fire, and that the loop takes nothing all in all."""
    if not claim.stage.loop.steps:
        raise EvidenceError("the loop of an infinite run fires nothing")
    if net.initials is not None:  # What is added fires first: more tokens disable nothing.
        from petricheck.evidence.audit.initial import beginning

        beginning(net, claim.stage.stem.steps)
        if any(name in net.added for name, _ in claim.stage.loop.steps):
            raise EvidenceError("the loop of an infinite run changes the initial marking")
    tokens, (stage,) = _started(net, (claim.stage,))
    _gain(net, stage, tokens, frozenset(), budget)


def check_pumped(net: Net, claim: Pumped, budget: Budget) -> None:
    """Check that the loops increase every sum beyond all numbers."""
    if net.initials is not None:
        from petricheck.evidence.audit.initial import require_linear

        require_linear(net, budget)
    tokens, stages = _started(net, claim.stages)
    filled, gain = frozenset[int](), dict[int, int]()
    for stage in watched(stages, budget):
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


def _started(net: Net, stages: Sequence[Stage]) -> tuple[Counter[int], Sequence[Stage]]:
    """Return the initial tokens and the stages; of a guarded net, those after the stem and a loop.

    Where bounds of places are unknown, a loop of the guarded net that keeps the places of the
    guards that are left out, and resets none of these, fires from its end with the same tokens
    there, and elsewhere no fewer: so it fires any number of times. EvidenceError where there are
    several, or it does not keep them, or it is none of the guarded net.
    """
    if net.origin is None or not net.origin.boundless:
        return _initial(net), stages
    from petricheck.evidence.audit.guards import firing_by_guards  # Few nets are guarded.

    if len(stages) != 1:
        raise EvidenceError("without bounds of places, loops are repeated one by one")
    stem, loop = stages[0].stem.steps, stages[0].loop.steps
    markings = chain((net.initial,), firing_by_guards(net, (*stem, *loop)))
    start = next(islice(markings, len(stem), None))
    (end,) = deque(markings, maxlen=1) or (start,)
    numbers = {net.transition_numbers[name] for name, _ in loop}
    kept = [net.left_out[number] for number in numbers & net.left_out.keys()]
    if any(g.resets or any(start[p] != end[p] for p, _ in g.upper) for g in kept):
        raise EvidenceError("a loop changes places of its upper guards, or resets some")
    return Counter(dict(enumerate(start))), (replace(stages[0], stem=Trace(())),)


def _gain(
    net: Net, stage: Stage, tokens: Counter[int], filled: Set[int], budget: Budget
) -> dict[int, int]:
    """Return the gain of the loop on places that are not filled; `tokens` become those after it."""
    deque(replay(net, stage.stem.steps, tokens, budget, filled), maxlen=0)
    before = tokens.copy()
    deque(replay(net, stage.loop.steps, tokens, budget, filled), maxlen=0)
    changes = {place: now - before[place] for place, now in tokens.items()}
    if min(changes.values(), default=0) < 0:
        raise EvidenceError("a loop takes tokens that no loop before it adds")
    return {place: change for place, change in changes.items() if change}


def replay(
    net: Net,
    steps: Sequence[tuple[str, int]],
    tokens: Counter[int],
    budget: Budget,
    filled: Set[int] = frozenset(),
    transition_of: Callable[[Net, str], Transition] = _transition,
) -> Iterator[int]:
    """Fire the steps (name, times in a row), none of which is trusted; yield the number of each.

    Each step changes the tokens, by place number, before its number is yielded. Places that are
    `filled` disable no transition, and their tokens are not changed. Names are those of transitions
    of the net, unless `transition_of` knows others.
    """
    arcs: dict[str, _Arcs] = {}
    for number, (name, times) in enumerate(watched(steps, budget), 1):
        if name not in arcs:
            try:
                arcs[name] = _arcs(transition_of(net, name), filled)
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
    return Counter(dict(enumerate(net.initial)))


def _arcs(transition: Transition, filled: Set[int]) -> _Arcs:
    """Return pre, effect, and the least tokens after a firing, on places that are not filled."""
    pre, effect, post = (
        tuple((place, weight) for place, weight in weights if place not in filled)
        for weights in (transition.pre, transition.effect, transition.post)
    )
    needed = dict.fromkeys((place for place, _ in pre), 0) | dict(post)
    return pre, effect, tuple(needed.items())
