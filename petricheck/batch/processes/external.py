"""External commands: other tools beside our engines, under the same limits.

A command runs without a shell, in an empty temporary folder that is deleted afterwards, with
nothing on its standard input; a relative path of the program is one of the folder where the batch
was started. Its standard output is read for a verdict, of very long output the last part:

- With {properties}, a line `FORMULA question TRUE` or `FALSE`, as in the Model Checking Contest.
  The file asks EF, so TRUE is reachable.
- With {chc}, a line that is `sat` (unreachable: the clauses have a model, an invariant) or `unsat`
  (reachable).
- Otherwise a line that ends with `reachable`, `unreachable` or `not reachable`, or begins with one
  of them followed by a punctuation mark, and holds no word of doubt, such as `not` elsewhere,
  `unknown` or `whether`, no count and no beginning. "1024 markings reachable" and "checking that it
  is reachable" say nothing about the question.

Lines that contradict each other are no verdict. Nothing audits a verdict of a command.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from petricheck import plugins
from petricheck.batch.cells import Outcome
from petricheck.batch.questions.index import VERDICTS
from petricheck.errors import InputError
from petricheck.exports import Export
from petricheck.exports.mcc import ID
from petricheck.formats import write_net
from petricheck.presburger.text import to_text
from petricheck.problem import Problem
from petricheck.processes import die_with, ended

TAIL = 1 << 20
"""Bytes of the output that are read, the last ones."""

LARGEST = 1 << 30
"""Bytes that a file of a command may have; what it prints goes into files."""

_CONTEST = re.compile(rf"\s*FORMULA\s+{ID}\s+(TRUE|FALSE)\b")
_CLAUSES = re.compile(r"\s*(sat|unsat)\s*")
_WORD = r"(?P<{}>not\s+reachable|unreachable|reachable)"
_WORDS = re.compile(
    rf"(?:^\W*{_WORD.format('first')}\s*(?:[^\w\s]|$))|(?:\b{_WORD.format('last')}\W*$)",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|\w+n't|false|unknown|undecided|whether|if|or|may|maybe"
    r"|might|could|possibly|error|failed|timeout)\b|\?"
    # What a program is about to do, and what it has counted.
    r"|\b(?:check|prov|show|decid|test|verify|try|search|comput|analy[sz]|assum)ing\b"
    r"|\d\s+(?:\w+\s+)?(?:markings|states|configurations|nodes|places|transitions)\b"
    r"|^\W*[:=]\s*\d",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Words:
    """A command that is ready to be run.

    Attributes:
        command: its words.
        read: the verdicts that a line of its output gives.
    """

    command: tuple[str, ...]
    read: Callable[[str], str | None]


def prepare(command: Sequence[str], problem: Problem, net: Path, folder: Path) -> Words:
    """Put files and formula in the place of the placeholders.

    Raises:
        InputError: a format cannot hold the question, or a file could not be written.
    """
    written: dict[str, str] = {}
    for name, write in _WRITERS.items():
        if any(f"{{{name}}}" in word for word in command):
            written[name] = write(problem, net, folder)
    words = [_filled(word, written) for word in command]
    if os.sep in words[0]:
        words[0] = os.path.abspath(words[0])
    if "properties" in written:
        return Words(tuple(words), contest_verdict)
    return Words(tuple(words), clauses_verdict if "chc" in written else verdict_in_words)


def run(words: Words, folder: Path) -> Outcome:
    """Run the command to its end, and read its verdict."""
    output, errors = folder / "output", folder / "errors"
    began = time.monotonic()
    with output.open("wb") as out, errors.open("wb") as err:
        try:
            process = subprocess.Popen(
                words.command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=_workplace(folder),
                env=os.environ | {"TMPDIR": str(folder)},
                preexec_fn=partial(_settle, os.getpid()),
            )
        except (OSError, ValueError) as error:
            reason = f"{words.command[0]} cannot be run: {getattr(error, 'strerror', error)}"
            return Outcome("error", reason=reason, error=type(error).__name__)
        status = process.wait()
    seconds = time.monotonic() - began
    return _outcome(words, status, _tail(output), _tail(errors), seconds)


def contest_verdict(line: str) -> str | None:
    """The verdict in a line as in the Model Checking Contest."""
    found = _CONTEST.match(line)
    return found and {"TRUE": "reachable", "FALSE": "unreachable"}[found[1]]


def clauses_verdict(line: str) -> str | None:
    """The verdict in a line of a solver of constrained Horn clauses."""
    found = _CLAUSES.fullmatch(line)
    return found and {"sat": "unreachable", "unsat": "reachable"}[found[1]]


def verdict_in_words(line: str) -> str | None:
    """The verdict in a line of prose."""
    found = _WORDS.search(line)
    if not found:
        return None
    word = found["first"] or found["last"]
    rest = line.replace(word, "", 1)
    if _DOUBT.search(rest) or re.search(r"\b(?:un)?reachable\b", rest, re.IGNORECASE):
        return None
    return "reachable" if word.lower() == "reachable" else "unreachable"


def _outcome(words: Words, status: int, output: str, errors: str, seconds: float) -> Outcome:
    verdicts = {verdict for line in output.splitlines() if (verdict := words.read(line))}
    if len(verdicts) == 1:
        program = os.path.basename(words.command[0])
        verdict = verdicts.pop()
        value = VERDICTS.read(verdict)
        return Outcome("decided", verdict, value, engine=program, seconds=seconds)
    said = _last_line(output)
    if verdicts:
        reason = f"the output contradicts itself; its last line: {said}"
        return Outcome("unknown", reason=reason, seconds=seconds)
    if status == 0:
        return Outcome("unknown", reason=said or "no output", seconds=seconds)
    what = _last_line(errors) or said
    kind = "Crash" if status < 0 else "ExitStatus"
    reason = f"the command {ended(status)}" + (f": {what}" if what else "")
    return Outcome("error", reason=reason, error=kind, seconds=seconds)


def _filled(word: str, written: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: written.get(found[1], found[0]), word)


def _pnml(problem: Problem, net: Path, folder: Path) -> str:
    if net.suffix.lower() == ".pnml":
        return str(net.absolute())
    path = folder / "net.pnml"
    write_net(problem.net, path)
    return str(path)


def _formula(problem: Problem, *_: Path) -> str:
    try:
        return to_text(problem.target)
    except ValueError:
        raise InputError("the question has numbers too long to be written") from None


def _exported(kind: str, problem: Problem, _: Path, folder: Path) -> str:
    export: Export = plugins.build("exports", kind)
    path = folder / f"question{export.extensions[0]}"
    path.write_bytes(export.write(problem))
    return str(path)


_WRITERS: Mapping[str, Callable[[Problem, Path, Path], str]] = {
    "pnml": _pnml,
    "formula": _formula,
    "properties": partial(_exported, "mcc"),
    "chc": partial(_exported, "chc"),
}
"""What stands for a placeholder; the members write files where need be."""


def _workplace(folder: Path) -> Path:
    path = folder / "work"
    path.mkdir()
    return path


def _settle(parent: int) -> None:
    """What the command's process does before it becomes the command."""
    die_with(parent)
    # Python ignores SIGPIPE and SIGXFSZ; programs in C expect to be ended by them.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _tail(path: Path) -> str:
    """The last lines; none that is cut, since half a line may say the opposite."""
    with path.open("rb") as file:
        if path.stat().st_size > TAIL:
            file.seek(-TAIL, os.SEEK_END)
            file.readline()
        return file.read().decode(errors="replace")


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:500] if lines else ""
