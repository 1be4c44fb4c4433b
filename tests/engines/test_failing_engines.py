"""An engine that fails ends alone: the others go on, and what happened is told in the end."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from invoked import run
from notation import net_of

from petricheck.arithmetic.formulas.formulas import FALSE, TRUE, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines.portfolio import Portfolio
from petricheck.engines.reductions import Reduced
from petricheck.evidence.answer import Unknown, Unreachable
from petricheck.evidence.certificates.descent import LoweringWords
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import Home
from petricheck.formats.nets import write_net
from petricheck.model.problem import make_problem
from petricheck.questions import ask, check, check_all
from petricheck.questions.homes.search import STEPS
from petricheck.support.budget import Budget, Event, Turn
from petricheck.support.errors import Ending, InternalError

ENGINE = '''
"""Fails."""

from dataclasses import dataclass
from typing import ClassVar

from petricheck.support.plugins import option


@dataclass(frozen=True)
class Failing:
    """Raises an error."""

    error: str = option("IndexError", "its type")
    rank: ClassVar[int] = 0

    def solve(self, problem, budget):
        raise {"IndexError": IndexError, "OverflowError": OverflowError,
               "AssertionError": AssertionError, "MemoryError": MemoryError}[self.error]("odd")

    def solve_together(self, problems, budget, is_open=None):
        self.solve(problems[0], budget)
        yield
'''

FIG8 = net_of("p1=0 p2=0, produce: -> p1 + p2, consume: p1 + p2 ->")
UNREACHABLE = make_problem(FIG8, equal(variable("p1"), variable("p2") + 1))
KINDS = ["IndexError", "OverflowError", "AssertionError", "MemoryError"]


@pytest.fixture(autouse=True)
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An engine `failing` in a file of its own; its folder."""
    folder = tmp_path / "engines"
    folder.mkdir()
    (folder / "failing.py").write_text(ENGINE)
    package = importlib.import_module("petricheck.engines")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    yield folder
    sys.modules.pop("petricheck.engines.failing", None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", ["sweep", "race"])
def test_an_engine_that_fails_does_not_end_the_others(place: str, kind: str) -> None:
    events: list[Event] = []
    name = f"failing:error={kind}"
    sweep = (f"{name}:1", "directed_search:0.01") if place == "sweep" else ()
    engine = Portfolio(sweep=sweep, members=(name, "cegar"), jobs=1, reductions=False)
    answer = engine.solve(UNREACHABLE, Budget(30, watch=events.append))
    assert isinstance(answer, Unreachable)
    ends = [event for event in events if event.engine == name and event.text]
    if kind == "MemoryError":
        assert Event("memory ran out", name, Turn.GAVE_UP) in ends
    else:
        assert ends == [Event(f"{kind}: odd", name, Turn.FAILED)]


@pytest.mark.parametrize("sweep", [(), ("failing:1",)])
def test_how_an_engine_failed_is_among_the_reasons_why_nothing_is_known(
    sweep: tuple[str, ...],
) -> None:
    engine = Portfolio(sweep=sweep, members=("failing", "random_walk"), reductions=False)
    answer = engine.solve(UNREACHABLE, Budget(0.5))
    assert isinstance(answer, Unknown)
    assert "\nfailing: failed: IndexError: odd" in answer.reason
    assert answer.ending is Ending.TIME


@pytest.mark.parametrize("sweep", [(), ("failing:1",)])
def test_where_all_engines_failed_there_is_an_internal_error(sweep: tuple[str, ...]) -> None:
    members = ("failing", "failing:error=AssertionError")
    with pytest.raises(InternalError) as raised:
        Portfolio(sweep=sweep, members=members, reductions=False).solve(UNREACHABLE, Budget(30))
    assert "failing: failed: IndexError: odd" in str(raised.value)
    assert "failing:error=AssertionError: failed: AssertionError: odd" in str(raised.value)


def test_memory_that_ran_out_is_no_internal_error() -> None:
    name = "failing:error=MemoryError"
    engine = Portfolio(sweep=(f"{name}:1",), members=(name, "failing"), reductions=False)
    answer = engine.solve(UNREACHABLE, Budget(30))
    assert isinstance(answer, Unknown) and "memory ran out" in answer.reason


@pytest.mark.parametrize("large", [0, 5_000])
def test_engines_that_fail_leave_several_questions_to_the_others(
    large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petricheck.engines.race.race.LARGE", large)
    events: list[Event] = []
    options = {"sweep_together": "failing:0.1", "together": "failing:1"}
    options |= {"members": "failing:0.1,cegar:1"}
    targets = [equal(variable("p1"), variable("p2") + n) for n in range(3)]
    limits = Budget(30, watch=events.append)
    found = check_all(FIG8, targets, options=options, budget=limits)
    assert [finding.value for finding in found] == [True, False, False]
    assert Event("IndexError: odd", "failing", Turn.FAILED) in events


@pytest.mark.parametrize("large", [0, 5_000])
def test_where_all_engines_fail_at_several_questions_there_is_an_internal_error(
    large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petricheck.engines.race.race.LARGE", large)
    options = dict.fromkeys(("sweep_together", "together", "members"), "failing:0.1")
    targets = [equal(variable("p1"), variable("p2") + n) for n in (1, 2)]
    options |= {"reductions": "false"}
    with pytest.raises(InternalError, match="failing: failed: IndexError: odd"):
        list(check_all(FIG8, targets, options=options, budget=Budget(30)))


@pytest.mark.parametrize("what", ["reduce", "reduce_for_all", "lift", "then"])
def test_a_reduction_that_fails_leaves_the_question_to_the_engines(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("odd")

    module = {"reduce": "race.tasks.reduce", "reduce_for_all": "race.tasks.reduce_for_all"}
    if what in module:
        monkeypatch.setattr(f"petricheck.engines.{module[what]}", fail)
    else:
        monkeypatch.setattr(Reduced, what, fail)
    options = {"sweep": "", "members": "cegar"}
    assert check(UNREACHABLE, options=options, budget=Budget(30)).value is False
    targets = [equal(variable("p1"), variable("p2") + n) for n in (1, 2)]
    options |= {"together": "random_walk:0.1", "sweep_together": "random_walk:0.01"}
    found = check_all(FIG8, targets, options=options, budget=Budget(30))
    assert [finding.value for finding in found] == [False, False]


def test_an_audit_that_fails_leaves_the_question_to_the_other_engines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from petricheck.evidence.audit import audit

    def fail(problem: object, answer: Unreachable, **limits: object) -> str:
        if answer.statistics.engine == "state_equation":
            raise AssertionError("odd")
        return audit(problem, answer)  # type: ignore[arg-type]

    monkeypatch.setattr("petricheck.engines.portfolio.audit", fail)
    for sweep in (("state_equation:1",), ()):
        members = ("state_equation", "cegar")
        engine = Portfolio(sweep=sweep, members=members, jobs=1, reductions=False)
        answer = engine.solve(UNREACHABLE, Budget(30))
        assert isinstance(answer, Unreachable) and answer.statistics.engine == "cegar"


@pytest.mark.parametrize("method", ["claims", "proof"])
def test_a_search_that_fails_leaves_the_question_to_the_others(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> Iterator[Home]:
        if method == "proof":  # It is refused by the audit.
            yield Home((TRUE,), LoweringWords((), (), Certificate(FALSE)))
        else:
            raise IndexError("odd")

    net = net_of("p=1 q=0, t: p -> q, u: q -> p")
    monkeypatch.setattr("petricheck.questions.homes.search.STEPS", ((fail, 2, 5.0), *STEPS))
    finding = check(ask(net, live=True), budget=Budget(30))
    assert finding.value is True and len(finding.failures) == 1
    monkeypatch.setattr("petricheck.questions.homes.search.STEPS", ((fail, 2, 5.0),))
    finding = check(ask(net, live=True), budget=Budget(30))
    assert finding.value is None and len(finding.failures) == 1


def test_an_engine_that_gives_up_at_a_limit_of_its_own_has_ended() -> None:
    problem = make_problem(net_of("p=1000000000000000, t: 2 p ->"), equal(variable("p"), 1))
    engine = Portfolio(sweep=(), members=("random_walk",), jobs=1, reductions=False)
    answer = engine.solve(problem, Budget(30))
    assert isinstance(answer, Unknown) and answer.ending is Ending.GAVE_UP
    assert "random_walk: tokens and weights beyond 2^40 are not searched" in answer.reason


def test_one_question_that_fails_does_not_end_those_of_other_kinds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OverflowError("odd")

    monkeypatch.setattr("petricheck.questions.kinds.bound.Bound.search_stepwise", fail)
    path, properties = tmp_path / "n.pnml", tmp_path / "p.xml"
    write_net(FIG8, path)
    properties.write_text(PROPERTIES)
    result = run(str(path), "--properties", str(properties), "--timeout", "20")
    assert "internal error: the search failed: OverflowError: odd" in result.stdout
    assert "equal: holds" in result.stdout
    assert result.exit_code == 4


PROPERTIES = """<property-set xmlns="http://mcc.lip6.fr/">
<property><id>most</id><formula><place-bound><place>p1</place></place-bound></formula></property>
<property><id>equal</id><formula><exists-path><finally><integer-le>
<integer-constant>1</integer-constant><tokens-count><place>p1</place></tokens-count>
</integer-le></finally></exists-path></formula></property></property-set>"""


COMMAND = """
import sys, importlib
package = importlib.import_module("petricheck.engines")
package.__path__.append(sys.argv.pop(1))
from petricheck.__main__ import run
run()
"""


@pytest.mark.parametrize(
    ("debug", "members"),
    [("1", "failing"), ("", "failing,cegar"), ("", "failing,random_walk")],
)
def test_the_command_tells_of_failures_and_where_they_happened_on_request(
    members: str, debug: str, failing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETRICHECK_DEBUG", debug)
    path = tmp_path / "n.pnml"
    write_net(FIG8, path)
    words = ["--formula", "p1 = p2 + 1", "-o", f"members={members}", "-o", "sweep=", "-o", "jobs=1"]
    words += ["--no-reductions", "--timeout", "2" if members == "failing,random_walk" else "60"]
    command = [sys.executable, "-c", COMMAND, str(failing), str(path), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if members == "failing":
        assert done.returncode == 4
        assert "internal error: no engine decides it" in done.stderr
        assert "failing: failed: IndexError: odd" in done.stderr
    elif members == "failing,cegar":
        assert done.returncode == 0 and done.stdout.startswith("unreachable\n")
        told = "Others went on after an internal error, please report it: failing: IndexError: odd."
        assert told in done.stdout.splitlines()
    else:
        assert done.returncode == 4 and done.stdout.startswith("unknown: ")
        assert "petricheck: internal error: failing: IndexError: odd\n" in done.stderr
    # The error happens in a process of its own.
    assert ('raise {"IndexError": IndexError' in done.stderr) == bool(debug)
