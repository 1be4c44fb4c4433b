"""Predicate abstraction: strongest images, right verdicts, audited proofs."""

from itertools import product

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import explore, known_verdict
from strategies import problems, terms

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    at_least,
    equal,
    evaluate,
    negate,
    substitute,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.engines.abstraction.graph import STRATEGIES, AbstractPath
from petricheck.engines.abstraction.targets import Goal
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.laboratory.approximation.cartesian import IMAGES, CartesianGraph
from petricheck.laboratory.approximation.program import AbstractProgram
from petricheck.model.problem import make_problem
from petricheck.support.budget import Budget
from petricheck.symbolic.linear import HalfSpace, ModularDirection, direction_of


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(problems(), st.data())
def test_exploration_contains_all_reachable_markings_and_excludes_the_target(problem, data):
    net = problem.net
    made = st.builds(HalfSpace, terms(net.places).map(lambda t: direction_of(net, t)), numbers)
    predicates = data.draw(st.lists(made, max_size=4))
    with AbstractProgram(problem, "preconditions", (), Budget(5)) as program:
        graph = CartesianGraph(program, *data.draw(st.sampled_from(WAYS)))
        graph.refine(predicates)
        path = graph.explore()
        if path is None:
            assert known_verdict(problem, 300) != "reachable"
            assert audit(problem, Unreachable(Certificate(graph.invariant)))
            for marking in explore(net, 300) or ():
                assert evaluate(graph.invariant, net.values(marking))
        else:
            assert not graph.excludes(path)


numbers = st.integers(-3, 6)
WAYS = (*product(IMAGES, STRATEGIES),)


@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(problems(), st.data())
def test_images_have_the_literals_that_hold_after_every_firing_or_all_valuations(problem, data):
    net = problem.net
    made = st.builds(HalfSpace, terms(net.places).map(lambda t: direction_of(net, t)), numbers)
    predicates = data.draw(st.lists(made, min_size=1, max_size=3))
    with AbstractProgram(problem, "preconditions", (), Budget(5)) as program:
        program.track(predicates)
        state = program.initial
        literals = map(program.formula, state)
        conditions = (*literals, *(at_least(variable(p), 0) for p in net.places))
        for number, transition in enumerate(net.transitions):
            guard = [at_least(variable(net.places[p]), w) for p, w in transition.pre]
            shift = {net.places[p]: variable(net.places[p]) + v for p, v in transition.effect}
            images = CartesianGraph(program).images(state, number)
            valuations = CartesianGraph(program, "boolean").images(state, number)
            before = Conjunction((*conditions, *guard))
            assert len(images) == (find_model(before) is not None)
            for predicate in predicates if images else ():
                atom = predicate.inequality(net)
                for literal in (atom, negate(atom)):
                    fails = substitute(negate(literal), shift)
                    held = find_model(Conjunction((before, fails))) is None
                    assert held == (literal in set(map(program.formula, images[0])))
            for signs in product((1, -1), repeat=len(program.predicates)):
                valuation = tuple(s * x for s, x in zip(signs, map(abs, state), strict=True))
                then = [substitute(program.formula(x), shift) for x in valuation]
                some = find_model(Conjunction((before, *then))) is not None
                assert valuations.count(valuation) == some


def test_a_residue_that_firings_change_has_a_predicate_for_each_value():
    net = net_of("x=0, t: -> 2 x")
    problem = make_problem(net, equal(variable("x"), 5))
    with AbstractProgram(problem, "preconditions", (), Budget(5)) as program:
        graph = CartesianGraph(program)
        graph.refine([ModularDirection(((0, 1),), 6)])
        assert graph.explore() is None
        assert len(graph.states) == 3


def test_a_path_that_does_not_fire_is_excluded():
    ring = net_of("p=2 q=0 r=0, pq: p -> q, qr: q -> r, rp: r -> p")
    problem = make_problem(ring, equal(variable("q"), 1))
    with AbstractProgram(problem, "preconditions", (), Budget(5)) as program:
        graph = CartesianGraph(program)
        graph.refine([HalfSpace(((1, 1),), 0)])
        goal = Goal((equal(variable("q"), 1),), None)
        assert graph.excludes(AbstractPath((1,), goal)) and not graph.excludes(
            AbstractPath((0,), goal)
        )
