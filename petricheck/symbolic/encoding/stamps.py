"""Places at times: the variable m@k."""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    at_least,
    different,
    equal,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.model.net import Net


def at(name: str, k: int) -> str:
    """Return the variable of a place at time k."""
    return f"{name}@{k}"


def token(name: str, k: int) -> Term:
    """Return the tokens of a place at time k."""
    return variable(at(name, k))


def stamp(formula: Formula, k: int) -> Formula:
    """Return the formula about the marking at time k."""
    return substitute(formula, {name: token(name, k) for name in variables(formula)})


def initial(net: Net) -> Formula:
    """Return the formula that the marking at time 0 is the initial one."""
    return stamp(at_start(net), 0)


def at_start(net: Net) -> Formula:
    """Return the formula that the marking, of places without a stamp, is the initial one."""
    pairs = zip(net.places, net.initial, strict=True)
    return Conjunction(tuple(equal(variable(place), tokens) for place, tokens in pairs))


def natural(net: Net, k: int) -> tuple[Inequality, ...]:
    """Return a formula that no place has a negative number of tokens at time k."""
    return tuple(at_least(token(place, k), 0) for place in net.places)


def differ(net: Net, i: int, k: int) -> Formula:
    """Return the formula that the markings at the times i and k are not the same."""
    return Disjunction(tuple(different(token(p, i), token(p, k)) for p in net.places))
