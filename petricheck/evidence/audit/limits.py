"""Checks of numbers and formulas from evidence, before they are used."""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import Congruence, Formula, atoms, substitute
from petricheck.model.net import Net
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError

BITS = 1 << 20
"""The longest numbers in evidence; the time of a division is quadratic in their length."""


def integral(*numbers: object) -> bool:
    """Return whether all are plain integers of at most `BITS` bits."""
    return all(type(number) is int and number.bit_length() <= BITS for number in numbers)


def checked(
    what: str, net: Net, formula: Formula, budget: Budget, *, observing: bool = False
) -> Formula:
    """Return the formula with its terms in normal form; messages call it `what`.

    It may name numbers that the net's origin observes, if `observing`. EvidenceError where it names
    something else than places, or has a number that is no integer or too long, or a modulus below
    1.
    """
    in_order = True
    for atom in watched(atoms(formula), budget):
        names = [name for name, _ in atom.term.coefficients]
        numbers = [value for _, value in atom.term.coefficients]
        in_order = in_order and names == sorted(set(names)) and all(numbers)
        modulus = atom.modulus if isinstance(atom, Congruence) else 1
        if not integral(atom.term.constant, modulus, *numbers) or modulus < 1:
            raise EvidenceError(
                f"{what} has a number that is no integer, or a modulus below 1, "
                f"or more than {BITS} bits"
            )
        for name in names:
            if not (net.speaks_of(name) if observing else name in net.place_numbers):
                raise EvidenceError(f"{what} names {name!r}, which is no place of the net")
    return formula if in_order else substitute(formula, {})


def natural_weights(net: Net, weights: tuple[tuple[str, int], ...]) -> dict[int, int]:
    """Return the weights of a rank, by place number; EvidenceError where one is no number ≥ 0."""
    by_place = dict(weights)
    if not by_place.keys() <= net.place_numbers.keys() or len(by_place) != len(weights):
        raise EvidenceError("a rank names a place twice, or one that the net has not")
    if not integral(*by_place.values()) or min(by_place.values(), default=0) < 0:
        raise EvidenceError("a rank has a weight that is no natural number")
    return {net.place_numbers[place]: weight for place, weight in by_place.items()}
