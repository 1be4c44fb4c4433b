"""The question whether one marking is reachable."""

from __future__ import annotations

from petricheck.arithmetic.formulas import formulas
from petricheck.arithmetic.formulas.terms import variable
from petricheck.model.net import Net
from petricheck.questions.kinds._marking import Marks, Tokens


class Target(Tokens):
    """Exactly this marking: 'p1=1, p3=2'; places that are not named are empty."""

    rank = 10
    meaning = "Is exactly this marking reachable? Unnamed places are empty."
    example = "'p1=1, p3=2'"
    marks = Marks(
        ("=",),
        "a target fixes places with '='; to ask for at least so many tokens use --cover, "
        "for anything else --formula",
        "the target is empty; say how many tokens a place has, as in '{place}=1', or '{place}=0' "
        "for the marking without any token, since places that are not named are empty",
    )

    def read(self, net: Net, text: str) -> formulas.Formula:
        """Return one equality for every place, or for all colours of a place that is named."""
        named = {place.name: (place.tokens, count) for place, count in self.counts(net, text)}
        empty = {place: (variable(place), 0) for place in self.unnamed(net, text)}
        values = empty | named
        ordered = dict.fromkeys(place for place in (*net.places, *named) if place in values)
        return formulas.conjunction(formulas.equal(*values[place]) for place in ordered)

    def unnamed(self, net: Net, text: str) -> tuple[str, ...]:
        """Return the places, or places of colours, that the text omits, in the net's order."""
        named = {name for place, _ in self.counts(net, text) for name in place.tokens.variables}
        places = (net.places[number] for number in net.known)
        return tuple(place for place in places if place not in named)
