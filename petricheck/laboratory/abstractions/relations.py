"""Interpolation abstractions: they weaken a problem so that only desired interpolants remain.

Leroux, Rümmer, Subotić 2016, sections 4 and 5. Two reflexive relations over common symbols s define
which values an interpolant may distinguish (Def. 3): R_A[s′, s] and R_B[s, s″]. A is written over
s′ and B over s″, and only the relations connect these with s. So A and B become weaker (Def. 2 i,
ii) and share nothing but s (iii), and every interpolant of the abstract problem is one of the
concrete problem (Lemma 1).

Templates induce such relations: terms (Def. 4), inequalities (Def. 5) and predicates (Def. 6), also
mixed. The templates of a set are joined by ∧_R (section 6.2). Schematic terms (Def. 7) are about
uninterpreted functions: over linear arithmetic, where a term has no argument to quantify over, they
add nothing.

The copy of x in A is x′, its copy in B is x″; no symbol of a problem may contain these marks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import (
    Disjunction,
    Formula,
    Negation,
    at_most,
    conjunction,
    equal,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, variable

A_MARK = "′"
B_MARK = "″"


@dataclass(frozen=True, slots=True)
class TermTemplate:
    """Interpolants may use the value of the term (Def. 4); its constant does not matter."""

    term: Term


@dataclass(frozen=True, slots=True)
class InequalityTemplate:
    """Interpolants may contain lower bounds of the term (Def. 5)."""

    term: Term


@dataclass(frozen=True, slots=True)
class PredicateTemplate:
    """Interpolants may use the formula, not under a negation (Def. 6)."""

    formula: Formula


Template = TermTemplate | InequalityTemplate | PredicateTemplate


@dataclass(frozen=True, slots=True)
class RelationAbstraction:
    """Two reflexive relations (Def. 3).

    Attributes:
        common: the symbols s, sorted.
        relation_a: R_A over s and the copies s′.
        relation_b: R_B over s and the copies s″.
    """

    common: tuple[str, ...]
    relation_a: Formula
    relation_b: Formula

    def of_a(self, formula: Formula) -> Formula:
        """Return T_A: the formula over the copies s′, and their relation to s."""
        return conjunction([substitute(formula, copies(self.common, A_MARK)), self.relation_a])

    def of_b(self, formula: Formula) -> Formula:
        """Return T_B: the formula over the copies s″, and their relation to s."""
        return conjunction([substitute(formula, copies(self.common, B_MARK)), self.relation_b])


def template_abstraction(
    common: Iterable[str], templates: Iterable[Template]
) -> RelationAbstraction:
    """Return the relation abstraction of templates of any kinds; without any it is ⊤.

    Raises:
        ValueError: a template uses a symbol that is not common, or a common symbol has a mark.
    """
    symbols = _symbols(common)
    pairs = [_relations(symbols, template) for template in templates]
    in_a = conjunction(relation_a for relation_a, _ in pairs)
    return RelationAbstraction(symbols, in_a, conjunction(relation_b for _, relation_b in pairs))


def copies(names: Iterable[str], mark: str) -> dict[str, Term]:
    """Return, by name, the copy with that mark."""
    return {name: variable(name + mark) for name in names}


def refuse_marks(names: Iterable[str]) -> None:
    """Raise ValueError where a name has a mark."""
    for name in names:
        if A_MARK in name or B_MARK in name:
            raise ValueError(f"the name {name!r} has a mark that is reserved for copies")


def _symbols(common: Iterable[str]) -> tuple[str, ...]:
    symbols = tuple(sorted(set(common)))
    refuse_marks(symbols)
    return symbols


def _relations(common: tuple[str, ...], template: Template) -> tuple[Formula, Formula]:
    """Return the conjuncts of R_A and R_B for one template."""
    in_a, in_b = copies(common, A_MARK), copies(common, B_MARK)
    match template:
        case TermTemplate(term):
            _refuse_foreign(equal(term, 0), common)
            return equal(term.substitute(in_a), term), equal(term, term.substitute(in_b))
        case InequalityTemplate(term):
            _refuse_foreign(at_most(term, 0), common)
            return at_most(term.substitute(in_a), term), at_most(term, term.substitute(in_b))
        case PredicateTemplate(formula):
            _refuse_foreign(formula, common)
            left, right = substitute(formula, in_a), substitute(formula, in_b)
            return Disjunction((Negation(left), formula)), Disjunction((Negation(formula), right))


def _refuse_foreign(formula: Formula, symbols: Iterable[str]) -> None:
    foreign = set(variables(formula)).difference(symbols)
    if foreign:
        raise ValueError(f"a template uses the symbol {min(foreign)!r}, which is not common")
