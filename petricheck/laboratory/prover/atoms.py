"""Literals by number, and the inequalities that they stand for.

Over the integers t ≤ 0 is divided by the content of t and rounded, and written with a positive
first coefficient, so that x ≤ 3, not x ≥ 4 and 2x ≤ 7 are one atom.
"""

from __future__ import annotations

from math import gcd

from petricheck.laboratory.prover.proofs import Gate, Literal
from petricheck.presburger.formulas import Formula, Inequality
from petricheck.presburger.terms import Term


class Atoms:
    """The atoms of one refutation, numbered from 1.

    Args:
        integral: whether variables are integers.
    """

    def __init__(self, integral: bool) -> None:
        self.integral = integral
        self.table: list[Gate | Inequality] = []
        self._inequalities: dict[Term, int] = {}

    def gate(self, part: int, formula: Formula) -> Literal:
        """A new proposition that stands for the formula."""
        self.table.append(Gate(part, formula))
        return len(self.table)

    def at_most(self, term: Term) -> Literal:
        """The literal of term ≤ 0; the term has variables."""
        if not self.integral:
            return self._number(_primitive(term))
        form = _rounded(term)
        return self._number(form) if form.coefficients[0][1] > 0 else -self._number(1 - form)

    def below(self, term: Term) -> Literal:
        """The literal of term < 0; the term has variables."""
        return self.at_most(term + 1) if self.integral else -self.at_most(-term)

    def _number(self, term: Term) -> int:
        if term not in self._inequalities:
            self.table.append(Inequality(term))
            self._inequalities[term] = len(self.table)
        return self._inequalities[term]


def _primitive(term: Term) -> Term:
    return _divided(term, gcd(term.content, term.constant))


def _rounded(term: Term) -> Term:
    """Division by the content, the constant rounded up."""
    content = term.content
    quotients = _divided(Term(term.coefficients, 0), content)
    return Term(quotients.coefficients, -(-term.constant // content))


def _divided(term: Term, divisor: int) -> Term:
    scaled = tuple((name, value // divisor) for name, value in term.coefficients)
    return Term(scaled, term.constant // divisor)
