"""A coloured net without its colours: how many tokens each firing takes and puts, of any colour.

An arc moves the same number of tokens under every binding, so that the numbers of tokens of the
coloured net's places change as this net's do: its place invariants hold of them. It may do more.
"""

from __future__ import annotations

from petricheck import problem
from petricheck.coloured.net import Arcs, ColouredNet
from petricheck.coloured.terms import size


def skeleton(net: ColouredNet) -> problem.Net:
    """The place/transition net with the same places and transitions."""
    transitions = (
        problem.Transition(t.name, _weights(t.pre), _weights(t.post), t.label)
        for t in net.transitions
    )
    return problem.Net(
        net.name,
        tuple(place.name for place in net.places),
        tuple(transitions),
        tuple(size(place.initial) for place in net.places),
        tuple(place.label for place in net.places),
    )


def _weights(arcs: Arcs) -> problem.Weights:
    return tuple((place, size(multiset)) for place, multiset in arcs if size(multiset))
