"""Numbers beyond 64 bits and beyond floats: every engine gives a verdict or says it knows none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from highspy import Highs, HighsModelStatus
from invoked import run
from questions import problem as ask

from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram, to_float
from petricheck.arithmetic.programs.warm_programs import PrimalPoint, Ray, WarmProgram
from petricheck.evidence.answer import Reachable
from petricheck.explicit.covering.backward import Backward
from petricheck.explicit.covering.exclusions import Exclusions
from petricheck.explicit.covering.karp_miller import KarpMiller
from petricheck.formats.nets import write_net
from petricheck.laboratory.lattices.hitting import HittingSetSearch
from petricheck.model.net import Net, make_net
from petricheck.questions import check, read_question
from petricheck.questions.kind import kind_names
from petricheck.support import plugins
from petricheck.support.budget import Budget

REFUSED = [2**40, 2**53, 10**15, 10**30, 10**400]
"""Numbers that HiGHS takes, refuses as coefficients, refuses anywhere, and that no float holds."""

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


@pytest.mark.slow
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
    monkeypatch.setattr(Highs, "getSolution", lambda _: solution)
    assert program.solve() is None


def test_after_numbers_break_down_a_warm_program_begins_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Token counts that double from place to place leave a basis from which nothing is solved."""
    cleared, clear = list[int](), Highs.clearSolver
    monkeypatch.setattr(Highs, "clearSolver", lambda highs: cleared.append(1) or clear(highs))
    program = WarmProgram((np.array([0, 1]), np.array([0]), np.array([1.0])), np.array([2.0]), 1)
    with monkeypatch.context() as patch:
        patch.setattr(Highs, "getModelStatus", lambda _: HighsModelStatus.kUnknown)
        assert program.solve() is None and cleared
    with monkeypatch.context() as patch:
        patch.setattr(Highs, "getModelStatus", lambda _: HighsModelStatus.kTimeLimit)
        assert program.solve() is None and len(cleared) == 1, "from there it can go on"
    assert isinstance(program.solve(), PrimalPoint)


@pytest.mark.parametrize("huge", REFUSED, ids=lambda n: f"{n.bit_length()}-bits")
@pytest.mark.parametrize("where", ["weight", "row", "upper", "cost"])
def test_a_program_that_highs_refuses_is_not_solved(where: str, huge: int) -> None:
    # The least cost·x with weight·x ≥ row and x ≤ upper, unless a number is refused.
    given = {"weight": 1, "row": 1, "upper": 2, "cost": 1, where: huge}
    program = LinearProgram()
    column = program.column(given["cost"], upper=given["upper"])
    program.row({column: given["weight"]}, lower=given["row"])
    if where == "row":
        program.bound(column, 0, 2 * huge)
    optimum = program.optimum()
    if optimum is not None:
        assert optimum.cost == pytest.approx(given["cost"] * given["row"] / given["weight"])
    assert optimum is not None or huge >= 10**15
    assert optimum is None or huge < 10**15 or where != "weight"
    assert program.solve() is None if optimum is None else program.solve() is not None


@pytest.mark.parametrize("huge", REFUSED, ids=lambda n: f"{n.bit_length()}-bits")
def test_a_bound_changed_to_a_huge_number_is_never_passed_over(huge: int) -> None:
    program = LinearProgram()
    column = program.column(1.0)
    program.row({column: 1}, lower=1)
    assert program.solve() == (1.0,)
    program.bound(column, huge, 2 * huge)
    assert program.solve() in (None, (huge,))


@pytest.mark.parametrize("huge", REFUSED, ids=lambda n: f"{n.bit_length()}-bits")
@pytest.mark.parametrize("where", ["column", "lower", "row", "bound", "least"])
def test_a_warm_program_that_highs_refuses_has_neither_a_point_nor_a_ray(
    where: str, huge: int
) -> None:
    # The least x + y with weight·x + y ≥ lower, row·x ≥ bound, x ≥ least.
    given = {"column": 1, "lower": 1, "row": 1, "bound": 1, "least": 0, where: huge}
    number = to_float(given["column"])
    matrix = (np.array([0, 1, 2]), np.array([0, 0]), np.array([number, 1.0]))
    program = WarmProgram(matrix, np.array([to_float(given["lower"])]), 1)
    row = program.row(np.array([0]), np.array([to_float(given["row"])]))
    program.bound(row, given["bound"], INFINITY)
    if where == "least":
        program.bound_columns(np.array([to_float(huge), 0.0]))
    solution = program.solve()
    assert not isinstance(solution, Ray)  # There are solutions.
    assert solution is not None or huge >= 10**15
    assert solution is None or huge < 10**15 or where not in ("column", "row")
    if solution is not None:
        x, y = solution.values
        assert given["column"] * x + y >= 0.99 * given["lower"]
        assert given["row"] * x >= 0.99 * given["bound"]
        assert x >= 0.99 * given["least"]


