"""Random guarded nets fire as their definition says."""

from __future__ import annotations

from random import Random

import pytest
from guarded_random import random_net

from petricheck.model.guarded.net import GuardedNet


def compare(seed: int) -> int:
    """Compare what fires in each marking; how many firings there are."""
    graph, _ = random_net(Random(seed))
    net, firings = graph.net.net(), 0
    if not isinstance(net, GuardedNet):
        return 0
    for marking, successors in graph.after.items():
        names = enumerate(net.plain.actions)
        fired = {t: net.fire(n, marking) for n, t in names if net.enabled(n, marking)}
        assert fired == successors, (seed, str(net))
        firings += len(fired)
    return firings


def test_what_fires_in_a_guarded_net_is_what_its_definition_says() -> None:
    assert sum(map(compare, range(60))) > 500


@pytest.mark.campaign
def test_campaign_of_firings_in_guarded_nets() -> None:
    assert sum(map(compare, range(60, 5000))) > 50_000
