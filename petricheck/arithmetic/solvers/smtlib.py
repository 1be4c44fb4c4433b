"""Formulas as SMT-LIB 2 text.

A variable may be any string, a symbol may not. `symbol` writes letters, digits and most punctuation
as they are, everything else (`|`, `\\`, `%`, control and non-ASCII characters) as `%` and two
hexadecimal digits for each byte of its UTF-8 form, and puts bars around what is no simple symbol.
A name that the language or a theory has taken, or that starts with `@` or `.`, gets its first
character encoded. `name_of` reverses this.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from urllib.parse import quote, unquote

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Equality,
    Formula,
    Inequality,
    Negation,
    variables,
)
from petricheck.arithmetic.formulas.layout import Language, Signs, laid_out
from petricheck.arithmetic.formulas.terms import Term

CHUNK = 4000
"""Decimal digits that are converted at once; Python refuses more than 4,300."""
_BASE = 10**CHUNK
_SIMPLE = re.compile(r"[A-Za-z_%][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")
_PRINTED = "".join(chr(code) for code in range(32, 127) if chr(code) not in "|\\%")
_TAKEN = frozenset(
    "! _ as let exists forall match par lambda BINARY DECIMAL HEXADECIMAL NUMERAL STRING "  # noqa: SIM905
    "true false not and or xor ite distinct => = + - * / < <= > >= div mod abs divisible rem if "
    "to_real to_int is_int Int Real Bool String RegLan Array Set Seq Bag Tuple select store const "
    "concat extract repeat iff implies pi exp sqrt sin cos tan csc sec cot arcsin arccos arctan "
    "iand piand pow2 int.pow2 int.log2 ^ mod_total div_total int2bv bv2nat nat2bv update subset "
    "member union inter setminus insert tuple sep wand pto emp nil fp min max RoundingMode RNE RNA "
    "RTP RTN RTZ roundNearestTiesToEven roundNearestTiesToAway roundTowardPositive "
    "roundTowardNegative roundTowardZero && invariant target state-equation traps siphon".split()
)
"""Words of the language and of solvers, and the functions that certificates define."""


@lru_cache(maxsize=1 << 16)
def symbol(name: str) -> str:
    """Return the SMT-LIB symbol of a variable."""
    text = quote(name, safe=_PRINTED, errors="surrogatepass")
    if name in _TAKEN or name[:1] in ("@", "."):
        text = f"%{ord(name[0]):02X}{text[1:]}"
    return text if _SIMPLE.fullmatch(text) else f"|{text}|"


def name_of(symbol: str) -> str:
    """Return the variable of the symbol; UnicodeDecodeError where there is none."""
    return unquote(bare(symbol), errors="surrogatepass")


def numeral(value: int) -> str:
    """Return the integer as an SMT-LIB term, however many digits it has."""
    digits, chunks = abs(value), []
    while digits >= _BASE:
        digits, chunk = divmod(digits, _BASE)
        chunks.append(str(chunk).zfill(CHUNK))
    text = "".join([str(digits), *reversed(chunks)])
    return text if value >= 0 else f"(- {text})"


def term_to_smtlib(term: Term, spell: Callable[[str], str] = symbol) -> str:
    """Return the term; `spell` makes symbols of names."""
    parts = [
        spell(name) if value == 1 else f"(* {numeral(value)} {spell(name)})"
        for name, value in term.coefficients
    ]
    if term.constant or not parts:
        parts.append(numeral(term.constant))
    return parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"


def to_smtlib(formula: Formula) -> str:
    """Return the formula as an SMT-LIB term of sort Bool."""
    return written(formula, literal_to_smtlib)


def written(formula: Formula, literal: Callable[[Formula], str]) -> str:
    """Return the formula; `literal` writes atoms and negated congruences."""
    return laid_out(formula, Language(literal, _signs, ("(not ", ")"), "true", "false", False))


def call(function: str, arguments: Iterable[str]) -> str:
    """Return the function applied to the arguments."""
    operands = " ".join(arguments)
    return f"({function} {operands})" if operands else function


def written_alike(left: Formula, right: Formula) -> bool:
    """Return whether their texts are equal; comparing deep formulas as values would fail."""
    return left is right or to_smtlib(left) == to_smtlib(right)


def query(formula: Formula) -> str:
    """Return a script that checks whether some natural numbers satisfy the formula."""
    names = [symbol(name) for name in variables(formula)]
    declarations = [f"(declare-const {name} Int)\n(assert (>= {name} 0))" for name in names]
    lines = ["(set-logic QF_LIA)", *declarations, f"(assert {to_smtlib(formula)})", "(check-sat)"]
    return "\n".join(lines) + "\n"


def literal_to_smtlib(literal: Formula, spell: Callable[[str], str] = symbol) -> str:
    """Return the atom, or its negation; `spell` makes symbols of names."""
    match literal:
        case Inequality(term):
            return f"(<= {_left(term, spell)} {numeral(-term.constant)})"
        case Equality(term):
            return f"(= {_left(term, spell)} {numeral(-term.constant)})"
        case Congruence(term, modulus):
            remainder = f"(mod {_left(term, spell)} {numeral(modulus)})"
            return f"(= {remainder} {numeral(-term.constant % modulus)})"
        case Negation(operand):
            return f"(not {literal_to_smtlib(operand, spell)})"
        case _:
            raise AssertionError("not a literal")


def _left(term: Term, spell: Callable[[str], str]) -> str:
    return term_to_smtlib(Term(term.coefficients, 0), spell)


def _signs(word: str, _: bool) -> Signs:
    return f"({word} ", " ", ")"


def bare(symbol: str) -> str:
    """Return the symbol without bars; symbols are the same if this is the same."""
    return symbol[1:-1] if symbol.startswith("|") else symbol


def plain(text: str) -> str:
    """Return the text as printable ASCII on one line, for a comment."""
    return ascii(text)[1:-1]
