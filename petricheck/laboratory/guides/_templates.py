"""The templates and costs of Leroux et al. 2016, section 9.3.

Each heuristic contributes the powerset of its templates, or one for each of its displacements
(`Displacement.lattice`). Templates are a basis of the space orthogonal to the displacements, whose
vectors cost little since they are invariant along them, and a basis of the displacements' own
space, whose vectors cost much. A template stands for a lower bound (Def. 5);
its opposite, which is a template of its own, for an upper bound. Users may set costs, and add
templates, by a file (section 7.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from petricheck.arithmetic.programs.algebra import orthogonal_complement
from petricheck.engines.guides import Guide
from petricheck.engines.heuristics import Displacement
from petricheck.formats.language.grammar import read_term
from petricheck.laboratory.lattices.problems import Cuts
from petricheck.laboratory.lattices.search import Search
from petricheck.model.net import Net, Weights
from petricheck.support.errors import QueryError
from petricheck.support.files import read_lines
from petricheck.support.plugins import option
from petricheck.symbolic.interpolation.path import PathQuestion, relevant_places
from petricheck.symbolic.linear import dense, direction_of, scaled, sparse

Priced: TypeAlias = tuple[Weights, int]
"""A template and its cost."""


@dataclass(frozen=True)
class Pricing(Guide):
    """Common base of guides that search for cheap templates."""

    cheap: int = option(1, "cost of a template that is invariant")
    costly: int = option(100, "cost of any other template")
    costs: str = option("", "file of templates with costs of their own, COST: TERM a line")
    cuts: str = option(
        Cuts.SAME.value, "templates are chosen for all cuts (same), or for each", Cuts
    )
    search: str = option(
        Search.HITTING_SETS.value, "of cheapest templates: hitting_sets or maximisation", Search
    )

    @property
    def exploration(self) -> tuple[Cuts, Search]:
        """The lattice of a path, and how it is searched."""
        return Cuts(self.cuts), Search(self.search)

    def templates(
        self, question: PathQuestion, displacements: Sequence[Displacement]
    ) -> tuple[Priced, ...]:
        """Return the templates of the file and of all heuristics.

        Without heuristics they are those of no displacements. A template of several powersets
        occurs once for each.

        Raises:
            QueryError: a cost is negative, or the file cannot be read.
        """
        if min(self.cheap, self.costly) < 0:
            raise QueryError("the options cheap and costly must not be negative")
        costs = read_costs(question.net, self.costs) if self.costs else {}
        places = relevant_places(question, (*(d.vector for d in displacements), *costs))
        groups: dict[tuple[str, int], list[Weights]] = {}
        for displacement in displacements:
            if displacement.vector:
                group = groups.setdefault((displacement.source, displacement.lattice), [])
                group.append(displacement.vector)
        derived = [pair for g in groups.values() or [[]] for pair in self._derive(g, places)]
        additional = {template: costs[template] for template in costs.keys() - dict(derived).keys()}
        return (
            *((template, costs.get(template, cost)) for template, cost in derived),
            *sorted(additional.items()),
        )

    def _derive(self, vectors: Sequence[Weights], places: Sequence[int]) -> Iterator[Priced]:
        """Yield the templates that these displacements have together."""
        invariant = orthogonal_complement([dense(v, places) for v in vectors], len(places))
        others = orthogonal_complement(invariant, len(places))
        for basis, cost in ((invariant, self.cheap), (others, self.costly)):
            for entries in basis:
                template = sparse(zip(places, entries, strict=True))
                yield template, cost
                yield scaled(template, -1), cost


@lru_cache(maxsize=8)
def read_costs(net: Net, path: str) -> dict[Weights, int]:
    """Return the templates of a file and their opposites, with the costs in its lines.

    Raises:
        QueryError: the file cannot be read, or a line is not a natural number, a colon, a term.
    """
    costs = dict(read_lines(path, "the costs", lambda line: _read_template(net, line)))
    return costs | {scaled(template, -1): cost for template, cost in costs.items()}


def _read_template(net: Net, line: str) -> Priced:
    cost, colon, term = line.partition(":")
    if not (colon and cost.strip().isdecimal()):
        raise QueryError(f"{line.strip()!r} is not COST: TERM, with a natural number as cost")
    template = direction_of(net, read_term(net, term))
    if not template:
        raise QueryError(f"{line.strip()!r}: the term speaks of no place")
    return template, int(cost)
