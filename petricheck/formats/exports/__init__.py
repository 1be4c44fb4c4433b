"""Writers of questions for other tools, one module for each format.

A member writes a reachability question. Some formats contain the net; for the others the net is
written to a second file. `write_question` chooses the member by the file's extension.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Protocol

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.layout import Comparison, natural
from petricheck.model.guarded.translation import require_exact
from petricheck.model.problem import Problem
from petricheck.support.errors import InputError
from petricheck.support.files import suffix, with_suffix
from petricheck.support.outputs import store
from petricheck.support.plugins import by_extension


class Export(Protocol):
    """The interface of every member of the family.

    Files with the question have `extensions`; those with the net `net_extensions`, none where the
    question's file contains the net.
    """

    extensions: ClassVar[tuple[str, ...]]
    net_extensions: ClassVar[tuple[str, ...]]

    def write(self, problem: Problem) -> bytes:
        """Return the file's content; equal problems give equal bytes.

        Raises:
            InputError: the format cannot express the question, or the net.
        """


def write_question(problem: Problem, path: str | Path) -> None:
    """Write the question to a file, which is replaced as a whole or not changed.

    InputError where no member writes such files, or the format cannot express the question.
    """
    if (export := by_extension("exports").get(suffix(path))) is None:
        extensions = " or ".join(known_extensions())
        raise InputError(f"questions are written to files that end in {extensions}", path=str(path))
    if contains_net(path):
        require_exact(problem.net)
    store(path, export().write(problem))


def question_path(net_path: str | Path) -> Path | None:
    """Return the path of the question's file for this path of a net; None if no format fits."""
    for extension, export in by_extension("exports").items():
        if suffix(net_path) in export.net_extensions:
            return with_suffix(net_path, extension)
    return None


def contains_net(path: str | Path) -> bool:
    """Return whether a file of this path, with a question, also holds the net."""
    export = by_extension("exports").get(suffix(path))
    return export is not None and not export.net_extensions


def known_extensions() -> tuple[str, ...]:
    """Return the extensions of all files with questions."""
    return tuple(by_extension("exports"))


def comparison_of(atom: Formula) -> Comparison:
    """Return the atom, for a format without remainders; InputError where it is a congruence."""
    sides = natural(atom)
    if isinstance(sides, Comparison):
        return sides
    raise InputError("the question asks for a remainder (mod), which this format cannot hold")
