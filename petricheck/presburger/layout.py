"""Formulas laid out in the signs of another language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)

Signs: TypeAlias = tuple[str, str, str]
"""What stands before the operands, between two of them, and after them."""


@dataclass(frozen=True)
class Language:
    """How formulas are written.

    Attributes:
        every: signs of a conjunction.
        some: signs of a disjunction.
        opposite: signs of a negation; nothing stands between.
        true: the true formula.
        false: the false formula.
        atom: writes what joins no other formulas.
    """

    every: Signs
    some: Signs
    opposite: Signs
    true: str
    false: str
    atom: Callable[[Inequality | Equality | Congruence], str]


def laid_out(formula: Formula, language: Language) -> str:
    """The formula, in time linear in its size."""
    pieces: list[str] = []
    pending: list[Formula | str] = [formula]
    while pending:
        match pending.pop():
            case str(piece):
                pieces.append(piece)
            case Conjunction(()):
                pieces.append(language.true)
            case Disjunction(()):
                pieces.append(language.false)
            case Conjunction((single,)) | Disjunction((single,)):
                pending.append(single)
            case Conjunction(operands):
                pending += reversed(_joined(operands, language.every))
            case Disjunction(operands):
                pending += reversed(_joined(operands, language.some))
            case Negation(operand):
                pending += reversed(_joined((operand,), language.opposite))
            case atom:
                pieces.append(language.atom(atom))
    return "".join(pieces)


def _joined(operands: tuple[Formula, ...], signs: Signs) -> list[Formula | str]:
    before, between, after = signs
    parts: list[Formula | str] = [before]
    for operand in operands:
        parts += [operand, between]
    parts[-1] = after
    return parts
