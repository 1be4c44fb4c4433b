"""What the names in a property file mean for one net, and the path operators of its formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property, partial

from petricheck.errors import QueryError
from petricheck.language.elements import Names
from petricheck.language.enabling import enabled, minimal, none_enabled
from petricheck.language.state_formulas import State
from petricheck.presburger.formulas import Formula, disjunction
from petricheck.problem import Net, Transition, Weights
from petricheck.words import quoted


@dataclass(frozen=True, slots=True)
class Finally:
    """At some time along a path."""

    state: State


@dataclass(frozen=True, slots=True)
class Globally:
    """At all times along a path."""

    state: State


@dataclass(frozen=True)
class Vocabulary:
    """What the names of one net mean.

    Attributes:
        net: the net.
    """

    net: Net

    @cached_property
    def names(self) -> Names:
        """The names of places."""
        return Names(self.net)

    @cached_property
    def deadlock(self) -> State:
        """That no transition is enabled."""
        return State(none_enabled(self.net), 2)

    def transition(self, name: str) -> Transition:
        """The transition of this id; QueryError where there is none."""
        if name not in self.net.transition_numbers:
            raise QueryError(f"there is no transition with the id {quoted(name)}")
        return self.net.transitions[self.net.transition_numbers[name]]

    def fireable(self, transitions: Iterable[Transition]) -> State:
        """That one of these is enabled."""
        return State(disjunction(map(self._enabled, minimal(t.pre for t in transitions))), 2)

    @cached_property
    def _enabled(self) -> Callable[[Weights], Formula]:
        """That pre is there: each formula is made once, since properties repeat transitions."""
        return cache(partial(enabled, self.net))
