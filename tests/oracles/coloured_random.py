"""Random small coloured nets, and random questions about them, as plain values.

Most nets are bounded, and many have colours that behave alike: initial markings with several of
them, variables that occur once, guards that hold for all. Sorts of several kinds share their words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from coloured_oracle import (
    DOT,
    All,
    Bag,
    Const,
    Graph,
    Guard,
    NegativeArcError,
    Net,
    Next,
    Part,
    Place,
    Sort,
    Term,
    Transition,
    Tup,
    Var,
    bindings,
    explore,
    partition,
    product_of,
    span,
    tokens,
)

MOST_COLOURS, MOST_FIRINGS = 16, 60
WORDS = "abcd"


def random_net(random: Random, limit: int) -> Graph:
    """A net with its graph, which most of the time has less markings than the limit."""
    while True:
        net = _Drawing(random).net()
        try:
            if len(net.firings) > MOST_FIRINGS:
                continue
        except NegativeArcError:
            continue
        graph = explore(net, limit)
        # Some are unbounded, and a few do next to nothing.
        if random.random() < (0.1 if not graph.complete else 1 if len(graph.markings) > 4 else 0.1):
            return graph


class _Drawing:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._sorts: list[Sort] = []

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def net(self) -> Net:
        self._sorts = self._drawn_sorts()
        # The first sort is that of most places, so that colours pass between them.
        chosen = [
            self._sorts[0] if self._chance(0.4) else self._random.choice(self._sorts)
            for _ in range(self._random.randint(2, 4))
        ]
        places = tuple(
            Place(f"p{number}", sort, self._initial(sort, 0.5 if number else 1))
            for number, sort in enumerate(chosen)
        )
        count = self._random.choice((1, 2, 2, 3, 3, 4))
        return Net(places, tuple(self._transition(f"t{n}", places) for n in range(count)))

    def _drawn_sorts(self) -> list[Sort]:
        random = self._random
        sorts: list[Sort] = []
        for number in range(random.choice((1, 1, 2))):
            size, name = random.choice((1, 2, 2, 3, 3, 3, 4, 4)), f"S{number}"
            kind = random.choice(("finite", "finite", "cyclic", "range"))
            if kind == "range":
                first = random.randint(-1, 1)
                sorts.append(span(name, first, first + size - 1))
            else:
                sorts.append(Sort(name, kind, tuple(WORDS[:size])))
        if self._chance(0.25):
            whole = random.choice(sorts)
            elements = "uv"[: random.randint(1, min(2, len(whole.colours)))]
            parts = [*elements, *(random.choice(elements) for _ in whole.colours)]
            parts = parts[: len(whole.colours)]
            random.shuffle(parts)
            sorts.append(partition("Parts", whole, tuple(elements), parts))
        if self._chance(0.4):
            sorts.append(DOT)
        for name in ("Pair", "Nested"):
            factors = [random.choice(sorts) for _ in range(random.choice((2, 2, 3)))]
            made = product_of(name, *factors)
            if len(made.colours) <= MOST_COLOURS and self._chance(0.4):
                sorts.append(made)
        return sorts

    def _initial(self, sort: Sort, probability: float) -> Bag:
        if not self._chance(probability):
            return ()
        if self._chance(0.6):
            return ((self._random.choice((1, 1, 1, 2)), All(sort)),)
        count = self._random.choice((1, 2, 2, 3))
        colours = self._random.choices(sort.colours, k=count)
        return tuple((self._random.choice((1, 1, 2)), Const(sort, colour)) for colour in colours)

    def _transition(self, name: str, places: tuple[Place, ...]) -> Transition:
        random = self._random
        pool = [
            Var(f"{letter}{number}", sort)
            for number, sort in enumerate(self._sorts)
            if sort.kind != "product" or self._chance(0.2)
            for letter in "xy"
        ]
        used: list[Var] = []
        pre = self._arcs(places, pool, used, random.choice((1, 1, 1, 1, 2, 2)))
        if self._chance(0.04):
            pre = ()
        # Colours mostly come from the tokens taken.
        post_pool = used if used and self._chance(0.85) else pool
        post = self._arcs(places, post_pool, used, random.choice((0, 1, 1, 1, 2)))
        if self._chance(0.85):
            post = _at_most(post, _count(pre))
        guard = self._guard(used, 2) if used and self._chance(0.4) else ("and",)
        drawn = Transition(name, pre, post, guard)
        known = [*bindings(drawn)]
        return Transition(name, *(_never_negative(arcs, known) for arcs in (pre, post)), guard)

    def _arcs(
        self, places: tuple[Place, ...], pool: list[Var], used: list[Var], count: int
    ) -> tuple[tuple[str, Bag], ...]:
        chosen = sorted(self._random.sample(range(len(places)), count))
        return tuple((places[n].name, self._bag(places[n].sort, pool, used)) for n in chosen)

    def _bag(self, sort: Sort, pool: list[Var], used: list[Var]) -> Bag:
        if self._chance(0.06):
            return ((1, All(sort)), (-1, self._term(sort, pool, used)))
        summands = []
        for _ in range(self._random.choice((1, 1, 1, 1, 2))):
            count = self._random.choice((1, 1, 1, 1, 1, 2))
            summands.append((count, self._summand(sort, pool, used)))
        return tuple(summands)

    def _summand(self, sort: Sort, pool: list[Var], used: list[Var]) -> Term:
        if self._chance(0.06):
            return All(sort)
        if sort.kind == "product" and self._chance(0.12):
            every = self._random.randrange(len(sort.factors))
            terms = (
                All(factor) if number == every else self._term(factor, pool, used)
                for number, factor in enumerate(sort.factors)
            )
            return Tup(sort, tuple(terms))
        return self._term(sort, pool, used)

    def _term(self, sort: Sort, pool: list[Var], used: list[Var]) -> Term:
        fitting = [variable for variable in pool if variable.sort == sort]
        if sort.kind == "dot":
            return Const(sort, "dot")
        if sort.kind == "product" and not (fitting and self._chance(0.3)):
            return Tup(sort, tuple(self._term(factor, pool, used) for factor in sort.factors))
        if sort.kind == "partition" and self._chance(0.6):
            (whole,) = sort.factors
            return Part(sort, self._term(whole, pool, used))
        if not fitting or self._chance(0.12):
            return Const(sort, self._random.choice(sort.colours))
        # Variables that are new make colours alike; old ones compare them.
        fresh = [variable for variable in fitting if variable not in used]
        variable = self._random.choice(fresh if fresh and self._chance(0.6) else fitting)
        if variable not in used:
            used.append(variable)
        if sort.kind == "cyclic" and self._chance(0.3):
            return Next(variable, self._random.choice((1, 1, -1)))
        return variable

    def _guard(self, known: list[Var], depth: int) -> Guard:
        if depth and self._chance(0.35):
            word = self._random.choice(("and", "or", "not"))
            count = 1 if word == "not" else 2
            return (word, *(self._guard(known, depth - 1) for _ in range(count)))
        left: Term = self._random.choice(known)
        partitions = [s for s in self._sorts if s.kind == "partition" and s.factors[0] == left.sort]
        if partitions and self._chance(0.6):
            left = Part(partitions[0], left)
        alike = [variable for variable in known if variable.sort == left.sort]
        if self._chance(0.3) and alike:
            right: Term = self._random.choice(alike)
        else:
            right = Const(left.sort, self._random.choice(left.sort.colours))
        if left.sort.kind == "cyclic" and self._chance(0.15):
            left = Next(left)
        ordered = left.sort.kind in ("finite", "cyclic", "range", "partition")
        words = ("=", "!=", "<", "<=", ">", ">=") if ordered else ("=", "!=")
        return (self._random.choice(words), left, right)


def _count(arcs: tuple[tuple[str, Bag], ...]) -> int:
    """Tokens that arcs move; the number does not depend on the binding."""
    return sum(count * _size(term) for _, bag in arcs for count, term in bag)


def _size(term: Term) -> int:
    match term:
        case All(sort):
            return len(sort.colours)
        case Tup(_, terms):
            size = 1
            for part in terms:
                size *= _size(part)
            return size
    return 1


def _at_most(arcs: tuple[tuple[str, Bag], ...], most: int) -> tuple[tuple[str, Bag], ...]:
    """The arcs without the last ones, until they move no more tokens."""
    while _count(arcs) > most:
        *kept, (place, bag) = arcs
        shorter = bag[:-1] if len(bag) > 1 and bag[-1][0] > 0 else ()
        arcs = (*kept, (place, shorter)) if shorter else tuple(kept)
    return arcs


def _never_negative(arcs: tuple[tuple[str, Bag], ...], known: list) -> tuple[tuple[str, Bag], ...]:
    """The arcs, without what is subtracted where that were too much."""
    result = []
    for place, bag in arcs:
        try:
            for binding in known:
                tokens(bag, binding)
        except NegativeArcError:
            bag = tuple((count, term) for count, term in bag if count > 0)
        result.append((place, bag))
    return tuple(result)


# ---------------------------------------------------------------- questions


@dataclass(frozen=True)
class Question:
    """A question about a net.

    `content` depends on the kind. A reference is a pair of a place and a pattern, see
    `coloured_spelling`, or of None and the number of a place of the unfolded net; a call is a pair
    of a transition and colours of some variables.

    - formula, home: ("<=", ((factor, reference), …), number), ("mod", (…), modulus, residue),
      ("fireable", call, …), ("and", …), ("or", …), ("not", …)
    - target, cover: ((reference, number), …)
    - bound: (sign, ((factor, reference), …), constant)
    - fireable, live: (call, …), of live maybe none
    - others: None
    """

    kind: str
    content: Any = None


BARE = ("deadlock", "bounded", "safe", "stable", "quasi_live", "live", "reversible", "state_space")
WORDED = ("formula", "target", "cover", "bound", "fireable", "live", "home")


def random_question(random: Random, graph: Graph, native: int = 0) -> Question:
    """A question; `native` is the number of places of the unfolded net, which it may name."""
    if random.random() < 0.35:
        return Question(random.choice(BARE))
    kind = random.choice(WORDED)
    draw = _Asking(random, graph, native)
    match kind:
        case "formula" | "home":
            return Question(kind, draw.formula(2))
        case "target" | "cover":
            return Question(kind, draw.tokens(exact=kind == "target"))
        case "bound":
            return Question(kind, (random.choice((1, 1, -1)), draw.sum(), random.randint(0, 2)))
        case _:
            return Question(kind, tuple(draw.call() for _ in range(random.randint(1, 2))))


class _Asking:
    def __init__(self, random: Random, graph: Graph, native: int) -> None:
        self._random, self._graph, self._native = random, graph, native

    def reference(self):
        if self._native and self._random.random() < 0.4:
            return (None, self._random.randrange(self._native))
        place = self._random.choice(self._graph.net.places)
        if self._random.random() < 0.5 or place.sort.kind == "dot":
            return (place.name, None)
        colour = self._random.choice(place.sort.colours)
        if place.sort.kind == "product" and self._random.random() < 0.4:
            free = self._random.randrange(len(colour))
            colour = tuple(None if n == free else part for n, part in enumerate(colour))
            if colour == (None,) * len(colour):
                return (place.name, None)
        return (place.name, colour)

    def call(self):
        transition = self._random.choice(self._graph.net.transitions)
        if self._random.random() < 0.5 or not transition.variables:
            return (transition.name, ())
        binding = self._random.choice([*bindings(transition)] or [{}])
        names = [name for name in binding if self._random.random() < 0.7]
        return (transition.name, tuple((name, binding[name]) for name in names))

    def sum(self):
        count = self._random.choice((1, 1, 2, 3))
        references = dict.fromkeys(self.reference() for _ in range(count))
        return tuple((self._random.choice((1, 1, 1, 2, -1)), r) for r in references)

    def formula(self, depth: int):
        random = self._random
        if depth and random.random() < 0.5:
            word = random.choice(("and", "or", "not"))
            return (word, *(self.formula(depth - 1) for _ in range(1 if word == "not" else 2)))
        form = random.random()
        if form < 0.15:
            return ("fireable", *(self.call() for _ in range(random.randint(1, 2))))
        if form < 0.25:
            modulus = random.randint(2, 3)
            return ("mod", self.sum(), modulus, random.randrange(modulus))
        word = random.choice(("<=", ">=", "=", "!="))
        return (word, self.sum(), random.choice((0, 1, 1, 2, 3)))

    def tokens(self, *, exact: bool):
        random, net = self._random, self._graph.net
        references = dict.fromkeys(self.reference() for _ in range(random.randint(1, 3)))
        if exact and random.random() < 0.6:
            # A marking that there is.
            marking = random.choice(self._graph.markings)
            held = Counter[str]()
            for (place, _), count in zip(net.cells, marking, strict=True):
                held[place] += count
            return tuple(((place, None), count) for place, count in held.items())
        return tuple((reference, random.randint(0, 2)) for reference in references)
