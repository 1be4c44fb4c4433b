"""Random guarded nets, and formulas: both answers are frequent, and guards change them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random

from guarded_oracle import Arcs, Drafted, Rule
from judged import Graph, graph_of
from workflows import bridged, sound_workflow

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    at_least,
    at_most,
    congruent,
    conjunction,
    different,
    disjunction,
    equal,
)
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.net import Marking

LIMIT = 400
"""The most markings of a graph that is explored."""


def random_net(random: Random) -> tuple[Graph, Graph]:
    """The graphs of a net and of the same without guards, in most of which they change something.

    Few are unbounded, and few have less than four markings.
    """
    while True:
        net = _drafted(random)
        graph, relaxed = graph_of(net, LIMIT), graph_of(net.relaxed(), LIMIT)
        changes = graph.after.keys() != relaxed.after.keys()
        if random.random() < (1 if len(graph.after) > 3 else 0.1) * (1 if changes else 0.3):
            return graph, relaxed


def random_bounded(count: int) -> Iterator[tuple[Graph, GuardedNet]]:
    """So many nets with guards, of the library, with their graphs, which are finite."""
    graphs = (random_net(Random(seed))[0] for seed in itertools.count())
    pairs = ((graph, graph.net.net()) for graph in graphs if graph.whole)
    guarded = (pair for pair in pairs if isinstance(pair[1], GuardedNet))
    return itertools.islice(guarded, count)


def _drafted(random: Random) -> Drafted:
    """A net of 1 to 4 places, bounded by its moves, capacities or inhibitor arcs, or not at all."""
    count, rules = random.randint(1, 4), random.randint(1, 5)
    initial = tuple(random.choice((0, 0, 1, 1, 2, 3, 4)) for _ in range(count))
    bounded = random.choice(("moves", "moves", "capacities", "inhibitors", "nothing"))
    capacities = {
        place: tokens + random.choice((0, 1, 1, 2, 3))
        for place, tokens in enumerate(initial)
        if bounded == "capacities" or random.random() < 0.1
    }

    def arcs(size: int) -> dict[int, int]:
        weights: dict[int, int] = {}
        for _ in range(size):
            place = random.randrange(count)
            weights[place] = weights.get(place, 0) + 1
        return weights

    def some(chance: float, *weights: int) -> dict[int, int]:
        return {p: random.choice(weights) for p in range(count) if random.random() < chance}

    def rule(name: str) -> Rule:
        size = random.choice((1, 1, 2, 3))
        pre, post = arcs(size), arcs(size if bounded == "moves" else random.choice((0, 1, 1, 2, 3)))
        inhibitors = some(0.25, 1, 1, 2, 3)
        if bounded == "inhibitors":
            filled = (p for p in post if post[p] > pre.get(p, 0))
            inhibitors |= {p: random.choice((1, 2, 3, 4)) for p in filled}
        resets = frozenset(some(0.1, 1))
        return Rule(name, pre, post, some(0.1, 1, 2), inhibitors, resets, capacities)

    return Drafted(initial, tuple(rule(f"t{n}") for n in range(rules)))


def random_workflow(random: Random) -> Drafted:
    """A workflow net with guards, often sound without them; its last place is the sink."""
    made = sound_workflow(random.randint(2, 7), random)
    if random.random() < 0.4:
        bridged(made, random)
    net = made.net()

    def some(chance: float, *weights: int) -> dict[int, int]:
        places = range(len(net.places))
        return {p: random.choice(weights) for p in places if random.random() < chance}

    def rule(name: str, pre: Arcs, post: Arcs) -> Rule:
        resets = frozenset(some(0.08, 1))
        return Rule(name, pre, post, some(0.05, 1), some(0.12, 1, 1, 2), resets, capacities)

    capacities = some(0.1, 1)
    rules = (rule(t.name, dict(t.pre), dict(t.post)) for t in net.transitions)
    return Drafted(net.initial, tuple(rules))


def random_formula(random: Random, net: Drafted, markings: list[Marking]) -> Formula:
    """A formula which often describes one of these markings, or those near it."""
    near = [n + random.choice((0, 0, 0, 0, 1, -1)) for n in random.choice(markings)]

    def atom() -> Formula:
        chosen = random.sample(net.places, random.choice((1, 1, 2)) if len(net.places) > 1 else 1)
        weights = {place: random.choice((1, 1, 1, 2, -1)) for place in chosen}
        value = sum(n * near[net.place_numbers[p]] for p, n in weights.items())
        term = linear(weights.items())
        relation = random.choice((equal, equal, at_least, at_least, at_most, different, None))
        modulus = random.choice((2, 3))
        return relation(term, value) if relation else congruent(term, value % modulus, modulus)

    parts = [atom() for _ in range(random.choice((1, 2, 2, 3)))]
    match random.randrange(4):
        case 0:
            return disjunction(parts)
        case 1:
            exact = (equal(variable(p), max(n, 0)) for p, n in zip(net.places, near, strict=True))
            return conjunction([*exact])
        case _:
            return conjunction(parts)
