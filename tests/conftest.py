"""What holds for all tests."""

from __future__ import annotations

import pytest

from petricheck.cli import backstop


@pytest.fixture(autouse=True)
def survivor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that run in the process of the tests do not end it where the machine is slow."""
    monkeypatch.setattr(backstop, "GRACE", 60.0)
