"""Nets and searches as flat arrays of 64-bit integers, which the loops take.

Sparse vectors follow each other: vector k is the entries starts[k] up to starts[k + 1].
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.explicit.kernel.constants import MOST
from petricheck.model.net import Net, cached_by_net
from petricheck.model.weights import Integers as Integers
from petricheck.model.weights import transposed, weights_of
from petricheck.support.errors import BudgetExhausted

Words: TypeAlias = NDArray[np.uint64]
Rows: TypeAlias = NDArray[Any]
"""One marking a row, one place a column."""


class Arcs(NamedTuple):
    """A net: effects and inputs by transition, consumers (transition, weight) by place.

    Of the inputs of a transition those come first that the fewest transitions add tokens to.
    """

    effect_starts: Integers
    effect_places: Integers
    effect_changes: Integers
    input_starts: Integers
    inputs: Integers
    input_weights: Integers
    consumer_starts: Integers
    consumers: Integers
    consumer_weights: Integers


class SearchState(NamedTuple):
    """The current state of a search.

    Attributes:
        marking: tokens by place.
        enabled: ENABLED transitions, among them all that are enabled; once they are settled
            (`loops.firing.settle`), only those.
        waiting: by place, the last of the other transitions that wait for tokens there; −1 for
            none. Each waits at one place, which holds too little for it.
        following: by transition, the next one that waits at the same place.
        values: of the atoms' terms.
        truths: 1 for each atom that holds.
        counts: by gate, how many operands hold.
        stack: work space for flips that are propagated.
        numbers: see `constants.ENABLED` and what follows it.
        random: the state of the random numbers.
    """

    marking: Integers
    enabled: Integers
    waiting: Integers
    following: Integers
    values: Integers
    truths: Integers
    counts: Integers
    stack: Integers
    numbers: Integers
    random: Words


def integers(values: Iterable[int]) -> Integers:
    """Return the values as an array."""
    return np.array(list(values), dtype=np.int64)


def fits(net: Net) -> bool:
    """Return whether the initial marking and all weights are at most `constants.MOST`."""
    weights = (weights_of(net).inputs.values, weights_of(net).outputs.values)
    return max((*net.initial, *(v.max() for v in weights if len(v))), default=0) <= MOST


@cached_by_net
def arcs_of(net: Net) -> Arcs:
    """Return the net's arrays, which are read-only.

    BudgetExhausted where its numbers are too large.
    """
    if not fits(net):
        raise BudgetExhausted("tokens and weights beyond 2^40 are not searched")
    inputs, _, effects = weights_of(net)
    # A transition that is not enabled waits for the first input that lacks tokens. Where that one
    # rarely gets any, it is seldom read in vain.
    producers = np.bincount(effects.indices[effects.values > 0], minlength=len(net.places))
    order = np.lexsort((producers[inputs.indices], inputs.owners))
    inputs = inputs._replace(indices=inputs.indices[order], values=inputs.values[order])
    return Arcs(*effects, *inputs, *transposed(inputs, len(net.places)))