@pytest.mark.parametrize("huge", REFUSED, ids=lambda n: f"{n.bit_length()}-bits")
def test_the_command_decides_nets_with_numbers_that_highs_refuses(
    huge: int, tmp_path: Path
) -> None:
    path = tmp_path / "n.pnml"
    write_net(make_net("n", {"p": huge}, {"t": ({"p": 2}, {})}), path)
    result = run(str(path), "--deadlock", "--quiet", "--timeout", "20" if huge <= 10**15 else "1")
    assert result.stdout == "reachable\n" or (huge > 10**15 and result.stdout == "unknown\n")
    write_net(make_net("n", {"p": huge, "q": 0}, {"t": ({"p": huge}, {"q": huge})}), path)
    for words in (["--cover", f"q={huge + 1}"], ["--formula", f"{huge}*q > {huge * huge}"]):
        assert run(str(path), *words, "--quiet", "--timeout", "20").stdout == "unreachable\n"


@pytest.mark.parametrize("huge", REFUSED[:4], ids=lambda n: f"{n.bit_length()}-bits")
def test_questions_about_huge_numbers_have_the_answers_found_by_hand(huge: int) -> None:
    turning = make_net(
        "turning",
        {"p": huge, "q": 0},
        {"t": ({"p": huge}, {"q": huge}), "u": ({"q": huge}, {"p": huge})},
    )
    spending = make_net("spending", {"p": huge}, {"t": ({"p": huge}, {})})
    answers: list[tuple[Net, str, str, object]] = [
        (turning, "live", "", True),
        (turning, "reversible", "", True),
        (turning, "deadlock", "", False),
        (turning, "bound", "q", huge),
        (turning, "home", f"q >= {huge}", True),
        (turning, "safe", "", False),
        (spending, "live", "", False),
        (spending, "reversible", "", False),
        (spending, "deadlock", "", True),
        (spending, "bounded", "", True),
        (spending, "cover", f"p={huge + 1}", False),
    ]
    for net, kind, text, value in answers:
        finding = check(read_question(net, kind, text), budget=Budget(20))
        assert finding.value == value and not finding.failures


TEXTS = {"target": "q=1", "cover": "q=2", "formula": f"{10**400}*p > q", "fireable": "t"}
TEXTS |= {"bound": f"{10**400}*q", "home": f"p >= {10**400}"}
TEXTS |= {"always": f"q < {10**400}", "never": f"p = {10**400 + 1}", "replay": f"t^{10**400}"}


def beyond_floats() -> Iterator[Net]:
    """Nets with numbers of 400 digits: reversible, with an end, unbounded, and a workflow."""
    h = 10**400
    there, back = ({"p": h}, {"q": h}), ({"q": h}, {"p": h})
    yield make_net("turning", {"p": h, "q": 0}, {"t": there, "u": back})
    yield make_net("ending", {"p": h, "q": 0}, {"t": ({"p": h}, {"q": 1}), "u": ({"p": 1}, {})})
    growth = {"t": ({"p": h}, {"p": h, "q": h}), "u": ({"q": h + 1}, {"q": 1})}
    yield make_net("unbounded", {"p": h, "q": 0}, growth)
    yield make_net(
        "workflow", {"p": 1, "q": 0, "r": 0}, {"t": ({"p": 1}, {"q": h}), "u": ({"q": h}, {"r": 1})}
    )


@pytest.mark.parametrize("kind", kind_names())
@pytest.mark.slow
def test_no_question_fails_beyond_floats(kind: str) -> None:
    for net in beyond_floats():
        if kind == "sound" and net.name != "workflow":
            continue
        finding = check(read_question(net, kind, TEXTS.get(kind, "")), budget=Budget(0.3))
        assert finding.conclusion.complete or finding.unknown is not None


def test_a_tree_of_huge_costs_is_ordered_exactly() -> None:
    search = HittingSetSearch((10**400, 10**400 - 1, 1), hit=[0b011, 0b110])
    assert next(search.proposals()) == (0b010, 10**400 - 1)
    assert search.greedy() == 0b110
