"""Schematic term abstractions: interpolants that speak in the values of patterns.

Leroux, Rümmer, Subotić 2016, Def. 7 and Lemma 8. A schematic term has parameters. Each side speaks
of copies of what both share, and all it tells about them is that a fresh function has the values of
the template, read over its copies, for all arguments. Interpolants are made of the fresh functions,
and each of those is replaced by its template in the end.

"For all arguments" becomes finitely many instances: those at the terms of a side, and at what both
sides know. More of them follow from terms of instances, in further rounds. So a contradiction is
found where there is one among the instances; that there is none is known of templates without
parameters only, which are those of Def. 4.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.laboratory.functions.formulas import (
    Formula,
    atoms,
    conjunction,
    equal,
    map_terms,
    terms,
    vocabulary,
)
from petricheck.laboratory.functions.interpolate import (
    Modelled,
    Result,
    Separated,
    interpolate,
)
from petricheck.laboratory.functions.terms import (
    Application,
    Symbol,
    Term,
    Unit,
    apply,
    rebuilt,
    single,
    subterms,
    symbols,
    variable,
)
from petricheck.laboratory.prover.results import Undecided

ROUNDS = 2
"""How often instances are taken at the terms that are there."""


@dataclass(frozen=True, slots=True)
class SchematicTerm:
    """A template: its values for any arguments may be spoken of.

    Attributes:
        term: over common symbols and the parameters.
        parameters: variables that stand for any value.
    """

    term: Term
    parameters: tuple[str, ...] = ()

    @property
    def symbols(self) -> frozenset[Symbol]:
        """Those that occur, save for the parameters."""
        return frozenset(symbols(self.term)).difference((name, 0) for name in self.parameters)

    def at(self, arguments: Sequence[Term]) -> Term:
        """The term with these in the place of its parameters."""
        values: dict[Unit, Term] = dict(zip(self.parameters, arguments, strict=True))
        return rebuilt(self.term, lambda unit: values.get(unit) or single(unit))


def interpolate_schematic(
    first: Formula,
    second: Formula,
    templates: Sequence[SchematicTerm],
    *,
    kept: Collection[Symbol] = (),
    budget: Budget | None = None,
) -> Result:
    """An interpolant over templates alone, as `interpolate` answers the abstract problem.

    A proof is one of the abstract problem, and so is a model.

    Args:
        first: any formula.
        second: likewise.
        templates: what interpolants may speak of.
        kept: symbols that they may use as they like besides.
        budget: limits the search.

    Raises:
        ValueError: a template or `kept` has a symbol that the formulas do not share.
    """
    budget = budget or Budget()
    common = vocabulary(first) & vocabulary(second)
    _refuse_foreign(templates, kept, common)
    fresh = _fresh(templates, vocabulary(first) | vocabulary(second))
    hidden = common.difference(kept)
    sides = [_Side(m, hidden, frozenset(kept), templates, fresh) for m in ("′", "″")]
    try:
        for rounds in range(1, ROUNDS + 1):
            abstract = [
                side.abstracted(formula, rounds, budget)
                for side, formula in zip(sides, (first, second), strict=True)
            ]
            match interpolate(*abstract, budget=budget):
                case Separated(interpolant, proof):
                    return Separated(_written_out(interpolant, templates, fresh), proof)
                case Modelled() if any(template.parameters for template in templates):
                    continue
                case found:
                    return found
    except BudgetExhausted as error:
        return Undecided(str(error))
    return Undecided(f"instances of the templates, {ROUNDS} rounds of them, have a common model")


@dataclass(frozen=True, slots=True)
class _Side:
    """How one of the formulas is abstracted."""

    mark: str
    hidden: frozenset[Symbol]
    kept: frozenset[Symbol]
    templates: Sequence[SchematicTerm]
    fresh: Sequence[str]

    def abstracted(self, formula: Formula, rounds: int, budget: Budget) -> Formula:
        """The formula over copies, with instances of what is told of them.

        Raises:
            BudgetExhausted: there are too many.
        """
        parts = dict.fromkeys([map_terms(formula, self._copy)])
        for _ in range(rounds):
            known = dict.fromkeys([*self._shared(), *_ground(parts)])
            parts |= dict.fromkeys(self._instances(tuple(known), budget))
        return conjunction(parts)

    def _instances(self, known: tuple[Term, ...], budget: Budget) -> Iterator[Formula]:
        for template, name in zip(self.templates, self.fresh, strict=True):
            copied = SchematicTerm(self._copy(template.term), template.parameters)
            for arguments in product(known, repeat=len(template.parameters)):
                budget.check()
                yield equal(copied.at(arguments), _named(name, arguments))

    def _shared(self) -> Iterator[Term]:
        """Terms that both sides know."""
        yield from (variable(name) for name, arity in sorted(self.kept) if not arity)
        for template, name in zip(self.templates, self.fresh, strict=True):
            if not template.parameters:
                yield variable(name)

    def _copy(self, term: Term) -> Term:
        return rebuilt(term, self._copied)

    def _copied(self, unit: Unit) -> Term:
        match unit:
            case Application(function, arguments) if (function, len(arguments)) in self.hidden:
                return apply(function + self.mark, *arguments)
            case str() if (unit, 0) in self.hidden:
                return variable(unit + self.mark)
            case _:
                return single(unit)


def _ground(formulas: Iterable[Formula]) -> Iterator[Term]:
    """The units that occur, as terms, and the arguments of functions."""
    for formula in formulas:
        for atom in atoms(formula):
            for term in terms(atom):
                yield from (each for each in subterms(term) if each.coefficients)


def _named(name: str, arguments: Sequence[Term]) -> Term:
    return apply(name, *arguments) if arguments else variable(name)


def _fresh(templates: Sequence[SchematicTerm], taken: frozenset[Symbol]) -> tuple[str, ...]:
    """A new name for each template."""
    names = {name for name, _ in taken}
    mark = "template"
    while any(f"{mark}{number}" in names for number in range(len(templates))):
        mark += "_"
    return tuple(f"{mark}{number}" for number in range(len(templates)))


def _written_out(
    formula: Formula, templates: Sequence[SchematicTerm], fresh: Sequence[str]
) -> Formula:
    """The formula with templates in the place of their names."""
    known = dict(zip(fresh, templates, strict=True))

    def meaning(unit: Unit) -> Term:
        match unit:
            case Application(function, arguments) if function in known:
                return known[function].at(arguments)
            case str() if unit in known:
                return known[unit].at(())
            case _:
                return single(unit)

    return map_terms(formula, lambda term: rebuilt(term, meaning))


def _refuse_foreign(
    templates: Sequence[SchematicTerm], kept: Collection[Symbol], common: frozenset[Symbol]
) -> None:
    used = frozenset(kept).union(*(template.symbols for template in templates))
    for name, _ in sorted(used - common):
        raise ValueError(f"{name!r} is not common to the formulas; interpolants cannot use it")
