"""Clauses by induction: their verdicts against Karp and Miller's tree, their parts by hand."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notation import EXACT, net_of, problem
from oracle import coverable
from strategies import nets, repeatable

from petricheck.arithmetic.formulas.formulas import at_least, conjunction, disjunction, evaluate
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines.inductive_clauses import InductiveClauses
from petricheck.evidence.answer import Reachable, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.explicit.covering.frames import ClauseFrames
from petricheck.explicit.covering.induction import Induction
from petricheck.explicit.covering.loops.entries import CEILING, OPEN
from petricheck.model.net import Net
from petricheck.model.problem import make_problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted


@st.composite
def wishes(draw: st.DrawFn, net: Net) -> dict[int, int]:
    places = st.sampled_from(range(len(net.places)))
    return draw(st.dictionaries(places, st.sampled_from((1, 2, 3)), min_size=1))


@pytest.mark.parametrize("invariants", [True, False])
def test_disjunctions_of_covers_are_decided_as_karp_and_miller_decide_them_and_proved_exactly(
    invariants: bool,
) -> None:
    verdicts = {True: 0, False: 0}

    @repeatable(25)
    @given(nets(max_places=5, max_transitions=6), st.data())
    def compare(net: Net, data: st.DataObject) -> None:
        chosen = data.draw(st.lists(wishes(net), min_size=1, max_size=3))
        covers = (
            conjunction(at_least(variable(net.places[p]), k) for p, k in one.items())
            for one in chosen
        )
        asked = make_problem(net, disjunction(covers))
        answer = InductiveClauses(invariants).solve(asked, Budget(seconds=20))
        reached = any(coverable(net, one) for one in chosen)
        assert isinstance(answer, Reachable if reached else Unreachable)
        assert audit(asked, answer) == ("replayed exactly" if reached else EXACT)
        verdicts[reached] += 1

    compare()
    assert min(verdicts.values()) >= 4


TOKENS = "p=1 q=0 r=0, t: p -> q, u: q -> r, v: r -> p"


def test_clauses_without_place_invariants_say_that_a_token_is_at_one_place() -> None:
    asked = problem(TOKENS, "q >= 1 and r >= 1")
    answer = InductiveClauses(invariants=False).solve(asked, Budget())
    assert isinstance(answer, Unreachable)
    assert evaluate(answer.certificate.invariant, {"p": 0, "q": 1, "r": 0})
    assert not evaluate(answer.certificate.invariant, {"p": 0, "q": 1, "r": 1})
    assert audit(asked, answer) == EXACT


@pytest.mark.parametrize("goal", ["q >= r + 2 and p <= 5", "q == 2", "q + r >= 2"])
def test_of_any_target_what_it_demands_of_places_is_excluded(goal: str) -> None:
    asked = problem(TOKENS, goal)
    answer = InductiveClauses().solve(asked, Budget())
    assert isinstance(answer, Unreachable)
    assert audit(asked, answer) == EXACT


@pytest.mark.parametrize("goal", ["q >= 1 and p >= q", "p + q + r == 0"])
def test_where_more_than_demands_exclude_a_target_it_is_unknown(goal: str) -> None:
    answer = InductiveClauses().solve(problem(TOKENS, goal), Budget())
    assert isinstance(answer, Unknown)
    assert "demands" in answer.reason


def test_numbers_beyond_the_loops_are_left_to_other_engines() -> None:
    asked = problem(f"p={10**30} q=0, t: p -> q", "q >= 1")
    assert isinstance(InductiveClauses().solve(asked, Budget()), Unknown)


def test_targets_of_one_net_are_decided_together_but_for_those_that_are_closed() -> None:
    goals = ["q >= 1 and r >= 1", "r >= 1", "q >= 2", "q >= 1 and p >= q"]
    problems = [problem(TOKENS, goal) for goal in goals]
    decided = dict(InductiveClauses().solve_together(problems, Budget(), lambda n: n != 2))
    assert {n: type(answer) for n, answer in decided.items()} == {0: Unreachable, 1: Reachable}


def test_frames_tell_how_they_are_left_and_what_of_a_row_suffices_for_that() -> None:
    net = net_of("p=1 q=0 r=1, t: p -> q, u: q + r -> 2 q + r")
    frames = ClauseFrames(net, [])
    assert frames.entry({1: 1}, 0) == 0  # t
    assert frames.entry({1: 2, 2: 1}, 0) == {1: 2}  # t would need q, u as well; r does not matter
    frames.forbid({1: 2}, 1)
    assert frames.reason({1: 2, 2: 5}, 1) != OPEN
    assert frames.reason({1: 1, 2: 5}, 1) == OPEN
    assert frames.reason({1: 2}, 2) == OPEN


def test_a_firing_from_above_a_row_does_not_enter_it() -> None:
    frames = ClauseFrames(net_of("p=0, t: 2 p -> 3 p"), [])
    assert frames.entry({0: 2}, 1) == {}
    assert frames.entry({0: 3}, 1) == 0


def test_a_place_invariant_excludes_a_marking_by_all_that_it_counts() -> None:
    frames = ClauseFrames(net_of(TOKENS), [((0, 1), (1, 1), (2, 1))])
    assert frames.entry({1: 1, 2: 1}, 1) == {1: 1, 2: 1}
    assert frames.reasons() == [CEILING, CEILING]  # t and u


def test_clauses_that_a_new_one_implies_are_dropped() -> None:
    frames = ClauseFrames(net_of("p=0 q=0, -> p"), [])
    frames.forbid({0: 2, 1: 3}, 1)
    frames.forbid({1: 4}, 2)
    frames.forbid({1: 2}, 1)
    assert frames.levels().tolist()[2:] == [-1, 2, 1]


def test_a_table_of_clauses_grows() -> None:
    frames = ClauseFrames(net_of("p=0 q=0, -> p"), [])
    for tokens in range(3_000):
        frames.forbid({0: 5_000 - tokens, 1: 1 + tokens}, 1)
    for tokens in (0, 1_500, 2_999):
        assert frames.reason({0: 5_000 - tokens, 1: 1 + tokens}, 1) != OPEN
        assert frames.reason({0: 4_999 - tokens, 1: 1 + tokens}, 1) == OPEN
    assert frames.reason({0: 2_000, 1: 5_000}, 1) == OPEN


def test_a_search_goes_on_after_a_limit() -> None:
    asked = problem(TOKENS, "q >= 1 and r >= 1")

    class _Late:
        ticks: ClassVar[int] = 0

        def __call__(self) -> float:
            _Late.ticks += 1
            return float(_Late.ticks)

    search = Induction(asked.net, [{1: 1, 2: 1}], [])
    for _ in range(100):
        try:
            search.run(Budget(seconds=4, started=_Late.ticks, clock=_Late()))
        except BudgetExhausted:
            continue
        break
    assert 100 > search.obligations >= 2
    assert _Late.ticks > 10
