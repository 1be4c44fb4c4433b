"""Random walks that are watched by many targets at once, and may lean towards one of them.

Nothing is remembered between walks, so memory stays flat; the same seed walks the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.kernel.circuit import Aim, no_aim
from petricheck.kernel.cycles import without_cycles
from petricheck.kernel.loops.constants import FIRED, RESTARTS, TRUE
from petricheck.kernel.targets import WatchedWalk, Witness
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net

LONGEST = 1 << 24
"""Firings of the longest walk, whatever is asked for."""

_ENTRIES = 32
"""Arcs that a plan looks at in the time of a firing."""

_NODES = 30_000
"""Nodes of a target that are measured in some tenths of a second in plain Python."""


class Walk(WatchedWalk):
    """Random walks from the initial marking.

    Attributes:
        leans: whether it may lean towards the first target.
    """

    def __init__(
        self,
        net: Net,
        targets: Sequence[Formula],
        seed: int = 0,
        leans: bool = False,
        plain: bool = False,
    ) -> None:
        """A walk that has not begun.

        Args:
            net: the net.
            targets: formulas over its places.
            seed: of the random numbers.
            leans: whether it may lean towards the first target, see `run`.
            plain: whether it begins as plain Python.

        Raises:
            BudgetExhausted: the numbers of the net, or of that target, are too large.
        """
        super().__init__(net, targets, seed, plain)
        self.leans = leans
        self._aim = self._aiming(0) if leans else no_aim()
        self._pursued, self._pursuit = -1, self._aim

    @property
    def few(self) -> int:
        """How many leaning steps take some tenths of a second in plain Python."""
        return _NODES // (16 + len(self._aim.order))

    @property
    def restarts(self) -> int:
        """How often a walk started over."""
        return int(self._state.numbers[RESTARTS])

    def run(self, steps: int, length: int, candidates: int = 1) -> tuple[Witness, ...]:
        """Fire up to so many times; returns early with the targets that are met by then.

        What is met is watched no longer, and the next run goes on from there. A target that holds
        initially is met by the first run. The traces fire, without cycles.

        Args:
            steps: firings; `pace` says how many take some hundredths of a second.
            length: firings after which a walk starts over, at least 1.
            candidates: of so many transitions it mostly fires what leads nearest to the target that
                it leans towards; 1 for uniform walks.
        """
        return self._run("walk", self._aim, steps, length, candidates)

    def pursue(self, target: int, steps: int, length: int) -> tuple[Witness, ...]:
        """The same from the initial marking on, by plans for an open target.

        Args:
            target: its number.
            steps: firings; a plan counts for as many as take its time.
            length: firings after which a walk starts over, at least 1.
        """
        if target != self._pursued:
            self._pursued, self._pursuit = target, self._aiming(target, far_sighted=True)
        self._make_room(min(max(length, 1), LONGEST))
        self._state.numbers[FIRED] = len(self._trace)
        price = 1 + len(self._arcs.inputs) // _ENTRIES
        return self._run("pursue", self._pursuit, steps, length, price)

    def _run(
        self, name: str, aim: Aim, steps: int, length: int, further: int
    ) -> tuple[Witness, ...]:
        numbers = self._state.numbers
        self._make_room(min(max(length, 1), LONGEST))
        if not numbers[TRUE] and not self.stuck:
            arguments = self._arcs, self._circuit, self._state, aim, self._initial, self._trace
            self.firings += self._loop(name)(*arguments, steps, further)
        if not numbers[TRUE]:
            return ()
        fired = self._trace[: numbers[FIRED]]
        return self._close(without_cycles(self._arcs, len(self._initial), fired))
