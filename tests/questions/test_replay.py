"""Whether a sequence can fire: against the firing rule, step by step."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from coloured_nets import bindings, coloured_nets, count, firings, marking_of
from folders import NETS, read_question
from hypothesis import assume, given
from hypothesis import strategies as st
from invoked import run, settled
from notation import net_of
from questions import conclude
from strategies import nets, repeatable

from petricheck import replay
from petricheck.arithmetic.formulas.formulas import TRUE, Formula, at_least, at_most
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace
from petricheck.evidence.claims import reached
from petricheck.evidence.files import read_evidence, write_evidence
from petricheck.formats.guarded_bounds import ordinary
from petricheck.formats.nets import read_net, write_net
from petricheck.model.coloured.net import ColouredNet
from petricheck.model.coloured.skeleton import Skeleton, skeleton
from petricheck.model.coloured.unfolding import unfold
from petricheck.model.guarded.net import guarded
from petricheck.model.net import Net, make_net
from petricheck.questions import ask, check
from petricheck.questions.verification import evidence_of, verify
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, InputError, QueryError

KM = NETS / "finkel_km_R.pnml"
MANY = 10**30


def fired(net: Net, steps: list[tuple[str, int]]) -> dict[str, Any]:
    """What the answer has to say, by firing one transition after the other."""
    marking = net.initial
    for number, (name, times) in enumerate(steps, 1):
        transition = net.transitions[net.transition_numbers[name]]
        for done in range(times):
            if not transition.enabled(marking):
                missing = [
                    {"place": net.places[p], "has": marking[p], "needs": n, "most": None}
                    for p, n in transition.pre
                    if marking[p] < n
                ]
                return told(net, marking, number, name, done, missing)
            marking = transition.fire(marking)
    return told(net, marking)


def told(net: Net, marking: Any, *failure: Any) -> dict[str, Any]:
    tokens = {p: n for p, n in net.values(marking).items() if n}
    step, name, done, missing = failure or (None,) * 4
    return {"marking": tokens, "step": step, "transition": name, "times": done, "missing": missing}


@repeatable(120)
@given(st.data())
def test_it_fires_as_far_as_the_firing_rule_allows(data: st.DataObject) -> None:
    net = data.draw(nets())
    names = st.sampled_from(net.actions)
    steps = data.draw(st.lists(st.tuples(names, st.integers(1, 4)), max_size=8))
    finding, expected = replay(net, steps), fired(net, steps)
    assert finding.conclusion.facts == expected
    assert finding.value is (expected["step"] is None)
    assert finding.audits == ("replayed exactly",)


@repeatable(40)
@given(coloured_nets(), st.data())
def test_bindings_fire_alike_with_and_without_unfolding(
    net: ColouredNet, data: st.DataObject
) -> None:
    every = [transition.text(b) for transition in net.transitions for b in bindings(transition)]
    assume(every)
    marking = marking_of({n: count(place.initial, {}) for n, place in enumerate(net.places)})
    steps, failing = [], None
    for number in range(1, data.draw(st.integers(2, 6))):
        after = {
            net.transitions[net.transition_numbers[name]].text(binding): left
            for name, binding, left in firings(net, marking)
        }
        steps.append(data.draw(st.sampled_from([*after, data.draw(st.sampled_from(every))])))
        if failing is None and steps[-1] not in after:
            failing = number
        marking = marking if failing else after[steps[-1]]
    for made in (skeleton(net), unfold(net, Budget())):
        if not (isinstance(made.origin, Skeleton) or {*steps} <= {*made.actions}):
            with pytest.raises(QueryError, match="can never fire"):
                replay(made, steps)
            continue
        finding = replay(made, steps)
        facts = finding.conclusion.facts
        assert (finding.value, facts["step"]) == (failing is None, failing)
        if failing is not None:
            assert facts["missing"] and all(
                lack["has"] < lack["needs"] for lack in facts["missing"]
            )
        assert made.origin is not None
        totals = {
            p.name: sum(k for n, _, k in marking if n == at) for at, p in enumerate(net.places)
        }
        for name, tokens in totals.items():
            own = [made.places[n] for n in made.origin.places[name]]
            assert sum(facts["marking"].get(place, 0) for place in own) == tokens


def test_huge_counts_are_exact() -> None:
    net = net_of(f"p={MANY} q=0, t: 3 p -> q, u: q -> 2 q")
    last, left = divmod(MANY, 3)
    facts = replay(net, [("t", last)]).conclusion.facts
    assert facts["marking"] == {"p": left, "q": last}
    facts = replay(net, f"t*{MANY} u").conclusion.facts
    missing = [{"place": "p", "has": left, "needs": 3, "most": None}]
    assert (facts["step"], facts["times"], facts["missing"]) == (1, last, missing)
    assert replay(net, [("t", 1), ("u", MANY)]).conclusion.facts["marking"]["q"] == MANY + 1


def test_what_is_given_from_python() -> None:
    net = net_of("p=2 q=0, t: p -> q, u: q -> p")
    for words in ("t^2 u", ["t", "t", "u"], [("t", 2), "u"], Trace((("t", 2), ("u", 1)))):
        assert replay(net, words).value is True
    assert replay(net, []).conclusion.facts["marking"] == {"p": 2}
    assert check(ask(net, replay="u")).headline == "does not fire"
    for wrong in (3, None, {"t": 1}, [3], [("t", object())], ["v"]):
        with pytest.raises((InputError, QueryError)):
            replay(net, wrong)  # type: ignore[arg-type]


def test_evidence_proves_how_far_it_fires_and_nothing_else(tmp_path: Path) -> None:
    write_net(net_of("p=3 q=0, t: p -> q, u: 2 q -> p"), str(tmp_path / "n.pnml"))
    file, path = read_net(str(tmp_path / "n.pnml")), str(tmp_path / "e.json")
    for text, word in (
        ("t^3 u t", "fires"),
        ("t^2 u^2 t", "does not fire"),
        ("u", "does not fire"),
    ):
        evidence = evidence_of(check(ask(file.net, replay=text)), file.sha256)
        write_evidence(path, file.net, evidence)
        assert read_evidence(path) == evidence
        assert verify(file, evidence, ask(file.net, replay=text)).headline == word
        for forged in (
            replace(evidence, results={**evidence.results, "answer": word != "fires"}),
            replace(evidence, text="t u"),
            replace(evidence, text="t^4"),
            replace(evidence, claims=()),
        ):
            with pytest.raises(EvidenceError):
                verify(file, forged)


def test_the_command_says_where_it_ends(tmp_path: Path) -> None:
    out = settled(run(KM, "--replay", "t1 t2 t4*2 t2^9", "--expect", "does not fire"), 0).stdout
    assert "Step 4 of 4, t2^9, fires 2 times; then p2 has 0 of 1 token.\n" in out
    assert settled(run(KM, "--replay", "t1 t2", "--expect", "does not fire", "--quiet"), 5)
    refused = settled(run(KM, "--replay", "t1 t22"), 2).stderr
    assert "did you mean" in refused and refused.endswith("t1 t22\n     ^\n")
    answer = tmp_path / "answer.json"
    answer.write_text(settled(run(KM, "--target", "p2=7, p3=5", "--json"), 0).stdout)
    told: dict[str, Any] = json.loads(
        settled(run(KM, "--replay", f"@{answer}", "--json"), 0).stdout
    )
    assert (told["verdict"], told["details"]["marking"]) == ("fires", {"p2": 7, "p3": 5})
    out = settled(run(KM, "--target", "p2=7, p3=5", "--trace"), 0).stdout
    printed = out.partition("target:\n")[2].partition("It ends")[0]
    assert settled(run(KM, "--replay", printed), 0).stdout.startswith("fires\n")


def test_a_batch_expects_that_it_fires(tmp_path: Path) -> None:
    write_net(net_of("p=1, t: p -> "), str(tmp_path / "n.pnml"))
    for text, answer in (("t", True), ("t t", False)):
        word = "fires" if answer else "does not fire"
        index = {"net": "n.pnml", "replay": text, "expected": word}
        (tmp_path / "n.json").write_text(json.dumps(index))
        question = read_question(tmp_path / "n.json")
        assert question is not None and question.expected is answer


def test_a_net_with_a_parametric_marking_is_refused() -> None:
    with pytest.raises(QueryError, match="parametric"):
        ask(net_of("p=1, t: p -> p"), initial="p >= 1", replay="t")


def test_an_upper_guard_says_how_many_tokens_are_too_many() -> None:
    arcs = {"t": ({"p": 1}, {"q": 1}), "empty": ({}, {})}
    source = guarded(make_net("n", {"p": 3, "q": 0}, arcs), inhibitors=[(0, 1, 2)], resets=[(1, 1)])
    net = ordinary(source, Budget())
    assert replay(net, "t^2 empty(q=2) t").conclusion.facts["marking"] == {"q": 1}
    finding = replay(net, "t t t")
    (missing,) = finding.conclusion.facts["missing"]
    assert missing == {"place": "q", "has": 2, "needs": None, "most": 1}
    assert "q has 2 and may have at most 1 token." in finding.conclusion.details[0]
    with pytest.raises(QueryError, match="says how many tokens it resets, as in empty"):
        replay(net, "empty")


@pytest.mark.parametrize("stops", [TRUE, at_least(variable("p"), 1), at_most(variable("q"), 0)])
def test_a_beginning_that_fires_says_nothing_of_the_rest(stops: Formula) -> None:
    net = net_of("p=2 q=0, t: p -> q")
    for steps in ((("t", 1),), ()):
        claim = reached(stops, Trace(steps))
        assert conclude("replay", net, "t t", (claim,)).value is None
    assert conclude("replay", net, "t^3", (reached(TRUE, Trace((("t", 2),))),)).value is None
