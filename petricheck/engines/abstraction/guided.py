"""Common base of the engines whose predicates a guide proposes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from petricheck.engines.guides import Guide
from petricheck.engines.heuristics import Heuristic
from petricheck.evidence.answer import Statistics, Unknown
from petricheck.support import plugins
from petricheck.support.errors import Ending, noting
from petricheck.support.plugins import option
from petricheck.support.words import counted


@dataclass(frozen=True)
class Guided:
    """The options of such an engine."""

    heuristics: tuple[str, ...] = option(
        ("accelerated_actions", "parikh", "place_invariants"),
        "what guides the interpolants, separated by commas",
        family="heuristics",
    )
    guide: str = option("optimal", "how interpolants are chosen", family="guides")

    def advice(self) -> tuple[list[Heuristic], Guide]:
        """Return the heuristics and the guide."""
        heuristics = [plugins.build("heuristics", name) for name in self.heuristics]
        return heuristics, plugins.build("guides", self.guide)


def noting_refinements(refinements: Callable[[], int]) -> AbstractContextManager[None]:
    """Return a context that adds the number of refinements to the message of a limit."""
    return noting(lambda: f"after {counted(refinements(), 'refinement')}")


def no_progress(statistics: Statistics) -> Unknown:
    """Return the answer for the case that no refinement excludes the path."""
    reason = "no progress: no refinement excludes the abstract path"
    hint = "another guide or other heuristics may find a better separator"
    return Unknown(reason, hint, statistics, ending=Ending.NO_PROGRESS)


def too_many_cubes(cubes: int, statistics: Statistics) -> Unknown:
    """Return the answer where the proof has more cubes than the option `states` allows."""
    reason = f"certificate too large: the proof consists of {cubes} cubes"
    return Unknown(reason, "allow more with the option states", statistics)
