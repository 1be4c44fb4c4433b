"""Small unbounded nets: live, reversible and home spaces as a search by definition finds them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from notation import net_of
from unbounded_nets import COUNT, Sample, home, live, reversible, samples

from petricheck.evidence.claims import ExcludedAfter
from petricheck.questions import Finding, ask, check
from petricheck.support.budget import Budget

FEW = {"live": range(0, COUNT, 25), "reversible": range(6, COUNT, 33), "home": range(4, COUNT, 33)}
"""Some twenty of them."""

ORACLES: dict[str, Callable[[Sample], bool | None]] = {
    "live": lambda sample: live(sample.net),
    "reversible": lambda sample: reversible(sample.net),
    "home": lambda sample: home(sample.net, sample.formula),
}


def answer(kind: str, sample: Sample, seconds: float) -> Finding:
    words = {"home": sample.home}.get(kind, True)
    return check(ask(sample.net, **{kind: words}), budget=Budget(seconds))


@pytest.mark.parametrize("kind", FEW)
def test_small_unbounded_nets_are_decided_as_by_definition(kind: str) -> None:
    for sample in (samples()[number] for number in FEW[kind]):
        finding = answer(kind, sample, 10)
        assert finding.value is not None and not finding.failures
        assert ORACLES[kind](sample) in (finding.value, None), sample


@pytest.mark.parametrize(
    "text", ["p1=1 p2=0, t1: -> p1, t2: p1 -> p2", "p1=1 p2=0, t1: p1 -> p2, t2: p2 -> p1 + p2"]
)
def test_two_places_and_what_comes_without_end_are_live(text: str) -> None:
    finding = check(ask(net_of(text), live=True), budget=Budget(20))
    assert finding.value is True


def test_one_firing_shows_that_a_source_is_not_reversible() -> None:
    finding = check(ask(net_of("p=0, t: -> p"), reversible=True), budget=Budget(20))
    (claim,) = finding.claims
    assert isinstance(claim, ExcludedAfter) and claim.trace.length == 1


@pytest.mark.campaign
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("kind", "most"), [("live", 4), ("reversible", 6), ("home", 16)])
def test_of_two_hundred_small_unbounded_nets_few_stay_open(kind: str, most: int) -> None:
    open_ones = 0
    for sample in samples():
        finding = answer(kind, sample, 4)
        open_ones += finding.value is None
        assert finding.value is None or ORACLES[kind](sample) in (finding.value, None), sample
    assert open_ones <= most
