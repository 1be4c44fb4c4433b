"""Interpolation abstractions: the paper's examples, and its lemmas as properties."""

from __future__ import annotations

from itertools import compress, product

import pytest
from equivalence import equivalent
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import formula, formulas

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Formula,
    Inequality,
    Negation,
    at_least,
    at_most,
    congruent,
    conjunction,
    disjunction,
    equal,
    negate,
    substitute,
)
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.arithmetic.solvers.solver import find_model, implies
from petricheck.laboratory.abstractions.relations import (
    A_MARK,
    B_MARK,
    InequalityTemplate,
    PredicateTemplate,
    RelationAbstraction,
    Template,
    TermTemplate,
    copies,
    template_abstraction,
)
from petricheck.laboratory.abstractions.sequence import (
    SequenceAbstraction,
    SequenceProblem,
    are_interpolants,
    is_solvable,
    strongest,
    weakest,
)
from petricheck.laboratory.elimination import eliminate
from petricheck.laboratory.lattices.exploration import Powerset, explore
from petricheck.laboratory.lattices.hitting import bits
from petricheck.support.budget import Budget

I1, X1, J = map(variable, ("i1", "x1", "j"))
X, P = variable("x"), variable("p")


def pair(a: Formula, b: Formula, common: str = "") -> SequenceProblem:
    return SequenceProblem((a, b), ((1, tuple(common)),))


def abstract(problem: SequenceProblem, abstraction: RelationAbstraction) -> SequenceProblem:
    return SequenceAbstraction(((1, abstraction),)).apply(problem)


def over(problem: SequenceProblem, *templates: Template) -> SequenceProblem:
    return abstract(problem, template_abstraction(problem.common(1), templates))


def one(interpolants: tuple[Formula, ...]) -> Formula:
    (interpolant,) = interpolants
    return interpolant


# Section 1.1: the path that leaves the loop after one round.
LOOP = pair(
    formula("i0 == 0 and x0 == j and i0 <= 49 and i1 == i0 + 1 and x1 == x0 + 1"),
    formula("i1 >= 50 and j == 0 and x1 <= 49"),
)
SYMBOLS = ("i1", "j", "x1")
BASE = (TermTemplate(X1 - I1), TermTemplate(I1), TermTemplate(J))
TWO = (TermTemplate(X1 - I1), TermTemplate(J))
STEP = formula("i2 == i1 + 1 and x2 == x1 + 1 and k == j and i1 <= 49")
LOOP_IN_THREE = SequenceProblem((LOOP.parts[0], STEP, formula("i2 >= 50 and k == 0 and x2 <= 49")))

few = settings(max_examples=15)


def test_example_2_is_the_term_abstraction_of_two_templates():
    abstraction = template_abstraction(SYMBOLS, TWO)
    a, b = (copies(SYMBOLS, mark) for mark in (A_MARK, B_MARK))
    expected_a = [equal(a["x1"] - a["i1"], X1 - I1), equal(a["j"], J)]
    expected_b = [equal(X1 - I1, b["x1"] - b["i1"]), equal(J, b["j"])]
    assert equivalent(abstraction.relation_a, conjunction(expected_a))
    assert equivalent(abstraction.relation_b, conjunction(expected_b))


def test_examples_3_and_4_are_feasible_with_the_papers_interpolants():
    abstracted = over(LOOP, *TWO)
    for problem in (LOOP, abstracted):
        assert are_interpolants(problem, formulas("x1 >= i1 + j"))
    assert are_interpolants(LOOP, formulas("i1 <= 1"))
    assert not are_interpolants(abstracted, formulas("i1 <= 1"))
    assert equivalent(one(strongest(abstracted)), formula("x1 == i1 + j"))
    assert equivalent(one(weakest(abstracted)), formula("j != 0 or x1 >= i1"))


def test_figure_3_has_four_feasible_elements_besides_the_bottom():
    feasible = {
        chosen
        for chosen in product((False, True), repeat=3)
        if is_solvable(over(LOOP, *compress(BASE, chosen)))
    }
    above_i = {(x, True, j) for x in (False, True) for j in (False, True)}
    assert feasible == above_i | {(True, False, True)}


