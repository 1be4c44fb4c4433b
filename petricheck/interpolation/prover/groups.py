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

    def add(self, name: str, formula: Formula) -> None:
        """The formula is said by the part of this name."""
        self._named.setdefault(name, []).append(formula)

    def parts(self) -> tuple[tuple[Formula, ...], ...]:
        """What each part says, in order."""
        order = self._order or [[name] for name in self._named]
        return tuple(
            tuple(formula for name in names for formula in self._named[name]) for names in order
        )

    def arrange(self, wanted: Iterable[Node]) -> None:
        """Parts in the order of `(get-interpolants …)`.

        Raises:
            Refused: no assertion has a name that is wanted.
        """
        self._order = [self._names(each) for each in wanted]

    def split(self, first: Iterable[Node]) -> None:
        """Two parts, those of `(get-interpolant (…))` and all others; errors as of `arrange`."""
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


def name_in(attributes: list[Node], command: List) -> str:
    """The name that an assertion has by its attributes; Refused where it has none."""
    pairs = zip(attributes[::2], attributes[1::2], strict=False)
    for keyword, value in pairs:
        match keyword, value:
            case Leaf(":named" | ":interpolation-group"), Leaf(name):
                return bare(name)
    raise refusal("an assertion without :named or :interpolation-group", command)
