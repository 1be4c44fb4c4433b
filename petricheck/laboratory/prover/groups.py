"""Parts of an interpolation problem in an SMT-LIB script: named assertions, and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from petricheck.arithmetic.formulas.formulas import Formula, conjunction
from petricheck.arithmetic.solvers.s_expressions import (
    Leaf,
    List,
    Node,
    ScriptRefused,
    refusal,
    shown,
)
from petricheck.arithmetic.solvers.smtlib import bare, plain
from petricheck.arithmetic.solvers.symbols import quoted

PASSED = ("set-logic", "set-option", "set-info", "check-sat", "get-proof", "exit")
"""Commands that say nothing about the parts."""


@dataclass(frozen=True, slots=True)
class AssertionSelection:
    """The assertions that a question is about.

    Attributes:
        parts: the names in each part, in order.
        left_out: names that are in none: interpolants are between the parts alone, as the proposal
            for SMT-LIB defines them (Christ, Hoenicke: Interpolation in SMTLIB 2.0, 2012).
    """

    parts: tuple[tuple[str, ...], ...]
    left_out: tuple[str, ...]

    def fields(self) -> dict[str, Any]:
        """Return the keys of a JSON object."""
        return {"parts": list(map(list, self.parts)), "left_out": list(self.left_out)}

    def lines(self) -> list[str]:
        """Return a comment of a script that names the assertions left out."""
        if not self.left_out:
            return []
        parts = (" and ".join(map(quoted, names)) or "nothing" for names in self.parts)
        others = ", ".join(map(quoted, self.left_out))
        return ["; " + plain(f"of the parts {', '.join(parts)} alone, without {others}")]


class Groups:
    """Formulas by name, in the order in which they are asked for."""

    def __init__(self) -> None:
        self._by_name: dict[str, list[Formula]] = {}
        self._order: list[list[str]] = []

    def take(self, command: List, read: Callable[[Node], Formula]) -> None:
        """Read a command about parts; `read` reads their formulas.

        Raises:
            ScriptRefused: it is not understood.
        """
        match command.items:
            case [Leaf("assert" | "get-interpolants" | "get-interpolant") as word, *_] if (
                self._order
            ):
                raise refusal(f"{word.text} after the question (one a file, at the end)", command)
            case [Leaf("assert"), List([Leaf("!"), body, *attributes])]:
                self._by_name.setdefault(_name_in(attributes, command), []).append(read(body))
            case [Leaf("assert"), _]:
                raise _unnamed(command)
            case [Leaf("get-interpolants"), *names]:
                self._arrange(names)
            case [Leaf("get-interpolant"), List(first)]:
                self._split(first)
            case [Leaf(word), *_] if word in PASSED:
                return
            case [Leaf() as word, *_]:
                raise refusal(f"the command {shown(word)}", command)
            case _:
                raise refusal("a list that is no command", command)

    def parts(self) -> tuple[Formula, ...]:
        """Return the formulas of the parts, in order."""
        return tuple(
            conjunction(formula for name in names for formula in self._by_name[name])
            for names in self.selection().parts
        )

    def selection(self) -> AssertionSelection:
        """Return the names of each part, and those in no part."""
        parts = tuple(map(tuple, self._order)) or tuple((name,) for name in self._by_name)
        selected = {name for names in parts for name in names}
        return AssertionSelection(
            parts, tuple(name for name in self._by_name if name not in selected)
        )

    def _arrange(self, names: Iterable[Node]) -> None:
        self._order = [self._names(node) for node in names]

    def _split(self, first: Iterable[Node]) -> None:
        expanded = [self._known(node) for node in first]
        self._order = [expanded, [name for name in self._by_name if name not in expanded]]

    def _names(self, node: Node) -> list[str]:
        match node:
            case List([Leaf("and"), *joined]) if joined:
                return [self._known(node) for node in joined]
            case _:
                return [self._known(node)]

    def _known(self, node: Node) -> str:
        if isinstance(node, Leaf) and bare(node.text) in self._by_name:
            return bare(node.text)
        raise refusal(f"{shown(node)}, which no assertion is named,", node)


def _name_in(attributes: list[Node], command: List) -> str:
    pairs = zip(attributes[::2], attributes[1::2], strict=False)
    for keyword, value in pairs:
        match keyword, value:
            case Leaf(":named" | ":interpolation-group"), Leaf(name):
                return bare(name)
    raise _unnamed(command)


def _unnamed(command: List) -> ScriptRefused:
    return refusal("an assertion without :named or :interpolation-group", command)
