"""Linear programs that are solved again and again after small changes.

Columns are given at once. Only bounds change, and rows are added, so the dual simplex method
continues from the last basis: with thousands of columns a further solution takes milliseconds. If
there is none, a ray of the dual says why. Results of HiGHS are hints, as in `linear_programs`; once
it refuses a number, there are none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from petricheck.arithmetic.programs.linear_programs import INFINITY, HighsSolver, to_float

_PRIMAL = 4
"""The number of the primal simplex method among the strategies of HiGHS."""


@dataclass(frozen=True, slots=True)
class PrimalPoint:
    """A solution: the values of the columns, a numpy array of floats."""

    values: Any


@dataclass(frozen=True, slots=True)
class Ray:
    """A proof that no solution exists: Σ y_r·(row r) is > 0 by the rows' bounds, ≤ 0 by columns'.

    Attributes:
        multipliers: y, a numpy array of floats. A row counts by its lower bound if y_r > 0, and
            by its upper one if y_r < 0. Zeros if HiGHS has no ray.
    """

    multipliers: Any


class CongruentRow(NamedTuple):
    """Σ values·x over columns, which is to be `value` modulo `modulus`."""

    columns: Any
    values: Any
    modulus: float
    value: float


class WarmProgram:
    """The least Σ x over x ≥ 0, or other lower bounds, with bounds on rows.

    Attributes:
        rows: their number.
    """

    def __init__(self, matrix: tuple[Any, Any, Any], lower: Any, rows: int) -> None:
        """Make the program.

        Args:
            matrix: starts, rows and values of the columns, as numpy arrays.
            lower: lower bounds of the rows, a numpy array; there are no upper ones at first.
            rows: their number.
        """
        import numpy as np

        size = len(matrix[0]) - 1
        columns = np.ones(size), np.zeros(size), np.full(size, INFINITY)
        self.rows = rows
        self._solver = HighsSolver()
        # Columns that presolving removes have no basis to continue from, and no ray.
        self._solver.call("setOptionValue", "presolve", "off")
        self._solver.load(columns, (lower, np.full(rows, INFINITY)), matrix, by_rows=False)

    def row(self, columns: Any, values: Any) -> int:
        """Add a row without bounds, two numpy arrays of its entries, and return its number."""
        self._solver.add_row(-INFINITY, INFINITY, columns, values)
        self.rows += 1
        return self.rows - 1

    def bound(self, row: int, lower: float, upper: float) -> None:
        """Change the bounds of a row."""
        self._solver.call("changeRowBounds", row, to_float(lower), to_float(upper))

    def bound_columns(self, lower: Any) -> None:
        """Change the lower bounds of all columns, a numpy array of floats."""
        import numpy as np

        columns, upper = np.arange(len(lower), dtype=np.int32), np.full(len(lower), INFINITY)
        self._solver.call("changeColsBounds", len(lower), columns, lower, upper)

    def solve(self, seconds: float = INFINITY) -> PrimalPoint | Ray | None:
        """Return a solution, or a ray if there is none; None if HiGHS is undecided in time."""
        import highspy
        import numpy as np

        statuses = highspy.HighsModelStatus
        match self._solver.run(seconds):
            case statuses.kOptimal:
                values = self._solver.values()
                return None if values is None else PrimalPoint(values)
            case statuses.kInfeasible:
                status, has_ray, multipliers = self._solver.highs.getDualRay()
                has_ray = has_ray and status != highspy.HighsStatus.kError
                return Ray(np.array(multipliers) if has_ray else np.zeros(self.rows))
            case _:
                return None

    def integral_values(self, congruences: Iterable[CongruentRow], seconds: float) -> Any:
        """Return whole numbers for the columns that satisfy the rows and these, of any Σ x.

        They are a numpy array of floats; None if HiGHS finds none in time.
        """
        import highspy
        import numpy as np

        solver, program = HighsSolver(), self._solver.highs.getLp()
        size, integer = program.num_col_, highspy.HighsVarType.kInteger
        program.col_cost_, program.integrality_ = np.zeros(size), [integer] * size
        solver.call("passModel", program)
        for number, (columns, values, modulus, value) in enumerate(congruences, size):
            solver.call("addVar", -INFINITY, INFINITY)
            solver.call("changeColIntegrality", number, integer)
            entries = np.append(columns, number), np.append(values, modulus)
            solver.add_row(value, value, *entries)
        if solver.run(seconds) != highspy.HighsModelStatus.kOptimal:
            return None
        values = solver.values()
        return None if values is None else values[:size]

    def with_costs(self) -> CostProgram:
        """Return the program as it is, to be solved with other costs; this one stays as it is."""
        highs = self._solver.highs
        return CostProgram(highs.getLp(), highs.getBasis())


class CostProgram:
    """A copy of a solved `WarmProgram`, for other costs: the primal method goes on from there."""

    def __init__(self, program: Any, basis: Any) -> None:
        self._solver, self._columns = HighsSolver(), program.num_col_
        self._solver.call("setOptionValue", "presolve", "off")
        self._solver.call("setOptionValue", "simplex_strategy", _PRIMAL)
        self._solver.call("passModel", program)
        self._solver.call("setBasis", basis)

    def bound_rows(self, rows: Any, lower: Any, upper: Any) -> None:
        """Change the bounds of these rows: numpy arrays of their numbers, and of floats."""
        self._solver.call("changeRowsBounds", len(rows), rows.astype("int32"), lower, upper)

    def optimum(self, costs: Any, seconds: float) -> tuple[Any, Any] | None:
        """Return the rows' values and duals where the costs are least; None if there is no such.

        A dual is > 0 if the row's lower bound counts, < 0 if its upper one does.
        """
        import highspy
        import numpy as np

        columns = np.arange(self._columns, dtype=np.int32)
        self._solver.call("changeColsCost", self._columns, columns, costs)
        if self._solver.run(seconds) != highspy.HighsModelStatus.kOptimal:
            return None
        solution = self._solver.highs.getSolution()
        return np.array(solution.row_value), np.array(solution.row_dual)
