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

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import lcm

from petricheck.arithmetic.formulas.cubes import weighted_sum
from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    conjunction,
    conjuncts,
)
from petricheck.arithmetic.formulas.terms import Term, linear
from petricheck.engines.reductions._larger_cubes import of_larger_cubes
from petricheck.evidence.certificates.invariant import (
    Certificate,
    CoverHints,
    Hints,
    Separator,
)

ATOMS = 200_000
"""Certificates that would have more atoms are not shifted, and left to the audit's solver."""


@dataclass(frozen=True, slots=True)
class ProblemChange:
    """A change of a problem to which a certificate has to be adapted.

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
    """The numbers σ and G of this module's description.

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
