"""Evidence about guarded nets that somebody has changed: what is accepted is true all the same.

`pytest -m campaign` changes thousands of files, and nets beneath them; the suite a few.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from guarded_judge import asked, file_of, viewed
from guarded_oracle import Drafted
from guarded_random import LIMIT
from judged import Graph, graph_of, judge
from mutants import mutated

from petricheck.evidence import standalone
from petricheck.evidence.claims import ReachabilitySet
from petricheck.evidence.files import Evidence
from petricheck.evidence.files.json import Json
from petricheck.formats.nets import NetFile, write_net
from petricheck.model.guarded.net import GuardedNet, guarded
from petricheck.model.net import make_net
from petricheck.questions import ask, check
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


@dataclass(frozen=True)
class Desk:
    """A net, by definition and in a file, about which evidence is checked."""

    graph: Graph
    file: NetFile

    def accepted(self, value: Any, expected: object) -> bool:
        """Whether `verify` accepts the file without its answer; then all of it is true."""
        try:
            read = replace(Json().read(json.dumps(value).encode()), results={})
            finding = verify(self.file, read, budget=Budget(10))
        except EvidenceError:
            return False
        view = self.judge(read)
        if (target := finding.question.target) is not None:
            reached = bool(view.inside(target)) or (False if view.whole else None)
            hoped = finding.question.kind != "never"
            expected = None if reached is None else reached is hoped
        assert expected is None or finding.value in (expected, None), (str(self.file.source), value)
        return True

    def believed(self, value: Any, folder: Path) -> int:
        """The exit status of the checker of one file; what it accepts is true."""
        write_net(self.file.source, folder / "net.pnml")
        (folder / "evidence.json").write_text(json.dumps(value))
        with contextlib.redirect_stdout(io.StringIO()):
            status = standalone.main([str(folder / "net.pnml"), str(folder / "evidence.json")])
        if status == 0:
            self.judge(Json().read(json.dumps(value | {"answer": None}).encode()))
        return status

    def judge(self, read: Evidence) -> Graph:
        """Judge the bounds and the claims; the graph with the names that they use."""
        view = viewed(self.graph, replace(self.file, bounds=read.bounds).net)
        for claim in read.claims:
            truth = judge(self.graph if isinstance(claim, ReachabilitySet) else view, claim)
            assert truth is not False, (str(self.file.source), read)
        return view


def forge(seed: int, folder: Path, part: float, mutants: int) -> Counter[tuple[str, object]]:
    """Change evidence of a net of some kinds, and the net; how much is accepted."""
    random, seen = Random(seed), Counter[tuple[str, object]]()
    case = asked(random)
    desk = Desk(case.graph, case.file)
    for number, (question, expected) in enumerate(case.questions()):
        if random.random() > part or not isinstance(case.file.source, GuardedNet):
            continue
        finding = check(question, budget=Budget(0.3))
        if not finding.claims:
            continue
        value = json.loads(Json().write(case.file.net, evidence_of(finding, None)))
        assert desk.accepted(value, expected)
        names = (*case.file.net.places, *case.file.net.actions)
        for _ in range(mutants):
            parts = {key: value[key] for key in ("claims", "bounds") if random.random() < 0.8}
            changed = value | mutated(random, parts, names)
            if random.random() < 0.2 and value["question"]["target"]:
                target = mutated(random, {"target": value["question"]["target"]}, names)
                changed["question"] = {"kind": "formula", "text": "", **target}
            seen["changed", desk.accepted(changed, expected)] += 1
            seen["changed, standalone", desk.believed(changed, folder)] += 1
            graph = graph_of(changed_net(random, case.graph.net), LIMIT)
            other, (_, answer) = Desk(graph, file_of(graph)), case.questions(graph)[number]
            seen["another net", other.accepted(value, answer)] += 1
            seen["another net, standalone", other.believed(value, folder)] += 1
    return seen


def test_final_markings_of_a_guarded_workflow_speak_of_its_own_places_alone(tmp_path: Path) -> None:
    # The last marking of the only run is o = 1, with a token on the complement place of i.
    arcs = {"begin": ({"i": 1}, {"a": 1}), "end": ({"a": 1}, {"o": 1})}
    net = guarded(make_net("n", {"i": 1, "a": 0, "o": 0}, arcs), inhibitors=[(1, 0, 1)])
    write_net(net, tmp_path / "net.pnml")
    asked_of = NetFile(net, "0" * 64, (), "net.pnml").net
    finding = check(ask(asked_of, sound=True))
    value = json.loads(Json().write(asked_of, evidence_of(finding, None)))

    def said(value: Any) -> str:
        (tmp_path / "evidence.json").write_text(json.dumps(value))
        with contextlib.redirect_stdout(io.StringIO()) as output:
            standalone.main([str(tmp_path / "net.pnml"), str(tmp_path / "evidence.json")])
        return output.getvalue().splitlines()[0]

    assert said(value) == "accepted: sound"
    (table,) = (claim["ranked"]["markings"] for claim in value["claims"] if "home" in claim)
    marking = {"i": 0, "a": 0, "o": 1, "i_complement": 0}
    never = {"and": [{"sum": {place: 1}, "equals": n} for place, n in marking.items()]}
    forged = {"answer": False, "claims": [{"excluded": never, "markings": table}]}
    assert said(value | forged).startswith("undecided: ")


def test_changed_evidence_about_guarded_nets_is_refused_or_true(tmp_path: Path) -> None:
    seen = sum((forge(seed, tmp_path, 0.1, 2) for seed in range(3)), Counter())
    assert {word for word, outcome in seen if outcome in (True, 0)} == {word for word, _ in seen}


@pytest.mark.campaign
@pytest.mark.timeout(0)
def test_campaign_of_changed_evidence_about_guarded_nets(tmp_path: Path) -> None:
    seen = sum((forge(seed, tmp_path, 0.3, 10) for seed in range(3, 3_000)), Counter())
    assert min(seen.values()) > 100, seen
