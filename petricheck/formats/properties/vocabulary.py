"""What formulas of property files are made of: the names of a net, and path operators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from petricheck.arithmetic.formulas.formulas import TRUE, Formula
from petricheck.arithmetic.formulas.terms import variable
from petricheck.formats.language.elements import Names
from petricheck.formats.language.enabling import DEPTH, one_enabled
from petricheck.formats.language.model import NamedPlace, deadlocked
from petricheck.formats.language.propositions import Propositions
from petricheck.formats.language.state_formulas import StateFormula, opposite
from petricheck.formats.properties.meaning import (
    AlwaysPossible,
    InvariantProperty,
    LiveProperty,
    Meaning,
    Possible,
)
from petricheck.model.net import Net
from petricheck.support.errors import QueryError
from petricheck.support.words import quoted


@dataclass(frozen=True, slots=True)
class TransitionName:
    """A transition by its id."""

    id: str


@dataclass(frozen=True, slots=True)
class Finally:
    """At some time along a path."""

    state: StateFormula


@dataclass(frozen=True, slots=True)
class Globally:
    """At all times along a path; of EF φ, which is no state formula, AG makes a property."""

    state: StateFormula | Possible


Quantified: TypeAlias = Possible | InvariantProperty | AlwaysPossible


def _always(path: Globally) -> InvariantProperty | AlwaysPossible:
    match path.state:
        case Possible(target):
            return AlwaysPossible(target)
        case state:
            return InvariantProperty(opposite(state).formula)


PATHS: Mapping[str, tuple[tuple[type, ...], Callable[[Any], Finally | Globally | Quantified]]] = {
    "F": ((StateFormula,), Finally),
    "G": ((StateFormula, Possible), Globally),
    "E": ((Finally,), lambda path: Possible(path.state.formula)),
    "A": ((Globally,), _always),
}
"""What may stand behind each operator, and what the two mean."""


def negated(
    formula: Possible | InvariantProperty | StateFormula,
) -> Possible | InvariantProperty | StateFormula:
    """Return the negation; QueryError where it nests too deep."""
    match formula:
        case Possible(target):
            return InvariantProperty(target)
        case InvariantProperty(target):
            return Possible(target)
        case state:
            return opposite(state)


class Vocabulary:
    """The meaning of the names of one net."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self._names = Names(net, ids_first=True)
        # Each is made once, since properties repeat transitions.
        self._needs = lru_cache(maxsize=None)(self._names.needs)
        self._fireable = lru_cache(maxsize=None)(self._one_fireable)
        self._propositions = Propositions()
        self._alone: dict[Formula, str] = {}

    def place(self, name: str) -> NamedPlace:
        """Return the place called so; QueryError where it is not one."""
        return self._names.place(name)

    def transition(self, name: str) -> TransitionName:
        """Return the transition of this id; QueryError where there is none."""
        origin = self._net.origin
        names = self._net.transition_numbers if origin is None else origin.transitions
        if not (name in names or (origin and name.endswith(")"))):
            raise QueryError(f"there is no transition with the id {quoted(name)}")
        self._needs(name)
        return TransitionName(name)

    def fireable(self, transitions: Iterable[TransitionName]) -> StateFormula:
        """Return the proposition that one of these is enabled, under some binding."""
        return self._fireable(tuple(dict.fromkeys(t.id for t in transitions)))

    def _one_fireable(self, ids: tuple[str, ...]) -> StateFormula:
        return self._of_one(self._proposition(one_enabled(self._net, map(self._needs, ids))), *ids)

    def _of_one(self, state: StateFormula, *ids: str) -> StateFormula:
        """Return the proposition; remember it where it is about one transition."""
        if len(ids) == 1:
            self._alone[state.formula] = ids[0]
        return state

    def _live(self, meaning: Meaning) -> Meaning:
        match meaning:
            case AlwaysPossible(target) if target in self._alone:
                return LiveProperty(self._alone[target])
        return meaning

    @cached_property
    def deadlock(self) -> StateFormula:
        """The proposition that no transition is enabled."""
        return self._proposition(deadlocked(self._net))

    def _proposition(self, formula: Formula) -> StateFormula:
        return StateFormula(self._propositions.naming(formula), DEPTH)

    def spelled_out(self, meaning: Meaning) -> Meaning:
        """Return the meaning without propositions."""
        match self._live(meaning):
            case (
                Possible(target) | InvariantProperty(target) | AlwaysPossible(target)
            ) as quantified:
                return type(quantified)(self._propositions.spelled_out(target))
            case other:
                return other


class AnyNames(Vocabulary):
    """A vocabulary without a net: all names are accepted, and mean nothing."""

    def __init__(self) -> None:
        self.deadlock = StateFormula(TRUE, 0)
        self._propositions, self._alone = Propositions(), {}

    def place(self, name: str) -> NamedPlace:
        """Return a place of this name."""
        return NamedPlace(name, variable(name))

    def transition(self, name: str) -> TransitionName:
        """Return a transition of this name."""
        return TransitionName(name)

    def fireable(self, transitions: Iterable[TransitionName]) -> StateFormula:
        """Return some condition."""
        state = StateFormula(self._propositions.naming(TRUE), 0)
        return self._of_one(state, *{transition.id for transition in transitions})

    def spelled_out(self, meaning: Meaning) -> Meaning:
        """Return the meaning; what its formula says is nothing."""
        return self._live(meaning)
