"""Formulas as clauses: a gate implies the subformula that it stands for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.laboratory.functions.formulas import (
    Atom,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.laboratory.functions.proofs import Gate
from petricheck.laboratory.prover.proofs import Hypothesis, Literal


class ClauseForm:
    """The clauses of parts.

    Attributes:
        atoms: what their literals stand for.
        hypotheses: the clauses.
    """

    def __init__(self, parts: Sequence[Formula]) -> None:
        self.atoms: list[Gate | Atom] = []
        self.hypotheses: list[Hypothesis] = []
        self._numbers: dict[Gate | Atom, Literal] = {}
        for number, part in enumerate(parts):
            self._imply(number, (), part)

    def _imply(self, part: int, premise: tuple[Literal, ...], formula: Formula) -> None:
        """Add the clauses of: where the opposites of the premise hold, the formula holds."""
        for conjunct in _operands(formula, Conjunction, Disjunction):
            literals = (self._literal(part, each) for each in _disjuncts(conjunct))
            clause = tuple(dict.fromkeys((*premise, *literals)))
            if not any(-literal in clause for literal in clause):
                self.hypotheses.append(Hypothesis(part, clause))

    def _literal(self, part: int, formula: Formula) -> Literal:
        match formula:
            case Conjunction() | Negation(Disjunction()):
                gate = Gate(part, formula)
                known = gate in self._numbers
                literal = self._number(gate)
                if not known:
                    self._imply(part, (-literal,), formula)
                return literal
            case Negation(Inequality() | Equality() as atom):
                return -self._number(atom)
            case Inequality() | Equality():
                return self._number(formula)
            case _:
                raise AssertionError("not a disjunct")

    def _number(self, atom: Gate | Atom) -> Literal:
        if atom not in self._numbers:
            self.atoms.append(atom)
            self._numbers[atom] = len(self.atoms)
        return self._numbers[atom]


def _disjuncts(formula: Formula) -> Iterator[Formula]:
    return _operands(formula, Disjunction, Conjunction)


def _operands(
    formula: Formula,
    joined: type[Conjunction | Disjunction],
    opposite: type[Conjunction | Disjunction],
) -> Iterator[Formula]:
    """What a formula joins in one way, at any depth, negations of the other way included."""
    pending = [formula]
    while pending:
        current = pending.pop()
        match current:
            case Negation(Negation(operand)):
                pending.append(operand)
            case Conjunction(operands) | Disjunction(operands) if isinstance(current, joined):
                pending.extend(reversed(operands))
            case Negation(Conjunction(operands) | Disjunction(operands) as operand) if isinstance(
                operand, opposite
            ):
                pending.extend(Negation(each) for each in reversed(operands))
            case _:
                yield current
