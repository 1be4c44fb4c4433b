"""Contest models of both kinds: coloured nets unfold to place/transition nets of their names."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from folders import SHARED

from petricheck.formats.nets import read_net
from petricheck.model.net import Net, Weights

MODELS = SHARED / "mcc"
TWINS = (
    "AirplaneLD-{}-0010",
    "CSRepetitions-{}-02",
    "DatabaseWithMutex-{}-02",
    "DrinkVendingMachine-{}-02",
    "PGCD-{}-D02N005",
    "PermAdmissibility-{}-50",
    "Peterson-{}-2",
    "Philosophers-{}-000005",
    "PolyORBLF-{}-S02J04T06",
    "QuasiCertifProtocol-{}-02",
    "SafeBus-{}-03",
    "SharedMemory-{}-000005",
)


def shape(net: Net) -> tuple[Counter[int], Counter[int]]:
    """Places and transitions by what they look like from five arcs away, whatever their names."""
    places = [hash(tokens) for tokens in net.initial]
    transitions: list[int] = []
    for _ in range(5):

        def side(weights: Weights, seen: tuple[int, ...] = tuple(places)) -> tuple[object, ...]:
            return tuple(sorted((seen[place], weight) for place, weight in weights))

        transitions = [hash((side(t.pre), side(t.post))) for t in net.transitions]
        around: dict[int, list[object]] = defaultdict(list)
        for looks, transition in zip(transitions, net.transitions, strict=True):
            for end, weights in enumerate((transition.pre, transition.post)):
                for place, weight in weights:
                    around[place].append((end, looks, weight))
        places = [hash((old, *sorted(around[place]))) for place, old in enumerate(places)]
    return Counter(places), Counter(transitions)


@pytest.mark.parametrize("name", TWINS)
def test_the_contest_unfolds_alike(name: str) -> None:
    coloured, flat = (
        next(MODELS.glob(f"{folder}{name.format(kind)}/model.pnml*"), None)
        for folder, kind in (("coloured/", "COL"), ("**/", "PT"))
    )
    if coloured is None or flat is None:
        pytest.skip("the shared models are not here")
    assert shape(read_net(coloured).net) == shape(read_net(flat).net)
