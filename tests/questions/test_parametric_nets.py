"""Nets with several initial markings: what is answered holds of each of them, or of the one shown.

Brute force tries the initial markings of a few tokens, and some hundred markings from each. That
contradicts no answer *unreachable*; the trace of an answer *reachable* is fired from its instance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    at_least,
    disjunction,
    evaluate,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.formats.language.initial import read_initial
from petricheck.model.net import Net, make_net
from petricheck.model.parametric import with_initial
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import check
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError
from tests.oracles.oracle import replay, shortest_trace
from tests.oracles.strategies import constraints, nets, repeatable, targets

MUTEX = make_net(
    "mutex",
    {"idle": 3, "busy": 0, "lock": 1},
    {
        "enter": ({"idle": 1, "lock": 1}, {"busy": 1}),
        "leave": ({"busy": 1}, {"idle": 1, "lock": 1}),
    },
)
CLIENTS = "idle >= 1, lock = 1"
ENGINES = ("cegar", "state_equation", "cegar", "explicit", "cegar", "coverability")
MOST, MARKINGS = 3, 200


def parametric(net: Net, words: str) -> Net:
    return with_initial(net, read_initial(net, words))


MANY = parametric(MUTEX, CLIENTS)


def instances(net: Net, most: int = MOST) -> Iterator[Net]:
    """The nets with one initial marking each, of so many tokens a place at most."""
    assert net.initials is not None
    names = variables(net.initials.formula)
    alone = replace(
        net, transitions=tuple(t for t in net.transitions if t.name not in net.added), initials=None
    )
    for tokens in product(range(most + 1), repeat=len(names)):
        chosen = dict(zip(names, tokens, strict=True))
        if evaluate(net.initials.formula, chosen):
            start = net.values(net.initial) | chosen
            yield alone.beginning(tuple(start.values()))


def about(net: Net, instance: Net, target: Formula) -> Problem:
    """The question about one instance, whose parameters are numbers."""
    start = instance.values(instance.initial)
    tokens = {name: linear((), start[place]) for name, place in net.parameters.items()}
    return Problem(instance, substitute(target, tokens))


def is_right(net: Net, target: Formula, answer: object) -> bool:
    """Whether brute force confirms the trace, or finds none where there is to be none."""
    match answer:
        case Reachable(Trace(steps)):
            added = [step for step in steps if step[0] in net.added]
            instance = replace(net, initials=None, initial=net.after(added))
            assert net.initials is not None
            assert steps[: len(added)] == tuple(added)
            assert evaluate(net.initials.formula, instance.values(instance.initial))
            problem = about(net, instance, target)
            names = tuple(name for name, times in steps[len(added) :] for _ in range(times))
            end = replay(instance, names)
            return end is not None and evaluate(problem.target, net.values(end))
        case Unreachable():
            problems = (about(net, instance, target) for instance in instances(net))
            return all(shortest_trace(problem, MARKINGS) is None for problem in problems)
    return True


@st.composite
def parametric_problems(draw: st.DrawFn) -> Problem:
    """A net with initial markings by a formula about some places, and a target."""
    net = draw(nets(max_places=3, max_transitions=4))
    formula = draw(
        st.one_of(constraints(net), st.lists(constraints(net), max_size=2).map(disjunction))
    )
    try:
        net = with_initial(net, formula)
    except QueryError:
        net = with_initial(net, at_least(variable(net.places[0]), 1))
    start = net.values(net.initial)
    start |= {name: start[place] for name, place in net.parameters.items()}
    for _ in range(4):
        target = draw(st.one_of(targets(net), comparisons(net)))
        if not evaluate(target, start):
            break
    return make_problem(net, target)


@st.composite
def comparisons(draw: st.DrawFn, net: Net) -> Formula:
    """A sum of places, and of their initial tokens, is so large at least."""
    factors = st.sampled_from((-1, 1, 1, 2))
    names = st.sampled_from((*net.places, *net.parameters))
    values = draw(st.dictionaries(names, factors, min_size=2))
    return at_least(linear(values.items()), draw(st.integers(1, 4)))


@pytest.mark.parametrize("examples", [60, pytest.param(3_000, marks=pytest.mark.slow)])
def test_answers_hold_of_all_initial_markings(examples: int) -> None:
    verdicts = Counter[str]()

    @repeatable(examples)
    @given(parametric_problems())
    def judge(problem: Problem) -> None:
        engine = ENGINES[verdicts.total() % len(ENGINES)]
        answer = check(problem, engine=engine, budget=Budget(seconds=0.5)).answer
        verdicts[type(answer).__name__] += 1
        assert is_right(problem.net, problem.target, answer)

    judge()
    assert min(verdicts["Reachable"], verdicts["Unreachable"]) > examples // 8, verdicts
