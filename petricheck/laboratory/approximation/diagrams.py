"""Sets of abstract states, and relations between them, as decision diagrams.

The variables of predicate j before and after a step are b‹j› and a‹j›, next to each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from petricheck.laboratory.approximation.predicates import (
    Clause,
    Cube,
    Literal,
    after,
    before,
    is_after,
    predicate_of,
)
from petricheck.support.budget import Budget
from petricheck.support.extras import optional

Diagram: TypeAlias = Any
"""A function of the variables; `&`, `|` and `~` combine diagrams of one `Diagrams`."""


class Diagrams:
    """Diagrams over the predicates that are declared so far.

    Methods that may take long raise `BudgetExhausted` where a limit is reached.

    Args:
        budget: limits.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._bdd = optional("dd.autoref", "dd", "laboratory").BDD()
        self._bdd.configure(reordering=False)
        self._size = 0
        self.true, self.false = self._bdd.true, self._bdd.false

    def declare(self, predicates: int) -> None:
        """Declare predicates until there are that many."""
        for j in range(self._size, predicates):
            self._bdd.declare(f"b{j}", f"a{j}")
        self._size = max(self._size, predicates)

    def union(self, diagrams: Iterable[Diagram]) -> Diagram:
        """Return the union of the diagrams."""
        union = self.false
        for diagram in diagrams:
            union |= diagram
        return union

    def clause(self, literals: Clause) -> Diagram:
        """Return the diagram in which some of the literals hold."""
        return ~self.cube([-literal for literal in literals])

    def cube(self, literals: Iterable[Literal]) -> Diagram:
        """Return the diagram in which all of the literals hold."""
        return self._bdd.cube({_name(literal): literal > 0 for literal in literals})

    def image(self, states: Diagram, relation: Diagram) -> Diagram:
        """Return the states after a step of the relation, over the variables before a step."""
        self._budget.check()
        numbers = range(self._size)
        image = self._bdd.exist([f"b{j}" for j in numbers], states & relation)
        return self._bdd.let({f"a{j}": f"b{j}" for j in numbers}, image)

    def preimage(self, relation: Diagram, state: Sequence[bool]) -> Diagram:
        """Return the states from which the relation leads into this one."""
        return self._bdd.let({f"a{j}": holds for j, holds in enumerate(state)}, relation)

    def state(self, states: Diagram) -> tuple[bool, ...]:
        """Return one of the states; there has to be one."""
        names = {f"b{j}" for j in range(self._size)}
        values: dict[str, bool] = self._bdd.pick(states, care_vars=names)
        return tuple(bool(values[f"b{j}"]) for j in range(self._size))

    def singleton(self, state: Sequence[bool]) -> Diagram:
        """Return the set of this state."""
        return self.cube(before(j, holds) for j, holds in enumerate(state))

    def cover(self, states: Diagram) -> tuple[Cube, ...]:
        """Return cubes whose union is the states, none of them redundant (Minato 1992)."""
        return self._between(states, states, {})[1]

    def clauses(self, relation: Diagram) -> tuple[Clause, ...]:
        """Return clauses whose conjunction is the relation."""
        return tuple(tuple(-literal for literal in cube) for cube in self.cover(~relation))

    def _between(
        self, lower: Diagram, upper: Diagram, cache: dict[Any, tuple[Diagram, tuple[Cube, ...]]]
    ) -> tuple[Diagram, tuple[Cube, ...]]:
        """Return a union between the two diagrams, and its cubes."""
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
        """Split by the first variable: cubes in which it is false, true, or absent."""
        self._budget.check()
        level = min(diagram.level for diagram in (lower, upper))
        name = self._bdd.var_at_level(level)
        lower_false, lower_true = (self._bdd.let({name: value}, lower) for value in (False, True))
        upper_false, upper_true = (self._bdd.let({name: value}, upper) for value in (False, True))
        if_false, negative = self._between(lower_false & ~upper_true, upper_false, cache)
        if_true, positive = self._between(lower_true & ~upper_false, upper_true, cache)
        remaining = (lower_false & ~if_false) | (lower_true & ~if_true)
        union, neutral = self._between(remaining, upper_false & upper_true, cache)
        literal = (before if name.startswith("b") else after)(int(name[1:]), True)
        cubes = (
            *((-literal, *cube) for cube in negative),
            *((literal, *cube) for cube in positive),
            *neutral,
        )
        variable = self._bdd.var(name)
        return union | (variable & if_true) | (~variable & if_false), cubes


def _name(literal: Literal) -> str:
    return f"{'a' if is_after(literal) else 'b'}{predicate_of(literal)}"
