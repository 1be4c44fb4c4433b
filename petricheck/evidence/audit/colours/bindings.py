"""Replay of traces of bindings, for nets that count tokens of several colours together.

A skeleton counts the tokens of each place; the unfolding of a merged net counts those of each
class of colours. A trace may name bindings of the coloured net, such as `t(x=a)`. Then single
colours are moved as the coloured net does, and the counts of the net's places are updated along.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from petricheck.evidence.audit.colours.unfolding import numbers_of
from petricheck.model.coloured.names import read_firing
from petricheck.model.coloured.net import Arcs, ColouredNet
from petricheck.model.coloured.skeleton import Skeleton
from petricheck.model.coloured.terms import tokens
from petricheck.model.coloured.unfolding import Unfolding
from petricheck.model.net import Net, Transition, Weights, cached_by_net
from petricheck.support.errors import BudgetExhausted, EvidenceError


def names_bindings(net: Net, steps: Sequence[tuple[str, int]]) -> bool:
    """Return whether the steps name bindings; those of a skeleton always do.

    Colours are known in the initial marking of the coloured net only: a net that begins with
    another one has no such traces.

    Raises:
        BudgetExhausted: there are too many initial tokens.
    """
    if isinstance(net.origin, Skeleton):
        return True
    if not isinstance(net.origin, Unfolding) or net.origin.merging is None:
        return False
    original = net.origin.merging.original
    if not all(read_firing(original, name) for name in {name for name, _ in steps}):
        return False
    counts = Counter[int]()
    for number, count in initial_colours(net).items():
        place = bisect(starts := _coloured(net)[1], number) - 1
        counts[_counting(net, place, number - starts[place])] += count
    return net.initial == tuple(counts[place] for place in range(len(net.places)))


def initial_colours(net: Net) -> dict[int, int]:
    """Return the initial tokens of each colour, by numbers behind those of the net's places.

    Raises:
        BudgetExhausted: there are too many.
    """
    coloured, starts = _coloured(net)
    if not coloured.is_listed:
        raise BudgetExhausted("an arc, or the initial marking, has too many colours to replay it")
    return {
        starts[place] + colour: count
        for place, counts in enumerate(coloured.initial)
        for colour, count in counts.items()
    }


def binding(net: Net, name: str) -> Transition:
    """Return the arcs of a binding, on the numbers of colours and of the net's places.

    Raises:
        EvidenceError: there is no such binding, or it cannot fire.
    """
    coloured, starts = _coloured(net)
    read = read_firing(coloured, name)
    if read is None:
        raise EvidenceError(f"{name!r} is no binding of a transition with all of its variables")
    transition, colours = coloured.transitions[read[0]], read[1]
    if not transition.guard.holds(colours):
        raise EvidenceError(f"the guard of {name} does not hold")

    def weights(arcs: Arcs) -> Weights:
        moved: dict[int, int] = {}
        for place, multiset in arcs:
            for colour, count in tokens(multiset, colours).items():
                if count < 0:
                    raise EvidenceError(f"an arc of {name} subtracts more than there is")
                for number in (starts[place] + colour, _counting(net, place, colour)):
                    moved[number] = moved.get(number, 0) + count
        return tuple(sorted(moved.items()))

    return Transition(name, weights(transition.pre), weights(transition.post))


@cached_by_net
def _coloured(net: Net) -> tuple[ColouredNet, Sequence[int]]:
    """Return the coloured net, and for each of its places the number of its first colour."""
    origin = net.origin
    if isinstance(origin, Skeleton):
        coloured = origin.coloured
    else:
        assert isinstance(origin, Unfolding) and origin.merging is not None
        coloured = origin.merging.original
    sizes = (place.sort.size for place in coloured.places)
    return coloured, tuple(accumulate(sizes, initial=len(net.places)))


def starts_of(net: Net) -> Sequence[int]:
    """Return for each place of the coloured net the number of its first colour."""
    return _coloured(net)[1]


def _counting(net: Net, place: int, colour: int) -> int:
    """Return the number of the net's place that counts tokens of this colour."""
    if isinstance(net.origin, Skeleton):
        return place
    assert isinstance(net.origin, Unfolding) and net.origin.merging is not None
    image = net.origin.merging.token(place, colour)
    if image not in numbers_of(net)[place]:
        name = net.origin.merging.original.places[place].name
        raise EvidenceError(f"a token of {name} has no place")
    return numbers_of(net)[place][image]
