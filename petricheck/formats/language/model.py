"""Places and transitions of the model: those of a coloured net represent several.

A place of a coloured net has the tokens of all its colours together, and a transition of it is
enabled if it is under some binding.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.formats.language.enabling import Needs, Observed, Upper, minimal, none_enabled
from petricheck.model.net import Net, Weights, cached_by_net


@cached_by_net
def places_of(net: Net) -> Mapping[str, Term]:
    """Return the tokens of each place of the model, by its name."""
    if net.origin is None:
        return {name: variable(name) for name in net.places}
    return {
        name: Term(tuple(sorted([(net.places[number], 1) for number in numbers])), 0)
        for name, numbers in net.origin.places.items()
    }


def transitions_of(net: Net) -> Sequence[str]:
    """Return the names of the transitions of the model, without added ones."""
    if net.origin is None:
        return [name for name in net.actions if name not in net.added]
    return [*net.origin.transitions]


@cached_by_net
def deadlocked(net: Net) -> Formula:
    """Return the formula that no transition of the model is enabled."""
    return none_enabled(net, (needs(net, name) for name in transitions_of(net)))


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place of the model, or some colours of it, as users write it, and how much it holds."""

    name: str
    tokens: Term


def place(net: Net, name: str, colours: str = "") -> NamedPlace:
    """Return the place with this id, or those of its tokens that have colours such as `(a, _)`.

    QueryError where it has no such colours.
    """
    if name in net.parameters:
        return NamedPlace(name, variable(name))
    if net.origin is None or not colours:
        return NamedPlace(name, places_of(net)[name])
    text, numbers = net.origin.place_of(name, colours)
    return NamedPlace(text, linear((net.places[number], 1) for number in numbers))


def needs(net: Net, name: str, binding: str = "") -> Needs:
    """Return the needs of a transition of the model, under a binding such as `(x=a)`.

    QueryError where it has no such variable, or this no such colour.
    """
    if net.origin is None:
        return ((net.transitions[net.transition_numbers[name]].pre,),)
    if observed := net.origin.fireability(name, binding):
        return Observed(observed)
    guards = net.left_out
    numbers = net.origin.transitions[name] if guards else ()
    upper = {pair for number in numbers if number in guards for pair in guards[number].upper}
    return (
        *(_alternatives(net, *factor) for factor in net.origin.factors(name, binding)),
        *starmap(Upper, sorted(upper)),
    )


def firing(net: Net, name: str, binding: str = "") -> str:
    """Return the id of a transition; of one of the model, with a binding such as `(x=a)`.

    QueryError where it has no such variable, or this no such colour, or one has none.
    """
    return name if net.origin is None else net.origin.firing_of(name, binding)


def bindings(net: Net, name: str, binding: str = "") -> Sequence[int]:
    """Return the numbers of the transitions that one of the model stands for, under a binding.

    QueryError as for `needs`.
    """
    if net.origin is None:
        return (net.transition_numbers[name],)
    return net.origin.bindings(name, binding)


def _alternatives(
    net: Net, numbers: Sequence[int], places: Sequence[Container[int]]
) -> tuple[Weights, ...]:
    """Return the vectors that these transitions take from the places."""
    inputs = (net.transitions[number].pre for number in numbers)
    return minimal(
        tuple(pair for pair in pre if any(pair[0] in p for p in places)) for pre in inputs
    )
