"""Folders of this project and beside it, and the questions of their indexes."""

from __future__ import annotations

from pathlib import Path

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.batch.questions.index import BatchQuestion, question_about, read_questions
from petricheck.formats.nets import read_net
from petricheck.model.net import Net
from petricheck.model.problem import Problem, make_problem

ROOT = Path(__file__).resolve().parents[2]
NETS = ROOT / "nets"
SHARED = ROOT.parent / "shared"


def questions_of(folder: Path) -> tuple[BatchQuestion, ...]:
    """What the indexes of the folder ask, sorted by name."""
    found = (read_question(path) for path in sorted(folder.glob("*.json"), key=lambda f: f.stem))
    return tuple(question for question in found if question is not None)


def question_formula(question: BatchQuestion, net: Net) -> Formula:
    """The target of the question about this net."""
    return question_about(question, net).problem.target


def problem_of(question: BatchQuestion) -> Problem:
    """The problem that it states."""
    net = read_net(question.net).net
    return make_problem(net, question_formula(question, net))


def problem_named(name: str) -> Problem:
    """What the index of this name in `nets` asks."""
    question = read_question(NETS / f"{name}.json")
    assert question is not None
    return problem_of(question)


def read_question(path: Path) -> BatchQuestion | None:
    """The first question of an index."""
    return next(iter(read_questions(path)), None)
