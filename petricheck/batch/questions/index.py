"""The index of questions: one JSON file beside each net says what is asked and what is known.

Keys: `net` (the net's file, relative to the JSON file), `kind` (reach, cover or formula), `target`
(a list of [place, "==" | ">=" | "<=", number], all of which must hold) or else a kind of question,
such as `formula` (text, as on the command line), or `mcc` (`xml`, a file of properties relative to
the JSON file, and `id`, one of them). What an analysis answers has its name as `kind`, and its
words, if it has any, under that name (`"kind": "bound", "bound": "p1 + p2"`); where it has words,
`kind` may be left out. For all of them `expected` (what `answers_to` the question reads: reachable,
or a number, or yes; or unknown), `why`, `source`, `bounded` (or null where nobody knows), `witness`
(a firing sequence); and `row`, the name of the row of the 2016 paper's Table 2.
Other keys are ignored, so an index may carry more than is read here; but what has a key `format`,
such as evidence, is no entry.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from petricheck import analyses, plugins, queries
from petricheck.analyses import Answers, Value
from petricheck.batch.questions._fields import choice, shown, text
from petricheck.errors import InputError, QueryError
from petricheck.presburger.formulas import Formula, at_least, at_most, conjunction, equal
from petricheck.presburger.terms import Term, variable
from petricheck.presburger.text import term_to_text
from petricheck.problem import Net
from petricheck.properties import Invariant, Maximum, Possible, Refused, read_properties

COMPARISONS: dict[str, Callable[[Term, int], Formula]] = {
    "==": equal,
    ">=": at_least,
    "<=": at_most,
}
KINDS = ("reach", "cover", "formula")
VERDICTS = Answers({True: ("reachable",), False: ("unreachable",)})
"""Of a question with one target."""


@dataclass(frozen=True, slots=True)
class Bound:
    """`place` compared with `number`; `comparison` is ==, >= or <=."""

    place: str
    comparison: str
    number: int


@dataclass(frozen=True, slots=True)
class Words:
    """A question as on the command line.

    Attributes:
        kind: a member of the queries, or of the analyses.
        text: what is said of it; no file is named.
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class OfFile:
    """A property of a file.

    Attributes:
        file: the file of properties.
        id: of the property.
    """

    file: Path
    id: str


Target: TypeAlias = tuple[Bound, ...] | Words | OfFile
"""Bounds that hold at once, or words, or a property."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a net, with what is known of its answer.

    Attributes:
        name: name of the JSON file, without its suffix.
        net: the net's file.
        target: what is asked.
        kind: reach, cover or formula; or the analysis.
        expected: the answer that is known, one of `answers_to`; None where none is.
        why: the reason for it.
        source: where the net was published.
        bounded: whether the net is; None where that is not known.
        witness: transition ids that lead into the target, where a firing sequence is known.
        row: name of the paper's row, or "".
        collection: name of the folder that the question stands in.
    """

    name: str
    net: Path
    target: Target
    kind: str = "formula"
    expected: Value | None = None
    why: str = ""
    source: str = ""
    bounded: bool | None = None
    witness: tuple[str, ...] | None = None
    row: str = ""
    collection: str = ""

    @property
    def analysed(self) -> bool:
        """Whether it is answered by an analysis, and not by a verdict on one target."""
        return self.kind not in KINDS

    @property
    def expected_text(self) -> str:
        """The answer that is known in words, or unknown."""
        return answers_to(self.kind, self.target).tell(self.expected)


def answers_to(kind: str, target: Target) -> Answers:
    """The answers that a question of this kind has.

    Raises:
        QueryError: there is no such kind.
    """
    if kind in KINDS:
        return VERDICTS
    return analyses.analysis(kind).answers(target.text if isinstance(target, Words) else "")


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


def question_formula(question: Question, net: Net) -> Formula:
    """The target as a formula over the net's places.

    Raises:
        InputError: a bound names something that is not a place, or a file of properties was refused
            or has no such property.
        QueryError: the words make no sense, or the property is no question after reachability.
    """
    match question.target:
        case Words(kind, text):
            # By the member and not `parse_query`: an index names no other file to read from.
            return queries.query(kind).parse(net, text)
        case OfFile(file, name):
            match _meaning(file, name, net):
                case Maximum():
                    raise QueryError(f"property {name!r} asks for a maximum, and names no target")
                case meaning:
                    return meaning.target
        case bounds:
            return conjunction(_compared(question, bound, net) for bound in bounds)


