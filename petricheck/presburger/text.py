r"""Formulas as text, in the syntax that questions are asked in.

A variable is printed bare where it is an identifier (letters, digits, `_` and `.`, not beginning
with a digit or a dot) and no keyword; otherwise in double quotes, where `\"` stands for a quote
and `\\` for a backslash. Atoms are turned so that both sides have positive coefficients.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from petricheck.presburger.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.presburger.terms import Term
from petricheck.words import natural_key

BARE_NAME = r"[^\W\d][\w.]*"
"""Regular expression of the names that need no quotes, keywords aside."""

KEYWORDS = frozenset({"and", "or", "not", "mod", "true", "false"})
"""Words of the syntax; a variable of that name is quoted."""

Relation = Literal["<=", ">=", "=", "!="]


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


def to_text(formula: Formula | Leaf) -> str:
    """The formula on one line; reading it back gives an equivalent formula.

    Works on formulas of any width and depth, in time linear in what is printed but for the sorting
    of names within terms.
    """
    return written(formula, _SYMBOLS)


def parts_to_text(formula: Conjunction | Disjunction) -> list[str]:
    """What `to_text` joins: operands, some neighbours as one, in parentheses where they need them.

    Without operands there are none, and a single one is in no parentheses.
    """
    parts = leaves(formula)
    word = "and" if isinstance(formula, Conjunction) else "or"
    return [written(part, _SYMBOLS, word if len(parts) > 1 else "") for part in parts]


@dataclass(frozen=True, slots=True)
class Symbols:
    """How formulas are written for people.

    Attributes:
        leaf: writes what joins no other formulas.
        signs: what stands before, between and after operands, of "and" or "or", in parentheses or
            not.
        opposite: what stands before and after an operand of which the opposite is meant.
        empty: without operands, of "and" and "or".
    """

    leaf: Callable[[Leaf], str]
    signs: Callable[[str, bool], tuple[str, str, str]]
    opposite: tuple[str, str]
    empty: Mapping[str, str]


def written(formula: Formula | Leaf, symbols: Symbols, around: str = "") -> str:
    """The formula in these symbols, operands in their order, however deep it is.

    Args:
        formula: the formula.
        symbols: of the language.
        around: the connective that it stands in, "and" or "or".
    """
    pieces: list[str] = []
    pending: list[str | _Slot] = [_Slot(formula, around)]
    while pending:
        match pending.pop():
            case str(piece):
                pieces.append(piece)
            case _Slot(inner, outer):
                pending.extend(reversed(_layout(inner, outer, symbols)))
    return "".join(pieces)


def _scaled(name: str, factor: int) -> str:
    shown = name_to_text(name)
    return shown if factor == 1 else f"{factor}*{shown}"


def term_to_text(
    term: Term,
    scaled: Callable[[str, int], str] = _scaled,
    number: Callable[[int], str] = str,
    minus: str = "-",
) -> str:
    """The term, variables in natural order and the constant last: `p2 + 2*p10 - 3`.

    Args:
        term: the term.
        scaled: writes a variable, by its name, times a positive factor.
        number: writes the constant without its sign.
        minus: the sign.
    """
    pieces = [(value, scaled(name, abs(value))) for name, value in in_natural_order(term)]
    if term.constant or not pieces:
        pieces.append((term.constant, number(abs(term.constant))))
    (first, head), *others = pieces
    tail = (f" {minus if value < 0 else '+'} {text}" for value, text in others)
    return "".join([minus if first < 0 else "", head, *tail])


def in_natural_order(term: Term) -> list[tuple[str, int]]:
    """The coefficients, p2 before p10."""
    return sorted(term.coefficients, key=lambda pair: natural_key(pair[0]))


def name_to_text(name: str) -> str:
    """The variable's name, quoted where it has to be."""
    if re.fullmatch(BARE_NAME, name) and name not in KEYWORDS:
        return name
    return quoted_name(name)


