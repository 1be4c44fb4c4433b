"""Names in SMT-LIB 2 scripts that people write: read as they are, and written back the same.

`petricheck.arithmetic.solvers.smtlib.symbol` is for names from elsewhere: it encodes characters
that a script cannot contain or that solvers misread. Names that come from scripts need no encoding.
"""

from __future__ import annotations

import re

from petricheck.arithmetic.solvers.s_expressions import Leaf, refusal, shown
from petricheck.arithmetic.solvers.smtlib import bare

_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\\]")
"""Characters that no symbol may have, with or without bars."""
_RESERVED = frozenset(
    "! _ as let exists forall match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING".split()  # noqa: SIM905
)
"""Words of the language: names between bars only."""
_TAKEN = frozenset("true false not and or xor => = distinct ite + - * / < <= > >=".split())  # noqa: SIM905
"""Symbols with a fixed meaning, between bars as well."""


def declared_name(leaf: Leaf) -> str:
    """Return the name that a declaration gives by this symbol; `|a|` and `a` are the same."""
    text, name = leaf.text, bare(leaf.text)
    no_symbol = text[0] in '"#:0123456789' or text in _RESERVED or _CONTROL.search(name)
    if no_symbol or name in _TAKEN:
        raise refusal(f"the symbol {shown(leaf)}, declared,", leaf)
    return name


def quoted(name: str) -> str:
    """Return the symbol of a name, between bars if it needs them."""
    return name if _SIMPLE.fullmatch(name) and name not in _RESERVED else f"|{name}|"
