"""Linear and integer programs on HiGHS, which only this module and `warm_programs` know.

HiGHS computes in floating point, so whatever it returns is a *hint*. `integer_ray` turns the hint
into integers, and the caller confirms these exactly before anything depends on them. "No
solution" is a hint too: it never justifies a verdict. A program that HiGHS refuses, such as one
with a coefficient of 10^15, is not solved.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

INFINITY = math.inf
_LARGEST_DENOMINATOR = 10_000
_LARGEST_SCALE = 10**12
HUGE = 10**15
"""Floats beyond this are not exact; HiGHS treats them like infinity."""

_MOST_ITERATIONS = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Optimum:
    """The result of HiGHS for a linear program: a hint.

    Attributes:
        cost: the least value, `INFINITY` where there is no solution.
        values: of the columns (a numpy array of floats), empty where there is no solution.
        duals: of the rows: by how much the least value grows with the row's active bound; empty
            where there is no solution.
    """

    cost: float
    values: Any
    duals: Any


class LinearProgram:
    """A linear or mixed-integer program, built column by column and row by row.

    Columns and rows are numbered from 0 in the order of their addition. After a first `solve`,
    bounds of columns and rows may be changed; the next `solve` then starts from the last basis.
    After a column or row is added it starts without one. Numbers may be integers of any size; a
    program with a number beyond the range of floats, or one that HiGHS refuses, is not solved.
    """

    def __init__(self) -> None:
        self._costs: list[float] = []
        self._lower: list[float] = []
        self._upper: list[float] = []
        self._integral: list[bool] = []
        self._row_lower: list[float] = []
        self._row_upper: list[float] = []
        self._starts: list[int] = [0]
        self._indices: list[int] = []
        self._values: list[float] = []
        self._solver: HighsSolver | None = None

    def column(
        self,
        cost: float = 0.0,
        lower: float = 0.0,
        upper: float = INFINITY,
        integral: bool = False,
    ) -> int:
        """Add a variable and return its number."""
        self._solver = None
        self._costs.append(to_float(cost))
        self._lower.append(to_float(lower))
        self._upper.append(to_float(upper))
        self._integral.append(integral)
        return len(self._costs) - 1

    @property
    def columns(self) -> int:
        """The number of variables."""
        return len(self._costs)

    def row(
        self, entries: Mapping[int, float], lower: float = -INFINITY, upper: float = INFINITY
    ) -> int:
        """Add lower ≤ Σ entries·x ≤ upper, and return the row's number."""
        self._solver = None
        for column, value in entries.items():
            if value:
                self._indices.append(column)
                self._values.append(to_float(value))
        self._starts.append(len(self._indices))
        self._row_lower.append(to_float(lower))
        self._row_upper.append(to_float(upper))
        return len(self._row_lower) - 1

    def bound(self, column: int, lower: float, upper: float) -> None:
        """Change the bounds of a column."""
        self._lower[column], self._upper[column] = to_float(lower), to_float(upper)
        if self._solver is not None:
            self._solver.call("changeColBounds", column, self._lower[column], self._upper[column])

    def bound_rows(self, lower: Any, upper: Any) -> None:
        """Change the bounds of all rows: two numpy arrays of floats, one number for each row."""
        import numpy as np

        self._row_lower, self._row_upper = list(lower), list(upper)
        if self._solver is not None:
            rows = np.arange(len(lower), dtype=np.int32)
            self._solver.call("changeRowsBounds", len(rows), rows, lower, upper)

    def optimum(self, seconds: float = INFINITY, iterations: int | None = None) -> Optimum | None:
        """Return the optimum with its duals; None if HiGHS reached a limit or is undecided.

        The limit on simplex steps, `iterations`, also holds for later calls.
        """
        import highspy
        import numpy as np

        statuses = highspy.HighsModelStatus
        if self._solver is None:
            self._solver = self._load()
        solver, limit = self._solver, _MOST_ITERATIONS if iterations is None else iterations
        solver.call("setOptionValue", "simplex_iteration_limit", limit)
        status = solver.run(seconds)
        if status == statuses.kModelEmpty:
            rows = zip(self._row_lower, self._row_upper, strict=True)
            solvable = all(lower <= 0.0 <= upper for lower, upper in rows)
            status = statuses.kOptimal if solvable else statuses.kInfeasible
        if status == statuses.kInfeasible:
            return Optimum(INFINITY, np.zeros(0), np.zeros(0))
        values = solver.values() if status == statuses.kOptimal else None
        if values is None:
            return None
        cost = solver.highs.getInfo().objective_function_value
        return Optimum(cost, values, np.array(solver.highs.getSolution().row_dual))

    def solve(self, seconds: float = INFINITY) -> tuple[float, ...] | None:
        """Return the values of an optimal solution; None if HiGHS has no finite one in time."""
        optimum = self.optimum(seconds)
        if optimum is None or optimum.cost == INFINITY:
            return None
        return tuple(optimum.values.tolist())

    def _load(self) -> HighsSolver:
        solver = HighsSolver()
        columns, rows = (self._costs, self._lower, self._upper), (self._row_lower, self._row_upper)
        matrix = (self._starts, self._indices, self._values)
        solver.load(columns, rows, matrix, by_rows=True, integral=self._integral)
        return solver


