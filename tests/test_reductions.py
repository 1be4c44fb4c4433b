"""Reductions: each keeps the verdict, and what is lifted is accepted on the net that was asked.

Random nets are padded with what the rewrites look for: places that nothing changes or that follow
another one, transitions that are dead, idle or doubled, transitions cut in two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import explore, known_verdict
from questions import problem as ask
from strategies import nets, targets

from petricheck import plugins
from petricheck.answer import (
    Answer,
    Certificate,
    Hints,
    Reachable,
    Separator,
    StateEquationCertificate,
    Statistics,
    Trace,
    Unknown,
    Unreachable,
)
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, EvidenceError, QueryError
from petricheck.marking_table import MarkingTable
from petricheck.presburger.formulas import (
    FALSE,
    Conjunction,
    Disjunction,
    at_most,
    equal,
    variables,
)
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Problem, Transition, make_net, make_problem
from petricheck.questions import check
from petricheck.reductions import (
    Reduced,
    _fusion,
    common,
    composed_transitions,
    in_order,
    reduce,
    reduce_for_all,
)
from petricheck.reductions._selection import Selection
from petricheck.state_space.table import tabled

EXACT = "checked in exact integer arithmetic"
repeatable = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))

Arcs = dict[str, int]
Draft = tuple[Arcs, dict[str, tuple[Arcs, Arcs]]]
"""Tokens by place, and pre and post by transition."""

Padding = Callable[[st.DrawFn, Draft, str], None]
"""Adds to a draft something whose names start like this."""


def draft(net: Net) -> Draft:
    def arcs(weights: Sequence[tuple[int, int]]) -> Arcs:
        return {net.places[place]: weight for place, weight in weights}

    start = dict(zip(net.places, net.initial, strict=True))
    return start, {t.name: (arcs(t.pre), arcs(t.post)) for t in net.transitions}


def add_constant(draw: st.DrawFn, net: Draft, name: str) -> None:
    """A place that some transitions read, perhaps more of it than there is."""
    tokens, transitions = net
    tokens[name] = draw(st.integers(0, 2))
    for pre, post in transitions.values():
        if weight := draw(st.sampled_from((0, 0, 1, 2))):
            pre[name] = post[name] = weight


def add_parallel(draw: st.DrawFn, net: Draft, name: str) -> None:
    """A place with k times the effects of another, and perhaps smaller guards."""
    tokens, transitions = net
    old = draw(st.sampled_from(sorted(tokens)))
    factor, loose = draw(st.sampled_from((1, 1, 2, 3))), draw(st.booleans())
    tokens[name] = max(0, factor * tokens[old] + draw(st.integers(-1, 2)))
    for pre, post in transitions.values():
        taken, put = factor * pre.get(old, 0), factor * post.get(old, 0)
        shared = min(taken, put) if loose else 0
        if taken - shared:
            pre[name] = taken - shared
        if put - shared:
            post[name] = put - shared


def add_dead(draw: st.DrawFn, net: Draft, name: str) -> None:
    """Two places that feed each other, both empty, and one that needs more than comes."""
    tokens, transitions = net
    other = draw(st.sampled_from(sorted(tokens)))
    tokens |= {name: 0, f"{name}b": 0, f"{name}c": 1}
    transitions[f"{name}t"] = {name: 1}, {f"{name}b": 1, other: 1}
    transitions[f"{name}u"] = {f"{name}b": 1, other: 1}, {name: 2}
    transitions[f"{name}v"] = {f"{name}c": 2}, {other: 1}


def add_twin(draw: st.DrawFn, net: Draft, name: str) -> None:
    """A transition with the effect of another one, and one without effect."""
    tokens, transitions = net
    pre, post = (dict(arcs) for arcs in transitions[draw(st.sampled_from(sorted(transitions)))])
    place = draw(st.sampled_from(sorted(tokens)))
    for arcs in (pre, post) if draw(st.booleans()) else ():
        arcs[place] = arcs.get(place, 0) + 1
    transitions[name] = pre, post
    transitions[f"{name}i"] = {place: 1}, {place: 1}


def add_composed(draw: st.DrawFn, net: Draft, name: str) -> None:
    """A transition that does what two do one after the other, or else one more token's worth."""
    tokens, transitions = net
    pairs = st.sampled_from(sorted(transitions))
    (first, put), (second, last) = (transitions[draw(pairs)] for _ in range(2))
    pre = {p: max(first.get(p, 0), first.get(p, 0) - put.get(p, 0) + second.get(p, 0))
           for p in first.keys() | second.keys()}  # fmt: skip
    place = draw(st.sampled_from(sorted(tokens)))
    more = draw(st.sampled_from((0, 0, 1)))
    pre[place] = pre.get(place, 0) + more
    post = {p: pre.get(p, 0) - first.get(p, 0) + put.get(p, 0) - second.get(p, 0) + last.get(p, 0)
            for p in tokens}  # fmt: skip
    if more and draw(st.booleans()):
        post[place] -= 1
    transitions[name] = tuple({p: w for p, w in arcs.items() if w} for arcs in (pre, post))


