"""What holds for all tests, itself tested."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import conftest
from hypothesis import settings


def summary(*reasons: str) -> list[str]:
    """What is said of tests that were skipped for these reasons."""
    reports = [SimpleNamespace(longrepr=("test_x.py", 1, f"Skipped: {why}")) for why in reasons]
    lines: list[str] = []
    reporter: Any = SimpleNamespace(stats={"skipped": reports}, write_line=lines.append)
    conftest.pytest_terminal_summary(reporter)
    return lines


def test_skipped_tests_are_counted_by_their_reason() -> None:
    assert summary("no net", "no browser", "no net") == [
        "2 skipped: no net",
        "1 skipped: no browser",
    ]
    assert summary() == []


def test_no_example_has_to_be_quick() -> None:
    assert settings().deadline is None
