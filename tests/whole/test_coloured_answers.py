"""Answers about random coloured nets, and every claim behind them, against brute force."""

from __future__ import annotations

import os
from random import Random

import pytest
from coloured_random import random_net, random_question
from coloured_ways import Way, judged, ways

LIMIT = 150
"""Markings of a net, if it is bounded and small."""

NETS = int(os.environ.get("PETRICHECK_COLOURED_NETS", "20000"))
"""Nets of a campaign."""

FIRST = int(os.environ.get("PETRICHECK_COLOURED_FIRST", "0"))
"""The number of the first of them."""

ENGINES = ("bmc", "best_first", "cegar", "coverability", "explicit", "shortest", "state_equation")


def judge_net(seed: int, questions: int, engines: tuple[str, ...] = ("explicit",)) -> None:
    """Ask some questions about a net in every way."""
    random = Random(seed)
    graph = random_net(random, LIMIT)
    for way in ways(graph):
        for _ in range(questions):
            judge_question(way, random, engines)


def judge_question(way: Way, random: Random, engines: tuple[str, ...]) -> None:
    question = random_question(random, way.judge.graph, len(way.net.places))
    targets = way.judge.target(question) is not None and question.kind != "home"
    for engine in engines if targets else engines[:1]:
        judged(way, question, engine)


@pytest.mark.parametrize("seed", range(25))
def test_answers_and_claims_about_coloured_nets_are_true(seed: int) -> None:
    judge_net(seed, 2)


@pytest.mark.campaign
@pytest.mark.timeout(0)
def test_campaign_of_answers_and_claims_about_coloured_nets() -> None:
    for seed in range(FIRST, FIRST + NETS):
        judge_net(seed, 5)


@pytest.mark.campaign
@pytest.mark.timeout(0)
def test_campaign_of_every_engine_on_coloured_nets() -> None:
    for seed in range(FIRST, FIRST + NETS // 10):
        judge_net(seed, 5, ENGINES)
