"""The words of a batch: a cell is a question under a configuration, and has one outcome.

All values are frozen and can be sent to another process or machine; the files that a cell names
can be replaced by copies (`Cell.at`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from petricheck.batch.configurations import Configuration
from petricheck.batch.questions.index import BatchQuestion
from petricheck.questions import UNKNOWN, Value

T = TypeVar("T")

Status: TypeAlias = Literal["decided", "unknown", "timeout", "memory", "error"]

STATES = ("correct", "solved", "wrong", "unknown", "timeout", "memory", "error")
"""States of a cell; solved is right as far as one knows, where no answer is expected."""

Key: TypeAlias = tuple[str, str, str]
"""Collection, name of the question, name of the configuration: unique in a batch."""


@dataclass(frozen=True, slots=True)
class CellLimits:
    """Hard limits on all processes of a cell together, counted from its parsed problem.

    Wall time and CPU time are in seconds, resident memory is in MiB; None for no limit.
    """

    seconds: float = 60.0
    cpu_seconds: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """The question and configuration of one process; maybe a file of earlier evidence."""

    question: BatchQuestion
    configuration: Configuration
    limits: CellLimits
    earlier: Path | None = None

    @property
    def key(self) -> Key:
        """The key of the cell in its batch."""
        return (self.question.collection, self.question.name, self.configuration.name)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that it needs: the net, and those of properties and evidence if there are."""
        files = self.question.net, self.question.properties, self.earlier
        return tuple(file for file in files if file is not None)

    def at(self, copies: Mapping[Path, Path]) -> Cell:
        """Return the same cell about copies of its files."""
        net, properties, earlier = self.question.net, self.question.properties, self.earlier
        of_properties = None if properties is None else copies[properties]
        question = replace(self.question, net=copies[net], properties=of_properties)
        of_earlier = None if earlier is None else copies[earlier]
        return replace(self, question=question, earlier=of_earlier)


@dataclass(frozen=True, slots=True)
class Host:
    """The machine that decided a cell: with operating system and processor, cores, bytes of memory.

    Versions are those of petricheck, Python and what decides, by package.
    """

    name: str
    system: str
    cores: int
    memory: int
    versions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """The result of a cell; numbers that could not be measured are None.

    Attributes:
        status: decided (an audited verdict, or one of another tool; of an analysis, its complete
            answer), unknown (it gave up), timeout, memory, or error.
        verdict: the answer in words; without one what is proved of it, or unknown.
        value: the answer, which is what verdicts are compared by; None where it is open.
        engine: that found the verdict; empty without one, and of an analysis.
        audit: how the evidence was checked; empty without evidence.
        reason: why there is no verdict; empty with one.
        error: the kind of error, a class of Python or how the process died; else empty.
        iterations: how many of what the engine counts, see `engines.unit`.
        states: the engine's states.
        predicates: of the engine's abstraction.
        interpolation: CPU seconds in which the engine tried and refuted error paths.
        cpu_seconds: of all processes of the cell, from the parsed problem to the audited answer.
        seconds: wall time of the same.
        memory: peak resident bytes of all processes of the cell together.
        target: the question as a formula in text, cut where it is very long.
        evidence: the evidence as a JSON file's bytes; empty without a verdict or a proved claim.
        host: where it was decided; None where the process died.
        attempts: how often the cell was begun, at least once.
    """

    status: Status
    verdict: str = UNKNOWN
    value: Value | None = None
    engine: str = ""
    audit: str = ""
    reason: str = ""
    error: str = ""
    iterations: int | None = None
    states: int | None = None
    predicates: int | None = None
    interpolation: float | None = None
    cpu_seconds: float | None = None
    seconds: float | None = None
    memory: int | None = None
    target: str = ""
    evidence: bytes = field(default=b"", repr=False)
    host: Host | None = None
    attempts: int = 1

    def __post_init__(self) -> None:
        """Refuse a verdict without an answer, and an answer without a verdict."""
        if (self.value is None) is (self.status == "decided"):
            raise ValueError(f"status {self.status!r} with value {self.value!r}")

    @property
    def headline(self) -> str:
        """The verdict; or why there is none, with what is proved nevertheless."""
        if self.status == "decided":
            return self.verdict
        return self.status if self.verdict == UNKNOWN else f"{self.status}, {self.verdict}"


