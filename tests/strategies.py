"""Hypothesis strategies: small random nets, and questions about them.

Everything a net may contain turns up: weights, self-loops, transitions that only produce or only
consume, places without arcs, places that start empty. Targets are drawn so that both verdicts are
common: some describe a marking that a random walk has met, or one beside it.
"""

from __future__ import annotations

from hypothesis import strategies as st

from petricheck.presburger.formulas import (
    Formula,
    at_least,
    at_most,
    congruent,
    conjunction,
    different,
    disjunction,
    equal,
    evaluate,
    negate,
)
from petricheck.presburger.terms import Term, linear, variable
from petricheck.problem import Marking, Net, Problem, make_net, make_problem


@st.composite
def nets(draw: st.DrawFn, max_places: int = 4, max_transitions: int = 5) -> Net:
    """Nets of 1 to 4 places and 1 to 5 transitions, weights up to 3, at most 3 tokens a place."""
    places = [f"p{n}" for n in range(1, draw(st.integers(1, max_places)) + 1)]
    arcs = st.dictionaries(st.sampled_from(places), st.sampled_from((1, 1, 2, 3)), max_size=2)
    transitions = draw(st.lists(st.tuples(arcs, arcs), min_size=1, max_size=max_transitions))
    initial = {place: draw(st.integers(0, 3)) for place in places}
    return make_net("random", initial, {f"t{n}": t for n, t in enumerate(transitions, start=1)})


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A net of `nets()` with a target of `targets(net)`, seldom true from the start."""
    net = draw(nets())
    target = draw(targets(net))
    for _ in range(3):
        if not evaluate(target, net.values(net.initial)):
            break
        target = draw(targets(net))
    return make_problem(net, target)


def targets(net: Net) -> st.SearchStrategy[Formula]:
    """Exact markings, covers, linear constraints, and disjunctions and negations of these."""
    plain = st.one_of(exact_markings(net), covers(net), constraints(net))
    choices = st.lists(plain, min_size=2, max_size=3)
    return st.one_of(plain, plain, choices.map(disjunction), constraints(net).map(negate))


@st.composite
def markings(draw: st.DrawFn, net: Net) -> Marking:
    """Any small marking, or one that a short random walk ends in, or a neighbour of such a one."""
    if draw(st.booleans()):
        return tuple(draw(st.integers(0, 4)) for _ in net.places)
    marking = net.initial
    for transition in draw(st.lists(st.sampled_from(net.transitions), max_size=12)):
        if transition.enabled(marking):
            marking = transition.fire(marking)
    shift = draw(st.sampled_from((0, 0, 1)))
    place = draw(st.sampled_from(range(len(net.places))))
    return tuple(n + shift if p == place else n for p, n in enumerate(marking))


@st.composite
def exact_markings(draw: st.DrawFn, net: Net) -> Formula:
    """One marking."""
    marking = draw(markings(net))
    places = zip(net.places, marking, strict=True)
    return conjunction([equal(variable(place), tokens) for place, tokens in places])


@st.composite
def covers(draw: st.DrawFn, net: Net) -> Formula:
    """At least some marking, on some of the places."""
    marking = draw(markings(net))
    chosen = draw(st.sets(st.sampled_from(range(len(net.places))), min_size=1))
    bounds = ((net.places[p], marking[p]) for p in sorted(chosen))
    return conjunction([at_least(variable(place), tokens) for place, tokens in bounds])


@st.composite
def constraints(draw: st.DrawFn, net: Net) -> Formula:
    """One to three linear constraints or congruences at once."""
    return conjunction(draw(st.lists(_constraint(net), min_size=1, max_size=3)))


@st.composite
def _constraint(draw: st.DrawFn, net: Net) -> Formula:
    term = draw(terms(net.places))
    if draw(st.integers(0, 4)) == 0:
        modulus = draw(st.integers(2, 4))
        return congruent(term, draw(st.integers(0, modulus - 1)), modulus)
    number = draw(st.integers(-6, 6))
    compared: tuple[Formula, ...] = (
        at_most(term, number),
        at_least(term, number),
        equal(term, number),
        different(term, number),
    )
    return draw(st.sampled_from(compared))


@st.composite
def terms(draw: st.DrawFn, names: tuple[str, ...]) -> Term:
    """Linear terms over some of the names, coefficients from −3 to 3."""
    values = st.integers(-3, 3).filter(bool)
    chosen = draw(st.dictionaries(st.sampled_from(names), values, min_size=1))
    return linear(chosen.items())


@st.composite
def searches(draw: st.DrawFn, least: int = 0) -> tuple[Net, list[Formula]]:
    """A net, and up to five targets; some of them are denied."""
    net = draw(nets())
    chosen = st.one_of(targets(net), targets(net).map(negate))
    return net, draw(st.lists(chosen, min_size=least, max_size=5))
