"""Interpolation abstractions: ways to forget, which leave only the interpolants that one wants.

Leroux, Rümmer, Subotić 2016, sections 4 and 6.1. An interpolation abstraction over common symbols s
maps A and B to weaker formulas (Def. 2); every interpolant of the abstract problem is one of the
concrete problem (Lemma 1). Those that two relations define (Def. 3) are in `relations`.

This module alone owns the names of copies. The copy of x in A is x′, its copy in B is x″; where
that name is taken, further marks are appended. Common symbols must not contain marks.

Def. 2 is checked whenever an abstraction is applied: that it kept the locals of A and B apart
(iii), and that it only weakened them (i, ii). The latter is known of relations, which are
reflexive; of any other pair of functions a solver decides it for the formulas at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from petricheck.laboratory.abstractions.problems import InterpolationProblem
from petricheck.laboratory.elimination import eliminate
from petricheck.presburger.formulas import (
    TRUE,
    Formula,
    conjunction,
    disjunction,
    substitute,
    variables,
)
from petricheck.presburger.solver import implies
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

    def apply(
        self, problem: InterpolationProblem, *, seconds: float | None = None
    ) -> InterpolationProblem:
        """The abstract problem T_A(A) ∧ T_B(B); its interpolants may use all of s.

        Raises:
            BudgetExhausted: the solver gave up.
            ValueError: A and B share symbols outside s, before or after, or a function
                strengthened its formula.
        """
        abstract = apply_apart(self, problem)
        refuse_stronger("A", problem.a, abstract.a, self.common, seconds)
        refuse_stronger("B", problem.b, abstract.b, self.common, seconds)
        return abstract

    def conjunction(self, other: InterpolationAbstraction) -> InterpolationAbstraction:
        """Both abstractions side by side, ∧_L: each keeps its own copies of all local symbols."""
        common = same_symbols(self.common, other.common)
        return InterpolationAbstraction(
            common,
            lambda a: _conjoin_apart(self.transform_a(a), other.transform_a(a), common, A_MARK),
            lambda b: _conjoin_apart(self.transform_b(b), other.transform_b(b), common, B_MARK),
        )

    def disjunction(self, other: InterpolationAbstraction) -> InterpolationAbstraction:
        """Either abstraction, ∨_L; ∃ distributes over ∨, so that locals need no renaming."""
        return InterpolationAbstraction(
            same_symbols(self.common, other.common),
            lambda a: disjunction([self.transform_a(a), other.transform_a(a)]),
            lambda b: disjunction([self.transform_b(b), other.transform_b(b)]),
        )

    def composition(self, other: InterpolationAbstraction) -> InterpolationAbstraction:
        """This abstraction after the other, ∘_L."""
        return InterpolationAbstraction(
            same_symbols(self.common, other.common),
            lambda a: self.transform_a(other.transform_a(a)),
            lambda b: self.transform_b(other.transform_b(b)),
        )


def identity_transformations(common: Iterable[str]) -> InterpolationAbstraction:
    """Id_L, which changes nothing."""
    return InterpolationAbstraction(symbols_of(common), lambda a: a, lambda b: b)


def top_transformations(common: Iterable[str]) -> InterpolationAbstraction:
    """⊤_L, which forgets everything."""
    return InterpolationAbstraction(symbols_of(common), lambda _: TRUE, lambda _: TRUE)


def refuse_stronger(
    side: str, concrete: Formula, abstract: Formula, kept: Iterable[str], seconds: float | None
) -> None:
    """Refuse an abstract formula that does not follow from the concrete one (Def. 2 i, ii).

    Args:
        side: what the formula is called.
        concrete: the formula before.
        abstract: the formula after.
        kept: the symbols whose values matter; the others are local.
        seconds: limit for the solver, or None.

    Raises:
        BudgetExhausted: the solver gave up.
        ValueError: some values of the kept symbols are allowed before and not after.
    """
    if abstract in (concrete, TRUE):
        return
    local = set(variables(abstract)).difference(kept)
    if not implies(concrete, eliminate(local, abstract, seconds=seconds), seconds=seconds):
        raise ValueError(f"the abstraction strengthens {side}; it may only forget (Def. 2)")


def symbols_of(common: Iterable[str]) -> tuple[str, ...]:
    """The names, sorted; ValueError where one has a mark."""
    symbols = tuple(sorted(set(common)))
    for name in symbols:
        if A_MARK in name or B_MARK in name:
            raise ValueError(f"the name {name!r} has a mark that is reserved for copies")
    return symbols


def same_symbols(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    """The symbols that two abstractions share; ValueError where theirs differ."""
    if left != right:
        raise ValueError(f"abstractions over different symbols: {left} and {right}")
    return left


def apply_apart(
    abstraction: InterpolationAbstraction, problem: InterpolationProblem
) -> InterpolationProblem:
    """The abstract problem, whether or not it is weaker.

    Raises:
        ValueError: A and B share symbols that are not common, before or after (Def. 2 iii).
    """
    _refuse_shared(problem, abstraction.common)
    a, b = abstraction.transform_a(problem.a), abstraction.transform_b(problem.b)
    abstract = InterpolationProblem(a, b, abstraction.common)
    _refuse_shared(abstract, abstraction.common)
    return abstract


def _refuse_shared(problem: InterpolationProblem, common: tuple[str, ...]) -> None:
    shared = set(problem.common).difference(common)
    if shared:
        raise ValueError(f"the symbol {min(shared)!r} is shared but not the abstraction's")


def _conjoin_apart(left: Formula, right: Formula, common: tuple[str, ...], mark: str) -> Formula:
    return conjunction([left, rename_apart(right, common, set(variables(left)), mark)])


def rename_apart(formula: Formula, common: tuple[str, ...], taken: set[str], mark: str) -> Formula:
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
