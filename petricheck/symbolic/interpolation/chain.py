"""The conditions on an interpolant sequence of a path as a linear program.

`interpolation.path` states the conditions; here a solver searches for a sequence of least cost.
Its solution is confirmed exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram, integer_ray
from petricheck.model.net import Weights
from petricheck.symbolic.interpolation.path import FarkasSequence, PathQuestion, confirm
from petricheck.symbolic.linear import Hyperplane, sparse

Expression: TypeAlias = dict[int, tuple[tuple[int, int], ...]]
"""By place, an entry of a vector as Σ factor·column, in pairs (column, factor)."""


class ChainProgram:
    """The conditions as a linear program over w and over columns that make up the c_i, d_i.

    Built by `free_chain` or by a guide. Guides add columns, costs and rows. The multipliers are the
    columns of w, the cuts c_0 … c_k, and inner d_1 … d_k.
    """

    def __init__(
        self,
        question: PathQuestion,
        program: LinearProgram,
        cuts: Sequence[Expression],
        inner: Sequence[Expression],
    ) -> None:
        self.question = question
        self.program = program
        self.cuts = tuple(cuts)
        self.inner = tuple(inner)
        self.multipliers = tuple(
            program.column(lower=-INFINITY if isinstance(row, Hyperplane) else 0.0)
            for row in question.goal
        )
        for block, inside in zip(question.blocks, inner, strict=True):
            if block.count is None:
                program.row(product(inside, block.transition.effect), upper=0.0)
        self._exclude_goal()
        self._contradict()
        self._own_columns = program.columns

    def solve(self, seconds: float) -> FarkasSequence | None:
        """Return an optimal sequence, confirmed; None if there is none, or time runs out."""
        values = self.program.solve(seconds)
        ray = None if values is None else integer_ray(values[: self._own_columns])
        if ray is None:
            return None
        multipliers = tuple(ray[column] for column in self.multipliers)
        cuts = [_valued(ray, expression) for expression in self.cuts]
        inner = [_valued(ray, expression) for expression in self.inner]
        return confirm(self.question, multipliers, cuts, inner)

    def _exclude_goal(self) -> None:
        rows = [dict(row.direction) for row in self.question.goal]
        places = set(self.cuts[-1]).union(*rows)
        for place in sorted(places):
            entries = product(self.cuts[-1], ((place, 1),))
            for row, column in zip(rows, self.multipliers, strict=True):
                entries[column] = row.get(place, 0)
            self.program.row(entries, lower=0.0)

    def _contradict(self) -> None:
        """Add c_0·m0 − B_0 ≤ −gap; the d_i cancel but for blocks of a fixed length > 1.

        The conditions are homogeneous, so any gap is right; one as large as the problem's largest
        number keeps the solution's entries near 1, far above the solver's tolerance.
        """
        question = self.question
        entries: dict[int, float] = {}

        def add(more: Mapping[int, float], factor: int = 1) -> None:
            for column, value in more.items():
                entries[column] = entries.get(column, 0) + factor * value

        add(product(self.cuts[0], tuple(enumerate(question.net.initial))))
        for number, block in enumerate(question.blocks):
            add(product(self.cuts[number], block.transition.pre), -1)
            add(product(self.cuts[number + 1], block.transition.post))
            if block.worst > 1:
                add(product(self.inner[number], block.transition.effect), block.worst - 1)
        add({w: r.bound for w, r in zip(self.multipliers, question.goal, strict=True)})
        gap = max((abs(value) for value in entries.values()), default=1)
        self.program.row(entries, upper=-max(1, gap))


def free_chain(question: PathQuestion, places: Iterable[int], sparsity: float) -> ChainProgram:
    """Return the program over all directions.

    Each c_i has columns of its own, tied to c_{i+1} by non-negative steps d − c and c − d. An
    entry of 1 in c_k or in a step costs `sparsity`: besides few entries, this rewards few
    different directions along the path. (Without columns for the c_i the program has fewer rows,
    but those of the guides are dense, and it is slower.)
    """
    program = LinearProgram()

    def with_steps(vector: Expression) -> Expression:
        return {p: (*entry, (program.column(sparsity), 1)) for p, entry in vector.items()}

    def with_columns(vector: Expression) -> Expression:
        own = {place: program.column(lower=-INFINITY) for place in vector}
        for place, entry in vector.items():
            tie = {own[place]: 1} | {column: -factor for column, factor in entry}
            program.row(tie, 0.0, 0.0)
        return {place: ((column, 1),) for place, column in own.items()}

    last: Expression = {
        p: ((program.column(sparsity), 1), (program.column(sparsity), -1)) for p in places
    }
    cuts, inner = [last], []
    for block in reversed(question.blocks):
        inner.append(cuts[-1] if block.count == 1 else with_steps(cuts[-1]))
        cuts.append(with_columns(with_steps(inner[-1])))
    return ChainProgram(question, program, cuts[::-1], inner[::-1])


def _valued(ray: Sequence[int], expression: Expression) -> Weights:
    """Return the vector of the expression for these values of the columns."""
    entries = ((place, sum(ray[c] * f for c, f in entry)) for place, entry in expression.items())
    return sparse(entries)


def product(expression: Expression, vector: Weights) -> dict[int, float]:
    """Return the scalar product as entries of a row of the program."""
    entries: dict[int, float] = {}
    for place, weight in vector:
        for column, factor in expression.get(place, ()):
            entries[column] = entries.get(column, 0) + factor * weight
    return entries
