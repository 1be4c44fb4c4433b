"""Evidence about coloured nets that somebody has changed: what is accepted is true all the same."""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from coloured_random import Question, random_net, random_question
from coloured_ways import Way, judge_claims, judged, ways
from mutants import mutated

from petricheck.evidence import standalone
from petricheck.evidence.files.json import Json
from petricheck.formats.nets.pnml import Pnml
from petricheck.questions.verification import verify
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError

LIMIT = 40

NETS = int(os.environ.get("PETRICHECK_COLOURED_NETS", "2000"))
FIRST = int(os.environ.get("PETRICHECK_COLOURED_FIRST", "0"))


def exchanged(random: Random, files: Sequence[dict]) -> dict:
    """A file with a claim of another one."""
    value = deepcopy(random.choice(files))
    other = random.choice(files)
    if value["claims"] and other["claims"]:
        target = other["question"]["target"]
        claim = json.loads(
            json.dumps(random.choice(other["claims"])).replace('"target"', json.dumps(target))
        )
        value["claims"][random.randrange(len(value["claims"]))] = claim
    return value


def check_mutants(seed: int, folder: Path, questions: int, mutants: int) -> Counter[str]:
    """How often files are accepted and refused."""
    random, outcomes = Random(seed), Counter[str]()
    graph = random_net(random, LIMIT)
    every = [*ways(graph)]
    names = [*dict.fromkeys(name for way in every for name in (*way.net.places, *way.net.actions))]
    names += [*dict.fromkeys(t.name for t in graph.net.transitions)]
    for way in every:
        asked = (random_question(random, graph, len(way.net.places)) for _ in range(questions))
        results = [(question, judged(way, question)[1]) for question in asked]
        files = [(question, file) for question, file in results if file and file["claims"]]
        if way.name == "plain":
            (folder / "net.pnml").write_bytes(Pnml().write(replace(way.net, origin=None)))
        for question, file in files:
            outcomes[check_unchanged(way, folder, file)] += 1
            for _ in range(mutants):
                value, asking = deepcopy(file), question
                if random.random() < 0.2:
                    value = exchanged(random, [other for _, other in files])
                    asking = next(q for q, f in files if f["question"] == value["question"])
                else:
                    asked_of = value["question"]
                    parts = {"claims": value["claims"], "target": asked_of["target"]}
                    value["claims"], asked_of["target"] = mutated(random, parts, names).values()
                    if asked_of["target"] is not None:
                        asked_of |= {"kind": "formula", "text": ""}
                outcomes[check_file(way, asking, value)] += 1
                if way.name == "plain":
                    outcomes[check_standalone(way, folder, value, random)] += 1
    return outcomes


def check_unchanged(way: Way, folder: Path, file: dict) -> str:
    """Verify what was written: it is accepted, with the same answer."""
    assert verify(way.file, Json().read(json.dumps(file).encode())).value == file["answer"]
    if way.name != "plain":
        return "unchanged"
    status, told = standalone_status(folder, file)
    assert status in (0, 1), told
    return f"unchanged, standalone {status}"


def check_file(way: Way, question: Question, value: dict) -> str:
    """Verify a file without its answer; it is refused, or all of it is true."""
    try:
        read = replace(Json().read(json.dumps(value).encode()), results={})
        finding = verify(way.file, read, budget=Budget(10))
    except EvidenceError:
        return "refused"
    judge_claims(way, value)
    if (target := value["question"]["target"]) is None:
        way.judge.answer(question, finding.value, finding.conclusion.facts)
    elif way.judge.graph.complete and finding.value is not None:
        satisfied = way.judge.satisfying(lambda marking: way.judge.holds(target, marking))
        assert finding.value is bool(satisfied)
    return "accepted" if finding.value is not None else "accepted, open"


def check_standalone(way: Way, folder: Path, value: dict, random: Random) -> str:
    """The same with the checker of one file, which believes the net that was unfolded."""
    value = {**value}
    if isinstance(value["answer"], bool):
        value["answer"] = random.choice((True, False))
    status, told = standalone_status(folder, value)
    assert status in (0, 1, 4), told
    if status == 0:
        judge_claims(way, value)
    return f"standalone {status}"


def standalone_status(folder: Path, value: dict) -> tuple[int, str]:
    """What the checker of one file says of evidence about the net in the folder."""
    (folder / "evidence.json").write_text(json.dumps(value | {"sha256": None}))
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        status = standalone.main([str(folder / "net.pnml"), str(folder / "evidence.json")])
    return status, told.getvalue()


@pytest.mark.parametrize("seed", range(8))
def test_changed_evidence_about_coloured_nets_is_refused_or_true(seed: int, tmp_path: Path) -> None:
    check_mutants(seed, tmp_path, 2, 5)


@pytest.mark.campaign
@pytest.mark.timeout(0)
def test_campaign_of_changed_evidence_about_coloured_nets(tmp_path: Path) -> None:
    outcomes = Counter[str]()
    for seed in range(FIRST, FIRST + NETS):
        outcomes += check_mutants(seed, tmp_path, 5, 12)
    assert min(outcomes[word] for word in ("accepted", "refused", "standalone 0")) > NETS
