"""Formulas that are lost since what they need never comes again."""

from __future__ import annotations

from hypothesis import assume, given
from notation import net_of
from oracle import explore
from strategies import nets, repeatable

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.answer import Trace
from petricheck.evidence.claims import Excluded, ExcludedAfter
from petricheck.formats.language.enabling import enabled
from petricheck.formats.language.model import needs
from petricheck.model.net import Net, make_net
from petricheck.questions import Setting, Study
from petricheck.questions.events import parts_of
from petricheck.questions.homes.blocked import lost_after_walks, lost_at_once, lost_with_siphons
from petricheck.support.budget import Budget

STEPS = 40


def firing(net: Net) -> list[Formula]:
    """That each transition is enabled, all different."""
    return list(dict.fromkeys(enabled(net, needs(net, t.name)) for t in net.transitions))


def study_of(net: Net, brief: bool = False) -> Study:
    return Study(net, Setting(), Budget(60), brief)


def gate() -> Net:
    """A token on a long way to an end, from where it is thrown back at each step but the last.

    No walk gets to the end by chance. The net is not bounded: it counts the steps.
    """
    forth = {f"step{n}": ({f"p{n}": 1}, {f"p{n + 1}": 1, "count": 1}) for n in range(STEPS)}
    back = {f"back{n}": ({f"p{n}": 1}, {"p0": 1}) for n in range(1, STEPS)}
    places = {f"p{n}": int(n == 0) for n in range(STEPS + 1)}
    end = {"leave": ({f"p{STEPS}": 1}, {"count": 1}), "forget": ({"count": 1}, {})}
    return make_net("gate", {**places, "count": 0, "idle": 1}, {**forth, **back, **end})


@repeatable(100)
@given(nets())
def test_what_is_lost_at_once_is_never_enabled_and_proved_without_a_solver(net: Net) -> None:
    markings = explore(net, 60)
    assume(markings is not None)
    study, formulas = study_of(net), firing(net)
    claim = lost_at_once(study, Trace(()), formulas)
    dead = {
        enabled(net, needs(net, t.name))
        for t in net.transitions
        if not any(map(t.enabled, markings or ()))
    }
    if claim is not None:
        study.prove(claim)
        assert study.proved[0][1] == "checked in exact integer arithmetic"
        assert set(parts_of(claim.formula)) <= dead


@repeatable(60)
@given(nets())
def test_in_a_net_that_stops_all_is_lost_at_once(net: Net) -> None:
    markings = explore(net, 60)
    stuck = [m for m in markings or () if not any(t.enabled(m) for t in net.transitions)]
    assume(stuck)
    later = net.beginning(stuck[0])
    claim = lost_at_once(study_of(later), Trace(()), firing(net))
    assert claim is not None
    assert set(parts_of(claim.formula)) == set(firing(net))


def test_places_that_hold_too_little_are_no_reason_while_they_grow() -> None:
    net = net_of("p=0 q=1 r=1, fill: q -> q + p, twice: 2 p ->, never: 2 r -> 3 r")
    claim = lost_at_once(study_of(net), Trace(()), firing(net))
    assert claim is not None
    assert claim.formula == enabled(net, needs(net, "never"))


def test_a_siphon_is_emptied_that_no_walk_empties() -> None:
    net = gate()
    study, formulas = study_of(net, brief=True), firing(net)
    assert not list(lost_after_walks(study, formulas, Budget(20)))
    claim = next(lost_with_siphons(study, formulas, Budget(20)))
    assert isinstance(claim, ExcludedAfter)
    assert sum(times for _, times in claim.trace.steps) >= STEPS
    study.prove(claim)


def test_all_that_an_empty_siphon_stops_is_lost_with_it_unless_one_is_enough() -> None:
    net = gate()
    formulas = firing(net)
    last = {enabled(net, needs(net, name)) for name in ("leave", "forget")}
    claim = next(lost_with_siphons(study_of(net), formulas, Budget(20)))
    assert set(parts_of(claim.formula)) >= set(formulas) - last
    claim = next(lost_with_siphons(study_of(net, brief=True), formulas, Budget(20)))
    assert len(parts_of(claim.formula)) == 1


def test_what_never_fires_is_lost_without_a_trace() -> None:
    net = make_net("dead", {"p": 1, "q": 0}, {"a": ({"p": 1}, {"p": 1}), "b": ({"q": 1}, {})})
    claims = list(lost_after_walks(study_of(net), firing(net), Budget(20)))
    assert [type(claim) for claim in claims] == [Excluded]
