"""Formulas as clauses: one gate for each subformula that needs one, and one direction for each.

A gate implies its subformula; the other direction is not needed, since the negations in a formula
are pushed down to its atoms. A congruence becomes inequalities about a quotient, t - m·q = 0 where
it holds and 1 ≤ t - m·q ≤ m - 1 where it does not. Gates and quotients belong to one part each.
Equations are pairs of inequalities; where functions occur they are atoms, since functions care for
equality alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.laboratory.prover.atoms import Atoms
from petricheck.laboratory.prover.proofs import Hypothesis, Literal, QuotientVariable
from petricheck.laboratory.prover.results import Theory


class ClauseForm:
    """The clauses of parts.

    Attributes:
        theory: what the variables are.
        atoms: what their literals stand for.
        quotients: the variables that stand for quotients.
        hypotheses: the clauses.
    """

    def __init__(self, parts: Sequence[Formula], theory: Theory) -> None:
        self.theory = theory
        self.atoms = Atoms(theory is Theory.INTEGERS)
        self._equations = theory is Theory.FUNCTIONS
        self.quotients: dict[str, QuotientVariable] = {}
        self.hypotheses: list[Hypothesis] = []
        self._names = {name for part in parts for name in variables(part)}
        self._literals: dict[tuple[int, Formula], Literal] = {}
        self._waiting: list[tuple[int, tuple[Literal, ...], Formula]] = []
        for number, part in enumerate(parts):
            self._imply(number, (), part)
            while self._waiting:
                self._imply(*self._waiting.pop())

    def _imply(self, part: int, premise: tuple[Literal, ...], formula: Formula) -> None:
        """Add the clauses of: where the opposites of the premise hold, the formula holds."""
        pending = [formula]
        while pending:
            current = pending.pop()
            operands = self._conjuncts(part, current)
            if operands is not None:
                pending.extend(reversed(operands))
                continue
            literals = [self._literal(part, operand) for operand in self._disjuncts(current)]
            if any(literal is True for literal in literals):
                continue
            clause = dict.fromkeys(
                (*premise, *(literal for literal in literals if literal is not False))
            )
            if not any(-literal in clause for literal in clause):
                self.hypotheses.append(Hypothesis(part, tuple(clause)))

    def _conjuncts(self, part: int, formula: Formula) -> tuple[Formula, ...] | None:
        """Return the operands of a conjunction, None for any other formula."""
        match formula:
            case Conjunction(operands):
                return operands
            case Negation(Disjunction(operands)):
                return tuple(map(Negation, operands))
            case Negation(Negation(operand)):
                return (operand,)
            case Equality(term) if not self._equations:
                return Inequality(term), Inequality(-term)
            case Congruence() | Negation(Congruence()):
                return self._residues(part, formula)
            case _:
                return None

    def _disjuncts(self, formula: Formula) -> Iterator[Formula]:
        """Yield the operands of a disjunction, at any depth; any other formula alone."""
        pending = [formula]
        while pending:
            match pending.pop():
                case Disjunction(operands):
                    pending.extend(reversed(operands))
                case Negation(Conjunction(operands)):
                    pending.extend(Negation(operand) for operand in reversed(operands))
                case Negation(Equality(term)) if not self._equations:
                    yield Negation(Inequality(term))
                    yield Negation(Inequality(-term))
                case Negation(Negation(operand)):
                    pending.append(operand)
                case other:
                    yield other

    def _residues(self, part: int, formula: Formula) -> tuple[Formula, ...]:
        match formula:
            case Congruence(term, modulus):
                return (Equality(term - self._quotient(part, formula) * modulus),)
            case Negation(Congruence(term, modulus) as operand):
                residue = term - self._quotient(part, operand) * modulus
                return Inequality(1 - residue), Inequality(residue - (modulus - 1))
            case _:
                raise AssertionError("not a congruence")

    def _quotient(self, part: int, congruence: Congruence) -> Term:
        if not self.atoms.integral:
            raise ValueError("the rationals have no congruences; ask over the integers")
        new_quotient = QuotientVariable(part, congruence)
        for name, quotient in self.quotients.items():
            if quotient == new_quotient:
                return variable(name)
        count = len(self.quotients)
        while (name := f"quotient{count}") in self._names:
            count += 1
        self._names.add(name)
        self.quotients[name] = new_quotient
        return variable(name)

    def _literal(self, part: int, formula: Formula) -> Literal | bool:
        """Return the literal or truth value that represents the formula in a clause."""
        match formula:
            case Inequality(term):
                return self.atoms.at_most(term) if term.coefficients else term.constant <= 0
            case Negation(Inequality(term)):
                return self.atoms.below(-term) if term.coefficients else term.constant > 0
            case Equality(term) if self._equations:
                return self.atoms.equal(term) if term.coefficients else term.constant == 0
            case Negation(Equality(term)) if self._equations:
                return -self.atoms.equal(term) if term.coefficients else term.constant != 0
            case _:
                return self._gate(part, formula)

    def _gate(self, part: int, formula: Formula) -> Literal:
        """Return a gate for a subformula; equal equations and congruences of a part share one."""
        if isinstance(formula, Conjunction | Disjunction | Negation):
            return self._new_gate(part, formula)
        key = (part, formula)
        if key not in self._literals:
            self._literals[key] = self._new_gate(part, formula)
        return self._literals[key]

    def _new_gate(self, part: int, formula: Formula) -> Literal:
        gate = self.atoms.gate(part, formula)
        self._waiting.append((part, (-gate,), formula))
        return gate
