"""Exact evaluation of a formula on many rows of a table at once.

Each atom is evaluated once. A bound of each term is computed first: where 64 bits may be too few,
the term is computed with Python's integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.audit.tables.packed import Flags, Words, capacity, tokens
from petricheck.evidence.certificates.finite_set import Field
from petricheck.support.budget import Budget, watched

_LARGEST = 1 << 62


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Rows, with the atoms that were already evaluated on them.

    Attributes:
        fields: by place; formulas name these places only.
    """

    fields: Mapping[str, Field]
    words: Words
    budget: Budget
    _flags: dict[Atom, Flags] = field(default_factory=dict)

    def holds(self, formula: Formula) -> Flags:
        """Return for each row whether it satisfies the formula; do not modify the array."""
        match formula:
            case Negation(operand):
                return ~self.holds(operand)
            case Conjunction(operands):
                flags = np.ones(self.words.shape[1], dtype=bool)
                for operand in watched(operands, self.budget):
                    if not flags.any():
                        break
                    flags &= self.holds(operand)
                return flags
            case Disjunction(operands):
                flags = np.zeros(self.words.shape[1], dtype=bool)
                for operand in watched(operands, self.budget):
                    flags |= self.holds(operand)
                return flags
            case atom:
                if atom not in self._flags:
                    self._flags[atom] = self._atom(atom)
                return self._flags[atom]

    def _atom(self, atom: Atom) -> Flags:
        match atom:
            case Inequality(term):
                flags = self._value(term) <= 0
            case Equality(term):
                flags = self._value(term) == 0
            case Congruence(term, modulus):
                reduced = tuple((name, value % modulus) for name, value in term.coefficients)
                sums = self._value(Term(reduced, term.constant % modulus))
                flags = (sums if modulus < _LARGEST else sums.astype(object)) % modulus == 0
        return np.asarray(flags, dtype=bool)

    def _value(self, term: Term) -> NDArray[Any]:
        parts = [(self.fields[place], value) for place, value in term.coefficients]
        bound = abs(term.constant) + sum(abs(value) * (capacity(f) + 1) for f, value in parts)
        kind: Any = np.int64 if bound < _LARGEST else object
        total = np.full(self.words.shape[1], term.constant, dtype=kind)
        for place, value in parts:
            total += tokens(self.words, place).astype(kind) * value
        return total
