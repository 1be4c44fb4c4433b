"""Evidence about several initial markings, in files: verify and the checker of one file agree."""

from __future__ import annotations

import contextlib
import copy
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parametric import instances, is_right, parametric_problems
from strategies import repeatable

from petricheck.arithmetic.formulas.json import read_formula
from petricheck.evidence import standalone
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.evidence.files import evidence_data, read_evidence
from petricheck.formats.nets import read_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.net import Net, make_net
from petricheck.model.parametric import with_initial
from petricheck.model.problem import Problem
from petricheck.questions import Finding, ask, check
from petricheck.questions.verification import evidence_of, started, verify
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, PetricheckError, QueryError

MUTEX = make_net(
    "mutex",
    {"idle": 3, "busy": 0, "lock": 1},
    {
        "enter": ({"idle": 1, "lock": 1}, {"busy": 1}),
        "leave": ({"busy": 1}, {"idle": 1, "lock": 1}),
    },
)
CLIENTS = "idle >= 1, lock = 1"
ACCEPTED, UNDECIDED, REJECTED = 0, 1, 4


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("desk")


def laid(desk: Path, net: Net, finding: Finding) -> dict[str, Any]:
    """The net of the file on the desk, and the evidence as an object."""
    (desk / "net.pnml").write_bytes(Pnml().write(net))
    file = read_net(desk / "net.pnml")
    evidence = evidence_of(finding, file.sha256)
    value: dict[str, Any] = json.loads(evidence_data("e.json", finding.question.net, evidence))
    return value


def checked(desk: Path, value: object) -> int:
    """What the checker of one file says."""
    (desk / "e.json").write_text(json.dumps(value))
    with contextlib.redirect_stdout(io.StringIO()):
        return standalone.main([str(desk / "net.pnml"), str(desk / "e.json")])


def verified(desk: Path, value: object) -> bool:
    """Whether petricheck accepts it."""
    (desk / "e.json").write_text(json.dumps(value))
    try:
        evidence = read_evidence(str(desk / "e.json"))
        verify(started(read_net(desk / "net.pnml"), evidence), evidence, budget=Budget(10))
    except PetricheckError:
        return False
    return True


def found(words: str, **question: str) -> Finding:
    return check(ask(MUTEX, initial=words, **question), budget=Budget(10))


@pytest.mark.parametrize(
    ("words", "question", "status"),
    [
        (CLIENTS, {"formula": "busy >= 2"}, ACCEPTED),
        (CLIENTS, {"formula": "idle = 5 and busy = 1"}, ACCEPTED),
        (CLIENTS, {"formula": "idle + busy != initial(idle)"}, None),
        (CLIENTS, {"formula": "busy = 1 and idle + 1 = idle₀"}, ACCEPTED),
        ("idle + lock = 3", {"formula": "busy = 1 and lock = 1"}, ACCEPTED),
        ("idle + lock = 3", {"formula": "busy + lock > 3"}, UNDECIDED),
        (CLIENTS, {"bound": "busy"}, ACCEPTED),
    ],
)
def test_what_a_file_says_of_several_initial_markings_verifies(
    desk: Path, words: str, question: dict[str, str], status: int | None
) -> None:
    value = laid(desk, MUTEX, found(words, **question))
    assert verified(desk, value)
    assert checked(desk, value) == status or status is None


@pytest.mark.parametrize(
    ("words", "formula"),
    [
        (CLIENTS, {"sum": {"lock": -1}, "at most": -1}),
        (CLIENTS, {"sum": {"busy": 1}, "at most": 1}),
        (CLIENTS, {"sum": {"idle": 1, "lock": 1}, "equals": 3}),
        (CLIENTS, {"sum": {"other": 1}, "at most": 1}),
        (CLIENTS, {"not": {"sum": {"lock": 1}, "modulus": 2, "residue": 0}}),
    ],
)
def test_a_proof_for_other_initial_markings_is_not_accepted(
    desk: Path, words: str, formula: object
) -> None:
    value = laid(desk, MUTEX, found(words, formula="busy >= 2"))
    value["question"]["initial"]["formula"] = formula
    assert checked(desk, value) in (UNDECIDED, REJECTED)
    assert not verified(desk, value)


def test_initial_markings_are_no_part_that_could_be_left_out_or_added(desk: Path) -> None:
    value = laid(desk, MUTEX, found("idle >= 1, lock >= 1", formula="busy >= 2"))
    del value["question"]["initial"]
    assert checked(desk, value) == REJECTED
    assert not verified(desk, value)
    alone = laid(desk, MUTEX, check(ask(MUTEX, formula="idle = 2"), budget=Budget(10)))
    given_start = found("lock = 0", formula="idle = 2")
    alone["question"]["initial"] = laid(desk, MUTEX, given_start)["question"]["initial"]
    assert checked(desk, alone) == REJECTED
    assert not verified(desk, alone)


