"""Walks of coloured nets against brute force, which tries every binding."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from coloured_nets import Marking, bindings, coloured_nets, firings, marking_of
from hypothesis import assume, given
from strategies import numbers, repeatable

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    at_least,
    conjunction,
    disjunction,
    equal,
    evaluate,
    negate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.explicit.coloured.walk import ColouredWalk, truth
from petricheck.model.coloured.names import fireable_text
from petricheck.model.coloured.net import ColouredNet
from petricheck.model.coloured.skeleton import is_counted, skeleton

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


@repeatable(40)
@given(coloured_nets(), numbers(0, 1 << 30))
def test_a_walk_fires_what_is_enabled_and_knows_all_that_is(net: ColouredNet, seed: int) -> None:
    assume(is_counted(net))
    observed = {name: (fired, some) for name, fired, some in observations(net)}
    walk, random = ColouredWalk(net, [*observed], Random(seed)), Random(seed)
    initial = held(net, walk)
    assert initial == marking_of(dict(enumerate(net.initial)))
    for _ in range(FIRINGS):
        enabled = [*firings(net, held(net, walk))]
        names = {net.transitions[number].name for number in walk.enabled}
        assert names == {fired for fired, _, _ in enabled}
        for name, (fired, some) in observed.items():
            expected = any(fired == t and agrees(binding, some) for t, binding, _ in enabled)
            assert walk.observed(name)() == expected
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


@repeatable(10)
@given(coloured_nets(), numbers(0, 1 << 30))
def test_the_truth_of_a_formula_is_that_of_the_numbers(net: ColouredNet, seed: int) -> None:
    assume(is_counted(net))
    walk, bare, random = ColouredWalk(net, [], Random(seed)), skeleton(net), Random(seed)
    numbers_of = {name: walk.total(number) for number, name in enumerate(bare.places)}
    places = [variable(name) for name in bare.places]
    parts = [
        at_least(random.choice(places), random.randrange(3)),
        negate(equal(random.choice(places), random.randrange(3))),
        Congruence(random.choice(places) + 1, 2),
    ]
    formula = disjunction((conjunction(parts[:2]), negate(conjunction(parts[1:]))))
    holds = truth(formula, numbers_of)
    for _ in range(FIRINGS):
        assert holds() == evaluate(formula, {name: number() for name, number in numbers_of.items()})
        if walk.enabled:
            walk.fire(walk.enabled[0])
