"""Small unbounded nets, the same in every run, and what is live, reversible and a home space there.

An answer *no* is exact: some marking that a bounded search reaches can never cover what it would
have to, by the least markings that can (`home_spaces.covering`); or all that it can reach is finite
and outside; or a sum that no transition decreases is greater than initially. The answer *yes* says
that each of the first markings can return within bounds. Otherwise the answer is not known.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from random import Random

from home_spaces import covering, dominates
from oracle import OMEGA, coverable, explore, first_markings, successor, suprema

from petricheck.arithmetic.formulas.formulas import Formula, evaluate
from petricheck.formats.language.grammar import read_formula
from petricheck.model.net import Marking, Net, make_net

COUNT = 200
NEAR, FAR, LARGEST = 400, 9, 4
"""How many markings are asked about; tokens of a place on the ways from there, and at most in the
least markings inside."""

Graph = dict[Marking, set[Marking]]


@dataclass(frozen=True)
class Sample:
    """A net with a formula."""

    net: Net
    home: str

    @property
    def formula(self) -> Formula:
        return read_formula(self.net, self.home)


@cache
def samples() -> tuple[Sample, ...]:
    """Two hundred nets: as in course books, with sources; at random; with transitions both ways.

    In each some place is unbounded, and every transition can fire.
    """
    random, chosen = Random(43), list[Sample]()
    while len(chosen) < COUNT:
        kind = (_with_sources, _random, _both_ways)[len(chosen) % 3]
        net = kind(random, f"n{len(chosen)}")
        most = suprema(net, 1_000)
        if (
            most is not None
            and OMEGA in most
            and all(coverable(net, dict(t.pre)) for t in net.transitions)
        ):
            chosen.append(Sample(net, _home(random, net)))
    return tuple(chosen)


def _weights(random: Random, places: list[str], least: int, most: int) -> dict[str, int]:
    size = min(random.randint(least, most), len(places))
    return {place: random.choice((1, 1, 1, 2)) for place in random.sample(places, size)}


def _random(random: Random, name: str) -> Net:
    places = [f"p{n}" for n in range(1, random.randint(2, 5) + 1)]
    transitions = {
        f"t{n}": (_weights(random, places, 1, 2), _weights(random, places, 0, 3))
        for n in range(1, random.randint(2, 5) + 1)
    }
    return make_net(name, {place: random.choice((0, 0, 1, 2)) for place in places}, transitions)


def _with_sources(random: Random, name: str) -> Net:
    """A net whose tokens come from a transition without input places, or from a place kept."""
    places = [f"p{n}" for n in range(1, random.randint(2, 5) + 1)]
    source = {} if random.random() < 0.6 else {"p1": 1}
    transitions = {"t1": (source, {**source, random.choice(places[-2:]): 1})}
    for number in range(2, random.randint(2, 5) + 2):
        pre, post = _weights(random, places, 1, 2), _weights(random, places, 0, 2)
        transitions[f"t{number}"] = (pre, {p: n for p, n in post.items() if p not in pre})
    initial = {place: random.choice((0, 0, 1)) for place in places} | ({"p1": 1} if source else {})
    return make_net(name, initial, transitions)


def _both_ways(random: Random, name: str) -> Net:
    """A random net, most of whose transitions can be taken back by another one."""
    net, transitions = _random(random, name), {}
    for t in net.transitions[:3]:
        pre, post = ({net.places[p]: n for p, n in weights} for weights in (t.pre, t.post))
        transitions[t.name] = pre, post
        if random.random() < 0.8:
            transitions[f"{t.name}_back"] = post, pre
    return make_net(name, dict(zip(net.places, net.initial, strict=True)), transitions)


def _home(random: Random, net: Net) -> str:
    first, second = random.sample(net.places, 2)
    number = random.randint(1, 3)
    return random.choice(
        (
            f"{first} = 0",
            f"{first} >= {number}",
            f"{first} + {second} <= {number}",
            f"{first} = {number} & {second} = 0",
            f"{first} > {second}",
            f"{first} = {second}",
        )
    )


def live(net: Net) -> bool | None:
    """Whether all transitions are live."""
    needs = [_row(net, transition.pre) for transition in net.transitions]
    answers = {_always(net, partial(dominates, least=least), [least]) for least in needs}
    return False if False in answers else None if None in answers else True


def reversible(net: Net) -> bool | None:
    """Whether the initial marking can always be reached again."""
    return _always(net, lambda m: m == net.initial, [net.initial])


def home(net: Net, formula: Formula) -> bool | None:
    """Whether a marking in the formula can always be reached."""

    def inside(marking: Marking) -> bool:
        return evaluate(formula, net.values(marking))

    box = product(range(LARGEST + 1), repeat=len(net.places))
    return _always(net, inside, _minimal(filter(inside, box)))


def _row(net: Net, weights: tuple[tuple[int, int], ...]) -> Marking:
    tokens: Mapping[int, int] = dict(weights)
    return tuple(tokens.get(place, 0) for place in range(len(net.places)))


def _minimal(markings: Iterator[Marking]) -> list[Marking]:
    least = list[Marking]()
    for marking in sorted(markings, key=sum):
        if not any(dominates(marking, other) for other in least):
            least.append(marking)
    return least


def _always(net: Net, inside: Callable[[Marking], bool], least: list[Marking]) -> bool | None:
    """Whether from every reachable marking one inside can be reached.

    The least markings are below all that are inside.
    """
    far = _within(net, FAR)
    back = {m for m in far if inside(m)}
    sources: Graph = {}
    for marking, after in far.items():
        for later in after:
            sources.setdefault(later, set()).add(marking)
    waiting = deque(back)
    while waiting:
        for marking in sources.get(waiting.popleft(), set()) - back:
            back.add(marking)
            waiting.append(marking)
    lost = [m for m in first_markings(net, NEAR) if m in far and m not in back]
    if not lost:
        return True
    bases = [covering(net, row) for row in least]
    if None not in bases:
        basis = [row for rows in bases for row in rows or ()]
        if any(not any(dominates(m, row) for row in basis) for m in lost):
            return False
    for marking in lost[:20]:
        behind = explore(net.beginning(marking), 300)
        if behind is not None and not any(map(inside, behind)):
            return False
    return False if least == [net.initial] and any(_grown(net, m) for m in lost[:5]) else None


def _within(net: Net, most: int) -> Graph:
    graph: Graph = {}
    waiting = [net.initial]
    while waiting:
        marking = waiting.pop()
        if marking not in graph:
            following = {successor(marking, t) for t in net.transitions} - {None}
            graph[marking] = {m for m in following if m is not None and max(m) <= most}
            waiting.extend(graph[marking])
    return graph


def _grown(net: Net, marking: Marking) -> bool:
    """Whether a sum that no transition decreases is greater than initially."""
    return any(
        sum(w * (n - start) for w, n, start in zip(sums, marking, net.initial, strict=True)) > 0
        for sums in product((-1, 0, 1, 2), repeat=len(net.places))
        if all(sum(sums[p] * change for p, change in t.effect) >= 0 for t in net.transitions)
    )
