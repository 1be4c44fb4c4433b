"""Pieces of SMT-LIB scripts that the shapes of certificates share."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from petricheck.presburger.formulas import Formula, variables
from petricheck.presburger.smtlib import call, numeral, plain, symbol, term_to_smtlib, to_smtlib
from petricheck.presburger.terms import variable
from petricheck.problem import Problem

Values: TypeAlias = Mapping[str | int, str]
"""A term for each place, by its id, and for how often a transition has fired, by its number."""


def definition(name: str, formula: Formula) -> str:
    """A function over the formula's variables."""
    parameters = " ".join(f"({symbol(place)} Int)" for place in variables(formula))
    return f"(define-fun {name} ({parameters}) Bool {to_smtlib(formula)})"


def declarations(names: Iterable[str]) -> Iterator[str]:
    """Constants that are natural numbers."""
    for name in names:
        yield f"(declare-const {name} Int)"
        yield f"(assert (>= {name} 0))"


def questions(
    problem: Problem,
    invariant: Callable[[Values], Sequence[str]],
    counters: Mapping[int, str] | None = None,
) -> Iterator[str]:
    """One question for each obligation of an inductive invariant, whose answer is to be `unsat`.

    Args:
        problem: the target is defined as the function `target`.
        invariant: what it says of terms, as conjuncts.
        counters: symbols that say how often transitions have fired, by their numbers; where they
            are counted, those without a counter are to be dead.
    """
    net, counted = problem.net, counters or {}
    here: dict[str | int, str] = {place: symbol(place) for place in net.places} | dict(counted)
    start = {place: numeral(tokens) for place, tokens in net.values(net.initial).items()}
    initially = invariant(start | dict.fromkeys(counted, "0"))
    yield from _question("the invariant holds initially", [_opposite(initially)])
    now = invariant(here)
    for number, transition in enumerate(net.transitions):
        guards = [f"(>= {symbol(net.places[p])} {numeral(n)})" for p, n in transition.pre]
        name = f"transition {plain(transition.name)}"
        if counters is not None and number not in counters:
            yield from _question(f"{name} is dead", [*guards, *now])
            continue
        changes = ((net.places[p], change) for p, change in transition.effect)
        after: dict[str | int, str] = {p: term_to_smtlib(variable(p) + n) for p, n in changes}
        if number in counted:
            after[number] = f"(+ {counted[number]} 1)"
        then = _opposite(invariant(ChainMap(after, here)))
        yield from _question(f"{name} keeps the invariant", [*guards, *now, then])
    inside = call("target", map(symbol, variables(problem.target)))
    yield from _question("the invariant excludes the target", [*now, inside])


def _opposite(conjuncts: Sequence[str]) -> str:
    (first, *others) = conjuncts
    return f"(not (and {' '.join(conjuncts)}))" if others else f"(not {first})"


def _question(claim: str, assertions: list[str]) -> Iterator[str]:
    """A `check-sat` under the assertions."""
    yield f"; {claim}"
    yield "(push 1)"
    yield from (f"(assert {assertion})" for assertion in assertions)
    yield "(check-sat)"
    yield "(pop 1)"