def question_words(question: Question, net: Net) -> Words:
    """What an analysis is asked.

    Raises:
        InputError: a file of properties was refused or has no such property.
        QueryError: the question is none for an analysis.
    """
    match question.target:
        case Words() as words if question.analysed:
            return words
        case OfFile(file, name):
            match _meaning(file, name, net):
                case Maximum(sum):
                    return Words("bound", term_to_text(sum))
    raise QueryError(f"question {question.name!r} is none for an analysis")


def _compared(question: Question, bound: Bound, net: Net) -> Formula:
    if bound.place not in net.place_numbers:
        reason = f"question {question.name!r} names {bound.place!r}"
        raise InputError(f"{reason}, which is no place of net {net.name!r}")
    return COMPARISONS[bound.comparison](variable(bound.place), bound.number)


def _meaning(file: Path, name: str, net: Net) -> Possible | Invariant | Maximum:
    for each in read_properties(file, net):
        if each.id == name:
            match each.meaning:
                case Refused(reason):
                    raise QueryError(f"property {name!r} is refused: {reason}")
                case meaning:
                    return meaning
    raise InputError(f"the file has no property {name!r}", path=str(file))


def _question(path: Path, entry: object) -> Question | None:
    if not isinstance(entry, dict):
        raise InputError(f"an object is expected, not {shown(entry)}")
    target = None if "format" in entry else _target(entry, path.parent)
    if target is None:
        return None
    kind = _analysis(entry) or choice(entry, "kind", KINDS)
    return Question(
        name=path.stem,
        net=path.parent / text(entry, "net"),
        target=target,
        kind=kind,
        expected=_expected(entry.get("expected"), answers_to(kind, target)),
        why=text(entry, "why", ""),
        source=text(entry, "source", ""),
        bounded=_bounded(entry),
        witness=_witness(entry),
        row=text(entry, "row", ""),
        collection=path.resolve().parent.name,
    )


def _target(entry: dict[str, Any], folder: Path) -> Target | None:
    if analysis := _analysis(entry):
        return Words(analysis, _words(entry, analysis))
    bounds = entry.get("target")
    if bounds is None or isinstance(bounds, str):
        asked = (kind for kind in queries.kinds() if entry.get(kind) is not None)
        if (kind := next(asked, None)) is not None:
            return Words(kind, text(entry, kind))
        return None if "mcc" not in entry else _of_file(entry["mcc"], folder)
    if not isinstance(bounds, list) or not bounds:
        raise InputError(f"target: a list of bounds is expected, not {shown(bounds)}")
    return tuple(_bound(bound) for bound in bounds)


def _analysis(entry: dict[str, Any]) -> str | None:
    """The analysis that is asked for: the kind, or what has words; `bounded` may be a fact."""
    members = plugins.members("analyses")
    if "kind" in entry:
        return next((kind for kind in members if entry["kind"] == kind), None)
    return next((kind for kind in members if isinstance(entry.get(kind), str)), None)


def _words(entry: dict[str, Any], analysis: str) -> str:
    return text(entry, analysis) if analyses.analysis(analysis).example else ""


def _expected(written: object, answers: Answers) -> Value | None:
    try:
        return answers.read(written)
    except QueryError as error:
        raise InputError(f"expected: {error.message}, not {shown(written)}") from None


def _of_file(value: object, folder: Path) -> OfFile:
    match value:
        case {"xml": str(file), "id": str(name)}:
            return OfFile(folder / file, name)
    raise InputError(f"mcc: an object with xml and id is expected, not {shown(value)}")


def _bound(value: object) -> Bound:
    match value:
        case [str(place), str(comparison), int(number)] if comparison in COMPARISONS:
            if not isinstance(number, bool):
                return Bound(place, comparison, number)
    wanted = f"[place, {' or '.join(COMPARISONS)}, integer]"
    raise InputError(f"target: {wanted} is expected, not {shown(value)}")


def _bounded(entry: dict[str, Any]) -> bool | None:
    value = entry.get("bounded")
    if value is not None and not isinstance(value, bool):
        raise InputError(f"bounded: true, false or null is expected, not {shown(value)}")
    return value


def _witness(entry: dict[str, Any]) -> tuple[str, ...] | None:
    steps = entry.get("witness")
    if steps is None:
        return None
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise InputError(f"witness: a list of transition ids is expected, not {shown(steps)}")
    return tuple(steps)
