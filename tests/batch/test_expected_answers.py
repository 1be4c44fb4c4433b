"""What is expected and what was answered are compared as values, whatever words stand for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import records as made
from folders import read_question

from petricheck.batch.cells import Cell, CellOutcome, CellRecord, fields, from_json, to_json
from petricheck.batch.questions.index import BatchQuestion
from petricheck.batch.reports import tables
from petricheck.batch.reports.measures import exit_status
from petricheck.questions import UNBOUNDED, UNKNOWN, Value, kind_names, kind_of
from petricheck.questions.kind import is_target
from petricheck.support.errors import InputError

YES = ("yes", "Yes", "true", True)
NO = ("no", " NO ", "false", False)


@dataclass(frozen=True)
class Kind:
    """A kind of question: how an index asks it, and what it may say that is expected."""

    entry: dict[str, Any]
    words: Mapping[Value, tuple[object, ...]]
    misspelt: tuple[object, ...]
    answers: str


REACH = {"kind": "reach", "target": [["p", "==", 1]]}
KINDS = {
    "reach": Kind(
        REACH,
        {True: ("reachable", "Reachable"), False: ("unreachable",)},
        ("unreachabel", "yes", "bounded", True, 1),
        "reachable, unreachable",
    ),
    "bounded": Kind(
        {"kind": "bounded"},
        {True: ("bounded", *YES), False: ("not bounded", "Not  Bounded", "unbounded", *NO)},
        ("bonded", "unboundet", "1", 1, 0, "safe", "not", [True]),
        "bounded (yes, true), not bounded (unbounded, no, false)",
    ),
    "always": Kind(
        {"always": "p = 1"},
        {True: ("holds", *YES), False: ("violated", *NO)},
        ("hold", "reachable", 1),
        "holds (yes, true), violated (no, false)",
    ),
    "never": Kind(
        {"never": "p = 1"},
        {True: ("holds", *YES), False: ("violated", *NO)},
        ("unreachable", 0),
        "holds (yes, true), violated (no, false)",
    ),
    "replay": Kind(
        {"replay": "t"},
        {True: ("fires", *YES), False: ("does not fire", *NO)},
        ("fire", 1),
        "fires (yes, true), does not fire (no, false)",
    ),
    "safe": Kind(
        {"kind": "safe"},
        {True: ("safe", "1-safe", "1-bounded", *YES), False: ("not safe", "unsafe", *NO)},
        ("save", "bounded", 1),
        "safe (1-safe, 1-bounded, yes, true), not safe (unsafe, no, false)",
    ),
    "quasi_live": Kind(
        {"kind": "quasi_live"},
        {
            True: ("quasi-live", "quasi live", *YES),
            False: ("not quasi-live", "not quasi live", *NO),
        },
        ("live", "quasi_life", 1),
        "quasi-live (quasi live, yes, true), not quasi-live (not quasi live, no, false)",
    ),
    "stable": Kind(
        {"kind": "stable"},
        {
            True: ("some place is stable", "stable", *YES),
            False: ("no place is stable", "not stable", *NO),
        },
        ("stabel", 0),
        "some place is stable (stable, yes, true), no place is stable (not stable, no, false)",
    ),
    "home": Kind(
        {"home": "p = 1"},
        {
            True: ("home space", "a home space", *YES),
            False: ("not a home space", "no home space", *NO),
        },
        ("home", 1),
        "home space (a home space, yes, true), not a home space (no home space, no, false)",
    ),
    "reversible": Kind(
        {"kind": "reversible"},
        {True: ("reversible", *YES), False: ("not reversible", "irreversible", *NO)},
        ("reverse", 1),
        "reversible (yes, true), not reversible (irreversible, no, false)",
    ),
    "live": Kind(
        {"kind": "live"},
        {True: ("live", *YES), False: ("not live", *NO)},
        ("quasi-live", "lively", 1),
        "live (yes, true), not live (no, false)",
    ),
    "terminates": Kind(
        {"terminates": "t"},
        {True: ("terminates", *YES), False: ("does not  Terminate", *NO)},
        ("ends", 1),
        "terminates (yes, true), does not terminate (no, false)",
    ),
    "sound": Kind(
        {"kind": "sound", "sound": "weak"},
        {True: ("sound", *YES), False: ("not sound", "unsound", *NO)},
        ("weak", 1),
        "sound (yes, true), not sound (unsound, no, false)",
    ),
    "state_space": Kind(
        {"kind": "state_space"},
        {
            16: (16, "16", "+16", "016", "16 markings", "0x10"),
            UNBOUNDED: ("unbounded", "infinite", "not bounded", "+inf"),
        },
        ("markings", "six", "6.0", 6.0, "6 7", "bounded", True),
        "a number, unbounded (infinite, not bounded, +inf)",
    ),
    "bound": Kind(
        {"bound": "p"},
        {
            0: (0, "0", "maximum 0"),
            16: (16, "16", "+16", "016", "maximum 16", "Maximum  16", "0x10", "maximum 0x10"),
            UNBOUNDED: ("unbounded", "infinite", "not bounded", "+inf"),
        },
        ("maximum", "minimum 6", "-inf", "six", "6.0", 6.0, "6 7", "1_0", "bounded", True, "yes"),
        "a number, unbounded (infinite, not bounded, +inf)",
    ),
    "least": Kind(
        {"bound": "min: p - q"},
        {
            -13: (-13, "-13", "minimum -13", "-0xd"),
            UNBOUNDED: ("unbounded", "infinite", "not bounded", "-inf"),
        },
        ("maximum -3", "+inf", "- 3"),
        "a number, unbounded (infinite, not bounded, -inf)",
    ),
}
ACCEPTED = [
    (kind, value, written)
    for kind, asked in KINDS.items()
    for value, words in asked.words.items()
    for written in words
]
REFUSED = [(kind, written) for kind, asked in KINDS.items() for written in asked.misspelt]


def written(folder: Path, kind: str, expected: object) -> Path:
    """An entry of an index."""
    path = folder / "asked.json"
    path.write_text(json.dumps({"net": "net.pnml", "expected": expected} | KINDS[kind].entry))
    return path


def asked(folder: Path, kind: str, expected: object) -> BatchQuestion:
    """The question of such an entry."""
    question = read_question(written(folder, kind, expected))
    assert question is not None
    return question


def test_every_kind_is_here() -> None:
    """One stands for all that ask after a target."""
    assert {kind for kind in kind_names() if not is_target(kind_of(kind))} <= KINDS.keys()


@pytest.mark.parametrize(("kind", "value", "word"), ACCEPTED)
def test_an_answer_is_right_where_it_is_the_one_that_the_words_mean(
    kind: str, value: Value, word: object, tmp_path: Path
) -> None:
    question = asked(tmp_path, kind, word)
    assert question.expected == value and type(question.expected) is type(value)
    answers = question.answers
    for answer in KINDS[kind].words:
        outcome = CellOutcome("decided", answers.describe(answer), answer)
        record = made.record(question, outcome=outcome)
        cell = from_json(to_json(record.cell), Cell)
        read = from_json(to_json(record, without="cell"), CellRecord, cell=cell)
        assert read == record and type(read.outcome.value) is type(answer)
        assert type(read.cell.question.expected) is type(value)
        assert fields(record)["verdict"] == answers.describe(answer)
        assert (record.correct, record.right, record.wrong) == (
            answer == value,
            answer == value,
            answer != value,
        )
        assert exit_status([record]) == (0 if answer == value else 5)
        said = f"{answers.describe(answer)} WRONG, {answers.describe(value)} is expected"
        assert (said in tables.outcome_text(record)) == record.wrong


@pytest.mark.parametrize(("kind", "word"), REFUSED)
def test_a_misspelt_answer_is_refused_with_its_file_and_the_answers_that_there_are(
    kind: str, word: object, tmp_path: Path
) -> None:
    path = written(tmp_path, kind, word)
    with pytest.raises(InputError) as refused:
        read_question(path)
    assert refused.value.path == str(path)
    wanted = f"{KINDS[kind].answers} or unknown is expected"
    assert refused.value.message == f"expected: {wanted}, not {json.dumps(word)}"


@pytest.mark.parametrize("kind", KINDS)
def test_without_an_answer_to_compare_nothing_is_correct_or_wrong(
    kind: str, tmp_path: Path
) -> None:
    question = asked(tmp_path, kind, "unknown")
    assert question.expected is None and question.expected_text == UNKNOWN
    for value, words in KINDS[kind].words.items():
        record = made.record(question, outcome=CellOutcome("decided", "…", value))
        assert record.right and not record.correct and not record.wrong
        unanswered = made.record(asked(tmp_path, kind, words[0]), outcome=made.TIMEOUT)
        assert not unanswered.right and not unanswered.correct and not unanswered.wrong
