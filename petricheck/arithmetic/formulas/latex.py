r"""Formulas as LaTeX mathematics, for papers and reports; sympy typesets the terms.

The result belongs between dollar signs and needs amsmath (for `\text`, `\pmod` and `aligned`).
Different variables look different: only a letter with digits after it becomes a subscript (`p1` is
p_{1}).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    variables,
)
from petricheck.arithmetic.formulas.layout import (
    Comparison,
    Language,
    Leaf,
    Remainder,
    Signs,
    laid_out,
    leaves,
)
from petricheck.arithmetic.formulas.terms import Term
from petricheck.arithmetic.formulas.text import in_natural_order
from petricheck.support.extras import optional
from petricheck.support.words import is_printable

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "'": r"\char39{}",
    "`": r"\char96{}",
    "-": "{-}",
    " ": r"\ ",
    **{sign: f"\\{sign}" for sign in "{}$&#_%"},
}


LETTERS = 120
"""LaTeX characters on a printed line, if it can be broken."""


def to_latex_lines(formula: Formula) -> list[str]:
    r"""Return the formula for math mode, with a printed line or more for each case in `aligned`.

    A single case that fits on a line is in no environment.
    """
    language = _language(formula)
    cases: Sequence[Leaf | Formula] = (formula,)
    if isinstance(formula, Disjunction) and formula.operands:
        cases = leaves(formula)
    broken = [_broken(case, language) for case in cases]
    if len(broken) == 1 and len(broken[0]) == 1:
        return broken[0]
    rows = []
    for number, (first, *others) in enumerate(broken):
        rows.append(rf"\lor {{}} & {first}" if number else f"& {first}")
        rows += [rf"& \quad {{}} \land {line}" for line in others]
    return [r"\begin{aligned}", *(rf"{row} \\" for row in rows[:-1]), rows[-1], r"\end{aligned}"]


def _broken(case: Leaf | Formula, language: Language) -> list[str]:
    """Return the case in lines of about `LETTERS`, to be joined by the sign of conjunctions."""
    if not isinstance(case, Conjunction) or not case.operands:
        return [laid_out(case, language)]
    parts = leaves(case)
    around = "and" if len(parts) > 1 else ""
    lines: list[str] = []
    for part in parts:
        layout = laid_out(part, language, around)
        if lines and len(lines[-1]) + len(layout) <= LETTERS:
            lines[-1] += rf" \land {layout}"
        else:
            lines.append(layout)
    return lines


def name_to_latex(name: str) -> str:
    """Return the variable's name; every character that LaTeX would interpret is escaped."""
    if re.fullmatch(r"[A-Za-z]", name):
        return name
    if re.fullmatch(r"[A-Za-z][0-9]+", name):
        return f"{name[0]}_{{{name[1:]}}}"
    letters = (_ESCAPES.get(letter, letter if is_printable(letter) else " ") for letter in name)
    return rf"\text{{{''.join(letters)}}}"


def _language(formula: Formula) -> Language:
    """Return the language of formulas over the formula's variables."""
    sympy = optional("sympy", "sympy", "latex")
    symbols = {name: sympy.Symbol(f"v{n}") for n, name in enumerate(variables(formula))}
    texts = {symbol: name_to_latex(name) for name, symbol in symbols.items()}
    relations = {"<=": sympy.Le, ">=": sympy.Ge, "=": sympy.Eq, "!=": sympy.Ne}

    def expression(term: Term) -> Any:
        # Unevaluated sums keep our order, which sympy would otherwise choose in quadratic time.
        parts = [sympy.Integer(value) * symbols[name] for name, value in in_natural_order(term)]
        if term.constant or not parts:
            parts.append(sympy.Integer(term.constant))
        return sympy.Add(*parts, evaluate=False) if len(parts) > 1 else parts[0]

    def print_expression(whole: Any) -> str:
        return str(sympy.latex(whole, symbol_names=texts, order="none"))

    def typeset(leaf: Leaf) -> str:
        match leaf:
            case Comparison(left, relation, right):
                sides = expression(left), expression(right)
                return print_expression(relations[relation](*sides, evaluate=False))
            case Remainder(left, modulus, relation, residue):
                sign = r"\equiv" if relation == "=" else r"\not\equiv"
                shown_left = print_expression(expression(left))
                return rf"{shown_left} {sign} {residue} \pmod{{{modulus}}}"

    return Language(typeset, _signs, (r"\lnot \left(", r"\right)"), r"\top", r"\bot")


def _signs(word: str, enclosed: bool) -> Signs:
    sign = r" \land " if word == "and" else r" \lor "
    return (r"\left(", sign, r"\right)") if enclosed else ("", sign, "")
