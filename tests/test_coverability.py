"""Coverability: its verdicts against Karp and Miller's tree, its parts against brute force."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from examples import flags
from folders import problem_named
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import explore
from strategies import nets

from petricheck.answer import Reachable, Unknown, Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.covering.antichain import covers, minimal
from petricheck.covering.backward import Backward, as_row
from petricheck.covering.facts import Facts
from petricheck.covering.targets import minimal_markings
from petricheck.engines.coverability import Coverability
from petricheck.errors import QueryError
from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    Formula,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
    evaluate,
    negate,
)
from petricheck.presburger.terms import linear, variable
from petricheck.problem import Net, make_net, make_problem
from petricheck.questions import check
from petricheck.state_equation.siphons import empty_siphon, violated_trap

OMEGA = float("inf")
EXACT = "checked in exact integer arithmetic"
p, q, r = variable("p"), variable("q"), variable("r")


def karp_miller(net: Net, wanted: dict[int, int]) -> bool:
    """Whether the net's coverability tree has a node that is at least this marking.

    Karp and Miller, Parallel program schemata (1969): depth first, acceleration against all
    ancestors, a branch ends where its marking repeats an ancestor's. Floats hold small integers
    and omega only, so nothing is rounded.
    """
    pending: list[tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]] = [(net.initial, ())]
    seen: set[tuple[float, ...]] = set()
    while pending:
        node, ancestors = pending.pop()
        if all(node[place] >= tokens for place, tokens in wanted.items()):
            return True
        if node in seen:
            continue
        seen.add(node)
        for transition in net.transitions:
            after: list[float] = list(node)
            for place, weight in transition.pre:
                after[place] -= weight
            if any(tokens < 0 for tokens in after):
                continue
            for place, weight in transition.post:
                after[place] += weight
            line = (*ancestors, node)
            for old in line:
                if all(a <= b for a, b in zip(old, after, strict=True)):
                    after = [b if a == b else OMEGA for a, b in zip(old, after, strict=True)]
            pending.append((tuple(after), line))
    return False


def random_net(rng: random.Random) -> Net:
    places = [f"p{n}" for n in range(rng.randint(1, 5))]

    def arcs() -> dict[str, int]:
        chosen = rng.sample(places, rng.randint(0, min(3, len(places))))
        return {place: rng.choice((1, 1, 1, 2, 3)) for place in chosen}

    transitions = {f"t{n}": (arcs(), arcs()) for n in range(rng.randint(1, 6))}
    return make_net("random", {place: rng.choice((0, 0, 1, 2)) for place in places}, transitions)


def cover(net: Net, wanted: dict[int, int]) -> Formula:
    return conjunction(at_least(variable(net.places[p]), k) for p, k in wanted.items())


def decide(net: Net, target: Formula, seconds: float = 20) -> Reachable | Unreachable | Unknown:
    problem = make_problem(net, target)
    return check(problem, engine="coverability", budget=Budget(seconds=seconds)).answer


# The engine


def test_500_random_covers_are_all_decided_as_karp_and_miller_decide_them() -> None:
    rng = random.Random(20160402)
    verdicts = {True: 0, False: 0}
    for _ in range(500):
        net = random_net(rng)
        chosen = rng.sample(range(len(net.places)), rng.randint(1, len(net.places)))
        wanted = {place: rng.randint(1, 4) for place in chosen}
        problem = make_problem(net, cover(net, wanted))
        answer = Coverability().solve(problem, Budget())
        assert isinstance(answer, Reachable | Unreachable)
        assert isinstance(answer, Reachable) == karp_miller(net, wanted)
        audited = audit(problem, answer)
        assert audited == (EXACT if isinstance(answer, Unreachable) else "replayed exactly")
        verdicts[isinstance(answer, Reachable)] += 1
    assert min(verdicts.values()) >= 100


def test_without_facts_the_basis_alone_decides_and_is_audited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Facts, "exclude", lambda self, row: False)
    rng = random.Random(7)
    proofs = 0
    for _ in range(150):
        net = random_net(rng)
        chosen = rng.sample(range(len(net.places)), rng.randint(1, len(net.places)))
        wanted = {place: rng.randint(1, 3) for place in chosen}
        problem = make_problem(net, cover(net, wanted))
        answer = Coverability().solve(problem, Budget())
        assert isinstance(answer, Reachable | Unreachable)
        assert isinstance(answer, Reachable) == karp_miller(net, wanted)
        if isinstance(answer, Unreachable):
            proofs += 1
            assert audit(problem, answer) == EXACT
    assert proofs >= 20


@settings(max_examples=40)
@given(nets(), st.data())
def test_disjunctions_of_covers_are_decided_and_audited(net: Net, data: st.DataObject) -> None:
    wanted = st.dictionaries(st.sampled_from(range(len(net.places))), st.integers(0, 4), min_size=1)
    chosen = data.draw(st.lists(wanted, min_size=1, max_size=3))
    problem = make_problem(net, disjunction(cover(net, one) for one in chosen))
    result = check(problem, engine="coverability", budget=Budget(seconds=20))
    assert isinstance(result.answer, Reachable) == any(karp_miller(net, one) for one in chosen)
    assert isinstance(result.answer, Reachable) or result.audit == EXACT


@pytest.mark.parametrize("name", ["abp_R", "mesh2x2_R"])
def test_known_covers_are_reached(name: str) -> None:
    result = check(problem_named(name), engine="coverability", budget=Budget(seconds=60))
    assert isinstance(result.answer, Reachable)


@pytest.mark.parametrize("name", ["basic_me_U", "fms_U", "fms_U2", "mesh2x2_U", "multipool_U"])
def test_half_spaces_of_known_nets_are_audited_without_a_solver(name: str) -> None:
    result = check(problem_named(name), engine="coverability", budget=Budget(seconds=20))
    assert isinstance(result.answer, Unreachable)
    assert result.audit == EXACT


@pytest.mark.parametrize("name", ["finkel_km_U", "ifip_U", "pingpong_U"])
def test_known_nets_without_a_half_space_are_proved_with_a_basis_or_traps(name: str) -> None:
    result = check(problem_named(name), engine="coverability", budget=Budget(seconds=20))
    assert isinstance(result.answer, Unreachable)
    assert result.audit == EXACT


def test_the_complement_of_a_basis_is_proved_together_with_its_facts() -> None:
    # p + q = 1 is needed to see that nothing puts two tokens on r, s guards the rest by order.
    net = net_of(
        "p=1 q=0 r=0 s=0, a: p -> q, b: q + r -> s + q, c: p + s -> p + 2 r, "
        "d: p -> p + r, e: 2 s -> s"
    )
    for wanted in product(range(3), repeat=4):
        chosen = {place: tokens for place, tokens in enumerate(wanted) if tokens}
        result = check(make_problem(net, cover(net, chosen)), engine="coverability")
        assert isinstance(result.answer, Reachable) == karp_miller(net, chosen)
        assert result.audit == EXACT or isinstance(result.answer, Reachable)


def test_traces_repeat_a_transition_by_a_count() -> None:
    net = net_of("p=1 q=0, t: p -> p + q")
    answer = decide(net, at_least(q, 50))
    assert isinstance(answer, Reachable)
    assert answer.trace.steps == (("t", 50),)


@pytest.mark.parametrize(
    "target", [equal(p, 1), at_most(p, 1), at_least(p - q, 1), negate(at_least(p, 1))]
)
def test_other_targets_are_unknown(target: Formula) -> None:
    net = net_of("p=0 q=0, t: -> p")
    answer = decide(net, target)
    assert isinstance(answer, Unknown)
    assert answer.reason == "the target is not upward-closed"


def test_trivial_targets_are_decided() -> None:
    net = net_of("p=0 q=0, t: -> p")
    assert decide(net, TRUE).__class__ is Reachable
    assert decide(net, FALSE).__class__ is Unreachable


def test_numbers_beyond_64_bits_stay_exact() -> None:
    huge = 10**30
    net = make_net(
        "huge", {"p": huge, "q": 0, "r": 0}, {"t": ({"p": huge}, {"q": huge}), "u": ({"q": 1}, {})}
    )
    assert isinstance(decide(net, at_least(q, huge)), Reachable)
    assert isinstance(decide(net, at_least(q, huge + 1)), Unreachable)
    assert isinstance(decide(net, conjunction([at_least(p, 1), at_least(q, 1)])), Unreachable)


def test_a_time_limit_ends_the_search_as_unknown() -> None:
    answer = check(problem_named("kanban_R"), engine="coverability", budget=Budget(1e-6)).answer
    assert isinstance(answer, Unknown)
    assert "time limit" in answer.reason and "minimal markings" in answer.reason


# Its parts


@settings(max_examples=50)
@given(st.data())
def test_minimal_markings_generate_the_target(data: st.DataObject) -> None:
    names = ("p", "q", "r")
    atom = st.builds(
        lambda weights, least: at_least(linear(weights.items()), least),
        st.dictionaries(st.sampled_from(names), st.integers(1, 3), min_size=1),
        st.integers(-1, 6),
    )
    formula = data.draw(
        st.recursive(
            atom,
            lambda inner: st.one_of(
                st.lists(inner, max_size=3).map(conjunction),
                st.lists(inner, max_size=3).map(disjunction),
            ),
            max_leaves=5,
        )
    )
    found = [dict(bounds) for bounds in minimal_markings(formula)]
    for marking in product(range(7), repeat=3):
        values = dict(zip(names, marking, strict=True))
        above = [all(values[n] >= k for n, k in low.items()) for low in found]
        assert evaluate(formula, values) == any(above)
    for low, high in product(found, repeat=2):
        assert low == high or any(high.get(n, 0) < k for n, k in low.items())


def test_targets_with_too_many_minimal_markings_are_refused() -> None:
    wide = at_least(linear((f"x{n}", 1) for n in range(8)), 30)
    with pytest.raises(QueryError, match="more than"):
        minimal_markings(wide)


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), max_size=12),
    st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), max_size=12),
)
def test_antichains_agree_with_the_definition(low: list[list[int]], high: list[list[int]]) -> None:
    lows = np.array(low, dtype=np.int64).reshape(-1, 3)
    highs = np.array(high, dtype=np.int64).reshape(-1, 3)

    def at_most_(a: list[int], b: list[int]) -> bool:
        return all(x <= y for x, y in zip(a, b, strict=True))

    for number, found in zip(range(len(high)), covers(lows, highs), strict=True):
        if found < 0:
            assert not any(at_most_(a, high[number]) for a in low)
        else:
            assert at_most_(low[found], high[number])
    kept = [tuple(high[number]) for number in minimal(highs)]
    smallest = {tuple(b) for b in high if not any(a != b and at_most_(a, b) for a in high)}
    assert len(kept) == len(set(kept)) and set(kept) == smallest


def test_wide_antichains_agree_with_the_definition() -> None:
    rows = np.random.default_rng(3).integers(0, 4, size=(900, 6))
    kept = minimal(rows)
    beaten = (rows[None, :, :] <= rows[:, None, :]).all(axis=2) & (
        (rows[None, :, :] != rows[:, None, :]).any(axis=2)
    )
    smallest = {tuple(row) for row in rows[~beaten.any(axis=1)].tolist()}
    assert {tuple(row) for row in rows[kept].tolist()} == smallest
    assert len(kept) == len(smallest)


@settings(max_examples=50)
@given(nets(), st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), max_size=5))
def test_facts_never_exclude_what_a_reachable_marking_covers(
    net: Net, wanted: list[list[int]]
) -> None:
    facts = Facts(net, Budget())
    rows = np.array(wanted, dtype=np.int64).reshape(-1, 4)[:, : len(net.places)]
    for row in rows:
        facts.exclude(row)
    reachable = explore(net, 300)
    if reachable is None:
        return
    for row, reason in zip(rows, facts.excluding(rows), strict=True):
        if reason >= 0:
            assert not any(all(a >= b for a, b in zip(m, row, strict=True)) for m in reachable)
    assert all(m[place] == 0 for m in reachable for place in facts.empty)
    for places in facts.traps:
        assert all(any(m[place] for place in places) for m in reachable)


@pytest.mark.parametrize("name", ["ifip_U", "pingpong_U", "flags_U"])
def test_marked_traps_exclude_what_the_state_equation_allows(name: str) -> None:
    problem = problem_named(name) if name != "flags_U" else flags()
    facts = Facts(problem.net, Budget())
    targets = [as_row(problem.net, bounds) for bounds in minimal_markings(problem.target)]
    search = Backward(problem.net, targets, facts)
    found = search.start(Budget())
    while found is None and not search.ended:
        found = search.advance(Budget())
    assert found is None
    proof = search.proof()
    assert proof.basis == ()
    assert any(facts.found[number].traps for number in proof.facts)


def test_a_trap_is_found_within_given_places_and_only_if_marked() -> None:
    net = net_of("p=1 q=0 r=0, a: p -> r, b: 2 r -> q + r")
    assert violated_trap(net.transitions, net.initial, [0, 2]) == frozenset({0, 2})
    assert violated_trap(net.transitions, net.initial, [1]) is None


def test_places_that_only_dead_transitions_mark_are_empty() -> None:
    net = net_of("p=1 q=0 r=0 s=0, a: q -> r, b: r -> 2 q, c: p -> s")
    assert empty_siphon(net) == frozenset({1, 2})
    result = check(make_problem(net, at_least(r, 1)), engine="coverability")
    assert isinstance(result.answer, Unreachable)
    assert result.audit == "checked in exact integer arithmetic"
