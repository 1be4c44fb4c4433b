"""Formulas, names and numbers for people, whatever characters they contain."""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import Conjunction, Disjunction, Formula
from petricheck.arithmetic.formulas.layout import Leaf
from petricheck.arithmetic.formulas.text import name_to_text, parts_to_text, to_text
from petricheck.support.words import counted, printable

LINE = 96
"""Characters on a line, if it can be broken."""

LINES = 10
"""Lines of a formula in brief."""


def formula_text(formula: Formula | Leaf) -> str:
    """Return the formula as text, or a note if it has a number of over 4300 digits."""
    try:
        return to_text(formula)
    except ValueError:
        return "(a formula with numbers too long to be shown)"


def shown_formula(formula: Formula | Leaf) -> str:
    """Return the formula for people, on one line."""
    return printable(formula_text(formula))


def shown_lines(formula: Formula) -> list[str]:
    """Return lines of the formula for people: one for each case, or for each conjunct of one case.

    Joined, the lines are the formula. A formula that is no list of cases stays on one line if it
    fits.
    """
    try:
        return [printable(line) for line in _lines(formula)]
    except ValueError:
        return [formula_text(formula)]


def brief_lines(formula: Formula) -> list[str]:
    """Return the lines of the formula, or the first and how many parts are left out.

    They take `LINES` lines of `LINE` characters at most.
    """
    every = shown_lines(formula)
    if sum(map(_height, every)) <= LINES:
        return every
    kept, room = list[str](), LINES - 1
    for line in every:
        if (room := room - _height(line)) < 0:
            break
        kept.append(line)
    if not kept:
        return [f"{every[0][: (LINES - 1) * LINE - 2]} …"]
    return [*kept, f"… and {counted(len(every) - len(kept), 'more part')}"]


def _height(line: str) -> int:
    return -(-len(line) // LINE)


def _lines(formula: Formula) -> list[str]:
    line = to_text(formula)
    if not isinstance(formula, Conjunction | Disjunction) or len(parts_to_text(formula)) < 2:
        return [line]
    is_disjunction = isinstance(formula, Disjunction)
    has_cases = is_disjunction and any(isinstance(x, Conjunction) for x in formula.operands)
    if len(line) <= LINE and not has_cases:
        return [line]
    word = "or" if is_disjunction else "and"
    first, *others = parts_to_text(formula)
    return [f"{' ' * len(word)} {first}", *(f"{word} {part}" for part in others)]


def shown_name(name: str) -> str:
    """Return the name for people, on one line and quoted where necessary."""
    return printable(name_to_text(name))
