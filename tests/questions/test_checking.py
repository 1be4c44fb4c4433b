"""One question: what an engine says is audited, and nothing else becomes a verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from notation import net_of
from questions import problem as ask

import petricheck
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    at_least,
    at_most,
    conjunction,
    equal,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines import Check, Engine
from petricheck.evidence.answer import (
    Answer,
    Reachable,
    Statistics,
    Trace,
    Unknown,
    Unreachable,
)
from petricheck.evidence.audit import prove
from petricheck.evidence.certificates.invariant import Certificate, Hints, Separator
from petricheck.evidence.claims import Excluded, reached
from petricheck.evidence.files import Evidence
from petricheck.formats.nets import read_net, write_net
from petricheck.model.net import Net, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import Question, Setting, check, check_all
from petricheck.questions.checking import Audited, Checker, exhausted
from petricheck.questions.verification import verify
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import (
    BudgetExhausted,
    Ending,
    EvidenceError,
    InputError,
    InternalError,
    QueryError,
    Refused,
)

p, q = variable("p"), variable("q")


def swap() -> Net:
    return net_of("p=1 q=0, a: p -> q, b: q -> p")


UNREACHABLE = make_problem(swap(), conjunction([equal(p, 1), equal(q, 1)]))
REACHABLE = make_problem(swap(), equal(q, 1))


Install = Callable[[Callable[[Budget], Answer]], None]
"""Puts an engine that does as it is told in the place of every engine."""


class Scripted:
    """An engine that does as it is told."""

    def __init__(self, act: Callable[[Budget], Answer]) -> None:
        self.act = act

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        return self.act(budget)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a scripted engine in the place of every engine."""
    return lambda act: install(monkeypatch, Scripted(act))


def install(monkeypatch: pytest.MonkeyPatch, engine: Engine) -> None:
    """Put the engine in the place of every engine."""
    build = plugins.build

    def built(family: str, *arguments: Any) -> object:
        return engine if family == "engines" else build(family, *arguments)

    monkeypatch.setattr(plugins, "build", built)


def says(answer: Answer) -> Callable[[Budget], Answer]:
    return lambda budget: answer


def hinted(bound: int) -> Certificate:
    """p + q ≤ bound."""
    separator = Separator(0, (("p", 1), ("q", 1)), 0, (-1, -1), 1)
    invariant = Disjunction((Conjunction((at_most(p + q, bound),)),))
    return Certificate(invariant, Hints(((0, 0),), (separator,)))


LIES = [
    (REACHABLE, Unreachable(Certificate(TRUE))),
    (REACHABLE, Unreachable(Certificate(FALSE))),
    (REACHABLE, Unreachable(Certificate(equal(q, 0)))),
    (REACHABLE, Unreachable(hinted(1))),
    (UNREACHABLE, Unreachable(Certificate(at_most(p + q, 2)))),
    (UNREACHABLE, Unreachable(hinted(2))),
    (UNREACHABLE, Unreachable(hinted(0))),
    (UNREACHABLE, Unreachable(Certificate(at_most(variable("r"), 0)))),
    (UNREACHABLE, Reachable(Trace(()))),
    (UNREACHABLE, Reachable(Trace((("a", 1),)))),
    (REACHABLE, Reachable(Trace(()))),
    (REACHABLE, Reachable(Trace((("a", 2),)))),
    (REACHABLE, Reachable(Trace((("a", 1), ("b", 1))))),
    (REACHABLE, Reachable(Trace((("nonsense", 1),)))),
    (REACHABLE, Reachable(Trace((("b", -1),)))),
]


@pytest.mark.parametrize(("problem", "lie"), LIES)
def test_a_lying_engine_is_an_internal_error_and_no_verdict(
    engine: Install, problem: Problem, lie: Answer
) -> None:
    engine(says(lie))
    with pytest.raises(InternalError, match="audit"):
        check(problem)


def test_evidence_that_holds_passes_whoever_found_it(engine: Install) -> None:
    engine(says(Unreachable(hinted(1))))
    result = check(UNREACHABLE)
    assert result.audit == "checked in exact integer arithmetic"
    assert result.answer == Unreachable(hinted(1))
    engine(says(Reachable(Trace((("a", 1), ("b", 1), ("a", 1))))))
    assert check(REACHABLE).audit == "replayed exactly"


