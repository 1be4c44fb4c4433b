"""On every path of --second-solver cvc5 is asked about certificates; what it refuses is no proof.

In the place of cvc5 stands a solver that finds a model of everything, so that no obligation passes,
or one that never knows. Where the argument is lost on the way, the verdict would be told.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from invoked import run
from notation import net_of
from property_files import bound, possible, write_properties

from petricheck.arithmetic.formulas.formulas import Formula, at_least, at_most
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers import second_solver
from petricheck.evidence.answer import Unknown, Unreachable
from petricheck.evidence.audit import audit, prove
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import Excluded
from petricheck.formats.nets import write_net
from petricheck.model.problem import make_problem
from petricheck.questions import Setting, Study, ask, check, check_all
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError, InternalError

p, q = variable("p"), variable("q")
NET = net_of("p=1 q=0, t: p -> q, u: q -> p")
NEVER = at_least(p + q, 2)
PROOF = Certificate(at_most(p + q, 1))
SECOND = ["--second-solver"]
pytestmark = pytest.mark.usefixtures("installed")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line looks whether cvc5 is there, which nothing here needs."""
    monkeypatch.setattr("petricheck.support.extras.find_spec", lambda name: name)


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second solver that refuses every obligation."""
    monkeypatch.setattr(second_solver, "satisfiable", lambda formula, *, seconds=None: True)


@pytest.fixture
def unknowing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cvc5 that decides nothing."""
    monkeypatch.setattr(second_solver, "run", lambda script, *, seconds=None: ("unknown",))


@pytest.fixture
def net(tmp_path: Path) -> str:
    write_net(NET, tmp_path / "n.pnml")
    return str(tmp_path / "n.pnml")


# The command line

WAYS = {
    "one question": ["--formula", "p + q >= 2"],
    "one question to one engine": ["--formula", "p + q >= 2", "--engine", "cegar"],
    "a bound": ["--bound", "p + q"],
    "whether it is bounded": ["--bounded"],
    "whether it is safe": ["--safe"],
}


@pytest.mark.parametrize("way", WAYS)
def test_a_question_has_no_answer_that_cvc5_refuses(way: str, net: str, refusing: None) -> None:
    for form in ("--quiet", "--json"):
        result = run(net, *WAYS[way], *SECOND, form)
        assert result.exit_code == 4, result.output
        assert "failed the audit: cvc5: " in result.stderr
        assert all("error" in json.loads(line) for line in result.stdout.splitlines())
    assert run(net, *WAYS[way], "--quiet").exit_code == 0


SEVERAL = {
    "reduced together": ["--jobs", "1"],
    "searched together": ["--jobs", "1", "--no-reductions"],
    "one by one": ["--engine", "cegar"],
    "side by side": ["--jobs", "2", "-o", "together=", "--no-reductions"],
}


@pytest.mark.parametrize("way", SEVERAL)
def test_properties_have_no_answer_that_cvc5_refuses(
    way: str, net: str, tmp_path: Path, refusing: None
) -> None:
    asked = {f"f{number}": possible(number + 2, "p", "q") for number in range(3)}
    file = write_properties(tmp_path / "f.xml", **asked)
    words = [net, "--properties", file, *SEVERAL[way], "--quiet"]
    result = run(*words, *SECOND)
    assert sorted(result.stdout.splitlines()) == ["f0: unknown", "f1: unknown", "f2: unknown"]
    assert result.exit_code == 4
    assert "failed the audit: cvc5: " in result.stderr
    expected = [f"f{number}: violated" for number in range(3)]
    assert sorted(run(*words).stdout.splitlines()) == expected


VERIFIED = {"a verdict": ["--formula", "p + q >= 2"], "claims": ["--bound", "p + q"]}


@pytest.mark.parametrize("kind", VERIFIED)
def test_evidence_is_verified_by_cvc5_too(
    kind: str, net: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "e.json")
    assert run(net, *VERIFIED[kind], "--evidence", path).exit_code == 0
    with monkeypatch.context() as unknowing:
        unknowing.setattr(second_solver, "run", lambda script, *, seconds=None: ("unknown",))
        result = run("verify", net, path, *SECOND)
    assert (result.exit_code, result.stdout.partition(":")[0]) == (1, "unknown")
    assert "cvc5 could not decide a formula: unknown" in result.stdout
    monkeypatch.setattr(second_solver, "satisfiable", lambda formula, *, seconds=None: True)
    assert run("verify", net, path).exit_code == 0
    result = run("verify", net, path, *SECOND)
    assert result.exit_code == 4
    assert result.stdout.startswith("rejected: ") and "cvc5: " in result.stdout


# From Python


