"""Hypothesis strategies: small random nets, and questions about them.

Everything a net may contain turns up: weights, self-loops, transitions that only produce or only
consume, places without arcs, places that start empty. Targets are drawn so that both verdicts are
common: some describe a marking that a random walk has met, or one beside it. What is drawn often is
made once, since Hypothesis takes longer to make a strategy than to draw from it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

from hypothesis import settings
from hypothesis import strategies as st

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
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
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.model.net import Marking, Net, make_net
from petricheck.model.problem import Problem, make_problem

Arcs = dict[str, int]
"""Weights by place."""


def repeatable(count: int) -> settings:
    """So many examples, the same in every run."""
    return settings(max_examples=count, database=None, derandomize=True)


BOOLEANS, SHIFTS = st.booleans(), st.sampled_from((0, 0, 1))

numbers = cache(st.integers)
"""Numbers from one to another."""


@cache
def any_of(count: int) -> st.SearchStrategy[int]:
    """A number below this one."""
    return st.sampled_from(range(count))


@cache
def some_of(count: int) -> st.SearchStrategy[set[int]]:
    """Numbers below this one, at least one of them."""
    return st.sets(any_of(count), min_size=1)


@cache
def words(count: int) -> st.SearchStrategy[list[int]]:
    """Up to twelve numbers below this one."""
    return st.lists(any_of(count), max_size=12)


@cache
def arcs(places: int, most: int) -> st.SearchStrategy[list[tuple[Arcs, Arcs]]]:
    """Inputs and outputs of one to so many transitions."""
    names = [f"p{n}" for n in range(1, places + 1)]
    weights = st.dictionaries(st.sampled_from(names), st.sampled_from((1, 1, 2, 3)), max_size=2)
    return st.lists(st.tuples(weights, weights), min_size=1, max_size=most)


@st.composite
def nets(draw: st.DrawFn, max_places: int = 4, max_transitions: int = 5) -> Net:
    """Nets of 1 to 4 places and 1 to 5 transitions, weights up to 3, at most 3 tokens a place."""
    places = [f"p{n}" for n in range(1, draw(numbers(1, max_places)) + 1)]
    transitions = draw(arcs(len(places), max_transitions))
    initial = {place: draw(numbers(0, 3)) for place in places}
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
    if draw(BOOLEANS):
        return tuple(draw(numbers(0, 4)) for _ in net.places)
    marking = net.initial
    for transition in map(net.transitions.__getitem__, draw(words(len(net.transitions)))):
        if transition.enabled(marking):
            marking = transition.fire(marking)
    shift = draw(SHIFTS)
    place = draw(any_of(len(net.places)))
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
    chosen = draw(some_of(len(net.places)))
    bounds = ((net.places[p], marking[p]) for p in sorted(chosen))
    return conjunction([at_least(variable(place), tokens) for place, tokens in bounds])


def constraints(net: Net) -> st.SearchStrategy[Formula]:
    """One to three linear constraints or congruences at once."""
    return _constraints(net.places)


@cache
def _constraints(names: tuple[str, ...]) -> st.SearchStrategy[Formula]:
    return st.lists(_constraint(names), min_size=1, max_size=3).map(conjunction)


@st.composite
def _constraint(draw: st.DrawFn, names: tuple[str, ...]) -> Formula:
    term = draw(terms(names))
    if draw(numbers(0, 4)) == 0:
        modulus = draw(numbers(2, 4))
        return congruent(term, draw(numbers(0, modulus - 1)), modulus)
    number = draw(numbers(-6, 6))
    return draw(COMPARISONS)(term, number)


COMPARISONS = st.sampled_from((at_most, at_least, equal, different))


@cache
def terms(names: tuple[str, ...]) -> st.SearchStrategy[Term]:
    """Linear terms over some of the names, coefficients from −3 to 3."""
    values = st.integers(-3, 3).filter(bool)
    chosen = st.dictionaries(st.sampled_from(names), values, min_size=1)
    return chosen.map(lambda coefficients: linear(coefficients.items()))


@cache
def any_terms(names: tuple[str, ...], most: int = 4) -> st.SearchStrategy[Term]:
    """Linear terms over some of the names, with a constant; no number is larger than `most`."""
    some = st.tuples(st.sampled_from(names), st.integers(-most, most))
    return st.builds(linear, st.lists(some, max_size=3), st.integers(-most, most))


@cache
def formulas(names: tuple[str, ...], most: int = 4, leaves: int = 7) -> st.SearchStrategy[Formula]:
    """Any Boolean structure over atoms about the names, as it is built: nothing is simplified."""
    term = any_terms(names, most)
    atom = st.one_of(
        st.builds(Inequality, term),
        st.builds(Equality, term),
        st.builds(Congruence, term, st.integers(1, 4)),
        st.builds(different, term, term),
    )
    return st.recursive(atom, _joined, max_leaves=leaves)


def _joined(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    operands = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Negation, inner),
        st.builds(Conjunction, operands),
        st.builds(Disjunction, operands),
    )


@st.composite
def searches(draw: st.DrawFn, least: int = 0) -> tuple[Net, list[Formula]]:
    """A net, and up to five targets; some of them are denied."""
    net = draw(nets())
    chosen = st.one_of(targets(net), targets(net).map(negate))
    return net, draw(st.lists(chosen, min_size=least, max_size=5))


BOUND = 4
FORMULAS = formulas(("x", "y", "z"), most=3, leaves=5)


def boxed(formula: Formula, names: str) -> Formula:
    """The formula within a cube of side 2·BOUND + 1, so that enumeration decides it."""
    walls = [[at_least(variable(n), -BOUND), at_most(variable(n), BOUND)] for n in names]
    return conjunction([formula, *(wall for pair in walls for wall in pair)])


def box(names: str) -> list[dict[str, int]]:
    side = range(-BOUND, BOUND + 1)
    return [dict(zip(names, point, strict=True)) for point in product(side, repeat=len(names))]


@st.composite
def harder_problems(draw: st.DrawFn) -> Problem:
    """More places and transitions, heavier weights, targets that are deeper than one level.

    The target is left as it was drawn, so that brute force does not see what `make_problem` makes
    of it.
    """
    base = draw(nets(max_places=6, max_transitions=7))
    factor = draw(st.sampled_from((1, 1, 2, 7)))
    shift = draw(st.integers(0, 5))
    tokens = tuple(n * factor + shift for n in base.initial)
    net = replace(base, initial=tokens)
    return Problem(net, draw(deep_targets(net)))


@st.composite
def deep_targets(draw: st.DrawFn, net: Net) -> Formula:
    """Conjunctions of disjunctions, differences from a marking, negations of both."""
    parts = draw(st.lists(targets(net), min_size=1, max_size=3))
    shape = draw(st.sampled_from(("and", "and-or", "apart", "not", "one not")))
    if shape == "apart":
        marking = zip(net.places, draw(markings(net)), strict=True)
        apart = [different(variable(place), n) for place, n in marking]
        return conjunction([*apart, parts[0]])
    if shape == "and-or":
        return conjunction([disjunction(parts), disjunction([draw(targets(net)), *parts[:1]])])
    if shape == "not":
        return Negation(disjunction(parts))
    return conjunction([*parts, Negation(draw(constraints(net)))] if shape == "one not" else parts)