@dataclass(frozen=True, slots=True)
class CellRecord:
    """A cell that is done, as it is kept.

    Attributes:
        cell: the cell; its files are named as the store names them.
        outcome: what came of it, without the bytes of the evidence.
        net: name of the net's file as it was given.
        evidence: the store's name of the evidence; empty without one.
        finished: when, in ISO 8601, UTC.
    """

    cell: Cell
    outcome: CellOutcome
    net: str
    evidence: str
    finished: str

    @property
    def net_sha256(self) -> str:
        """The SHA-256 of the net's file, in hexadecimal."""
        return self.cell.question.net.name.partition(".")[0]

    @property
    def state(self) -> str:
        """One of `STATES`."""
        if self.outcome.status != "decided":
            return self.outcome.status
        return "wrong" if self.wrong else "correct" if self.correct else "solved"

    @property
    def right(self) -> bool:
        """Return whether there is a verdict that contradicts no reference answer."""
        return self.outcome.value is not None and not self.wrong

    @property
    def correct(self) -> bool:
        """Return whether the verdict equals the reference answer."""
        return self.outcome.value is not None and self.outcome.value == self.cell.question.expected

    @property
    def headline(self) -> str:
        """The outcome in a few words; of a property whether it holds, with the verdict behind."""
        return self.cell.question.reading(self.outcome.value, self.outcome.headline)

    @property
    def holds(self) -> bool | None:
        """Return whether the property holds; None where that is open, or for another question."""
        return self.cell.question.holds(self.outcome.value)

    @property
    def fails(self) -> bool:
        """Return whether the verdict is not the expected one, or a property is violated."""
        return self.wrong or (self.holds is False and not self.correct)

    @property
    def wrong(self) -> bool:
        """Return whether the verdict contradicts the reference answer."""
        value, expected = self.outcome.value, self.cell.question.expected
        return None not in (value, expected) and value != expected


def fields(record: CellRecord) -> dict[str, Any]:
    """Return the values of `FIELDS` for JSON; missing values are None."""
    return {name: plain(value(record)) for name, value in FIELDS.items()}


FIELDS: Mapping[str, Callable[[CellRecord], object]] = {
    "collection": lambda r: r.cell.question.collection,
    "question": lambda r: r.cell.question.name,
    "configuration": lambda r: r.cell.configuration.name,
    "definition": lambda r: r.cell.configuration.definition,
    "status": lambda r: r.outcome.status,
    "verdict": lambda r: r.outcome.verdict,
    "expected": lambda r: r.cell.question.expected_text,
    "engine": lambda r: r.outcome.engine,
    "audit": lambda r: r.outcome.audit,
    "reason": lambda r: r.outcome.reason,
    "error": lambda r: r.outcome.error,
    "iterations": lambda r: r.outcome.iterations,
    "states": lambda r: r.outcome.states,
    "predicates": lambda r: r.outcome.predicates,
    "interpolation": lambda r: r.outcome.interpolation,
    "seconds": lambda r: r.outcome.seconds,
    "cpu_seconds": lambda r: r.outcome.cpu_seconds,
    "memory": lambda r: r.outcome.memory,
    "attempts": lambda r: r.outcome.attempts,
    "net": lambda r: r.net,
    "net_sha256": lambda r: r.net_sha256,
    "bounded": lambda r: r.cell.question.bounded,
    "target": lambda r: r.outcome.target,
    "evidence": lambda r: r.evidence or None,
    "finished": lambda r: r.finished,
    "host": lambda r: r.outcome.host,
    "asked": lambda r: r.cell.question,
    "configured": lambda r: r.cell.configuration,
    "limits": lambda r: r.cell.limits,
    "correct": lambda r: r.correct,
    "wrong": lambda r: r.wrong,
    "quantifier": lambda r: r.cell.question.quantifier,
    "holds": lambda r: r.holds,
}
"""What is known of a cell, in the order of every export."""


def plain(value: object) -> Any:
    """Return the value as JSON stores it; very long numbers as hexadecimal text."""
    return _short(msgspec.to_builtins(value, enc_hook=str))


def to_json(value: object, without: str = "") -> str:
    """Return the value as JSON; perhaps without one of its fields."""
    return json.dumps({name: part for name, part in plain(value).items() if name != without})


def from_json(text: str, kind: type[T], **more: object) -> T:
    """Return what `to_json` wrote; `more` is what was written without. ValueError for no sense."""
    fields = msgspec.convert(json.loads(text, object_hook=_with_numbers), dict)
    return msgspec.convert(fields | more, kind, dec_hook=lambda path, name: path(name))


def _short(value: Any) -> Any:
    match value:
        case dict():
            return {key: _short(part) for key, part in value.items()}
        case list() | tuple():
            return [_short(part) for part in value]
        case int() if value.bit_length() > _DECIMAL:
            return hex(value)
    return value


def _with_numbers(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with answers that were written in hexadecimal as numbers."""
    long = {
        name: int(fields[name], 16)
        for name in ("value", "expected")
        if str(fields.get(name)).lstrip("-").startswith("0x")
    }
    return fields | long


_DECIMAL = 14_000
"""Bits of the longest integers that are written in decimal."""