class HighsSolver:
    """HiGHS, which prints nothing, uses one thread and is deterministic.

    Once it has refused something, its program is another one than was meant, and is not solved.
    HiGHS itself is `highs`, for what has no status.
    """

    def __init__(self) -> None:
        import highspy

        class WithoutCallbacks(highspy.Highs):
            def enableCallbacks(self) -> None:
                """Do nothing: version 1.16 prints a banner when a solver enables them."""

        new: Any = WithoutCallbacks
        self.highs = new()
        self._refused = False
        self.call("setOptionValue", "output_flag", False)
        self.call("setOptionValue", "threads", 1)
        self.call("setOptionValue", "random_seed", 0)

    def call(self, method: str, *arguments: Any) -> None:
        """Call a method of HiGHS that returns a status."""
        import highspy

        status = getattr(self.highs, method)(*arguments)
        self._refused = self._refused or status == highspy.HighsStatus.kError

    def load(
        self, columns: Any, rows: Any, matrix: Any, *, by_rows: bool, integral: Sequence[bool] = ()
    ) -> None:
        """Take a program, all of it lists of numbers, or numpy arrays.

        Args:
            columns: their costs, lower and upper bounds.
            rows: their lower and upper bounds.
            matrix: the starts of its rows or columns, and numbers and values of their entries.
            by_rows: whether the matrix is given by rows.
            integral: whether each column is an integer; by default none is.
        """
        import highspy
        import numpy as np

        program, formats = highspy.HighsLp(), highspy.MatrixFormat
        program.num_col_, program.num_row_ = len(columns[0]), len(rows[0])
        program.col_cost_, program.col_lower_, program.col_upper_ = map(np.array, columns)
        program.row_lower_, program.row_upper_ = map(np.array, rows)
        starts, indices, values = matrix
        program.a_matrix_.format_ = formats.kRowwise if by_rows else formats.kColwise
        program.a_matrix_.start_ = np.array(starts, dtype=np.int32)
        program.a_matrix_.index_ = np.array(indices, dtype=np.int32)
        program.a_matrix_.value_ = np.array(values, dtype=np.float64)
        if any(integral):
            kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
            program.integrality_ = [kinds[is_integer] for is_integer in integral]
        self.call("passModel", program)

    def add_row(self, lower: float, upper: float, columns: Any, values: Any) -> None:
        """Add a row, two numpy arrays of its entries."""
        import numpy as np

        entries = columns.astype(np.int32), values.astype(np.float64)
        self.call("addRow", lower, upper, len(columns), *entries)

    def run(self, seconds: float) -> Any:
        """Solve in so many seconds; return the model's status, `kNotset` if it was refused."""
        import highspy

        self.call("setOptionValue", "time_limit", self.highs.getRunTime() + seconds)
        if self._refused or self.highs.run() == highspy.HighsStatus.kError:
            return highspy.HighsModelStatus.kNotset
        return self.highs.getModelStatus()

    def values(self) -> Any:
        """Return the values of columns, a numpy array of floats; None if one is not finite."""
        import numpy as np

        values = np.array(self.highs.getSolution().col_value)
        return values if np.isfinite(values).all() else None


def to_float(number: float) -> float:
    """Return the number as a float, infinite if it is larger than all of them."""
    try:
        return float(number)
    except OverflowError:
        return INFINITY if number > 0 else -INFINITY


def as_float(number: int) -> float:
    """Return the number, or ±10^15 if it is larger: floats are not exact beyond."""
    return float(max(-HUGE, min(HUGE, number)))


def integer_ray(values: Sequence[float]) -> tuple[int, ...] | None:
    """Return coprime integers in the proportions of `values`; None if no small ones are close.

    Meant for vertices of homogeneous programs, whose entries have small rational ratios. The
    result is a guess that the caller must confirm.
    """
    from fractions import Fraction  # It brings decimal, which takes its time.

    if not all(map(math.isfinite, values)):
        return None
    largest = max((abs(value) for value in values), default=0.0)
    if largest == 0.0:
        return tuple(0 for _ in values)
    smallest = min(abs(value) for value in values if abs(value) > largest * 1e-7)
    fractions = [Fraction(v / smallest).limit_denominator(_LARGEST_DENOMINATOR) for v in values]
    scale = math.lcm(*(fraction.denominator for fraction in fractions))
    if scale > _LARGEST_SCALE:
        return None
    integers = [int(fraction * scale) for fraction in fractions]
    divisor = math.gcd(*integers)
    return tuple(value // divisor for value in integers) if divisor else tuple(integers)
