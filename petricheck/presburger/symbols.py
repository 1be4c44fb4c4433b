"""Names in SMT-LIB 2 scripts that people write: read as they stand, and written back the same.

`petricheck.presburger.smtlib.symbol` is for names that come from elsewhere: it encodes what a
script cannot have, and what solvers misread. Names that come from scripts need no encoding.
"""

from __future__ import annotations

import re

from petricheck.presburger.s_expressions import Leaf, refusal, shown
from petricheck.presburger.smtlib import bare

_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\\]")
"""What no symbol may have, bars or not."""
_RESERVED = frozenset(
    "! _ as let exists forall match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING".split()  # noqa: SIM905
)
"""Words of the language: names between bars only."""
_TAKEN = frozenset("true false not and or xor => = distinct ite + - * / < <= > >=".split())  # noqa: SIM905
"""Symbols whose meaning is given, between bars as well."""


def declared_name(leaf: Leaf) -> str:
    """The name that a declaration gives by this symbol; `|a|` and `a` are the same.

    Raises:
        Refused: it is no symbol, or one whose meaning is given.
    """
    text, name = leaf.text, bare(leaf.text)
    no_symbol = text[0] in '"#:0123456789' or text in _RESERVED or _CONTROL.search(name)
    if no_symbol or name in _TAKEN:
        raise refusal(f"the symbol {shown(leaf)}, declared,", leaf)
    return name


def quoted(name: str) -> str:
    """The symbol of a name, between bars where it needs them."""
    return name if _SIMPLE.fullmatch(name) and name not in _RESERVED else f"|{name}|"
