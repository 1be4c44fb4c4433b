"""The evidence of a batch, checked again: each file against its net, its question and its verdict.

Nothing of what the cell said is trusted: the claims are audited, the answer follows from them anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from petricheck.batch.cells import CellRecord
from petricheck.batch.questions.index import file_of, question_about
from petricheck.evidence.files import read_evidence
from petricheck.questions.verification import verify
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError, PetricheckError

Result: TypeAlias = Literal["accepted", "rejected", "unknown", "without evidence"]

RESULTS: tuple[Result, ...] = ("accepted", "rejected", "unknown", "without evidence")


@dataclass(frozen=True, slots=True)
class VerifiedCell:
    """What came of the evidence of a cell; the reason is empty where it is accepted.

    It is unknown where limits ended the audit; without evidence where there is but a verdict.
    """

    record: CellRecord
    result: Result
    reason: str = ""


def verified(record: CellRecord, folder: Path, budget: Budget) -> VerifiedCell | None:
    """Check the evidence of a cell, whose files are in the folder under the names of the store.

    None where the cell says nothing and has no evidence.
    """
    if not record.evidence:
        reason = "the verdict has no evidence"
        decided = record.outcome.value is not None
        return VerifiedCell(record, "without evidence", reason) if decided else None
    try:
        _verify(record, folder, budget)
    except PetricheckError as error:
        causes = (error, error.__cause__)
        limited = any(isinstance(cause, BudgetExhausted) for cause in causes)
        return VerifiedCell(record, "unknown" if limited else "rejected", str(error))
    return VerifiedCell(record, "accepted")


def _verify(record: CellRecord, folder: Path, budget: Budget) -> None:
    """Raise where the evidence does not prove the verdict, or what is proved of an open one."""
    copies = {file: folder / file for file in record.cell.files}
    question = record.cell.at(copies).question
    file = file_of(question)
    evidence = read_evidence(str(folder / record.evidence))
    finding = verify(file, evidence, question_about(question, file.net), budget=budget)
    if finding.value != record.outcome.value:
        verdict = record.outcome.verdict
        raise EvidenceError(f"it proves another answer, {finding.headline}, and not {verdict}")
