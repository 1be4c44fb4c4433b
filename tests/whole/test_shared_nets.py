"""The unreachable questions of the nets here and of the shared folders, each with a certificate."""

from __future__ import annotations

from pathlib import Path

import pytest
from folders import NETS, SHARED, question_formula, questions_of

from petricheck.batch.questions.index import BatchQuestion
from petricheck.evidence.answer import Unreachable
from petricheck.formats.nets import read_net
from petricheck.model.problem import make_problem
from petricheck.questions import check, check_all
from petricheck.support.budget import Budget

BESIDE = SHARED / "nets"


def unreachable(folder: Path) -> list[BatchQuestion]:
    """Those of the folder that are known to be unreachable; none where it is absent."""
    if not folder.is_dir():
        return []
    return [q for q in questions_of(folder) if q.expected is False]


def named(question: BatchQuestion) -> str:
    return f"{question.net.parent.name}-{question.name}"


OURS = unreachable(NETS)
TABLE_2 = unreachable(BESIDE / "table2")
PDR = unreachable(BESIDE / "smpt_pdr")


@pytest.mark.parametrize("question", [*OURS, *TABLE_2, *PDR], ids=named)
def test_an_unreachable_question_is_decided_with_an_audited_certificate(
    question: BatchQuestion,
) -> None:
    net = read_net(question.net).net
    problem = make_problem(net, question_formula(question, net))
    result = check(problem, engine="cegar", budget=Budget(seconds=30))
    assert isinstance(result.answer, Unreachable)
    assert result.audit == "checked in exact integer arithmetic"


@pytest.mark.parametrize(
    ("folder", "questions", "least"),
    [(NETS, OURS, 20), (BESIDE / "table2", TABLE_2, 20), (BESIDE / "smpt_pdr", PDR, 15)],
    ids=["nets", "table2", "smpt_pdr"],
)
def test_no_question_is_overlooked(
    folder: Path, questions: list[BatchQuestion], least: int
) -> None:
    if not folder.is_dir():
        pytest.skip("the shared nets are not here")
    assert len(questions) >= least


def test_properties_of_one_net_have_their_verdicts_when_they_share_its_reduction() -> None:
    if not (BESIDE / "mcc").is_dir():
        pytest.skip("the shared nets are not here")
    questions = questions_of(BESIDE / "mcc")
    net = read_net(questions[0].net).net
    assert len(questions) >= 10 and len({question.net for question in questions}) >= 10
    results = check_all(net, [question_formula(q, net) for q in questions], budget=Budget(30))
    for question, result in zip(questions, results, strict=True):
        assert type(result.answer).__name__.lower() == question.expected_text
        assert result.audit
