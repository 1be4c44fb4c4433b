"""An audit that comes to no end proves nothing: the answer is unknown, and no claim is taken in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from budgets import Counted
from click.testing import Result
from evidence_files import several, write_evidence
from invoked import run
from notation import net_of

from petricheck.arithmetic.formulas.formulas import Formula, at_least, at_most, conjunction
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence import files
from petricheck.evidence.answer import Answer, Reachable, Trace, Unknown, Unreachable
from petricheck.evidence.audit import prove
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import Claim, Excluded, Pumped, Stage, reached
from petricheck.formats.nets import read_net, write_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import Kind, Study
from petricheck.questions.checking import Checker
from petricheck.questions.kinds.bound import Bound
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, Ending, EvidenceError

p, q = variable("p"), variable("q")
LONG = 32
NET = net_of("p=0 q=0, t: -> p, u: -> p")
STEPS = Trace((("t", 1), ("u", 1)) * (LONG // 2))
FULL, NEVER = at_least(p, LONG), at_least(q, 1)
REACHED, EXCLUDED = Reachable(STEPS), Unreachable(Certificate(at_most(q, 0)))
ANSWERS: dict[str, tuple[Formula, Reachable | Unreachable]] = {
    "a trace": (FULL, REACHED),
    "an invariant": (NEVER, EXCLUDED),
}
CLAIMS: dict[str, Claim] = {
    "reached": reached(FULL, STEPS),
    "a formula": reached(conjunction(at_most(q, least) for least in range(LONG)), Trace(())),
    "excluded": Excluded(NEVER, EXCLUDED.certificate),
    "a stem": Pumped((p,), (Stage(STEPS, Trace((("t", 1),))),)),
    "a loop": Pumped((p,), (Stage(Trace(()), STEPS),)),
    "stages": Pumped((p,), (Stage(Trace(()), Trace((("t", 1),))),) * LONG),
    "sums": Pumped((p,) * LONG, (Stage(Trace(()), Trace((("t", 1),))),)),
}


@dataclass(frozen=True)
class Scripted:
    """An engine with one answer, alone and for several targets."""

    answer: Reachable | Unreachable

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        return self.answer

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: object = None
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        yield from ((number, self.answer) for number in range(len(problems)))


@pytest.mark.parametrize("kind", CLAIMS)
def test_a_claim_is_not_proved_wherever_the_budget_ends(kind: str) -> None:
    claim, counted = CLAIMS[kind], Counted()
    assert prove(NET, claim, budget=counted)
    assert counted.looks
    for most in range(len(counted.looks)):
        with pytest.raises(EvidenceError, match="the audit was inconclusive: enough") as caught:
            prove(NET, claim, budget=Counted(most=most))
        assert isinstance(caught.value.__cause__, BudgetExhausted)


@pytest.mark.parametrize("kind", ANSWERS)
def test_an_answer_whose_audit_did_not_end_is_unknown(kind: str) -> None:
    target, answer = ANSWERS[kind]
    checker, problem = Checker("scripted", Scripted(answer)), make_problem(NET, target)
    counted = Counted()
    assert checker.check(problem, counted).answer == answer
    assert counted.looks
    for most in range(len(counted.looks)):
        result = checker.check(problem, Counted(most=most))
        assert isinstance(result.answer, Unknown) and result.audit == ""
        assert result.answer.reason == "enough while the evidence was audited"
        assert result.answer.ending is Ending.TIME


@pytest.mark.parametrize("kind", ANSWERS)
def test_what_is_found_together_and_not_audited_to_the_end_is_not_told(kind: str) -> None:
    target, answer = ANSWERS[kind]
    checker, problems = Checker("scripted", Scripted(answer)), [make_problem(NET, target)] * 2
    assert [n for n, _ in checker.check_together(problems, Budget())] == [0, 1]
    assert list(checker.check_together(problems, Counted(most=0))) == []


# The command line: whoever looks at the budget finds it used up


@pytest.fixture
def net(tmp_path: Path) -> str:
    write_net(NET, tmp_path / "model.pnml")
    return str(tmp_path / "model.pnml")


@pytest.fixture
def used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(budget: Budget) -> None:
        raise BudgetExhausted("enough", Ending.TIME)

    monkeypatch.setattr(Budget, "check", check)


@pytest.mark.parametrize("kind", ["reached", "excluded", "a loop"])
def test_a_bound_claims_nothing(
    kind: str, net: str, used_up: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(self: object, study: Study, contents: object) -> None:
        study.prove(CLAIMS[kind])

    monkeypatch.setattr(Bound, "search", search)
    monkeypatch.setattr(Bound, "search_stepwise", Kind.search_stepwise)
    result = run(net, "--bound", "p", "--json")
    fields = json.loads(result.stdout)
    assert (result.exit_code, fields["verdict"], fields["reason"]) == (1, "unknown", "enough")
    assert fields["evidence"] is None and fields["audits"] == []


@pytest.mark.parametrize("kind", CLAIMS)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_claims_are_not_accepted(kind: str, form: list[str], net: str, used_up: None) -> None:
    path, claims = str(Path(net).with_name("c.json")), (CLAIMS[kind],)
    text = "q" if kind == "excluded" else "p"
    files.write_evidence(path, NET, several(NET, "bound", text, claims))
    _not_accepted(run("verify", net, path, *form))


def test_the_limit_of_the_command_is_that_of_the_audit(
    net: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence, claims = (str(Path(net).with_name(f"{name}.json")) for name in "ec")
    write_evidence(evidence, read_net(net).sha256, Problem(NET, FULL), REACHED)
    files.write_evidence(claims, NET, several(NET, "bound", "p", (CLAIMS["reached"],)))
    limits: list[float | None] = []
    monkeypatch.setattr(Budget, "check", lambda budget: limits.append(budget.seconds))
    for path in (evidence, claims):
        limits.clear()
        assert run("verify", net, path, "--timeout", "77").exit_code == 0
        assert limits == [77.0] * (LONG // 16)


def _not_accepted(result: Result) -> None:
    printed = result.stdout
    word = json.loads(printed)["result"] if printed[0] == "{" else printed
    assert (result.exit_code, word.partition(":")[0]) == (1, "unknown")
    assert "inconclusive: enough" in printed
