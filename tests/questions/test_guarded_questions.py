"""Questions about guarded nets, whose answers differ from those without the guards."""

from __future__ import annotations

import json
from contextlib import nullcontext

import pytest
from guarded_oracle import defined
from invoked import run, settled
from judged import graph_of

import petricheck
from petricheck.arithmetic.formulas.formulas import evaluate
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.evidence.audit import prove
from petricheck.evidence.claims import InfiniteRun, Stage
from petricheck.evidence.files.json import Json
from petricheck.formats.guarded_bounds import ordinary
from petricheck.formats.nets import NetFile
from petricheck.model.guarded.net import GuardedNet, guarded
from petricheck.model.guarded.translation import Complementation
from petricheck.model.net import Net, make_net
from petricheck.questions import ask, check
from petricheck.questions.verification import evidence_of, verify
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, QueryError

ROOM = make_net(
    "room",
    {"idle": 3, "reading": 0, "writing": 0},
    {
        "read": ({"idle": 1}, {"reading": 1}),
        "stop": ({"reading": 1}, {"idle": 1}),
        "write": ({"idle": 1}, {"writing": 1}),
        "end": ({"writing": 1}, {"idle": 1}),
    },
)
LOCKED = guarded(ROOM, inhibitors=[(0, 2, 1), (2, 1, 1), (2, 2, 1)])
STORE = make_net("store", {"stock": 0, "sold": 0}, {"make": ({}, {"stock": 1}), "sell": ({}, {})})
FLUSHED = guarded(STORE, capacities={0: 2}, resets=[(1, 0)], reads=[(1, 0, 2)])

QUESTIONS = [
    (LOCKED, "reading >= 1 and writing >= 1", False),
    (LOCKED, "writing >= 2", False),
    (LOCKED, "reading = 3", True),
    (FLUSHED, "stock >= 3", False),
    (FLUSHED, "stock = 2", True),
]


def net_of(source: Net | GuardedNet) -> Net:
    assert isinstance(source, GuardedNet)
    return ordinary(source, Budget())


@pytest.mark.parametrize("engine", [*plugins.all_members("engines")])
def test_no_engine_forgets_an_upper_guard(engine):
    for source, formula, reachable in QUESTIONS:
        net = net_of(source)
        finding = check(ask(net, formula=formula), engine=engine, budget=Budget(0.2))
        assert finding.value in (reachable, None), formula


@pytest.mark.parametrize(("source", "formula", "reachable"), QUESTIONS)
def test_the_answer_is_that_of_brute_force_and_not_that_without_guards(source, formula, reachable):
    question = ask(source.plain, formula=formula)
    graph = graph_of(defined(source))
    assert graph.whole
    names = [dict(zip(source.places, marking, strict=True)) for marking in graph.after]
    assert any(evaluate(question.target, values) for values in names) is reachable
    finding = check(ask(net_of(source), formula=formula), budget=Budget(20))
    assert isinstance(finding.answer, Reachable if reachable else Unreachable)
    if not reachable:
        assert check(question, budget=Budget(20)).value is True


def test_an_exact_target_says_nothing_of_complement_places():
    question = ask(net_of(LOCKED), target="reading=3")
    assert question.unnamed == ("idle", "writing")
    assert check(question).value is True


