"""Interpolation problems in SMT-LIB 2: scripts that pose one.

A part is what the assertions of one name say together: `(assert (! F :named A))`, or
`(assert (! F :interpolation-group A))`. Parts come in the order in which their names do, or in
that of `(get-interpolants A B (and C D))`, where `(and …)` joins some; `(get-interpolant (A …))`
asks for one interpolant, between these and all others. Symbols are propositions and numbers, Int or
Real, all of the same; beside functions and values of declared sorts numbers are Real.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.solvers.s_expressions import (
    Leaf,
    List,
    Node,
    ScriptRefused,
    commands,
    refusal,
    shown,
)
from petricheck.arithmetic.solvers.smtlib import bare
from petricheck.arithmetic.solvers.smtlib_reader import SIZE
from petricheck.arithmetic.solvers.symbols import declared_name
from petricheck.laboratory.prover.groups import AssertionSelection, Groups
from petricheck.laboratory.prover.language import read_formula
from petricheck.laboratory.prover.results import Theory
from petricheck.laboratory.prover.signature import BOOL, INT, REAL, Signature
from petricheck.support.errors import InputError


@dataclass(frozen=True, slots=True)
class ScriptQuestion:
    """The question of a script.

    Attributes:
        parts: the formulas, in order.
        selection: the names of the assertions that they are made of.
        signature: what the script declares.
    """

    parts: tuple[Formula, ...]
    selection: AssertionSelection
    signature: Signature


def read_question(text: str, path: str) -> ScriptQuestion:
    """Return the question of the script.

    Raises:
        InputError: something in it is not understood, or it has less than two parts.
    """
    script = read_commands(text, path)
    reader = _ScriptReader(_theory(script))
    try:
        for command in script:
            reader.take(command)
    except ScriptRefused as error:
        raise placed(error, text, path) from None
    parts = reader.groups.parts()
    if len(parts) < 2:
        remedy = "name assertions, such as (assert (! (<= x 1) :named A)), by two names or more"
        raise InputError(f"nothing to interpolate between; {remedy}", path=path)
    return ScriptQuestion(parts, reader.groups.selection(), reader.signature)


def read_commands(text: str, path: str) -> list[List]:
    """Return the commands of a script.

    Raises:
        InputError: it is too long, or parentheses do not match.
    """
    if len(text) > SIZE:
        raise InputError(f"has more than {SIZE} characters", path=path)
    try:
        return list(commands(text))
    except ScriptRefused as error:
        raise placed(error, text, path) from None


def placed(error: ScriptRefused, text: str, path: str) -> InputError:
    """Return the error, with the line of the text."""
    line = text.count("\n", 0, error.position) + 1
    return InputError(str(error), path=path, line=line)


def _theory(script: Sequence[List]) -> Theory:
    """Return the theory of the script: functions, real constants, or neither."""
    real = False
    for command in script:
        match command.items:
            case [Leaf("declare-sort"), *_] | [Leaf("declare-fun"), _, List([_, *_]), *_]:
                return Theory.FUNCTIONS
            case [Leaf("declare-const" | "declare-fun"), *_, Leaf(sort)]:
                real |= bare(sort) == REAL
    return Theory.RATIONALS if real else Theory.INTEGERS


class _ScriptReader:
    """A reader of commands, one after the other."""

    def __init__(self, theory: Theory) -> None:
        self.groups = Groups()
        self._declared: dict[str, tuple[str, ...]] = {}
        self.signature = Signature(theory, self._declared)
        self._sorts = {BOOL, INT if theory is Theory.INTEGERS else REAL}

    def take(self, command: List) -> None:
        """Read a command.

        Raises:
            ScriptRefused: it is not understood.
        """
        match command.items:
            case [Leaf("declare-sort"), Leaf() as symbol, Leaf("0")]:
                self._declare_sort(declared_name(symbol), command)
            case [Leaf("declare-const"), Leaf() as symbol, sort]:
                self._declare(declared_name(symbol), [], sort, command)
            case [Leaf("declare-fun"), Leaf() as symbol, List(sorts), sort]:
                self._declare(declared_name(symbol), sorts, sort, command)
            case _:
                self.groups.take(command, lambda body: read_formula(body, self.signature))

    def _declare_sort(self, name: str, command: List) -> None:
        if name in {*self._sorts, INT}:
            raise refusal(f"a second declaration of the sort {name!r}", command)
        self._sorts.add(name)

    def _declare(self, name: str, arguments: Sequence[Node], sort: Node, command: List) -> None:
        if name in self._declared:
            raise refusal(f"a second declaration of {name!r}", command)
        sorts = tuple(map(self._sort, (*arguments, sort)))
        if BOOL in sorts[:-1]:
            raise refusal("a function of truth values", command)
        self._declared[name] = sorts

    def _sort(self, node: Node) -> str:
        name = bare(node.text) if isinstance(node, Leaf) else ""
        if name in self._sorts:
            return name
        if name == INT and self.signature.theory is Theory.FUNCTIONS:
            raise ScriptRefused(
                "integers with functions have no quantifier-free interpolants in general;"
                " declare them as Real",
                node.position,
            )
        if name == INT:
            raise refusal("a script with integers and reals", node)
        raise refusal(f"the sort {shown(node)} (Bool, Int or Real, and declared ones are)", node)
