"""Blocks of firings as formulas: their models are the firing sequences that enumeration finds."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import formula, formulas, net_of
from oracle import first_markings, replay, successor
from strategies import nets, problems

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    at_least,
    at_most,
    congruent,
    disjunction,
    equal,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.solver import Solver
from petricheck.model.net import Marking, Net, make_net
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, InternalError
from petricheck.symbolic.encoding.blocks import BlockKind, StepRelation, count, firing_order
from petricheck.symbolic.encoding.stamps import at, at_start, token
from petricheck.symbolic.encoding.unrolling import Unrolling
from petricheck.symbolic.facts.basis import place_invariants
from petricheck.symbolic.facts.inductive import confirm_facts

BLOCKS = tuple(product(BlockKind, (0, 1)))
HUGE = 10**9


def fired(net: Net, before: Marking, counts: tuple[int, ...]) -> Marking | None:
    """Where the transitions lead, one by one, in the firing order."""
    marking: Marking | None = before
    for number in firing_order(net):
        for _ in range(counts[number]):
            marking = None if marking is None else successor(marking, net.transitions[number])
    return marking


def admitted(block: BlockKind, fewest: int, counts: tuple[int, ...]) -> bool:
    """Whether the block may have these counts, as its docstring says."""
    different = sum(1 for times in counts if times)
    most = {BlockKind.SINGLE: sum(counts) <= 1, BlockKind.ACCELERATED: different <= 1}
    return sum(counts) >= fewest and most.get(block, True)


def leads(relation: StepRelation, before: Marking, vectors: Iterable[tuple[int, ...]], k: int):
    """Where the formula says that these counts lead from a marking; None where it excludes them."""
    places = relation.net.places
    start = [equal(token(p, k), m) for p, m in zip(places, before, strict=True)]
    with Solver() as solver:
        solver.add(Conjunction((relation.formula(k), *start)))
        for counts in vectors:
            fixed = [equal(variable(count(n, k)), times) for n, times in enumerate(counts)]
            model = solver.check([Conjunction(tuple(fixed))])
            yield counts, None if model is None else tuple(model[at(p, k + 1)] for p in places)


def scaled(net: Net, factors: list[int]) -> Net:
    """The net with arcs and tokens of each place times a factor."""

    def arcs(weights):
        return {net.places[p]: weight * factors[p] for p, weight in weights}

    initial = {p: m * f for p, m, f in zip(net.places, net.initial, factors, strict=True)}
    return make_net(
        "scaled", initial, {t.name: (arcs(t.pre), arcs(t.post)) for t in net.transitions}
    )


def check_block(relation: StepRelation, before: Marking, k: int):
    """Of all counts up to 2, exactly those that are admitted and fire lead to where they fire."""
    net, vectors = relation.net, product(range(3), repeat=len(relation.net.transitions))
    for counts, end in leads(relation, before, vectors, k):
        allowed = admitted(relation.block, relation.fewest, counts)
        assert end == (fired(net, before, counts) if allowed else None)


@settings(max_examples=20)
@given(nets(max_places=3, max_transitions=3), st.data(), st.integers(0, 3))
def test_counts_are_a_model_exactly_where_they_fire_one_by_one(net, data, k):
    before = tuple(data.draw(st.integers(0, 4)) for _ in net.places)
    check_block(StepRelation(net, *data.draw(st.sampled_from(BLOCKS))), before, k)


@pytest.mark.parametrize(("block", "fewest"), BLOCKS)
@pytest.mark.parametrize("tokens", range(4))
def test_a_place_that_is_taken_read_and_put_in_turn_is_enough_for_each(block, fewest, tokens):
    uses = {"take": (2, 0), "put": (0, 1), "read": (2, 2), "lose": (3, 1), "gain": (1, 3)}
    for names in (("take", "put"), ("gain", "put", "take"), ("lose", "gain", "read")):
        arcs = {name: tuple({"p": w} if w else {} for w in uses[name]) for name in names}
        last = names[1]
        arcs[last] = tuple(weights | {"s": 1} for weights in arcs[last])
        net = make_net("n", {"p": 3, "s": 1}, arcs)
        assert net.actions[firing_order(net)[-1]] == last
        check_block(StepRelation(net, block, fewest), (tokens, 1), 0)


# The same examples each time: z3 may take minutes for some numbers of this size, despite limits.
@settings(max_examples=20, derandomize=True)
@given(nets(max_places=3, max_transitions=4), st.data())
def test_huge_weights_change_nothing(net, data):
    factors = [data.draw(st.sampled_from((1, HUGE, HUGE - 1))) for _ in net.places]
    huge = scaled(net, factors)
    relation = StepRelation(huge, BlockKind.MULTISET, 0)
    counts = tuple(data.draw(st.integers(0, 3)) for _ in net.transitions)
    ((_, end),) = leads(relation, huge.initial, [counts], 0)
    assert end == fired(huge, huge.initial, counts)


@settings(max_examples=15, derandomize=True)
@given(problems(), st.data(), st.sampled_from(BLOCKS), st.integers(0, 3))
def test_every_model_of_a_run_is_a_firing_sequence_into_the_target(problem, data, kind, length):
    net = scaled(
        problem.net, [data.draw(st.sampled_from((1, 1, HUGE))) for _ in problem.net.places]
    )
    with (
        suppress(BudgetExhausted),  # now and then numbers of this size take the solver minutes
        Unrolling(StepRelation(net, *kind), at_start(net), Budget(2)) as runs,
    ):
        for _ in range(length):
            runs.extend()
        model = runs.ending(problem.target)
        if model is not None:
            steps = runs.firings(model)
            names = [net.transitions[n].name for n, times in steps for _ in range(times)]
            if len(names) < 1000:
                end = replay(net, tuple(names))
                assert end is not None
                assert end == runs.marking(model, length)
                assert evaluate(problem.target, net.values(end))


def test_one_block_fires_a_chain_from_the_marked_end_whatever_the_order_of_the_file():
    arcs = {f"t{n}": ({f"p{n}": 1}, {f"p{n + 1}": 1}) for n in reversed(range(9))}
    net = make_net("n", {f"p{n}": 7 * (n == 0) for n in range(10)}, arcs)
    with Unrolling(StepRelation(net, BlockKind.MULTISET), at_start(net), Budget(20)) as runs:
        runs.extend()
        model = runs.ending(formula("p9 >= 7"))
        assert model is not None
        assert [times for _, times in runs.firings(model)] == [7] * 9


@pytest.mark.parametrize(("before", "after"), [(0, 3), (3, 0), (1, 0)])
def test_what_is_asserted_of_every_marking_holds_in_those_before_and_in_those_to_come(
    before, after
):
    net = net_of("p=5 q=0, t: p -> q")
    with Unrolling(StepRelation(net, BlockKind.SINGLE), at_start(net), Budget(20)) as runs:
        for _ in range(before):
            runs.extend()
        runs.always(formula("q <= 1"))
        for _ in range(after):
            runs.extend()
        assert (runs.ending(TRUE) is not None) == (before + after == 1)


def test_a_run_that_does_not_fire_is_an_internal_error():
    net = net_of("p=1 q=0, t: p -> q")
    with Unrolling(StepRelation(net, BlockKind.MULTISET), at_start(net), Budget(20)) as runs:
        runs.extend()
        model = runs.ending(TRUE)
        assert model is not None
        for name in (count(0, 0), at("q", 1)):
            with pytest.raises(InternalError):
                runs.firings(model | {name: 2})


@settings(max_examples=15)
@given(nets(max_places=3), st.data())
def test_a_confirmed_fact_holds_in_every_reachable_marking(net, data):
    place = st.sampled_from([variable(p) for p in net.places])
    atoms = st.one_of(
        st.builds(at_most, st.builds(lambda a, b: a + b, place, place), st.integers(0, 6)),
        st.builds(at_least, place, st.integers(0, 2)),
        st.builds(equal, place, st.integers(0, 3)),
        st.builds(congruent, place, st.integers(0, 1), st.just(2)),
    )
    facts = data.draw(st.lists(st.one_of(atoms, st.lists(atoms, max_size=2).map(disjunction))))
    known = place_invariants(net)
    kept = (*known, *confirm_facts(net, facts, known, Budget(20)))
    for marking in first_markings(net, 60):
        assert evaluate(Conjunction(kept), net.values(marking))


def test_a_fact_is_believed_where_it_is_inductive_given_the_ones_before():
    net = net_of("p=0 q=0, t: p -> p + q")
    empty, still = formulas("p <= 0, q <= 0")
    assert confirm_facts(net, (still, empty), (), Budget(20)) == (empty,)
    assert confirm_facts(net, (empty, still), (), Budget(20)) == (empty, still)
    assert confirm_facts(net, (FALSE, formula("r >= 0")), (), Budget(20)) == ()
