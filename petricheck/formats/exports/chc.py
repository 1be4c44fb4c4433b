"""Constrained Horn clauses (.smt2) in SMT-LIB's logic HORN, as Spacer and Eldarica read them.

One predicate over the places is true of every reachable marking. The clauses: it is true of the
initial marking, every transition preserves it, and it is false in the target. They are satisfiable
if and only if the target is unreachable; a model of the predicate is an inductive invariant. The
clauses imply that tokens are natural numbers; the script states it nevertheless, to help solvers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.arithmetic.solvers.smtlib import bare, call, numeral, symbol, to_smtlib
from petricheck.model.net import Transition
from petricheck.model.problem import Problem
from petricheck.support.errors import InputError

MAX_ARGUMENTS = 20_000_000
"""Limit of the names in a script, since every clause names all places."""


class Chc:
    """Constrained Horn clauses: satisfiable if and only if the target is unreachable."""

    extensions = (".smt2",)
    net_extensions = ()

    def write(self, problem: Problem) -> bytes:
        """Return a script for a solver of Horn clauses; InputError where it would be gigabytes."""
        net = problem.net
        if len(net.places) * (len(net.transitions) + 2) > MAX_ARGUMENTS:
            raise InputError(
                f"every clause names all places: {len(net.transitions)} transitions by "
                f"{len(net.places)} places are too many for Horn clauses"
            )
        return "".join(f"{line}\n" for line in _lines(problem)).encode()


def _lines(problem: Problem) -> Iterator[str]:
    net = problem.net
    places = [symbol(place) for place in net.places]
    reached = _unused("reached", places)
    yield "; sat: the target is unreachable; unsat: it is reachable"
    yield "(set-logic HORN)"
    yield f"(declare-fun {reached} ({' '.join('Int' for _ in places)}) Bool)"
    initial = [f"(= {place} {numeral(n)})" for place, n in zip(places, net.initial, strict=True)]
    now = call(reached, places)
    natural = [f"(>= {place} 0)" for place in places]
    yield _clause(places, initial, now)
    for transition in net.transitions:
        yield _step(transition, places, reached)
    yield _clause(places, [now, *natural, to_smtlib(problem.target)], "false")
    yield "(check-sat)"


def _step(transition: Transition, places: Sequence[str], reached: str) -> str:
    needs = dict(transition.pre)
    guards = [f"(>= {place} {numeral(needs.get(n, 0))})" for n, place in enumerate(places)]
    after = list(places)
    for number, change in transition.effect:
        sign = "+" if change > 0 else "-"
        after[number] = f"({sign} {places[number]} {numeral(abs(change))})"
    body = [call(reached, places), *guards]
    return _clause(places, body, call(reached, after))


def _clause(places: Sequence[str], body: Sequence[str], head: str) -> str:
    premise = body[0] if len(body) == 1 else f"(and {' '.join(body)})" if body else "true"
    clause = f"(=> {premise} {head})"
    if places:
        bound = " ".join(f"({place} Int)" for place in places)
        clause = f"(forall ({bound}) {clause})"
    return f"(assert {clause})"


def _unused(stem: str, symbols: Sequence[str]) -> str:
    names = {bare(symbol) for symbol in symbols}
    while stem in names:
        stem += "_"
    return stem
