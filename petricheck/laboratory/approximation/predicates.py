"""Predicates before and after a step, and their negations, as numbers.

Predicate j holds before the step: 2·j + 1; it holds after the step: 2·j + 2. The negation has the
opposite sign. A clause is a disjunction of literals, a cube a conjunction.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula, congruent, tighten
from petricheck.engines.abstraction.domain import Predicate
from petricheck.model.net import Net
from petricheck.symbolic.linear import HalfSpace, ModularDirection, products, term_of, value_at

Literal: TypeAlias = int
"""The number of a literal, as described above; not 0."""

Clause: TypeAlias = tuple[Literal, ...]
Cube: TypeAlias = tuple[Literal, ...]

RESIDUES = 64
"""Limit of values of a residue that have a predicate of their own."""


def before(predicate: int, holds: bool) -> Literal:
    """Return the literal: the predicate holds before the step, or does not."""
    return 2 * predicate + 1 if holds else -2 * predicate - 1


def after(predicate: int, holds: bool) -> Literal:
    """Return the literal: the predicate holds after the step, or does not."""
    return 2 * predicate + 2 if holds else -2 * predicate - 2


def predicate_of(literal: Literal) -> int:
    """Return the number of the literal's predicate."""
    return (abs(literal) - 1) // 2


def is_after(literal: Literal) -> bool:
    """Return whether the literal is about the state after the step."""
    return literal % 2 == 0


def atoms_of(net: Net, predicate: Predicate) -> Iterator[Formula]:
    """Yield the predicate's atoms; of a residue one for each possible value, up to `RESIDUES`."""
    match predicate:
        case HalfSpace(direction):
            if direction:  # a guide may pad a sequence with 0 ≤ b
                yield predicate.inequality(net)
        case ModularDirection(direction, modulus):
            changes = products(direction, (t.effect for t in net.transitions))
            step = gcd(modulus, *changes)
            first = value_at(direction, net.initial)
            for residue in range(first, first + modulus, step)[:RESIDUES]:
                yield tighten(congruent(term_of(net, direction), residue, modulus))
