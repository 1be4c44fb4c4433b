"""Random problems, decided end to end: no verdict disagrees with brute force or with the solver.

`pytest -m campaign` runs thousands of them under the limit that the project promises; the suite
runs a sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from oracle import known_verdict, replay, successor
from strategies import constraints, markings, nets, problems, targets, terms

from petricheck import plugins
from petricheck.answer import Certificate, Reachable, Trace, Unknown, Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.errors import EvidenceError
from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    Negation,
    at_least,
    conjunction,
    different,
    disjunction,
    equal,
    evaluate,
    substitute,
)
from petricheck.presburger.solver import find_model
from petricheck.presburger.terms import Term, linear, variable
from petricheck.problem import Net, Problem, make_net, make_problem
from petricheck.questions import check

HEURISTICS = plugins.members("heuristics")
TIERS = ("checked in exact integer arithmetic", "discharged by z3")
repeatable = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


@st.composite
def harder_problems(draw: st.DrawFn) -> Problem:
    """More places and transitions, heavier weights, targets that are deeper than one level.

    The target is left as it was drawn, so that brute force does not see what `make_problem` makes
    of it.
    """
    base = draw(nets(max_places=6, max_transitions=7))
    factor = draw(st.sampled_from((1, 1, 2, 7)))
    shift = draw(st.integers(0, 5))
    tokens = tuple(n * factor + shift for n in base.initial)
    net = replace(base, initial=tokens)
    return Problem(net, draw(deep_targets(net)))


@st.composite
def deep_targets(draw: st.DrawFn, net: Net) -> Formula:
    """Conjunctions of disjunctions, differences from a marking, negations of both."""
    parts = draw(st.lists(targets(net), min_size=1, max_size=3))
    shape = draw(st.sampled_from(("and", "and-or", "apart", "not", "one not")))
    if shape == "apart":
        marking = zip(net.places, draw(markings(net)), strict=True)
        apart = [different(variable(place), n) for place, n in marking]
        return conjunction([*apart, parts[0]])
    if shape == "and-or":
        return conjunction([disjunction(parts), disjunction([draw(targets(net)), *parts[:1]])])
    if shape == "not":
        return Negation(disjunction(parts))
    return conjunction([*parts, Negation(draw(constraints(net)))] if shape == "one not" else parts)


class Tally:
    """What came of many problems."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()

    def decide(self, problem: Problem, seconds: float, **options: str) -> None:
        """Check the problem, and compare with brute force where that finishes."""
        asked = make_problem(problem.net, problem.target)
        result = check(asked, engine="cegar", budget=Budget(seconds=seconds), options=options)
        match result.answer:
            case Reachable(trace):
                verdict = "reachable"
                assert result.audit == "replayed exactly"
                assert fires_into(problem, trace)
            case Unreachable():
                verdict = "unreachable"
                assert result.audit in TIERS
            case Unknown(reason, hint):
                verdict = "unknown"
                assert reason and hint and not result.audit
        known = known_verdict(problem, 400)
        assert verdict == "unknown" or known in (verdict, None), f"brute force says {known}"
        self.verdicts[verdict] += 1

    def unknown_share(self) -> float:
        return self.verdicts["unknown"] / max(1, self.verdicts.total())


def fires_into(problem: Problem, trace: Trace) -> bool:
    """Whether the trace, fired one by one, ends in the target."""
    marking = replay(problem.net, tuple(name for name, n in trace.steps for _ in range(n)))
    return marking is not None and evaluate(problem.target, problem.net.values(marking))


def run(strategy: st.SearchStrategy[Problem], count: int, seconds: float, **options: str) -> Tally:
    """Decide `count` problems, always the same ones."""
    tally = Tally()

    @settings(repeatable, max_examples=count, derandomize=True)
    @given(strategy)
    def decide(problem: Problem) -> None:
        tally.decide(problem, seconds, **options)

    decide()
    return tally


def test_a_sample_of_random_problems_is_decided_rightly() -> None:
    tally = run(problems(), 120, 5)
    assert tally.unknown_share() <= 0.05
    assert min(tally.verdicts["reachable"], tally.verdicts["unreachable"]) > 20


def test_a_sample_of_harder_problems_is_decided_rightly() -> None:
    tally = run(harder_problems(), 40, 1)
    assert min(tally.verdicts["reachable"], tally.verdicts["unreachable"]) > 4


