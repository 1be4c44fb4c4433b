"""Interpolation problems in SMT-LIB 2: scripts that pose one, and scripts that check an answer.

A part is what the assertions of one name say together: `(assert (! F :named A))`, or
`(assert (! F :interpolation-group A))`. Parts come in the order in which their names do, or in
that of `(get-interpolants A B (and C D))`, where `(and …)` joins some; `(get-interpolant (A …))`
asks for one interpolant, between these and all others. Constants are of sort Int or Real, all of
the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from petricheck.laboratory.prover.groups import (
    Groups,
    Selection,
    read_script,
    refuse_single,
)
from petricheck.laboratory.prover.results import Theory
from petricheck.presburger.formulas import Formula, conjunction, variables
from petricheck.presburger.s_expressions import Leaf, List, Node, refusal
from petricheck.presburger.smtlib import bare, numeral, to_smtlib
from petricheck.presburger.smtlib_reader import INTEGERS, read_formula
from petricheck.presburger.smtlib_reals import REALS
from petricheck.presburger.symbols import declared_name, quoted

_SORTS = {"Int": Theory.INTEGERS, "Real": Theory.RATIONALS}


@dataclass(frozen=True, slots=True)
class Question:
    """What a script asks.

    Attributes:
        parts: the formulas, in order.
        selection: the names of the assertions that they are made of.
        theory: of which numbers.
    """

    parts: tuple[Formula, ...]
    selection: Selection
    theory: Theory


def read_question(text: str, path: str) -> Question:
    """What the script asks.

    Raises:
        InputError: something in it is not understood, or it has less than two parts.
    """
    reader = _Reader()
    read_script(text, path, reader.take)
    parts = reader.groups.parts()
    refuse_single(parts, path)
    return Question(tuple(map(conjunction, parts)), reader.groups.selection(), reader.theory)


class _Reader:
    """Takes commands, one after the other."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._sorts: set[str] = set()
        self.groups: Groups[Formula] = Groups()

    @property
    def theory(self) -> Theory:
        """Rational where constants are real."""
        return _SORTS[next(iter(self._sorts), "Int")]

    def take(self, command: List) -> None:
        """Understand a command.

        Raises:
            Refused: it is not understood.
        """
        match command.items:
            case [Leaf("declare-const"), Leaf() as symbol, Leaf(sort)]:
                self._declare(declared_name(symbol), bare(sort), command)
            case [Leaf("declare-fun"), Leaf() as symbol, List([]), Leaf(sort)]:
                self._declare(declared_name(symbol), bare(sort), command)
            case _:
                self.groups.take(command, self._formula)

    def _declare(self, name: str, sort: str, command: List) -> None:
        if sort not in _SORTS:
            raise refusal(f"the sort {sort!r} (Int and Real are)", command)
        if name in self._names:
            raise refusal(f"a second declaration of {name!r}", command)
        self._sorts.add(sort)
        if len(self._sorts) > 1:
            raise refusal("a script with integers and reals", command)
        self._names[name] = name

    def _formula(self, body: Node) -> Formula:
        language = INTEGERS if self.theory is Theory.INTEGERS else REALS
        return read_formula(body, self._names, language)


def values(model: Mapping[str, int | Fraction], theory: Theory) -> list[str]:
    """Definitions of the variables of a model, on a line each."""
    sort = _sort(theory)
    return [f"(define-fun {quoted(n)} () {sort} {_number(v)})" for n, v in model.items()]


def definitions(interpolants: Sequence[Formula], theory: Theory) -> list[str]:
    """Definitions of I1, I2, …, one for each interpolant, on a line each."""
    sort = _sort(theory)
    lines = []
    for number, formula in enumerate(interpolants, start=1):
        parameters = " ".join(f"({quoted(name)} {sort})" for name in variables(formula))
        lines.append(f"(define-fun I{number} ({parameters}) Bool {to_smtlib(formula, quoted)})")
    return lines


def _sort(theory: Theory) -> str:
    return next(sort for sort, known in _SORTS.items() if known is theory)


def _number(value: int | Fraction) -> str:
    if value.denominator == 1:
        return numeral(int(value))
    return f"(/ {numeral(value.numerator)} {numeral(value.denominator)})"
