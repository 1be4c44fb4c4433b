"""Nets without their colours: what is told of totals holds, and traces name single colours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import hypothesis.strategies as st
import pytest
from coloured_documents import arc, const, document, every, label, parsed, place, tag, var
from coloured_nets import Marking, coloured_nets, firings, reachable
from folders import NETS
from hypothesis import assume, given
from invoked import run, settled
from property_files import at_least, bound, ef, fireable, write_properties
from strategies import any_of, numbers, repeatable

from petricheck.arithmetic.formulas import formulas
from petricheck.arithmetic.formulas.formulas import TRUE, Formula, at_most, equal, evaluate
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.colours.skeleton import is_counted
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import (
    Claim,
    Excluded,
    ExcludedAfter,
    Home,
    InfiniteRun,
    Pumped,
    ReachabilitySet,
    Reached,
    Stage,
    reached,
)
from petricheck.formats.nets import NetFile, read_net
from petricheck.model.coloured.merging import unfold_merged
from petricheck.model.coloured.names import read_firing
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.skeleton import Skeleton, skeleton
from petricheck.model.coloured.sorts import Enumeration, Range
from petricheck.model.coloured.terms import Comparison, Constant, Summand, Variable
from petricheck.model.net import Net
from petricheck.questions import ask, check, read_question
from petricheck.questions.checking import Setting
from petricheck.questions.homes.explored import home_claims
from petricheck.questions.lifting import lifted
from petricheck.questions.schedule import Schedule
from petricheck.questions.study import Study
from petricheck.questions.walking import walked
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, QueryError, Refused

LIMIT = 60


def philosophers() -> Net:
    source = read_net(NETS / "philosophers.pnml").source
    assert isinstance(source, ColouredNet)
    return skeleton(source)


def totals(net: ColouredNet, marking: Marking) -> Mapping[str, int]:
    """The tokens of each place."""
    held = Counter[str](dict.fromkeys((place.name for place in net.places), 0))
    for number, _, amount in marking:
        held[net.places[number].name] += amount
    return held


def a_trace(net: Net, random: Random) -> Trace:
    """What some firings of the net without colours, or of classes, are."""
    marking, steps = net.initial, []
    for _ in range(random.randint(1, 6)):
        enabled = [t for t in net.transitions if t.enabled(marking)]
        if enabled:
            transition = random.choice(enabled)
            steps.append((transition.name, 1))
            marking = transition.fire(marking)
    return Trace(tuple(steps))


def exactly(net: Net, trace: Trace) -> Reached:
    """The claim that it ends in the marking that it has without colours, and passes another."""
    middle = len(trace.steps) // 2
    parts = ((n, net.values(net.after(trace.steps[:n]))) for n in (middle, len(trace.steps)))
    stops = ((n, [equal(variable(p), k) for p, k in values.items()]) for n, values in parts)
    return Reached(trace, tuple((n, formulas.conjunction(atoms)) for n, atoms in stops))


@repeatable(15)
@given(coloured_nets(), st.data())
def test_what_is_told_of_totals_holds(net: ColouredNet, data: st.DataObject) -> None:
    markings = reachable(net, LIMIT)
    assume(markings is not None and is_counted(net))
    bare = skeleton(net)
    target: Formula = TRUE
    for name in bare.places:
        compare = data.draw(st.sampled_from((formulas.at_least, at_most, equal)))
        target = formulas.conjunction((target, compare(variable(name), data.draw(numbers(0, 3)))))
    finding = check(bare, target, engine="explicit", budget=Budget(5))
    true = any(evaluate(target, totals(net, marking)) for marking in markings or ())
    assert finding.value in (None, true)


@repeatable(30)
@given(coloured_nets(), numbers(0, 1 << 30))
def test_lifted_traces_fire_with_the_same_totals(net: ColouredNet, seed: int) -> None:
    assume(is_counted(net))
    bare = skeleton(net)
    claim = exactly(bare, a_trace(bare, Random(seed)))
    assume(claim.trace.steps)
    try:
        bound = lifted(bare, claim, Budget())
    except Refused:
        return
    assert isinstance(bound, Reached)
    assert prove(bare, bound) == "replayed exactly"
    assert fires(net, bound.trace)
    assert lifted(bare, bound, Budget()) == bound
    broken = with_other_bindings(net, bound, Random(seed))
    if not fires(net, broken.trace):
        with pytest.raises(EvidenceError):
            prove(bare, broken)


def fires(net: ColouredNet, trace: Trace) -> bool:
    """Whether it does, by brute force."""
    markings = {frozenset((p, c, k) for p, m in enumerate(net.initial) for c, k in m.items())}
    for name, times in trace.steps:
        for _ in range(times):
            markings = {
                after
                for marking in markings
                for fired, binding, after in firings(net, marking)
                if net.transitions[net.transition_numbers[fired]].text(binding) == name
            }
    return bool(markings)


def with_other_bindings(net: ColouredNet, claim: Reached, random: Random) -> Reached:
    """Each step with colours of its own."""
    steps = []
    for name, times in claim.trace.steps:
        read = read_firing(net, name)
        assert read is not None
        transition = net.transitions[read[0]]
        colours = {v.name: random.randrange(v.sort.size) for v in transition.variables}
        steps.append((transition.text(colours), times))
    return replace(claim, trace=Trace(tuple(steps)))


@repeatable(15)
@given(coloured_nets(), numbers(0, 1 << 30))
def test_traces_of_classes_are_lifted_to_single_colours(net: ColouredNet, seed: int) -> None:
    merged = unfold_merged(net, Budget())
    assume(merged is not None)
    assert merged is not None
    claim = exactly(merged, a_trace(merged, Random(seed)))
    assume(claim.trace.steps)
    bound = lifted(merged, claim, Budget())
    assert isinstance(bound, Reached)
    assert prove(merged, claim) == prove(merged, bound) == "replayed exactly"
    assert fires(net, bound.trace)
    assert merged.after(bound.trace.steps) == merged.after(claim.trace.steps)
    broken = with_other_bindings(net, bound, Random(seed))
    if not fires(net, broken.trace):
        with pytest.raises(EvidenceError):
            prove(merged, broken)


def test_loops_along_traces_of_single_colours_are_loops_of_their_classes() -> None:
    source, _ = parsed(document(
        place("p", "c", every("c"))
        + place("q", "c")
        + '<transition id="t"/>'
        + arc("p", "t", var("x")) + arc("t", "p", var("x")) + arc("t", "q", var("x"))
    ))  # fmt: skip
    net = unfold_merged(source, Budget())
    assert net is not None and net.actions == ("t",)
    q, along = variable("q"), Trace((("t(x=b)", 1),))
    stage, of_classes = Stage(along, along), Stage(Trace((("t", 1),)), Trace((("t", 1),)))
    assert lifted(net, Pumped((q,), (stage,)), Budget()) == Pumped((q,), (of_classes,))
    assert lifted(net, InfiniteRun(stage), Budget()) == InfiniteRun(of_classes)
    assert prove(net, Pumped((q,), (of_classes,))) and prove(net, InfiniteRun(of_classes))
    assert ask(net, terminates=True).conclude([InfiniteRun(stage)]).value is False
    assert check(ask(net, bound="q")).value == "unbounded"


@repeatable(25)
@given(coloured_nets(), st.data())
def test_firings_are_read_as_they_are_written(net: ColouredNet, data: st.DataObject) -> None:
    transition = net.transitions[data.draw(any_of(len(net.transitions)))]
    binding = {v.name: data.draw(any_of(v.sort.size)) for v in transition.variables}
    read = read_firing(net, transition.text(binding))
    assert read == (net.transition_numbers[transition.name], binding)
    if binding:
        assert read_firing(net, transition.name) is None


# ---------------------------------------------------------------- what the audit refuses


EATING, FORK = variable("eating"), variable("fork")
TAKE = (("take_left(x=ada)", 1), ("take_right(x=ada)", 1))
EATS = formulas.at_least(EATING, 1)
INVARIANT = equal(EATING * 2 + FORK + variable("waiting"), 5)


def test_a_trace_of_bindings_and_an_invariant_of_totals_are_accepted() -> None:
    net = philosophers()
    assert prove(net, reached(EATS, Trace(TAKE))) == "replayed exactly"
    assert prove(net, Excluded(formulas.at_least(EATING, 3), Certificate(INVARIANT)))


FALSE: Mapping[str, Claim] = {
    "no binding": reached(EATS, Trace((("take_left", 1), ("take_right", 1)))),
    "another colour": reached(EATS, Trace((TAKE[0], ("take_right(x=ben)", 1)))),
    "a fork that is taken": reached(
        formulas.at_least(variable("waiting"), 1),
        Trace((*TAKE, ("take_left(x=ben)", 1))),
    ),
    "the same twice": reached(
        formulas.at_least(variable("waiting"), 2), Trace((("take_left(x=ada)", 2),))
    ),
    "no such colour": reached(EATS, Trace((("take_left(x=adam)", 1), TAKE[1]))),
    "no such variable": reached(EATS, Trace((("take_left(y=ada)", 1), TAKE[1]))),
    "another total": reached(formulas.at_least(EATING, 2), Trace(TAKE)),
    "a loop": Pumped((EATING,), (Stage(Trace(()), Trace(TAKE)),)),
    "a loop that changes nothing": Pumped(
        (EATING,), (Stage(Trace(()), Trace((("put_down", 1),))),)
    ),
    "an exclusion of what is reached": Excluded(
        formulas.at_least(EATING, 2), Certificate(INVARIANT)
    ),
    "an invariant of more": Excluded(
        formulas.at_least(EATING, 2), Certificate(at_most(EATING, 1))
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_of_the_coloured_net_is_refused(name: str) -> None:
    with pytest.raises(EvidenceError):
        prove(philosophers(), FALSE[name])


def test_what_can_follow_is_not_proved_of_a_net_that_may_do_more() -> None:
    net = philosophers()
    alone = replace(net, origin=None)
    asked = ask(alone, state_space=True), ask(alone, terminates=True)
    others = [claim for question in asked for claim in check(question).claims]
    proved = [*home_claims(alone, [EATS, TRUE], Budget(20)), *others]
    kinds = {type(claim) for claim in proved}
    assert kinds == {Home, ExcludedAfter, ReachabilitySet, InfiniteRun}
    for claim in proved:
        prove(alone, claim)
        with pytest.raises(EvidenceError, match="not proved what can follow"):
            prove(net, claim)


def test_a_guard_is_asked_before_a_binding_fires() -> None:
    net, _ = parsed(ONE_OF_THREE)
    marked = formulas.at_least(variable("q"), 1)
    assert prove(skeleton(net), reached(marked, Trace((("t(x=a)", 1),))))
    with pytest.raises(EvidenceError, match="the guard of t"):
        prove(skeleton(net), reached(marked, Trace((("t(x=b)", 1),))))


WRONG: Mapping[str, Callable[[Net], Net]] = {
    "another initial marking": lambda net: replace(net, initial=(5, 4, 0, 0)),
    "more tokens": lambda net: replace(net, initial=(5, 6, 0, 0)),
    "a transition less": lambda net: replace(net, transitions=net.transitions[1:]),
    "a transition twice": lambda net: replace(net, transitions=net.transitions * 2),
    "another name": lambda net: with_first(net, name="take"),
    "a later name": lambda net: with_first(net, name="z"),
    "another last transition": lambda net: replace(
        net, transitions=(*net.transitions[:-1], replace(net.transitions[-1], post=()))
    ),
    "more is taken": lambda net: with_first(net, pre=((0, 2), (1, 1))),
    "less is taken": lambda net: with_first(net, pre=((0, 1),)),
    "more is put": lambda net: with_first(net, post=((2, 2),)),
    "nothing is put": lambda net: with_first(net, post=()),
    "another place": lambda net: replace(net, places=("thinking", "forks", "waiting", "eating")),
    "a place less": lambda net: replace(net.without({0}), origin=net.origin),
    "nothing is known": lambda net: replace(net, origin=Skeleton(ColouredNet("n", (), ()))),
}


def with_first(net: Net, **changes: object) -> Net:
    first, *others = net.transitions
    return replace(net, transitions=(replace(first, **changes), *others))


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_count_the_tokens_proves_nothing(name: str) -> None:
    net = WRONG[name](philosophers())
    for claim in (reached(TRUE, Trace(())), Excluded(formulas.FALSE, Certificate(TRUE))):
        with pytest.raises(EvidenceError, match="does not count"):
            prove(net, claim)


def test_what_names_or_arcs_leave_open_is_not_counted() -> None:
    sort = Enumeration("S", ("a", "b"))
    token = (Summand(1, Variable("x", sort)),)
    p, q = (Place(name, sort) for name in "pq")
    for places, transitions in (
        ((p, p), ()),
        ((p,), (Transition("t", ((0, token),), ()),) * 2),
        ((p, q), (Transition("t", ((0, token), (0, token)), ()),)),
        ((p, q), (Transition("t", (), ((1, token), (0, token))),)),
    ):
        with pytest.raises(EvidenceError, match=r"have the same name|have one name|two arcs"):
            prove(skeleton(ColouredNet("n", places, transitions)), reached(TRUE, Trace(())))


def test_what_subtracts_too_much_is_not_counted() -> None:
    net = philosophers()
    assert isinstance(net.origin, Skeleton)
    coloured = net.origin.coloured
    first, *others = coloured.places
    less = replace(coloured, places=(
        replace(first, initial=tuple(replace(s, count=-s.count) for s in first.initial)), *others
    ))  # fmt: skip
    assert is_counted(coloured) and not is_counted(less)
    with pytest.raises(EvidenceError, match="may subtract more"):
        prove(skeleton(less), reached(TRUE, Trace(())))


V, W = (Variable(name, Range("N", 1, 4)) for name in "vw")
MOVE = Transition(
    "t",
    ((0, (Summand(1, V),)),),
    ((2, (Summand(1, V),)),),
    Comparison(">", V, Constant(V.sort, 1)),
)
BACK = Transition("b", ((2, (Summand(1, V), Summand(1, W))),), ((0, (Summand(2, V),)),))


def halves() -> Net:
    """From p to q and back: 1 and 2 are merged, and so are 3 and 4; there is a 4 on q."""
    three = Enumeration("Three", ("a", "b", "c"))
    idle = Place("idle", three, (Summand(2, Constant(three, 0)),))
    places = (Place("p", V.sort, (Summand(1, V, (V,)),)), idle)
    places = (*places, Place("q", V.sort, (Summand(1, Constant(V.sort, 3)),)))
    net = unfold_merged(ColouredNet("halves", places, (MOVE, BACK)), Budget())
    assert net is not None and net.places == ("p({1, 2})", "p({3, 4})", "idle", "q({3, 4})")
    return net


ROUND = (*(("t(v=3)", 1), ("t(v=4)", 1), ("b(v=3, w=4)", 1), ("t(v=3)", 2)),)


def test_single_colours_and_their_classes_are_counted_along() -> None:
    net = halves()
    counts = ((2, 2, 2, 1), (2, 1, 2, 2), (2, 0, 2, 3), (2, 2, 2, 1), (2, 0, 2, 3))
    for step, held in enumerate(counts):
        for name, count in zip(net.places, held, strict=True):
            for other in range(4):
                claim = Reached(Trace(ROUND), ((step, equal(variable(name), other)),))
                if count == other:
                    assert prove(net, claim) == "replayed exactly"
                else:
                    with pytest.raises(EvidenceError, match="a formula does not hold"):
                        prove(net, claim)


@pytest.mark.parametrize(
    "steps",
    [
        (("t(v=3)", 2),),
        (("t(v=4)", 2),),
        (("t(v=3)", 1), ("t(v=3)", 1)),
        (("t(v=1)", 1),),
        (("t(v=5)", 1),),
        (("t(w=3)", 1),),
        (*ROUND[:2], ("b(v=3, w=3)", 1)),
        (*ROUND[:2], ("b(v=3)", 1)),
        (*ROUND[:1], ("b(v=4, w=4)", 1)),
        (*ROUND[:3], ("t(v=4)", 1)),
        (*ROUND, ("t(v=3)", 1)),
    ],
)
def test_what_single_colours_cannot_fire_is_refused_though_classes_could(
    steps: tuple[tuple[str, int], ...],
) -> None:
    with pytest.raises(EvidenceError):
        prove(halves(), Reached(Trace(steps), ((0, TRUE),)))


# ---------------------------------------------------------------- by the command


@pytest.fixture
def huge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every coloured net is so large that it is counted first."""
    monkeypatch.setattr("petricheck.formats.nets.NetFile", partial(NetFile, huge=0))
    for name in ("SHORT_WALK", "LONG_WALK"):
        monkeypatch.setattr(f"petricheck.questions.schedule.{name}", (20, 0.2))


