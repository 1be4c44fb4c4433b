"""Pieces of SMT-LIB scripts that the shapes of certificates share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from petricheck.presburger.formulas import Formula, variables
from petricheck.presburger.smtlib import numeral, symbol, term_to_smtlib, to_smtlib
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Transition


def definition(name: str, formula: Formula) -> str:
    """A function over the formula's variables."""
    parameters = " ".join(f"({symbol(place)} Int)" for place in variables(formula))
    return f"(define-fun {name} ({parameters}) Bool {to_smtlib(formula)})"


def after(net: Net, transition: Transition, places: tuple[str, ...]) -> Iterator[str]:
    """What is in the places after the transition has fired."""
    effect = {net.places[place]: change for place, change in transition.effect}
    return (term_to_smtlib(variable(place) + effect.get(place, 0)) for place in places)


def guards(net: Net, transition: Transition) -> list[str]:
    """What enables the transition."""
    return [f"(>= {symbol(net.places[p])} {numeral(weight)})" for p, weight in transition.pre]


def question(claim: str, assertions: list[str]) -> Iterator[str]:
    """A `check-sat` under the assertions, expected to print `unsat`."""
    yield f"; {claim}"
    yield "(push 1)"
    yield from (f"(assert {assertion})" for assertion in assertions)
    yield "(check-sat)"
    yield "(pop 1)"


def call(function: str, arguments: Iterable[str]) -> str:
    """The function applied to the arguments."""
    given = " ".join(arguments)
    return f"({function} {given})" if given else function
