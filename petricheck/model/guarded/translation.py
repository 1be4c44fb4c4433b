"""The ordinary net of a guarded one: the same state space, where its watched places are bounded.

With a bound K of a place p, its complement place q has K − m(p) tokens, so that m(p) < w is
m(q) ≥ K − w + 1: an upper guard becomes a read arc. A transition that resets p becomes one for each
number of tokens that p may have, such as `t(p=3)`, which needs exactly these: 3 tokens in p and
K − 3 in q.

Firing by firing, both nets reach the same markings of the places of the guarded net, if each bound
is one of the guarded net (`evidence.audit.guards` proves it): then q never lacks tokens that p may
still get. So every answer about the ordinary net is one about the guarded net.

Where no bound of a watched place is known, the ordinary net has no upper guards on it; and one more
transition takes single tokens from it, at any time, if the place is reset. So it fires whatever the
guarded net fires, and more: what it never reaches, the guarded net does not. Its traces prove
something where they fire in the guarded net itself.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import ClassVar, TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula, Inequality, at_most
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.model.drawing.graph import Graph
from petricheck.model.guarded.net import Guard, GuardedNet
from petricheck.model.net import Marking, Net, Transition, Weights
from petricheck.model.node_names import NodeNames
from petricheck.support.errors import InputError, QueryError
from petricheck.support.words import counted, fresh_name, quoted

MOST_RESETS = 10_000
"""The most transitions that a transition with resets becomes."""

ASSUMED = 1 << 32
"""The bound of places without one, in a net that fires less."""

DRAIN = -1
"""Stands for the number of a guarded net's transition, where it has none that does the same."""

SumBound: TypeAlias = tuple[Weights, int]
"""Weights y > 0 of places, and B: y·m ≤ B in every reachable marking."""