@pytest.fixture
def never_unfolded(huge: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it is unfolded")

    monkeypatch.setattr("petricheck.model.coloured.merging.unfold_merged", refuse)
    monkeypatch.setattr("petricheck.model.coloured.unfolding.unfold", refuse)


@pytest.mark.parametrize(
    ("question", "answer", "trace"),
    [
        (("--formula", "eating = 2"), "reachable", "take_left(x="),
        (("--formula", "eating = 3"), "unreachable", ""),
        (("--cover", "waiting=5"), "reachable", "take_left(x=ben)"),
        (("--bound", "eating"), "maximum 2", "take_right(x="),
        (("--bounded",), "bounded", ""),
        (("--safe",), "not safe", ""),
        (("--stable",), "no place is stable", "take_left(x="),
    ],
)
def test_what_is_asked_of_totals_is_answered_and_verified_without_the_unfolding(
    question: tuple[str, ...], answer: str, trace: str, tmp_path: Path, never_unfolded: None
) -> None:
    net, evidence, page = NETS / "philosophers.pnml", tmp_path / "e.json", tmp_path / "page.html"
    told = settled(run(net, *question, "--trace", "--evidence", evidence, "--html", page)).output
    assert told.startswith(f"{answer}\n") and trace in told
    assert trace in page.read_text()
    assert run("verify", net, evidence, "--explain").output.startswith(f"accepted: {answer}\n")
    assert settled(run("verify", net, evidence, *question, "--json")).output
    fields = settled(run(net, *question, "--json")).output
    assert trace in fields


def test_what_the_net_without_colours_leaves_open_is_asked_of_the_unfolding(
    tmp_path: Path, huge: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    net, evidence = tmp_path / "net.pnml", tmp_path / "e.json"
    net.write_text(ONE_OF_THREE)
    # Without colours t fires three times; that it does not is proved by classes of them.
    for name in ("FIRST_COUNTING", "COUNTING"):
        monkeypatch.setattr(f"petricheck.questions.schedule.{name}", (4, 0.0))
    question = (net, "--formula", "q >= 2")
    assert settled(run(*question, "--evidence", evidence)).output.startswith("unreachable\n")
    assert run("verify", net, evidence).output.startswith("accepted")
    assert "q = {b}" in settled(run(net, "--formula", "q(b) = 1")).output
    assert settled(run(net, "--fireable", "t(x=a)", "--quiet")).output == "reachable\n"
    assert settled(run(net, "--deadlock", "--quiet")).output == "reachable\n"
    monkeypatch.setattr("petricheck.model.coloured.unfolding.MOST_ARCS", 1)
    told = settled(run(*question), 1).output
    assert "no bindings were found" in told and "its unfolding would have 2 arcs and more" in told


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (("--reversible",), "not reversible"),
        (("--home", "eating <= 2"), "home space"),
        (("--state-space",), "82 markings"),
    ],
)
def test_what_can_follow_is_asked_of_the_unfolding(
    question: tuple[str, ...], answer: str, tmp_path: Path, huge: None
) -> None:
    net, evidence = NETS / "philosophers.pnml", tmp_path / "e.json"
    told = settled(run(net, *question, "--evidence", evidence)).output
    assert told.startswith(f"{answer}\n")
    assert run("verify", net, evidence).output.startswith(f"accepted: {answer}\n")
    with pytest.raises(QueryError, match="lost their colours"):
        read_question(
            philosophers(),
            *(word.removeprefix("--").replace("-", "_") for word in (*question, "")[:2]),
        )


