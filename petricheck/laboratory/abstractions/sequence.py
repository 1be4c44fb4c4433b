"""Sequences of interpolants, and their abstraction at chosen cuts.

Leroux, Rümmer, Subotić 2016, section 8.1. Cut i lies between A_i and A_{i+1}, counted from 1. An
n-ary abstraction (Def. 10) is made of binary ones, each applied at one cut: its T_A to the part
before the cut, its T_B to the part after. To be abstracted, a sequence may share symbols between
neighbouring parts only, which the paper recommends: then no two cuts have a symbol in common, a
part between two cuts can be abstracted from either side first, and copies do not clash.

Interpolant sequences come from quantifier elimination: forwards I_i is the strongest consequence of
I_{i-1} and A_i, backwards the weakest formula from which A_{i+1} leads to I_{i+1}.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from petricheck.budget import Budget
from petricheck.errors import InternalError
from petricheck.laboratory.abstractions.abstractions import (
    InterpolationAbstraction,
    refuse_stronger,
)
from petricheck.laboratory.abstractions.relations import Abstraction
from petricheck.laboratory.elimination import eliminate
from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Formula,
    Negation,
    conjunction,
    negate,
    variables,
)
from petricheck.presburger.solver import find_model, implies


@dataclass(frozen=True, slots=True)
class SequenceProblem:
    """A_1 ∧ … ∧ A_n, to be separated at every cut.

    Attributes:
        parts: the conjuncts.
        declared: cuts, with symbols that may be used there besides those both sides have.
    """

    parts: tuple[Formula, ...]
    declared: tuple[tuple[int, tuple[str, ...]], ...] = ()

    def common(self, cut: int) -> tuple[str, ...]:
        """The symbols that an interpolant at the cut may use, sorted."""
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

    points: tuple[tuple[int, Abstraction], ...]

    def apply(self, problem: SequenceProblem, *, seconds: float | None = None) -> SequenceProblem:
        """The abstract sequence; its interpolant sequences are some of the concrete problem's.

        Raises:
            BudgetExhausted: the solver gave up.
            ValueError: a cut does not exist, occurs twice, its parts share other symbols than
                the abstraction's, or an abstraction strengthens a part.
        """
        parts = list(problem.parts)
        cuts = [cut for cut, _ in self.points]
        if len(set(cuts)) < len(cuts) or not set(cuts) <= set(range(1, len(parts))):
            raise ValueError(f"{cuts} are not different cuts of {len(parts)} parts")
        for cut, abstraction in self.points:
            foreign = set(problem.common(cut)).symmetric_difference(abstraction.common)
            if foreign:
                raise ValueError(f"the symbol {min(foreign)!r} is not common at cut {cut}")
            functions = _transformations(abstraction)
            parts[cut - 1] = functions.transform_a(parts[cut - 1])
            parts[cut] = functions.transform_b(parts[cut])
        declared = tuple((cut, problem.common(cut)) for cut in range(1, len(parts)))
        abstract = SequenceProblem(tuple(parts), declared)
        _refuse_sharing(problem, abstract)
        for number in sorted(self._unrelated()):
            kept = {*problem.common(number), *problem.common(number + 1)}
            before, after = problem.parts[number], abstract.parts[number]
            refuse_stronger(f"part {number + 1}", before, after, kept, seconds)
        return abstract

    def _unrelated(self) -> set[int]:
        """The parts beside cuts where functions abstract, which need not be relations."""
        functions = (c for c, a in self.points if isinstance(a, InterpolationAbstraction))
        return {number for cut in functions for number in (cut - 1, cut)}


def is_sequence_solvable(problem: SequenceProblem, *, seconds: float | None = None) -> bool:
    """Whether an interpolant sequence exists, that is, whether the parts have no common model.

    Raises:
        BudgetExhausted: the solver gave up.
    """
    return find_model(Conjunction(problem.parts), seconds=seconds) is None


def is_interpolant_sequence(
    problem: SequenceProblem, interpolants: Sequence[Formula], *, seconds: float | None = None
) -> bool:
    """Whether I_0, …, I_n is an interpolant sequence, by the definition.

    `true` and `false` at the ends may be any equivalent formula without symbols. The limit of
    `seconds` is for all questions to the solver together.

    Raises:
        BudgetExhausted: the solver gave up.
    """
    parts = problem.parts
    if len(interpolants) != len(parts) + 1:
        return False
    allowed = [(), *(problem.common(cut) for cut in range(1, len(parts))), ()]
    if any(
        not set(variables(interpolant)) <= set(names)
        for interpolant, names in zip(interpolants, allowed, strict=True)
    ):
        return False
    steps = zip(parts, pairwise(interpolants), strict=True)
    pairs = (
        (TRUE, interpolants[0]),
        (interpolants[-1], FALSE),
        *((Conjunction((before, part)), after) for part, (before, after) in steps),
    )
    budget = Budget(seconds)
    return all(implies(before, after, seconds=budget.remaining) for before, after in pairs)


def strongest_sequence(
    problem: SequenceProblem, *, seconds: float | None = None
) -> tuple[Formula, ...]:
    """The interpolant sequence whose members imply those of every other.

    The limit of `seconds` is for all questions to the solver together.

    Raises:
        BudgetExhausted: the solver gave up.
        ValueError: the problem has no interpolant sequence.
    """
    budget = Budget(seconds)
    interpolants: list[Formula] = [TRUE]
    for cut, part in enumerate(problem.parts[:-1], start=1):
        known = conjunction([interpolants[-1], part])
        interpolants.append(_keep(problem.common(cut), known, budget))
    return _checked(problem, (*interpolants, FALSE), budget)


def weakest_sequence(
    problem: SequenceProblem, *, seconds: float | None = None
) -> tuple[Formula, ...]:
    """The interpolant sequence whose members every other's imply, as `strongest_sequence`."""
    budget = Budget(seconds)
    interpolants: list[Formula] = [FALSE]
    for cut in range(len(problem.parts) - 1, 0, -1):
        bad = conjunction([problem.parts[cut], Negation(interpolants[0])])
        interpolants.insert(0, negate(_keep(problem.common(cut), bad, budget)))
    return _checked(problem, (TRUE, *interpolants), budget)