@pytest.mark.slow
def test_in_python_too_nothing_is_proved_that_cvc5_refuses(refusing: None) -> None:
    problem = make_problem(NET, NEVER)
    several: list[Formula] = [NEVER, at_least(p + q, 3)]
    for engine in ("portfolio", "cegar"):
        more: dict[str, Any] = {"engine": engine, "second_solver": True}
        with pytest.raises(InternalError, match="cvc5"):
            check(problem, **more)
        with pytest.raises(InternalError, match="cvc5"):
            list(check_all(NET, several, **more))
        with pytest.raises(InternalError, match="cvc5"):
            check(ask(NET, bound="p + q"), **more)
        with pytest.raises(InternalError, match="cvc5"):
            Setting(engine, second_solver=True).checker().check(problem)
    assert check(problem).audit and all(r.audit for r in check_all(NET, several))
    assert check(ask(NET, bound="p + q")).conclusion.complete


PROVING: dict[str, Callable[[Study], object]] = {
    "a claim": lambda study: study.prove(Excluded(NEVER, PROOF)),
    "a target": lambda study: study.decide(NEVER, Budget(20)),
    "a target, by an engine": lambda study: study.decide(NEVER, Budget(20), "cegar"),
    "targets": lambda study: list(study.decide_together([NEVER, at_least(p + q, 3)], Budget(20))),
}


@pytest.mark.parametrize("way", PROVING)
def test_a_study_takes_in_nothing_that_cvc5_refuses(way: str, refusing: None) -> None:
    act = PROVING[way]
    study = Study(NET, Setting("portfolio", {}, second_solver=True), Budget(20))
    with pytest.raises(InternalError, match="cvc5"):
        act(study)
    assert study.claims == ()
    trusting = Study(NET, Setting("portfolio", {}), Budget(20))
    act(trusting)
    assert trusting.claims


def test_an_audit_that_cvc5_does_not_finish_is_inconclusive(unknowing: None) -> None:
    problem, answer = make_problem(NET, NEVER), Unreachable(PROOF)
    for judged in (
        lambda second: audit(problem, answer, second_solver=second),
        lambda second: prove(NET, Excluded(NEVER, PROOF), second_solver=second),
    ):
        assert judged(False) == "discharged by z3"
        with pytest.raises(EvidenceError, match="inconclusive: cvc5 could not decide") as caught:
            judged(True)
        assert isinstance(caught.value.__cause__, BudgetExhausted)


@pytest.mark.parametrize("asked", [{"bound": "p + q"}, {"stable": True}])
@pytest.mark.slow
def test_an_answer_is_open_since_cvc5_decides_nothing_and_says_so(
    asked: dict[str, Any], unknowing: None
) -> None:
    # Tables of markings have nothing for a solver. Here v waits for tokens of t and u, which fire
    # without end, so that no table is finite, nor is one with stubborn sets.
    grows = net_of("p=1 q=0 r=0 s=0, t: p -> q, u: q -> p + r, v: 2 p + r -> s")
    result = check(ask(grows, **asked), second_solver=True, budget=Budget(2))
    assert result.value is None and result.unknown is not None
    assert result.unknown.reason.endswith("cvc5 could not decide a formula: unknown")


def test_a_verdict_that_cvc5_does_not_confirm_is_none(unknowing: None) -> None:
    result = check(make_problem(NET, NEVER), engine="cegar", second_solver=True)
    assert isinstance(result.answer, Unknown) and not result.audit
    assert "while the evidence was audited" in result.answer.reason
    answers = [r.answer for r in check_all(NET, [NEVER, at_least(p, 2)], second_solver=True)]
    assert [type(answer) for answer in answers] == [Unknown, Unknown]


def test_maxima_of_a_file_have_no_answer_that_cvc5_refuses(
    net: str, tmp_path: Path, refusing: None
) -> None:
    words = [net, "--properties", write_properties(tmp_path / "f.xml", f0=bound("p")), "--quiet"]
    result = run(*words, *SECOND)
    assert (result.exit_code, result.stdout) == (4, "f0: unknown\n")
    assert "failed the audit: cvc5: " in result.stderr
    assert run(*words).stdout == "f0: maximum 1\n"


def test_cvc5_is_asked_about_every_obligation(monkeypatch: pytest.MonkeyPatch) -> None:
    obligations: list[Formula] = []

    def satisfiable(formula: Formula, *, seconds: float | None = None) -> bool:
        obligations.append(formula)
        return False

    monkeypatch.setattr(second_solver, "satisfiable", satisfiable)
    audited = audit(make_problem(NET, NEVER), Unreachable(PROOF), second_solver=True)
    assert audited == "discharged by z3 and cvc5"
    assert len(obligations) == 2 + len(NET.transitions)
