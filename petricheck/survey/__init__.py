"""What can be said of a net before any question: class, invariants, bounds, siphons, oddities.

A place invariant is a vector y with y·δ_t = 0 for every transition, so that y·m = y·m0 in every
reachable marking. `semiflows` finds those with y ≥ 0 and minimal support, `basis` a basis of all;
`bounds` bounds places by these and by sums that no transition increases; `pumping` proves places
unbounded; `exploration` finds reachable markings, and with them all that is missing where it comes
to an end. A transition invariant is a vector x ≥ 0 with Σ x_t·δ_t = 0: what fires so often changes
nothing. `structure` knows the classes of nets, `siphons` the minimal siphons and traps. Each is
given up beyond a fixed amount of work, never of time, so that the same net is always described
alike. What was given up is told.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from petricheck.covering.tokens import OMEGA
from petricheck.flows.basis import independent, invariant_basis
from petricheck.flows.place_invariant import PlaceInvariant, invariant
from petricheck.flows.semiflows import minimal_semiflows
from petricheck.problem import Net, Transition, Weights
from petricheck.state_equation.siphons import empty_siphon, unblocked_transitions
from petricheck.survey.bounds import least_bounds, never_growing
from petricheck.survey.exploration import Explored, explored
from petricheck.survey.pumping import pumped_places
from petricheck.survey.siphons import MinimalSets, minimal_siphons, minimal_traps
from petricheck.survey.structure import classes


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known of a net.

    Attributes:
        net: the net.
        classes: the classes of nets that it belongs to, as `structure` defines them.
        arcs: how many there are, parallel ones counted once.
        tokens: in the initial marking.
        semiflows: the invariants y ≥ 0 of minimal support, as far as they were found.
        others: invariants that complete the semiflows: together they span all that were found.
        all_semiflows: whether no semiflow is missing.
        all_invariants: whether the semiflows and the others span all invariants.
        bounds: no reachable marking has more tokens, by place number.
        unbounded: places that are proved to be unbounded.
        open: places of which neither is known.
        isolated: places without arcs.
        sources: transitions that need no token, hence can always fire.
        idle: transitions that change nothing.
        twins: groups of transitions with the same arcs.
    """

    net: Net
    classes: tuple[str, ...]
    arcs: int
    tokens: int
    semiflows: tuple[PlaceInvariant, ...]
    others: tuple[PlaceInvariant, ...]
    all_semiflows: bool
    all_invariants: bool
    transition_invariants: tuple[Weights, ...]
    all_transition_invariants: bool
    bounds: Mapping[int, int]
    reached: Mapping[int, int]
    unbounded: tuple[str, ...]
    open: tuple[str, ...]
    never_marked: tuple[str, ...]
    dead: tuple[str, ...]
    siphons: MinimalSets
    traps: MinimalSets
    isolated: tuple[str, ...]
    sources: tuple[str, ...]
    idle: tuple[str, ...]
    twins: tuple[tuple[str, ...], ...]

    @property
    def invariants(self) -> tuple[PlaceInvariant, ...]:
        """The semiflows, and then the others."""
        return (*self.semiflows, *self.others)

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
            if bound > 1 >= self.reached[place]
        )


def survey(net: Net) -> Survey:
    """Everything the module's description promises."""
    vectors, all_semiflows = minimal_semiflows(net)
    cycles, all_cycles = minimal_semiflows(_dual(net))
    others = _others(net, vectors)
    seen = explored(net, pumped_places(net))
    full = frozenset(place for place, tokens in seen.reached.items() if tokens == OMEGA)
    bounded = _bounds(net, vectors, seen)
    empty = empty_siphon(net)
    firing = set(unblocked_transitions(net, empty))
    touched = {place for t in net.transitions for place, _ in (*t.pre, *t.post)}
    return Survey(
        net=net,
        classes=classes(net),
        arcs=sum(len(t.pre) + len(t.post) for t in net.transitions),
        tokens=sum(net.initial),
        semiflows=tuple(invariant(net, y) for y in vectors),
        others=tuple(invariant(net, y) for y in others or ()),
        all_semiflows=all_semiflows,
        all_invariants=others is not None,
        transition_invariants=cycles,
        all_transition_invariants=all_cycles,
        bounds=bounded,
        reached={place: tokens for place, tokens in seen.reached.items() if place not in full},
        unbounded=tuple(net.places[place] for place in sorted(full)),
        open=tuple(p for n, p in enumerate(net.places) if n not in bounded and n not in full),
        never_marked=tuple(net.places[place] for place in sorted(empty)),
        dead=_names(t for t in net.transitions if t not in firing),
        siphons=minimal_siphons(net),
        traps=minimal_traps(net),
        isolated=tuple(name for p, name in enumerate(net.places) if p not in touched),
        sources=_names(t for t in net.transitions if not t.pre),
        idle=_names(t for t in net.transitions if not t.effect),
        twins=_twins(net.transitions),
    )


def _dual(net: Net) -> Net:
    """The net whose places are the transitions: its place invariants are transition invariants."""
    pre: list[list[tuple[int, int]]] = [[] for _ in net.places]
    post: list[list[tuple[int, int]]] = [[] for _ in net.places]
    for number, t in enumerate(net.transitions):
        for place, weight in t.pre:
            pre[place].append((number, weight))
        for place, weight in t.post:
            post[place].append((number, weight))
    turned = zip(net.places, map(tuple, pre), map(tuple, post), strict=True)
    transitions = tuple(Transition(*each) for each in turned)
    return Net(net.name, net.actions, transitions, (0,) * len(net.actions))


def _others(net: Net, known: Sequence[Weights]) -> tuple[Weights, ...] | None:
    """Invariants that complete the known ones to all; None where that is too much work."""
    every = invariant_basis(net)
    return None if every is None else independent(known, every, len(every))


def _bounds(net: Net, known: Sequence[Weights], seen: Explored) -> dict[int, int]:
    """From exploration, or else from the semiflows; where they cover nothing, from other sums."""
    if seen.complete:
        return {place: tokens for place, tokens in seen.reached.items() if tokens != OMEGA}
    covered = {place for y in known for place, _ in y}
    rest = [place for place in range(len(net.places)) if place not in covered]
    return least_bounds(net, (*known, *(never_growing(net, rest) if rest else ())))


def _names(transitions: Iterable[Transition]) -> tuple[str, ...]:
    return tuple(t.name for t in transitions)


def _twins(transitions: Iterable[Transition]) -> tuple[tuple[str, ...], ...]:
    groups: dict[Hashable, list[str]] = {}
    for t in transitions:
        groups.setdefault((t.pre, t.post), []).append(t.name)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
