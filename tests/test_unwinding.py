"""Unwindings: well-labelled at any time, complete at the end; and what they are made of."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import explore
from strategies import nets, problems

from petricheck import plugins
from petricheck.abstraction.domain import Domain, Precision
from petricheck.abstraction.targets import target_test
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.facts.semiflows import control_groups
from petricheck.laboratory.unwinding.carrying import carried
from petricheck.laboratory.unwinding.control import Control
from petricheck.laboratory.unwinding.covering import ByBounds, BySolver, Forcing, close, force
from petricheck.laboratory.unwinding.labels import Label
from petricheck.laboratory.unwinding.languages import Languages
from petricheck.laboratory.unwinding.measures import Measures
from petricheck.laboratory.unwinding.refinement import Refiner, relevant
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.laboratory.unwinding.unwind import Course, Outcome, Strategy, unwind
from petricheck.linear import HalfSpace, Residue, sparse, value_at
from petricheck.presburger.cubes import cubes
from petricheck.presburger.formulas import at_least, congruent
from petricheck.presburger.terms import variable
from petricheck.problem import Marking, Net, Problem, make_problem

FORCINGS = (Forcing(0), Forcing(4), Forcing(4, learning=True))
HEURISTICS = ("accelerated_actions", "parikh", "place_invariants")
p, q = variable("p"), variable("q")


def swap() -> Net:
    return net_of("p=1 q=0, a: p -> q, b: q -> p")


def course_of(
    problem: Problem,
    strategy: Strategy = Strategy.DFS,
    forcing: Forcing = FORCINGS[1],
    solver: bool = False,
) -> Course:
    measures = Measures()
    refiner = Refiner(
        problem,
        target_test(problem),
        plugins.build("guides", "optimal"),
        [plugins.build("heuristics", name) for name in HEURISTICS],
        True,
        False,
        Languages(problem, -1),
        measures,
    )
    entailment = BySolver(problem.net.places) if solver else ByBounds()
    return Course(strategy, forcing, entailment, refiner, measures)


def holds(label: Label, marking: Marking) -> bool:
    bounds = all(value_at(c, marking) <= bound for c, bound in label.bounds.items())
    residues = label.residues.items()
    return bounds and all(value_at(r.direction, marking) % r.modulus == x for r, x in residues)


def assert_well_labelled(tree: Unwinding) -> None:
    """Def. 3, on all markings with at most two tokens a place."""
    assert holds(tree.vertices[0].label, tree.net.initial)
    markings = list(product(range(3), repeat=len(tree.net.places)))
    for number, vertex in enumerate(tree.vertices):
        if vertex.parent is not None:
            before = tree.vertices[vertex.parent].label
            transition = tree.net.transitions[vertex.transition]
            for marking in markings:
                if transition.enabled(marking) and holds(before, marking):
                    assert holds(vertex.label, transition.fire(marking))
        if vertex.covered_by is not None:
            other = vertex.covered_by
            assert other < number and not tree.covered(other)
            weaker = tree.vertices[other].label
            assert all(holds(weaker, m) for m in markings if holds(vertex.label, m))


@settings(max_examples=40)
@given(
    problems(),
    st.sampled_from(Strategy),
    st.sampled_from(FORCINGS),
    st.integers(0, 1),
    st.booleans(),
)
def test_an_unwinding_is_well_labelled_whenever_it_stops(
    problem, strategy, forcing, groups, solver
):
    tree = Unwinding(problem.net, Control(control_groups(problem.net, groups)))
    course = course_of(problem, strategy, forcing, solver)
    outcome = None
    with suppress(BudgetExhausted):
        outcome = unwind(tree, course, Budget(0.05))
    assert_well_labelled(tree)
    if outcome is Outcome.COMPLETE:
        labels = [tree.vertices[number].label for number in tree.uncovered()]
        for marking in explore(problem.net, 300) or ():
            assert any(holds(label, marking) for label in labels)


@st.composite
def domains(draw: st.DrawFn) -> tuple[Net, Domain]:
    net = draw(nets())
    weights = st.integers(-2, 2)
    vectors = st.lists(weights, min_size=len(net.places), max_size=len(net.places))
    directions = vectors.map(lambda v: tuple((n, w) for n, w in enumerate(v) if w)).filter(bool)
    bounds = draw(st.lists(st.builds(HalfSpace, directions, st.integers(-2, 4)), min_size=1))
    residues = draw(st.lists(st.builds(Residue, directions, st.integers(2, 3)), max_size=1))
    return net, Domain(net, Precision().refine([*bounds, *residues]))


@settings(max_examples=40)
@given(domains(), st.data())
def test_firing_a_state_holds_what_it_fires_to_and_saturation_loses_no_marking(found, data):
    net, domain = found
    said = {c: data.draw(st.integers(-2, 4)) for c in domain.directions if data.draw(st.booleans())}
    turned = {r: data.draw(st.integers(0, r.modulus - 1)) for r in domain.residues}
    row = Label(said, turned if data.draw(st.booleans()) else {}).row(domain)
    number = data.draw(st.integers(0, len(net.transitions) - 1))
    after = domain.fire(row, number)
    for marking in product(range(3), repeat=len(net.places)):
        if not inside(domain, row, marking):
            continue
        assert inside(domain, domain.saturated(row), marking)
        if net.transitions[number].enabled(marking):
            assert after is not None
            fired = net.transitions[number].fire(marking)
            assert inside(domain, after, fired) and inside(domain, domain.rounded(after), fired)


def inside(domain: Domain, row: object, marking: Marking) -> bool:
    bounds, residues = domain.bounds(row), domain.residues_of(row)
    return all(
        bound is None or value_at(c, marking) <= bound
        for c, bound in zip(domain.directions, bounds, strict=True)
    ) and all(
        rest is None or value_at(r.direction, marking) % r.modulus == rest % r.modulus
        for r, rest in zip(domain.residues, residues, strict=True)
    )


def test_strengthening_a_vertex_uncovers_what_it_covered():
    tree = Unwinding(swap(), Control())
    tree.expand(0)
    close(tree, 1, ByBounds(), Measures(), Budget())
    assert tree.vertices[1].covered_by == 0 and tree.covered(1)
    tree.strengthen(0, Label({((0, 1), (1, 1)): 1}))
    assert tree.vertices[1].covered_by is None and not tree.covered(1)
    assert_well_labelled(tree)


def test_covering_a_vertex_removes_the_arcs_to_its_descendants():
    tree = Unwinding(swap(), Control())
    first, second = tree.expand(0)
    (below, _) = tree.expand(first)
    tree.cover(second, first)
    tree.cover(first, 0)
    assert not tree.covered(second) and tree.covered(below) and tree.covered(first)


def test_forced_covering_takes_the_ancestors_invariant_to_the_child():
    tree = Unwinding(swap(), Control())
    invariant = Label({((0, 1), (1, 1)): 1})
    tree.strengthen(0, invariant)
    child, _ = tree.expand(0)
    close(tree, child, ByBounds(), Measures(), Budget())
    assert not tree.covered(child)
    force(tree, child, Forcing(1), ByBounds(), Measures(), Budget())
    assert tree.vertices[child].covered_by == 0 and tree.vertices[child].label == invariant


def test_what_no_firing_keeps_is_not_forced():
    tree = Unwinding(swap(), Control())
    tree.strengthen(0, Label({((1, 1),): 0}))
    child, *_ = tree.expand(0)
    force(tree, child, Forcing(4), ByBounds(), Measures(), Budget())
    assert not tree.covered(child) and tree.vertices[child].label == Label()


def test_half_spaces_are_learnt_where_the_ancestors_label_implies_itself_after_the_path():
    tree = Unwinding(swap(), Control())
    tree.strengthen(0, Label({((0, 1),): 1, ((1, 1),): 0}))
    (child,) = tree.expand(0)
    tree.strengthen(child, Label({((0, 1),): 0}))
    (below,) = tree.expand(child)
    force(tree, below, Forcing(2), ByBounds(), Measures(), Budget())
    assert not tree.covered(below)
    force(tree, below, Forcing(2, learning=True), ByBounds(), Measures(), Budget())
    assert tree.vertices[below].covered_by == 0
    assert tree.vertices[child].label == Label({((0, 1),): 0, ((1, 1),): 1})
    assert_well_labelled(tree)


def test_with_a_solver_several_bounds_may_imply_the_label_that_covers():
    tree = Unwinding(net_of("p=1 q=1 r=0, a: p + q -> p + q, b: p + q -> p + q + r"), Control())
    tree.strengthen(0, Label({((0, 1),): 1, ((1, 1),): 1}))
    first, second = tree.expand(0)
    tree.strengthen(first, Label({((0, 1), (1, 1)): 2}))
    tree.expand(first)
    forcing = Forcing(2, learning=True)
    tree.strengthen(0, Label({((2, 1),): 0}))
    force(tree, second, forcing, ByBounds(), Measures(), Budget())
    assert not tree.covered(second)
    force(tree, second, forcing, BySolver(tree.net.places), Measures(), Budget(20))
    assert tree.vertices[second].covered_by == first
    assert_well_labelled(tree)


@given(nets(), st.data())
def test_half_spaces_that_carry_a_bound_follow_from_each_other(net, data):
    firings = data.draw(st.lists(st.sampled_from(net.transitions), max_size=4))
    weights = st.lists(st.integers(-2, 2), min_size=len(net.places), max_size=len(net.places))
    spaces = st.builds(HalfSpace, weights.map(lambda w: sparse(enumerate(w))), st.integers(-2, 4))
    known = data.draw(st.lists(spaces, max_size=3))
    goal = HalfSpace(data.draw(spaces).direction, data.draw(st.integers(-2, 20)))
    chain = carried(firings, known, goal)
    markings = list(product(range(4), repeat=len(net.places)))
    inside = [m for m in markings if all(half_space.holds(m) for half_space in known)]
    assume(chain is not None)
    assert len(chain) == len(firings) + 1 and chain[-1].direction == goal.direction
    assert all(chain[0].holds(marking) for marking in inside)
    for before, firing, after in zip(chain, firings, chain[1:], strict=False):
        for marking in filter(before.holds, markings):
            if firing.enabled(marking):
                assert after.holds(firing.fire(marking))


def test_a_solver_covers_what_no_single_bound_shows():
    tree = Unwinding(swap(), Control())
    tree.expand(0)
    tree.strengthen(0, Label({((0, 1), (1, 1)): 1}))
    tree.strengthen(1, Label({((0, 1),): 0, ((1, 1),): 1}))
    close(tree, 1, ByBounds(), Measures(), Budget())
    assert not tree.covered(1)
    close(tree, 1, BySolver(tree.net.places), Measures(), Budget(20))
    assert tree.vertices[1].covered_by == 0


def test_edges_that_the_label_disables_are_left_out():
    tree = Unwinding(swap(), Control())
    tree.strengthen(0, Label({((1, 1),): 0}))
    assert [tree.vertices[child].transition for child in tree.expand(0)] == [0]


def test_a_path_is_sliced_to_what_the_target_depends_on():
    net = net_of("p=1 q=0 r=0, feed: -> p, move: p -> q, other: -> r, look: q -> q + r")
    (cube,) = cubes(at_least(q, 1))
    assert relevant(net, (2, 0, 3, 1, 3), cube) == (0, 1)
    (cube,) = cubes(at_least(variable("r"), 1))
    assert relevant(net, (0, 1, 3), cube) == (0, 1, 3)
    assert relevant(net, (1, 0, 3), cube) == (1, 3)


def test_languages_grow_with_weights_bounds_and_moduli():
    problem = make_problem(swap(), at_least(p + q, 5))
    restricted, free = Languages(problem, 0), Languages(problem, -1)
    levels = {
        0: [Label({((0, 1),): 5}), Label({}, {Residue(((0, 1),), 5): 1})],
        1: [Label({((0, 2),): 5}), Label({((0, 1),): 6}), Label({((0, 1),): -10})],
        2: [Label({((0, -3),): 0}), Label({((0, 1),): 15}), Label({}, {Residue(((0, 1),), 11): 1})],
    }
    for level, labels in levels.items():
        for label in labels:
            assert restricted.level(((0, label),)) == level
            assert restricted.allow(((0, label),)) is (level == 0)
            assert free.allow(((0, label),))
    restricted.raise_to(((0, levels[1][0]),))
    assert restricted.current == 1 and restricted.allow(((0, levels[1][1]),))


def test_control_groups_are_disjoint_and_the_larger_come_first():
    net = net_of(
        "a=1 b=0 c=0 x=0 y=1 many=2 more=0, t: a + x -> b + y, u: b + y -> c + x, "
        "v: c -> a, w: many -> more"
    )
    assert control_groups(net, 9) == ((0, 1, 2), (3, 4))
    assert control_groups(net, 1) == ((0, 1, 2),) and control_groups(net, 0) == ()


def test_a_vertex_of_another_location_covers_nothing():
    tree = Unwinding(swap(), Control(((0, 1),)))
    (child,) = tree.expand(0)
    (grandchild,) = tree.expand(child)
    assert not list(tree.within(child)) and list(tree.within(grandchild)) == [0]
    assert tree.vertices[child].location == ((0, 0), (1, 1))
    assert_well_labelled(tree)


def test_a_residue_is_kept_along_the_edges():
    net = net_of("p=0, t: -> 2 p")
    problem = make_problem(net, congruent(p, 1, 2))
    tree, course = Unwinding(net, Control()), course_of(problem)
    assert unwind(tree, course, Budget(20)) is Outcome.COMPLETE
    assert tree.vertices[0].label.residues == {Residue(((0, 1),), 2): 0}
    assert_well_labelled(tree)


@pytest.mark.parametrize("strategy", Strategy)
def test_an_unwinding_of_one_refinement_needs_no_more_with_forced_covering(strategy):
    problem = make_problem(swap(), at_least(p + q, 2))
    for forced, refinements in ((1, 1), (0, 3)):
        course = course_of(problem, strategy, Forcing(forced))
        assert unwind(Unwinding(problem.net, Control()), course, Budget(20)) is Outcome.COMPLETE
        assert course.measures.refinements == refinements
        assert course.measures.forced == (2 if forced else 0)
