"""`petricheck interpolate FILE`.

Keys of its JSON object:

- `answer`: unsat, sat or unknown;
- where it is unsat, `interpolants` (each an SMT-LIB term), `proof` (number of its steps; null where
  quantifier elimination answered), `reason` (of that) and, with --confirm, `confirmed`;
  with --frontier all these are in the objects of a list `frontier`, with `cost` and `templates`;
- where it is sat, `model`: values as text, with functions commands that define symbols;
- where it is unknown, `reason`;
- `parts`: the names of the assertions of each part;
- `left_out`: the names of the assertions in no part.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from petricheck.arithmetic.formulas.formulas import Formula
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
    from petricheck.laboratory.prover.abstraction_files import Allowed
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
@click.option(
    "--frontier",
    is_flag=True,
    help="Interpolants over each minimal set of templates, the cheapest first: (term T :cost 3)",
)
@click.option("--confirm", is_flag=True, help="Let z3 check that they are interpolants.")
@limit_options
@json_option
def command(
    path: str,
    symmetric: bool,
    strengthen: bool,
    abstraction: str | None,
    frontier: bool,
    confirm: bool,
    timeout: float | None,
    memory: int | None,
    as_json: bool,
) -> None:
    """Interpolate between the named assertions of an SMT-LIB file.

    The assertions of one name are a part. Prints unsat and an interpolant for each cut between two
    parts, sat and a model, or unknown with the reason (exit status 1).
    """
    from petricheck.laboratory.prover.scripts import read_question

    if frontier and abstraction is None:
        raise click.UsageError("--frontier goes with --abstraction, which lists the templates")
    with limited(timeout, memory, partial(_print_unknown, as_json)) as budget:
        question = read_question(_text(path), path)
        request = _Request(question, abstraction, symmetric, strengthen, confirm, budget)
        fields, lines = request.frontier() if frontier else request.answer(request.result())
        if as_json:
            answer_with(lambda: say(json_lines(fields | question.selection.fields())))
        else:
            sections = (fields["answer"], *question.selection.lines(), *lines)
            answer_with(lambda: say_script("\n".join(sections)))
    if fields["answer"] == "unknown":
        exit_with(Status.UNKNOWN)


_Answer: TypeAlias = tuple[dict[str, Any], list[str]]
"""The keys of the JSON object about the answer, and the lines after its first in SMT-LIB."""


@dataclass(frozen=True)
class _Request:
    """A question, and the options of the command."""

    question: ScriptQuestion
    abstraction: str | None
    symmetric: bool
    strengthen: bool
    confirm: bool
    budget: Budget

    @cached_property
    def allowed(self) -> Allowed:
        """The content of the file of templates."""
        from petricheck.laboratory.prover.abstraction_files import read_allowed

        assert self.abstraction is not None
        if self.symmetric:
            raise InputError("restricts cuts, and --symmetric has none", path=self.abstraction)
        return read_allowed(_text(self.abstraction), self.abstraction, self.question.signature)

    def result(self, chosen: Collection[int] | None = None) -> Result:
        """Return interpolants, where there are templates over those with these numbers."""
        from petricheck.laboratory.prover import interpolate_sequence, interpolate_symmetric
        from petricheck.laboratory.prover.templates import interpolate_over

        parts, signature = self.question.parts, self.question.signature
        options: dict[str, Any] = {
            "theory": signature.theory,
            "strengthen": self.strengthen,
            "budget": self.budget,
        }
        if self.abstraction is None:
            interpolate = interpolate_symmetric if self.symmetric else interpolate_sequence
            return interpolate(parts, **options)
        templates = self.allowed.templates
        if chosen is not None:
            options["chosen"] = [templates[number] for number in chosen]
        kept, sort_of = self.allowed.kept, signature.sort
        try:
            return interpolate_over(parts, templates, kept=kept, sort_of=sort_of, **options)
        except ValueError as error:
            raise InputError(str(error), path=self.abstraction) from None

    def answer(self, result: Result, ending: str = "") -> _Answer:
        """Return the answer; names of interpolants have the ending."""
        from petricheck.laboratory.prover import Elimination, Interpolated, Satisfiable, Theory

        signature = self.question.signature
        match result:
            case Satisfiable() if self.abstraction is not None:
                reason = "what the abstraction allows does not separate the parts"
                return _unknown(reason)
            case Satisfiable(model):
                commands = signature.model(model)
                values = {n: _value_text(value) for n, value in signature.values(model).items()}
                output = commands if signature.theory is Theory.FUNCTIONS else values
                return {"answer": "sat", "model": output}, [*commands.values()]
            case Interpolated(interpolants, origin):
                terms = [signature.to_smtlib(formula) for formula in interpolants]
                fields: dict[str, Any] = {"answer": "unsat", "interpolants": terms}
                if isinstance(origin, Elimination):
                    fields |= {"proof": None, "reason": origin.reason}
                    remarks = [f"; by quantifier elimination: {plain(origin.reason)}"]
                else:
                    fields |= {"proof": len(origin)}
                    remarks = [f"; from a proof of {len(origin)} steps, which was checked"]
                if self.confirm:
                    self._confirm(interpolants)
                    fields |= {"confirmed": True}
                    remarks.append("; confirmed by z3")
                return fields, [*signature.definitions(interpolants, ending), *remarks]
            case undecided:
                return _unknown(undecided.reason)

    def frontier(self) -> _Answer:
        """Return the answers over each minimal set of templates."""
        from petricheck.laboratory.lattices.frontier import frontier
        from petricheck.laboratory.prover.named_templates import SchematicTerm

        listed = self.allowed.listed
        if any(isinstance(one.template, SchematicTerm) for one in listed):
            raise InputError(
                "has a schema: that there are no interpolants over a smaller set is not decided;"
                " leave out --frontier",
                path=self.abstraction,
            )
        costs = [one.cost for one in listed]
        objects: list[dict[str, Any]] = []
        lines: list[str] = []
        for element in frontier(costs, self.result, self.budget):
            fields, definitions = self.answer(element.result, f"_{len(objects) + 1}")
            del fields["answer"]
            texts = [listed[number].text for number in element.templates]
            objects.append({"cost": element.cost, "templates": texts} | fields)
            lines += [f"; cost {element.cost}: {plain(' '.join(texts)) or 'nothing'}", *definitions]
        if not objects:
            return self.answer(self.result())
        return {"answer": "unsat", "frontier": objects}, lines

    def _confirm(self, interpolants: Sequence[Formula]) -> None:
        """Check the interpolants by their definition, with z3.

        Raises:
            BudgetExhausted: z3 gave up.
            InternalError: z3 refutes one, or it has a symbol that is not common.
        """
        from petricheck.arithmetic.solvers.solver import refutes
        from petricheck.laboratory.prover.confirmation import foreign_symbols, obligations

        if foreign := foreign_symbols(self.question.parts, interpolants, self.symmetric):
            raise InternalError(f"an interpolant has {min(map(str, foreign))}, which is not common")
        for claim, script in obligations(self.question, interpolants, self.symmetric):
            if not refutes(script, budget=self.budget):
                raise InternalError(f"z3 refutes that {claim}")


def _unknown(reason: str) -> _Answer:
    return {"answer": "unknown", "reason": reason}, [f"; {plain(reason)}"]


def _print_unknown(as_json: bool, answer: Unknown) -> Status:
    fields, lines = _unknown(answer.reason)
    say(json_lines(fields) if as_json else "\n".join(("unknown", *lines)))
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
