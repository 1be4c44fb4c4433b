"""Formulas about totals and enabled transitions, in terms of classes of colours (`class_counts`).

A formula is mapped to one that holds in the image h(m), or in h(gm) for some exchange g of colours,
wherever it holds in the marking m of the coloured net. gm is reachable if m is, and what the
formula says of m holds of gm. So where the latter formula is never reached, the former is not:

- Totals are sums over classes.
- A transition that is enabled is enabled under a binding of some types, and the image of what it
  takes is there. An exchange makes the binding canonical (`ClassCounts.is_canonical`), or a token
  of a place that is not empty. m can be exchanged once only, so this is said of one literal of a
  conjunction, and of one in each operand of a disjunction.
- A transition that is not enabled lacks tokens for all types of which that is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    conjunction,
    disjunction,
    evaluate,
    negate,
    normal,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.evidence.audit.colours.class_counts import Apart, ClassCounts, Token, TypedBindings
from petricheck.model.coloured.skeleton import Skeleton
from petricheck.model.coloured.sorts import Sort
from petricheck.model.net import Net, cached_by_net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget

_NOTHING, _MARKED, _ENABLED = range(3)
"""What follows after an exchange: nothing more, where a token is, or which binding is enabled."""


def counted_problem(net: Net, formula: Formula, apart: Apart, budget: Budget) -> Problem:
    """Return a problem of a net that counts by classes, which is excluded only where this one is.

    Args:
        net: a skeleton.
        formula: over its totals, and what it observes.
        apart: the colours that are classes of their own.
        budget: limits.

    Raises:
        BudgetExhausted: time or memory ran out, or the net is none that is counted by classes.
    """
    counts = class_counts(net, apart, frozenset(named_colours(net, [formula])), budget)
    return Problem(counts.net, counted_formula(net, counts, formula))


def counted_formula(net: Net, counts: ClassCounts, formula: Formula) -> Formula:
    """Return the formula for the net that counts by classes; they tell its named colours apart."""
    assert isinstance(net.origin, Skeleton)
    return CountedFormulas(counts, net.place_numbers, net.origin.observed).counted(formula)


def class_counts(
    net: Net, apart: Apart, named: frozenset[tuple[Sort, int]], budget: Budget
) -> ClassCounts:
    """Return how tokens of a skeleton's coloured net are counted; computed once for each net.

    Raises:
        BudgetExhausted: time or memory ran out, or the net is none that is counted by classes.
    """
    assert isinstance(net.origin, Skeleton)
    known = _known(net)
    if (apart, named) not in known:
        known[apart, named] = ClassCounts(net.origin.coloured, apart, named, budget)
    return known[apart, named]


def named_colours(net: Net, formulas: Iterable[Formula]) -> set[tuple[Sort, int]]:
    """Return the colours, with their sorts, that formulas over a skeleton give to variables."""
    assert isinstance(net.origin, Skeleton)
    named = set[tuple[Sort, int]]()
    for name in {name for formula in formulas for name in variables(formula)}:
        if name not in net.place_numbers:
            number, binding = net.origin.observed(name)
            sorts = {v.name: v.sort for v in net.origin.coloured.transitions[number].variables}
            named |= {(sorts[v], colour) for v, colour in binding.items()}
    return named


@cached_by_net
def _known(net: Net) -> dict[tuple[Apart, frozenset[tuple[Sort, int]]], ClassCounts]:
    return {}


@dataclass(frozen=True)
class CountedFormulas:
    """Maps formulas over totals to formulas over the places of a net that counts by classes.

    Attributes:
        counts: the net.
        places: the numbers of the coloured net's places by their names in formulas.
        read: returns for other names a transition, by its number, and colours of its variables; the
            counts tell these colours apart.
    """

    counts: ClassCounts
    places: Mapping[str, int]
    read: Callable[[str], tuple[int, Mapping[str, int]]]

    def counted(self, formula: Formula) -> Formula:
        """Return the formula that follows."""
        return self._exchanged(normal(formula))

    def _exchanged(self, formula: Formula) -> Formula:
        """Return what follows after an exchange of colours."""
        match formula:
            case Disjunction(operands):
                return disjunction(map(self._exchanged, operands))
            case Conjunction(operands) if operands:
                ranks = [self._rank(operand) for operand in operands]
                best = ranks.index(max(ranks))
                return conjunction(
                    self._exchanged(operand) if number == best else self._implied(operand)
                    for number, operand in enumerate(operands)
                )
        if (rank := self._rank(formula)) == _ENABLED:
            (name,) = variables(formula)
            return self._some(way for way in self._ways(name) if way.is_canonical)
        implied = self._implied(formula)
        if rank == _MARKED:
            (name,) = variables(formula)
            tokens = self.counts.canonical_tokens(self.places[name])
            return conjunction((implied, self._sum(tokens, 1)))
        return implied

    def _rank(self, formula: Formula) -> int:
        """Return how much follows of the formula, or of a part, after an exchange of colours."""
        match formula:
            case Conjunction(operands) | Disjunction(operands):
                return max(map(self._rank, operands), default=_NOTHING)
            case Negation():
                return _NOTHING
        names = variables(formula)
        if not self.counts.is_tracking or len(names) != 1:
            return _NOTHING
        if names[0] in self.places:
            return _NOTHING if evaluate(formula, {names[0]: 0}) else _MARKED
        return _ENABLED if formula == at_least(variable(names[0]), 1) else _NOTHING

    def _implied(self, formula: Formula) -> Formula:
        """Return what follows without an exchange."""
        match formula:
            case Conjunction(operands):
                return conjunction(map(self._implied, operands))
            case Disjunction(operands):
                return disjunction(map(self._implied, operands))
        names = variables(formula)
        observed = [name for name in names if name not in self.places]
        if not observed:
            return substitute(formula, {name: self._total(name) for name in names})
        if formula == at_least(variable(observed[0]), 1):
            return self._some(self._ways(observed[0]))
        if formula == at_most(variable(observed[0]), 0):
            return conjunction(
                negate(self._some([way])) for way in self._ways(observed[0]) if way.is_certain
            )
        return TRUE

    def _ways(self, name: str) -> list[TypedBindings]:
        """Return the bindings of a transition whose types are the colours that are given.

        What decides nothing may have any colour.
        """
        number, binding = self.read(name)
        return [
            way
            for way in self.counts.needs(number)
            if all(
                [colour] == way.types[v].tolist() for v, colour in binding.items() if v in way.types
            )
        ]

    def _some(self, ways: Iterable[TypedBindings]) -> Formula:
        """Return the formula that what some way takes is there."""
        images = {tuple(sorted(way.pre.items())) for way in ways}
        units = [image[0][0] for image in images if len(image) == 1 and image[0][1] == 1]
        others = (
            conjunction(self._sum([token], count) for token, count in image)
            for image in sorted(images)
            if not any(token in units for token, _ in image)
        )
        return disjunction([*([self._sum(sorted(units), 1)] if units else ()), *others])

    def _sum(self, tokens: Iterable[Token], least: int) -> Formula:
        """Return the formula that there are so many; of what nothing puts there never are any."""
        places = (self.counts.name(token) for token in tokens if token in self.counts.numbers)
        return at_least(linear((place, 1) for place in places), least)

    def _total(self, name: str) -> Term:
        tokens = (token for token in self.counts.numbers if token[0] == self.places[name])
        return linear((self.counts.name(token), 1) for token in tokens)
