"""What an atom is in a net, whatever the rest of its invariant says: place invariant, trap, ...

Each kind is shown for every transition, exactly; which transitions are dead does not matter. All
kinds have in common that the atom stays true once it is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from petricheck.presburger.formulas import Atom, Congruence, Equality, Inequality, evaluate
from petricheck.presburger.terms import Term
from petricheck.presburger.text import Comparison, natural
from petricheck.problem import Net, Transition
from petricheck.state_equation.siphons import greatest_siphon, greatest_trap

Kind: TypeAlias = Literal[
    "trivial",
    "kept residue",
    "place invariant",
    "never grows",
    "never shrinks",
    "siphon",
    "empty siphon",
    "trap",
    "marked trap",
]
"""- trivial: true in every marking;
- kept residue: no transition changes it;
- place invariant, never grows, never shrinks: the left side minus the right, as `natural` has
  them;
- siphon: it says that all places of a siphon are empty; empty siphon: and so they are initially;
- trap: it says that some place of a trap is marked; marked trap: and so it is initially.
"""


@dataclass(frozen=True)
class Surroundings:
    """Which transitions have to do with which places; found once for all atoms.

    Attributes:
        net: the net.
    """

    net: Net

    @cached_property
    def initially(self) -> Mapping[str, int]:
        """The initial marking by place id."""
        return self.net.values(self.net.initial)

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


def kinds(around: Surroundings, atom: Atom) -> Iterator[Kind]:
    """What the atom is; nothing where only the whole invariant keeps it."""
    if not atom.term.coefficients:
        if evaluate(atom, {}):
            yield "trivial"
        return
    change = _changes(around, atom.term)
    match atom:
        case Congruence(_, modulus):
            if not any(value % modulus for value in change):
                yield "kept residue"
        case Equality() | Inequality():
            yield from _monotone(atom, change)
            yield from _places(around, atom)


def _monotone(atom: Inequality | Equality, change: Sequence[int]) -> Iterator[Kind]:
    if not any(change):
        yield "place invariant"
    elif isinstance(atom, Inequality) and all(value <= 0 for value in change):
        shown = natural(atom)
        # With the sides turned, the difference that is shown is the opposite of the atom's term.
        turned = isinstance(shown, Comparison) and shown.relation == ">="
        yield "never shrinks" if turned else "never grows"


def _places(around: Surroundings, atom: Inequality | Equality) -> Iterator[Kind]:
    """What the atom says of its places as a set."""
    weights = [value for _, value in atom.term.coefficients]
    negative = all(value < 0 for value in weights)
    if isinstance(atom, Inequality) and negative:
        yield from _trap(around, atom, min(-value for value in weights))
    elif atom.term.constant == 0 and (negative or all(value > 0 for value in weights)):
        yield from _siphon(around, atom)


def _siphon(around: Surroundings, atom: Atom) -> Iterator[Kind]:
    """Σ w·m ≤ 0, or = 0, with w > 0."""
    places = around.places(atom.term)
    if greatest_siphon(around.transitions(places), places) == places:
        yield "empty siphon" if evaluate(atom, around.initially) else "siphon"


def _trap(around: Surroundings, atom: Atom, least: int) -> Iterator[Kind]:
    """Σ w·m ≥ b with w ≥ `least` > 0: trivial for b ≤ 0; some place is marked for b ≤ `least`."""
    if atom.term.constant <= 0:
        yield "trivial"
    elif atom.term.constant <= least:
        places = around.places(atom.term)
        if greatest_trap(around.transitions(places), places) == places:
            yield "marked trap" if evaluate(atom, around.initially) else "trap"


def _changes(around: Surroundings, term: Term) -> tuple[int, ...]:
    """c·δ for each transition that can change c·m."""
    weights = {around.net.place_numbers[name]: value for name, value in term.coefficients}
    return tuple(
        sum(weights.get(place, 0) * value for place, value in transition.effect)
        for transition in around.transitions(weights)
    )
