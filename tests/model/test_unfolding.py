"""Unfoldings: every place, transition and arc as brute force over all bindings has them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import coloured_nets
import pytest
from coloured_nets import count
from folders import NETS
from hypothesis import given, settings
from invoked import run, settled

from petricheck import ask, check
from petricheck.evidence.audit.colours.unfolding import check_unfolding
from petricheck.model import net as problem
from petricheck.model.coloured import possible, unfolding
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Dot, Enumeration, Partition, Product, Range
from petricheck.model.coloured.terms import (
    TRUE,
    Comparison,
    Constant,
    ElementOf,
    Multiset,
    Shifted,
    Summand,
    Term,
    Tuple,
    Variable,
)
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, InputError, QueryError

RING = Enumeration("Ring", tuple("abcdef"), cyclic=True)
HALVES = Partition("Halves", RING, ("low", "high"), (0, 0, 0, 1, 1, 1))
X, Y, Z, W = (Variable(name, RING) for name in "xyzw")
EVERY = Variable("every", RING)
ALL = Summand(1, EVERY, (EVERY,))


def one(*terms: Term) -> Multiset:
    return tuple(Summand(1, term) for term in terms)


def constant(letter: str) -> Constant:
    return Constant(RING, RING.constants.index(letter))


def net_of(places: dict[str, Multiset], *transitions: Transition) -> ColouredNet:
    """Places of the ring's colours, with transitions between them."""
    return ColouredNet(
        "n", tuple(Place(name, RING, initial) for name, initial in places.items()), transitions
    )


def unfolded(net: ColouredNet) -> problem.Net:
    flat = unfolding.unfold(net, Budget())
    check_unfolding(flat)
    return flat


Flat = dict[str, tuple[dict[str, int], dict[str, int]]]


def named_arcs(net: problem.Net) -> Flat:
    def sides(weights: problem.Weights) -> dict[str, int]:
        assert [*weights] == sorted(weights)
        return {net.places[place]: weight for place, weight in weights}

    return {t.name: (sides(t.pre), sides(t.post)) for t in net.transitions}


def by_brute_force(net: ColouredNet) -> tuple[dict[str, int], Flat]:
    """Places with their tokens, and transitions, by a fixed point over all bindings."""

    def name(place: int, colour: int) -> str:
        sort = net.places[place].sort
        text = "" if isinstance(sort, Dot) else sort.text(colour)
        return net.places[place].name + (text if isinstance(sort, Product | Dot) else f"({text})")

    def side(arcs: tuple[tuple[int, Multiset], ...], binding: dict[str, int]) -> dict[str, int]:
        tokens = ((p, c, k) for p, terms in arcs for c, k in count(terms, binding).items() if k)
        return {name(place, colour): amount for place, colour, amount in tokens}

    initial = {
        name(number, colour): amount
        for number, place in enumerate(net.places)
        for colour, amount in count(place.initial, {}).items()
        if amount
    }
    every = [
        (t.text(binding), side(t.pre, binding), side(t.post, binding))
        for t in net.transitions
        for binding in coloured_nets.bindings(t)
    ]
    possible, known = {*initial}, -1
    while known < len(possible):
        known = len(possible)
        possible |= {p for _, pre, post in every if pre.keys() <= possible for p in post}
    places = {
        name(number, colour): initial.get(name(number, colour), 0)
        for number, place in enumerate(net.places)
        for colour in range(place.sort.size)
        if name(number, colour) in possible
    }
    return places, {t: (pre, post) for t, pre, post in every if pre.keys() <= possible}


def assert_as_by_brute_force(net: ColouredNet) -> None:
    flat = unfolded(net)
    places, transitions = by_brute_force(net)
    assert dict(zip(flat.places, flat.initial, strict=True)) == places
    assert flat.places == tuple(places)
    assert named_arcs(flat) == transitions
    assert len(flat.transitions) == len(transitions)


@given(coloured_nets.coloured_nets())
def test_unfolding_is_what_brute_force_makes(net: ColouredNet) -> None:
    assert_as_by_brute_force(net)


@settings(max_examples=16)
@given(coloured_nets.coloured_nets())
def test_where_all_colours_are_there_no_binding_is_left_out(net: ColouredNet) -> None:
    places = []
    for place in net.places:
        every = Variable("every", place.sort)
        places.append(replace(place, initial=(Summand(2, every, (every,)),)))
    net = replace(net, places=tuple(places))
    assert_as_by_brute_force(net)
    assert len(unfolded(net).transitions) == sum(
        len([*coloured_nets.bindings(t)]) for t in net.transitions
    )


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (X, Y),
        (Shifted(X, 2), Shifted(Y, -1)),
        (Tuple((X, Y)), Tuple((Y, X))),
        (Tuple((X, constant("b"))), Tuple((constant("c"), Y))),
        (Tuple((X, Shifted(X, 1))), Tuple((Y, Z))),
        (Tuple((X, X)), Tuple((Y, Z))),
        (Tuple((X, Tuple((Y, Z)))), Tuple((Y, Tuple((Z, Shifted(W, 1)))))),
        (Tuple((ElementOf(HALVES, Y), X)), Tuple((ElementOf(HALVES, Z), W))),
        (Tuple((ElementOf(HALVES, constant("e")), X)), Tuple((Variable("h", HALVES), Y))),
        (ElementOf(HALVES, X), Constant(HALVES, 1)),
        (Tuple((X, Y)), Variable("pair", Product("", (RING, RING)))),
    ],
)
def test_equations_name_variables_and_stay_conditions(left: Term, right: Term) -> None:
    for order in ((left, right), (right, left)):
        guard = Comparison("=", *order)
        take = Transition("t", ((0, one(Y, Z)),), ((1, one(X)),), guard)
        assert_as_by_brute_force(net_of({"p": (ALL,), "q": ()}, take))


