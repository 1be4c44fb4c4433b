"""Guarded nets: place/transition nets whose transitions have upper guards and resets.

An upper guard (p, w) of a transition, which an inhibitor arc of weight w draws, lets it fire only
where m(p) < w. A reset of p takes all tokens of p that remain after the transition has taken its
own, before it puts any. Read arcs and capacities need no more than that: a read arc is an arc to
the transition and one back; a place of capacity k has, in each transition that fills it by δ, the
upper guard k − δ + 1 (the weak rule: m' ≤ k after the firing).

A guarded net is no `Net`. Everything that is made for ordinary nets, which are monotone, sees a
translation of it (`guarded.translation`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from petricheck.model.drawing import forms
from petricheck.model.drawing.graph import Graph
from petricheck.model.net import Marking, Net, Transition, Weights
from petricheck.model.node_names import NodeNames
from petricheck.support.errors import InputError
from petricheck.support.words import quoted

Arc: TypeAlias = tuple[int, int, int]
"""The number of a transition, that of a place, and a weight."""


@dataclass(frozen=True, slots=True)
class Guard:
    """What a transition has besides its ordinary arcs.

    Attributes:
        upper: upper guards (place, w), w ≥ 1, sorted by place: it fires only where m(place) < w.
        resets: the places that it empties, sorted.
    """

    upper: Weights = ()
    resets: tuple[int, ...] = ()

    @property
    def places(self) -> frozenset[int]:
        """The places that it watches or empties."""
        return frozenset((*dict(self.upper), *self.resets))


@dataclass(frozen=True)
class GuardedNet:
    """A place/transition net with guards; `guarded` makes it.

    Attributes:
        plain: the net without its guards, which fires more, and resets nothing.
        guards: of each transition, in the net's order.
        capacities: those of which guards are made, for pictures alone, as people drew the net.
    """

    plain: Net
    guards: tuple[Guard, ...]
    capacities: Weights = field(default=(), compare=False)

    def __str__(self) -> str:
        return forms.to_text(self)

    def __repr__(self) -> str:
        return f"<GuardedNet {forms.headline(self)}>"

    def _repr_html_(self) -> str:
        return forms.to_html(self)

    def enabled(self, number: int, marking: Marking) -> bool:
        """Return whether the transition of this number can fire."""
        below = all(marking[place] < most for place, most in self.guards[number].upper)
        return below and self.plain.transitions[number].enabled(marking)

    def fire(self, number: int, marking: Marking) -> Marking:
        """Return the marking after a firing, even if the transition is not enabled."""
        transition = self.plain.transitions[number]
        after, post = [*transition.fire(marking)], dict(transition.post)
        for place in self.guards[number].resets:
            after[place] = post.get(place, 0)
        return tuple(after)

    @property
    def name(self) -> str:
        """The net's id."""
        return self.plain.name

    @property
    def places(self) -> tuple[str, ...]:
        """The ids of the places."""
        return self.plain.places

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The transitions without their guards."""
        return self.plain.transitions

    @property
    def added(self) -> frozenset[str]:
        """The transitions that the file does not have, as of a `Net`."""
        return self.plain.added

    @property
    def watched(self) -> tuple[int, ...]:
        """The places that some transition watches or empties, in their order."""
        return tuple(sorted({place for guard in self.guards for place in guard.places}))

    @property
    def nodes(self) -> int:
        """The number of drawn places and transitions."""
        return self.plain.nodes

    @property
    def shown(self) -> NodeNames:
        """The names by which people see places and transitions."""
        return self.plain.shown

    @property
    def guard_numbers(self) -> tuple[tuple[int, str], ...]:
        """How many there are of each drawn form of guards, and its name; of those that it has."""
        drawn = self.graph().transitions
        numbers = (
            (sum(len(transition.inhibitors) for transition in drawn), "inhibitor arc"),
            (sum(len(guard.resets) for guard in self.guards), "reset arc"),
            (len(self.capacities), "capacity limit"),
        )
        return tuple((number, name) for number, name in numbers if number)

    def graph(self, marking: Marking | None = None) -> Graph:
        """Return the drawing's graph, with a marking, by default the initial one."""
        drawn, limits = self.plain.graph(marking), dict(self.capacities)
        nodes = zip(drawn.transitions, self.transitions, self.guards, strict=True)
        return Graph(
            tuple(replace(place, capacity=limits.get(n)) for n, place in enumerate(drawn.places)),
            tuple(
                replace(node, inhibitors=_drawn(transition, guard, limits), resets=guard.resets)
                for node, transition, guard in nodes
            ),
        )

    def draw(self, form: str = "svg") -> str:
        """Return a picture of the net with its guards; see `model.net.Net.draw`."""
        return forms.drawn(self, form)


