"""Approximated transition relations: what is learnt is implied, suffices, and proves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from notation import formula, formulas, net_of
from notation import problem as problem_of
from strategies import problems, terms

from petricheck.abstraction.domain import Predicate
from petricheck.abstraction.targets import target_test
from petricheck.answer import Answer, Reachable, Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.laboratory.approximation import learning
from petricheck.laboratory.approximation.certify import certificate
from petricheck.laboratory.approximation.das_dill import analyse
from petricheck.laboratory.approximation.diagrams import Diagrams
from petricheck.laboratory.approximation.exploration import Approximation, Counterexample
from petricheck.laboratory.approximation.literals import (
    Clause,
    Cube,
    after,
    before,
    is_after,
    predicate_of,
)
from petricheck.laboratory.approximation.operations import (
    AnyFiring,
    Entry,
    Firing,
    Operation,
    fired,
)
from petricheck.laboratory.approximation.program import AbstractProgram
from petricheck.laboratory.approximation.prover import prove
from petricheck.laboratory.approximation.refutation import Feasible, Refuted, refute
from petricheck.laboratory.images.cartesian import CartesianGraph
from petricheck.linear import HalfSpace, direction_of
from petricheck.presburger.formulas import evaluate
from petricheck.problem import Marking, Net, Problem, Transition, make_net, make_problem
from petricheck.questions import Finding, check

WAYS = [
    {"relation": relation, "refinement": refinement, "image": image}
    for (relation, refinement), image in zip(
        product(("whole", "paths", "preconditions"), ("lemmas", "proofs", "das_dill")),
        cycle(("approximate", "hybrid")),
        strict=False,
    )
]

SHARE = net_of("c=1 d=0 x=3 y=0, move: x -> y, back: y -> x, take: c + x + y -> d")
"""After `take` there is a token on x or on y, and nobody knows on which."""

EMPTY = make_problem(SHARE, formula("d >= 1 and x == 0 and y == 0"))
ADEQUATE = "c >= 1\nd >= 1\nx >= 1\ny >= 1\nc + d >= 1\nc + d <= 1\nx + y >= 3\n"


def decided(problem: Problem, seconds: float = 20, **options: str) -> Finding:
    budget = Budget(seconds)
    return check(problem, engine="transition_approximation", options=options, budget=budget)


def answered(problem: Problem, seconds: float = 20, **options: str) -> Answer:
    return decided(problem, seconds, **options).answer


@st.composite
def programs(draw: st.DrawFn) -> tuple[Problem, list[HalfSpace]]:
    problem = draw(problems())
    made = terms(problem.net.places).map(lambda term: direction_of(problem.net, term))
    bounds = st.builds(HalfSpace, made.filter(bool), st.integers(-3, 6))
    return problem, draw(st.lists(bounds, min_size=1, max_size=3))


def steps(net: Net, transition: Transition) -> Iterator[tuple[Marking, Marking]]:
    """What a transition does to small markings."""
    for marking in product(range(4), repeat=len(net.places)):
        if transition.enabled(marking):
            yield marking, transition.fire(marking)


def holds(program: AbstractProgram, clause: Clause, *markings: Marking) -> bool:
    net = program.problem.net
    values = [net.values(marking) for marking in markings]
    return any(
        evaluate(program.predicates[predicate_of(x)], values[is_after(x)]) == (x > 0)
        for x in clause
    )


def allowed(clauses: Iterable[Clause], *states: Sequence[bool]) -> bool:
    return all(
        any(states[is_after(x)][predicate_of(x)] == (x > 0) for x in clause) for clause in clauses
    )


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(programs(), st.data())
def test_interpolants_are_implied_by_their_operations_and_rule_out_the_path(asked, data):
    problem, predicates = asked
    numbers = st.integers(0, len(problem.net.transitions) - 1)
    firings = [Firing(n) for n in data.draw(st.lists(numbers, max_size=3))]
    path: list[Operation] = [*firings, Entry(problem.target)]
    with AbstractProgram(problem, data.draw(st.booleans()), Budget(10)) as program:
        program.track(predicates)
        strengthen = data.draw(st.booleans())
        found, other = data.draw(
            st.permutations(
                [
                    refute(program, path, Budget(10)),
                    prove(program, path, strengthen, Budget(10)),
                ]
            )
        )
        assert type(found) is type(other)
        if isinstance(found, Feasible):
            return
        for operation, clauses in zip(path, found.interpolants, strict=True):
            assert_implied(program, operation, clauses)
        reached = {tuple(literal > 0 for literal in program.initial)}
        every = list(product((False, True), repeat=len(program.predicates)))
        for clauses in found.interpolants[:-1]:
            reached = {b for b in every if any(allowed(clauses, a, b) for a in reached)}
        assert not any(allowed(found.interpolants[-1], state) for state in reached)


def assert_implied(
    program: AbstractProgram, operation: Operation, clauses: Iterable[Clause]
) -> None:
    net = program.problem.net
    match operation:
        case Firing(number):
            pairs: Iterable[tuple[Marking, ...]] = steps(net, net.transitions[number])
        case AnyFiring():
            pairs = (pair for transition in net.transitions for pair in steps(net, transition))
        case Entry(target):
            markings = product(range(4), repeat=len(net.places))
            pairs = ((m,) for m in markings if evaluate(target, net.values(m)))
    for markings in pairs:
        assert all(holds(program, clause, *markings) for clause in clauses)


@settings(max_examples=8, suppress_health_check=list(HealthCheck))
@given(programs(), st.booleans())
def test_a_counterexample_of_the_approximation_is_excluded_once_it_is_analysed(asked, whole):
    problem, predicates = asked
    entry = Entry(problem.target)
    numbers = range(len(problem.net.transitions))
    operations: list[Operation] = [AnyFiring()] if whole else [Firing(n) for n in numbers]
    for analysis in (refute, analyse):
        with AbstractProgram(problem, True, Budget(10)) as program:
            program.track(predicates)
            approximation = Approximation(operations, entry, None, Budget(10))
            seen = set()
            for _ in range(30):
                found = approximation.explore(program.initial)
                if not isinstance(found, Counterexample):
                    break
                key = found.operations if analysis is refute else found
                assert key not in seen
                seen.add(key)
                if analysis is refute:
                    why = refute(program, found.operations, Budget(10))
                else:
                    why = analyse(program, found.operations, found.states)
                if isinstance(why, Feasible):
                    break
                for operation, clauses in zip(found.operations, why.interpolants, strict=True):
                    assert_implied(program, operation, clauses)
                approximation.strengthen(found.operations, why.interpolants)


@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(programs(), st.data())
def test_preconditions_and_one_relation_for_all_decide_like_the_steps_of_each_transition(
    asked, data
):
    problem, predicates = asked
    with (
        AbstractProgram(problem, True, Budget(10)) as preconditions,
        AbstractProgram(problem, False, Budget(10)) as stepwise,
    ):
        literals = [
            place(j, data.draw(st.booleans()))
            for j in range(len(predicates))
            for place in (before, after)
        ]
        verdicts = []
        for program in (preconditions, stepwise):
            program.track(predicates)
        literals = [x for x in literals if predicate_of(x) < len(stepwise.predicates)]
        for number in range(len(problem.net.transitions)):
            pair = [
                p.procedure(Firing(number)).conflict(literals) for p in (preconditions, stepwise)
            ]
            assert (pair[0] is None) == (pair[1] is None)
            verdicts.append(pair[0] is None)
        together = stepwise.procedure(AnyFiring()).conflict(literals)
        assert (together is None) == any(verdicts)


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(programs())
def test_the_cartesian_image_of_one_state_is_that_of_cartesian_abstraction(asked):
    problem, predicates = asked
    budget = Budget(10)
    with (
        AbstractProgram(problem, True, budget) as program,
        CartesianGraph(problem, budget) as graph,
    ):
        program.track(predicates)
        graph.refine(predicates)
        for number in range(len(problem.net.transitions)):
            literals = program.cartesian(Firing(number), [program.initial])
            image = None if literals is None else {program.formula(x) for x in literals}
            expected = graph.image(graph.initial(), number)
            assert image == (None if expected is None else set(expected))


@settings(max_examples=40)
@given(st.sets(st.tuples(*[st.booleans()] * 4)))
def test_a_cover_has_the_states_and_no_cube_to_spare(states):
    diagrams = Diagrams(Budget(10))
    diagrams.declare(4)
    union = diagrams.false
    for state in states:
        union |= diagrams.singleton(state)
    cover = diagrams.cover(union)
    everything = set(product((False, True), repeat=4))

    def members(cubes: Iterable[Clause]) -> set[tuple[bool, ...]]:
        inside = [[allowed([(x,) for x in cube], state) for cube in cubes] for state in everything]
        return {state for state, within in zip(everything, inside, strict=True) if any(within)}

    cubes = list(cover)
    assert members(cubes) == states
    for cube in cubes:
        assert members([other for other in cubes if other != cube]) != states


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))
def test_adequate_predicates_prove(way, tmp_path, monkeypatch):
    file = tmp_path / "predicates"
    file.write_text(ADEQUATE)
    monkeypatch.setattr(learning, "refine", lambda *_: pytest.fail("predicates are adequate"))
    result = decided(EMPTY, predicates=str(file), **way)
    assert isinstance(result.answer, Unreachable) and result.audit


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))
def test_traces_are_found_by_single_firings(way):
    answer = answered(make_problem(SHARE, formula("x == 0 and y == 1")), **way)
    assert isinstance(answer, Reachable) and answer.trace.length == 3


def test_residues_are_told_apart():
    result = decided(problem_of("x=1, -> 3 x", "x % 3 == 0"))
    assert isinstance(result.answer, Unreachable) and "exact" in result.audit


def certified(problem: Problem, predicates: Sequence[Predicate], cubes: Sequence[Cube]) -> str:
    """How the certificate of these cubes, which have to be a proof, was audited."""
    with AbstractProgram(problem, True, Budget(10)) as program:
        program.track(predicates)
        return audit(problem, Unreachable(certificate(program, cubes, target_test(problem))))


def test_a_step_from_one_cube_into_the_union_of_two_is_left_to_the_solver():
    problem = problem_of("s=1 x=1 y=0, t: s ->, u: -> x", "x == 0 and y == 0")
    sums = (((0, -1),), ((1, -1),), ((2, -1),), ((1, -1), (2, -1)))
    marked, x, y, some = (HalfSpace(direction, -1) for direction in sums)
    first = (before(0, True), before(3, True))
    others = ((before(0, False), before(1, True)), (before(0, False), before(2, True)))
    assert "z3" in certified(problem, (marked, x, y, some), (first, *others))
    assert "exact" in certified(problem, (some,), ((before(0, True),),))


def test_a_cube_with_two_residues_of_one_direction_is_empty():
    problem = problem_of("x=1, -> 3 x", "x % 3 == 0")
    cubes = ((before(0, True),), (before(0, True), before(1, True)))
    with AbstractProgram(problem, True, Budget(10)) as program:
        program.predicates += formulas("x % 3 == 1, x % 3 == 0")
        assert audit(problem, Unreachable(certificate(program, cubes, target_test(problem))))


def test_tokens_are_natural_numbers_for_the_procedure_and_the_prover():
    nowhere = Entry(formula("x <= -1"))
    with AbstractProgram(EMPTY, True, Budget(10)) as program:
        assert isinstance(refute(program, [nowhere], Budget(10)), Refuted)
        assert isinstance(prove(program, [nowhere], False, Budget(10)), Refuted)


def test_of_transitions_with_the_same_effect_one_fires_that_is_enabled():
    arcs = {"no": ({"p": 1}, {"p": 1, "q": 1}), "yes": ({}, {"q": 1})}
    net = make_net("two", {"p": 0, "q": 0}, arcs)
    model = {"p@0": 0, "q@0": 0, "p@1": 0, "q@1": 1}
    assert fired(net, AnyFiring(), model) == 1
