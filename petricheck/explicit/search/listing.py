"""A finite set of markings as a certificate: one disjunct for each marking, with hints.

The disjunct of a marking fixes every place, and the value of every term in the target. So each
step, and the exclusion of each cube, follows from one atom, which the audit's exact tier checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.arithmetic.formulas.cubes import listed_cubes
from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Inequality,
    at_least,
    at_most,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.certificates.invariant import Certificate, Hints, Separator
from petricheck.model.net import Marking
from petricheck.model.problem import Problem


def listing(problem: Problem, markings: Sequence[Marking]) -> Certificate:
    """Return the certificate that all reachable markings are among these.

    Args:
        problem: the question.
        markings: a set that contains the initial marking, is closed under firing, and has no
            marking of the target.
    """
    cubes = listed_cubes(problem.target) or ()
    literals = list(dict.fromkeys(literal for cube in cubes for literal in cube))
    disjuncts = tuple(_disjunct(problem, marking, literals) for marking in markings)
    separators = (s for n, cube in enumerate(cubes) for s in _separators(n, cube))
    hints = Hints(_successors(problem, markings), tuple(separators))
    return Certificate(Disjunction(disjuncts), hints)


def _disjunct(problem: Problem, marking: Marking, literals: Sequence[Atom]) -> Conjunction:
    atoms: dict[Inequality | Congruence, None] = {}
    values = problem.net.values(marking)
    for place, tokens in values.items():
        atoms[at_most(variable(place), tokens)] = None
        if tokens:
            atoms[at_least(variable(place), tokens)] = None
    for literal in literals:
        fixed = literal.term - literal.term.evaluate(values)
        if isinstance(literal, Congruence):
            atoms[Congruence(fixed, literal.modulus)] = None
        else:
            atoms[Inequality(fixed)] = None
            atoms[Inequality(-fixed)] = None
    return Conjunction(tuple(atoms))


def _successors(problem: Problem, markings: Sequence[Marking]) -> tuple[tuple[int, ...], ...]:
    numbers = {marking: number for number, marking in enumerate(markings)}
    return tuple(
        tuple(
            numbers[transition.fire(marking)] if transition.enabled(marking) else -1
            for transition in problem.net.transitions
        )
        for marking in markings
    )


def _separators(number: int, cube: Cube) -> list[Separator]:
    """Return, for each literal, the separators that exclude every other value of its term."""
    separators = []
    for position, literal in enumerate(cube):
        unit = tuple(int(position == other) for other in range(len(cube)))
        term, opposite = literal.term, -literal.term
        match literal:
            case Inequality():
                separators.append(Separator(number, opposite.coefficients, 0, unit, 1))
            case Equality():
                against = tuple(-entry for entry in unit)
                separators.append(Separator(number, opposite.coefficients, 0, unit, 1))
                separators.append(Separator(number, term.coefficients, 0, against, 1))
            case Congruence(_, modulus):
                separators.append(Separator(number, term.coefficients, modulus, unit, 1))
    return separators
