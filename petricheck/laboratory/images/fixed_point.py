"""Images by interpolants until they contain the next one.

Algorithm 2 of Beyer, Lee and Wendler (2022): from a set of markings, an interpolant of prefix and
suffix contains all that one block leads to, and nothing from which fewer than so many blocks lead
into the target. The interpolant is the next set. Where it is in the union of those before it, the
union is inductive; it excludes the target, since each of its sets does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.budget import Budget
from petricheck.laboratory.images.partition import Partition
from petricheck.presburger.formulas import (
    Conjunction,
    Formula,
    conjunction,
    disjunction,
    negate,
    variables,
)
from petricheck.presburger.solver import Model, Solver

Derivation: TypeAlias = Callable[[Formula, Formula], Formula]
"""An interpolant of prefix and suffix."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """An inductive formula over place ids that excludes the target.

    Attributes:
        formula: the union of the images, with the lemmas.
        images: how many interpolants it took.
    """

    formula: Formula
    images: int


@dataclass(frozen=True, slots=True)
class Alarm:
    """A run into the target from one of the images.

    Attributes:
        model: the run, from time 0.
        images: how many interpolants there were before; after none it is a run of the net.
    """

    model: Model
    images: int


def fixed_point(
    partition: Partition, length: int, derive: Derivation, budget: Budget
) -> Invariant | Alarm:
    """Images until one is in the union of those before it, or may lead into the target.

    Args:
        partition: the question.
        length: of the runs that the target is looked for in.
        derive: makes interpolants.
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
            return Invariant(_union(images, partition.lemmas, budget), len(images))
        images.append(image)


def _union(images: Sequence[Formula], lemmas: Sequence[Formula], budget: Budget) -> Formula:
    """All images, without those that the others contain, and the lemmas."""
    kept = list(images)
    for image in images:
        others = [other for other in kept if other is not image]
        if others and _contains(others, image, lemmas, budget):
            kept = others
    return conjunction([disjunction(kept), *lemmas])


def _contains(
    images: Sequence[Formula], image: Formula, lemmas: Sequence[Formula], budget: Budget
) -> bool:
    """Whether every marking of the image that satisfies the lemmas is in one of the others."""
    return _model((*lemmas, image, *map(negate, images)), budget) is None


def _model(parts: Sequence[Formula], budget: Budget) -> Model | None:
    """Natural numbers that satisfy all parts."""
    with Solver(budget, variables(Conjunction(tuple(parts)))) as solver:
        for part in parts:
            solver.add(part)
        return solver.check()
