"""Formulas that share their parts while they grow, and come out short.

Interpolants are made of *and* and *or* alone. As trees those of long proofs are too large to be
written; as a disjunction of conjunctions, or the other way round, most have a few parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    conjunction,
    disjunction,
)
from petricheck.laboratory.prover.leaves import Leaves
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

WIDEST = 128
"""Parts of a form, on the way too; an interpolant without such a form is written as it grew."""
LARGEST = 100_000
"""Literals that such a one may have."""

Node = int

_Join = tuple[bool, Node, Node]
"""Whether both nodes hold, or one of them; and which."""


class GateCircuit:
    """Nodes, numbered; the truth values are the first.

    Args:
        integral: whether variables are integers.
    """

    true: Node = 0
    false: Node = 1

    def __init__(self, integral: bool) -> None:
        self._integral = integral
        self._keys: list[Formula | _Join] = [TRUE, FALSE]
        self._numbers: dict[Formula | _Join, Node] = {TRUE: self.true, FALSE: self.false}

    def leaf(self, formula: Formula) -> Node:
        """Return the node of a literal or truth value."""
        return self._number(formula)

    def node(self, formula: Formula, positive: bool = True) -> Node:
        """Return the node of a formula over the rationals, or of its negation."""
        match formula:
            case Negation(operand):
                return self.node(operand, not positive)
            case Conjunction(operands) | Disjunction(operands):
                every = isinstance(formula, Conjunction) == positive
                joined = self.true if every else self.false
                for operand in operands:
                    joined = self._joined(every, joined, self.node(operand, positive))
                return joined
            case atom:
                return self.leaf(atom if positive else Negation(atom))

    def both(self, left: Node, right: Node) -> Node:
        """Return left and right."""
        return self._joined(True, left, right)

    def either(self, left: Node, right: Node) -> Node:
        """Return left or right."""
        return self._joined(False, left, right)

    def formula(self, node: Node, budget: Budget) -> Formula:
        """Return the node as a formula, in the shorter of both forms.

        Raises:
            BudgetExhausted: a limit is reached, or there is no form of reasonable size.
        """
        order = self._descendants(node)
        forms = [self._form(order, every, budget) for every in (True, False)]
        short = [form for form in forms if form is not None]
        return min(short, key=_length) if short else self._tree(order)

    def _joined(self, every: bool, left: Node, right: Node) -> Node:
        neutral, absorbing = (self.true, self.false) if every else (self.false, self.true)
        if absorbing in (left, right):
            return absorbing
        if left in (neutral, right):
            return right
        if right == neutral:
            return left
        return self._number((every, min(left, right), max(left, right)))

    def _number(self, key: Formula | _Join) -> Node:
        if key not in self._numbers:
            self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return self._numbers[key]

    def _descendants(self, node: Node) -> list[Node]:
        """Return the node's parts, at any depth, and itself; parts come before the whole."""
        needed = {node}
        for number in range(node, -1, -1):
            key = self._keys[number]
            if number in needed and isinstance(key, tuple):
                needed.update(key[1:])
        return sorted(needed)

    def _form(self, order: Sequence[Node], every: bool, budget: Budget) -> Formula | None:
        """Return the last node as an *and* of *or*, or an *or* of *and*; None where it is wide."""
        keys = [self._keys[node] for node in order]
        literals = [key for key in keys if not isinstance(key, tuple) and key not in (TRUE, FALSE)]
        leaves = Leaves(literals, not every, self._integral)
        forms: dict[Node, list[int]] = {}
        forms[self.true], forms[self.false] = ([], [0]) if every else ([0], [])
        for node, key in zip(order, keys, strict=True):
            if isinstance(key, tuple):
                budget.check()
                left, right = forms[key[1]], forms[key[2]]
                parts = {*left, *right} if key[0] == every else _products(left, right, leaves)
                forms[node] = _least(parts)
                if len(forms[node]) > WIDEST:
                    return None
            elif node not in forms:
                forms[node] = [leaves.only(key)]
        inner = [leaves.formulas(part) for part in forms[order[-1]]]
        if every:
            return conjunction(_paired([disjunction(operands) for operands in inner]))
        return disjunction(conjunction(_paired(operands)) for operands in inner)

    def _tree(self, order: Sequence[Node]) -> Formula:
        trees: dict[Node, Formula] = {}
        sizes: dict[Node, int] = {}
        for node in order:
            match self._keys[node]:
                case (every, left, right):
                    sizes[node] = sizes[left] + sizes[right]
                    if sizes[node] > LARGEST:
                        raise BudgetExhausted(f"an interpolant has more than {LARGEST} literals")
                    operands = (trees[left], trees[right])
                    trees[node] = Conjunction(operands) if every else Disjunction(operands)
                case formula:
                    trees[node], sizes[node] = formula, 1
        return trees[order[-1]]


def _products(left: Sequence[int], right: Sequence[int], leaves: Leaves) -> set[int]:
    """Return the products of the parts of two nodes; a common part replaces its own products."""
    shared = set(left).intersection(right)
    products = set(shared)
    others = [part for part in right if part not in shared]
    for part in left:
        if part not in shared:
            excluded = leaves.excluded(part)
            products.update([part | other for other in others if not other & excluded])
    return products


def _least(parts: Iterable[int]) -> list[int]:
    """Return the parts without those that others imply."""
    minimal: list[int] = []
    for part in sorted(parts, key=lambda part: (part.bit_count(), part)):
        missing = ~part
        for other in minimal:
            if not other & missing:
                break
        else:
            minimal.append(part)
    return minimal


def _paired(operands: Sequence[Formula]) -> list[Formula]:
    """Return the operands of an *and*, t ≤ 0 and t ≥ 0 as one equation."""
    terms = {operand.term for operand in operands if isinstance(operand, Inequality)}
    paired: dict[Formula, None] = {}
    for operand in operands:
        match operand:
            case Inequality(term) if -term in terms:
                paired[Equality(term if term.coefficients[0][1] > 0 else -term)] = None
            case _:
                paired[operand] = None
    return list(paired)


def _length(formula: Formula) -> int:
    match formula:
        case Conjunction(operands) | Disjunction(operands):
            return 1 + sum(map(_length, operands))
        case _:
            return 1
