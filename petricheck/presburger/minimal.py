"""Formulas over natural numbers, for people: nothing twice, nothing that follows from the rest.

A case, a conjunction, is rewritten in three steps. Bounds that meet fix a variable, as c·m ≤ 0 with
c ≥ 0 does: its value is put in for it elsewhere. Inequalities become primitive, and two opposite
ones an equality. Then what a non-negative combination of the others entails is dropped, the widest
first; linear programs suggest the multipliers, which are confirmed exactly. So what is left is
equivalent wherever no variable is negative; something redundant may still be in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain

from petricheck.presburger.formulas import (
    FALSE,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    atoms,
    conjunction,
    conjuncts,
    disjunction,
    equal,
    substitute,
    tighten,
    variables,
)
from petricheck.presburger.linear_programs import LinearProgram
from petricheck.presburger.terms import Term, constant, linear, variable
from petricheck.words import natural_key

ATOMS = 2_000
"""Formulas with more atoms are left as they are."""

_ENTRIES = 50_000
"""Cases whose linear programs have more entries together keep what may be redundant."""

_DENOMINATOR = 1_000
"""Of the multipliers that are tried."""

_ROUNDS = 20
"""So often values are put in for variables, which may fix others."""

_SECONDS = 1.0
"""For a linear program."""


def minimal(formula: Formula) -> Formula:
    """An equivalent formula over natural numbers, its cases in their order; one too large as is."""
    return formula if sum(1 for _ in atoms(formula)) > ATOMS else _minimal(formula)


def _minimal(formula: Formula) -> Formula:
    if isinstance(formula, Disjunction):
        return disjunction(map(_case, formula.operands))
    return _case(formula)


def _case(formula: Formula) -> Formula:
    fixed: list[Formula] = []
    simplified = tighten(formula)
    for _ in range(_ROUNDS):
        settled = _fixed(conjuncts(simplified))
        if not settled:
            break
        fixed += chain.from_iterable(map(_equations, settled))
        values = {name: constant(n) for assignment in settled for name, n in assignment.items()}
        simplified = tighten(substitute(simplified, values))
    if simplified == FALSE:
        return FALSE
    parts = [
        _minimal(part) if isinstance(part, Disjunction) else part
        for part in irredundant(conjuncts(simplified))
    ]
    return conjunction(sorted([*fixed, *parts], key=_rank))


def _equations(values: Mapping[str, int]) -> list[Formula]:
    """That the variables have these values; in one sum where all are 0."""
    if not any(values.values()):
        return [equal(linear((name, 1) for name in values), 0)]
    return [equal(variable(name), value) for name, value in values.items()]


def _rank(part: Formula) -> tuple[int, list[tuple[tuple[int, str], ...]]]:
    """Values of single variables first, then equalities, then by the names in it."""
    names = sorted(map(natural_key, variables(part)))
    match part:
        case Equality():
            return min(len(names), 2), names
        case Inequality():
            return 3, names
        case _:
            return 4, names


def _fixed(parts: Sequence[Formula]) -> list[dict[str, int]]:
    """Variables that a part leaves one value only, given the least values that others leave.

    A part each; no variable is in two of them.
    """
    least: dict[str, int] = {}
    for term in chain.from_iterable(map(_rows, parts)):
        match term.coefficients:
            case ((name, -1),):
                least[name] = max(term.constant, least.get(name, 0))
    settled: list[dict[str, int]] = []
    taken: set[str] = set()
    for term in chain.from_iterable(map(_rows, parts)):
        values = {name: least.get(name, 0) for name in term.variables}
        rising = all(factor > 0 for _, factor in term.coefficients)
        if rising and term.evaluate(values) == 0 and taken.isdisjoint(values):
            settled.append(values)
            taken |= values.keys()
    return settled


def _rows(part: Formula) -> tuple[Term, ...]:
    """Return terms that are at most 0 by the part; none where it is of another kind."""
    match part:
        case Inequality(term):
            return (term,)
        case Equality(term):
            return term, -term
        case _:
            return ()


def irredundant(parts: Sequence[Formula]) -> list[Formula]:
    """The parts of a case without those that the others entail on natural numbers.

    Where they are very large, all of them.
    """
    rows = {part: terms for part in parts if (terms := _rows(part))}
    if len(rows) ** 2 * sum(len(term.coefficients) for (term, *_) in rows.values()) > _ENTRIES:
        return list(parts)
    for part in sorted(rows, key=_weight, reverse=True):
        others = [term for other in rows if other != part for term in rows[other]]
        if all(_entailed(term, others) for term in rows[part]):
            del rows[part]
    return [part for part in parts if part in rows or not _rows(part)]


def _weight(part: Formula) -> tuple[bool, int, int]:
    """Return the order in which parts are dropped: inequalities first, of these the long ones."""
    term = _rows(part)[0]
    size = sum(abs(factor) for _, factor in term.coefficients)
    return isinstance(part, Inequality), len(term.coefficients), size


def _entailed(term: Term, others: Sequence[Term]) -> bool:
    """Whether a combination of the others shows that term ≤ 0 on natural numbers.

    With w ≥ 0 and Σ w_r·c_r ≥ c, c·m ≤ Σ w_r·c_r·m ≤ Σ w_r·U_r. As c·m is an integer, this may
    exceed the limit U by less than 1.
    """
    weights = [Fraction(w).limit_denominator(_DENOMINATOR) for w in _multipliers(term, others)]
    pairs = [(w, other) for w, other in zip(weights, others, strict=False) if w > 0]
    sums: dict[str, Fraction] = defaultdict(Fraction)
    for weight, other in pairs:
        for name, factor in other.coefficients:
            sums[name] += weight * factor
    for name, factor in term.coefficients:
        sums[name] -= factor
    bound = -sum(weight * other.constant for weight, other in pairs)
    return bound < 1 - term.constant and all(value >= 0 for value in sums.values())


def _multipliers(term: Term, others: Sequence[Term]) -> tuple[float, ...]:
    """Non-negative weights that may entail the term best; none where none are found."""
    if not others:
        return ()
    program = LinearProgram()
    rows: dict[str, dict[int, float]] = {name: {} for name in term.variables}
    for other in others:
        column = program.column(cost=-other.constant)
        for name, factor in other.coefficients:
            rows.setdefault(name, {})[column] = factor
    weights = dict(term.coefficients)
    for name, entries in rows.items():
        program.row(entries, lower=weights.get(name, 0))
    return program.solve(_SECONDS) or ()
