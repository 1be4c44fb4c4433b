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
            case statuses.kTimeLimit:
                return None
            case _:  # Where its numbers have broken down, the basis is no place to go on from.
                self._solver.call("clearSolver")
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

    def face_duals(self, free: Any, lower: Any, upper: Any, seconds: float) -> Any:
        """Return duals of the rows that say which of them are 0 in all directions from a solution.

        A direction d makes as many rows as can be positive by 1, or by less: the largest Σ z for
        0 ≤ z ≤ 1, and z ≤ row·d, of a row that may not fall, or −row·d, of one that may not rise.
        Where z is 0, the dual is at least 1, or at most -1.

        Args:
            free: by column whether it may fall, as it does not at its bound: a numpy array.
            lower: whether each row is at its lower bound in the last solution, so it may not fall.
            upper: the same for upper bounds; where both are true, the row stays 0.
            seconds: limit; None is returned if HiGHS does not decide in time.
        """
        import highspy
        import numpy as np

        solver, highs = HighsSolver(), self._solver.highs
        program, basis = highs.getLp(), highs.getBasis()
        program.col_cost_ = np.zeros(program.num_col_)
        program.col_lower_ = np.where(free, -INFINITY, 0.0)
        program.row_lower_ = np.where(lower, 0.0, -INFINITY)
        program.row_upper_ = np.where(upper, 0.0, INFINITY)
        solver.call("setOptionValue", "presolve", "off")
        # The zero direction is feasible.
        solver.call("setOptionValue", "simplex_strategy", _PRIMAL)
        solver.call("passModel", program)
        solver.call("setBasis", basis)
        rows = np.flatnonzero(lower != upper).astype(np.int32)
        size, ones = len(rows), np.ones(len(rows))
        entries = np.arange(size, dtype=np.int32), rows, np.where(lower[rows], -1.0, 1.0)
        solver.call("addCols", size, -ones, 0 * ones, ones, size, *entries)
        if solver.run(seconds) != highspy.HighsModelStatus.kOptimal:
            return None
        return np.array(solver.highs.getSolution().row_dual)
