"""Restated invariants: proofs of the same, with hints that suffice without a solver."""

from __future__ import annotations

import pytest
from folders import problem_named
from hypothesis import given
from hypothesis import strategies as st
from notation import EXACT, formula, problem
from strategies import problems

from petricheck.arithmetic.formulas.formulas import TRUE, Formula, atoms
from petricheck.engines.abstraction import restating
from petricheck.engines.abstraction.restating import restated, with_hints
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.model.problem import Problem
from petricheck.questions import check
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

SHARE = problem(
    "c=1 d=0 x=3 y=0, move: x -> y, back: y -> x, take: c + x + y -> d",
    "d >= 1 and x == 0 and y == 0",
)
"""After `take` the only token that is left is on x or on y."""


def proof(asked: Problem, invariant: Formula) -> Certificate:
    """The restated invariant, for which the audit needs no solver as it does for the given one."""
    assert "z3" in audit(asked, Unreachable(Certificate(invariant)))
    certificate = restated(asked, invariant, Budget(20))
    assert certificate is not None and audit(asked, Unreachable(certificate)) == EXACT
    return certificate


@pytest.mark.parametrize(
    ("asked", "invariant"),
    [
        # A firing leads from one case into the union of two.
        (SHARE, "c == 1 and x + y >= 3 or c == 0 and x >= 1 or c == 0 and y >= 1"),
        # A case is empty.
        (problem("x=1, -> 3 x", "x % 3 == 0"), "x % 3 == 1 or x % 3 == 1 and x % 3 == 0"),
        # Neither has the form of hints.
        (problem("x=1, -> 2 x", "x % 2 == 0"), "not x % 2 == 0"),
        (problem("p=0 q=0, p -> q, -> p", "p + q <= -1"), "p >= 0 and not q <= -1"),
    ],
)
def test_an_invariant_of_any_form_is_restated(asked, invariant):
    proof(asked, formula(invariant))


def test_atoms_of_which_one_at_a_time_is_needed_suffice(monkeypatch):
    monkeypatch.setattr(restating, "REFINEMENTS", 0)
    asked = problem("p=1 q=0, p -> q, q -> p", "p >= 2")
    proof(asked, formula("(p == 0 or q == 0) and p + q == 1"))
    assert restated(asked, TRUE, Budget(20)) is None


def test_atoms_that_exclude_the_target_together_are_added_up(monkeypatch):
    cover, invariant = problem_named("ifip_U"), formula("p2 + p4 + p5 == 2 and p2 + p5 >= 1")
    assert not set(atoms(proof(cover, invariant).invariant)) <= set(atoms(invariant))
    monkeypatch.setattr(restating, "REFINEMENTS", 0)
    assert restated(cover, invariant, Budget(20)) is None
    assert with_hints(cover, invariant, Budget(20)) == Certificate(invariant)


def test_an_invariant_that_is_none_is_no_reason_for_a_wrong_proof():
    reachable = problem("p=1 q=0, p -> q", "q >= 1")
    assert restated(reachable, formula("q == 0"), Budget(20)) is None


def test_limits_of_its_own_end_it_and_those_of_the_whole_end_the_search(monkeypatch):
    with pytest.raises(BudgetExhausted):
        restated(SHARE, TRUE, Budget(0))
    monkeypatch.setattr(restating, "_SECONDS", 0.0)
    assert restated(SHARE, TRUE, Budget(20)) is None


@pytest.mark.parametrize(
    "engine", ["imc", "predicate_abstraction", "k_induction", "pdr", "transition_approximation"]
)
def test_proofs_of_the_engines_need_no_solver(engine):
    if "approximation" in engine:
        pytest.importorskip("dd")
    for name in ("fig8_U", "l6000_U", "readers_writers_U"):
        result = check(problem_named(name), engine=engine, budget=Budget(60))
        assert result.audit == EXACT, name


@given(problems(), st.booleans())
def test_restated_proofs_of_random_nets_are_exact(asked, truth):
    certificate = restated(asked, asked.target if truth else TRUE, Budget(20))
    assert certificate is None or audit(asked, Unreachable(certificate)) == EXACT
