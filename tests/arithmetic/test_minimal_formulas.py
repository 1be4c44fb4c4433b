"""Formulas for people: the same over natural numbers, with nothing that follows from the rest."""

from __future__ import annotations

from itertools import product

import pytest
from folders import problem_named
from hypothesis import given, settings
from hypothesis import strategies as st
from questions import parse_query

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Inequality,
    Negation,
    atoms,
    evaluate,
)
from petricheck.arithmetic.formulas.minimal import minimal
from petricheck.arithmetic.formulas.terms import linear
from petricheck.arithmetic.formulas.text import to_text
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.model.net import make_net
from petricheck.questions import check

NAMES = ("p1", "p2", "p10")
POINTS = [dict(zip(NAMES, values, strict=True)) for values in product(range(6), repeat=3)]

terms = st.builds(
    linear,
    st.lists(st.tuples(st.sampled_from(NAMES), st.integers(-3, 3)), max_size=3),
    st.integers(-5, 5),
)
literals = st.one_of(
    st.builds(Inequality, terms),
    st.builds(Inequality, terms),
    st.builds(Equality, terms),
    st.builds(Congruence, terms, st.integers(1, 4)),
    st.builds(Congruence, terms, st.integers(1, 4)).map(Negation),
)
clauses = st.lists(literals, max_size=3).map(lambda parts: Disjunction(tuple(parts)))
cases = st.lists(st.one_of(literals, literals, literals, clauses), max_size=6)
disjunctions = st.lists(cases.map(lambda parts: Conjunction(tuple(parts))), max_size=3)


def shown(text: str) -> str:
    net = make_net("three", dict.fromkeys(NAMES, 0), {})
    return to_text(minimal(parse_query("formula", net, text)))


@settings(max_examples=20)
@given(disjunctions)
def test_the_same_natural_numbers_satisfy_it(found):
    formula = Disjunction(tuple(found))
    rewritten = minimal(formula)
    assert [evaluate(rewritten, p) for p in POINTS] == [evaluate(formula, p) for p in POINTS]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4*p1 + 4*p2 <= 7", "p1 + p2 <= 1"),
        ("p1 + p2 <= 1 and p1 + 2*p2 <= 2", "p1 + p2 <= 1"),
        ("p1 + p10 <= 3 and p1 + p10 >= 3", "p1 + p10 = 3"),
        ("p10 + 2*p2 <= 0", "p2 + p10 = 0"),
        ("p1 <= 1 and (p1 + p10 <= 0 or p2 <= 0)", "p1 <= 1 and (p1 + p10 = 0 or p2 = 0)"),
        ("p1 + p2 = 1 and p2 <= 0", "p1 = 1 and p2 = 0"),
        ("p1 >= 2 and p1 + p2 <= 2", "p1 = 2 and p2 = 0"),
        ("p1 <= 1 and p2 <= 1 and p1 + p2 <= 2", "p1 <= 1 and p2 <= 1"),
        ("2*p1 + p2 <= 4 and p1 + 2*p2 <= 4 and p1 + p2 <= 3", "2*p1 + p2 <= 4 and p1 + 2*p2 <= 4"),
        ("p1 + p2 + p10 = 3 and p1 + p2 <= 1 and p10 >= 2", "p1 + p2 + p10 = 3 and p10 >= 2"),
        ("p1 + p2 <= 0 and p2 + p10 <= 0", "p10 = 0 and p1 + p2 = 0"),
        ("p1 >= 0 and p2 >= 1", "p2 >= 1"),
        ("p1 = 1 and (p1 = 2 or p2 <= 3)", "p1 = 1 and p2 <= 3"),
        ("p1 = 1 and (p1 + p2) mod 2 = 0", "p1 = 1 and p2 mod 2 = 1"),
        ("p2 = 1 or (p1 = 1 and p1 = 2)", "p2 = 1"),
        ("p1 = 1 and p1 = 2", "false"),
    ],
)
def test_it_says_no_more_than_it_has_to(text, expected):
    assert shown(text) == expected


@pytest.mark.parametrize("weight", [-1.0, -0.5, 0.0, 0.4, 1.0, 7.0])
def test_multipliers_are_not_believed(weight, monkeypatch):
    monkeypatch.setattr(
        "petricheck.arithmetic.formulas.minimal._multipliers", lambda _, rows: [weight] * 9
    )
    for text in (
        "p1 + p2 <= 3 and p1 <= p10 + 2 and p10 <= p2",
        "p1 + p2 >= 3 and p1 + p2 <= 5",
    ):
        assert shown(text) == text


def test_numbers_beyond_floats_stay_as_they_are():
    huge = 10**400
    assert shown(f"{huge}*p1 + p2 <= {huge} and p1 <= 2") == f"p1 <= 2 and {huge}*p1 + p2 <= {huge}"


def test_no_atom_of_a_shown_invariant_follows_from_the_others():
    answer = check(problem_named("exponential_U"), engine="cegar").answer
    assert isinstance(answer, Unreachable) and isinstance(answer.certificate, Certificate)
    whole, invariant = answer.certificate.invariant, minimal(answer.certificate.invariant)
    assert (sum(1 for _ in atoms(whole)), sum(1 for _ in atoms(invariant))) == (46, 28)
    for one, other in ((whole, invariant), (invariant, whole)):
        assert find_model(Conjunction((one, Negation(other))), natural=True) is None
    assert isinstance(invariant, Disjunction)
    for case in invariant.operands:
        assert isinstance(case, Conjunction)
        for atom in case.operands:
            others = Conjunction(tuple(other for other in case.operands if other != atom))
            assert find_model(Conjunction((others, Negation(atom))), natural=True) is not None