def test_evidence_for_another_question_is_refused(engine: Install) -> None:
    engine(says(Unreachable(hinted(1))))
    with pytest.raises(InternalError):
        check(make_problem(swap(), conjunction([equal(p, 0), equal(q, 1)])))


def test_an_unknown_answer_keeps_its_reason_and_is_not_audited(
    engine: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petricheck.questions.checking.prove", None)
    answer = Unknown("no idea", "ask somebody else", Statistics("scripted", 3))
    engine(says(answer))
    result = check(REACHABLE)
    assert result.answer == answer and result.audit == ""


def raises(error: BaseException) -> Callable[[Budget], Answer]:
    def act(budget: Budget) -> Answer:
        raise error

    return act


@pytest.mark.parametrize(
    ("ending", "more"),
    [(Ending.TIME, "allow more time, or "), (Ending.MEMORY, "allow more memory, or "), (None, "")],
)
def test_no_more_is_advised_than_what_ended_the_search(ending: Ending | None, more: str) -> None:
    error = BudgetExhausted("it ends", *(() if ending is None else (ending,)))
    assert exhausted(error).hint == f"{more}try another engine, or other options of this one"


@pytest.mark.parametrize("error", [BudgetExhausted("patience ran out"), MemoryError()])
def test_exhaustion_ends_as_unknown_with_a_reason_and_a_hint(
    engine: Install, error: Exception
) -> None:
    engine(raises(error))
    answer = check(REACHABLE).answer
    assert isinstance(answer, Unknown) and answer.reason and answer.hint


@pytest.mark.parametrize("error", [ZeroDivisionError("odd"), EvidenceError("odd")])
def test_an_engine_that_fails_is_an_internal_error_that_names_it(
    engine: Install, error: Exception
) -> None:
    engine(raises(error))
    with pytest.raises(InternalError, match=r"engine portfolio failed: .*odd") as raised:
        check(REACHABLE)
    assert raised.value.__cause__ is error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), InternalError("broken"), OSError("full")])
def test_what_is_no_exhaustion_passes_through(engine: Install, error: BaseException) -> None:
    engine(raises(error))
    with pytest.raises(type(error)):
        check(REACHABLE)


@pytest.mark.parametrize(
    ("budget", "limit"),
    [(Budget(seconds=0.0), "time limit of 0 s"), (Budget(memory=1), "memory limit of 1 MiB")],
)
def test_a_budget_that_allows_nothing_ends_as_unknown(budget: Budget, limit: str) -> None:
    answer = check(UNREACHABLE, budget=budget).answer
    assert isinstance(answer, Unknown) and limit in answer.reason and answer.hint


def test_time_that_runs_out_during_the_audit_ends_as_unknown_and_not_as_an_error(
    engine: Install,
) -> None:
    def late(budget: Budget) -> Answer:
        time.sleep(0.05)
        return Unreachable(Certificate(at_most(p + q, 1)))

    engine(late)
    answer = check(UNREACHABLE, budget=Budget(seconds=0.02)).answer
    assert isinstance(answer, Unknown) and "time limit" in answer.reason and answer.hint


def test_the_engine_gets_the_budget_that_was_given(engine: Install) -> None:
    seen: list[Budget] = []

    def act(budget: Budget) -> Answer:
        seen.append(budget)
        return Unknown("no idea")

    engine(act)
    mine = Budget(seconds=77, memory=999)
    check(REACHABLE, budget=mine)
    check(REACHABLE)
    assert replace(seen[0], watch=mine.watch) == mine
    assert (seen[1].seconds, seen[1].memory) == (None, None)


def test_the_result_names_the_engine_and_the_question() -> None:
    result = check(UNREACHABLE, engine="cegar")
    assert result.engine == "cegar" and result.problem == UNREACHABLE
    assert result.seconds >= 0 and result.cpu_seconds >= 0


