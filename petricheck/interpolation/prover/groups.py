"""Parts of an interpolation problem in an SMT-LIB script: named assertions, and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from petricheck.errors import InputError
from petricheck.presburger.s_expressions import Leaf, List, Node, Refused, commands, refusal, shown
from petricheck.presburger.smtlib import bare
from petricheck.presburger.smtlib_reader import SIZE

PASSED = ("set-logic", "set-option", "set-info", "check-sat", "get-proof", "exit")
"""Commands that say nothing about the parts."""

Formula = TypeVar("Formula")


def read_script(text: str, path: str, take: Callable[[List], None]) -> None:
    """Hand over the commands of a script, one after the other.

    Raises:
        InputError: one was refused.
    """
    if len(text) > SIZE:
        raise InputError(f"has more than {SIZE} characters", path=path)
    try:
        for command in commands(text):
            take(command)
    except Refused as error:
        line = text.count("\n", 0, error.position) + 1
        raise InputError(str(error), path=path, line=line) from None


def refuse_single(parts: Sequence[object], path: str) -> None:
    """Refuse less than two parts with an InputError."""
    if len(parts) < 2:
        remedy = "name assertions, such as (assert (! (<= x 1) :named A)), by two names or more"
        raise InputError(f"nothing to interpolate between; {remedy}", path=path)


class Groups(Generic[Formula]):
    """Formulas by name, in the order in which they are asked for."""

    def __init__(self) -> None:
        self._named: dict[str, list[Formula]] = {}
        self._order: list[list[str]] = []

    def take(self, command: List, read: Callable[[Node], Formula]) -> None:
        """Understand a command about parts; `read` understands what they say.

        Raises:
            Refused: it is not understood.
        """
        match command.items:
            case [Leaf("assert"), List([Leaf("!"), body, *attributes])]:
                self._named.setdefault(_name_in(attributes, command), []).append(read(body))
            case [Leaf("assert"), _]:
                raise _unnamed(command)
            case [Leaf("get-interpolants"), *wanted]:
                self._arrange(wanted)
            case [Leaf("get-interpolant"), List(first)]:
                self._split(first)
            case [Leaf(word), *_] if word in PASSED:
                return
            case [Leaf() as word, *_]:
                raise refusal(f"the command {shown(word)}", command)
            case _:
                raise refusal("a list that is no command", command)

    def parts(self) -> tuple[tuple[Formula, ...], ...]:
        """What each part says, in order."""
        order = self._order or [[name] for name in self._named]
        return tuple(
            tuple(formula for name in names for formula in self._named[name]) for names in order
        )

    def _arrange(self, wanted: Iterable[Node]) -> None:
        self._order = [self._names(each) for each in wanted]

    def _split(self, first: Iterable[Node]) -> None:
        known = [self._known(each) for each in first]
        self._order = [known, [name for name in self._named if name not in known]]

    def _names(self, node: Node) -> list[str]:
        match node:
            case List([Leaf("and"), *joined]) if joined:
                return [self._known(each) for each in joined]
            case _:
                return [self._known(node)]

    def _known(self, node: Node) -> str:
        if isinstance(node, Leaf) and bare(node.text) in self._named:
            return bare(node.text)
        raise refusal(f"{shown(node)}, which no assertion is named,", node)


def _name_in(attributes: list[Node], command: List) -> str:
    pairs = zip(attributes[::2], attributes[1::2], strict=False)
    for keyword, value in pairs:
        match keyword, value:
            case Leaf(":named" | ":interpolation-group"), Leaf(name):
                return bare(name)
    raise _unnamed(command)


def _unnamed(command: List) -> Refused:
    return refusal("an assertion without :named or :interpolation-group", command)
