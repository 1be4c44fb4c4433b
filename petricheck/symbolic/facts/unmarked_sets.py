"""Sets of places that nothing fills: why firings of a solution wait for each other.

Let S be places that are all empty initially. The first firing that puts on S takes nothing from it,
so where a transition takes from S, one has fired before that *fills* it, which puts on S and takes
nothing from it. In a solution of the state equation tokens may come from a cycle that nothing has
started (Thierry-Mieg: Symbolic and structural model-checking, 2021, has conditions on the order of
firings against that): then S is a siphon of the transitions that the solution fires.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.model.net import Marking, Transition
from petricheck.symbolic.facts.siphons import greatest_siphon


def unfilled_sets(fired: Sequence[Transition], initial: Marking) -> Iterator[frozenset[int]]:
    """Yield disjoint, initially empty sets from which these take and that none fills.

    No place can be left out of one of them.
    """
    inputs = {place for transition in fired for place, _ in transition.pre}
    within = frozenset(place for place in inputs if not initial[place])
    while siphon := greatest_siphon(fired, within):
        for place in sorted(siphon):
            if place in siphon:
                siphon = greatest_siphon(fired, siphon - {place}) or siphon
        yield siphon
        within -= siphon
