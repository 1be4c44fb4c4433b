"""The transitions that a set of firings needs in addition, so that its first ones are enabled."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from petricheck.model.net import Net, Transition


class Producers:
    """The transitions that put tokens on each place."""

    def __init__(self, net: Net, transitions: Iterable[Transition]) -> None:
        """Index these transitions of the net."""
        self._net = net
        self._producers: dict[int, list[int]] = defaultdict(list)
        for transition in transitions:
            for place, change in transition.effect:
                if change > 0:
                    number = net.transition_numbers[transition.name]
                    self._producers[place].append(number)

    def missing(self, marking: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[int, ...]:
        """Return transitions outside of `counts` that mark places which these firings need.

        The places are those that stay empty in every order of the firings, with any repetitions.
        """
        marked = set(np.flatnonzero(marking).tolist())
        waiting: dict[int, list[int]] = defaultdict(list)
        pending = deque(np.flatnonzero(counts).tolist())
        while pending:
            number = pending.popleft()
            transition = self._net.transitions[number]
            empty = next((place for place, _ in transition.pre if place not in marked), None)
            if empty is not None:
                waiting[empty].append(number)
                continue
            for place, change in transition.effect:
                if change > 0 and place not in marked:
                    marked.add(place)
                    pending.extend(waiting.pop(place, ()))
        return self._feeding(waiting, counts)

    def lacking(self, marking: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[int, ...]:
        """Return transitions outside of `counts` that put tokens where these firings lack some."""
        inputs = (self._net.transitions[n].pre for n in np.flatnonzero(counts).tolist())
        places = {p for pre in inputs for p, weight in pre if marking[p] < weight}
        return self._feeding(sorted(places), counts)

    def _feeding(self, places: Iterable[int], counts: NDArray[np.int64]) -> tuple[int, ...]:
        numbers = (n for place in places for n in self._producers[place] if not counts[n])
        return tuple(dict.fromkeys(numbers))
