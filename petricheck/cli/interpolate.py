"""`petricheck interpolate FILE`.

Keys of its JSON object: `answer` (unsat, sat or unknown); where it is unsat `interpolants` (each an
SMT-LIB term), `proof` (number of its steps; null where quantifier elimination answered), `reason`
(why it did) and, with --confirm, `confirmed`; where it is sat `model` (values as text); where it is
unknown `reason`. `parts` has the names of the assertions of each part, `left_out` those of the
assertions in none.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from petricheck.answer import Unknown
from petricheck.budget import Budget
from petricheck.cli import function_answers
from petricheck.cli.limits import answer_with, limited
from petricheck.cli.options import json_option, limit_options
from petricheck.cli.outcomes import Status, leave
from petricheck.cli.record import json_lines
from petricheck.cli.terminal import say, say_script
from petricheck.errors import InputError, InternalError
from petricheck.files import content
from petricheck.presburger.smtlib import numeral, plain, to_smtlib
from petricheck.presburger.symbols import quoted

if TYPE_CHECKING:
    from petricheck.interpolation.prover import Result
    from petricheck.interpolation.prover.scripts import Question

_SIZE = 1 << 25


@click.command()
@click.argument("path", metavar="FILE")
@click.option("--symmetric", is_flag=True, help="One interpolant a part, in place of one a cut.")
@click.option("--strengthen", is_flag=True, help="Rearrange the proof for stronger interpolants.")
@click.option("--confirm", is_flag=True, help="Let z3 confirm them by the definition.")
@limit_options
@json_option
def command(
    path: str,
    symmetric: bool,
    strengthen: bool,
    confirm: bool,
    timeout: float | None,
    memory: int | None,
    as_json: bool,
) -> None:
    """Interpolate between the named assertions of an SMT-LIB file.

    Prints unsat and an interpolant for each cut between two parts, sat and a model, or unknown with
    the reason and exit status 1.
    """
    from petricheck.interpolation.functions.scripts import has_functions

    with limited(timeout, memory, partial(_tell_late, as_json)) as budget:
        text = _text(path)
        if has_functions(text):
            _refuse_other_proofs(path, symmetric, strengthen)
            fields, lines = function_answers.answer(text, path, confirm, budget)
        else:
            fields, lines = _answer(text, path, symmetric, strengthen, confirm, budget)
        report = json_lines(fields) if as_json else "\n".join(lines)
        answer_with(lambda: say(report) if as_json else say_script(report))
    if fields["answer"] == "unknown":
        leave(Status.UNKNOWN)


def _refuse_other_proofs(path: str, symmetric: bool, strengthen: bool) -> None:
    if symmetric or strengthen:
        what = "has functions, for which there is no --symmetric and no --strengthen"
        raise InputError(what, path=path)


def _answer(
    text: str, path: str, symmetric: bool, strengthen: bool, confirm: bool, budget: Budget
) -> tuple[dict[str, Any], list[str]]:
    """The keys of the JSON object, and the lines that say the same."""
    from petricheck.interpolation.prover import interpolate_sequence, interpolate_symmetric
    from petricheck.interpolation.prover.scripts import read_question

    asked = interpolate_symmetric if symmetric else interpolate_sequence
    question = read_question(text, path)
    found = asked(question.parts, theory=question.theory, strengthen=strengthen, budget=budget)
    fields = _fields(found) | (_confirmed(question, found, symmetric, budget) if confirm else {})
    return fields | question.selection.fields(), _lines(question, found, fields)


def _tell_late(as_json: bool, answer: Unknown) -> Status:
    fields = {"answer": "unknown", "reason": answer.reason}
    say(json_lines(fields) if as_json else f"unknown\n; {answer.reason}")
    return Status.UNKNOWN


def _text(path: str) -> str:
    """The script in the file.

    Raises:
        InputError: it cannot be read, or is no text.
    """
    try:
        return content(path, _SIZE).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("is no text in UTF-8", path=path) from None


def _fields(found: Result) -> dict[str, Any]:
    from petricheck.interpolation.prover import (
        Elimination,
        Interpolated,
        Satisfiable,
        Undecided,
    )

    match found:
        case Satisfiable(model):
            return {"answer": "sat", "model": {name: _text_of(v) for name, v in model.items()}}
        case Undecided(reason):
            return {"answer": "unknown", "reason": reason}
        case Interpolated(interpolants, by):
            terms = [to_smtlib(formula, quoted) for formula in interpolants]
            told = {"reason": by.reason} if isinstance(by, Elimination) else {}
            steps = None if isinstance(by, Elimination) else len(by)
            return {"answer": "unsat", "interpolants": terms, "proof": steps, **told}


def _text_of(value: int | Fraction) -> str:
    """The number in decimal, or two with a stroke between them, however long."""
    sign = "-" if value < 0 else ""
    parts = [abs(value.numerator), *([value.denominator] if value.denominator != 1 else [])]
    return sign + "/".join(map(numeral, parts))


def _confirmed(
    question: Question, found: Result, symmetric: bool, budget: Budget
) -> dict[str, bool]:
    """Whether z3 confirms the interpolants.

    Raises:
        BudgetExhausted: z3 gave up.
        InternalError: it refutes one.
    """
    from petricheck.interpolation.prover import Interpolated, confirmation

    if not isinstance(found, Interpolated):
        return {}
    of = confirmation.of_symmetric if symmetric else confirmation.of_sequence
    for obligation in of(question.parts, found.interpolants):
        if not confirmation.confirmed(obligation, question.theory, budget):
            raise InternalError(f"z3 denies that {obligation[0]}")
    return {"confirmed": True}


def _lines(question: Question, found: Result, fields: dict[str, Any]) -> list[str]:
    """The answer as SMT-LIB; what else there is to say is a comment."""
    from petricheck.interpolation.prover import Interpolated, Satisfiable
    from petricheck.interpolation.prover.scripts import definitions, values

    lines = [str(fields["answer"]), *question.selection.lines()]
    match found:
        case Satisfiable(model):
            lines += values(model, question.theory)
        case Interpolated(interpolants):
            lines += definitions(interpolants, question.theory)
            if fields["proof"] is not None:
                lines.append(f"; from a proof of {fields['proof']} steps, which was checked")
    if "reason" in fields:
        how = "by quantifier elimination: " if fields["answer"] == "unsat" else ""
        lines.append(f"; {how}{plain(fields['reason'])}")
    if fields.get("confirmed"):
        lines.append("; confirmed by z3")
    return lines