def test_a_net_and_a_target_may_be_given_apart() -> None:
    assert isinstance(check(swap(), equal(q, 1)).answer, Reachable)
    assert isinstance(check(swap(), at_least(p + q, 2)).answer, Unreachable)
    with pytest.raises(QueryError, match="a net alone is no question"):
        check(swap())
    with pytest.raises(QueryError, match="has its own target"):
        check(REACHABLE, equal(q, 1))
    with pytest.raises(InputError, match="'r'"):
        check(swap(), equal(variable("r"), 1))


def test_unknown_engines_and_options_are_refused_by_name() -> None:
    with pytest.raises(QueryError, match=r"'crystal'.*cegar"):
        check(REACHABLE, engine="crystal")
    with pytest.raises(QueryError, match=r"'colour'.*guide"):
        check(REACHABLE, engine="cegar", options={"colour": "red"})
    with pytest.raises(QueryError, match=r"'magic'.*optimal"):
        check(REACHABLE, engine="cegar", options={"guide": "magic"})
    with pytest.raises(QueryError, match=r"'luck'.*parikh"):
        check(REACHABLE, engine="cegar", options={"heuristics": "parikh,luck"})


def test_a_question_in_words_is_one_question() -> None:
    net = swap()
    assert ask(net, target="p=0, q=1").target == conjunction([equal(p, 0), equal(q, 1)])
    assert ask(net, cover="q=1").target == at_least(q, 1)
    assert ask(net, formula="p + q >= 2").target == at_least(p + q, 2)
    for words in ({}, {"target": "p=1", "cover": "q=1"}, {"wish": "p=1"}):
        with pytest.raises(QueryError):
            ask(net, **words)
    with pytest.raises(QueryError, match="r"):
        ask(net, cover="r=1")


