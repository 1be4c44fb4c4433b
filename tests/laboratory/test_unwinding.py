"""Unwindings: well-labelled at any time, complete at the end; and what they are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product

import pytest
from folders import problem_named
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import explore
from strategies import formulas, nets, problems

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    Congruence,
    Conjunction,
    Formula,
    Inequality,
    Negation,
    at_least,
    congruent,
    conjuncts,
    evaluate,
    negate,
    variables,
)
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.arithmetic.solvers.solver import Solver, find_model
from petricheck.engines.abstraction.refine import Genuine
from petricheck.engines.abstraction.targets import target_test
from petricheck.laboratory.engines.impact import Impact
from petricheck.laboratory.paths import path_parts
from petricheck.laboratory.unwinding.assignments import Path, path_of
from petricheck.laboratory.unwinding.covering import Entailment
from petricheck.laboratory.unwinding.descent import Distances, GreedyDescent
from petricheck.laboratory.unwinding.labels import Label, label_of
from petricheck.laboratory.unwinding.languages import LanguageSearch
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.laboratory.unwinding.unwind import (
    Measures,
    Settings,
    UnwindingOutcome,
    close,
    force,
    unwind,
)
from petricheck.model.net import Marking, Net
from petricheck.model.problem import Problem, make_problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.encoding.stamps import at_start
from petricheck.symbolic.facts.semiflows import control_groups

p, q = variable("p"), variable("q")
SOURCES = (
    {},
    {"forced": 0},
    {"strategy": "dfs"},
    {"entailment": "solver", "strategy": "bfs"},
    {"interpolants": "prover"},
    {"interpolants": "prover", "heuristics": (), "sliced": True},
    {"language": 0},
)


def swap() -> Net:
    return net_of("p=1 q=0, a: p -> q, b: q -> p")


def settings_of(problem: Problem, **options: object) -> Settings:
    return Impact(**options).settings(problem, target_test(problem), Measures(), Budget())


def holds(tree: Unwinding, vertex: int, marking: Marking) -> bool:
    label = tree.vertices[vertex].label
    return evaluate(Conjunction(label.conjuncts(tree.net)), tree.net.values(marking))


def assert_well_labelled(tree: Unwinding) -> None:
    """Def. 3, on all markings with at most two tokens a place."""
    assert holds(tree, 0, tree.net.initial)
    markings = list(product(range(3), repeat=len(tree.net.places)))
    for number, vertex in enumerate(tree.vertices):
        if vertex.parent is not None:
            transition = tree.net.transitions[vertex.transition]
            for marking in markings:
                if transition.enabled(marking) and holds(tree, vertex.parent, marking):
                    assert holds(tree, number, transition.fire(marking))
        if (other := vertex.covered_by) is not None:
            assert other < number and not tree.covered(other)
            assert all(holds(tree, other, m) for m in markings if holds(tree, number, m))


@settings(max_examples=20)
@given(problems(), st.sampled_from(SOURCES), st.integers(0, 1))
def test_an_unwinding_is_well_labelled_whenever_it_stops(problem, options, groups):
    tree = Unwinding(problem.net, control_groups(problem.net, groups))
    outcome = None
    with suppress(BudgetExhausted):
        outcome = unwind(tree, settings_of(problem, **options), Budget(0.1))
    assert_well_labelled(tree)
    if outcome is UnwindingOutcome.COMPLETE:
        uncovered = list(tree.uncovered())
        for marking in explore(problem.net, 300) or ():
            assert any(holds(tree, number, marking) for number in uncovered)


@given(nets(), st.data())
def test_a_label_is_equivalent_to_its_formula(net, data):
    parts = data.draw(st.lists(formulas(net.places, most=2, leaves=2), min_size=1, max_size=3))
    first = linear([(place, 1) for place in net.places[:1]])
    residues = data.draw(st.sets(st.integers(0, 1)))
    formula = Conjunction((*parts, *(congruent(first, residue, 2) for residue in sorted(residues))))
    label = label_of(net, formula)
    for marking in product(range(3), repeat=len(net.places)):
        values = net.values(marking)
        assert evaluate(Conjunction(label.conjuncts(net)), values) == evaluate(formula, values)


@given(nets(), st.data())
def test_assignments_and_steps_are_satisfiable_together(net, data):
    actions = data.draw(st.lists(st.integers(0, len(net.transitions) - 1), max_size=4))
    accelerated, target = data.draw(st.booleans()), data.draw(formulas(net.places))
    path = path_of(net, at_start(net), actions, target, accelerated, data.draw(st.booleans()))
    steps = path_parts(make_problem(net, target), actions, actions if accelerated else ())
    first, second = (find_model(Conjunction(parts)) for parts in (path.parts, steps))
    assert (first is None) == (second is None)


@pytest.mark.parametrize("accelerated", [False, True])
def test_a_slice_has_the_changes_that_guards_and_the_end_read_and_no_others(accelerated):
    net = net_of("p=1 q=0 r=0, a: p -> q + r, b: q -> p + r")
    path = path_of(net, at_start(net), (0, 1), at_least(q, 1), accelerated, sliced=True)
    named = {name for part in path.parts for name in variables(part)}
    changed = {place for place in "pqr" if path.cuts[2][place].variables[0] in named}
    assert changed == {"q"}
    twice = path_of(net, at_start(net), (0, 1, 1), at_least(p, 1), accelerated, sliced=True)
    assert find_model(Conjunction(twice.parts)) is None
    more = path_of(net, at_start(net), (0,), at_least(q, 2), accelerated, sliced=True)
    assert find_model(Conjunction(more.parts)) is None


def test_arcs_are_removed_where_a_vertex_is_strengthened_or_covered():
    tree = Unwinding(swap())
    first, second = tree.expand(0)
    close(tree, first, Entailment(tree.net, solver=False), Budget())
    assert tree.vertices[first].covered_by == 0 and tree.covered(first)
    tree.strengthen(((0, Label({((0, 1), (1, 1)): 1})),))
    assert not tree.covered(first)
    (below, _) = tree.expand(first)
    tree.cover(second, first)
    tree.cover(first, 0)
    assert not tree.covered(second) and tree.covered(below) and tree.covered(first)
    tree.cover(below, second)
    tree.strengthen(((second, Label({((0, 1), (1, 1)): 1})),))
    assert tree.vertices[below].covered_by is None and tree.covered(below)


BOTH = (0, 1), (1, 1)


@pytest.mark.parametrize(
    ("ancestor", "options", "strengthened"),
    [
        ({BOTH: 1}, {}, {BOTH: 1}),
        ({BOTH: 1}, {"interpolants": "prover"}, {BOTH: 1}),
        ({((1, 1),): 0}, {}, None),
        ({((1, 1),): 0}, {"interpolants": "prover"}, None),
    ],
)
def test_an_ancestors_label_is_carried_to_the_child_if_it_holds_there(
    ancestor, options, strengthened
):
    tree = Unwinding(swap())
    tree.strengthen(((0, Label(ancestor)),))
    child, *_ = tree.expand(0)
    carrier = settings_of(make_problem(swap(), at_least(p + q, 2)), **options).interpolation
    assert force(tree, child, 1, carrier, Budget()) is bool(strengthened)
    assert tree.covered(child) is bool(strengthened)
    assert tree.vertices[child].label == Label(strengthened or {})


@settings(max_examples=20)
@given(nets(), st.data())
def test_the_prover_covers_wherever_the_ancestors_label_implies_the_other_after_the_path(net, data):
    tree, vertex = Unwinding(net), 0
    drawn = formulas(net.places, most=2, leaves=3)
    at_root = data.draw(drawn.filter(lambda f: evaluate(f, net.values(net.initial))))
    tree.strengthen(((0, label_of(net, at_root)),))
    for _ in range(data.draw(st.integers(1, 3))):
        children = tree.expand(vertex)
        if not children:
            return
        vertex = data.draw(st.sampled_from(children))
    root = Conjunction(tree.conjuncts(0))
    gamma = path_of(net, root, tree.actions(tree.path(vertex)), negate(root))
    carrier = settings_of(make_problem(net, at_root), interpolants="prover").interpolation
    interpolants = carrier.carry(tree, vertex, 0, Budget(20))
    assert (interpolants is None) == (
        find_model(Conjunction(gamma.parts), natural=True) is not None
    )
    if interpolants is not None:
        tree.strengthen(interpolants)
        assert_well_labelled(tree)
        assert tree.conjuncts(0) == label_of(net, root).conjuncts(net)
        entailment = Entailment(net, solver=True)
        assert tree.covered(vertex) or 0 in entailment.covering(tree, vertex, Budget(20))


def test_a_solver_covers_where_no_single_bound_suffices():
    tree = Unwinding(swap())
    tree.expand(0)
    sides = Label({((0, 1),): 0, ((1, 1),): 1})
    tree.strengthen(((0, Label({BOTH: 1})), (1, sides)))
    for solver in (False, True):
        close(tree, 1, Entailment(tree.net, solver), Budget(20))
        assert tree.covered(1) is solver


def test_edges_that_the_label_disables_are_left_out():
    tree = Unwinding(swap())
    tree.strengthen(((0, Label({((1, 1),): 0})),))
    assert [tree.vertices[child].transition for child in tree.expand(0)] == [0]


@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(0, 1), st.data())
def test_a_search_fails_only_where_the_language_has_no_interpolants(k, data):
    net = net_of(f"p={data.draw(st.integers(0, 2))} q=0, t: -> 2 p, u: p -> q, v: 2 p -> 3 q")
    target = data.draw(formulas(net.places, most=2, leaves=2))
    actions = data.draw(st.lists(st.integers(0, 2), max_size=3))
    path = path_of(net, at_start(net), actions, target, data.draw(st.booleans()))
    atoms = list(language(net, k, 2 - k))
    strongest = [{atom for atom in atoms if evaluate(atom, net.values(net.initial))}]
    for cut in range(len(actions)):
        strongest.append(set(implied(path, cut, strongest[-1], atoms)))
    excluded = bool(implied(path, len(actions), strongest[-1], [FALSE]))
    interpolants = LanguageSearch(net, path, k, 2 - k, Budget(60)).run()
    assert (interpolants is not None) == excluded
    for stronger, interpolant in zip(strongest, interpolants or (), strict=False):
        assert set(conjuncts(interpolant)) <= stronger


@pytest.mark.parametrize(("name", "actions"), [("finkel_km_U", ""), ("pingpong_U", "t1 t5")])
def test_interpolants_of_small_numbers_are_computed(name, actions):
    problem = problem_named(name)
    numbers = [problem.net.actions.index(action) for action in actions.split()]
    path = path_of(problem.net, at_start(problem.net), numbers, problem.target)
    assert LanguageSearch(problem.net, path, 0, 1, Budget(60)).run() is not None


@pytest.mark.parametrize(
    ("net", "target", "k"),
    [
        ("p=1 q=0, a: p -> q, b: q -> p", at_least(p + q, 2), 0),
        ("p=0, t: -> 2 p", congruent(p, 1, 2), 0),
        ("p=0, t: -> 3 p", congruent(p, 1, 3), 1),
        ("p=0 q=0, t: -> p + 2 q", at_least(q - p * 2, 1), 1),
    ],
)
def test_a_net_is_proved_in_the_first_language_with_an_invariant(net, target, k):
    problem = make_problem(net_of(net), target)
    chosen = settings_of(problem, language=0)
    assert unwind(Unwinding(problem.net), chosen, Budget(60)) is UnwindingOutcome.COMPLETE
    assert chosen.interpolation.languages.k == k


def language(net: Net, k: int, largest: int) -> Iterator[Formula]:
    """The atoms of L_k."""
    for vector in product(range(-k - 1, k + 2), repeat=len(net.places)):
        for bound in range(-(k + 1) * largest, (k + 1) * largest + 1):
            yield Inequality(linear(zip(net.places, vector, strict=True), -bound))
    for modulus in range(2, k + 3):
        for vector in product(range(modulus), repeat=len(net.places)):
            for residue in range(modulus):
                yield Congruence(linear(zip(net.places, vector, strict=True), -residue), modulus)


def implied(
    path: Path, cut: int, before: Iterable[Formula], after: Iterable[Formula]
) -> list[Formula]:
    """Which formulas hold wherever the part behind the cut leads from markings of others."""
    last = cut == len(path.cuts) - 1
    with Solver(natural=(name for part in path.parts for name in variables(part))) as solver:
        solver.add(Conjunction((path.parts[cut + 1], *(path.stamped(f, cut) for f in before))))
        denied = ((f, Negation(f if last else path.stamped(f, cut + 1))) for f in after)
        return [formula for formula, other in denied if solver.check((other,)) is None]


def test_control_groups_are_disjoint_and_the_larger_come_first():
    net = net_of(
        "a=1 b=0 c=0 x=0 y=1 many=2 more=0, t: a + x -> b + y, u: b + y -> c + x, "
        "v: c -> a, w: many -> more"
    )
    assert control_groups(net, 9) == ((0, 1, 2), (3, 4))
    assert control_groups(net, 1) == ((0, 1, 2),) and control_groups(net, 0) == ()


def test_a_vertex_of_another_location_covers_nothing():
    tree = Unwinding(swap(), ((0, 1),))
    (child,) = tree.expand(0)
    (grandchild,) = tree.expand(child)
    assert not list(tree.weaker(child)) and list(tree.weaker(grandchild)) == [0]
    assert tree.vertices[child].location == ((0, 0), (1, 1))
    assert_well_labelled(tree)


def test_a_descent_follows_the_plan_and_covers_nothing_on_its_way():
    net = net_of("p=0 q=0 r=0, a: -> r, b: q -> q + r, c: -> p, d: p -> q")
    problem = make_problem(net, at_least(q, 3))
    tree = Unwinding(net)
    outcome = unwind(tree, settings_of(problem, heuristics=()), Budget(20))
    assert isinstance(outcome, Genuine) and outcome.trace.length == 6
    assert all(tree.vertices[vertex.parent].children for vertex in tree.vertices[1:])
    depths = [len(tree.path(number)) for number in range(len(tree.vertices))]
    assert max(depths) == 7 and sum(entry.children is not None for entry in tree.vertices) == 6


def test_a_descent_prefers_planned_firings_and_ends_where_no_vertex_is_nearer():
    net = net_of("p=0 q=0 r=1, a: p -> q, b: r -> p + r, c: r -> q")
    problem = make_problem(net, Conjunction((at_least(q, 2), at_least(variable("r"), 1))))
    tree, distances = Unwinding(net), Distances(problem, Budget())
    descent = GreedyDescent(tree, 0, distances)
    assert not descent.continues(0)
    children = descent.ranked(0, tree.expand(0))
    assert [tree.vertices[child].transition for child in children] == [1, 0, 2]
    assert [descent.continues(child) for child in children] == [True, False, False]
    assert descent.continues(tree.expand(children[0])[0])
    assert GreedyDescent(tree, children[1], distances).ranked(children[1], (2, 1)) == (2, 1)


@pytest.mark.parametrize(("tokens", "descends"), [(100, True), (1000, False)])
def test_no_descent_begins_far_away_from_the_target(tokens, descends):
    net = net_of("p=0, t: -> p")
    tree, problem = Unwinding(net), make_problem(net, at_least(p, tokens))
    descent = GreedyDescent(tree, 0, Distances(problem, Budget()))
    assert descent.continues(*tree.expand(0)) is descends


@pytest.mark.parametrize("strategy", ["nearest", "dfs", "bfs"])
def test_an_unwinding_of_one_refinement_needs_no_more_with_forced_covering(strategy):
    problem = make_problem(swap(), at_least(p + q, 2))
    for forced, refinements in ((1, 1), (0, 3)):
        chosen = settings_of(problem, strategy=strategy, forced=forced)
        assert unwind(Unwinding(problem.net), chosen, Budget(20)) is UnwindingOutcome.COMPLETE
        assert chosen.measures.refinements == refinements
        assert chosen.measures.forced == (2 if forced else 0)
