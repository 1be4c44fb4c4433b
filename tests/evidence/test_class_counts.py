"""What a coloured net reaches, the net that counts by classes of colours reaches too."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from coloured_nets import LIMIT, Marking, all_of, coloured_nets, firings, one, reachable
from hypothesis import given, settings

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.colours.class_counts import Apart, ClassCounts
from petricheck.evidence.audit.colours.counted_formulas import CountedFormulas
from petricheck.evidence.audit.colours.skeleton import is_counted
from petricheck.evidence.certificates.classes import ColourClasses
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import Excluded
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.skeleton import skeleton
from petricheck.model.coloured.sorts import Enumeration, Partition, Product, Range, Sort
from petricheck.model.coloured.terms import (
    TRUE,
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
from petricheck.model.net import Net
from petricheck.support.errors import BudgetExhausted, EvidenceError

WIDE = 4_000


def markings(net: Net) -> set[tuple[int, ...]] | None:
    """All reachable markings, or None where there are many."""
    known, queue = {net.initial}, deque([net.initial])
    while queue:
        marking = queue.popleft()
        for transition in net.transitions:
            if transition.enabled(marking) and (after := transition.fire(marking)) not in known:
                known.add(after)
                queue.append(after)
        if len(known) > WIDE:
            return None
    return known


def read(net: ColouredNet):
    """Reads names such as `t1` or `t1 x0=2`."""

    def reader(name: str):
        transition, *colours = name.split()
        pairs = (colour.split("=") for colour in colours)
        return net.transition_numbers[transition], {v: int(c) for v, c in pairs}

    return reader


def values(net: ColouredNet, names: list[str], marking: Marking) -> dict[str, int]:
    """Totals, and what is enabled, by brute force."""
    totals = {place.name: 0 for place in net.places}
    for place, _, count in marking:
        totals[net.places[place].name] += count
    enabled = [(name, binding.items()) for name, binding, _ in firings(net, marking)]
    for name in names:
        number, colours = read(net)(name)
        own = net.transitions[number].name
        totals[name] = int(any(t == own and b >= colours.items() for t, b in enabled))
    return totals


def targets(net: ColouredNet, names: list[str], random: Random) -> Iterator[Formula]:
    """Pairs of literals, and a few larger formulas."""
    literals: list[Formula] = []
    for name in names:
        literals += [at_least(variable(name), 1), at_most(variable(name), 0)]
    for place in net.places:
        literals += [at_least(variable(place.name), k) for k in (1, 2)]
        literals += [at_most(variable(place.name), k) for k in (0, 1)]
    yield from literals
    pairs = [Conjunction(pair) for pair in combinations(literals, 2)]
    yield from pairs
    for name in names:
        pre = net.transitions[read(net)(name)[0]].pre
        inputs = [variable(net.places[place].name) for place, _ in pre]
        for k in (1, 2):
            marked = (at_least(place, k) for place in inputs)
            yield Conjunction((at_most(variable(name), 0), *marked))
    for _ in range(40):
        yield Conjunction((random.choice(pairs), random.choice(pairs)))
        one, other = (Disjunction(tuple(random.sample(pairs, 2))) for _ in range(2))
        yield Conjunction((one, Negation(other)))


def check(net: ColouredNet, random: Random, apart: Apart) -> bool:
    """Require that all of that is mapped to what is reached; return whether some is excluded."""
    reached = reachable(net, LIMIT)
    if not reached or not is_counted(net):
        return False
    names = [transition.name for transition in net.transitions]
    named = []
    for transition in net.transitions:
        if transition.variables and random.random() < 0.2:
            v = random.choice(transition.variables)
            colour = random.randrange(v.sort.size)
            names.append(f"{transition.name} {v.name}={colour}")
            named.append((v.sort, colour))
    counts = ClassCounts(net, apart, named)
    counted = markings(counts.net)
    if counted is None:
        return False
    for marking in reached:
        image = [0] * len(counts.net.places)
        for place, colour, count in marking:
            image[counts.numbers[counts.token(place, colour)]] += count
        assert tuple(image) in counted
    places = {place.name: number for number, place in enumerate(net.places)}
    mapping = CountedFormulas(counts, places, read(net))
    here = [values(net, names, marking) for marking in reached]
    there = [counts.net.values(marking) for marking in counted]
    excluded = False
    for target in targets(net, names, random):
        mapped = mapping.counted(target)
        if any(evaluate(mapped, tokens) for tokens in there):
            continue
        excluded = True
        assert not any(evaluate(target, tokens) for tokens in here), (net, target, mapped)
    return excluded


def symmetric_net(random: Random) -> ColouredNet:
    """A small net most of whose colours can be exchanged."""
    own = Enumeration("S", ("a", "b", "c", "d")[: random.choice((3, 3, 4))], cyclic=True)
    part = Partition(
        "Q", own, ("u", "v"), (0, *[random.choice((0, 1)) for _ in own.constants[2:]], 1)
    )
    pair = Product("P", (own, own))
    sorts = [own, own, own, pair, *([part] if random.random() < 0.1 else [])]
    rare = random.random() < 0.3
    x, y, z = (Variable(name, own) for name in "xyz")

    def term(sort: Sort, known: tuple[Variable, ...]) -> Term:
        if isinstance(sort, Product):
            return Tuple(tuple(term(factor, known) for factor in sort.factors))
        if sort == part:
            return ElementOf(part, term(own, known))
        if not known or (rare and random.random() < 0.2):
            return Constant(sort, random.randrange(sort.size))
        chosen = random.choice(known)
        return (
            Shifted(chosen, random.choice((1, -1))) if turning and random.random() < 0.4 else chosen
        )

    def arc(sort: Sort, known: tuple[Variable, ...]) -> Multiset:
        if random.random() < 0.05:
            return all_of(sort)
        if known and random.random() < 0.05:
            return (*all_of(sort), Summand(-1, term(sort, known)))
        amount = random.choice((1, 1, 1, 2))
        return tuple(Summand(1 + (random.random() < 0.1), term(sort, known)) for _ in range(amount))

    def guard(known: tuple[Variable, ...]) -> Guard:
        left, right = random.choice(known), random.choice(known)
        relations = ("=", "!=", "!=", "<") if rare else ("=", "!=", "!=")
        one = Comparison(random.choice(relations), left, term(own, (right,)))
        return random.choice((one, one, Not(one), Some((one, Comparison("=", x, y)))))

    turning = random.random() < 0.3
    places = []
    for number in range(random.randint(2, 4)):
        sort = random.choice(sorts)
        initial: Multiset = ()
        if random.random() < 0.7 and sort == own:
            initial = all_of(own) if random.random() < 0.7 else arc(own, ())
        elif random.random() < 0.3:
            initial = tuple(Summand(1, term(sort, ())) for _ in range(2))
        if sort == pair and random.random() < 0.4:
            initial = tuple(Summand(1, Tuple((Constant(own, c),) * 2)) for c in range(own.size))
        places.append(Place(f"p{number}", sort, initial))
    transitions = []
    for number in range(random.randint(1, 4)):
        known = tuple(random.sample((x, y, z), random.choice((1, 2, 2, 3))))
        pre, post = (
            tuple(
                (n, arc(places[n].sort, known))
                for n in sorted(random.sample(range(len(places)), random.choice((1, 1, 2))))
            )
            for _ in range(2)
        )
        condition = guard(known) if random.random() < 0.4 else TRUE
        transitions.append(Transition(f"t{number}", pre, post, condition))
    return ColouredNet("symmetric", tuple(places), tuple(transitions))


@settings(max_examples=8)
@given(coloured_nets())
def test_what_any_net_reaches_is_reached_by_classes(net: ColouredNet) -> None:
    for tracked in range(3):
        check(net, Random(tracked), Apart(tracked, 3))


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 20))]
)
def test_what_a_symmetric_net_reaches_is_reached_by_classes(seed: int) -> None:
    random = Random(seed)
    ways = [Apart(tracked, most) for tracked in range(4) for most in (0, 8)]
    proofs = [check(symmetric_net(random), random, apart) for apart in ways * 3]
    assert sum(proofs) > 5


@pytest.mark.parametrize("tracked", [0, 1, 2])
def test_tokens_of_one_class_need_not_satisfy_a_guard(tracked: int) -> None:
    sort = Enumeration("S", ("a", "b", "c", "d"))
    x, y = Variable("x", sort), Variable("y", sort)
    pool, left, right = (Place("pool", sort, all_of(sort)), Place("p", sort), Place("q", sort))
    deal = Transition("deal", ((0, one(x)),), ((1, one(x)), (2, one(x))))
    meet = Transition("meet", ((1, one(x)), (2, one(y))), (), Comparison("!=", x, y))
    net = ColouredNet("dealt", (pool, left, right), (deal, meet))
    parted = [at_least(variable("p"), 1), at_least(variable("q"), 1), at_most(variable("meet"), 0)]
    counts = ClassCounts(net, Apart(tracked))
    mapping = CountedFormulas(counts, {"pool": 0, "p": 1, "q": 2}, read(net))
    mapped = mapping.counted(Conjunction(tuple(parted)))
    reached = markings(counts.net)
    assert reached
    assert any(evaluate(mapped, counts.net.values(marking)) for marking in reached)


_S = Enumeration("S", ("a", "b", "c"))
_C = Enumeration("C", ("a", "b", "c", "d"), cyclic=True)
_PAIR = Product("P", (_S, _S))
_PARTS = Partition("Q", _S, ("u", "v"), (0, 1, 1))
_OF_PAIRS = Partition("R", _PAIR, ("other", "last"), (0,) * 8 + (1,))
_X, _Y = Variable("x", _S), Variable("y", _C)
_PAIRED, _TURNED = Variable("z", _PAIR), Variable("x", _C)


def only(sort: Sort, *colours: int) -> Multiset:
    return one(*(Constant(sort, colour) for colour in colours))


def picked(sort: Sort, part: Partition, of: Variable) -> ColouredNet:
    """Of all colours those in the last part, which is marked, are put on the first place."""
    places = (Place("s", sort), Place("p", sort, all_of(sort)), Place("r", part, only(part, 1)))
    take = Transition("t", ((1, one(of)), (2, one(ElementOf(part, of)))), ((0, one(of)),))
    return ColouredNet("picked", places, (take,))


NOT_FIRST = {
    "a constant of an arc": ColouredNet(
        "constant",
        (Place("s", _S), Place("p", _S, all_of(_S))),
        (Transition("t", ((1, only(_S, 2)),), ((0, only(_S, 2)),)),),
    ),
    "an initial token": ColouredNet("initial", (Place("s", _S, only(_S, 2)),), ()),
    "a part of colours": picked(_S, _PARTS, _X),
    "a part of pairs": picked(_PAIR, _OF_PAIRS, _PAIRED),
    "the part of an initial token": ColouredNet(
        "part",
        (Place("s", _PARTS), Place("p", _S, only(_S, 1))),
        (Transition("t", ((1, one(_X)),), ((0, one(ElementOf(_PARTS, _X))),)),),
    ),
}


@pytest.mark.parametrize("net", NOT_FIRST.values(), ids=NOT_FIRST.keys())
def test_a_colour_that_something_names_is_not_exchanged_for_the_first_one(net: ColouredNet) -> None:
    counts = ClassCounts(net, Apart(1))
    places = {place.name: number for number, place in enumerate(net.places)}
    mapped = CountedFormulas(counts, places, read(net)).counted(at_least(variable("s"), 1))
    reached = markings(counts.net)
    assert reached
    assert any(evaluate(mapped, counts.net.values(marking)) for marking in reached)


def test_not_every_token_of_a_class_is_one_before_a_named_colour() -> None:
    after = Shifted(_TURNED, 1)
    follow = Transition("t", ((0, one(_TURNED)),), ((1, one(after)),), Comparison("=", after, _Y))
    net = ColouredNet(
        "followed",
        (Place("p", _C, only(_C, 0, 1)), Place("q", _C)),
        (follow, Transition("drop", ((0, one(_TURNED)),), ())),
    )
    counts = ClassCounts(net, Apart(0), [(_C, 2)])
    # Where b is dropped, a is left, which c does not follow.
    target = Conjunction((at_least(variable("p"), 1), at_most(variable("t y=2"), 0)))
    mapped = CountedFormulas(counts, {"p": 0, "q": 1}, read(net)).counted(target)
    reached = markings(counts.net)
    assert reached
    assert any(evaluate(mapped, counts.net.values(marking)) for marking in reached)


def test_no_class_has_less_than_no_token_on_an_arc() -> None:
    x, y, z = (Variable(name, _S) for name in "xyz")
    # That x is z is not told from the types of three variables.
    guard = Comparison("=", Tuple((x, y)), Tuple((z, y)))
    taken = (*one(x, y), Summand(-1, z))
    part = (1, one(ElementOf(_PARTS, y)))
    places = (Place("p", _S, all_of(_S)), Place("h", _PARTS, all_of(_PARTS)))
    for pre, post in ((taken, one(x)), (one(x, y), taken)):
        move = Transition("t", ((0, pre), part), ((0, post), part), guard)
        net = ColouredNet("less", places, (move,))
        counts = ClassCounts(net, Apart(0))
        weights = (w for t in counts.net.transitions for _, w in (*t.pre, *t.post))
        assert min(weights) > 0
        assert all(min(way.pre.values()) > 0 for way in counts.needs(0))
        assert check(net, Random(0), Apart(0))


@pytest.mark.parametrize(
    ("initial", "taken", "most"),
    [
        # b is enough, with no a; one of three c's is counted once.
        (only(_S, 1), (Summand(1, _X), Summand(0, Constant(_S, 0))), 0),
        (
            (*only(_S, 0, 1), Summand(1, Constant(_S, 2), (Variable("every", _S),))),
            (Summand(3, _X),),
            1,
        ),
    ],
    ids=["a summand of no tokens", "a variable that ranges and does not occur"],
)
def test_sums_that_no_file_has_are_refused(initial: Multiset, taken: Multiset, most: int) -> None:
    net = ColouredNet("sums", (Place("p", _S, initial),), (Transition("t", ((0, taken),), ()),))
    enabled = at_least(variable("fireable(t)"), 1)
    invariant = Certificate(at_most(variable("p(a)"), most))
    with pytest.raises(EvidenceError, match="does not count the tokens"):
        prove(skeleton(net), Excluded(enabled, ColourClasses(1, 0, invariant)))


def test_tuples_whose_numbers_are_longer_than_a_column_are_not_compared() -> None:
    # The numbers of tuples that begin with a and e differ by 2**64.
    eight, wide = Enumeration("E", tuple("abcdefgh")), Range("W", 1, 1 << 20)
    x, y = Variable("x", eight), Variable("y", eight)
    beside = (*[Constant(wide, 0)] * 3, Constant(Range("F", 1, 4), 0))
    guard = Comparison("!=", Tuple((x, *beside)), Tuple((y, *beside)))
    meet = Transition("t", ((0, one(x, y)),), (), guard)
    net = ColouredNet("wide", (Place("p", eight, only(eight, 0, 4)),), (meet,))
    with pytest.raises(BudgetExhausted, match="too many to be numbered"):
        ClassCounts(net, Apart(0))
