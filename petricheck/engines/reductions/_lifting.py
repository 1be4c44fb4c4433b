"""Certificates of a smaller net, made certificates of the larger one, their hints included.

Let σ·c·m ≤ σ·U exclude a cube of the smaller target by S, and let S⁺ be the same combination of the
larger target's literals. G = S⁺ − S is 0 in every reachable marking, and is changed by no firing,
since it is made of the equations by which places were replaced. So the atom c·m ≤ U becomes
σ·c·m − G ≤ σ·U, which excludes the larger cube by S⁺. The audit must see that this atom is
preserved, and it is for the reason that c·m ≤ U is: in all atoms at once, c ↦ σ·c − G multiplies
what the pair rule compares by σ, and preserves which direction is at least which. So all atoms are
shifted, 0·m ≤ 0 included, and stand beside the unshifted ones. Residues likewise, with σ·c + G.

Separators of a smaller target's cubes become combinations of literals of the larger one's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import gcd, lcm
from typing import TypeAlias

from petricheck.arithmetic.formulas.cubes import listed_cubes, weighted_sum
from petricheck.arithmetic.formulas.emptied import empties
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    conjunction,
    conjuncts,
    substitute,
    tighten,
)
from petricheck.arithmetic.formulas.terms import Term, constant, linear
from petricheck.evidence.certificates.invariant import (
    Certificate,
    CoverHints,
    Hints,
    Separator,
)

_Half: TypeAlias = tuple[Term, int]
"""term ≤ 0 where the modulus is 0, otherwise term ≡ 0."""

_Source: TypeAlias = tuple[int, int, int, int]
"""Of a half: how many places of its literal were replaced, the literal's position in the larger
cube, and by which number it is to be multiplied, and divided."""


def of_larger_cubes(
    separators: Sequence[Separator], before: Formula, after: Formula, values: Mapping[str, Term]
) -> Iterator[tuple[Cube, Separator]]:
    """Return separators of the smaller target's cubes as combinations of the larger one's literals.

    The smaller target, `after`, says the same where places of the larger, `before`, have these
    values.

    Yields:
        (cube of the larger target, separator with its number and multipliers for its literals); the
        combination is what it was but for places with a value.
    """
    listed, left = listed_cubes(before), listed_cubes(after)
    if listed is None or left is None:
        return
    smaller = [tuple(map(tighten, cube)) for cube in left]
    numbers = {frozenset(h for a in cube for h in _halves(a)): n for n, cube in enumerate(smaller)}
    for number, cube in enumerate(listed):
        images = [tighten(substitute(literal, values)) for literal in cube]
        if FALSE in images:
            yield cube, _impossible(number, cube, images.index(FALSE), values)
            continue
        sources = _sources(cube, images, values)
        same = numbers.get(frozenset(sources))
        for separator in separators if same is not None else ():
            if separator.cube == same and len(separator.multipliers) == len(smaller[same]):
                yield cube, _moved_separator(number, len(cube), separator, smaller[same], sources)


def _impossible(number: int, cube: Cube, position: int, values: Mapping[str, Term]) -> Separator:
    """Return a separator for a literal that is false by the values (0·m ≤ 0 or 0·m ≡ 0)."""
    literal, sign, modulus = cube[position], 1, 0
    term = literal.term.substitute(values)
    if isinstance(literal, Congruence):
        modulus = gcd(literal.modulus, term.content)
    elif term.coefficients:
        modulus = term.content  # An equality whose constant the coefficients do not divide.
    elif term.constant < 0:
        sign = -1
    unit = tuple(sign * (position == other) for other in range(len(cube)))
    return Separator(number, (), modulus, unit, 1)


def _halves(literal: Formula) -> tuple[_Half, ...]:
    """Return the inequalities of a literal; an equality has two."""
    match literal:
        case Inequality(term):
            return ((term, 0),)
        case Equality(term):
            return (term, 0), (-term, 0)
        case Congruence(term, modulus):
            return ((term, modulus),)
        case _:
            return ()


def _sources(
    cube: Cube, images: Sequence[Formula], values: Mapping[str, Term]
) -> dict[_Half, _Source]:
    """Map each half of the images to its source.

    Places that were replaced are avoided where another literal says the same.
    """
    sources: dict[_Half, _Source] = {}
    for position, (literal, image) in enumerate(zip(cube, images, strict=True)):
        replaced = sum(name in values for name in literal.term.variables)
        whole = literal.term.substitute(values)
        for half in _halves(image):
            opposite = half[0].coefficients[0][1] * whole.coefficients[0][1] < 0
            source = replaced, position, -1 if opposite else 1, whole.content
            if isinstance(literal, Congruence):
                source = replaced, position, 1, literal.modulus // half[1]
            sources[half] = min(source, sources.get(half, source))
    return sources


def _moved_separator(
    number: int,
    size: int,
    separator: Separator,
    smaller: tuple[Formula, ...],
    sources: Mapping[_Half, _Source],
) -> Separator:
    """Return the separator with multipliers for the larger cube's literals, scaled if needed."""
    shares = []
    for literal, multiplier in zip(smaller, separator.multipliers, strict=True):
        if multiplier:
            halves = _halves(literal)
            turned = isinstance(literal, Equality) and multiplier < 0
            _, position, factor, divisor = sources[halves[turned]]
            shares.append((position, factor * (-multiplier if turned else multiplier), divisor))
    scale = lcm(*(divisor for _, _, divisor in shares))
    sums = [0] * size
    for position, multiplier, divisor in shares:
        sums[position] += multiplier * (scale // divisor)
    modulus, whole = separator.modulus * scale, separator.scale * scale
    return Separator(number, separator.direction, modulus, tuple(sums), whole)


def empties_separated(
    separators: Sequence[Separator],
    before: Formula,
    after: Formula,
    removed_places: Collection[str],
) -> tuple[Separator, ...]:
    """Return separators for cubes of a larger target, in which places are empty that are removed.

    A separator for a cube of the smaller target, its direction about the larger net, is a
    combination S of its literals with s + σ·c ≥ 0. The larger cube says the same of other places,
    but c may be negative on a place p that is gone, and S may be. The cube's literal that p is
    empty is added as often as makes up for that. Of the removed places the larger target wants all
    empty that it names.
    """
    values = dict.fromkeys(removed_places, constant(0))
    lifted = of_larger_cubes(separators, before, after, values)
    return tuple(
        dict.fromkeys(_balanced(cube, separator, removed_places) for cube, separator in lifted)
    )


def _balanced(cube: Cube, separator: Separator, removed_places: Collection[str]) -> Separator:
    """Return the separator, with as much of the literals that empty places as it needs."""
    if separator.modulus:
        return separator
    multipliers, direction = list(separator.multipliers), dict(separator.direction)
    for name in removed_places:
        total = dict(weighted_sum(cube, multipliers).coefficients)
        lacking = -total.get(name, 0) - separator.scale * direction.get(name, 0)
        if lacking > 0:
            for position, literal in enumerate(cube):
                if name in empties(literal):
                    share = dict(literal.term.coefficients)[name]
                    multipliers[position] += -(-lacking // share)
                    break
    return replace(separator, multipliers=tuple(multipliers))


ATOMS = 200_000
"""Certificates that would have more atoms are not shifted, and left to the audit's solver."""


@dataclass(frozen=True, slots=True)
class ProblemChange:
    """A change from a larger target to a smaller one, to which certificates are adapted.

    Attributes:
        facts: what is to be said besides.
        values: terms for the places of the larger target that were replaced.
        successors: a disjunct's row of hints for the larger net, from its number and all rows.
    """

    before: Formula
    after: Formula
    facts: tuple[Inequality, ...]
    values: Mapping[str, Term]
    successors: Callable[[int, Sequence[Sequence[int]]], tuple[int, ...]]


def lift_certificate(certificate: Certificate, change: ProblemChange) -> Certificate:
    """Return the certificate about the larger net, with hints where it has any."""
    hints = certificate.hints
    if isinstance(hints, CoverHints):
        # The facts stand behind, so that the hints' positions stay right.
        return Certificate(Conjunction((*conjuncts(certificate.invariant), *change.facts)), hints)
    parts = _disjuncts(certificate.invariant)
    if hints is None or parts is None or len(parts) != len(hints.successors):
        return Certificate(conjunction([certificate.invariant, *change.facts]))
    separators, shifts = _separators(hints.separators, change)
    if (1 + len(shifts)) * sum(map(len, parts)) > ATOMS:
        separators, shifts = (), ()
    period = lcm(*(atom.modulus for part in parts for atom in part if isinstance(atom, Congruence)))
    lifted = []
    for part in parts:
        shifted = chain.from_iterable(shift.atoms(part, period) for shift in shifts)
        lifted.append(Conjunction(tuple(dict.fromkeys((*part, *change.facts, *shifted)))))
    rows = (change.successors(number, hints.successors) for number in range(len(parts)))
    return Certificate(Disjunction(tuple(lifted)), Hints(tuple(rows), separators))


def _disjuncts(invariant: Formula) -> list[tuple[Formula, ...]] | None:
    """Return the atoms of each disjunct; None if hints do not fit the formula's shape."""
    if not isinstance(invariant, Disjunction):
        return None
    parts = [part.operands for part in invariant.operands if isinstance(part, Conjunction)]
    return parts if len(parts) == len(invariant.operands) else None


@dataclass(frozen=True, slots=True)
class _Shift:
    """The scale σ and the gap G of this module's description.

    The modulus is 0 where inequalities are shifted, otherwise that of the separator. If not
    `whole`, only 0·m ≤ 0 is shifted.
    """

    scale: int
    gap: Term
    modulus: int
    whole: bool

    def atoms(self, part: Sequence[Formula], period: int) -> Iterator[Formula]:
        """Yield the shifted atoms of a disjunct; the period is a multiple of every modulus."""
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
        """Return the image of c."""
        gap = self.gap if self.modulus else -self.gap
        return (old * self.scale + gap).coefficients


def _separators(
    separators: Sequence[Separator], change: ProblemChange
) -> tuple[tuple[Separator, ...], tuple[_Shift, ...]]:
    """Return the separators for the cubes of the larger target, and the shifts that they need."""
    if change.before == change.after:
        return tuple(separators), ()
    lifted: list[Separator] = []
    shifts: dict[_Shift, None] = {}
    for cube, separator in of_larger_cubes(separators, change.before, change.after, change.values):
        total = weighted_sum(cube, separator.multipliers)
        gap = total - total.substitute(change.values)
        if gap == Term((), 0):
            lifted.append(separator)
            continue
        shift = _Shift(separator.scale, gap, separator.modulus, bool(separator.direction))
        shifts[shift] = None
        direction = shift.direction(linear(separator.direction))
        moved = Separator(separator.cube, direction, separator.modulus, separator.multipliers, 1)
        lifted.append(moved)
    return tuple(dict.fromkeys(lifted)), tuple(shifts)
