"""Certificates of a smaller net, made certificates of the larger one, their hints included.

Let σ·c·m ≤ σ·U exclude a cube of the smaller target by S, and let S⁺ be the same combination of the
larger target's literals. G = S⁺ − S is 0 in every reachable marking, and is changed by no firing,
since it is made of the equations by which places were replaced. So the atom c·m ≤ U becomes
σ·c·m − G ≤ σ·U, which excludes the larger cube by S⁺. The audit must see that this atom is
preserved, and it is for the reason that c·m ≤ U is: in all atoms at once, c ↦ σ·c − G multiplies
what the pair rule compares by σ, and preserves which direction is at least which. So all atoms are
shifted, 0·m ≤ 0 included, and stand beside the unshifted ones. Residues likewise, with σ·c + G.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import lcm

from petricheck.abstraction.bounds import combination
from petricheck.answer import Certificate, CoverHints, Hints, Separator
from petricheck.presburger.cubes import listed_cubes
from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    conjunction,
    substitute,
    tighten,
)
from petricheck.presburger.terms import Term, linear

ATOMS = 200_000
"""Certificates that would have more atoms are not shifted, and left to the audit's solver."""

_Half = tuple[Term, int]
"""term ≤ 0 where the modulus is 0, otherwise term ≡ 0."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a certificate has to be adapted to.

    Attributes:
        before: the larger target.
        after: the smaller target.
        facts: what is to be said besides.
        values: terms for the places of the larger target that were replaced.
        successors: a disjunct's row of hints for the larger net, from its number and all rows.
    """

    before: Formula
    after: Formula
    facts: tuple[Inequality, ...]
    values: Mapping[str, Term]
    successors: Callable[[int, Sequence[Sequence[int]]], tuple[int, ...]]


def lift_certificate(certificate: Certificate, change: Change) -> Certificate:
    """The certificate about the larger net, with hints where it has any."""
    hints = certificate.hints
    if isinstance(hints, CoverHints):
        return _lift_clauses(certificate.invariant, hints, change)
    parts = _disjuncts(certificate.invariant)
    if hints is None or parts is None or len(parts) != len(hints.successors):
        return Certificate(conjunction([certificate.invariant, *change.facts]))
    separators, shifts = _separators(hints.separators, change)
    if (1 + len(shifts)) * sum(map(len, parts)) > ATOMS:
        separators, shifts = (), ()
    period = lcm(*(atom.modulus for part in parts for atom in part if isinstance(atom, Congruence)))
    added = [(*part, *change.facts, *_shifted(part, shifts, period)) for part in parts]
    lifted = tuple(Conjunction(tuple(dict.fromkeys(atoms))) for atoms in added)
    rows = (change.successors(number, hints.successors) for number in range(len(parts)))
    return Certificate(Disjunction(lifted), Hints(tuple(rows), separators))


def _lift_clauses(invariant: Formula, hints: CoverHints, change: Change) -> Certificate:
    """With the facts behind, so that the hints' positions stay right."""
    parts = invariant.operands if isinstance(invariant, Conjunction) else (invariant,)
    return Certificate(Conjunction((*parts, *change.facts)), hints)


def _disjuncts(invariant: Formula) -> list[tuple[Formula, ...]] | None:
    """The atoms of each disjunct; None where the formula has not the shape that hints need."""
    if not isinstance(invariant, Disjunction):
        return None
    found = []
    for part in invariant.operands:
        if not isinstance(part, Conjunction):
            return None
        found.append(part.operands)
    return found


@dataclass(frozen=True, slots=True)
class _Shift:
    """σ and G of this module's description.

    Attributes:
        scale: σ.
        gap: G.
        modulus: 0 where inequalities are shifted, otherwise that of the separator.
        whole: whether all atoms are shifted, or 0·m ≤ 0 only.
    """

    scale: int
    gap: Term
    modulus: int
    whole: bool

    def atoms(self, part: Sequence[Formula], period: int) -> Iterator[Formula]:
        """The shifted atoms of a disjunct; the period is a multiple of every modulus."""
        for atom in part if self.whole else ():
            match atom:
                case Inequality(term) if not self.modulus:
                    yield Inequality(term * self.scale - self.gap)
                case Congruence(term, own) if self.modulus:
                    yield Congruence(term * self.scale + self.gap, own * self.scale)
        if self.modulus:
            yield Congruence(self.gap, lcm(self.modulus, period * self.scale))
        else:
            yield Inequality(-self.gap)

    def direction(self, old: Term) -> tuple[tuple[str, int], ...]:
        """What becomes of c."""
        gap = self.gap if self.modulus else -self.gap
        return (old * self.scale + gap).coefficients


def _shifted(part: Sequence[Formula], shifts: Sequence[_Shift], period: int) -> Iterator[Formula]:
    for shift in shifts:
        yield from shift.atoms(part, period)


def _separators(
    known: Sequence[Separator], change: Change
) -> tuple[tuple[Separator, ...], tuple[_Shift, ...]]:
    """The separators for the cubes of the larger target, and the shifts that they need."""
    if change.before == change.after:
        return tuple(known), ()
    found: list[Separator] = []
    shifts: dict[_Shift, None] = {}
    for cube, separator in of_larger_cubes(known, change.before, change.after, change.values):
        total = combination(cube, separator.multipliers)
        gap = total - total.substitute(change.values)
        if gap == Term((), 0):
            found.append(separator)
            continue
        shift = _Shift(separator.scale, gap, separator.modulus, bool(separator.direction))
        shifts[shift] = None
        direction = shift.direction(linear(separator.direction))
        moved = Separator(separator.cube, direction, separator.modulus, separator.multipliers, 1)
        found.append(moved)
    return tuple(dict.fromkeys(found)), tuple(shifts)


