"""Facts: formulas that hold initially, and that every transition keeps, each by itself.

Place invariants; what other engines have learnt, as far as it is inductive; and half-spaces and
congruences of the state equation that refute an obligation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from petricheck.audit.obligation import preservation
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.flows.basis import invariant_basis
from petricheck.flows.place_invariant import invariant
from petricheck.laboratory.pdr.polyhedra import Polyhedron
from petricheck.linear import term_of, value_at
from petricheck.presburger.formulas import Congruence, Formula, evaluate, variables
from petricheck.presburger.solver import find_model
from petricheck.problem import Net
from petricheck.state_equation.congruences import separating_congruence
from petricheck.state_equation.half_spaces import separating_half_space

SECONDS = 0.5
"""For each question whether a transition keeps a fact."""

PATIENCE = 16
"""Obligations looked at before rare success makes the next ones rarer."""

RARE = 16
"""Success is rare where fewer than one obligation in so many is refuted."""


def place_invariants(net: Net) -> tuple[Formula, ...]:
    """Independent ones that span all; none where they are too much work."""
    return tuple(invariant(net, weights).formula(net) for weights in invariant_basis(net) or ())


def inductive(net: Net, formulas: Iterable[Formula], budget: Budget) -> Iterator[Formula]:
    """Those that hold initially and that every transition keeps, as far as that is soon seen.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    for formula in formulas:
        budget.check()
        if evaluate(formula, net.values(net.initial)) and _kept(net, formula, budget):
            yield formula


def _kept(net: Net, formula: Formula, budget: Budget) -> bool:
    """Whether no transition leaves the formula."""
    places = {net.place_numbers[name] for name in variables(formula)}
    try:
        for transition in net.transitions:
            budget.check()
            if places.isdisjoint(place for place, _ in transition.effect):
                continue
            left = preservation(net, transition, formula, formula).formula
            if find_model(left, seconds=min(SECONDS, budget.remaining), natural=True) is not None:
                return False
    except BudgetExhausted:
        budget.check()
        return False
    return True


class StateEquation:
    """Refutes obligations by c·m ≤ c·m0, or by c·m ≡ c·m0, which every transition keeps."""

    def __init__(self, net: Net, budget: Budget) -> None:
        """Nothing was refuted so far."""
        self._net, self._budget = net, budget
        self._asked = self._tried = self._found = 0

    def against(self, markings: Polyhedron) -> Formula | None:
        """A fact that contradicts these markings; not always looked for, where it is rare."""
        self._asked += 1
        rare = self._tried >= PATIENCE and self._found * RARE < self._tried
        if rare and self._asked % RARE:
            return None
        self._tried += 1
        found = self._congruence(markings) or self._half_space(markings)
        self._found += found is not None
        return found

    def _half_space(self, markings: Polyhedron) -> Formula | None:
        net, seconds = self._net, self._budget.remaining
        with suppress(OverflowError):  # No float is as large as that number.
            cube = markings.cube(net)
            if kept := separating_half_space(net, net.transitions, cube, (), seconds):
                return kept.half_space.inequality(net)
        return None

    def _congruence(self, markings: Polyhedron) -> Formula | None:
        net = self._net
        effects = (transition.effect for transition in net.transitions)
        kept = separating_congruence(net, effects, markings.cube(net))
        if kept is None:
            return None
        direction, modulus = kept.residue.direction, kept.residue.modulus
        return Congruence(term_of(net, direction) - value_at(direction, net.initial), modulus)
