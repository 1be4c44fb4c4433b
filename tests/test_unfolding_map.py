"""The map beside an unfolded net: by it the arcs are those of the coloured net."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from coloured_nets import coloured_nets, count
from hypothesis import given
from strategies import repeatable

from petricheck.coloured.net import ColouredNet
from petricheck.coloured.sorts import value
from petricheck.formats import NetFile
from petricheck.formats._unfolding_map import lines


def _json(content: Any) -> Any:
    return json.loads(json.dumps(content))


@repeatable(100)
@given(coloured_nets())
def test_arcs_are_those_under_the_binding_between_places_and_colours(net: ColouredNet) -> None:
    file = NetFile(net, "0" * 64, (), "n.pnml")
    known, flat = json.loads("\n".join(lines(file))), file.net
    assert [*known["places"]] == [*flat.places]
    assert [*known["transitions"]] == [*flat.actions]
    transitions = {transition.name: transition for transition in net.transitions}
    for unfolded in flat.transitions:
        entry = known["transitions"][unfolded.name]
        transition = transitions[entry["transition"]]
        binding = {
            variable.name: [
                _json(value(variable.sort, c)) for c in range(variable.sort.size)
            ].index(entry["binding"][variable.name])
            for variable in transition.variables
        }
        for arcs, weights in ((transition.pre, unfolded.pre), (transition.post, unfolded.post)):
            expected = Counter(
                {
                    (net.places[number].name, json.dumps(value(net.places[number].sort, colour))): k
                    for number, multiset in arcs
                    for colour, k in count(multiset, binding).items()
                    if k
                }
            )
            places = ((known["places"][flat.places[number]], k) for number, k in weights)
            assert expected == {(p["place"], json.dumps(p["colour"])): k for p, k in places}
