"""ABS(2), acceleration of individual actions (Leroux et al. 2016, section 9.3).

Each action of the path is replaced by any number n ≥ 1 of its repetitions (φ^acc), so that the
interpolants hold however often it is repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.engines.heuristics import Displacement
from petricheck.model.net import Net
from petricheck.support.plugins import option


@dataclass(frozen=True)
class AcceleratedActions:
    """Interpolate as if every action of the path could repeat any number of times."""

    weight: int = option(4, "cost of growing along an action")

    def displacements(self, net: Net, path: Sequence[int]) -> tuple[Displacement, ...]:
        """Return the effects of the path's own actions, hard."""
        effects = dict.fromkeys(net.transitions[number].effect for number in path)
        return tuple(
            Displacement(effect, self.weight, True, "accelerated_actions") for effect in effects
        )
