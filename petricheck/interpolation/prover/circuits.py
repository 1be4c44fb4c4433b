"""Formulas that share their parts while they grow: each *and* and *or* of the same parts once."""

from __future__ import annotations

from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
)
from petricheck.presburger.terms import Term

_Key = Formula | tuple[bool, frozenset[int]]
"""A formula that is taken as it is, or whether all operands are joined by *and*, and which."""

Node = int


class Circuit:
    """Nodes, numbered; the truth values are the first."""

    true: Node = 0
    false: Node = 1

    def __init__(self) -> None:
        self._keys: list[_Key] = [(True, frozenset()), (False, frozenset())]
        self._numbers: dict[_Key, Node] = {key: n for n, key in enumerate(self._keys)}
        self._numbers |= {TRUE: self.true, FALSE: self.false}

    def leaf(self, formula: Formula) -> Node:
        """The node of a formula."""
        return self._number(formula)

    def both(self, left: Node, right: Node) -> Node:
        """Left and right."""
        return self._joined(True, left, right)

    def either(self, left: Node, right: Node) -> Node:
        """Left or right."""
        return self._joined(False, left, right)

    def formula(self, node: Node) -> Formula:
        """What the node means, in one object for each node."""
        made: dict[Node, Formula] = {}
        pending = [node]
        while pending:
            current = pending[-1]
            key = self._keys[current]
            operands = sorted(key[1]) if isinstance(key, tuple) else []
            missing = [each for each in operands if each not in made]
            if missing:
                pending += missing
                continue
            pending.pop()
            made[current] = _joined(key, tuple(made[each] for each in operands))
        return made[node]

    def _joined(self, every: bool, left: Node, right: Node) -> Node:
        """The node of both operands, flattened, without what others of them make superfluous."""
        neutral, absorbing = (self.true, self.false) if every else (self.false, self.true)
        operands = self._operands(every, left) | self._operands(every, right)
        if absorbing in operands:
            return absorbing
        kept = {each for each in operands - {neutral} if not self._absorbed(every, each, operands)}
        kept -= self._exceeded(every, kept)
        if len(kept) == 1:
            return kept.pop()
        return self._number((every, frozenset(kept)))

    def _operands(self, every: bool, node: Node) -> frozenset[Node]:
        key = self._keys[node]
        if isinstance(key, tuple) and key[0] == every and key[1]:
            return key[1]
        return frozenset((node,))

    def _absorbed(self, every: bool, node: Node, others: frozenset[Node]) -> bool:
        """Whether the node joins, the other way, something with one of the others."""
        key = self._keys[node]
        return isinstance(key, tuple) and key[0] != every and not key[1].isdisjoint(others)

    def _exceeded(self, every: bool, nodes: set[Node]) -> set[Node]:
        """Inequalities that say less (of *and*) or more (of *or*) than another of the same form."""
        best: dict[tuple[tuple[str, int], ...], tuple[int, Node]] = {}
        exceeded = set()
        for node in nodes:
            match self._keys[node]:
                case Inequality(Term(form, constant)):
                    rank = constant if every else -constant
                    known = best.get(form)
                    if known is not None:
                        exceeded.add(min(known, (rank, node))[1])
                    best[form] = max(known or (rank, node), (rank, node))
        return exceeded

    def _number(self, key: _Key) -> Node:
        if key not in self._numbers:
            self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return self._numbers[key]


def _joined(key: _Key, operands: tuple[Formula, ...]) -> Formula:
    if not isinstance(key, tuple):
        return key
    return Conjunction(_paired(operands)) if key[0] else Disjunction(operands)


def _paired(operands: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """The operands of an *and*, t ≤ 0 and t ≥ 0 as one equation."""
    terms = {operand.term for operand in operands if isinstance(operand, Inequality)}
    paired: dict[Formula, None] = {}
    for operand in operands:
        match operand:
            case Inequality(term) if -term in terms:
                first = term if term.coefficients[0][1] > 0 else -term
                paired[Equality(first)] = None
            case _:
                paired[operand] = None
    return tuple(paired)
