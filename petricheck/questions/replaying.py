"""How far a firing sequence can fire, and which tokens are missing then.

Nothing here is trusted: the audit replays what is claimed.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import starmap
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula, at_most
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit.colours.bindings import binding, initial_colours, starts_of
from petricheck.formats.language.enabling import Upper, none_enabled
from petricheck.model.coloured.skeleton import Skeleton
from petricheck.model.coloured.unfolding import place_name
from petricheck.model.guarded.net import Guard
from petricheck.model.net import Net, Transition
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError, QueryError
from petricheck.support.words import quoted

_Rule: TypeAlias = Callable[[str], Transition]


@dataclass(frozen=True, slots=True)
class Shortage:
    """A place that has fewer tokens than a transition takes, or more than an upper guard allows.

    Attributes:
        place: its id; of a net without colours, with the colour of the tokens.
        has: its tokens.
        needs: those that the transition takes; None for an upper guard.
        most: those that an upper guard allows; None for none.
    """

    place: str
    has: int
    needs: int | None
    most: int | None = None


def require_firings(net: Net, trace: Trace) -> None:
    """Refuse a sequence with a firing that the net does not have, by a QueryError."""
    _, rule = _start(net)
    for number, (name, _) in enumerate(trace.steps, 1):
        try:
            rule(name)
        except KeyError:
            reason = "its guard does not hold, or no token that it takes can ever be there"
            raise QueryError(f"step {number}: {quoted(name)} can never fire: {reason}") from None
        except EvidenceError as error:
            raise QueryError(f"step {number}: {error}") from None


def longest_beginning(net: Net, trace: Trace, budget: Budget) -> Trace:
    """Return the longest beginning of the sequence that can fire; its last step may fire less."""
    tokens, rule = _start(net)
    steps = list[tuple[str, int]]()
    for name, times in watched(trace.steps, budget):
        transition, guard = rule(name), _left_out(net, name)
        enabled = all(tokens[place] >= weight for place, weight in transition.pre)
        most = transition.most(tokens) if enabled else 0
        fired = min([times, *([] if most is None else [most]), *_below(tokens, transition, guard)])
        if fired:
            _fire(tokens, transition, fired, guard)
            steps.append((name, fired))
        if fired < times:
            break
    return Trace(tuple(steps))


def shortages(net: Net, trace: Trace, name: str) -> tuple[Shortage, ...]:
    """Return the tokens that a firing lacks after a sequence that can fire."""
    tokens, rule = _start(net)
    for step, times in trace.steps:
        _fire(tokens, rule(step), times, _left_out(net, step))
    exceeded = (
        Shortage(net.places[place], tokens[place], None, weight - 1)
        for place, weight in _left_out(net, name).upper
        if tokens[place] >= weight
    )
    return (
        *(
            _shortage(net, place, tokens[number], weight)
            for number, weight in rule(name).pre
            if tokens[number] < weight and (place := _place(net, number))
        ),
        *exceeded,
    )


def _shortage(net: Net, place: str, has: int, needs: int) -> Shortage:
    """Return what is missing, of a complement place K − m(p) what is too much in p."""
    hidden = net.origin.hidden if net.origin else {}
    if place not in hidden:
        return Shortage(place, has, needs)
    ((watched_place, _),), limit = hidden[place].coefficients, hidden[place].constant
    return Shortage(watched_place, limit - has, None, limit - needs)


def disabled(net: Net, name: str) -> Formula:
    """Return the formula that a firing is not enabled."""
    if isinstance(net.origin, Skeleton):
        return at_most(variable(f"fireable({name})"), 0)
    upper = starmap(Upper, _left_out(net, name).upper)
    return none_enabled(net, (((net.transitions[net.transition_numbers[name]].pre,), *upper),))


def _start(net: Net) -> tuple[Counter[int], _Rule]:
    """Return the initial tokens, also of colours that the net does not tell apart; the arcs."""
    tokens = Counter(dict(enumerate(net.initial)))
    if not isinstance(net.origin, Skeleton):
        return tokens, lambda name: net.transitions[net.transition_numbers[name]]
    tokens.update(initial_colours(net))
    return tokens, lambda name: binding(net, name)


def _left_out(net: Net, name: str) -> Guard:
    """Return the upper guards and resets of a firing that the net leaves out."""
    guards = net.left_out
    return guards.get(net.transition_numbers[name], Guard()) if guards else Guard()


def _below(tokens: Counter[int], transition: Transition, guard: Guard) -> Iterator[int]:
    """Yield how often the transition can fire in a row, by each upper guard and reset of these."""
    effect, pre, post = dict(transition.effect), dict(transition.pre), dict(transition.post)
    yield from (1 for place in guard.resets if post.get(place, 0) < pre.get(place, 0))
    for place, weight in guard.upper:
        before, change = tokens[place], effect.get(place, 0)
        if before >= weight:
            yield 0
        elif place in guard.resets:
            if post.get(place, 0) >= weight:
                yield 1
        elif change > 0:
            yield (weight - 1 - before) // change + 1


def _fire(tokens: Counter[int], transition: Transition, times: int, guard: Guard) -> None:
    for place, change in transition.effect:
        tokens[place] += times * change
    put = dict(transition.post)
    for place in guard.resets:
        tokens[place] = put.get(place, 0)


def _place(net: Net, number: int) -> str:
    """Return the place with this number, or with this colour; empty for one that adds colours."""
    if not isinstance(net.origin, Skeleton):
        return net.places[number]
    starts = starts_of(net)
    place = bisect(starts, number) - 1
    return "" if place < 0 else place_name(net.origin.coloured, place, number - starts[place])