def of_larger_cubes(
    known: Sequence[Separator], before: Formula, after: Formula, values: Mapping[str, Term]
) -> Iterator[tuple[Cube, Separator]]:
    """Separators of cubes of the smaller target, as combinations of literals of the larger one's.

    Args:
        known: separators for the cubes of the smaller target.
        before: the larger target.
        after: the smaller target, which says the same where places have these values.
        values: terms for places of the larger target.

    Yields:
        (cube of the larger target, separator with its number and multipliers for its literals); the
        combination is what it was but for places with a value.
    """
    listed, left = listed_cubes(before), listed_cubes(after)
    if listed is None or left is None:
        return
    smaller = [tuple(map(tighten, cube)) for cube in left]
    numbers = {_key(cube): number for number, cube in enumerate(smaller)}
    for number, cube in enumerate(listed):
        for separator in _candidates(number, cube, smaller, numbers, known, values):
            yield cube, separator


def _candidates(
    number: int,
    cube: Cube,
    smaller: Sequence[tuple[Formula, ...]],
    numbers: Mapping[frozenset[_Half], int],
    known: Sequence[Separator],
    values: Mapping[str, Term],
) -> Iterator[Separator]:
    """Separators for a cube of the larger target, their directions about the smaller net."""
    images = [tighten(substitute(literal, values)) for literal in cube]
    if FALSE in images:
        yield from _impossible(number, cube, images, values)
        return
    place = numbers.get(_key(image for image in images if image != TRUE))
    for separator in known:
        if place is not None and separator.cube == place:
            moved = _adapted(number, cube, images, separator, smaller[place], values)
            if moved is not None:
                yield moved


def _impossible(
    number: int, cube: Cube, images: Sequence[Formula], values: Mapping[str, Term]
) -> Iterator[Separator]:
    """For a literal that is false by the values alone: it contradicts 0·m ≤ 0 or 0·m ≡ 0."""
    position = images.index(FALSE)
    literal, sign, modulus = cube[position], 1, 0
    term = literal.term.substitute(values)
    if isinstance(literal, Congruence):
        modulus = literal.modulus
    elif term.coefficients:
        modulus = term.content  # An equality whose constant the coefficients do not divide.
    elif term.constant < 0:
        sign = -1
    unit = tuple(sign * (position == other) for other in range(len(cube)))
    yield Separator(number, (), modulus, unit, 1)


def _adapted(
    number: int,
    cube: Cube,
    images: Sequence[Formula],
    separator: Separator,
    smaller: tuple[Formula, ...],
    values: Mapping[str, Term],
) -> Separator | None:
    """The separator with multipliers for the larger cube's literals, scaled up where need be."""
    if len(separator.multipliers) != len(smaller):
        return None
    shares = []
    for literal, multiplier in zip(smaller, separator.multipliers, strict=True):
        if multiplier:
            share = _source(literal, multiplier, cube, images, values)
            if share is None:
                return None
            shares.append(share)
    scale = 1 if separator.modulus else lcm(*(divisor for _, _, divisor in shares))
    sums = [0] * len(cube)
    for position, multiplier, divisor in shares:
        if separator.modulus and divisor != 1:
            return None
        sums[position] += multiplier * (scale // divisor)
    return Separator(
        number, separator.direction, separator.modulus, tuple(sums), separator.scale * scale
    )


def _source(
    literal: Formula,
    multiplier: int,
    cube: Cube,
    images: Sequence[Formula],
    values: Mapping[str, Term],
) -> tuple[int, int, int] | None:
    """Where a literal comes from: (position, multiplier, divisor) in the larger cube.

    Places that were replaced are avoided where another literal says the same.
    """
    found = []
    for position, (source, image) in enumerate(zip(cube, images, strict=True)):
        sign = _sign(literal, multiplier, image)
        if sign:
            replaced = sum(name in values for name in source.term.variables)
            found.append((replaced, position, sign))
    if not found:
        return None
    _, position, sign = min(found)
    if isinstance(literal, Congruence):
        return position, multiplier, 1
    content = cube[position].term.substitute(values)
    image = images[position]
    assert isinstance(image, Inequality | Equality)
    flipped = content.coefficients[0][1] * image.term.coefficients[0][1] < 0
    return position, -multiplier * sign if flipped else multiplier * sign, content.content


def _sign(literal: Formula, multiplier: int, image: Formula) -> int:
    """1 where the image says what the literal does; −1 where it is the half turned around."""
    if image == literal:
        return 1
    if isinstance(literal, Equality) and isinstance(image, Inequality):
        if multiplier > 0 and image.term == literal.term:
            return 1
        if multiplier < 0 and image.term == -literal.term:
            return -1
    if isinstance(literal, Inequality) and isinstance(image, Equality):
        if image.term == literal.term:
            return 1
        if image.term == -literal.term:
            return -1
    return 0


def _key(literals: Iterable[Formula]) -> frozenset[_Half]:
    halves: set[_Half] = set()
    for literal in literals:
        match literal:
            case Inequality(term):
                halves.add((term, 0))
            case Equality(term):
                halves |= {(term, 0), (-term, 0)}
            case Congruence(term, modulus):
                halves.add((term, modulus))
    return frozenset(halves)
