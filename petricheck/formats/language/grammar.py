"""The grammar of formulas, read by lark's LALR(1) parser straight into Presburger formulas.

No syntax tree is built, so that neither width nor depth of the text costs a recursion.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from typing import Any, cast

from lark import Lark, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.terms import Term
from petricheck.arithmetic.formulas.text import BARE_NAME, COLOURED_NAME, QUOTED
from petricheck.formats.language._complaints import misplaced, strange
from petricheck.formats.language._odd_names import with_quotes
from petricheck.formats.language._reader import Part, Reader, Side
from petricheck.formats.language.elements import Names
from petricheck.model.net import Net

_GRAMMAR = rf"""
?start: either
      | either "->" either              -> implication
?either: both (_or both)*
?both: opposite (_and opposite)*
?opposite: _not opposite                -> negation
         | "true"                       -> truth
         | "false"                      -> falsity
         | "(" start ")"
         | fireable
         | comparison
fireable: FIREABLE "(" (transition COMMA)* transition ")"
transition: NAME | COLOURED | QUOTED
comparison: side (RELATION side)+
?side: addition | remainder
?remainder: multiple "mod" NUMBER
          | "(" remainder ")"           -> enclosed
?addition: multiple ((PLUS | MINUS) multiple)*
?multiple: factor (STAR factor)*
?factor: MINUS atom                     -> minus
       | atom
?atom: (NAME | COLOURED)                -> bare_place
     | QUOTED                           -> quoted_place
     | NUMBER                           -> plain_number
     | "(" addition ")"
_and: "and" | "&&" | "&" | "∧"
_or: "or" | "||" | "|" | "∨"
_not: "not" | "!" | "¬"
RELATION: /<=|>=|==|!=|<|>|=|≤|≥|≠/
FIREABLE.1: /fireable(?=\s*\()/
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

    Raises:
        QueryError: it points at the character that does not fit, in the text with odd names in
            quotes.
    """
    return cast(Part, _parsed(net, text, "start")).state.formula


def read_term(net: Net, text: str) -> Term:
    """Return the linear expression that the text spells, over place ids.

    Raises:
        QueryError: it points at the character that does not fit.
    """
    return cast(Side, _parsed(net, text, "addition")).term


def _parsed(net: Net, text: str, start: str) -> Part | Side:
    names = Names(net)
    text = with_quotes(text, names.place_names)
    previous = _READER.set(Reader(names, text))
    try:
        return cast(Part | Side, _parser().parse(text, start))
    except UnexpectedCharacters as error:
        raise strange(text, error.pos_in_stream or 0) from None
    except UnexpectedToken as error:
        raise misplaced(text, error) from None
    finally:
        _READER.reset(previous)


_READER: ContextVar[Reader] = ContextVar("reader of the current text")


class _CurrentReader(Transformer[Any, Any]):
    """A delegate that passes every rule to the current reader, as a parser takes long to build."""

    def __getattr__(self, rule: str) -> Callable[[Any], Any]:
        if not hasattr(Reader, rule):
            raise AttributeError(rule)
        return lambda parts: getattr(_READER.get(), rule)(parts)


@cache
def _parser() -> Lark:
    starts = ["start", "addition"]
    return Lark(_GRAMMAR, parser="lalr", lexer="basic", start=starts, transformer=_CurrentReader())
