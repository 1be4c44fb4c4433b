"""The index of questions: a JSON file beside each net with questions and expected answers.

Keys: `net` (the net's file, relative to the JSON file) and the question: `target` (a list of
[place, "==" | ">=" | "<=", number], all of which must hold; `kind` is then reach or cover), or a
kind of question, such as `formula` or `bound`, with its words, as on the command line; or `kind`
alone for one without words; or `mcc` (`xml`, a file of properties relative to the JSON file, and
`id`, one of them). Further keys: `expected` (what the question's `answers` read: reachable, or a
number, or yes; or unknown), `why`, `source`, `bounded` (or null where nobody knows), `witness` (a
firing sequence); and `row`, the name of the row of the 2016 paper's Table 2. Other keys are
ignored, so an index may carry more than is read here; but what has a key `format`, such as
evidence, is no entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec

from petricheck import questions
from petricheck.arithmetic.formulas.formulas import (
    Formula,
    at_least,
    at_most,
    conjunction,
    equal,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.arithmetic.formulas.text import to_text
from petricheck.formats.properties import Property, Quantifier, read_properties
from petricheck.model.net import Net
from petricheck.questions import Answers, Value, kind_names, kind_of
from petricheck.questions.kind import is_target
from petricheck.support.errors import InputError, QueryError
from petricheck.support.words import quoted

Comparison: TypeAlias = Literal["==", ">=", "<="]
_Bounds = Annotated[list[tuple[str, Comparison, int]], msgspec.Meta(min_length=1)]
COMPARISONS: dict[Comparison, Callable[[Term, int], Formula]] = {
    "==": equal,
    ">=": at_least,
    "<=": at_most,
}
TARGETS = ("reach", "cover", "formula")
"""What an entry may call the kind of a question with one target."""


@dataclass(frozen=True, slots=True)
class BatchQuestion:
    """A question about a net, with what is known of its answer.

    Attributes:
        name: unique in its collection.
        net: the net's file.
        kind: a member of the kinds of questions.
        text: its words; no file is named. Of a property its id.
        properties: the file that has the property; None where the words are the question.
        expected: the answer that is known, one of its `answers`; None where none is.
        why: the reason for it.
        source: where the net was published.
        bounded: whether the net is; None where that is not known.
        witness: transition ids that lead into the target, where a firing sequence is known.
        row: name of the paper's row, or "".
        collection: name of the folder that the question stands in.
        quantifier: of a property that holds or is violated; None of other questions.
    """

    name: str
    net: Path
    kind: str
    text: str = ""
    properties: Path | None = None
    expected: Value | None = None
    why: str = ""
    source: str = ""
    bounded: bool | None = None
    witness: tuple[str, ...] | None = None
    row: str = ""
    collection: str = ""
    quantifier: Quantifier | None = None

    @property
    def has_target(self) -> bool:
        """Return whether the answer is a verdict on one target."""
        return is_target(kind_of(self.kind))

    @property
    def answers(self) -> Answers:
        """The answers that it has."""
        return kind_of(self.kind).answers(self.text)

    @property
    def expected_text(self) -> str:
        """The answer that is known in words, or unknown."""
        return self.answers.describe(self.expected)


class _Words(NamedTuple):
    """The words of a question, as of `BatchQuestion`."""

    kind: str
    text: str = ""
    properties: str | None = None


class _Named(msgspec.Struct):
    xml: str
    id: str


def read_question(path: Path) -> BatchQuestion | None:
    """Return the question of one JSON file; None where it has no target.

    InputError where the file cannot be read, or does not have the shape above.
    """
    try:
        return _question(path, json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        reason = error.strerror or "cannot be read"
    except InputError as error:
        reason = error.message
    except msgspec.ValidationError as error:
        reason = _complaint(error)
    except (ValueError, RecursionError) as error:
        reason = f"not readable as JSON: {error}"
    raise InputError(reason, path=str(path))


def question_about(question: BatchQuestion, net: Net) -> questions.Question:
    """Return the question about this net.

    Raises:
        InputError: a file of properties was refused or has no such property.
        QueryError: the words make no sense.
    """
    if question.properties is None:
        # An index names no other file to read from.
        return questions.read_question(net, question.kind, question.text)
    try:
        return questions.property_question(net, _property(question, net).meaning)
    except QueryError as error:
        raise QueryError(f"property {question.text!r} is refused: {error.message}") from None


def _property(question: BatchQuestion, net: Net | None = None) -> Property:
    file, name = question.properties, question.text
    assert file is not None
    for named in read_properties(file, net):
        if named.id == name:
            return named
    raise InputError(f"the file has no property {name!r}", path=str(file))


def _question(path: Path, content: object) -> BatchQuestion | None:
    entry: dict[str, Any] = msgspec.convert(content, dict)
    words = None if "format" in entry else _words(entry)
    if words is None:
        return None

    def beside(_: type, name: object) -> Path:
        if not isinstance(name, str):
            raise ValueError("Expected `str`")
        return path.parent / name

    answers = {
        "name": path.stem,
        "expected": _expected(words, entry.get("expected")),
        "collection": path.resolve().parent.name,
    }
    return msgspec.convert({**entry, **words._asdict(), **answers}, BatchQuestion, dec_hook=beside)


def _words(entry: dict[str, Any]) -> _Words | None:
    """Return the question of the entry; None where it has none."""
    kinds = kind_names()
    kind = _value(entry, "kind", str | None)
    if kind not in (None, *TARGETS, *kinds):
        kinds_text = ", ".join(dict.fromkeys((*TARGETS, *kinds)))
        raise InputError(f"kind: {quoted(kind)} is none of {kinds_text}")
    if kind in kinds and kind_of(kind).bare:
        words = entry.get(kind)
        return _Words(kind, words if isinstance(words, str) else "")
    if kind in kinds and not is_target(kind_of(kind)):
        return _Words(kind, _value(entry, kind, str))
    if isinstance(entry.get("target"), list):
        bounds = _value(entry, "target", _Bounds, "a list of [place, == or >= or <=, integer]")
        parts = (COMPARISONS[sign](variable(place), number) for place, sign, number in bounds)
        return _Words("formula", to_text(conjunction(parts)))
    for kind in kinds:
        if not isinstance(entry.get(kind), bool | None):  # which may be a fact
            return _Words(kind, _value(entry, kind, str))
    if "mcc" in entry:
        named = _value(entry, "mcc", _Named)
        return _Words("formula", named.id, named.xml)
    return None


def _expected(words: _Words, value: object) -> Value | None:
    try:
        return kind_of(words.kind).answers(words.text).read(value)
    except QueryError as error:
        text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)[:60]
        raise InputError(f"expected: {error.message}, not {text}") from None


def _value(entry: dict[str, Any], key: str, kind: Any, form: str = "") -> Any:
    try:
        return msgspec.convert(entry.get(key), kind)
    except msgspec.ValidationError as error:
        reason = f"{form} is expected" if form else _complaint(error)
        raise InputError(f"{key}: {reason}") from None


_TYPES = {
    "str": "text", "int": "an integer", "float": "a number", "bool": "true or false",
    "null": "nothing", "array": "a list", "object": "an object",
}  # fmt: skip


def _complaint(error: msgspec.ValidationError) -> str:
    """Return the error in the words of other messages: where, what is expected, what is there."""
    text, _, path = str(error).partition(" - at `$")
    if (types := re.fullmatch(r"Expected `([^`]*)`(?:, got `(\w+)`)?", text)) is not None:
        form = " or ".join(_TYPES.get(name, name) for name in types[1].split(" | "))
        text = f"{form} is expected" + (
            f", not {_TYPES.get(types[2], types[2])}" if types[2] else ""
        )
    at = path.rstrip("`").lstrip(".")
    return f"{at}: {text}" if at else text
