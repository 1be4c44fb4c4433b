"""Places that never hold more than initially, since what would add to them never fires.

Let a place grow if some transition that may fire has a positive effect on it, and a transition may
fire if each of its input places grows or holds enough initially; both least. A place that does not
grow never holds more than initially, as long as only these transitions fire; and those are the only
ones that ever do, for every other one needs more of such a place. The places that start empty and
do not grow are the greatest unmarked siphon, if weights are 1 (Murata 1989, section V.C).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set

from petricheck.arithmetic.formulas.formulas import Inequality, at_most
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.model.net import Net


def growth(net: Net) -> tuple[list[int], set[int]]:
    """Return the transitions that may not fire, and the places that grow."""
    waiting: dict[int, list[int]] = defaultdict(list)
    missing = [0] * len(net.transitions)
    for number, transition in enumerate(net.transitions):
        for place, weight in transition.pre:
            if net.initial[place] < weight:
                waiting[place].append(number)
                missing[number] += 1
    growing: set[int] = set()
    pending = [number for number, count in enumerate(missing) if not count]
    while pending:
        for place, change in net.transitions[pending.pop()].effect:
            if change > 0 and place not in growing:
                growing.add(place)
                for number in waiting[place]:
                    missing[number] -= 1
                    if not missing[number]:
                        pending.append(number)
    return [number for number, count in enumerate(missing) if count], growing


def supporting_places(net: Net, growing: Set[int], places: Iterable[int]) -> set[int]:
    """Return these places, which do not grow, and further ones that keep them from growing.

    Each transition that adds to one of them needs more of one of them than there is initially.
    """
    raising = defaultdict[int, list[list[int]]](list)
    for transition in net.transitions:
        lacking = [p for p, n in transition.pre if p not in growing and n > net.initial[p]]
        for place, change in transition.effect:
            if change > 0 and place not in growing:
                raising[place].append(lacking)
    selection, pending = set[int](), list(places)
    while pending:
        place = pending.pop()
        selection.add(place)
        for lacking in raising[place]:
            if selection.isdisjoint(lacking):
                selection.add(lacking[0])
                pending.append(lacking[0])
    return selection


def blocking_facts(net: Net, places: Iterable[int]) -> Iterator[Inequality]:
    """Yield that each place has at most its initial tokens; one fact for all empty places."""
    chosen = sorted(places)
    empty = [place for place in chosen if not net.initial[place]]
    if empty:
        yield at_most(linear((net.places[place], 1) for place in empty), 0)
    for place in chosen:
        if net.initial[place]:
            yield at_most(variable(net.places[place]), net.initial[place])
