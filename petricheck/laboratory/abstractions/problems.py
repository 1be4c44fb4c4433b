"""Interpolation problems between two Presburger formulas, and their extreme interpolants.

Leroux, Rümmer, Subotić 2016, sections 3.1 and 4.2. An interpolant of A and B follows from A,
contradicts B, and uses common symbols only. Presburger arithmetic eliminates quantifiers, so that
a solvable problem has a strongest interpolant, ∃ locals of A. A, and a weakest one,
¬∃ locals of B. B; the interpolants are the formulas over the common symbols between the two.
Applied to an abstract problem this gives the interpolants of Lemmas 4 and 7. Computed interpolants
are checked against the definition before they are returned.
"""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.errors import InternalError
from petricheck.laboratory.elimination import eliminate
from petricheck.presburger.formulas import Conjunction, Formula, Negation, negate, variables
from petricheck.presburger.solver import find_model, implies


@dataclass(frozen=True, slots=True)
class InterpolationProblem:
    """A ∧ B, to be separated by a formula over common symbols.

    Attributes:
        a: the formula A that implies an interpolant.
        b: the formula B that contradicts it.
        declared: symbols that interpolants may use besides those that occur in both formulas.
    """

    a: Formula
    b: Formula
    declared: tuple[str, ...] = ()

    @property
    def common(self) -> tuple[str, ...]:
        """The symbols that an interpolant may use, sorted."""
        shared = set(variables(self.a)) & set(variables(self.b))
        return tuple(sorted(shared.union(self.declared)))

    @property
    def locals_a(self) -> tuple[str, ...]:
        """The symbols of A that are not common, sorted."""
        return tuple(sorted(set(variables(self.a)).difference(self.common)))

    @property
    def locals_b(self) -> tuple[str, ...]:
        """The symbols of B that are not common, sorted."""
        return tuple(sorted(set(variables(self.b)).difference(self.common)))


def is_solvable(problem: InterpolationProblem, *, seconds: float | None = None) -> bool:
    """Whether an interpolant exists, that is, whether A ∧ B has no model.

    Raises:
        BudgetExhausted: the solver gave up.
    """
    return find_model(Conjunction((problem.a, problem.b)), seconds=seconds) is None


def is_interpolant(
    problem: InterpolationProblem, formula: Formula, *, seconds: float | None = None
) -> bool:
    """Whether the formula is an interpolant, by the definition of section 3.1.

    Raises:
        BudgetExhausted: the solver gave up.
    """
    return (
        set(variables(formula)) <= set(problem.common)
        and implies(problem.a, formula, seconds=seconds)
        and implies(problem.b, Negation(formula), seconds=seconds)
    )


def strongest_interpolant(
    problem: InterpolationProblem, *, seconds: float | None = None
) -> Formula:
    """The interpolant that implies every other: A without its local symbols.

    Raises:
        BudgetExhausted: the solver gave up.
        ValueError: the problem has no interpolant.
    """
    found = eliminate(problem.locals_a, problem.a, seconds=seconds)
    return _checked(problem, found, seconds)


def weakest_interpolant(problem: InterpolationProblem, *, seconds: float | None = None) -> Formula:
    """The interpolant that every other implies: the negation of B without its local symbols.

    Raises:
        BudgetExhausted: the solver gave up.
        ValueError: the problem has no interpolant.
    """
    found = negate(eliminate(problem.locals_b, problem.b, seconds=seconds))
    return _checked(problem, found, seconds)


def _checked(problem: InterpolationProblem, found: Formula, seconds: float | None) -> Formula:
    if is_interpolant(problem, found, seconds=seconds):
        return found
    if is_solvable(problem, seconds=seconds):
        raise InternalError("quantifier elimination returned a formula that is no interpolant")
    raise ValueError("the interpolation problem has no interpolant: its formulas share a model")
