"""The kernel, compiled and as plain Python, against brute force."""

from __future__ import annotations

import os
import subprocess
import sys
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import explore, first_markings, shortest_trace, successor
from strategies import searches

from petricheck.arithmetic.formulas.formulas import TRUE, Formula, at_least, evaluate
from petricheck.arithmetic.formulas.terms import variable
from petricheck.explicit.kernel import explore as exploring
from petricheck.explicit.kernel.arrays import integers
from petricheck.explicit.kernel.constants import ENABLED
from petricheck.explicit.kernel.explore import Exploration
from petricheck.explicit.kernel.packing import (
    PackedTable,
    bits_of,
    fields_of,
    layout_of,
    pack,
    tokens,
)
from petricheck.explicit.kernel.walk import Walk, remove_cycles
from petricheck.laboratory.commands.bench_kernel import workshop
from petricheck.model.net import Marking, Net, make_net
from petricheck.model.problem import Problem
from petricheck.support import compiled
from petricheck.support.errors import BudgetExhausted

p, q = variable("p"), variable("q")


def fired(net: Net, trace: tuple[int, ...]) -> list[Marking]:
    """The markings along a trace, which must fire."""
    markings = [net.initial]
    for number in trace:
        after = successor(markings[-1], net.transitions[number])
        assert after is not None
        markings.append(after)
    return markings


@pytest.mark.usefixtures("loops")
@settings(max_examples=20)
@given(searches(least=1), st.integers(0, 3), st.integers(1, 3), st.booleans())
def test_walks_meet_targets_where_their_traces_lead(
    search: tuple[Net, list[Formula]], seed: int, candidates: int, plain: bool
):
    net, formulas = search
    walk = Walk(net, formulas, seed, leans=True, plain=plain)
    met = {found.target: found for _ in range(8) for found in walk.run(50, 10, candidates)}
    assert set(met) | set(walk.open) == set(range(len(formulas)))
    for found in met.values():
        markings = fired(net, found.trace)
        assert evaluate(formulas[found.target], net.values(markings[-1]))
        assert len(set(markings)) == len(markings)


@pytest.mark.usefixtures("loops")
@settings(max_examples=20)
@given(searches(least=1), st.integers(0, 3), st.integers(0, 40))
def test_what_is_enabled_once_settled_is_enabled(
    search: tuple[Net, list[Formula]], seed: int, steps: int
):
    net, _ = search
    walk = Walk(net, [], seed)
    walk.run(steps, 10)
    arcs, state = walk._arcs, walk._state
    compiled.loop("settle_all")(arcs, state)
    enabled = state.enabled[: state.numbers[ENABLED]].tolist()
    marking = tuple(state.marking.tolist())
    can = [n for n, t in enumerate(net.transitions) if successor(marking, t) is not None]
    assert sorted(enabled) == can
    waiting = []
    for place, transition in enumerate(state.waiting.tolist()):
        while transition >= 0:
            waiting.append(transition)
            assert marking[place] < dict(net.transitions[transition].pre)[place]
            transition = int(state.following[transition])
    assert sorted(waiting + can) == [*range(len(net.transitions))]


def test_a_walk_that_reads_more_for_a_firing_gets_fewer_firings_at_a_time():
    narrow, wide = (Walk(workshop(2, machines), []) for machines in (2, 200))
    for walk in (narrow, wide):
        walk.run(100, 100)
    assert 4 * wide.pace < narrow.pace


def test_a_walk_by_plans_goes_on_where_it_was():
    walk = Walk(net_of("p=50 q=0, t: p -> q"), [at_least(q, 30)])
    for _ in range(3):
        assert walk.pursue(0, 1, 100) == ()
    assert 3 <= walk._state.marking[1] == walk.firings
    walk.start_over()
    assert walk.pursue(0, 1, 100) == () and walk._state.marking[1] == 0


