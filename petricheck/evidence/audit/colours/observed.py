"""Formulas over a skeleton that say whether transitions of its coloured net are enabled.

Such a number is 1 if some binding that agrees is enabled, and 0 if not. In a trace of bindings it
is computed from the tokens of each colour (`values`). Of totals alone follows less: an enabled
transition finds on each input place as many tokens as it takes, whatever their colours. So a
formula implies the one in which each literal "t is enabled" says that of totals, and other literals
about t are true (`of_totals`). Where the latter is never reached, the former is not.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Atom,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    conjunction,
    disjunction,
    negate,
    variables,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.audit.colours.bindings import starts_of
from petricheck.model.coloured.net import is_enabled
from petricheck.model.coloured.skeleton import Skeleton
from petricheck.model.net import Net
from petricheck.support.budget import Budget


def of_totals(net: Net, formula: Formula) -> Formula:
    """Return a formula over the skeleton's places that follows from this one."""
    return _implied(net, formula, holds=True)


def _implied(net: Net, formula: Formula, *, holds: bool) -> Formula:
    """Return a formula of totals that follows from this one; if not `holds`, that implies it."""
    match formula:
        case Negation(operand):
            return Negation(_implied(net, operand, holds=not holds))
        case Conjunction(operands):
            return conjunction(_implied(net, operand, holds=holds) for operand in operands)
        case Disjunction(operands):
            return disjunction(_implied(net, operand, holds=holds) for operand in operands)
        case _:
            return _implied_by_atom(net, formula, holds=holds)


def _implied_by_atom(net: Net, atom: Atom, *, holds: bool) -> Formula:
    if all(name in net.place_numbers for name in variables(atom)):
        return atom
    if (literal := literal_of_totals(net, atom)) is not None and literal[1] is holds:
        return literal[0]
    return TRUE if holds else FALSE


def literal_of_totals(net: Net, atom: Atom) -> tuple[Formula, bool] | None:
    """Return what the literal "t is enabled", or "t is not", says where t needs no colours.

    It is a formula over the places of a skeleton, and whether t is enabled; None for other atoms.
    """
    match variables(atom):
        case (name,) if name not in net.place_numbers:
            if atom == at_least(variable(name), 1):
                return _needed(net, name), True
            if atom == at_most(variable(name), 0):
                return negate(_needed(net, name)), False
    return None


def _needed(net: Net, name: str) -> Formula:
    """Return that there are as many tokens as a transition takes, of any colours."""
    assert isinstance(net.origin, Skeleton)
    pre = net.transitions[net.origin.observed(name)[0]].pre
    return conjunction(at_least(variable(net.places[place]), weight) for place, weight in pre)


def values(
    net: Net, names: Iterable[str], tokens: Mapping[int, int], budget: Budget
) -> dict[str, int]:
    """Return whether transitions are enabled, by the names of these numbers.

    Args:
        net: a skeleton.
        names: of the numbers.
        tokens: those of each colour, by numbers behind those of the net's places.
        budget: limits.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    assert isinstance(net.origin, Skeleton)
    coloured, starts = net.origin.coloured, starts_of(net)
    held: list[dict[int, int]] = [{} for _ in coloured.places]
    for number, count in tokens.items():
        if count and number >= starts[0]:
            place = bisect(starts, number) - 1
            held[place][number - starts[place]] = count
    truths = {}
    for name in names:
        number, binding = net.origin.observed(name)
        truths[name] = int(is_enabled(coloured.transitions[number], binding, held, budget))
    return truths
