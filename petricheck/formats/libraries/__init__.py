"""Conversion to and from the nets of SNAKES, a library for coloured nets (extra `interop`).

Place/transition nets are those with black tokens alone: a weight n is n copies of the token `dot`
on one arc, so weights must stay small. Colours are strings (of enumerations and partitions),
integers (of ranges), and tuples of these. Nothing here loads files through SNAKES, whose own PNML
reader unpickles what it is given, and no expression of a net is evaluated.
"""

from __future__ import annotations

from typing import Any

from petricheck.formats.libraries._from_snakes import read
from petricheck.formats.libraries._to_snakes import written
from petricheck.formats.libraries._values import MAX_COPIES
from petricheck.model.coloured import net as coloured
from petricheck.model.coloured.net import Arcs, ColouredNet
from petricheck.model.coloured.sorts import Dot
from petricheck.model.coloured.terms import TRUE, Constant, Multiset, Summand, tokens
from petricheck.model.net import Net, Transition, Weights

__all__ = ["MAX_COPIES", "from_snakes", "to_snakes"]


def to_snakes(net: Net | ColouredNet) -> Any:
    """Return the net as a `snakes.nets.PetriNet`; labels are lost.

    A net that was unfolded stays so; `net.origin.coloured` is what it was before. What SNAKES
    cannot bind has variables of its own, `taken`, in a firing's mode: where an arc takes the colour
    after that of x, or a difference, the guard says what they are. A variable that no arc from a
    place binds is bound by a test of a new place, `all x`, which holds all colours of its sort; and
    what takes nothing tests `all dots`, since SNAKES would list no modes of it. `from_snakes` knows
    these places.

    Raises:
        InputError: an arc or a sort is too large, a place and a transition share an id, or a term
            is nested too deep.
        PetricheckError: SNAKES is not installed.
    """
    return written(_coloured(net) if isinstance(net, Net) else net)


def from_snakes(snakes_net: Any) -> Net | ColouredNet:
    """Return the net of a `snakes.nets.PetriNet`: a `Net` for black tokens without guards.

    Arcs are labelled with `Value`, `Variable`, `Tuple`, `MultiArc` and `Test` of these, and to
    places also with `Expression`. Expressions are variables, constants and tuples;
    `S[(S.index(x) + 1) % n]` of a tuple S of n strings that the net declares; `D[x]` of a
    dictionary that gives each colour one of these strings; and in guards comparisons of all these,
    `<` between integers and `S.index(x)`, with `and or not`. The types of places list their values,
    or admit black tokens.

    Raises:
        InputError: something else is there.
        PetricheckError: SNAKES is not installed.
    """
    net = read(snakes_net)
    plain = all(isinstance(place.sort, Dot) for place in net.places)
    return _uncoloured(net) if plain and all(t.guard == TRUE for t in net.transitions) else net


def _coloured(net: Net) -> ColouredNet:
    """Return the net with the colour `dot`."""

    def tokens_of(count: int) -> Multiset:
        return (Summand(count, Constant(Dot(), 0)),) if count else ()

    def arcs(weights: Weights) -> Arcs:
        return tuple((place, tokens_of(weight)) for place, weight in weights)

    places = zip(net.places, map(tokens_of, net.initial), strict=True)
    return ColouredNet(
        net.name,
        tuple(coloured.Place(name, Dot(), initial) for name, initial in places),
        tuple(coloured.Transition(t.name, arcs(t.pre), arcs(t.post)) for t in net.transitions),
    )


def _uncoloured(net: ColouredNet) -> Net:
    """Return the net with numbers of tokens, if all have one colour and no guard."""

    def weights(transition: coloured.Transition, arcs: Arcs) -> Weights:
        binding = {variable.name: 0 for variable in transition.variables}
        return tuple((place, tokens(multiset, binding)[0]) for place, multiset in arcs)

    return Net(
        net.name,
        tuple(place.name for place in net.places),
        tuple(Transition(t.name, weights(t, t.pre), weights(t, t.post)) for t in net.transitions),
        tuple(counts.get(0, 0) for counts in net.initial),
    )
