"""What can be said of a net before any question: class, invariants, bounds, siphons, oddities.

A place invariant is a vector y with y·δ_t = 0 for every transition, so that y·m = y·m0 in every
reachable marking. `semiflows` finds those with y ≥ 0 and minimal support, `basis` a basis of all;
`bounds` bounds places by these and by sums that no transition increases; `pumping` proves places
unbounded; `exploration` finds reachable markings, and with them all that is missing where it comes
to an end. A transition invariant is a vector x ≥ 0 with Σ x_t·δ_t = 0: what fires so often changes
nothing. `structure` knows the classes of nets, `siphons` the minimal siphons and traps. Each is
given up beyond a fixed amount of work, never of time, so that the same net is always described
alike. What was given up is told. A budget may end the survey before that: it is made part by part,
and says which parts it has. `text` tells it to people, `fields` to programs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from petricheck.budget import Budget
from petricheck.covering.tokens import OMEGA
from petricheck.flows.basis import independent, invariant_basis
from petricheck.flows.place_invariant import PlaceInvariant, invariant
from petricheck.flows.semiflows import minimal_semiflows
from petricheck.problem import Net, Transition, Weights
from petricheck.state_equation.siphons import empty_siphon, unblocked_transitions
from petricheck.survey.bounds import Limits, by_programs
from petricheck.survey.exploration import explored
from petricheck.survey.pumping import pumped_places
from petricheck.survey.siphons import NOT_ONE, MinimalSets, minimal_siphons, minimal_traps
from petricheck.survey.structure import classes


class Part(Enum):
    """What is computed at once, in this order."""

    STRUCTURE = "structure"
    EXPLORATION = "exploration"
    PLACE_INVARIANTS = "place invariants"
    BOUNDS = "bounds"
    TRANSITION_INVARIANTS = "transition invariants"
    SIPHONS = "minimal siphons"
    TRAPS = "minimal traps"


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known of a net.

    Of a part that is not computed the attributes have their default values, which say nothing.

    Attributes:
        net: the net.
        missing: the parts that are not computed, in their order.
        classes: the classes of nets that it belongs to, as `structure` defines them.
        arcs: how many there are, parallel ones counted once.
        tokens: in the initial marking.
        never_marked: places of a siphon that is empty initially.
        dead: transitions that take from it.
        isolated: places without arcs.
        sources: transitions that need no token, hence can always fire.
        idle: transitions that change nothing.
        twins: groups of transitions with the same arcs.
        reached: the most tokens of a marking that is known to be reachable, by place number;
            without unbounded places.
        unbounded: places that are proved to be unbounded.
        limited: whether no place ever holds more than `reached` says, but for the unbounded ones.
        semiflows: the invariants y ≥ 0 of minimal support, as far as they were found.
        others: invariants that complete the semiflows: together they span all that were found.
        all_semiflows: whether no semiflow is missing.
        all_invariants: whether the semiflows and the others span all invariants.
        bounds: no reachable marking has more tokens, by place number.
        transition_invariants: firing vectors x ≥ 0 of minimal support that change nothing.
        all_transition_invariants: whether none of these is missing.
        siphons: the minimal siphons.
        traps: the minimal traps.
    """

    net: Net
    missing: tuple[Part, ...] = tuple(Part)
    classes: tuple[str, ...] = ()
    arcs: int = 0
    tokens: int = 0
    never_marked: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    isolated: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    twins: tuple[tuple[str, ...], ...] = ()
    reached: Mapping[int, int] = field(default_factory=dict)
    unbounded: tuple[str, ...] = ()
    limited: bool = False
    semiflows: tuple[PlaceInvariant, ...] = ()
    others: tuple[PlaceInvariant, ...] = ()
    all_semiflows: bool = False
    all_invariants: bool = False
    bounds: Mapping[int, int] = field(default_factory=dict)
    transition_invariants: tuple[Weights, ...] = ()
    all_transition_invariants: bool = False
    siphons: MinimalSets = NOT_ONE
    traps: MinimalSets = NOT_ONE

    @property
    def invariants(self) -> tuple[PlaceInvariant, ...]:
        """The semiflows, and then the others."""
        return (*self.semiflows, *self.others)

    @property
    def open(self) -> tuple[str, ...]:
        """Places of which neither a bound is known, nor that they are unbounded."""
        unbounded = frozenset(self.unbounded)
        places = enumerate(self.net.places)
        return tuple(name for p, name in places if p not in self.bounds and name not in unbounded)

    @property
    def bounded(self) -> bool | None:
        """Whether no place is unbounded; None where that is not known."""
        return False if self.unbounded else None if self.open else True

    @property
    def safe(self) -> bool | None:
        """Whether no place ever holds more than one token; None where that is not known."""
        if self.unbounded or self.crowded:
            return False
        return None if self.open or self.doubtful else True

    @property
    def crowded(self) -> tuple[str, ...]:
        """Places that hold more than one token in some reachable marking, but are not unbounded."""
        return tuple(self.net.places[place] for place, n in self.reached.items() if n > 1)

    @property
    def doubtful(self) -> tuple[str, ...]:
        """Places with a bound above 1 which is not known to be reached even as far as 2."""
        return tuple(
            self.net.places[place]
            for place, bound in self.bounds.items()
            if bound > 1 >= self.reached.get(place, 0)
        )