def test_a_leaning_walk_goes_where_a_uniform_one_does_not():
    down = {"fork": ({"p": 1}, {"q": 1}), "back": ({"p": 1}, {"dead": 1})}
    arcs = {
        f"{name}{n}": arc for name, arc in down.items() for n in range(1 if name == "fork" else 9)
    }
    net = make_net("forks", {"p": 30, "q": 0, "dead": 0}, arcs)
    goal = [at_least(q, 24)]
    assert Walk(net, goal).run(3_000, 100) == ()
    assert len(Walk(net, goal, leans=True).run(3_000, 100, candidates=30)) == 1


@pytest.mark.usefixtures("loops")
@settings(max_examples=20)
@given(searches(least=1), st.integers(0, 3))
def test_plans_meet_targets_where_their_traces_lead(search: tuple[Net, list[Formula]], seed: int):
    net, formulas = search
    walk = Walk(net, formulas, seed)
    met = {found.target: found for found in walk.run(0, 10)}
    for target in tuple(walk.open):
        if target in walk.open:
            met |= {found.target: found for found in walk.pursue(target, 100, 10)}
    assert set(met) | set(walk.open) == set(range(len(formulas)))
    for found in met.values():
        markings = fired(net, found.trace)
        assert evaluate(formulas[found.target], net.values(markings[-1]))


@pytest.mark.usefixtures("loops")
def test_plans_lead_where_walks_by_chance_do_not():
    steps = {f"on{n}": ({f"p{n}": 1}, {f"p{n + 1}": 1}) for n in range(40)}
    falls = {f"off{n}": ({f"p{n}": 1}, {"p0": 1}) for n in range(1, 40)}
    net = make_net("ladder", {f"p{n}": int(n == 0) for n in range(41)}, steps | falls)
    top = [at_least(variable("p40"), 1)]
    assert Walk(net, top, leans=True).run(2_000, 1_000, candidates=3) == ()
    (met,) = Walk(net, top).pursue(0, 2_000, 1_000)
    assert met.trace == tuple(range(40))


def test_a_target_that_nothing_can_bring_about_is_not_pursued():
    net = net_of("p=1 q=0 r=0, t: p -> q, u: r ->")
    walk = Walk(net, [at_least(variable("r"), 1), at_least(variable("q"), 2)])
    assert walk.pursue(0, 1_000, 10) == () == walk.pursue(1, 1_000, 10)
    assert walk.open == (0, 1)


def counter(initial: int = 0) -> Net:
    return make_net("counter", {"p": initial, "q": 0}, {"up": ({}, {"p": 1}), "to": ({}, {"q": 1})})


def test_targets_that_hold_initially_are_met_by_the_empty_trace():
    walk = Walk(counter(), [TRUE, at_least(p, 3), at_least(p, 0)])
    assert [(found.target, found.trace) for found in walk.run(0, 10)] == [(0, ()), (2, ())]
    assert walk.open == (1,)


@pytest.mark.usefixtures("loops")
@settings(max_examples=20)
@given(searches())
def test_an_exploration_knows_all_markings_and_meets_targets_by_shortest_traces(
    search: tuple[Net, list[Formula]],
):
    net, formulas = search
    exploration = Exploration(net, formulas, 1 << 28)
    met = {}
    while exploration.size < 60 and not exploration.exhausted:
        met |= {found.target: found for found in exploration.run(20)}
    known = exploration.markings
    assert len(set(known)) == len(known)
    reachable = explore(net, 60)
    if exploration.exhausted:
        assert set(known) == reachable
    else:
        assert reachable is None and set(known[: exploration.closed]) <= first_markings(net, 2000)
    for number, formula in enumerate(formulas):
        if number in met:
            trace = met[number].trace
            assert evaluate(formula, net.values(fired(net, trace)[-1]))
            assert len(trace) == len(shortest_trace(Problem(net, formula), 5000) or ())
        else:
            assert number in exploration.open
            assert not any(evaluate(formula, net.values(marking)) for marking in known)
    for number in range(exploration.size):
        assert fired(net, exploration.trace(number))[-1] == known[number]


