"""Wherever a command is ended, each question is told of once, and the limits are the user's.

The supervisor is replaced by one that ends nothing: whenever a search begins, or has gone on, it
notes what would have been told in all if the command were ended there.
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import invoked
import pytest
from click.testing import Result
from notation import net_of
from property_files import bound, possible, write_properties

from petricheck.arithmetic.formulas.formulas import at_least, at_most
from petricheck.arithmetic.formulas.terms import variable
from petricheck.commands import mcc
from petricheck.commands.shell import terminal
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import Excluded, reached
from petricheck.formats.nets import write_net
from petricheck.formats.properties import read_properties
from petricheck.model.problem import Problem
from petricheck.questions import Kind, Study
from petricheck.questions.checking import Checker
from petricheck.questions.kinds.bound import Bound
from petricheck.questions.maxima import exceeds
from petricheck.support.budget import Budget
from petricheck.support.processes.supervision import FALLBACK
from petricheck.support.processes.supervisor import Piece

NET = net_of("p=1 q=0 r=0, t: p -> q, u: q -> p")
p, q = variable("p"), variable("q")
CANNOT = "CANNOT_COMPUTE"
MEMORY = 100_000
"""MiB, more than there are."""

LIMIT, USED = 3000.0, 1000.0
"""Seconds that the user allows, and those that are over when the command begins."""

CLOSE = 1.0
"""Seconds between two steps of a command on a busy machine."""


@dataclass
class Supervisor:
    """What the supervisor of a command knows.

    Attributes:
        began: when the command began.
        kept: what is prepared, by key and ending.
        limits: deadlines and limits on memory, in their order.
        written: what was told.
        ends: what would have been told in all, and the status, by ending: at each look.
        budgets: of the searches.
    """

    began: float = field(default_factory=lambda: time.monotonic() - USED)
    kept: dict[str, Mapping[str, Piece]] = field(default_factory=dict)
    limits: list[tuple[float | None, int | None]] = field(default_factory=list)
    written: str = ""
    ends: list[dict[str, tuple[list[str], int]]] = field(default_factory=list)
    budgets: list[Budget] = field(default_factory=list)

    def settle(self, key: str | None) -> None:
        for settled in [*self.kept] if key is None else [key]:
            if settled != FALLBACK:
                self.kept.pop(settled, None)

    def end(self) -> dict[str, tuple[list[str], int]]:
        kept = [pieces for key, pieces in self.kept.items() if key != FALLBACK]
        ended = {}
        for ending in kept[0] if kept else ():
            late = b"".join(pieces[ending].output for pieces in kept).decode()
            status = max(pieces[ending].status for pieces in kept)
            ended[ending] = (self.written + late).splitlines(), status
        return ended

    def look(self, budget: Budget | None = None) -> None:
        self.ends.append(self.end())
        if budget is not None:
            self.budgets.append(budget)


@pytest.fixture(autouse=True)
def undisturbed_tests() -> Iterator[None]:
    """A supervised command ignores signals when all is told; the tests after it must not."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)
    before = [(number, signal.getsignal(number)) for number in numbers]
    yield
    for number, handler in before:
        signal.signal(number, handler)


