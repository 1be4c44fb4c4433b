"""Approximated transition relations: what is learnt is implied, suffices, and proves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, product

import pytest
from folders import problem_named
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from notation import formula, net_of
from notation import problem as problem_of
from strategies import problems, terms

from petricheck.arithmetic.formulas.formulas import evaluate
from petricheck.engines.abstraction.domain import Predicate
from petricheck.evidence.answer import Reachable, Unreachable
from petricheck.laboratory.approximation.diagrams import Diagrams
from petricheck.laboratory.approximation.exploration import Approximation, Counterexample
from petricheck.laboratory.approximation.predicates import (
    Clause,
    Cube,
    after,
    before,
    is_after,
    predicate_of,
)
from petricheck.laboratory.approximation.program import AbstractProgram, Operation
from petricheck.laboratory.approximation.prover import prove
from petricheck.laboratory.approximation.refutation import (
    Feasible,
    Refuted,
    refute,
    refute_states,
)
from petricheck.laboratory.engines import transition_approximation
from petricheck.model.net import Marking, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import Finding, check
from petricheck.support.budget import Budget
from petricheck.symbolic.linear import HalfSpace, direction_of

WAYS = [
    {"relation": relation, "refinement": refinement, "image": image, "control": control}
    for (relation, refinement), image, control in zip(
        product(("whole", "paths", "preconditions"), ("lemmas", "proofs", "das_dill")),
        cycle(("approximate", "hybrid")),
        cycle("001"),
        strict=False,
    )
]

SHARE = net_of("c=1 d=0 x=3 y=0, move: x -> y, back: y -> x, take: c + x + y -> d")
"""After `take` there is a token on x or on y, and nobody knows on which; c and d are control."""

EMPTY = make_problem(SHARE, formula("d >= 1 and x == 0 and y == 0"))
ADEQUATE = "c >= 1\nd >= 1\nx >= 1\ny >= 1\nc + d >= 1\nc + d <= 1\nx + y >= 3\n"


def decided(problem: Problem, seconds: float = 20, **options: str) -> Finding:
    budget = Budget(seconds)
    return check(problem, engine="transition_approximation", options=options, budget=budget)


def opened(problem: Problem, predicates: Sequence[Predicate], kind: str = "preconditions"):
    """A program without control groups that tracks the predicates."""
    program = AbstractProgram(problem, kind, (), Budget(10))
    program.track(predicates)
    return program


def entering(problem: Problem) -> Operation:
    return Operation((), target=problem.target)


def firings(problem: Problem, numbers: Iterable[int]) -> list[Operation]:
    return [Operation((), (number,)) for number in numbers]


@st.composite
def programs(draw: st.DrawFn) -> tuple[Problem, list[HalfSpace]]:
    problem = draw(problems())
    made = terms(problem.net.places).map(lambda term: direction_of(problem.net, term))
    bounds = st.builds(HalfSpace, made.filter(bool), st.integers(-3, 6))
    return problem, draw(st.lists(bounds, min_size=1, max_size=3))


def steps(problem: Problem, operation: Operation) -> Iterator[tuple[Marking, ...]]:
    """What an operation does to small markings."""
    net = problem.net
    for marking in product(range(4), repeat=len(net.places)):
        if operation.target is not None and evaluate(operation.target, net.values(marking)):
            yield (marking,)
        for number in operation.transitions:
            if net.transitions[number].enabled(marking):
                yield marking, net.transitions[number].fire(marking)


def assert_implied(
    program: AbstractProgram, operation: Operation, clauses: Iterable[Clause]
) -> None:
    net = program.problem.net
    for markings in steps(program.problem, operation):
        values = [net.values(marking) for marking in markings]
        for clause in clauses:
            assert any(
                evaluate(program.predicates[predicate_of(x)], values[is_after(x)]) == (x > 0)
                for x in clause
            )


def allowed(clauses: Iterable[Clause], *states: Sequence[bool]) -> bool:
    return all(
        any(states[is_after(x)][predicate_of(x)] == (x > 0) for x in clause) for clause in clauses
    )


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(programs(), st.data())
def test_interpolants_are_implied_by_their_operations_and_rule_out_the_path(drawn, data):
    problem, predicates = drawn
    numbers = st.integers(0, len(problem.net.transitions) - 1)
    path = [*firings(problem, data.draw(st.lists(numbers, max_size=3))), entering(problem)]
    kind = data.draw(st.sampled_from(("paths", "preconditions")))
    with opened(problem, predicates, kind) as program:
        strengthen = data.draw(st.booleans())
        both = [
            refute(program, path, Budget(10)),
            prove(program, path, strengthen, Budget(10)),
        ]
        finding, other = data.draw(st.permutations(both))
        assert type(finding) is type(other)
        if isinstance(finding, Feasible):
            return
        for operation, clauses in zip(path, finding.interpolants, strict=True):
            assert_implied(program, operation, clauses)
        reached = {tuple(literal > 0 for literal in program.initial)}
        every = list(product((False, True), repeat=len(program.predicates)))
        for clauses in finding.interpolants[:-1]:
            reached = {b for b in every if any(allowed(clauses, a, b) for a in reached)}
        assert not any(allowed(finding.interpolants[-1], state) for state in reached)


@settings(max_examples=8, suppress_health_check=list(HealthCheck))
@given(programs(), st.booleans())
def test_a_counterexample_is_excluded_after_its_analysis(drawn, whole):
    problem, predicates = drawn
    for das_dill in (False, True):
        with opened(problem, predicates, "whole" if whole else "preconditions") as program:
            approximation = Approximation(program, False, Budget(10))
            seen = set()
            for _ in range(30):
                explored = approximation.explore()
                if not isinstance(explored, Counterexample):
                    break
                key = explored if das_dill else explored.operations
                assert key not in seen
                seen.add(key)
                if das_dill:
                    finding = refute_states(program, explored.operations, explored.states)
                else:
                    finding = refute(program, explored.operations, Budget(10))
                if isinstance(finding, Feasible):
                    break
                for pair in zip(explored.operations, finding.interpolants, strict=True):
                    assert_implied(program, *pair)
                approximation.strengthen(explored.operations, finding.interpolants)


@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(programs(), st.data())
def test_preconditions_and_one_relation_for_all_decide_like_the_steps_of_each_transition(
    drawn, data
):
    problem, predicates = drawn
    signs = data.draw(st.lists(st.booleans(), min_size=6, max_size=6))
    with (
        opened(problem, predicates) as preconditions,
        opened(problem, predicates, "whole") as stepwise,
    ):
        size = range(len(stepwise.predicates))
        literals = [before(j, signs[j]) for j in size] + [after(j, signs[j + 3]) for j in size]
        possible = []
        for firing in firings(problem, range(len(problem.net.transitions))):
            pair = [p.conflict(firing, literals) is None for p in (preconditions, stepwise)]
            assert pair[0] == pair[1]
            possible.append(pair[0])
        together = Operation((), tuple(range(len(problem.net.transitions))))
        assert (stepwise.conflict(together, literals) is None) == any(possible)


@settings(max_examples=16)
@given(st.sets(st.tuples(*[st.booleans()] * 4)))
def test_a_cover_has_the_states_and_no_redundant_cube(states):
    diagrams = Diagrams(Budget(10))
    diagrams.declare(4)
    cubes = diagrams.cover(diagrams.union(map(diagrams.singleton, states)))

    def members(cubes: Sequence[Cube]) -> set[tuple[bool, ...]]:
        every = product((False, True), repeat=4)
        return {s for s in every if any(allowed([(x,) for x in cube], s) for cube in cubes)}

    assert members(cubes) == states
    for cube in cubes:
        assert members([other for other in cubes if other != cube]) != states


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))
@pytest.mark.slow
def test_adequate_predicates_prove_and_traces_are_found_by_single_firings(
    way, tmp_path, monkeypatch
):
    answer = decided(make_problem(SHARE, formula("x == 0 and y == 1")), **way).answer
    assert isinstance(answer, Reachable) and answer.trace.length == 3
    file = tmp_path / "predicates"
    file.write_text(ADEQUATE)
    monkeypatch.setattr(transition_approximation, "refine", lambda *_: pytest.fail("adequate"))
    result = decided(EMPTY, predicates=str(file), **way)
    assert isinstance(result.answer, Unreachable) and result.audit


@pytest.mark.parametrize(("name", "control"), [("basic_me_U", "3"), ("exponential_U_lower", "1")])
def test_locations_of_control_groups_are_part_of_the_proof(name, control):
    result = decided(problem_named(name), control=control)
    assert isinstance(result.answer, Unreachable) and "exact" in result.audit


def test_a_location_disables_what_takes_from_its_unmarked_places():
    with AbstractProgram(EMPTY, "preconditions", ((0, 1),), Budget(10)) as program:
        ends = {o.transitions: end for o, end in program.operations(program.start).items()}
        taken = ((0, 0), (1, 1))
        assert ends == {(0,): program.start, (1,): program.start, (2,): taken}
        assert [o.transitions for o in program.operations(taken)] == [(0,), (1,)]
        assert program.path((2, 2), EMPTY.target) is None


def test_values_of_a_residue_are_distinguished():
    result = decided(problem_of("x=1, -> 3 x", "x % 3 == 0"))
    assert isinstance(result.answer, Unreachable) and "exact" in result.audit


def test_tokens_are_natural_numbers_for_the_program_and_the_prover():
    nowhere = Operation((), target=formula("x <= -1"))
    with opened(EMPTY, ()) as program:
        assert isinstance(refute(program, [nowhere], Budget(10)), Refuted)
        assert isinstance(prove(program, [nowhere], False, Budget(10)), Refuted)


def test_of_transitions_with_the_same_effect_one_fires_that_is_enabled():
    arcs = {"no": ({"p": 1}, {"p": 1, "q": 1}), "yes": ({}, {"q": 1})}
    net = make_net("two", {"p": 0, "q": 0}, arcs)
    model = {"p@0": 0, "q@0": 0, "p@1": 0, "q@1": 1}
    with opened(make_problem(net, formula("q == 2")), (), "whole") as program:
        assert program.transition_of(Operation((), (0, 1)), model) == 1
