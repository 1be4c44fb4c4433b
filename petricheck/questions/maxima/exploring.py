"""Maxima of sums over all reachable markings, where these are few enough to be explored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from petricheck.answer import joined
from petricheck.budget import MEBIBYTE, Budget
from petricheck.claims import Claim, Excluded, reached
from petricheck.kernel.compiled import is_compiled
from petricheck.kernel.explore import LARGEST, Exploration
from petricheck.marking_table import MarkingTable
from petricheck.presburger.formulas import disjunction
from petricheck.problem import Net
from petricheck.questions.maxima import Sum, exceeds
from petricheck.state_space.table import Layout, Words, sealed, tightened, tokens

_MEMORY = 256 * MEBIBYTE
_MARKINGS = 20_000
"""Between two looks at the budget."""

_LARGEST = 1 << 20
"""Weights up to this cannot overflow: tokens are below 2^41, and places below 2^22."""


def explored(net: Net, sums: Sequence[Sum], budget: Budget, most: int = LARGEST) -> Iterator[Claim]:
    """The maxima of the sums, if all markings are explored; otherwise the best values seen.

    Sums with large weights are passed over. Where limits are reached, or the most markings that are
    wanted, what was explored by then counts.

    Raises:
        BudgetExhausted: the net's numbers are too large.
    """
    small = [weights for weights in sums if all(abs(w) <= _LARGEST for _, w in weights)]
    if not small or not is_compiled():
        return
    exploration = Exploration(net, (), _MEMORY)
    while not exploration.ended and budget.remaining and exploration.size < most:
        exploration.run(_MARKINGS)
        budget.report(f"{exploration.size} markings")
    layout = tuple(zip(net.places, exploration.layout.bits.tolist(), strict=True))
    words = exploration.words.T
    best = _greatest(layout, words, small)
    for weights, (number, value) in zip(small, best, strict=True):
        steps = ((action, 1) for action in exploration.trace(number))
        yield reached(exceeds(weights, value), joined(steps, net.actions))
    table = sealed(*tightened(layout, words)) if exploration.exhausted else None
    if table is not None:
        pairs = zip(small, best, strict=True)
        yield Excluded(disjunction(exceeds(s, value + 1) for s, (_, value) in pairs), table)


def _greatest(layout: Layout, words: Words, sums: Sequence[Sum]) -> tuple[tuple[int, int], ...]:
    """(number of the first marking with the greatest value, the value) for each sum."""
    fields = {field.place: field for field in MarkingTable(layout, b"").fields}
    greatest = []
    for weights in sums:
        values = np.zeros(words.shape[1], dtype=np.int64)
        for place, weight in weights:
            values += weight * tokens(words, fields[place]).astype(np.int64)
        number = int(values.argmax())
        greatest.append((number, int(values[number])))
    return tuple(greatest)
