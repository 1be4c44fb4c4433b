"""Formulas, names and numbers for people, whatever they hold."""

from __future__ import annotations

from petricheck.presburger.formulas import Formula
from petricheck.presburger.text import Leaf, name_to_text, printable, to_text


def formula_text(formula: Formula | Leaf) -> str:
    """The formula as text, or why it has none: Python prints no number of over 4300 digits."""
    try:
        return to_text(formula)
    except ValueError:
        return "(a formula with numbers too long to be shown)"


def shown_formula(formula: Formula | Leaf) -> str:
    """The formula for people, on one line whatever its names hold."""
    return printable(formula_text(formula))


def shown_name(name: str) -> str:
    """The name for people, on one line and quoted where it has to be."""
    return printable(name_to_text(name))


def number_text(value: int) -> str:
    """The number in decimal, or in hexadecimal where Python refuses to print that many digits."""
    try:
        return str(value)
    except ValueError:
        return hex(value)


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where that is due."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
