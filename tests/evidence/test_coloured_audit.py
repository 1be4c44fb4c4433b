"""The audit of coloured nets: the unfolder's slips do not pass; traces fire in the coloured net."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from coloured_firing import enabled
from coloured_nets import bindings, coloured_nets
from folders import NETS
from hypothesis import assume, given
from strategies import repeatable

import petricheck
from petricheck.arithmetic.formulas.formulas import equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence import standalone
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.colours.unfolding import check_unfolding, firing
from petricheck.evidence.audit.traces import check_reached
from petricheck.evidence.claims import Reached
from petricheck.evidence.files.json import Json
from petricheck.formats.nets import read_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.coloured import unfolding
from petricheck.model.coloured.classes import Merging
from petricheck.model.coloured.net import Arcs, ColouredNet, Place, candidates
from petricheck.model.coloured.net import Transition as Coloured
from petricheck.model.coloured.solutions import tokens_of, truth_of
from petricheck.model.coloured.sorts import Dot, Enumeration, Product, Range
from petricheck.model.coloured.tables import BindingTable
from petricheck.model.coloured.terms import (
    TRUE,
    All,
    Comparison,
    Constant,
    Guard,
    Not,
    Shifted,
    Some,
    Summand,
    Tuple,
    Variable,
    tokens,
)
from petricheck.model.coloured.unfolding import Unfolding
from petricheck.model.net import Net, Transition
from petricheck.questions.verification import evidence_of, verify
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError, InternalError


def flat_of(net: ColouredNet) -> Net:
    return unfolding.unfold(net, Budget())


def philosophers() -> Net:
    return flat_of(read_net(NETS / "philosophers.pnml").source)


# ---------------------------------------------------------------- slips of the unfolder


def changed(net: Net, *, colours=None, tables=None, **fields) -> Net:
    origin = net.origin
    assert isinstance(origin, Unfolding)
    colours, tables = colours or origin.colours, tables or origin.tables
    return replace(net, origin=Unfolding(origin.coloured, colours, tables), **fields)


def without_row(net: Net, number: int) -> Net:
    """A binding is left out."""
    tables, first = list(net.origin.tables), 0
    for position, table in enumerate(tables):
        if 0 <= number - first < table.rows:
            tables[position] = table.select(np.arange(table.rows) != number - first)
        first += table.rows
    left = net.transitions[:number] + net.transitions[number + 1 :]
    return changed(net, tables=tuple(tables), transitions=left)


def with_transition(net: Net, number: int, make: Callable[[Transition], Transition]) -> Net:
    transitions = list(net.transitions)
    transitions[number] = make(transitions[number])
    return changed(net, transitions=tuple(transitions))


def dropped(net: Net, number: int, side: str) -> Net:
    """An arc is left out."""
    return with_transition(net, number, lambda t: replace(t, **{side: getattr(t, side)[1:]}))


def heavier(net: Net, number: int, side: str) -> Net:
    """An arc has another weight."""

    def make(t: Transition) -> Transition:
        (place, weight), *others = getattr(t, side)
        return replace(t, **{side: ((place, weight + 1), *others)})

    return with_transition(net, number, make)


def bent(net: Net, number: int, side: str) -> Net:
    """An arc leads to the next place, or to the one before the last."""

    def make(t: Transition) -> Transition:
        *others, (place, weight) = getattr(t, side)
        other = place + 1 if place + 1 < len(net.places) else place - 1
        return replace(t, **{side: tuple(sorted((*others, (other, weight))))})

    return with_transition(net, number, make)


def without_place(net: Net, number: int) -> Net:
    """A colour is left out, with all that takes or puts it."""
    colours, first = list(net.origin.colours), 0
    for position, kept in enumerate(colours):
        if 0 <= number - first < len(kept):
            colours[position] = np.delete(kept, number - first)
        first += len(kept)
    touching = {n for n, t in enumerate(net.transitions) if number in dict(t.pre + t.post)}
    for gone in sorted(touching, reverse=True):
        net = without_row(net, gone)
    plain = net.without({number})
    return replace(plain, origin=Unfolding(net.origin.coloured, tuple(colours), net.origin.tables))


def twice(net: Net, number: int) -> Net:
    """A binding is listed twice."""
    tables, first = list(net.origin.tables), 0
    for position, table in enumerate(tables):
        if 0 <= number - first < table.rows:
            rows = np.sort(np.append(np.arange(table.rows), number - first))
            tables[position] = table.select(rows)
        first += table.rows
    again = (*net.transitions[:number], net.transitions[number], *net.transitions[number:])
    return changed(net, tables=tuple(tables), transitions=again)


SLIPS = {
    "a binding is left out": lambda net, t, p: without_row(net, t),
    "a binding is there twice": lambda net, t, p: twice(net, t),
    "an input arc is left out": lambda net, t, p: dropped(net, t, "pre"),
    "an output arc is left out": lambda net, t, p: dropped(net, t, "post"),
    "an input arc is heavier": lambda net, t, p: heavier(net, t, "pre"),
    "an output arc is heavier": lambda net, t, p: heavier(net, t, "post"),
    "an input arc is bent": lambda net, t, p: bent(net, t, "pre"),
    "an output arc is bent": lambda net, t, p: bent(net, t, "post"),
    "a colour is left out": lambda net, t, p: without_place(net, p),
    "two colours have their names exchanged": lambda net, t, p: changed(
        net, places=(*net.places[:p], *net.places[p : p + 2][::-1], *net.places[p + 2 :])
    ),
    "a token more": lambda net, t, p: changed(
        net, initial=tuple(k + (n == p) for n, k in enumerate(net.initial))
    ),
    "a transition more": lambda net, t, p: changed(
        net, transitions=(*net.transitions, Transition("new", (), ((p, 1),)))
    ),
    "two transitions of one name": lambda net, t, p: with_transition(
        net, t, lambda _: net.transitions[t - 1]
    ),
    "another name": lambda net, t, p: with_transition(
        net, t, lambda old: replace(old, name=f"{old.name}'")
    ),
    "colours in another order": lambda net, t, p: changed(
        net, colours=tuple(colours[::-1] for colours in net.origin.colours)
    ),
    "colours that are none": lambda net, t, p: changed(
        net, colours=tuple(colours + 100 for colours in net.origin.colours)
    ),
    "a colour twice": lambda net, t, p: changed(
        net, colours=tuple(np.zeros_like(colours) for colours in net.origin.colours)
    ),
    "bindings of others": lambda net, t, p: changed(
        net,
        tables=tuple(
            BindingTable(table.rows, {name: column[::-1] for name, column in table.columns.items()})
            for table in net.origin.tables
        ),
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_no_slip_passes(slip: str) -> None:
    net = philosophers()
    check_unfolding(net)
    for transition, place in ((1, 0), (len(net.transitions) - 1, len(net.places) - 2)):
        other = SLIPS[slip](net, transition, place)
        with pytest.raises(EvidenceError, match="not unfolded as its colours say"):
            check_unfolding(other)


@repeatable(15)
@given(coloured_nets(), st.data())
def test_no_slip_passes_in_any_net(net: ColouredNet, data: st.DataObject) -> None:
    flat = flat_of(net)
    check_unfolding(flat)
    assume(flat.transitions)
    number = data.draw(st.integers(0, len(flat.transitions) - 1))
    slips = [without_row(flat, number), twice(flat, number)]
    for side in ("pre", "post"):
        if getattr(flat.transitions[number], side):
            slips += [dropped(flat, number, side), heavier(flat, number, side)]
    for other in slips:
        with pytest.raises(EvidenceError):
            check_unfolding(other)


def break_the_unfolder(monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves out the first binding of each transition that has others."""
    whole = unfolding.bindings

    def broken(*arguments) -> BindingTable:
        table = whole(*arguments)
        return table.select(np.arange(table.rows) > 0) if table.rows > 1 else table

    monkeypatch.setattr(unfolding, "bindings", broken)


