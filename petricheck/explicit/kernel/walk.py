"""Random walks that many targets watch at once, and that may lean towards one of them.

Walks store no markings, so memory stays constant. The same seed gives the same walk. Cycles are
removed from traces: a part that leads from a marking back to itself is not needed. Markings along
the trace are compared by two sums of 64-bit factors, computed for all at once. Two markings with
equal sums are practically impossible, and the audit would reject the trace.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.explicit.kernel.arrays import Arcs, Integers, Words
from petricheck.explicit.kernel.circuit import Aim, no_aim
from petricheck.explicit.kernel.constants import FIRED, RESTARTS, TRUE
from petricheck.explicit.kernel.targets import WatchedWalk, Witness
from petricheck.model.net import Net


def remove_cycles(arcs: Arcs, places: int, trace: Integers) -> tuple[int, ...]:
    """Return the trace without cycles: from each marking it goes on after its last occurrence."""
    keys = _keys(arcs, places, trace)
    order = np.lexsort(keys)
    repeated = (keys[:, order[1:]] == keys[:, order[:-1]]).all(axis=0)
    numbers = np.zeros(len(order), dtype=np.int64)
    numbers[order[1:]] = np.cumsum(~repeated)
    last = np.zeros(len(order), dtype=np.int64)
    last[numbers] = np.arange(len(order))  # A later occurrence overwrites an earlier one.
    after = last[numbers].tolist()
    retained, position = [], after[0]
    while position < len(trace):
        retained.append(position)
        position = after[position + 1]
    return tuple(trace[retained].tolist())


def _keys(arcs: Arcs, places: int, trace: Integers) -> Words:
    """Return two keys of the marking before each firing, and of the last; 0 for the initial one."""
    factors = np.random.default_rng(places).integers(1, 1 << 63, (2, places), dtype=np.uint64)
    transitions = len(arcs.effect_starts) - 1
    owners = np.repeat(np.arange(transitions), np.diff(arcs.effect_starts))
    keys = np.zeros((2, len(trace) + 1), dtype=np.uint64)
    for row in range(2):
        changes = np.zeros(transitions, dtype=np.uint64)
        weighted = arcs.effect_changes.astype(np.uint64) * factors[row, arcs.effect_places]
        np.add.at(changes, owners, weighted)
        np.cumsum(changes[trace], out=keys[row, 1:])
    return keys


LONGEST = 1 << 24
"""Firings of the longest walk, whatever length is given."""

_ENTRIES = 32
"""Arcs that a plan reads in the time of a firing."""

_NODES = 30_000
"""Nodes of a target whose distances plain Python computes in some tenths of a second."""


class Walk(WatchedWalk):
    """Random walks from the initial marking, some of which lean towards the first target."""

    def __init__(
        self,
        net: Net,
        targets: Sequence[Formula],
        seed: int = 0,
        leans: bool = False,
        plain: bool = False,
    ) -> None:
        """Start a walk, see `WatchedSearch`; it may lean towards the first target, see `run`."""
        super().__init__(net, targets, seed, plain)
        self.leans = leans
        self._aim = self._aiming(0) if leans else no_aim()
        self._pursued_target, self._pursuit_aim = -1, self._aim

    @property
    def leaning_pace(self) -> int:
        """The number of leaning steps that take some tenths of a second in plain Python."""
        return _NODES // (16 + len(self._aim.order))

    @property
    def restarts(self) -> int:
        """The number of times that a walk started over."""
        return int(self._state.numbers[RESTARTS])

    def run(self, steps: int, length: int, candidates: int = 1) -> tuple[Witness, ...]:
        """Fire up to `steps` transitions; return early with the targets that are reached by then.

        Reached targets are watched no longer, and the next run continues from there. The first run
        returns a target that holds initially. The traces fire and have no cycles. `pace` is how
        many steps take some hundredths of a second; a walk starts over after `length` firings, at
        least 1. For each firing so many candidates are drawn, of which mostly the one fires that
        leads nearest to the target towards which the walk leans; 1 for uniform walks.
        """
        return self._run("walk", self._aim, steps, length, candidates)

    def start_over(self) -> None:
        """Go back to the initial marking before the next firing."""
        self._state.numbers[FIRED] = len(self._trace)

    def pursue(self, target: int, steps: int, length: int) -> tuple[Witness, ...]:
        """Walk on by plans for an open target; return as `run` does.

        A plan counts for as many steps as take its time.
        """
        if target != self._pursued_target:
            self._pursued_target, self._pursuit_aim = target, self._aiming(target, far_sighted=True)
        price = 1 + len(self._arcs.inputs) // _ENTRIES
        return self._run("pursue", self._pursuit_aim, steps, length, price)

    def _run(
        self, name: str, aim: Aim, steps: int, length: int, argument: int
    ) -> tuple[Witness, ...]:
        numbers = self._state.numbers
        self._set_length(min(max(length, 1), LONGEST))
        if not numbers[TRUE] and not self.stuck:
            arguments = self._arcs, self._circuit, self._state, aim, self._initial, self._trace
            self.firings += self._loop(name)(*arguments, steps, argument)
        if not numbers[TRUE]:
            return ()
        fired = self._trace[: numbers[FIRED]]
        return self._close(remove_cycles(self._arcs, len(self._initial), fired))
