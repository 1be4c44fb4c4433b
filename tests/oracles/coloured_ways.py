"""A coloured net in the three ways in which questions are asked: all colours, merged, none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from coloured_judge import Judge, TooMuchError
from coloured_oracle import Graph
from coloured_random import Question
from coloured_spelling import SAME, Names, Spelling, document

from petricheck.evidence.audit.colours.skeleton import is_counted
from petricheck.evidence.files.json import Json
from petricheck.formats.nets import NetFile
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.coloured.merging import unfold_merged
from petricheck.model.coloured.net import ColouredNet
from petricheck.model.coloured.skeleton import skeleton
from petricheck.model.coloured.unfolding import unfold
from petricheck.model.net import Net
from petricheck.questions import Finding, Setting, Study, answer, make_question
from petricheck.questions.verification import evidence_of
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError


@dataclass(frozen=True)
class Way:
    """A net made of a coloured one, with the judge of what is said about it."""

    name: str
    file: NetFile
    judge: Judge

    @property
    def net(self) -> Net:
        return self.file.net


def ways(graph: Graph, spelling: Spelling = SAME) -> Iterator[Way]:
    """The ways that there are."""
    net, warnings = Pnml().read((document(graph.net, spelling).encode(),), "net.pnml")
    assert isinstance(net, ColouredNet) and not warnings
    made = {
        "plain": unfold(net, Budget()),
        "merged": unfold_merged(net, Budget()),
        "skeleton": skeleton(net) if is_counted(net) else None,
    }
    for name, flat in made.items():
        if flat is not None:
            names = Names(graph.net, spelling)
            file = NetFile(net, "0" * 64, (), "net.pnml")
            vars(file)["net"] = flat  # where a cached property has it
            yield Way(name, file, Judge(graph, names, flat.places, flat.actions))


def ask(way: Way, question: Question, engine: str = "explicit", seconds: float = 2) -> Finding:
    """What is answered.

    Raises:
        QueryError: the question is refused.
    """
    budget = Budget(seconds)
    asked = make_question(way.net, question.kind, way.judge.text(question))
    return answer(asked, Study(way.net, Setting(engine), budget))


def evidence(way: Way, finding: Finding) -> dict:
    """The file of evidence."""
    return json.loads(Json().write(way.net, evidence_of(finding, way.file.sha256)))


def judged(
    way: Way, question: Question, engine: str = "explicit", seconds: float = 2
) -> tuple[Finding | None, dict]:
    """What is answered, with its evidence, if nothing of it is wrong; None where it is refused.

    Raises:
        AssertionError: an answer or a claim is false.
    """
    try:
        finding = ask(way, question, engine, seconds)
    except QueryError as error:
        assert is_fair(way, error), error
        return None, {}
    written = evidence(way, finding)
    way.judge.answer(question, finding.value, finding.conclusion.facts)
    judge_claims(way, written)
    return finding, written


def judge_claims(way: Way, written: dict) -> None:
    """Raise where a claim of a file of evidence is false."""
    for claim in written["claims"]:
        with suppress(TooMuchError):
            way.judge.claim(claim, written["question"]["target"])


REFUSALS = {
    "plain": ("given twice",),
    "merged": ("given twice", "colours that behave alike are merged", "colours are merged with"),
    "skeleton": (
        "given twice",
        "lost their colours",
        "counted without its colours",
        "not told without colours",
    ),
}


def is_fair(way: Way, error: QueryError) -> bool:
    """Whether a question may be refused so: it asks for colours that are not there."""
    return any(words in error.message for words in (*REFUSALS[way.name], "a colour is called _;"))
