"""`petricheck interpolate FILE`.

Keys of its JSON object: `answer` (unsat, sat or unknown); where it is unsat `interpolants` (each an
SMT-LIB term), `proof` (number of its steps; null where quantifier elimination answered), `reason`
(why it did) and, with --confirm, `confirmed`; where it is sat `model` (values as text); where it is
unknown `reason`. `parts` has the names of the assertions of each part, `left_out` those of the
assertions in none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from petricheck.answer import Unknown
from petricheck.budget import Budget
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
    from petricheck.laboratory.prover.confirmation import Obligation
    from petricheck.laboratory.prover.groups import Selection

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
    from petricheck.laboratory.functions.scripts import has_functions

    with limited(timeout, memory, partial(_tell_late, as_json)) as budget:
        text = _text(path)
        if has_functions(text):
            if symmetric or strengthen:
                what = "has functions, for which there is no --symmetric and no --strengthen"
                raise InputError(what, path=path)
            result = _answer_with_functions(text, path, budget)
        else:
            result = _answer(text, path, symmetric, strengthen, budget)
        fields = result.fields
        if confirm and fields["answer"] == "unsat":
            _confirm(result.obligations, budget)
            fields = fields | {"confirmed": True}
        if as_json:
            answer_with(lambda: say(json_lines(fields | result.selection.fields())))
        else:
            selected = result.selection.lines()
            lines = (fields["answer"], *selected, *result.lines, *_remarks(fields))
            answer_with(lambda: say_script("\n".join(lines)))
    if fields["answer"] == "unknown":
        leave(Status.UNKNOWN)


@dataclass(frozen=True, slots=True)
class _Result:
    """An answer.

    Attributes:
        selection: which assertions it is about.
        fields: the other keys of the JSON object.
        lines: the definitions in SMT-LIB.
        obligations: what z3 has to refute so that interpolants are confirmed.
    """

    selection: Selection
    fields: dict[str, Any]
    lines: Sequence[str] = ()
    obligations: Iterable[Obligation] = ()


def _answer(text: str, path: str, symmetric: bool, strengthen: bool, budget: Budget) -> _Result:
    """The answer where all symbols are numbers."""
    from petricheck.laboratory.prover import (
        Elimination,
        Interpolated,
        Satisfiable,
        Undecided,
        confirmation,
        interpolate_sequence,
        interpolate_symmetric,
    )
    from petricheck.laboratory.prover.scripts import definitions, read_question, values

    interpolate = interpolate_symmetric if symmetric else interpolate_sequence
    question = read_question(text, path)
    parts, selection, theory = question.parts, question.selection, question.theory
    fields: dict[str, Any]
    match interpolate(parts, theory=theory, strengthen=strengthen, budget=budget):
        case Satisfiable(model):
            numbers = {name: _number(value) for name, value in model.items()}
            fields = {"answer": "sat", "model": numbers}
            return _Result(selection, fields, values(model, theory))
        case Undecided(reason):
            return _Result(selection, {"answer": "unknown", "reason": reason})
        case Interpolated(interpolants, by):
            terms = [to_smtlib(formula, quoted) for formula in interpolants]
            fields = {"answer": "unsat", "interpolants": terms}
            if isinstance(by, Elimination):
                fields |= {"proof": None, "reason": by.reason}
            else:
                fields |= {"proof": len(by)}
            claims = confirmation.of_symmetric if symmetric else confirmation.of_sequence
            obligations = confirmation.obligations(claims(parts, interpolants), theory)
            return _Result(selection, fields, definitions(interpolants, theory), obligations)


def _answer_with_functions(text: str, path: str, budget: Budget) -> _Result:
    """The answer where functions or sorts are declared; a model has a definition of each symbol."""
    from petricheck.laboratory.functions import Modelled, Separated, interpolate
    from petricheck.laboratory.functions.confirmation import obligations
    from petricheck.laboratory.functions.scripts import read_question
    from petricheck.laboratory.prover import Undecided

    question = read_question(text, path)
    selection, signature = question.selection, question.signature
    match interpolate(*question.parts, budget=budget):
        case Modelled(model):
            values = signature.values(model)
            return _Result(selection, {"answer": "sat", "model": values}, [*values.values()])
        case Undecided(reason):
            return _Result(selection, {"answer": "unknown", "reason": reason})
        case Separated(interpolant, proof):
            interpolants = [signature.to_smtlib(interpolant)]
            fields = {"answer": "unsat", "interpolants": interpolants, "proof": len(proof)}
            lines = [signature.definition("I1", interpolant)]
            return _Result(selection, fields, lines, obligations(question, interpolant))


def _remarks(fields: Mapping[str, Any]) -> Iterator[str]:
    """What else there is to say of an answer, as comments."""
    if fields.get("proof") is not None:
        yield f"; from a proof of {fields['proof']} steps, which was checked"
    if "reason" in fields:
        how = "by quantifier elimination: " if fields["answer"] == "unsat" else ""
        yield f"; {how}{plain(fields['reason'])}"
    if fields.get("confirmed"):
        yield "; confirmed by z3"


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


def _number(value: int | Fraction) -> str:
    """The number in decimal, or two with a stroke between them, however long."""
    sign = "-" if value < 0 else ""
    parts = [abs(value.numerator), *([value.denominator] if value.denominator != 1 else [])]
    return sign + "/".join(map(numeral, parts))


def _confirm(obligations: Iterable[Obligation], budget: Budget) -> None:
    """Let z3 confirm the interpolants.

    Raises:
        BudgetExhausted: z3 gave up.
        InternalError: it refutes one.
    """
    from petricheck.presburger.solver import refutes

    for what, script in obligations:
        if not refutes(script, seconds=budget.remaining):
            raise InternalError(f"z3 denies that {what}")
