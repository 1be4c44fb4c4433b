"""What holds for all tests."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from petricheck.support import compiled

# How long an example takes is the machine's affair, and how many are thrown away the test's.
# Every run draws others, so few are enough for one run.
SLOW = [check for check in HealthCheck if check is not HealthCheck.filter_too_much]
settings.register_profile("petricheck", deadline=None, max_examples=14, suppress_health_check=SLOW)
settings.load_profile("petricheck")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many tests were skipped, by their reasons; `.ci/run` repeats these lines."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count} skipped: {reason}")


@pytest.fixture(autouse=True, scope="session")
def interruptible() -> None:
    """Tests can be interrupted, also where a shell has started them in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def compiled_already() -> None:
    """No test waits for compilation, whose limits it might not survive."""
    compiled.compile_all()


@pytest.fixture(params=["compiled", "plain"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Both ways to run the loops of the kernel."""
    if request.param == "plain":
        monkeypatch.setattr(compiled, "_failures", ["asked for"])
    yield
    assert compiled.is_compiled() == (request.param == "compiled")
