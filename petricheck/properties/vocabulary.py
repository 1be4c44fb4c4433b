"""What formulas of property files are made of: the names of a net, and path operators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

from petricheck.errors import QueryError
from petricheck.language.elements import Names
from petricheck.language.enabling import enabled, minimal, none_enabled
from petricheck.language.model import tokens, transitions_of
from petricheck.language.state_formulas import State, opposite
from petricheck.presburger.formulas import TRUE, disjunction
from petricheck.presburger.terms import Term, variable
from petricheck.problem import Net
from petricheck.properties.meaning import Invariant, Possible
from petricheck.words import quoted


@dataclass(frozen=True, slots=True)
class Transition:
    """A transition by its id."""

    id: str


@dataclass(frozen=True, slots=True)
class Finally:
    """At some time along a path."""

    state: State


@dataclass(frozen=True, slots=True)
class Globally:
    """At all times along a path."""

    state: State


PATHS: Mapping[str, tuple[type, Callable[[Any], Finally | Globally | Possible | Invariant]]] = {
    "F": (State, Finally),
    "G": (State, Globally),
    "E": (Finally, lambda path: Possible(path.state.formula)),
    "A": (Globally, lambda path: Invariant(opposite(path.state).formula)),
}
"""What stands behind each operator, and what the two mean."""


def negated(formula: Possible | Invariant | State) -> Possible | Invariant | State:
    """Not this; QueryError where it nests too deep."""
    match formula:
        case Possible(target):
            return Invariant(target)
        case Invariant(target):
            return Possible(target)
        case state:
            return opposite(state)


class Vocabulary:
    """What the names of one net mean."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self._names = Names(net)
        # Each formula is made once, since properties repeat transitions.
        self._enabled = lru_cache(maxsize=None)(partial(enabled, net))

        self._one_enabled = lru_cache(maxsize=None)(self._any_enabled)

    def place(self, name: str) -> str:
        """The id of the place called so; QueryError where it is not one."""
        return self._names.place(name)

    def tokens(self, place: str) -> Term:
        """Those of the place with this id, of all colours where it is a coloured one."""
        return tokens(self._net, place)

    def transition(self, name: str) -> Transition:
        """The transition of this id; QueryError where there is none."""
        known = name in self._net.transition_numbers or name in transitions_of(self._net)
        if not known and (self._net.origin is None or "(" not in name):
            raise QueryError(f"there is no transition with the id {quoted(name)}")
        self._names.transitions(name)  # Of a coloured one some bindings may be meant.
        return Transition(name)

    def fireable(self, transitions: Iterable[Transition]) -> State:
        """That one of these is enabled, under some binding where it is a coloured one."""
        return self._one_enabled(tuple(dict.fromkeys(t.id for t in transitions)))

    def _any_enabled(self, ids: tuple[str, ...]) -> State:
        needs = minimal(t.pre for name in ids for t in self._names.transitions(name))
        return State(disjunction(map(self._enabled, needs)), 2)

    @cached_property
    def deadlock(self) -> State:
        """That no transition is enabled."""
        return State(none_enabled(self._net), 2)


class AnyNames(Vocabulary):
    """Names of a net that is not at hand: all are taken for right, and mean nothing."""

    def __init__(self) -> None:
        self.deadlock = State(TRUE, 0)

    def place(self, name: str) -> str:
        """The name itself."""
        return name

    def tokens(self, place: str) -> Term:
        """Its own."""
        return variable(place)

    def transition(self, name: str) -> Transition:
        """One of this name."""
        return Transition(name)

    def fireable(self, _: Iterable[Transition]) -> State:
        """Some condition."""
        return State(TRUE, 0)
