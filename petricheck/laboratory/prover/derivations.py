"""Clauses with what they were derived from, and the proof of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.laboratory.prover.proofs import Contra, Hypothesis, Literal, Resolution, Step


@dataclass(frozen=True, slots=True)
class Chain:
    """Resolutions one after the other.

    Attributes:
        start: the number of a clause.
        links: literals, with numbers of clauses that have them; the clause at hand has the
            opposites, and loses them.
    """

    start: int
    links: tuple[tuple[Literal, int], ...]


class Derivations:
    """Clauses, numbered in the order in which they were derived."""

    def __init__(self) -> None:
        self.clauses: list[tuple[Literal, ...]] = []
        self._origins: list[Hypothesis | Contra | Chain] = []

    def add(self, clause: Sequence[Literal], origin: Hypothesis | Contra | Chain) -> int:
        """Return the clause's new number."""
        self.clauses.append(tuple(clause))
        self._origins.append(origin)
        return len(self.clauses) - 1

    def steps(self, last: int) -> tuple[Step, ...]:
        """Return a proof of the clause, without steps that it does not use."""
        steps: list[Step] = []
        places: dict[int, int] = {}
        for number in sorted(self._needed_clauses(last)):
            origin = self._origins[number]
            if isinstance(origin, Chain):
                places[number] = _resolved(steps, origin, places)
            else:
                places[number] = len(steps)
                steps.append(origin)
        return tuple(steps)

    def _needed_clauses(self, last: int) -> set[int]:
        needed: set[int] = set()
        pending = [last]
        while pending:
            number = pending.pop()
            if number not in needed:
                needed.add(number)
                match self._origins[number]:
                    case Chain(start, links):
                        pending += [start, *(link for _, link in links)]
        return needed


def _resolved(steps: list[Step], chain: Chain, places: dict[int, int]) -> int:
    """Append the resolutions of a chain; the number of the last."""
    current = places[chain.start]
    for literal, number in chain.links:
        positive, negative = places[number], current
        if literal < 0:
            positive, negative = negative, positive
        steps.append(Resolution(abs(literal), positive, negative))
        current = len(steps) - 1
    return current
