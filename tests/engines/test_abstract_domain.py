"""The abstract domain against its definition: pair rule, rounding, residues, in any magnitude."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from domains import precisions, states
from forms import bounded, entries, modulo, precise
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import successor
from strategies import nets

from petricheck.engines.abstraction.domain import Domain, Precision, States
from petricheck.model.net import Marking, Net, Transition, Weights, make_net
from petricheck.symbolic.linear import ModularDirection

thorough = settings(max_examples=16)
Case = tuple[Net, Precision, Domain, States]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A net, a domain and one of its states."""
    net = draw(nets(max_places=3, max_transitions=3))
    precision = draw(precisions(net, zero=True))
    domain = Domain(net, precision)
    return net, precision, domain, draw(states(domain, precision))


def box(net: Net, most: int = 5) -> list[Marking]:
    return list(product(range(most), repeat=len(net.places)))


def times(vector: Weights, weights: Weights) -> int:
    return sum(dict(vector).get(place, 0) * weight for place, weight in weights)


def value(vector: Weights, marking: Marking) -> int:
    return times(vector, tuple(enumerate(marking)))


def above(net: Net, larger: Weights, smaller: Weights) -> bool:
    pairs = (entries(vector, len(net.places)) for vector in (larger, smaller))
    return all(a >= b for a, b in zip(*pairs, strict=True))


def satisfies(domain: Domain, state: States, marking: Marking) -> bool:
    """Whether the marking is in the state, read from what the state says of itself."""
    bounds = zip(domain.directions, domain.bounds(state), strict=True)
    residues = zip(domain.residues, domain.residues_of(state), strict=True)
    return all(bound is None or value(c, marking) <= bound for c, bound in bounds) and all(
        r is None or value(residue.direction, marking) % residue.modulus == r
        for residue, r in residues
    )


def rounded(bound: int | None, level: tuple[int, ...]) -> int | None:
    """The next threshold."""
    return None if bound is None else min((x for x in level if x >= bound), default=None)


def pair_rule(
    net: Net, domain: Domain, state: States, transition: Transition, target: Weights
) -> int | None:
    """The least bound after a firing that any source c_i ≥ c_j gives, 0·m ≤ 0 among them."""
    sources = [*zip(domain.directions, domain.bounds(state), strict=True)]
    sources.append(((), 0))
    return min(
        (
            bound - times(source, transition.pre) + times(target, transition.post)
            for source, bound in sources
            if bound is not None and above(net, source, target)
        ),
        default=None,
    )


@thorough
@given(nets(), st.data())
def test_the_initial_state_is_the_least_one_that_holds_the_initial_marking(net, data):
    precision = data.draw(precisions(net, zero=True))
    domain = Domain(net, precision)
    state = domain.initial()
    assert satisfies(domain, state, net.initial)
    for bound, (direction, level) in zip(
        domain.bounds(state), precision.thresholds.items(), strict=True
    ):
        assert bound == rounded(value(direction, net.initial), level)


@thorough
@given(cases())
def test_post_holds_every_marking_that_a_firing_from_the_state_ends_in(case):
    net, _, domain, state = case
    enabled, after = domain.post(state)
    for marking in box(net):
        if satisfies(domain, state, marking):
            for number, transition in enumerate(net.transitions):
                fired = successor(marking, transition)
                if fired is not None:
                    assert enabled[number], "a transition that fires is called disabled"
                    assert satisfies(domain, after[number], fired)


@thorough
@given(cases())
def test_post_is_the_pair_rule_rounded_up_and_residues_turn_by_the_effect(case):
    net, precision, domain, state = case
    levels = precision.thresholds.values()
    enabled, after = domain.post(state)
    for number, transition in enumerate(net.transitions):
        zero = pair_rule(net, domain, state, transition, ())
        assert zero is not None
        assert enabled[number] == (zero >= 0)
        expected = [
            rounded(pair_rule(net, domain, state, transition, c), level)
            for c, level in zip(domain.directions, levels, strict=True)
        ]
        assert list(domain.bounds(after[number])) == expected
        turns = zip(domain.residues, domain.residues_of(state), strict=True)
        assert list(domain.residues_of(after[number])) == [
            (before + times(r.direction, transition.effect)) % r.modulus for r, before in turns
        ]


@thorough
@given(cases())
def test_a_transition_is_disabled_exactly_where_a_bound_is_below_what_it_takes(case):
    net, _, domain, state = case
    enabled = domain.post(state)[0]
    for number, transition in enumerate(net.transitions):
        starved = [
            i
            for i, (c, bound) in enumerate(
                zip(domain.directions, domain.bounds(state), strict=True)
            )
            if bound is not None and above(net, c, ()) and times(c, transition.pre) > bound
        ]
        assert enabled[number] == (not starved)
        if starved:
            assert domain.disabling(state, number, set()) in starved
            assert domain.disabling(state, number, {starved[-1]}) == starved[-1]


