"""What `petricheck info` says of a coloured net before it is unfolded."""

from __future__ import annotations

import json
from itertools import islice

import pytest
from coloured_firing import enabled, fire
from coloured_nets import coloured_nets
from folders import NETS
from hypothesis import given, settings
from invoked import run, settled

from petricheck.model.coloured.net import ColouredNet, Place
from petricheck.model.coloured.sorts import Dot, Enumeration, Partition, Product, Range
from petricheck.model.coloured.unfolding import unfold
from petricheck.reports.survey.coloured import (
    coloured_lines,
    most_nodes,
    place_invariants,
    sorts_of,
)
from petricheck.support.budget import Budget

PHILOSOPHERS = NETS / "philosophers.pnml"


def test_it_tells_sorts_bindings_invariants_and_the_size_of_the_unfolding() -> None:
    lines = settled(run("info", PHILOSOPHERS)).output.splitlines()
    assert lines[:11] == [
        "coloured net philosophers: 4 places, 3 transitions, 9 arcs",
        "sorts (1):",
        "  Phil, 5 colours in a cycle: ada ben cleo dan eve; places thinking fork waiting eating",
        "transitions with variables (3), those with most bindings first:",
        "  take_left: 5, x of Phil",
        "  take_right: 5, x of Phil",
        "  put_down: 5, x of Phil",
        "place invariants of all colours together (2):",
        "  eating + thinking + waiting = 5",
        "  2*eating + fork + waiting = 5",
        "the unfolding has at most 20 places and 15 transitions",
    ]
    assert "unfolding of philosophers: 20 places, 15 transitions, 50 arcs, 10 tokens" in lines
    assert "  at most 1 of each colour, reached: thinking fork waiting eating" in lines
    assert "  fork eating" in lines  # a siphon
    told = json.loads(settled(run("info", PHILOSOPHERS, "--json")).output)
    assert told["coloured"]["sorts"] == [
        {
            "name": "Phil",
            "kind": "enumeration",
            "size": 5,
            "colours": ["ada", "ben", "cleo", "dan", "eve"],
        }
    ]
    assert told["coloured"]["unfolds_to_at_most"] == {"places": 20, "transitions": 15}
    assert told["coloured"]["variables"]["put_down"] == {"x": "Phil"}
    assert {"sum": {"fork": 1, "waiting": 1, "eating": 2}, "equals": 5} in (
        told["coloured"]["invariants"]
    )
    assert told["places"] == 20 and "coloured" not in json.loads(
        run("info", NETS / "parity_U.pnml", "--json").output
    )


def test_of_a_net_that_is_too_large_to_unfold_it_tells_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = settled(run("info", PHILOSOPHERS)).output.splitlines()
    monkeypatch.setattr("petricheck.model.coloured.possible.MOST", 4)
    result = settled(run("info", PHILOSOPHERS), 1)
    assert result.stdout.splitlines() == whole[:11]
    assert "unfolding" in result.stderr and "4 are too many" in result.stderr
    told = json.loads(run("info", PHILOSOPHERS, "--json").stdout)
    assert told["coloured"]["places"] == 4 and told["reason"] in result.stderr
    assert "places" not in told


def test_sorts_are_told_by_what_they_are_made_of() -> None:
    side = Enumeration("Side", ("left", "right"))
    numbers = Range("", 1, 12)
    parts = Partition("Part", numbers, ("low", "high"), (0,) * 6 + (1,) * 6)
    pair = Product("Pair", (side, Product("", (parts, Dot()))))
    net = ColouredNet("n", (Place("p", pair), Place("q", Dot())), ())
    assert sorts_of(net) == (side, numbers, parts, pair.factors[1], pair)
    assert list(coloured_lines(net)) == [
        "coloured net n: 2 places, 0 transitions, 0 arcs",
        "sorts (5):",
        "  Side, 2 colours: left right",
        "  1..12, 12 colours: 1 to 12",
        "  Part, 2 colours, parts of 1..12: low high",
        "  (Part, dot), 2 colours: (Part, dot)",
        "  Pair, 4 colours: (Side, (Part, dot)); places p",
        "place invariants of all colours together (2):",
        "  p = 0",
        "  q = 0",
        "the unfolding has at most 5 places and 0 transitions",
    ]


@settings(max_examples=20)
@given(coloured_nets())
def test_what_it_says_is_so(net: ColouredNet) -> None:
    unfolded = unfold(net, Budget())
    places, transitions = most_nodes(net)
    assert len(unfolded.places) <= places and len(unfolded.transitions) <= transitions
    terms, marking = place_invariants(net), net.initial
    for _ in range(8):
        counts = (sum(tokens.values()) for tokens in marking)
        values = dict(zip((place.name for place in net.places), counts, strict=True))
        assert not any(term.evaluate(values) for term in terms)
        steps = [(t, b) for t in net.transitions for b in islice(enabled(t, marking), 2)]
        if not steps:
            break
        transition, binding = steps[-1]
        marking = fire(transition, marking, binding)
