"""What `petricheck interpolate` answers where a script declares functions or sorts.

In its JSON object a `model` has a command for each symbol, which defines it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from petricheck.budget import Budget
from petricheck.errors import InternalError
from petricheck.presburger.smtlib import plain

if TYPE_CHECKING:
    from petricheck.interpolation.functions.formulas import Formula
    from petricheck.interpolation.functions.scripts import Question


def answer(text: str, path: str, check: bool, budget: Budget) -> tuple[dict[str, Any], list[str]]:
    """The keys of the JSON object, and the lines that say the same.

    Raises:
        BudgetExhausted: z3 gave up.
        InputError: something in the script is not understood.
        InternalError: z3 denies the interpolant.
    """
    from petricheck.interpolation.functions.scripts import read_question

    question = read_question(text, path)
    fields, (word, *lines) = _answered(question, check, budget)
    return fields | question.selection.fields(), [word, *question.selection.lines(), *lines]


def _answered(question: Question, check: bool, budget: Budget) -> tuple[dict[str, Any], list[str]]:
    """The same, without which assertions it is about."""
    from petricheck.interpolation.functions import Modelled, Separated, interpolate
    from petricheck.interpolation.prover import Undecided

    signature = question.signature
    match interpolate(*question.parts, budget=budget):
        case Modelled(model):
            values = signature.values(model)
            return {"answer": "sat", "model": values}, ["sat", *values.values()]
        case Undecided(reason):
            return {"answer": "unknown", "reason": reason}, ["unknown", f"; {plain(reason)}"]
        case Separated(interpolant, proof):
            term = signature.to_smtlib(interpolant)
            fields = {"answer": "unsat", "interpolants": [term], "proof": len(proof)}
            lines = ["unsat", signature.definition("I1", interpolant)]
            lines.append(f"; from a proof of {len(proof)} steps, which was checked")
            if check:
                _confirm(question, interpolant, budget)
                return {**fields, "confirmed": True}, [*lines, "; confirmed by z3"]
            return fields, lines


def _confirm(question: Question, interpolant: Formula, budget: Budget) -> None:
    """Ask z3 whether the first part implies the interpolant, and the second contradicts it."""
    from petricheck.interpolation.functions.formulas import negate

    first, second = question.parts
    for said, what in (
        ((first, negate(interpolant)), "I1 follows"),
        ((interpolant, second), "the last part contradicts it"),
    ):
        if not _contradictory(question, said, budget):
            raise InternalError(f"z3 denies that {what}")


def _contradictory(question: Question, formulas: Sequence[Formula], budget: Budget) -> bool:
    from petricheck.presburger.solver import refutes

    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    # Numbered, since z3 has its own meanings for some names, bars or not.
    signature = replace(question.signature, spell=lambda name: f"n{numbers[name]}")
    assertions = [f"(assert {signature.to_smtlib(formula)})" for formula in formulas]
    return refutes("\n".join([*signature.declarations(), *assertions]), seconds=budget.remaining)