def test_costs_choose_between_the_two_frontier_elements_of_figure_3():
    def feasible(element: int) -> bool:
        return is_solvable(over(LOOP, *(BASE[number] for number in bits(element))))

    difference, counter, j = 1, 2, 4
    assert set(explore(Powerset((0, 0, 0)), feasible, Budget())) == {counter, difference | j}
    assert explore(Powerset((1, 9, 1)), feasible, Budget()) == (difference | j,)


def test_example_6_has_the_identity_at_its_bottom():
    bottom = template_abstraction(SYMBOLS, BASE)
    for relation, mark in ((bottom.relation_a, A_MARK), (bottom.relation_b, B_MARK)):
        same = (equal(variable(name), copy) for name, copy in copies(SYMBOLS, mark).items())
        assert equivalent(relation, conjunction(same))
    top = template_abstraction(SYMBOLS, [])
    assert (top.relation_a, top.relation_b) == (TRUE, TRUE)


def test_an_interpolant_uses_common_symbols_only():
    problem = pair(formula("x == p and p >= 1"), formula("x == q and q <= 0"))
    assert are_interpolants(problem, formulas("x >= 1"))
    for wrong in formulas("p >= 1, x >= 2, x >= 0"):
        assert not are_interpolants(problem, [wrong])


TOUCHING = pair(*formulas("x >= 0, x <= 0"))
FAR = SequenceProblem(tuple(formulas("x == 0, x == y, y == 1 and x == 0")))
COPY = variable("x" + A_MARK)
MARKED = pair(at_least(X + COPY, 0), at_most(X + COPY, -1))


def at_cut(cut: int, names: tuple[str, ...]) -> SequenceAbstraction:
    return SequenceAbstraction(((cut, template_abstraction(names, [])),))


@pytest.mark.parametrize(
    ("refused", "complaint"),
    [
        (lambda: strongest(TOUCHING), "no interpolants"),
        (lambda: weakest(TOUCHING), "no interpolants"),
        (lambda: template_abstraction("x", [TermTemplate(P)]), "'p'"),
        (lambda: template_abstraction("x", [InequalityTemplate(X + P)]), "'p'"),
        (lambda: template_abstraction("x", [PredicateTemplate(formula("p >= 0"))]), "'p'"),
        (lambda: template_abstraction(["x", "x" + A_MARK], []), "reserved"),
        (lambda: template_abstraction(["x", "x" + B_MARK], []), "reserved"),
        (lambda: at_cut(1, ("x",)).apply(MARKED), "x′"),
        (lambda: at_cut(3, ("x",)).apply(LOOP_IN_THREE), "cuts"),
        (lambda: at_cut(1, ("x1",)).apply(LOOP_IN_THREE), "cut 1"),
        (lambda: at_cut(1, FAR.common(1)).apply(FAR), "neighbours"),
    ],
)
def test_wrong_arguments_are_refused(refused, complaint):
    with pytest.raises(ValueError, match=complaint):
        refused()


def test_correct_arguments_are_accepted():
    assert not is_solvable(TOUCHING)
    assert are_interpolants(FAR, strongest(FAR))


# The lemmas


def small_terms(names: str, size: int = 2) -> st.SearchStrategy[Term]:
    entries = [st.integers(-size, size) for _ in names]
    return st.builds(
        lambda vector, c: linear(zip(names, vector, strict=True), c),
        st.tuples(*entries),
        st.integers(-3, 3),
    )


def sides(names: str) -> st.SearchStrategy[Formula]:
    """Small formulas: a few atoms, one of them perhaps a disjunction."""
    atom = st.one_of(
        st.builds(Inequality, small_terms(names)),
        st.builds(lambda t: equal(t, 0), small_terms(names)),
        st.builds(lambda t, m: congruent(t, 0, m), small_terms(names), st.just(2)),
    )
    clause = st.lists(atom, min_size=1, max_size=2).map(disjunction)
    return st.lists(clause, min_size=1, max_size=3).map(conjunction)


@st.composite
def problems(draw: st.DrawFn) -> SequenceProblem:
    """Problems over x and y with local symbols p and q; about half are solvable."""
    a, b = draw(sides("xyp")), draw(sides("xyq"))
    if draw(st.booleans()):
        b = conjunction([b, negate(eliminate("p", a))])
    return pair(a, b, "xy")


