r"""Formulas as text, in the syntax of questions.

A variable is printed bare where it is an identifier (letters, digits, `_` and `.`, not beginning
with a digit or a dot) and no keyword, or a name with colours behind it, `p(a, 3)`, or with a
binding, `t(x=a, y=3)`, of which each word may be in quotes; otherwise in double quotes, where `\"`
stands for a quote and `\\` for a backslash. Terms are moved so that both sides of an atom have
positive coefficients.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from petricheck.arithmetic.formulas.formulas import Conjunction, Disjunction, Formula
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
from petricheck.support.arguments import require_type
from petricheck.support.errors import QueryError
from petricheck.support.words import is_printable, natural_key

BARE_NAME = r"[^\W\d][\w.]*"
"""Regular expression of the names that need no quotes, keywords aside."""

KEYWORDS = frozenset({"and", "or", "not", "mod", "true", "false"})
"""Words of the syntax; a variable of that name is quoted."""

QUOTED = r'"(?:[^"\\]|\\.)*"'
"""Regular expression of a quoted name; a dot must match newlines too."""

BARE_COLOUR = r"[\w.:+*-]+"
"""Regular expression of the colours that need no quotes, `_` and those with `..` aside."""

_SET = rf"\{{(?:[^{{}}\"]|{QUOTED})*\}}"
_COLOUR = rf"(?:{BARE_COLOUR}|{QUOTED}|{_SET})"
_TUPLE = rf"\(\s*{_COLOUR}(?:\s*,\s*{_COLOUR})*\s*\)"
_PAIR = rf"\(\s*(?:{_COLOUR}|{_TUPLE})(?:\s*,\s*(?:{_COLOUR}|{_TUPLE}))*\s*\)"
_BOUND = rf"(?:(?:{BARE_COLOUR}|{QUOTED})\s*=\s*)?(?:{_COLOUR}|{_PAIR})"

BARE_NODE = rf"(?!(?i:{'|'.join(sorted(KEYWORDS))}|enabled|fireable)(?![\w.])){BARE_NAME}"
"""Regular expression of the names that need no quotes where colours stand behind them."""

COLOURED_NAME = rf"(?:{BARE_NODE}|{QUOTED})\(\s*{_BOUND}(?:\s*,\s*{_BOUND})*\s*\)"
"""Regular expression of a name with colours or a binding behind it, tuples of tuples included."""

_QUOTED = re.compile(QUOTED, re.DOTALL)
_BARE_NODE = re.compile(BARE_NODE)
_BARE = re.compile(BARE_NAME)


def to_text(formula: Formula | Leaf) -> str:
    """Return the formula on one line; reading it back gives an equivalent formula.

    Works on formulas of any width and depth, in time linear in the length of the text, except for
    the sorting of names within terms.
    """
    require_type(formula, Formula | Leaf, "a text is made of a formula")
    return laid_out(formula, _LANGUAGE)


def parts_to_text(formula: Conjunction | Disjunction) -> list[str]:
    """Return the parts that `to_text` joins: operands, some neighbours joined into one.

    They have parentheses where they need them. A formula without operands has no parts; a single
    part has no parentheses.
    """
    parts = leaves(formula)
    word = "and" if isinstance(formula, Conjunction) else "or"
    return [laid_out(part, _LANGUAGE, word if len(parts) > 1 else "") for part in parts]


def _scaled(name: str, factor: int) -> str:
    name_text = name_to_text(name)
    return name_text if factor == 1 else f"{factor}*{name_text}"


def term_to_text(
    term: Term,
    scaled: Callable[[str, int], str] = _scaled,
    number: Callable[[int], str] = str,
    minus: str = "-",
) -> str:
    """Return the term, variables in natural order and the constant last: `p2 + 2*p10 - 3`.

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
    """Return the coefficients, p2 before p10."""
    return sorted(term.coefficients, key=lambda pair: natural_key(pair[0]))


def name_to_text(name: str) -> str:
    """Return the variable's name, quoted where necessary."""
    # To compile the pattern of coloured names takes its time, and few nets have any.
    is_bare = _BARE.fullmatch(name) or re.fullmatch(COLOURED_NAME, name, re.DOTALL)
    if is_bare and name not in KEYWORDS and is_printable(name):
        return name
    return quoted_name(name)


def quoted_name(name: str) -> str:
    """Return the name in double quotes."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def node_text(name: str, inside: str = "") -> str:
    """Return the name of a place or transition with what stands in parentheses behind it.

    It is in quotes where it could be read otherwise, so that different nodes have different texts.
    """
    if inside:
        return f"{name if _BARE_NODE.fullmatch(name) else quoted_name(name)}({inside})"
    return quoted_name(name) if "(" in name or name.startswith('"') else name


def unquoted(word: str, text: str = "", position: int = 0) -> str:
    r"""Return the name inside quotes, where `\"` is a quote and `\\` a backslash.

    QueryError for a backslash before anything else; it points there, behind `position` in `text`.
    """
    for escape in re.finditer(r"\\(.)", word, re.DOTALL):
        if escape[1] not in '"\\':
            raise QueryError(
                r"inside quotes a backslash is written \\ and a quote \"; nothing else is escaped",
                text=text,
                position=position + escape.start(),
            )
    return re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.DOTALL)


def name_of(word: str, text: str = "", position: int = 0) -> str:
    """Return the name that a word spells: itself, or what is between its quotes."""
    return unquoted(word, text, position) if _QUOTED.fullmatch(word) else word


def _leaf_text(leaf: Leaf) -> str:
    match leaf:
        case Comparison(left, relation, right):
            return f"{term_to_text(left)} {relation} {term_to_text(right)}"
        case Remainder(left, modulus, relation, residue):
            text = term_to_text(left)
            plain = len(left.coefficients) == 1 and left.coefficients[0][1] == 1
            operand = text if plain or not left.coefficients else f"({text})"
            return f"{operand} mod {modulus} {relation} {residue}"


def _signs(word: str, enclosed: bool) -> Signs:
    return ("(", f" {word} ", ")") if enclosed else ("", f" {word} ", "")


_LANGUAGE = Language(_leaf_text, _signs, ("not (", ")"), "true", "false")
