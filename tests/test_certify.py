"""Certificates of finished explorations: inductive by brute force, and accepted as they stand."""

from __future__ import annotations

from itertools import product

import pytest
from forms import bounded, modulo, precise
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import successor
from strategies import nets

from petricheck.abstraction import certify
from petricheck.abstraction.certify import certificate
from petricheck.abstraction.domain import Precision
from petricheck.abstraction.graph import AbstractGraph
from petricheck.abstraction.targets import state_atoms
from petricheck.answer import Certificate, Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.presburger.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    at_least,
    atoms,
    congruent,
    conjunction,
    different,
    equal,
    evaluate,
    variables,
)
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Problem, make_net, make_problem

EXACT = "checked in exact integer arithmetic"
p, q = variable("p"), variable("q")
searching = settings(max_examples=25)


@st.composite
def precisions(draw: st.DrawFn, net: Net) -> Precision:
    size = range(len(net.places))
    units = [tuple(s * int(i == k) for i in size) for k in size for s in (1, -1)]
    vectors = st.one_of(
        st.sampled_from(units), st.tuples(*[st.sampled_from((-1, 0, 1))] * len(size))
    )
    bounds = st.builds(bounded, vectors.filter(any), st.integers(-3, 4))
    residues = st.builds(modulo, vectors.filter(any), st.integers(2, 3))
    chosen = draw(st.lists(bounds, min_size=2, max_size=8))
    return Precision().refine([*chosen, *draw(st.lists(residues, max_size=1))])


@st.composite
def finished(draw: st.DrawFn) -> AbstractGraph:
    """A finished exploration that misses a marking, which brute force may also fail to reach."""
    net = draw(nets(max_places=3, max_transitions=4))
    precision = draw(precisions(net))
    marking = [draw(st.integers(0, 4)) for _ in net.places]
    target = conjunction(
        equal(variable(place), n) for place, n in zip(net.places, marking, strict=True)
    )
    graph = AbstractGraph(make_problem(net, target), precision)
    assume(graph.explore(Budget()) is None)
    return graph


def check_by_hand(problem: Problem, invariant: Formula, most: int = 6) -> None:
    """The three obligations on every marking of a box."""
    net = problem.net
    assert evaluate(invariant, net.values(net.initial))
    for marking in product(range(most), repeat=len(net.places)):
        values = net.values(marking)
        if evaluate(invariant, values):
            assert not evaluate(problem.target, values)
            for transition in net.transitions:
                after = successor(marking, transition)
                assert after is None or evaluate(invariant, net.values(after))


@searching
@given(finished())
def test_a_certificate_is_inductive_and_audited_without_a_solver(graph: AbstractGraph) -> None:
    found = certificate(graph)
    check_by_hand(graph.problem, found.invariant)
    assert audit(graph.problem, Unreachable(found)) == EXACT


@searching
@given(finished())
def test_a_certificate_needs_no_hints_to_be_accepted(graph: AbstractGraph) -> None:
    found = certificate(graph)
    assert "z3" in audit(graph.problem, Unreachable(Certificate(found.invariant)))


@searching
@given(finished())
def test_a_certificate_says_no_more_than_its_states_and_the_place_invariants(
    graph: AbstractGraph,
) -> None:
    found = certificate(graph).invariant
    assert isinstance(found, Disjunction)
    assert 1 <= len(found.operands) <= len(graph.states)
    net = graph.problem.net
    for state in graph.states:
        mine = state_atoms(graph.domain, state)
        assert any(
            all(is_constant(net, atom) or gives(mine, atom) for atom in atoms(part))
            for part in found.operands
        )


def gives(known: tuple[Atom, ...], atom: Atom) -> bool:
    """Whether the atom is known, or a smaller bound of the same direction."""
    return any(
        type(other) is type(atom)
        and other.term.coefficients == atom.term.coefficients
        and (
            other == atom
            or (not isinstance(atom, Congruence) and other.term.constant >= atom.term.constant)
        )
        for other in known
    )


def is_constant(net: Net, atom: Atom) -> bool:
    """Whether no transition changes the term, which is 0 initially."""
    weights = dict(atom.term.coefficients)
    return atom.term.evaluate(net.values(net.initial)) == 0 and not any(
        sum(weights.get(net.places[place], 0) * change for place, change in t.effect)
        for t in net.transitions
    )


@searching
@given(finished())
def test_no_disjunct_of_a_certificate_repeats_or_contains_another(graph: AbstractGraph) -> None:
    found = certificate(graph).invariant
    assert isinstance(found, Disjunction)
    sets = [frozenset(atoms(part)) for part in found.operands]
    for number, one in enumerate(sets):
        assert not any(two <= one for other, two in enumerate(sets) if other != number)


