"""Formulas, names and numbers for people, whatever they hold."""

from __future__ import annotations

from petricheck.presburger.formulas import Conjunction, Disjunction, Formula
from petricheck.presburger.layout import Leaf
from petricheck.presburger.text import name_to_text, parts_to_text, to_text
from petricheck.words import printable

LINE = 96
"""Letters on a line, where it can be broken."""


def formula_text(formula: Formula | Leaf) -> str:
    """The formula as text, or why it has none: Python prints no number of over 4300 digits."""
    try:
        return to_text(formula)
    except ValueError:
        return "(a formula with numbers too long to be shown)"


def shown_formula(formula: Formula | Leaf) -> str:
    """The formula for people, on one line whatever its names hold."""
    return printable(formula_text(formula))


def shown_lines(formula: Formula) -> list[str]:
    """The formula for people, a line for each case, or for each conjunct where there is one case.

    Together the lines are the formula; what fits on one line and is no list of cases is not broken.
    """
    try:
        return [printable(line) for line in _lines(formula)]
    except ValueError:
        return [formula_text(formula)]


def _lines(formula: Formula) -> list[str]:
    whole = to_text(formula)
    if not isinstance(formula, Conjunction | Disjunction) or len(parts_to_text(formula)) < 2:
        return [whole]
    if len(whole) <= LINE and not _has_cases(formula):
        return [whole]
    word = "and" if isinstance(formula, Conjunction) else "or"
    first, *others = parts_to_text(formula)
    return [f"{' ' * len(word)} {first}", *(f"{word} {part}" for part in others)]


def _has_cases(formula: Formula) -> bool:
    return isinstance(formula, Disjunction) and any(
        isinstance(case, Conjunction) for case in formula.operands
    )


def shown_name(name: str) -> str:
    """The name for people, on one line and quoted where it has to be."""
    return printable(name_to_text(name))
