"""Servers of continuous integration read what fails, and what is not decided."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from invoked import run
from records import ALL, CRASH, GAVE_UP, NONE, SOLVED, TIMEOUT, keep, question, record

from petricheck.batch.reports.junit import as_junit
from petricheck.formats.language.quantifier import Quantifier

REACHABLE = replace(SOLVED, verdict="reachable", value=True)
AG = Quantifier.ALWAYS
CELLS = [
    record("right"),
    record("unexpected", outcome=REACHABLE),
    record(question("violated", "unknown", quantifier=AG), outcome=REACHABLE),
    record(question("as expected", "reachable", quantifier=AG), outcome=REACHABLE),
    record("open", outcome=replace(GAVE_UP, reason='<not> "decided"\x00')),
    record("late", outcome=TIMEOUT),
    record("crash", outcome=CRASH),
    record(question("disputed", "unknown"), NONE),
    record(question("disputed", "unknown"), ALL, REACHABLE),
]
FAILURES = {"unexpected", "violated", "disputed"}


def results(text: str) -> set[tuple[str, str]]:
    """The names of the cases, with what came of them."""
    cases = ElementTree.fromstring(text).iter("testcase")
    return {(case.attrib["name"], case[0].tag) for case in cases}


def test_a_violated_property_is_a_failure_an_error_an_error_and_an_open_cell_skipped() -> None:
    expected = {(name, "failure") for name in FAILURES} | {("crash", "error")}
    expected |= {(name, "system-out") for name in ("right", "as expected")}
    assert results(as_junit(CELLS)) == expected | {("open", "skipped"), ("late", "skipped")}
    strict = as_junit(CELLS, all_decided=True)
    assert results(strict) == expected | {("open", "error"), ("late", "error")}


def test_each_folder_and_configuration_is_a_suite_with_its_counts() -> None:
    suites = [suite.attrib for suite in ElementTree.fromstring(as_junit(CELLS))]
    counts = {"tests": "7", "failures": "2", "errors": "1", "skipped": "2"}
    assert suites[0] == {"name": "nets default", **counts}
    assert [suite["name"] for suite in suites] == ["nets default", "nets none", "nets all"]
    messages = {e.get("message", "") for e in ElementTree.fromstring(as_junit(CELLS)).iter()}
    assert 'unknown, <not> "decided"\\x00' in messages
    assert any(text.startswith("violated (reachable)") for text in messages)


def test_export_writes_it(tmp_path: Path) -> None:
    keep(tmp_path / "run", CELLS)
    file = tmp_path / "cells.xml"
    assert run("batch", "export", tmp_path / "run", "--junit", file).exit_code == 0
    assert ("open", "skipped") in results(file.read_text("utf-8"))
    told = run("batch", "export", tmp_path / "run", "--junit", "-", "--all-decided").stdout
    assert ("open", "error") in results(told)
    refused = run("batch", "export", tmp_path / "run", "--csv", "-", "--all-decided")
    assert refused.exit_code == 2 and "--junit" in refused.stderr
