"""Linear inequalities with where they come from, decided by the prover's simplex.

A unit is a variable there, whatever its arguments: what functions mean is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Generic, TypeVar

from petricheck.laboratory.functions.terms import Term, Unit
from petricheck.laboratory.prover.arithmetic import Arithmetic
from petricheck.laboratory.prover.atoms import Atoms
from petricheck.laboratory.prover.proofs import Literal
from petricheck.laboratory.prover.simplex import Explanation
from petricheck.presburger import terms as integral
from petricheck.presburger.formulas import Inequality

Origin = TypeVar("Origin")

Values = Mapping[Unit, Fraction]


@dataclass(frozen=True, slots=True)
class Solution:
    """Values for which inequalities hold; units that are left out may be anything."""

    values: Values


class Bounds(Generic[Origin]):
    """Inequalities, term ≤ 0 or term < 0, each with its origin."""

    def __init__(self) -> None:
        self._atoms = Atoms(integral=False)
        self._arithmetic = Arithmetic(self._atoms)
        self._names: dict[Unit, str] = {}
        self._origins: dict[Literal, tuple[Origin, Fraction]] = {}
        self._conflict: dict[Origin, Fraction] | None = None

    def assume(self, term: Term, strict: bool, origin: Origin) -> None:
        """Add an inequality."""
        if self._conflict is not None:
            return
        if not term.coefficients:
            if term.constant > 0 or (strict and term.constant == 0):
                self._conflict = {origin: Fraction(1)}
            return
        literal, scale = self._literal(term, strict)
        self._origins.setdefault(literal, (origin, scale))
        self._arithmetic.extend()
        self._note(self._arithmetic.assume(literal))

    def conflict(self) -> Mapping[Origin, Fraction] | None:
        """Multipliers > 0 with which the inequalities sum up to a contradiction, where they do."""
        if self._conflict is None:
            self._note(self._arithmetic.check())
        return self._conflict

    def conflict_with(self, term: Term, origin: Origin) -> Mapping[Origin, Fraction] | Solution:
        """The same with term < 0 in addition, or a solution; afterwards it is taken back.

        There is no conflict without it.
        """
        depth, origins = self._arithmetic.depth, dict(self._origins)
        self.assume(term, True, origin)
        found = self.conflict()
        answer = Solution(self.values()) if found is None else found
        self._arithmetic.restore(depth)
        self._origins, self._conflict = origins, None
        return answer

    def values(self) -> Values:
        """A solution, where there is no conflict; units that it leaves out may be anything."""
        values = self._arithmetic.model()
        return {
            unit: Fraction(values[name]) for unit, name in self._names.items() if name in values
        }

    def _note(self, explanation: Explanation | None) -> None:
        if explanation is None:
            return
        total: dict[Origin, Fraction] = {}
        for literal, times in self._arithmetic.sum_of(explanation).summands:
            origin, scale = self._origins[literal]
            total[origin] = total.get(origin, Fraction(0)) + times * scale
        self._conflict = total

    def _literal(self, term: Term, strict: bool) -> tuple[Literal, Fraction]:
        """The literal of the inequality, and what the inequality is multiplied by in it."""
        shared = lcm(term.constant.denominator, *(c.denominator for _, c in term.coefficients))
        pairs = [(self._name(unit), int(value * shared)) for unit, value in term.coefficients]
        whole = integral.linear(pairs, int(term.constant * shared))
        literal = self._atoms.below(whole) if strict else self._atoms.at_most(whole)
        atom = self._atoms.table[abs(literal) - 1]
        assert isinstance(atom, Inequality)
        return literal, shared * Fraction(atom.term.content, whole.content)

    def _name(self, unit: Unit) -> str:
        return self._names.setdefault(unit, f"u{len(self._names)}")
