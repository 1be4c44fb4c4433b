"""Restriction languages L_0 ⊆ L_1 ⊆ …, each finite, which together hold every label.

With N the largest number of the question, an atom c·m ≤ b is in L_k where the weights of c are at
most k + 1 and b is at most (k + 1)·N, and c·m ≡ r (mod q) where the same holds of c and q; signs
aside. Interpolants are taken from L_k, and k grows only where the guide proposes none. With an
invariant in L_k, and a guide that finds interpolants in L_k wherever there are some, the unwinding
would be finite; ours do not promise that.
"""

from __future__ import annotations

from collections.abc import Iterator

from petricheck.laboratory.unwinding.labels import Label
from petricheck.laboratory.unwinding.replay import Interpolants
from petricheck.presburger.formulas import atoms
from petricheck.problem import Problem


class Languages:
    """The language that is allowed now.

    Args:
        problem: the question; N is the largest number in it.
        first: k to begin with; less than 0 where nothing is restricted.

    Attributes:
        current: k.
    """

    def __init__(self, problem: Problem, first: int) -> None:
        self.current = first
        self._restricted = first >= 0
        self._largest = max(_numbers(problem), default=1)

    def level(self, interpolants: Interpolants) -> int:
        """The least k with all of them in L_k; 0 where nothing is restricted."""
        if not self._restricted:
            return 0
        return max((self._least(label) for _, label in interpolants), default=0)

    def allow(self, interpolants: Interpolants) -> bool:
        """Whether they are in the language of now."""
        return not self._restricted or self.level(interpolants) <= self.current

    def raise_to(self, interpolants: Interpolants) -> None:
        """Allow these, if they are not."""
        if self._restricted:
            self.current = max(self.current, self.level(interpolants))

    def _least(self, label: Label) -> int:
        bounds = label.bounds.items()
        sizes = [-(-abs(bound) // self._largest) for _, bound in bounds]
        sizes += [-(-residue.modulus // self._largest) for residue in label.residues]
        directions = (*label.bounds, *(residue.direction for residue in label.residues))
        sizes += [abs(weight) for direction in directions for _, weight in direction]
        return max(0, max(sizes, default=0) - 1)


def _numbers(problem: Problem) -> Iterator[int]:
    """The sizes of all numbers of the question, and 1."""
    yield 1
    yield from problem.net.initial
    for transition in problem.net.transitions:
        yield from (weight for _, weight in (*transition.pre, *transition.post))
    for atom in atoms(problem.target):
        yield abs(atom.term.constant)
        yield from (abs(weight) for _, weight in atom.term.coefficients)
