"""Mutation testing: edits of a module, one at a time, each of which ought to make a test fail.

    python tests/mutate.py petricheck/evidence/answer.py tests/evidence tests/…
    python tests/mutate.py --seconds 60 petricheck/evidence/answer.py:103,140 tests/…

The second tries the mutants of these lines only, with more of the tests. Options that are not known
here, such as --deselect=TEST, are pytest's.

Tests are collected once, and run once as they are, to see which of them come to which line. For
every mutant a forked child exchanges the code of the function, in every object that has it, and
runs the tests that come there, the quickest first, until one fails or they are out of `--seconds`;
to need several times the processor's time is to fail as well. Survivors are printed with their
lines, and the last line counts.

Limits: of a module's and a class's own statements only constants are mutated; processes that tests
start see no mutant; texts and annotations are left alone.
"""

from __future__ import annotations

import ast
import gc
import os
import pickle
import resource
import signal
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import accumulate, zip_longest
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from mutations import Mutant, mutants

DATA = 8 << 30
"""Bytes that a mutant may use."""

Seconds = dict[str, float]
"""How long tests take, by their ids."""


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def forked(work: Callable[[], bool], seconds: float) -> bool:
    """Whether a child does the work within so many seconds of its processor, and with success."""
    pid = os.fork()
    if not pid:
        status = 1
        with suppress(BaseException), open(os.devnull, "r+b") as nothing:
            for stream in (0, 1, 2):
                os.dup2(nothing.fileno(), stream)
            limit = int(seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
            resource.setrlimit(resource.RLIMIT_DATA, (DATA, DATA))
            status = 0 if work() else 1
        os._exit(status)
    deadline = time.monotonic() + 30 + 10 * seconds  # for those that wait, or a busy machine
    while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)
    return ended[1] == 0


def passed(items: Sequence[pytest.Item]) -> bool:
    """Whether all of these tests pass; the first that does not ends it."""
    for item, following in zip_longest(items, items[1:]):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if item.session.testsfailed:
            return False
    return True


def exchange(mutant: Mutant, path: str, functions: Iterable[FunctionType]) -> None:
    """Make the mutant what runs: the code of its function, or the value of its constant."""
    if mutant.is_constant:
        module = next(m for m in sys.modules.values() if getattr(m, "__file__", None) == path)
        before, names = getattr(module, mutant.name), dict(vars(module))
        exec(compile(ast.Module([mutant.statement], []), path, "exec"), names)
        for other in list(sys.modules.values()):
            if vars(other).get(mutant.name) is before:
                setattr(other, mutant.name, names[mutant.name])
        return
    pending = [compile(mutant.tree, path, "exec")]
    codes: dict[tuple[str, int], CodeType] = {}
    for code in pending:
        codes[code.co_qualname, code.co_firstlineno] = code
        pending += [const for const in code.co_consts if isinstance(const, CodeType)]
    for function in functions:
        old = function.__code__
        if old.co_qualname == mutant.name:
            function.__code__ = codes[old.co_qualname, old.co_firstlineno]


def functions_of(path: str) -> list[FunctionType]:
    """All functions that are defined in a file, whoever holds them."""
    functions = (item for item in gc.get_objects() if isinstance(item, FunctionType))
    return [function for function in functions if function.__code__.co_filename == path]


class Mutate:
    """A plug-in of pytest that runs the tests again and again."""

    def __init__(self, path: Path, lines: frozenset[int], enough: float) -> None:
        self._path, self._lines, self._enough = path, lines, enough

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        entered = self._entered(session.items)
        items = {item.nodeid: item for item in session.items}
        functions = functions_of(str(self._path))
        gc.freeze()
        survivors = count = 0
        for mutant in mutants(self._path.read_text("utf-8")):
            if self._lines and mutant.lines[0] not in self._lines:
                continue
            seconds = entered[0] if mutant.is_constant else {}
            for line in mutant.lines:
                seconds = seconds | entered.get(line, {})
            ordered = sorted(seconds, key=seconds.__getitem__)
            spent = accumulate(seconds[name] for name in ordered)
            most = sum(total < self._enough for total in spent)
            chosen = [items[name] for name in ordered[:most]]

            def passes(mutant: Mutant = mutant, chosen: Sequence[pytest.Item] = chosen) -> bool:
                exchange(mutant, str(self._path), functions)
                return passed(chosen)

            count += 1
            if forked(passes, 1 + 3 * min(self._enough, sum(seconds.values()))):
                survivors += 1
                where = f"{self._path.name}:{mutant.lines[0]} {mutant.name}"
                tell(f"{where}, {len(chosen)} tests: {mutant.change}")
        tell(f"{self._path}: {count} mutants, {count - survivors} killed, {survivors} survived")
        return True

    def _entered(self, items: Sequence[pytest.Item]) -> dict[int, Seconds]:
        """By line; of the whole module, for its constants, by 0."""
        with tempfile.NamedTemporaryFile() as file:

            def measured() -> bool:
                Path(file.name).write_bytes(pickle.dumps(self._measured(items)))
                return True

            forked(measured, 3600)
            seconds, modules, failed = pickle.loads(Path(file.name).read_bytes())
        if failed:
            raise pytest.UsageError(f"fails as it is, while it is traced: {failed}")
        for name in modules:  # what tests import as they need it is imported once
            with suppress(Exception):
                import_module(name)
        entered: dict[int, Seconds] = seconds
        return entered

    def _measured(self, items: Sequence[pytest.Item]) -> tuple[dict[int, Seconds], list[str], str]:
        """What `_entered` returns, which modules were imported, and the test that fails."""
        entered: dict[int, Seconds] = defaultdict(dict)
        lines = set[int]()

        def step(frame: FrameType, *_: object) -> Callable[..., Any] | None:
            if frame.f_code.co_filename != str(self._path):
                return None
            lines.add(frame.f_lineno)
            return step

        threading.settrace(step)
        sys.settrace(step)
        for item, following in zip_longest(items, items[1:]):
            lines.clear()
            start = time.process_time()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if item.session.testsfailed:
                return {}, [], item.nodeid
            for line in lines and {*lines, 0}:
                entered[line][item.nodeid] = time.process_time() - start
        sys.settrace(None)
        return dict(entered), sorted(sys.modules), ""


def main() -> None:
    """Mutate a module, or those lines of it that follow a colon."""
    parser = ArgumentParser()
    parser.add_argument("--seconds", type=float, default=6.0, help="of tests, for each mutant")
    parser.add_argument("module")
    parser.add_argument("tests", nargs="+")
    asked, further = parser.parse_known_args()
    # Examples are the same each time, none is kept, and none that fails is made smaller.
    settings.register_profile(
        "mutate",
        database=None,
        derandomize=True,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    name, _, lines = asked.module.partition(":")
    numbers = frozenset(map(int, lines.split(","))) if lines else frozenset[int]()
    plugin = Mutate(Path(name).resolve(), numbers, asked.seconds)
    options = ["-s", "-q", "-p", "no:cacheprovider", "-p", "no:warnings"]
    options += ["--hypothesis-profile", "mutate"]
    pytest.main([*options, *further, *asked.tests], [plugin])


if __name__ == "__main__":
    main()