@thorough
@given(cases(), st.data())
def test_the_source_of_an_atom_gives_it_again_alone(case, data):
    net, _, domain, state = case
    after = domain.post(state)[1]
    preferred = data.draw(st.sets(st.integers(0, max(0, len(domain.directions) - 1))))
    for number, transition in enumerate(net.transitions):
        for target, bound in enumerate(domain.bounds(after[number])):
            if bound is None:
                continue
            source = domain.source(state, number, target, bound, preferred)
            goal = domain.directions[target]
            given_ = () if source is None else domain.directions[source]
            start = 0 if source is None else domain.bounds(state)[source]
            assert start is not None
            assert above(net, given_, goal)
            assert start - times(given_, transition.pre) + times(goal, transition.post) <= bound
        for position in range(len(domain.residues)):
            atom = len(domain.directions) + position
            assert domain.source(state, number, atom, 0, preferred) == atom


def scaled(precision: Precision, scale: int) -> Precision:
    return Precision(
        {c: tuple(x * scale for x in level) for c, level in precision.thresholds.items()},
        tuple(ModularDirection(r.direction, r.modulus * scale) for r in precision.residues),
    )


@thorough
@pytest.mark.parametrize("scale", [1, 2**80], ids=["words", "long"])
@given(nets(max_places=3), st.data())
def test_a_state_covers_another_where_its_features_include_the_others(scale, net, data):
    precision = scaled(data.draw(precisions(net, zero=True)), scale)
    domain = Domain(net, precision)
    first, second = (data.draw(states(domain, precision)) for _ in range(2))
    own, other = domain.features(np.stack((first, second)))
    assert bool((own & other == other).all()) == bool((first >= second).all())


def scaled_net(net: Net, scale: int) -> Net:
    def enlarge(weights: Weights) -> Weights:
        return tuple((place, weight * scale) for place, weight in weights)

    return Net(
        net.name,
        net.places,
        tuple(Transition(t.name, enlarge(t.pre), enlarge(t.post)) for t in net.transitions),
        tuple(tokens * scale for tokens in net.initial),
    )


SCALES = [2**k for k in (29, 31, 52, 55, 57, 58, 59, 60, 61, 62, 63, 64)] + [10**30, 10**400]


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: f"{scale.bit_length()} bits")
@settings(max_examples=8)
@given(nets(max_places=3), st.data())
def test_large_numbers_behave_like_small_ones(scale, net, data):
    precision = data.draw(precisions(net, zero=True))
    domain = Domain(net, precision)
    wide = Domain(scaled_net(net, scale), scaled(precision, scale))
    state, vast = domain.initial(), wide.initial()
    for number in data.draw(st.lists(st.integers(0, len(net.transitions) - 1), max_size=5)):
        assert wide.bounds(vast) == enlarged(domain.bounds(state), scale)
        assert wide.residues_of(vast) == enlarged(domain.residues_of(state), scale)
        enabled, after = domain.post(state)
        fires, beyond = wide.post(vast)
        assert list(enabled) == list(fires)
        state, vast = after[number], beyond[number]


def enlarged(numbers: tuple[int | None, ...], scale: int) -> tuple[int | None, ...]:
    return tuple(None if number is None else number * scale for number in numbers)


@pytest.mark.parametrize("near", [2**61, 2**62, 2**63 - 1, 2**63, 10**30])
@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_a_difference_of_one_is_seen_beside_numbers_that_fill_a_machine_word(near, shift):
    net = make_net("big", {"p": near, "q": 0}, {"t": ({"p": near + shift}, {"q": near})})
    levels = (near - 1, near, near + 1)
    domain = Domain(net, precise({(1, 0): (near,), (1, 1): levels, (-1, -1): (-near, 1 - near)}))
    enabled, after = domain.post(domain.initial())
    assert enabled[0] == (shift <= 0)
    if enabled[0]:
        # the lower bound −p − q ≤ −near + shift is rounded up to the next threshold
        assert domain.bounds(after[0])[1:] == (near - shift, -near)


def test_unbounded_stays_unbounded_after_a_large_decrease():
    net = make_net("drain", {"p": 5}, {"t": ({"p": 10**12}, {})})
    domain = Domain(net, precise({(1,): (0, 3)}))
    state = domain.initial()
    assert domain.bounds(state) == (None,)
    enabled, after = domain.post(state)
    assert enabled[0] and domain.bounds(after[0]) == (None,)


def test_refining_keeps_what_is_known_sorts_thresholds_and_leaves_the_old_precision_alone():
    old = Precision().refine([bounded((1,), 3)])
    new = old.refine([bounded((1,), 1), bounded((1,), 3), bounded((-1,), 0), modulo((1,), 2)])
    assert new == precise({(1,): (1, 3), (-1,): (0,)}, new.residues)
    assert new.residues == (modulo((1,), 2),)
    assert new.refine([modulo((1,), 2), bounded((-1,), 0)]) == new
    assert old == precise({(1,): (3,)})