@settings(repeatable, max_examples=30)
@given(st.one_of(problems(), harder_problems()))
def test_other_problems_in_every_run(problem: Problem) -> None:
    Tally().decide(problem, 1)


def test_guide_none_is_never_wrong() -> None:
    tally = run(problems(), 50, 0.3, guide="none")
    assert tally.verdicts["reachable"] and tally.verdicts["unreachable"]


@pytest.mark.parametrize("heuristic", ["", *HEURISTICS])
def test_each_heuristic_alone_is_never_wrong(heuristic: str) -> None:
    assert run(problems(), 40, 2, heuristics=heuristic).unknown_share() <= 0.1


@pytest.mark.parametrize("guide", sorted({*plugins.members("guides")} - {"none", "optimal"}))
def test_every_other_guide_is_never_wrong(guide: str) -> None:
    tally = run(problems(), 30, 1, guide=guide)
    assert tally.verdicts["reachable"] and tally.verdicts["unreachable"]


@pytest.mark.campaign
@pytest.mark.timeout(7200)
def test_campaign_two_thousand_random_problems() -> None:
    tally = run(problems(), 2000, 5)
    assert tally.verdicts.total() >= 1900, "nearly all that were asked for"
    assert tally.unknown_share() <= 0.05


@pytest.mark.campaign
@pytest.mark.timeout(7200)
def test_campaign_harder_problems() -> None:
    assert run(harder_problems(), 500, 5).unknown_share() <= 0.05


@pytest.mark.campaign
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("guide", plugins.members("guides"))
def test_campaign_every_guide(guide: str) -> None:
    run(problems(), 300, 1, guide=guide)


# Mutated evidence


@settings(repeatable, max_examples=28)
@given(problems(), st.data())
def test_a_mutated_trace_is_accepted_exactly_where_it_still_fires_into_the_target(
    problem: Problem, data: st.DataObject
) -> None:
    answer = check(problem, engine="cegar", budget=Budget(seconds=2)).answer
    assume(isinstance(answer, Reachable) and answer.trace.steps)
    assert isinstance(answer, Reachable)
    steps = list(answer.trace.steps)
    place = data.draw(st.integers(0, len(steps) - 1))
    name, times = steps[place]
    names = [transition.name for transition in problem.net.transitions]
    match data.draw(st.sampled_from(("transition", "count", "dropped", "doubled", "swapped"))):
        case "transition":
            steps[place] = data.draw(st.sampled_from(names)), times
        case "count":
            steps[place] = name, max(1, times + data.draw(st.sampled_from((-1, 1, 2))))
        case "dropped":
            del steps[place]
        case "doubled":
            steps.insert(place, steps[place])
        case "swapped":
            steps.reverse()
    mutant = Trace(tuple(steps))
    assert accepted(problem, Reachable(mutant)) == fires_into(problem, mutant)


@settings(repeatable, max_examples=30)
@given(st.one_of(problems(), harder_problems()), st.data())
def test_a_mutated_certificate_is_accepted_exactly_where_it_still_proves_the_verdict(
    problem: Problem, data: st.DataObject
) -> None:
    problem = make_problem(problem.net, problem.target)
    answer = check(problem, engine="cegar", budget=Budget(seconds=2)).answer
    assume(isinstance(answer, Unreachable))
    assert isinstance(answer, Unreachable)
    for _ in range(3):
        invariant = mutate(answer.certificate.invariant, problem.net, data.draw)
        mutant = replace(answer.certificate, invariant=invariant)
        proved = proves(problem, invariant)
        assert accepted(problem, Unreachable(mutant)) == proved
        assert accepted(problem, Unreachable(Certificate(invariant))) == proved
        assert not (proved and refuted_in_a_box(problem, invariant))


@settings(repeatable, max_examples=15)
@given(problems(), problems())
def test_a_certificate_does_not_prove_another_question(one: Problem, two: Problem) -> None:
    answer = check(one, engine="cegar", budget=Budget(seconds=2)).answer
    assume(isinstance(answer, Unreachable))
    assert isinstance(answer, Unreachable)
    other = Problem(one.net, over(two.target, one.net))
    proved = proves(other, answer.certificate.invariant)
    assert accepted(other, answer) == proved


