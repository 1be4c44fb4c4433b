"""The grammar of formulas, read by lark's LALR(1) parser straight into Presburger formulas.

No syntax tree is built, so that neither width nor depth of the text costs a recursion.

Errors in a formula, as plain sentences that point at the character.

Odd names without quotes: `P-start_2 = 1`, where nothing else can be meant.

A *word* is a run of characters without blanks, parentheses, comparisons or connectives. It is read
as operands, which are numbers and known names, with operators between them; what looks like a
number is one, even where a place is called so. A reading in which every name is an ordinary one
wins: `a-b` is a minus wherever a and b are places. Otherwise, if there is one reading only, its odd
names are put between quotes. A word with several readings, or none, or with a keyword in it, stays
as it is, for the grammar to read or to complain of, and so does a name with colours, `p(a-1)`.
Between the parentheses of `enabled(…)`, or `fireable(…)`, stand names of transitions, and no sums:
`enabled(T-1)`.

The word `deadlock` is a place where it is compared, and a condition where it stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Set
from contextvars import ContextVar
from functools import cache
from typing import Any, TypeAlias, cast

from lark import Lark, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.terms import Term
from petricheck.arithmetic.formulas.text import (
    BARE_NAME,
    COLOURED_NAME,
    KEYWORDS,
    QUOTED,
    name_to_text,
)
from petricheck.formats.language._reader import ComparisonSide, FormulaPart, FormulaReader
from petricheck.formats.language.elements import example, names_of
from petricheck.model.net import Net, cached_by_net
from petricheck.support.errors import QueryError
from petricheck.support.words import quoted

MAX_LETTERS = 200
"""Longer words stay as they are."""

_WORD = r'(?:(?!->)[^\s()<>=!&|#,"∧∨¬≤≥≠])+'
_ASIDE = rf"{COLOURED_NAME}|{QUOTED}|#[^\n]*"
_CALL = rf"(?:fireable|enabled)\s*\((?:{_ASIDE}|[^()\"#])*"
_PIECE = re.compile(rf"(?P<call>{_CALL})|{_ASIDE}|(?P<word>{_WORD})", re.DOTALL)
_PLAIN = re.compile(rf"{BARE_NAME}|[0-9]+")
_NAME = re.compile(BARE_NAME)
_NUMBER = re.compile(r"[0-9]+")
_ENDS = re.compile(r"[-+*]")
_OPERATORS = frozenset("+-*")
_WORDS = KEYWORDS | {"deadlock", "enabled", "fireable"}

_Reading: TypeAlias = tuple[str, ...]
"""The operands and operators of a word, from left to right."""


def with_quotes(text: str, names: Collection[str]) -> str:
    """Return the formula with quotes around its odd names, of all these names of places."""
    words = {piece["word"] for piece in _PIECE.finditer(text)}
    quoted = _quoted({word for word in words if word and not _PLAIN.fullmatch(word)}, names)

    def replacement(piece: re.Match[str]) -> str:
        return quoted.get(piece["word"], piece[0]) if piece["call"] is None else _called(piece[0])

    return _PIECE.sub(replacement, text)


def _called(call: str) -> str:
    """Return the beginning of a `fireable(…)` with quotes around its odd names."""

    def replacement(piece: re.Match[str]) -> str:
        name = piece["word"]
        return piece[0] if name is None or name in KEYWORDS else name_to_text(name)

    word, listed = call.split("(", 1)
    return f"{word}({_PIECE.sub(replacement, listed)}"


def _quoted(words: Set[str], names: Collection[str]) -> Mapping[str, str]:
    """Return the spelling of each of the words, none of which is an ordinary name."""
    if not words:
        return {}
    ordinary = {name for name in names if name_to_text(name) == name}
    odd = {name for name in names if name not in ordinary and not _NUMBER.fullmatch(name)}
    return {word: _with_quotes(word, ordinary, odd) for word in words}


def _with_quotes(word: str, ordinary: Set[str], odd: Set[str]) -> str:
    if len(word) > MAX_LETTERS or not KEYWORDS.isdisjoint(_NAME.findall(word)):
        return word
    if _readings(word, ordinary):
        return word
    match _readings(word, ordinary | odd):
        case [reading]:
            return "".join(name_to_text(part) if part in odd else part for part in reading)
        case _:
            return word


def _readings(word: str, names: Set[str]) -> list[_Reading]:
    """Return the ways to read the word, two at most."""
    # From each position on: after an operator or nothing, and after an operand.
    free: dict[int, list[_Reading]] = {len(word): [()]}
    bound = {len(word): [_Reading()]}
    for start in reversed(range(len(word))):
        sign = word[start]
        bound[start] = [(sign, *r) for r in free[start + 1]] if sign in _OPERATORS else []
        free[start] = list(bound[start])
        for end in range(start + 1, len(word) + 1):
            if bound[end] and _is_operand(word[start:end], names):
                free[start] += [(word[start:end], *reading) for reading in bound[end]]
        del free[start][2:]
    return free[0]


def _is_operand(piece: str, names: Set[str]) -> bool:
    return piece in names or _NUMBER.fullmatch(piece) is not None


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

_TEMPORAL = re.compile(r"(?:AGEF|[AE]?[FGX]|[AE])\b(?!\s*(?:and|or|mod)\b)(?=\s*(?:[\w(\[\"!¬]))")
"""A temporal operator before what it may apply to."""

_PATHS = (
    "a formula has no temporal operators: EF φ is asked by --formula 'φ', AG φ by --always 'φ', "
    "AG EF φ by --home 'φ'"
)


def strange(text: str, position: int) -> QueryError:
    """Return the complaint about a character that begins no token."""
    if _is_temporal(text, position):
        return QueryError(_PATHS, text=text, position=position)
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
    if _is_temporal(text, position):
        return QueryError(_PATHS, text=text, position=position)
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
        if word not in _WORDS and word.lower() in _WORDS and kind in ("NAME", "LPAR"):
            return f"the word is written {word.lower()!r}"
    if kind in ("NAME", "QUOTED", "LPAR") and text[:position].rstrip()[-1:].isdigit():
        return "multiplication is written with '*': 2*p; a name that begins with a digit is quoted"
    return ""


def _is_temporal(text: str, position: int) -> bool:
    """Return whether a temporal operator begins at the position, or stands right before it."""
    before = re.search(r"\w*\s*\Z", text[max(0, position - 80) : position])
    starts = position, position - len(before[0] if before else "")
    return any(_TEMPORAL.match(text, start) for start in starts)


_GRAMMAR = rf"""
?start: either
      | either "->" either              -> implication
