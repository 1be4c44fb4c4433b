"""Every statement of `petricheck info --json`, compared with brute force on random nets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from operator import mul
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invoked import run
from oracle import OMEGA, explore, first_markings, successor, suprema
from strategies import nets

from petricheck.arithmetic.programs.algebra import rank
from petricheck.formats.nets import write_net
from petricheck.model.net import Marking, Net, Transition, make_net

random_nets = given(net=nets())
checked = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(checked, max_examples=20)
@random_nets
def test_all_that_info_says_is_so(net: Net, tmp_path: Path) -> None:
    verify(net, described_by_info(net, tmp_path))


@pytest.mark.campaign
@settings(checked, max_examples=500)
@random_nets
def test_all_that_info_says_of_many_nets_is_so(net: Net, tmp_path: Path) -> None:
    verify(net, described_by_info(net, tmp_path))


@st.composite
def dense_nets(draw: st.DrawFn) -> Net:
    """Ordinary nets of 6 places, whose siphons are many and overlap."""
    places = [f"p{n}" for n in range(6)]
    arcs = st.sets(st.sampled_from(places), min_size=1, max_size=3)
    drawn = draw(st.lists(st.tuples(arcs, arcs), min_size=4, max_size=7))
    transitions = {
        f"t{n}": (dict.fromkeys(sorted(pre), 1), dict.fromkeys(sorted(post), 1))
        for n, (pre, post) in enumerate(drawn)
    }
    return make_net("dense", dict.fromkeys(places, 0), transitions)


@settings(checked, max_examples=20)
@given(net=dense_nets())
def test_minimal_siphons_and_traps_are_all_and_no_others(net: Net, tmp_path: Path) -> None:
    siphons_are_so(net, described_by_info(net, tmp_path))


def described_by_info(net: Net, folder: Path) -> Any:
    path = folder / "net.pnml"
    write_net(net, path)
    answer = run("info", path, "--json")
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.output)


def verify(net: Net, told: Mapping[str, Any]) -> None:
    sizes_are_so(net, told)
    tokens_are_so(net, told)
    for marking in first_markings(net, 50):
        marking_is_as_told(net, told, marking)
    place_invariants_are_so(net, told)
    transition_invariants_are_so(net, told)
    siphons_are_so(net, told)
    assert told["classes"] == [n for n, is_so in CLASSES.items() if is_so(net)]


def sizes_are_so(net: Net, told: Mapping[str, Any]) -> None:
    assert told["places"] == len(net.places)
    assert told["transitions"] == len(net.transitions)
    assert told["arcs"] == sum(len(inputs(t)) + len(outputs(t)) for t in net.transitions)
    assert told["tokens"] == sum(net.initial)


def tokens_are_so(net: Net, told: Mapping[str, Any]) -> None:
    """Bounds, what is reached, and the verdicts."""
    supremum = suprema(net, 200)
    if supremum is not None:
        most = dict(zip(net.places, supremum, strict=True))
        assert all(most[place] <= bound for place, bound in told["bounds"].items())
        assert all(most[place] >= tokens for place, tokens in told["reached"].items())
        assert all(most[place] == OMEGA for place in told["unbounded"])
        assert told["bounded"] in (None, OMEGA not in supremum)
        assert told["safe"] in (None, max(supremum) <= 1)
    every = explore(net, 200)
    if every is not None:
        assert told["bounded"] is not False
        for place, tokens in told["reached"].items():
            assert tokens in {marking[net.place_numbers[place]] for marking in every}
    assert sorted([*told["bounds"], *told["unbounded"], *told["no_bound_found"]]) == sorted(
        net.places
    )


def marking_is_as_told(net: Net, told: Mapping[str, Any], marking: Marking) -> None:
    values = net.values(marking)
    assert all(values[place] <= bound for place, bound in told["bounds"].items())
    after = {t.name: successor(marking, t) for t in net.transitions}
    assert None not in [after[name] for name in told["sources"]]
    assert {after[name] for name in told["idle"]} <= {None, marking}
    assert {after[name] for name in told["dead"]} <= {None}
    assert all(len({after[name] for name in group}) == 1 for group in told["twins"])
    assert not any(values[place] for place in told["never_marked"])
    initial = net.values(net.initial)
    for name in told["isolated"]:
        assert values[name] == initial[name]
        fewer = tuple(0 if place == name else values[place] for place in net.places)
        assert all((successor(fewer, t) is None) == (after[t.name] is None)
                   for t in net.transitions)  # fmt: skip


def place_invariants_are_so(net: Net, told: Mapping[str, Any]) -> None:
    """No transition changes their sums, and they span all that no transition changes."""
    vectors = []
    for invariant in told["invariants"]:
        y = [invariant["sum"].get(place, 0) for place in net.places]
        assert sum(map(mul, y, net.initial)) == invariant["equals"]
        assert not any(sum(y[p] * change for p, change in t.effect) for t in net.transitions)
        vectors.append(y)
    effects = [[dict(t.effect).get(p, 0) for p in range(len(net.places))] for t in net.transitions]
    assert told["all_invariants"]
    assert rank(vectors) == len(net.places) - rank(effects)


def transition_invariants_are_so(net: Net, told: Mapping[str, Any]) -> None:
    """What fires so often changes nothing, from any marking with enough tokens."""
    transitions = {t.name: t for t in net.transitions}
    for vector in told["transition_invariants"]:
        assert vector and min(vector.values()) > 0
        before = after = (100_000,) * len(net.places)
        for name, times in vector.items():
            for _ in range(times):
                after = successor(after, transitions[name]) or after[:0]
        assert after == before
    supports = [set(vector) for vector in told["transition_invariants"]]
    assert not any(a < b for a in supports for b in supports)


def siphons_are_so(net: Net, told: Mapping[str, Any]) -> None:
    assert told["all_siphons"] and told["all_traps"]
    assert sorted(told["siphons"]) == sorted(minimal_siphons(net, net.transitions))
    turned = [Transition(t.name, t.post, t.pre) for t in net.transitions]
    assert sorted(told["traps"]) == sorted(minimal_siphons(net, turned))


def inputs(t: Transition) -> set[int]:
    return {place for place, _ in t.pre}


def outputs(t: Transition) -> set[int]:
    return {place for place, _ in t.post}


def minimal_siphons(net: Net, transitions: Any) -> Iterator[list[str]]:
    """All subsets, the smaller ones first."""
    found: list[set[int]] = []
    for size in range(1, len(net.places) + 1):
        for chosen in map(set, combinations(range(len(net.places)), size)):
            is_siphon = all(inputs(t) & chosen for t in transitions if outputs(t) & chosen)
            if is_siphon and not any(other <= chosen for other in found):
                found.append(chosen)
    return ([net.places[place] for place in sorted(siphon)] for siphon in found)


def takers(net: Net, place: int) -> set[str]:
    return {t.name for t in net.transitions if place in inputs(t)}


def makers(net: Net, place: int) -> set[str]:
    return {t.name for t in net.transitions if place in outputs(t)}


def ordinary(net: Net) -> bool:
    return all(weight == 1 for t in net.transitions for _, weight in (*t.pre, *t.post))


def state_machine(net: Net) -> bool:
    return ordinary(net) and all(len(t.pre) == 1 and len(t.post) == 1 for t in net.transitions)


def marked_graph(net: Net) -> bool:
    sizes = [(len(takers(net, p)), len(makers(net, p))) for p in range(len(net.places))]
    return ordinary(net) and set(sizes) <= {(1, 1)}


def free_choice(net: Net) -> bool:
    arcs = [(place, t) for t in net.transitions for place in inputs(t)]
    return ordinary(net) and all(takers(net, p) == {t.name} or inputs(t) == {p} for p, t in arcs)


def sharing(net: Net) -> list[tuple[set[str], set[str]]]:
    users = [takers(net, place) for place in range(len(net.places))]
    return [(a, b) for a in users for b in users if a & b]


def extended_free_choice(net: Net) -> bool:
    return ordinary(net) and all(a == b for a, b in sharing(net))


def asymmetric_choice(net: Net) -> bool:
    return ordinary(net) and all(a <= b or b <= a for a, b in sharing(net))


def pure(net: Net) -> bool:
    return not any(inputs(t) & outputs(t) for t in net.transitions)


def conservative(net: Net) -> bool:
    many = (100_000,) * len(net.places)
    return all(sum(successor(many, t) or ()) == sum(many) for t in net.transitions)


CLASSES = {
    "ordinary": ordinary,
    "weighted": lambda net: not ordinary(net),
    "state machine": state_machine,
    "marked graph": marked_graph,
    "free choice": free_choice,
    "extended free choice": extended_free_choice,
    "asymmetric choice": asymmetric_choice,
    "pure": pure,
    "conservative": conservative,
}
"""By brute force, in the order of `info`."""
