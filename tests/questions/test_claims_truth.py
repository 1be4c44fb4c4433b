"""Each claim of each answer is true by definition, not only the answer: random nets of all kinds.

`pytest -m campaign` judges thousands of them, the suite a sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, combinations_with_replacement, product

import pytest
from home_spaces import DRAINED, FORK, GROWTH, enabling, free_choices, is_connected, machines, trace
from hypothesis import given
from hypothesis import strategies as st
from judged import ANSWERS, SECONDS, Tally, everything, graph_of, home, judge, told
from strategies import nets, numbers, repeatable, targets
from workflows import GRADES, is_sound, last, workflows

from petricheck.arithmetic.formulas.formulas import Formula, at_least
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.claims import (
    Claim,
    Excluded,
    ExcludedAfter,
    ExcludedWith,
    Home,
    InfiniteRun,
    Pumped,
    ReachabilitySet,
    Reached,
    Stage,
    Terminating,
)
from petricheck.model.net import Marking, Net, make_net
from petricheck.questions import Setting, Study, ask
from petricheck.questions.homes import free_choice
from petricheck.questions.homes.onward import home_marking
from petricheck.questions.homes.search import STEPS
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, QueryError

ANY_NET = st.one_of(nets(), nets(), free_choices(), machines())


def ask_everything(net: Net, formula: Formula, marking: Marking, tally: Tally) -> None:
    """Ask a net all questions that need no workflow net, and judge what is answered."""
    graph = graph_of(net)
    tally["net", "bounded" if graph.whole else "larger"] += 1
    for words, expected in everything(graph, formula, marking):
        told(graph, ask(net, **words), tally, expected)


def search_homes(net: Net, formula: Formula, tally: Tally) -> None:
    """Let each method for home spaces search alone, and judge what it proves."""
    graph = graph_of(net)
    formulas = [*dict.fromkeys((*enabling(net), home_marking(net, net.initial), formula))]
    for number, (step, _, _) in enumerate(STEPS):
        study = Study(net, Setting(), Budget(SECONDS))
        with suppress(BudgetExhausted):
            study.prove_all(step(study, formulas, study.budget))
        for claim in study.claims:
            truth = judge(graph, claim)
            proof = getattr(claim, "proof", None)
            tally[f"method {number}: {type(proof or claim).__name__}", str(truth)] += 1
            assert truth is not False, (str(net), claim)


def ask_for_soundness(net: Net, tally: Tally) -> None:
    graph = graph_of(net)
    for grade in GRADES:
        with suppress(QueryError):  # It may be no workflow net any more.
            expected = is_sound(net, grade, net.finals or (last(net),))
            told(graph, ask(net, sound=grade), tally, expected)


def run(count: int, tally: Tally) -> None:
    """Judge so many nets of each sort, always the same ones."""

    @repeatable(count)
    @given(ANY_NET, st.data())
    def everything(net: Net, data: st.DataObject) -> None:
        marking = tuple(data.draw(numbers(0, 3)) for _ in net.places)
        ask_everything(net, data.draw(targets(net)), marking, tally)

    @repeatable(count)
    @given(ANY_NET, st.data())
    def homes(net: Net, data: st.DataObject) -> None:
        search_homes(net, data.draw(targets(net)), tally)

    @repeatable(count)
    @given(workflows())
    def soundness(net: Net) -> None:
        ask_for_soundness(net, tally)

    everything()
    homes()
    soundness()


P, Q, R, S = map(variable, "pqrs")
FALSE: list[tuple[Net, Claim]] = [
    (FORK, Reached(trace("go"), ((0, at_least(Q, 1)),))),
    (FORK, Reached(trace("back"), ((1, at_least(P, 1)),))),
    (FORK, Excluded(at_least(R, 1), None)),
    (FORK, ExcludedAfter(trace("go"), at_least(R, 1), None)),
    (FORK, ExcludedWith(("back",), at_least(R, 1), None)),
    (FORK, Home((at_least(R, 1), at_least(Q, 1)), None)),
    (FORK, Pumped((Q,), ())),
    (FORK, ReachabilitySet(2, 3, 1, 1, None)),
    (FORK, ReachabilitySet(4, 3, 1, 1, None)),
    (FORK, ReachabilitySet(3, 4, 1, 1, None)),
    (FORK, ReachabilitySet(3, 3, 2, 1, None)),
    (FORK, ReachabilitySet(3, 3, 1, 2, None)),
    (FORK, InfiniteRun(Stage(trace("go"), trace("back")))),
    (FORK, InfiniteRun(Stage(trace("go"), trace("go")))),
    (FORK, InfiniteRun(Stage(trace("go"), trace()))),
    (FORK, Terminating(("leave",), None)),
    (GROWTH, Terminating(("take",), None)),
    (GROWTH, Excluded(at_least(P, 10**4), None)),
    (GROWTH, ExcludedAfter(trace("put"), at_least(P, 10**4), None)),
    (GROWTH, ExcludedWith(("take",), at_least(P, 7), None)),
    (GROWTH, Home((at_least(P, 10**4), at_least(S, 2)), None)),
    (GROWTH, Pumped((P, S), ())),
    (GROWTH, ReachabilitySet(9, 9, 9, 9, None)),
    (DRAINED, Home((at_least(P, 1),), None)),
]
"""A claim of each type, about a net of few markings, and about one of infinitely many."""


@pytest.mark.parametrize(("net", "claim"), FALSE)
def test_a_false_claim_is_judged_false(net: Net, claim: Claim) -> None:
    assert judge(graph_of(net), claim) is False


def test_claims_of_a_sample_of_random_nets_are_true() -> None:
    tally = Tally()
    run(2, tally)
    assert tally["Reached", "True"] and tally["Excluded", "True"], tally


@pytest.mark.campaign
@pytest.mark.timeout(7200)
def test_campaign_of_claims() -> None:
    tally = Tally()
    run(400, tally)
    for claim in ("Reached", "Excluded", "ExcludedAfter", "ExcludedWith", "Home", "Pumped"):
        assert tally[claim, "True"], claim
    assert tally["ReachabilitySet", "True"]


# Free choice, all small nets


def clusters(places: tuple[str, ...]) -> Iterator[list[tuple[str, ...]]]:
    """All ways to divide the places into sets."""
    if not places:
        yield []
        return
    first, *others = places
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            rest = tuple(place for place in others if place not in chosen)
            for further in clusters(rest):
                yield [(first, *chosen), *further]


def small_nets(most_places: int, most_transitions: int) -> Iterator[Net]:
    """All connected free-choice nets of so many places and transitions, each with an input."""
    for places in (tuple("pqr"[:size]) for size in range(1, most_places + 1)):
        sides = [side for size in range(len(places) + 1) for side in combinations(places, size)]
        for blocks in clusters(places):
            for sizes in product(range(1, most_transitions + 1), repeat=len(blocks)):
                if sum(sizes) > most_transitions:
                    continue
                choices = (combinations_with_replacement(sides, size) for size in sizes)
                for puts in product(*choices):
                    pairs = [(b, put) for b, own in zip(blocks, puts, strict=True) for put in own]
                    arcs = (map(dict.fromkeys, pair, (1, 1)) for pair in pairs)
                    named = {f"t{n}": tuple(pair) for n, pair in enumerate(arcs)}
                    net = make_net("small", dict.fromkeys(places, 0), named)
                    if is_connected(net):
                        yield net


def judge_free_choice(most_places: int, most_transitions: int) -> Counter[str]:
    """Compare live, bounded and reversible ones with what is proved of them; what there was."""
    tally = Counter[str]()
    for net in small_nets(most_places, most_transitions):
        for tokens in product(range(2), repeat=len(net.places)):
            marked = net.beginning(tokens)
            graph, start = graph_of(marked, 40), home_marking(marked, tokens)
            formulas = [*dict.fromkeys((*enabling(marked), start))]
            behaves = graph.whole and ANSWERS["live"](graph)
            proved = {
                f for c in free_choice.home_claims(marked, formulas, Budget(9)) for f in c.formulas
            }
            expected = [f for f in formulas if behaves and home(graph, f)]
            assert proved == {*expected}, str(marked)
            tally[f"live and bounded: {behaves}, reversible: {start in proved}"] += 1
    return tally


def test_small_free_choice_nets_are_proved_live_exactly_where_they_are() -> None:
    assert len(judge_free_choice(2, 2)) == 2


@pytest.mark.campaign
@pytest.mark.timeout(7200)
def test_campaign_of_small_free_choice_nets() -> None:
    assert len(judge_free_choice(3, 4)) == 2, "live ones of so few places return"
