"""What can be said of a net before any question: size, place invariants, bounds, oddities.

A place invariant is a vector y with y·δ_t = 0 for every transition, so that y·m = y·m0 in every
reachable marking. `semiflows` finds those with y ≥ 0 and minimal support, `basis` a basis of all;
`bounds` bounds places by these and by sums that no transition increases; `pumping` proves places
unbounded. Each is given up beyond a fixed amount of work, never of time, so that the same net is
always described alike. What was given up is told.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from petricheck.flows.basis import independent, invariant_basis
from petricheck.flows.place_invariant import PlaceInvariant, invariant
from petricheck.flows.semiflows import minimal_semiflows
from petricheck.problem import Net, Transition, Weights
from petricheck.survey.bounds import least_bounds, never_growing
from petricheck.survey.pumping import pumped_places


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known of a net.

    Attributes:
        net: the net.
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
    arcs: int
    tokens: int
    semiflows: tuple[PlaceInvariant, ...]
    others: tuple[PlaceInvariant, ...]
    all_semiflows: bool
    all_invariants: bool
    bounds: Mapping[int, int]
    unbounded: tuple[str, ...]
    open: tuple[str, ...]
    isolated: tuple[str, ...]
    sources: tuple[str, ...]
    idle: tuple[str, ...]
    twins: tuple[tuple[str, ...], ...]

    @property
    def invariants(self) -> tuple[PlaceInvariant, ...]:
        """The semiflows, and then the others."""
        return (*self.semiflows, *self.others)


def survey(net: Net) -> Survey:
    """Everything the module's description promises."""
    vectors, all_semiflows = minimal_semiflows(net)
    others = _others(net, vectors)
    bounded = _bounds(net, vectors)
    full = pumped_places(net)
    touched = {place for t in net.transitions for place, _ in (*t.pre, *t.post)}
    return Survey(
        net=net,
        arcs=sum(len(t.pre) + len(t.post) for t in net.transitions),
        tokens=sum(net.initial),
        semiflows=tuple(invariant(net, y) for y in vectors),
        others=tuple(invariant(net, y) for y in others or ()),
        all_semiflows=all_semiflows,
        all_invariants=others is not None,
        bounds=bounded,
        unbounded=tuple(net.places[place] for place in sorted(full)),
        open=tuple(p for n, p in enumerate(net.places) if n not in bounded and n not in full),
        isolated=tuple(name for p, name in enumerate(net.places) if p not in touched),
        sources=_names(t for t in net.transitions if not t.pre),
        idle=_names(t for t in net.transitions if not t.effect),
        twins=_twins(net.transitions),
    )


def _others(net: Net, known: Sequence[Weights]) -> tuple[Weights, ...] | None:
    """Invariants that complete the known ones to all; None where that is too much work."""
    every = invariant_basis(net)
    return None if every is None else independent(known, every, len(every))


def _bounds(net: Net, known: Sequence[Weights]) -> dict[int, int]:
    """From the semiflows, and for the places that they do not cover from other sums."""
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
