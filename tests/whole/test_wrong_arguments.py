"""What a program gives to a public function by mistake is refused in one sentence of ours."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from folders import ROOT

import petricheck
from petricheck import Budget, Finding, PetricheckError, ask, check, coloured, make_net, variable
from petricheck.questions.kind import kind_names

NET = make_net("n", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": 1})})
QUESTION = ask(NET, cover={"q": 1})
TARGET = petricheck.at_least(variable("q"), 1)
PHIL = coloured.Enumeration("Phil", ("ada", "ben"), cyclic=True)
X = coloured.Variable("x", PHIL)
SAME = coloured.Comparison("=", X, X)
PLACE = coloured.Place("p", PHIL, (coloured.Summand(1, X, ranging=(X,)),))
TAKE = coloured.Transition("t", pre=((0, (coloured.Summand(1, X),)),), post=())
COLOURED = coloured.ColouredNet("c", (PLACE,), (TAKE,))

WRONG = (
    None, 3, -1, 2.5, True, "file", "", b"x", Path("file"), int, object(), NET, TARGET,
    [], [1], (), (1, 2), {}, {1: 2}, {"p": 1}, {"t": 3}, {"t": (3, 3)}, {"t": ({"p": 1},)},
)  # fmt: skip

NO_LIMIT = Budget()

RIGHT: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "ask": (ask, (NET,), {"cover": {"q": 1}}),
    "check": (
        check,
        (QUESTION,),
        {"engine": "explicit", "options": {}, "budget": NO_LIMIT, "second_solver": False},
    ),
    "check a net": (check, (NET, TARGET), {}),
    "check_all": (
        petricheck.check_all,
        (NET, [QUESTION]),
        {"engine": "explicit", "options": {}, "budget": NO_LIMIT, "second_solver": False},
    ),
    "audit": (
        petricheck.audit,
        (QUESTION.problem, check(QUESTION, engine="explicit").answer),
        {"budget": NO_LIMIT},
    ),
    "load": (petricheck.load, (ROOT / "nets" / "fig8_U.pnml",), {}),
    "load an id": (
        petricheck.load,
        (ROOT / "nets" / "fig8_U.pnml", None, None),
        {"net": "fig8", "format": "pnml"},
    ),
    "overview": (petricheck.overview, (NET,), {"budget": Budget(seconds=0.0)}),
    "replay": (petricheck.replay, (NET, "t"), {"budget": NO_LIMIT}),
    "make_net": (make_net, ("n", {"p": 1}, {"t": ({"p": 1}, {"p": 1})}, [{"p": 1}]), {}),
    "make_problem": (petricheck.make_problem, (NET, TARGET), {}),
    "unfold": (petricheck.unfold, (COLOURED, NO_LIMIT), {}),
    "at_least": (petricheck.at_least, (variable("p"), 1), {}),
    "at_most": (petricheck.at_most, (variable("p"), 1), {}),
    "equal": (petricheck.equal, (variable("p"), 1), {}),
    "different": (petricheck.different, (variable("p"), 1), {}),
    "congruent": (petricheck.congruent, (variable("p"), 1, 2), {}),
    "conjunction": (petricheck.conjunction, ([TARGET],), {}),
    "disjunction": (petricheck.disjunction, ([TARGET],), {}),
    "negate": (petricheck.negate, (TARGET,), {}),
    "to_text": (petricheck.to_text, (TARGET,), {}),
    "variable": (variable, ("p",), {}),
    "constant": (petricheck.constant, (3,), {}),
    "Budget": (Budget, (), {"seconds": 1.0, "memory": 1000}),
    "from_snakes": (petricheck.interop.from_snakes, (petricheck.interop.to_snakes(NET),), {}),
    "to_snakes": (petricheck.interop.to_snakes, (NET,), {}),
}
"""By its name a public function, with arguments that it takes."""


def calls() -> Iterator[Callable[[], Any]]:
    """Every function with one argument replaced by something else."""
    for function, places, names in RIGHT.values():
        for wrong in WRONG:
            for number in range(len(places)):
                changed = (*places[:number], wrong, *places[number + 1 :])
                yield lambda f=function, a=changed, k=names: f(*a, **k)
            for name in names:
                yield lambda f=function, a=places, k={**names, name: wrong}: f(*a, **k)


def test_every_public_function_refuses_what_is_no_argument_of_it_by_an_error_of_ours() -> None:
    functions = {
        name for name in petricheck.__all__ if inspect.isfunction(getattr(petricheck, name))
    }
    assert functions <= {*RIGHT}
    refused = 0
    for call in calls():
        try:
            result = call()
            if inspect.isgenerator(result):
                list(result)
        except PetricheckError as error:
            refused += 1
            assert str(error).strip()
    assert refused > 800


@pytest.mark.parametrize("kind", kind_names())
def test_a_question_of_a_wrong_type_is_refused(kind: str) -> None:
    for wrong in (3, -1, 2.5, b"x", [], int, object(), NET, {1: 2}):
        with pytest.raises(PetricheckError):
            ask(NET, **{kind: wrong})


PARTS = (
    COLOURED, PLACE, TAKE, X, PHIL, SAME, coloured.Summand(1, X), coloured.Constant(PHIL, 1),
    coloured.Shifted(X, 1), coloured.Tuple((X, X)), coloured.Product("", (PHIL, PHIL)),
    coloured.Range("", 0, 3), coloured.Not(SAME), coloured.All((SAME,)), coloured.Some((SAME,)),
)  # fmt: skip


def net_with(part: Any) -> coloured.ColouredNet:
    """A coloured net in which the part is."""
    match part:
        case coloured.ColouredNet():
            return part
        case coloured.Place():
            return dataclasses.replace(COLOURED, places=(part,))
        case coloured.Transition():
            return dataclasses.replace(COLOURED, transitions=(part,))
        case coloured.Summand():
            return net_with(dataclasses.replace(TAKE, pre=((0, (part,)),)))
        case coloured.Variable() | coloured.Constant() | coloured.Shifted() | coloured.Tuple():
            return net_with(coloured.Summand(1, part))
        case coloured.Enumeration() | coloured.Product() | coloured.Range():
            return coloured.ColouredNet("c", (coloured.Place("p", part),), ())
    return net_with(dataclasses.replace(TAKE, guard=part))


@pytest.mark.parametrize("part", PARTS, ids=lambda part: type(part).__name__)
def test_a_coloured_net_with_a_part_of_a_wrong_type_is_refused(part: Any) -> None:
    for field in dataclasses.fields(part):
        for wrong in (*WRONG, [PHIL], (X,)):
            try:
                net = petricheck.unfold(net_with(dataclasses.replace(part, **{field.name: wrong})))
            except PetricheckError:
                continue
            kept = type(getattr(part, field.name))
            assert isinstance(wrong, kept) and str(net) and isinstance(net, petricheck.Net)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: check(QUESTION, budget=5), "Budget(seconds=10), or None, and not 5"),
        (lambda: check("file"), "of type str; petricheck.load reads it from a file"),
        (lambda: check(NET), "a net alone is no question"),
        (lambda: ask(NET, reachable="p=1"), "'reachable' among the kinds of questions; known: a"),
        (lambda: check(ask(NET, bounded=True)).answer, "its answer is finding.value"),
        (lambda: petricheck.at_least("p", 1), "a place is a term as variable('p1')"),
        (lambda: variable("p") * 1.5, "a factor is 1.5; give a whole number"),
        (lambda: make_net("n", {"p": True}, {}), "'p' is True; give a whole number, at least 0"),
        (lambda: make_net("n", {1: 0}, {}), "the name of a place is a text, and not 1"),
        (lambda: make_net("n", ["p"], {}), "a dictionary by place, and not ['p']"),
        (lambda: make_net("n", {"p": 1}, {"t": {"p": 1}}), "transition 't' is a pair"),
        (lambda: make_net("n", {"p": 1}, {"t": ([], {})}), "numbers by place, and not []"),
    ],
)
def test_the_sentence_says_what_to_give(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(PetricheckError) as caught:
        call()
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_finding_is_neither_true_nor_false() -> None:
    finding = check(ask(NET, cover={"q": 2}))
    assert isinstance(finding, Finding) and finding.value is False
    with pytest.raises(PetricheckError, match="neither true nor false"):
        bool(finding)
