"""The refinement of Das and Dill (2001), for comparison (Jhala, McMillan 2007, section 8).

A counterexample is a path with states. Each step that its operation does not allow gives one
clause, and the path itself is not asked about: other states may take it again.
"""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.laboratory.approximation.operations import Operation
from petricheck.laboratory.approximation.program import AbstractProgram
from petricheck.laboratory.approximation.refutation import (
    Feasible,
    Finding,
    Refuted,
    State,
    conflicts,
    models,
)


def analyse(
    program: AbstractProgram, operations: Sequence[Operation], states: Sequence[State]
) -> Finding:
    """Whether the abstract program allows this counterexample; if not, clauses that exclude it.

    Raises:
        BudgetExhausted: a limit is reached, or a solver gave up.
    """
    found = conflicts(program, operations, states)
    if not found:
        return Feasible(models(program, operations, states))
    return Refuted(
        tuple(
            tuple(clause for other, clause in found if other == operation)
            for operation in operations
        )
    )
