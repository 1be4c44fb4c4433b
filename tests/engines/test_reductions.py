"""Reductions: each keeps the verdict, and what is lifted is accepted on the net that was asked.

Random nets are padded with what the rewrites look for: places that nothing changes or that follow
another one, transitions that are dead, idle or doubled, transitions cut in two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from false_rows import listed, wall
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import EXACT, formula, formulas, net_of, problem, trace_of
from oracle import known_verdict
from strategies import nets, repeatable, targets

from petricheck.arithmetic.formulas.formulas import FALSE, atoms, variables
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines.reductions import (
    Reduced,
    ReductionStep,
    common,
    in_order,
    reduce,
    reduce_for_all,
)
from petricheck.evidence.answer import (
    Answer,
    Reachable,
    Statistics,
    Trace,
    Unknown,
    Unreachable,
)
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.invariant import Certificate, Hints
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.net import Net, Transition, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import check
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError, QueryError

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


PADDINGS = (
    add_constant,
    add_parallel,
    add_dead,
    add_twin,
    add_composed,
    add_sink,
    cut,
    cut,
)
FITTING = {
    "agglomeration": (cut,),
    "composed_transitions": (add_composed,),
    "cone_of_influence": (add_sink, add_parallel),
    "constant_places": (add_constant,),
    "dead_transitions": (add_dead,),
    "decided_parts": (add_parallel, add_dead, cut),
    "duplicate_transitions": (add_twin,),
    "parallel_places": (add_parallel,),
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

    @repeatable(count)
    @given(padded_problems(paddings))
    def decide(problem: Problem) -> None:
        tally.decide(problem, rewrites, engine)

    decide()
    return tally


# Every rewrite


def test_the_order_names_every_rewrite_once() -> None:
    assert sorted(in_order()) == list(plugins.members("reductions"))
    assert in_order()[0] == "dead_transitions"
    assert set(in_order()) - set(common()) == {"agglomeration", "decided_parts"}


MORE_OR_LESS = pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.slow), 2])
"""Divides the number of examples."""


@MORE_OR_LESS
@pytest.mark.parametrize("rewrite", in_order())
def test_each_rewrite_alone_keeps_verdicts_and_its_lifted_evidence_is_accepted(
    rewrite: str, share: int
) -> None:
    count = {"agglomeration": 60, "decided_parts": 120}.get(rewrite, 30 // share)
    tally = run(count, (rewrite,))
    assert min(tally.counts["reachable"], tally.counts["unreachable"]) > 0
    assert all(before == after for before, after in tally.tiers), "none needs the solver instead"


@pytest.mark.parametrize("engine", ["cegar", "coverability", "explicit", "state_equation"])
def test_all_rewrites_together_lift_the_evidence_of_every_engine(engine: str) -> None:
    tally = run(25, in_order(), engine)
    assert tally.counts["unreachable"] > 2
    assert all(before == after for before, after in tally.tiers)


@settings(max_examples=15, database=None)
@given(padded_problems(), st.permutations(in_order()))
def test_other_problems_and_orders_in_every_run(problem: Problem, order: list[str]) -> None:
    Tally().decide(problem, order, "cegar")


@settings(max_examples=15, database=None)
@given(padded_problems(), st.sampled_from(in_order()))
def test_a_rewrite_only_removes_and_ends(problem: Problem, rewrite: str) -> None:
    reduced = reduce(problem, Budget(), (rewrite,))
    before, after = problem.net, reduced.problem.net
    assert set(after.places) <= set(before.places)
    names = {t.name for t in before.transitions}
    assert [t.name for t in after.transitions if t.name not in names] == []
    removed = len(before.places) + len(before.transitions)
    removed -= len(after.places) + len(after.transitions)
    if rewrite == "decided_parts":
        removed += len([*atoms(problem.target)]) - len([*atoms(reduced.problem.target)])
    assert reduced.applied == (((rewrite, removed),) if removed else ())
    assert (reduced.problem == problem) == (not removed)


@repeatable(15)
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


def reduced_by(asked: Problem, rewrite: str) -> Reduced:
    return reduce(asked, Budget(), [rewrite])


# One reduction for several targets


def decide_on_common_net(problems: Sequence[Problem], rewrites: Sequence[str]) -> Counter[str]:
    """Reduce once for all; then each alone as far as it goes, lifted through both and audited."""
    net, counts = problems[0].net, Counter[str]()
    common = reduce_for_all(net, [problem.target for problem in problems], Budget(), rewrites)
    for asked in problems:
        shared = common.about(asked.target)
        assert shared.problem.net is common.problem.net
        own = reduce(shared.problem, Budget())
        known = known_verdict(asked, 200)
        assert known_verdict(shared.problem, 200) in (None, known) or known is None
        answer = own.decided() or decide(own.problem, "cegar")
        halfway = own.lift(answer)
        assert halfway is not None
        lifted = shared.lift(halfway)
        assert lifted is not None
        if not isinstance(lifted, Unknown):
            assert not isinstance(halfway, Unknown)
            assert audit(asked, lifted) == audit(shared.problem, halfway)
            assert known in (None, type(lifted).__name__.lower())
            counts[type(lifted).__name__.lower()] += bool(common.steps)
    return counts


@pytest.mark.slow
@MORE_OR_LESS
@pytest.mark.parametrize("rewrite", [*in_order(), "all"])
def test_a_reduction_for_all_targets_is_right_for_each(rewrite: str, share: int) -> None:
    counts: Counter[str] = Counter()
    rewrites = in_order() if rewrite == "all" else (rewrite,)

    @repeatable(50 if rewrite == "agglomeration" else 25 // share)
    @given(questionnaires(FITTING.get(rewrite, PADDINGS)))
    def decide(problems: list[Problem]) -> None:
        counts.update(decide_on_common_net(problems, rewrites))

    decide()
    assert min(counts["reachable"], counts["unreachable"]) > 0


def test_what_one_target_names_stays_for_all() -> None:
    net = net_of("p=1 q=0 r=0, t: p -> q, u: p -> r")
    targets = [formula("q >= 1"), formula("r >= 1")]
    shared = reduce_for_all(net, targets, Budget())
    assert shared.problem.net.places == ("p", "q", "r")
    for target, left in zip(targets, ("q", "r"), strict=True):
        own = reduce(shared.about(target).problem, Budget(), common())
        assert own.problem.net.places == ("p", left)


def test_each_target_has_constants_and_parallel_places_replaced() -> None:
    net = net_of("c=2 p=0 q=1, t: c -> c + p + q")
    targets = [formula(text) for text in ("p == c", "q == 3", "p == q", "c == 3 and p == 0")]
    shared = reduce_for_all(net, targets, Budget())
    assert shared.problem.net.places == ("p",)
    two = formula("p == 2")
    assert [shared.about(target).problem.target for target in targets] == [two, two, FALSE, FALSE]


def test_a_target_about_places_that_went_is_refused() -> None:
    shared = reduce_for_all(net_of("p=1 q=0 r=0, p -> q + r"), [formula("q >= 1")], Budget())
    with pytest.raises(QueryError, match="'r'"):
        shared.about(formula("r >= 1"))


# One by one: what is left, where traces are lifted, and what proofs become


COMPOSED = "p=1 e=1 q=0 r=1 s=0, both: {}, a: p + e -> q + e, b: q + r -> s + r"
"""A transition that may do what a and b do one after the other."""

BOTH = "p + e + r -> s + e + r"
POWERS = [2**n for n in range(9)]
DOUBLED = "p=256 q=0, " + ", ".join(f"t{n}: {n} p -> {n} q" for n in POWERS)
"""Each transition but t1 is another one twice."""

LEFT = {
    "constant_places": (
        ("c=3 p=0, 2 c -> 2 c + 2 p", "2*c + p == 9", "p", "t"),
        ("c=1 p=0, 2 c -> 2 c + p", "p >= 1", "c p", "t"),
    ),
    "parallel_places": (
        ("p=2 q=4 r=0, p + 2 q -> r", "r >= 2", "p r", "t"),
        ("p=2 q=3 r=0, p + 2 q -> r", "r >= 2", "p q r", "t"),
    ),
    "duplicate_transitions": (("p=1 q=0, t: 2 p -> p + q, u: p -> q", "q >= 1", "p q", "u"),),
    "composed_transitions": (
        (COMPOSED.format(BOTH), "s >= 2", "p e q r s", "a b"),
        (COMPOSED.format("2 p + e -> 2 q + e"), "s >= 2", "p e q r s", "a b"),
        (DOUBLED, "q >= 257", "p q", "t1 t4"),
    ),
    "dead_transitions": (("p=1 q=0 r=0, t: 2 p -> q, u: q -> r + p", "r >= 1", "p q r", ""),),
    "agglomeration": (("r=1 p=0 q=0, t: r -> p, h: p -> q", "q >= 1 and r >= 1", "r p q", "t h"),),
}
"""By rewrite nets and targets, with the places and transitions that it leaves."""


@pytest.mark.parametrize(
    ("rewrite", "system", "goal", "places", "transitions"),
    [(rewrite, *row) for rewrite, rows in LEFT.items() for row in rows],
)
def test_a_rewrite_leaves_these_places_and_transitions(
    rewrite: str, system: str, goal: str, places: str, transitions: str
) -> None:
    asked = problem(system, goal)
    net = reduced_by(asked, rewrite).problem.net
    assert net.places == tuple(places.split())
    assert [transition.name for transition in net.transitions] == transitions.split()


UNUSED = "u: 2 q + 2 r -> z, v: q + z -> r"


@pytest.mark.parametrize(
    ("rewrite", "system", "goal"),
    [
        *(
            ("composed_transitions", COMPOSED.format(move), "s >= 2")
            for move in ("p + e -> s + e", "p + r -> s + r", "p + e + r -> 2 s + e + r")
        ),
        *(
            ("agglomeration", f"p=1 q=0 r=0 z=0, t: -> p, {moves}, {UNUSED}", "z >= 1")
            for moves in ("h: 2 p -> q", "h: p + r -> q", "h: p -> p + q", "h: p -> q, g: p -> r")
        ),
    ],
)
def test_what_is_needed_stays(rewrite: str, system: str, goal: str) -> None:
    net = reduced_by(problem(system, goal), rewrite).problem.net
    assert "p" in net.places and ("both" in net.transition_numbers or "both" not in system)


@pytest.mark.parametrize(
    ("system", "goal", "shorter", "longer"),
    [
        ("a=4 p=0 q=0 z=0, t: a -> 2 p, h: p -> 3 q, u: 24 q -> z", "z >= 1", "u", "t^4 h^8 u"),
        ("p=0 q=1 z=0, t: q -> p + z, h: p -> q", "z >= 3", "t^3", "t h t h t h"),
        ("a=9 b=9 p=0 z=0, f: a + 2 b -> p, t: 2 p + b -> z", "z >= 1", "t", "f^2 t"),
        ("p=3 q=0 r=5 z=0, h: p -> q, u: 3 q + r -> z, v: q -> r", "z >= 1", "u", "h^3 u"),
    ],
)
def test_a_merged_transition_is_fired_again_in_its_place(
    system: str, goal: str, shorter: str, longer: str
) -> None:
    asked = problem(system, goal)
    lifted = reduced_by(asked, "agglomeration").lift(Reachable(trace_of(shorter)))
    assert isinstance(lifted, Reachable) and audit(asked, lifted) == "replayed exactly"
    assert lifted.trace == trace_of(longer)


def test_a_trace_of_too_many_steps_is_not_lifted() -> None:
    asked = problem("p=0 q=1 z=0, t: q -> p + z, h: p -> q", "z >= 3")
    assert reduced_by(asked, "agglomeration").lift(Reachable(Trace((("t", 10**12),)))) is None


IMPOSSIBLE = ("c == 2", "c >= 2 and p == 0", "c % 2 == 0", "not c % 2 == 1", "c == 0 or c >= p + 6")
PARALLEL = ("2*p == q + 1", "p % 2 == 0 and q == 3", "q - p >= 2")


@pytest.mark.parametrize(
    ("rewrite", "system", "goal", "names"),
    [
        ("dead_transitions", "p=1 q=0 r=0, t: 2 p -> q, u: q -> r + p", "r >= 1", "r"),
        *(("all", "c=1 p=0, -> p", goal, "") for goal in IMPOSSIBLE),
        # After q = p the targets are p = 1, a contradiction, and false: each in another way.
        *(("parallel_places", "p=0 q=0, -> 4 p + 4 q", goal, "") for goal in PARALLEL),
    ],
)
def test_a_proof_is_lifted_to_an_exact_one_about_these_places(
    rewrite: str, system: str, goal: str, names: str
) -> None:
    asked = problem(system, goal)
    reduced = reduce(asked, Budget()) if rewrite == "all" else reduced_by(asked, rewrite)
    lifted = reduced.lift(reduced.decided() or decide(reduced.problem, "cegar"))
    assert isinstance(lifted, Unreachable) and isinstance(lifted.certificate, Certificate)
    assert set(names) <= set(variables(lifted.certificate.invariant))
    assert audit(asked, lifted) == EXACT
    assert reduced.decided() or rewrite != "all"


def test_a_target_that_holds_already_needs_no_engine() -> None:
    decided = Reachable(Trace(()), Statistics("reductions"))
    assert reduce(problem("c=1 p=0, -> p", "c == 1"), Budget()).decided() == decided
    assert reduce(problem("c=1 p=0, -> p", "p == 1"), Budget()).decided() is None


def test_hints_lead_through_the_disjunct_between() -> None:
    (step,) = reduced_by(problem(COMPOSED.format(BOTH), "s >= 2"), "composed_transitions").steps
    smaller = listed(
        *(formulas(f"p <= {a}, q <= {b}, s <= {1 - a - b}") for a, b in ((1, 0), (0, 1), (0, 0))),
        after=((1, -1), (-1, 2), (-1, -1)),
        walls=[wall(variable("s"), 1)],
    )
    assert audit(step.after, Unreachable(smaller)) == EXACT
    lifted = step.lift(Unreachable(smaller))
    assert isinstance(lifted, Unreachable) and isinstance(lifted.certificate.hints, Hints)
    assert lifted.certificate.hints.successors == ((2, 1, -1), (-1, -1, 2), (-1, -1, -1))
    assert audit(step.before, lifted) == EXACT


def equation(*traps: str, siphon: str = "") -> Unreachable:
    return Unreachable(StateEquationCertificate(tuple(map(tuple, traps)), tuple(siphon)))


CIRCLE = "a=1 b=0 c=1 d=1 p=0 z=0"


@pytest.mark.parametrize(
    ("rewrite", "system", "goal", "before", "after"),
    [
        # What is dead for want of a second token has no empty siphon.
        ("dead_transitions", "p=1 q=0, 2 p -> q", "q >= 1", equation(), None),
        ("dead_transitions", "p=0 q=0, p -> p + q", "q >= 1", equation(), equation(siphon="pq")),
        ("agglomeration", "a=1 p=0 z=0, t: a -> p, h: p ->", "z >= 1", equation(), equation()),
        # A token of p becomes one of a; it comes from a and c; one of s comes from p.
        ("agglomeration", f"{CIRCLE}, u: b + d -> p + d, h: p -> a, t: a + d -> b + d",
         "z >= 1", equation("ab"), equation("abp")),
        ("agglomeration", f"{CIRCLE}, f: a + c -> p, t: p + d -> b + c + d, u: b + d -> a + d",
         "z >= 1", equation("ab"), equation("abp")),
        ("agglomeration", "d=1 s=0 p=0 z=0, h: p -> s, u: s + d -> p + d, v: s + d -> z + d",
         "z >= 1", equation(siphon="p"), equation(siphon="ps")),
    ],
)  # fmt: skip
def test_traps_and_siphons_are_lifted_where_that_is_possible(
    rewrite: str, system: str, goal: str, before: Unreachable, after: Unreachable | None
) -> None:
    asked = problem(system, goal)
    reduced = reduced_by(asked, rewrite)
    lifted = reduced.lift(before)
    assert reduced.steps and lifted == after
    assert not isinstance(lifted, Unreachable) or audit(asked, lifted) == "discharged by z3"


def largest(
    net: Net, places: set[int], needs: Callable[[Transition], tuple[set[int], set[int]]]
) -> tuple[str, ...]:
    """The largest part of the places on which each transition that has a first has a second too."""
    while True:
        sides = [needs(transition) for transition in net.transitions]
        out = set[int]().union(*(one for one, other in sides if places.isdisjoint(other)))
        if places.isdisjoint(out):
            return tuple(net.places[place] for place in sorted(places))
        places = places - out


@st.composite
def state_equations(draw: st.DrawFn, net: Net) -> StateEquationCertificate:
    """Marked traps, an empty siphon, and an unmarked set."""
    arcs = [({p for p, _ in t.pre}, {p for p, _ in t.post}) for t in net.transitions]
    sides = dict(zip(net.transitions, arcs, strict=True))
    some = st.sets(st.sampled_from(range(len(net.places))))
    traps = [largest(net, draw(some), sides.__getitem__) for _ in range(2)]
    empty = {place for place in draw(some) if not net.initial[place]}
    siphon = largest(net, empty, lambda transition: sides[transition][::-1])
    marked = [trap for trap in traps if any(net.initial[net.place_numbers[p]] for p in trap)]
    unmarked = {net.places[place] for place in draw(some) if not net.initial[place]}
    return StateEquationCertificate(tuple(marked), siphon, (tuple(sorted(unmarked)),))


def is_accepted(asked: Problem, certificate: StateEquationCertificate) -> bool:
    try:
        return bool(audit(asked, Unreachable(certificate)))
    except EvidenceError as error:
        assert "meets the target" in str(error), "traps and siphons are such"
        return False


@MORE_OR_LESS
def test_traps_and_siphons_over_merged_transitions_say_the_same(share: int) -> None:
    counts: Counter[str] = Counter()

    @repeatable(150 // share)
    @given(st.data())
    def lift(data: st.DataObject) -> None:
        asked = data.draw(padded_problems((cut, add_dead)))
        reduced = reduced_by(asked, "agglomeration")
        if not reduced.steps or not reduced.problem.net.places:
            return
        certificate = data.draw(state_equations(reduced.problem.net))
        lifted = reduced.lift(Unreachable(certificate))
        assert isinstance(lifted, Unreachable)
        wide = lifted.certificate
        assert isinstance(wide, StateEquationCertificate)
        before = is_accepted(reduced.problem, certificate)
        assert is_accepted(asked, wide) or not before
        counts["accepted"] += before
        counts["traps"] += wide.traps != certificate.traps
        counts["siphon"] += len(wide.siphon) > len(certificate.siphon)
        counts["unmarked"] += wide.unmarked != certificate.unmarked

    lift()
    assert min(counts.values()) > 5 // share, counts


# Large nets, odd evidence, limits


def chain(length: int, tokens: int) -> Net:
    """p0 → p1 → … and back, with so many tokens on p0."""
    places = tuple(f"p{n}" for n in range(length + 1))
    there = [Transition(f"t{n}", ((n, 1),), ((n + 1, 1),)) for n in range(length)]
    back = [Transition(f"b{n}", ((n + 1, 1),), ((n, 1),)) for n in range(length)]
    return Net("chain", places, (*there, *back), (tokens, *(0 for _ in range(length))))


@pytest.mark.parametrize(
    ("tokens", "wanted", "verdict", "places"),
    [(2, 2, Reachable, 3), (2, 3, Unreachable, 3), (0, 1, Unreachable, 0)],
)
def test_a_long_chain_shrinks_to_what_the_target_names_and_lifts(
    tokens: int, wanted: int, verdict: type, places: int
) -> None:
    asked = make_problem(chain(3000, tokens), formula(f"p3000 >= {wanted}"))
    reduced = reduce(asked, Budget())
    assert len(reduced.problem.net.places) <= places
    lifted = reduced.lift(reduced.decided() or decide(reduced.problem, "cegar"))
    assert isinstance(lifted, verdict)
    assert audit(asked, lifted) in ("replayed exactly", EXACT)
    if not tokens:
        (disjunct,) = lifted.certificate.invariant.operands
        assert len(disjunct.operands) <= 6, "its siphon is one atom"


def test_hints_of_another_shape_are_dropped_and_the_solver_decides() -> None:
    asked = problem("c=1 p=0, 2 c -> 2 c + p", "p >= 1")
    reduced = reduced_by(asked, "dead_transitions")
    hints = Hints(((0, 0, 0), (1,)), (wall(variable("p"), 1, 2, 3, cube=9),))
    for invariant in (formula("p <= 0"), formula("any(p <= 0)")):
        lifted = reduced.lift(Unreachable(Certificate(invariant, hints)))
        assert isinstance(lifted, Unreachable)
        assert audit(asked, lifted) == "discharged by z3"


def test_a_long_agglomeration_looks_at_the_clock() -> None:
    """Many transitions move from each place of a chain to the next."""
    places = {f"z{n}": 0 for n in range(100)} | {f"x{n}": 1 for n in range(200)}
    feeders = {f"t{n}": ({f"x{n}": 1}, {"z0": 1}) for n in range(200)}
    moves = {f"h{n}": ({f"z{n}": 1}, {f"z{n + 1}": 1}) for n in range(99)}
    asked = make_problem(make_net("n", places, {**moves, **feeders}), formula("z99 >= 200"))
    agglomeration = plugins.build("reductions", "agglomeration")
    halfway, whole = (
        agglomeration.apply(asked, limits).count for limits in (Budget(0.0), Budget())
    )
    assert 0 < halfway < whole


class Late:
    """A rewrite whose time is over, or memory."""

    of_net = True

    def __init__(self, limits: Budget) -> None:
        self._limits = limits

    def apply(self, problem: Problem, budget: Budget) -> None:
        self._limits.check()


def test_what_was_removed_before_the_time_is_over_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = problem("c=1 p=0 q=0, t: c -> c + p, u: p -> p + q", "p >= 2")
    assert reduce(asked, Budget(0.0)).problem == asked
    members = {"first": plugins.build("reductions", "constant_places"), "late": Late(Budget(0.0))}
    monkeypatch.setattr(plugins, "build", lambda _, name: members[name])
    assert reduce(asked, Budget(), ("first", "late")).problem.net.places == ("p", "q")
    members["late"] = Late(Budget(memory=1))
    with pytest.raises(BudgetExhausted, match="memory"):
        reduce(asked, Budget(memory=1), ("first", "late"))


def test_a_rewrite_looks_again_where_others_changed_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[str] = []

    class Watched:
        def __init__(self, name: str) -> None:
            self._name, self._rewrite = name, build("reductions", name)
            self.of_net = self._rewrite.of_net

        def apply(self, problem: Problem, budget: Budget) -> ReductionStep | None:
            looked.append(self._name)
            return self._rewrite.apply(problem, budget)

    build = plugins.build
    monkeypatch.setattr(plugins, "build", lambda _, name: Watched(name))
    net = net_of("c=1 p=0 q=0 r=0, t: c -> c + p, u: p -> q, v: p -> r")
    targets = [formula("q >= 2"), formula("r >= 2")]
    shared = reduce_for_all(net, targets, Budget())
    counts = Counter(looked)
    assert counts["dead_transitions"] == 2, "constants went since then"
    assert counts["constant_places"] == 1
    looked.clear()
    again = shared.about(targets[0]).then(Budget(), common())
    assert looked[0] == "cone_of_influence", "it alone asks what the target names"
    assert again.problem == reduce(shared.about(targets[0]).problem, Budget(), common()).problem


@settings(max_examples=15, database=None)
@given(questionnaires(), st.sampled_from(in_order()))
def test_what_depends_on_the_net_alone_is_the_same_for_each_target(
    problems: list[Problem], rewrite: str
) -> None:
    member = plugins.build("reductions", rewrite)
    steps = [member.apply(asked, Budget()) for asked in problems]
    nets = {step and step.after.net for step in steps}
    assert len(nets) == 1 or not member.of_net


def test_progress_tells_the_sizes() -> None:
    lines: list[str] = []
    asked = make_problem(chain(9, 1), formula("p9 >= 1"))
    reduce(asked, Budget(watch=lambda event: lines.append(event.text)))
    assert lines and lines[-1] == "reduced to 2 places and 2 transitions"


# Parts that the state equation decides

PAIRS = "p=2 q=0 a=1 b=0, t: 2 p -> 2 q, u: 2 q -> 2 p, v: a -> b, w: b -> a"
"""q is even, which no solution of the state equation over the rationals knows; a + b = 1."""

ABOUT_ALL = {
    "q == 1 or a >= 2": False,
    "q == 1 and (a <= 1 or b >= 1)": True,
    "a <= 1 and (a + b != 1 or q == 1)": False,
}
"""Of each is left q = 1. Whether the tokens of p and q alone exclude it."""


@pytest.mark.parametrize("goal", ABOUT_ALL)
@pytest.mark.parametrize("engine", ["cegar", "explicit:listed=1", "state_equation"])
def test_evidence_about_what_is_left_becomes_evidence_about_the_target(
    goal: str, engine: str
) -> None:
    asked = problem(PAIRS, goal)
    reduced = reduced_by(asked, "decided_parts")
    assert reduced.problem == Problem(asked.net, formula("q == 1"))
    answer = check(reduced.problem, engine=engine).answer
    lifted = reduced.lift(answer)
    assert isinstance(answer, Unreachable) and isinstance(lifted, Unreachable)
    assert audit(asked, lifted) == audit(reduced.problem, answer)


@pytest.mark.parametrize("goal", ABOUT_ALL)
def test_a_table_is_lifted_where_the_target_needs_nothing_that_it_lacks(goal: str) -> None:
    asked = problem(PAIRS, goal)
    reduced = reduce(asked, Budget(), ["decided_parts", "cone_of_influence"])
    answer = check(reduced.problem, engine="explicit:listed=1").answer
    assert reduced.problem.net.places == ("p", "q") and isinstance(answer, Unreachable)
    assert isinstance(answer.certificate, MarkingTable)
    lifted = reduced.lift(answer)
    assert (lifted is not None) == ABOUT_ALL[goal]
    if lifted is not None:
        assert isinstance(lifted, Unreachable)
        audit(asked, lifted)


def test_an_empty_siphon_on_which_half_spaces_depend_is_in_every_proof() -> None:
    dead = ", x: r -> r + a"  # Nothing puts on r.
    asked = problem(PAIRS.replace("b=0", "b=0 r=0") + dead, "q == 1 or a >= 2")
    reduced = reduced_by(asked, "decided_parts")
    whole = StateEquationCertificate((), ())
    for certificate in (check(reduced.problem, engine="cegar").answer, Unreachable(whole)):
        lifted = reduced.lift(certificate)
        assert isinstance(lifted, Unreachable)
    assert lifted.certificate == StateEquationCertificate((), ("r",))


def test_the_only_conjunction_of_a_target_stays_whole() -> None:
    simplifying = plugins.build("reductions", "decided_parts")
    assert simplifying.apply(problem(PAIRS, "q == 1 and a <= 1"), Budget()) is None


def test_of_several_targets_each_loses_its_own_parts() -> None:
    goals = [formula(goal) for goal in ("q == 1 or a >= 2", "b == 1 or q >= 3", "q == 1")]
    shared = reduce_for_all(net_of(PAIRS), goals, Budget(), ["decided_parts"])
    left = [shared.about(goal).problem.target for goal in goals]
    assert left == [formula("q == 1"), formula("b == 1"), formula("q == 1")]
