"""Bindings for the firings of a trace that names transitions alone, or classes of colours.

Each firing takes the first binding that fits, so that few tokens are looked at: the token that came
last is tried first, and one that did not fit is tried last the next time. The order of firings does
not matter between two stops of a trace, so what was begun is brought to its end first: of the
transitions that are left the last one that can fire does. Where that gets stuck, it is tried again
in the trace's own order, and with the initial tokens in other orders.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from random import Random
from typing import TypeAlias

from petricheck.model.coloured.bindings import takings
from petricheck.model.coloured.net import Arcs, Binding, ColouredNet, Transition
from petricheck.model.coloured.solutions import (
    Positions,
    Reading,
    Row,
    colour_of,
    equations,
    truth_of,
)
from petricheck.model.coloured.terms import conjuncts, tokens, variables
from petricheck.support.budget import Budget

Steps: TypeAlias = Sequence[tuple[Transition, int]]
"""Transitions, each with how often it fires in a row."""

Firing: TypeAlias = tuple[Transition, Binding, int]
"""A transition, its binding, and how often it fires in a row."""

ATTEMPTS = 32
"""How often a trace is tried."""

_TRIES = 200_000
"""So many colours are tried for one firing."""

_Tokens: TypeAlias = Sequence["OrderedDict[int, int]"]
"""By place its tokens by colour; the last ones are tried first."""

_Counts: TypeAlias = dict[tuple[int, int], int]
"""Tokens by place and colour."""


def lift(net: ColouredNet, parts: Sequence[Steps], budget: Budget) -> list[list[Firing]] | None:
    """Return for each part of a trace bindings for its firings, maybe in another order within it.

    The transitions may have stronger guards than those of the net. None where no bindings are
    found.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    if not net.is_listed:
        return None
    choices = {id(t): _BindingChoice(t) for part in parts for t, _ in part}
    for attempt in range(ATTEMPTS):
        held = _initial(net, Random(attempt) if attempt > 1 else None)
        lifted: list[list[Firing]] = []
        for part in parts:
            steps = [(choices[id(transition)], times) for transition, times in part]
            bound = _in_order(steps, held, budget) if attempt % 2 else _fire(steps, held, budget)
            if bound is None:
                break
            lifted.append(bound)
        else:
            return lifted
    return None


def _initial(net: ColouredNet, random: Random | None) -> _Tokens:
    """Return the initial tokens, so that the least colours are tried first; or in some order."""
    held = []
    for counts in net.initial:
        colours = sorted(counts, reverse=True)
        if random is not None:
            random.shuffle(colours)
        held.append(OrderedDict((colour, counts[colour]) for colour in colours))
    return held


def _in_order(
    steps: Sequence[tuple[_BindingChoice, int]], held: _Tokens, budget: Budget
) -> list[Firing] | None:
    fired: list[Firing] = []
    for step in steps:
        if (bound := _fire([step], held, budget)) is None:
            return None
        fired += bound
    return fired


def _fire(
    steps: Sequence[tuple[_BindingChoice, int]], held: _Tokens, budget: Budget
) -> list[Firing] | None:
    """Fire all of these, the last ones as soon as they can; None where some are left."""
    left: dict[_BindingChoice, int] = {}
    for choice, times in reversed(steps):
        left[choice] = left.get(choice, 0) + times
    stuck: set[_BindingChoice] = set()
    fired: list[Firing] = []
    while choice_left := [choice for choice in left if choice not in stuck]:
        budget.check()
        choice = choice_left[0]
        if (firing := choice.fire(held, left[choice])) is None:
            stuck.add(choice)
            continue
        fired.append(firing)
        left[choice] -= firing[-1]
        if not left[choice]:
            del left[choice]
        stuck = {other for other in stuck if other.takes.isdisjoint(choice.puts)}
    return None if left else fired


@dataclass(frozen=True, slots=True)
class _Node:
    """The step of the search once some variables have their colours.

    Attributes:
        tests: conditions on those.
        present: places and colours, of which a token is needed.
        equation: the colour of a term, whose variables follow.
        scanned: places and terms; a token says what further variables are.
        ranging: a variable, and how many colours it has; None where all variables are known.
    """

    tests: Sequence[Callable[[Row], bool]]
    present: Sequence[tuple[int, Callable[[Row], int]]]
    equation: tuple[Callable[[Row], int], Reading] | None
    scanned: Sequence[tuple[int, Reading]]
    ranging: tuple[str, int] | None


