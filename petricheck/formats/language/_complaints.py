"""Errors in a formula, as plain sentences that point at the character."""

from __future__ import annotations

import re
from collections.abc import Set

from lark.exceptions import UnexpectedToken

from petricheck.arithmetic.formulas.text import KEYWORDS
from petricheck.support.errors import QueryError
from petricheck.support.words import quoted

_HINTS = {
    ",": "conditions are joined by 'and'",
    ";": "conditions are joined by 'and'",
    '"': "this quote is never closed",
    "'": 'odd names are put between double quotes: "odd-id"',
    ".": "numbers are whole",
    "−": "minus is written '-'",
    "/": "there is no division; multiply the other side instead",
    "%": "remainders are written 'mod'",
    "@": "'@' names a file only as the first character of the question; a name with '@' is put "
    "between double quotes",
}

_TEMPORAL = frozenset({"A", "AF", "AG", "AX", "E", "EF", "EG", "EX", "F", "G", "X"})


def strange(text: str, position: int) -> QueryError:
    """Return the complaint about a character that begins no token."""
    letter = text[position]
    hint = _HINTS.get(letter, "names with unusual characters are put between double quotes")
    return QueryError(f"unexpected {quoted(letter)}: {hint}", text=text, position=position)


def misplaced(text: str, error: UnexpectedToken) -> QueryError:
    """Return the complaint about a token that cannot stand where it stands."""
    token = error.token
    accepts = frozenset(error.accepts or ())
    expected = f"expected {_described(accepts)}"
    if token.type == "$END":
        end = token.end_pos or 0
        return QueryError(f"the formula ends too early: {expected}", text=text, position=end)
    position = token.start_pos or 0
    hint = "" if "COMMA" in accepts else _hint(text, position, token.type, str(token))
    message = f"unexpected {quoted(str(token))}: {hint or expected}"
    return QueryError(message, text=text, position=position)


def _described(accepts: Set[str]) -> str:
    """Return a description of what may follow, from the names of the grammar's terminals."""
    if "LPAR" in accepts:
        return "a condition such as p = 1" if "TRUE" in accepts else "a place, a number or '('"
    if "NUMBER" in accepts:
        return "a number"
    if "NAME" in accepts:
        return "the name of a transition"
    if "COMMA" in accepts:
        return "',' or ')'"
    closing = "')'" if "RPAR" in accepts else "the end"
    if "PLUS" in accepts and not accepts & {"RELATION", "AND"}:
        return "'+', '-', '*'" + (" or ')'" if "RPAR" in accepts else " or the end")
    if "RELATION" in accepts and "AND" not in accepts:
        return "a comparison (= != < <= > >=)"
    return f"'and', 'or' or {closing}"


def _hint(text: str, position: int, kind: str, token: str) -> str:
    if kind == "COMMA":
        return _HINTS[token]
    if kind == "MOD":
        return "put the sum before 'mod' in parentheses: (p + q) mod 2 = 1"
    before = re.search(r"\w*\s*\Z", text[max(0, position - 80) : position])
    for word in (token, before[0].strip() if before else ""):
        if kind == "NAME" and word not in KEYWORDS and word.lower() in KEYWORDS:
            return f"the word is written {word.lower()!r}"
    if before and before[0].strip() in _TEMPORAL:
        return "a formula has no temporal operators; write what the marking satisfies: p > 1"
    if kind in ("NAME", "QUOTED", "LPAR") and text[:position].rstrip()[-1:].isdigit():
        return "multiplication is written with '*': 2*p; a name that begins with a digit is quoted"
    return ""
