"""Parts of SMT-LIB scripts that several types of certificates share."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula, variables
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.smtlib import (
    call,
    numeral,
    plain,
    symbol,
    term_to_smtlib,
    to_smtlib,
)
from petricheck.model.guarded.net import Guard
from petricheck.model.problem import Problem

Values: TypeAlias = Mapping[str | int, str]
"""By place id, a term for its tokens; by transition number, a term for its firings."""


def definition(name: str, formula: Formula) -> str:
    """Return the definition of a function over the formula's variables."""
    parameters = " ".join(f"({symbol(place)} Int)" for place in variables(formula))
    return f"(define-fun {name} ({parameters}) Bool {to_smtlib(formula)})"


def declarations(names: Iterable[str]) -> Iterator[str]:
    """Yield declarations of constants that are natural numbers."""
    for name in names:
        yield f"(declare-const {name} Int)"
        yield f"(assert (>= {name} 0))"


def obligation_lines(
    problem: Problem,
    invariant: Callable[[Values], Sequence[str]],
    counters: Mapping[int, str] | None = None,
) -> Iterator[str]:
    """Yield one `check-sat` for each obligation of an inductive invariant.

    Args:
        problem: its target is defined as the function `target`.
        invariant: returns the invariant as conjuncts over these terms.
        counters: by transition number, the symbol that counts its firings. If given, transitions
            without a counter must be dead.
    """
    net, counted = problem.net, counters or {}
    symbols: dict[str | int, str] = {place: symbol(place) for place in net.places} | dict(counted)
    start = {place: numeral(tokens) for place, tokens in net.values(net.initial).items()}
    initially = invariant(start | dict.fromkeys(counted, "0"))
    yield from _check("the invariant holds initially", [_negation(initially)])
    conjuncts = invariant(symbols)
    for number, transition in enumerate(net.transitions):
        # Firings are counted of the net as it is, in which drains fire before a reset.
        left = Guard() if counters is not None else net.left_out.get(number, Guard())
        guards = [f"(>= {symbol(net.places[p])} {numeral(n)})" for p, n in transition.pre]
        guards += [f"(< {symbol(net.places[p])} {numeral(n)})" for p, n in left.upper]
        name = f"transition {plain(transition.name)}"
        if counters is not None and number not in counters:
            yield from _check(f"{name} is dead", [*guards, *conjuncts])
            continue
        changes = ((net.places[p], change) for p, change in transition.effect)
        after: dict[str | int, str] = {p: term_to_smtlib(variable(p) + n) for p, n in changes}
        put = dict(transition.post)
        after |= {net.places[p]: numeral(put.get(p, 0)) for p in left.resets}
        if number in counted:
            after[number] = f"(+ {counted[number]} 1)"
        negation = _negation(invariant(ChainMap(after, symbols)))
        yield from _check(f"{name} keeps the invariant", [*guards, *conjuncts, negation])
    inside = call("target", map(symbol, variables(problem.target)))
    yield from _check("the invariant excludes the target", [*conjuncts, inside])


def _negation(conjuncts: Sequence[str]) -> str:
    (first, *others) = conjuncts
    return f"(not (and {' '.join(conjuncts)}))" if others else f"(not {first})"


def _check(claim: str, assertions: list[str]) -> Iterator[str]:
    yield f"; {claim}"
    yield "(push 1)"
    yield from (f"(assert {assertion})" for assertion in assertions)
    yield "(check-sat)"
    yield "(pop 1)"