@pytest.fixture
def supervisor(monkeypatch: pytest.MonkeyPatch) -> Supervisor:
    """One that looks when properties are decided, together or one by one."""
    watching = Supervisor()
    place = "petricheck.support.processes.supervision."
    monkeypatch.setattr(f"{place}is_supervised", lambda: True)
    monkeypatch.setattr(f"{place}began", lambda: watching.began)
    monkeypatch.setattr(f"{place}keep", watching.kept.__setitem__)
    monkeypatch.setattr(f"{place}settle", watching.settle)
    monkeypatch.setattr(f"{place}limit", lambda *limits: watching.limits.append(limits))
    echo = terminal._echo
    check, together = Checker.check, Checker.check_together

    def write(data: bytes, stream: Any) -> None:
        if stream is terminal.sys.stdout:
            watching.written += data.decode()
        echo(data, stream)

    def check_one(checker: Checker, problem: Problem, budget: Budget) -> Any:
        watching.look(budget)
        return check(checker, problem, budget)

    def check_all(
        checker: Checker, problems: Sequence[Problem], budget: Budget, *others: Any
    ) -> Iterator[Any]:
        watching.look(budget)
        for result in together(checker, problems, budget, *others):
            yield result
            watching.look()

    monkeypatch.setattr(terminal, "_echo", write)
    monkeypatch.setattr(Checker, "check", check_one)
    monkeypatch.setattr(Checker, "check_together", check_all)
    return watching


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Properties are decided one by one."""
    monkeypatch.setattr(Checker, "takes_all", False)
    monkeypatch.setattr(Checker, "check_together", lambda *_: (number for number in ()))


# The questions


FORMULAS = {
    "yes": possible(1, "q"),
    "wrong": "<exists-path><next/></exists-path>",
    "no": possible(2, "p"),
    "sure": possible(1, "p"),
}
BOUNDS = {"fires": possible(1, "q"), "odd": bound("nowhere"), "q": bound("q"), "p": bound("p")}
ASKED = {"ReachabilityCardinality": FORMULAS, "UpperBounds": BOUNDS}
TRUTHS = {"yes": "TRUE", "no": "FALSE", "sure": "TRUE", "fires": "TRUE", "q": "1", "p": "1"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_net(NET, tmp_path / "model.pnml")
    for name, formulas in ASKED.items():
        write_properties(tmp_path / f"{name}.xml", **formulas)
    return tmp_path


def run(folder: Path, examination: str, way: str = "mcc") -> Result:
    option = "--timeout-all" if way == "in all" else "--timeout"
    limits = [option, f"{LIMIT:g}", "--memory", str(MEMORY)]
    words = ["mcc", str(folder), "--examination", examination, *limits]
    if way != "mcc":
        file = str(folder / f"{examination}.xml")
        words = [str(folder / "model.pnml"), "--properties", file, "--mcc", *limits]
    return invoked.run(*words)


def answers(lines: Sequence[str]) -> dict[str, str]:
    """What is told of each question, once."""
    words = [line.split() for line in lines]
    assert len({name for _, name, *_ in words}) == len(words)
    return {name: answer for _, name, answer, *_ in words}


def check_ends(supervisor: Supervisor, names: Sequence[str]) -> None:
    assert supervisor.ends
    for ends in supervisor.ends:
        assert [*ends] == ["time", "memory", "interrupted", "failed"]
        for ending, (lines, status) in ends.items():
            told = answers(lines)
            assert sorted(told) == sorted(names)
            assert all(told[name] in (CANNOT, TRUTHS.get(name)) for name in names)
            assert status == (130 if ending == "interrupted" else 1)


# What is told


WAYS = ["mcc", "--mcc", "in all"]


@pytest.mark.parametrize("examination", ASKED)
@pytest.mark.parametrize("way", WAYS)
def test_wherever_it_is_ended_each_formula_is_told_of_once(
    way: str, examination: str, folder: Path, supervisor: Supervisor, alone: None
) -> None:
    assert run(folder, examination, way).exit_code == 1
    check_ends(supervisor, [*ASKED[examination]])
    assert supervisor.kept.keys() <= {FALLBACK}


def test_where_they_are_decided_together_each_is_told_of_once(
    folder: Path, supervisor: Supervisor
) -> None:
    assert run(folder, "ReachabilityCardinality").exit_code == 1
    check_ends(supervisor, [*FORMULAS])


def test_programs_are_told_the_reason_alone_of_what_nothing_is_proved(
    folder: Path, supervisor: Supervisor
) -> None:
    file = folder / "ReachabilityCardinality.xml"
    words = [str(folder / "model.pnml"), "--properties", str(file), "--json"]
    invoked.run(*words, "--timeout", f"{LIMIT:g}")
    lines, _ = supervisor.ends[0]["time"]
    reason = ["verdict", "value", "reason", "hint", "ending"]
    keys = ["property", "quantifier", "holds", *reason]
    assert [[*json.loads(line)] for line in lines] == [keys] * 4


@pytest.mark.parametrize("way", WAYS)
def test_what_is_told_stays_told(
    way: str, folder: Path, supervisor: Supervisor, alone: None
) -> None:
    run(folder, "ReachabilityCardinality", way)
    told = [answers(ends["time"][0]) for ends in supervisor.ends]
    decided = [[name for name in FORMULAS if each[name] == TRUTHS.get(name)] for each in told]
    assert decided[-3:] == [[], ["yes"], ["yes", "no"]]
    assert supervisor.kept.keys() <= {FALLBACK}


def test_bounds_are_told_as_far_as_they_are_proved_by_then(
    folder: Path, supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def proving(self: Bound, study: Study, contents: Sequence[Any]) -> None:
        supervisor.look(study.budget)
        study.prove(reached(exceeds((("p", 1),), 1), Trace(())))
        study.prove(reached(exceeds((("q", 1),), 1), Trace((("t", 1),))))
        study.prove(Excluded(at_least(q, 2), Certificate(at_most(p + q, 1))))
        deadline = time.monotonic() + 20
        while supervisor.end() == supervisor.ends[-1] and time.monotonic() < deadline:
            time.sleep(0.01)
        supervisor.look()
        raise KeyboardInterrupt

    monkeypatch.setattr(Bound, "search", proving)
    monkeypatch.setattr(Bound, "search_stepwise", Kind.search_stepwise)
    result = run(folder, "UpperBounds")
    check_ends(supervisor, [*BOUNDS])
    known = {"fires": "TRUE", "odd": CANNOT, "q": "1", "p": CANNOT}
    for ending in ("time", "interrupted"):
        lines = [ends[ending][0] for ends in supervisor.ends[-2:]]
        assert [*map(answers, lines)] == [known | {"q": CANNOT}, known]
    assert answers(result.stdout.splitlines()) | {"odd": CANNOT} == known
    assert result.exit_code == 130
    assert supervisor.kept.keys() <= {FALLBACK}


@pytest.mark.parametrize("way", WAYS)
def test_an_interruption_between_formulas_leaves_out_those_that_follow(
    way: str,
    folder: Path,
    supervisor: Supervisor,
    alone: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check = Checker.check

    def interrupted(checker: Checker, problem: Problem, budget: Budget) -> Any:
        if supervisor.written.count("TRUE"):
            raise KeyboardInterrupt
        return check(checker, problem, budget)

    monkeypatch.setattr(Checker, "check", interrupted)
    result = run(folder, "ReachabilityCardinality", way)
    told = {"yes": "TRUE", "no": CANNOT}
    assert (result.exit_code, answers(result.stdout.splitlines())) == (130, told)
    assert supervisor.kept.keys() <= {FALLBACK}


@pytest.mark.parametrize("way", WAYS)
def test_an_interruption_of_the_formulas_leaves_out_the_bounds(
    way: str, folder: Path, monkeypatch: pytest.MonkeyPatch, alone: None
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Checker, "check", interrupted)
    result = run(folder, "UpperBounds", way)
    assert (result.exit_code, result.stdout) == (130, f"FORMULA fires {CANNOT}\n")


@pytest.mark.parametrize("way", WAYS)
def test_until_all_is_read_nothing_can_be_computed(
    way: str, folder: Path, supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reading(*words: Any) -> Any:
        supervisor.look()
        return read_properties(*words)

    for module in ("petricheck.formats.properties", "petricheck.commands.answers.property_file"):
        monkeypatch.setattr(f"{module}.read_properties", reading)
    run(folder, "ReachabilityCardinality", way)
    told = {ending: ([CANNOT], 1) for ending in ("time", "memory", "failed")}
    assert supervisor.ends[0] == told | {"interrupted": ([CANNOT], 130)}


# Limits


@pytest.mark.parametrize("examination", ["ReachabilityCardinality", "UpperBounds", "OneSafe"])
def test_the_limits_of_an_examination_are_kept_a_margin_before_its_end(
    examination: str, folder: Path, supervisor: Supervisor, alone: None
) -> None:
    run(folder, examination)
    limits = [(deadline, memory) for deadline, memory in supervisor.limits if deadline is not None]
    end = supervisor.began + LIMIT - mcc._MARGIN
    late = [deadline - end for deadline, _ in limits]
    assert late[0] == pytest.approx(0.0, abs=CLOSE / 2)
    assert max(late) < CLOSE / 2 < mcc._MARGIN
    assert {memory for _, memory in limits} == {MEMORY}


def test_formulas_that_are_decided_together_end_with_the_time_of_all(
    folder: Path, supervisor: Supervisor, alone: None
) -> None:
    run(folder, "ReachabilityCardinality", "--mcc")
    _, together, *_ = [at for at, _ in supervisor.limits if at is not None]
    end = supervisor.began + USED + 3 * LIMIT  # not of the one that is refused
    assert together - end == pytest.approx(0.0, abs=60.0)


def test_formulas_have_shares_of_the_time_that_is_left(
    folder: Path, supervisor: Supervisor, alone: None
) -> None:
    run(folder, "ReachabilityCardinality")
    left = LIMIT - USED - mcc._MARGIN
    given = [budget.seconds for budget in supervisor.budgets]
    assert given == pytest.approx([left / 3, left / 2, left], abs=2 * CLOSE)
    assert {(budget.limit, budget.memory) for budget in supervisor.budgets} == {(LIMIT, MEMORY)}
