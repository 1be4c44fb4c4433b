"""Tables of markings: accepted are just those that brute force finds closed, and off the target."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from budgets import Counted
from evidence_files import Read, read_json, write_json
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import explore, first_markings, known_verdict, successor
from strategies import nets, problems, targets

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    congruent,
    disjunction,
    equal,
    evaluate,
    negate,
    variables,
)
from petricheck.arithmetic.formulas.terms import constant, variable
from petricheck.engines.reductions import in_order, reduce
from petricheck.engines.reductions._tables import widened
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.audit.tables import rows
from petricheck.evidence.certificates.finite_set import FiniteSet, MarkingTable
from petricheck.explicit.kernel.packing import markings_certificate
from petricheck.model.net import Marking, Net, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError, QueryError

Layout = tuple[tuple[str, int], ...]

p, q, r = variable("p"), variable("q"), variable("r")


def table_of(places: Sequence[str], markings: Iterator[Marking] | set[Marking]) -> MarkingTable:
    table = markings_certificate(places, sorted(markings))
    assert table is not None
    return table


def places_of(layout: Layout) -> list[tuple[str, int, int]]:
    """(place, position from the left end of a row, bits), told anew."""
    found, position = [], 0
    for place, bits in layout:
        if position // 64 != (position + max(bits, 1) - 1) // 64:
            position = -(-position // 64) * 64
        word, used = divmod(position, 64)
        found.append((place, 64 * (word + 1) - used - bits, bits))
        position += bits
    return found


def decoded(table: MarkingTable) -> list[dict[str, int]] | None:
    """The rows as markings, told anew; None where they do not ascend or have something besides."""
    fields = places_of(table.layout)
    ends = [64 * -(-(start + bits) // 64) for _, start, bits in fields]
    size = max([64, *ends]) // 8
    if not table.rows or len(table.rows) % size:
        return None
    listed = [table.rows[n : n + size] for n in range(0, len(table.rows), size)]
    if listed != sorted(set(listed)):
        return None
    found = []
    for row in listed:
        digits = f"{int.from_bytes(row, 'big'):0{8 * size}b}"
        found.append({place: int(digits[a : a + n] or "0", 2) for place, a, n in fields})
        rest = list(digits)
        for _, a, n in fields:
            rest[a : a + n] = "0" * n
        if "1" in rest:
            return None
    return found


def may_hold(formula: Formula, marking: dict[str, int], wanted: bool = True) -> bool:
    """Whether the formula, or its opposite, holds if what it says of other places were free."""
    match formula:
        case Negation(operand):
            return may_hold(operand, marking, not wanted)
        case Conjunction(operands) | Disjunction(operands):
            parts = (may_hold(operand, marking, wanted) for operand in operands)
            return (all if isinstance(formula, Conjunction) == wanted else any)(parts)
        case atom:
            known = set(variables(atom)) <= marking.keys()
            return not known or evaluate(atom, marking) == wanted


def proves(problem: Problem, table: MarkingTable) -> bool:
    """Whether it is a proof, by brute force on the places that it has."""
    net = problem.net
    names = [place for place, _ in table.layout]
    if len(set(names)) != len(names) or not set(names) <= set(net.places):
        return False
    markings = decoded(table)
    if markings is None:
        return False
    gone = {number for number, place in enumerate(net.places) if place not in names}
    part = net.without(gone)
    listed = {tuple(marking[place] for place in part.places) for marking in markings}
    firing = (successor(m, t) for m in listed for t in part.transitions)
    return (
        part.initial in listed
        and all(after is None or after in listed for after in firing)
        and not any(may_hold(problem.target, marking) for marking in markings)
    )


def accepted(problem: Problem, table: MarkingTable, budget: Budget | None = None) -> bool:
    try:
        told = audit(problem, Unreachable(table), budget=budget)
    except EvidenceError as error:
        assert error.__cause__ is None
        return False
    assert told == "checked marking by marking"
    return True


# Right and wrong tables


@st.composite
def closed(draw: st.DrawFn) -> tuple[Problem, MarkingTable]:
    """A bounded net with the table of its markings, on all places or on some."""
    net = draw(nets())
    if draw(st.booleans()):
        kept = draw(st.sets(st.sampled_from(range(len(net.places)))))
    else:
        kept = set(range(len(net.places)))
    part = net.without(set(range(len(net.places))) - kept)
    aim = net if draw(st.booleans()) or not part.places else part
    reachable = explore(part, 200)
    assume(reachable is not None)
    assert reachable is not None
    target = draw(targets(aim))
    order = draw(st.permutations(range(len(part.places))))
    shuffled = {tuple(marking[n] for n in order) for marking in reachable}
    return make_problem(net, target), table_of([part.places[n] for n in order], shuffled)


@settings(max_examples=16)
@given(closed())
def test_the_reachable_markings_are_a_proof_unless_they_meet_the_target(
    given_: tuple[Problem, MarkingTable],
) -> None:
    problem, table = given_
    met = any(may_hold(problem.target, marking) for marking in decoded(table) or ())
    assert accepted(problem, table) == proves(problem, table) == (not met)


@settings(max_examples=16)
@given(nets(), st.data())
def test_a_set_is_a_proof_just_where_brute_force_says_so(net: Net, data: st.DataObject) -> None:
    near = sorted(first_markings(net, 12))
    listed = data.draw(st.sets(st.sampled_from(near), min_size=1))
    more = st.tuples(*(st.integers(0, 4) for _ in net.places))
    table = table_of(net.places, listed | data.draw(st.sets(more, max_size=3)))
    problem = make_problem(net, data.draw(st.one_of(st.just(FALSE), targets(net))))
    assert accepted(problem, table) == proves(problem, table)


def flipped(table: MarkingTable, draw: st.DrawFn) -> MarkingTable:
    changed = bytearray(table.rows)
    for _ in range(draw(st.integers(1, 2))):
        changed[draw(st.integers(0, len(changed) - 1))] ^= 1 << draw(st.integers(0, 7))
    return replace(table, rows=bytes(changed))


def rearranged(table: MarkingTable, draw: st.DrawFn) -> MarkingTable:
    """Rows dropped, repeated, exchanged, or any of these."""
    listed = [table.rows[n : n + table.width] for n in range(0, len(table.rows), table.width)]
    numbers = st.lists(st.integers(0, len(listed) - 1), max_size=len(listed) + 2)
    kept = draw(st.one_of(numbers, st.permutations(range(len(listed)))))
    return replace(table, rows=b"".join(listed[number] for number in kept))


def without_one(table: MarkingTable, draw: st.DrawFn) -> MarkingTable:
    start = table.width * draw(st.integers(0, table.count - 1))
    return replace(table, rows=table.rows[:start] + table.rows[start + table.width :])


def cut(table: MarkingTable, draw: st.DrawFn) -> MarkingTable:
    return replace(table, rows=table.rows[: draw(st.integers(0, len(table.rows) - 1))])


def laid_out_anew(table: MarkingTable, draw: st.DrawFn) -> MarkingTable:
    """A field longer or shorter, fields exchanged, one gone or there twice."""
    entries = list(table.layout)
    assume(entries)
    number = draw(st.integers(0, len(entries) - 1))
    place, bits = entries[number]
    other = draw(st.sampled_from([name for name, _ in entries]))
    entries[number] = draw(
        st.sampled_from(
            [(place, bits + 1), (place, max(0, bits - 1)), (other, bits), (place, 63), ("no", bits)]
        )
    )
    gone = draw(st.integers(0, len(entries)))
    return replace(table, layout=tuple(entries[:gone] + entries[gone + 1 :]))


@settings(max_examples=16)
@given(
    closed(),
    st.sampled_from([flipped, rearranged, without_one, cut, laid_out_anew]),
    st.data(),
)
def test_a_changed_table_is_refused_unless_it_is_another_proof(
    given_: tuple[Problem, MarkingTable], change: Callable[..., MarkingTable], data: st.DataObject
) -> None:
    problem, table = given_
    changed = change(table, data.draw)
    assert accepted(problem, changed) == proves(problem, changed)


@settings(max_examples=20)
@given(closed(), st.integers(1, 3))
def test_blocks_make_no_difference(given_: tuple[Problem, MarkingTable], size: int) -> None:
    problem, table = given_
    twice = replace(table, rows=table.rows + table.rows[-table.width :])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "BLOCK", size)
        patch.setattr(rows, "FEWEST", 1)
        assert accepted(problem, table) == proves(problem, table)
        assert not accepted(problem, twice)


# Rules, each with the smallest table that breaks it


def counter(**initial: int) -> Net:
    return make_net("counter", {"p": 0, "q": 0} | initial, {"t": ({}, {"p": 1})})


@pytest.mark.parametrize(
    ("net", "layout", "markings"),
    [
        # p overflows, and what is carried to q makes another row.
        (counter(), "pq", {(0, 0), (1, 0), (0, 1), (1, 1)}),
        (net_of("p=3 q=0, t: -> 2 p"), "pq", {(3, 0), (1, 1), (3, 1)}),
        # Taking from p leads to a row only if q is lent from.
        (net_of("p=1, t: p ->"), "p", {(1,)}),
        (net_of("p=0 q=1, t: q -> 4 p"), "pq", {(0, 1), (3, 0)}),
        # p overflows to what is another row, where nothing more happens.
        (
            net_of("p=1 q=0 r=1, t: r -> p"),
            "pqr",
            {(1, 0, 1), (0, 1, 0)},
        ),
        (
            net_of("p=1 q=0 r=1, t: p + r -> 2 p"),
            "pqr",
            {(1, 0, 1), (0, 1, 0)},
        ),
        # What is read beside a change does not make it nothing.
        (net_of("p=1 q=0, t: p -> p + q"), "pq", {(1, 0)}),
        (net_of("p=0 q=1, t: q -> q + p"), "pq", {(0, 1)}),
        # A read arc enables.
        (net_of("p=2, t: 2 p -> 3 p"), "p", {(2,)}),
    ],
)
def test_a_firing_that_leads_out_of_the_table_is_found(
    net: Net, layout: str, markings: set[Marking]
) -> None:
    problem, table = Problem(net, FALSE), table_of(tuple(layout), markings)
    assert not proves(problem, table)
    with pytest.raises(EvidenceError, match="transition 't' leaves the table: from"):
        audit(problem, Unreachable(table))


@given(st.lists(st.integers(0, 63), max_size=20))
def test_fields_fill_words_from_the_lowest_bit_on(bits: list[int]) -> None:
    table = MarkingTable(tuple((f"p{n}", size) for n, size in enumerate(bits)), b"")
    used = [64 * field.word + field.shift + n for field in table.fields for n in range(field.bits)]
    assert used == sorted(set(used))
    assert all(field.shift + field.bits <= 64 > field.shift for field in table.fields)
    for before, after in pairwise(one for one in table.fields if one.bits):
        end = before.shift + before.bits
        same = (before.word, end) if end + after.bits <= 64 else (before.word + 1, 0)
        assert (after.word, after.shift) == same
    assert table.words == max([field.word for field in table.fields], default=0) + 1


def test_rows_of_several_words_are_found_and_fired() -> None:
    places = [f"p{n}" for n in range(6)]
    steps = {f"t{n}": ({places[n]: 2**40}, {places[n - 1]: 2**40}) for n in range(6)}
    net = make_net("n", dict.fromkeys(places, 0) | {"p0": 2**41}, steps)
    reachable = explore(net, 100)
    assert reachable is not None
    table = table_of(places, reachable)
    assert table.words == 6 and table.count == 21
    assert accepted(Problem(net, at_least(variable("p3"), 2**41 + 1)), table)
    for gone in reachable:
        assert not accepted(Problem(net, FALSE), table_of(places, reachable - {gone}))


@pytest.mark.parametrize("other", [0, 64, 576])
def test_a_transition_needs_its_tokens_in_whatever_words_they_are(other: int) -> None:
    """Places of one bit, in ten words."""
    places = [f"p{number}" for number in range(577)]
    table = MarkingTable(tuple((place, 1) for place in places), b"")
    for number in (1, 62, 65, 127, 128, 300, 575):
        marked = {field for field in table.fields if field.place in (f"p{number}", f"p{other}")}
        words = [0] * table.words
        for field in marked:
            words[field.word] |= 1 << field.shift
        once = replace(table, rows=np.array(words, dtype=">u8").tobytes())
        initial = dict.fromkeys(places, 0) | {field.place: 1 for field in marked}
        needs = {f"p{number}": 1, f"p{other}": 1}
        for further, leaves in (({}, True), ({"p2": 1}, False)):
            net = make_net("n", initial, {"t": (needs | further, further)})
            assert accepted(Problem(net, FALSE), once) != leaves


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (MarkingTable((("p", 1),), b""), "is empty"),
        (MarkingTable((("p", 1),), bytes(20)), "ends within a row"),
        (MarkingTable((("p", 1), ("p", 1)), bytes(8)), "two fields for one place"),
        (MarkingTable((("no", 1),), bytes(8)), "'no', which is no place"),
        (MarkingTable((("p", 64),), bytes(8)), "more than 63 bits"),
        (MarkingTable((("p", -1),), bytes(8)), "less than 0"),
        (MarkingTable((("q", -1), ("p", 1)), bytes(8)), "less than 0"),
        (MarkingTable((("p", 1), ("q", 64)), bytes(16)), "more than 63 bits"),
        (MarkingTable((("p", True),), bytes(8)), "less than 0"),
        (MarkingTable((("p", 1),), bytes(7) + b"\1"), "the initial marking is not in the table"),
        (MarkingTable((("q", 1), ("p", 1)), bytes(7) + b"\2"), "the initial marking is not in"),
        (MarkingTable((("p", 0),), bytes(8) + b"\1" + bytes(7)), "outside of its fields"),
        (MarkingTable((("p", 1),), bytes(16)), "do not ascend, or one is repeated"),
    ],
)
def test_what_is_no_such_table_is_refused_with_the_reason(table: MarkingTable, why: str) -> None:
    with pytest.raises(EvidenceError, match=why):
        audit(Problem(net_of("p=0 q=2"), FALSE), Unreachable(table))


def test_a_refusal_names_the_marking() -> None:
    names = [f"p{n:02}" for n in range(20)]
    net = make_net("n", dict.fromkeys(names, 1), {"t": ({"p00": 1}, {})})
    with pytest.raises(EvidenceError, match=r"from p00 = 1, p01 = 1, .*p11 = 1, …$"):
        audit(Problem(net, FALSE), Unreachable(table_of(names, {(1,) * 20})))
    empty = net_of("p=0, t: -> p")
    with pytest.raises(EvidenceError, match="from the empty marking"):
        audit(Problem(empty, FALSE), Unreachable(table_of(("p",), {(0,)})))


# Targets


HUGE, MOST = 2**62, 2**63 - 1


@pytest.mark.parametrize(
    ("marking", "target"),
    [
        ((3, 3), at_most(p * HUGE + q * HUGE, -1)),
        ((3, 3), at_most(p * HUGE * 2 + q * HUGE * 2 - 1, 0)),
        ((3, 3), at_least(p * HUGE + q * HUGE, 7 * HUGE)),
        ((3, 3), equal(p * 2**64 + q * 2**64, 0)),
        ((3, 3), equal(p - q * (2**64 + 1), -3)),
        ((3, 3), congruent(p * (2**64 + 3) + q, 5, 2**64)),
        ((3, 3), congruent(p + q, 5, 2**63)),
        ((3, 3), congruent(p + q, 0, 2**64)),
        ((3, 3), congruent(p - q, 1, 6)),
        # Sums of small numbers do not overflow.
        ((7, 7), at_most(p * 2**60 + q * 2**60, 0)),
        # Every place and the constant count.
        ((7, 6), at_most(p * 2**61 + q, 0)),
        ((7, 6), at_most(p + q * 2**61, 0)),
        ((7, 6), at_most(p + q, -(2**63))),
        ((7, 6), congruent(p + q * 2, 0, 3)),
        ((7, 6), congruent(p * 2 + q * 3, 1, 4)),
        ((7, 6), congruent(p + q, 0, 2)),
        # 63 bits in two words
        ((MOST, MOST - 1), equal(p, q)),
        ((MOST, MOST - 1), at_least(q, MOST)),
        ((MOST, MOST - 1), at_most(p + q, 2**64 - 5)),
        ((MOST, MOST - 1), at_least(q, p)),
    ],
)
def test_numbers_beyond_64_bits_are_computed_with(marking: Marking, target: Formula) -> None:
    net, table = net_of("p={} q={}".format(*marking)), table_of(("p", "q"), {marking})
    assert accepted(Problem(net, target), table)
    assert not accepted(Problem(net, negate(target)), table)
    others = ((m, n) for m in range(8) for n in range(8))
    for other in (o for o in others if evaluate(target, dict(zip("pq", o, strict=True)))):
        net = net_of("p={} q={}".format(*other))
        assert not accepted(Problem(net, target), table_of(("p", "q"), {other}))


# Limits


def wide(markings: int, transitions: int, atoms: int) -> tuple[Problem, MarkingTable]:
    steps = {f"t{n}": ({"p": 1}, {"q": 1}) for n in range(transitions)}
    net = make_net("wide", {"p": markings - 1, "q": 0}, steps)
    target = disjunction(equal(p + q * n, -1) for n in range(atoms))
    return Problem(net, target), table_of(
        ("p", "q"), {(n, markings - 1 - n) for n in range(markings)}
    )


def test_blocks_transitions_and_atoms_look_at_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "BLOCK", 10)
    monkeypatch.setattr(rows, "FEWEST", 10)

    def looks(*sizes: int) -> int:
        budget = Counted()
        assert accepted(*wide(*sizes), budget)
        return len(budget.looks)

    base = looks(10, 16, 16)
    assert looks(100, 16, 16) >= base + 9 * 3
    assert looks(10, 336, 16) >= base + 40
    assert looks(10, 16, 336) >= base + 20


def test_an_audit_ends_as_inconclusive_wherever_its_budget_does() -> None:
    problem, table = wide(10, 40, 40)
    budget = Counted()
    assert accepted(problem, table, budget)
    for most in range(len(budget.looks)):
        with pytest.raises(EvidenceError, match="inconclusive") as caught:
            audit(problem, Unreachable(table), budget=Counted(most=most))
        assert isinstance(caught.value.__cause__, BudgetExhausted)


def test_a_table_that_proves_several_targets_is_seen_to_be_closed_once() -> None:
    problem, table = wide(100, 40, 4)
    first = Counted()
    again, other = (Counted(lemmas=first.lemmas) for _ in range(2))
    assert accepted(problem, table, first)
    assert accepted(Problem(problem.net, equal(p, 101)), table, again)
    assert len(again.looks) < len(first.looks) / 2
    grown = net_of("p=99 q=0, t: p -> 2 q")
    assert not accepted(Problem(grown, FALSE), table, other)
    fewer = MarkingTable(table.layout, table.rows[: -table.width])
    assert not accepted(problem, fewer, other)


# Files


def written(table: MarkingTable) -> dict[str, Any]:
    fields: dict[str, Any] = FiniteSet().write(table)["markings"]
    return fields


@settings(max_examples=16)
@given(closed())
def test_a_table_is_read_as_it_was_written(given_: tuple[Problem, MarkingTable]) -> None:
    problem, table = given_
    data = write_json(problem, None, Unreachable(table))
    assert read_json(data) == Read(None, problem.target, Unreachable(table))


def test_rows_in_a_file_are_turned_and_compressed() -> None:
    table = table_of(("p", "q"), {(1, 2), (3, 4), (5, 600)})
    fields = written(table)
    assert fields["layout"] == [["p", 3], ["q", 10]]
    assert fields["count"] == 3
    turned = zlib.decompress(b64decode(fields["rows"]))
    assert len(turned) == 24
    assert turned[7::3] != turned[:8]
    found = [int.from_bytes(turned[n::3], "big") for n in range(3)]
    assert found == [1 | 2 << 3, 3 | 4 << 3, 5 | 600 << 3]


def pack(data: bytes) -> str:
    return b64encode(zlib.compress(data)).decode()


LINE = written(MarkingTable((("p", 1),), bytes(15) + b"\1"))


WRONG: dict[str, list[Any]] = {
    "more": [1],
    "layout": [
        *([["p"]], [["p", 1, 1]], [["p", 64]], [["p", -1]], [["p", 10**9]], [["p", True]]),
        *([[1, 1]], {"p": 1}),
    ],
    "count": [1, 3, 0, -2, 2**40, "2", True],
    "rows": [
        *(1, "?" + LINE["rows"][1:], LINE["rows"] + "é", LINE["rows"][:-4], LINE["rows"] * 2),
        *(b64encode(bytes(16)).decode(), pack(bytes(17))),
        b64encode(zlib.compress(bytes(16)) + b"more").decode(),
    ],
}


def test_what_is_no_table_is_refused() -> None:
    assert FiniteSet().read({"markings": LINE}).count == 2
    changed = [LINE | {key: value} for key, values in WRONG.items() for value in values]
    for wrong in ([], {"layout": [["p", 1]], "count": 2}, *changed):
        with pytest.raises(EvidenceError):
            FiniteSet().read({"markings": wrong})
            pytest.fail(str(wrong))


def test_no_more_is_expanded_than_is_announced() -> None:
    bomb = LINE | {"rows": pack(bytes(1 << 26))}
    with pytest.raises(EvidenceError, match="have not 16 bytes"):
        FiniteSet().read({"markings": bomb})


def test_a_table_too_large_to_be_read_back_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petricheck.evidence.certificates.finite_set.TABLE", 15)
    with pytest.raises(QueryError, match="is not written"):
        FiniteSet().write(MarkingTable((("p", 1),), bytes(15) + b"\1"))


# Commands


# Reductions


@settings(max_examples=20)
@given(problems(), st.sampled_from([None, *in_order()]))
def test_tables_of_reduced_nets_are_lifted(problem: Problem, rewrite: str | None) -> None:
    reduced = reduce(problem, Budget(), None if rewrite is None else [rewrite])
    net = reduced.problem.net
    reachable = explore(net, 200)
    if reachable is None or not reduced.steps:
        return
    if any(evaluate(reduced.problem.target, net.values(m)) for m in reachable):
        return
    table = table_of(net.places, reachable)
    assert accepted(reduced.problem, table)
    lifted = reduced.lift(Unreachable(table))
    if lifted is None:
        return
    assert isinstance(lifted, Unreachable) and isinstance(lifted.certificate, MarkingTable)
    assert known_verdict(problem, 400) != "reachable"
    assert accepted(problem, lifted.certificate)


def test_what_is_too_large_is_not_lifted(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(("p",), {(3,)})
    assert widened(table, {"q": constant(2**62)}, {}) is None
    assert widened(table, {"q": p - 4}, {}) is None
    assert widened(table, {"q": variable("r")}, {}) is None
    assert widened(table, {"q": 3 * p + 1}, {}) == table_of(("p", "q"), {(3, 10)})
    assert widened(table, {}, {"p": 2}) == MarkingTable((("p", 2),), b"")


def test_a_place_of_one_token_that_blocks_is_not_made_up() -> None:
    """What the smaller table leaves out may lose its token, and no column can say when."""
    steps = {"t": ({"b": 2}, {"p": 1}), "u": ({"b": 1}, {}), "v": ({"p": 1}, {})}
    problem = make_problem(make_net("n", {"p": 0, "b": 1}, steps), at_least(p, 1))
    reduced = reduce(problem, Budget(), ["dead_transitions"])
    assert reduced.lift(Unreachable(table_of(("p",), {(0,)}))) is None
    lifted = reduced.lift(Unreachable(table_of(("p", "b"), {(0, 1), (0, 0)})))
    assert isinstance(lifted, Unreachable) and isinstance(lifted.certificate, MarkingTable)
    assert accepted(problem, lifted.certificate)