def with_noise(extra: int = 3) -> AbstractGraph:
    """p + q = 1 carries the proof; z counts up beside it, and w is never touched."""
    net = make_net(
        "noise",
        {"p": 1, "q": 0, "w": 2, "z": 0},
        {"a": ({"p": 1}, {"q": 1, "z": 1}), "b": ({"q": 1}, {"p": 1})},
    )
    levels = tuple(range(extra))
    precision = precise(
        {
            (1, 1, 0, 0): (1,),
            (0, 0, 1, 0): (2,),
            (0, 0, 0, 1): levels,
            (0, 0, 0, -1): tuple(-n for n in reversed(levels)),
        },
        (modulo((0, 0, 1, 0), 2), modulo((0, 0, 0, 1), 2)),
    )
    problem = make_problem(net, conjunction([equal(p, 1), equal(q, 1)]))
    graph = AbstractGraph(problem, precision)
    assert graph.explore(Budget()) is None
    return graph


def test_what_carries_no_proof_is_dropped() -> None:
    graph = with_noise()
    assert len(graph.states) > 1
    found = certificate(graph)
    assert isinstance(found.invariant, Disjunction) and len(found.invariant.operands) == 1
    assert variables(found.invariant) == ("p", "q")
    assert audit(graph.problem, Unreachable(found)) == EXACT


def test_a_graph_too_large_for_dropping_is_certified_as_it_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(certify, "_LARGEST", 0)
    graph = with_noise()
    found = certificate(graph)
    assert isinstance(found.invariant, Disjunction)
    assert len(found.invariant.operands) == len(graph.states)
    assert audit(graph.problem, Unreachable(found)) == EXACT


def test_a_residue_that_carries_the_proof_is_kept() -> None:
    net = make_net("pump", {"p": 0, "q": 0}, {"add": ({}, {"p": 2}), "other": ({}, {"q": 1})})
    precision = precise({(0, 1): (0, 1)}, (modulo((1, 0), 2), modulo((0, 1), 3)))
    graph = AbstractGraph(make_problem(net, conjunction([equal(p, 3), equal(q, 1)])), precision)
    assert graph.explore(Budget()) is None
    found = certificate(graph)
    assert found.invariant == Disjunction((Conjunction((congruent(p, 0, 2),)),))
    assert audit(graph.problem, Unreachable(found)) == EXACT


def test_an_atom_that_only_disables_a_transition_is_kept() -> None:
    """q never grows, because t needs two tokens on p, and p has one."""
    net = make_net("guard", {"p": 1, "q": 0}, {"t": ({"p": 2}, {"p": 2, "q": 1})})
    graph = AbstractGraph(make_problem(net, equal(q, 3)), precise({(1, 0): (1,), (0, 1): (0,)}))
    assert graph.explore(Budget()) is None
    found = certificate(graph)
    assert variables(found.invariant) == ("p", "q")
    assert audit(graph.problem, Unreachable(found)) == EXACT


def test_what_a_later_state_needs_is_kept_in_the_states_before_it() -> None:
    """After a, q ≤ 1 is no reason for anything but q ≤ 0 after b, which then disables b."""
    net = make_net(
        "chain", {"p": 1, "q": 0, "r": 0}, {"a": ({"p": 1}, {"q": 1}), "b": ({"q": 1}, {"r": 1})}
    )
    unit_bounds = {(1, 0, 0): (0, 1), (0, 1, 0): (0, 1), (0, 0, 1): (0, 1)}
    problem = make_problem(net, at_least(variable("r"), 2))
    graph = AbstractGraph(problem, precise(unit_bounds))
    assert graph.explore(Budget()) is None
    found = certificate(graph)
    check_by_hand(problem, found.invariant, most=4)
    assert audit(problem, Unreachable(found)) == EXACT


def test_a_target_of_many_cubes_is_certified_for_the_solver() -> None:
    """2^7 cubes: the exact tier does not list them."""
    places = tuple(f"p{number}" for number in range(7))
    net = make_net("still", dict.fromkeys(places, 1), {"t": ({"p0": 1}, {"p0": 1})})
    target = conjunction(different(variable(place), 1) for place in places)
    units = [tuple(s * int(n == k) for n in range(7)) for k in range(7) for s in (1, -1)]
    precision = precise({unit: (sum(unit),) for unit in units})
    graph = AbstractGraph(make_problem(net, target), precision)
    assert graph.explore(Budget()) is None
    assert audit(graph.problem, Unreachable(certificate(graph))) == "discharged by z3"


@pytest.mark.parametrize("big", [2**62, 10**30, 10**400], ids=lambda big: len(str(big)))
def test_certificates_hold_numbers_of_any_size(big: int) -> None:
    net = make_net("big", {"p": big, "q": 0}, {"a": ({"p": 1}, {"q": 1})})
    target = conjunction([equal(p, 1), equal(q, big)])
    graph = AbstractGraph(make_problem(net, target), precise({(1, 1): (big,)}))
    assert graph.explore(Budget()) is None
    assert audit(graph.problem, Unreachable(certificate(graph))) == EXACT


def test_an_added_place_invariant_keeps_the_certificate_inductive() -> None:
    net = make_net("n", {"p": 2, "q": 0}, {"a": ({"p": 1}, {"q": 1})})
    precision = precise({(1, 3): (2,), (1, 1): (2,), (0, -1): (-1,)})
    graph = AbstractGraph(make_problem(net, at_least(p + q, 3)), precision)
    assert graph.explore(Budget()) is None
    check_by_hand(graph.problem, certificate(graph).invariant)
