"""Images by interpolants, computed until the next one adds no marking.

Algorithm 2 of Beyer, Lee and Wendler (2022). From a set of markings, an interpolant of prefix and
suffix contains all markings after one block, and none from which fewer than `length` blocks lead
into the target. The interpolant is the next set. Where it is in the union of the sets before it,
the union is inductive; it excludes the target, since each of its sets does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Formula,
    at_least,
    conjunction,
    disjunction,
    negate,
    variables,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.solver import Model, Solver
from petricheck.laboratory import prover
from petricheck.laboratory.cubes.boolean import interpolant
from petricheck.laboratory.images.partition import BlockPartition
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

Derivation: TypeAlias = Callable[[Formula, Formula], Formula]
"""Makes an interpolant of two contradicting formulas over natural numbers."""


@dataclass(frozen=True, slots=True)
class ImageInvariant:
    """The union of the images, with the lemmas: inductive, over place ids, without the target.

    Attributes:
        formula: the union.
        images: number of images.
    """

    formula: Formula
    images: int


@dataclass(frozen=True, slots=True)
class Alarm:
    """A run into the target that begins, at time 0, in an image.

    Attributes:
        model: values of the run.
        images: number of images computed; the run begins in the last. With 0 it is a run of the
            net.
    """

    model: Model
    images: int


def fixed_point(
    partition: BlockPartition, length: int, derive: Derivation, budget: Budget
) -> ImageInvariant | Alarm:
    """Compute images until one is in the union of those before it, or may lead into the target.

    Args:
        partition: the question.
        length: largest number of blocks of runs into the target.
        derive: makes an interpolant of prefix and suffix.
        budget: limits.

    Raises:
        BudgetExhausted: a limit is reached, or a solver gave up.
    """
    images = [partition.initial]
    suffix = partition.suffix(length)
    while True:
        prefix = partition.prefix(images[-1])
        model = _model((prefix, suffix), budget)
        if model is not None:
            return Alarm(model, len(images) - 1)
        image = partition.over_places(derive(prefix, suffix))
        if _contains(images, image, partition.lemmas, budget):
            return ImageInvariant(_union(images, partition.lemmas, budget), len(images))
        images.append(image)


def from_cubes(partition: BlockPartition, budget: Budget) -> Derivation:
    """Return the derivation by linear programs for pairs of cubes."""
    return lambda first, second: interpolant(first, second, partition.shared, budget)


def from_proofs(budget: Budget) -> Derivation:
    """Return the derivation from the interpolating prover's proof that the two are contradictory.

    It raises BudgetExhausted where the prover gives up.
    """

    def derive(first: Formula, second: Formula) -> Formula:
        parts = (Conjunction((part, *_natural(part))) for part in (first, second))
        match prover.interpolate(*parts, budget=budget):
            case prover.Interpolated(interpolants):
                return interpolants[0]
            case result:
                budget.check()
                raise BudgetExhausted(f"the prover gave up: {result}")

    return derive


def _natural(formula: Formula) -> tuple[Formula, ...]:
    return tuple(at_least(variable(name), 0) for name in variables(formula))


def _union(images: Sequence[Formula], lemmas: Sequence[Formula], budget: Budget) -> Formula:
    """Return the union of the images, without those that the others contain, and the lemmas."""
    maximal = list(images)
    for image in images:
        others = [other for other in maximal if other is not image]
        if others and _contains(others, image, lemmas, budget):
            maximal = others
    return conjunction([disjunction(maximal), *lemmas])


def _contains(
    images: Sequence[Formula], image: Formula, lemmas: Sequence[Formula], budget: Budget
) -> bool:
    """Return whether each marking of the image that satisfies the lemmas is in another image."""
    return _model((*lemmas, image, *map(negate, images)), budget) is None


def _model(parts: Sequence[Formula], budget: Budget) -> Model | None:
    """Return natural numbers that satisfy all parts, or None."""
    with Solver(budget, variables(Conjunction(tuple(parts)))) as solver:
        for part in parts:
            solver.add(part)
        return solver.check()
