"""Random guarded nets: answers are those by definition, claims are true, evidence is verified.

`pytest -m campaign` judges thousands of them, the suite a sample.
"""

from __future__ import annotations

from random import Random

import pytest
from guarded_oracle import Drafted
from guarded_random import LIMIT, random_formula, random_net
from judged import Graph, Tally, everything, graph_of, told

from petricheck.evidence.files.json import Json
from petricheck.formats.nets import NetFile
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.guarded.translation import Complementation
from petricheck.model.net import Net
from petricheck.questions.verification import evidence_of, verify
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import InputError

ENGINES = tuple(plugins.all_members("engines"))


def translated(graph: Graph, net: Net) -> Graph:
    """The graph of the ordinary net, which has the same firings as the guarded net."""
    assert isinstance(graph.net, Drafted) and isinstance(net.origin, Complementation)
    ordinary, known = graph_of(net, LIMIT), len(graph.net.places)
    rules, ids = graph.net.transitions, net.origin.firing
    firings = {
        marking[:known]: {rules[ids[t]].name: m[:known] for t, m in successors.items()}
        for marking, successors in ordinary.after.items()
    }
    assert firings == graph.after and len(firings) == len(ordinary.after)
    assert [*map(len, firings.values())] == [*map(len, ordinary.after.values())]
    return ordinary


def judge_net(seed: int, tally: Tally, part: float = 1) -> None:
    """Ask a net a part of all questions, each to some engine, and judge what is answered."""
    random = Random(seed)
    graph, relaxed = random_net(random)
    net = graph.net.net()
    file = NetFile(net, "0" * 64, (), "net.pnml")
    try:
        ordinary = translated(graph, file.net) if isinstance(net, GuardedNet) else graph
    except InputError:
        tally["net", "no bound is known"] += 1
        return
    tally["net", "bounded" if graph.whole else "larger"] += 1
    near = [*[*relaxed.after][:30], *[*graph.after][:60]]
    formula, marking = random_formula(random, graph.net, near), random.choice(near)
    for question, expected in everything(file.net, graph, formula, marking):
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
    assert tally["verified", "formula"] and tally["formula", "True"] and tally["formula", "False"]


@pytest.mark.campaign
@pytest.mark.timeout(0)
def test_campaign_of_answers_about_guarded_nets() -> None:
    tally = Tally()
    for seed in range(12, 20_000):
        judge_net(seed, tally, 0.5)
    for kind in ("formula", "target", "cover", "fireable", "deadlock", "live", "home", "safe"):
        assert min(tally[kind, answer] for answer in ("True", "False")) > 500, kind
