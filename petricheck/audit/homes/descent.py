"""A rank that falls until the home space is reached.

The *rank* of a marking is a sum of its tokens, with weights ≥ 0. Given are *words*, firing
sequences each of which lowers it: the weighted sum of its effect is negative. Let U be the markings
outside of the home space in which no word can fire, as its hurdle, the least marking from which it
fires, says. No marking in U is reachable, which the certificate shows (`audit.shapes`).

Then from a reachable marking m outside of the home space some word fires, since m is not in U, and
leads to a reachable marking of lower rank. Ranks are natural numbers, so after at most as many
words as the rank of m the home space is reached. Of several home spaces, one of the markings that
all of them have is reached.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from petricheck.audit.limits import checked, integral
from petricheck.audit.sequences import Word, disabled, word_of
from petricheck.audit.shapes import shape_of
from petricheck.budget import Budget
from petricheck.errors import EvidenceError
from petricheck.evidence.descent import LoweringWords
from petricheck.presburger.formulas import Conjunction, Formula, Negation
from petricheck.problem import Net, Problem


@dataclass(frozen=True)
class Descent:
    """Words that lower a rank, one of which can fire wherever the home space is not reached yet."""

    of: ClassVar[type] = LoweringWords

    def discharge(
        self,
        net: Net,
        formulas: tuple[Formula, ...],
        proof: LoweringWords,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Compute what the words need and change, and check the certificate of the others."""
        formulas = tuple(checked("a home space", net, f, budget) for f in formulas)
        rank = _weights(net, proof.rank)
        words = [word_of(net, word, budget) for word in proof.words]
        for word in words:
            if sum(rank.get(place, 0) * change for place, change in word.effect.items()) >= 0:
                raise EvidenceError("a firing sequence does not lower the rank")
        problem = Problem(net, stuck(net, formulas, words))
        shape = shape_of(proof.certificate)
        return shape.discharge(problem, proof.certificate, budget, second_solver)


def stuck(net: Net, formulas: tuple[Formula, ...], words: Iterable[Word]) -> Formula:
    """U: outside of a home space, and none of the words can fire."""
    return Conjunction((Negation(Conjunction(formulas)), disabled(net, words)))


def _weights(net: Net, rank: tuple[tuple[str, int], ...]) -> dict[int, int]:
    by_place = dict(rank)
    if not by_place.keys() <= net.place_numbers.keys() or len(by_place) != len(rank):
        raise EvidenceError("a rank names a place twice, or one that the net has not")
    if not integral(*by_place.values()) or min(by_place.values(), default=0) < 0:
        raise EvidenceError("a rank has a weight that is no natural number")
    return {net.place_numbers[place]: weight for place, weight in by_place.items()}
