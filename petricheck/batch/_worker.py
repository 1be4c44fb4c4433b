"""The bench's side of a server of cells: start it, ask it, end it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import IO

from petricheck.batch._cell import Cell, Measurement

# One thread: CPU time would count the others' spinning, and threads do not survive a fork.
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Worker:
    """A server of cells, and the pipe to it.

    Attributes:
        channel: readable when the cell that was sent is measured, or the server has died.
        alive: whether more cells may be sent.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], channel: Connection, errors: IO[bytes]
    ) -> None:
        self.channel = channel
        self.alive = True
        self._process = process
        self._errors = errors

    @classmethod
    def start(cls) -> Worker:
        """A new server, in a session of its own so that the terminal's Ctrl-C spares it."""
        ours, theirs = Pipe()
        errors = tempfile.TemporaryFile()  # noqa: SIM115  closed by `end`
        paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "petricheck.batch._server", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=(theirs.fileno(),),
            env=os.environ | _ONE_THREAD | {"PYTHONPATH": paths},
            start_new_session=True,
        )
        theirs.close()
        return cls(process, ours, errors)

    def send(self, cell: Cell) -> None:
        """Ask for a cell; the server must be idle. If it has died, `receive` says so."""
        with suppress(OSError):
            self.channel.send(cell)

    def receive(self) -> Measurement:
        """The measurement of the cell that was sent; an error if the server has died."""
        try:
            measurement: Measurement = self.channel.recv()
            return measurement
        except (EOFError, OSError):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=1)  # so that its own status is seen, not our kill's
            words = self._last_words()
            self.end()
            reason = f"the server of cells ended with status {self._process.returncode}{words}"
            return Measurement("error", reason=reason, error="Crash")

    def end(self) -> None:
        """Kill the server and its cell."""
        self.alive = False
        self.channel.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._errors.close()

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return f": {said[-1]}" if said else ""
