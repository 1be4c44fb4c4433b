"""Ranks that many words lower, by linear programs.

The weights w ≥ 0 of a rank are such that w·δ ≤ −1 for the effects δ of many words. Each effect may
exceed −1 at a cost, as in the soft margins of separating planes. Among the words of each *choice*,
one has to lower the rank; an integer variable chooses it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.programs.linear_programs import LinearProgram, integer_ray
from petricheck.evidence.audit.sequences import Word

_LARGEST = 1000.0
"""The largest weight, before rounding to integers."""

_SMALL = 1e-4
"""The cost of a unit of weight."""

_FREE = 4 * _LARGEST
"""The slack that words have which are not chosen."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A weighted sum of tokens.

    Attributes:
        weights: by place number, positive.
    """

    weights: Mapping[int, int]

    def change(self, effect: Mapping[int, int]) -> int:
        """Return the amount that an effect (by place number) adds to the rank."""
        return sum(self.weights.get(place, 0) * change for place, change in effect.items())


def lowered_rank(
    places: int,
    words: Sequence[tuple[Word, float]],
    choices: Sequence[Sequence[int]],
    seconds: float,
) -> Rank | None:
    """Return a rank that words lower, of each choice at least one; None without any.

    Args:
        places: how many there are.
        words: each with its cost if it does not lower the rank.
        choices: numbers of words.
        seconds: limit.
    """
    program = LinearProgram()
    weights = [program.column(cost=_SMALL, upper=_LARGEST) for _ in range(places)]
    slacks = [program.column(cost) for _, cost in words]
    for (word, _), slack in zip(words, slacks, strict=True):
        entries = {weights[place]: change for place, change in word.effect.items()}
        program.row({**entries, slack: -1}, upper=-1.0)
    for choice in choices:
        chosen = [program.column(upper=1.0, integral=True) for _ in choice]
        for number, column in zip(choice, chosen, strict=True):
            program.row({slacks[number]: 1.0, column: _FREE}, upper=_FREE)
        program.row(dict.fromkeys(chosen, 1.0), lower=1.0)
    values = program.solve(seconds)
    integers = None if values is None else integer_ray(values[:places])
    if integers is None:
        return None
    rank = Rank({place: weight for place, weight in enumerate(integers) if weight > 0})
    effects = [word.effect for word, _ in words]
    chosen_well = all(any(rank.change(effects[n]) < 0 for n in choice) for choice in choices)
    return rank if chosen_well else None
