"""Interpolation problems, their abstraction at chosen cuts, and their extreme interpolants.

Leroux, Rümmer, Subotić 2016, sections 3.1, 4.2 and 8.1. A problem is a sequence of formulas; cut i
lies between A_i and A_{i+1}, counted from 1, and a problem of two formulas has one. An n-ary
abstraction (Def. 10) consists of binary ones, each applied at one cut: its T_A to the part before
the cut, its T_B to the part after. An abstracted sequence may share symbols between neighbouring
parts only, as the paper recommends. Then no two cuts have a symbol in common, a part between two
cuts can be abstracted from either side first, and copies do not clash.

Presburger arithmetic has quantifier elimination, so that there are extreme interpolants (Lemmas 4
and 7): forwards I_i is the strongest consequence of I_{i-1} and A_i, backwards the weakest formula
from which A_{i+1} leads to I_{i+1}. They are checked against the definition before they are
returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Formula,
    Negation,
    conjunction,
    negate,
    variables,
)
from petricheck.arithmetic.solvers.solver import find_model, implies
from petricheck.laboratory.abstractions.relations import RelationAbstraction, refuse_marks
from petricheck.laboratory.elimination import eliminate
from petricheck.support.budget import Budget
from petricheck.support.errors import InternalError


@dataclass(frozen=True, slots=True)
class SequenceProblem:
    """A_1 ∧ … ∧ A_n, for which an interpolant is needed at every cut.

    Attributes:
        parts: the conjuncts.
        declared: cuts, with symbols that interpolants there may use besides the common ones.
    """

    parts: tuple[Formula, ...]
    declared: tuple[tuple[int, tuple[str, ...]], ...] = ()

    def common(self, cut: int) -> tuple[str, ...]:
        """Return the symbols that an interpolant at the cut may use, sorted."""
        before = {name for part in self.parts[:cut] for name in variables(part)}
        after = {name for part in self.parts[cut:] for name in variables(part)}
        declared = (names for place, names in self.declared if place == cut)
        return tuple(sorted((before & after).union(*declared)))


@dataclass(frozen=True, slots=True)
class SequenceAbstraction:
    """Binary abstractions at some cuts; the identity at the others (Def. 10).

    Attributes:
        points: cuts, from 1 and each at most once, with the abstraction over its symbols.
    """

    points: tuple[tuple[int, RelationAbstraction], ...]

    def apply(self, problem: SequenceProblem) -> SequenceProblem:
        """Return the abstract sequence; its interpolants are interpolants of the concrete one.

        Raises:
            ValueError: a cut does not exist, occurs twice, its parts share other symbols than the
                abstraction's, or a symbol has a mark.
        """
        parts = list(problem.parts)
        cuts = [cut for cut, _ in self.points]
        if len(set(cuts)) < len(cuts) or not set(cuts) <= set(range(1, len(parts))):
            raise ValueError(f"{cuts} are not different cuts of {len(parts)} parts")
        _refuse_distant_sharing(problem)
        for part in parts:
            refuse_marks(variables(part))
        for cut, abstraction in self.points:
            foreign = set(problem.common(cut)).symmetric_difference(abstraction.common)
            if foreign:
                raise ValueError(f"the symbol {min(foreign)!r} is not common at cut {cut}")
            parts[cut - 1] = abstraction.of_a(parts[cut - 1])
            parts[cut] = abstraction.of_b(parts[cut])
        declared = tuple((cut, problem.common(cut)) for cut in range(1, len(parts)))
        return SequenceProblem(tuple(parts), declared)


def is_solvable(problem: SequenceProblem, budget: Budget | None = None) -> bool:
    """Return whether interpolants exist, that is, whether the parts have no common model.

    Raises:
        BudgetExhausted: the solver gave up.
    """
    return find_model(Conjunction(problem.parts), budget=budget) is None


def are_interpolants(
    problem: SequenceProblem, interpolants: Sequence[Formula], budget: Budget | None = None
) -> bool:
    """Return whether they are interpolants by the definition, one for each cut.

    Raises:
        BudgetExhausted: the solver gave up.
    """
    if len(interpolants) != len(problem.parts) - 1:
        return False
    for cut, interpolant in enumerate(interpolants, start=1):
        if not set(variables(interpolant)) <= set(problem.common(cut)):
            return False
    steps = zip(problem.parts, pairwise((TRUE, *interpolants, FALSE)), strict=True)
    return all(
        implies(Conjunction((before, part)), after, budget=budget)
        for part, (before, after) in steps
    )


def strongest(problem: SequenceProblem, budget: Budget | None = None) -> tuple[Formula, ...]:
    """Return the interpolants that imply those of every other sequence, one for each cut.

    Raises:
        BudgetExhausted: the solver gave up.
        ValueError: the problem has no interpolants.
    """
    limit = budget or Budget()
    interpolants: list[Formula] = [TRUE]
    for cut, part in enumerate(problem.parts[:-1], start=1):
        consequence = conjunction([interpolants[-1], part])
        interpolants.append(_project(problem, cut, consequence, limit))
    return _checked(problem, tuple(interpolants[1:]), limit)


def weakest(problem: SequenceProblem, budget: Budget | None = None) -> tuple[Formula, ...]:
    """Return the interpolants that those of every other sequence imply, as `strongest`."""
    limit = budget or Budget()
    interpolants: list[Formula] = [FALSE]
    for cut in range(len(problem.parts) - 1, 0, -1):
        violations = conjunction([problem.parts[cut], Negation(interpolants[0])])
        interpolants.insert(0, negate(_project(problem, cut, violations, limit)))
    return _checked(problem, tuple(interpolants[:-1]), limit)


def _refuse_distant_sharing(problem: SequenceProblem) -> None:
    earlier: set[str] = set()
    for cut in range(1, len(problem.parts)):
        shared = set(problem.common(cut))
        if earlier & shared:
            name = min(earlier & shared)
            raise ValueError(f"the symbol {name!r} is shared by parts that are no neighbours")
        earlier |= shared


def _project(problem: SequenceProblem, cut: int, formula: Formula, budget: Budget) -> Formula:
    """Return the strongest consequence of the formula over the symbols of the cut."""
    local = sorted(set(variables(formula)).difference(problem.common(cut)))
    return eliminate(local, formula, budget)


def _checked(
    problem: SequenceProblem, interpolants: tuple[Formula, ...], budget: Budget
) -> tuple[Formula, ...]:
    if are_interpolants(problem, interpolants, budget):
        return interpolants
    if is_solvable(problem, budget):
        raise InternalError("quantifier elimination returned no interpolants")
    raise ValueError("there are no interpolants: the parts share a model")
