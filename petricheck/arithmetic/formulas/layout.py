"""Formulas laid out in the notation of a language, with their atoms in natural form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.arithmetic.formulas.terms import Term

Relation = Literal["<=", ">=", "=", "!="]

Signs: TypeAlias = tuple[str, str, str]
"""The text before the operands, between two of them, and after them."""


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
        literal: writes an atom or the negation of a congruence.
        signs: the signs of "and" or "or", and whether it stands within the other connective.
        opposite: the text before and after an operand that is negated.
        true: the true formula.
        false: the false formula.
        for_people: whether literals are passed as leaves, and some neighbours joined into one.
    """

    literal: Callable[[Any], str]
    signs: Callable[[str, bool], Signs]
    opposite: tuple[str, str]
    true: str
    false: str
    for_people: bool = True


def laid_out(formula: Formula | Leaf, language: Language, around: str = "") -> str:
    """Return the formula as text, in time linear in its size, however deep it is.

    The connective that encloses it is `around`, "and" or "or"; "" for none.
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
                form = natural(literal) if language.for_people else literal
                pieces.append(language.literal(form))
    return "".join(pieces)


def natural(literal: Formula) -> Leaf:
    """Return the literal as a person would write it: `p >= q + 1`, not `-p + q + 1 <= 0`.

    The formula is an atom or the negation of a congruence.
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
    """Return the operands, with some neighbours joined into one comparison.

    In a disjunction these are `t < 0` and `t > 0`, which is `t != 0`; in a conjunction `t <= 0` and
    `t >= 0`, which is `t = 0`.
    """
    relation: Relation = "!=" if isinstance(formula, Disjunction) else "="
    gap = 2 if isinstance(formula, Disjunction) else 0
    parts: list[Leaf | Formula] = []
    for operand in formula.operands:
        match parts[-1:], operand:
            case [Inequality(left)], Inequality(right) if _are_opposite(left, right, gap):
                parts[-1] = _comparison(left - gap // 2, relation, relation)
            case _:
                parts.append(operand)
    return parts


def _are_opposite(left: Term, right: Term, gap: int) -> bool:
    """Return whether they are t + a and b − t with a + b = `gap`, t not constant."""
    if left.constant + right.constant != gap or not left.coefficients:
        return False
    return left.coefficients == tuple((name, -value) for name, value in right.coefficients)