def test_evidence_with_another_binding_is_rejected_where_nothing_can_be_unfolded(
    tmp_path: Path, huge: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    net, evidence = NETS / "philosophers.pnml", tmp_path / "e.json"
    settled(run(net, "--formula", "eating = 1", "--evidence", evidence))
    text = evidence.read_text()
    last = re.findall(r"take_right\(x=\w+\)", text)[-1]
    assert last != "take_right(x=ben)"
    evidence.write_text(text.replace(last, "take_right(x=ben)"))
    assert "rejected" in settled(run("verify", net, evidence), 4).output
    monkeypatch.setattr("petricheck.model.coloured.unfolding.MOST_ARCS", 1)
    assert "of the trace: " in settled(run("verify", net, evidence), 4).output


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (("--fireable", "put_down"), "reachable"),
        (("--fireable", "put_down(x=ben)"), "reachable"),
        (("--formula", "fireable(put_down) and not fireable(take_left)"), "reachable"),
        (("--deadlock",), "reachable"),
    ],
)
def test_what_is_enabled_under_some_binding_is_answered_without_the_unfolding(
    question: tuple[str, ...], answer: str, tmp_path: Path, never_unfolded: None
) -> None:
    net, evidence, page = NETS / "philosophers.pnml", tmp_path / "e.json", tmp_path / "page.html"
    told = settled(run(net, *question, "--trace", "--evidence", evidence, "--html", page)).output
    assert (told.startswith(f"{answer}\n") and "take_right(x=" in told) or "--deadlock" in question
    assert run("verify", net, evidence, "--explain").output.startswith(f"accepted: {answer}\n")
    assert settled(run("verify", net, evidence, *question, "--json")).output


