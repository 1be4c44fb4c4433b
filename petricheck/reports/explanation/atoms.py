"""The kinds of atoms of an invariant, and the contradictions of atoms with cubes of the target.

The kind of an atom (place invariant, trap and so on) does not depend on the other atoms of the
invariant. It is shown for every transition, exactly, dead transitions included. An atom of any
kind stays true once it is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Cube,
    Equality,
    Formula,
    Inequality,
    evaluate,
)
from petricheck.arithmetic.formulas.layout import natural
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.audit.invariants.separators import combination
from petricheck.evidence.certificates.invariant import Separator
from petricheck.model.net import Net, Transition
from petricheck.symbolic.facts.siphons import greatest_siphon, greatest_trap
from petricheck.symbolic.linear import direction_of, products

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
"""The meanings of the kinds; {} is the left side minus the right side of `natural(atom)`.

The atom of a siphon says that all its places are empty; an "empty siphon" is so initially. The atom
of a trap says that some place is marked; a "marked trap" is so initially.
"""


@dataclass(frozen=True)
class Adjacency:
    """A net with its places' adjacent transitions, computed once for all atoms."""

    net: Net

    @cached_property
    def initially(self) -> Mapping[str, int]:
        """The initial marking by place id."""
        return self.net.values(self.net.initial)

    @cached_property
    def _by_place(self) -> Mapping[int, Sequence[int]]:
        numbers: dict[int, list[int]] = {}
        for number, transition in enumerate(self.net.transitions):
            for place in {place for place, _ in (*transition.pre, *transition.post)}:
                numbers.setdefault(place, []).append(number)
        return numbers

    def transitions(self, places: Iterable[int]) -> tuple[Transition, ...]:
        """Return the transitions that take from one of the places or put on it."""
        numbers = {number for place in places for number in self._by_place.get(place, ())}
        return tuple(self.net.transitions[number] for number in sorted(numbers))


def kinds(adjacency: Adjacency, atom: Atom) -> Iterator[str]:
    """Yield the atom's kinds, keys of `MEANINGS`; none if only the whole invariant preserves it."""
    if not atom.term.coefficients:
        if evaluate(atom, {}):
            yield "trivial"
        return
    direction = direction_of(adjacency.net, atom.term)
    adjacent = adjacency.transitions(place for place, _ in direction)
    change = tuple(products(direction, (transition.effect for transition in adjacent)))
    if isinstance(atom, Congruence):
        if not any(value % atom.modulus for value in change):
            yield "kept residue"
        return
    if not any(change):
        yield "place invariant"
    elif isinstance(atom, Inequality) and all(value <= 0 for value in change):
        # With the sides turned, the difference shown is the negated term of the atom.
        yield "never shrinks" if natural(atom).relation == ">=" else "never grows"
    yield from _set_kinds(adjacency, atom, frozenset(place for place, _ in direction), adjacent)


def _set_kinds(
    adjacency: Adjacency,
    atom: Inequality | Equality,
    places: frozenset[int],
    adjacent: Sequence[Transition],
) -> Iterator[str]:
    """Yield the kinds of the atom as a statement about the set of its places.

    For w > 0, Σ w·m ≤ 0 or Σ w·m = 0 says that all places are empty. Σ w·m ≥ b says that some place
    is marked if w ≥ b > 0, and nothing if b ≤ 0.
    """
    weights, constant = [value for _, value in atom.term.coefficients], atom.term.constant
    holds, negative = evaluate(atom, adjacency.initially), max(weights) < 0
    if isinstance(atom, Inequality) and negative:
        if constant <= 0:
            yield "trivial"
        elif constant <= -max(weights) and greatest_trap(adjacent, places) == places:
            yield "marked trap" if holds else "trap"
    elif (
        constant == 0
        and (negative or min(weights) > 0)
        and greatest_siphon(adjacent, places) == places
    ):
        yield "empty siphon" if holds else "siphon"


@dataclass(frozen=True, slots=True)
class Box:
    """A cube of the target, with the least and greatest tokens that it allows by place."""

    cube: Cube
    lower: Mapping[str, int]
    upper: Mapping[str, int]

    def range(self, term: Term) -> tuple[int | None, int | None]:
        """Return the least and the greatest value of a term in the bounds; None if unlimited."""
        least: int | None = term.constant
        most: int | None = term.constant
        for name, value in term.coefficients:
            ends = self.lower.get(name, 0), self.upper.get(name)
            low, high = ends if value > 0 else ends[::-1]
            least = None if least is None or low is None else least + value * low
            most = None if most is None or high is None else most + value * high
        return least, most


def box_of(cube: Cube) -> Box:
    """Return the cube with the bounds that its atoms state for single places."""
    lower: dict[str, int] = {}
    upper: dict[str, int] = {}
    for atom in cube:
        match atom:
            case Equality(Term(((name, 1 | -1 as sign),), constant)):
                lower[name] = upper[name] = -constant * sign
    for atom in cube:
        match atom:
            case Inequality(Term(((name, 1),), constant)):
                upper[name] = min(upper.get(name, -constant), -constant)
            case Inequality(Term(((name, -1),), constant)):
                lower[name] = max(lower.get(name, 0), constant)
    return Box(cube, lower, upper)


def contradiction(conjunct: Formula, box: Box, separators: Iterable[Separator]) -> Formula | None:
    """Return the bound of the conjunct's term that the cube implies, if it contradicts it."""
    if not isinstance(conjunct, Atom):
        return None
    direction, constant = Term(conjunct.term.coefficients, 0), conjunct.term.constant
    least, most = box.range(direction)
    fixed = all(name in box.lower and name in box.upper for name in direction.variables)
    if fixed and least is not None and least == most:
        holds = evaluate(replace(conjunct, term=Term((), least + constant)), {})
        return None if holds else Equality(direction - least)
    for separator in separators:
        if (separated := _separated_formula(conjunct, box.cube, separator)) is not None:
            return separated
    if not isinstance(conjunct, Congruence) and least is not None and least + constant > 0:
        return Inequality(least - direction)
    if isinstance(conjunct, Equality) and most is not None and most + constant < 0:
        return Inequality(direction - most)
    return None


def _separated_formula(conjunct: Atom, cube: Cube, separator: Separator) -> Formula | None:
    """Return what the separator derives from the cube, if it contradicts the conjunct."""
    total = combination(separator, cube)
    if total is None:
        return None
    direction, modulus = Term(separator.direction, 0), separator.modulus
    conjunct_form, constant = Term(conjunct.term.coefficients, 0), conjunct.term.constant
    if isinstance(conjunct, Congruence):
        # c·m ≡ −S(0), where S ≡ c and the conjunct says another residue.
        fits = conjunct.modulus == modulus and separator.scale == 1 and conjunct_form == direction
        if not fits or any(value % modulus for _, value in (total - direction).coefficients):
            return None
        differs = (total.constant - constant) % modulus
        return Congruence(direction + total.constant, modulus) if differs else None
    if (
        modulus
        or conjunct_form not in ((direction, -direction)[: 1 + isinstance(conjunct, Equality)])
    ):
        return None
    most = -constant if conjunct_form == direction else constant
    least = -(-total.constant // separator.scale)
    difference = total + direction * separator.scale
    contradicts = most < least and all(value >= 0 for _, value in difference.coefficients)
    return Inequality(least - direction) if contradicts else None
