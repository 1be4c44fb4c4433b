"""Certificates of finished explorations: inductive by brute force, and accepted as they stand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import pytest
from forms import bounded, modulo, precise
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from notation import EXACT, formula, problem
from oracle import successor
from strategies import nets

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    atoms,
    conjunction,
    equal,
    evaluate,
    variables,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines.abstraction import certify
from petricheck.engines.abstraction.certify import certificate
from petricheck.engines.abstraction.domain import Precision
from petricheck.engines.abstraction.graph import AbstractGraph
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.model.net import Net
from petricheck.model.problem import Problem, make_problem
from petricheck.support.budget import Budget
from petricheck.symbolic.linear import ModularDirection

BIG = (2**62, 10**30, 10**400)
searching = settings(max_examples=15, suppress_health_check=[HealthCheck.filter_too_much])


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
    assert "z3" in audit(graph.problem, Unreachable(Certificate(found.invariant)))
    parts = [frozenset(atoms(part)) for part in found.invariant.operands]  # type: ignore[union-attr]
    assert not any(one <= other for one, other in permutations(parts, 2)), "none is repeated"


def explored(
    system: str,
    goal: str,
    thresholds: dict[tuple[int, ...], tuple[int, ...]],
    residues: Sequence[ModularDirection] = (),
) -> AbstractGraph:
    """A finished exploration with this precision."""
    graph = AbstractGraph(problem(system, goal), precise(thresholds, residues))
    assert graph.explore(Budget()) is None
    return graph


def with_noise() -> AbstractGraph:
    """p + q = 1 carries the proof; z counts up beside it, and w is never touched."""
    return explored(
        "p=1 q=0 w=2 z=0, a: p -> q + z, b: q -> p",
        "p == 1 and q == 1",
        {
            (1, 1, 0, 0): (1,),
            (0, 0, 1, 0): (2,),
            (0, 0, 0, 1): (0, 1, 2),
            (0, 0, 0, -1): (-2, -1, 0),
        },
        (modulo((0, 0, 1, 0), 2), modulo((0, 0, 0, 1), 2)),
    )


def test_what_carries_no_proof_is_dropped_where_the_graph_is_not_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = with_noise()
    assert len(graph.states) > 1
    assert variables(certificate(graph).invariant) == ("p", "q")
    assert len(certificate(graph).invariant.operands) == 1  # type: ignore[union-attr]
    monkeypatch.setattr(certify, "_LARGEST", 0)
    whole = certificate(graph)
    assert len(whole.invariant.operands) == len(graph.states)  # type: ignore[union-attr]
    assert audit(graph.problem, Unreachable(whole)) == EXACT


@pytest.mark.parametrize(
    ("system", "goal", "thresholds", "residues", "invariant"),
    [
        # A residue that carries the proof is kept.
        (
            "p=0 q=0, add: -> 2 p, other: -> q",
            "p == 3 and q == 1",
            {(0, 1): (0, 1)},
            (modulo((1, 0), 2), modulo((0, 1), 3)),
            "any(all(p % 2 == 0))",
        ),
        # q never grows, because t needs two tokens on p, and p has one.
        ("p=1 q=0, 2 p -> 2 p + q", "q == 3", {(1, 0): (1,), (0, 1): (0,)}, (), None),
        # After a, q ≤ 1 is no reason for anything but q ≤ 0 after b, which then disables b.
        (
            "p=1 q=0 r=0, a: p -> q, b: q -> r",
            "r >= 2",
            {(1, 0, 0): (0, 1), (0, 1, 0): (0, 1), (0, 0, 1): (0, 1)},
            (),
            None,
        ),
        # A place invariant is added.
        ("p=2 q=0, p -> q", "p + q >= 3", {(1, 3): (2,), (1, 1): (2,), (0, -1): (-1,)}, (), None),
        *((f"p={n} q=0, p -> q", f"p == 1 and q == {n}", {(1, 1): (n,)}, (), None) for n in BIG),
    ],
    ids=str,
)
def test_what_a_proof_needs_is_kept(
    system: str,
    goal: str,
    thresholds: dict[tuple[int, ...], tuple[int, ...]],
    residues: Sequence[ModularDirection],
    invariant: str | None,
) -> None:
    graph = explored(system, goal, thresholds, residues)
    found = certificate(graph)
    assert invariant is None or found.invariant == formula(invariant)
    check_by_hand(graph.problem, found.invariant, most=4)
    assert audit(graph.problem, Unreachable(found)) == EXACT


def test_a_target_of_many_cubes_is_certified_for_the_solver() -> None:
    """2^7 cubes: the exact tier does not list them."""
    system = " ".join(f"p{n}=1" for n in range(7)) + ", p0 -> p0"
    units = [tuple(s * int(n == k) for n in range(7)) for k in range(7) for s in (1, -1)]
    goal = " and ".join(f"p{n} != 1" for n in range(7))
    graph = explored(system, goal, {unit: (sum(unit),) for unit in units})
    assert audit(graph.problem, Unreachable(certificate(graph))) == "discharged by z3"
