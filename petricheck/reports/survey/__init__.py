"""What can be said of a net before any question: class, invariants, bounds, siphons, oddities.

A place invariant is a vector y with y·δ_t = 0 for every transition, so that y·m = y·m0 in every
reachable marking: those with y ≥ 0 and minimal support are found, and a basis of all. `bounds`
bounds places by these and by sums that no transition increases; `explored` finds reachable
markings and unbounded places, and all that is missing where it comes to an end. A transition
invariant is a vector x ≥ 0 with Σ x_t·δ_t = 0: what fires so often changes nothing. `structure`
knows the classes of nets, `siphons` the minimal siphons and traps. Each is given up beyond a fixed
amount of work, never of time, so that the same net is always described alike. What was given up is
told. A budget may end the survey before that: it is made part by part, and says which parts it has.
`forms` tells it to people and programs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from petricheck.explicit.covering.karp_miller import KarpMiller
from petricheck.explicit.covering.tokens import OMEGA
from petricheck.model.guarded.translation import boundless_places
from petricheck.model.net import Marking, Net, Transition
from petricheck.reports.survey.siphons import classes, minimal_siphons, turned
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.basis import independent, invariant_basis
from petricheck.symbolic.facts.place_bounds import PlaceBounds, by_programs
from petricheck.symbolic.facts.semiflows import minimal_semiflows
from petricheck.symbolic.facts.siphons import empty_siphon, unblocked_transitions
from petricheck.symbolic.linear import Hyperplane, value_at

PARTS = (
    "structure",
    "exploration",
    "place invariants",
    "bounds",
    "transition invariants",
    "minimal siphons",
    "minimal traps",
)
"""What is computed at once, in this order."""

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """The facts about a net. Attributes that belong to a missing part are None.

    Attributes:
        net: the net.
        missing: the parts that are not computed, in their order.
        arcs: how many there are, parallel ones counted once.
        tokens: in the initial marking.
        classes: the classes of nets that it belongs to, as `structure` defines them.
        never_marked: places of a siphon that is empty initially.
        dead: transitions that take from it.
        isolated: places without arcs.
        sources: transitions that need no token, hence can always fire.
        idle: transitions that change nothing.
        twins: groups of transitions with the same arcs.
        reached: the most tokens of a marking that is known to be reachable, by place; without
            unbounded places.
        unbounded: places that are proved to be unbounded.
        limited: whether no place ever holds more than `reached` says, but for the unbounded ones.
        invariants: place invariants: first those without negative weights of minimal support, as
            far as they were found, then others that complete them.
        all_invariants: whether every place invariant is a linear combination of these.
        all_semiflows: whether every one without negative weights is a sum of those among them.
        bounds: no reachable marking has more tokens, by place.
        transition_invariants: how often each transition fires, in firing vectors x ≥ 0 of minimal
            support that change nothing.
        all_transition_invariants: whether none of these is missing.
        siphons: the places of each minimal siphon, the smallest first.
        all_siphons: whether none is missing.
        traps: the same of minimal traps.
        all_traps: whether none is missing.
    """

    net: Net
    missing: Names = PARTS
    arcs: int | None = None
    tokens: int | None = None
    classes: Names | None = None
    never_marked: Names | None = None
    dead: Names | None = None
    isolated: Names | None = None
    sources: Names | None = None
    idle: Names | None = None
    twins: tuple[Names, ...] | None = None
    reached: Mapping[str, int] | None = None
    unbounded: Names | None = None
    limited: bool | None = None
    invariants: tuple[Hyperplane, ...] | None = None
    all_invariants: bool | None = None
    all_semiflows: bool | None = None
    bounds: Mapping[str, int] | None = None
    transition_invariants: tuple[Mapping[str, int], ...] | None = None
    all_transition_invariants: bool | None = None
    siphons: tuple[Names, ...] | None = None
    all_siphons: bool | None = None
    traps: tuple[Names, ...] | None = None
    all_traps: bool | None = None

    @property
    def no_bound_found(self) -> Names:
        """Places of which neither a bound is known, nor that they are unbounded."""
        settled = {*(self.bounds or ()), *(self.unbounded or ())}
        return tuple(name for name in self.net.places if name not in settled)

    @property
    def bounded(self) -> bool | None:
        """Return whether no place is unbounded; None where that is not known."""
        return False if self.unbounded else None if self.no_bound_found else True

    @property
    def safe(self) -> bool | None:
        """Return whether no place ever holds more than one token; None where that is not known."""
        if self.unbounded or self.crowded:
            return False
        return None if self.no_bound_found or self.doubtful else True

    @property
    def crowded(self) -> Names:
        """Places that hold more than one token in some reachable marking, but are not unbounded."""
        return tuple(name for name, tokens in (self.reached or {}).items() if tokens > 1)

    @property
    def doubtful(self) -> Names:
        """Places with a bound above 1 which is not known to be reached even as far as 2."""
        bounds, reached = self.bounds or {}, self.reached or {}
        return tuple(name for name, most in bounds.items() if most > 1 >= reached.get(name, 0))


def surveys(net: Net, budget: Budget) -> Iterator[Survey]:
    """Yield the survey without any part, and after each further part, until it is complete."""
    described = Survey(net)
    yield described
    for number, compute in enumerate(_COMPUTING):
        budget.check()
        budget.report(PARTS[number])
        facts = compute(described, budget)
        described = replace(described, missing=PARTS[number + 1 :], **facts)
        yield described


def _structure(described: Survey, budget: Budget) -> dict[str, Any]:
    net = described.net
    empty = empty_siphon(net)
    firing = set(unblocked_transitions(net, empty))
    touched = {place for t in net.transitions for place, _ in (*t.pre, *t.post)}
    alike: dict[Any, list[str]] = {}
    for t in net.transitions:
        alike.setdefault((t.pre, t.post), []).append(t.name)
    return {
        "arcs": sum(len(t.pre) + len(t.post) for t in net.transitions),
        "tokens": sum(net.initial),
        "classes": classes(net),
        "never_marked": tuple(net.places[place] for place in sorted(empty)),
        "dead": tuple(t.name for t in net.transitions if t not in firing),
        "isolated": tuple(name for p, name in enumerate(net.places) if p not in touched),
        "sources": tuple(t.name for t in net.transitions if not t.pre),
        "idle": tuple(t.name for t in net.transitions if not t.effect),
        "twins": tuple(tuple(names) for names in alike.values() if len(names) > 1),
    }


def _exploration(described: Survey, budget: Budget) -> dict[str, Any]:
    places = described.net.places
    if boundless_places(
        described.net
    ):  # The net fires more than the guarded one: no marking is proved.
        initial = dict(zip(places, described.net.initial, strict=True))
        return {"reached": initial, "unbounded": (), "limited": False}
    most, complete = explored(described.net, budget=budget)
    finite = {places[place]: tokens for place, tokens in most.items() if tokens != OMEGA}
    unbounded = tuple(name for name in places if name not in finite)
    return {"reached": finite, "unbounded": unbounded, "limited": complete}


def _place_invariants(described: Survey, budget: Budget) -> dict[str, Any]:
    net = described.net
    vectors, complete = minimal_semiflows(net, budget=budget)
    every, others = invariant_basis(net, budget=budget), None
    if every is not None:
        others = independent(vectors, every, len(every), budget=budget)
    return {
        "invariants": tuple(
            Hyperplane(y, value_at(y, net.initial)) for y in (*vectors, *(others or ()))
        ),
        "all_invariants": others is not None,
        "all_semiflows": complete,
    }


def _bounds(described: Survey, budget: Budget) -> dict[str, Any]:
    """Return bounds from exploration, else from invariants, else from other sums."""
    if described.limited:
        return {"bounds": described.reached}
    net = described.net
    limits = PlaceBounds(net, {p: max(1, tokens) for p, tokens in enumerate(net.initial)})
    sums = (y.direction for y in described.invariants or ())
    limits.note(y for y in sums if all(weight > 0 for _, weight in y))
    for place in limits.best:
        limits.goals.pop(place, None)
    for _ in by_programs(limits, budget):
        """Each makes bounds better."""
    return {"bounds": {net.places[p]: bound for p, (bound, _) in sorted(limits.best.items())}}


def _transition_invariants(described: Survey, budget: Budget) -> dict[str, Any]:
    actions = described.net.actions
    vectors, complete = minimal_semiflows(_dual(described.net), budget=budget)
    cycles = tuple({actions[t]: times for t, times in vector} for vector in vectors)
    return {"transition_invariants": cycles, "all_transition_invariants": complete}


def _minimal(key: str, net: Net, budget: Budget) -> dict[str, Any]:
    sets, complete = minimal_siphons(net, budget=budget)
    named = tuple(tuple(net.places[place] for place in sorted(places)) for places in sets)
    return {key: named, f"all_{key}": complete}


_COMPUTING: tuple[Callable[[Survey, Budget], dict[str, Any]], ...] = (
    _structure,
    _exploration,
    _place_invariants,
    _bounds,
    _transition_invariants,
    lambda described, budget: _minimal("siphons", described.net, budget),
    lambda described, budget: _minimal("traps", turned(described.net), budget),
)
"""The attributes of each part."""


def _dual(net: Net) -> Net:
    """Return the net with places and transitions exchanged: its P-invariants are T-invariants."""
    arcs: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]] = [([], []) for _ in net.places]
    for number, t in enumerate(net.transitions):
        for side, weights in enumerate((t.pre, t.post)):
            for place, weight in weights:
                arcs[place][side].append((number, weight))
    named = zip(net.places, arcs, strict=True)
    transitions = tuple(Transition(name, tuple(pre), tuple(post)) for name, (pre, post) in named)
    return Net(net.name, net.actions, transitions, (0,) * len(net.actions))


WORK = 1_000_000
"""What the tree may look at."""


def explored(
    net: Net, work: int = WORK, budget: Budget | None = None
) -> tuple[Mapping[int, Any], bool]:
    """Return the most tokens by place, `OMEGA` for unbounded ones; and whether it is exact.

    The tree of Karp and Miller (1969) has markings with ω, which stand for reachable markings with
    any number of tokens there, and the others exactly. So every number in it is reached, every ω is
    an unbounded place, and once nothing is left to explore no place ever has more. It starts from
    the marking in which the places that are full for a simple reason have ω already.

    A transition *pumps* where it takes only from places that are full already, or finds enough
    tokens in the initial marking and puts back no fewer than it takes. For every n there is then a
    firing sequence after which every full place has n tokens and no other place fewer than
    initially: fill the places that are full already so far that n firings of the transition leave n
    there, and fire it. So every place that it adds to is full as well.
    """
    limits, none = budget or Budget(), np.zeros((0, len(net.places)), dtype=np.int64)
    tree = KarpMiller(net, range(len(net.transitions)), np.int64, _pumped(net))
    while not tree.ended and tree.work < work:
        tree.explore(none, np.zeros(0, dtype=np.int64), 1, limits)
    most: dict[int, Any] = dict.fromkeys(range(len(net.places)), 0)
    for node in tree.nodes:
        for place, tokens in node.tokens.items():
            most[place] = max(tokens, most[place])
    return most, tree.complete


def _pumped(net: Net) -> Set[int]:
    """Return the places that transitions can fill without bound."""
    users: dict[int, list[Transition]] = defaultdict(list)
    for transition in net.transitions:
        for place, _ in transition.pre:
            users[place].append(transition)
    full: set[int] = set()
    pending = list(net.transitions)
    while pending:
        transition = pending.pop()
        if _pumps(transition, net.initial, full):
            filled = {place for place, change in transition.effect if change > 0} - full
            full |= filled
            pending += [user for place in sorted(filled) for user in users[place]]
    return full


def _pumps(transition: Transition, initial: Marking, full: Set[int]) -> bool:
    change = dict(transition.effect)
    return all(
        place in full or (initial[place] >= weight and change.get(place, 0) >= 0)
        for place, weight in transition.pre
    )
