"""The index of questions: a JSON file beside a net with a question and its expected answer.

It is an object, or a list of objects about one net or several. Keys: `net` (the net's file,
relative to the JSON file) and the question: `target` (a list of [place, "==" | ">=" | "<=",
number], all of which must hold; `kind` is then reach or cover), or a kind of question, such as
`formula` or `bound`, with its words, as on the command line; or `kind` alone for one without words;
or `mcc` (`xml`, a file of properties relative to the JSON file, and `id`, one of them). Further
keys: `name` (of a question of a list; otherwise its number), `expected` (what the question's
`answers` read: reachable, or a number, or yes; of a property also holds or violated; or unknown, as
where a list does not say it), `why`, `source`, `bounded` (or null where nobody knows), `witness` (a
firing sequence); `row`, the name of the row of the 2016 paper's Table 2; and
`initial`, a formula of the initial markings that are asked about. Other keys are
ignored, so an index may carry more than is read here; but what has a key `format`, such as
evidence, is no entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec

from petricheck import questions
from petricheck.arithmetic.formulas.formulas import Formula, at_least, at_most, conjunction, equal
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.arithmetic.formulas.text import to_text
from petricheck.formats.language.quantifier import HOLDS, VIOLATED, Quantifier
from petricheck.formats.nets import NetFile, read_net
from petricheck.formats.properties import Property, read_properties
from petricheck.model.net import Net
from petricheck.questions import Answers, Value, kind_names, kind_of
from petricheck.questions.kind import Reaching, is_target
from petricheck.questions.properties import property_question
from petricheck.support.errors import InputError, QueryError, suggestion
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
        initial: a formula of the initial markings that are asked about; empty for that of the file.
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
    initial: str = ""

    @property
    def has_target(self) -> bool:
        """Return whether the answer is a verdict on one target."""
        kind = kind_of(self.kind)
        return isinstance(kind, Reaching) and kind.reached

    @property
    def is_property(self) -> bool:
        """Return whether the answer is that something holds or is violated."""
        return any(HOLDS in words for words in self.answers.words.values())

    @property
    def answers(self) -> Answers:
        """The answers that it has."""
        return _answers(self.kind, self.text, self.quantifier)

    @property
    def expected_text(self) -> str:
        """The answer that is known in words, or unknown."""
        return self.answers.describe(self.expected)

    def holds(self, value: Value | None) -> bool | None:
        """Return whether an answer says that the property holds; None without one."""
        return (
            HOLDS in self.answers.words[value] if self.is_property and value is not None else None
        )

    def reading(self, value: Value | None, words: str) -> str:
        """Return an answer's words; of a property whether it holds, with them behind."""
        word = self.quantifier and self.quantifier.word(value)
        return f"{word} ({words})" if word else words


def _answers(kind: str, text: str, quantifier: Quantifier | None) -> Answers:
    answers = kind_of(kind).answers(text)
    if quantifier is None:
        return answers
    holding: dict[Value, str] = {quantifier.answer(True): HOLDS, quantifier.answer(False): VIOLATED}
    words = {value: (*words, holding[value]) for value, words in answers.words.items()}
    return replace(answers, words=words)


_FACTS = {field.name for field in fields(BatchQuestion)}
_KEYS = _FACTS.difference(("text", "properties", "collection", "quantifier")).union(
    kind_names(), ("target", "mcc")
)
"""What an entry of a list may say."""


class _Words(NamedTuple):
    """The words of a question, as of `BatchQuestion`."""

    kind: str
    text: str = ""
    properties: str | None = None
    quantifier: Quantifier | None = None


class _Named(msgspec.Struct):
    xml: str
    id: str


def read_questions(path: Path) -> tuple[BatchQuestion, ...]:
    """Return the questions of one JSON file; those of a list are named after it.

    InputError where the file cannot be read, or does not have the shape above.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(content, list):
            return tuple(_listed(path, content))
        question = _question(path, path.stem, content)
        return () if question is None else (question,)
    except OSError as error:
        reason = error.strerror or "cannot be read"
    except InputError as error:
        if error.path:  # of a file that the index names
            raise
        reason = error.message
    except msgspec.ValidationError as error:
        reason = _complaint(error)
    except (ValueError, RecursionError) as error:
        reason = f"not readable as JSON: {error}"
    raise InputError(reason, path=str(path))


def file_of(question: BatchQuestion) -> NetFile:
    """Return the net of the question, with its initial markings; errors as of `read_net`."""
    file = read_net(question.net)
    return file.starting(question.initial) if question.initial else file


def question_about(question: BatchQuestion, net: Net) -> questions.Question:
    """Return the question about this net; InputError or QueryError where it is refused."""
    if question.properties is None:
        # An index names no other file to read from.
        return questions.read_question(net, question.kind, question.text)
    try:
        named = _property(question.properties, question.text, net)
        return property_question(net, named.meaning)
    except QueryError as error:
        raise QueryError(f"property {question.text!r} is refused: {error.message}") from None


def _property(file: Path, name: str, net: Net | None = None) -> Property:
    for named in read_properties(file, net):
        if named.id == name:
            return named
    raise InputError(f"the file has no property {name!r}", path=str(file))


def _listed(path: Path, entries: list[object]) -> Iterator[BatchQuestion]:
    """Yield the questions of a list, each of which asks something."""
    for number, content in enumerate(entries, start=1):
        try:
            entry: dict[str, Any] = msgspec.convert(content, dict)
            if unknown := sorted(entry.keys() - _KEYS):
                key = unknown[0]
                raise InputError(f"no key is named {quoted(key)}{suggestion(key, _KEYS)}")
            name = str(_value(entry, "name", str | int | None) or number)
            entry = {"expected": questions.UNKNOWN, **entry}
            question = _question(path, f"{path.stem}/{name}", entry)
            if question is None:
                raise InputError("it asks nothing; name a target or another question")
        except (InputError, msgspec.ValidationError) as error:
            if isinstance(error, InputError) and error.path:
                raise
            reason = error.message if isinstance(error, InputError) else _complaint(error)
            raise InputError(f"question {number}: {reason}") from None
        yield question


def _question(path: Path, name: str, content: object) -> BatchQuestion | None:
    entry: dict[str, Any] = msgspec.convert(content, dict)
    words = None if "format" in entry else _words(entry, path)
    if words is None:
        return None

    def beside(_: type, name: object) -> Path:
        if not isinstance(name, str):
            raise ValueError("Expected `str`")
        return path.parent / name

    answers = {
        "name": name,
        "expected": _expected(words, entry.get("expected")),
        "collection": path.resolve().parent.name,
    }
    return msgspec.convert({**entry, **words._asdict(), **answers}, BatchQuestion, dec_hook=beside)


def _words(entry: dict[str, Any], path: Path) -> _Words | None:
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
        if entry.get(kind) is True and kind_of(kind).bare and kind not in _FACTS:
            return _Words(kind)
    if "mcc" in entry:
        named = _value(entry, "mcc", _Named)
        meaning = _property(path.parent / named.xml, named.id).meaning
        return _Words(meaning.kind, named.id, named.xml, meaning.quantifier)
    return None


def _expected(words: _Words, value: object) -> Value | None:
    try:
        return _answers(words.kind, words.text, words.quantifier).read(value)
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
