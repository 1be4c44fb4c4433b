"""Guarded nets by definition: what fires, one marking at a time.

Nothing of `model.guarded` is used but the function that makes the library's net.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property

from petricheck.model.guarded.net import Guard, GuardedNet, guarded
from petricheck.model.net import Marking, Net, Transition, make_net

Arcs = Mapping[int, int]
"""Weights by place."""


@dataclass(frozen=True)
class Rule:
    """A transition: its arcs by form, and the capacities of all places of the net."""

    name: str
    pre: Arcs
    post: Arcs
    reads: Arcs
    inhibitors: Arcs
    resets: Set[int]
    capacities: Arcs

    def after(self, marking: Marking) -> Marking | None:
        """The marking after a firing, None where it cannot fire."""
        tokens = dict(enumerate(marking))
        if any(tokens[p] < n for p, n in (*self.pre.items(), *self.reads.items())):
            return None
        if any(tokens[p] >= n for p, n in self.inhibitors.items()):
            return None
        for place, number in self.pre.items():
            tokens[place] -= number
        for place in self.resets:
            tokens[place] = 0
        for place, number in self.post.items():
            tokens[place] += number
        if any(tokens[p] > most for p, most in self.capacities.items()):
            return None
        return tuple(tokens.values())


@dataclass(frozen=True)
class Drafted:
    """A net of such transitions."""

    initial: Marking
    transitions: tuple[Rule, ...]

    @cached_property
    def places(self) -> tuple[str, ...]:
        return tuple(f"p{n}" for n in range(len(self.initial)))

    @cached_property
    def place_numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.places)}

    def values(self, marking: Marking) -> dict[str, int]:
        return dict(zip(self.places, marking, strict=True))

    def beginning(self, marking: Marking) -> Drafted:
        return replace(self, initial=marking)

    def relaxed(self) -> Drafted:
        """The net without what keeps transitions from firing, or empties places."""
        none = {"inhibitors": {}, "capacities": {}, "resets": frozenset()}
        return replace(self, transitions=tuple(replace(t, **none) for t in self.transitions))

    def net(self) -> Net | GuardedNet:
        """The net of the library."""
        names = self.places

        def named(arcs: Arcs) -> dict[str, int]:
            return {names[place]: number for place, number in arcs.items()}

        arcs = {t.name: (named(t.pre), named(t.post)) for t in self.transitions}
        rules = [*enumerate(self.transitions)]
        return guarded(
            make_net("drafted", dict(zip(names, self.initial, strict=True)), arcs),
            inhibitors=[(n, p, w) for n, t in rules for p, w in t.inhibitors.items()],
            reads=[(n, p, w) for n, t in rules for p, w in t.reads.items()],
            resets=[(n, p) for n, t in rules for p in t.resets],
            capacities=rules[0][1].capacities,
        )


def defined(net: GuardedNet) -> Drafted:
    """A net of the library, by definition."""

    def rule(transition: Transition, guard: Guard) -> Rule:
        pre, post = dict(transition.pre), dict(transition.post)
        return Rule(transition.name, pre, post, {}, dict(guard.upper), {*guard.resets}, {})

    return Drafted(net.plain.initial, tuple(map(rule, net.transitions, net.guards)))
