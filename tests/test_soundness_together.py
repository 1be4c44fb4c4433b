"""Several targets of one random net, decided together: none disagrees with brute force.

`pytest -m campaign` runs hundreds of nets; the suite runs a sample.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import known_verdict
from strategies import nets, targets
from test_soundness import deep_targets, fires_into

from petricheck.answer import Reachable, Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.marking_table import MarkingTable
from petricheck.presburger.formulas import Formula, at_most, conjunction
from petricheck.presburger.terms import variable
from petricheck.problem import Net, make_problem
from petricheck.questions import check_all
from petricheck.questions.kinds.deadlock import Deadlock

repeatable = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


@st.composite
def questionnaires(draw: st.DrawFn) -> tuple[Net, list[Formula]]:
    """A net with targets of all kinds: deep ones, such that want places empty, the deadlock."""
    net = draw(nets(max_places=6, max_transitions=7))
    empty = st.lists(st.sampled_from(net.places), min_size=1, unique=True).map(
        lambda names: conjunction(at_most(variable(name), 0) for name in names)
    )
    emptying = st.tuples(empty, targets(net)).map(conjunction)
    deadlock = st.just(Deadlock().read(net, ""))
    kinds = st.one_of(deep_targets(net), emptying, deadlock)
    return net, draw(st.lists(kinds, min_size=2, max_size=5))


def run(count: int, seconds: float, together: str) -> Counter[str]:
    """Decide the targets of so many nets, always the same ones; what became of them."""
    tally: Counter[str] = Counter()

    @settings(repeatable, max_examples=count, derandomize=True)
    @given(questionnaires())
    def decide(asked: tuple[Net, list[Formula]]) -> None:
        net, formulas = asked
        options = {"jobs": "1"} | ({"together": together} if together else {})
        results = list(check_all(net, formulas, options=options, budget=Budget(seconds=seconds)))
        assert len(results) == len(formulas)
        for target, result in zip(formulas, results, strict=True):
            problem = make_problem(net, target)
            known = known_verdict(problem, 400)
            match result.answer:
                case Reachable(trace) as answer:
                    assert known in ("reachable", None) and fires_into(problem, trace)
                    assert audit(problem, answer) == "replayed exactly"
                    tally["reachable"] += 1
                case Unreachable(certificate) as answer:
                    assert known in ("unreachable", None)
                    audit(problem, answer)
                    tally["table" if isinstance(certificate, MarkingTable) else "proof"] += 1
                case _:
                    tally["unknown"] += 1

    decide()
    return tally


def test_a_sample_of_nets_with_several_targets_is_decided_rightly() -> None:
    tally = run(12, 5, "")
    assert tally["reachable"] > 5 and tally["proof"] > 5
    assert tally["unknown"] <= 0.1 * tally.total()


@pytest.mark.campaign
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    "together", ["", "explicit:1", "best_first:1", "random_walk:1", "state_equation:1"]
)
def test_campaign_of_several_targets(together: str) -> None:
    tally = run(400, 5, together)
    assert tally["unknown"] <= 0.1 * tally.total()
