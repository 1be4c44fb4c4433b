"""Templates of interpolants, and formulas over names that stand for them.

Defs. 4 to 7 of Leroux, Rümmer, Subotić 2016: the value of a term, a bound of it, a formula, the
values of a term for any arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Atom,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    conjunction,
    disjunction,
    evaluate,
    map_terms,
)
from petricheck.arithmetic.formulas.terms import Term, constant
from petricheck.laboratory.abstractions.relations import (
    InequalityTemplate,
    PredicateTemplate,
    TermTemplate,
)
from petricheck.laboratory.prover.terms import (
    Application,
    Ratio,
    Symbol,
    rebuilt,
    single,
    symbols,
    vocabulary,
)


@dataclass(frozen=True, slots=True)
class SchematicTerm:
    """A template whose values for any arguments may be spoken of (Def. 7).

    Attributes:
        term: over common symbols and the parameters.
        parameters: variables that stand for any value.
        sorts: of which sort the parameters are, where sorts matter.
    """

    term: Term
    parameters: tuple[str, ...]
    sorts: tuple[str, ...] = ()

    def at(self, arguments: Sequence[Ratio]) -> Ratio:
        """Return the term with these arguments for its parameters."""
        values = dict(zip(self.parameters, arguments, strict=True))
        return rebuilt(self.term, lambda unit: values.get(unit) or single(unit))


Template: TypeAlias = TermTemplate | InequalityTemplate | PredicateTemplate | SchematicTerm


def symbols_of(template: Template) -> frozenset[Symbol]:
    """Return the symbols that occur in a template, save for parameters."""
    match template:
        case PredicateTemplate(formula):
            return vocabulary(formula)
        case SchematicTerm(term, parameters):
            return symbols(term.variables).difference(parameters)
        case TermTemplate(term) | InequalityTemplate(term):
            return symbols(term.variables)


def sort_in(
    named: Mapping[str, Template],
    marks: tuple[str, str],
    sort_of: Callable[[Ratio], str],
    term: Ratio,
) -> str:
    """Return the sort of a term, a copy of a term, or the name of a template."""
    match term.term.coefficients:
        case ((unit, _),) if term == single(unit):
            name = unit.function if isinstance(unit, Application) else unit
            match named.get(name):
                case TermTemplate(value) | InequalityTemplate(value) | SchematicTerm(value):
                    return sort_of(Ratio(value))
            plain = name.removesuffix(marks[0]).removesuffix(marks[1])
            if isinstance(unit, Application):
                return sort_of(single(Application(plain, unit.arguments)))
            return sort_of(single(plain))
        case _:
            return sort_of(term)


def term_names(named: Mapping[str, Template]) -> Iterator[Ratio]:
    """Yield the names that stand for the value of one term."""
    for name, template in named.items():
        if isinstance(template, TermTemplate | InequalityTemplate):
            yield single(name)


def written_out(formula: Formula, named: Mapping[str, Template]) -> Formula:
    """Return the formula with templates in the place of their names.

    Args:
        formula: over the names; that of a predicate is 0 where it holds and 1 where not.
        named: templates by name; those of schematic terms are functions.
    """

    def meaning(unit: str) -> Ratio:
        match named.get(unit.function if isinstance(unit, Application) else unit):
            case SchematicTerm() as schema if isinstance(unit, Application):
                return schema.at(unit.arguments)
            case TermTemplate(term) | InequalityTemplate(term):
                return Ratio(term)
            case _:
                return single(unit)

    def written(part: Formula) -> Formula:
        match part:
            case Negation(operand):
                return Negation(written(operand))
            case Conjunction(operands):
                return conjunction(map(written, operands))
            case Disjunction(operands):
                return disjunction(map(written, operands))
            case atom:
                return _with_predicates(atom, named, meaning)

    return written(formula)


def _with_predicates(
    atom: Atom, named: Mapping[str, Template], meaning: Callable[[str], Ratio]
) -> Formula:
    """Return the atom without template names; those of predicates are split into cases."""
    for name in atom.term.variables:
        template = named.get(name)
        if isinstance(template, PredicateTemplate):
            cases = ((template.formula, 0), (Negation(template.formula), 1))
            return disjunction(
                conjunction(
                    (value_formula, _with_predicates(_at(atom, name, value), named, meaning))
                )
                for value_formula, value in cases
            )
    if not atom.term.coefficients:
        return TRUE if evaluate(atom, {}) else FALSE
    return map_terms(atom, lambda term: rebuilt(term, meaning).term)


def _at(atom: Atom, name: str, value: int) -> Atom:
    """Return the atom with the value for the variable."""
    return replace(atom, term=atom.term.substitute({name: constant(value)}))
