"""Firings of coloured nets, by the library's own terms and guards."""

from __future__ import annotations

from collections.abc import Iterator

from petricheck.model.coloured.net import Binding, Marking, Transition, candidates
from petricheck.model.coloured.terms import tokens


def enabled(transition: Transition, marking: Marking) -> Iterator[dict[str, int]]:
    """The bindings under which the transition can fire, each once."""
    at, rows = candidates(transition, marking)
    for row in rows:
        binding = {variable.name: row[at[variable.name]] for variable in transition.variables}
        if is_enabled(transition, marking, binding):
            yield binding


def is_enabled(transition: Transition, marking: Marking, binding: Binding) -> bool:
    """Whether the guard holds and the tokens are there."""
    return bool(transition.guard.holds(binding)) and all(
        marking[place].get(colour, 0) >= count
        for place, multiset in transition.pre
        for colour, count in tokens(multiset, binding).items()
    )


def fire(transition: Transition, marking: Marking, binding: Binding) -> Marking:
    """The marking after a firing that is enabled."""
    after = [dict(counts) for counts in marking]
    for arcs, sign in ((transition.pre, -1), (transition.post, 1)):
        for place, multiset in arcs:
            for colour, count in tokens(multiset, binding).items():
                assert count >= 0
                after[place][colour] = after[place].get(colour, 0) + sign * count
    return tuple({c: n for c, n in counts.items() if n} for counts in after)
