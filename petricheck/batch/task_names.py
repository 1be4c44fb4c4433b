"""What tasks for BenchExec and their files are called: by the question, and by what they hold."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from petricheck.batch.questions.index import COMPARISONS, Bound, OfFile, Question, Words
from petricheck.errors import InputError
from petricheck.presburger.formulas import conjunction
from petricheck.presburger.terms import variable
from petricheck.presburger.text import to_text
from petricheck.queries import query

_LONGEST = 180


def task_name(question: Question) -> str:
    """The name of the question's task, without a suffix."""
    # No encoded part holds a +, so no two questions share a name.
    return encoded(question.collection, question.name)


def beginnings(question: Question) -> tuple[str, ...]:
    """How the names of the files of the question's task begin: by what they hold.

    Raises:
        InputError: a file cannot be read.
    """
    files = [question.net]
    files += [question.target.file] if isinstance(question.target, OfFile) else []
    try:
        copied = [_digest(file) for file in files]
    except OSError as error:
        path = str(error.filename)
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    return (*copied, *([_beginning_of_text(question)] if text_of(question) else []))


def text_of(question: Question) -> bytes:
    """The text of the question, where a file of the task holds it."""
    match question.target:
        case OfFile():
            text = ""
        case Words(kind, words):
            text = words if query(kind).example else ""
        case bounds:
            text = _words(bounds)
    return text.encode("utf-8", "surrogatepass")


def name_of_copy(file: Path) -> str:
    """By what the file holds, and by its name, which tells its format."""
    return f"{_digest(file)}-{_escaped(file.name)[-_LONGEST:]}"


def name_of_text(question: Question) -> str:
    """By the text, by what it is the text of, and by the name of the task."""
    return f"{_beginning_of_text(question)}-{task_name(question)}.txt"


def encoded(*parts: str) -> str:
    """A name of a file that no shell, pattern or file system takes for something else.

    Long ones are cut and end in a hash of the whole.
    """
    name = "+".join(map(_escaped, parts))
    if len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def _words(bounds: Sequence[Bound]) -> str:
    """What --formula reads as these bounds."""
    atoms = (COMPARISONS[each.comparison](variable(each.place), each.number) for each in bounds)
    return to_text(conjunction(atoms))


def _digest(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()[:16]


def _beginning_of_text(question: Question) -> str:
    kind = question.target.kind if isinstance(question.target, Words) else "formula"
    return f"{hashlib.sha256(text_of(question)).hexdigest()[:16]}-{kind}"


def _escaped(name: str) -> str:
    return quote(name, safe="", errors="surrogatepass").replace("~", "%7E")
