"""Formulas typeset in HTML; every name in them is text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    atoms,
)
from petricheck.presburger.shown import shown_formula
from petricheck.presburger.terms import Term
from petricheck.presburger.text import (
    Comparison,
    Leaf,
    Remainder,
    in_natural_order,
    leaves,
    natural,
    negated,
)
from petricheck.words import number_text, printable

TYPESET = 4_000
"""Summands and bounds of the longest formulas that are typeset; of longer ones the text is cut."""

LETTERS = 2_000
"""Letters of the text of what is not typeset."""

DIGITS = 40
"""Of longer numbers the first and the last digits are shown."""

_SIGNS = {"<=": "≤", ">=": "≥", "=": "=", "!=": "≠"}


def formula_html(formula: Formula | Leaf) -> str:
    """The formula."""
    try:
        long = isinstance(formula, Formula) and _length(formula) > TYPESET
        return _code(formula) if long else _typeset(formula, inner=False)
    except RecursionError:
        return _code(formula)


def name_html(name: str) -> str:
    """An id: a letter with its number, or in letters of one width."""
    if split := re.fullmatch(r"([A-Za-z])_?([0-9]+)", name):
        return f"<var>{split[1]}<sub>{split[2]}</sub></var>"
    return f'<span class="ids">{escape(printable(name))}</span>'


def number_html(value: int) -> str:
    """An integer, shortened where it is long."""
    text = number_text(abs(value))
    if len(text) > DIGITS:
        text = f"{text[:12]}…{text[-6:]} ({len(text)} digits)"
    return f"−{text}" if value < 0 else text


def term_html(term: Term) -> str:
    """The term, variables in natural order and the constant last."""
    pieces = [(n, _scaled(abs(n), name_html(name))) for name, n in in_natural_order(term)]
    if term.constant or not pieces:
        pieces.append((term.constant, number_html(abs(term.constant))))
    (first, head), *others = pieces
    tail = (f" {'−' if value < 0 else '+'} {text}" for value, text in others)
    return "".join(("−" if first < 0 else "", head, *tail))


def _scaled(factor: int, name: str) -> str:
    return name if factor == 1 else f"{number_html(factor)}\u202f{name}"


def _length(formula: Formula) -> int:
    return sum(len(atom.term.coefficients) + 1 for atom in atoms(formula))


def _code(formula: Formula | Leaf) -> str:
    text = shown_formula(formula)
    return f"<code>{escape(text if len(text) <= LETTERS else f'{text[:LETTERS]} …')}</code>"


def _typeset(formula: Formula | Leaf, inner: bool) -> str:
    match formula:
        case Comparison(left, relation, right):
            return _atom(f"{term_html(left)} {_SIGNS[relation]} {term_html(right)}")
        case Remainder(left, modulus, relation, residue):
            sign = "≡" if relation == "=" else "≢"
            of = f"{sign} {number_html(residue)} (mod {number_html(modulus)})"
            return _atom(f"{term_html(left)} {of}")
        case Inequality() | Equality() | Congruence():
            return _typeset(natural(formula), inner)
        case Negation(Congruence() as operand):
            remainder = natural(operand)
            assert isinstance(remainder, Remainder)
            return _typeset(negated(remainder), inner)
        case Negation(operand):
            return f"¬ ({_typeset(operand, inner=False)})"
        case Conjunction() | Disjunction():
            return _joined(formula, inner)


def _atom(inside: str) -> str:
    return f'<span class="atom">{inside}</span>'


def _joined(formula: Conjunction | Disjunction, inner: bool) -> str:
    kind, sign, empty = ("and", "∧", "⊤") if isinstance(formula, Conjunction) else ("or", "∨", "⊥")
    parts = leaves(formula)
    match parts:
        case []:
            return _atom(empty)
        case [single]:
            return _typeset(single, inner)
    body = "".join(_operands(parts, sign))
    return f'<span class="{kind}">{f"({body})" if inner else body}</span>'


def _operands(parts: list[Leaf | Formula], sign: str) -> Iterator[str]:
    for number, part in enumerate(parts):
        before = f'<span class="sign"> {sign} </span>' if number else ""
        yield f'<span class="operand">{before}{_typeset(part, inner=True)}</span>'
