"""Questions as tests put them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.answer import Answer, Unknown
from petricheck.evidence.claims import claim_of
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions import (
    Conclusion,
    Finding,
    Question,
    Setting,
    Study,
    ask,
    kind_of,
    question_text,
    read_question,
)
from petricheck.questions.answering import so_far
from petricheck.questions.question import Words
from petricheck.support.budget import Budget


def problem(net: Net, **question: Words) -> Problem:
    """The question after one target, as engines take it."""
    return ask(net, **question).problem


def parse_query(kind: str, net: Net, text: str) -> Formula:
    """The target as the words put it, not tightened."""
    formula: Formula = kind_of(kind).read(net, question_text(text))
    return formula


def conclude(kind: str, net: Net, text: str, claims: Sequence[Any]) -> Conclusion:
    """What claims amount to for a question."""
    question = read_question(net, kind, text)
    return kind_of(kind).conclude(net, question.content, claims)


def answered(question: Question, answer: Answer) -> Finding:
    """What an answer comes to that counts as audited."""
    study = Study(question.net, Setting("mine"), Budget())
    if question.target is not None and not isinstance(answer, Unknown):
        study.proved.append((claim_of(question.target, answer), "audited"))
    finding = so_far(question, study, answer)
    return replace(finding, seconds=0.0, cpu_seconds=0.0)
