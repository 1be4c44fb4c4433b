"""The evidence of a finding, and the check of evidence that was read.

Only the claims of evidence are used, and none is trusted: the audit checks them from the net alone,
and the answer is concluded from them anew. The other parts of the evidence serve to refuse it where
it is about another net or question, or states another answer.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from petricheck.arithmetic.formulas.formulas import Conjunction, Formula, Negation
from petricheck.arithmetic.formulas.json import read_formula, write_facts
from petricheck.arithmetic.formulas.shown import shown_formula
from petricheck.arithmetic.solvers.smtlib import written_alike
from petricheck.evidence.answer import Unknown
from petricheck.evidence.audit import check_origin, prove
from petricheck.evidence.claims import Claim
from petricheck.evidence.files import Evidence, initial_fields
from petricheck.formats.nets import NetFile
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.guarded.translation import Complementation
from petricheck.model.net import Net
from petricheck.model.parametric import with_initial
from petricheck.model.problem import make_problem
from petricheck.questions.finding import Finding
from petricheck.questions.kind import FAMILY, Conclusion, is_target, kind_names, kind_of
from petricheck.questions.question import Question, read_question
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, InputError, QueryError


def evidence_of(finding: Finding, sha256: str | None) -> Evidence:
    """Return the evidence of a finding, as a file stores it, with the SHA-256 of the net's file.

    QueryError where a number of the answer is too long to be read back.
    """
    question, results = finding.question, _results(finding.conclusion)
    origin = question.net.origin
    bounds = origin.formulas if isinstance(origin, Complementation) else None
    kind, text, target = question.kind, question.text, question.target
    initial = initial_fields(question.net)
    return Evidence(sha256, kind, text, target, results, finding.claims, bounds, initial)


def verify(
    file: NetFile,
    evidence: Evidence,
    question: Question | None = None,
    *,
    budget: Budget | None = None,
    second_solver: bool = False,
) -> Finding:
    """Return the answer that the evidence proves about the net; open where the claims leave it so.

    None of the evidence is trusted. The question, if one is given, is the one that it has to
    answer. EvidenceError where a claim is not proved; or the claims prove another answer than the
    evidence states; or it is about another net or question; or that could not be decided: then the
    cause is a `BudgetExhausted`.
    """
    limits = budget or Budget()
    if evidence.sha256 not in (None, file.sha256):
        raise EvidenceError(f"it is about another net: the SHA-256 of {file.path} differs")
    if evidence.bounds is not None:
        file = _with_bounds(file, evidence.bounds, limits)
        if question is not None and (question.text or question.target is None):
            question = read_question(file.net, question.kind, question.text)
    if initial_fields(file.net) != evidence.initial:
        raise EvidenceError("it is about other initial markings")
    own = _question(file.net, evidence, limits)
    if question is not None and (question.target is not None or own.target is not None):
        _require_target(own.target, question.target, limits)
        # Claims are about the target as the evidence writes it.
        question = replace(question, content=own.content)
    claims = evidence.claims
    audits = tuple(
        _prove(file.net, claims, number, limits, second_solver) for number in range(len(claims))
    )
    asked = question or own
    conclusion = own.conclude(claims)
    computed = _results(conclusion)
    if any(_text(value) != _text(computed[key]) for key, value in evidence.results.items()):
        raise EvidenceError(f"its claims amount to something else: {conclusion.headline}")
    if question is not None and question.target is None and question.conclude(claims) != conclusion:
        raise EvidenceError("it answers another question")
    conclusion = asked.conclude(claims)
    unknown = None if conclusion.complete else Unknown(_open_reason(claims))
    return Finding(asked, conclusion, claims, audits, unknown)


def _with_bounds(file: NetFile, bounds: tuple[Formula, ...], budget: Budget) -> NetFile:
    """Return the file with the ordinary net by these bounds, which EvidenceError refutes."""
    if not isinstance(file.source, GuardedNet):
        raise EvidenceError("it gives bounds as for a guarded net, and this one has no guards")
    file = replace(file, bounds=bounds)
    try:
        check_origin(file.net, budget)
    except InputError as error:
        raise EvidenceError(error.message) from None
    return file


def started(file: NetFile, evidence: Evidence) -> NetFile:
    """Return the file with the initial markings that the evidence is about, where it has any."""
    if evidence.initial is None or not isinstance(file.source, Net):
        return file
    initials = started_net(file.source, evidence).initials
    return file if initials is None else replace(file, initial=initials.formula)


def started_net(net: Net, evidence: Evidence) -> Net:
    """Return the net with the initial markings of the evidence; EvidenceError for other nets."""
    if evidence.initial is None:
        return net
    formula = read_formula(evidence.initial["formula"])
    try:
        make_problem(net, formula)  # It names places of the net only.
        return with_initial(net, formula)
    except (QueryError, InputError) as error:
        raise EvidenceError(f"it is about no initial markings of this net: {error}") from None


def claimed_question(net: Net, evidence: Evidence) -> Question:
    """Return the question that the evidence claims to answer; its text is not checked.

    The target stays as it is written, since hints number its cubes. EvidenceError where it is no
    question about this net.
    """
    kind, text, target = evidence.kind, evidence.text, evidence.target
    # A file must not be able to import a module by its name.
    if kind not in kind_names() and kind not in plugins.entries(FAMILY):
        raise EvidenceError(f"there is no kind of question {kind!r}")
    if (target is not None) is not is_target(kind_of(kind)):
        raise EvidenceError(f"a question of kind {kind!r} {'has no' if target else 'has a'} target")
    try:
        if target is None:
            return read_question(net, kind, text)
        make_problem(net, target)
    except (QueryError, InputError) as error:
        raise EvidenceError(f"it answers no question about this net: {error}") from None
    return Question(net, kind, text, target)


def _question(net: Net, evidence: Evidence, budget: Budget) -> Question:
    """Return the question of the evidence; its text must mean its target.

    Only a formula may omit the text.
    """
    question = claimed_question(net, evidence)
    target, text = question.target, question.text
    if target is not None and (text or question.kind != "formula"):
        try:
            content = read_question(net, question.kind, text).content
        except QueryError as error:
            raise EvidenceError(f"it answers no question about this net: {error}") from None
        if not _equivalent(content, target, budget):
            raise EvidenceError(f"its question does not mean its target: {shown_formula(target)}")
    return question


def _require_target(claimed: Formula | None, target: Formula | None, budget: Budget) -> None:
    if claimed is None or target is None:
        raise EvidenceError("it answers a question of another kind")
    if not _equivalent(target, claimed, budget):
        raise EvidenceError(f"it is about another target: {shown_formula(claimed)}")


def _equivalent(left: Formula, right: Formula, budget: Budget) -> bool:
    """Return whether the same markings satisfy both formulas."""
    if written_alike(left, right):
        return True
    from petricheck.arithmetic.solvers.solver import find_model  # z3 takes its time to be imported

    differences = (Conjunction((left, Negation(right))), Conjunction((right, Negation(left))))
    return all(find_model(d, budget=budget, natural=True) is None for d in differences)


def _prove(
    net: Net, claims: tuple[Claim, ...], number: int, budget: Budget, second_solver: bool
) -> str:
    try:
        return prove(net, claims[number], budget=budget, second_solver=second_solver)
    except EvidenceError as error:
        prefix = f"claim {number + 1}: " if len(claims) > 1 else ""
        raise EvidenceError(f"{prefix}{error}") from error.__cause__


def _results(conclusion: Conclusion) -> dict[str, Any]:
    return {"answer": write_facts(conclusion.value), "details": write_facts(conclusion.facts)}


def _text(results: Any) -> str:
    """Return a text that is equal for equal values of JSON only; in Python, true equals 1."""
    return json.dumps(results, sort_keys=True)


def _open_reason(claims: tuple[Claim, ...]) -> str:
    """Return the reason why proved claims leave the question open."""
    if not claims:
        return "nothing is claimed"
    return "what is claimed is proved, and leaves the question open"
