"""Traces without the firings that they do not need.

From its last step to its first, each step of a trace fires as seldom as what follows allows: the
later firings have to fire, and the last marking has to be as good. So one pass looks at every step
once. It needs the least marking that fires what is kept of the rest (a hurdle), and the tokens in
the end. Cycles, from a marking to itself, are cut before; larger blocks are left out after. The
result is not always a shortest trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula, evaluate, variables
from petricheck.evidence.answer import Trace, joined
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import Claim, ExcludedAfter, Reached
from petricheck.model.net import Net
from petricheck.questions.homes import home_marking
from petricheck.support.budget import Budget

Steps: TypeAlias = Sequence[tuple[int, int]]
"""(transition number, how often in a row)."""

MOST = 20_000
"""Longer traces, in steps, are left as they are."""

WORK = 100_000
"""Places and atoms that are looked at, about; the first steps of a trace are then left as they are.
Takes about a tenth of a second."""

LONGEST = 16
"""Steps of the largest blocks that are left out together."""

SECONDS = 1.0
"""Where less time remains, nothing is shortened."""


def shortened(net: Net, claim: Claim, budget: Budget) -> Claim:
    """Return the claim with a trace that is as long at most, whose evidence proves it as well."""
    if budget.remaining < SECONDS:
        return claim
    match claim:
        case Reached(trace, ((position, formula),)):
            steps = shorter(net, Trace(trace.steps[:position]), formula)
            return replace(claim, trace=steps, stops=((len(steps.steps), formula),))
        case ExcludedAfter(trace, _, Certificate(invariant)):
            return replace(claim, trace=shorter(net, trace, invariant))
        case ExcludedAfter(trace):
            # The certificate may depend on the marking where it begins.
            last = home_marking(net, net.after(trace.steps))
            return replace(claim, trace=shorter(net, trace, last))
    return claim


def shorter(net: Net, trace: Trace, goal: Formula) -> Trace:
    """Return a trace into the goal: this one, which leads there, without what it does not need.

    A trace that cannot fire, or leads elsewhere, is returned as it is.
    """
    if len(trace.steps) > MOST or any(t not in net.transition_numbers for t, _ in trace.steps):
        return trace
    steps = [(net.transition_numbers[name], times) for name, times in trace.steps]
    candidate, work, size = [*_without_cycles(net, steps)], WORK, 0
    while (last := _last(net, candidate, goal)) is not None:
        size = 1 if candidate != steps else size + 1
        steps = candidate
        if work <= 0 or size > min(LONGEST, len(steps)):
            break
        search = _Backwards(net, goal, last, work)
        candidate = search.run(steps, size)
        work = search.work
    return joined(steps, net.actions)


def _last(net: Net, steps: Steps, goal: Formula) -> list[int] | None:
    """Return the marking that the steps lead to; None if they do not fire, or not into the goal."""
    marking = list(net.initial)
    for number, times in steps:
        transition = net.transitions[number]
        for place, weight in transition.pre:
            if marking[place] < weight:
                return None
        for place, change in transition.effect:
            marking[place] += times * change
        for place, weight in transition.post:
            if marking[place] < weight:
                return None
    places = net.place_numbers
    in_goal = evaluate(goal, {name: marking[places[name]] for name in variables(goal)})
    return marking if in_goal else None


def _without_cycles(net: Net, steps: Steps) -> Iterator[tuple[int, int]]:
    """Yield the steps without those between two occurrences of a marking, known by a sum."""
    random = Random(0)
    factors = [random.getrandbits(60) for _ in net.places]
    changes = [sum(factors[place] * n for place, n in t.effect) for t in net.transitions]
    keys = [0]
    for number, times in steps:
        keys.append(keys[-1] + times * changes[number])
    last = {key: position for position, key in enumerate(keys)}
    position = last[0]
    while position < len(steps):
        yield steps[position]
        position = last[keys[position + 1]]


class _Backwards:
    """A pass over a trace, from its last step to its first, and how much `work` is left of it."""

    def __init__(self, net: Net, goal: Formula, last: Sequence[int], work: int) -> None:
        """Begin after the last step, in this marking, which is in the goal."""
        self.work = work
        self._net, self._goal = net, goal
        self._marking = list(last)
        self._tokens = {name: last[net.place_numbers[name]] for name in variables(goal)}
        self._hurdle = dict[int, int]()

    def run(self, steps: Steps, size: int) -> list[tuple[int, int]]:
        """Return the steps without blocks of this size; single ones fire as seldom as possible."""
        end, kept = len(steps), list[tuple[int, int]]()
        while end >= size and self.work > 0:
            block = steps[end - size : end]
            for step in reversed(block):
                self._move(step, -1)
            if (tokens := self._without(block)) is not None:
                self._tokens = tokens
                end -= size
                continue
            for step in block[:-1]:
                self._move(step, 1)
            number, times = block[-1]
            kept.append((number, self._fewest(number, times) if size == 1 else times))
            self._keep(*kept[-1])
            end -= 1
        return [*steps[:end], *reversed(kept)]

    def _fewest(self, number: int, times: int) -> int:
        """Return how often a step has to fire, where not at all is too seldom."""
        low, high = 0, 1
        while high < times and (tokens := self._less(number, times, high)) is None:
            low, high = high, 2 * high
        if high < times and tokens is not None:
            self._tokens = tokens
        high = min(high, times)
        while high - low > 1:
            middle = (low + high) // 2
            if (tokens := self._less(number, high, middle)) is None:
                low = middle
            else:
                self._tokens, high = tokens, middle
        return high

    def _less(self, number: int, times: int, fewer: int) -> dict[str, int] | None:
        """Return the tokens in the end where a step fires fewer times; None as `_without` does."""
        return self._without([(number, times - fewer)], (number, fewer))

    def _without(self, omitted: Steps, fired: tuple[int, int] = (0, 0)) -> dict[str, int] | None:
        """Return the tokens in the end if these steps are omitted before what is kept.

        None if what is kept cannot fire then, once `fired` has, or does not lead into the goal.
        """
        transitions, tokens = self._net.transitions, self._tokens
        gained = {place: fired[1] * change for place, change in transitions[fired[0]].effect}
        self.work -= 1 + len(self._hurdle)
        if any(self._marking[p] + gained.get(p, 0) < least for p, least in self._hurdle.items()):
            return None
        changes = dict[str, int]()
        for number, times in omitted:
            for place, change in transitions[number].effect:
                if (name := self._net.places[place]) in tokens:
                    changes[name] = changes.get(name, 0) - times * change
        if not any(changes.values()):
            return tokens
        self.work -= len(tokens)
        end = tokens | {name: tokens[name] + change for name, change in changes.items()}
        return end if evaluate(self._goal, end) else None

    def _move(self, step: tuple[int, int], sign: int) -> None:
        """Fire a step, or take it back."""
        for place, change in self._net.transitions[step[0]].effect:
            self._marking[place] += sign * step[1] * change

    def _keep(self, number: int, times: int) -> None:
        """Add a step to what is kept."""
        transition = self._net.transitions[number]
        effect = dict(transition.effect)
        for place, change in transition.effect:
            self._hurdle[place] = max(0, self._hurdle.get(place, 0) - times * change)
        for place, weight in transition.pre:
            least = weight - (times - 1) * effect.get(place, 0)
            self._hurdle[place] = max(self._hurdle.get(place, 0), weight, least)
