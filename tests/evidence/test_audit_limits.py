"""Every loop of the audit looks at its budget, and none that evidence can make long is quadratic.

How often a budget is looked at grows with what the evidence holds: each loop over n items looks
n / `STRIDE` times. The examples say how many loops there are over what they hold.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from budgets import Counted
from false_rows import KINDS, Row, p
from notation import net_of

from petricheck.arithmetic.formulas.formulas import FALSE, at_least, at_most, congruent, equal
from petricheck.arithmetic.solvers import second_solver, solver
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.audit.invariants.obligation import AuditObligation, refute_cvc5, refute_z3
from petricheck.evidence.audit.invariants.table import UpwardClosure
from petricheck.evidence.audit.limits import BITS
from petricheck.evidence.audit.shapes import invariant as invariant_shape
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.model.problem import Problem
from petricheck.support.budget import STRIDE, Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError

STILL = net_of("p=0 q=0 r=0, ->")
GROWS = net_of("p=0 q=0 r=0, -> p")


def row(text: str, n: int) -> Row:
    """A row of `false_rows` in which n items stand for `[SEPARATOR|ITEM]`, numbered by K."""

    def items(found: re.Match[str]) -> str:
        return found[1].join(re.sub(r"K", str(k), found[2]) for k in range(n))

    kind, _, fields = re.sub(r"\[([^|]+)\|(.*?)\]", items, text).replace("N", str(n)).partition(" ")
    return KINDS[kind]("", *(field.strip() for field in fields.split(";")))


def audited(asked: Row, budget: Budget) -> str:
    traced = isinstance(asked.evidence, Trace)
    answer = Reachable(asked.evidence) if traced else Unreachable(asked.evidence)
    return audit(Problem(asked.net, asked.target), answer, budget=budget)


def looks(asked: Row) -> int:
    budget = Counted()
    audited(asked, budget)
    return len(budget.looks)


ONE = "p=0 q=0 r=0 s=0, -> s; p >= 1"
EQUAL = "p=0 q=0 r=0 s=0, -> s; p == 1"
WIDE = "[ |xK=0], ->"
EXAMPLES = {
    "traced p=0, -> p; p == N; [ |t]": 1,
    f"plain {ONE}; all([,|p <= K])": 1,
    "plain p=0, ->; all([,|p >= K+1]); p <= 0": 1,
    f"disjunctive {ONE}; [;|to K: p <= 0, q <= K]; wall p: 1": 3,
    f"disjunctive {ONE}; to 0: [,|p + K*q <= 0]; wall p: 1": 1,
    # Only the last of n directions is a source of p <= 0, or has the residue.
    f"disjunctive {ONE}; to 1: [,|q - K*p <= 0], p + r <= 0; to 1: p <= 0;"
    " wall p + r: 1; wall p: 1": 2,
    f"disjunctive {EQUAL}; to 1: [,|(6*K + 1)*p % 6 == 0]; to 1: (6*N + 1)*p % 3 == 0;"
    " wall p % 3: 1": 3,
    f"disjunctive {EQUAL}; to 0: [,|(3*K + 1)*p % 3 == 0]; wall p % 3: 1": 2,
    f"disjunctive {ONE}; to 0: p <= 0; [;|wall p: 1 / K+2]; wall p: 1": 1,
    # Separators contradict another residue than the disjunct has; one is about n residues.
    f"disjunctive {EQUAL}; to 0: p % 7 == 0; [;|wall p % 7: 7*K+7 / 7*K+7]; wall p % 7: 1": 1,
    f"disjunctive {EQUAL}; to 0: [,|p % (3*K + 3) == 0]; wall p % 3: 1": 2,
    "covering p=0, ->; any([,|p >= K+1]); p <= 0": 3,
    "covering p=0 q=0 r=0, ->; r >= 1; r <= 0; [;|any(p <= K, q <= N - K)]": 3,
    f"covering {WIDE}; all([,|xK >= 1]); any([,|xK <= 0])": 4,
    f"covering {WIDE}; sum(([,|xK])) >= 1; any(sum(([,|xK])) <= 0)": 3,  # n minimal elements
    # Half-spaces that p is in; the last demands what is excluded; one demands one of n cases.
    "covering p=0 q=0 r=0, q -> p; p >= 2; [;|p + q + K*r <= 1]": 4,
    f"covering {ONE}; [;|p - K*q <= 9]; p - r <= 0; r <= 0": 3,
    "covering p=0 [ |xK=0], ->; p >= 1; p - sum(([,|xK])) <= 0; [;|xK <= 0]": 4,
    "covering p=0 q=0 r=0, 2 p -> 2 p + r; r >= 1; r <= 0; p + q <= 1; [;|sum 1: K+1]": 1,
    "covering p=0 q=0 r=0, 2 p -> 2 p + r; r >= 1; r <= 0; p + q <= 1; sum [, |1: K+1]": 1,
    # Bounds of the place that grows, kept since the guard is excluded with it
    "covering p=0 q=0, q -> q + p; p >= 2; [;|p <= K+1]; any(p <= 0, q <= 0)": 3,
    # Ceilings, the last of which excludes what would break the clause
    "covering p=0 q=0 r=0, r -> r + q; p >= 1 and q >= 1; any(p <= 0, q <= 0);"
    " [;|p + r <= 9 + K]; p + r <= 1": 3,
}
"""How many loops run over the n items."""


@pytest.fixture(autouse=True)
def _exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invariant_shape, "refute_z3", lambda obligation, budget: None)


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_loop_looks_at_the_budget(text: str) -> None:
    small, large = looks(row(text, 2 * STRIDE)), looks(row(text, 22 * STRIDE))
    assert large - small >= 20 * EXAMPLES[text]


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_audit_ends_as_inconclusive_wherever_its_budget_does(text: str) -> None:
    example = row(text, 2 * STRIDE)
    for most in range(looks(example)):
        with pytest.raises(EvidenceError, match="inconclusive") as caught:
            audited(example, Counted(most=most))
        assert isinstance(caught.value.__cause__, BudgetExhausted)


def test_an_antichain_looks_at_the_budget() -> None:
    rows = np.ones((2000, 2), dtype=np.int64)
    budget = Counted()
    assert UpwardClosure(rows).covered(rows, budget).all()
    assert len(budget.looks) >= 4


HOSTILE = {
    "disjunctive p=0, -> p; p == 1; to 0: [,|(1 + 7*K)*p % 7 == 0]": 4000,
    "disjunctive p=0, -> p; p == 1; to 1: p % 2 == 0; to 0: [,|p % 30011 == K+1]": 6000,
    f"disjunctive {EQUAL}; to 0: [,|(K+1)*p % 30011 == 0]; [;|wall p % 30011: 1 / K+1]": 6000,
    "disjunctive p=0, ->; p >= 1; [;|to 0: (K+1)*p <= 0]; [;|wall (K+1)*p: 1]": 4000,
    "disjunctive p=0 q=0, -> p; p >= 1; to 0: [,|(K+1)*p - K*q <= 0]": 6000,
    "covering [ |xK=0], -> x0; x1 >= 5; [;|any(xK <= 0, x0 <= 0)]; [;|any(xK <= 0, x1 <= 0)]": 6000,
}
"""How many items each has."""


@pytest.mark.parametrize("text", HOSTILE)
def test_a_limit_holds_for_hostile_evidence(text: str) -> None:
    example, started = row(text, HOSTILE[text]), time.process_time()
    with suppress(EvidenceError):
        audited(example, Budget(seconds=0.1))
    assert time.process_time() - started < 15


@pytest.mark.parametrize("number", [1 << BITS, -(1 << BITS)], ids=["positive", "negative"])
def test_numbers_too_long_to_compute_with_are_refused(number: int) -> None:
    for atom in (at_most(p, abs(number)), at_most(number * p, 0), congruent(p, number, 3)):
        with pytest.raises(EvidenceError, match="bits"):
            audit(Problem(STILL, at_least(p, 1)), Unreachable(Certificate(atom)))
    with pytest.raises(EvidenceError, match="bits"):
        audit(Problem(STILL, at_most(number * p, 0)), Unreachable(Certificate(at_most(p, 0))))
    with pytest.raises(EvidenceError, match="bits"):
        audit(Problem(GROWS, equal(p, number)), Reachable(Trace((("t", 1),))))
    with pytest.raises(EvidenceError, match="no positive count"):
        audit(Problem(GROWS, at_least(p, 1)), Reachable(Trace((("t", abs(number)),))))


@pytest.mark.parametrize(
    ("refute", "module", "name"),
    [(refute_z3, solver, "find_model"), (refute_cvc5, second_solver, "satisfiable")],
    ids=["z3", "cvc5"],
)
def test_a_solver_is_given_the_time_that_is_left(
    refute: Callable[[AuditObligation, Budget], None],
    module: ModuleType,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[float | None] = []

    def solve(_: object, *, budget: Budget | None = None, **options: Any) -> None:
        given.append(options["seconds"] if budget is None else budget.remaining)

    monkeypatch.setattr(module, name, solve)
    for budget in (Budget(100), Budget()):
        refute(AuditObligation("never", FALSE), budget)
    first, second = given
    assert first is not None and 0 < first <= 100
    assert second in (None, inf)
