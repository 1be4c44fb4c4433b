"""What an atom is in a net, whatever the rest of its invariant says: place invariant, trap, ..."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from petricheck.presburger.formulas import Atom, Congruence, Inequality
from petricheck.presburger.terms import Term
from petricheck.problem import Net, Transition
from petricheck.state_equation.siphons import greatest_siphon, greatest_trap


@dataclass(frozen=True)
class Surroundings:
    """Which transitions have to do with which places; found once for all atoms.

    Attributes:
        net: the net.
    """

    net: Net

    @cached_property
    def _touching(self) -> Mapping[int, Sequence[int]]:
        found: dict[int, list[int]] = {}
        for number, transition in enumerate(self.net.transitions):
            for place in {place for place, _ in (*transition.pre, *transition.post)}:
                found.setdefault(place, []).append(number)
        return found

    def places(self, term: Term) -> frozenset[int]:
        """The places that the term names."""
        return frozenset(self.net.place_numbers[name] for name in term.variables)

    def transitions(self, places: Iterable[int]) -> tuple[Transition, ...]:
        """Those that take from one of the places or put on it."""
        numbers = {number for place in places for number in self._touching.get(place, ())}
        return tuple(self.net.transitions[number] for number in sorted(numbers))


def kinds(around: Surroundings, atom: Atom) -> Iterator[str]:
    """What the atom is; none where only the whole invariant keeps it."""
    change = _changes(around, atom.term)
    if isinstance(atom, Congruence):
        if not any(value % atom.modulus for value in change):
            yield "kept residue"
        return
    if not any(change):
        yield "place invariant"
    elif isinstance(atom, Inequality) and all(value <= 0 for value in change):
        yield "never grows"
    if not atom.term.coefficients:
        return
    if isinstance(atom, Inequality) and all(value < 0 for _, value in atom.term.coefficients):
        yield from _trap(around, atom.term)
    else:
        yield from _siphon(around, atom.term)


def _siphon(around: Surroundings, term: Term) -> Iterator[str]:
    """Σ w·m ≤ 0 with w > 0."""
    if term.constant or any(value < 0 for _, value in term.coefficients):
        return
    places = around.places(term)
    if greatest_siphon(around.transitions(places), places) == places:
        yield "empty siphon"


def _trap(around: Surroundings, term: Term) -> Iterator[str]:
    """Σ w·m ≥ b with w > 0: trivial for b ≤ 0, that some place is marked for small b."""
    if term.constant <= 0:
        yield "trivial"
        return
    places = around.places(term)
    marked = term.constant <= min(-value for _, value in term.coefficients)
    if marked and greatest_trap(around.transitions(places), places) == places:
        yield "marked trap"


def _changes(around: Surroundings, term: Term) -> tuple[int, ...]:
    """c·δ for each transition that can change c·m."""
    weights = {around.net.place_numbers[name]: value for name, value in term.coefficients}
    return tuple(
        sum(weights.get(place, 0) * value for place, value in transition.effect)
        for transition in around.transitions(weights)
    )
