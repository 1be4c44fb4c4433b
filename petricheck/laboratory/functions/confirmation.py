"""What an interpolant has to satisfy by definition, for a solver that has not seen the proof."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

from petricheck.laboratory.functions.formulas import Formula, negate
from petricheck.laboratory.functions.scripts import Question
from petricheck.laboratory.prover.confirmation import Obligation


def obligations(question: Question, interpolant: Formula) -> Iterator[Obligation]:
    """The first part implies the interpolant, and the second contradicts it."""
    first, second = question.parts
    yield "I1 follows", _script(question, (first, negate(interpolant)))
    yield "the last part contradicts it", _script(question, (interpolant, second))


def _script(question: Question, formulas: Sequence[Formula]) -> str:
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    # Numbered, since z3 has its own meanings for some names, bars or not.
    signature = replace(question.signature, spell=lambda name: f"n{numbers[name]}")
    assertions = [f"(assert {signature.to_smtlib(formula)})" for formula in formulas]
    return "\n".join([*signature.declarations(), *assertions])