def survey(net: Net, budget: Budget | None = None) -> Survey:
    """Everything the module's description promises.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    *_, complete = surveys(net, budget or Budget())
    return complete


def surveys(net: Net, budget: Budget) -> Iterator[Survey]:
    """The same with none of its parts, and then with one part more each time, until it has all.

    Raises:
        BudgetExhausted: time or memory ran out; what was yielded before stands.
    """
    described = Survey(net)
    yield described
    for part, compute in _COMPUTING.items():
        budget.check()
        budget.report(part.value)
        missing = tuple(other for other in described.missing if other is not part)
        described = replace(described, missing=missing, **compute(described, budget))
        yield described


def _structure(described: Survey, budget: Budget) -> dict[str, Any]:
    net = described.net
    empty = empty_siphon(net)
    firing = set(unblocked_transitions(net, empty))
    touched = {place for t in net.transitions for place, _ in (*t.pre, *t.post)}
    return {
        "classes": classes(net),
        "arcs": sum(len(t.pre) + len(t.post) for t in net.transitions),
        "tokens": sum(net.initial),
        "never_marked": tuple(net.places[place] for place in sorted(empty)),
        "dead": _names(t for t in net.transitions if t not in firing),
        "isolated": tuple(name for p, name in enumerate(net.places) if p not in touched),
        "sources": _names(t for t in net.transitions if not t.pre),
        "idle": _names(t for t in net.transitions if not t.effect),
        "twins": _twins(net.transitions),
    }


def _exploration(described: Survey, budget: Budget) -> dict[str, Any]:
    net = described.net
    most, complete = explored(net, pumped_places(net), budget=budget)
    finite = {place: tokens for place, tokens in most.items() if tokens != OMEGA}
    unbounded = (name for place, name in enumerate(net.places) if place not in finite)
    return {"reached": finite, "unbounded": tuple(unbounded), "limited": complete}


def _place_invariants(described: Survey, budget: Budget) -> dict[str, Any]:
    net = described.net
    vectors, complete = minimal_semiflows(net, budget=budget)
    every, others = invariant_basis(net, budget=budget), None
    if every is not None:
        others = independent(vectors, every, len(every), budget=budget)
    return {
        "semiflows": tuple(invariant(net, y) for y in vectors),
        "others": tuple(invariant(net, y) for y in others or ()),
        "all_semiflows": complete,
        "all_invariants": others is not None,
    }


def _bounds(described: Survey, budget: Budget) -> dict[str, Any]:
    """From exploration, or else from the semiflows; where they cover nothing, from other sums."""
    if described.limited:
        return {"bounds": described.reached}
    net = described.net
    limits = Limits(net, {p: max(1, tokens) for p, tokens in enumerate(net.initial)})
    limits.note(y.weights for y in described.semiflows)
    for place in limits.best:
        limits.wanted.pop(place, None)
    for _ in by_programs(limits, budget):
        """Each makes bounds better."""
    return {"bounds": {place: bound for place, (bound, _) in sorted(limits.best.items())}}


def _transition_invariants(described: Survey, budget: Budget) -> dict[str, Any]:
    cycles, complete = minimal_semiflows(_dual(described.net), budget=budget)
    return {"transition_invariants": cycles, "all_transition_invariants": complete}


_COMPUTING: Mapping[Part, Callable[[Survey, Budget], dict[str, Any]]] = {
    Part.STRUCTURE: _structure,
    Part.EXPLORATION: _exploration,
    Part.PLACE_INVARIANTS: _place_invariants,
    Part.BOUNDS: _bounds,
    Part.TRANSITION_INVARIANTS: _transition_invariants,
    Part.SIPHONS: lambda described, budget: {
        "siphons": minimal_siphons(described.net, budget=budget)
    },
    Part.TRAPS: lambda described, budget: {"traps": minimal_traps(described.net, budget=budget)},
}


def _dual(net: Net) -> Net:
    """The net whose places are the transitions: its place invariants are transition invariants."""
    arcs: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]] = [([], []) for _ in net.places]
    for number, t in enumerate(net.transitions):
        for side, weights in enumerate((t.pre, t.post)):
            for place, weight in weights:
                arcs[place][side].append((number, weight))
    named = zip(net.places, arcs, strict=True)
    transitions = tuple(Transition(name, tuple(pre), tuple(post)) for name, (pre, post) in named)
    return Net(net.name, net.actions, transitions, (0,) * len(net.actions))


def _names(transitions: Iterable[Transition]) -> tuple[str, ...]:
    return tuple(t.name for t in transitions)


def _twins(transitions: Iterable[Transition]) -> tuple[tuple[str, ...], ...]:
    groups: dict[Hashable, list[str]] = {}
    for t in transitions:
        groups.setdefault((t.pre, t.post), []).append(t.name)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
