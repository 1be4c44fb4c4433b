"""Stubborn sets: what is left out of an exploration leads into no target that is preserved."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import explore
from strategies import nets, searches

import petricheck
from petricheck.arithmetic.formulas.formulas import Formula, at_least, conjunction, evaluate
from petricheck.arithmetic.formulas.terms import variable
from petricheck.explicit.kernel.explore import Exploration, Nearest
from petricheck.explicit.kernel.loops import stubborn
from petricheck.model.net import Net, make_net
from petricheck.support import compiled

LIMIT = 300

PLACES = tuple(f"p{n}" for n in range(6))

some = st.lists(st.sampled_from(PLACES), min_size=1, max_size=2, unique=True)


@st.composite
def conserving(draw: st.DrawFn) -> tuple[Net, list[Formula]]:
    """A net that keeps the number of its tokens, and targets that want them in certain places."""
    arcs = [(draw(some), draw(some)) for _ in range(draw(st.integers(2, 9)))]
    moves = {
        f"t{n}": (dict.fromkeys(pre, 1), dict.fromkeys(post, 1))
        for n, (pre, post) in enumerate(arcs)
        if len(pre) == len(post)
    }
    tokens = draw(st.lists(st.integers(0, 2), min_size=len(PLACES), max_size=len(PLACES)))
    full = draw(st.lists(some, min_size=1, max_size=3))
    targets = [conjunction(at_least(variable(place), 1) for place in places) for places in full]
    return make_net("conserving", dict(zip(PLACES, tokens, strict=True)), moves), targets


def check_preserved(net: Net, formulas: list[Formula], first: Nearest | None) -> None:
    """That a reduced exploration meets what is reachable and nothing else."""
    reachable = explore(net, LIMIT)
    if reachable is None:
        return
    expected = {
        number
        for number, formula in enumerate(formulas)
        if any(evaluate(formula, net.values(marking)) for marking in reachable)
    }
    kept = range(len(formulas)) if first is None else [first.target]
    exploration = Exploration(net, formulas, 1 << 28, first, kept)
    met = {found.target: found.trace for found in exploration.run(0)}
    while not exploration.exhausted:
        met |= {found.target: found.trace for found in exploration.run(50)}
    assert set(exploration.markings) <= reachable
    assert set(met) <= expected and set(met) >= expected & set(kept)


@given(searches(least=1) | conserving())
def test_all_targets_together_are_preserved(search: tuple[Net, list[Formula]]):
    check_preserved(*search, first=None)


@given(searches(least=1) | conserving(), st.booleans())
def test_the_target_that_is_aimed_at_is_preserved(
    search: tuple[Net, list[Formula]], far_sighted: bool
):
    check_preserved(*search, first=Nearest(0, far_sighted))


@settings(max_examples=16)
@given(conserving())
def test_they_are_preserved_where_sets_in_vain_let_others_pass(
    search: tuple[Net, list[Formula]],
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "_failures", ["plain Python, which sees the smaller number"])
        patch.setattr(stubborn, "VAIN", 1)
        check_preserved(*search, first=None)


@given(nets() | conserving().map(lambda search: search[0]))
def test_deadlocks_are_preserved(net: Net):
    target = petricheck.ask(net, deadlock=True).target
    assert target is not None
    check_preserved(net, [target], first=None)


def test_what_fires_leaves_the_tokens_that_others_need():
    moves = {
        "prepare": ({"p": 1}, {"p": 1, "r": 1}),
        "never": ({"dead": 1}, {"r": 1}),
        "take": ({"p": 1}, {"a": 1}),
        "fuse": ({"a": 1, "r": 1}, {"b": 1}),
    }
    net = make_net("fuse", {"p": 1, "r": 0, "dead": 0, "a": 0, "b": 0}, moves)
    exploration = Exploration(net, [at_least(variable("b"), 1)], 1 << 28, preserved=[0])
    assert [len(found.trace) for found in exploration.run(50)] == [3]


def rings(count: int) -> Net:
    """Independent rings of three places with a token each."""
    names = [[f"r{ring}p{place}" for place in range(3)] for ring in range(count)]
    arcs = {
        f"r{ring}t{n}": ({row[n]: 1}, {row[n - 1]: 1})
        for ring, row in enumerate(names)
        for n in range(3)
    }
    return make_net(
        "rings", {name: int(name.endswith("p0")) for row in names for name in row}, arcs
    )


@pytest.mark.usefixtures("loops")
def test_what_has_nothing_to_do_with_the_target_does_not_fire():
    r0, r1 = variable("r0p1"), variable("r1p1")
    both = [conjunction([at_least(r0, 1), at_least(r1, 1)]), at_least(r0, 2)]
    one, other = (Exploration(rings(6), both, 1 << 28, preserved=[n]) for n in (0, 1))
    assert [found.target for found in one.run(50)] == [0] and one.size <= 6
    assert other.run(50) == () and other.exhausted and other.size == 3
    assert other.reduced and not Exploration(rings(6), both, 1 << 28).reduced
