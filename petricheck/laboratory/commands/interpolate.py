"""`petricheck interpolate FILE`.

Keys of its JSON object:

- `answer`: unsat, sat or unknown;
- where it is unsat, `interpolants` (each an SMT-LIB term), `proof` (number of its steps; null where
  quantifier elimination answered), `reason` (of that) and, with --confirm, `confirmed`;
- where it is sat, `model`: values as text, with functions commands that define symbols;
- where it is unknown, `reason`;
- `parts`: the names of the assertions of each part;
- `left_out`: the names of the assertions in no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from petricheck.arithmetic.solvers.smtlib import numeral, plain
from petricheck.commands.answers.json_answer import json_lines
from petricheck.commands.shell.exit_status import Status, exit_with
from petricheck.commands.shell.limits import answer_with, limited
from petricheck.commands.shell.options import json_option, limit_options
from petricheck.commands.shell.terminal import say, say_script
from petricheck.evidence.answer import Unknown
from petricheck.support.budget import Budget
from petricheck.support.errors import InputError, InternalError
from petricheck.support.files import content

if TYPE_CHECKING:
    from petricheck.laboratory.prover import Result
    from petricheck.laboratory.prover.confirmation import Obligation
    from petricheck.laboratory.prover.scripts import ScriptQuestion

_SIZE = 1 << 25


@click.command()
@click.argument("path", metavar="FILE")
@click.option("--symmetric", is_flag=True, help="One interpolant for each part, not for each cut.")
@click.option("--strengthen", is_flag=True, help="Rearrange the proof for stronger interpolants.")
@click.option(
    "--abstraction",
    metavar="FILE",
    help="What may occur in them: (term T), (bound T), (predicate F), (schema ((x S)) T), (keep x)",
)
@click.option("--confirm", is_flag=True, help="Let z3 check that they are interpolants.")
@limit_options
@json_option
def command(
    path: str,
    symmetric: bool,
    strengthen: bool,
    abstraction: str | None,
    confirm: bool,
    timeout: float | None,
    memory: int | None,
    as_json: bool,
) -> None:
    """Interpolate between the named assertions of an SMT-LIB file.

    The assertions of one name are a part. Prints unsat and an interpolant for each cut between two
    parts, sat and a model, or unknown with the reason (exit status 1).
    """
    from petricheck.laboratory.prover import Interpolated
    from petricheck.laboratory.prover.confirmation import obligations
    from petricheck.laboratory.prover.scripts import read_question

    with limited(timeout, memory, partial(_print_unknown, as_json)) as budget:
        question = read_question(_text(path), path)
        result = _result(question, abstraction, symmetric, strengthen, budget)
        fields, lines = _answer(question, result, abstraction)
        if confirm and isinstance(result, Interpolated):
            _confirm(obligations(question, result.interpolants, symmetric), budget)
            fields = fields | {"confirmed": True}
        if as_json:
            answer_with(lambda: say(json_lines(fields | question.selection.fields())))
        else:
            selection = question.selection.lines()
            sections = (fields["answer"], *selection, *lines, *_remarks(fields))
            answer_with(lambda: say_script("\n".join(sections)))
    if fields["answer"] == "unknown":
        exit_with(Status.UNKNOWN)


def _result(
    question: ScriptQuestion,
    abstraction: str | None,
    symmetric: bool,
    strengthen: bool,
    budget: Budget,
) -> Result:
    from petricheck.laboratory.prover import interpolate_sequence, interpolate_symmetric
    from petricheck.laboratory.prover.abstraction_files import read_allowed
    from petricheck.laboratory.prover.templates import interpolate_over

    parts, theory = question.parts, question.signature.theory
    if abstraction is None:
        interpolate = interpolate_symmetric if symmetric else interpolate_sequence
        return interpolate(parts, theory=theory, strengthen=strengthen, budget=budget)
    if symmetric:
        raise InputError("restricts cuts, and --symmetric has none", path=abstraction)
    allowed = read_allowed(_text(abstraction), abstraction, question.signature)
    try:
        return interpolate_over(
            parts,
            allowed.templates,
            kept=allowed.kept,
            sort_of=question.signature.sort,
            theory=theory,
            strengthen=strengthen,
            budget=budget,
        )
    except ValueError as error:
        raise InputError(str(error), path=abstraction) from None


def _answer(
    question: ScriptQuestion, result: Result, abstraction: str | None
) -> tuple[dict[str, Any], list[str]]:
    """Return the keys of the JSON object about the answer, and its definitions in SMT-LIB."""
    from petricheck.laboratory.prover import Elimination, Interpolated, Satisfiable, Theory

    signature = question.signature
    match result:
        case Satisfiable() if abstraction is not None:
            reason = "what the abstraction allows does not separate the parts"
            return {"answer": "unknown", "reason": reason}, []
        case Satisfiable(model):
            commands = signature.model(model)
            values = {name: _value_text(value) for name, value in signature.values(model).items()}
            output = commands if signature.theory is Theory.FUNCTIONS else values
            return {"answer": "sat", "model": output}, [*commands.values()]
        case Interpolated(interpolants, origin):
            terms = [signature.to_smtlib(formula) for formula in interpolants]
            fields: dict[str, Any] = {"answer": "unsat", "interpolants": terms}
            if isinstance(origin, Elimination):
                fields |= {"proof": None, "reason": origin.reason}
            else:
                fields |= {"proof": len(origin)}
            return fields, signature.definitions(interpolants)
        case undecided:
            return {"answer": "unknown", "reason": undecided.reason}, []


def _remarks(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield further remarks on an answer, as comments."""
    if fields.get("proof") is not None:
        yield f"; from a proof of {fields['proof']} steps, which was checked"
    if "reason" in fields:
        method = "by quantifier elimination: " if fields["answer"] == "unsat" else ""
        yield f"; {method}{plain(fields['reason'])}"
    if fields.get("confirmed"):
        yield "; confirmed by z3"


def _print_unknown(as_json: bool, answer: Unknown) -> Status:
    fields = {"answer": "unknown", "reason": answer.reason}
    say(json_lines(fields) if as_json else f"unknown\n; {answer.reason}")
    return Status.UNKNOWN


def _text(path: str) -> str:
    """Return the script in the file.

    Raises:
        InputError: the file cannot be read, or is not text.
    """
    try:
        return content(path, _SIZE).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("is not text in UTF-8", path=path) from None


def _value_text(value: int | Fraction | bool) -> str:
    """Return the value as text: a decimal number, or a fraction of two, however long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    sign = "-" if value < 0 else ""
    parts = [abs(value.numerator), *([value.denominator] if value.denominator != 1 else [])]
    return sign + "/".join(map(numeral, parts))


def _confirm(obligations: Iterable[Obligation], budget: Budget) -> None:
    """Check the interpolants by z3.

    Raises:
        BudgetExhausted: z3 gave up.
        InternalError: z3 refutes one.
    """
    from petricheck.arithmetic.solvers.solver import refutes

    for claim, script in obligations:
        if not refutes(script, budget=budget):
            raise InternalError(f"z3 refutes that {claim}")