def test_engines_of_the_net_without_colours_leave_out_what_needs_no_totals(
    tmp_path: Path, huge: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    net, asked = tmp_path / "net.pnml", []
    net.write_text(ONE_OF_THREE)
    for name in ("FIRST_COUNTING", "COUNTING", "SHORT_WALK", "LONG_WALK", "WALK_OF_TOTALS"):
        monkeypatch.setattr(f"petricheck.questions.schedule.{name}", (4, 0.0))
    decide = Schedule._pass

    def count(schedule: Schedule, numbers: Sequence[int], *others: Any) -> Any:
        asked.append(len(numbers))
        return decide(schedule, numbers, *others)

    monkeypatch.setattr(Schedule, "_pass", count)
    for formula in ("not fireable(t)", "not fireable(t) and q >= 1"):
        assert settled(run(net, "--formula", formula)).output.startswith("reachable\n")
    assert asked == [0, 1, 1]  # The first one is asked of the unfolding.


def test_each_target_is_answered_by_one_of_the_engines_that_walk_without_colours() -> None:
    net = philosophers()
    questions = [read_question(net, "fireable", name) for name in ("put_down", "take_right")]
    study = Study(net, Setting(), Budget(20))
    numbers = [number for number, _ in walked(questions, study, colours=False)]
    assert sorted(numbers) == [0, 1]


def test_a_search_that_fails_ends_alone(
    tmp_path: Path, huge: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> Iterator[None]:
        raise KeyError(14)
        yield

    monkeypatch.setattr("petricheck.questions.walking.walked", fail)
    net = tmp_path / "net.pnml"
    net.write_text(ONE_OF_THREE)
    assert settled(run(net, "--formula", "q >= 1")).output.startswith("reachable\n")


@pytest.mark.slow
@pytest.mark.parametrize("contest", [True, False])
def test_properties_of_a_file_are_counted_first(
    contest: bool, tmp_path: Path, huge: None, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model.pnml").write_text(ONE_OF_THREE)
    name = "ReachabilityCardinality"
    write_properties(
        tmp_path / f"{name}.xml",
        counted=ef(at_least(1, "q")),
        never=ef(at_least(4, "q")),
        fires=ef(fireable("t")),
        most=bound("q"),
    )
    words = ("mcc", tmp_path, "--examination", name)
    asked = (tmp_path / "model.pnml", "--properties", tmp_path / f"{name}.xml", "--mcc")
    lines = settled(run(*(words if contest else asked))).stdout.splitlines()
    told = {line.split()[1]: line.split()[2] for line in lines}
    assert told == {
        "counted": "TRUE", "never": "FALSE", "fires": "TRUE", "most": "1"
    }  # fmt: skip


IS_A = tag("equality", var("x"), const("c0"))
ONE_OF_THREE = document(
    place("p", "c", every("c"))
    + place("q", "c")
    + f'<transition id="t">{label("condition", IS_A)}</transition>'
    + arc("p", "t", var("x"))
    + arc("t", "q", tag("successor", var("x")))
)
