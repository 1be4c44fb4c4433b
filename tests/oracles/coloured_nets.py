"""Random small coloured nets, and their markings by brute force: every binding is tried.

Terms, guards and firings have their own arithmetic here, so a slip in the library's is found
rather than shared. Nothing here subtracts below zero.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from operator import eq, ge, gt, le, lt, ne

import hypothesis.strategies as st
from strategies import BOOLEANS, any_of, numbers

from petricheck.model.coloured.classes import Merging
from petricheck.model.coloured.net import Arcs, ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import (
    Dot,
    Enumeration,
    Partition,
    Product,
    Range,
    Sort,
    basic_sorts,
    has_successor,
    is_ordered,
)
from petricheck.model.coloured.terms import (
    TRUE,
    All,
    Comparison,
    Constant,
    ElementOf,
    Guard,
    Multiset,
    Not,
    Shifted,
    Some,
    Summand,
    Term,
    Tuple,
    Variable,
)

Marking = frozenset[tuple[int, int, int]]
"""Place number, colour and how many of it, where there are any."""

MOST_COLOURS, MOST_BINDINGS = 8, 40


# ---------------------------------------------------------------- by brute force


def reachable(net: ColouredNet, limit: int) -> set[Marking] | None:
    """All reachable markings, or None where there are more than `limit`."""
    initial = marking_of(
        {number: count(place.initial, {}) for number, place in enumerate(net.places)}
    )
    known, queue = {initial}, deque([initial])
    while queue:
        for _, _, after in firings(net, queue.popleft()):
            if after not in known:
                known.add(after)
                queue.append(after)
        if len(known) > limit:
            return None
    return known


def firings(net: ColouredNet, marking: Marking) -> Iterator[tuple[str, dict[str, int], Marking]]:
    """Each transition with each binding under which it fires, and the marking after that."""
    tokens = {(place, colour): amount for place, colour, amount in marking}
    for transition in net.transitions:
        for binding in bindings(transition):
            after = Counter(tokens)
            for place, multiset in transition.pre:
                for colour, amount in count(multiset, binding).items():
                    after[place, colour] -= amount
            if min(after.values(), default=0) < 0:
                continue
            for place, multiset in transition.post:
                for colour, amount in count(multiset, binding).items():
                    after[place, colour] += amount
            left = frozenset((p, c, amount) for (p, c), amount in after.items() if amount)
            yield transition.name, binding, left


def bindings(transition: Transition) -> Iterator[dict[str, int]]:
    """The bindings that satisfy the guard."""
    names = [variable.name for variable in transition.variables]
    for colours in product(*(range(variable.sort.size) for variable in transition.variables)):
        binding = dict(zip(names, colours, strict=True))
        if holds(transition.guard, binding):
            yield binding


def count(multiset: Multiset, binding: Mapping[str, int]) -> Counter[int]:
    """Tokens by colour."""
    counts: Counter[int] = Counter()
    for summand in multiset:
        names = [variable.name for variable in summand.ranging]
        for colours in product(*(range(variable.sort.size) for variable in summand.ranging)):
            more = dict(zip(names, colours, strict=True))
            counts[value(summand.term, {**binding, **more})] += summand.count
    return counts


def value(term: Term, binding: Mapping[str, int]) -> int:
    """The colour of a term."""
    match term:
        case Variable(name=name):
            return binding[name]
        case Constant(colour=colour):
            return colour
        case Shifted(term=inner, steps=steps):
            return (value(inner, binding) + steps) % inner.sort.size
        case ElementOf(sort=sort, term=inner):
            return sort.part[value(inner, binding)]
        case Tuple(parts=parts):
            colour = 0
            for part in parts:
                colour = colour * part.sort.size + value(part, binding)
            return colour


def holds(guard: Guard, binding: Mapping[str, int]) -> bool:
    """Whether a guard is true."""
    match guard:
        case All(parts=parts):
            return all(holds(part, binding) for part in parts)
        case Some(parts=parts):
            return any(holds(part, binding) for part in parts)
        case Not(part=part):
            return not holds(part, binding)
        case Comparison(relation=relation, left=left, right=right):
            relations = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
            return bool(relations[relation](value(left, binding), value(right, binding)))


def marking_of(tokens: Mapping[int, Mapping[int, int]]) -> Marking:
    """A marking from tokens by colour by place number."""
    return frozenset((p, c, k) for p, counts in tokens.items() for c, k in counts.items() if k)


# ---------------------------------------------------------------- random nets


@st.composite
def coloured_nets(draw: st.DrawFn, max_places: int = 4, max_transitions: int = 3) -> ColouredNet:
    """Nets of 1 to 4 places and 1 to 3 transitions, over 1 to 4 sorts of up to 8 colours."""
    sorts = draw(_sorts())
    chosen = [draw(st.sampled_from(sorts)) for _ in range(draw(numbers(1, max_places)))]
    pool = [Variable(f"{x}{n}", sort) for n, sort in enumerate(_speaking(chosen)) for x in "xy"]
    places = tuple(
        Place(f"p{n}", sort, _not_below_zero(draw(_multisets(sort, (), 2)), [{}]))
        for n, sort in enumerate(chosen, start=1)
    )
    count = draw(numbers(1, max_transitions))
    transitions = (draw(_transitions(f"t{n}", places, pool)) for n in range(1, count + 1))
    return ColouredNet("random", places, tuple(transitions))


def _speaking(sorts: Sequence[Sort]) -> list[Sort]:
    """Sorts whose variables tell colours of these."""
    known = dict.fromkeys(sorts)
    for sort in sorts:
        known |= dict.fromkeys(sort.factors if isinstance(sort, Product) else ())
        known |= {sort.whole: None} if isinstance(sort, Partition) else {}
    return [*known]


@st.composite
def _sorts(draw: st.DrawFn) -> list[Sort]:
    """Constants of different sorts share their names."""
    sorts: list[Sort] = []
    for number in range(draw(numbers(1, 2))):
        size, first = draw(st.sampled_from((1, 2, 3, 3))), draw(numbers(-1, 1))
        cyclic, plain = (Enumeration(f"S{number}", tuple("abc"[:size]), b) for b in (True, False))
        choices = (cyclic, cyclic, plain, Range(f"S{number}", first, first + size - 1), Dot())
        sorts.append(draw(st.sampled_from(choices)))
    sorts = [*dict.fromkeys(sorts)]
    whole = draw(st.sampled_from(sorts))
    if not isinstance(whole, Dot) and draw(BOOLEANS):
        elements = draw(numbers(1, whole.size))
        rest = [draw(any_of(elements)) for _ in range(whole.size - elements)]
        parts = (*range(elements), *rest)
        sorts.append(Partition("Parts", whole, tuple("uvw"[:elements]), parts))
    for name in ("Pair", "Nested"):
        factors = tuple(draw(st.sampled_from(sorts)) for _ in range(draw(numbers(1, 3))))
        if prod(factor.size for factor in factors) <= MOST_COLOURS and draw(BOOLEANS):
            sorts.append(Product(name, factors))
    return [*dict.fromkeys(sorts)]


@st.composite
def _transitions(
    draw: st.DrawFn, name: str, places: Sequence[Place], pool: Sequence[Variable]
) -> Transition:
    known: list[Variable] = []
    for variable in draw(st.lists(st.sampled_from(pool), min_size=1, max_size=3, unique=True)):
        if prod(v.sort.size for v in (*known, variable)) <= MOST_BINDINGS:
            known.append(variable)
    guard = draw(_guards(known)) if draw(BOOLEANS) else TRUE
    pre = draw(_arcs(places, known, 1 if draw(numbers(0, 9)) else 0))
    post = draw(_arcs(places, known, 0))[: max(1, len(pre))]
    every = [*bindings(Transition(name, pre, post, guard))]
    pre, post = (
        tuple((place, _not_below_zero(multiset, every)) for place, multiset in arcs)
        for arcs in (pre, post)
    )
    return Transition(name, pre, post, guard)


@st.composite
def _arcs(draw: st.DrawFn, places: Sequence[Place], known: Sequence[Variable], least: int) -> Arcs:
    chosen = draw(st.sets(any_of(len(places)), min_size=least, max_size=2))
    return tuple((n, draw(_multisets(places[n].sort, known, 1))) for n in sorted(chosen))


def _not_below_zero(multiset: Multiset, every: Sequence[Mapping[str, int]]) -> Multiset:
    """The multiset, without what is subtracted where that were too much under some binding."""
    if any(min(count(multiset, binding).values(), default=0) < 0 for binding in every):
        return tuple(summand for summand in multiset if summand.count > 0)
    return multiset


@st.composite
def _multisets(draw: st.DrawFn, sort: Sort, known: Sequence[Variable], usual: int) -> Multiset:
    """None to two summands, sometimes with one more that is subtracted."""
    amount = draw(st.sampled_from((0, *[usual] * 6, 2)))
    summands = [draw(_summands(sort, known, number)) for number in range(amount)]
    if summands and draw(numbers(0, 5)) == 0:
        summands.append(Summand(-1, draw(_terms(sort, known))))
    return tuple(summands)


@st.composite
def _summands(draw: st.DrawFn, sort: Sort, known: Sequence[Variable], number: int) -> Summand:
    """All colours, tuples with all of a factor, or one colour."""
    amount = draw(st.sampled_from((1, 1, 1, 1, 1, 2)))
    form = draw(numbers(0, 7))
    if form == 0 or (not known and form > 4):  # more often initially
        every = Variable(f"all {number}", sort)
        return Summand(amount, every, (every,))
    if form == 1 and isinstance(sort, Product):
        position = draw(any_of(len(sort.factors)))
        every = Variable(f"all {number}", sort.factors[position])
        parts = tuple(
            every if n == position else draw(_terms(factor, known))
            for n, factor in enumerate(sort.factors)
        )
        return Summand(amount, Tuple(parts), (every,))
    return Summand(amount, draw(_terms(sort, known)))


@st.composite
def _terms(draw: st.DrawFn, sort: Sort, known: Sequence[Variable]) -> Term:
    fitting: list[Term] = [variable for variable in known if variable.sort == sort]
    if isinstance(sort, Partition) and any(v.sort == sort.whole for v in known):
        fitting.append(ElementOf(sort, draw(_terms(sort.whole, known))))
    if isinstance(sort, Product) and (not fitting or draw(BOOLEANS)):
        return Tuple(tuple(draw(_terms(factor, known)) for factor in sort.factors))
    if not fitting or draw(numbers(0, 4)) == 0:
        return Constant(sort, draw(any_of(sort.size)))
    term = draw(st.sampled_from(fitting))
    if has_successor(sort) and draw(numbers(0, 2)) == 0:
        return Shifted(term, draw(st.sampled_from((1, -1))))
    return term


@st.composite
def _guards(draw: st.DrawFn, known: Sequence[Variable], depth: int = 2) -> Guard:
    form = draw(numbers(0, 5)) if depth else 5
    if form in (0, 1):
        parts = tuple(draw(_guards(known, depth - 1)) for _ in range(draw(numbers(0, 2))))
        return All(parts) if form else Some(parts)
    if form == 2:
        return Not(draw(_guards(known, depth - 1)))
    left = draw(st.sampled_from(known))
    order = ("=", "!=", "<", "<=", ">", ">=") if is_ordered(left.sort) else ("=", "!=")
    return Comparison(draw(st.sampled_from(order)), left, draw(_terms(left.sort, known)))


LIMIT = 60


def leaves(sort: Sort, colour: int) -> list[int]:
    """The colour of each component."""
    if not isinstance(sort, Product):
        return [colour]
    pairs = zip(sort.factors, sort.components(colour), strict=True)
    return [leaf for factor, part in pairs for leaf in leaves(factor, part)]


def image(net: ColouredNet, merged: ColouredNet, how: Merging, marking: Marking) -> Marking:
    """The tokens of each class."""
    counts = Counter[tuple[int, int]]()
    for place, colour, amount in marking:
        number = 0
        parts = leaves(net.places[place].sort, colour)
        sorts = basic_sorts(merged.places[place].sort)
        for part, classes, sort in zip(parts, how.places[place], sorts, strict=True):
            number = number * sort.size + (part if classes is None else classes[part])
        counts[place, number] += amount
    return frozenset((place, colour, amount) for (place, colour), amount in counts.items())


def has_same_behaviour(net: ColouredNet, merged: ColouredNet, how: Merging) -> bool:
    """Whether both reach the same, and fire the same in each marking; True where that is much."""
    reached, classes = (reachable(n, LIMIT) for n in (net, merged))
    if reached is None or classes is None:
        return True
    if {image(net, merged, how, marking) for marking in reached} != classes:
        return False
    for marking in reached:
        here = image(net, merged, how, marking)
        after = {
            (name, image(net, merged, how, following))
            for name, _, following in firings(net, marking)
        }
        if after != {(name, m) for name, _, m in firings(merged, here)}:
            return False
    return True


def one(*terms: Term) -> Multiset:
    return tuple(Summand(1, term) for term in terms)


def all_of(sort: Sort) -> Multiset:
    every = Variable("every", sort)
    return (Summand(1, every, (every,)),)


def same(one: Term, other: Term) -> Guard:
    return Comparison("=", one, other)