def guarded(
    net: Net,
    *,
    inhibitors: Iterable[Arc] = (),
    reads: Iterable[Arc] = (),
    resets: Iterable[tuple[int, int]] = (),
    capacities: Mapping[int, int] | None = None,
) -> Net | GuardedNet:
    """Return the net with these guards: an ordinary one where none but reads restrains it.

    Args:
        net: the net with its ordinary arcs.
        inhibitors: of several between the same nodes, the least weight counts.
        reads: of several between the same nodes, the greatest weight counts.
        resets: pairs of a transition and a place that it empties.
        capacities: the most tokens, by place, after a firing.

    Raises:
        InputError: a weight is less than 1, or the initial marking exceeds a capacity.
    """
    transitions = [*net.transitions]
    emptied: list[set[int]] = [set() for _ in transitions]
    for number, place in resets:
        emptied[number].add(place)
    for number, place, weight in reads:
        puts_back = place not in emptied[number]
        transitions[number] = _reading(transitions[number], place, weight, net, puts_back)
    upper: list[dict[int, int]] = [{} for _ in transitions]
    for number, place, weight in inhibitors:
        _require_weight(weight, "inhibitor", net, transitions[number], place)
        upper[number][place] = min(weight, upper[number].get(place, weight))
    for place, most in (capacities or {}).items():
        if net.initial[place] > most:
            raise InputError(
                f"place {quoted(net.places[place])} has {net.initial[place]} tokens initially and "
                f"the capacity {most}; correct one of them"
            )
        for number, transition in enumerate(transitions):
            is_reset = place in emptied[number]
            least = _first_beyond(transition, place, most, is_reset)
            if least == 0:  # It never fires: it needs a token where there may be none.
                transitions[number] = _reading(transition, place, 1, net, not is_reset)
                least = 1
            if least is not None:
                upper[number][place] = min(least, upper[number].get(place, least))
    net = replace(net, transitions=tuple(transitions))
    guards = tuple(
        Guard(tuple(sorted(bounds.items())), tuple(sorted(places)))
        for bounds, places in zip(upper, emptied, strict=True)
    )
    if all(guard == Guard() for guard in guards):
        return net
    return GuardedNet(net, guards, tuple(sorted((capacities or {}).items())))


def _drawn(transition: Transition, guard: Guard, capacities: Mapping[int, int]) -> Weights:
    """Return the upper guards that no capacity stands for."""

    def is_shown(place: int, most: int) -> bool:
        if place not in capacities:
            return True
        is_reset = place in guard.resets
        return most != _first_beyond(transition, place, capacities[place], is_reset)

    return tuple(pair for pair in guard.upper if is_shown(*pair))


def as_guarded(net: Net) -> GuardedNet:
    """Return an ordinary net as a guarded one, whose transitions have no guards."""
    return GuardedNet(net, (Guard(),) * len(net.transitions))


def _first_beyond(transition: Transition, place: int, capacity: int, is_reset: bool) -> int | None:
    """Return the least number of tokens from which a firing exceeds the capacity; None without."""
    put = dict(transition.post).get(place, 0)
    if is_reset:
        return 0 if put > capacity else None
    gain = dict(transition.effect).get(place, 0)
    return max(capacity - gain + 1, 0) if gain > 0 else None


def _reading(
    transition: Transition, place: int, weight: int, net: Net, puts_back: bool
) -> Transition:
    """Return the transition that also needs so many tokens, and puts back what it takes for that.

    What it put back would survive a reset of the place, so there it does not.
    """
    _require_weight(weight, "read", net, transition, place)
    pre, post = dict(transition.pre), dict(transition.post)
    more = max(weight - pre.get(place, 0), 0)
    if not more:
        return transition
    pre[place] = pre.get(place, 0) + more
    if puts_back:
        post[place] = post.get(place, 0) + more
    taken, put = (tuple(sorted(side.items())) for side in (pre, post))
    return Transition(transition.name, taken, put, transition.label)


def _require_weight(weight: int, kind: str, net: Net, transition: Transition, place: int) -> None:
    if weight < 1:
        raise InputError(
            f"the {kind} arc from {quoted(net.places[place])} to {quoted(transition.name)} has the "
            f"weight {weight}; write a whole number, at least 1"
        )