class _BindingChoice:
    """A transition that takes from places and puts on some; bindings are found one at a time."""

    def __init__(self, transition: Transition) -> None:
        self._transition = transition
        self.takes = frozenset(place for place, _ in transition.pre)
        self.puts = frozenset(place for place, _ in transition.post)
        self._conditions = list(conjuncts(transition.guard))
        self._takings = [(place, term, Reading(term)) for place, term in takings(transition)]
        self._nodes: dict[tuple[str, ...], _Node] = {}
        self._tries = 0

    def fire(self, held: _Tokens, most: int) -> Firing | None:
        """Fire it under some binding, as often as it can up to `most`; None where there is none."""
        self._tries = _TRIES
        if (binding := self._search(held, {})) is None:
            return None
        pre, post = (
            _token_counts(arcs, binding) for arcs in (self._transition.pre, self._transition.post)
        )
        drains = [
            (held[place][colour] - count) // (count - post.get((place, colour), 0))
            for (place, colour), count in pre.items()
            if count > post.get((place, colour), 0)
        ]
        times = min([most, *(repeats + 1 for repeats in drains)])
        for (place, colour), count in pre.items():
            held[place][colour] -= times * count
        for (place, colour), count in post.items():
            held[place][colour] = held[place].get(colour, 0) + times * count
            held[place].move_to_end(colour)
        for place, colour in pre:
            if not held[place][colour]:
                del held[place][colour]
        return self._transition, binding, times

    def _search(self, held: _Tokens, binding: dict[str, int]) -> dict[str, int] | None:
        """Return a binding under which it can fire, where these variables have these colours."""
        names, row = tuple(binding), tuple(binding.values())
        if names not in self._nodes:
            self._nodes[names] = self._node({name: n for n, name in enumerate(names)})
        node = self._nodes[names]
        if not all(holds(row) for holds in node.tests):
            return None
        if any(colour(row) not in held[place] for place, colour in node.present):
            return None
        if node.equation:
            side, reading = node.equation
            return self._read(held, binding, reading, side(row))
        if node.scanned:
            place, reading = min(node.scanned, key=lambda scanned: len(held[scanned[0]]))
            for _ in range(len(held[place])):
                colour = next(reversed(held[place]))
                if (result := self._read(held, binding, reading, colour)) is not None:
                    return result
                held[place].move_to_end(colour, last=False)
                if self._tries <= 0:
                    break
            return None
        if node.ranging:
            name, size = node.ranging
            for colour in range(size):
                self._tries -= 1
                if (result := self._search(held, {**binding, name: colour})) or self._tries <= 0:
                    return result
            return None
        pre = _token_counts(self._transition.pre, binding)
        enough = all(0 < k <= held[place].get(colour, 0) for (place, colour), k in pre.items())
        return binding if enough else None

    def _read(
        self, held: _Tokens, binding: dict[str, int], reading: Reading, colour: int
    ) -> dict[str, int] | None:
        """Return the partial binding extended by the colour of this term."""
        self._tries -= 1
        for values in reading.rows((colour,)):
            more = dict(zip(reading.names, values, strict=True))
            if all(binding.get(name, value) == value for name, value in more.items()):
                return self._search(held, {**binding, **more})
        return None

    def _node(self, at: Positions) -> _Node:
        terms = [(n, term, variables(term).keys() <= at.keys()) for n, term, _ in self._takings]
        equation = next(equations(self._conditions, at), None)
        free = {v.name: v.sort.size for v in self._transition.variables if v.name not in at}
        return _Node(
            [truth_of(c, at) for c in self._conditions if variables(c).keys() <= at.keys()],
            [(place, colour_of(term, at)) for place, term, determined in terms if determined],
            None if equation is None else (colour_of(equation[0], at), equation[1]),
            [(place, r) for place, _, r in self._takings if not set(r.names) <= at.keys()],
            min(free.items(), key=itemgetter(1), default=None),
        )


def _token_counts(arcs: Arcs, binding: Binding) -> _Counts:
    return {(n, colour): k for n, arc in arcs for colour, k in tokens(arc, binding).items()}
