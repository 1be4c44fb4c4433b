"""k-induction: its proofs are plain inductive invariants, and pass the audit."""

from __future__ import annotations

from folders import problem_named
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import formula, formulas, net_of
from oracle import successor
from strategies import nets, targets

from petricheck.arithmetic.formulas.formulas import Conjunction, atoms, evaluate
from petricheck.evidence.answer import Unknown, Unreachable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.laboratory.engines.k_induction import KInduction
from petricheck.laboratory.short_words import exclusions, words_into_target
from petricheck.model.net import Marking, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import Finding, check
from petricheck.support.budget import Budget

IDLE = net_of("p=1 z=1 w=0, idle: p -> p, join: 2 z -> w, leak: w ->")
"""Two tokens on z would put one on w; between this and any marking outside, all is idle."""

JOINED = make_problem(IDLE, formula("w >= 1"))


def decided(problem: Problem, **options: str) -> Finding:
    """The audited result."""
    return check(problem, engine="k_induction", options=options, budget=Budget(30))


def meets(problem: Problem, marking: Marking, firings: int) -> bool:
    """Whether at most so many firings lead from the marking into the target, by enumeration."""
    if evaluate(problem.target, problem.net.values(marking)):
        return True
    after = (successor(marking, transition) for transition in problem.net.transitions)
    return firings > 0 and any(m is not None and meets(problem, m, firings - 1) for m in after)


@settings(max_examples=15)
@given(st.data(), nets(max_places=3, max_transitions=3), st.integers(0, 3))
def test_words_describe_the_markings_fewer_than_k_firings_before_the_target(data, net, k):
    problem = make_problem(net, data.draw(targets(net)))
    words = words_into_target(problem, (), k, 10_000, Budget(30))
    assert words is not None
    outside = Conjunction(tuple(exclusions(problem, words)))
    for _ in range(20):
        marking = tuple(data.draw(st.integers(0, 4)) for _ in net.places)
        near = k > 0 and meets(problem, marking, k - 1)
        assert evaluate(outside, net.values(marking)) != near


def test_words_with_the_same_effect_occur_once():
    arcs = {f"t{n}": ({f"p{n}": 1}, {"q": 1}) for n in range(3)}
    net = make_net("n", {"p0": 1, "p1": 1, "p2": 1, "q": 0}, arcs)
    problem = make_problem(net, formula("q >= 9"))
    words = words_into_target(problem, (), 4, 100, Budget(30))
    assert words is not None
    assert len(words) == 1 + 3 + 6 + 10
    few = (formula("q <= 7"),)
    assert words_into_target(problem, few, 2, 100, Budget(30)) == ()


def test_certificates_of_too_many_words_are_declined():
    answer = decided(problem_named("exponential_U"), words="3").answer
    assert isinstance(answer, Unknown)
    assert "more than 3 words" in answer.reason


def test_runs_without_repeated_markings_prove_more():
    answer = decided(JOINED, lemmas="0", length="6").answer
    assert isinstance(answer, Unknown)
    assert "no k up to 6" in answer.reason
    proved = decided(JOINED, lemmas="0", simple_path="true").answer
    assert isinstance(proved, Unreachable)
    assert proved.statistics.iterations == 2


def test_a_lemma_learnt_from_a_step_that_does_not_hold_proves_more():
    proved = decided(JOINED).answer
    assert isinstance(proved, Unreachable)
    assert proved.statistics.iterations < 2


def test_inductive_facts_help_and_false_ones_are_left_out():
    *false, bound, true = formulas("w >= 1, z <= 0, z >= 5 or w >= 1, z <= 1, w <= 0 or z >= 5")
    facts = (*false, bound, true)
    answer = KInduction(lemmas=0).solve_informed(JOINED, Budget(30), facts)
    assert isinstance(answer, Unreachable)
    assert isinstance(answer.certificate, Certificate)
    stated = set(atoms(answer.certificate.invariant))
    assert not stated & {atom for fact in false for atom in atoms(fact)} - set(atoms(true))
    assert answer.statistics.iterations < 2
