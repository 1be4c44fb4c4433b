"""Property-directed reachability: its rules one by one, and the engine against brute force."""

from __future__ import annotations

from itertools import product
from operator import le

import pytest
from click.testing import Result
from folders import NETS
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import formula, formulas, net_of
from notation import problem as problem_of
from oracle import known_verdict, successor
from questions import problem as ask
from strategies import nets, problems

from petricheck.arithmetic.formulas.formulas import atoms, evaluate
from petricheck.evidence.answer import Reachable, Unknown, Unreachable
from petricheck.evidence.certificates.invariant import Certificate, CoverHints
from petricheck.formats.nets import read_net
from petricheck.laboratory.engines.pdr import Pdr
from petricheck.laboratory.pdr.frames import Frames, generalise
from petricheck.laboratory.pdr.polyhedra import (
    Polyhedron,
    above,
    before_firing,
    before_firings,
    exactly,
    least_number,
    polyhedron,
)
from petricheck.laboratory.pdr.search import WITNESSES, ProofObligation, trace
from petricheck.model.net import Marking, Net, Transition
from petricheck.model.problem import Problem
from petricheck.questions import check
from petricheck.support.budget import Budget
from petricheck.support.errors import Ending
from petricheck.symbolic.linear import HalfSpace, sparse

PUMP = net_of("p=1 q=0, t: p -> p + q")


@st.composite
def half_spaces(draw: st.DrawFn, places: int) -> HalfSpace:
    weights = draw(st.lists(st.integers(-2, 2), min_size=places, max_size=places).filter(any))
    return HalfSpace(sparse(enumerate(weights)), draw(st.integers(-4, 4)))


@st.composite
def questions(draw: st.DrawFn) -> tuple[Net, list[HalfSpace]]:
    net = draw(nets(max_places=3))
    return net, draw(st.lists(half_spaces(len(net.places)), min_size=1, max_size=3))


def box(net: Net, size: int = 5) -> list[Marking]:
    return list(product(range(size), repeat=len(net.places)))


def bound(place: int, tokens: int) -> Polyhedron:
    """All markings with so many tokens on the place."""
    return polyhedron([HalfSpace(((place, -1),), -tokens)])


def all_hold(sides: list[HalfSpace], marking: Marking) -> bool:
    return all(side.holds(marking) for side in sides)


def after(marking: Marking, transition: Transition, most: int) -> list[Marking]:
    """The markings after 1, 2, … firings in a row."""
    markings = []
    while len(markings) < most and (following := successor(marking, transition)) is not None:
        marking = following
        markings.append(marking)
    return markings


def decide(problem: Problem, seconds: float = 20, **options: str) -> Result:
    return check(problem, engine="pdr", options=options, budget=Budget(seconds))


# Polyhedra


@settings(max_examples=20)
@given(questions(), st.data())
def test_a_normal_form_has_the_markings_of_its_sides_and_inclusions_are_true(case, data):
    net, sides = case
    inner = polyhedron(sides)
    other = polyhedron(data.draw(st.lists(half_spaces(len(net.places)), max_size=2)))
    for marking in box(net):
        values = net.values(marking)
        assert (marking in inner) == all_hold(sides, marking)
        assert (marking in inner) != evaluate(inner.clause(net), values)
        assert (marking in inner) == all(evaluate(a, values) for a in inner.cube(net))
        if marking in inner:
            assert not inner.plainly_empty
            assert marking in other or not inner.within(other)


# Predecessors


@settings(max_examples=16)
@given(questions())
def test_predecessors_are_the_markings_from_which_firings_lead_in(case):
    net, sides = case
    target = polyhedron(sides)
    for transition in net.transitions:
        before, saturated = before_firing(transition, target), before_firings(transition, target)
        for marking in box(net):
            reached = after(marking, transition, 12)
            hits = [n for n, m in enumerate(reached, 1) if all_hold(sides, m)]
            assert (marking in before) == (1 in hits)
            number = least_number(transition, target, marking)
            if hits or number is None or number <= 12:
                assert number == (hits[0] if hits else None)
            if saturated is not None:
                assert (marking in saturated) == (number is not None)


