"""Tables in whose numbers further places count, and the reductions that they come from."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from evidence_files import read_evidence, write_evidence
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from invoked import run
from notation import net_of
from oracle import explore, known_verdict
from strategies import nets, repeatable, targets
from test_marking_table import accepted, table_of

from petricheck.arithmetic.formulas.emptied import emptied, without
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    Formula,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines.reductions import reduce
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.finite_set import FiniteSet, MarkingTable
from petricheck.formats.nets import write_net
from petricheck.model.net import Net, Transition, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import check
from petricheck.questions.kinds.deadlock import Deadlock
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError

p, q, r, s = map(variable, "pqrs")


@st.composite
def counted(draw: st.DrawFn) -> tuple[Net, MarkingTable]:
    """A net, and the closed table of the numbers that some columns count in its markings."""
    net = draw(nets())
    columns = draw(st.lists(st.sampled_from(net.places), min_size=1, unique=True))
    weights = st.dictionaries(st.sampled_from(net.places), st.integers(1, 2), max_size=3)
    sums = {column: draw(weights) | {column: 1} for column in columns}

    def image(tokens: dict[str, int]) -> dict[str, int]:
        return {c: sum(w * tokens.get(p, 0) for p, w in sums[c].items()) for c in columns}

    def side(weights: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        totals = image({net.places[place]: weight for place, weight in weights})
        return tuple((n, totals[c]) for n, c in enumerate(columns) if totals[c])

    initial = tuple(image(net.values(net.initial)).values())
    steps = tuple(Transition(t.name, side(t.pre), side(t.post)) for t in net.transitions)
    reachable = explore(Net("image", tuple(columns), steps, initial), 200)
    assume(reachable is not None)
    assert reachable is not None
    further = {c: {p: w for p, w in sums[c].items() if p != c} for c in columns}
    table = table_of(columns, reachable)
    return net, replace(
        table, counted=tuple((c, tuple(more.items())) for c, more in further.items() if more)
    )


def rows_of(table: MarkingTable) -> set[tuple[int, ...]]:
    numbers = [int.from_bytes(table.rows[n : n + 8], "big") for n in range(0, len(table.rows), 8)]
    return {tuple(n >> f.shift & (1 << f.bits) - 1 for f in table.fields) for n in numbers}


@settings(max_examples=16)
@given(counted(), st.data())
def test_no_marking_whose_sums_are_listed_is_in_a_target_that_a_table_excludes(
    given_: tuple[Net, MarkingTable], data: st.DataObject
) -> None:
    net, table = given_
    assert accepted(Problem(net, FALSE), table)
    empty = data.draw(st.sets(st.sampled_from(net.places)))
    target = conjunction([data.draw(targets(net)), *(at_most(variable(p), 0) for p in empty)])
    if not accepted(make_problem(net, target), table):
        return
    listed, sums = rows_of(table), table.sums.values()
    for marking in product(range(4), repeat=len(net.places)):
        tokens = net.values(marking)
        if tuple(sum(w * tokens[p] for p, w in each.items()) for each in sums) in listed:
            assert not evaluate(target, tokens)
    assert known_verdict(make_problem(net, target), 400) != "reachable"


@settings(max_examples=16)
@given(counted(), st.data())
def test_without_a_row_or_with_other_weights_a_table_is_refused_unless_it_is_closed_again(
    given_: tuple[Net, MarkingTable], data: st.DataObject
) -> None:
    net, table = given_
    listed = explore(net, 300)
    gone = data.draw(st.integers(0, table.count - 1)) * table.width
    shorter = replace(table, rows=table.rows[:gone] + table.rows[gone + table.width :])
    weights = st.dictionaries(st.sampled_from(net.places), st.integers(1, 3), max_size=2)
    column = data.draw(st.sampled_from([place for place, _ in table.layout]))
    more = tuple((p, w) for p, w in data.draw(weights).items() if p != column)
    other = replace(table, counted=((column, more),))
    for changed in (shorter, other):
        if changed.rows and accepted(Problem(net, FALSE), changed) and listed is not None:
            sums = changed.sums.values()
            for marking in listed:
                tokens = net.values(marking)
                numbers = tuple(sum(w * tokens[p] for p, w in each.items()) for each in sums)
                assert numbers in rows_of(changed)


PIPE = net_of("p=1 q=0 s=0, t: p -> q")


@pytest.mark.parametrize(
    ("further", "complaint"),
    [
        ((("r", (("q", 1),)),), "no field"),
        ((("p", (("q", 1),)), ("p", ())), "or twice"),
        ((("p", (("q", 1), ("q", 1))),), "'p' twice"),
        ((("p", (("p", 1),)),), "'p' twice"),
        ((("p", (("no", 1),)),), "none of the net"),
        ((("p", (("q", 0),)),), "less than once"),
        ((("p", (("q", -1),)),), "less than once"),
        ((("p", (("q", 1), ("s", 0))),), "less than once"),
        ((("p", (("q", 0), ("s", 1))),), "less than once"),
        ((("p", (("q", True),)),), "less than once"),
    ],
)
def test_what_counts_besides_is_places_of_the_net_at_least_once(
    further: tuple[tuple[str, tuple[tuple[str, int], ...]], ...], complaint: str
) -> None:
    table = table_of(("p",), {(1,)})
    assert accepted(Problem(PIPE, FALSE), replace(table, counted=(("p", (("q", 1),)),)))
    with pytest.raises(EvidenceError, match=complaint):
        audit(Problem(PIPE, FALSE), Unreachable(replace(table, counted=further)))


def test_a_sum_tells_of_a_place_where_the_target_empties_its_companions() -> None:
    table = replace(table_of(("p",), {(1,)}), counted=(("p", (("q", 1),)),))
    assert accepted(Problem(PIPE, conjunction([equal(q, 0), equal(p, 0)])), table)
    assert not accepted(Problem(PIPE, conjunction([equal(q, 1), equal(p, 0)])), table)
    assert not accepted(Problem(PIPE, equal(p, 0)), table)


def test_a_place_that_the_target_empties_leaves_other_clauses_their_choice() -> None:
    """With s empty either part of the clause holds, and q need not be empty."""
    table = replace(table_of(("p",), {(1,)}), counted=(("p", (("q", 1),)),))
    for choice in ((equal(s, 0), equal(q, 0)), (equal(q, 0), at_most(s, 0))):
        target = conjunction([equal(s, 0), disjunction(choice), equal(p, 0)])
        assert known_verdict(make_problem(PIPE, target), 9) == "reachable"
        assert not accepted(Problem(PIPE, target), table)


def test_a_number_that_never_changes_may_leave_a_clause_no_choice() -> None:
    net = net_of("p=1 q=0 r=1, t: p -> q")
    table = replace(table_of(("p", "r"), {(1, 1)}), counted=(("p", (("q", 1),)),))
    choice = disjunction([equal(r, 0), equal(q, 0)])
    assert accepted(Problem(net, conjunction([choice, equal(p, 0)])), table)
    changing = replace(table_of(("p", "r"), {(1, 1), (1, 0)}), counted=table.counted)
    assert not accepted(Problem(net, conjunction([choice, equal(p, 0)])), changing)


@settings(max_examples=16)
@given(nets(), st.data())
def test_emptied_places_hold_nothing_in_the_target_and_the_rest_says_the_same(
    net: Net, data: st.DataObject
) -> None:
    literals = st.sampled_from(net.places).map(lambda name: at_most(variable(name), 0))
    clauses = st.lists(st.lists(literals, min_size=1, max_size=2).map(disjunction), max_size=3)
    target = conjunction([*data.draw(clauses), data.draw(targets(net))])
    empty = emptied(target)
    rest = without(target, empty)
    for marking in product(range(3), repeat=len(net.places)):
        tokens = net.values(marking)
        if evaluate(target, tokens):
            assert not any(tokens[name] for name in empty)
        if not any(tokens[name] for name in empty):
            assert evaluate(rest, tokens) == evaluate(target, tokens)


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        (at_most(p, 0), "p"),
        (at_most(p + 2 * q, 0), "pq"),
        (equal(p + q, 0), "pq"),
        (at_most(p, 1), ""),
        (at_most(p - q, 0), ""),
        (at_least(p, 1), ""),
        (disjunction([at_most(p, 0), at_most(q, 0)]), ""),
        (conjunction([disjunction([at_least(p, 1), at_most(q, 0)]), at_most(p, 0)]), "pq"),
        (FALSE, ""),
    ],
)
def test_empty_is_what_a_literal_alone_makes_so(formula: Formula, names: str) -> None:
    assert emptied(formula) == set(names)


@st.composite
def waiting(draw: st.DrawFn) -> Problem:
    """Halves of transitions with a place of their own between them, which the target wants empty.

    It names places on both sides, too.
    """
    net = draw(nets(max_places=3, max_transitions=3))
    initial, empty = net.values(net.initial), []
    steps: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
    for transition in net.transitions:
        pre = {net.places[place]: weight for place, weight in transition.pre}
        post = {net.places[place]: weight for place, weight in transition.post}
        middle = f"{transition.name}_m"
        puts, takes = draw(st.sampled_from([(1, 1), (1, 2), (2, 1)]))
        initial[middle] = draw(st.integers(0, 1))
        steps[transition.name] = (pre, {middle: puts})
        steps[f"{transition.name}_h"] = ({middle: takes}, post)
        empty += [at_most(variable(middle), 0)] * draw(st.booleans())
    whole = make_net("waiting", initial, steps)
    return make_problem(whole, conjunction([draw(targets(net)), *empty]))


def test_tables_and_traces_are_lifted_over_places_that_the_target_wants_empty() -> None:
    """A table may be refused, where an atom is about a place that is not counted alone."""
    tally: Counter[bool] = Counter()

    @repeatable(30)
    @given(waiting())
    def lift(problem: Problem) -> None:
        reduced = reduce(problem, Budget(), ["agglomeration"])
        net, target = reduced.problem.net, reduced.problem.target
        reachable = explore(net, 200)
        assume(reduced.steps and reachable is not None)
        assert reachable is not None
        reached = any(evaluate(target, net.values(marking)) for marking in reachable)
        known = known_verdict(problem, 2000)
        assert known is None or known == ("reachable" if reached else "unreachable")
        if reached:
            lifted = reduced.lift(check(reduced.problem, engine="explicit").answer)
            assert lifted is not None
            audit(problem, lifted)
        else:
            lifted = reduced.lift(Unreachable(table_of(net.places, reachable)))
            assume(lifted)  # no place of the table may count those that went
            assert isinstance(lifted, Unreachable)
            tally[accepted(problem, lifted.certificate)] += 1  # type: ignore[arg-type]

    lift()
    assert tally[True] > 9 * tally[False]


def station(clients: int) -> Problem:
    """Clients that take a key in two steps; whether none can move."""
    names = range(clients)
    tokens = " ".join(f"idle{n}=1 asks{n}=0 waits{n}=0 served{n}=0" for n in names)
    moves = (
        f"ask{n}: idle{n} -> asks{n}, post{n}: asks{n} -> waits{n},"
        f"serve{n}: waits{n} + key -> served{n}, leave{n}: served{n} -> idle{n} + key"
        for n in names
    )
    net = net_of(f"key=1 {tokens}, {','.join(moves)}")
    return make_problem(net, Deadlock().read(net, ""))


def test_places_that_every_deadlock_leaves_empty_go_although_it_names_them() -> None:
    asked = station(4)
    reduced = reduce(asked, Budget(), ["agglomeration"])
    assert len(reduced.problem.net.places) <= 9 < len(asked.net.places) == 17


def test_evidence_with_sums_is_written_read_and_verified(tmp_path: Path) -> None:
    asked, net, evidence = station(3), tmp_path / "n.pnml", tmp_path / "e.json"
    reduced = reduce(asked, Budget(), ["agglomeration"])
    reachable = explore(reduced.problem.net, 500)
    assert reachable is not None
    lifted = reduced.lift(Unreachable(table_of(reduced.problem.net.places, reachable)))
    assert isinstance(lifted, Unreachable) and lifted.certificate.counted
    write_net(asked.net, net)
    write_evidence(evidence, None, asked, lifted)
    assert read_evidence(evidence).answer == lifted
    assert run("verify", net, evidence).stdout.startswith("accepted: unreachable\n")


def test_weights_may_be_large_and_people_are_told_that_there_are_some() -> None:
    table = replace(table_of(("p",), {(1,)}), counted=(("p", (("q", 2**70),)),))
    told = FiniteSet().write(table)
    assert FiniteSet().read(told) == table
    assert "with others that count as well" in FiniteSet().describe(table, "text").body


@pytest.mark.parametrize("further", [[], {"p": []}, {"p": {"q": "1"}}, {"p": {"q": 1.5}}, {"p": 1}])
def test_what_counts_besides_is_an_object_of_objects_of_integers(further: object) -> None:
    value = FiniteSet().write(table_of(("p",), {(1,)}))
    value["markings"]["counted"] = further
    with pytest.raises(EvidenceError):
        FiniteSet().read(value)
