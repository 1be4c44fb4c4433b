"""The map beside an unfolded net: by it the arcs are those of the coloured net."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from coloured_nets import coloured_nets, count
from hypothesis import given
from strategies import repeatable

from petricheck.formats.nets import NetFile
from petricheck.formats.nets._unfolding_map import lines
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Enumeration, Product, Range, value
from petricheck.model.coloured.terms import Constant, Summand, Tuple, Variable


def _json(content: Any) -> Any:
    return json.loads(json.dumps(content))


@repeatable(25)
@given(coloured_nets())
def test_arcs_are_those_under_the_binding_between_places_and_colours(net: ColouredNet) -> None:
    file = NetFile(net, "0" * 64, (), "n.pnml")
    known, flat = json.loads("\n".join(lines(file.net, file.sha256))), file.net
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


def test_merged_colours_are_told_by_place_and_component() -> None:
    sort = Enumeration("S", ("a", "b", "c"))
    pair, x = Product("", (sort, Range("", 1, 2))), Variable("x", sort)
    both = Tuple((x, Constant(pair.factors[1], 1)))
    places = (
        Place("p", sort, tuple(Summand(1, Constant(sort, c)) for c in (0, 1, 2))),
        Place("q", pair),
    )
    move = Transition("t", ((0, (Summand(1, x),)),), ((1, (Summand(1, both),)),))
    file = NetFile(ColouredNet("n", places, (move,)), "0" * 64, (), "n.pnml")
    vars(file)["net"] = file.merged  # as where the plain unfolding is too large
    known = json.loads("\n".join(lines(file.net, file.sha256)))
    letters = {"_": ["a", "b", "c"]}
    assert known["classes"]["p"] == [letters]
    assert known["classes"]["q"][0] == letters
    assert known["places"]["p"] == {"place": "p", "colour": "_"}
