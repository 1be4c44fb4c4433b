"""`petricheck verify NET EVIDENCE`: is the evidence a proof about this net?

Of the file only the evidence is used, and of that nothing is believed: a trace is replayed and the
obligations of an invariant are derived afresh by `petricheck.audit`, both from the net in NET. The
file's checksum and target only serve to refuse what was meant for another net or question. Without
a question on the command line the file's own target is what is proved, so it is printed: it is for
the reader to see that it says what they had in mind.

`--print-checker` prints `petricheck.standalone`, a program that does the same and shares nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Any

import click

from petricheck import plugins
from petricheck.answer import Reachable, Unknown, Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.certificates import Evidence, read_evidence
from petricheck.claim_files import holds_claims
from petricheck.claims import claim_of
from petricheck.cli.limits import answer_with, limited
from petricheck.cli.net_files import net_file
from petricheck.cli.options import (
    Texts,
    given,
    given_question,
    json_option,
    limit_options,
    net_options,
    question_options,
    second_solver_option,
)
from petricheck.cli.outcomes import Status, leave
from petricheck.cli.record import json_lines, net_fields
from petricheck.cli.terminal import complain, say, say_verdict, warn
from petricheck.errors import BudgetExhausted, EvidenceError, InputError, QueryError
from petricheck.explanation.claims import explain as explain_claim
from petricheck.explanation.plain import plain
from petricheck.explanation.text import explained_lines
from petricheck.explanation.tree import Explained
from petricheck.formats import NetFile
from petricheck.presburger.formulas import Conjunction, Formula, Negation
from petricheck.presburger.shown import formula_text, shown_formula
from petricheck.presburger.smtlib import to_smtlib
from petricheck.problem import Net, Problem, make_problem
from petricheck.questions import VERDICTS, make_question, question_text
from petricheck.questions.kind import is_target, kind_of
from petricheck.words import printable


@dataclass(frozen=True, slots=True)
class Proof:
    """What was proved, and how that was checked."""

    problem: Problem
    answer: Reachable | Unreachable
    audit: str


def _print_checker(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        say(files("petricheck").joinpath("standalone.py").read_text("utf-8").rstrip("\n"))
        context.exit()


@click.command()
@net_options
@click.argument("evidence", metavar="EVIDENCE")
@question_options
@second_solver_option
@limit_options
@click.option(
    "--expect",
    type=click.Choice(["reachable", "unreachable"]),
    help="Exit with status 5 where the other verdict is proved.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Say why accepted evidence is evidence: part by part, or what a trace does.",
)
@json_option
@click.option(
    "--print-checker",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_checker,
    help="Print an independent checker, a program of one file for Python alone, and exit.",
)
def command(
    net: str,
    net_id: str | None,
    evidence: str,
    second_solver: bool,
    timeout: float | None,
    memory: int | None,
    expect: str | None,
    explain: bool,
    as_json: bool,
    **texts: str | bool | None,
) -> None:
    """Check evidence against a net, trusting nothing else.

    Prints the target that is proved; with a question it must be the same one. Exit status 0 means
    accepted, 4 rejected, 1 not decided within the limit, or nothing that answers the question is
    claimed, 5 accepted, but not as --expect says.
    """
    with limited(timeout, memory, partial(_tell_late, as_json)) as budget:
        file = net_file(net, net_id)
        warn(file.path, *file.warnings)
        if holds_claims(evidence):
            if expect is not None:
                raise QueryError("--expect goes with evidence of one verdict")
            answer_with(
                lambda: _verify_claims(
                    file, evidence, texts, budget, second_solver, explain, as_json
                )
            )
            return
        question = given_question(texts)
        if question is not None and not is_target(kind_of(question[0])):
            option = plugins.as_option(question[0])
            raise QueryError(f"the evidence is of one verdict, and answers no {option}")
        asked = None if question is None else make_question(file.net, *question).problem
        refusal: EvidenceError | BudgetExhausted | None = None
        try:
            claim = read_evidence(evidence)
            problem = _problem(file, claim, asked, budget)
            audited = audit(problem, claim.answer, budget=budget, second_solver=second_solver)
        except (EvidenceError, BudgetExhausted) as error:
            refusal = error
        if refusal is not None:
            refused = refusal
            answer_with(lambda: _refuse(file, refused, as_json))
            return
        proof = Proof(problem, claim.answer, audited)
        answer_with(lambda: _tell(file, claim, proof, explain, as_json))
    if expect not in (None, _verdict(proof.answer)):
        complain(f"{expect} was expected")
        leave(Status.CONTRADICTED)


def _tell(file: NetFile, claim: Evidence, proof: Proof, explain: bool, as_json: bool) -> None:
    """Tell what is proved, and on request why."""
    claims = (claim_of(proof.problem.target, claim.answer),) if explain else ()
    told = [explain_claim(proof.problem.net, claim, target=True) for claim in claims]
    if as_json:
        say(json_lines(_fields(file, proof) | _explanation(told)))
        return
    say_verdict("accepted", _prose(file, claim, proof))
    _say_explained(told)


def _explanation(told: Sequence[Explained]) -> dict[str, Any]:
    """The key that holds why evidence is evidence; none where that was not asked for."""
    return {"explanation": list(map(plain, told))} if told else {}


def _say_explained(told: Iterable[Explained]) -> None:
    """The same for people."""
    for explained in told:
        for line in explained_lines(explained):
            say(line)


def _verify_claims(
    file: NetFile,
    path: str,
    texts: Texts,
    budget: Budget,
    second_solver: bool,
    explain: bool,
    as_json: bool,
) -> None:
    """Check a file of claims, and tell of it."""
    # Not at the top: other evidence needs none of it.
    from petricheck.cli import verify_claims

    match given(texts):
        case ():
            asked = None
        case ((kind, text),) if not is_target(kind_of(kind)):
            asked = kind, question_text(text)
        case _:
            raise QueryError("the evidence answers one question, of another kind")
    try:
        found = verify_claims.accepted(file, path, asked, budget, second_solver)
    except (EvidenceError, BudgetExhausted) as error:
        _refuse(file, error, as_json)
        return
    claimed, finding, audits = found
    told = [explain_claim(file.net, claim) for claim in claimed.claims if explain]
    if as_json:
        say(json_lines(verify_claims.fields(file, claimed, finding, audits) | _explanation(told)))
    else:
        for line in verify_claims.prose(file, claimed, finding, audits):
            say(line)
        _say_explained(told)
    if verify_claims.open_since(claimed, finding):
        leave(Status.UNKNOWN)


def _verdict(answer: Reachable | Unreachable) -> str:
    return VERDICTS.tell(isinstance(answer, Reachable))


def _problem(file: NetFile, claim: Evidence, asked: Problem | None, budget: Budget) -> Problem:
    """The question that the evidence has to answer.

    Raises:
        EvidenceError: it is about another net or another question, or about none.
        BudgetExhausted: whether the questions are the same was not decided in time.
    """
    if claim.sha256 not in (None, file.sha256):
        raise EvidenceError(f"it is about another net: the SHA-256 of {file.path} differs")
    if claim.target is None:
        if asked is None:
            raise EvidenceError("it names no target; give the question, e.g. with --target")
        return asked
    claimed = _claimed(file.net, claim.target)
    # As text, since deep formulas are too deep for the comparison of values.
    if asked is None or to_smtlib(asked.target) == to_smtlib(claimed.target):
        return claimed
    if not _equivalent(asked.target, claimed.target, budget):
        raise EvidenceError(f"it is about another target: {shown_formula(claimed.target)}")
    return asked


def _claimed(net: Net, target: Formula) -> Problem:
    """The file's target as it is written, since hints number its cubes."""
    try:
        make_problem(net, target)
    except InputError as error:
        raise EvidenceError(str(error)) from None
    return Problem(net, target)


