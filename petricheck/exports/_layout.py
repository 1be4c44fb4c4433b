"""Formulas without remainders, laid out in the signs of another language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.errors import InputError
from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
)
from petricheck.presburger.text import Comparison, natural

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
        comparison: writes an atom, whose sides have no negative coefficients.
    """

    every: Signs
    some: Signs
    opposite: Signs
    true: str
    false: str
    comparison: Callable[[Comparison], str]


def laid_out(formula: Formula, language: Language) -> str:
    """The formula, in time linear in its size.

    Raises:
        InputError: it asks for a remainder, which these languages do not have.
    """
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
            case Congruence():
                raise InputError(
                    "the question asks for a remainder (mod), which this format cannot hold"
                )
            case atom:
                sides = natural(atom)
                assert isinstance(sides, Comparison)
                pieces.append(language.comparison(sides))
    return "".join(pieces)


def _joined(operands: tuple[Formula, ...], signs: Signs) -> list[Formula | str]:
    before, between, after = signs
    parts: list[Formula | str] = [before]
    for operand in operands:
        parts += [operand, between]
    parts[-1] = after
    return parts
