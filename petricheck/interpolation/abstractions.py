"""Interpolation abstractions: ways to forget, which leave only the interpolants that one wants.

Leroux, Rümmer, Subotić 2016, sections 4 to 6. An interpolation abstraction over common symbols s
maps A and B to weaker formulas (Def. 2); every interpolant of the abstract problem is one of the
concrete problem (Lemma 1). A relation abstraction (Def. 3) does it by two reflexive relations
R_A[s′, s] and R_B[s, s″]; `templates` makes them from terms, inequalities and predicates.

This module alone owns the names of copies. The copy of x in A is x′, its copy in B is x″; where
that name is taken, further marks are appended. Common symbols must not contain marks; whether a
transformation kept the locals of A and B apart (Def. 2 iii) is checked whenever it is applied.

Deviations: in Def. 8 (ii) the paper writes T_A where T_B is meant. Over Presburger arithmetic,
where every single point is definable, the order of Def. 8 on relation abstractions is that of
section 6.2, which is what is decided here. Composition of relation abstractions, which the paper
leaves implicit, is composition of relations, by quantifier elimination.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from petricheck.interpolation.problems import InterpolationProblem, is_solvable
from petricheck.presburger.formulas import (
    TRUE,
    Conjunction,
    Formula,
    conjunction,
    disjunction,
    equal,
    negate,
    substitute,
    variables,
)
from petricheck.presburger.solver import eliminate, equivalent, implies
from petricheck.presburger.terms import Term, variable

A_MARK = "′"
B_MARK = "″"

Transformation = Callable[[Formula], Formula]


def copy_a(name: str) -> str:
    """The symbol that stands for `name` in the abstracted A."""
    return name + A_MARK


def copy_b(name: str) -> str:
    """The symbol that stands for `name` in the abstracted B."""
    return name + B_MARK


@dataclass(frozen=True, slots=True)
class InterpolationAbstraction:
    """A pair of functions that weaken formulas (Def. 2).

    Attributes:
        common: the symbols s, sorted.
        transform_a: T_A; introduces no symbols but copies with A's mark.
        transform_b: T_B; introduces no symbols but copies with B's mark.
    """

    common: tuple[str, ...]
    transform_a: Transformation
    transform_b: Transformation

    def apply(self, problem: InterpolationProblem) -> InterpolationProblem:
        """The abstract problem T_A(A) ∧ T_B(B); its interpolants may use all of s.

        Raises:
            ValueError: A and B share symbols outside s, before or after.
        """
        _refuse_shared(problem, self.common)
        a, b = self.transform_a(problem.a), self.transform_b(problem.b)
        abstract = InterpolationProblem(a, b, self.common)
        _refuse_shared(abstract, self.common)
        return abstract

    def conjunction(self, other: InterpolationAbstraction) -> InterpolationAbstraction:
        """Both abstractions side by side, ∧_L: each keeps its own copies of all local symbols."""
        common = _same_symbols(self.common, other.common)
        return InterpolationAbstraction(
            common,
            lambda a: _conjoin_apart(self.transform_a(a), other.transform_a(a), common, A_MARK),
            lambda b: _conjoin_apart(self.transform_b(b), other.transform_b(b), common, B_MARK),
        )

    def disjunction(self, other: InterpolationAbstraction) -> InterpolationAbstraction:
        """Either abstraction, ∨_L; ∃ distributes over ∨, so that locals need no renaming."""
        return InterpolationAbstraction(
            _same_symbols(self.common, other.common),
            lambda a: disjunction([self.transform_a(a), other.transform_a(a)]),
            lambda b: disjunction([self.transform_b(b), other.transform_b(b)]),
        )

    def composition(self, other: InterpolationAbstraction) -> InterpolationAbstraction:
        """This abstraction after the other, ∘_L."""
        return InterpolationAbstraction(
            _same_symbols(self.common, other.common),
            lambda a: self.transform_a(other.transform_a(a)),
            lambda b: self.transform_b(other.transform_b(b)),
        )


def identity_transformations(common: Iterable[str]) -> InterpolationAbstraction:
    """Id_L, which changes nothing."""
    return InterpolationAbstraction(symbols_of(common), lambda a: a, lambda b: b)


def top_transformations(common: Iterable[str]) -> InterpolationAbstraction:
    """⊤_L, which forgets everything."""
    return InterpolationAbstraction(symbols_of(common), lambda _: TRUE, lambda _: TRUE)


@dataclass(frozen=True, slots=True)
class RelationAbstraction:
    """Two reflexive relations (Def. 3); `relation_abstraction` checks that they are.

    Attributes:
        common: the symbols s, sorted.
        relation_a: R_A over s and the copies s′.
        relation_b: R_B over s and the copies s″.
    """

    common: tuple[str, ...]
    relation_a: Formula
    relation_b: Formula

    def transformations(self) -> InterpolationAbstraction:
        """The interpolation abstraction that the relations define."""
        return InterpolationAbstraction(
            self.common,
            lambda a: _through(self.relation_a, a, self.common, A_MARK),
            lambda b: _through(self.relation_b, b, self.common, B_MARK),
        )

    def apply(self, problem: InterpolationProblem) -> InterpolationProblem:
        """The abstract problem; see `InterpolationAbstraction.apply`."""
        return self.transformations().apply(problem)

    def conjunction(self, other: RelationAbstraction) -> RelationAbstraction:
        """∧_R: the copies of a symbol are related both ways at once. Stronger than ∧_L."""
        return RelationAbstraction(
            _same_symbols(self.common, other.common),
            conjunction([self.relation_a, other.relation_a]),
            conjunction([self.relation_b, other.relation_b]),
        )

    def disjunction(self, other: RelationAbstraction) -> RelationAbstraction:
        """∨_R, which coincides with ∨_L."""
        return RelationAbstraction(
            _same_symbols(self.common, other.common),
            disjunction([self.relation_a, other.relation_a]),
            disjunction([self.relation_b, other.relation_b]),
        )

    def complement(self) -> RelationAbstraction:
        """¬_R: related where this abstraction does not relate, and always to oneself."""
        return RelationAbstraction(
            self.common,
            disjunction([negate(self.relation_a), _identity(self.common, A_MARK)]),
            disjunction([negate(self.relation_b), _identity(self.common, B_MARK)]),
        )

    def composition(self, other: RelationAbstraction) -> RelationAbstraction:
        """This abstraction after the other, by composing the relations.

        Raises:
            BudgetExhausted: the solver gave up.
        """
        return RelationAbstraction(
            _same_symbols(self.common, other.common),
            _composed(self.relation_a, other.relation_a, self.common, A_MARK),
            _composed(self.relation_b, other.relation_b, self.common, B_MARK),
        )

    def at_least_as_strong(
        self, other: RelationAbstraction, *, seconds: float | None = None
    ) -> bool:
        """Whether this abstraction forgets no more than the other (Def. 8).

        Raises:
            BudgetExhausted: the solver gave up.
        """
        _same_symbols(self.common, other.common)
        return implies(self.relation_a, other.relation_a, seconds=seconds) and implies(
            self.relation_b, other.relation_b, seconds=seconds
        )

    def equivalent(self, other: RelationAbstraction, *, seconds: float | None = None) -> bool:
        """Whether both abstractions forget the same (Def. 8).

        Raises:
            BudgetExhausted: the solver gave up.
        """
        _same_symbols(self.common, other.common)
        return equivalent(self.relation_a, other.relation_a, seconds=seconds) and equivalent(
            self.relation_b, other.relation_b, seconds=seconds
        )


Abstraction = InterpolationAbstraction | RelationAbstraction


def is_feasible(
    abstraction: Abstraction, problem: InterpolationProblem, *, seconds: float | None = None
) -> bool:
    """Whether the abstract problem still has an interpolant.

    Raises:
        BudgetExhausted: the solver gave up.
        ValueError: A and B share symbols outside the abstraction's.
    """
    return is_solvable(abstraction.apply(problem), seconds=seconds)


def relation_abstraction(
    common: Iterable[str], relation_a: Formula, relation_b: Formula
) -> RelationAbstraction:
    """The relation abstraction of these relations, once they are known to be reflexive.

    Raises:
        BudgetExhausted: the solver gave up.
        ValueError: a relation uses other symbols than s and its copies, or is not reflexive.
    """
    symbols = symbols_of(common)
    for relation, mark in ((relation_a, A_MARK), (relation_b, B_MARK)):
        foreign = set(variables(relation)).difference(symbols, (n + mark for n in symbols))
        if foreign:
            raise ValueError(f"the relation uses the symbol {min(foreign)!r}")
        merged = substitute(relation, {name + mark: variable(name) for name in symbols})
        if not implies(TRUE, merged):
            raise ValueError("the relation is not reflexive")
    return RelationAbstraction(symbols, relation_a, relation_b)


def identity_abstraction(common: Iterable[str]) -> RelationAbstraction:
    """Id_R, the bottom: every interpolant remains."""
    symbols = symbols_of(common)
    return RelationAbstraction(symbols, _identity(symbols, A_MARK), _identity(symbols, B_MARK))


def top_abstraction(common: Iterable[str]) -> RelationAbstraction:
    """⊤_R: only `true` or `false` can remain."""
    return RelationAbstraction(symbols_of(common), TRUE, TRUE)


def symbols_of(common: Iterable[str]) -> tuple[str, ...]:
    """The names, sorted; ValueError where one has a mark."""
    symbols = tuple(sorted(set(common)))
    for name in symbols:
        if A_MARK in name or B_MARK in name:
            raise ValueError(f"the name {name!r} has a mark that is reserved for copies")
    return symbols


def _same_symbols(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    if left != right:
        raise ValueError(f"abstractions over different symbols: {left} and {right}")
    return left


def _refuse_shared(problem: InterpolationProblem, common: tuple[str, ...]) -> None:
    shared = set(problem.common).difference(common)
    if shared:
        raise ValueError(f"the symbol {min(shared)!r} is shared but not the abstraction's")


def _identity(common: tuple[str, ...], mark: str) -> Formula:
    return conjunction(equal(variable(name), variable(name + mark)) for name in common)


def _through(relation: Formula, formula: Formula, common: tuple[str, ...], mark: str) -> Formula:
    """The formula over copies, and the relation from them to s."""
    copies = {name: name + mark for name in common}
    apart = _rename_apart(formula, common, {*copies.values()}, mark)
    copied = substitute(apart, {name: variable(copy) for name, copy in copies.items()})
    return conjunction([copied, relation])


def _conjoin_apart(left: Formula, right: Formula, common: tuple[str, ...], mark: str) -> Formula:
    return conjunction([left, _rename_apart(right, common, set(variables(left)), mark)])


def _rename_apart(formula: Formula, common: tuple[str, ...], taken: set[str], mark: str) -> Formula:
    """The formula, its local symbols renamed where they are taken."""
    used = set(variables(formula))
    occupied = used | taken | set(common)
    renaming: dict[str, Term] = {}
    for name in sorted((used & taken).difference(common)):
        fresh = name
        while fresh in occupied:
            fresh += mark
        occupied.add(fresh)
        renaming[name] = variable(fresh)
    return substitute(formula, renaming)


def _composed(after: Formula, before: Formula, common: tuple[str, ...], mark: str) -> Formula:
    """∃ middle: `before` from the copies to the middle, `after` from the middle to s."""
    middle = {name: variable(name + mark + mark) for name in common}
    first = substitute(before, middle)
    second = substitute(after, {name + mark: middle[name] for name in common})
    names = [term.variables[0] for term in middle.values()]
    return eliminate(names, Conjunction((first, second)))
