"""That a net is the unfolding of its coloured net, by the firing of the latter.

Let every place hold any number of tokens of each colour that the unfolding keeps, and no other.
What the coloured net can fire then is what the unfolding has to have, arc by arc: a second
definition, which shares nothing with the first but the terms. If moreover these firings put tokens
of kept colours only, and the initial marking has no others, then no reachable marking has others:
so what was left out never fires, and both nets have the same markings and firings.
"""

from __future__ import annotations

from petricheck.coloured.net import Arcs, enabled
from petricheck.coloured.terms import tokens
from petricheck.coloured.unfolding import Unfolding, place_name
from petricheck.errors import EvidenceError
from petricheck.problem import Net, Weights, kept_with_net
from petricheck.words import MAX_DIGITS

_PLENTY = 10**MAX_DIGITS
"""More tokens than any arc takes: weights of files have fewer digits."""


@kept_with_net
def check_unfolding(net: Net) -> None:
    """Compare the net with the one that it is said to be the unfolding of.

    Raises:
        EvidenceError: they differ.
    """
    origin = net.origin
    if origin is None:
        return
    assert isinstance(origin, Unfolding)
    coloured = origin.coloured
    kept = [(n, int(c)) for n, colours in enumerate(origin.colours) for c in colours]
    numbers = {pair: number for number, pair in enumerate(kept)}
    initial = {(n, c): k for n, counts in enumerate(coloured.initial) for c, k in counts.items()}
    _require(initial.keys() <= numbers.keys(), "an initial token has no place")
    _require(net.initial == tuple(initial.get(pair, 0) for pair in kept), "the initial marking")
    _require(net.places == tuple(place_name(coloured, *pair) for pair in kept), "the places")
    marking = tuple({int(c): _PLENTY for c in colours} for colours in origin.colours)
    for transition, unfolded in zip(coloured.transitions, origin.transitions.values(), strict=True):
        written = {net.transitions[n].name: net.transitions[n] for n in unfolded}
        _require(len(written) == len(unfolded), f"the names of the firings of {transition.name}")
        for binding in enabled(transition, marking):
            name = transition.text(binding)
            _require(name in written, f"{name} is left out")
            flat = written.pop(name)
            _require(flat.pre == _weights(transition.pre, binding, numbers), f"the input of {name}")
            _require(
                flat.post == _weights(transition.post, binding, numbers), f"the output of {name}"
            )
        _require(not written, f"{next(iter(written), '')} cannot fire")


def _weights(arcs: Arcs, binding: dict[str, int], numbers: dict[tuple[int, int], int]) -> Weights:
    return tuple(
        sorted(
            (numbers.get((place, colour), -1), count)
            for place, multiset in arcs
            for colour, count in tokens(multiset, binding).items()
        )
    )


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise EvidenceError(f"the net is not unfolded as its colours say: {what}")
