"""Cells for tests of executors, and what is left of them."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
from folders import NETS, read_question

from petricheck.batch.cells import Cell, CellLimits
from petricheck.batch.configurations import Configuration, parse_configuration
from petricheck.batch.isolated import MARK, PROCESS_NAME
from petricheck.batch.questions.index import BatchQuestion

QUICK = parse_configuration("quick=state_equation")


def asked(name: str = "fig8_U") -> BatchQuestion:
    question = read_question(NETS / f"{name}.json")
    assert question is not None
    return question


def cell(
    configuration: Configuration = QUICK,
    question: BatchQuestion | None = None,
    limits: CellLimits = CellLimits(60.0),  # noqa: B008  frozen
) -> Cell:
    return Cell(question or asked(), configuration, limits)


def scripted(name: str, *words: str) -> Configuration:
    """An engine that runs a command first."""
    return Configuration(name, "toys.scripted", (("words", json.dumps(words)),))


def shell(script: str, name: str = "shell") -> Configuration:
    return scripted(name, "sh", "-c", script)


def python(script: str, name: str = "python") -> Configuration:
    return scripted(name, sys.executable, "-c", script)


def stuck(folder: Path) -> Configuration:
    """The engine waits for ever, deaf to its budget: nobody writes into the pipe it reads."""
    with suppress(FileExistsError):
        os.mkfifo(folder / "pipe")
    return parse_configuration(f"stuck=cegar:predicates={folder / 'pipe'}")


def marked(mark: Path) -> list[psutil.Process]:
    """The processes that name the file among their arguments."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.status() != psutil.STATUS_ZOMBIE and str(mark) in process.cmdline():
                found.append(process)
    return found


def descendants() -> list[psutil.Process]:
    """The processes of cells and all that cells start, below this process."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if process.name() == PROCESS_NAME or MARK in process.environ():
                found.append(process)
    return found


def eventually(happens: Callable[[], object], seconds: float = 30.0) -> bool:
    """Whether it happens within some time."""
    end = time.monotonic() + seconds
    while not happens():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
