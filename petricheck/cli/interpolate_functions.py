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

if TYPE_CHECKING:
    from petricheck.interpolation.functions.formulas import Formula
    from petricheck.interpolation.functions.scripts import Question


def answer(text: str, path: str, confirm: bool, budget: Budget) -> tuple[dict[str, Any], list[str]]:
    """The keys of the JSON object, and the same as SMT-LIB without remarks.

    Raises:
        BudgetExhausted: z3 gave up.
        InputError: something in the script is not understood.
        InternalError: z3 denies the interpolant.
    """
    from petricheck.interpolation.functions import Modelled, Separated, interpolate
    from petricheck.interpolation.functions.scripts import read_question
    from petricheck.interpolation.prover import Undecided

    question = read_question(text, path)
    signature = question.signature
    fields: dict[str, Any]
    match interpolate(*question.parts, budget=budget):
        case Modelled(model):
            values = signature.values(model)
            fields, lines = {"answer": "sat", "model": values}, [*values.values()]
        case Undecided(reason):
            fields, lines = {"answer": "unknown", "reason": reason}, []
        case Separated(interpolant, proof):
            term = signature.to_smtlib(interpolant)
            fields = {"answer": "unsat", "interpolants": [term], "proof": len(proof)}
            lines = [signature.definition("I1", interpolant)]
            if confirm:
                _confirm(question, interpolant, budget)
                fields["confirmed"] = True
    selection = question.selection
    return fields | selection.fields(), [fields["answer"], *selection.lines(), *lines]


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
