"""Refinement: real traces are found, and every spurious path ends up excluded, with any guide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from domains import check_separator
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from notation import problem as problem_of
from oracle import replay, shortest_trace
from strategies import nets, problems, targets

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import Conjunction, Formula, evaluate
from petricheck.engines.abstraction.domain import Precision
from petricheck.engines.abstraction.graph import AbstractGraph, AbstractPath
from petricheck.engines.abstraction.refine import Genuine, Refinement, Spurious, refine
from petricheck.engines.abstraction.targets import Goal
from petricheck.engines.guides import Choice, PathPart
from petricheck.engines.heuristics import Displacement, Heuristic
from petricheck.evidence.answer import Trace
from petricheck.model.net import Net, Weights
from petricheck.model.problem import Problem, make_problem
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.symbolic.interpolation.path import PathQuestion
from petricheck.symbolic.linear import Constraint, HalfSpace, ModularDirection

HEURISTICS = plugins.members("heuristics")
WAYS = [
    ("none", ()),
    *[("optimal", (heuristic,)) for heuristic in HEURISTICS],
    ("optimal", HEURISTICS),
    ("lattice", HEURISTICS),
    ("lattice:cuts=each,search=maximisation", ("parikh:lattices=each",)),
]
searching = settings(max_examples=15, suppress_health_check=[HealthCheck.filter_too_much])


@st.composite
def paths(draw: st.DrawFn) -> tuple[Problem, AbstractPath]:
    """Any sequence of transitions, towards any cube of a target."""
    net = draw(nets())
    problem = make_problem(net, draw(targets(net)))
    listed = tuple(cubes(problem.target))[:8]
    assume(listed)
    number = draw(st.integers(0, len(listed) - 1))
    numbers = st.integers(0, len(net.transitions) - 1)
    steps = draw(st.lists(numbers, max_size=6))
    return problem, AbstractPath(tuple(steps), Goal(listed[number], number))


def proposals(
    problem: Problem, path: AbstractPath, guide: str, heuristics: tuple[str, ...]
) -> list[Refinement]:
    values = [plugins.build("heuristics", name) for name in heuristics]
    return list(refine(problem, path, values, plugins.build("guides", guide), Budget(seconds=20)))


def ends_in(problem: Problem, trace: Trace, formula: Formula) -> bool:
    """Whether the trace fires, one transition at a time, into the formula."""
    marking = replay(problem.net, tuple(name for name, n in trace.steps for _ in range(n)))
    return marking is not None and evaluate(formula, problem.net.values(marking))


def is_trace(problem: Problem, path: AbstractPath) -> bool:
    steps = tuple((problem.net.transitions[t].name, 1) for t in path.transitions)
    return ends_in(problem, Trace(steps), Conjunction(path.goal.cube))


@pytest.mark.parametrize(("guide", "heuristics"), WAYS)
@searching
@given(paths())
def test_every_path_is_a_trace_or_excluded_in_the_end(guide, heuristics, found):
    problem, path = found
    graph = AbstractGraph(problem, Precision())
    for proposal in proposals(problem, path, guide, heuristics):
        if isinstance(proposal, Genuine):
            assert ends_in(problem, proposal.trace, Conjunction(path.goal.cube))
            return
        assert not is_trace(problem, path)
        for separator in proposal.separators:
            assert separator.cube == path.goal.number
            check_separator(separator, path.goal.cube)
        graph.refine(proposal.predicates, proposal.separators)
        if graph.excludes(path):
            return
    raise AssertionError("no proposal excludes the path")


@settings(max_examples=15)
@given(problems(), st.sampled_from(WAYS))
def test_a_real_trace_is_genuine_at_once_and_joins_equal_neighbours(problem, way):
    names = shortest_trace(problem, 60)
    assume(names is not None)
    assert names is not None
    marking = replay(problem.net, names)
    assert marking is not None
    values = problem.net.values(marking)
    listed = enumerate(cubes(problem.target))
    number, cube = next((n, c) for n, c in listed if all(evaluate(x, values) for x in c))
    numbers = tuple(problem.net.transition_numbers[name] for name in names)
    first, *others = proposals(problem, AbstractPath(numbers, Goal(cube, number)), *way)
    assert isinstance(first, Genuine) and not others
    assert tuple(n for n, times in first.trace.steps for _ in range(times)) == names
    neighbours = zip(first.trace.steps, first.trace.steps[1:], strict=False)
    assert all(one[0] != two[0] for one, two in neighbours)


def only_path(net: str, target: str, *names: str) -> tuple[Problem, AbstractPath]:
    problem = problem_of(net, target)
    numbers = tuple(problem.net.transition_numbers[name] for name in names)
    return problem, AbstractPath(numbers, Goal(next(cubes(problem.target)), 0))


def test_a_longer_trace_is_found_where_two_blocks_must_balance():
    net = "p=0 q=0, up: -> p, turn: 2 p -> q"
    problem, path = only_path(net, "p == 1 and q == 6", "up", "turn")
    found = proposals(problem, path, "optimal", ("accelerated_actions",))
    assert Genuine(Trace((("up", 13), ("turn", 6)))) in found


def test_an_odd_target_of_an_even_net_gets_a_residue():
    problem, path = only_path("p=0, t: -> 2 p", "p == 10**5 + 1", "t")
    found = proposals(problem, path, "optimal", HEURISTICS)
    residues = [x for s in found if isinstance(s, Spurious) for x in s.predicates
                if isinstance(x, ModularDirection)]  # fmt: skip
    assert residues and residues[0].modulus % 2 == 0
    graph = AbstractGraph(problem)
    graph.refine(residues)
    assert graph.explore(Budget()) is None


def test_a_target_without_natural_solutions_is_excluded_on_the_empty_path():
    for target in (
        "p + q >= 3 and p + q <= 2",
        "p % 2 == 0 and p % 2 == 1",
        "p - q == 1 and (p + q) % 2 == 0",
        "3*p - 2*q >= 1 and 2*q - 3*p >= -1 and q == 1",
    ):
        problem, path = only_path("p=1 q=0, t: p -> q", target)
        graph = AbstractGraph(problem)
        for proposal in proposals(problem, path, "optimal", HEURISTICS):
            assert isinstance(proposal, Spurious)
            graph.refine(proposal.predicates, proposal.separators)
        assert graph.excludes(path)


def test_where_the_cubes_are_not_listed_no_separators_are_claimed():
    problem, path = only_path("p=0, t: -> 2 p", "p == 3", "t")
    path = AbstractPath(path.transitions, Goal(path.goal.cube, None))
    for proposal in proposals(problem, path, "optimal", HEURISTICS):
        assert isinstance(proposal, Spurious) and proposal.separators == ()


@dataclass
class Asked:
    """A guide that answers by one half-space that grows or does not, and remembers the goals."""

    part: PathPart
    normal: Weights
    grown: tuple[Weights, ...] = (((0, 1),),)
    goals: list[tuple[Constraint, ...]] = field(default_factory=list)

    def displacements(
        self, heuristics: Sequence[Heuristic], net: Net, path: Sequence[int]
    ) -> tuple[Displacement, ...]:
        return tuple(Displacement(vector, 1, False, "test") for vector in self.grown)

    def interpolate(
        self, question: PathQuestion, displacements: Sequence[Displacement], budget: Budget
    ) -> Choice:
        self.goals.append(question.goal)
        return Choice((HalfSpace(self.normal, 0),))


GROWING, STEADY = ((0, 1),), ((0, -1),)


@pytest.mark.parametrize(
    ("part", "normal", "asked", "offered"),
    [
        (PathPart.PREFIX, STEADY, ["prefix"], ["prefix"]),
        (PathPart.PREFIX, GROWING, ["prefix"], ["prefix"]),
        (PathPart.STEADY, STEADY, ["whole", "prefix"], ["whole", "prefix"]),
        (PathPart.STEADY, GROWING, ["whole", "prefix"], ["prefix"]),
        (PathPart.WHOLE, STEADY, ["whole", "prefix"], ["whole", "prefix"]),
        (PathPart.WHOLE, GROWING, ["whole", "prefix"], ["whole", "prefix"]),
    ],
)
def test_a_guide_is_asked_about_the_part_it_prefers_and_then_about_the_failing_prefix(
    part, normal, asked, offered
):
    """The path b cannot fire, and would not lead into the target."""
    problem, path = only_path("p=0 q=0, b: q -> p", "p >= 2", "b")
    guide = Asked(part, normal)
    found = list(refine(problem, path, (), guide, Budget()))
    goals = {"whole": (HalfSpace(((0, -1),), -2),), "prefix": (HalfSpace(((1, -1),), -1),)}
    assert guide.goals == [goals[name] for name in asked]
    without = [r for r in found if isinstance(r, Spurious) and r.choice and r.choice.proof is None]
    assert len(without) == 2 * len(offered)
    assert all(not r.separators for r in without)


def test_the_whole_path_is_left_out_where_displacements_say_nothing_new_of_it():
    problem, path = only_path("p=0 q=0, b: q -> p", "p >= 2", "b")
    own = problem.net.transitions[0].effect
    for part, grown, questions in (
        (PathPart.STEADY, (), 1),
        (PathPart.STEADY, (own,), 1),
        (PathPart.STEADY, (own, ((0, 1),)), 1),
        (PathPart.STEADY, (((0, 1),),), 2),
        (PathPart.WHOLE, (), 2),
    ):
        guide = Asked(part, STEADY, grown)
        list(refine(problem, path, (), guide, Budget()))
        assert len(guide.goals) == questions
