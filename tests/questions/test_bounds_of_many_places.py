"""Limits of many places at once: what is claimed is audited, and stands in few claims."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import first_markings
from strategies import nets

from petricheck.evidence.audit import prove
from petricheck.model.net import Net, make_net
from petricheck.questions import ask, check
from petricheck.questions.maxima import Sum, SumRange, ranges
from petricheck.questions.maxima.half_spaces import excluded_places, limited_places
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError
from petricheck.symbolic.facts.place_bounds import PlaceBounds, by_invariants, by_programs

few = settings(max_examples=16, deadline=None, suppress_health_check=list(HealthCheck))


def rings(number: int) -> Net:
    """Rings of three places with one token each; every second ring can also lose its token."""
    initial, transitions = {}, {}
    for n in range(number):
        places = [f"{letter}{n}" for letter in "abc"]
        initial |= dict(zip(places, (1, 0, 0), strict=True))
        for start, end in zip(places, places[1:] + places[:1], strict=True):
            transitions[f"{start}-{end}"] = ({start: 1}, {end: 1})
        if n % 2:
            transitions[f"lose{n}"] = ({f"b{n}": 1}, {})
    return make_net("rings", initial, transitions)


@pytest.mark.parametrize("kind", ["safe", "bounded"])
def test_many_places_are_limited_by_few_claims_that_need_no_solver(kind: str) -> None:
    answer = check(ask(rings(100), **{kind: True}))
    assert answer.conclusion.complete
    assert len(answer.claims) <= 3
    assert set(answer.audits) <= {"checked in exact integer arithmetic", "replayed exactly"}


def limits(net: Net, wanted: dict[int, float]) -> Mapping[Sum, SumRange]:
    """What claims, all of them proved, say of places."""
    claims = list(limited_places(net, wanted, Budget()))
    assert all(prove(net, claim) for claim in claims)
    return ranges(claims)


def test_what_is_claimed_of_a_place_is_the_limit_that_was_wanted() -> None:
    net = net_of("p=1 q=0 r=3, t: p -> q")
    assert limits(net, {0: 1, 1: 5, 2: 1}) == {
        (("p", 1),): SumRange(limit=1),
        (("q", 1),): SumRange(limit=5),
    }
    more = net_of("p=1 q=0, t: p -> p + q")
    assert limits(more, {0: float("inf"), 1: float("inf")}) == {(("p", 1),): SumRange(limit=1)}


def test_a_limit_that_the_sum_does_not_imply_is_refused() -> None:
    net = make_net("two", {"p": 1, "q": 1}, {"t": ({"p": 1}, {"q": 1})})
    total = ((0, 1), (1, 1))
    prove(net, excluded_places(net, {0: (2, total), 1: (2, total)}))
    with pytest.raises(EvidenceError):
        prove(net, excluded_places(net, {0: (2, total), 1: (1, total)}))
    with pytest.raises(EvidenceError):
        prove(net, excluded_places(net, {0: (1, ((0, 1),)), 1: (1, ((1, 1),))}))


@few
@given(nets(), st.lists(st.sampled_from((0.0, 0.5, 1.0, 2.0)), min_size=16, max_size=16))
def test_what_linear_programs_say_is_not_believed(net: Net, lies: list[float]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "petricheck.symbolic.facts.place_bounds._values",
            lambda program, *_: lies[: program.columns],
        )
        known = limits(net, dict.fromkeys(range(len(net.places)), float("inf")))
    for marking in first_markings(net, 100):
        values = net.values(marking)
        for ((place, _),), bound in known.items():
            assert bound.limit is not None and values[place] <= bound.limit


@few
@given(nets())
def test_programs_bound_every_place_that_invariants_bound(net: Net) -> None:
    every = dict.fromkeys(range(len(net.places)), float("inf"))
    invariants, programs = PlaceBounds(net, every), PlaceBounds(net, every)
    list(by_invariants(invariants, Budget()))
    list(by_programs(programs, Budget()))
    assert invariants.best.keys() <= programs.best.keys()
