"""Separators of a smaller target's cubes, as combinations of literals of the larger one's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import lcm

from petricheck.evidence.invariant import Separator
from petricheck.presburger.cubes import listed_cubes
from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    Congruence,
    Cube,
    Equality,
    Formula,
    Inequality,
    substitute,
    tighten,
)
from petricheck.presburger.terms import Term

_Half = tuple[Term, int]
"""term ≤ 0 where the modulus is 0, otherwise term ≡ 0."""


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
