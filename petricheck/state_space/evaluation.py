"""Formulas evaluated on many markings at once, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.presburger.terms import Term
from petricheck.state_space.arcs import Rows

_LARGEST = 1 << 62


def satisfying(formula: Formula, columns: Mapping[str, int], rows: Rows) -> NDArray[np.bool_]:
    """For each row whether it satisfies the formula; `columns` says where a variable stands."""
    match formula:
        case Inequality(term):
            return _flags(values(term, columns, rows) <= 0)
        case Equality(term):
            return _flags(values(term, columns, rows) == 0)
        case Congruence(term, modulus):
            sums = values(_reduced(term, modulus), columns, rows)
            return _flags((sums if modulus < _LARGEST else sums.astype(object)) % modulus == 0)
        case Negation(operand):
            return ~satisfying(operand, columns, rows)
        case Conjunction(operands):
            result = np.ones(len(rows), dtype=bool)
            for operand in operands:
                if result.any():
                    result &= satisfying(operand, columns, rows)
            return result
        case Disjunction(operands):
            result = np.zeros(len(rows), dtype=bool)
            for operand in operands:
                if not result.all():
                    result |= satisfying(operand, columns, rows)
            return result


def values(term: Term, columns: Mapping[str, int], rows: Rows) -> NDArray[Any]:
    """The term's value on each row: int64, or Python integers where that might overflow."""
    used = [(columns[name], value) for name, value in term.coefficients]
    bound = abs(term.constant)
    for column, value in used:
        bound += abs(value) * int(rows[:, column].max(initial=0))
    kind: Any = np.int64 if max(bound, *(abs(v) for _, v in used), 0) < _LARGEST else object
    total = np.full(len(rows), term.constant, dtype=kind)
    for column, value in used:
        total += rows[:, column].astype(kind) * value
    return total


def _reduced(term: Term, modulus: int) -> Term:
    coefficients = tuple((n, v % modulus) for n, v in term.coefficients if v % modulus)
    return Term(coefficients, term.constant % modulus)


def _flags(flags: Any) -> NDArray[np.bool_]:
    return np.asarray(flags, dtype=bool)