def _equivalent(left: Formula, right: Formula, budget: Budget) -> bool:
    """Whether no marking satisfies just one of them."""
    from petricheck.presburger.solver import find_model

    differences = (Conjunction((left, Negation(right))), Conjunction((right, Negation(left))))
    return all(find_model(d, seconds=budget.remaining, natural=True) is None for d in differences)


def _refuse(file: NetFile, error: EvidenceError | BudgetExhausted, as_json: bool) -> None:
    """Say that it was rejected, or that a limit was reached first, and leave."""
    undecided = isinstance(error, BudgetExhausted) or isinstance(error.__cause__, BudgetExhausted)
    result = "unknown" if undecided else "rejected"
    if as_json:
        say(json_lines({"result": result, "reason": str(error), "net": net_fields(file)}))
    else:
        say_verdict(result, f": {printable(str(error))}")
    leave(Status.UNKNOWN if undecided else Status.REJECTED)


def _tell_late(as_json: bool, answer: Unknown) -> Status:
    """Tell that the time limit ended the command in the midst of something."""
    if as_json:
        say(json_lines({"result": "unknown", "reason": answer.reason, "net": None}))
    else:
        say_verdict("unknown", f": {answer.reason}")
    return Status.UNKNOWN


def _fields(file: NetFile, proof: Proof) -> dict[str, Any]:
    return {
        "result": "accepted",
        "verdict": _verdict(proof.answer),
        "target": formula_text(proof.problem.target),
        "audit": proof.audit,
        "net": net_fields(file),
    }


def _prose(file: NetFile, claim: Evidence, proof: Proof) -> str:
    checksum = f"SHA-256 {file.sha256}"
    if claim.sha256 is None:
        checksum += ", which the evidence does not mention"
    return (
        f": {_verdict(proof.answer)}\n"
        f"The target that is proved {_verdict(proof.answer)}:\n"
        f"  {shown_formula(proof.problem.target)}\n"
        f"Audit: {printable(proof.audit)}.\n"
        f"The net: {printable(file.path)}, {checksum}."
    )
