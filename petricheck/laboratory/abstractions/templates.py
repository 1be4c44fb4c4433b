"""Templates, and the relation abstractions that they induce.

Leroux, Rümmer, Subotić 2016, sections 5.1 to 5.3: terms (Def. 4), inequalities (Def. 5) and
predicates (Def. 6); sets of templates may mix the kinds. Schematic terms (Def. 7) are about
uninterpreted functions (`functions.schematic`): over Presburger arithmetic, where a linear term has
no argument to quantify over, they add nothing.

`span_closure` says which sets of term templates induce equivalent abstractions (canonical elements,
end of section 7.2); a powerset lattice takes such a closure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from petricheck.laboratory.abstractions.abstractions import (
    A_MARK,
    B_MARK,
    copy_a,
    copy_b,
    symbols_of,
)
from petricheck.laboratory.abstractions.problems import (
    InterpolationProblem,
    strongest_interpolant,
    weakest_interpolant,
)
from petricheck.laboratory.abstractions.relations import RelationAbstraction
from petricheck.presburger.formulas import (
    Disjunction,
    Formula,
    Negation,
    at_most,
    conjunction,
    equal,
    substitute,
    variables,
)
from petricheck.presburger.terms import Term, variable

Closure = Callable[[frozenset[int]], frozenset[int]]


@dataclass(frozen=True, slots=True)
class TermTemplate:
    """Interpolants may use the value of the term (Def. 4); its constant does not matter."""

    term: Term


@dataclass(frozen=True, slots=True)
class InequalityTemplate:
    """Interpolants may give lower bounds of the term (Def. 5)."""

    term: Term


@dataclass(frozen=True, slots=True)
class PredicateTemplate:
    """Interpolants may use the formula, not under a negation (Def. 6)."""

    formula: Formula


Template = TermTemplate | InequalityTemplate | PredicateTemplate


def template_abstraction(
    common: Iterable[str], templates: Iterable[Template]
) -> RelationAbstraction:
    """The relation abstraction of templates of any kinds; of none, the top.

    Raises:
        ValueError: a template uses a symbol that is not common, or a common symbol has a mark.
    """
    symbols = symbols_of(common)
    pairs = [_template_relations(symbols, template) for template in templates]
    left = conjunction(relation_a for relation_a, _ in pairs)
    return RelationAbstraction(symbols, left, conjunction(relation_b for _, relation_b in pairs))


def term_abstraction(common: Iterable[str], terms: Iterable[Term]) -> RelationAbstraction:
    """The term interpolation abstraction over the terms (Def. 4)."""
    return template_abstraction(common, map(TermTemplate, terms))


def inequality_abstraction(common: Iterable[str], terms: Iterable[Term]) -> RelationAbstraction:
    """The inequality interpolation abstraction over the terms (Def. 5)."""
    return template_abstraction(common, map(InequalityTemplate, terms))


def predicate_abstraction(
    common: Iterable[str], predicates: Iterable[Formula]
) -> RelationAbstraction:
    """The predicate interpolation abstraction over the formulas (Def. 6)."""
    return template_abstraction(common, map(PredicateTemplate, predicates))


def span_closure(terms: Sequence[Term]) -> Callable[[frozenset[int]], frozenset[int]]:
    """For term templates: all terms whose value the chosen ones determine, up to a constant.

    Two sets of term templates induce equivalent abstractions exactly where the closures are equal:
    R_A^T says that s′ − s lies in the kernel of T, and kernels agree where rational spans do.
    """

    def close(chosen: frozenset[int]) -> frozenset[int]:
        rows: dict[str, Term] = {}
        for index in sorted(chosen):
            rest = _reduce(terms[index], rows)
            if rest.coefficients:
                rows[rest.coefficients[0][0]] = rest
        inside = (i for i, term in enumerate(terms) if not _reduce(term, rows).coefficients)
        return frozenset(inside)

    return close


def _reduce(term: Term, rows: dict[str, Term]) -> Term:
    """The term minus rational multiples of the rows, until no leading variable of theirs is left.

    Rows are in echelon order by their first variable, so that one ascending sweep suffices.
    """
    rest = Term(term.coefficients, 0)
    for name in sorted(rows):
        factor = dict(rest.coefficients).get(name, 0)
        if factor:
            row = rows[name]
            rest = rest * row.coefficients[0][1] - row * factor
            content = rest.content
            rest = Term(tuple((n, value // content) for n, value in rest.coefficients), 0)
    return rest


def _template_relations(common: tuple[str, ...], template: Template) -> tuple[Formula, Formula]:
    """The conjuncts of R_A and R_B for one template."""
    to_a = {name: variable(copy_a(name)) for name in common}
    to_b = {name: variable(copy_b(name)) for name in common}
    match template:
        case TermTemplate(term):
            _refuse_foreign(term.variables, common)
            in_a, in_b = term.substitute(to_a), term.substitute(to_b)
            return equal(in_a, term), equal(term, in_b)
        case InequalityTemplate(term):
            _refuse_foreign(term.variables, common)
            in_a, in_b = term.substitute(to_a), term.substitute(to_b)
            return at_most(in_a, term), at_most(term, in_b)
        case PredicateTemplate(formula):
            _refuse_foreign(variables(formula), common)
            left, right = substitute(formula, to_a), substitute(formula, to_b)
            return (
                Disjunction((Negation(left), formula)),
                Disjunction((Negation(formula), right)),
            )


def _refuse_foreign(names: Iterable[str], common: tuple[str, ...]) -> None:
    foreign = set(names).difference(common)
    if foreign:
        raise ValueError(f"a template uses the symbol {min(foreign)!r}, which is not common")


def strongest_over_terms(
    problem: InterpolationProblem, terms: Sequence[Term], *, seconds: float | None = None
) -> Formula:
    """The strongest interpolant of the term abstraction, written in the terms alone (Lemma 4).

    Raises:
        BudgetExhausted: the solver gave up.
        ValueError: the abstraction is not feasible.
    """
    named, meaning = _over_names(problem, terms)
    return substitute(strongest_interpolant(named, seconds=seconds), meaning)


def weakest_over_terms(
    problem: InterpolationProblem, terms: Sequence[Term], *, seconds: float | None = None
) -> Formula:
    """The weakest interpolant, where `strongest_over_terms` has the strongest."""
    named, meaning = _over_names(problem, terms)
    return substitute(weakest_interpolant(named, seconds=seconds), meaning)


def _over_names(
    problem: InterpolationProblem, terms: Sequence[Term]
) -> tuple[InterpolationProblem, dict[str, Term]]:
    """The paper's problem (4): each side over its own copies, only the terms' values shared."""
    common = symbols_of(problem.common)
    names = [f"{A_MARK}{B_MARK}{i}" for i in range(len(terms))]
    sides = []
    for formula, copy in ((problem.a, copy_a), (problem.b, copy_b)):
        renaming = {name: variable(copy(name)) for name in common}
        values = [
            equal(term.substitute(renaming), variable(name))
            for term, name in zip(terms, names, strict=True)
        ]
        sides.append(conjunction([substitute(formula, renaming), *values]))
    named = InterpolationProblem(sides[0], sides[1], tuple(names))
    return named, dict(zip(names, terms, strict=True))
