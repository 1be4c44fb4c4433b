"""Linear and integer programs on HiGHS: the only module that knows it.

HiGHS computes in floating point, so whatever it returns is a *hint*. `integer_ray` turns the hint
into integers, and the caller confirms these exactly before anything depends on them. "No
solution" is a hint too: it never justifies a verdict.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

INFINITY = math.inf
_LARGEST_DENOMINATOR = 10_000
_LARGEST_SCALE = 10**12


class LinearProgram:
    """A linear or mixed-integer program, built column by column and row by row.

    Columns and rows are numbered from 0 in the order of their addition. After a first `solve`,
    bounds and costs of columns may be changed; the next `solve` then starts from the last basis.
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
        self._highs: Any = None

    def column(
        self,
        cost: float = 0.0,
        lower: float = 0.0,
        upper: float = INFINITY,
        integral: bool = False,
    ) -> int:
        """Add a variable; returns its number."""
        self._costs.append(cost)
        self._lower.append(lower)
        self._upper.append(upper)
        self._integral.append(integral)
        return len(self._costs) - 1

    @property
    def columns(self) -> int:
        """How many variables there are."""
        return len(self._costs)

    def row(
        self, entries: Mapping[int, float], lower: float = -INFINITY, upper: float = INFINITY
    ) -> int:
        """Add lower ≤ Σ entries·x ≤ upper; returns its number."""
        for column, value in entries.items():
            if value:
                self._indices.append(column)
                self._values.append(value)
        self._starts.append(len(self._indices))
        self._row_lower.append(lower)
        self._row_upper.append(upper)
        return len(self._row_lower) - 1

    def bound(self, column: int, lower: float, upper: float) -> None:
        """Change the bounds of a column."""
        self._lower[column], self._upper[column] = lower, upper
        if self._highs is not None:
            self._highs.changeColBounds(column, lower, upper)

    def solve(self, seconds: float = INFINITY) -> tuple[float, ...] | None:
        """Values of an optimal solution, or None where HiGHS found none in time."""
        if self._highs is None:
            self._highs = self._load()
        if seconds != INFINITY:
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + seconds)
        self._highs.run()
        import highspy

        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        return tuple(self._highs.getSolution().col_value)

    def _load(self) -> Any:
        import highspy
        import numpy as np

        new: Any = highspy.Highs
        highs = new()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("threads", 1)
        highs.setOptionValue("random_seed", 0)
        program = highspy.HighsLp()
        program.num_col_ = len(self._costs)
        program.num_row_ = len(self._row_lower)
        program.col_cost_ = np.array(self._costs)
        program.col_lower_ = np.array(self._lower)
        program.col_upper_ = np.array(self._upper)
        program.row_lower_ = np.array(self._row_lower)
        program.row_upper_ = np.array(self._row_upper)
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.array(self._starts, dtype=np.int32)
        program.a_matrix_.index_ = np.array(self._indices, dtype=np.int32)
        program.a_matrix_.value_ = np.array(self._values, dtype=np.float64)
        if any(self._integral):
            kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
            program.integrality_ = [kinds[integral] for integral in self._integral]
        highs.passModel(program)
        return highs


def integer_ray(values: Sequence[float]) -> tuple[int, ...] | None:
    """Coprime integers in the proportions of `values`, or None where no small ones are close.

    Meant for vertices of homogeneous programs, whose entries have small rational ratios. The
    result is a guess that the caller must confirm.
    """
    largest = max((abs(value) for value in values), default=0.0)
    if largest == 0.0 or not math.isfinite(largest):
        return tuple(0 for _ in values) if largest == 0.0 else None
    smallest = min(abs(value) for value in values if abs(value) > largest * 1e-7)
    fractions = [Fraction(v / smallest).limit_denominator(_LARGEST_DENOMINATOR) for v in values]
    scale = math.lcm(*(fraction.denominator for fraction in fractions))
    if scale > _LARGEST_SCALE:
        return None
    integers = [int(fraction * scale) for fraction in fractions]
    divisor = math.gcd(*integers)
    return tuple(value // divisor for value in integers) if divisor else tuple(integers)
