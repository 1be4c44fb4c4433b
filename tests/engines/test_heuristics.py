"""Heuristics: displacements of nets and paths; increasing multisets against enumeration."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import gcd

import pytest
from flint import fmpz_mat
from folders import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of
from strategies import nets

from petricheck.engines.heuristics import LATTICES, Displacement
from petricheck.engines.heuristics.accelerated_actions import AcceleratedActions
from petricheck.engines.heuristics.parikh import Parikh, increasing_multisets
from petricheck.engines.heuristics.place_invariants import PlaceInvariants
from petricheck.formats.nets import read_net
from petricheck.model.net import make_net
from petricheck.support.plugins import build, members

FIGURE_6 = read_net(ROOT / "nets" / "exponential_U.pnml").net
HUGE = 10**30


@st.composite
def nets_with_paths(draw, max_places=4, max_transitions=4, longest=8):
    net = draw(nets(max_places, max_transitions))
    path = st.lists(st.integers(0, len(net.transitions) - 1), max_size=longest)
    return net, draw(path)


def effect_of(net, counts) -> tuple[int, ...]:
    """Σ n_a·δ_a, by the arcs."""
    total = [0] * len(net.places)
    for number, count in counts.items():
        for place, weight in net.transitions[number].post:
            total[place] += count * weight
        for place, weight in net.transitions[number].pre:
            total[place] -= count * weight
    return tuple(total)


def dense(net, vector) -> tuple[int, ...]:
    entries = dict(vector)
    return tuple(entries.get(place, 0) for place in range(len(net.places)))


def increasing(vector) -> bool:
    return min(vector) >= 0 and max(vector) > 0


def enumerated(net, path) -> list[dict[int, int]]:
    """Every increasing sub-multiset of the path."""
    occurrences = Counter(path)
    actions = sorted(occurrences)
    found = []
    for counts in product(*(range(occurrences[a] + 1) for a in actions)):
        multiset = {a: n for a, n in zip(actions, counts, strict=True) if n}
        if multiset and increasing(effect_of(net, multiset)):
            found.append(multiset)
    return found


def minimal(supports: set[frozenset[int]]) -> set[frozenset[int]]:
    return {s for s in supports if not any(other < s for other in supports)}


def kernel(rows, width) -> list[list[int]]:
    """A basis of the nullspace, in integers."""
    flat = [entry for row in rows for entry in row]
    basis, nullity = fmpz_mat(len(rows), width, flat).nullspace()
    return [[int(basis[row, column]) for row in range(width)] for column in range(nullity)]


def subsets(items):
    return (chosen for size in range(len(items) + 1) for chosen in combinations(items, size))


def extreme_rays(net, actions) -> set[tuple[tuple[int, int], ...]]:
    """Primitive increasing counts that tight places and missing actions determine uniquely."""
    effects = {a: effect_of(net, {a: 1}) for a in actions}
    rays = set()
    for support in subsets(actions):
        for tight in subsets(range(len(net.places))):
            basis = kernel([[effects[a][p] for a in support] for p in tight], len(support))
            if len(basis) != 1 or not all(basis[0]):
                continue
            divisor = gcd(*basis[0]) if basis[0][0] > 0 else -gcd(*basis[0])
            ray = {a: n // divisor for a, n in zip(support, basis[0], strict=True)}
            if min(ray.values()) > 0 and increasing(effect_of(net, ray)):
                rays.add(tuple(sorted(ray.items())))
    return rays


@given(st.sampled_from(members("heuristics")), nets_with_paths())
def test_every_displacement_is_a_sparse_vector_that_names_its_heuristic(name, case):
    net, path = case
    found = build("heuristics", name).displacements(net, path)
    assert len(set(found)) == len(found)
    for displacement in found:
        assert displacement.source == name
        assert displacement.weight == build("heuristics", name).weight
        places = [place for place, _ in displacement.vector]
        assert places == sorted(set(places)) and set(places) <= set(range(len(net.places)))
        assert all(weight for _, weight in displacement.vector)


KINDS = (PlaceInvariants, AcceleratedActions, Parikh)


@pytest.mark.parametrize("heuristic", KINDS)
def test_the_weight_is_an_option(heuristic):
    net = net_of("p=0, t: -> p")
    assert [d.weight for d in heuristic(weight=7).displacements(net, (0,))] == [7]


@given(nets_with_paths())
def test_each_heuristic_names_the_effects_that_its_docstring_says(case):
    net, path = case
    effects = [effect_of(net, {t: 1}) for t in range(len(net.transitions))]
    places, actions, parikh = (h().displacements(net, path) for h in KINDS)
    assert places == PlaceInvariants().displacements(net, ())  # whatever the path
    assert {dense(net, d.vector) for d in places} == {e for e in effects if any(e)}
    assert {dense(net, d.vector) for d in actions} == {effects[t] for t in path}
    increasing = {effect for _, effect in increasing_multisets(net, path)}
    assert {d.vector for d in parikh} == increasing and len(parikh) == len(increasing)
    assert all(d.hard for d in actions) and not any(d.hard for d in (*places, *parikh))


def test_an_empty_path_has_no_actions_to_accelerate_or_count():
    assert AcceleratedActions().displacements(FIGURE_6, ()) == ()
    assert Parikh().displacements(FIGURE_6, ()) == ()
    assert len(PlaceInvariants().displacements(FIGURE_6, ())) == 4


def test_example_9_finds_a1_with_a4_whose_effect_is_one_more_token_on_p2():
    a1, a2, a3, a4 = (FIGURE_6.transition_numbers[f"a{n}"] for n in (1, 2, 3, 4))
    p2 = FIGURE_6.place_numbers["p2"]
    path = (a1, a2, a4, a3)
    assert ({a1: 1, a4: 1}, ((p2, 1),)) in increasing_multisets(FIGURE_6, path)
    supports = {frozenset(counts) for counts, _ in increasing_multisets(FIGURE_6, path * 2)}
    assert supports == {frozenset({a1, a4}), frozenset({a2, a3})}
    assert increasing_multisets(FIGURE_6, (a1, a2, a1)) == ()
    assert Displacement(((p2, 1),), 4, False, "parikh") in Parikh().displacements(FIGURE_6, path)


@pytest.mark.parametrize("kind", [AcceleratedActions, Parikh])
def test_each_vector_may_have_a_lattice_of_its_own(kind):
    path = tuple(FIGURE_6.transition_numbers[name] for name in ("a1", "a4", "a2", "a3"))
    together, apart = (kind(lattices=one).displacements(FIGURE_6, path) for one in LATTICES)
    assert {d.lattice for d in together} == {0} and len(together) > 1
    assert [d.lattice for d in apart] == list(range(len(together)))
    assert [d.vector for d in apart] == [d.vector for d in together]


def test_an_action_counts_no_more_often_than_it_occurs():
    net = net_of("p=0 q=0, a: 3 p -> q, b: -> p")
    alone = ({1: 1}, ((0, 1),))
    assert increasing_multisets(net, (0, 1, 1, 1)) == (alone,)
    mixed = net_of("p=0 q=0, a: 2 p -> 2 q, b: q -> 2 p")
    assert increasing_multisets(mixed, (0, 1)) == (({0: 1, 1: 1}, ((1, 1),)),)
    assert increasing_multisets(net_of("p=0 q=0, a: p -> q, b: q -> p"), (0, 1)) == ()
    scarce = net_of("p=0 q=0, a: 5 p -> 2 q, b: q -> 3 p")
    assert increasing_multisets(scarce, (0, 1)) == ()
    assert ({0: 1, 1: 2}, ((0, 1),)) in increasing_multisets(scarce, (0, 1, 1))


@settings(max_examples=20)
@given(nets_with_paths())
def test_increasing_multisets_are_the_extreme_rays_of_minimal_support_that_fit(case):
    net, path = case
    occurrences = Counter(path)
    fitting = [
        ray
        for ray in extreme_rays(net, sorted(occurrences))
        if all(n <= occurrences[a] for a, n in ray)
    ]
    supports = minimal({frozenset(dict(ray)) for ray in fitting})
    expected = sorted(ray for ray in fitting if frozenset(dict(ray)) in supports)
    found = [tuple(sorted(counts.items())) for counts, _ in increasing_multisets(net, path)]
    assert sorted(found) == expected
    for counts, effect in increasing_multisets(net, path):
        assert dense(net, effect) == effect_of(net, counts)
    enough = minimal({frozenset(multiset) for multiset in enumerated(net, path)})
    represented = {frozenset(dict(ray)) for ray in found}
    assert {frozenset(dict(ray)) for ray in fitting} & enough <= represented


def test_huge_weights_are_combined_exactly():
    places = {"p": 0, "q": 0}
    more = {"a": ({"p": HUGE}, {"q": HUGE}), "b": ({"q": HUGE}, {"p": HUGE + 1})}
    assert increasing_multisets(make_net("n", places, more), (0, 1)) == (({0: 1, 1: 1}, ((0, 1),)),)
    less = {"a": ({"p": HUGE + 1}, {"q": 1}), "b": ({"q": 1}, {"p": HUGE})}
    assert increasing_multisets(make_net("n", places, less), (0, 1)) == ()
