"""Claims that a table has the reachable markings: those pass that brute force agrees with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from budgets import Counted
from evidence_files import several
from hypothesis import assume, given
from hypothesis import strategies as st
from notation import net_of
from oracle import explore, successor
from strategies import nets, repeatable

from petricheck.evidence.audit import prove
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.claims import ReachabilitySet
from petricheck.evidence.files.json import Json
from petricheck.explicit.kernel.explore import Exploration
from petricheck.explicit.kernel.packing import Bits, fields_of, pack, ranked_certificate
from petricheck.model.net import Marking, Net
from petricheck.questions import ask, check
from petricheck.support.errors import EvidenceError

Row = tuple[Marking, int, str]
"""A marking, its rank, and the transition that leads to it."""

MOVES = net_of("p=2 q=0, move: p -> q, back: q -> p")
FULL, HALF, EMPTY = ((2, 0), 0, "move"), ((1, 1), 1, "move"), ((0, 2), 2, "move")
ALONE = net_of("p=1 q=0 r=0, t: q -> r, u: r -> q")
DRAIN = net_of("p=1 q=0, t: p -> q")
NARROW = net_of("p=0 q=1, t: 4 p ->")
READS = net_of("p=1 q=0 r=0, t: p + r -> q + r")
DOUBLE = net_of("p=1 q=0, t: p -> 2 q")


def claim(
    net: Net,
    rows: Iterable[Row],
    firings: int,
    in_place: int,
    in_marking: int,
    bits: Iterable[int] | None = None,
) -> ReachabilitySet:
    """The claim, with the least fields unless their bits are given."""
    listed = list(rows)
    columns = [np.array(column) for column in zip(*(m for m, _, _ in listed), strict=True)]
    widths = [int(max(column)).bit_length() for column in columns] if bits is None else bits
    layout: Bits = tuple(zip(net.places, widths, strict=True))
    table = ranked_certificate(
        layout,
        pack(fields_of(layout), len(listed), columns),
        np.array([rank for _, rank, _ in listed]),
        np.array([net.actions.index(name) for _, _, name in listed], dtype=np.uint32),
        net.actions,
    )
    assert table is not None
    return ReachabilitySet(len(listed), firings, in_place, in_marking, table)


def altered(claim: ReachabilitySet, **changes: object) -> ReachabilitySet:
    """The claim with another table, or with ranks, transitions or names of other rows."""
    assert isinstance(claim.certificate, RankedTable)
    return replace(claim, certificate=replace(claim.certificate, **changes))  # type: ignore[arg-type]


def table_of(claim: ReachabilitySet) -> MarkingTable:
    assert isinstance(claim.certificate, RankedTable)
    return claim.certificate.table


RIGHT = claim(MOVES, [FULL, HALF, EMPTY], 4, 2, 2)

ONE = MarkingTable((("p", 1),), b"\1".rjust(8, b"\0"))

TAKES = net_of("p=1 q=0 r=1, t: p + r -> q")
SUMS = claim(TAKES, [((1, 0, 1), 0, "t"), ((2, 1, 0), 1, "t")], 1, 2, 3)
COUNTED = (("p", (("q", 2),)),)
"""Where q counts twice at p, t leads from one of these rows to the other."""

TWICE = MarkingTable((("p", 1), ("p", 1)), b"\2".rjust(8, b"\0"))

HUGE = net_of(f"p={2**62} q={2**62} r={2**62} s={2**62}, ->")
LONG = net_of(f"p={2**53} q=1, ->")

TRUE: dict[str, tuple[Net, ReachabilitySet]] = {
    "all markings": (MOVES, RIGHT),
    "ranks with gaps": (
        MOVES,
        claim(MOVES, [FULL, ((1, 1), 7, "move"), ((0, 2), 9, "move")], 4, 2, 2),
    ),
    "wide fields": (MOVES, claim(MOVES, [FULL, HALF, EMPTY], 4, 2, 2, (40, 30))),
    "no place": (net_of(", t: ->"), claim(net_of(", t: ->"), [((), 0, "t")], 1, 0, 0, ())),
    "tokens that floats do not tell": (
        LONG,
        claim(LONG, [((2**53, 1), 0, "t")], 1, 2**53, 2**53 + 1),
    ),
    "a loop counts": (
        net_of("p=1, p -> p"),
        claim(net_of("p=1, p -> p"), [((1,), 0, "t")], 1, 1, 1),
    ),
    "what is never enabled does not count": (
        net_of("p=1, 2 p -> 2 p"),
        claim(net_of("p=1, 2 p -> 2 p"), [((1,), 0, "t")], 0, 1, 1),
    ),
    "both of two transitions that do the same count": (
        net_of("p=1 q=0, t: p -> q, u: p -> q"),
        claim(
            net_of("p=1 q=0, t: p -> q, u: p -> q"), [((1, 0), 0, "t"), ((0, 1), 1, "u")], 2, 1, 1
        ),
    ),
}

FALSE: dict[str, tuple[Net, ReachabilitySet]] = {
    "a firing leaves the table": (MOVES, claim(MOVES, [FULL, HALF], 3, 2, 2)),
    "the initial marking is missing": (DRAIN, claim(DRAIN, [((0, 1), 0, "t")], 0, 1, 1)),
    "the initial marking has a rank above 0": (
        MOVES,
        claim(MOVES, [((2, 0), 2, "back"), ((1, 1), 1, "back"), ((0, 2), 0, "move")], 4, 2, 2),
    ),
    "another marking has rank 0": (
        ALONE,
        claim(ALONE, [((1, 0, 0), 0, "t"), ((0, 1, 0), 0, "t"), ((0, 0, 1), 1, "t")], 2, 1, 1),
    ),
    "ranks go around in a circle": (
        ALONE,
        claim(ALONE, [((1, 0, 0), 0, "t"), ((0, 1, 0), 1, "u"), ((0, 0, 1), 1, "t")], 2, 1, 1),
    ),
    "ranks rise": (MOVES, claim(MOVES, [FULL, ((1, 1), 1, "back"), EMPTY], 4, 2, 2)),
    "nothing leads to a marking": (
        DRAIN,
        claim(DRAIN, [((1, 0), 0, "t"), ((0, 1), 1, "t"), ((0, 0), 2, "t")], 1, 1, 1),
    ),
    "a transition leads from it, not to it": (
        DRAIN,
        claim(DRAIN, [((1, 0), 0, "t"), ((0, 1), 1, "t"), ((1, 1), 2, "t")], 2, 1, 2),
    ),
    "a transition puts more than is there": (
        DOUBLE,
        claim(DOUBLE, [((1, 0), 0, "t"), ((0, 2), 1, "t"), ((0, 1), 2, "t")], 1, 2, 2),
    ),
    "a transition is enabled by what it reads": (
        READS,
        claim(READS, [((1, 0, 0), 0, "t"), ((0, 1, 0), 1, "t")], 0, 1, 1),
    ),
    "a marking before does not fit its field": (
        NARROW,
        claim(NARROW, [((0, 1), 0, "t"), ((0, 0), 1, "t")], 0, 1, 1, (2, 1)),
    ),
    "a firing too many": (MOVES, replace(RIGHT, firings=5)),
    "a firing too few": (MOVES, replace(RIGHT, firings=3)),
    "a marking too many": (MOVES, replace(RIGHT, markings=4)),
    "a token too many in a place": (MOVES, replace(RIGHT, in_place=3)),
    "a token too few in a place": (MOVES, replace(RIGHT, in_place=1)),
    "a token too many in a marking": (MOVES, replace(RIGHT, in_marking=3)),
    "a token too few in a marking": (MOVES, replace(RIGHT, in_marking=1)),
    "a table without ranks": (MOVES, replace(RIGHT, certificate=table_of(RIGHT))),
    "a place without a field": (
        net_of("p=1 q=0, t: p -> p + q"),
        ReachabilitySet(1, 1, 1, 1, RankedTable(ONE, bytes(4), bytes(4), ("t",))),
    ),
    "a place with two fields": (
        net_of("p=1, p -> p"),
        ReachabilitySet(1, 1, 1, 1, RankedTable(TWICE, bytes(4), bytes(4), ("t",))),
    ),
    "tokens that a word does not hold": (
        HUGE,
        claim(HUGE, [((2**62,) * 4, 0, "t")], 1, 2**62, 0),
    ),
    "a sum of places": (TAKES, altered(SUMS, table=replace(table_of(SUMS), counted=COUNTED))),
    "a repeated row": (
        MOVES,
        altered(
            replace(RIGHT, markings=4, firings=6),
            table=replace(table_of(RIGHT), rows=table_of(RIGHT).rows[:8] + table_of(RIGHT).rows),
            ranks=b"".join(n.to_bytes(4, "big") for n in (0, 0, 1, 2)),
            transitions=bytes(16),
        ),
    ),
    "too few ranks": (MOVES, altered(RIGHT, ranks=bytes(8))),
    "too few transitions": (MOVES, altered(RIGHT, transitions=bytes(8))),
    "a transition without a name": (MOVES, altered(RIGHT, names=())),
    "a transition that is none": (MOVES, altered(RIGHT, names=("go",))),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_claim_passes(name: str) -> None:
    assert prove(*TRUE[name]) == "checked marking by marking"


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_refused(name: str) -> None:
    with pytest.raises(EvidenceError) as refused:
        prove(*FALSE[name])
    assert refused.value.__cause__ is None


def counts(net: Net, markings: set[Marking]) -> tuple[int, int, int, int]:
    """Markings, firings, most tokens in a place and in a marking, told anew."""
    firings = sum(successor(m, t) is not None for m in markings for t in net.transitions)
    in_place = max((tokens for marking in markings for tokens in marking), default=0)
    return len(markings), firings, in_place, max(map(sum, markings))


@given(nets())
@repeatable(30)
def test_state_spaces_are_those_of_brute_force(net: Net) -> None:
    markings = explore(net, 300)
    assume(markings is not None)
    assert markings is not None
    found = check(ask(net, state_space=True))
    expected = counts(net, markings)
    names = ("markings", "firings", "tokens_in_place", "tokens_in_marking")
    assert found.value == len(markings)
    assert tuple(found.conclusion.facts[name] for name in names) == expected
    data = Json().write(net, several(net, "state_space", "", found.claims))
    assert Json().read(data).claims == found.claims


@given(nets(), st.data())
@repeatable(60)
def test_what_is_accepted_of_altered_claims_is_true(net: Net, data: st.DataObject) -> None:
    markings = explore(net, 40)
    assume(markings is not None)
    assert markings is not None
    exploration = Exploration(net, (), 1 << 24)
    exploration.run(100)
    table = exploration.ranked
    assert table is not None
    changed = data.draw(st.sampled_from(("rows", "ranks", "transitions")))
    old: bytes = table.table.rows if changed == "rows" else getattr(table, changed)
    place = data.draw(st.integers(0, len(old) - 1))
    new = old[:place] + bytes([old[place] ^ 1 << data.draw(st.integers(0, 7))]) + old[place + 1 :]
    table = (
        replace(table, table=replace(table.table, rows=new))
        if changed == "rows"
        else replace(table, **{changed: new})  # type: ignore[arg-type]
    )
    claim = ReachabilitySet(*counts(net, markings), table)
    try:
        prove(net, claim)
    except EvidenceError:
        return
    listed = np.frombuffer(table.table.rows, dtype=">u8").reshape(-1, table.table.words)
    masks = [(field.word, field.shift, (1 << field.bits) - 1) for field in table.table.fields]
    assert {tuple(int(row[w]) >> s & m for w, s, m in masks) for row in listed} == markings


def test_the_audit_looks_at_its_budget_in_each_of_its_loops() -> None:
    net = net_of(", ".join(["p=60 q=0", *(f"t{n}: p -> q" for n in range(60))]))
    exploration = Exploration(net, (), 1 << 24)
    exploration.run(100)
    claim = ReachabilitySet(61, 60 * 60, 60, 60, exploration.ranked)
    budget = Counted()
    prove(net, claim, budget=budget)
    for most in range(len(budget.looks)):
        with pytest.raises(EvidenceError, match="inconclusive"):
            prove(net, claim, budget=Counted(most=most))
