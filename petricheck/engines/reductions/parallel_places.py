"""Places that always hold as much as another one, but for a factor and a constant.

Where every effect on q is k ≥ 1 times that on p, every reachable marking has m(q) = k·m(p) + c with
c = m0(q) − k·m0(p). Where also pre_t(q) ≤ k·pre_t(p) + c for every t, enough on p means enough on
q, so q disables nothing alone and goes; k·p + c replaces it in the target. Twins, with equal arcs,
are the case k = 1, c ≥ 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.engines.reductions._selection import Selection, select
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget

COMPARED = 8
"""With how many others of its group a place is compared, so that the effort stays linear."""


class ParallelPlaces:
    """Leave out places that another one follows from."""

    rank = 50
    for_all = True
    of_net = True

    def apply(self, problem: Problem, budget: Budget) -> Selection | None:
        """Return the problem without them; equations of those in the target are facts."""
        net = problem.net
        values: dict[int, Term] = {}
        for group in _groups(net):
            values |= _implied(net, group)
        if not values:
            return None
        terms = {net.places[place]: term for place, term in values.items()}
        return select(problem, places=set(values), values=terms)


@dataclass(frozen=True, slots=True)
class _PlaceRow:
    """A place whose effects are `factor` times those of its group, and what is needed of it."""

    factor: int
    tokens: int
    place: int
    needs: Mapping[int, int]


def _groups(net: Net) -> Iterable[list[_PlaceRow]]:
    """Return places with proportional effects, by factor and by tokens."""
    from petricheck.engines.reductions._fingerprints import maybe_proportional
    from petricheck.model.weights import transposed, weights_of  # numpy takes its time.

    effects = transposed(weights_of(net).effects, len(net.places))
    inputs = transposed(weights_of(net).inputs, len(net.places))
    groups: dict[tuple[tuple[int, int], ...], list[_PlaceRow]] = defaultdict(list)
    for place in maybe_proportional(effects, len(net.transitions)):
        row = effects.row(place)
        factor = gcd(*(change for _, change in row))
        key = tuple((number, change // factor) for number, change in row)
        groups[key].append(_PlaceRow(factor, net.initial[place], place, dict(inputs.row(place))))
    ordered = (sorted(g, key=lambda r: (r.factor, r.tokens, r.place)) for g in groups.values())
    return (group for group in ordered if len(group) > 1)


def _implied(net: Net, group: Sequence[_PlaceRow]) -> dict[int, Term]:
    """Return a term over places that are kept, for each place of the group that goes."""
    rows: list[_PlaceRow] = []
    values = {}
    for row in group:
        for other in rows[:COMPARED]:
            if row.factor % other.factor:
                continue
            factor = row.factor // other.factor
            surplus = row.tokens - factor * other.tokens
            if all(w <= factor * other.needs.get(t, 0) + surplus for t, w in row.needs.items()):
                values[row.place] = variable(net.places[other.place]) * factor + surplus
                break
        else:
            rows.append(row)
    return values
