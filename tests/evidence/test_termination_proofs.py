"""Claims about runs that end and runs that do not: true ones pass, false ones are refused."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from evidence_files import several
from home_spaces import FORK, GROWTH, SWING, trace
from hypothesis import given
from hypothesis import strategies as st
from judged import graph_of, judge
from notation import EXACT, net_of
from schemas import VALID
from strategies import nets, repeatable

from petricheck.arithmetic.formulas.formulas import TRUE as ALL
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit import prove
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.certificates.ranking import RankingFunction
from petricheck.evidence.claims import Claim, InfiniteRun, Stage, Terminating
from petricheck.evidence.files.json import Json
from petricheck.explicit.kernel.packing import fields_of, pack, ranked_certificate
from petricheck.model.net import Net
from petricheck.support.errors import EvidenceError


def run(stem: str, loop: str) -> InfiniteRun:
    """Names of transitions with blanks between them."""
    return InfiniteRun(Stage(trace(*stem.split()), trace(*loop.split())))


def lowered(names: str, *rows: str, **weights: int) -> Terminating:
    """Rows are `p=1 q=0: 2`, tokens of the places of the table and a rank."""
    proof = RankingFunction(tuple(weights.items()), table_of(rows) if rows else None)
    return Terminating(tuple(names.split()), proof)


def table_of(rows: Iterable[str]) -> RankedTable:
    pairs = [row.split(":") for row in rows]
    tokens = [dict(item.split("=") for item in marking.split()) for marking, _ in pairs]
    columns = [np.array([int(row[place]) for row in tokens]) for place in tokens[0]]
    layout = tuple(
        (place, int(max(c)).bit_length()) for place, c in zip(tokens[0], columns, strict=True)
    )
    words = pack(fields_of(layout), len(pairs), columns)
    ranks = np.array([int(rank) for _, rank in pairs])
    table = ranked_certificate(layout, words, ranks, np.zeros(len(pairs), dtype=np.uint32), ())
    assert table is not None
    return table


RELAY = net_of("p=1 q=0 r=0, go: p -> q, end: q -> r")
KEY = net_of("p=1 q=0 k=1, use: p + k -> q + k, back: q -> p, drop: k ->")
"""With the key, a token goes to and fro until it is dropped."""

FILLED = net_of("p=1 q=0 k=0, fill: -> k, go: p -> q, back: q + 2 k -> p + k")
ROWS = "p=1 q=0 r=0: 2", "p=0 q=1 r=0: 1", "p=0 q=0 r=1: 0"

TRUE: dict[str, tuple[Net, Claim]] = {
    "a loop at once": (SWING, run("", "go back")),
    "a loop after a stem": (SWING, run("go", "back go")),
    "a loop that gains": (GROWTH, run("", "put")),
    "a loop that gains less than it can": (GROWTH, run("put", "take put")),
    "a sum": (RELAY, lowered("", p=2, q=1)),
    "a sum of more places than it needs": (RELAY, lowered("", p=3, q=2, r=1)),
    "a sum that named transitions raise": (FORK, lowered("back", p=2, q=1)),
    "a sum that a named one lowers, too": (FORK, lowered("back leave", p=2, q=1)),
    "all transitions named": (SWING, lowered("go back")),
    "a table": (RELAY, lowered("", *ROWS)),
    "ranks that fall by more than one": (RELAY, lowered("", "p=1 q=0 r=0: 9", *ROWS[1:])),
    "a table in which named transitions raise the rank": (
        SWING, lowered("back", "p=1 q=0: 1", "p=0 q=1: 0")),
    "a row that is not reachable": (
        RELAY, lowered("", *ROWS, "p=0 q=0 r=0: 0")),
    "a sum, and a table for what leaves it": (
        RELAY, lowered("", "p=1 q=0 r=0: 0", "p=0 q=1 r=0: 1", "p=0 q=0 r=1: 0", p=1)),
    "a sum, and a table of some places": (
        FILLED, lowered("fill", "p=1 q=0: 1", "p=0 q=1: 0", k=1)),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_a_true_claim_is_proved_also_when_it_is_read_again(name: str) -> None:
    net, claim = TRUE[name]
    assert judge(graph_of(net), claim) in (True, None)
    told = prove(net, claim)
    match claim:
        case InfiniteRun():
            assert told == "replayed exactly"
        case Terminating(_, RankingFunction(_, None)):
            assert told == EXACT
        case _:
            assert told == "checked marking by marking"
    data = Json().write(net, several(net, "terminates", "", (claim,)))
    assert Json().read(data).claims == (claim,)
    VALID["evidence"].validate(json.loads(data))


(_, TABLED), (_, PARTIAL) = TRUE["a table"], TRUE["a sum, and a table of some places"]
assert isinstance(TABLED, Terminating) and isinstance(TABLED.proof, RankingFunction)
RANKED = TABLED.proof.table
assert RANKED is not None


def tabled(ranked: RankedTable | None) -> Terminating:
    return Terminating((), RankingFunction((), ranked))


FALSE: dict[str, tuple[Net, Claim, str]] = {
    "a loop that fires nothing": (SWING, run("go", ""), "fires nothing"),
    "a loop that takes a token": (SWING, run("", "go"), "takes tokens"),
    "a loop that gives to another place": (RELAY, run("", "go end"), "takes tokens"),
    "a stem that cannot fire": (SWING, run("back", "go back"), "cannot fire"),
    "a loop that cannot fire": (SWING, run("go", "go back"), "cannot fire"),
    "a loop that cannot fire though it takes nothing": (SWING, run("", "back go"), "cannot fire"),
    "a loop of no transition": (SWING, run("", "fly"), "no transition 'fly'"),
    "a loop fired a fraction": (
        SWING,
        InfiniteRun(Stage(trace(), Trace((("go", 0.5),)))),  # type: ignore[arg-type]
        "no positive count"),
    "no sum": (RELAY, lowered(""), "'go' does not lower"),
    "a sum that stays as it is": (RELAY, lowered("", p=1, q=1), "'go' does not lower"),
    "a sum that is raised": (SWING, lowered("", p=2, q=1), "'back' does not lower"),
    "a sum that only a named one lowers": (FORK, lowered("leave", p=1, q=1), "'go' does not lower"),
    "a sum without a bottom": (GROWTH, lowered("take", p=-1), "no natural number"),
    "a sum of halves": (RELAY, lowered("", p=1, q=0.5), "no natural number"),  # type: ignore[arg-type]
    "a sum of no place": (RELAY, lowered("", p=2, q=1, x=1), "one that the net has not"),
    "a place twice": (
        RELAY, Terminating((), RankingFunction((("p", 2), ("q", 1), ("q", 1)))), "a place twice"),
    "a name of no transition": (RELAY, lowered("fly", p=2, q=1), "none of the net"),
    "another proof": (RELAY, Terminating((), Certificate(ALL)), "by a ranking alone"),
    "another table": (
        RELAY, Terminating((), RankingFunction((), MarkingTable((), b""))),  # type: ignore[arg-type]
        "by a ranking alone"),
    "ranks that stay": (RELAY, lowered("", "p=1 q=0 r=0: 1", *ROWS[1:]), "'go' leads to no lower"),
    "ranks that rise": (SWING, lowered("", "p=1 q=0: 1", "p=0 q=1: 0"), "'back' leads to no lower"),
    "a firing that leaves a row as it is": (
        net_of("p=1, t: p -> p"), lowered("", "p=1: 1"), "'t' leads to no lower"),
    "no row of the start": (RELAY, lowered("", *ROWS[1:]), "the initial marking is not in"),
    "a row too few": (RELAY, lowered("", *ROWS[:2]), "leaves the table"),
    "a row too few for a named transition": (
        FORK, lowered("back leave", "p=1 q=0 r=0: 1", "p=0 q=1 r=0: 0"), "leaves the table"),
    "too few ranks": (RELAY, tabled(replace(RANKED, ranks=RANKED.ranks[4:])), "not a rank for"),
    "a part of a row": (
        RELAY, tabled(replace(RANKED, table=replace(RANKED.table, rows=b"\0"))), "within a row"),
    "a sum that rises where ranks fall": (RELAY, lowered("", *ROWS, q=1), "'go' does not lower"),
    "a table of places that do not hinder": (
        KEY, lowered("", "k=1: 1", "k=0: 0"), "'use' leads to no lower"),
    "a sum, and a table whose ranks stay where the sum does": (
        FILLED, lowered("fill", "p=1 q=0: 0", "p=0 q=1: 0", k=1), "'go' leads to no lower"),
    "a sum, and a table that is left": (
        FILLED, lowered("fill", "p=1 q=0: 1", k=1), "leaves the table"),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_a_false_proof_is_refused(name: str) -> None:
    net, claim, reason = FALSE[name]
    with pytest.raises(EvidenceError, match=reason):
        prove(net, claim)


@repeatable(150)
@given(nets(max_places=3, max_transitions=3), st.data())
def test_no_sum_or_loop_proves_what_is_false(net: Net, data: st.DataObject) -> None:
    names = st.lists(st.sampled_from(net.actions), max_size=3)
    weights = tuple((place, data.draw(st.integers(0, 3))) for place in net.places)
    stage = Stage(trace(*data.draw(names)), trace(*data.draw(names)))
    exempt = tuple(dict.fromkeys(data.draw(names)))
    for claim in (Terminating(exempt, RankingFunction(weights)), InfiniteRun(stage)):
        try:
            prove(net, claim)
        except EvidenceError:
            continue
        assert judge(graph_of(net), claim) is not False, (str(net), claim)
