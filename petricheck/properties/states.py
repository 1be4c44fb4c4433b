"""Formulas about one marking, and how they are combined, for every reader of property files.

What other parts of the program do with a formula is recursive in its depth; hence `MAX_DEPTH`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

from petricheck.errors import QueryError
from petricheck.language.elements import Names
from petricheck.language.enabling import enabled, minimal
from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    conjunction,
    disjunction,
)
from petricheck.problem import Net, Weights
from petricheck.properties.values import State
from petricheck.queries.deadlock import Deadlock

MAX_DEPTH = 100
"""How deep connectives may nest; a connective directly within its like is no nesting."""


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
        return State(Deadlock().parse(self.net, ""), 2)

    def fireable(self, needs: Iterable[Weights]) -> State:
        """That a transition with one of these pre is enabled."""
        return State(disjunction(map(self._enabled, minimal(needs))), 2)

    @cached_property
    def _enabled(self) -> Callable[[Weights], Formula]:
        """That pre is there: each formula is made once, since properties repeat transitions."""
        return cache(partial(enabled, self.net))


def every(states: Sequence[State]) -> State:
    """All of them, one or more; QueryError where they nest too deep."""
    depth = 1 + max(state.depth - isinstance(state.formula, Conjunction) for state in states)
    return _bounded(conjunction(state.formula for state in states), depth)


def some(states: Sequence[State]) -> State:
    """One of them, of one or more; QueryError where they nest too deep."""
    depth = 1 + max(state.depth - isinstance(state.formula, Disjunction) for state in states)
    return _bounded(disjunction(state.formula for state in states), depth)


def opposite(state: State) -> State:
    """Not this; QueryError where it nests too deep."""
    match state.formula:
        case Negation(operand):
            return State(operand, state.depth - 1)
        case Conjunction(()):
            return State(FALSE, 0)
        case Disjunction(()):
            return State(TRUE, 0)
    return _bounded(Negation(state.formula), state.depth + 1)


def _bounded(formula: Formula, depth: int) -> State:
    if depth > MAX_DEPTH:
        raise QueryError(f"connectives nest deeper than {MAX_DEPTH} levels")
    return State(formula, depth)
