"""The table of false proofs, and of true ones that are nearly false, against the audit."""

from __future__ import annotations

from collections import Counter

import pytest
from evidence_files import read_json, write_json
from false_certificates import FALSE, FALSE_IN_MEMORY, TRUE, TRUE_BY_SOLVER
from false_rows import Row
from oracle import replay, shortest_trace

from petricheck.arithmetic.formulas.formulas import evaluate
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.audit.shapes import invariant as invariant_shape
from petricheck.model.problem import Problem
from petricheck.support.errors import EvidenceError

MARKINGS = 300
"""So many are searched for the target by brute force."""

FIRINGS = 100
"""Longer traces are not fired one by one."""


def ident(row: Row) -> str:
    return row.name


def answer(row: Row) -> Reachable | Unreachable:
    return Reachable(row.evidence) if isinstance(row.evidence, Trace) else Unreachable(row.evidence)


def audited(row: Row) -> str:
    return audit(Problem(row.net, row.target), answer(row))


def fires(row: Row, trace: Trace) -> bool:
    """Whether the trace leads into the target, fired one by one."""
    if any(type(times) is not int or times < 1 for _, times in trace.steps):
        return False
    names = tuple(name for name, times in trace.steps for _ in range(times))
    known = row.net.transition_numbers
    marking = replay(row.net, names) if all(name in known for name in names) else None
    return marking is not None and evaluate(row.target, row.net.values(marking))


@pytest.mark.parametrize("row", (*FALSE, *FALSE_IN_MEMORY), ids=ident)
def test_a_false_proof_is_refused(row: Row) -> None:
    with pytest.raises(EvidenceError) as caught:
        audited(row)
    assert "inconclusive" not in str(caught.value)


def test_what_the_false_proofs_claim_is_false() -> None:
    for row in (*FALSE, *FALSE_IN_MEMORY):
        if not isinstance(row.evidence, Trace):
            assert shortest_trace(Problem(row.net, row.target), MARKINGS) is not None, row.name
        elif all(isinstance(n, int) and n <= FIRINGS for _, n in row.evidence.steps):
            assert not fires(row, row.evidence), row.name


@pytest.mark.parametrize("row", TRUE, ids=ident)
def test_a_proof_that_is_nearly_false_is_accepted_without_a_solver(
    row: Row, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invariant_shape, "refute_z3", None)
    traced = isinstance(row.evidence, Trace)
    assert audited(row) == ("replayed exactly" if traced else "checked in exact integer arithmetic")


@pytest.mark.parametrize("row", TRUE_BY_SOLVER, ids=ident)
def test_a_proof_that_is_nearly_false_and_needs_a_solver_is_accepted(row: Row) -> None:
    assert audited(row) == "discharged by z3"


def test_what_the_others_claim_is_not_refuted_by_brute_force() -> None:
    for row in (*TRUE, *TRUE_BY_SOLVER):
        if not isinstance(row.evidence, Trace):
            assert shortest_trace(Problem(row.net, row.target), MARKINGS) is None, row.name


def test_the_proofs_are_the_same_when_they_are_read_from_files() -> None:
    for row in (*FALSE, *TRUE, *TRUE_BY_SOLVER):
        problem = Problem(row.net, row.target)
        evidence = read_json(write_json(problem, None, answer(row)))
        assert (evidence.target, evidence.answer) == (row.target, answer(row)), row.name


def test_the_names_of_the_proofs_differ() -> None:
    counts = Counter(row.name for rows in (FALSE, TRUE, TRUE_BY_SOLVER) for row in rows)
    assert [name for name, count in counts.items() if count > 1] == []
