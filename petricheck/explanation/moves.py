"""Where transitions lead from one case of an invariant, shown atom by atom.

Of two atoms, c·m ≤ U after a firing follows from c'·m ≤ U' before it where c' ≥ c componentwise
and c·v + U' − c'·u ≤ U: with m ≥ u, c·(m + δ) = c·(m − u) + c·v ≤ c'·(m − u) + c·v. A residue
follows from the same direction's, moved by c·δ. Case distinctions and sums of atoms are not tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.presburger.formulas import Congruence, Conjunction, Formula, Inequality
from petricheck.problem import Net, Transition, Weights

WORK = 100_000
"""Pairs of atoms that are compared for one invariant."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """weights·m ≤ most."""

    weights: Mapping[int, int]
    most: int


@dataclass(frozen=True, slots=True)
class _Residue:
    """weights·m + constant ≡ 0 (mod modulus)."""

    weights: Mapping[int, int]
    constant: int
    modulus: int


_Atom: TypeAlias = _Bound | _Residue


class Cases:
    """The disjuncts of an invariant; False is an answer that is not shown."""

    def __init__(self, net: Net, disjuncts: Sequence[Formula], work: int = WORK) -> None:
        self._cases = [_atoms(net, disjunct) for disjunct in disjuncts]
        self._work = work

    @property
    def several(self) -> bool:
        """Whether there is more than one."""
        return len(self._cases) > 1

    def shows(self, case: int, hint: int, transition: Transition) -> bool:
        """Whether the transition leads from the case to the hinted one, or is disabled for -1."""
        if hint < 0:
            return self.disables(case, transition)
        return hint < len(self._cases) and self.leads(case, hint, transition)

    def disables(self, case: int, transition: Transition) -> bool:
        """Whether no marking of the case enables the transition."""
        return any(
            isinstance(atom, _Bound)
            and all(value >= 0 for value in atom.weights.values())
            and _dot(atom.weights, transition.pre) > atom.most
            for atom in self._cases[case] or ()
        )

    def leads(self, case: int, other: int, transition: Transition) -> bool:
        """Whether every firing from the case ends in the other."""
        before, after = self._cases[case], self._cases[other]
        if before is None or after is None:
            return False
        return all(self._follows(atom, before, transition) for atom in after)

    def _follows(self, atom: _Atom, before: Sequence[_Atom], transition: Transition) -> bool:
        trivial = _Bound({}, 0) if isinstance(atom, _Bound) else _Residue({}, 0, atom.modulus)
        # The same direction first: most often it is enough.
        for source in sorted((*before, trivial), key=lambda s: s.weights != atom.weights):
            self._work -= 1
            if self._work < 0:
                return False
            if _follows(atom, source, transition):
                return True
        return False


def _atoms(net: Net, disjunct: Formula) -> tuple[_Atom, ...] | None:
    """The atoms of a conjunction; None where it has other parts than bounds and residues."""
    found: list[_Atom] = []
    for part in disjunct.operands if isinstance(disjunct, Conjunction) else (disjunct,):
        match part:
            case Inequality(term):
                weights = {net.place_numbers[name]: value for name, value in term.coefficients}
                found.append(_Bound(weights, -term.constant))
            case Congruence(term, modulus):
                weights = {net.place_numbers[name]: value for name, value in term.coefficients}
                found.append(_Residue(weights, term.constant, modulus))
            case _:
                return None
    return tuple(found)


def _follows(atom: _Atom, source: _Atom, transition: Transition) -> bool:
    """Whether the atom holds after a firing from wherever the source holds."""
    places = {**atom.weights, **source.weights}
    more = [source.weights.get(place, 0) - atom.weights.get(place, 0) for place in places]
    match atom, source:
        case _Bound(c, most), _Bound(larger, before):
            after = _dot(c, transition.post) + before - _dot(larger, transition.pre)
            return after <= most and all(value >= 0 for value in more)
        case _Residue(c, constant, modulus), _Residue(_, before, own):
            same = own % modulus == 0 and not any(value % modulus for value in more)
            return same and (constant - before + _dot(c, transition.effect)) % modulus == 0
        case _:
            return False


def _dot(weights: Mapping[int, int], vector: Weights) -> int:
    return sum(weights.get(place, 0) * value for place, value in vector)