def test_a_trace_fires_as_often_as_each_obligation_needs():
    net = net_of("p=9 q=0 r=0, a: 2 p -> q, b: q -> 3 r")
    obligation = ProofObligation(polyhedron([HalfSpace(((2, -1),), -7)]))
    for transition in reversed(net.transitions):
        after_it = obligation.polyhedron
        before = before_firings(transition, after_it) or before_firing(transition, after_it)
        obligation = ProofObligation(before, (transition, obligation))
    assert trace(net, obligation).steps == (("a", 3), ("b", 3))


@settings(max_examples=20)
@given(questions())
def test_a_witness_stands_for_itself_or_for_all_above_it_where_they_lead_on(case):
    net, sides = case
    target, markings = polyhedron(sides), box(net, 4)
    for witness in markings:
        higher = [m for m in markings if all(map(le, witness, m))]
        assert [m for m in markings if m in exactly(witness)] == [witness]
        assert [m for m in markings if m in above(witness)] == higher
        if target.upward_closed and witness in target:
            assert all(m in target for m in higher)


# Frames and clauses


@settings(max_examples=15)
@given(questions(), st.data())
def test_no_firing_enters_the_sides_that_are_returned_or_a_generalised_clause(case, data):
    net, sides = case
    other = polyhedron(data.draw(st.lists(half_spaces(len(net.places)), min_size=1, max_size=2)))
    blocked = polyhedron(sides)
    with Frames(net, (), Budget()) as frames:
        if net.initial not in other:
            frames.forbid(other, 1)
        for level in (0, 1):
            reason = frames.entry(blocked, level)
            if net.initial in blocked or isinstance(reason, Transition):
                continue
            candidates = [net.initial] if level == 0 else box(net)
            if level == 1 and net.initial not in other:
                candidates = [marking for marking in candidates if marking not in other]
            assert reason <= set(blocked.sides)
            assert not enters(net, candidates, polyhedron(reason))
            wide = generalise(frames, level, blocked, reason, net.initial)
            assert net.initial not in wide
            assert blocked.within(wide)
            assert not enters(net, candidates, wide)


def enters(net: Net, candidates: list[Marking], region: Polyhedron) -> bool:
    """Whether a firing leads into the region from a known marking outside of it."""
    moves = (successor(m, t) for m in candidates if m not in region for t in net.transitions)
    return any(following is not None and following in region for following in moves)


def test_a_clause_that_moves_up_stays_below_and_drops_what_it_implies():
    narrow = polyhedron([HalfSpace(((1, -1),), -5)])
    wide = polyhedron([HalfSpace(((1, -1),), -3)])
    with Frames(PUMP, (), Budget()) as frames:
        frames.deepen()
        frames.forbid(narrow, 1)
        frames.forbid(wide, 2)
        assert frames.clauses == [[], [], [wide]]
        assert frames.forbids(narrow, 1) and not frames.forbids(polyhedron([]), 1)
        assert frames.model(1, formula("q >= 3")) is None


def test_a_clause_has_an_atom_that_the_initial_marking_satisfies():
    empty = polyhedron([HalfSpace(((0, 1),), 0)])
    with Frames(PUMP, (), Budget()) as frames:
        blocked = polyhedron([*empty.sides, HalfSpace(((1, 1),), 5)])
        reason = frames.entry(blocked, 0)
        assert reason == frozenset()
        assert generalise(frames, 0, blocked, reason, PUMP.initial) == empty


def test_transitions_from_markings_that_violate_facts_are_ignored():
    net = net_of("p=1 q=0, t: 2 p -> 2 p + q")
    with Frames(net, (), Budget()) as frames:
        assert frames.entry(bound(1, 1), 1) == net.transitions[0]
    with Frames(net, tuple(formulas("p == 1")), Budget()) as frames:
        assert not isinstance(frames.entry(bound(1, 1), 1), Transition)


