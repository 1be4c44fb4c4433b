"""Small coloured nets as plain values, and what they do, by brute force.

Nothing here is the library's: sorts, terms, guards and firings have their own form and arithmetic.
Colours are strings, and tuples of colours; a marking has a number for each place and colour.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from operator import eq, ge, gt, le, lt, ne

Colour = str | tuple["Colour", ...]
Binding = Mapping[str, Colour]
Marking = tuple[int, ...]
"""Tokens of each cell of the net."""

RELATIONS = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}

# ---------------------------------------------------------------- nets


@dataclass(frozen=True)
class Sort:
    """A finite set of colours, in its order.

    `kind` is dot, finite, cyclic, range, product or partition. A product has its `factors`; a
    partition has the sort that it takes apart as its only one, and `parts`, by colour of it.
    """

    name: str
    kind: str
    colours: tuple[Colour, ...]
    factors: tuple[Sort, ...] = ()
    parts: tuple[Colour, ...] = ()


DOT = Sort("dot", "dot", ("dot",))


def span(name: str, first: int, last: int) -> Sort:
    return Sort(name, "range", tuple(str(number) for number in range(first, last + 1)))


def product_of(name: str, *factors: Sort) -> Sort:
    return Sort(name, "product", tuple(product(*(f.colours for f in factors))), factors)


def partition(name: str, whole: Sort, elements: Sequence[str], parts: Sequence[str]) -> Sort:
    return Sort(name, "partition", tuple(elements), (whole,), tuple(parts))


@dataclass(frozen=True)
class Var:
    name: str
    sort: Sort


@dataclass(frozen=True)
class Const:
    sort: Sort
    colour: Colour


@dataclass(frozen=True)
class Next:
    """The successor of a colour of a cyclic sort; its predecessor where `steps` is -1."""

    term: Term
    steps: int = 1

    @property
    def sort(self) -> Sort:
        return self.term.sort


@dataclass(frozen=True)
class Part:
    """The element of a partition in which a colour is."""

    sort: Sort
    term: Term


@dataclass(frozen=True)
class Tup:
    sort: Sort
    terms: tuple[Term, ...]


@dataclass(frozen=True)
class All:
    """Every colour of a sort once; on arcs and in initial markings, also inside tuples."""

    sort: Sort


Term = Var | Const | Next | Part | Tup | All
Bag = tuple[tuple[int, Term], ...]
"""How often each of the terms; less than zero for what is subtracted."""
Guard = tuple
"""("=", term, term) and the like; ("and", guard, …), ("or", guard, …), ("not", guard)."""
Arcs = tuple[tuple[str, Bag], ...]
"""(place, tokens)."""


@dataclass(frozen=True)
class Place:
    name: str
    sort: Sort
    initial: Bag = ()


@dataclass(frozen=True)
class Transition:
    name: str
    pre: Arcs = ()
    post: Arcs = ()
    guard: Guard = ("and",)

    @cached_property
    def variables(self) -> dict[str, Sort]:
        """Their sorts, by name."""
        return {
            variable.name: variable.sort
            for part in (*self.pre, *self.post, self.guard)
            for variable in _variables(part)
        }


def _variables(part: object) -> Iterator[Var]:
    match part:
        case Var():
            yield part
        case Next(term) | Part(_, term):
            yield from _variables(term)
        case Tup(_, terms):
            yield from _variables(terms)
        case tuple():
            for inner in part:
                yield from _variables(inner)


@dataclass(frozen=True)
class Firing:
    """A transition under a binding; tokens by number of the cell."""

    transition: str
    binding: Binding
    pre: Mapping[int, int]
    post: Mapping[int, int]

    def after(self, marking: Marking) -> Marking | None:
        """The next marking; None where it cannot fire."""
        if any(marking[cell] < count for cell, count in self.pre.items()):
            return None
        held = list(marking)
        for cell, count in self.pre.items():
            held[cell] -= count
        for cell, count in self.post.items():
            held[cell] += count
        return tuple(held)


class NegativeArcError(ValueError):
    """An arc subtracts more than there is."""


@dataclass(frozen=True)
class Net:
    places: tuple[Place, ...]
    transitions: tuple[Transition, ...]

    @cached_property
    def cells(self) -> dict[tuple[str, Colour], int]:
        """The number of each place and colour."""
        pairs = ((place.name, c) for place in self.places for c in place.sort.colours)
        return {pair: number for number, pair in enumerate(pairs)}

    @cached_property
    def initial(self) -> Marking:
        held = self._tokens((place.name, place.initial) for place in self.places)({})
        return tuple(held.get(cell, 0) for cell in self.cells.values())

    @cached_property
    def firings(self) -> tuple[Firing, ...]:
        """All transitions under all bindings that satisfy the guard."""
        return tuple(
            Firing(t.name, binding, self._tokens(t.pre)(binding), self._tokens(t.post)(binding))
            for t in self.transitions
            for binding in bindings(t)
        )

    def _tokens(self, arcs: Iterable[tuple[str, Bag]]):
        arcs = tuple(arcs)

        def under(binding: Binding) -> Mapping[int, int]:
            held = Counter[int]()
            for place, bag in arcs:
                for colour, count in tokens(bag, binding).items():
                    held[self.cells[place, colour]] += count
            return {cell: count for cell, count in sorted(held.items()) if count}

        return under


def bindings(transition: Transition) -> Iterator[Binding]:
    names = transition.variables
    for colours in product(*(sort.colours for sort in names.values())):
        binding = dict(zip(names, colours, strict=True))
        if holds(transition.guard, binding):
            yield binding


def tokens(bag: Bag, binding: Binding) -> Counter[Colour]:
    """How often each colour is in it.

    Raises:
        NegativeArcError: less than never.
    """
    held = Counter[Colour]()
    for count, term in bag:
        for colour in _colours(term, binding):
            held[colour] += count
    if min(held.values(), default=0) < 0:
        raise NegativeArcError
    return held


def _colours(term: Term, binding: Binding) -> Iterable[Colour]:
    match term:
        case All(sort):
            return sort.colours
        case Tup(_, terms):
            return product(*(_colours(part, binding) for part in terms))
        case _:
            return (value(term, binding),)


def value(term: Term, binding: Binding) -> Colour:
    """The colour of a term."""
    match term:
        case Var(name):
            return binding[name]
        case Const(_, colour):
            return colour
        case Next(inner, steps):
            colours = inner.sort.colours
            return colours[(colours.index(value(inner, binding)) + steps) % len(colours)]
        case Part(sort, inner):
            whole = sort.factors[0]
            return sort.parts[whole.colours.index(value(inner, binding))]
        case Tup(_, terms):
            return tuple(value(part, binding) for part in terms)
    raise AssertionError(term)


def holds(guard: Guard, binding: Binding) -> bool:
    word, *parts = guard
    match word:
        case "and":
            return all(holds(part, binding) for part in parts)
        case "or":
            return any(holds(part, binding) for part in parts)
        case "not":
            return not holds(parts[0], binding)
    left, right = parts
    order = left.sort.colours
    return RELATIONS[word](*(order.index(value(side, binding)) for side in (left, right)))


# ---------------------------------------------------------------- what nets do


@dataclass(frozen=True)
class Graph:
    """Reachable markings, breadth first, and by number of each its (firing number, marking number).

    Where it is not `complete` there are more of them, which have the number -1.
    """

    net: Net
    markings: tuple[Marking, ...]
    arcs: tuple[tuple[tuple[int, int], ...], ...]
    complete: bool

    def enabled(self, firings: Iterable[int]) -> set[int]:
        """The numbers of the markings that enable one of the firings."""
        wanted = set(firings)
        return {n for n, arcs in enumerate(self.arcs) if any(f in wanted for f, _ in arcs)}

    def returning(self, goal: set[int]) -> set[int]:
        """The numbers of the markings from which one of these can be reached."""
        before: list[list[int]] = [[] for _ in self.markings]
        for number, arcs in enumerate(self.arcs):
            for _, after in arcs:
                if after >= 0:
                    before[after].append(number)
        known, queue = set(goal), deque(goal)
        while queue:
            for number in before[queue.popleft()]:
                if number not in known:
                    known.add(number)
                    queue.append(number)
        return known


def explore(net: Net, limit: int, start: Marking | None = None) -> Graph:
    """The graph of what is reachable, from some marking; of up to so many markings."""
    numbers = {net.initial if start is None else start: 0}
    arcs: list[tuple[tuple[int, int], ...]] = []
    queue = deque(numbers)
    complete = True
    while queue:
        marking, own = queue.popleft(), []
        for number, firing in enumerate(net.firings):
            if (after := firing.after(marking)) is None:
                continue
            if after not in numbers and len(numbers) < limit:
                numbers[after] = len(numbers)
                queue.append(after)
            own.append((number, numbers.get(after, -1)))
            complete = complete and after in numbers
        arcs.append(tuple(own))
    return Graph(net, tuple(numbers), tuple(arcs), complete)


OMEGA = float("inf")


def cover(net: Net, limit: int) -> set[tuple[float, ...]] | None:
    """The nodes of a coverability tree (Karp and Miller 1969); None where there are more."""
    nodes: set[tuple[float, ...]] = {net.initial}
    pending: list[tuple[tuple[float, ...], ...]] = [(net.initial,)]
    while pending:
        branch = pending.pop()
        for firing in net.firings:
            if (after := firing.after(branch[-1])) is None:  # type: ignore[arg-type]
                continue
            for before in branch:
                pairs = list(zip(before, after, strict=True))
                if all(a <= b for a, b in pairs):
                    after = tuple(OMEGA if a < b else b for a, b in pairs)
            if after not in nodes:
                nodes.add(after)
                pending.append((*branch, after))
        if len(nodes) > limit:
            return None
    return nodes