def separated(problem: SequenceProblem, by: Formula) -> SequenceProblem:
    """The problem, made such that the formula is an interpolant."""
    a, b = problem.parts
    return pair(Conjunction((a, by)), Conjunction((b, Negation(by))), "xy")


mixed_templates = st.lists(
    st.one_of(
        st.builds(TermTemplate, small_terms("xy")),
        st.builds(InequalityTemplate, small_terms("xy")),
        st.builds(PredicateTemplate, sides("xy")),
    ),
    max_size=3,
)


@few
@given(problems(), mixed_templates)
def test_lemma_1_abstract_interpolants_are_interpolants(problem, templates):
    abstracted = over(problem, *templates)
    if is_solvable(abstracted):
        for interpolants in (strongest(abstracted), weakest(abstracted)):
            assert are_interpolants(abstracted, interpolants)
            assert are_interpolants(problem, interpolants)


@few
@given(problems())
def test_lemma_2_any_interpolant_can_be_singled_out(problem):
    if is_solvable(problem) and all(map(find_model, problem.parts)):
        for interpolant in (one(strongest(problem)), one(weakest(problem))):
            abstracted = over(problem, PredicateTemplate(interpolant))
            assert equivalent(one(strongest(abstracted)), interpolant)
            assert equivalent(one(weakest(abstracted)), interpolant)


@few
@given(problems(), st.lists(small_terms("xy"), max_size=2), st.data())
def test_lemma_3_term_abstractions_are_feasible_where_an_interpolant_over_the_terms_exists(
    problem, terms, data
):
    templates = list(map(TermTemplate, terms))
    abstracted = over(problem, *templates)
    if is_solvable(abstracted):
        shifted = copies("xy", B_MARK)
        same = [equal(term, term.substitute(shifted)) for term in terms]
        for interpolant in (one(strongest(abstracted)), one(weakest(abstracted))):
            assert implies(conjunction([interpolant, *same]), substitute(interpolant, shifted))
    shape = data.draw(sides("uv"[: len(terms)])) if terms else TRUE
    separator = substitute(shape, dict(zip("uv", terms, strict=False)))
    assert is_solvable(over(separated(problem, separator), *templates))


@few
@given(problems(), mixed_templates)
def test_lemma_4_the_interpolants_lie_between_the_extremes(problem, templates):
    abstracted = over(problem, *templates)
    if is_solvable(abstracted):
        low, high = one(strongest(abstracted)), one(weakest(abstracted))
        assert implies(low, high)
        assert are_interpolants(
            abstracted, [Conjunction((high, disjunction([low, at_least(X, 0)])))]
        )
        below = Conjunction((low, at_least(X, 1)))
        assert are_interpolants(abstracted, [below]) == implies(low, below)


@few
@given(problems(), st.lists(small_terms("xy"), min_size=1, max_size=2), st.data())
def test_lemma_5_inequality_abstractions_are_feasible_where_a_positive_interpolant_exists(
    problem, terms, data
):
    templates = list(map(InequalityTemplate, terms))
    abstracted, names = over(problem, *templates), ["u", "v"][: len(terms)]
    if is_solvable(abstracted):
        # It holds wherever all terms are at least as large as where it holds.
        interpolant, shifted = one(strongest(abstracted)), copies("xy", B_MARK)
        growth = [at_most(term, term.substitute(shifted)) for term in terms]
        assert implies(conjunction([interpolant, *growth]), substitute(interpolant, shifted))
    lower_bound = st.builds(
        lambda vector, bound: at_least(linear(zip(names, vector, strict=True)), bound),
        st.tuples(*[st.integers(0, 2) for _ in names]),
        st.integers(-3, 3),
    )
    clauses = st.lists(st.lists(lower_bound, min_size=1, max_size=2).map(disjunction), max_size=2)
    positive = conjunction(data.draw(clauses))
    separator = substitute(positive, dict(zip(names, terms, strict=True)))
    assert is_solvable(over(separated(problem, separator), *templates))


