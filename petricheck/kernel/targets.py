"""Targets of one search: which are open, which are met, and their circuit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from petricheck.answer import Trace, joined
from petricheck.errors import BudgetExhausted
from petricheck.kernel import arrays
from petricheck.kernel.arrays import State
from petricheck.kernel.circuit import TOO_LARGE, Aim, Circuit, aim_at, circuit_of, fits, watching
from petricheck.kernel.loops import WAITING
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net, Problem


@dataclass(frozen=True, slots=True)
class Witness:
    """That a target is reachable.

    Attributes:
        target: its number.
        trace: numbers of the transitions that lead there from the initial marking.
    """

    target: int
    trace: tuple[int, ...]


def named(witness: Witness, net: Net) -> Trace:
    """The trace of a witness, with the transitions' ids."""
    return joined(((number, 1) for number in witness.trace), net.actions)


def fits_loops(problem: Problem) -> bool:
    """Whether the numbers of the net and of the target are small enough."""
    return arrays.fits(problem.net) and fits(problem.target)


class Targets:
    """The open targets, as a circuit that knows of no others.

    Attributes:
        circuit: the arrays.
        open: numbers of the targets that are watched and not met yet.
        unwatched: numbers of those whose coefficients are too large, see `circuit.fits`.
    """

    def __init__(self, net: Net, formulas: Sequence[Formula]) -> None:
        self._net = net
        self.open = tuple(n for n, formula in enumerate(formulas) if fits(formula))
        watched = frozenset(self.open)
        self.unwatched = tuple(n for n in range(len(formulas)) if n not in watched)
        self.circuit, tops = circuit_of(net, [formulas[number] for number in self.open])
        self._nodes = dict(zip(self.open, map(int, tops), strict=True))

    def close(self, state: State) -> tuple[int, ...]:
        """The open targets that are true in this state; they are watched no longer."""
        met = tuple(number for number in self.open if self._holds(state, self._nodes[number]))
        closed = frozenset(met)
        self.open = tuple(number for number in self.open if number not in closed)
        nodes = np.array([self._nodes[number] for number in self.open], dtype=np.int64)
        self.circuit = watching(self.circuit, nodes)
        return met

    def aim(self, target: int, far_sighted: bool, factor: int) -> Aim:
        """Aiming at an open target, see `circuit.aim_at`.

        Raises:
            BudgetExhausted: its coefficients are too large.
        """
        if target in self.unwatched:
            raise BudgetExhausted(TOO_LARGE)
        return aim_at(self._net, self.circuit, self._nodes[target], far_sighted, factor)

    def _holds(self, state: State, node: int) -> bool:
        if node < len(state.truths):
            return bool(state.truths[node])
        return bool(state.counts[node] >= self.circuit.needs[node])


def state_of(marking: Sequence[int], lacking: Sequence[int], circuit: Circuit, seed: int) -> State:
    """The state before the loop `begin`: no tokens anywhere.

    Args:
        marking: any marking, for its length.
        lacking: by transition, its number of inputs.
        circuit: the targets.
        seed: of the random numbers.
    """
    transitions, nodes = len(lacking), len(circuit.needs)
    mixed = (seed + 1) * 0x9E3779B97F4A7C15 % (1 << 64) or 1
    return State(
        np.zeros(len(marking), dtype=np.int64),
        np.array(lacking, dtype=np.int64),
        np.zeros(transitions, dtype=np.int64),
        np.zeros(transitions, dtype=np.int64),
        np.zeros(len(circuit.tests), dtype=np.int64),
        np.zeros(len(circuit.tests), dtype=np.int64),
        np.zeros(nodes, dtype=np.int64),
        np.zeros(nodes + 1, dtype=np.int64),
        np.zeros(WAITING + 1, dtype=np.int64),
        np.array([mixed], dtype=np.uint64),
    )
