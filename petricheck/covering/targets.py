"""Targets that are upward-closed, as their minimal markings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from petricheck.errors import QueryError
from petricheck.presburger.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    evaluate,
    normal,
    variables,
)
from petricheck.presburger.terms import Term

LARGEST = 10_000
"""Targets with more minimal markings are refused."""

NOT_CLOSED = "the target is not upward-closed"

Bounds: TypeAlias = tuple[tuple[str, int], ...]
"""(place, least number of tokens ≥ 1), sorted by place: a marking and all above it."""


def minimal_markings(target: Formula) -> tuple[Bounds, ...]:
    """Markings whose upward closures together are the target; minimal ones among themselves.

    Every atom must be Σ c·p ≥ k with c ≥ 0 when it is in negation normal form.

    Raises:
        QueryError: some atom is not, or there are too many markings.
    """
    return _closed(normal(target))


def is_upward_closed(target: Formula) -> bool:
    """Whether every atom of the negation normal form is Σ c·p ≥ k with c ≥ 0, or has no places."""
    return all(map(_is_closed, _literals(normal(target))))


def _literals(formula: Formula) -> Iterator[Formula]:
    match formula:
        case Conjunction(operands) | Disjunction(operands):
            for operand in operands:
                yield from _literals(operand)
        case _:
            yield formula


def _is_closed(literal: Formula) -> bool:
    match literal:
        case Inequality(term):
            return all(value < 0 for _, value in term.coefficients)
        case _:
            return not variables(literal)


def _closed(formula: Formula) -> tuple[Bounds, ...]:
    match formula:
        case Inequality(term) if all(value < 0 for _, value in term.coefficients):
            return _minimal(_solutions(-term))
        case Conjunction(operands):
            found: tuple[Bounds, ...] = ((),)
            for operand in operands:
                others = _closed(operand)
                found = _minimal(_join(a, b) for a in found for b in others)
            return found
        case Disjunction(operands):
            return _minimal(bounds for operand in operands for bounds in _closed(operand))
        case _ if not variables(formula):
            return ((),) if evaluate(formula, {}) else ()
        case _:
            raise QueryError(NOT_CLOSED)


def _solutions(term: Term) -> Iterator[Bounds]:
    """The minimal solutions of term ≥ 0 among others; the coefficients are positive."""

    def choose(rest: tuple[tuple[str, int], ...], needed: int) -> Iterator[Bounds]:
        if needed <= 0:
            yield ()
        elif rest:
            (name, value), *others = rest
            most = -(-needed // value)
            for tokens in range(most + 1) if others else (most,):
                head = ((name, tokens),) if tokens else ()
                for tail in choose(tuple(others), needed - tokens * value):
                    yield (*head, *tail)

    return choose(term.coefficients, -term.constant)


def _join(left: Bounds, right: Bounds) -> Bounds:
    joined = dict(left)
    for name, tokens in right:
        joined[name] = max(tokens, joined.get(name, 0))
    return tuple(sorted(joined.items()))


def _minimal(found: Iterable[Bounds]) -> tuple[Bounds, ...]:
    distinct: dict[Bounds, None] = {}
    for bounds in found:
        distinct[bounds] = None
        if len(distinct) > LARGEST:
            raise QueryError(f"the target has more than {LARGEST} minimal markings")
    kept: list[Bounds] = []
    for bounds in sorted(distinct, key=lambda b: (sum(tokens for _, tokens in b), b)):
        have = dict(bounds)
        if not any(all(have.get(name, 0) >= least for name, least in low) for low in kept):
            kept.append(bounds)
    return tuple(kept)
