"""Formulas that share their parts while they grow: each *and* and *or* of the same parts once.

As a tree the interpolant of a long proof may be larger than anybody could read. So it grows as
numbered nodes, and is written out in the end, unless it is too large.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from petricheck.errors import BudgetExhausted
from petricheck.laboratory.functions.formulas import (
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)

LARGEST = 100_000
"""Literals that a formula may have when it is written out."""
DEEPEST = 100
"""How deep it may nest then."""

Node: TypeAlias = int

_Literal: TypeAlias = tuple[Inequality | Equality, bool]
_Join: TypeAlias = tuple[bool, frozenset[Node]]
"""Whether all nodes hold, or one of them; and which."""


class _Written(NamedTuple):
    """A formula, how many literals it has, and how deep it is."""

    formula: Formula
    size: int
    depth: int


class Circuit:
    """Nodes, numbered; the truth values are the first: *and* and *or* of nothing."""

    true: Node = 0
    false: Node = 1

    def __init__(self) -> None:
        self._keys: list[_Literal | _Join] = [(True, frozenset()), (False, frozenset())]
        self._numbers: dict[_Literal | _Join, Node] = {k: n for n, k in enumerate(self._keys)}

    def node(self, formula: Formula, positive: bool = True) -> Node:
        """The node of a formula, or of its negation."""
        match formula:
            case Inequality() | Equality():
                return self._number((formula, positive))
            case Negation(operand):
                return self.node(operand, not positive)
            case Conjunction(operands) | Disjunction(operands):
                every = isinstance(formula, Conjunction) == positive
                return self.join(every, [self.node(each, positive) for each in operands])

    def join(self, every: bool, nodes: Iterable[Node]) -> Node:
        """All of the nodes, or one of them; flattened."""
        neutral, absorbing = (self.true, self.false) if every else (self.false, self.true)
        operands = frozenset().union(*(self._operands(every, each) for each in nodes)) - {neutral}
        if absorbing in operands or any(self._opposite(each) in operands for each in operands):
            return absorbing
        return next(iter(operands)) if len(operands) == 1 else self._number((every, operands))

    def formula(self, node: Node) -> Formula:
        """What the node means, in one object for each node.

        Raises:
            BudgetExhausted: it has more than `LARGEST` literals, or is deeper than `DEEPEST`.
        """
        made: dict[Node, _Written] = {}
        for number, key in enumerate(self._keys[: node + 1]):
            made[number] = _written(key, made)
        if made[node].size > LARGEST:
            raise BudgetExhausted(f"an interpolant has more than {LARGEST} literals")
        if made[node].depth > DEEPEST:
            raise BudgetExhausted(f"an interpolant nests deeper than {DEEPEST}")
        return made[node].formula

    def _operands(self, every: bool, node: Node) -> frozenset[Node]:
        key = self._keys[node]
        if key[0] is every and isinstance(key[1], frozenset) and key[1]:
            return key[1]
        return frozenset((node,))

    def _opposite(self, node: Node) -> Node | None:
        match self._keys[node]:
            case (Inequality() | Equality()) as atom, bool() as positive:
                return self._numbers.get((atom, not positive))
            case _:
                return None

    def _number(self, key: _Literal | _Join) -> Node:
        if key not in self._numbers:
            self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return self._numbers[key]


def _written(key: _Literal | _Join, made: Mapping[Node, _Written]) -> _Written:
    match key:
        case bool() as every, frozenset() as nodes:
            parts = [made[each] for each in sorted(nodes)]
            operands = tuple(part.formula for part in parts)
            joined = Conjunction(operands) if every else Disjunction(operands)
            depth = 1 + max((part.depth for part in parts), default=0)
            return _Written(joined, sum(part.size for part in parts), depth)
        case atom, positive:
            return _Written(atom if positive else Negation(atom), 1, 1)
