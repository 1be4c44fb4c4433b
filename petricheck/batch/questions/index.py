"""The index of questions: one JSON file beside each net says what is asked and what is known.

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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from petricheck import questions
from petricheck.errors import InputError, QueryError
from petricheck.presburger.formulas import Formula, at_least, at_most, conjunction, equal
from petricheck.presburger.terms import Term, variable
from petricheck.presburger.text import term_to_text, to_text
from petricheck.problem import Net
from petricheck.properties import Invariant, Maximum, Possible, Refused, read_properties
from petricheck.questions import Answers, Value, kind_names, kind_of
from petricheck.questions.kind import is_target

COMPARISONS: dict[str, Callable[[Term, int], Formula]] = {
    "==": equal,
    ">=": at_least,
    "<=": at_most,
}
KINDS = ("reach", "cover", "formula")
"""What an entry may call the kind of a question with one target."""


@dataclass(frozen=True, slots=True)
class Question:
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

    @property
    def has_target(self) -> bool:
        """Whether it is answered by a verdict on one target."""
        return is_target(kind_of(self.kind))

    @property
    def answers(self) -> Answers:
        """The answers that it has."""
        return kind_of(self.kind).answers(self.text)

    @property
    def expected_text(self) -> str:
        """The answer that is known in words, or unknown."""
        return self.answers.tell(self.expected)


def read_question(path: Path) -> Question | None:
    """The question of one JSON file; None where it has no target.

    Raises:
        InputError: the file cannot be read, or does not have the shape above.
    """
    try:
        return _question(path, json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", path=str(path)) from None
    except InputError as error:
        raise InputError(error.message, path=str(path)) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"not readable as JSON: {error}", path=str(path)) from None


def question_about(question: Question, net: Net) -> questions.Question:
    """The question about this net.

    Raises:
        InputError: a file of properties was refused or has no such property.
        QueryError: the words make no sense.
    """
    if question.properties is None:
        # An index names no other file to read from.
        return questions.read_question(net, question.kind, question.text)
    match _meaning(question.properties, question.text, net):
        case Maximum(sum):
            return questions.read_question(net, "bound", term_to_text(sum))
        case meaning:
            return questions.question_of(net, meaning.target)


def question_formula(question: Question, net: Net) -> Formula:
    """The target of the question about this net.

    Raises:
        InputError, QueryError: as `question_about`; or it is not after one target.
    """
    return question_about(question, net).problem.target


def _meaning(file: Path, name: str, net: Net) -> Possible | Invariant | Maximum:
    for named in read_properties(file, net):
        if named.id == name:
            match named.meaning:
                case Refused(reason):
                    raise QueryError(f"property {name!r} is refused: {reason}")
                case meaning:
                    return meaning
    raise InputError(f"the file has no property {name!r}", path=str(file))


def _question(path: Path, entry: object) -> Question | None:
    if not isinstance(entry, dict):
        raise InputError(f"an object is expected, not {_shown(entry)}")
    words = None if "format" in entry else _words(entry, path.parent)
    if words is None:
        return None
    kind, text, properties = words
    return Question(
        path.stem,
        path.parent / _text(entry, "net"),
        kind,
        text,
        properties,
        _expected(entry.get("expected"), kind_of(kind).answers(text)),
        _text(entry, "why", ""),
        _text(entry, "source", ""),
        _value(entry, "bounded", bool | None, "true, false or null"),
        _value(entry, "witness", tuple[str, ...] | None, "a list of transition ids"),
        _text(entry, "row", ""),
        path.resolve().parent.name,
    )


def _words(entry: dict[str, Any], folder: Path) -> tuple[str, str, Path | None] | None:
    """The kind of the question, its words, and the file that it is a property of."""
    members = [kind for kind in kind_names() if not is_target(kind_of(kind))]
    wordy = [kind for kind in members if isinstance(entry.get(kind), str)]  # bounded may be a fact
    kind = entry.get("kind", wordy[0] if wordy else None)
    if kind in members:
        return kind, _text(entry, kind) if kind_of(kind).example else "", None
    words: tuple[str, str, Path | None]
    target = entry.get("target")
    if target is not None and not isinstance(target, str):
        words = ("formula", _conjunction(target), None)
    elif targets := [k for k in kind_names() if k not in members and entry.get(k) is not None]:
        words = (targets[0], _text(entry, targets[0]), None)
    elif "mcc" in entry:
        file, name = _property(entry["mcc"])
        words = ("formula", name, folder / file)
    else:
        return None
    if kind not in KINDS:
        raise InputError(f"kind: {_shown(kind)} is none of {', '.join((*KINDS, *members))}")
    return words


def _expected(written: object, answers: Answers) -> Value | None:
    try:
        return answers.read(written)
    except QueryError as error:
        raise InputError(f"expected: {error.message}, not {_shown(written)}") from None


def _property(value: object) -> tuple[str, str]:
    match value:
        case {"xml": str(file), "id": str(name)}:
            return file, name
    raise InputError(f"mcc: an object with xml and id is expected, not {_shown(value)}")


def _conjunction(bounds: object) -> str:
    """What --formula reads as these bounds."""
    if not isinstance(bounds, list) or not bounds:
        raise InputError(f"target: a list of bounds is expected, not {_shown(bounds)}")
    return to_text(conjunction(map(_bound, bounds)))


def _bound(value: object) -> Formula:
    match value:
        case [str(place), str(comparison), int(number)] if comparison in COMPARISONS:
            if not isinstance(number, bool):
                return COMPARISONS[comparison](variable(place), number)
    wanted = f"[place, {' or '.join(COMPARISONS)}, integer]"
    raise InputError(f"target: {wanted} is expected, not {_shown(value)}")


def _text(entry: dict[str, Any], key: str, default: str | None = None) -> str:
    value: str = _value({key: default} | entry, key, str, "text")
    return value


def _value(entry: dict[str, Any], key: str, kind: Any, wanted: str) -> Any:
    """What stands under the key; InputError where it is not of the kind."""
    value = entry.get(key)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        raise InputError(f"{key}: {wanted} is expected, not {_shown(value)}") from None


def _shown(value: object) -> str:
    """The value as JSON, cut where it is long; a missing one as such."""
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
