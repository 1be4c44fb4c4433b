"""Random walks of a coloured net: bindings are drawn from the tokens that are there.

Which transitions are enabled is known in each marking. After a firing only those are looked at that
take from places which changed: one that was enabled, whether its binding still is; one that was
not, whether a token that was put enables it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TypeAlias

from petricheck.explicit.coloured.plans import BindingSearch, Draws, Enabled
from petricheck.explicit.coloured.tokens import ColourTokens, DrawSet
from petricheck.model.coloured.names import read_fireable
from petricheck.model.coloured.net import ColouredNet, Transition
from petricheck.model.coloured.terms import All, Comparison, Constant
from petricheck.support.errors import BudgetExhausted

_ANOTHER = 1 / 2
"""How often another binding is drawn than the one that is known."""

Firing: TypeAlias = tuple[int, Enabled]
"""The number of a transition, and its binding."""

_Changes: TypeAlias = dict[tuple[int, int], int]
"""Tokens more, or less, by place and colour."""


class ColouredWalk:
    """A marking of a coloured net that changes, what is enabled in it, and how it was reached.

    Attributes:
        values: the tokens of each place, then of each that is observed 1 where it is enabled, or 0.
        trace: the firings since the initial marking.
        fired: how often each transition has fired, in all walks.
        draws: how colours are drawn.
    """

    def __init__(self, net: ColouredNet, observed: Sequence[str], random: Random) -> None:
        """Begin in the initial marking; also observe whether these are enabled, by name."""
        self.trace: list[Firing] = []
        self.fired = [0] * len(net.transitions)
        self.draws, self._random = Draws(random), random
        self._held = [ColourTokens(counts) for counts in net.initial]
        self.values = [sum(counts.values()) for counts in net.initial]
        self._searches = [*map(self._search, net.transitions)]
        self._observing: defaultdict[int, list[int]] = defaultdict(list)
        for name in observed:
            self._observing[self._observe(net, name)].append(len(self.values))
            self.values.append(0)
        self._takers: list[list[int]] = [[] for _ in net.places]
        for number, search in enumerate(self._searches):
            for place in search.inputs:
                self._takers[place].append(number)
        self._enabled: list[Enabled | None] = [None] * len(self._searches)
        self._open: set[int] = set()  # Too many colours were tried for a binding.
        self._count, self._drawn = len(net.transitions), DrawSet()
        for number in range(len(self._searches)):
            self._set(number, self._draw(number))
        self._initially = [*self._enabled]

    def _search(self, transition: Transition) -> BindingSearch:
        return BindingSearch(transition, self._held, self.values, self.draws)

    def _observe(self, net: ColouredNet, name: str) -> int:
        """Return the number of the search that is enabled where the transition is."""
        read = read_fireable(net, name)
        assert read is not None
        number, binding = read
        if not binding:
            return number
        transition = net.transitions[number]
        given = (
            Comparison("=", variable, Constant(variable.sort, binding[variable.name]))
            for variable in transition.variables
            if variable.name in binding
        )
        guarded = replace(transition, guard=All((*given, transition.guard)))
        self._searches.append(self._search(guarded))
        return len(self._searches) - 1

    @property
    def marking(self) -> Sequence[Mapping[int, int]]:
        """The tokens of each place by colour."""
        return [tokens.counts for tokens in self._held]

    @property
    def is_known(self) -> bool:
        """Return whether it is known of each transition whether it is enabled."""
        return not self._open

    @property
    def enabled(self) -> Sequence[int]:
        """The transitions that are enabled, in no order."""
        return self._drawn.members

    def fire(self, number: int) -> None:
        """Fire an enabled transition, under a binding that is known or under another one."""
        firing = self._enabled[number]
        if self._random.random() < _ANOTHER:
            firing = self._draw(number) or firing
        assert firing is not None
        self.trace.append((number, firing))
        self.fired[number] += 1
        changes: _Changes = {}
        _add(firing, changes)
        self._change(changes)

    def back(self) -> None:
        """Return to the initial marking."""
        changes: _Changes = {}
        for _, firing in self.trace:
            _add(firing, changes)
        self.trace.clear()
        for (place, colour), change in changes.items():
            if change:
                self._held[place].change(colour, -change)
                self.values[place] -= change
        for number, enabled in enumerate(self._initially):
            self._set(number, enabled or (self._draw(number) if number in self._open else None))

    def _change(self, changes: _Changes) -> None:
        """Change tokens by place and colour; look at what that enables."""
        more: defaultdict[int, list[int]] = defaultdict(list)
        less: dict[int, None] = {}
        for (place, colour), change in changes.items():
            if change:
                self._held[place].change(colour, change)
                self.values[place] += change
                if change > 0:
                    more[place].append(colour)
                else:
                    less[place] = None
        for place in less:
            for number in self._takers[place]:
                enabled = self._enabled[number]
                if enabled is not None and not self._is_there(enabled):
                    self._set(number, self._draw(number))
        for place, colours in more.items():
            for number in self._takers[place]:
                if self._enabled[number] is None:
                    self._set(number, self._draw_with(number, place, colours))

    def _is_there(self, enabled: Enabled) -> bool:
        held = self._held
        for place, colour, count in enabled.taken:
            if held[place].counts.get(colour, 0) < count:
                return False
        return True

    def _draw(self, number: int) -> Enabled | None:
        self._open.discard(number)
        try:
            return self._searches[number].draw()
        except BudgetExhausted:
            self._open.add(number)
            return None

    def _draw_with(self, number: int, place: int, colours: Sequence[int]) -> Enabled | None:
        search = self._searches[number]
        try:
            for colour in colours:
                if (enabled := search.draw_with(place, colour)) is not None:
                    return enabled
        except BudgetExhausted:
            self._open.add(number)
        return None

    def _set(self, number: int, enabled: Enabled | None) -> None:
        before, self._enabled[number] = self._enabled[number], enabled
        if enabled is not None:
            self._open.discard(number)
        if (before is None) != (enabled is None):
            for position in self._observing.get(number, ()):
                self.values[position] = int(before is None)
            if number < self._count:
                (self._drawn.add if before is None else self._drawn.remove)(number)


def _add(firing: Enabled, changes: _Changes) -> None:
    """Add what a firing changes."""
    for place, colour, count in firing.taken:
        changes[place, colour] = changes.get((place, colour), 0) - count
    for place, colour, count in firing.put():
        changes[place, colour] = changes.get((place, colour), 0) + count
