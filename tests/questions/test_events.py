"""The questions which places are safe or stable, and which transitions can fire."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from folders import NETS
from hypothesis import assume, given, settings
from invoked import run
from oracle import explore, first_markings
from strategies import nets

import petricheck as petri
from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.answer import Trace, Unknown
from petricheck.evidence.claims import reached
from petricheck.model.net import Marking, Net, make_net
from petricheck.questions import Setting, Study, answer, ask, check, so_far
from petricheck.questions.events import search
from petricheck.questions.events.settling import Settling
from petricheck.questions.kinds.quasi_live import QuasiLive
from petricheck.questions.kinds.safe import Safe
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

FMS = str(NETS / "fms_U.pnml")

Names = frozenset[str]


def unsafe(net: Net, markings: set[Marking]) -> Names:
    """The places that hold two tokens in one of the markings."""
    return frozenset(p for n, p in enumerate(net.places) if any(m[n] > 1 for m in markings))


def firing(net: Net, markings: set[Marking]) -> Names:
    """The transitions that one of the markings enables."""
    return frozenset(t.name for t in net.transitions if any(map(t.enabled, markings)))


def changing(net: Net, markings: set[Marking]) -> Names:
    """The places that hold another number than initially in one of the markings."""
    numbered = enumerate(zip(net.places, net.initial, strict=True))
    return frozenset(p for n, (p, tokens) in numbered if any(m[n] != tokens for m in markings))


HAPPENING: Mapping[str, Callable[[Net, set[Marking]], Names]] = {
    "safe": unsafe,
    "quasi_live": firing,
    "stable": changing,
}
ALL = {"safe": "unsafe", "quasi_live": "dead", "stable": "stable"}
"""Who is to blame, as the facts have it: those that happen, or those that never do."""

every_kind = pytest.mark.parametrize("kind", HAPPENING)


def blamed_and_open(kind: str, net: Net, seconds: float) -> tuple[Names, Names]:
    """Names of what is to blame, and of what is open."""
    facts = check(ask(net, **{kind: True}), budget=Budget(seconds)).conclusion.facts
    return frozenset(facts[ALL[kind]]), frozenset(facts["open"])


def of_brute_force(kind: str, net: Net, markings: set[Marking]) -> tuple[Names, Names]:
    """Names of what happens in these markings, and of all that could."""
    names = net.actions if kind == "quasi_live" else net.places
    return HAPPENING[kind](net, markings), frozenset(names)


@every_kind
@settings(max_examples=8, deadline=None)
@given(nets())
def test_of_a_finite_net_everything_is_told_as_brute_force_finds_it(kind: str, net: Net) -> None:
    markings = explore(net, 100)
    assume(markings is not None)
    happening, names = of_brute_force(kind, net, markings or set())
    expected = happening if kind == "safe" else names - happening
    assert blamed_and_open(kind, net, 20) == (expected, frozenset())


@every_kind
@settings(max_examples=6, deadline=None)
@given(nets())
def test_nothing_is_told_that_the_first_markings_disprove(kind: str, net: Net) -> None:
    happening, names = of_brute_force(kind, net, first_markings(net, 300))
    blamed, left = blamed_and_open(kind, net, 0.3)
    never = names - blamed - left if kind == "safe" else blamed
    assert never.isdisjoint(happening)


def chain(length: int) -> Net:
    """A token goes down a chain; beside each place a transition that lacks another one."""
    places = {f"p{n}": int(n == 0) for n in range(length)} | {"never": 0, "two": 2}
    steps = {f"t{n}": ({f"p{n}": 1}, {f"p{n + 1}": 1}) for n in range(length - 1)}
    dead = {f"d{n}": ({f"p{n}": 1, "never": 1}, {}) for n in range(length)}
    return make_net("chain", places, steps | dead)


def test_one_trace_shows_many_and_each_blamed_one_has_a_proof() -> None:
    asked = check(ask(chain(30), quasi_live=True), budget=Budget(20))
    assert asked.headline == "not quasi-live"
    assert asked.conclusion.facts["dead"] == [f"d{n}" for n in range(30)]
    stable = check(ask(chain(30), stable=True), budget=Budget(20)).conclusion
    assert stable.headline == "some place is stable"
    assert stable.details == ("Always as initially: never, two.",)
    not_safe = check(ask(chain(30), safe=True), budget=Budget(20)).conclusion
    assert (not_safe.headline, not_safe.facts["unsafe"]) == ("not safe", ["two"])


def test_where_the_verdict_is_enough_the_search_ends_with_it() -> None:
    study = Study(petri.load(FMS), Setting("portfolio", {}), Budget(20), brief=True)
    conclusion = answer(ask(study.net, safe=True), study).conclusion
    assert conclusion.headline == "not safe" and conclusion.complete
    assert conclusion.facts["unsafe"] == ["p8", "p16"] and "p0" in conclusion.facts["open"]


def test_one_proof_that_something_never_happens_is_enough_for_the_verdict() -> None:
    net = chain(30)
    study = Study(net, Setting("portfolio", {}), Budget(20), brief=True)
    settling = Settling(study, QuasiLive().events(net), False)
    search._refute_some(settling, Budget(20), Random(0))
    assert settling.enough and len(settling.open) > 25
    several = Settling(
        Study(net, Setting("portfolio", {}), Budget(20)), QuasiLive().events(net), False
    )
    before = len(several.open)
    search._refute_some(several, Budget(20), Random(0))
    assert len(several.open) == before


def test_engines_stop_where_what_they_decided_together_is_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = []

    def verdicts(
        study: Study, targets: list[Formula], *_: object
    ) -> Iterator[tuple[Formula, bool]]:
        for target in targets:
            told.append(target)
            yield target, False

    monkeypatch.setattr(Study, "decide_together", verdicts)
    net = chain(5)
    settling = Settling(
        Study(net, Setting("", {}), Budget(20), brief=True), QuasiLive().events(net), False
    )
    settling.decide_together(Budget(20))
    assert settling.enough and len(told) == 1


def test_no_engine_is_started_for_what_is_left_when_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def slow(study: Study, target: Formula, *_: object) -> None:
        asked.append(target)
        time.sleep(study.budget.remaining)

    monkeypatch.setattr(Study, "decide", slow)
    net = make_net("wide", {f"p{n}": 0 for n in range(20)}, {})
    study = Study(net, Setting("", {}), Budget(0.1))
    with pytest.raises(BudgetExhausted):
        search._query(Settling(study, Safe().events(net), True), study.budget)
    assert len(asked) == 1


def test_where_concluding_takes_long_spare_claims_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    net = make_net("one", {"p": 2}, {})
    study = Study(net, Setting("", {}), Budget())
    for _ in range(3):
        study.prove(reached(Safe().events(net).members[0].formula, Trace(())))
    assert len(so_far(ask(study.net, safe=True), study, Unknown("")).claims) == 1
    monkeypatch.setattr("petricheck.questions.answering._SECONDS", -1)
    assert len(so_far(ask(study.net, safe=True), study, Unknown("")).claims) == 3


def test_an_engine_that_gives_up_ends_the_search() -> None:
    pumps = make_net("n", {"p": 0, "q": 0}, {"t": ({}, {"p": 2}), "u": ({"p": 1, "q": 1}, {})})
    study = Study(pumps, Setting("directed_search", {"markings": "10"}), Budget(10))
    assert answer(ask(study.net, quasi_live=True), study).conclusion.facts["dead"] == ["u"]


@pytest.mark.parametrize(
    ("option", "answer"),
    [("--safe", "not safe"), ("--quasi-live", "quasi-live"), ("--stable", "some place is stable")],
)
def test_the_evidence_of_all_is_one_file_that_verify_accepts(
    option: str, answer: str, tmp_path: Path
) -> None:
    path = tmp_path / "e.json"
    told = run(FMS, option, "--timeout", "30", "--evidence", path)
    assert (told.exit_code, told.output.partition("\n")[0]) == (0, answer)
    told = run("verify", FMS, path)
    assert told.exit_code == 0 and told.output.startswith(f"accepted: {answer}")
    claimed = json.loads(path.read_text())
    claimed["claims"] = claimed["claims"][1:]
    path.write_text(json.dumps(claimed))
    assert run("verify", FMS, path).exit_code == 4