def add_sink(draw: st.DrawFn, net: Draft, name: str) -> None:
    """A place that only grows, and a transition that it feeds."""
    tokens, transitions = net
    tokens |= {name: draw(st.integers(0, 2)), f"{name}s": 0}
    transitions[draw(st.sampled_from(sorted(transitions)))][1][name] = 1
    if draw(st.booleans()):
        transitions[f"{name}t"] = {name: 1}, {name: 1, f"{name}s": 1}


def cut(draw: st.DrawFn, net: Draft, name: str) -> None:
    """A transition in two, with a place between them; perhaps others feed or drain it too."""
    tokens, transitions = net
    old = draw(st.sampled_from(sorted(transitions)))
    pre, post = transitions[old]
    tokens[name] = draw(st.sampled_from((0, 0, 1, 2)))
    weight, into = draw(st.sampled_from((1, 1, 2))), draw(st.booleans())
    transitions[old] = pre, {name: weight if into else 1}
    transitions[f"{name}t"] = {name: 1 if into else weight}, post
    if draw(st.booleans()):
        transitions[draw(st.sampled_from(sorted(transitions)))][into][name] = 1


def add_cycle(draw: st.DrawFn, net: Draft, name: str) -> None:
    """Places in a circle, tokens that move around it, and transitions that put or take some."""
    tokens, transitions = net
    places = [f"{name}{number}" for number in range(draw(st.integers(2, 3)))]
    for _ in range(draw(st.integers(1, 3))):
        arcs = transitions[draw(st.sampled_from(sorted(transitions)))][draw(st.integers(0, 1))]
        arcs[draw(st.sampled_from(places))] = draw(st.integers(1, 2))
    tokens |= {place: draw(st.integers(0, 2)) for place in places}
    for number, place in enumerate(places):
        transitions[f"{name}t{number}"] = {place: 1}, {places[number - 1]: 1}


def add_alike(draw: st.DrawFn, net: Draft, name: str) -> None:
    """Places that are fed one by one, and from each the same transitions take."""
    tokens, transitions = net
    places = [f"{name}{number}" for number in range(draw(st.integers(2, 3)))]
    feeders = sorted(transitions)
    for number in range(draw(st.integers(1, 2))):
        pre, post = transitions[draw(st.sampled_from(feeders))]
        for place in places:
            transitions[f"{place}t{number}"] = {**pre, place: 1}, dict(post)
    for place in places:
        tokens[place] = draw(st.sampled_from((0, 0, 1, 2)))
        transitions[draw(st.sampled_from(feeders))][1][place] = draw(st.integers(1, 2))


PADDINGS = (
    add_constant,
    add_parallel,
    add_dead,
    add_twin,
    add_composed,
    add_sink,
    add_cycle,
    cut,
    cut,
)
FITTING = {
    "agglomeration": (cut,),
    "composed_transitions": (add_composed,),
    "cone_of_influence": (add_sink, add_parallel),
    "constant_places": (add_constant,),
    "dead_transitions": (add_dead,),
    "duplicate_transitions": (add_twin,),
    "fused_places": (add_cycle,),
    "future_equivalent_places": (add_alike,),
    "parallel_places": (add_parallel,),
    "redundant_places": (add_sink,),
}
"""What each rewrite looks for."""


@st.composite
def padded_problems(draw: st.DrawFn, paddings: Sequence[Padding] = PADDINGS) -> Problem:
    """A small net with up to four paddings; the target may be about these as well."""
    return draw(questionnaires(paddings, 1, 1))[0]


@st.composite
def questionnaires(
    draw: st.DrawFn, paddings: Sequence[Padding] = PADDINGS, least: int = 2, most: int = 4
) -> list[Problem]:
    """Several targets of one padded net."""
    base = draw(nets(max_places=3, max_transitions=4))
    padded = draft(base)
    for number, pad in enumerate(draw(st.lists(st.sampled_from(paddings), max_size=4))):
        pad(draw, padded, f"x{number}")
    net = make_net("padded", *padded)
    about = draw(st.sampled_from((base, base, net)))
    asked = draw(st.lists(targets(about), min_size=least, max_size=most))
    return [make_problem(net, target) for target in asked]


