"""What is checked block by block, with one fault, in any row of blocks of any size.

Ten rows in blocks of one to eleven: the fault is in the first row or the last one of a block,
behind a border or before it, in a last block that is full or partly filled. Beside every false
table is a true one, which differs in this row alone.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from oracle import shortest_trace
from test_marking_table import table_of

from petricheck.arithmetic.formulas.formulas import FALSE, conjunction, disjunction, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.audit.invariants import table
from petricheck.evidence.audit.tables import rows
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.model.net import Net, make_net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError

COUNT = 10
ROWS = range(COUNT)
n, p, q, r = map(variable, "npqr")


@pytest.fixture(params=range(1, COUNT + 2))
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Rows of a block."""
    size: int = request.param
    monkeypatch.setattr(rows, "BLOCK", size)
    monkeypatch.setattr(rows, "FEWEST", 1)
    return size


def refused(problem: Problem, table: MarkingTable) -> str:
    """Why the audit refuses the table; nothing where it accepts it."""
    try:
        audit(problem, Unreachable(table))
    except EvidenceError as error:
        return str(error)
    return ""


def slide(**steps: tuple[dict[str, int], dict[str, int]]) -> Net:
    """Tokens go from q to p, one by one, from nine on q; and what else may happen."""
    arcs = {name: (marked(pre), marked(post)) for name, (pre, post) in steps.items()}
    return make_net("slide", {"p": 0, "q": COUNT - 1}, {"t": ({"q": 1}, {"p": 1}), **arcs})


def marked(tokens: dict[str, int]) -> dict[str, int]:
    return {place: number for place, number in tokens.items() if number}


SLIDE = table_of("qp", {(COUNT - 1 - row, row) for row in ROWS})
"""In its n-th row p has n tokens."""


def test_every_row_misses_the_target(block: int) -> None:
    assert SLIDE.layout == (("q", 4), ("p", 4))
    for row in ROWS:
        assert "does not exclude the target" in refused(Problem(slide(), equal(p, row)), SLIDE)
    assert refused(Problem(slide(), equal(p, COUNT)), SLIDE) == ""


def test_firings_in_every_row_are_looked_up(block: int) -> None:
    for row in ROWS:
        only = {"p": row, "q": COUNT - 1 - row}
        more, same = only | {"p": row + 1}, {"p": row + 1, "q": COUNT - 2 - row}
        assert "'u' leaves the table" in refused(Problem(slide(u=(only, more)), FALSE), SLIDE)
        if min(same.values()) >= 0:
            assert refused(Problem(slide(u=(only, same)), FALSE), SLIDE) == ""


def test_a_row_that_is_missing_is_missed_wherever_it_was(block: int) -> None:
    for row in ROWS:
        table = replace(SLIDE, rows=without(SLIDE, row))
        why = "initial marking" if row == 0 else "'t' leaves the table"
        assert why in refused(Problem(slide(), FALSE), table)


def without(table: MarkingTable, row: int) -> bytes:
    width = table.width
    return table.rows[: row * width] + table.rows[(row + 1) * width :]


def test_every_row_is_less_than_the_next_one(block: int) -> None:
    width, still = SLIDE.width, Problem(make_net("still", {"p": 0, "q": COUNT - 1}, {}), FALSE)
    listed = [SLIDE.rows[row * width : (row + 1) * width] for row in ROWS]
    for row in ROWS[:-1]:
        twice = [*listed[: row + 1], *listed[row:]]
        assert "do not ascend" in refused(still, replace(SLIDE, rows=b"".join(twice)))
        turned = [*listed[:row], listed[row + 1], listed[row], *listed[row + 2 :]]
        assert refused(still, replace(SLIDE, rows=b"".join(turned))) != ""
    assert "do not ascend" in refused(still, replace(SLIDE, rows=SLIDE.rows + listed[-1]))
    assert refused(still, SLIDE) == ""


def test_no_row_has_bits_outside_of_its_fields(block: int) -> None:
    """They stand in a word of their own, behind the numbers that tell the rows apart."""
    initial = {"p": 0, "wide": 0}
    layout = (("p", 4), ("wide", 63))
    for row, outside in product(ROWS, (0, 1 << 63)):
        words = [word for number in ROWS for word in (number, outside if number == row else 0)]
        table = MarkingTable(layout, np.array(words, dtype=">u8").tobytes())
        net = make_net("still", initial | {"p": (row + 1) % COUNT}, {})
        assert ("outside of its fields" in refused(Problem(net, FALSE), table)) == bool(outside)


def test_a_number_is_steady_that_is_the_same_in_every_row(block: int) -> None:
    always = {(row, 1) for row in ROWS}
    for row in ROWS:
        once = always - {(row, 1)} | {(row, 0)}
        assert rows.constant_places(table_of("nr", once), Budget()) == {}
        assert rows.constant_places(table_of("nr", once - {(row, 0)}), Budget()) == {"r": 1}
    assert rows.constant_places(table_of("nr", always), Budget()) == {"r": 1}


def test_a_number_that_changes_in_one_row_leaves_a_clause_its_choice(block: int) -> None:
    """Where r = 1, the target wants q empty, so that p + q = 1 tells p: there alone."""
    target = conjunction([disjunction([equal(r, 0), equal(q, 0)]), equal(p, 0)])
    for row, count in product(ROWS, (0, 1)):
        net = make_net("n", {"n": row, "p": 1, "q": 0, "r": count}, {"t": ({"p": 1}, {"q": 1})})
        listed = {(number, 1, count if number == row else 1) for number in ROWS}
        table = replace(table_of("npr", listed), counted=(("p", (("q", 1),)),))
        problem = Problem(net, target)
        false = shortest_trace(problem, COUNT) is not None
        assert false == (count == 0)
        assert (refused(problem, table) != "") == false


# Elements of a basis, compared in pairs


@pytest.fixture(params=range(1, 5))
def markings_at_a_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "_PAIRS", 3 * request.param)


@pytest.fixture(params=range(1, 5))
def pairs_at_a_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "_ENTRIES", 4 * request.param)


@pytest.mark.usefixtures("markings_at_a_time", "pairs_at_a_time")
def test_every_marking_is_compared_with_every_element() -> None:
    """Three elements on three places; each of five markings is above one of them, or none."""
    elements = np.array([[2, 1, 1], [1, 2, 1], [1, 1, 2]], dtype=np.int64)
    antichain = table.UpwardClosure(elements)
    for marking, element in product(range(5), range(3)):
        markings = np.ones((5, 3), dtype=np.int64)
        markings[marking] = elements[element]
        expected = [number == marking for number in range(5)]
        assert antichain.covered(markings, Budget()).tolist() == expected
        markings[:] = elements[element]
        markings[marking] -= 1
        assert antichain.covered(markings, Budget()).tolist() == [not above for above in expected]