def ring(places: int, tokens: int) -> Net:
    """Tokens that go round."""
    names = [f"p{n}" for n in range(places)]
    moves = {f"t{n}": ({names[n]: 1}, {names[n - 1]: 1}) for n in range(places)}
    return make_net("ring", {name: tokens * (name == "p0") for name in names}, moves)


@pytest.mark.usefixtures("loops")
def test_fields_grow_with_the_tokens_and_tables_with_the_markings(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(exploring, "SMALLEST", 8)
    feeding = {f"feed{n}": ({"food": 1}, {f"p{n}": 1}) for n in range(3)}
    moves = {f"t{n}": ({f"p{n}": 1}, {f"p{n - 1 if n else 2}": 1}) for n in range(3)}
    fed = make_net("fed", {"p0": 1, "p1": 0, "p2": 0, "food": 9}, moves | feeding)
    exploration = Exploration(fed, [at_least(variable("p1"), 10)], 1 << 20)
    first = exploration.layout.bits.tolist()
    met = []
    while not exploration.exhausted:
        met += exploration.run(7)
    known = set(exploration.markings)
    assert known == explore(fed, 5000) and len(known) == exploration.size
    assert first == [1, 1, 1, 4] and exploration.layout.bits.tolist() == [4, 4, 4, 4]
    assert [found.target for found in met] == [0] and fired(fed, met[0].trace)[-1][1] == 10


@given(st.integers(0, 40), st.data())
def test_packed_markings_are_unpacked_to_themselves(places: int, data: st.DataObject):
    bits = data.draw(st.lists(st.integers(1, 40), min_size=places, max_size=places))
    net = make_net("n", {f"p{n}": (1 << width) - 1 for n, width in enumerate(bits)}, {})
    assert Exploration(net, [], 1 << 20).markings == [net.initial]


@pytest.mark.usefixtures("loops")
@given(st.integers(0, 40), st.data())
def test_packed_markings_fit_wider_fields(places: int, data: st.DataObject):
    def widths(least: int) -> st.SearchStrategy[list[int]]:
        return st.lists(st.integers(least, 20), min_size=places, max_size=places)

    bits, wider = data.draw(widths(1)), data.draw(widths(0))
    net = make_net("n", {f"p{n}": 0 for n in range(places)}, {})
    before, after = layout_of(net, integers(bits)), layout_of(net, integers(map(add, bits, wider)))
    rows = st.tuples(*(st.integers(0, (1 << width) - 1) for width in bits))
    markings = np.array(data.draw(st.lists(rows, min_size=3, max_size=3)), dtype=np.int64)
    old = pack(fields_of(bits_of(net, before.bits)), 3, markings.T)
    new = np.zeros((3, len(after.factors)), dtype=np.uint64)
    compiled.loop("repack")(before, after, old, new, 3)
    fields = fields_of(bits_of(net, after.bits))
    assert [tokens(new, field).tolist() for field in fields] == markings.T.tolist()


@pytest.mark.usefixtures("loops")
def test_unequal_markings_with_one_key_are_told_apart():
    kinds = ("uint64", "uint32", "uint32", "uint64", "uint64")
    shapes = ((4, 2), 4, 4, 8, 1)
    table = PackedTable(*(np.zeros(shape, kind) for shape, kind in zip(shapes, kinds, strict=True)))
    table.words[:] = [[1, 5], [2, 5], [1, 5], [1, 6]]
    key = np.uint64(0xABCDEF0100000007)
    assert [compiled.loop("add")(table, key, row) for row in range(4)] == [1, 1, 0, 1]


def test_memory_that_is_used_up_ends_an_exploration_without_a_claim():
    exploration = Exploration(ring(10, 9), [], 200_000)
    while not exploration.exhausted and not exploration.full:
        assert exploration.run(1000) == ()
    assert exploration.full and not exploration.exhausted and exploration.size > 1000


def test_what_is_reserved_is_not_copied_and_little_free_memory_ends_an_exploration(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(exploring, "_FEW", 1 << 12)
    net = ring(7, 9)
    exploration = Exploration(net, [], 1 << 24)
    exploration.run(5_000)
    words = exploration.words.base
    exploration.run(5_000)
    assert exploration.exhausted and exploration.size == 5_005
    assert words is not None and exploration.words.base is words
    known = exploration.markings
    assert len(set(known)) == len(known)
    assert fired(net, exploration.trace(5_004))[-1] == known[-1]
    monkeypatch.setattr(exploring, "free_memory", lambda: 1 << 10)
    little = Exploration(net, [], 1 << 24)
    little.run(10_000)
    assert little.full and not little.exhausted


@pytest.mark.usefixtures("loops")
def test_more_tokens_than_fit_restart_walks_and_end_explorations():
    most = 1 << 40
    arcs = {"up": ({"p": 1}, {"p": 1 + (most >> 3), "q": 1})}
    net = make_net("pump", {"p": 1, "q": 0}, arcs)
    target = at_least(p, 2 * most)
    walk, exploration = Walk(net, [target]), Exploration(net, [target], 1 << 24)
    assert walk.run(100, 1000) == () and walk.restarts > 5
    assert exploration.run(100) == () and exploration.overflowed and not exploration.exhausted
    assert exploration.size == 8


def test_numbers_that_do_not_fit_are_refused_or_not_watched():
    with pytest.raises(BudgetExhausted):
        Walk(counter((1 << 40) + 1), [])
    with pytest.raises(BudgetExhausted):
        Exploration(make_net("n", {"p": 0}, {"t": ({}, {"p": 1 << 50})}), [], 1 << 24)
    wide = [at_least(p, 1 << 70), at_least(p * (1 << 30), 1), TRUE]
    for search in (Walk(counter(), wide), Exploration(counter(), wide, 1 << 24)):
        assert search.unwatched == (0, 1) and search.open == (2,)


@pytest.mark.usefixtures("loops")
def test_cycles_of_long_traces_are_cut_out():
    walk = Walk(ring(6, 2), [])
    walk.run(50_000, 100_000)
    arcs, fired_so_far = walk._arcs, walk._trace[: walk.firings]
    cut = remove_cycles(arcs, 6, fired_so_far)
    markings = fired(ring(6, 2), cut)
    assert len(set(markings)) == len(markings)
    assert markings[-1] == tuple(walk._state.marking.tolist())


def test_the_same_seed_walks_the_same_way_whether_compiled_or_not(monkeypatch: pytest.MonkeyPatch):
    def way(seed: int) -> list[int]:
        walk = Walk(ring(9, 4), [], seed)
        walk.run(500, 70)
        return [*walk._trace.tolist(), *walk._state.marking.tolist()]

    ways = [way(seed) for seed in (0, 1)]
    assert ways[0] != ways[1]
    monkeypatch.setattr(compiled, "_failures", ["asked for"])
    assert [way(seed) for seed in (0, 1)] == ways


CACHELESS = """
import sys
from petricheck.support import compiled
from petricheck.explicit.kernel.walk import Walk
from petricheck.model.net import make_net
walk = Walk(make_net("n", {"p": 0}, {"t": ({}, {"p": 1})}), [])
walk.run(10, 10)
print(walk.firings, compiled.status())
"""


@pytest.mark.parametrize(
    ("variable_", "value", "said"),
    [
        ("NUMBA_CACHE_DIR", "/dev/null/nowhere", "10 loops are compiled"),
        ("NUMBA_DISABLE_JIT", "1", "10 loops run as plain Python"),
    ],
)
def test_without_a_cache_or_a_compiler_it_works_all_the_same(variable_: str, value: str, said: str):
    done = subprocess.run(
        [sys.executable, "-c", CACHELESS],
        env={**os.environ, variable_: value},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(said)


def test_numba_is_not_imported_before_a_search_needs_it():
    code = (
        "import sys, petricheck.commands\n"
        "import petricheck.explicit.kernel.walk, petricheck.explicit.kernel.explore\n"
        "from petricheck.support import plugins\n"
        "from petricheck.engines import racing\n"
        "[plugins.member('engines', name) for name in racing()]\n"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