@pytest.mark.parametrize("question", [{"deadlock": True}, {"bound": "fork"}, {"safe": True}])
def test_a_broken_unfolder_has_no_verdict(
    monkeypatch: pytest.MonkeyPatch, question: dict[str, object]
) -> None:
    break_the_unfolder(monkeypatch)
    net = philosophers()
    with pytest.raises(InternalError, match="not unfolded as its colours say"):
        petricheck.check(petricheck.ask(net, **question), budget=Budget(30))


@pytest.mark.parametrize("question", [{"deadlock": True}, {"bound": "fork"}, {"safe": True}])
def test_evidence_is_rejected_where_the_unfolder_is_broken(
    monkeypatch: pytest.MonkeyPatch, question: dict[str, object]
) -> None:
    file = read_net(NETS / "careful_philosophers.pnml")
    finding = petricheck.check(petricheck.ask(file.net, **question), budget=Budget(30))
    evidence = evidence_of(finding, file.sha256)
    assert verify(file, evidence).value == finding.value
    break_the_unfolder(monkeypatch)
    with pytest.raises(EvidenceError):
        verify(read_net(file.path), evidence)


@pytest.mark.parametrize(("many", "verdict"), [(2, "reachable"), (3, "unreachable")])
def test_the_standalone_checker_reads_the_unfolding_and_the_hash_of_the_coloured_file(
    many: int, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    coloured, other = NETS / "philosophers.pnml", NETS / "careful_philosophers.pnml"
    file = read_net(coloured)
    finding = petricheck.check(
        petricheck.ask(file.net, formula=f"eating = {many}"), budget=Budget(30)
    )
    flat, evidence = tmp_path / "flat.pnml", tmp_path / "e.json"
    flat.write_bytes(Pnml().write(file.net))
    evidence.write_bytes(Json().write(file.net, evidence_of(finding, file.sha256)))
    for more, status in (((coloured,), 0), ((), 4), ((other,), 4)):
        assert standalone.main([str(path) for path in (flat, evidence, *more)]) == status
    told = capsys.readouterr().out
    assert told.startswith(f"accepted: {verdict}\n")
    assert "\nTrusted: that petricheck convert made NET of ORIGINAL\nrejected: " in told


RING = Enumeration("Ring", ("a", "b", "c"), cyclic=True)
X, Y = Variable("x", RING), Variable("y", RING)
A = Comparison("=", X, Constant(RING, 0))
B = Comparison("!=", X, Y)


def ring_net(*pre: Arcs, guard: Guard = TRUE, post: Arcs = ()) -> ColouredNet:
    """A place of all colours, an empty one, and a transition for each `pre`."""
    places = (Place("p", RING, (Summand(1, X, (X,)),)), Place("q", RING))
    return ColouredNet(
        "n", places, tuple(Coloured(f"t{n}", arcs, post, guard) for n, arcs in enumerate(pre))
    )


def test_an_empty_unfolding_of_a_transition_is_one() -> None:
    net = flat_of(ring_net(((1, (Summand(1, X),)),)))
    assert (net.places, net.transitions) == (("p(a)", "p(b)", "p(c)"), ())
    check_unfolding(net)


def test_tokens_of_count_zero_are_none() -> None:
    net = flat_of(ring_net(((0, (Summand(1, X),)),), post=((1, (Summand(0, X),)),)))
    check_unfolding(net)
    assert [transition.post for transition in net.transitions] == [(), (), ()]


def test_what_cannot_be_there_may_subtract_below_zero() -> None:
    less = (Summand(1, X), Summand(-1, Y))
    net = ring_net(((0, less), (1, (Summand(1, Y),))))
    check_unfolding(flat_of(net))
    net = ring_net(((0, less),), guard=Comparison("=", X, Y))
    check_unfolding(flat_of(net))
    origin = Unfolding(
        ring_net(((0, less),)), flat_of(net).origin.colours, flat_of(net).origin.tables
    )
    with pytest.raises(EvidenceError, match="subtracts more"):
        check_unfolding(replace(flat_of(net), origin=origin))


def rejects(net: Net, why: str, **origin: object) -> None:
    """The unfolding is none of such an origin."""
    with pytest.raises(EvidenceError, match=why):
        check_unfolding(replace(net, origin=replace(net.origin, **origin)))


def test_what_only_one_rule_sees_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    taking = ((0, (Summand(1, X),)),)
    net = flat_of(ring_net(taking))
    rejects(without_place(net, 0), "an initial token has no place")
    rejects(net, "a binding that cannot fire", coloured=ring_net(taking, guard=A))
    rejects(
        net, "other variables", tables=tuple(BindingTable(t.rows, {}) for t in net.origin.tables)
    )
    again = with_transition(twice(net, 0), 0, lambda t: replace(t, name="again"))
    rejects(again, "a binding twice")
    initial = (Summand(-1, Constant(RING, 0)), Summand(1, Constant(RING, 1)))
    rejects(
        changed(net, places=net.places[:2], initial=(-1, 1), transitions=()),
        "less than no token",
        coloured=ColouredNet("n", (Place("p", RING, initial),), ()),
        colours=(np.arange(2),),
        tables=(),
    )
    for colours in ([-1], [3], [0, 0], [-1, 0], [0, 3]):
        rejects(net, "q has other colours", colours=(np.arange(3), np.array(colours)))
    with pytest.raises(EvidenceError, match="nothing says"):
        check_unfolding(replace(net, origin=object()))
    with pytest.raises(BudgetExhausted):
        check_unfolding(replace(net), Budget(0.0))
    monkeypatch.setattr(unfolding, "_refuse_equal", lambda names: None)
    token = (Summand(1, Constant(Dot(), 0)),)
    rejects(flat_of(ColouredNet("n", (Place("p", Dot(), token),) * 2, ())), "the same name")


def test_a_variable_without_colours_is_not_merged_away() -> None:
    none = Variable("none", Enumeration("None", ()))
    token = ((0, (Summand(1, Constant(Dot(), 0)),)),)
    places = (Place("p", Dot(), token[0][1]),)
    net, merged = (
        ColouredNet("n", places, (Coloured("t", token, (), guard),))
        for guard in (Comparison("=", none, none), TRUE)
    )
    assert (flat_of(net).transitions, len(flat_of(merged).transitions)) == ((), 1)
    merging = Merging(net, ((None,),), ({"none": None},))
    rejects(flat_of(merged), "do not behave alike: no colours of None", merging=merging)


def test_a_binding_that_subtracts_from_colours_that_are_not_there_is_rejected() -> None:
    less = ((0, (Summand(-1, Y), Summand(1, X))),)
    place = Place("p", RING, (Summand(1, Constant(RING, 0)),))
    guarded, bare = (
        ColouredNet("n", (place,), (Coloured("t", less, (), guard),))
        for guard in (Comparison("=", X, Y), TRUE)
    )
    rejects(flat_of(guarded), "subtracts more", coloured=bare)


def test_all_tokens_are_there_or_none_is_taken() -> None:
    every = (Summand(1, X, (X,)),)
    net = flat_of(ring_net(((0, every),), ((1, every),)))
    assert [transition.name for transition in net.transitions] == ["t0"]
    check_unfolding(net)


def test_no_binding_fires_against_its_guard_or_without_places() -> None:
    taking = ((0, (Summand(1, X),)),)
    net = flat_of(ring_net(taking, post=taking))
    guarded = replace(net.origin, coloured=ring_net(taking, guard=A, post=taking))
    assert firing(replace(net, origin=guarded), 0) == net.transitions[0]
    with pytest.raises(EvidenceError, match=r"the guard of t0\(x=b\) does not hold"):
        firing(replace(net, origin=guarded), 1)
    negative = ring_net(((0, (Summand(-1, X),)),), post=taking)
    for slip in ({"colours": (np.arange(1), np.arange(0))}, {"coloured": negative}):
        with pytest.raises(EvidenceError, match=r"an arc of t0\(x=b\) leads nowhere"):
            firing(replace(net, origin=replace(net.origin, **slip)), 1)


def test_arcs_between_the_same_nodes_are_refused() -> None:
    net = flat_of(ring_net(((0, (Summand(1, X),)),)))
    arcs = ((0, (Summand(1, X),)),) * 2
    rejects(net, "two arcs", coloured=ring_net(arcs))


# ---------------------------------------------------------------- firing


@repeatable(15)
@given(coloured_nets())
def test_candidates_are_all_bindings_of_the_guard(net: ColouredNet) -> None:
    every = [range(place.sort.size) for place in net.places]
    for transition in net.transitions:
        at, rows = candidates(transition, every)
        listed = [tuple(sorted((name, row[n]) for name, n in at.items())) for row in rows]
        assert len(listed) == len(set(listed))
        assert set(listed) == {tuple(sorted(binding.items())) for binding in bindings(transition)}


def test_no_more_bindings_are_tried_than_tokens_and_equations_leave() -> None:
    many = Range("Many", 0, 10**12)
    x, y, z = (Variable(name, many) for name in "xyz")
    held = tuple(Summand(1, Tuple((Constant(many, 7), Constant(many, n)))) for n in range(3))
    other = tuple(Summand(1, Constant(many, n)) for n in (2, 5))
    places = (Place("p", Product("", (many, many)), held), Place("q", many, other))
    pre = ((0, (Summand(1, Tuple((x, y))),)), (1, (Summand(1, y),)))
    guard = All((Comparison("=", Tuple((z, Constant(many, 7))), Tuple((y, x))),))
    net = ColouredNet("n", places, (Coloured("t", pre, (), guard),))
    assert [*enabled(net.transitions[0], net.initial)] == [{"x": 7, "y": 2, "z": 2}]


@pytest.mark.parametrize("guard", [Not(All((A, B))), Some((All((A, B)), All((B, Not(A)))))])
def test_compiled_guards_hold_as_guards_do(guard: Guard) -> None:
    compiled = truth_of(guard, {"y": 0, "x": 1})
    for x, y in product(range(3), repeat=2):
        assert compiled((y, x)) == guard.holds({"x": x, "y": y})


def test_compiled_multisets_have_the_tokens_of_multisets() -> None:
    more, most = Variable("more", RING), Variable("most", RING)
    every = Summand(2, Tuple((more, X, Shifted(most, 1))), (more, most))
    multiset = (every, Summand(-1, Tuple((X, X, Y))))
    compiled = tokens_of(multiset, {"y": 0, "x": 1})
    for x, y in product(range(3), repeat=2):
        assert dict(compiled((y, x))) == tokens(multiset, {"x": x, "y": y})


@repeatable(15)
@given(coloured_nets())
def test_what_fires_is_what_the_unfolding_has(net: ColouredNet) -> None:
    flat = flat_of(net)
    for number, transition in enumerate(flat.transitions):
        assert firing(flat, number) == transition


def test_traces_are_replayed_by_the_coloured_net() -> None:
    net = philosophers()
    number = net.transition_numbers["take_left(x=ben)"]
    steps = (("take_left(x=ada)", 1), ("take_left(x=ben)", 1), ("take_right(x=ada)", 1))
    claim = Reached(Trace(steps), ((3, equal(variable("eating(ada)"), 1)),))
    with pytest.raises(EvidenceError, match="step 3 of the trace"):
        prove(net, claim)
    easier = with_transition(net, number, lambda t: replace(t, pre=t.pre[:1]))
    assert easier.transitions[number].fires(easier.initial, 1)
    for other in (net, easier):  # What the unfolded net has is not asked.
        with pytest.raises(EvidenceError, match="step 3 of the trace"):
            check_reached(other, claim, Budget())
    possible = Reached(Trace((steps[0], steps[2])), ((2, equal(variable("eating(ada)"), 1)),))
    assert prove(net, possible) == "replayed exactly"


def test_long_powers_are_fast() -> None:
    token = (Summand(1, Constant(Dot(), 0)),)
    net = flat_of(ColouredNet("n", (Place("p", Dot(), ()),), (Coloured("t", (), ((0, token),)),)))
    many = 10**30
    assert prove(net, Reached(Trace((("t", many),)), ((1, equal(variable("p"), many)),)))
