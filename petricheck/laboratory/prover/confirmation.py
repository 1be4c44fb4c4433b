"""What an answer has to satisfy by definition, for a solver that has not seen the proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from petricheck.laboratory.prover.results import Theory
from petricheck.presburger.formulas import Formula, Negation, variables
from petricheck.presburger.smtlib import symbol, to_smtlib

Claim: TypeAlias = tuple[str, tuple[Formula, ...]]
"""What is to be shown, and formulas that have to contradict each other for that."""

Obligation: TypeAlias = tuple[str, str]
"""What is to be shown, and a script that has to be contradictory for that."""


def of_sequence(parts: Sequence[Formula], interpolants: Sequence[Formula]) -> Iterator[Claim]:
    """Each follows from the one before and the part between; the last part contradicts."""
    before: tuple[Formula, ...] = ()
    for number, (part, formula) in enumerate(zip(parts, interpolants, strict=False), start=1):
        yield f"I{number} follows", (*before, part, Negation(formula))
        before = (formula,)
    yield "the last part contradicts the last of them", (*before, parts[-1])


def of_symmetric(parts: Sequence[Formula], interpolants: Sequence[Formula]) -> Iterator[Claim]:
    """Each interpolant follows from its part; together they contradict each other."""
    for number, (part, formula) in enumerate(zip(parts, interpolants, strict=True), start=1):
        yield f"I{number} follows", (part, Negation(formula))
    yield "all of them contradict each other", tuple(interpolants)


def obligations(claims: Iterable[Claim], theory: Theory) -> Iterator[Obligation]:
    """The claims as scripts, which need nothing else."""
    sort = "Int" if theory is Theory.INTEGERS else "Real"
    for what, formulas in claims:
        names = dict.fromkeys(name for formula in formulas for name in variables(formula))
        declarations = [f"(declare-const {symbol(name)} {sort})" for name in names]
        assertions = [f"(assert {to_smtlib(formula)})" for formula in formulas]
        yield what, "\n".join([*declarations, *assertions])
