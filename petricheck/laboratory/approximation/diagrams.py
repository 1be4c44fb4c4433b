"""Sets of abstract states, and relations between them, as decision diagrams.

The variables of predicate j before and after a step are b‹j› and a‹j›, next to each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from petricheck.budget import Budget
from petricheck.laboratory.approximation.predicates import (
    Clause,
    Cube,
    Literal,
    after,
    before,
    is_after,
    predicate_of,
)

Diagram: TypeAlias = Any
"""A function of the variables; `&`, `|` and `~` combine diagrams of one `Diagrams`."""


class Diagrams:
    """Diagrams over the predicates that are declared so far.

    Methods that may take long raise `BudgetExhausted` where a limit is reached.

    Args:
        budget: limits.
    """

    def __init__(self, budget: Budget) -> None:
        from dd.autoref import BDD  # takes a tenth of a second, and few need it

        self._budget = budget
        self._bdd = BDD()
        self._bdd.configure(reordering=False)
        self._size = 0
        self.true, self.false = self._bdd.true, self._bdd.false

    def declare(self, predicates: int) -> None:
        """Let there be that many predicates."""
        for j in range(self._size, predicates):
            self._bdd.declare(f"b{j}", f"a{j}")
        self._size = max(self._size, predicates)

    def union(self, diagrams: Iterable[Diagram]) -> Diagram:
        """Some of the diagrams."""
        union = self.false
        for diagram in diagrams:
            union |= diagram
        return union

    def clause(self, literals: Clause) -> Diagram:
        """Some of the literals hold."""
        return ~self.cube([-literal for literal in literals])

    def cube(self, literals: Iterable[Literal]) -> Diagram:
        """All of the literals hold."""
        return self._bdd.cube({_name(literal): literal > 0 for literal in literals})

    def image(self, states: Diagram, relation: Diagram) -> Diagram:
        """The states that the relation leads to, over the variables before a step."""
        self._budget.check()
        numbers = range(self._size)
        image = self._bdd.exist([f"b{j}" for j in numbers], states & relation)
        return self._bdd.let({f"a{j}": f"b{j}" for j in numbers}, image)

    def preimage(self, relation: Diagram, state: Sequence[bool]) -> Diagram:
        """The states that the relation leads from into this one."""
        return self._bdd.let({f"a{j}": holds for j, holds in enumerate(state)}, relation)

    def state(self, states: Diagram) -> tuple[bool, ...]:
        """One of the states, of which there has to be one."""
        names = {f"b{j}" for j in range(self._size)}
        picked: dict[str, bool] = self._bdd.pick(states, care_vars=names)  # type: ignore[assignment]
        return tuple(bool(picked[f"b{j}"]) for j in range(self._size))

    def singleton(self, state: Sequence[bool]) -> Diagram:
        """The set of this state."""
        return self.cube(before(j, holds) for j, holds in enumerate(state))

    def cover(self, states: Diagram) -> tuple[Cube, ...]:
        """Cubes whose union are the states, none of them to spare (Minato 1992)."""
        return self._between(states, states, {})[1]

    def clauses(self, relation: Diagram) -> tuple[Clause, ...]:
        """Clauses whose conjunction is the relation."""
        return tuple(tuple(-literal for literal in cube) for cube in self.cover(~relation))

    def _between(
        self, lower: Diagram, upper: Diagram, cache: dict[Any, tuple[Diagram, tuple[Cube, ...]]]
    ) -> tuple[Diagram, tuple[Cube, ...]]:
        """Cubes whose union contains the one diagram and is within the other; and the union."""
        if lower == self.false:
            return self.false, ()
        if upper == self.true:
            return self.true, ((),)
        if (lower, upper) not in cache:
            cache[lower, upper] = self._split(lower, upper, cache)
        return cache[lower, upper]

    def _split(
        self, lower: Diagram, upper: Diagram, cache: dict[Any, tuple[Diagram, tuple[Cube, ...]]]
    ) -> tuple[Diagram, tuple[Cube, ...]]:
        """By the first variable: cubes in which it is false, true, or does not occur."""
        self._budget.check()
        level = min(diagram.level for diagram in (lower, upper))
        name = self._bdd.var_at_level(level)
        low, high = (self._bdd.let({name: value}, lower) for value in (False, True))
        under, over = (self._bdd.let({name: value}, upper) for value in (False, True))
        without, negative = self._between(low & ~over, under, cache)
        within, positive = self._between(high & ~under, over, cache)
        remaining = (low & ~without) | (high & ~within)
        both, neutral = self._between(remaining, under & over, cache)
        literal = (before if name.startswith("b") else after)(int(name[1:]), True)
        cubes = (
            *((-literal, *cube) for cube in negative),
            *((literal, *cube) for cube in positive),
            *neutral,
        )
        variable = self._bdd.var(name)
        return both | (variable & within) | (~variable & without), cubes


def _name(literal: Literal) -> str:
    return f"{'a' if is_after(literal) else 'b'}{predicate_of(literal)}"
