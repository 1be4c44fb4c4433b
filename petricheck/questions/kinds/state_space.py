"""The question after the numbers of reachable markings and firings, and the most tokens.

The markings are explored breadth first. An unbounded net has infinitely many; so after the first
ones the search checks whether the net is `bounded`, and then explores the others.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import inf
from typing import TYPE_CHECKING

from petricheck.evidence.claims import Claim, Pumped, ReachabilitySet
from petricheck.model.net import Net
from petricheck.questions.kind import UNBOUNDED, Answers, Conclusion, Kind, kind_of
from petricheck.questions.study import Study
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, Ending, noting
from petricheck.support.words import counted, number_text

if TYPE_CHECKING:
    from petricheck.explicit.kernel.explore import Exploration

FIRST = 100_000
"""Markings that are explored before that check."""

SECONDS, PART = 30.0, 4
"""The most seconds of that check, and the part of the remaining time (1 / `PART`)."""


class StateSpace(Kind):
    """The size of the state space: reachable markings, firings between them, and most tokens."""

    rank = 110
    meaning = "How large is the state space: markings, firings, tokens?"
    outcomes = Answers(
        {UNBOUNDED: ("unbounded", "infinite", "not bounded", "+inf")}, unit="marking"
    )
    colours = "all"
    drawn = True

    def search(self, study: Study, contents: Sequence[None]) -> None:
        """Explore all markings, unless a loop shows that there are infinitely many."""
        # It brings numpy.
        from petricheck.explicit.kernel.explore import Exploration

        exploration = Exploration(study.net, (), study.budget.memory_left)
        with noting(lambda: f"with {counted(exploration.size, 'marking')} known by then"):
            _explore(exploration, FIRST, study.budget)
            if not exploration.exhausted:
                _prove_unbounded(study)
            if not study.claims:
                _explore(exploration, inf, study.budget)
                study.prove(_claim(exploration, frozenset(study.net.known)))

    def conclude(self, net: Net, content: None, claims: Sequence[Claim]) -> Conclusion:
        """Return the number of markings, or that there are infinitely many."""
        infinite = any(isinstance(claim, Pumped) for claim in claims)
        space = next((claim for claim in claims if isinstance(claim, ReachabilitySet)), None)
        if space is None or infinite:
            none = dict.fromkeys(("markings", "firings", "tokens_in_place", "tokens_in_marking"))
            facts = {"unbounded": infinite, **none}
            return Conclusion(self.outcomes, UNBOUNDED if infinite else None, (), facts)
        colour = " of a colour" if net.is_unfolded else ""
        details = (
            f"They enable {counted(space.firings, 'firing')} in all.",
            f"No place ever holds more than {counted(space.in_place, 'token')}{colour}, "
            f"and all places together no more than {number_text(space.in_marking)}.",
        )
        facts = {
            "unbounded": False,
            "markings": space.markings,
            "firings": space.firings,
            "tokens_in_place": space.in_place,
            "tokens_in_marking": space.in_marking,
        }
        return Conclusion(self.outcomes, space.markings, details, facts)


def _explore(exploration: Exploration, markings: float, budget: Budget) -> None:
    """Explore until the exploration has so many markings, or ends."""
    while not exploration.ended and exploration.size < markings:
        budget.check()
        budget.report(f"{counted(exploration.size, 'marking')}, {exploration.closed} expanded")
        exploration.run(min(exploration.pace, FIRST))


def _prove_unbounded(study: Study) -> None:
    """Try to prove that a place is unbounded, within the limits."""
    inner = Study(study.net, study.setting, study.budget.part(PART, SECONDS), brief=True)
    with study.budget.tolerate_overruns():
        kind_of("bounded").search(inner, (None,))
    study.proved += [pair for pair in inner.proved if isinstance(pair[0], Pumped)][:1]


def _claim(exploration: Exploration, places: Set[int]) -> ReachabilitySet:
    """Return the claim that these markings are all, if they are, and fit a file."""
    from petricheck.explicit.kernel.packing import largest

    if exploration.full:
        raise BudgetExhausted("markings fill the memory that they may take", Ending.MEMORY)
    if exploration.overflowed:
        raise BudgetExhausted("some place holds more than 2^40 tokens")
    if (table := exploration.ranked) is None:
        raise BudgetExhausted("all markings are known, but no table of them fits a file")
    most = largest(exploration.bits, exploration.words, places)
    return ReachabilitySet(exploration.size, exploration.firings, *most, table)
