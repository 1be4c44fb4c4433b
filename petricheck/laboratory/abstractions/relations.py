"""Relation abstractions: ways to forget that two reflexive relations describe.

Leroux, Rümmer, Subotić 2016, Def. 3 and section 6.2. R_A[s′, s] and R_B[s, s″] hold wherever both
copies of the symbols agree; A is read over s′, B over s″, and only the relations tie them to s.
`templates` makes them from terms, inequalities and predicates.

Deviations: in Def. 8 (ii) the paper writes T_A where T_B is meant. Over Presburger arithmetic,
where every single point is definable, the order of Def. 8 on relation abstractions is that of
section 6.2, which is what is decided here. Composition of relation abstractions, which the paper
leaves implicit, is composition of relations, by quantifier elimination.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from petricheck.laboratory.abstractions.abstractions import (
    A_MARK,
    B_MARK,
    InterpolationAbstraction,
    apply_apart,
    rename_apart,
    same_symbols,
    symbols_of,
)
from petricheck.laboratory.abstractions.problems import InterpolationProblem, is_solvable
from petricheck.laboratory.elimination import eliminate
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
from petricheck.presburger.solver import equivalent, implies
from petricheck.presburger.terms import variable


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

    def apply(
        self, problem: InterpolationProblem, *, seconds: float | None = None
    ) -> InterpolationProblem:
        """The abstract problem, which is weaker since the relations are reflexive.

        Raises:
            ValueError: A and B share symbols outside s, before or after.
        """
        return apply_apart(self.transformations(), problem)

    def conjunction(self, other: RelationAbstraction) -> RelationAbstraction:
        """∧_R: the copies of a symbol are related both ways at once. Stronger than ∧_L."""
        return RelationAbstraction(
            same_symbols(self.common, other.common),
            conjunction([self.relation_a, other.relation_a]),
            conjunction([self.relation_b, other.relation_b]),
        )

    def disjunction(self, other: RelationAbstraction) -> RelationAbstraction:
        """∨_R, which coincides with ∨_L."""
        return RelationAbstraction(
            same_symbols(self.common, other.common),
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
            same_symbols(self.common, other.common),
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
        same_symbols(self.common, other.common)
        return implies(self.relation_a, other.relation_a, seconds=seconds) and implies(
            self.relation_b, other.relation_b, seconds=seconds
        )

    def equivalent(self, other: RelationAbstraction, *, seconds: float | None = None) -> bool:
        """Whether both abstractions forget the same (Def. 8).

        Raises:
            BudgetExhausted: the solver gave up.
        """
        same_symbols(self.common, other.common)
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
        ValueError: A and B share symbols outside the abstraction's, or it strengthens them.
    """
    return is_solvable(abstraction.apply(problem, seconds=seconds), seconds=seconds)


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


def _identity(common: tuple[str, ...], mark: str) -> Formula:
    return conjunction(equal(variable(name), variable(name + mark)) for name in common)


def _through(relation: Formula, formula: Formula, common: tuple[str, ...], mark: str) -> Formula:
    """The formula over copies, and the relation from them to s."""
    copies = {name: name + mark for name in common}
    apart = rename_apart(formula, common, {*copies.values()}, mark)
    copied = substitute(apart, {name: variable(copy) for name, copy in copies.items()})
    return conjunction([copied, relation])


def _composed(after: Formula, before: Formula, common: tuple[str, ...], mark: str) -> Formula:
    """∃ middle: `before` from the copies to the middle, `after` from the middle to s."""
    middle = {name: variable(name + mark + mark) for name in common}
    first = substitute(before, middle)
    second = substitute(after, {name + mark: middle[name] for name in common})
    names = [term.variables[0] for term in middle.values()]
    return eliminate(names, Conjunction((first, second)))
