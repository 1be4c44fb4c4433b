"""ABS(1), the global orthogonal space (Leroux et al. 2016, section 9.3).

A vector orthogonal to the effect of every transition is a place invariant: its product with the
marking never changes. Preferring interpolants that do not grow along any effect leads to place
invariants where they suffice, and to inductive half-spaces otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.engines.heuristics import Displacement, along
from petricheck.model.net import Net
from petricheck.support.plugins import option


@dataclass(frozen=True)
class PlaceInvariants:
    """Prefer what no transition of the net changes: place invariants."""

    weight: int = option(16, "cost of growing along an effect")

    def displacements(self, net: Net, path: Sequence[int]) -> tuple[Displacement, ...]:
        """Return the effect of every transition, whatever the path."""
        effects = (t.effect for t in net.transitions if t.effect)
        return along(effects, self.weight, False, "place_invariants")
