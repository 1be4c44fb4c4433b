"""What an atom is in a net, whatever the rest of its invariant says: place invariant, trap, ...

Each kind is shown for every transition, exactly; which transitions are dead does not matter. All
kinds have in common that the atom stays true once it is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from petricheck.linear import direction_of, products
from petricheck.presburger.formulas import Atom, Congruence, Equality, Inequality, evaluate
from petricheck.presburger.text import natural
from petricheck.problem import Net, Transition
from petricheck.state_equation.siphons import greatest_siphon, greatest_trap

MEANINGS = {
    "trivial": "holds in every marking",
    "kept residue": "congruence: no transition changes this residue",
    "place invariant": "place invariant: no transition changes {}",
    "never grows": "never grows: no transition increases {}",
    "never shrinks": "never shrinks: no transition decreases {}",
    "siphon": "siphon: what puts on these places takes from them, so once empty they stay empty",
    "empty siphon": "empty siphon: what puts on these places takes from them, so they stay empty",
    "trap": "trap: what takes from these places puts on them, so once one is marked, one stays so",
    "marked trap": "marked trap: what takes from these places puts on them, so one stays marked",
}
"""What the kinds of atoms mean, where {} is the left side minus the right, as `natural` has them.

A siphon's atom says that all its places are empty, and so they are initially where it is an empty
one; a trap's that some place is marked, and so it is initially where it is a marked one.
"""


@dataclass(frozen=True)
class Surroundings:
    """A net, and which transitions have to do with which places; found once for all atoms."""

    net: Net

    @cached_property
    def initially(self) -> Mapping[str, int]:
        """The initial marking by place id."""
        return self.net.values(self.net.initial)

    @cached_property
    def _touching(self) -> Mapping[int, Sequence[int]]:
        numbers: dict[int, list[int]] = {}
        for number, transition in enumerate(self.net.transitions):
            for place in {place for place, _ in (*transition.pre, *transition.post)}:
                numbers.setdefault(place, []).append(number)
        return numbers

    def transitions(self, places: Iterable[int]) -> tuple[Transition, ...]:
        """Those that take from one of the places or put on it."""
        numbers = {number for place in places for number in self._touching.get(place, ())}
        return tuple(self.net.transitions[number] for number in sorted(numbers))


def kinds(around: Surroundings, atom: Atom) -> Iterator[str]:
    """What the atom is, by keys of `MEANINGS`; nothing where only the whole invariant keeps it."""
    if not atom.term.coefficients:
        if evaluate(atom, {}):
            yield "trivial"
        return
    direction = direction_of(around.net, atom.term)
    nearby = around.transitions(place for place, _ in direction)
    change = tuple(products(direction, (transition.effect for transition in nearby)))
    if isinstance(atom, Congruence):
        if not any(value % atom.modulus for value in change):
            yield "kept residue"
        return
    if not any(change):
        yield "place invariant"
    elif isinstance(atom, Inequality) and all(value <= 0 for value in change):
        # With the sides turned, the difference that is shown is the opposite of the atom's term.
        yield "never shrinks" if natural(atom).relation == ">=" else "never grows"
    yield from _of_set(around, atom, frozenset(place for place, _ in direction), nearby)


def _of_set(
    around: Surroundings,
    atom: Inequality | Equality,
    places: frozenset[int],
    nearby: Sequence[Transition],
) -> Iterator[str]:
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