def test_all_of_a_place_and_one_of_it_are_seen_to_be_there_late() -> None:
    """Only when the last colour comes, the old ones can be taken beside all."""
    fill = Transition("fill", ((0, one(X)),), ((0, one(Shifted(X, 1))),))
    take = Transition("take", ((0, (ALL, *one(X))),), ((1, one(X)),))
    assert_as_by_brute_force(net_of({"p": one(constant("a")), "q": ()}, fill, take))


def test_colours_that_come_in_too_many_rounds_are_all_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The places behind such a place have to hear of it as well."""
    last = Comparison("=", X, constant("f"))
    step = Transition("step", ((0, one(X)),), ((0, one(Shifted(X, 1))),))
    leave = Transition("leave", ((0, one(X)),), ((1, one(X)),), last)
    go_on = Transition("go_on", ((1, one(X)),), ((2, one(X)),))
    net = net_of({"p": one(constant("a")), "q": (), "r": ()}, step, leave, go_on)
    exact = named_arcs(unfolded(net))
    for rounds in range(4):
        monkeypatch.setattr(possible, "_ROUNDS", rounds)
        assert named_arcs(unfolded(net)).items() >= exact.items()


def test_what_is_subtracted_must_be_there_unless_the_guard_says_it_is() -> None:
    less = (*one(X), Summand(-1, Y))
    for places in ((0, 1), (1, 0)):
        for guard, refused in ((TRUE, True), (Comparison("=", X, Y), False)):
            arcs = {places[0]: one(X, Y), places[1]: less}
            sides = ((0, arcs[0]),), ((1, arcs[1]),)
            net = net_of({"p": (ALL,), "q": ()}, Transition("t", *sides, guard))
            if not refused:
                assert len(unfolded(net).transitions) == RING.size
                continue
            with pytest.raises(InputError, match=r"between . and t\(x=a, y=b\) subtracts more"):
                unfolded(net)
    with pytest.raises(InputError, match="initially place p subtracts"):
        unfolded(net_of({"p": (Summand(-1, constant("b")),)}))


@pytest.mark.parametrize("amount", [2**31, 2**63, 2**64, 10**40])
def test_counts_have_any_number_of_digits(amount: int) -> None:
    many = (Summand(amount, X), Summand(1, X), Summand(amount, Y))
    net = net_of({"p": (Summand(amount, constant("b")),)})
    net = replace(net, transitions=(Transition("t", ((0, many),), ((0, many[:1]),)),))
    assert unfolded(net).transitions[0].pre == ((0, 2 * amount + 1),)
    assert_as_by_brute_force(net)


def test_products_of_many_colours_are_none_that_are_listed() -> None:
    """10^12 colours are no matter where few of them are there; numbers of 64 bits have to do."""
    axis = Range("Axis", 0, 9999)
    x, y, z = (Variable(name, axis) for name in "xyz")
    for factors, fits in ((3, True), (5, False)):
        sort = Product("Space", (axis,) * factors)
        first = Constant(sort, sort.size - 1)
        term = Tuple((z, y, x, *[x] * (factors - 3)))
        turn = Tuple((x, z, y, *[x] * (factors - 3)))
        net = ColouredNet(
            "n",
            (Place("p", sort, one(first)),),
            (Transition("t", ((0, one(term)),), ((0, one(turn)),)),),
        )
        if fits:
            assert len(unfolded(net).places) == 1
            continue
        with pytest.raises(
            BudgetExhausted, match=r"place p speaks of more than 4,611,686,018,427,387,904 colours"
        ):
            unfolded(net)
        at_most = Comparison("!=", term, turn)
        net = ColouredNet("n", (Place("p", axis),), (Transition("t", (), (), at_most),))
        with pytest.raises(BudgetExhausted, match="the guard of t speaks of"):
            unfolded(net)


def test_what_is_too_large_names_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(possible, "MOST", 100)
    pair, triple = ((0, one(X, Y)),), ((0, one(X, Y, Z)),)
    assert len(unfolded(net_of({"p": (ALL,)}, Transition("t", pair, ()))).transitions) == 36
    with pytest.raises(BudgetExhausted, match="216 bindings or tokens of t; more than 100 are"):
        unfolded(net_of({"p": (ALL,)}, Transition("t", triple, ())))
    every = [Variable(f"every{number}", RING) for number in range(3)]
    space = Product("Space", (RING,) * 3)
    whole = Place("p", space, (Summand(1, Tuple(tuple(every)), tuple(every)),))
    with pytest.raises(BudgetExhausted, match="216 colours of p"):
        unfolded(ColouredNet("n", (whole,), ()))


def test_places_and_transitions_that_are_called_like_colours_and_bindings_stay_apart() -> None:
    start = Place("p(a)", Dot(), one(Constant(Dot(), 0)))
    fire = Transition("t", ((0, one(X)),), ())
    net = net_of({"p": (ALL,)}, fire, Transition("t(x=a)", ((1, start.initial),), ()))
    flat = unfolded(replace(net, places=(*net.places, start)))
    assert flat.places[0] == "p(a)" and flat.places[-1] == '"p(a)"'
    assert [t.name for t in flat.transitions if "a)" in t.name] == ["t(x=a)", '"t(x=a)"']
    assert check(ask(flat, bound='"p(a)" + "p"(b)')).value == 2
    assert check(ask(flat, fireable='"t"(x=a)')).value is True
    for ambiguous in (
        {"bound": "p(a)"},
        {"bound": '"p"(b) + p(a)'},
        {"fireable": "t(x=a)"},
        {"fireable": '"t"(x=b), t(x=a)'},
    ):
        with pytest.raises(QueryError, match="put quotes around"):
            ask(flat, **ambiguous)


def test_colours_whose_names_have_commas_are_told_apart() -> None:
    words = Enumeration("Words", ("a", "a, a", "b"))
    pairs = Product("Pairs", (words, words))
    terms = [Constant(pairs, pairs.colour(pair)) for pair in ((0, 1), (1, 0))]
    flat = unfolded(ColouredNet("n", (Place("p", pairs, one(*terms)),), ()))
    assert flat.places == ('p(a, "a, a")', 'p("a, a", a)')
    assert check(ask(flat, bound='p(a, "a, a") + 2*p(_, a)')).value == 3


def test_a_colour_called_as_all_colours_are_written_is_put_in_quotes() -> None:
    words = Enumeration("Words", ("a", "_"))
    pairs = Product("Pairs", (words, words))
    terms = [Constant(pairs, pairs.colour(pair)) for pair in ((0, 0), (1, 0), (1, 1))]
    flat = unfolded(ColouredNet("n", (Place("p", pairs, one(*terms)),), ()))
    assert check(ask(flat, bound='p("_", a)')).value == 1
    assert check(ask(flat, bound='p({a, "_"}, a)')).value == 2
    with pytest.raises(QueryError, match="a colour is called _"):
        ask(flat, bound="p(_, a)")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        *(("p(_, _)", 0b111111), ("p", 0b111111), ("p({a..c}, 1)", 0b010101)),
        *(("p({a, c}, _)", 0b110011), ("p({a, b}, _)", 0b001111), ("p(b, {2})", 0b001000)),
        *(("p(c, _)", 0b110000), ("p(_, 2)", 0b101010), ("p({b, c}, {1..2})", 0b111100)),
    ],
)
def test_sets_of_colours_are_added_up(text: str, tokens: int) -> None:
    pairs = Product("Pairs", (Enumeration("L", ("a", "b", "c")), Range("N", 1, 2)))
    every = tuple(Summand(1 << colour, Constant(pairs, colour)) for colour in range(6))
    flat = unfolded(ColouredNet("n", (Place("p", pairs, every),), ()))
    assert check(ask(flat, bound=text)).value == tokens


@pytest.mark.parametrize("text", ["p({}, 1)", "p({c..a}, 1)", "p({a..b..c}, 1)", "p({d}, 1)"])
def test_sets_that_are_none_are_refused(text: str) -> None:
    pairs = Product("Pairs", (Enumeration("L", ("a", "b", "c")), Range("N", 1, 2)))
    flat = unfolded(ColouredNet("n", (Place("p", pairs),), ()))
    with pytest.raises(QueryError):
        ask(flat, bound=text)


def test_a_net_that_is_too_large_has_an_answer_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(possible, "MOST", 4)
    path = tmp_path / "model.pnml"
    shutil.copy(NETS / "philosophers.pnml", path)
    reason = "its unfolding would list 5 colours of thinking; more than 4 are too many"
    told = settled(run(path, "--deadlock"), 1)
    assert reason in told.output
    fields = json.loads(settled(run(path, "--deadlock", "--json"), 1).stdout)
    assert (fields["verdict"], fields["reason"], fields["ending"]) == ("unknown", reason, "gave up")
    examined = settled(run("mcc", tmp_path, "--examination", "ReachabilityDeadlock"), 1)
    assert examined.stdout == "CANNOT_COMPUTE\n"
    assert reason in settled(run("info", path), 1).output
    assert reason in settled(run("convert", path, tmp_path / "flat.pnml"), 1).output
    assert reason in settled(run("batch", path, "--deadlock", "--out", tmp_path / "run")).output
