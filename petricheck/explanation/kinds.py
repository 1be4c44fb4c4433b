"""What an atom is in a net, whatever the rest of its invariant says: place invariant, trap, ...

Each kind is shown for every transition, exactly; which transitions are dead does not matter. All
kinds have in common that the atom stays true once it is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from petricheck.linear import direction_of, products
from petricheck.presburger.formulas import Atom, Congruence, Equality, Inequality, evaluate
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
    direction = direction_of(around.net, atom.term)
    places = frozenset(place for place, _ in direction)
    nearby = around.transitions(places)
    change = tuple(products(direction, (transition.effect for transition in nearby)))
    match atom:
        case Congruence(_, modulus):
            if not any(value % modulus for value in change):
                yield "kept residue"
        case Equality() | Inequality():
            yield from _monotone(atom, change)
            yield from _of_set(around, atom, places, nearby)


def _monotone(atom: Inequality | Equality, change: Sequence[int]) -> Iterator[Kind]:
    if not any(change):
        yield "place invariant"
    elif isinstance(atom, Inequality) and all(value <= 0 for value in change):
        shown = natural(atom)
        # With the sides turned, the difference that is shown is the opposite of the atom's term.
        turned = isinstance(shown, Comparison) and shown.relation == ">="
        yield "never shrinks" if turned else "never grows"


def _of_set(
    around: Surroundings,
    atom: Inequality | Equality,
    places: frozenset[int],
    nearby: Sequence[Transition],
) -> Iterator[Kind]:
    """What the atom says of its places as a set.

    Σ w·m ≤ 0, or = 0, with w > 0 says that all are empty; Σ w·m ≥ b with w ≥ b > 0 that some are
    marked, and for b ≤ 0 nothing.
    """
    weights, constant = [value for _, value in atom.term.coefficients], atom.term.constant
    holds, negative = evaluate(atom, around.initially), max(weights) < 0
    if isinstance(atom, Inequality) and negative:
        if constant <= 0:
            yield "trivial"
        elif constant <= -max(weights) and greatest_trap(nearby, places) == places:
            yield "marked trap" if holds else "trap"
    elif (
        constant == 0
        and (negative or min(weights) > 0)
        and greatest_siphon(nearby, places) == places
    ):
        yield "empty siphon" if holds else "siphon"
