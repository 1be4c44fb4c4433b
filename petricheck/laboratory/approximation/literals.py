"""Predicates before and after a step, and their negations, as numbers.

Predicate j holds before the step: 2·j + 1; it holds after the step: 2·j + 2. The negation has the
opposite sign. A clause is a disjunction of literals.
"""

from __future__ import annotations

from typing import TypeAlias

Literal: TypeAlias = int
"""As the module's docstring says; not 0."""

Clause: TypeAlias = tuple[Literal, ...]
"""Some of the literals hold."""

Cube: TypeAlias = tuple[Literal, ...]
"""All of the literals hold."""


def before(predicate: int, holds: bool) -> Literal:
    """Whether the predicate holds before the step."""
    return 2 * predicate + 1 if holds else -2 * predicate - 1


def after(predicate: int, holds: bool) -> Literal:
    """Whether the predicate holds after the step."""
    return 2 * predicate + 2 if holds else -2 * predicate - 2


def predicate_of(literal: Literal) -> int:
    """The predicate that the literal is about."""
    return (abs(literal) - 1) // 2


def is_after(literal: Literal) -> bool:
    """Whether the literal is about the state after the step."""
    return literal % 2 == 0
