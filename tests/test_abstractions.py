"""Interpolation abstractions: the paper's examples, and its lemmas as properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import formula, formulas

from petricheck.laboratory.abstractions.abstractions import (
    InterpolationAbstraction,
    copy_a,
    copy_b,
    identity_transformations,
    top_transformations,
)
from petricheck.laboratory.abstractions.problems import (
    InterpolationProblem,
    is_interpolant,
    is_solvable,
    strongest_interpolant,
    weakest_interpolant,
)
from petricheck.laboratory.abstractions.relations import (
    RelationAbstraction,
    identity_abstraction,
    is_feasible,
    relation_abstraction,
    top_abstraction,
)
from petricheck.laboratory.abstractions.sequence import (
    SequenceAbstraction,
    SequenceProblem,
    is_interpolant_sequence,
    is_sequence_solvable,
    strongest_sequence,
    weakest_sequence,
)
from petricheck.laboratory.abstractions.templates import (
    InequalityTemplate,
    PredicateTemplate,
    Template,
    TermTemplate,
    inequality_abstraction,
    predicate_abstraction,
    span_closure,
    strongest_over_terms,
    template_abstraction,
    term_abstraction,
    weakest_over_terms,
)
from petricheck.laboratory.elimination import eliminate
from petricheck.laboratory.lattices.exploration import explore, explore_cheapest
from petricheck.laboratory.lattices.feasibility import (
    FeasibilityChecker,
    GuardedProblem,
    guarded_sequence,
)
from petricheck.laboratory.lattices.lattice import PowersetLattice, ProductLattice
from petricheck.presburger.formulas import (
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
    variables,
)
from petricheck.presburger.solver import equivalent, find_model, implies
from petricheck.presburger.terms import Term, linear, variable

I1, X1, J = map(variable, ("i1", "x1", "j"))
X, Y, P = map(variable, "xyp")


def between(first: str, second: str) -> InterpolationProblem:
    return InterpolationProblem(formula(first), formula(second))


# Section 1.1: the path that leaves the loop after one round.
LOOP = between(
    "i0 == 0 and x0 == j and i0 <= 49 and i1 == i0 + 1 and x1 == x0 + 1",
    "i1 >= 50 and j == 0 and x1 <= 49",
)
SYMBOLS = ("i1", "j", "x1")
BASE = (TermTemplate(X1 - I1), TermTemplate(I1), TermTemplate(J))

few = settings(max_examples=15)


def guarded_problem(problem: InterpolationProblem, templates: Sequence[Template]) -> GuardedProblem:
    """A binary problem is a sequence of two."""
    two = SequenceProblem((problem.a, problem.b), ((1, problem.declared),))
    return guarded_sequence(two, [(1, templates)])


COPY, GUARDED = variable(copy_a("x")), guarded_problem(LOOP, BASE)
OPEN = SequenceProblem(tuple(formulas("x >= 0, x == y, y <= 3")))
FAR = SequenceProblem(tuple(formulas("x == 0, x == y, y == 1 and x == 0")))


def at_cut(cut: int, names: Sequence[str]) -> SequenceAbstraction:
    return SequenceAbstraction(((cut, identity_abstraction(names)),))


# ---- the running example -------------------------------------------------------------------


def test_example_2_is_the_term_abstraction_of_two_templates():
    abstraction = term_abstraction(SYMBOLS, [X1 - I1, J])
    a, b = ({n: variable(copy(n)) for n in SYMBOLS} for copy in (copy_a, copy_b))
    expected_a = [equal(a["x1"] - a["i1"], X1 - I1), equal(a["j"], J)]
    expected_b = [equal(X1 - I1, b["x1"] - b["i1"]), equal(J, b["j"])]
    assert equivalent(abstraction.relation_a, conjunction(expected_a))
    assert equivalent(abstraction.relation_b, conjunction(expected_b))


def test_example_3_is_feasible_with_an_interpolant_over_its_terms():
    abstraction = term_abstraction(SYMBOLS, [X1 - I1, J])
    assert is_feasible(abstraction, LOOP)
    for problem in (LOOP, abstraction.apply(LOOP)):
        assert is_interpolant(problem, formula("x1 >= i1 + j"))
    assert is_interpolant(LOOP, formula("i1 <= 1"))
    assert not is_interpolant(abstraction.apply(LOOP), formula("i1 <= 1"))


def test_example_4_has_its_strongest_and_weakest_interpolants():
    abstract = term_abstraction(SYMBOLS, [X1 - I1, J]).apply(LOOP)
    strongest, weakest = formulas("x1 == i1 + j, j != 0 or x1 >= i1")
    assert equivalent(strongest_interpolant(abstract), strongest)
    assert equivalent(weakest_interpolant(abstract), weakest)
    assert equivalent(strongest_over_terms(LOOP, [X1 - I1, J]), strongest)
    assert equivalent(weakest_over_terms(LOOP, [X1 - I1, J]), weakest)


def test_figure_3_has_four_feasible_elements_besides_the_bottom():
    feasible = {
        chosen
        for chosen in product((False, True), repeat=3)
        if is_feasible(template_abstraction(SYMBOLS, list(compress(BASE, chosen))), LOOP)
    }
    above_i = {(x, True, j) for x in (False, True) for j in (False, True)}
    assert feasible == above_i | {(True, False, True)}


def test_example_6_has_the_identity_at_its_bottom():
    assert template_abstraction(SYMBOLS, BASE).equivalent(identity_abstraction(SYMBOLS))
    assert template_abstraction(SYMBOLS, []) == top_abstraction(SYMBOLS)


def test_the_frontier_of_figure_3_is_i_and_x_minus_i_with_j():
    lattice = PowersetLattice(BASE, (1, 5, 1))
    with FeasibilityChecker(lattice, GUARDED) as checker:
        assert set(explore(lattice, checker)) == {frozenset({1}), frozenset({0, 2})}
        assert explore_cheapest(lattice, checker.cache()) == [frozenset({0, 2})]


def test_canonical_elements_of_term_templates_are_spans():
    terms = (X1 - I1, I1, J, X1, X1 * 2 + J - 7)
    close = span_closure(terms)
    singles = [term_abstraction(SYMBOLS, [term]) for term in terms]
    for mask in range(32):
        chosen = frozenset(i for i in range(5) if mask >> i & 1)
        present = term_abstraction(SYMBOLS, [terms[i] for i in chosen])
        assert close(chosen) == {i for i in range(5) if present.at_least_as_strong(singles[i])}
    assert close(frozenset({2, 4})) == {2, 3, 4}


def test_one_frontier_element_remains_of_equivalent_ones():
    templates = (*BASE, TermTemplate(X1), TermTemplate((X1 - I1) * 2))
    closure = span_closure([template.term for template in templates])
    lattice = PowersetLattice(templates, (3, 5, 1, 9, 2), closure)
    with FeasibilityChecker(lattice, guarded_problem(LOOP, templates)) as checker:
        assert explore_cheapest(lattice, checker) == [frozenset({2, 4})]
        found = {closure(element) for element in explore(lattice, checker)}
        assert found == {frozenset({1}), frozenset({0, 2, 4})}


# ---- problems and refusals -----------------------------------------------------------------


def test_an_interpolant_uses_common_symbols_only():
    problem = between("x == p and p >= 1", "x == q and q <= 0")
    assert is_interpolant(problem, formula("x >= 1"))
    for wrong in formulas("p >= 1, x >= 2, x >= 0"):
        assert not is_interpolant(problem, wrong)


TOUCHING = between("x >= 0", "x <= 0")
CLASH = InterpolationProblem(
    at_least(X + variable(copy_b("x")), 0), at_most(X + variable(copy_b("y")), -1)
)


@pytest.mark.parametrize(
    ("refused", "complaint"),
    [
        (lambda: strongest_interpolant(TOUCHING), "no interpolant"),
        (lambda: weakest_interpolant(TOUCHING), "no interpolant"),
        (lambda: template_abstraction(["x"], [TermTemplate(P)]), "'p'"),
        (lambda: template_abstraction(["x"], [InequalityTemplate(X + P)]), "'p'"),
        (lambda: template_abstraction(["x"], [PredicateTemplate(formula("p >= 0"))]), "'p'"),
        (lambda: term_abstraction(["x", copy_a("x")], []), "reserved"),
        (lambda: term_abstraction(["x", copy_b("x")], []), "reserved"),
        (lambda: term_abstraction(["x"], [X]).apply(CLASH), "shared"),
        (lambda: term_abstraction(["i1", "x1"], [X1]).apply(LOOP), "'j'"),
        (lambda: relation_abstraction(["x"], at_most(COPY + 1, X), TRUE), "reflexive"),
        (lambda: relation_abstraction(["x"], formula("z >= 0"), TRUE), "'z'"),
        (lambda: term_abstraction("xy", [X]).conjunction(term_abstraction("x", [X])), "different"),
        (lambda: FeasibilityChecker(PowersetLattice(BASE[:2], (1, 1)), GUARDED), "atoms"),
        (lambda: strongest_sequence(OPEN), "no interpolants"),
        (lambda: weakest_sequence(OPEN), "no interpolants"),
        (lambda: at_cut(3, "x").apply(loop_in_three()), "cuts"),
        (lambda: at_cut(1, ["x1"]).apply(loop_in_three()), "cut 1"),
        (lambda: at_cut(1, FAR.common(1)).apply(FAR), "neighbours"),
    ],
)
def test_what_makes_no_sense_is_refused(refused, complaint):
    with pytest.raises(ValueError, match=complaint):
        refused()


def test_what_is_not_refused():
    assert not is_solvable(TOUCHING)
    relation = relation_abstraction(["x"], at_most(COPY, X), TRUE)
    assert implies(relation.relation_a, at_most(COPY, X))
    assert not is_sequence_solvable(OPEN)
    assert is_interpolant_sequence(FAR, strongest_sequence(FAR))


def functions(
    on_a: Callable[[Formula], Formula], on_b: Callable[[Formula], Formula]
) -> InterpolationAbstraction:
    return InterpolationAbstraction(SYMBOLS, on_a, on_b)


def same(formula: Formula) -> Formula:
    return formula


STRENGTHENING = (
    lambda _: FALSE,
    lambda formula: conjunction([formula, at_least(X1, 7)]),
    lambda formula: conjunction([formula, equal(X1 * 2, variable("half") * 4)]),
)


@pytest.mark.parametrize("stronger", STRENGTHENING)
def test_a_function_that_strengthens_a_side_is_refused(stronger):
    for side, abstraction in (("A", functions(stronger, same)), ("B", functions(same, stronger))):
        with pytest.raises(ValueError, match=f"strengthens {side};"):
            abstraction.apply(LOOP)
        with pytest.raises(ValueError, match="only forget"):
            is_feasible(abstraction, LOOP)


def test_a_function_may_change_local_symbols_as_it_likes():
    def fresh(formula: Formula) -> Formula:
        renamed = substitute(formula, {"i0": variable("u"), "x0": variable("v")})
        return conjunction([renamed, equal(variable("w"), X1 + 1)])

    abstract = functions(fresh, same).apply(LOOP)
    assert equivalent(strongest_interpolant(abstract), strongest_interpolant(LOOP))


def test_a_strengthening_function_is_refused_at_any_cut_of_a_sequence():
    problem = loop_in_three()
    for cut, part in ((1, 1), (2, 2)):
        names = problem.common(cut)
        stronger = InterpolationAbstraction(names, lambda _: FALSE, same)
        with pytest.raises(ValueError, match=f"strengthens part {part};"):
            SequenceAbstraction(((cut, stronger),)).apply(problem)
    first = InterpolationAbstraction(problem.common(1), same, lambda _: FALSE)
    second = top_abstraction(problem.common(2))
    with pytest.raises(ValueError, match="strengthens part 2;"):
        SequenceAbstraction(((1, first), (2, second))).apply(problem)
    harmless = top_transformations(problem.common(1))
    assert SequenceAbstraction(((1, harmless),)).apply(problem).parts[0] == TRUE


# ---- section 6: the algebra ----------------------------------------------------------------


def projections(
    abstraction: RelationAbstraction | InterpolationAbstraction, problem: InterpolationProblem
) -> tuple[Formula, Formula]:
    """What the abstraction makes of A and of B, over the common symbols."""
    abstract = abstraction.apply(problem)
    return (
        eliminate(abstract.locals_a, abstract.a),
        eliminate(abstract.locals_b, abstract.b),
    )


def agree(
    one: RelationAbstraction | InterpolationAbstraction,
    other: RelationAbstraction | InterpolationAbstraction,
    problem: InterpolationProblem,
) -> bool:
    pairs = zip(projections(one, problem), projections(other, problem), strict=True)
    return all(equivalent(left, right) for left, right in pairs)


DIAGONAL = between("x == y and x >= p and p >= 0 and x <= 3", "x == y + 1 and x >= q and q == 0")
ON_X, ON_Y = term_abstraction("xy", [X]), term_abstraction("xy", [Y])


def test_conjunction_of_relations_is_stronger_than_that_of_transformations():
    of_relations = ON_X.conjunction(ON_Y)
    of_transformations = ON_X.transformations().conjunction(ON_Y.transformations())
    assert of_relations.equivalent(identity_abstraction("xy"))
    assert is_feasible(of_relations, DIAGONAL)
    assert not is_feasible(of_transformations, DIAGONAL)
    square = formula("x >= 0 and y >= 0 and x <= 3 and y <= 3")
    assert equivalent(projections(of_transformations, DIAGONAL)[0], square)


def test_disjunction_identity_and_top_coincide_in_both_algebras():
    pairs = [
        (ON_X.disjunction(ON_Y), ON_X.transformations().disjunction(ON_Y.transformations())),
        (identity_abstraction("xy"), identity_transformations("xy")),
        (top_abstraction("xy"), top_transformations("xy")),
    ]
    for of_relations, of_transformations in pairs:
        assert agree(of_relations, of_transformations, DIAGONAL)


def test_composition_coincides_in_both_algebras():
    upwards = inequality_abstraction("xy", [X, Y])
    parity = predicate_abstraction("xy", formulas("(x + y) % 2 == 0"))
    for one, other in product((ON_X, upwards, parity), repeat=2):
        composed = one.transformations().composition(other.transformations())
        assert agree(one.composition(other), composed, DIAGONAL)


def relations() -> st.SearchStrategy[RelationAbstraction]:
    term = st.builds(lambda a, b: linear([("x", a), ("y", b)]), *[st.integers(-2, 2)] * 2)
    templates = st.one_of(
        st.builds(TermTemplate, term),
        st.builds(InequalityTemplate, term),
        st.builds(lambda t, r: PredicateTemplate(congruent(t, r, 2)), term, st.integers(0, 1)),
    )
    return st.lists(templates, max_size=2).map(lambda chosen: template_abstraction("xy", chosen))


@few
@given(relations(), relations(), relations())
def test_relation_abstractions_form_a_boolean_lattice(one, two, three):
    bottom, top = identity_abstraction("xy"), top_abstraction("xy")
    assert one.conjunction(one.complement()).equivalent(bottom)
    assert one.disjunction(one.complement()).equivalent(top)
    assert bottom.at_least_as_strong(one)
    assert one.at_least_as_strong(top)
    assert one.complement().complement().equivalent(one)
    distributed = one.conjunction(two).disjunction(one.conjunction(three))
    assert one.conjunction(two.disjunction(three)).equivalent(distributed)
    assert one.conjunction(two).at_least_as_strong(one)
    assert one.at_least_as_strong(one.disjunction(two))


SEGMENT = between("x == y and x >= 0 and x <= 3", "x == y + 1 and x >= 0")


def transformations(*templates: Template) -> list[InterpolationAbstraction]:
    return [template_abstraction("xy", [template]).transformations() for template in templates]


triples = pytest.mark.parametrize(
    "three",
    [
        transformations(TermTemplate(X), InequalityTemplate(Y), TermTemplate(X - Y)),
        transformations(InequalityTemplate(X), InequalityTemplate(-X), TermTemplate(Y)),
    ],
)


def at_least_as_strong(
    one: InterpolationAbstraction, other: InterpolationAbstraction, problem: InterpolationProblem
) -> bool:
    """What Def. 8 asks of the two for this problem."""
    pairs = zip(projections(one, problem), projections(other, problem), strict=True)
    return all(implies(left, right) for left, right in pairs)


@triples
def test_interpolation_abstractions_form_a_bounded_distributive_lattice(three):
    one, two, other = three
    bottom, top = identity_transformations("xy"), top_transformations("xy")
    laws = [
        (one.conjunction(two), two.conjunction(one)),
        (one.disjunction(two), two.disjunction(one)),
        (one.conjunction(two).conjunction(other), one.conjunction(two.conjunction(other))),
        (one.disjunction(two).disjunction(other), one.disjunction(two.disjunction(other))),
        (one.conjunction(one.disjunction(two)), one),
        (one.disjunction(one.conjunction(two)), one),
        (
            one.conjunction(two.disjunction(other)),
            one.conjunction(two).disjunction(one.conjunction(other)),
        ),
        (one.conjunction(bottom), bottom),
        (one.disjunction(top), top),
    ]
    for left, right in laws:
        assert agree(left, right, SEGMENT)
    ascending = [bottom, one.conjunction(two), one, one.disjunction(two), top]
    for stronger, weaker in pairwise(ascending):
        assert at_least_as_strong(stronger, weaker, SEGMENT)


@triples
def test_composition_of_interpolation_abstractions_is_a_monoid(three):
    one, two, other = three
    identity = identity_transformations("xy")
    assert agree(one.composition(identity), one, SEGMENT)
    assert agree(identity.composition(one), one, SEGMENT)
    assert agree(
        one.composition(two).composition(other), one.composition(two.composition(other)), SEGMENT
    )


# ---- the lemmas ----------------------------------------------------------------------------


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
def problems(draw: st.DrawFn) -> InterpolationProblem:
    """Problems over x and y with local symbols p and q; about half are solvable."""
    a, b = draw(sides("xyp")), draw(sides("xyq"))
    if draw(st.booleans()):
        b = conjunction([b, negate(eliminate("p", a))])
    return InterpolationProblem(a, b, ("x", "y"))


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
    abstract = template_abstraction("xy", templates).apply(problem)
    if is_solvable(abstract):
        for found in (strongest_interpolant(abstract), weakest_interpolant(abstract)):
            assert is_interpolant(abstract, found)
            assert is_interpolant(problem, found)


@few
@given(problems())
def test_lemma_2_any_interpolant_can_be_singled_out(problem):
    if is_solvable(problem) and find_model(problem.a) and find_model(problem.b):
        for wanted in (strongest_interpolant(problem), weakest_interpolant(problem)):
            abstract = predicate_abstraction("xy", [wanted]).apply(problem)
            assert equivalent(strongest_interpolant(abstract), wanted)
            assert equivalent(weakest_interpolant(abstract), wanted)


@few
@given(problems(), st.lists(small_terms("xy"), max_size=2), st.data())
def test_lemma_3_term_abstractions_are_feasible_where_an_interpolant_over_the_terms_exists(
    problem, terms, data
):
    abstraction = term_abstraction("xy", terms)
    if is_feasible(abstraction, problem):
        for found in (strongest_over_terms(problem, terms), weakest_over_terms(problem, terms)):
            assert is_interpolant(problem, found)
            assert is_interpolant(abstraction.apply(problem), found)
    meaning = dict(zip("uv", terms, strict=False))
    shape = data.draw(sides("uv"[: len(terms)])) if terms else TRUE
    known = substitute(shape, meaning)
    separated = InterpolationProblem(
        Conjunction((problem.a, known)), Conjunction((problem.b, Negation(known))), ("x", "y")
    )
    assert is_feasible(abstraction, separated)


@few
@given(problems(), st.lists(small_terms("xy"), max_size=2))
def test_lemma_4_the_interpolants_lie_between_the_extremes(problem, terms):
    abstract = term_abstraction("xy", terms).apply(problem)
    if is_solvable(abstract):
        strongest, weakest = strongest_interpolant(abstract), weakest_interpolant(abstract)
        assert implies(strongest, weakest)
        assert equivalent(strongest, strongest_over_terms(problem, terms))
        assert equivalent(weakest, weakest_over_terms(problem, terms))
        between = Conjunction((weakest, disjunction([strongest, at_least(X, 0)])))
        assert is_interpolant(abstract, between)
        below = Conjunction((strongest, at_least(X, 1)))
        assert is_interpolant(abstract, below) == implies(strongest, below)


@few
@given(problems(), st.lists(small_terms("xy"), min_size=1, max_size=2), st.data())
def test_lemma_5_inequality_abstractions_are_feasible_where_a_positive_interpolant_exists(
    problem, terms, data
):
    abstraction = inequality_abstraction("xy", terms)
    names = ["u", "v"][: len(terms)]
    if is_feasible(abstraction, problem):
        found = strongest_interpolant(abstraction.apply(problem))
        assert is_interpolant(problem, found)
        # Found holds wherever all terms are at least as large as where it holds.
        shifted = {name: variable(copy_b(name)) for name in "xy"}
        growth = [at_most(term, term.substitute(shifted)) for term in terms]
        assert implies(conjunction([found, *growth]), substitute(found, shifted))
    lower_bound = st.builds(
        lambda vector, bound: at_least(linear(zip(names, vector, strict=True)), bound),
        st.tuples(*[st.integers(0, 2) for _ in names]),
        st.integers(-3, 3),
    )
    clauses = st.lists(st.lists(lower_bound, min_size=1, max_size=2).map(disjunction), max_size=2)
    positive = conjunction(data.draw(clauses))
    known = substitute(positive, dict(zip(names, terms, strict=True)))
    separated = InterpolationProblem(
        Conjunction((problem.a, known)), Conjunction((problem.b, Negation(known))), ("x", "y")
    )
    assert is_feasible(abstraction, separated)


def positive_combination(problem: InterpolationProblem, predicates: list[Formula]) -> Formula:
    """The strongest one that follows from A: for each valuation in A, what is true there."""
    cases = []
    for truth in product((False, True), repeat=len(predicates)):
        pairs = list(zip(predicates, truth, strict=True))
        literals = [p if holds else Negation(p) for p, holds in pairs]
        if find_model(Conjunction((problem.a, *literals))) is not None:
            cases.append(conjunction(p for p, holds in pairs if holds))
    return disjunction(cases)


def weakest_combination(problem: InterpolationProblem, predicates: list[Formula]) -> Formula:
    """The weakest positive one that B contradicts: for each valuation in B, what is false there."""
    clauses = []
    for truth in product((False, True), repeat=len(predicates)):
        pairs = list(zip(predicates, truth, strict=True))
        literals = [p if holds else Negation(p) for p, holds in pairs]
        if find_model(Conjunction((problem.b, *literals))) is not None:
            clauses.append(disjunction(p for p, holds in pairs if not holds))
    return conjunction(clauses)


@few
@given(problems(), st.lists(sides("xy"), max_size=3), sides("xy"))
def test_lemma_7_the_extremes_are_positive_combinations_and_bound_the_interpolants(
    problem, predicates, other
):
    abstract = predicate_abstraction("xy", predicates).apply(problem)
    if not (is_solvable(abstract) and find_model(problem.a) and find_model(problem.b)):
        return
    strongest = positive_combination(problem, predicates)
    weakest = weakest_combination(problem, predicates)
    assert equivalent(strongest_interpolant(abstract), strongest)
    assert equivalent(weakest_interpolant(abstract), weakest)
    assert is_interpolant(abstract, Conjunction((weakest, disjunction([strongest, other]))))
    for changed in (Conjunction((strongest, other)), disjunction([weakest, other])):
        lies_between = implies(strongest, changed) and implies(changed, weakest)
        assert is_interpolant(abstract, changed) == lies_between


@few
@given(problems(), st.lists(sides("xy"), max_size=3))
def test_lemma_6_predicate_abstractions_are_feasible_where_a_positive_combination_exists(
    problem, predicates
):
    abstraction = predicate_abstraction("xy", predicates)
    candidate = positive_combination(problem, predicates)
    assert is_feasible(abstraction, problem) == is_interpolant(problem, candidate)


@few
@given(problems(), mixed_templates, mixed_templates)
def test_feasibility_is_monotonic_in_the_order_of_abstractions(problem, some, others):
    finer, coarser = (template_abstraction("xy", t) for t in (some + others, some))
    assert finer.at_least_as_strong(coarser)
    assert is_feasible(finer, problem) or not is_feasible(coarser, problem)


# ---- incremental feasibility ---------------------------------------------------------------


@few
@given(problems(), mixed_templates)
def test_the_incremental_checker_agrees_with_separate_checks(problem, templates):
    lattice = PowersetLattice(tuple(templates), (1,) * len(templates))
    with FeasibilityChecker(lattice, guarded_problem(problem, templates)) as checker:
        for mask in range(1 << len(templates)):
            chosen = frozenset(i for i in range(len(templates)) if mask >> i & 1)
            expected = is_feasible(
                template_abstraction("xy", [templates[i] for i in sorted(chosen)]), problem
            )
            verdict, witness = checker.explain(chosen)
            assert verdict == expected
            assert witness <= chosen if verdict else witness >= chosen
            assert checker(witness) == expected


# ---- sequences -----------------------------------------------------------------------------


def loop_in_three() -> SequenceProblem:
    """Two rounds of the loop of section 1.1 and the assertion, in steps of their own."""
    step = formula("i2 == i1 + 1 and x2 == x1 + 1 and k == j and i1 <= 49")
    return SequenceProblem((LOOP.a, step, formula("i2 >= 50 and k == 0 and x2 <= 49")))


def test_the_extreme_sequences_are_interpolant_sequences():
    problem = loop_in_three()
    for sequence in (strongest_sequence(problem), weakest_sequence(problem)):
        assert is_interpolant_sequence(problem, sequence)
    for strong, weak in zip(strongest_sequence(problem), weakest_sequence(problem), strict=True):
        assert implies(strong, weak)


def test_an_abstracted_sequence_yields_the_loop_invariant_at_every_cut():
    problem = loop_in_three()
    i2, x2, k = variable("i2"), variable("x2"), variable("k")
    points = (
        (1, inequality_abstraction(problem.common(1), [X1 - I1, -J])),
        (2, inequality_abstraction(problem.common(2), [x2 - i2, -k])),
    )
    abstraction = SequenceAbstraction(points)
    assert is_sequence_solvable(abstraction.apply(problem))
    found = strongest_sequence(abstraction.apply(problem))
    assert is_interpolant_sequence(problem, found)
    assert equivalent(found[1], formula("x1 >= i1 + j"))
    assert equivalent(found[2], formula("x2 >= i2 + k"))
    too_coarse = SequenceAbstraction(((1, term_abstraction(problem.common(1), [J])),))
    assert not is_sequence_solvable(too_coarse.apply(problem))


def test_the_identity_at_all_cuts_changes_no_sequence():
    problem = loop_in_three()
    points = tuple((cut, identity_abstraction(problem.common(cut))) for cut in (2, 1))
    abstract = SequenceAbstraction(points).apply(problem)
    pairs = zip(strongest_sequence(abstract), strongest_sequence(problem), strict=True)
    assert all(equivalent(one, other) for one, other in pairs)


def test_a_product_of_powersets_is_searched_for_the_cuts_of_a_sequence():
    problem = loop_in_three()
    i2, x2, k = variable("i2"), variable("x2"), variable("k")
    second = (TermTemplate(x2 - i2), TermTemplate(i2), TermTemplate(k))
    lattice = ProductLattice((PowersetLattice(BASE, (1, 5, 1)), PowersetLattice(second, (1, 5, 1))))
    guarded = guarded_sequence(problem, [(1, BASE), (2, second)])
    with FeasibilityChecker(lattice, guarded) as checker:
        found = set(explore(lattice, checker.cache()))
        cheapest = explore_cheapest(lattice, checker.cache())
    both = frozenset({0, 2})
    assert cheapest == [(both, both)]
    assert found == {(both, both), (frozenset({1}), frozenset({1}))}


def test_what_is_no_interpolant_sequence_is_told_apart():
    problem = loop_in_three()
    good = list(strongest_sequence(problem))
    local = formula("i0 >= 0")
    for place, wrong in ((0, local), (1, FALSE), (1, local), (2, TRUE)):
        assert not is_interpolant_sequence(problem, [*good[:place], wrong, *good[place + 1 :]])
    assert not is_interpolant_sequence(problem, good[1:])
    assert not is_interpolant_sequence(problem, [FALSE, *good[1:]])
    assert not is_interpolant_sequence(problem, [*good[:3], TRUE])


@few
@given(st.lists(sides("xy"), min_size=2, max_size=3), st.data())
def test_sequences_agree_with_their_binary_problems(drawn, data):
    parts = [
        substitute(part, {"x": variable(f"s{i}"), "y": variable(f"s{i + 1}")})
        for i, part in enumerate(drawn)
    ]
    problem = SequenceProblem(tuple(parts))
    if not is_sequence_solvable(problem):
        return
    sequence = data.draw(st.sampled_from([strongest_sequence, weakest_sequence]))(problem)
    for cut in range(1, len(parts)):
        before, after = Conjunction(tuple(parts[:cut])), Conjunction(tuple(parts[cut:]))
        names = problem.common(cut)
        assert is_interpolant(InterpolationProblem(before, after, names), sequence[cut])
        assert set(variables(sequence[cut])) <= {f"s{cut}"}