def over(formula: Formula, net: Net) -> Formula:
    """The formula with the places that the net has not taken for its first one."""
    first = variable(net.places[0])
    return substitute(formula, {f"p{n}": first for n in range(1, 9) if f"p{n}" not in net.places})


Draw = Callable[[st.SearchStrategy[object]], object]


def mutate(invariant: Formula, net: Net, draw: Draw) -> Formula:
    """One coefficient, bound, modulus, atom or disjunct changed."""
    assert isinstance(invariant, Disjunction)
    parts = list(invariant.operands)
    number = draw(st.integers(0, len(parts) - 1))
    part = parts[number]
    assert isinstance(number, int) and isinstance(part, Conjunction)
    kinds = ["disjunct", "atom", "bound", "coefficient", "new atom"]
    match draw(st.sampled_from(kinds)):
        case "disjunct":
            del parts[number]
        case "new atom":
            parts[number] = Conjunction((*part.operands, Inequality(draw(terms(net.places)))))
        case kind if part.operands:
            atoms = list(part.operands)
            position = draw(st.integers(0, len(atoms) - 1))
            changed = change(str(kind), atoms[position], net, draw)
            atoms[position : position + 1] = [] if changed is None else [changed]
            parts[number] = Conjunction(tuple(atoms))
    return Disjunction(tuple(parts))


def change(kind: str, atom: Formula, net: Net, draw: Draw) -> Formula | None:
    assert isinstance(atom, Inequality | Congruence)
    if kind == "atom":
        return None
    step = draw(st.sampled_from((-2, -1, 1, 2)))
    assert isinstance(step, int)
    if kind == "bound":
        changed: Term = atom.term + step
        if isinstance(atom, Congruence) and draw(st.booleans()):
            return Congruence(atom.term, atom.modulus + abs(step))
    else:
        changed = atom.term + linear(((str(draw(st.sampled_from(net.places))), step),))
    return replace(atom, term=changed)


def accepted(problem: Problem, answer: Reachable | Unreachable) -> bool:
    try:
        audit(problem, answer)
    except EvidenceError:
        return False
    return True


def proves(problem: Problem, invariant: Formula) -> bool:
    """The three obligations, written out again."""
    net = problem.net
    natural = [at_least(variable(place), 0) for place in net.places]
    if not evaluate(invariant, net.values(net.initial)):
        return False
    if find_model(Conjunction((invariant, problem.target, *natural))) is not None:
        return False
    for transition in net.transitions:
        before = {net.places[place]: weight for place, weight in transition.pre}
        after = {net.places[place]: weight for place, weight in transition.post}
        shift = {x: variable(x) + (after.get(x, 0) - before.get(x, 0)) for x in net.places}
        guard = [at_least(variable(x), weight) for x, weight in before.items()]
        leaves = Negation(substitute(invariant, shift))
        if find_model(Conjunction((invariant, *natural, *guard, leaves))) is not None:
            return False
    return True


def refuted_in_a_box(problem: Problem, invariant: Formula) -> bool:
    """Whether a small marking breaks an obligation, by brute force."""
    net = problem.net
    for marking in product(range(4), repeat=min(4, len(net.places))):
        padded = (*marking, *(0 for _ in net.places[len(marking) :]))
        values = net.values(padded)
        if not evaluate(invariant, values):
            continue
        if evaluate(problem.target, values):
            return True
        for transition in net.transitions:
            after = successor(padded, transition)
            if after is not None and not evaluate(invariant, net.values(after)):
                return True
    return False


def test_the_oracle_of_this_file_can_tell_an_invariant_from_a_lie() -> None:
    """A token moves to and fro: p + q = 1."""
    net = make_net("swap", {"p": 1, "q": 0}, {"a": ({"p": 1}, {"q": 1}), "b": ({"q": 1}, {"p": 1})})
    p, q = variable("p"), variable("q")
    problem = make_problem(net, conjunction([equal(p, 1), equal(q, 1)]))
    assert proves(problem, equal(p + q, 1)) and not refuted_in_a_box(problem, equal(p + q, 1))
    for lie in (equal(q, 0), at_least(p + q, 1), equal(p + q, 2)):
        assert not proves(problem, lie)
    assert refuted_in_a_box(problem, equal(q, 0))
