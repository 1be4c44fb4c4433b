"""How far a marking is from satisfying a formula: cheap, and exact about zero.

The distance of an atom is how much its term must change, that of a conjunction the sum, that of a
disjunction the least over its operands. So it is 0 exactly where the formula holds, however many
cubes the formula has. It knows nothing of transitions: it only says which way is downhill.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    normal,
)
from petricheck.problem import Net, Weights

_FALSE = 1
"""The distance of what nothing satisfies: any number but 0."""


class Distance:
    """The distance of one marking that changes step by step.

    An update costs as much as the atoms that speak of the changed places.
    """

    def __init__(self, net: Net, formula: Formula) -> None:
        self._places = net.place_numbers
        self._uses: list[list[tuple[int, int]]] = [[] for _ in net.places]
        self._nodes: list[_Node] = []
        self._root = self._build(normal(formula), -1)
        self._values = [0] * len(self._nodes)
        self._distances = [0] * len(self._nodes)
        self.load(net.initial)

    @property
    def value(self) -> int:
        """The distance now; 0 exactly where the formula holds."""
        return self._distances[self._root]

    def load(self, marking: Sequence[int]) -> None:
        """Start over from this marking."""
        self._values = [node.constant for node in self._nodes]
        for place, uses in enumerate(self._uses):
            tokens = int(marking[place]) if uses else 0
            for node, coefficient in uses:
                self._values[node] += coefficient * tokens
        for number in reversed(range(len(self._nodes))):
            self._distances[number] = self._measure(number)

    def shift(self, changes: Weights, times: int = 1) -> int:
        """Add times·changes to the marking; returns the distance then."""
        touched: dict[int, None] = {}
        for place, change in changes:
            for node, coefficient in self._uses[place]:
                self._values[node] += coefficient * change * times
                touched[node] = None
        for node in touched:
            self._update(node, self._measure(node))
        return self.value

    def _update(self, number: int, new: int) -> None:
        while (old := self._distances[number]) != new:
            self._distances[number] = new
            number = self._nodes[number].parent
            if number < 0:
                return
            if isinstance(self._nodes[number].formula, Conjunction):
                new = self._distances[number] + new - old
            else:
                new = self._measure(number)

    def _measure(self, number: int) -> int:
        node = self._nodes[number]
        match node.formula:
            case Conjunction():
                return sum(self._distances[child] for child in node.children)
            case Disjunction():
                parts = (self._distances[child] for child in node.children)
                return min(parts, default=_FALSE)
            case atom:
                return _apart(atom, self._values[number])

    def _build(self, formula: Formula, parent: int) -> int:
        number = len(self._nodes)
        match formula:
            case Conjunction(operands) | Disjunction(operands):
                self._nodes.append(_Node(formula, parent, 0, []))
                children = self._nodes[number].children
                children.extend(self._build(operand, number) for operand in operands)
            case Negation(Congruence(term)) | Inequality(term) | Equality(term) | Congruence(term):
                self._nodes.append(_Node(formula, parent, term.constant, []))
                for name, coefficient in term.coefficients:
                    self._uses[self._places[name]].append((number, coefficient))
            case Negation():
                raise AssertionError("normal form keeps negation on congruences only")
        return number


@dataclass(frozen=True, slots=True)
class _Node:
    """A subformula; numbered before its children."""

    formula: Formula
    parent: int
    constant: int
    children: list[int]


def _apart(atom: Formula, value: int) -> int:
    """The distance of an atom whose term has this value."""
    match atom:
        case Inequality():
            return max(0, value)
        case Equality():
            return abs(value)
        case Congruence(_, modulus):
            return min(value % modulus, -value % modulus)
        case Negation(Congruence(_, modulus)):
            return int(value % modulus == 0)
    raise AssertionError("normal form keeps negation on congruences only")
