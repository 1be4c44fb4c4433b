"""Formulas laid out in the signs of a language, and how people would write their atoms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.presburger.terms import Term

Relation = Literal["<=", ">=", "=", "!="]

Signs: TypeAlias = tuple[str, str, str]
"""What stands before the operands, between two of them, and after them."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """An atom with its natural sides: `left relation right`, no negative coefficient in either."""

    left: Term
    relation: Relation
    right: Term


@dataclass(frozen=True, slots=True)
class Remainder:
    """A congruence with its natural sides: `left mod modulus relation residue`."""

    left: Term
    modulus: int
    relation: Relation
    residue: int


Leaf = Comparison | Remainder


@dataclass(frozen=True, slots=True)
class Language:
    """The notation of formulas.

    Attributes:
        literal: writes what joins no other formulas: an atom or the opposite of a congruence.
        signs: of "and" or "or", where it stands within the other one or not.
        opposite: what stands before and after an operand of which the opposite is meant.
        true: the true formula.
        false: the false formula.
        for_people: whether literals are given as leaves, some neighbours as one.
    """

    literal: Callable[[Any], str]
    signs: Callable[[str, bool], Signs]
    opposite: tuple[str, str]
    true: str
    false: str
    for_people: bool = True


def laid_out(formula: Formula | Leaf, language: Language, around: str = "") -> str:
    """The formula, operands in their order, in time linear in its size, however deep it is.

    Args:
        formula: the formula.
        language: how it is written.
        around: the connective that it stands in, "and" or "or".
    """
    pieces: list[str] = []
    pending: list[str | tuple[Formula | Leaf, str]] = [(formula, around)]
    while pending:
        match pending.pop():
            case str(piece):
                pieces.append(piece)
            case (Conjunction() | Disjunction() as joined, outer):
                word = "and" if isinstance(joined, Conjunction) else "or"
                parts = leaves(joined) if language.for_people else joined.operands
                if not parts:
                    pieces.append(language.true if word == "and" else language.false)
                elif len(parts) == 1:
                    pending.append((parts[0], outer))
                else:
                    before, between, after = language.signs(word, outer not in ("", word))
                    pieces.append(before)
                    pending.append(after)
                    for part in reversed(parts[1:]):
                        pending += [(part, word), between]
                    pending.append((parts[0], word))
            case (Negation(operand), _) if not isinstance(operand, Congruence):
                pending += [language.opposite[1], (operand, ""), language.opposite[0]]
            case (Comparison() | Remainder() as leaf, _):
                pieces.append(language.literal(leaf))
            case (literal, _):
                shown = natural(literal) if language.for_people else literal
                pieces.append(language.literal(shown))
    return "".join(pieces)


def natural(literal: Formula) -> Leaf:
    """The atom as a person would write it: `p >= q + 1`, not `-p + q + 1 <= 0`.

    The opposite of a congruence is one as well; of nothing else.
    """
    match literal:
        case Congruence(term, modulus) | Negation(Congruence(term, modulus)):
            relation: Relation = "=" if isinstance(literal, Congruence) else "!="
            free = Term(term.coefficients, 0)
            return Remainder(free, modulus, relation, -term.constant % modulus)
        case Equality(term):
            return _comparison(term, "=", "=")
        case Inequality(term):
            return _comparison(term, "<=", ">=")
        case _:
            raise AssertionError("not a literal")


def _comparison(term: Term, relation: Relation, turned: Relation) -> Comparison:
    positive = Term(tuple((n, v) for n, v in term.coefficients if v > 0), 0)
    negative = Term(tuple((n, -v) for n, v in term.coefficients if v < 0), 0)
    if not term.coefficients:
        return Comparison(term, relation, Term((), 0))
    if not negative.coefficients or (positive.coefficients and term.constant <= 0):
        return Comparison(positive, relation, negative - term.constant)
    return Comparison(negative, turned, positive + term.constant)


def leaves(formula: Conjunction | Disjunction) -> list[Leaf | Formula]:
    """The operands, with some neighbours read as one comparison.

    In a disjunction these are `t < 0` and `t > 0`, which is `t != 0`; in a conjunction `t <= 0` and
    `t >= 0`, which is `t = 0`.
    """
    relation: Relation = "!=" if isinstance(formula, Disjunction) else "="
    apart = 2 if isinstance(formula, Disjunction) else 0
    parts: list[Leaf | Formula] = []
    for operand in formula.operands:
        match parts[-1:], operand:
            case [Inequality(left)], Inequality(right) if _are_opposite(left, right, apart):
                parts[-1] = _comparison(left - apart // 2, relation, relation)
            case _:
                parts.append(operand)
    return parts


def _are_opposite(left: Term, right: Term, apart: int) -> bool:
    """Whether they are t + a and b − t with a + b = `apart`, t not constant."""
    if left.constant + right.constant != apart or not left.coefficients:
        return False
    return left.coefficients == tuple((name, -value) for name, value in right.coefficients)
