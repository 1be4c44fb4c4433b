"""Random guarded nets: answers are those by definition, claims are true, evidence is verified.

`pytest -m campaign` judges thousands of them, the suite a sample.
"""

from __future__ import annotations

from random import Random

import pytest
from guarded_judge import asked, translated
from judged import Tally, told

from petricheck.evidence.files.json import Json
from petricheck.model.guarded.net import GuardedNet
from petricheck.questions.verification import evidence_of, verify
from petricheck.support import plugins
from petricheck.support.budget import Budget

ENGINES = tuple(plugins.all_members("engines"))


def judge_net(seed: int, tally: Tally, part: float = 1) -> None:
    """Ask a net a part of all questions, each to some engine, and judge what is answered."""
    random = Random(seed)
    case = asked(random)
    graph, file, every = case.graph, case.file, case.questions()
    if not every:
        tally["net", "no bound is known"] += 1
        return
    ordinary = translated(graph, file.net) if isinstance(file.source, GuardedNet) else graph
    tally["net", "bounded" if graph.whole else "larger"] += 1
    for question, expected in every:
        if random.random() < part:
            engine = random.choice(ENGINES)
            finding = told(graph, question, tally, expected, engine=engine, ordinary=ordinary)
            if finding.claims:
                evidence = Json().read(Json().write(file.net, evidence_of(finding, None)))
                assert verify(file, evidence, budget=Budget(20)).value == finding.value
                tally["verified", question.kind] += 1


def test_answers_about_a_sample_of_guarded_nets_are_true() -> None:
    tally = Tally()
    for seed in range(12):
        judge_net(seed, tally, 0.3)
    assert all(tally["fireable", answer] for answer in ("True", "False")), tally
    assert tally["verified", "fireable"], tally


@pytest.mark.campaign
@pytest.mark.timeout(0)
def test_campaign_of_answers_about_guarded_nets() -> None:
    tally = Tally()
    for seed in range(12, 20_000):
        judge_net(seed, tally, 0.5)
    for kind in ("formula", "target", "cover", "fireable", "deadlock", "live", "home", "safe"):
        assert min(tally[kind, answer] for answer in ("True", "False")) > 500, kind
