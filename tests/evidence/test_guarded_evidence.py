"""Evidence about guarded nets that somebody has changed: what is accepted is true all the same.

`pytest -m campaign` changes thousands of files, and nets beneath them; the suite a few.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from guarded_judge import asked, file_of, translated
from guarded_oracle import Drafted
from guarded_random import LIMIT
from judged import Graph, graph_of, judge
from mutants import mutated

from petricheck.evidence.claims import ReachabilitySet
from petricheck.evidence.files.json import Json
from petricheck.formats.nets import NetFile
from petricheck.model.guarded.net import GuardedNet
from petricheck.questions import check
from petricheck.questions.verification import evidence_of, verify
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


def changed_net(random: Random, net: Drafted) -> Drafted:
    """The net with one guard more, less or changed."""
    number = random.randrange(len(net.transitions))
    rule, place = net.transitions[number], random.randrange(len(net.places))
    match random.choice(("inhibitors", "inhibitors", "reads", "resets", "capacities")):
        case "resets":
            rule = replace(rule, resets=rule.resets ^ {place})
        case "capacities":
            own = _changed(random, rule.capacities, place, net.initial[place])
            return replace(
                net, transitions=tuple(replace(t, capacities=own) for t in net.transitions)
            )
        case kind:
            rule = replace(rule, **{kind: _changed(random, getattr(rule, kind), place, 1)})
    before, after = net.transitions[:number], net.transitions[number + 1 :]
    return replace(net, transitions=(*before, rule, *after))


def _changed(random: Random, arcs: Mapping[int, int], place: int, least: int) -> dict[int, int]:
    others = {p: n for p, n in arcs.items() if p != place}
    weight = max(arcs.get(place, least) + random.choice((1, -1, 2)), least)
    return others if place in arcs and random.random() < 0.5 else {**others, place: weight}


def accepted(graph: Graph, file: NetFile, value: Any, expected: object) -> bool:
    """Whether the file is accepted without its answer; then all of it is true."""
    try:
        read = replace(Json().read(json.dumps(value).encode()), results={})
        finding = verify(file, read, budget=Budget(10))
    except EvidenceError:
        return False
    net = finding.question.net
    ordinary = translated(graph, net) if isinstance(file.source, GuardedNet) else graph
    for claim in read.claims:
        truth = judge(graph if isinstance(claim, ReachabilitySet) else ordinary, claim)
        assert truth is not False, (str(file.source), value)
    if (target := finding.question.target) is not None:
        expected = bool(ordinary.inside(target)) or (False if ordinary.whole else None)
    assert expected is None or finding.value in (expected, None), (str(file.source), value)
    return True


def forge(seed: int, part: float, mutants: int) -> Counter[tuple[str, bool]]:
    """Change evidence of a net of some kinds, and the net; how much is accepted."""
    random, seen = Random(seed), Counter[tuple[str, bool]]()
    case = asked(random)
    graph, file = case.graph, case.file
    for number, (question, expected) in enumerate(case.questions()):
        if random.random() > part or not isinstance(file.source, GuardedNet):
            continue
        finding = check(question, budget=Budget(0.3))
        if not finding.claims:
            continue
        value = json.loads(Json().write(file.net, evidence_of(finding, None)))
        assert accepted(graph, file, value, expected)
        names = (*file.net.places, *file.net.actions)
        for _ in range(mutants):
            parts = {key: value[key] for key in ("claims", "bounds") if random.random() < 0.8}
            changed = value | mutated(random, parts, names)
            if random.random() < 0.2 and value["question"]["target"]:
                target = mutated(random, {"target": value["question"]["target"]}, names)
                changed["question"] = {"kind": "formula", "text": "", **target}
            seen["changed", accepted(graph, file, changed, expected)] += 1
            other = graph_of(changed_net(random, graph.net), LIMIT)
            _, answer = case.questions(other)[number]
            seen["another net", accepted(other, file_of(other), value, answer)] += 1
    return seen


def test_changed_evidence_about_guarded_nets_is_refused_or_true() -> None:
    seen = sum((forge(seed, 0.15, 4) for seed in range(4)), Counter())
    assert len(seen) == 4, seen


@pytest.mark.campaign
@pytest.mark.timeout(0)
def test_campaign_of_changed_evidence_about_guarded_nets() -> None:
    seen = sum((forge(seed, 0.3, 10) for seed in range(4, 3_000)), Counter())
    assert min(seen.values()) > 1_000, seen
