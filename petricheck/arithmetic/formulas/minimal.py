"""Formulas over natural numbers, for people, without redundant parts.

A case, which is a conjunction, is rewritten in three steps. Bounds that meet fix a variable, as
c·m ≤ 0 with c ≥ 0 does: its value replaces it elsewhere. Inequalities become primitive, and two
opposite ones an equality. Then a part that a non-negative combination of others entails is
dropped, the longest first; linear programs suggest the multipliers, which are confirmed exactly.
The result is equivalent if no variable is negative; it may still have redundant parts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

from petricheck.arithmetic.formulas.formulas import (
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
from petricheck.arithmetic.formulas.terms import Term, constant, linear, variable
from petricheck.arithmetic.programs.linear_programs import LinearProgram
from petricheck.support.words import natural_key

ATOMS = 2_000
"""Formulas with more atoms are left as they are."""

_ENTRIES = 50_000
"""If the linear programs of a case have more entries together, redundant parts stay."""

_DENOMINATOR = 1_000
"""Largest denominator of multipliers."""

_ROUNDS = 20
"""Most rounds in which values replace variables; each may fix others."""

_SECONDS = 1.0
"""Limit for a linear program."""


def minimal(formula: Formula) -> Formula:
    """Return an equivalent formula over natural numbers; a formula that is too large, unchanged."""
    return formula if sum(1 for _ in atoms(formula)) > ATOMS else _minimal(formula)


def _minimal(formula: Formula) -> Formula:
    if isinstance(formula, Disjunction):
        return disjunction(map(_case, formula.operands))
    return _case(formula)


def _case(formula: Formula) -> Formula:
    fixed: list[Formula] = []
    simplified = tighten(formula)
    for _ in range(_ROUNDS):
        assignments = _fixed(conjuncts(simplified))
        if not assignments:
            break
        fixed += chain.from_iterable(map(_equations, assignments))
        values = {name: constant(n) for assignment in assignments for name, n in assignment.items()}
        simplified = tighten(substitute(simplified, values))
    if simplified == FALSE:
        return FALSE
    parts = [
        _minimal(part) if isinstance(part, Disjunction) else part
        for part in irredundant(conjuncts(simplified))
    ]
    return conjunction(sorted([*fixed, *parts], key=_rank))


def _equations(values: Mapping[str, int]) -> list[Formula]:
    """Return formulas that the variables have these values; one sum if all are 0."""
    if not any(values.values()):
        return [equal(linear((name, 1) for name in values), 0)]
    return [equal(variable(name), value) for name, value in values.items()]


def _rank(part: Formula) -> tuple[int, list[tuple[tuple[int, str], ...]]]:
    """Return the sort key: single variables first, then equalities, then others, by names."""
    names = sorted(map(natural_key, variables(part)))
    match part:
        case Equality():
            return min(len(names), 2), names
        case Inequality():
            return 3, names
        case _:
            return 4, names


def _fixed(parts: Sequence[Formula]) -> list[dict[str, int]]:
    """Return values of variables for which a part leaves one value only.

    Lower bounds come from other parts. Each dictionary is from one part; no variable is in two.
    """
    least: dict[str, int] = {}
    for term in chain.from_iterable(map(_rows, parts)):
        match term.coefficients:
            case ((name, -1),):
                least[name] = max(term.constant, least.get(name, 0))
    assignments: list[dict[str, int]] = []
    assigned: set[str] = set()
    for term in chain.from_iterable(map(_rows, parts)):
        values = {name: least.get(name, 0) for name in term.variables}
        rising = all(factor > 0 for _, factor in term.coefficients)
        if rising and term.evaluate(values) == 0 and assigned.isdisjoint(values):
            assignments.append(values)
            assigned |= values.keys()
    return assignments


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
    """Return the parts of a case without those that the others entail on natural numbers.

    All of them, if they are very large.
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
    """Return whether a combination of the others shows that term ≤ 0 on natural numbers.

    With w ≥ 0 and Σ w_r·c_r ≥ c, c·m ≤ Σ w_r·c_r·m ≤ Σ w_r·U_r. As c·m is an integer, this may
    exceed the limit U by less than 1.
    """
    from fractions import Fraction  # It brings decimal, which takes its time.

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
    """Return non-negative weights that may entail the term; empty if there are none."""
    rising = {name for other in others for name, factor in other.coefficients if factor > 0}
    unmatched = (factor > 0 and name not in rising for name, factor in term.coefficients)
    if not others or any(unmatched):
        return ()  # This is seen without a linear program, which takes time to load.
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
