"""Liveness: which transitions can always fire again, and which are lost after some trace."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from folders import NETS
from home_spaces import reachable_from
from hypothesis import assume, given
from invoked import run, settled
from notation import net_of
from strategies import nets, repeatable
from test_coloured_questions import LEFT_OUT

from petricheck.arithmetic.formulas.formulas import TRUE, Formula, at_least, congruent
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.claims import Excluded, ExcludedAfter
from petricheck.formats.language.enabling import enabled
from petricheck.formats.language.model import needs
from petricheck.formats.nets import read_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.net import Net, make_net
from petricheck.model.parametric import with_initial
from petricheck.questions import Setting, Study, answer, ask, check
from petricheck.questions.homes.lost import refute
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError


def live_ones(net: Net) -> set[str] | None:
    """By definition: from every reachable marking one is reachable that enables them."""
    behind = reachable_from(net)
    if behind is None:
        return None
    return {
        transition.name
        for transition in net.transitions
        if all(any(map(transition.enabled, reached)) for reached in behind.values())
    }


def firing(net: Net, *names: str) -> list[Formula]:
    """That each of these transitions is enabled."""
    return [enabled(net, needs(net, name)) for name in names]


SWITCH = make_net(
    "switch",
    {"idle": 1, "on": 0, "off": 0, "broken": 0},
    {
        "start": ({"idle": 1}, {"on": 1}),
        "turn off": ({"on": 1}, {"off": 1}),
        "turn on": ({"off": 1}, {"on": 1}),
        "break": ({"on": 1, "broken": 1}, {"broken": 1}),
    },
)
"""It starts once, is turned off and on for ever, and never breaks."""


@repeatable(60)
@given(nets())
def test_transitions_are_told_live_that_brute_force_finds_live(net: Net) -> None:
    expected = live_ones(net)
    assume(expected is not None)
    conclusion = check(ask(net, live=True), budget=Budget(20)).conclusion
    assert set(conclusion.facts["not live"]) == set(net.actions) - (expected or set())
    assert conclusion.facts["open"] == []
    assert conclusion.value == (expected == set(net.actions))


def test_both_answers_and_partly_live_nets_are_frequent_in_what_is_drawn() -> None:
    drawn = Counter[str]()

    @repeatable(200)
    @given(nets())
    def count(net: Net) -> None:
        if (live := live_ones(net)) is not None:
            drawn["all" if len(live) == len(net.transitions) else "some" if live else "none"] += 1

    count()
    assert min(drawn[word] for word in ("all", "some", "none")) >= 5, drawn


def test_what_fires_once_is_lost_after_it_and_what_never_fires_from_the_start() -> None:
    study = Study(SWITCH, Setting(), Budget(20))
    study.prove_all(islice(refute(study, firing(SWITCH, *SWITCH.actions), study.budget), 2))
    assert [type(claim) for claim in study.claims] == [Excluded, ExcludedAfter]
    facts = ask(SWITCH, live=True).conclude(study.claims).facts
    assert (facts["not live"], facts["open"]) == (["start", "break"], ["turn off", "turn on"])


def test_after_a_dead_end_all_is_lost_together() -> None:
    net = net_of("p=1 q=0 end=0, go: p -> q, back: q -> p, stop: q -> end")
    study = Study(net, Setting(), Budget(20))
    study.prove_all(refute(study, firing(net, *net.actions), study.budget))
    (claim,) = study.claims
    assert isinstance(claim, ExcludedAfter)
    assert net.after(claim.trace.steps) == (0, 0, 1)
    assert ask(net, live=True).conclude([claim]).facts["not live"] == ["go", "back", "stop"]


def test_a_formula_that_is_no_event_is_lost_as_well() -> None:
    twice = congruent(variable("on") + variable("off"), 0, 2)
    study = Study(SWITCH, Setting(), Budget(20))
    study.prove_all(islice(refute(study, [twice, TRUE], study.budget), 1))
    (claim,) = study.claims
    assert isinstance(claim, ExcludedAfter) and claim.formula == twice


def many_switches(count: int) -> Net:
    """So many of them side by side."""
    return make_net(
        "switches",
        {
            f"{place}{n}": int(place == "idle")
            for n in range(count)
            for place in ("idle", "on", "off")
        },
        {
            f"{action}{n}": ({f"{before}{n}": 1}, {f"{after}{n}": 1})
            for n in range(count)
            for action, before, after in (
                ("start", "idle", "on"),
                ("turn off", "on", "off"),
                ("turn on", "off", "on"),
            )
        },
    )


def test_a_large_net_is_not_live_where_something_happens_once() -> None:
    net = many_switches(60)
    study = Study(net, Setting(), Budget(40), brief=True)
    conclusion = answer(ask(net, live=True), study).conclusion
    assert conclusion.value is False
    assert {name.rstrip("0123456789") for name in conclusion.facts["not live"]} == {"start"}


def test_the_command_asks_for_all_transitions_or_for_named_ones(tmp_path: Path) -> None:
    path, evidence = tmp_path / "switch.pnml", tmp_path / "e.json"
    path.write_bytes(Pnml().write(SWITCH))
    named = settled(run(path, "--live", '"turn on", "turn off"', "--evidence", evidence))
    assert named.output.startswith("live\n")
    assert settled(run("verify", path, evidence)).output.startswith("accepted: live\n")
    every = json.loads(settled(run(path, "--live", "--json", "--timeout", 20)).output)
    details = {"holds": False, "not live": ["start", "break"], "open": []}
    assert (every["verdict"], every["details"]) == ("not live", details)
    unknown = settled(run(path, "--live", "start, stop"), 2).output
    assert "there is no transition 'stop'" in unknown


def test_coloured_transitions_are_live_if_they_can_fire_under_some_binding() -> None:
    philosophers, careful = (
        check(ask(read_net(NETS / f"{name}.pnml").net, live=True), budget=Budget(30)).conclusion
        for name in ("philosophers", "careful_philosophers")
    )
    assert (careful.value, careful.facts["open"]) == (True, [])
    assert philosophers.value is False
    assert len(philosophers.facts["not live"]) == len(set(philosophers.facts["not live"])) == 3


def test_a_transition_that_no_binding_enables_is_not_live_nor_is_any_without_claims() -> None:
    posed = ask(LEFT_OUT, live=True)
    assert check(posed, budget=Budget(20)).conclusion.facts["not live"] == ["t"]
    assert posed.conclude([]).value is None


def test_liveness_is_refused_where_the_initial_value_is_parametric() -> None:
    with pytest.raises(QueryError, match="parametric"):
        ask(with_initial(SWITCH, at_least(variable(SWITCH.places[0]), 1)), live=True)


def test_an_unbounded_net_is_live_where_its_first_tokens_can_always_be_there_again() -> None:
    conclusion = check(
        ask(read_net(NETS / "fms_U.pnml").net, live=True), budget=Budget(60)
    ).conclusion
    assert conclusion.value is True
