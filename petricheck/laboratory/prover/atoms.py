"""Literals by number, and the inequalities that they stand for.

Over the integers t ≤ 0 is divided by the content of t and rounded, and written with a positive
first coefficient, so that x ≤ 3, not x ≥ 4 and 2x ≤ 7 are one atom.
"""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import Equality, Formula, Inequality
from petricheck.arithmetic.formulas.terms import Term
from petricheck.laboratory.prover.proofs import Atom, Gate, Literal
from petricheck.laboratory.prover.terms import equated, primitive


class Atoms:
    """The atoms of one refutation, numbered from 1.

    Args:
        integral: whether variables are integers.
    """

    def __init__(self, integral: bool) -> None:
        self.integral = integral
        self.table: list[Atom] = []
        self._numbers: dict[Inequality | Equality, int] = {}

    def gate(self, part: int, formula: Formula) -> Literal:
        """Return a new proposition for the formula."""
        self.table.append(Gate(part, formula))
        return len(self.table)

    def at_most(self, term: Term) -> Literal:
        """Return the literal of term ≤ 0; the term has variables."""
        if not self.integral:
            return self._number(Inequality(primitive(term)))
        form = _rounded(term)
        if form.coefficients[0][1] > 0:
            return self._number(Inequality(form))
        return -self._number(Inequality(1 - form))

    def below(self, term: Term) -> Literal:
        """Return the literal of term < 0; the term has variables."""
        return self.at_most(term + 1) if self.integral else -self.at_most(-term)

    def equal(self, term: Term) -> Literal:
        """Return the literal of term = 0 over the rationals; the term has variables."""
        return self._number(Equality(equated(term)))

    def _number(self, atom: Inequality | Equality) -> int:
        if atom not in self._numbers:
            self.table.append(atom)
            self._numbers[atom] = len(self.table)
        return self._numbers[atom]


def _rounded(term: Term) -> Term:
    """Divide by the content, and round the constant up."""
    content = term.content
    scaled = tuple((name, value // content) for name, value in term.coefficients)
    return Term(scaled, -(-term.constant // content))
