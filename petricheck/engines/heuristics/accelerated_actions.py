"""ABS(2), acceleration of individual actions (Leroux et al. 2016, section 9.3).

Each action of the path is replaced by any number n ≥ 1 of its repetitions (φ^acc), so that the
interpolants hold however often it is repeated. Of costs the paper says only that they prefer what
is invariant under the accelerated action. Here the effects of the path's actions are displacements:
templates that none of them changes are cheap, or with `lattices=each` those that one of them does
not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.engines.heuristics import LATTICES, Displacement, along
from petricheck.model.net import Net
from petricheck.support.plugins import option


@dataclass(frozen=True)
class AcceleratedActions:
    """Interpolate as if every action of the path could repeat any number of times."""

    weight: int = option(4, "cost of growing along an action")
    lattices: str = option(
        "same", "templates derived from all actions together (same), or from each", LATTICES
    )

    def displacements(self, net: Net, path: Sequence[int]) -> tuple[Displacement, ...]:
        """Return the effects of the path's own actions, hard."""
        effects = (net.transitions[number].effect for number in path)
        return along(effects, self.weight, True, "accelerated_actions", self.lattices)