def test_a_question_may_be_asked_with_tokens_by_place() -> None:
    net = make_net("n", {"p": 1, "odd name": 0, "@q": 0}, {"t": ({"p": 1}, {"odd name": 1})})
    assert ask(net, cover={"odd name": 1}) == ask(net, cover='"odd name"=1')
    assert ask(net, target={"@q": 2, "p": 0}) == ask(net, target='"@q"=2, p=0')
    assert ask(net, deadlock=True) == ask(net, deadlock="")
    assert ask(net, deadlock=True, cover=None) == ask(net, deadlock=True, formula=False)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"cover": {"pp": 1}}, "there is no place 'pp'; did you mean p"),
        ({"cover": {"p": -1}}, "never holds a negative number"),
        ({"cover": {"p": 1.5}}, "a whole number of tokens"),
        ({"cover": {"p": "1"}}, "a whole number of tokens"),
        ({"cover": {"p": 10**5000}}, "at most 4000 digits"),
        ({"cover": {7: 1}}, "named by text, not by 7"),
        ({"target": {}}, "the target is empty"),
        ({"cover": True}, "cover is asked with a text such as .* or tokens by place"),
        ({"formula": {"p": 1}}, "formula is asked with a text .* of type dict"),
        ({"deadlock": {"p": 1}}, "deadlock is asked with True; this is of type dict"),
        ({"bound": "p"}, "--bound is no question after one target"),
        ({"deadlock": False}, "ask exactly one question"),
        ({"wish": True}, "unknown name 'wish'"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_with_the_remedy(
    question: dict[str, Any], said: str
) -> None:
    with pytest.raises(QueryError, match=said):
        ask(swap(), **question)


def test_a_target_that_can_be_tightened_once_more_has_its_answer() -> None:
    both = {"p": 1, "q": 1}
    net = make_net("n", {"p": 0, "q": 0}, {"t": ({}, both), "u": (both, {})})
    question = petricheck.ask(net, formula="p >= 1 and not (p >= 2 or q >= 1)")
    assert make_problem(net, question.problem.target) != question.problem
    assert check(question, engine="cegar").value is False
    values = [finding.value for finding in check_all(net, [question] * 2, engine="cegar")]
    assert values == [False, False]


# Several targets of one net


def test_several_targets_are_decided_as_each_alone() -> None:
    net, asked = swap(), [equal(q, 1), conjunction([equal(p, 1), equal(q, 1)]), at_least(p, 2)]
    for engine in ("portfolio", "cegar"):
        results = list(check_all(net, asked, engine=engine))
        assert [type(r.answer) for r in results] == [Reachable, Unreachable, Unreachable]
        assert [r.problem for r in results] == [make_problem(net, target) for target in asked]
        assert all(r.audit and r.engine == engine for r in results)


def test_evidence_with_claims_beside_answers_with_the_one_that_decides(tmp_path: Path) -> None:
    write_net(swap(), tmp_path / "n.pnml")
    beside = (reached(equal(p, 1), Trace(())), Excluded(equal(q, 2), hinted(1)))
    for problem, claim in (
        (REACHABLE, reached(REACHABLE.target, Trace((("a", 1),)))),
        (UNREACHABLE, Excluded(UNREACHABLE.target, hinted(1))),
    ):
        for claims in ((*beside, claim), (claim, *beside), beside[:1]):
            evidence = Evidence(None, "formula", "", problem.target, {}, claims)
            file = read_net(tmp_path / "n.pnml")
            more = Conjunction((problem.target, at_least(p, 0)))
            asked = Question(file.net, "formula", "", Disjunction((problem.target, more)))
            finding = verify(file, evidence, asked)
            assert verify(file, evidence).answer == finding.answer
            if claim not in claims:
                assert isinstance(finding.answer, Unknown)
            elif isinstance(claim, Excluded):
                assert finding.answer == Unreachable(claim.certificate)
            else:
                assert finding.answer == Reachable(claim.trace)


def test_questions_about_another_net_are_refused() -> None:
    net, other = swap(), make_net("other", {"p": 2, "q": 0}, {})
    safe = petricheck.ask(net, safe=True)
    assert [finding.value for finding in check_all(net, [safe, petricheck.ask(swap(), safe=True)])]
    for question in (petricheck.ask(other, safe=True), petricheck.ask(other, cover="p=2").problem):
        with pytest.raises(QueryError, match="about the net 'other', not 'n'"):
            list(check_all(net, [safe, question]))


def test_questions_of_several_kinds_are_answered_in_their_order() -> None:
    net = swap()
    words: list[dict[str, Any]] = [
        {"bound": "p + q"}, {"cover": "q=1"}, {"bounded": True}, {"bound": "min: q"},
    ]  # fmt: skip
    questions = [petricheck.ask(net, **asked) for asked in words]
    findings = list(check_all(net, questions))
    assert [finding.value for finding in findings] == [1, True, True, 0]
    assert [finding.question for finding in findings] == questions
    assert all(prove(net, claim) for finding in findings for claim in finding.claims)
    assert isinstance(findings[1].answer, Reachable)
    for finding in (findings[0], findings[2]):
        with pytest.raises(QueryError, match=f"of kind {finding.question.kind} has no verdict"):
            assert finding.answer
        with pytest.raises(QueryError, match="no question after one target"):
            assert finding.problem


def test_a_result_is_there_before_the_next_target_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Budget] = []

    def act(budget: Budget) -> Answer:
        asked.append(budget)
        return Unknown("nothing to say")

    install(monkeypatch, Scripted(act))
    results = check_all(swap(), [equal(q, 1), equal(q, 2)], budget=Budget(0.2))
    next(results)
    assert len(asked) == 1
    time.sleep(0.25)
    next(results)
    assert asked[1].started > asked[0].started + 0.2, "each target has the time limit for itself"


