"""The frontier of templates for an interpolation problem (Leroux et al. 2016, section 7).

Its elements are the minimal sets of templates that have interpolants: the maximal feasible elements
of the powerset lattice (Def. 9), which Algorithm 1 returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from petricheck.laboratory.lattices.exploration import Powerset, explore
from petricheck.laboratory.lattices.hitting import bits
from petricheck.laboratory.lattices.search import Feasibility
from petricheck.laboratory.prover import Interpolated, Result, Undecided
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted


@dataclass(frozen=True, slots=True)
class FrontierElement:
    """A minimal set of templates with interpolants.

    Attributes:
        templates: their numbers.
        cost: the sum over them.
        result: the interpolants, over these templates alone.
    """

    templates: tuple[int, ...]
    cost: int
    result: Interpolated


def frontier(
    costs: Sequence[int], interpolate: Callable[[tuple[int, ...]], Result], budget: Budget
) -> tuple[FrontierElement, ...]:
    """Return each minimal set of templates that has interpolants, the cheapest first.

    Args:
        costs: by template, a natural number.
        interpolate: returns interpolants over the templates with these numbers, or a model.
        budget: limits the search.

    Raises:
        BudgetExhausted: a limit of the budget was reached, or a set is undecided.
    """
    results: dict[int, Interpolated] = {}

    def explain(selection: int) -> tuple[bool, int]:
        match interpolate(tuple(bits(selection))):
            case Interpolated() as result:
                results[selection] = result
                return True, selection
            case Undecided(reason):
                raise BudgetExhausted(reason)
            case _:
                return False, selection

    elements = []
    for selection in explore(Powerset((0,) * len(costs)), Feasibility(explain), budget):
        templates = tuple(bits(selection))
        cost = sum(costs[template] for template in templates)
        elements.append(FrontierElement(templates, cost, results[selection]))
    return tuple(sorted(elements, key=lambda element: (element.cost, element.templates)))