@dataclass(frozen=True)
class Complementation:
    """The origin of the ordinary net of a guarded one.

    Attributes:
        guarded: the net that was translated.
        bounds: sums of places with their bounds, which bound each watched place.
    """

    guarded: GuardedNet
    bounds: tuple[SumBound, ...]
    merging: ClassVar[None] = None
    has_colours: ClassVar[bool] = False

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """The bounds, as formulas over the places of the guarded net."""
        names = self.guarded.places
        sums = ((linear((names[p], n) for p, n in weights), most) for weights, most in self.bounds)
        return tuple(at_most(total, most) for total, most in sums)

    @cached_property
    def limits(self) -> Mapping[int, int]:
        """The bound K of each watched place, by its number."""
        limits: dict[int, int] = {}
        for weights, most in self.bounds:
            for place, weight in weights:
                limits[place] = min(most // weight, limits.get(place, most // weight))
        return {place: limits[place] for place in self.guarded.watched if place in limits}

    @cached_property
    def boundless(self) -> tuple[int, ...]:
        """The watched places of which no bound is known."""
        return tuple(place for place in self.guarded.watched if place not in self.limits)

    @cached_property
    def left_out(self) -> Mapping[int, Guard]:
        """Upper guards and resets of places without a bound, by number of a transition.

        The transition of the ordinary net does not have them.
        """
        open_places, guards = {*self.boundless}, dict[int, Guard]()
        for number, (_, owner, _) in enumerate(self.named if open_places else ()):
            guard = Guard() if owner == DRAIN else self.guarded.guards[owner]
            upper = tuple(pair for pair in guard.upper if pair[0] in open_places)
            resets = tuple(place for place in guard.resets if place in open_places)
            if upper or resets:
                guards[number] = Guard(upper, resets)
        return guards

    @cached_property
    def restricted(self) -> Net:
        """An ordinary net with upper guards, in which places without a bound have `ASSUMED`.

        A transition that resets such a place fires where no token of it would remain; another one
        takes single tokens from it, at any time.
        """
        net, open_places = self.guarded, {*self.boundless}
        drains = [
            Transition(name, ((tokens[0], 1),), ())
            for name, number, tokens in self.named
            if number == DRAIN
        ]
        guards = [_without_rest(net, number, open_places) for number in range(len(net.guards))]
        part = replace(net.plain, transitions=(*net.transitions, *drains))
        assumed: list[SumBound] = [(((place, 1),), ASSUMED) for place in self.boundless]
        part_guards = (*guards, *(Guard() for _ in drains))
        return complemented(GuardedNet(part, part_guards), (*self.bounds, *assumed))

    @cached_property
    def complements(self) -> Mapping[int, int]:
        """The number of the complement place, by the number of a watched place."""
        first = len(self.guarded.places)
        return {place: first + number for number, place in enumerate(self.limits)}

    @cached_property
    def hidden(self) -> Mapping[str, Term]:
        """What each complement place holds, K − m(p), by its id."""
        names, hidden = self.guarded.places, dict[str, Term]()
        for place, most in self.limits.items():
            name = fresh_name(f"{names[place]}_complement", {*names, *hidden})
            hidden[name] = most - variable(names[place])
        return hidden

    @cached_property
    def emptied(self) -> Sequence[Sequence[tuple[int, ...]]]:
        """The numbers of tokens with which a transition resets its places, by transition.

        One without resets has one entry, which is empty. Those that its guards, or the bounds,
        exclude are left out.
        """
        return [[*self._emptied(number)] for number in range(len(self.guarded.transitions))]

    def emptied_by(self, number: int) -> tuple[int, ...]:
        """Return the places with a bound that the guarded net's transition of a number resets."""
        return tuple(p for p in self.guarded.guards[number].resets if p in self.limits)

    def _emptied(self, number: int) -> Iterator[tuple[int, ...]]:
        transition, guard = self.guarded.transitions[number], self.guarded.guards[number]
        needed, put, upper = map(dict, (transition.pre, transition.post, guard.upper))
        ranges = list[tuple[int, int]]()
        for place in self.emptied_by(number):
            most, least = self.limits[place], needed.get(place, 0)
            fits = put.get(place, 0) <= most
            ranges.append((least, max(least, fits * min(upper.get(place, most + 1), most + 1))))
        if (size := prod(end - start for start, end in ranges)) > MOST_RESETS:
            raise InputError(
                f"transition {quoted(transition.name)} may empty its places in "
                f"{counted(size, 'way')}, and at most {MOST_RESETS} are translated; give the "
                "places that it resets smaller capacities"
            )
        return product(*(range(*ends) for ends in ranges))

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """The number of each place, by place of the guarded net."""
        return {name: (number,) for number, name in enumerate(self.guarded.places)}

    @cached_property
    def transitions(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the transitions that a transition of the guarded net became."""
        numbers, start = dict[str, Sequence[int]](), 0
        for transition, ways in zip(self.guarded.transitions, self.emptied, strict=True):
            numbers[transition.name] = range(start, start := start + len(ways))
        return numbers

    @cached_property
    def named(self) -> Sequence[tuple[str, int, tuple[int, ...]]]:
        """The ids of the ordinary net's transitions, each with what it stands for.

        That is the number of a transition of the guarded net, and the tokens that it resets; or
        `DRAIN` and a place.
        """
        net, taken = self.guarded, {transition.name for transition in self.guarded.transitions}
        named = list[tuple[str, int, tuple[int, ...]]]()
        for number, transition in enumerate(net.transitions):
            emptied = self.emptied_by(number)
            for tokens in self.emptied[number]:
                name = transition.name
                if emptied:
                    pairs = zip(emptied, tokens, strict=True)
                    inside = ", ".join(f"{net.places[place]}={count}" for place, count in pairs)
                    taken.add(name := fresh_name(f"{name}({inside})", taken))
                named.append((name, number, tokens))
        for place in self.boundless:
            if any(place in guard.resets for guard in net.guards):
                taken.add(name := fresh_name(f"drain({net.places[place]})", taken))
                named.append((name, DRAIN, (place,)))
        return named

    def place_of(self, name: str, colours: str) -> tuple[str, Sequence[int]]:
        """Refuse, by a QueryError: places have no colours."""
        raise QueryError(f"the tokens of place {quoted(name)} have no colours")

    def factors(
        self, name: str, binding: str = ""
    ) -> Sequence[tuple[Sequence[int], Sequence[Sequence[int]]]]:
        """Return the transitions that it became, with the places that say when it can fire.

        A reset alone needs nothing. With a binding such as `(p=3)`, the one of that text.

        Raises:
            QueryError: there is none of that text.
        """
        numbers = self.bindings(name, binding)
        if binding:
            return [(numbers, [range(len(self.guarded.places) + len(self.limits))])]
        owner = self.guarded.plain.transition_numbers[name]
        transition, guard = self.guarded.transitions[owner], self.guarded.guards[owner]
        free = {*guard.resets} - {place for place, _ in (*transition.pre, *guard.upper)}
        free |= {self.complements[place] for place in free if place in self.complements}
        places = range(len(self.guarded.places) + len(self.limits))
        return [(numbers, [[place for place in places if place not in free]])]

    def firing_of(self, name: str, binding: str) -> str:
        """Return the id of the firing; QueryError where it is not said which tokens it resets."""
        ids = [self.named[number][0] for number in self.transitions[name]]
        if (firing := f"{name}{binding}") in ids:
            return firing
        raise QueryError(
            f"a firing of transition {quoted(name)} says how many tokens it resets, as in {ids[0]}"
            if ids
            else f"transition {quoted(name)} can never fire"
        )

    def bindings(self, name: str, binding: str = "") -> Sequence[int]:
        """Return the transitions that it became; QueryError as for `factors`."""
        numbers = self.transitions[name]
        if not binding:
            return numbers
        numbers = [n for n in numbers if self.named[n][0] == f"{name}{binding}"]
        if not numbers:
            raise QueryError(f"transition {quoted(name)} resets no such numbers of tokens")
        return numbers

    def transition_of(self, firing: str) -> str | None:
        """Return None: each firing has a transition of its own."""

    def fireability(self, name: str, binding: str = "") -> str:
        """Return that tokens of places say it."""
        return ""

    def observes(self, name: str) -> bool:
        """Return that there are no such numbers."""
        return False

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """The human names of the guarded net."""
        net = self.guarded.plain
        places = dict(zip(net.places, net.labels or ("",) * len(net.places), strict=True))
        transitions = {transition.name: transition.label for transition in net.transitions}
        return {**places, **transitions, **dict.fromkeys(places.keys() & transitions, "")}

    @property
    def shown(self) -> NodeNames:
        """The names by which people see places and transitions of the guarded net."""
        return self.guarded.shown

    def sums(self, name: str) -> Mapping[str, Sequence[int]]:
        """Return that there are none."""
        return {}

    def tokens(self, place: str, marking: Sequence[int]) -> None:
        """Return None: tokens have no colours."""

    @property
    def nodes(self) -> int:
        """The number of places and transitions of the guarded net."""
        return self.guarded.nodes

    def graph(self, marking: Marking | None = None) -> Graph:
        """Return the drawing's graph of the guarded net, also with a marking of the ordinary."""
        own = None if marking is None else marking[: len(self.guarded.places)]
        return self.guarded.graph(own)


def _without_rest(net: GuardedNet, number: int, places: Container[int]) -> Guard:
    """Return the guard that, instead of resetting these places, has no more than is taken there."""
    guard, pre = net.guards[number], dict(net.transitions[number].pre)
    drained = [place for place in guard.resets if place in places]
    upper = dict(guard.upper) | {place: pre.get(place, 0) + 1 for place in drained}
    resets = tuple(place for place in guard.resets if place not in drained)
    return Guard(tuple(sorted(upper.items())), resets)


def boundless_places(net: Net) -> tuple[str, ...]:
    """Return the places whose guards the net leaves out, as ordinary net of a guarded one."""
    return tuple(net.places[place] for place in net.origin.boundless) if net.origin else ()


def require_exact(net: Net) -> None:
    """Refuse, by an InputError, an ordinary net that fires more than its guarded one."""
    if places := boundless_places(net):
        raise InputError(
            f"no bound is known of {quoted(places[0])}, so that no ordinary net has the same "
            "markings; give that place a capacity"
        )


def complemented_by(guarded: GuardedNet, formulas: Sequence[Formula]) -> Net:
    """Return the ordinary net, given formulas such as `p + 2*q <= 5` for its bounds.

    Raises:
        InputError: they are of another form, or a transition would become too many.
    """
    numbers, bounds = guarded.plain.place_numbers, list[SumBound]()
    for formula in formulas:
        pairs = formula.term.coefficients if isinstance(formula, Inequality) else ()
        if not pairs or not all(name in numbers and weight > 0 for name, weight in pairs):
            raise InputError("a bound is none of a sum of places of the net")
        assert isinstance(formula, Inequality)
        weights = tuple(sorted((numbers[name], weight) for name, weight in pairs))
        bounds.append((weights, -formula.term.constant))
    return complemented(guarded, bounds)


def complemented(guarded: GuardedNet, bounds: Sequence[SumBound]) -> Net:
    """Return the ordinary net, given bounds of sums of places.

    Raises:
        InputError: a transition would become too many; or the net has several initial markings, of
            which a greater one may disable more.
    """
    origin = Complementation(guarded, tuple(bounds))
    net = guarded.plain
    if net.initials is not None:
        raise InputError("a net with upper guards or resets has one initial marking")
    free = ((place, most) for place, most in origin.limits.items())
    initial = (*net.initial, *(most - net.initial[place] for place, most in free))
    labels = (*net.labels, *("" for _ in origin.limits)) if net.labels else ()
    transitions = tuple(
        _transition(origin, name, number, tokens) for name, number, tokens in origin.named
    )
    places = (*net.places, *origin.hidden)
    return Net(net.name, places, transitions, initial, labels, origin=origin)


def _transition(
    origin: Complementation, name: str, number: int, tokens: tuple[int, ...]
) -> Transition:
    """Return the ordinary transition that resets so many tokens, or drains a place."""
    if number == DRAIN:
        return Transition(name, ((tokens[0], 1),), ())
    original, guard = origin.guarded.transitions[number], origin.guarded.guards[number]
    pre, post, upper = dict(original.pre), dict(original.post), dict(guard.upper)
    emptied = dict(zip(origin.emptied_by(number), tokens, strict=True))
    effect = dict(original.effect)
    for place, most in origin.limits.items():
        complement = origin.complements[place]
        if place in emptied:
            pre |= {place: emptied[place], complement: most - emptied[place]}
            post |= {complement: most - post.get(place, 0)}
        else:
            gain = effect.get(place, 0)
            least = max(most - upper.get(place, most + 1) + 1, gain, 0)
            pre[complement], post[complement] = least, least - gain
    return Transition(name, _positive(pre), _positive(post), original.label)


def _positive(weights: Mapping[int, int]) -> Weights:
    return tuple(sorted((place, weight) for place, weight in weights.items() if weight))