class Tally:
    """What came of many problems."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.tiers: Counter[tuple[str, str]] = Counter()

    def decide(self, problem: Problem, rewrites: Sequence[str], engine: str) -> None:
        """Reduce, compare the verdicts, lift the evidence, and audit it."""
        reduced = reduce(problem, Budget(), rewrites)
        self.counts["steps"] += bool(reduced.steps)
        known, after = known_verdict(problem, 200), known_verdict(reduced.problem, 200)
        assert None in (known, after) or known == after
        answer = reduced.decided() or decide(reduced.problem, engine)
        lifted = reduced.lift(answer)
        assert lifted is None or type(lifted) is type(answer)
        if isinstance(answer, Unknown):
            assert lifted == answer
            return
        if lifted is None:
            assert isinstance(answer, Unreachable)
            assert isinstance(answer.certificate, StateEquationCertificate)
            return
        assert not isinstance(lifted, Unknown)
        tier = audit(problem, lifted)
        verdict = type(lifted).__name__.lower()
        assert known in (None, verdict)
        self.counts[verdict] += bool(reduced.steps)
        self.tiers[audit(reduced.problem, answer), tier] += bool(reduced.steps)


def decide(problem: Problem, engine: str) -> Answer:
    return check(problem, engine=engine, budget=Budget(seconds=0.2)).answer


def run(count: int, rewrites: Sequence[str] = in_order(), engine: str = "cegar") -> Tally:
    """Decide `count` problems, always the same ones; they fit a rewrite that is alone."""
    tally = Tally()
    paddings = FITTING[rewrites[0]] if len(rewrites) == 1 else PADDINGS

    @settings(repeatable, max_examples=count, derandomize=True)
    @given(padded_problems(paddings))
    def decide(problem: Problem) -> None:
        tally.decide(problem, rewrites, engine)

    decide()
    return tally


# Every rewrite


def test_the_order_names_every_rewrite_once() -> None:
    assert sorted(in_order()) == list(plugins.members("reductions"))
    assert in_order()[0] == "dead_transitions"
    assert set(in_order()) - set(common()) == {"agglomeration", "future_equivalent_places"}


@pytest.mark.parametrize("rewrite", in_order())
def test_each_rewrite_alone_keeps_verdicts_and_its_lifted_evidence_is_accepted(
    rewrite: str,
) -> None:
    tally = run(45, (rewrite,))
    assert min(tally.counts["reachable"], tally.counts["unreachable"]) > 1
    assert all(before == after for before, after in tally.tiers), "none needs the solver instead"


@pytest.mark.parametrize("engine", ["cegar", "coverability", "explicit", "state_equation"])
def test_all_rewrites_together_lift_the_evidence_of_every_engine(engine: str) -> None:
    tally = run(50, in_order(), engine)
    assert tally.counts["unreachable"] > 2
    assert all(before == after for before, after in tally.tiers)


@settings(repeatable, max_examples=25)
@given(padded_problems(), st.permutations(in_order()))
def test_other_problems_and_orders_in_every_run(problem: Problem, order: list[str]) -> None:
    Tally().decide(problem, order, "cegar")


@settings(repeatable, max_examples=25)
@given(padded_problems(), st.sampled_from(in_order()))
def test_a_rewrite_only_removes_and_ends(problem: Problem, rewrite: str) -> None:
    reduced = reduce(problem, Budget(), (rewrite,))
    before, after = problem.net, reduced.problem.net
    assert set(after.places) <= set(before.places)
    names = {t.name for t in before.transitions}
    assert [t.name for t in after.transitions if t.name not in names] == []
    removed = len(before.places) + len(before.transitions)
    removed -= len(after.places) + len(after.transitions)
    assert reduced.applied == (((rewrite, removed),) if removed else ())
    assert (reduced.problem == problem) == (not removed)


@settings(repeatable, max_examples=25, derandomize=True)
@given(padded_problems())
def test_a_certificate_is_still_accepted_after_its_hints_are_lost(problem: Problem) -> None:
    reduced = reduce(problem, Budget())
    answer = reduced.decided() or decide(reduced.problem, "cegar")
    if isinstance(answer, Unreachable):
        assert isinstance(answer.certificate, Certificate)
        bare = replace(answer, certificate=Certificate(answer.certificate.invariant))
        lifted = reduced.lift(bare)
        assert isinstance(lifted, Unreachable)
        assert audit(problem, lifted) in (EXACT, "discharged by z3")


# One reduction for several targets


def decide_on_common_net(problems: Sequence[Problem], rewrites: Sequence[str]) -> Counter[str]:
    """Reduce once for all; then each alone as far as it goes, lifted through both and audited."""
    net, counts = problems[0].net, Counter[str]()
    common = reduce_for_all(net, [problem.target for problem in problems], Budget(), rewrites)
    for problem in problems:
        shared = common.about(problem.target)
        assert shared.problem.net is common.problem.net
        own = reduce(shared.problem, Budget())
        known = known_verdict(problem, 200)
        assert known_verdict(shared.problem, 200) in (None, known) or known is None
        answer = own.decided() or decide(own.problem, "cegar")
        halfway = own.lift(answer)
        assert halfway is not None
        lifted = shared.lift(halfway)
        assert lifted is not None
        if not isinstance(lifted, Unknown):
            assert not isinstance(halfway, Unknown)
            assert audit(problem, lifted) == audit(shared.problem, halfway)
            assert known in (None, type(lifted).__name__.lower())
            counts[type(lifted).__name__.lower()] += bool(common.steps)
    return counts


@pytest.mark.parametrize("rewrite", [*in_order(), "all"])
def test_a_reduction_for_all_targets_is_right_for_each(rewrite: str) -> None:
    counts: Counter[str] = Counter()
    rewrites = in_order() if rewrite == "all" else (rewrite,)

    @settings(repeatable, max_examples=25, derandomize=True)
    @given(questionnaires(FITTING.get(rewrite, PADDINGS)))
    def decide(problems: list[Problem]) -> None:
        counts.update(decide_on_common_net(problems, rewrites))

    decide()
    assert min(counts["reachable"], counts["unreachable"]) > 1


@settings(repeatable, max_examples=25)
@given(questionnaires())
def test_other_targets_in_every_run(problems: list[Problem]) -> None:
    decide_on_common_net(problems, common())


def test_what_one_target_names_stays_for_all() -> None:
    net = net_of("p=1 q=0 r=0, t: p -> q, u: p -> r")
    asked = [ask(net, cover="q=1"), ask(net, cover="r=1")]
    shared = reduce_for_all(net, [problem.target for problem in asked], Budget())
    assert shared.problem.net.places == ("p", "q", "r")
    for problem, left in zip(asked, ("q", "r"), strict=True):
        own = reduce(shared.about(problem.target).problem, Budget(), common())
        assert own.problem.net.places == ("p", left)


def test_each_target_has_constants_and_parallel_places_replaced() -> None:
    net = net_of("c=2 p=0 q=1, t: c -> c + p + q")
    asked = [ask(net, formula=f) for f in ("p = c", "q = 3", "p = q", "c = 3 and p = 0")]
    common = reduce_for_all(net, [problem.target for problem in asked], Budget())
    assert common.problem.net.places == ("p",)
    two = equal(variable("p"), 2)
    assert [common.about(problem.target).problem.target for problem in asked] == [
        two, two, FALSE, FALSE,
    ]  # fmt: skip


def test_a_target_about_places_that_went_is_refused() -> None:
    net = net_of("p=1 q=0 r=0, t: p -> q + r")
    common = reduce_for_all(net, [ask(net, cover="q=1").target], Budget())
    with pytest.raises(QueryError, match="'r'"):
        common.about(ask(net, cover="r=1").target)


# Traces and certificates one by one


def reduced_by(problem: Problem, *rewrites: str) -> Reduced:
    return reduce(problem, Budget(), rewrites or in_order())


def sizes(problem: Problem) -> tuple[int, int]:
    return len(problem.net.places), len(problem.net.transitions)


def test_a_constant_becomes_a_number_in_the_target() -> None:
    net = net_of("c=3 p=0, t: 2 c -> 2 c + 2 p")
    reduced = reduced_by(ask(net, formula="2*c + p = 9"), "constant_places")
    assert reduced.problem.net.places == ("p",)
    assert reduced.problem.target == equal(variable("p"), 3)


def test_a_transition_that_needs_more_than_a_constant_goes_with_it() -> None:
    net = net_of("c=1 p=0, t: 2 c -> 2 c + p")
    problem = ask(net, cover="p=1")
    reduced = reduced_by(problem, "constant_places")
    assert reduced.problem.net.transitions == ()
    lifted = reduced.lift(decide(reduced.problem, "cegar"))
    assert isinstance(lifted, Unreachable) and audit(problem, lifted) == EXACT


def test_an_impossible_constant_is_answered_without_an_engine() -> None:
    net = net_of("c=1 p=0, t: -> p")
    for formula in (
        "c = 2",
        "c >= 2 and p = 0",
        "c mod 2 = 0",
        "not c mod 2 = 1",
        "c = 0 or c > p + 5",
    ):
        problem = ask(net, formula=formula)
        reduced = reduced_by(problem)
        answer = reduced.decided()
        assert answer is not None
        lifted = reduced.lift(answer)
        assert isinstance(lifted, Unreachable) and audit(problem, lifted) == EXACT


def test_a_target_that_holds_already_needs_no_engine() -> None:
    net = net_of("c=1 p=0, t: -> p")
    decided = Reachable(Trace(()), Statistics("reductions"))
    assert reduced_by(ask(net, formula="c = 1")).decided() == decided
    assert reduced_by(ask(net, formula="p = 1")).decided() is None


@pytest.mark.parametrize("formula", ["2*p = q + 1", "p mod 2 = 0 and q = 3", "q - p >= 2"])
def test_numbers_that_no_value_divides_are_excluded_exactly(formula: str) -> None:
    """After q = p the targets are p = 1, a contradiction, and false: each in another way."""
    net = net_of("p=0 q=0, t: -> 4 p + 4 q")
    problem = ask(net, formula=formula)
    reduced = reduced_by(problem, "parallel_places")
    assert sizes(reduced.problem)[0] == 1
    lifted = reduced.lift(reduced.decided() or decide(reduced.problem, "cegar"))
    assert isinstance(lifted, Unreachable) and audit(problem, lifted) == EXACT


def test_a_parallel_place_goes_only_where_its_guards_follow() -> None:
    arcs: Arcs = {"p": 1, "q": 2}
    loose = make_net("n", {"p": 2, "q": 4, "r": 0}, {"t": (arcs, {"r": 1})})
    strict = make_net("n", {"p": 2, "q": 3, "r": 0}, {"t": (arcs, {"r": 1})})
    assert reduced_by(ask(loose, cover="r=2"), "parallel_places").problem.net.places == ("p", "r")
    assert reduced_by(ask(strict, cover="r=2"), "parallel_places").steps == ()


def test_of_two_transitions_with_one_effect_the_one_that_needs_less_stays() -> None:
    net = net_of("p=1 q=0, t: 2 p -> p + q, u: p -> q")
    reduced = reduced_by(ask(net, cover="q=1"), "duplicate_transitions")
    assert [t.name for t in reduced.problem.net.transitions] == ["u"]


def composing(both: tuple[Arcs, Arcs]) -> Reduced:
    """a: p + e → q + e, then b: q + r → s + r, and a transition that may do what these do."""
    net = make_net("n", {"p": 1, "e": 1, "q": 0, "r": 1, "s": 0}, {
        "both": both,
        "a": ({"p": 1, "e": 1}, {"q": 1, "e": 1}),
        "b": ({"q": 1, "r": 1}, {"s": 1, "r": 1}),
    })  # fmt: skip
    return reduced_by(ask(net, formula="s >= 2"), "composed_transitions")


BOTH: tuple[Arcs, Arcs] = ({"p": 1, "e": 1, "r": 1}, {"s": 1, "e": 1, "r": 1})


def test_a_transition_goes_that_two_do_one_after_the_other() -> None:
    reduced = composing(BOTH)
    assert [t.name for t in reduced.problem.net.transitions] == ["a", "b"]
    assert reduced.applied == (("composed_transitions", 1),)


@pytest.mark.parametrize("both", [
    ({"p": 1, "e": 1}, {"s": 1, "e": 1}),
    ({"p": 1, "r": 1}, {"s": 1, "r": 1}),
    ({"p": 1, "e": 1, "r": 1}, {"s": 2, "e": 1, "r": 1}),
], ids=["second needs more", "first needs more", "other effect"])  # fmt: skip
@pytest.mark.parametrize("prime", [(1 << 61) - 1, 1], ids=["", "all keys equal"])
def test_a_transition_stays_where_no_two_do_the_same(
    both: tuple[Arcs, Arcs], prime: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composed_transitions, "_PRIME", prime)
    assert composing(both).steps == ()


def test_a_transition_goes_that_another_one_does_twice() -> None:
    reduced = composing(({"p": 2, "e": 1}, {"q": 2, "e": 1}))
    assert [t.name for t in reduced.problem.net.transitions] == ["a", "b"]


def test_what_composes_another_transition_may_be_composed_itself() -> None:
    """tn moves n tokens; each but t1 is another one twice, up to 64 times in all."""
    powers = [2**n for n in range(9)]
    net = make_net("n", {"p": 256, "q": 0}, {f"t{n}": ({"p": n}, {"q": n}) for n in powers})
    reduced = reduced_by(ask(net, cover="q=257"), "composed_transitions")
    assert [t.name for t in reduced.problem.net.transitions] == ["t1", "t4"]
    (step,) = reduced.steps
    assert isinstance(step, Selection)
    assert [len(fate or ()) for fate in step.fates] == [1, 2, 1, 2, 4, 8, 16, 32, 64]


def test_hints_lead_through_the_disjunct_between() -> None:
    step = composing(BOTH).steps[0]
    p, q, s = (variable(name) for name in "pqs")
    states = [(at_most(p, a), at_most(q, b), at_most(s, 1 - a - b))
              for a, b in ((1, 0), (0, 1), (0, 0))]  # fmt: skip
    hints = Hints(((1, -1), (-1, 2), (-1, -1)), (Separator(0, (("s", 1),), 0, (1,), 1),))
    smaller = Unreachable(Certificate(Disjunction(tuple(map(Conjunction, states))), hints))
    assert audit(step.after, smaller) == EXACT
    lifted = step.lift(smaller)
    assert isinstance(lifted, Unreachable) and isinstance(lifted.certificate, Certificate)
    assert isinstance(lifted.certificate.hints, Hints)
    assert lifted.certificate.hints.successors == ((2, 1, -1), (-1, -1, 2), (-1, -1, -1))
    assert audit(step.before, lifted) == EXACT


def test_dead_transitions_follow_from_one_another() -> None:
    net = net_of("p=1 q=0 r=0, t: 2 p -> q, u: q -> r + p")
    problem = ask(net, cover="r=1")
    reduced = reduced_by(problem, "dead_transitions")
    assert sizes(reduced.problem) == (3, 0)
    lifted = reduced.lift(decide(reduced.problem, "cegar"))
    assert isinstance(lifted, Unreachable) and audit(problem, lifted) == EXACT


def test_what_is_dead_for_want_of_a_second_token_has_no_empty_siphon() -> None:
    net = net_of("p=1 q=0, t: 2 p -> q")
    reduced = reduced_by(ask(net, cover="q=1"), "dead_transitions")
    assert reduced.lift(Unreachable(StateEquationCertificate((), ()))) is None


def test_what_is_dead_in_an_empty_siphon_lifts_the_state_equation() -> None:
    net = net_of("p=0 q=0, t: p -> p + q")
    problem = ask(net, cover="q=1")
    lifted = reduced_by(problem, "dead_transitions").lift(
        Unreachable(StateEquationCertificate((), ()))
    )
    assert isinstance(lifted, Unreachable)
    assert audit(problem, lifted) == "discharged by z3"
    with pytest.raises(EvidenceError):
        audit(problem, Unreachable(StateEquationCertificate((), ())))


# Places among which tokens move


def circle(tokens: Arcs, target: str) -> tuple[Problem, Reduced]:
    """Moves a → b → c → a, and what puts and takes tokens."""
    moves = {"ab": ({"a": 1}, {"b": 1}), "bc": ({"b": 1}, {"c": 1}), "ca": ({"c": 1}, {"a": 1})}
    net = make_net("n", {"a": 0, "b": 0, "c": 0, "x": 0, "y": 0, **tokens}, {
        **moves, "in": ({"x": 1}, {"c": 2}), "out": ({"a": 2, "b": 1}, {"y": 1, "b": 1}),
    })  # fmt: skip
    problem = ask(net, formula=target)
    return problem, reduced_by(problem, "fused_places")


def test_places_in_a_circle_of_moves_become_one() -> None:
    _, reduced = circle({"a": 1, "c": 3}, "y >= 1")
    assert reduced.applied == (("fused_places", 5),)
    net = reduced.problem.net
    assert net.values(net.initial) == {"a": 4, "x": 0, "y": 0}
    assert [(t.name, t.pre, t.post) for t in net.transitions] == [
        ("in", ((1, 1),), ((0, 2),)),
        ("out", ((0, 3),), ((0, 1), (2, 1))),
    ]


def test_a_circle_through_a_place_of_the_target_stays() -> None:
    assert circle({"a": 1}, "y >= 1 and b = 0")[1].steps == ()


def test_tokens_are_moved_to_where_the_trace_needs_them() -> None:
    problem, reduced = circle({"x": 3}, "y >= 2")
    assert lifts(problem, reduced, Trace((("in", 3), ("out", 2)))).steps == (
        ("in", 3), ("ca", 5), ("ab", 1), ("out", 2),
    )  # fmt: skip
    problem, reduced = circle({"c": 7}, "y >= 3")
    assert lifts(problem, reduced, Trace((("out", 3),))).steps[-1] == ("out", 3)


def test_a_proof_about_the_one_place_is_one_about_the_sum_of_all() -> None:
    """Three tokens come to the circle, and each y takes two of them."""
    problem, reduced = circle({"x": 1, "a": 1}, "y >= 2")
    lifted = reduced.lift(decide(reduced.problem, "cegar"))
    assert isinstance(lifted, Unreachable) and isinstance(lifted.certificate, Certificate)
    assert {"a", "b", "c"} <= set(variables(lifted.certificate.invariant))
    assert audit(problem, lifted) == EXACT


def test_a_table_of_the_one_place_becomes_one_of_all() -> None:
    problem, reduced = circle({"x": 1, "a": 1}, "y >= 2")
    net = reduced.problem.net
    reachable = np.array(sorted(explore(net, 100) or ()), dtype=np.uint8)
    table = tabled(net.places, reachable)
    assert table is not None
    lifted = reduced.lift(Unreachable(table))
    assert isinstance(lifted, Unreachable) and isinstance(lifted.certificate, MarkingTable)
    assert lifted.certificate.count == len(reachable) < len(explore(problem.net, 100) or ())
    assert lifted.certificate.counted == (("a", (("b", 1), ("c", 1))),)
    audit(problem, lifted)


def test_a_trace_with_too_many_moves_is_not_lifted(monkeypatch: pytest.MonkeyPatch) -> None:
    _, reduced = circle({"x": 3}, "y >= 2")
    monkeypatch.setattr(_fusion, "STEPS", 3)
    assert reduced.lift(Reachable(Trace((("in", 3), ("out", 2))))) is None


def test_traps_and_siphons_of_fused_places_have_all_of_them() -> None:
    """t takes one of two tokens, so one is left for ever, wherever it moves."""
    net = net_of("a=0 b=3 y=0, ab: a -> b, ba: b -> a, t: 2 a -> a + y")
    problem = ask(net, cover="y=3")
    reduced = reduced_by(problem, "fused_places")
    assert sizes(reduced.problem) == (2, 1)
    lifted = reduced.lift(Unreachable(StateEquationCertificate((("a",),), ())))
    assert lifted == Unreachable(StateEquationCertificate((("a", "b"),), ()))
    assert isinstance(lifted, Unreachable) and audit(problem, lifted) == "discharged by z3"
    empty = reduced.lift(Unreachable(StateEquationCertificate((), ("a",))))
    assert empty == Unreachable(StateEquationCertificate((), ("a", "b")))


# Places whose tokens have the same future


def choice(more: dict[str, tuple[Arcs, Arcs]], target: str = "y >= 2") -> tuple[Problem, Reduced]:
    """Tokens go from a to p or to q, and on with one of r."""
    net = make_net("n", {"a": 2, "p": 0, "q": 0, "r": 1, "y": 0}, {
        "ap": ({"a": 1}, {"p": 1}), "aq": ({"a": 1}, {"q": 1}),
        "py": ({"p": 1, "r": 1}, {"r": 1, "y": 1}), "qy": ({"q": 1, "r": 1}, {"r": 1, "y": 1}),
        **more,
    })  # fmt: skip
    problem = ask(net, formula=target)
    return problem, reduced_by(problem, "future_equivalent_places")


def test_places_with_the_same_future_become_one() -> None:
    problem, reduced = choice({})
    assert reduced.problem.net.places == ("a", "p", "r", "y")
    trace = Trace((("ap", 1), ("aq", 1), ("qy", 2)))
    assert lifts(problem, reduced, trace).steps == (("ap", 1), ("aq", 1), ("py", 1), ("qy", 1))
    trace = Trace((("aq", 2), ("py", 2)))
    assert lifts(problem, reduced, trace).steps == (("aq", 2), ("qy", 2))


@pytest.mark.parametrize("more", [
    {"z": ({"p": 1}, {"a": 1})},
    {"z": ({"p": 1}, {"a": 1}), "zz": ({"q": 1}, {"r": 1})},
    {"z": ({"p": 1, "q": 1}, {"a": 1})},
    {"z": ({"p": 2}, {"a": 1}), "zz": ({"q": 2}, {"a": 1})},
], ids=["more follows", "they lead elsewhere", "both are taken from", "two are taken"])  # fmt: skip
def test_places_with_other_futures_stay(more: dict[str, tuple[Arcs, Arcs]]) -> None:
    assert choice(more)[1].steps == ()


def test_places_of_the_target_stay_whatever_their_future() -> None:
    assert choice({}, "y >= 2 and p = 0")[1].steps == ()


def test_a_proof_about_places_with_the_same_future_is_one_about_their_sum() -> None:
    problem, reduced = choice({}, "y >= 3")
    lifted = reduced.lift(decide(reduced.problem, "cegar"))
    assert isinstance(lifted, Unreachable) and isinstance(lifted.certificate, Certificate)
    assert {"p", "q"} <= set(variables(lifted.certificate.invariant))
    assert audit(problem, lifted) == EXACT


# Agglomeration


def test_a_long_agglomeration_looks_at_the_clock() -> None:
    """Many transitions move from each place of a chain to the next."""
    places = {f"z{n}": 0 for n in range(100)} | {f"x{n}": 1 for n in range(200)}
    feeders = {f"t{n}": ({f"x{n}": 1}, {"z0": 1}) for n in range(200)}
    chain = {f"h{n}": ({f"z{n}": 1}, {f"z{n + 1}": 1}) for n in range(99)}
    problem = ask(make_net("n", places, {**chain, **feeders}), cover="z99=200")
    with pytest.raises(BudgetExhausted):
        plugins.build("reductions", "agglomeration").apply(problem, Budget(0.0))


def agglomerated(net: Net, target: str) -> tuple[Problem, Reduced]:
    problem = ask(net, cover=target)
    return problem, reduced_by(problem, "agglomeration")


def lifts(problem: Problem, reduced: Reduced, trace: Trace) -> Trace:
    """The lifted trace, replayed."""
    lifted = reduced.lift(Reachable(trace))
    assert isinstance(lifted, Reachable)
    assert audit(problem, lifted) == "replayed exactly"
    return lifted.trace


def test_the_one_consumer_fires_after_what_feeds_it() -> None:
    net = net_of("a=4 p=0 q=0 z=0, t: a -> 2 p, h: p -> 3 q, u: 24 q -> z")
    problem, reduced = agglomerated(net, "z=1")
    assert sizes(reduced.problem) == (2, 1)
    assert lifts(problem, reduced, Trace((("u", 1),))).steps == (("t", 4), ("h", 8), ("u", 1))


def test_a_consumer_whose_output_the_feeder_needs_alternates_with_it() -> None:
    net = net_of("p=0 q=1 z=0, t: q -> p + z, h: p -> q")
    problem, reduced = agglomerated(net, "z=3")
    assert sizes(reduced.problem) == (2, 1)
    assert lifts(problem, reduced, Trace((("t", 3),))).steps == (("t", 1), ("h", 1)) * 3


def test_the_one_feeder_fires_before_what_it_feeds() -> None:
    net = net_of("a=9 b=9 p=0 z=0, f: a + 2 b -> p, t: 2 p + b -> z")
    problem, reduced = agglomerated(net, "z=1")
    assert sizes(reduced.problem) == (3, 1)
    assert lifts(problem, reduced, Trace((("t", 1),))).steps == (("f", 2), ("t", 1))


def test_a_place_that_starts_with_tokens_is_drained_first() -> None:
    net = net_of("p=3 q=0 r=5 z=0, h: p -> q, u: 3 q + r -> z, v: q -> r")
    problem, reduced = agglomerated(net, "z=1")
    assert reduced.problem.net.values(reduced.problem.net.initial) == {"q": 3, "r": 5, "z": 0}
    assert lifts(problem, reduced, Trace((("u", 1),))).steps == (("h", 3), ("u", 1))


@pytest.mark.parametrize(
    "transitions",
    [
        {"t": ({}, {"p": 1}), "h": ({"p": 2}, {"q": 1})},
        {"t": ({}, {"p": 1}), "h": ({"p": 1, "r": 1}, {"q": 1})},
        {"t": ({}, {"p": 1}), "h": ({"p": 1}, {"p": 1, "q": 1})},
        {"t": ({}, {"p": 1}), "h": ({"p": 1}, {"q": 1}), "g": ({"p": 1}, {"r": 1})},
    ],
    ids=["weight 2", "another input", "a loop", "two consumers"],
)
def test_a_consumer_that_has_a_choice_is_kept(
    transitions: dict[str, tuple[Arcs, Arcs]],
) -> None:
    start = {"p": 1, "q": 0, "r": 0, "z": 0}
    use = {"u": ({"q": 2, "r": 2}, {"z": 1}), "v": ({"q": 1, "z": 1}, {"r": 1})}
    _, reduced = agglomerated(make_net("n", start, transitions | use), "z=1")
    assert "p" in reduced.problem.net.places


def test_a_place_between_places_of_the_target_is_kept() -> None:
    net = net_of("r=1 p=0 q=0, t: r -> p, h: p -> q")
    assert agglomerated(net, "q=1, r=1")[1].steps == ()


def test_a_state_equation_is_not_lifted_over_an_agglomeration() -> None:
    net = net_of("a=1 p=0 z=0, t: a -> p, h: p ->")
    _, reduced = agglomerated(net, "z=1")
    assert reduced.steps
    assert reduced.lift(Unreachable(StateEquationCertificate((), ()))) is None


def test_a_trace_of_too_many_steps_is_not_lifted() -> None:
    net = net_of("p=0 q=1 z=0, t: q -> p + z, h: p -> q")
    _, reduced = agglomerated(net, "z=3")
    assert reduced.lift(Reachable(Trace((("t", 10**12),)))) is None


# Large nets, odd evidence, limits


def chain(length: int, tokens: int) -> Net:
    """p0 → p1 → … and back, with so many tokens on p0."""
    places = tuple(f"p{n}" for n in range(length + 1))
    there = [Transition(f"t{n}", ((n, 1),), ((n + 1, 1),)) for n in range(length)]
    back = [Transition(f"b{n}", ((n + 1, 1),), ((n, 1),)) for n in range(length)]
    return Net("chain", places, (*there, *back), (tokens, *(0 for _ in range(length))))


@pytest.mark.parametrize("target", ["p3000=2", "p3000=3"])
def test_a_long_chain_shrinks_to_what_the_target_names_and_lifts(target: str) -> None:
    problem = ask(chain(3000, 2), cover=target)
    reduced = reduced_by(problem)
    assert sizes(reduced.problem)[0] <= 3
    answer = decide(reduced.problem, "cegar")
    lifted = reduced.lift(answer)
    assert isinstance(lifted, Reachable if "=2" in target else Unreachable)
    assert audit(problem, lifted) in ("replayed exactly", EXACT)


def test_an_empty_chain_is_dead_and_its_siphon_is_one_atom() -> None:
    problem = ask(chain(3000, 0), cover="p3000=1")
    reduced = reduced_by(problem)
    assert sizes(reduced.problem) == (0, 0)
    answer = reduced.decided()
    assert answer is not None
    lifted = reduced.lift(answer)
    assert isinstance(lifted, Unreachable) and isinstance(lifted.certificate, Certificate)
    assert audit(problem, lifted) == EXACT
    (disjunct,) = lifted.certificate.invariant.operands  # type: ignore[union-attr]
    assert isinstance(disjunct, Conjunction) and len(disjunct.operands) <= 6


def test_hints_of_another_shape_are_dropped_and_the_solver_decides() -> None:
    net = net_of("c=1 p=0, t: 2 c -> 2 c + p")
    problem = ask(net, cover="p=1")
    reduced = reduced_by(problem, "constant_places")
    hints = Hints(((0, 0, 0), (1,)), (Separator(9, (("p", 1),), 0, (1, 2, 3), 1),))
    for invariant in (at_most(variable("p"), 0), Disjunction((at_most(variable("p"), 0),))):
        lifted = reduced.lift(Unreachable(Certificate(invariant, hints)))
        assert isinstance(lifted, Unreachable)
        assert audit(problem, lifted) == "discharged by z3"


def test_a_reduction_stops_where_the_budget_does() -> None:
    with pytest.raises(BudgetExhausted):
        reduce(ask(chain(3, 1), cover="p1=1"), Budget(seconds=0.0))


def test_progress_tells_the_sizes() -> None:
    lines: list[str] = []
    reduce(ask(chain(9, 1), cover="p9=2"), Budget(watch=lambda event: lines.append(event.text)))
    assert lines and lines[-1] == "reduced to 2 places and 2 transitions"
