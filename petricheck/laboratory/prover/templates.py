"""Interpolants over templates, in every theory: Defs. 4 to 7 of Leroux, Rümmer, Subotić 2016.

Each side of a cut speaks of copies of its own of what both sides share, and all it tells about them
are the values of templates, which have fresh names (Lemma 8): a term is that name's value (Def. 4),
at most that (Def. 5), or the formula implies it (Def. 6); on the other side the other way round.
Interpolants are made of the names, and each of those is replaced by its template in the end. So
they are interpolants over the templates, and those of the problem itself (Lemma 1).

A schematic term (Def. 7) has parameters, and its name is a fresh function. What is told of it "for
all arguments" becomes finitely many instances: those at the terms of a side, and at what both sides
know. More of them follow from terms of instances, in further rounds. So a contradiction is found
where there is one among the instances; that there is none is known of templates without parameters
only.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from petricheck.arithmetic.formulas.formulas import (
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    atoms,
    conjunction,
    map_terms,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.laboratory.abstractions.relations import (
    InequalityTemplate,
    PredicateTemplate,
    TermTemplate,
)
from petricheck.laboratory.prover.interpolate import interpolate_sequence
from petricheck.laboratory.prover.named_templates import (
    SchematicTerm,
    Template,
    sort_in,
    symbols_of,
    term_names,
    written_out,
)
from petricheck.laboratory.prover.results import (
    Interpolated,
    Result,
    Satisfiable,
    Theory,
    Undecided,
)
from petricheck.laboratory.prover.terms import (
    Application,
    Ratio,
    Symbol,
    equal,
    rebuilt,
    sides,
    single,
    subterms,
    vocabulary,
)
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

ROUNDS = 2
"""How often instances are taken at the terms that are there."""


def interpolate_over(
    parts: Sequence[Formula],
    templates: Sequence[Template],
    *,
    chosen: Collection[Template] | None = None,
    kept: Collection[Symbol] = (),
    sort_of: Callable[[Ratio], str] = lambda _: "",
    theory: str = Theory.INTEGERS,
    strengthen: bool = False,
    budget: Budget | None = None,
) -> Result:
    """Return interpolants over templates alone; a proof and a model are of the abstraction.

    At a cut that no template is about, all of whose symbols its sides share, nothing is abstracted.

    Args:
        parts: any formulas.
        templates: what interpolants may speak of.
        chosen: those of them that are left, by default all; cuts that others are about are
            abstracted as well.
        kept: symbols that they may use as they like besides.
        sort_of: the sort of a term, where arguments of schematic terms have to be of the right one.
        theory: as of `interpolate`.
        strengthen: likewise.
        budget: limits the search.

    Raises:
        ValueError: no cut shares the symbols of a template, or parts that are no neighbours share
            a symbol that is abstracted.
    """
    budget = budget or Budget()
    schematic = any(isinstance(template, SchematicTerm) for template in templates)
    if schematic and theory == Theory.RATIONALS:
        theory = Theory.FUNCTIONS
    cuts = _cuts(parts, templates, chosen, frozenset(kept), sort_of)
    try:
        for rounds in range(1, ROUNDS + 1 if schematic else 2):
            abstract = list(parts)
            for cut in cuts:
                for side in (cut.before, cut.after):
                    abstract[side.part] = side.abstracted(abstract[side.part], rounds, budget)
            result = interpolate_sequence(
                abstract, theory=theory, strengthen=strengthen, budget=budget
            )
            match result:
                case Interpolated(interpolants, by):
                    return Interpolated(tuple(_over(cuts, interpolants)), by)
                case Satisfiable() if schematic:
                    continue
                case _:
                    return result
    except BudgetExhausted as error:
        return Undecided(str(error))
    return Undecided(f"instances of the templates, {ROUNDS} rounds of them, have a common model")


@dataclass(frozen=True, slots=True)
class _CutSide:
    """The abstraction of a part on one side of a cut.

    Attributes:
        part: its number.
        mark: what is appended to the names of copies.
        hidden: the symbols that are copied.
        named: the templates with their fresh names.
        shared: terms that both sides know.
        sort_of: the sort of a term, a copy or not.
        first: whether the part is before the cut.
    """

    part: int
    mark: str
    hidden: frozenset[Symbol]
    named: Mapping[str, Template]
    shared: tuple[Ratio, ...]
    sort_of: Callable[[Ratio], str]
    first: bool

    def abstracted(self, formula: Formula, rounds: int, budget: Budget) -> Formula:
        """Return the formula over copies, with facts about the templates.

        Raises:
            BudgetExhausted: there are too many instances.
        """
        facts = dict.fromkeys([self._copied(formula), *self._values()])
        for _ in range(rounds):
            ground = dict.fromkeys([*self.shared, *_ground(facts)])
            facts |= dict.fromkeys(self._instances(tuple(ground), budget))
        return conjunction(facts)

    def _values(self) -> Iterator[Formula]:
        for name, template in self.named.items():
            symbol = variable(name)
            match template:
                case TermTemplate(term):
                    yield equal(single(name), self._copy(term))
                case InequalityTemplate(term):
                    copy = self._copy(term).term
                    yield Inequality(copy - symbol if self.first else symbol - copy)
                case PredicateTemplate(formula):
                    pair = [self._copied(formula), Inequality(symbol)]
                    premise, conclusion = pair if self.first else reversed(pair)
                    yield Disjunction((Negation(premise), conclusion))

    def _instances(self, ground: tuple[Ratio, ...], budget: Budget) -> Iterator[Formula]:
        for name, template in self.named.items():
            if isinstance(template, SchematicTerm):
                copied = replace(template, term=self._copy(template.term).term)
                sorts = template.sorts or ("",) * len(template.parameters)
                choices = [
                    [term for term in ground if self.sort_of(term) == sort] for sort in sorts
                ]
                for arguments in product(*choices):
                    budget.check()
                    yield equal(copied.at(arguments), single(Application(name, arguments)))

    def _copied(self, formula: Formula) -> Formula:
        return map_terms(formula, lambda term: self._copy(term).term)

    def _copy(self, term: Term) -> Ratio:
        return rebuilt(term, self._copied_unit)

    def _copied_unit(self, unit: str) -> Ratio:
        if isinstance(unit, Application):
            if (unit.function, len(unit.arguments)) in self.hidden:
                return single(Application(unit.function + self.mark, unit.arguments))
            return single(unit)
        return single(unit + self.mark if unit in self.hidden else unit)


@dataclass(frozen=True, slots=True)
class _Cut:
    """A cut that templates are about: its number, counted from 0, and its sides."""

    number: int
    before: _CutSide
    after: _CutSide


def _cuts(
    parts: Sequence[Formula],
    templates: Sequence[Template],
    chosen: Collection[Template] | None,
    kept: frozenset[Symbol],
    sort_of: Callable[[Ratio], str],
) -> list[_Cut]:
    vocabularies = [vocabulary(part) for part in parts]
    commons = [_all(vocabularies[:cut]) & _all(vocabularies[cut:]) for cut in range(1, len(parts))]
    _refuse_foreign(templates, kept, commons)
    names = {symbol if isinstance(symbol, str) else symbol[0] for symbol in _all(vocabularies)}
    marks, prefix = (_unused("′", names), _unused("″", names)), _unused("template", names)
    named = [
        {f"{prefix}{number}_{n}": template for n, template in enumerate(_about(templates, common))}
        for number, common in enumerate(commons)
    ]
    sort = partial(sort_in, ChainMap(*named), marks, sort_of)
    cuts: list[_Cut] = []
    for number, (common, template_names) in enumerate(zip(commons, named, strict=True)):
        if template_names:
            hidden = common - kept
            _refuse_distant(hidden, number, vocabularies)
            if chosen is not None:
                template_names = {n: t for n, t in template_names.items() if t in chosen}
            shared = (*_variables(kept & common), *term_names(template_names))
            side = partial(
                _CutSide, hidden=hidden, named=template_names, shared=shared, sort_of=sort
            )
            before = side(number, marks[0], first=True)
            cuts.append(_Cut(number, before, side(number + 1, marks[1], first=False)))
    return cuts


def _about(templates: Sequence[Template], common: frozenset[Symbol]) -> list[Template]:
    """Return the templates of which both sides of a cut share all symbols."""
    return [template for template in templates if symbols_of(template) <= common]


def _all(vocabularies: Sequence[frozenset[Symbol]]) -> frozenset[Symbol]:
    return frozenset[Symbol]().union(*vocabularies)


def _variables(symbols: Collection[Symbol]) -> Iterator[Ratio]:
    return (single(name) for name in sorted(symbols, key=str) if isinstance(name, str))


def _refuse_foreign(
    templates: Sequence[Template], kept: frozenset[Symbol], commons: Sequence[frozenset[Symbol]]
) -> None:
    """Refuse what the sides of no cut share."""
    for template in templates:
        used = symbols_of(template)
        if not any(used <= kept for kept in commons):
            names = ", ".join(sorted(map(str, used)))
            raise ValueError(f"no cut has sides that share {names}, as a template needs")
    for symbol in sorted(kept - _all(commons), key=str):
        raise ValueError(f"{symbol!r} is not common to the formulas; interpolants cannot use it")


def _refuse_distant(
    hidden: frozenset[Symbol], number: int, vocabularies: Sequence[frozenset[Symbol]]
) -> None:
    """Refuse symbols that other parts than the neighbours of the cut have."""
    for place, names_of_cut in enumerate(vocabularies):
        if place not in (number, number + 1):
            for symbol in sorted(hidden & names_of_cut, key=str):
                raise ValueError(f"{symbol!r} is shared by parts that are no neighbours; keep it")


def _unused(word: str, names: Collection[str]) -> str:
    """Return the word, repeated until no name contains it."""
    marked = word
    while any(marked in name for name in names):
        marked += word
    return marked


def _ground(formulas: Iterable[Formula]) -> Iterator[Ratio]:
    """Yield the terms, also those inside arguments, except numbers."""
    for formula in formulas:
        for atom in atoms(formula):
            whole = sides(atom) if isinstance(atom, Equality) else (Ratio(atom.term),)
            yield from (term for part in whole for term in subterms(part) if term.units)


def _over(cuts: Sequence[_Cut], interpolants: Sequence[Formula]) -> Iterator[Formula]:
    """Yield the interpolants with templates in the place of their names."""
    named = {cut.number: cut.before.named for cut in cuts}
    for number, interpolant in enumerate(interpolants):
        yield written_out(interpolant, named.get(number, {}))
