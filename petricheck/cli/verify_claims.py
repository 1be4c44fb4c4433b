"""`petricheck verify` of a file with several claims: each is audited, then concluded from anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from petricheck.audit.proofs import prove
from petricheck.budget import Budget
from petricheck.claim_files import Claimed, plain, read_claims
from petricheck.claims import Claim
from petricheck.cli.record import conclusion_fields, net_fields
from petricheck.errors import EvidenceError, QueryError
from petricheck.formats import NetFile
from petricheck.plugins import as_option
from petricheck.problem import Net
from petricheck.questions import Conclusion, kind_of, read_question
from petricheck.words import counted, printable


def accepted(
    file: NetFile,
    path: str,
    asked: tuple[str, str] | None,
    budget: Budget,
    second_solver: bool,
) -> tuple[Claimed, Conclusion, tuple[str, ...]]:
    """What the file says, what its claims amount to, and how each was checked.

    Args:
        file: the net.
        path: the file of claims.
        asked: the question it has to answer, as kind and text; None for its own.
        budget: limits.
        second_solver: whether cvc5 must also discharge every obligation.

    Raises:
        EvidenceError: a claim is not proved, or they amount to something else than the file says.
        InputError: the file cannot be read.
    """
    claimed = read_claims(path)
    if claimed.sha256 not in (None, file.sha256):
        raise EvidenceError(f"it is about another net: the SHA-256 of {file.path} differs")
    audits = tuple(
        _proved(file.net, number, claim, budget, second_solver)
        for number, claim in enumerate(claimed.claims, 1)
    )
    finding = _finding(file.net, claimed, (claimed.analysis, claimed.question))
    if _text(plain(finding.facts)) != _text(claimed.finding):
        raise EvidenceError(f"its claims amount to something else: {finding.headline}")
    if asked is not None and _finding(file.net, claimed, asked) != finding:
        raise EvidenceError("it answers another question")
    return claimed, finding, audits


def _proved(net: Net, number: int, claim: Claim, budget: Budget, second_solver: bool) -> str:
    try:
        return prove(net, claim, budget=budget, second_solver=second_solver)
    except EvidenceError as error:
        raise EvidenceError(f"claim {number}: {error}") from error.__cause__


def _text(facts: Any) -> str:
    """Equal for equal facts; to Python true is 1."""
    return json.dumps(facts, sort_keys=True)


def _finding(net: Net, claimed: Claimed, asked: tuple[str, str]) -> Conclusion:
    """What the claims amount to for this question."""
    kind, text = asked
    try:
        question = read_question(net, kind, text)
        return kind_of(kind).conclude(net, question.content, claimed.claims)
    except QueryError as error:
        raise EvidenceError(f"it answers no question about this net: {error}") from None


def open_since(claimed: Claimed, finding: Conclusion) -> str:
    """Why claims that are proved say nothing to the question; empty where they do."""
    if finding.complete or finding.partial:
        return ""
    proved = "what is claimed is proved, and leaves the question open"
    return proved if claimed.claims else "nothing is claimed"


def fields(
    file: NetFile, claimed: Claimed, finding: Conclusion, audits: tuple[str, ...]
) -> dict[str, Any]:
    """For programs."""
    why = open_since(claimed, finding)
    return {
        **({"result": "unknown", "reason": why} if why else {"result": "accepted"}),
        **conclusion_fields(claimed.analysis, claimed.question, finding),
        "audits": list(audits),
        "net": net_fields(file),
    }


def prose(
    file: NetFile, claimed: Claimed, finding: Conclusion, audits: tuple[str, ...]
) -> Iterator[str]:
    """For people."""
    why = open_since(claimed, finding)
    yield f"unknown: {why}" if why else f"accepted: {finding.headline}"
    question = f" {printable(claimed.question)}" if claimed.question else ""
    yield f"The question: {as_option(claimed.analysis)}{question}"
    yield from finding.details
    if audits:
        checked = "; ".join(dict.fromkeys(map(printable, audits)))
        yield f"Audit of {counted(len(audits), 'claim')}: {checked}."
    checksum = f"SHA-256 {file.sha256}"
    if claimed.sha256 is None:
        checksum += ", which the evidence does not mention"
    yield f"The net: {printable(file.path)}, {checksum}."