def test_a_trace_chooses_an_initial_marking_of_the_formula(desk: Path) -> None:
    value = laid(desk, MUTEX, found("idle mod 2 = 0, lock = 1", formula="idle = 4"))
    assert checked(desk, value) == ACCEPTED
    for key, forged in (
        ("least", {"idle": 4, "lock": 2}),
        ("least", {"idle": 3, "lock": 1}),
        ("least", {"idle": 4, "lock": 1, "busy": 1}),
        ("added", {"init_idle": {"idle": 3}}),
        ("added", {"init_idle": {"idle": 2, "lock": 1}}),
        ("added", {"init_idle": {"idle": -2}}),
        ("added", {"enter": {"idle": 2}}),
        ("added", {}),
    ):
        other = copy.deepcopy(value)
        other["question"]["initial"][key] = forged
        assert checked(desk, other) == REJECTED, forged
        assert not verified(desk, other), forged


@pytest.mark.parametrize("examples", [20, pytest.param(2_000, marks=pytest.mark.campaign)])
def test_changed_evidence_is_accepted_only_where_it_is_true(desk: Path, examples: int) -> None:
    statuses, accepted = Counter[int](), Counter[bool]()

    @repeatable(examples)
    @given(parametric_problems(), st.integers(0, 1 << 30))
    def judge(problem: Problem, seed: int) -> None:
        finding = check(problem, engine="cegar", budget=Budget(0.5))
        if finding.value is None:
            return
        net = next(instances(problem.net, 9), None)
        if net is None:
            return
        value = laid(desk, net, finding)
        statuses[checked(desk, value)] += 1
        assert verified(desk, value)
        atoms = [*_numbers(value["question"]["initial"]), *_numbers(value["claims"])]
        owner, key = atoms[seed // 2 % len(atoms)]
        owner[key] += 1 if seed % 2 else -1
        if checked(desk, value) == ACCEPTED or verified(desk, value):
            accepted[True] += 1
            formula = read_formula(value["question"]["initial"]["formula"])
            try:
                other = with_initial(net, formula)
            except QueryError:
                return  # Nothing is claimed of no initial markings.
            trace = value["claims"][0].get("trace")
            if trace is None:
                assert is_right(other, problem.target, Unreachable(None))
            elif not value["question"]["initial"]["added"]:
                steps = tuple((name, times) for name, times in trace)
                assert is_right(other, problem.target, Reachable(Trace(steps)))
        else:
            accepted[False] += 1

    judge()
    assert statuses.keys() <= {ACCEPTED, UNDECIDED}
    assert statuses[ACCEPTED] > examples // 4, statuses
    assert accepted[False] > examples // 8, accepted


def _numbers(value: Any) -> Any:
    """Yield the integers in an object of JSON, each as its owner and key."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        if isinstance(inner, dict | list):
            yield from _numbers(inner)
        elif type(inner) is int:
            yield value, key


def test_a_solver_script_has_one_initial_marking(desk: Path) -> None:
    finding = found(CLIENTS, formula="busy >= 2")
    with pytest.raises(QueryError, match="several initial markings"):
        evidence_data("e.smt2", finding.question.net, evidence_of(finding, None))


def test_evidence_names_places_of_the_net(desk: Path) -> None:
    value = laid(desk, MUTEX, found(CLIENTS, formula="busy >= 2"))
    value["question"]["initial"]["formula"]["and"][0]["sum"] = {"other": -1}
    (desk / "e.json").write_text(json.dumps(value))
    evidence = read_evidence(str(desk / "e.json"))
    with pytest.raises(EvidenceError, match="other"):
        started(read_net(desk / "net.pnml"), evidence)


def test_what_is_added_later_takes_nothing(desk: Path) -> None:
    value = laid(desk, MUTEX, found("idle = 1, lock = 1", formula="busy = 1"))
    assert checked(desk, value) == ACCEPTED
    nobody = {"and": [{"sum": {"idle": 1}, "equals": 0}, {"sum": {"lock": 1}, "equals": 1}]}
    least = {"idle": 1, "lock": 1}
    value["question"]["initial"] = {"formula": nobody, "least": least, "added": {"x": {"idle": -1}}}
    value["claims"] = [{"trace": [["enter", 1], ["x", 1]], "stops": [[2, "target"]]}]
    assert checked(desk, value) == REJECTED
    assert not verified(desk, value)
