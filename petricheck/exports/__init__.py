"""Questions as other tools read them. One file for each kind of file.

A member writes a reachability question; some of its files hold the net as well, others stand beside
a file of the net. `write_question` chooses the member by the file's extension.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Protocol

from petricheck.errors import InputError
from petricheck.files import store, suffix, with_suffix
from petricheck.plugins import by_extension
from petricheck.presburger.formulas import Formula
from petricheck.presburger.layout import Comparison, natural
from petricheck.problem import Problem


class Export(Protocol):
    """The interface of every member of the family.

    Attributes:
        extensions: what the names of its files end in.
        beside: what the names of the net's files end in; empty where its own files hold the net.
    """

    extensions: ClassVar[tuple[str, ...]]
    beside: ClassVar[tuple[str, ...]]

    def write(self, problem: Problem) -> bytes:
        """Return the question whether the target is reachable, the same bytes each time.

        Raises:
            InputError: the format cannot hold the question, or the net.
        """


def write_question(problem: Problem, path: str | Path) -> None:
    """Write the question to a file, which is replaced as a whole or left alone.

    Raises:
        InputError: no member writes such files, or the question cannot be held or written.
    """
    if (export := by_extension("exports").get(suffix(path))) is None:
        extensions = " or ".join(known_extensions())
        raise InputError(f"questions are written to files that end in {extensions}", path=str(path))
    store(path, export().write(problem))


def question_path(net_path: str | Path) -> Path | None:
    """Return the path of the question file for a net written there; None where there is none."""
    for extension, export in by_extension("exports").items():
        if suffix(net_path) in export.beside:
            return with_suffix(net_path, extension)
    return None


def known_extensions() -> tuple[str, ...]:
    """Return the extensions of files with questions."""
    return tuple(by_extension("exports"))


def comparison_of(atom: Formula) -> Comparison:
    """Return the atom in a language that has no remainders.

    Raises:
        InputError: it asks for one.
    """
    sides = natural(atom)
    if isinstance(sides, Comparison):
        return sides
    raise InputError("the question asks for a remainder (mod), which this format cannot hold")
