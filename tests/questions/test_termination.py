"""Which runs end: answers by brute force, each method alone, and what is asked of whom."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from coloured_nets import Marking, coloured_nets, firings, reachable
from endless_runs import terminates
from folders import NETS
from home_spaces import GROWTH, SWING, free_choices, machines
from hypothesis import assume, given
from hypothesis import strategies as st
from invoked import run, settled
from notation import net_of
from strategies import nets, repeatable

from petricheck.evidence.answer import Trace
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.colours.skeleton import is_counted
from petricheck.evidence.claims import Excluded, InfiniteRun, Stage, Terminating
from petricheck.formats.nets import read_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.coloured.merging import unfold_merged
from petricheck.model.coloured.net import ColouredNet
from petricheck.model.coloured.skeleton import skeleton
from petricheck.model.coloured.unfolding import unfold
from petricheck.model.net import Net
from petricheck.questions import Finding, Setting, Study, ask, check
from petricheck.questions.termination import search
from petricheck.questions.termination.ranking import lowering, without_sum
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError, QueryError

ANY_NET = st.one_of(nets(), nets(), nets(), free_choices(), machines())


def asked(net: Net, *exempt: str, seconds: float = 20) -> Finding:
    """The answer, concluded again from the claims alone."""
    finding = check(ask(net, terminates=", ".join(exempt) or True), budget=Budget(seconds))
    assert finding.question.conclude(finding.claims) == finding.conclusion
    return finding


def how(finding: Finding) -> str:
    """What proves the answer."""
    match finding.claims[-1:]:
        case [Terminating(_, proof)]:
            parts = (proof.weights, "sum"), (proof.table, "table")
            return " and ".join(word for part, word in parts if part) or "nothing fires"
        case [InfiniteRun()]:
            return "loop"
    return "open"


def compared(examples: int, seconds: float) -> Counter[tuple[bool | None, bool, str]]:
    """Compare answers with those by definition; how often each was given."""
    seen: Counter[tuple[bool | None, bool, str]] = Counter()

    @repeatable(examples)
    @given(ANY_NET, st.sampled_from((0, 1, 1, 2)))
    def compare(net: Net, count: int) -> None:
        exempt = net.actions[:count]
        finding, expected = asked(net, *exempt, seconds=seconds), terminates(net, exempt)
        assert finding.value == expected or None in (finding.value, expected), (str(net), exempt)
        seen[finding.value, bool(exempt), how(finding)] += 1

    compare()
    return seen


def test_answers_are_those_of_brute_force() -> None:
    seen = compared(80, 20)
    for named in (True, False):
        for answer in (True, False):
            assert sum(n for (v, e, _), n in seen.items() if (v, e) == (answer, named)) > 4, seen
    assert {how for _, _, how in seen} >= {"sum", "table", "loop"}


@pytest.mark.campaign
@pytest.mark.timeout(0)
def test_answers_of_ten_thousand_nets_are_those_of_brute_force() -> None:
    seen = compared(10_000, 20)
    assert sum(n for (value, _, _), n in seen.items() if value is None) <= 10, seen


@pytest.mark.parametrize("number", range(len(search.STEPS)))
def test_what_a_method_proves_alone_is_true(number: int) -> None:
    step, _, _ = search.STEPS[number]

    @repeatable(8)
    @given(nets(), st.sampled_from((0, 1)))
    def judge(net: Net, count: int) -> None:
        exempt = frozenset(range(count))
        study = Study(net, Setting(), Budget(0.05))
        lowered = lowering(net, exempt, 1)
        if lowered.level:
            with suppress(BudgetExhausted):
                study.prove_all(step(study, lowered, study.budget))
            value = search.ending(net, exempt, study.claims).value
            assert value is None or terminates(net, net.actions[:count]) in (None, value)

    judge()


HAND = {
    "a token moves once": ("p=1 q=0, t: p -> q", "", True),
    "a token moves back": ("p=1 q=0, t: p -> q, u: q -> p", "", False),
    "a token moves back, and forth is named": ("p=1 q=0, t: p -> q, u: q -> p", "t", True),
    "a token is only read": ("p=1, t: p -> p", "", False),
    "a token that is not there is read": ("p=0, t: p -> p", "", True),
    "a token comes from nowhere": ("p=0, t: -> p", "", False),
    "tokens double, and lose power": ("p=9 q=0 r=0, t: p -> 2 q, u: q -> 2 r, v: r ->", "", True),
    "what is bought costs more than it brings": ("p=8 q=0, t: 3 p -> q, u: q -> 2 p", "", True),
    "what is bought brings as much": ("p=8 q=0, t: 3 p -> q, u: q -> 3 p", "", False),
    "there is one token for two": ("p=1 q=0 r=1 s=0, t: p + r -> q, u: q + s -> p + r, v: r -> s",
        "", True),
    "a source, and what comes is used up": ("p=0, t: -> p, u: p ->", "t", True),
    "a source, and what comes stays": ("p=0, t: -> p, u: p -> p", "t", False),
    "a source feeds an alternation": ("p=0 q=1 r=0, t: -> p, u: q -> r, v: p + r -> q", "t", True),
    "one of two named ones is enough": ("p=1 q=0, t: p -> q, u: q -> p, v: q -> q", "u, v", True),
    "nothing can fire": ("p=0", "", True),
}  # fmt: skip


@pytest.mark.parametrize("name", HAND)
def test_small_nets_are_answered(name: str) -> None:
    text, words, expected = HAND[name]
    assert asked(net_of(text), *filter(None, words.split(", "))).value is expected


def proved_by(step: Callable[..., object], net: Net, *exempt: str) -> list[object]:
    """The claims of one method."""
    study = Study(net, Setting(), Budget(20))
    numbers = frozenset(map(net.actions.index, exempt))
    study.prove_all(step(study, lowering(net, numbers, 5), study.budget))  # type: ignore[arg-type]
    return [*study.claims]


def test_methods_for_loops_find_one_where_there_are_many_markings() -> None:
    net = net_of(
        "p=30 q=0 r=30 s=0 x=0 y=1, t: p -> q, u: r -> s, v: q + s + y -> x, w: x -> p + s + y"
    )
    for step in (search.walked, search.covered):
        (claim,) = proved_by(step, net)
        assert isinstance(claim, InfiniteRun)
    (claim,) = proved_by(search.accelerated, GROWTH)
    assert isinstance(claim, InfiniteRun) and {n for n, _ in claim.stage.loop.steps} == {"put"}
    assert proved_by(search.accelerated, GROWTH, "put") == []


def test_markings_of_limited_places_suffice_where_named_transitions_fill_others() -> None:
    net = net_of("a=1 b=0 e=0 p=0, t: -> p, u: a + e -> b + e, v: b -> a, w: a -> e")
    assert terminates(net, ["t"]) is None
    (claim,) = proved_by(search._projected, net, "t")
    assert isinstance(claim, Terminating)


def test_dead_transitions_do_not_count() -> None:
    net = net_of("p=1 q=1 r=0 s=0, t: p -> q, u: 2 q + r -> 2 q + r + s, v: s -> r")
    claims = proved_by(search._without_dead, net)
    assert [type(claim) for claim in claims] == [Excluded, Terminating]
    conclusion = ask(net, terminates=True).conclude(claims)  # type: ignore[arg-type]
    assert (conclusion.value, conclusion.facts["dead"]) == (True, ["u", "v"])
    assert conclusion.details == ("Never fire: u, v.",)


def test_of_several_initial_markings_runs_end_from_each_or_go_on_from_one() -> None:
    ends, needs = net_of("p=2 q=0, t: p -> q"), net_of("p=0 q=0, t: 5 p -> q, u: q -> 5 p")
    for words in ("p >= 2", "p >= 2 and q >= p"):
        assert check(ask(ends, initial=words, terminates=True), budget=Budget(20)).value is True
    assert asked(needs).value is True
    finding = check(ask(needs, initial="p >= 1", terminates=True), budget=Budget(20))
    assert finding.value is False and {*finding.conclusion.facts["loop"]} == {"t", "u"}
    assert "It begins with p = 5." in str(finding)
    (claim,) = finding.claims
    assert isinstance(claim, InfiniteRun)
    (added,) = finding.question.net.added
    loop = Trace((*claim.stage.loop.steps, (added, 1)))
    with pytest.raises(EvidenceError, match="changes the initial marking"):
        prove(finding.question.net, InfiniteRun(Stage(claim.stage.stem, loop)))
    odd = replace(ask(needs, initial="p >= 6", terminates=True).net, initial=(5, 0))
    with pytest.raises(EvidenceError, match="no initial one"):
        prove(odd, InfiniteRun(Stage(Trace(()), Trace((("t", 1), ("u", 1))))))
    with pytest.raises(QueryError, match="alternatives"):
        ask(needs, initial="p = 1 or q = 1", terminates=True)
    with pytest.raises(QueryError, match="no transition"):
        ask(needs, initial="p >= 1", terminates=added)


def test_a_table_is_about_one_initial_marking() -> None:
    net = net_of("p=1 q=0 r=0, t: p -> q, u: q + r -> p + r")
    (claim,) = asked(net).claims
    assert how(asked(net)) == "table"
    with pytest.raises(EvidenceError, match="about one initial marking"):
        prove(ask(net, initial="p >= 1", terminates=True).net, claim)


@repeatable(20)
@given(coloured_nets(), st.booleans())
def test_coloured_nets_are_answered_with_all_colours_or_merged_ones(
    net: ColouredNet, named: bool
) -> None:
    markings = reachable(net, 40)
    assume(markings is not None)
    exempt = {net.transitions[0].name} if named else set()
    endless = set(markings or ())

    def goes_on(marking: Marking) -> bool:
        return any(m in endless for name, _, m in firings(net, marking) if name not in exempt)

    while ended := {marking for marking in endless if not goes_on(marking)}:
        endless -= ended
    for flat in (unfold(net, Budget()), unfold_merged(net, Budget())):
        assert flat is None or asked(flat, *exempt).value is not bool(endless)
    assert not is_counted(net) or asked(skeleton(net), *exempt).value in (None, not endless)


def test_a_binding_may_be_named_and_totals_prove_that_runs_end() -> None:
    net = read_net(NETS / "philosophers.pnml").net
    assert asked(net, "take_left(x=ada)").value is False
    assert asked(net, "take_left").value is True
    source = read_net(NETS / "philosophers.pnml").source
    assert isinstance(source, ColouredNet)
    assert asked(skeleton(source), "take_left").value is True
    assert asked(skeleton(source)).value is None
    with pytest.raises(QueryError, match="without colours"):
        ask(skeleton(source), terminates="take_left(x=ada)")


def test_several_questions_about_one_net_are_answered_together() -> None:
    study = Study(SWING, Setting(), Budget(20))
    questions = [ask(SWING, terminates=words) for words in (True, "go", "back")]
    search.decide_termination(study, questions[0].content)
    search.decide_termination(study, questions[1].content)
    assert [q.conclude(study.claims).value for q in questions] == [False, True, None]


def test_a_sum_that_floating_point_spoils_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petricheck.questions.termination.ranking._sum", lambda *_: ((0, 1),))
    assert lowering(SWING, (), 1) == without_sum(SWING, ())


def test_the_command_answers_and_its_evidence_is_verified(tmp_path: Path) -> None:
    path, evidence = tmp_path / "swing.pnml", tmp_path / "e.json"
    path.write_bytes(Pnml().write(SWING))
    ends = settled(
        run(path, "--terminates", "go", "--evidence", evidence, "--expect", "terminates")
    )
    assert ends.output.startswith("terminates\nA run that never ends fires some of these")
    assert settled(run("verify", path, evidence)).output.startswith("accepted: terminates\n")
    assert "back lowers the sum by 1." in settled(run("verify", path, evidence, "--explain")).output
    goes_on = json.loads(
        settled(run(path, "--terminates", "--json", "--evidence", evidence)).output
    )
    details = {"holds": False, "loop": ["go", "back"], "dead": []}
    assert (goes_on["verdict"], goes_on["details"]) == ("does not terminate", details)
    explained = settled(run("verify", path, evidence, "--explain")).output
    assert "One repetition changes nothing." in explained
    settled(run(path, "--terminates", "--expect", "terminates"), 5)
    assert "no transition 'og'" in settled(run(path, "--terminates", "og"), 2).output
