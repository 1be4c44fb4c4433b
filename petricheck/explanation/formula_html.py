"""Formulas typeset in HTML; every name in them is text."""

from __future__ import annotations

import re
from html import escape

from petricheck.presburger.formulas import Formula, atoms
from petricheck.presburger.shown import shown_formula
from petricheck.presburger.terms import Term
from petricheck.presburger.text import (
    Comparison,
    Leaf,
    Remainder,
    Symbols,
    term_to_text,
    written,
)
from petricheck.words import number_text, printable

TYPESET = 4_000
"""Summands and bounds of the longest formulas that are typeset; of longer ones the text is cut."""

LETTERS = 2_000
"""Letters of the text of what is not typeset."""

DIGITS = 40
"""Of longer numbers the first and the last digits are shown."""

_RELATIONS = {"<=": "≤", ">=": "≥", "=": "=", "!=": "≠"}


def formula_html(formula: Formula | Leaf) -> str:
    """The formula."""
    if isinstance(formula, Formula) and length(formula) > TYPESET:
        text = shown_formula(formula)
        return f"<code>{escape(text if len(text) <= LETTERS else f'{text[:LETTERS]} …')}</code>"
    return written(formula, _SYMBOLS)


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
    return term_to_text(term, _scaled, number_html, "−")


def _scaled(name: str, factor: int) -> str:
    shown = name_html(name)
    return shown if factor == 1 else f"{number_html(factor)}\u202f{shown}"


def length(formula: Formula) -> int:
    """How many summands and bounds the formula has."""
    return sum(len(atom.term.coefficients) + 1 for atom in atoms(formula))


def _leaf(leaf: Leaf) -> str:
    match leaf:
        case Comparison(left, relation, right):
            return _atom(f"{term_html(left)} {_RELATIONS[relation]} {term_html(right)}")
        case Remainder(left, modulus, relation, residue):
            sign = "≡" if relation == "=" else "≢"
            of = f"{sign} {number_html(residue)} (mod {number_html(modulus)})"
            return _atom(f"{term_html(left)} {of}")


def _atom(inside: str) -> str:
    return f'<span class="atom">{inside}</span>'


def _signs(word: str, enclosed: bool) -> tuple[str, str, str]:
    sign, operand = "∧" if word == "and" else "∨", '<span class="operand">'
    before, after = "()" if enclosed else ("", "")
    return (
        f'<span class="{word}">{before}{operand}',
        f'</span>{operand}<span class="sign"> {sign} </span>',
        f"</span>{after}</span>",
    )


_SYMBOLS = Symbols(_leaf, _signs, ("¬ (", ")"), {"and": _atom("⊤"), "or": _atom("⊥")})
