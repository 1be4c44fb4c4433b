"""The search of Leroux et al. 2016: the cheapest feasible sets of templates.

The templates and their costs are those of section 9.3 (`_templates`), and Algorithm 3 finds a
cheapest feasible set: one for all cuts of a path and the insides of its accelerated blocks, or one
for each of these. It is feasible where a chain of half-spaces in the cones of the templates
excludes the goal (Def. 10). One linear program decides this for all sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram
from petricheck.engines.guides import Choice, PathPart, part
from petricheck.engines.heuristics import Displacement
from petricheck.laboratory.guides._templates import Priced, Pricing
from petricheck.laboratory.lattices.hitting import bits
from petricheck.laboratory.lattices.problems import Cuts
from petricheck.laboratory.lattices.search import Feasibility, cheapest
from petricheck.support.budget import Budget
from petricheck.symbolic.interpolation.chain import ChainProgram, Expression, product
from petricheck.symbolic.interpolation.path import PathQuestion


@dataclass(frozen=True)
class Lattice(Pricing):
    """Search the lattice of template sets for a cheapest feasible one, as in the 2016 paper."""

    part: str = part(PathPart.STEADY)  # the whole path where invariant templates suffice

    def interpolate(
        self, question: PathQuestion, displacements: Sequence[Displacement], budget: Budget
    ) -> Choice | None:
        """Return a sequence in the templates of a cheapest feasible set, or None."""
        templates = self.templates(question, displacements)
        cuts, search = self.exploration
        program = TemplateProgram(question, templates, budget, cuts)
        feasible = Feasibility(program.explain)
        element = next(cheapest(program.costs, feasible, budget, search), None)
        if element is None:
            return None
        program.restrict(element)
        sequence = program.chain.solve(budget.remaining)
        if sequence is None:
            return None
        normals = dict.fromkeys(templates[index % len(templates)][0] for index in bits(element))
        cost = sum(program.costs[index] for index in bits(element))
        return Choice(sequence.half_spaces, sequence, tuple(normals), cost, feasible.queries)


class TemplateProgram:
    """The linear program over half-spaces Σ λ_t·t(m) ≥ b, λ ≥ 0, at every cut (Defs. 5 and 10).

    A unit of λ_t costs as much as its template, so that solutions tend to have few and cheap ones.
    The costs are of the templates, once for all cuts or again for each.
    """

    def __init__(
        self,
        question: PathQuestion,
        templates: Sequence[Priced],
        budget: Budget,
        lattice: Cuts = Cuts.SAME,
    ) -> None:
        self._budget = budget
        self._columns: list[list[int]] = []
        program = LinearProgram()

        def combination() -> Expression:
            entries: dict[int, list[tuple[int, int]]] = {}
            if lattice is Cuts.EACH or not self._columns:
                self._columns += ([] for _ in templates)
            columns_of_set = self._columns[len(self._columns) - len(templates) :]
            for (template, cost), columns in zip(templates, columns_of_set, strict=True):
                columns.append(program.column(cost=cost))
                for place, weight in template:
                    entries.setdefault(place, []).append((columns[-1], -weight))
            return {place: tuple(entry) for place, entry in entries.items()}

        cuts, inner = [combination()], []
        for block in reversed(question.blocks):
            inner.append(cuts[-1] if block.count == 1 else combination())
            cuts.append(combination())
        cuts, inner = cuts[::-1], inner[::-1]
        self.costs = tuple(templates[i % len(templates)][1] for i in range(len(self._columns)))
        self._allowed = (1 << len(self._columns)) - 1
        for before, inside, after in zip(cuts, inner, cuts[1:], strict=False):
            _dominate(program, before, inside)
            if inside is not after:
                _dominate(program, inside, after)
        self.chain = ChainProgram(question, program, cuts, inner)

    def explain(self, selection: int) -> tuple[bool, int]:
        """Return whether the set is feasible, and the templates of the solution."""
        self.restrict(selection)
        values = self.chain.program.solve(self._budget.remaining)
        self._budget.check()
        if values is None:
            return False, selection
        largest = max(max((values[c] for c in columns), default=0.0) for columns in self._columns)
        positive = (any(values[c] > largest * 1e-6 for c in columns) for columns in self._columns)
        return True, selection & sum(1 << index for index, needed in enumerate(positive) if needed)

    def restrict(self, selection: int) -> None:
        """Restrict the templates to these."""
        for index in bits(selection ^ self._allowed):
            upper = INFINITY if selection >> index & 1 else 0.0
            for column in self._columns[index]:
                self.chain.program.bound(column, 0.0, upper)
        self._allowed = selection


def _dominate(program: LinearProgram, larger: Expression, smaller: Expression) -> None:
    for place in sorted(larger.keys() | smaller.keys()):
        entries = product(larger, ((place, 1),)) | product(smaller, ((place, -1),))
        program.row(entries, lower=0.0)