?either: both (_or both)*
?both: opposite (_and opposite)*
?opposite: _not opposite                -> negation
         | "true"                       -> truth
         | "false"                      -> falsity
         | "(" start ")"
         | deadlock
         | fireable
         | comparison
deadlock.1: DEADLOCK
fireable: FIREABLE "(" (transition COMMA)* transition ")"
transition: NAME | DEADLOCK | COLOURED | QUOTED
comparison: side (RELATION side)+
?side: addition | remainder
?remainder: multiple "mod" NUMBER
          | "(" remainder ")"           -> enclosed
?addition: multiple ((PLUS | MINUS) multiple)*
?multiple: factor (STAR factor)*
?factor: MINUS atom                     -> minus
       | atom
?atom: (NAME | DEADLOCK | COLOURED)                -> bare_place
     | QUOTED                           -> quoted_place
     | NUMBER                           -> plain_number
     | "(" addition ")"
_and: "and" | "&&" | "&" | "∧"
_or: "or" | "||" | "|" | "∨"
_not: "not" | "!" | "¬"
RELATION: /<=|>=|==|!=|<|>|=|≤|≥|≠/
DEADLOCK: "deadlock"
FIREABLE.1: /(fireable|enabled)(?=\s*\()/
COMMA: ","
PLUS: "+"
MINUS: "-"
STAR: "*"
COLOURED.1: /{COLOURED_NAME}/s
NAME: /{BARE_NAME}/
NUMBER: /[0-9]+/
QUOTED: /{QUOTED}/s
%ignore /\s+/
%ignore /#[^\n]*/
"""


def read_formula(net: Net, text: str) -> Formula:
    """Return the formula that the text spells, over place ids.

    QueryError points at the character that does not fit, in the text with odd names in quotes.
    """
    return cast(FormulaPart, _parsed(net, text, "start")).state.formula


def formula_of(net: Net, text: str, more: str = "") -> Formula:
    """Return the formula that a question spells; QueryError also where there is none.

    `more` is what else the question may say.
    """
    if not text.strip():
        message = f"the formula is empty: expected a condition such as '{example(net)} = 1'{more}"
        raise QueryError(message, text=text, position=0)
    return read_formula(net, text)


def read_term(net: Net, text: str) -> Term:
    """Return the linear expression that the text spells; QueryError as of `read_formula`."""
    return cast(ComparisonSide, _parsed(net, text, "addition")).term


def numbers_like_places(net: Net, text: str) -> tuple[str, ...]:
    """Return the numbers in a formula or expression that are also names of places."""
    numbers = _numbers_of_places(net)
    if not numbers:
        return ()
    words = (piece["word"] or "" for piece in _PIECE.finditer(text))
    return tuple(sorted(numbers & {part for word in words for part in _ENDS.split(word)}))


def _parsed(net: Net, text: str, start: str) -> FormulaPart | ComparisonSide:
    names = names_of(net)
    text = with_quotes(text, names.place_names)
    reader = FormulaReader(names, text)
    previous = _READER.set(reader)
    try:
        parsed = cast(FormulaPart | ComparisonSide, _parser().parse(text, start))
        if isinstance(parsed, ComparisonSide):
            reader.require_place()
        return parsed
    except QueryError as error:
        if error.position is not None and _is_temporal(text, error.position):
            raise QueryError(_PATHS, text=text, position=error.position) from None
        raise
    except UnexpectedCharacters as error:
        raise strange(text, error.pos_in_stream or 0) from None
    except UnexpectedToken as error:
        raise misplaced(text, error) from None
    finally:
        _READER.reset(previous)


@cached_by_net
def _numbers_of_places(net: Net) -> Set[str]:
    """Return the names of places that are numbers."""
    return {name for name in names_of(net).place_names if _NUMBER.fullmatch(name)}


_READER: ContextVar[FormulaReader] = ContextVar("reader of the current text")


class _CurrentReader(Transformer[Any, Any]):
    """A delegate that passes every rule to the current reader, as a parser takes long to build."""

    def __getattr__(self, rule: str) -> Callable[[Any], Any]:
        if not hasattr(FormulaReader, rule):
            raise AttributeError(rule)
        return lambda parts: getattr(_READER.get(), rule)(parts)


@cache
def _parser() -> Lark:
    starts = ["start", "addition"]
    return Lark(_GRAMMAR, parser="lalr", lexer="basic", start=starts, transformer=_CurrentReader())
