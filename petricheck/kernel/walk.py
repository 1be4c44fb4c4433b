"""Random walks that are watched by many targets at once.

Nothing is remembered between walks, so memory stays flat; the same seed walks the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petricheck.kernel.arrays import arcs_of, integers, work_of
from petricheck.kernel.compiled import loop, pace
from petricheck.kernel.cycles import without_cycles
from petricheck.kernel.loops import ENABLED, FIRED, RESTARTS, TRUE
from petricheck.kernel.targets import Targets, Witness, state_of
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net

LONGEST = 1 << 24
"""Firings of the longest walk, whatever is asked for."""

_WORK = 64
"""Inputs of transitions that a firing looks at in hardly more time than a firing takes anyway."""


class Walk:
    """Uniform random walks from the initial marking.

    Attributes:
        firings: how often it fired so far.
    """

    def __init__(self, net: Net, targets: Sequence[Formula], seed: int = 0) -> None:
        """A walk that has not begun.

        Args:
            net: the net.
            targets: formulas over its places.
            seed: of the random numbers.

        Raises:
            BudgetExhausted: the net's numbers are too large; see `loops.MOST`.
        """
        self._arcs = arcs_of(net)
        self._targets = Targets(net, targets)
        self._initial = integers(net.initial)
        lacking = [len(transition.pre) for transition in net.transitions]
        self._state = state_of(net.initial, lacking, self._targets.circuit, seed)
        self._trace = np.zeros(0, dtype=np.int64)
        self.firings = 0
        loop("begin")(self._arcs, self._targets.circuit, self._state, self._initial)
        self._stuck = not self._state.numbers[ENABLED]

    @property
    def open(self) -> tuple[int, ...]:
        """Numbers of the targets that are watched and not met."""
        return self._targets.open

    @property
    def unwatched(self) -> tuple[int, ...]:
        """Numbers of the targets whose coefficients are too large; they are never met."""
        return self._targets.unwatched

    @property
    def stuck(self) -> bool:
        """Whether the initial marking enables nothing."""
        return self._stuck

    @property
    def pace(self) -> int:
        """How many firings take some hundredths of a second."""
        return max(1, pace() // (1 + work_of(self._arcs) // _WORK))

    @property
    def restarts(self) -> int:
        """How often a walk started over."""
        return int(self._state.numbers[RESTARTS])

    def run(self, steps: int, length: int) -> tuple[Witness, ...]:
        """Fire up to so many times; returns early with the targets that are met by then.

        What is met is watched no longer, and the next run goes on from there. A target that holds
        initially is met by the first run. The traces fire, without cycles.

        Args:
            steps: firings; `pace` says how many take some hundredths of a second.
            length: firings after which a walk starts over, at least 1.
        """
        numbers = self._state.numbers
        self._make_room(min(max(length, 1), LONGEST))
        if not numbers[TRUE] and not self._stuck:
            self.firings += loop("walk")(
                self._arcs,
                self._targets.circuit,
                self._state,
                self._initial,
                self._trace,
                steps,
            )
        if not numbers[TRUE]:
            return ()
        met = self._targets.close(self._state)
        numbers[TRUE] = 0
        fired = self._trace[: numbers[FIRED]]
        trace = without_cycles(self._arcs, len(self._initial), fired)
        return tuple(Witness(number, trace) for number in met)

    def _make_room(self, length: int) -> None:
        """Let traces be so long; a longer walk than that starts over."""
        if len(self._trace) == length:
            return
        fired = self._trace[: min(length, int(self._state.numbers[FIRED]))]
        self._trace = np.concatenate((fired, np.zeros(length - len(fired), dtype=np.int64)))
        self._state.numbers[FIRED] = min(length, self._state.numbers[FIRED])