def _refuse_sharing(problem: SequenceProblem, abstract: SequenceProblem) -> None:
    """Only neighbours may share symbols, and abstraction must not add to what they share."""
    seen: set[str] = set()
    for cut in range(1, len(problem.parts)):
        allowed = set(problem.common(cut))
        if seen & allowed:
            name = min(seen & allowed)
            raise ValueError(f"the symbol {name!r} is shared by parts that are no neighbours")
        added = set(abstract.common(cut)) - allowed
        if added:
            raise ValueError(f"the abstraction makes the symbol {min(added)!r} common at cut {cut}")
        seen |= allowed


def _keep(names: tuple[str, ...], formula: Formula, budget: Budget) -> Formula:
    """The strongest consequence of the formula over these symbols."""
    dropped = sorted(set(variables(formula)).difference(names))
    return eliminate(dropped, formula, seconds=budget.remaining)


def _checked(
    problem: SequenceProblem, found: tuple[Formula, ...], budget: Budget
) -> tuple[Formula, ...]:
    if is_interpolant_sequence(problem, found, seconds=budget.remaining):
        return found
    if is_sequence_solvable(problem, seconds=budget.remaining):
        raise InternalError("quantifier elimination returned no sequence of interpolants")
    raise ValueError("the sequence has no interpolants: its parts share a model")


def _transformations(abstraction: Abstraction) -> InterpolationAbstraction:
    match abstraction:
        case InterpolationAbstraction():
            return abstraction
        case _:
            return abstraction.transformations()
