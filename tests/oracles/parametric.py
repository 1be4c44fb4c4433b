"""Parametric nets by brute force: some initial markings of few tokens, and random problems.

No answer *unreachable* may be contradicted from one of these; the trace of an answer *reachable* is
fired from its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from hypothesis import strategies as st
from oracle import replay, shortest_trace
from strategies import constraints, nets, targets

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
from petricheck.model.net import Net
from petricheck.model.parametric import with_initial
from petricheck.model.problem import Problem, make_problem
from petricheck.support.errors import QueryError

MOST, MARKINGS = 3, 200


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
