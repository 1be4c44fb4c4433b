"""An executor's side of a server of cells: start it, ask it, end it."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from typing import IO

from petricheck.batch.cells import Cell, Outcome
from petricheck.batch.processes.supervise import GRACE, READING, WRITING
from petricheck.batch.processes.tree import kill_marked

MARK = "PETRICHECK_SERVER"
"""In the environment of all that a server starts, so that it is found after the server's death."""

SLACK = 60.0
"""Seconds beyond all limits of a cell after which a server that is silent counts as lost."""

FAREWELL = 1.0
"""Seconds in which a server has to kill its cell, before it is killed itself."""

# The paths go this way, and not through the environment: programs that engines start get that too.
_SERVE = (
    "import os, sys; sys.path[:] = sys.argv.pop(1).split(os.pathsep); "
    "from petricheck.batch.processes.fork_server import main; main()"
)


@dataclass(frozen=True, slots=True)
class Lost:
    """The server has died under its cell, and was ended."""

    reason: str


class Server:
    """A server of cells, and the pipe to it.

    Attributes:
        channel: readable when the cell that was sent has an outcome, or the server has died.
        deadline: when the server counts as lost, by `time.monotonic`, once a cell is sent.
    """

    def __init__(self, idle: float | None = None) -> None:
        """Start a server, in a session of its own so that the terminal's Ctrl-C spares it.

        Args:
            idle: seconds without a cell after which it ends by itself.

        Raises:
            OSError: no process can be had.
        """
        self.deadline = 0.0
        self.channel, theirs = Pipe()
        self._mark = secrets.token_hex(16)
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed by `end`
        self._process = subprocess.Popen(
            [
                sys.executable, "-P", "-c", _SERVE, _import_paths(),
                str(theirs.fileno()), *([] if idle is None else [str(idle)]),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=(theirs.fileno(),),
            env=os.environ | {MARK: self._mark},
            start_new_session=True,
        )  # fmt: skip
        theirs.close()

    @property
    def gone(self) -> bool:
        """Whether it died while it had nothing to do."""
        return self.channel.poll()

    def send(self, cell: Cell) -> None:
        """Ask for a cell; the server must be idle. If it has died, `receive` says so."""
        self.deadline = time.monotonic() + READING + cell.limits.seconds + GRACE + WRITING + SLACK
        with suppress(OSError):
            self.channel.send(cell)

    def receive(self) -> Outcome | Lost:
        """The outcome of the cell that was sent; waits for it until the deadline."""
        try:
            if not self.channel.poll(max(0.0, self.deadline - time.monotonic())):
                self.end()
                return Lost("the server of cells was silent")
            outcome: Outcome = self.channel.recv()
            return outcome
        except (EOFError, OSError):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(FAREWELL)  # so that its own status is seen, not our kill's
            words = self._last_words()
            self.end()
            return Lost(f"the server of cells ended with status {self._process.returncode}{words}")

    def quit(self) -> None:
        """Have it kill its cell and end, from any thread; whoever waits in `receive` is told."""
        self._process.terminate()

    def dismiss(self) -> None:
        """Have it kill its cell and end, without waiting for that; `end` must follow."""
        self.channel.close()

    def end(self) -> None:
        """End the server and its cell; nothing of them is left."""
        self.dismiss()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(FAREWELL)
        if self._process.poll() != 0:
            self._process.kill()
            self._process.wait()
            kill_marked(MARK, self._mark)
        self._errors.close()

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return f": {said[-1]}" if said else ""


def _import_paths() -> str:
    return os.pathsep.join(os.path.abspath(path) for path in sys.path)
