"""Random guarded nets: answers are those by definition, claims are true, evidence is verified.

`pytest -m campaign` judges thousands of them, the suite a sample.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from guarded_judge import asked, file_of, require_same_firings, viewed
from guarded_random import LIMIT, random_workflow
from judged import Tally, graph_of, told
from workflows import GRADES, is_sound, last

from petricheck.evidence.files.json import Json
from petricheck.formats.nets import NetFile
from petricheck.model.guarded.net import guarded
from petricheck.model.guarded.translation import Complementation
from petricheck.model.net import make_net
from petricheck.questions import ask, check
from petricheck.questions.verification import evidence_of, verify
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError

ENGINES = tuple(plugins.all_members("engines"))


def judge_net(seed: int, tally: Tally, part: float = 1) -> None:
    """Ask a net a part of all questions, each to some engine, and judge what is answered."""
    random = Random(seed)
    case = asked(random)
    graph, file, origin = case.graph, case.file, case.file.net.origin
    tally["net", "bounded" if graph.whole else "larger"] += 1
    if isinstance(origin, Complementation):
        tally["net", "a bound is unknown" if origin.boundless else "translated"] += 1
        if not origin.boundless:
            require_same_firings(graph, file.net)
    view = viewed(graph, file.net)
    for question, expected in case.questions():
        if random.random() < part:
            engine = random.choice(ENGINES)
            finding = told(graph, question, tally, expected, engine=engine, view=view)
            if finding.claims:
                evidence = Json().read(Json().write(file.net, evidence_of(finding, None)))
                assert verify(file, evidence, budget=Budget(20)).value == finding.value
                tally["verified", question.kind] += 1


def judge_workflow(seed: int, tally: Tally) -> None:
    """Ask whether a net is sound, in all grades, and judge what is answered."""
    graph = graph_of(random_workflow(Random(seed)), LIMIT)
    net = file_of(graph).net
    for grade in GRADES:
        with suppress(QueryError):  # No bound may be known of a place.
            question = ask(net, sound=grade)
            expected = is_sound(graph.net, grade, [last(graph.net)])
            tally[grade, str(expected)] += 1
            told(graph, question, tally, expected, view=viewed(graph, net))


def test_a_transition_that_empties_a_place_without_a_bound_is_asked_about() -> None:
    arcs = {"grow": ({}, {"p": 1}), "clear": ({"r": 1}, {}), "empty": ({"q": 1}, {})}
    net = guarded(
        make_net("n", {"p": 0, "q": 1, "r": 1}, arcs), inhibitors=[(2, 2, 1)], resets=[(2, 0)]
    )
    asked_of = NetFile(net, "0" * 64, (), "net.pnml").net
    for engine in ("portfolio", "transition_approximation"):
        assert check(ask(asked_of, fireable="empty"), engine=engine).value is True
    assert check(ask(asked_of, formula="fireable(empty) and r = 1")).value is False


def test_answers_about_a_sample_of_guarded_nets_are_true() -> None:
    tally = Tally()
    for seed in range(8):
        judge_net(seed, tally, 0.3)
        judge_workflow(seed, tally)
    assert all(tally["fireable", answer] for answer in ("True", "False")), tally
    assert tally["verified", "fireable"], tally


@pytest.mark.campaign
@pytest.mark.timeout(0)
def test_campaign_of_answers_about_guarded_nets() -> None:
    tally = Tally()
    for seed in range(8, 20_000):
        judge_net(seed, tally, 0.5)
        judge_workflow(seed, tally)
    for kind in (
        "formula",
        "target",
        "cover",
        "fireable",
        "deadlock",
        "live",
        "home",
        "safe",
        "sound",
    ):
        assert min(tally[kind, answer] for answer in ("True", "False")) > 500, kind