def quoted_name(name: str) -> str:
    """The name in double quotes."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def natural(atom: Atom) -> Leaf:
    """The atom as a person would write it: `p >= q + 1`, not `-p + q + 1 <= 0`."""
    positive = Term(tuple((n, v) for n, v in atom.term.coefficients if v > 0), 0)
    negative = Term(tuple((n, -v) for n, v in atom.term.coefficients if v < 0), 0)
    constant = atom.term.constant
    if isinstance(atom, Congruence):
        free = Term(atom.term.coefficients, 0)
        return Remainder(free, atom.modulus, "=", -constant % atom.modulus)
    relations: tuple[Relation, Relation] = (
        ("=", "=") if isinstance(atom, Equality) else ("<=", ">=")
    )
    if not positive.coefficients and not negative.coefficients:
        return Comparison(Term((), constant), relations[0], Term((), 0))
    if not negative.coefficients or (positive.coefficients and constant <= 0):
        return Comparison(positive, relations[0], negative - constant)
    return Comparison(negative, relations[1], positive + constant)


def leaves(formula: Conjunction | Disjunction) -> list[Leaf | Formula]:
    """The operands, with some neighbours read as one comparison.

    In a disjunction these are `t < 0` and `t > 0`, which is `t != 0`; in a conjunction `t <= 0` and
    `t >= 0`, which is `t = 0`.
    """
    relation: Relation = "!=" if isinstance(formula, Disjunction) else "="
    apart = 2 if isinstance(formula, Disjunction) else 0
    found: list[Leaf | Formula] = []
    previous: Formula | None = None
    for operand in formula.operands:
        if previous is not None and _opposite(previous, operand, apart):
            assert isinstance(previous, Inequality)
            sides = natural(Equality(previous.term - apart // 2))
            assert isinstance(sides, Comparison)
            found[-1] = Comparison(sides.left, relation, sides.right)
            previous = None
        else:
            found.append(operand)
            previous = operand
    return found


def _negated(remainder: Remainder) -> Remainder:
    """The opposite of a congruence."""
    return Remainder(remainder.left, remainder.modulus, "!=", remainder.residue)


def _opposite(first: Formula, second: Formula, apart: int) -> bool:
    """Whether the two say t + a ≤ 0 and b − t ≤ 0 with a + b = `apart`, t not constant."""
    if not isinstance(first, Inequality) or not isinstance(second, Inequality):
        return False
    left, right = first.term, second.term
    if left.constant + right.constant != apart or not left.coefficients:
        return False
    return left.coefficients == tuple((name, -value) for name, value in right.coefficients)


@dataclass(frozen=True, slots=True)
class _Slot:
    """A part yet to be printed, and the connective around it ("" for none)."""

    formula: Formula | Leaf
    around: str


def _layout(formula: Formula | Leaf, around: str, symbols: Symbols) -> list[str | _Slot]:
    """The formula as text and parts that are still to be printed, from left to right."""
    match formula:
        case Comparison() | Remainder():
            return [symbols.leaf(formula)]
        case Inequality() | Equality() | Congruence():
            return [symbols.leaf(natural(formula))]
        case Negation(Congruence() as operand):
            remainder = natural(operand)
            assert isinstance(remainder, Remainder)
            return [symbols.leaf(_negated(remainder))]
        case Negation(operand):
            before, after = symbols.opposite
            return [before, _Slot(operand, ""), after]
        case Conjunction() | Disjunction():
            word = "and" if isinstance(formula, Conjunction) else "or"
            return _joined(leaves(formula), word, around, symbols)


def _joined(
    parts: list[Leaf | Formula], word: str, around: str, symbols: Symbols
) -> list[str | _Slot]:
    if not parts:
        return [symbols.empty[word]]
    if len(parts) == 1:
        return [_Slot(parts[0], around)]
    before, between, after = symbols.signs(word, around not in ("", word))
    layout: list[str | _Slot] = [before]
    for part in parts:
        layout += [_Slot(part, word), between]
    return [*layout[:-1], after]


def _leaf_text(leaf: Leaf) -> str:
    match leaf:
        case Comparison(left, relation, right):
            return f"{term_to_text(left)} {relation} {term_to_text(right)}"
        case Remainder(left, modulus, relation, residue):
            text = term_to_text(left)
            plain = len(left.coefficients) == 1 and left.coefficients[0][1] == 1
            shown = text if plain or not left.coefficients else f"({text})"
            return f"{shown} mod {modulus} {relation} {residue}"


def _signs(word: str, enclosed: bool) -> tuple[str, str, str]:
    return ("(", f" {word} ", ")") if enclosed else ("", f" {word} ", "")


_SYMBOLS = Symbols(_leaf_text, _signs, ("not (", ")"), {"and": "true", "or": "false"})
