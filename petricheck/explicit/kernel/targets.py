"""Searches that many targets watch: their open targets, their reached ones, and their circuit."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.answer import Trace, trace_of
from petricheck.explicit.kernel import arrays
from petricheck.explicit.kernel.arrays import Integers, SearchState, arcs_of, integers
from petricheck.explicit.kernel.circuit import (
    TOO_LARGE,
    Aim,
    Circuit,
    aim_at,
    circuit_of,
    fits,
    no_aim,
    watching,
)
from petricheck.explicit.kernel.constants import ENABLED, FIRED, TRUE, WAITING, WORK
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.compiled import Loop, loop, pace, plain, prepare
from petricheck.support.errors import BudgetExhausted

READS = 16
"""Transitions and atoms that are read in the time that a firing takes anyway."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A target that is reachable, and the transitions that lead there from the initial marking."""

    target: int
    trace: tuple[int, ...]


def named_trace(witness: Witness, net: Net) -> Trace:
    """Return the trace of a witness, with the ids of the transitions."""
    return trace_of(witness.trace, net.actions)


def fits_loops(problem: Problem) -> bool:
    """Return whether the numbers of the net and of the target are small enough."""
    return arrays.fits(problem.net) and fits(problem.target)


@dataclass(frozen=True)
class WatchedTargets:
    """Targets in a circuit, which is made once for all searches that watch them.

    Attributes:
        circuit: of the open targets.
        nodes: by the number of an open target, its node.
        unwatched: numbers of the targets with too large coefficients.
    """

    circuit: Circuit
    nodes: Mapping[int, int]
    unwatched: tuple[int, ...]

    def only(self, numbers: Collection[int]) -> WatchedTargets:
        """Return those of these numbers."""
        nodes = {number: node for number, node in self.nodes.items() if number in numbers}
        return replace(self, circuit=watching(self.circuit, integers(nodes.values())), nodes=nodes)


def watch(net: Net, targets: Sequence[Formula]) -> WatchedTargets:
    """Return the targets, formulas over the net's places, in a circuit."""
    fitting = [number for number, target in enumerate(targets) if fits(target)]
    circuit, tops = circuit_of(net, [targets[number] for number in fitting])
    nodes = dict(zip(fitting, map(int, tops), strict=True))
    return WatchedTargets(circuit, nodes, tuple(n for n in range(len(targets)) if n not in nodes))


class WatchedSearch:
    """A search from the initial marking that targets watch; subclasses walk or explore.

    Attributes:
        plain: whether it runs as plain Python.
        open: numbers of the watched targets that are not reached yet.
        unwatched: numbers of the targets with too large coefficients; they are never reached.
    """

    def __init__(
        self,
        net: Net,
        targets: Sequence[Formula] | WatchedTargets,
        seed: int = 0,
        plain: bool = False,
    ) -> None:
        """Start at the initial marking; as plain Python, which needs no imports, if `plain`.

        The targets are those of `watch`; the seed is of the random numbers.

        Raises:
            BudgetExhausted: the net's numbers are too large; see `constants.MOST`.
        """
        self.plain = plain
        if not plain:
            prepare()
        self._net, self._arcs, self._initial = net, arcs_of(net), integers(net.initial)
        watched = targets if isinstance(targets, WatchedTargets) else watch(net, targets)
        self.open, self.unwatched = tuple(watched.nodes), watched.unwatched
        self._circuit, self._nodes = watched.circuit, watched.nodes
        self._state = _nowhere(net, self._circuit, seed)
        self._loop("begin")(self._arcs, self._circuit, self._state, no_aim(), self._initial)

    def _aiming(self, target: int, far_sighted: bool = False, factor: int = 1) -> Aim:
        """Return an aim at an open target, see `circuit.aim_at`; refuse too large coefficients."""
        if target in self.unwatched:
            raise BudgetExhausted(TOO_LARGE)
        aim = aim_at(self._net, self._circuit, self._nodes[target], far_sighted, factor)
        self._loop("distance")(self._arcs, self._circuit, self._state, aim)
        return aim

    def _pace(self, steps: int) -> int:
        """Return how many steps take some hundredths of a second, after so many.

        What they read is counted, not timed, so that a search is the same each time.
        """
        reads = int(self._state.numbers[WORK])
        return max(1, pace() * (1 + steps) // (1 + steps + reads // READS))

    def _loop(self, name: str) -> Loop:
        return plain(name) if self.plain else loop(name)

    def _close(self, trace: tuple[int, ...]) -> tuple[Witness, ...]:
        """Return witnesses of the open targets that hold now; they are watched no longer."""
        numbers = tuple(number for number in self.open if self._holds(self._nodes[number]))
        self.open = tuple(number for number in self.open if number not in frozenset(numbers))
        self._circuit = watching(self._circuit, integers(self._nodes[n] for n in self.open))
        self._state.numbers[TRUE] = 0
        return tuple(Witness(number, trace) for number in numbers)

    def _holds(self, node: int) -> bool:
        if node < len(self._state.truths):
            return bool(self._state.truths[node])
        return bool(self._state.counts[node] >= self._circuit.needs[node])


class WatchedWalk(WatchedSearch):
    """A walk from the initial marking, with its trace.

    Attributes:
        firings: the number of its firings so far.
        stuck: whether the initial marking enables nothing.
    """

    def __init__(
        self, net: Net, targets: Sequence[Formula], seed: int = 0, plain: bool = False
    ) -> None:
        super().__init__(net, targets, seed, plain)
        self.firings, self.stuck = 0, not self._state.numbers[ENABLED]
        self._trace = np.zeros(0, dtype=np.int64)

    @property
    def pace(self) -> int:
        """The number of firings that take some hundredths of a second."""
        return self._pace(self.firings)

    def _set_length(self, length: int) -> None:
        """Set the length of traces; a walk that would be longer starts over."""
        if len(self._trace) == length:
            return
        numbers = self._state.numbers
        numbers[FIRED] = min(length, numbers[FIRED])
        fired = self._trace[: numbers[FIRED]]
        self._trace = np.concatenate((fired, np.zeros(length - len(fired), dtype=np.int64)))


def _nowhere(net: Net, circuit: Circuit, seed: int) -> SearchState:
    """Return the state before the loop `begin`: no tokens anywhere."""
    places, transitions = len(net.places), len(net.transitions)
    atoms, nodes = len(circuit.tests), len(circuit.needs)
    mixed = (seed + 1) * 0x9E3779B97F4A7C15 % (1 << 64) or 1

    def zeros(size: int) -> Integers:
        return np.zeros(size, dtype=np.int64)

    return SearchState(
        zeros(places),
        zeros(transitions),
        np.full(places, -1, dtype=np.int64),
        np.full(transitions, -1, dtype=np.int64),
        zeros(atoms),
        zeros(atoms),
        zeros(nodes),
        zeros(nodes + 1),
        zeros(WAITING + 1),
        np.array([mixed], dtype=np.uint64),
    )
