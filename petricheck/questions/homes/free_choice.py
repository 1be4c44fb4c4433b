"""Home spaces of free-choice nets: their positive invariants, by linear programs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.programs.linear_programs import LinearProgram, integer_ray
from petricheck.evidence.audit.homes.free_choice import (
    FreeChoice,
    contains_home,
    is_free_choice,
)
from petricheck.evidence.certificates.free_choice import PositiveInvariants
from petricheck.evidence.claims import Home
from petricheck.model.net import Net
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


def home_claims(net: Net, formulas: Sequence[Formula], budget: Budget) -> Iterator[Home]:
    """Yield the home spaces of a well-formed, marked free-choice net, by the audit's own rules."""
    proof = _invariants(net, budget) if is_free_choice(net) else None
    if proof is None:
        return
    # It may be live without being reversible.
    for reversible in (True, False):
        homes = tuple(formula for formula in formulas if contains_home(net, formula, reversible))
        try:
            FreeChoice().discharge(net, homes, proof, budget, second_solver=False)
        except EvidenceError:
            continue
        if homes:
            yield Home(homes, proof)
        return


def _invariants(net: Net, budget: Budget) -> PositiveInvariants | None:
    """Return positive place and transition invariants that floating point computes."""
    columns = defaultdict[int, dict[int, int]](dict)
    for number, transition in enumerate(net.transitions):
        for place, change in transition.effect:
            columns[place][number] = change
    effects = [dict(transition.effect) for transition in net.transitions]
    places = positive(len(net.places), effects, budget)
    transitions = positive(len(net.transitions), columns.values(), budget)
    if places is None or transitions is None:
        return None
    return PositiveInvariants(
        tuple(zip(net.places, places, strict=True)),
        tuple(zip(net.actions, transitions, strict=True)),
    )


def positive(
    size: int, rows: Iterable[Mapping[int, int]], budget: Budget
) -> tuple[int, ...] | None:
    """Return positive integers whose products with all rows are 0, up to rounding."""
    program = LinearProgram()
    for _ in range(size):
        program.column(cost=1.0, lower=1.0)
    for row in rows:
        program.row(row, 0.0, 0.0)
    values = program.solve(budget.remaining)
    return None if values is None else integer_ray(values)