def positive_combination(side: Formula, predicates: list[Formula], strong: bool) -> Formula:
    """The strongest one that follows from A, or the weakest that B contradicts.

    For each valuation in the side, what is true there, or what is false there.
    """
    cases = []
    for truth in product((False, True), repeat=len(predicates)):
        pairs = list(zip(predicates, truth, strict=True))
        literals = [p if holds else Negation(p) for p, holds in pairs]
        if find_model(Conjunction((side, *literals))) is not None:
            cases.append([p for p, holds in pairs if holds == strong])
    return disjunction(map(conjunction, cases)) if strong else conjunction(map(disjunction, cases))


@few
@given(problems(), st.lists(sides("xy"), max_size=3), sides("xy"))
def test_lemmas_6_and_7_interpolants_lie_between_extreme_positive_combinations(
    problem, predicates, other
):
    abstracted = over(problem, *map(PredicateTemplate, predicates))
    low = positive_combination(problem.parts[0], predicates, True)
    assert is_solvable(abstracted) == are_interpolants(problem, [low])
    if is_solvable(abstracted) and all(map(find_model, problem.parts)):
        high = positive_combination(problem.parts[1], predicates, False)
        assert equivalent(one(strongest(abstracted)), low)
        assert equivalent(one(weakest(abstracted)), high)
        assert are_interpolants(abstracted, [Conjunction((high, disjunction([low, other])))])
        for changed in (Conjunction((low, other)), disjunction([high, other])):
            lies_between = implies(low, changed) and implies(changed, high)
            assert are_interpolants(abstracted, [changed]) == lies_between


@few
@given(problems(), mixed_templates, mixed_templates)
def test_more_templates_are_feasible_where_fewer_are(problem, some, others):
    assert is_solvable(over(problem, *some, *others)) or not is_solvable(over(problem, *some))


# Sequences


def test_the_extreme_sequences_are_interpolants():
    low, high = strongest(LOOP_IN_THREE), weakest(LOOP_IN_THREE)
    assert are_interpolants(LOOP_IN_THREE, low) and are_interpolants(LOOP_IN_THREE, high)
    assert all(implies(strong, weak) for strong, weak in zip(low, high, strict=True))


def test_an_abstracted_sequence_yields_the_loop_invariant_at_every_cut():
    i2, x2, k = map(variable, ("i2", "x2", "k"))
    invariants = ((X1 - I1, -J), (x2 - i2, -k))
    points = tuple(
        (cut, template_abstraction(LOOP_IN_THREE.common(cut), map(InequalityTemplate, terms)))
        for cut, terms in enumerate(invariants, start=1)
    )
    abstracted = SequenceAbstraction(points).apply(LOOP_IN_THREE)
    assert is_solvable(abstracted)
    interpolants = strongest(abstracted)
    assert are_interpolants(abstracted, interpolants)
    assert equivalent(interpolants[0], formula("x1 >= i1 + j"))
    assert equivalent(interpolants[1], formula("x2 >= i2 + k"))
    too_coarse = template_abstraction(LOOP_IN_THREE.common(1), [TermTemplate(J)])
    assert not is_solvable(SequenceAbstraction(((1, too_coarse),)).apply(LOOP_IN_THREE))


def test_sequences_that_are_no_interpolants_are_recognised():
    first, second = strongest(LOOP_IN_THREE)
    local = formula("i0 >= 0")
    wrong = [[FALSE, second], [local, second], [first, TRUE], [first], [first, second, FALSE]]
    assert not any(are_interpolants(LOOP_IN_THREE, interpolants) for interpolants in wrong)


@few
@given(st.lists(sides("xy"), min_size=2, max_size=3), st.data())
def test_sequences_agree_with_their_binary_problems(drawn, data):
    parts = [
        substitute(part, {"x": variable(f"s{i}"), "y": variable(f"s{i + 1}")})
        for i, part in enumerate(drawn)
    ]
    problem = SequenceProblem(tuple(parts))
    if not is_solvable(problem):
        return
    sequence = data.draw(st.sampled_from([strongest, weakest]))(problem, Budget(60))
    for cut in range(1, len(parts)):
        before, after = Conjunction(tuple(parts[:cut])), Conjunction(tuple(parts[cut:]))
        binary = SequenceProblem((before, after), ((1, problem.common(cut)),))
        assert are_interpolants(binary, [sequence[cut - 1]])
