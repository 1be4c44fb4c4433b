"""Numbers beyond 64 bits and beyond floats: every engine gives a verdict or says it knows none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from invoked import run
from questions import problem as ask

from petricheck import plugins
from petricheck.answer import Reachable
from petricheck.budget import Budget
from petricheck.construction import make_net
from petricheck.covering.backward import Backward
from petricheck.covering.exclusions import Exclusions
from petricheck.covering.karp_miller import KarpMiller
from petricheck.formats import write_net
from petricheck.presburger.linear_programs import LinearProgram
from petricheck.problem import Net
from petricheck.questions import check

BEYOND = [2**63, 2 * 10**308]  # words, and floats
AT_THE_BORDER = [pytest.param(h, marks=pytest.mark.slow) for h in (2**63 - 1, 10**308)]
OF_OTHERS = ("portfolio", "shortest")
ENGINES = [name for name in plugins.all_members("engines") if name not in OF_OTHERS]


def cases(h: int) -> Iterator[tuple[Net, dict[str, str]]]:
    """Nets with questions and their verdicts."""
    move = make_net("n", {"p": h, "q": 0}, {"t": ({"p": h}, {"q": 1})})
    yield move, {"q=1": "reachable", "q=2": "unreachable", f"p={h},q=1": "unreachable"}
    gain = make_net("n", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"p": 1, "q": h})})
    yield gain, {f"q={5 * h}": "reachable", "p=2": "unreachable"}
    spend = {"t": ({"p": 1}, {"p": 1, "q": 1}), "u": ({"q": h}, {"r": 1})}
    omega = make_net("n", {"p": 1, "q": 0, "r": 0}, spend)
    yield omega, {"r=2": "reachable", f"q={h},r=1": "reachable", f"p={h}": "unreachable"}
    odd = make_net("n", {"a": 0, "b": h}, {"t": ({}, {"a": 2}), "u": ({"a": 2, "b": 1}, {"b": 2})})
    yield odd, {f"a={h}": "reachable", f"b={2 * h}": "reachable"}


def told(path: Path, cover: str, engine: str, seconds: str) -> str:
    words = [str(path), "--cover", cover, "--engine", engine, "--timeout", seconds, "--quiet"]
    result = run(*words)
    assert result.exit_code in (0, 1), result.output
    return result.stdout.strip()


@pytest.mark.parametrize("huge", [*BEYOND, *AT_THE_BORDER], ids=lambda n: f"{n.bit_length()}-bits")
@pytest.mark.parametrize("engine", ENGINES)
def test_no_engine_fails_on_huge_numbers(engine: str, huge: int, tmp_path: Path) -> None:
    path = tmp_path / "n.pnml"
    for net, questions in cases(huge):
        write_net(net, path)
        for cover, verdict in questions.items():
            assert told(path, cover, engine, "0.1") in (verdict, "unknown")


def test_the_portfolio_decides_beyond_floats(tmp_path: Path) -> None:
    path = tmp_path / "n.pnml"
    net, questions = next(cases(10**400))
    write_net(net, path)
    for cover, verdict in questions.items():
        assert told(path, cover, "portfolio", "20") == verdict


def test_unbounded_places_stay_so_whatever_is_taken_from_them() -> None:
    huge = 10**400
    transitions = {"t": ({}, {"q": 1}), "u": ({"q": huge}, {"r": 1, "s": huge})}
    net = make_net("n", {"q": 0, "r": 0, "s": 0}, transitions)
    for cover in (f"r=3, q={huge}", f"s={2 * huge + 1}"):
        answer = check(ask(net, cover=cover), engine="coverability").answer
        assert isinstance(answer, Reachable)
    tree = KarpMiller(net, range(2), object)
    goals = np.array([[huge, 0, 3 * huge]], dtype=object)
    assert tree.explore(goals, np.arange(1), 100, Budget()) is not None


@pytest.mark.parametrize("huge", [10**308, 10**400])
@pytest.mark.parametrize("weight", [0, 1])
def test_a_program_beyond_floats_excludes_no_more_than_it_should(huge: int, weight: int) -> None:
    taken = huge**weight
    net = make_net("n", {"a": huge, "b": 0}, {"t": ({"a": taken}, {"b": taken})})
    for row in ([huge, 1], [huge + 1, 0], [0, huge + 1], [huge, 0]):
        exclusion = Exclusions(net, Budget()).exclude(row)
        assert exclusion is None or sum(row) > huge
    assert Backward(net, [{1: 1}], Exclusions(net, Budget())).kind is object


def test_values_that_are_not_finite_are_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    program = LinearProgram()
    program.row({program.column(): 1.0}, lower=1.0)
    assert program.solve() == (1.0,)
    solution = type("Solution", (), {"col_value": [float("inf")]})()
    monkeypatch.setattr(type(program._highs), "getSolution", lambda _: solution)
    assert program.solve() is None
