"""Walks of coloured nets against brute force, which tries every binding."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, product
from random import Random

import pytest
from coloured_nets import (
    Marking,
    all_of,
    bindings,
    coloured_nets,
    firings,
    marking_of,
    one,
)
from hypothesis import assume, given
from strategies import numbers, repeatable

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Formula,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
    evaluate,
    negate,
    normal,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.colours.skeleton import is_counted
from petricheck.evidence.claims import reached
from petricheck.explicit.coloured.distances import distance_to, truth
from petricheck.explicit.coloured.policies import nearest
from petricheck.explicit.coloured.search import traces
from petricheck.explicit.coloured.walk import ColouredWalk
from petricheck.model.coloured.names import fireable_text
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.skeleton import skeleton
from petricheck.model.coloured.sorts import Enumeration
from petricheck.model.coloured.terms import Summand, Variable
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

FIRINGS = 12


def observations(net: ColouredNet) -> Iterator[tuple[str, str, dict[str, int]]]:
    """Names of what is observed, with the transition and the partial binding."""
    for transition in net.transitions:
        for binding in bindings(transition):
            for amount in range(min(2, len(binding)) + 1):
                for names in combinations(binding, amount):
                    some = {name: binding[name] for name in names}
                    yield fireable_text(transition, some), transition.name, some


def agrees(binding: dict[str, int], some: dict[str, int]) -> bool:
    return all(binding[name] == colour for name, colour in some.items())


def held(net: ColouredNet, walk: ColouredWalk) -> Marking:
    return marking_of(dict(enumerate(walk.marking)))


@pytest.mark.slow
@repeatable(40)
@given(coloured_nets(), numbers(0, 1 << 30))
def test_a_walk_fires_what_is_enabled_and_knows_all_that_is(net: ColouredNet, seed: int) -> None:
    assume(is_counted(net))
    follow(net, seed)


def follow(net: ColouredNet, seed: int) -> None:
    """Require of a walk that it fires what is enabled, and knows all that is."""
    observed = {name: (fired, some) for name, fired, some in observations(net)}
    positions = {name: len(net.places) + number for number, name in enumerate(observed)}
    walk, random = ColouredWalk(net, [*observed], Random(seed)), Random(seed)
    initial = held(net, walk)
    assert initial == marking_of(dict(enumerate(net.initial)))
    for _ in range(FIRINGS):
        enabled = [*firings(net, held(net, walk))]
        names = {net.transitions[number].name for number in walk.enabled}
        assert names == {fired for fired, _, _ in enabled}
        for name, (fired, some) in observed.items():
            expected = any(fired == t and agrees(binding, some) for t, binding, _ in enabled)
            assert walk.values[positions[name]] == expected
        if not enabled:
            break
        walk.fire(random.choice(sorted(walk.enabled)))
        number, firing = walk.trace[-1]
        after = (net.transitions[number].name, dict(firing.binding), held(net, walk))
        assert after in enabled
    walk.back()
    assert held(net, walk) == initial
    assert {net.transitions[n].name for n in walk.enabled} == {
        t for t, _, _ in firings(net, initial)
    }


@pytest.mark.parametrize("seed", range(4))
def test_a_walk_knows_where_all_but_one_token_are_there(seed: int) -> None:
    sort = Enumeration("S", ("a", "b", "c"))
    x, y = Variable("x", sort), Variable("y", sort)
    others = (*all_of(sort), Summand(-1, x))
    net = ColouredNet(
        "others",
        (Place("p", sort, all_of(sort)), Place("q", sort), Place("r", sort)),
        (
            Transition("ask", ((0, one(x)),), ((0, others), (1, others))),
            Transition("answer", ((1, one(y)),), ((2, one(y)),)),
            Transition("end", ((0, one(x)), (2, others)), ((0, one(x)),)),
            Transition("any", ((2, others),), ((0, one(x)),)),
        ),
    )
    assert is_counted(net)
    follow(net, seed)


@repeatable(10)
@given(coloured_nets(), numbers(0, 1 << 30))
def test_the_truth_of_a_formula_is_that_of_the_numbers(net: ColouredNet, seed: int) -> None:
    assume(is_counted(net))
    walk, bare, random = ColouredWalk(net, [], Random(seed)), skeleton(net), Random(seed)
    places = [variable(name) for name in bare.places]
    parts = [
        at_least(random.choice(places), random.randrange(3)),
        negate(equal(random.choice(places), random.randrange(3))),
        Congruence(random.choice(places) + 1, 2),
    ]
    formula = disjunction((conjunction(parts[:2]), negate(conjunction(parts[1:]))))
    holds = truth(formula, bare.place_numbers)
    for _ in range(FIRINGS):
        totals = [sum(counts.values()) for counts in walk.marking]
        assert walk.values == totals
        assert holds(walk.values) == evaluate(formula, dict(zip(bare.places, totals, strict=True)))
        if walk.enabled:
            walk.fire(walk.enabled[0])


@repeatable(10)
@given(coloured_nets(), numbers(0, 1 << 30))
def test_what_walks_reach_is_proved_by_their_traces(net: ColouredNet, seed: int) -> None:
    assume(is_counted(net))
    bare, random = skeleton(net), Random(seed)
    targets = [at_least(variable(fireable_text(t, {})), 1) for t in net.transitions]
    targets += [equal(variable(name), random.randrange(3)) for name in bare.places]
    found = set()
    with suppress(BudgetExhausted):
        for number, trace in traces(bare, targets, targets, Budget(0.1)):
            found.add(number)
            assert prove(bare, reached(targets[number], trace)) == "replayed exactly"
    initially = {net.transitions[n].name for n in ColouredWalk(net, [], random).enabled}
    assert {n for n, t in enumerate(net.transitions) if t.name in initially} <= found


@repeatable(20)
@given(numbers(0, 1 << 30))
def test_the_distance_is_zero_where_the_formula_holds(seed: int) -> None:
    random, names = Random(seed), ("p", "q", "r")

    def formula(depth: int) -> Formula:
        if depth and random.random() < 0.6:
            join = random.choice((conjunction, disjunction))
            return negate(join(formula(depth - 1) for _ in range(2)))
        compare = random.choice((at_least, at_most, equal))
        return compare(variable(random.choice(names)) - variable("r"), random.randrange(3))

    asked = normal(formula(3))
    distance = distance_to(asked, {name: number for number, name in enumerate(names)})
    for totals in product(range(3), repeat=3):
        holds = evaluate(asked, dict(zip(names, totals, strict=True)))
        assert (distance(totals) == 0) is holds


def test_a_walk_to_a_target_takes_the_transition_that_leads_there() -> None:
    """Of two transitions one fills q, which is wanted three times."""
    sort = Enumeration("S", ("a", "b", "c"))
    token = (Summand(1, Variable("x", sort)),)
    every = (Summand(1, Variable("y", sort), (Variable("y", sort),)),)
    places = (Place("p", sort, every), Place("q", sort), Place("r", sort))
    moves = tuple(Transition(f"to_{n}", ((0, token),), ((n, token),)) for n in (1, 2))
    net = ColouredNet("n", places, moves)
    walk, random, bare = ColouredWalk(net, [], Random(0)), Random(0), skeleton(net)
    distance = distance_to(at_least(variable("q"), 3), bare.place_numbers)
    choose = nearest(walk, random, bare, distance, strictly=True)
    while walk.enabled:
        walk.fire(choose(walk.enabled))
    assert walk.values == [0, 3, 0]
