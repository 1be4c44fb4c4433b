"""A batch as a report of JUnit: a suite for each configuration, a case for each question.

A verdict that contradicts what is known is a failure, an error an error; what is undecided, for a
limit or otherwise, is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from petricheck.batch.cells import Record

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(records: Sequence[Record]) -> str:
    """The document, well-formed whatever names and messages hold."""
    root = Element("testsuites", {"name": "petricheck batch", **_counts(records)})
    for name in dict.fromkeys(record.cell.configuration.name for record in records):
        rows = [record for record in records if record.cell.configuration.name == name]
        rows.sort(key=lambda record: record.cell.key)
        begun = min(record.finished for record in rows).partition(".")[0]
        about = {"name": _text(name), "timestamp": begun, **_counts(rows)}
        suite = SubElement(root, "testsuite", about)
        for record in rows:
            suite.append(_case(record))
    ElementTree.indent(root)
    declared = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return f"{declared}{ElementTree.tostring(root, encoding='unicode')}\n"


def _case(record: Record) -> Element:
    question, outcome = record.cell.question, record.outcome
    case = Element(
        "testcase",
        name=_text(question.name),
        classname=_text(question.collection or "questions"),
        time=_seconds(outcome.seconds),
    )
    match _result(record):
        case "passed":
            pass
        case "failure":
            message = f"{outcome.verdict}, {question.expected} is expected"
            _add(case, "failure", "wrong", message, question.why)
        case "error":
            _add(case, "error", outcome.error or "error", outcome.reason, outcome.reason)
        case "skipped":
            _add(case, "skipped", outcome.status, f"{outcome.told}: {outcome.reason}", "")
    return case


def _add(case: Element, tag: str, kind: str, message: str, text: str) -> None:
    headline = " ".join(_text(message).split())
    SubElement(case, tag, type=_text(kind), message=headline).text = _text(text)


def _result(record: Record) -> str:
    if record.wrong:
        return "failure"
    if record.right:
        return "passed"
    return "error" if record.outcome.status == "error" else "skipped"


def _counts(records: Sequence[Record]) -> dict[str, str]:
    results = [_result(record) for record in records]
    return {
        "tests": str(len(results)),
        "failures": str(results.count("failure")),
        "errors": str(results.count("error")),
        "skipped": str(results.count("skipped")),
        "time": _seconds(sum(record.outcome.seconds or 0.0 for record in records)),
    }


def _seconds(value: float | None) -> str:
    return f"{value or 0.0:.3f}"


def _text(text: str) -> str:
    """The text, without characters that XML cannot hold."""
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