KINDS = {
    "bounded": ("", True),
    "safe": ("", False),
    "deadlock": ("", False),
    "quasi_live": ("", True),
    "live": ("", True),
    "reversible": ("", True),
    "home": ("reading = 3", True),
    "stable": ("", False),
    "bound": ("reading + 2*writing", 3),
    "state_space": ("", 5),
    "fireable": ("write", True),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_question_is_answered_on_a_guarded_net(kind):
    text, value = KINDS[kind]
    finding = check(ask(net_of(LOCKED), **{kind: text or True}), budget=Budget(20))
    assert finding.value == value
    if kind == "state_space":
        assert finding.conclusion.facts["tokens_in_place"] == 3
        assert finding.conclusion.facts["tokens_in_marking"] == 3


def counters(*, steps: int) -> Net:
    """A machine with two counters that adds so many to the first, and moves them to the second."""
    places = {"start": 1, "move": 0, "end": 0, "a": 0, "b": 0}
    net = make_net(
        "counters",
        places,
        {
            "add": ({"start": 1}, {"start": 1, "a": 1}),
            "go": ({"start": 1}, {"move": 1}),
            "take": ({"move": 1, "a": 1}, {"move": 1, "b": 2}),
            "zero": ({"move": 1}, {"end": 1}),
        },
    )
    return net_of(guarded(net, inhibitors=[(0, 3, steps), (3, 3, 1), (3, 4, 2)]))


def test_a_machine_with_counters_is_answered_truly_or_not_at_all():
    net = counters(steps=10**6)
    origin = net.origin
    assert isinstance(origin, Complementation) and origin.boundless == (4,)
    for formula, truth in (
        ("end = 1", True),
        ("end = 1 and b >= 2", False),
        ("end = 1 and a >= 1", False),
        ("b >= 5", True),
        ("b >= 5 and start = 1", False),
    ):
        finding = check(ask(net, formula=formula), budget=Budget(1.5))
        assert finding.value in (truth, None), formula
        assert finding.value is not None or formula == "end = 1 and b >= 2"


def test_a_place_without_a_bound_leaves_questions_that_depend_on_what_follows_unasked():
    net = counters(steps=3)
    with pytest.raises(QueryError, match="known bound"):
        ask(net, live=True)
    assert check(ask(net, fireable="take"), budget=Budget(5)).value is True
    assert check(ask(net, bound="start + move + end"), budget=Budget(5)).value == 1


def queue(**kinds) -> Net:
    """A queue without a bound; `stop` has an inhibitor arc or a reset on it, or both."""
    arcs = {
        "put": ({"open": 1}, {"open": 1, "queue": 1}),
        "get": ({"queue": 1}, {}),
        "stop": ({"open": 1}, {"closed": 1}),
    }
    places = {"open": 1, "closed": 0, "queue": 0}
    return petricheck.make_net("queue", places, arcs, **kinds)


@pytest.mark.parametrize(
    "kinds",
    [
        {"inhibitors": {"stop": {"queue": 1}}},
        {"resets": {"stop": ["queue"]}},
        {"inhibitors": {"stop": {"queue": 9}}, "resets": {"stop": ["queue"]}},
    ],
)
def test_what_a_guard_on_a_place_without_a_bound_excludes_is_proved(kinds):
    net = queue(**kinds)
    finding = check(ask(net, never="closed = 1 and queue >= 1"), budget=Budget(40))
    assert finding.value is True
    evidence = Json().write(net, evidence_of(finding, None))
    file = NetFile(net.origin.guarded, "0" * 64, (), "queue.pnml")
    assert verify(file, Json().read(evidence), budget=Budget(20)).value is True
    assert b"complement" not in evidence
    with pytest.raises(EvidenceError):
        prove(net.origin.guarded.plain, *finding.claims)  # The guard is needed.


def test_a_marking_after_a_reset_is_that_of_the_guarded_net():
    net = queue(resets={"stop": ["queue"]})
    finding = check(ask(net, replay="put^3 stop"))
    assert finding.value is True and finding.conclusion.facts["marking"] == {"closed": 1}
    assert net.after([("put", 3), ("stop", 1)]) == (0, 1, 0)


def test_an_upper_guard_without_a_bound_is_asked_about_and_replayed():
    net = queue(inhibitors={"stop": {"queue": 2}})
    finding = check(ask(net, replay="put^3 stop"))
    assert finding.value is False
    assert finding.conclusion.facts["missing"] == [
        {"place": "queue", "has": 3, "needs": None, "most": 1}
    ]
    assert check(ask(net, replay="put^3 get^2 stop get")).value is True
    assert check(ask(net, formula="enabled(stop) and queue = 1"), budget=Budget(20)).value is True
    closed = check(ask(net, formula="enabled(stop) and queue >= 2"), budget=Budget(20))
    assert closed.value is False
    assert check(ask(net, deadlock=True), budget=Budget(20)).value is True


def test_a_loop_that_keeps_what_its_guards_watch_is_repeated_without_bounds():
    for kinds in ({"inhibitors": {"stop": {"queue": 1}}}, {"resets": {"stop": ["queue"]}}):
        net = queue(**kinds)
        assert check(ask(net, bound="queue"), budget=Budget(20)).value == "unbounded"
        assert check(ask(net, terminates=True), budget=Budget(20)).value is False


WATCHED = {"inhibitors": {"put": {"stock": 5}}}
EMPTIED = {"resets": {"put": ["stock"]}}


@pytest.mark.parametrize(
    ("kinds", "stem", "loop", "holds"),
    [
        (WATCHED, "", "put", False),
        (WATCHED, "add^5", "put", False),
        (WATCHED, "", "get", False),
        (WATCHED, "", "add get^2", True),
        (WATCHED, "", "put take", True),
        (EMPTIED, "", "put", False),
        (EMPTIED, "add^9 put", "get^2", True),
        (EMPTIED, "add^9 put take", "get", False),
    ],
)
def test_a_loop_that_changes_what_its_guards_watch_proves_nothing(kinds, stem, loop, holds):
    arcs = {
        "add": ({}, {"stock": 1}),
        "put": ({}, {"stock": 1, "sold": 1}),
        "get": ({"stock": 1}, {"stock": 1, "sold": 1}),
        "take": ({"stock": 1}, {}),
    }
    net = petricheck.make_net("n", {"stock": 0, "sold": 0}, arcs, **kinds)
    claim = InfiniteRun(
        Stage(*(ask(net, replay=t).content if t else Trace(()) for t in (stem, loop)))
    )
    with nullcontext() if holds else pytest.raises(EvidenceError):
        prove(net, claim)


def test_a_net_with_guards_is_made_in_python():
    net = petricheck.make_net(
        "store",
        {"stock": 0, "open": 1},
        {"make": ({}, {"stock": 1}), "close": ({"open": 1}, {}), "discard": ({}, {})},
        inhibitors={"discard": {"open": 1}},
        reads={"make": {"open": 1}},
        resets={"discard": ["stock"]},
        capacities={"stock": 3},
    )
    for formula, reachable in (
        ("stock = 3 and open = 0", True),
        ("stock = 4", False),
        ("stock = 0 and open = 0", True),
    ):
        assert check(ask(net, formula=formula), budget=Budget(10)).value is reachable
    assert check(ask(net, fireable="discard"), budget=Budget(10)).value is True
    for wrong, words in (
        ({"capacities": {"x": 3}}, "'x', which is no place"),
        ({"resets": {"x": ["stock"]}}, "'x', which is no transition"),
        ({"resets": {"make": "stock"}}, "a list of places"),
        ({"inhibitors": {"make": {"stock": 0}}}, "at least 1"),
        ({"reads": [("make", "stock")]}, "a dictionary by transition"),
    ):
        with pytest.raises(petricheck.PetricheckError, match=words):
            petricheck.make_net("n", {"stock": 0}, {"make": ({}, {"stock": 1})}, **wrong)


@pytest.mark.parametrize(
    ("guards", "answers"),
    [
        ({"inhibitors": {"x": {"b": 1}}}, (True, True, True)),
        ({"inhibitors": {"x": {"d": 1}, "y": {"c": 1}}}, (False, False, False)),
        ({"inhibitors": {"x": {"d": 1}}}, (False, False, True)),
        ({"capacities": {"c": 1, "d": 1}}, (True, True, True)),
        ({"resets": {"join": ["a", "b"]}}, (True, True, True)),
        ({"resets": {"x": ["b"]}}, (False, False, True)),
    ],
)
def test_a_workflow_net_with_guards_is_sound_where_they_let_every_case_end(guards, answers):
    net = petricheck.make_net(
        "workflow",
        {"i": 1, "a": 0, "b": 0, "c": 0, "d": 0, "o": 0},
        {
            "split": ({"i": 1}, {"a": 1, "b": 1}),
            "x": ({"a": 1}, {"c": 1}),
            "y": ({"b": 1}, {"d": 1}),
            "join": ({"c": 1, "d": 1}, {"o": 1}),
        },
        **guards,
    )
    for grade, answer in zip(("classical", "weak", "easy"), answers, strict=True):
        finding = check(ask(net, sound=f"{grade}:"), budget=Budget(10))
        assert finding.value is answer, grade
        assert "complement" not in str(finding)


DOCUMENT = """<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="net" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="page">
<place id="p"/><place id="q"/><transition id="t"/><transition id="s"/>
<arc id="a" source="t" target="p"/><arc id="b" source="s" target="q"/>
<arc id="i" source="p" target="t"><type value="inhibitor"/>
<inscription><text>3</text></inscription></arc>
<arc id="j" source="p" target="s"><type value="inhibitor"/></arc>
<arc id="k" source="q" target="s"><type value="inhibitor"/></arc>
</page></net></pnml>"""


def test_evidence_of_a_guarded_net_has_its_bounds_and_is_verified(tmp_path):
    net, evidence = tmp_path / "net.pnml", tmp_path / "evidence.json"
    net.write_text(DOCUMENT)
    for words, answer in (("p >= 4", False), ("p = 3 and q = 1", True)):
        asked = run(net, "--formula", words, "--evidence", evidence)
        assert settled(asked).output.startswith("reachable" if answer else "unreachable")
        assert settled(run("verify", net, evidence)).output.startswith("accepted: ")
        assert "_complement" not in asked.output
        written = json.loads(evidence.read_text())
        bounds = [{"sum": {"p": 1}, "at most": 3}, {"sum": {"q": 1}, "at most": 1}]
        assert written["bounds"] == bounds
        for forged in (
            [{"sum": {"p": 1}, "at most": 2}, bounds[1]],
            [{"sum": {"p": 1}, "at most": -1}, bounds[1]],
            [{"sum": {"x": 1}, "at most": 3}, bounds[1]],
            [{"sum": {"p": 1}, "equals": 3}, bounds[1]],
        ):
            evidence.write_text(json.dumps({**written, "bounds": forged}))
            assert "rejected: " in settled(run("verify", net, evidence), 4).output