class Together(Scripted):
    """An engine that finds answers together as well; it keeps the budgets that it is given."""

    def __init__(self, together: dict[int, Reachable | Unreachable], alone: Answer) -> None:
        super().__init__(self._solve)
        self.answers, self.answer = together, alone
        self.together: list[Budget] = []
        self.alone: list[Budget] = []

    def _solve(self, budget: Budget) -> Answer:
        self.alone.append(budget)
        return self.answer

    def solve_together(
        self, problems: object, budget: Budget, is_open: object = None
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        self.together.append(budget)
        yield from self.answers.items()


FIRED = Reachable(Trace((("a", 1),)))
TARGETS = [equal(q, 1), equal(p, 0), equal(q, 2)]


def test_what_is_found_together_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Together({1: FIRED}, Unknown("alone"))
    install(monkeypatch, engine)
    results = list(check_all(swap(), TARGETS))
    assert [type(result.answer) for result in results] == [Unknown, Reachable, Unknown]
    assert [result.problem.target for result in results] == TARGETS
    assert len(engine.alone) == 2 and results[1].audit == "replayed exactly"
    assert all(0 <= result.seconds < 1000 and result.cpu_seconds < 1000 for result in results)


def test_false_evidence_that_is_found_together_is_no_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install(monkeypatch, Together({0: FIRED, 2: FIRED}, Unknown("alone")))
    results = check_all(swap(), TARGETS)
    assert isinstance(next(results).answer, Reachable)
    assert isinstance(next(results).answer, Unknown)
    with pytest.raises(InternalError, match="failed the audit"):
        next(results)


def test_each_step_has_its_part_of_the_time_and_all_of_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = Together({}, Unknown("alone"))
    install(monkeypatch, engine)
    list(check_all(swap(), TARGETS, budget=Budget(100.0, 7777)))
    (together,) = engine.together
    assert together.seconds is not None and 100 < together.seconds <= 150
    assert [budget.memory for budget in (together, *engine.alone)] == [7777] * 4
    assert all(99 < (budget.seconds or 0) <= 100 for budget in engine.alone)
    starts = [together.started, *(budget.started for budget in engine.alone)]
    assert starts == sorted(starts) and starts[0] < starts[-1], "time counts from one's turn"


def test_options_of_the_engine_reach_it_whoever_asks() -> None:
    with pytest.raises(QueryError, match=r"'colour'.*guide"):
        list(check_all(swap(), TARGETS, engine="cegar", options={"colour": "red"}))
    with pytest.raises(QueryError, match=r"'colour'.*guide"):
        Setting("cegar", {"colour": "red"}).checker()
    with pytest.raises(QueryError, match="'nonsense'"):
        list(check_all(swap(), [petricheck.ask(swap(), safe=True)], engine="nonsense"))


def test_one_target_needs_no_search_for_several(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Together({0: FIRED}, FIRED)
    install(monkeypatch, engine)
    assert [type(result.answer) for result in check_all(swap(), TARGETS[:1])] == [Reachable]
    assert (engine.together, len(engine.alone)) == ([], 1)


class Thorough(Scripted):
    """An engine that decides several targets; where the audit refuses, it says so."""

    def __init__(self, answers: dict[int, Reachable | Unreachable]) -> None:
        super().__init__(lambda _: Unknown("alone"))
        self.answers = answers
        self.budgets: list[Budget] = []

    def decide_all(
        self, problems: object, check: Check[Audited], budget: Budget, *_: object, **named: object
    ) -> Generator[tuple[int, Audited], None, dict[int, Unknown | InternalError]]:
        self.budgets.append(budget)
        for number, answer in self.answers.items():
            try:
                yield number, check(number, answer, budget)
            except Refused as refusal:
                return {number: InternalError(str(refusal))}
        return {}


def test_an_engine_that_decides_several_has_all_the_time_and_is_audited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = Thorough({1: FIRED, 0: FIRED, 2: FIRED})
    install(monkeypatch, engine)
    results = check_all(swap(), TARGETS, budget=Budget(100.0))
    assert [next(results).audit, next(results).audit] == ["replayed exactly"] * 2
    with pytest.raises(InternalError, match="failed the audit"):
        next(results)
    assert 290 < (engine.budgets[0].seconds or 0) <= 300


def test_no_second_solver_is_asked_unless_somebody_wants_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("petricheck.arithmetic.solvers.second_solver.satisfiable", None)
    problems = [UNREACHABLE, make_problem(swap(), at_least(p, 2))]
    assert check(UNREACHABLE, engine="cegar").audit
    assert all(
        r.audit for r in check_all(swap(), [each.target for each in problems], engine="cegar")
    )
    assert Setting("cegar").checker().check(UNREACHABLE).audit
    proof = Unreachable(Certificate(at_most(p + q, 1)))
    assert Checker("s", Scripted(lambda _: proof)).check(UNREACHABLE).audit == "discharged by z3"
    assert prove(swap(), Excluded(UNREACHABLE.target, proof.certificate)) == "discharged by z3"
