"""Places and transitions as the model has them: those of a coloured net stand for several.

A place of a coloured net holds the tokens of all its colours together, and a transition of it is
enabled under some binding. Names of the unfolded net stand for themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from petricheck.presburger.terms import Term, constant, variable
from petricheck.problem import Net, Transition, kept_with_net


@kept_with_net
def places_of(net: Net) -> Mapping[str, Term]:
    """The tokens of each place of the model, by its name."""
    if net.origin is None:
        return {name: variable(name) for name in net.places}
    return {
        name: Term(tuple(sorted([(net.places[number], 1) for number in numbers])), 0)
        for name, numbers in net.origin.places.items()
    }


@kept_with_net
def transitions_of(net: Net) -> Mapping[str, Sequence[Transition]]:
    """The transitions of the net for each of the model, by its name; without added ones."""
    if net.origin is None:
        return {t.name: (t,) for t in net.transitions if t.name not in net.added}
    return {
        name: [net.transitions[number] for number in numbers]
        for name, numbers in net.origin.transitions.items()
    }


def tokens(net: Net, name: str) -> Term:
    """The tokens of a place of the model, or of one of its colours, of which some are left out."""
    if net.origin is None:
        return variable(name)
    if name in net.origin.places:
        return places_of(net)[name]
    return variable(name) if name in net.place_numbers else constant(0)


def firings(net: Net, name: str) -> Sequence[Transition]:
    """The transitions of the net that one of the model stands for, or this one of the net."""
    if net.origin is None or name not in net.origin.transitions:
        return (net.transitions[net.transition_numbers[name]],)
    return transitions_of(net)[name]
