"""ABS(3), increasing sequences (Leroux et al. 2016, section 9.3).

The path is abstracted to the multiset of its actions. A sub-multiset with a non-negative, non-zero
effect v might be repeated for ever, like a single action with such an effect, even where no order
of its actions can be iterated (Example 9). Interpolants should not grow along v. The paper derives
a lattice from each v (`lattices=each`): a basis of the space orthogonal to it, of small cost, and v
itself, of large cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from petricheck.engines.heuristics import LATTICES, Displacement, along
from petricheck.model.net import Net, Transition, Weights
from petricheck.support.plugins import option
from petricheck.symbolic.facts.semiflows import minimal_semiflows

_WORK = 200_000
"""Limits the search for rays, see `facts.semiflows`."""


@dataclass(frozen=True)
class Parikh:
    """Avoid growth along effects v ≥ 0, v ≠ 0, of sub-multisets of the path's actions."""

    weight: int = option(4, "cost of growing along such an effect")
    lattices: str = option(
        "same", "templates derived from all such effects together (same), or from each", LATTICES
    )

    def displacements(self, net: Net, path: Sequence[int]) -> tuple[Displacement, ...]:
        """Return the effects of the increasing sub-multisets."""
        effects = (effect for _, effect in increasing_multisets(net, path))
        return along(effects, self.weight, False, "parikh", self.lattices)


def increasing_multisets(
    net: Net, path: Sequence[int]
) -> tuple[tuple[dict[int, int], Weights], ...]:
    """Return sub-multisets of the path's actions with effect v ≥ 0, v ≠ 0.

    Each comes as (occurrences by transition number, v). They are the extreme rays of the cone
    { n ≥ 0 : Σ n_a·δ_a ≥ 0 } with v ≠ 0 that fit into the path, and of these the ones whose
    support contains no other's. (A multiset of minimal support need not be an extreme ray: where
    all rays with its support are too long for the path, a mixture of them may still fit. Such
    mixtures are not searched for.) Some are left out where the computation would take too long.
    """
    occurrences = Counter(path)
    actions = sorted(occurrences)
    multisets = [
        (counts, effect)
        for counts, effect in _rays(net, actions)
        if effect and all(n <= occurrences[a] for a, n in counts.items())
    ]
    supports = [frozenset(counts) for counts, _ in multisets]
    return tuple(
        pair
        for pair, support in zip(multisets, supports, strict=True)
        if not any(other < support for other in supports)
    )


def _rays(net: Net, actions: Sequence[int]) -> Iterator[tuple[dict[int, int], Weights]]:
    """Yield extreme rays of the cone, as primitive pairs of counts and effect.

    They are the semiflows of a net whose places are the actions and the places they change: what
    the actions add to a place adds up to the effect on it.
    """
    changes: dict[int, list[tuple[int, int]]] = {}
    for number, action in enumerate(actions):
        for place, change in net.transitions[action].effect:
            changes.setdefault(place, []).append((number, change))
    places, size = sorted(changes), len(actions)
    sums = tuple(
        Transition(
            "",
            (*((n, -c) for n, c in changes[place] if c < 0), (size + position, 1)),
            tuple((n, c) for n, c in changes[place] if c > 0),
        )
        for position, place in enumerate(places)
    )
    names = tuple(map(str, range(size + len(places))))
    for flow in minimal_semiflows(Net("sums", names, sums, (0,) * len(names)), _WORK)[0]:
        counts = {actions[n]: count for n, count in flow if n < size}
        yield counts, tuple((places[n - size], weight) for n, weight in flow if n >= size)
