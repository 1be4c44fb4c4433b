"""The cubes of a formula, one at a time, since there may be exponentially many.

If there are few, all are listed; otherwise one is picked. A cube's *number* is its position in
the list. Evidence names cubes by number, and the audit counts them the same way. A cube that was
picked from many has no number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    evaluate,
    normal,
)
from petricheck.arithmetic.formulas.terms import Term, linear
from petricheck.support.budget import Budget

_Pending: TypeAlias = "tuple[Formula, _Pending] | None"
"""Conjuncts still to be chosen from, as a linked list, so that branches share their tails."""

_Choice: TypeAlias = tuple[int, Iterator[Formula], _Pending]
"""The number of atoms chosen before a disjunction, its remaining operands, and what follows it."""

_STEPS = 16
"""Branches of `cubes` between two checks of its budget."""


FEW = 64
"""More cubes than this are not listed: a solver decides the whole formula, for example."""


def cubes(formula: Formula, budget: Budget | None = None) -> Iterator[Cube]:
    """Yield the cubes of a disjunctive normal form, one at a time and in a fixed order.

    Together they are equivalent to the formula. A negated congruence contributes one cube for
    each other residue. Constant atoms are decided on the way, so false cubes do not appear.
    """
    # Depth first with explicit stacks: targets with thousands of conjuncts are common, and too deep
    # for recursion.
    selection: dict[Atom, None] = {}
    choices: list[_Choice] = [(0, iter((normal(formula),)), None)]
    steps = 0
    while choices:
        steps += 1
        if budget is not None and steps % _STEPS == 0:
            budget.check()
        size, alternatives, remaining = choices[-1]
        alternative = next(alternatives, None)
        if alternative is None:
            choices.pop()
            continue
        while len(selection) > size:
            selection.popitem()
        choice = _decide(selection, (alternative, remaining))
        if choice is None:
            yield tuple(selection)
        else:
            choices.append(choice)


def _decide(selection: dict[Atom, None], pending: _Pending) -> _Choice | None:
    """Add pending atoms to `selection` up to the next choice, and return this choice.

    None if nothing is left to choose; a choice without alternatives if an atom is false.
    """
    while pending is not None:
        head, pending = pending
        match head:
            case Conjunction(operands):
                for operand in reversed(operands):
                    pending = (operand, pending)
            case Disjunction(operands):
                return len(selection), iter(operands), pending
            case Negation(Congruence(term, modulus)) if term.coefficients:
                residues = range(1, modulus)
                others = (Congruence(term - residue, modulus) for residue in residues)
                return len(selection), others, pending
            case Inequality(term) | Equality(term) | Congruence(term) if term.coefficients:
                selection[head] = None
            case _ if not evaluate(head, {}):
                return len(selection), iter(()), pending
    return None


def listed_cubes(
    formula: Formula, budget: Budget | None = None, *, most: int = FEW
) -> tuple[Cube, ...] | None:
    """Return all cubes of the formula, by number; None where there are more than `most`."""
    first = tuple(islice(cubes(formula, budget), most + 1))
    return first if len(first) <= most else None


def cube_of(formula: Formula, values: Mapping[str, int]) -> Cube:
    """Return the cube of `cubes(formula)` that contains `values`, which satisfy the formula.

    Of several it is the one that takes the first true operand of every disjunction.
    """
    selection: dict[Atom, None] = {}
    pending = [normal(formula)]
    while pending:
        head = pending.pop()
        match head:
            case Conjunction(operands):
                pending.extend(reversed(operands))
            case Disjunction(operands):
                pending.append(next(x for x in operands if evaluate(x, values)))
            case Negation(Congruence(term, modulus)):
                selection[Congruence(term - term.evaluate(values) % modulus, modulus)] = None
            case Negation():
                raise AssertionError("normal form keeps negation on congruences only")
            case _:
                if head.term.coefficients:
                    selection[head] = None
    return tuple(selection)


def weighted_sum(cube: Cube, factors: Sequence[int]) -> Term:
    """Return Σ factor·term over the cube's literals."""
    pairs = [(literal.term, f) for literal, f in zip(cube, factors, strict=True) if f]
    coefficients = ((name, f * value) for term, f in pairs for name, value in term.coefficients)
    return linear(coefficients, sum(f * term.constant for term, f in pairs))
