"""Definition of a correct answer, checked by a solver without the proof."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Conjunction, Formula, Negation
from petricheck.laboratory.prover.scripts import ScriptQuestion
from petricheck.laboratory.prover.terms import Symbol, vocabulary

Claim: TypeAlias = tuple[str, tuple[Formula, ...]]
"""What is to be shown, and formulas that have to contradict each other for that."""

Obligation: TypeAlias = tuple[str, str]
"""What is to be shown, and a script that has to be contradictory for that."""


def foreign_symbols(
    parts: Sequence[Formula], interpolants: Sequence[Formula], symmetric: bool
) -> frozenset[Symbol]:
    """Return the symbols of interpolants that the sides of their cut do not share."""
    foreign: set[Symbol] = set()
    for number, formula in enumerate(interpolants):
        first, last = number if symmetric else 0, number + 1
        inside, outside = parts[first:last], (*parts[:first], *parts[last:])
        sides = (vocabulary(Conjunction(tuple(side))) for side in (inside, outside))
        foreign |= vocabulary(formula) - frozenset.intersection(*sides)
    return frozenset(foreign)


def obligations(
    question: ScriptQuestion, interpolants: Sequence[Formula], symmetric: bool
) -> Iterator[Obligation]:
    """Yield the conditions of interpolants as self-contained scripts."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    # Numbered, since z3 has its own meanings for some names, bars or not.
    numbered = replace(question.signature, spell=lambda name: f"n{numbers[name]}")
    claims = _of_symmetric if symmetric else _of_sequence
    for what, formulas in claims(question.parts, interpolants):
        assertions = [f"(assert {numbered.to_smtlib(formula)})" for formula in formulas]
        yield what, "\n".join([*numbered.declarations(), *assertions])


def _of_sequence(parts: Sequence[Formula], interpolants: Sequence[Formula]) -> Iterator[Claim]:
    """Yield the claims: each interpolant and the next part imply the next; the last is false."""
    before: tuple[Formula, ...] = ()
    for number, (part, formula) in enumerate(zip(parts, interpolants, strict=False), start=1):
        yield f"I{number} follows", (*before, part, Negation(formula))
        before = (formula,)
    yield "the last part contradicts the last of them", (*before, parts[-1])


def _of_symmetric(parts: Sequence[Formula], interpolants: Sequence[Formula]) -> Iterator[Claim]:
    """Yield the claims: each part implies its interpolant; together these are a contradiction."""
    for number, (part, formula) in enumerate(zip(parts, interpolants, strict=True), start=1):
        yield f"I{number} follows", (part, Negation(formula))
    yield "all of them contradict each other", tuple(interpolants)