def test_facts_of_other_engines_are_used_where_they_are_inductive():
    problem = problem_of("p=3, t: 2 p -> 4 p, u: 4 p -> 2 p", "p == 50")
    alone = Pdr(invariants=False, equation=False)
    learnt = tuple(formulas("p % 2 == 0, p % 2 == 1"))
    answer = alone.solve_informed(problem, Budget(20), learnt)
    assert isinstance(answer, Unreachable)
    assert isinstance(answer.certificate, Certificate)
    assert set(atoms(answer.certificate.invariant)) == {learnt[1]}
    assert answer.statistics.iterations == 0


# The engine


@settings(max_examples=16)
@given(problems(), st.sampled_from(WITNESSES))
def test_every_generalisation_of_witnesses_decides_rightly(asked, witness):
    answer = decide(asked, 1, witness=witness, **SEARCHING).answer
    if not isinstance(answer, Unknown) and (known := known_verdict(asked, 1000)) is not None:
        assert isinstance(answer, Reachable) == (known == "reachable")


@pytest.mark.parametrize("witness", WITNESSES)
def test_more_tokens_than_a_witness_has_do_not_lead_into_one_marking(witness):
    asked = problem_of("p=5 q=0, t: p -> q", "p == 0 and q == 1")
    assert isinstance(decide(asked, witness=witness, **SEARCHING).answer, Unreachable)


def test_saturated_witnesses_need_fewest_obligations_and_single_ones_most():
    asked = ask(net_of("p=40 q=0, t: p -> q"), cover="q=30")
    numbers = [
        decide(asked, witness=witness, **SEARCHING).answer.statistics.iterations
        for witness in WITNESSES
    ]
    assert numbers[0] < 9 and numbers[1] > 30 and numbers[2] > 30


FINKEL = read_net(NETS / "finkel_counterex_R.pnml").net
"""The net of Finkel, Geeraerts, Raskin and Van Begin on which a hasty search misses markings."""

SEARCHING = {"invariants": "false", "equation": "false"}


PUMPED = ("p3=1, p5=3", "p4=1, p5=2", "p5=3", "p6=1")
APART = ("p3=1, p4=1", "p2=1, p5=2", "p6=1, p5=1")


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, SEARCHING])
def test_finkels_counterexample_covers_pumped_places_only(options):
    for cover in PUMPED:
        assert isinstance(decide(ask(FINKEL, cover=cover), **options).answer, Reachable), cover
    for cover in APART:
        result = decide(ask(FINKEL, cover=cover), **options)
        assert isinstance(result.answer, Unreachable), cover
        assert result.audit == "checked in exact integer arithmetic"
    assert isinstance(decide(ask(FINKEL, target="p3=1, p5=2"), **options).answer, Reachable)
    for target in ("p2=1, p5=2", "p5=2"):
        assert isinstance(decide(ask(FINKEL, target=target), **options).answer, Unreachable)


def test_proofs_have_only_facts_and_clauses_that_are_needed():
    net = read_net(NETS / "fms_U.pnml").net
    answer = check(ask(net, cover="p12=2"), engine="pdr").answer
    assert isinstance(answer, Unreachable) and isinstance(answer.certificate, Certificate)
    held = formula("p12 + p13 <= 1 and p12 + p13 >= 1")
    assert answer.certificate.invariant == held
    assert answer.certificate.hints == CoverHints(())


def test_targets_with_congruences_are_declined():
    problem = ask(PUMP, formula="q mod 2 = 1")
    answer = decide(problem).answer
    assert isinstance(answer, Unknown)
    assert answer.ending is Ending.NOT_APPLICABLE
    assert Pdr().unfit(problem) and not Pdr().unfit(ask(PUMP, cover="q=1"))
