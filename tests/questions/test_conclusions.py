"""What follows from proved claims, and what does not: each kind of question on parts of its answer.

`conclude` is half of what an answer depends on, the audit of claims is the other. So the claims
here are taken as proved, whatever their evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
import questions
from notation import net_of

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.evidence.answer import Trace
from petricheck.evidence.claims import (
    Claim,
    Excluded,
    ExcludedAfter,
    Home,
    InfiniteRun,
    Pumped,
    Reached,
    Stage,
    Terminating,
)
from petricheck.model.initial_markings import AddedSet, InitialMarkings
from petricheck.model.net import make_net
from petricheck.questions import Conclusion, kind_of
from petricheck.questions.maxima import SumRange, exceeds
from petricheck.support.errors import QueryError

NET = net_of("p=1 q=0 r=0, t: p -> q, u: p + 2 q -> r, v: p -> 2 r")


def conclude(kind: str, text: str, claims: Sequence[Claim]) -> Conclusion:
    """The conclusion about a net that no other test has seen, so that nothing of it is kept."""
    return questions.conclude(kind, replace(NET), text, claims)


def least(place: str, tokens: int) -> Formula:
    return at_least(variable(place), tokens)


def most(place: str, tokens: int) -> Formula:
    return at_most(variable(place), tokens)


def reached(*formulas: Formula) -> Reached:
    return Reached(Trace(()), tuple((0, formula) for formula in formulas))


def never(*formulas: Formula) -> Excluded:
    return Excluded(disjunction(formulas), None)


def pumped(*places: str) -> Pumped:
    return Pumped(tuple(Term(((place, 1),), 0) for place in places), ())


def home(*formulas: Formula) -> Home:
    return Home(formulas, None)


def lost(after: str, *formulas: Formula) -> ExcludedAfter:
    return ExcludedAfter(Trace(((after, 1),)), disjunction(formulas), None)


def repeated(*names: str) -> InfiniteRun:
    return InfiniteRun(Stage(Trace(()), Trace(tuple((name, 1) for name in names))))


def ends_without(*names: str) -> Terminating:
    return Terminating(names, None)


START = conjunction(equal(variable(place), int(place == "p")) for place in "pqr")


@dataclass(frozen=True)
class Row:
    name: str
    kind: str
    claims: tuple[Claim, ...]
    headline: str
    facts: dict[str, Any]
    text: str = ""


def row(name: str, kind: str, *claims: Claim, told: str, text: str = "", **facts: Any) -> Row:
    return Row(name, kind, claims, told, facts, text)


ALL = ("p", "q", "r")
ENABLED_U = conjunction((least("p", 1), least("q", 2)))

ROWS = (
    # safe
    row("no claim", "safe", told="unknown", holds=None, unsafe=[], open=[*ALL]),
    row("one place limited, others open", "safe", never(least("p", 2)), told="unknown",
        holds=None, unsafe=[], open=["q", "r"]),
    row("all places limited, claim by claim", "safe", *(never(least(p, 2)) for p in ALL),
        told="safe", holds=True, unsafe=[], open=[]),
    row("all places limited at once", "safe", never(*(least(p, 2) for p in ALL)),
        told="safe", holds=True, unsafe=[], open=[]),
    row("a conjunction excluded", "safe",
        Excluded(Conjunction(tuple(least(p, 2) for p in ALL)), None),
        told="unknown", holds=None, unsafe=[], open=[*ALL]),
    row("a limit of two tokens", "safe", *(never(least(p, 3)) for p in ALL),
        told="unknown", holds=None, unsafe=[], open=[*ALL]),
    row("a limit of no tokens, which nobody asked for", "safe",
        *(never(least(p, 1)) for p in ALL), told="unknown", holds=None, unsafe=[], open=[*ALL]),
    row("a second token", "safe", reached(least("q", 2)),
        told="not safe", holds=False, unsafe=["q"], open=["p", "r"]),
    row("a second token, the other places limited", "safe", reached(least("q", 2)),
        never(least("p", 2), least("r", 2)), told="not safe", holds=False, unsafe=["q"], open=[]),
    row("one token", "safe", reached(least("q", 1)),
        told="unknown", holds=None, unsafe=[], open=[*ALL]),
    row("a disjunction reached: some place, but which", "safe",
        reached(disjunction((least("p", 2), least("q", 2)))),
        told="unknown", holds=None, unsafe=[], open=[*ALL]),
    row("an empty disjunction, which holds nowhere", "safe", reached(Disjunction(())),
        told="unknown", holds=None, unsafe=[], open=[*ALL]),
    row("a second token at the second stop", "safe", reached(least("p", 1), least("r", 2)),
        told="not safe", holds=False, unsafe=["r"], open=["p", "q"]),
    # quasi-live
    row("no claim", "quasi_live", told="unknown", holds=None, dead=[], open=["t", "u", "v"]),
    row("one that never fires", "quasi_live", never(ENABLED_U),
        told="not quasi-live", holds=False, dead=["u"], open=["t", "v"]),
    row("twins fire", "quasi_live", reached(least("p", 1)),
        told="unknown", holds=None, dead=[], open=["u"]),
    row("all fire", "quasi_live", reached(least("p", 1), ENABLED_U),
        told="quasi-live", holds=True, dead=[], open=[]),
    row("a part of what it needs", "quasi_live", reached(least("p", 1), least("q", 2)),
        told="unknown", holds=None, dead=[], open=["u"]),
    row("a part of what it needs never there", "quasi_live", never(least("q", 2)),
        told="unknown", holds=None, dead=[], open=["t", "u", "v"]),
    row("a disjunction reached", "quasi_live", reached(disjunction((least("p", 1), ENABLED_U))),
        told="unknown", holds=None, dead=[], open=["t", "u", "v"]),
    row("a disjunction excluded", "quasi_live", never(least("p", 1), ENABLED_U),
        told="not quasi-live", holds=False, dead=["t", "u", "v"], open=[]),
    # stable
    row("no claim", "stable", told="unknown", holds=None, stable=[], open=[*ALL]),
    row("no token more, perhaps fewer", "stable", never(least("p", 2)),
        told="unknown", holds=None, stable=[], open=[*ALL]),
    row("no token fewer, perhaps more", "stable", never(most("p", 0)),
        told="unknown", holds=None, stable=[], open=[*ALL]),
    row("no token more, no token fewer", "stable", never(least("p", 2)), never(most("p", 0)),
        told="some place is stable", holds=True, stable=["p"], open=["q", "r"]),
    row("no other number of tokens", "stable", never(most("p", 0), least("p", 2)),
        told="some place is stable", holds=True, stable=["p"], open=["q", "r"]),
    row("an empty place gets no token", "stable", never(least("q", 1)),
        told="some place is stable", holds=True, stable=["q"], open=["p", "r"]),
    row("another number of tokens, one way or the other", "stable",
        reached(disjunction((most("p", 0), least("p", 2)))),
        told="unknown", holds=None, stable=[], open=["q", "r"]),
    row("other numbers everywhere", "stable", reached(most("p", 0), least("q", 1), least("r", 1)),
        told="no place is stable", holds=False, stable=[], open=[]),
    row("other numbers on some", "stable", reached(most("p", 0), least("q", 1)),
        told="unknown", holds=None, stable=[], open=["r"]),
    row("either of two places changes", "stable",
        reached(disjunction((least("q", 1), least("r", 1)))),
        told="unknown", holds=None, stable=[], open=[*ALL]),
    # bounded
    row("no claim", "bounded",
        told="unknown", bounded=None, unbounded=[], open=[*ALL], limits={}),
    row("one place limited, one open", "bounded", never(least("p", 2), least("q", 4)),
        told="unknown", bounded=None, unbounded=[], open=["r"], limits={"p": 1, "q": 3}),
    row("all limited", "bounded", never(least("p", 2)), never(least("q", 1), least("r", 6)),
        told="bounded", bounded=True, unbounded=[], open=[], limits={"p": 1, "q": 0, "r": 5}),
    row("the better of two limits", "bounded", never(least("p", 2)), never(least("p", 4)),
        told="unknown", bounded=None, unbounded=[], open=["q", "r"], limits={"p": 1}),
    row("one unbounded, one open", "bounded", pumped("q"), never(least("p", 2)),
        told="not bounded", bounded=False, unbounded=["q"], open=["r"], limits={"p": 1}),
    row("two unbounded at once", "bounded", pumped("q", "r"),
        told="not bounded", bounded=False, unbounded=["q", "r"], open=["p"], limits={}),
    row("many tokens reached", "bounded", *(reached(least(p, 9)) for p in ALL),
        told="unknown", bounded=None, unbounded=[], open=[*ALL], limits={}),
    row("a limit on a sum", "bounded", Excluded(exceeds((("p", 1), ("q", 1)), 4), None),
        told="unknown", bounded=None, unbounded=[], open=[*ALL], limits={}),
    row("a multiple pumped is no place", "bounded", Pumped((Term((("p", 2),), 0),), ()),
        told="unknown", bounded=None, unbounded=[], open=[*ALL], limits={}),
    row("a conjunction excluded", "bounded",
        Excluded(Conjunction((least("p", 2), least("q", 2))), None),
        told="unknown", bounded=None, unbounded=[], open=[*ALL], limits={}),
    row("an equality excluded", "bounded", Excluded(equal(variable("p"), 2), None),
        told="unknown", bounded=None, unbounded=[], open=[*ALL], limits={}),
    # bound
    row("no claim", "bound", told="unknown", text="p + q",
        maximum=None, unbounded=False, reached=None, limit=None),
    row("only reached", "bound", reached(exceeds((("p", 1), ("q", 1)), 3)),
        told="maximum at least 3", text="p + q",
        maximum=None, unbounded=False, reached=3, limit=None),
    row("only limited", "bound", never(exceeds((("p", 1), ("q", 1)), 8)),
        told="maximum at most 7", text="p + q",
        maximum=None, unbounded=False, reached=None, limit=7),
    row("an interval", "bound", reached(least("p", 3)), never(least("p", 8)),
        told="maximum between 3 and 7", text="p",
        maximum=None, unbounded=False, reached=3, limit=7),
    row("both ends meet", "bound", reached(least("p", 3)), never(least("p", 4)),
        told="maximum 3", text="p", maximum=3, unbounded=False, reached=3, limit=3),
    row("the greatest of what is reached", "bound", reached(least("p", 3), least("p", 2)),
        never(least("p", 4)), told="maximum 3", text="p", maximum=3, reached=3, limit=3),
    row("the least of the limits", "bound", never(least("p", 4)), never(least("p", 9)),
        told="maximum at most 3", text="p", maximum=None, reached=None, limit=3),
    row("a disjunction reached", "bound", reached(disjunction((least("p", 3), least("q", 3)))),
        told="unknown", text="p", maximum=None, reached=None, limit=None),
    row("a conjunction reached", "bound", reached(conjunction((least("p", 3), least("q", 5)))),
        told="maximum at least 3", text="p", maximum=None, reached=3, limit=None),
    row("a disjunction excluded", "bound", never(least("p", 3), least("q", 5)),
        told="maximum at most 4", text="q", maximum=None, reached=None, limit=4),
    row("another sum", "bound", reached(least("q", 3)), never(least("q", 4)), pumped("q"),
        told="unknown", text="p", maximum=None, unbounded=False, reached=None, limit=None),
    row("pumped", "bound", reached(least("p", 3)), pumped("p"),
        told="unbounded", text="p", maximum=None, unbounded=True, reached=None, limit=None),
    row("the opposite is pumped", "bound", Pumped((Term((("p", -1),), 0),), ()),
        told="unknown", text="p", maximum=None, unbounded=False),
    row("factor and constant", "bound", reached(least("p", 3)), never(least("p", 4)),
        told="maximum 11", text="2*p + 5", maximum=11, reached=11, limit=11),
    row("a minimum from both ends", "bound", reached(exceeds((("p", -1),), -2)),
        never(exceeds((("p", -1),), -1)), told="minimum 2", text="min: p", minimum=2),
    row("an interval of a minimum", "bound", reached(exceeds((("p", -1),), -7)),
        never(exceeds((("p", -1),), -1)), told="minimum between 2 and 7", text="min: p",
        minimum=None, reached=7, limit=2),
    row("a minimum only reached", "bound", reached(exceeds((("p", -1),), -7)),
        told="minimum at most 7", text="min: p", minimum=None, reached=7, limit=None),
    row("a minimum only limited", "bound", never(exceeds((("p", -1),), -1)),
        told="minimum at least 2", text="min: p", minimum=None, reached=None, limit=2),
    row("a minimum of a difference", "bound", reached(exceeds((("p", -3), ("q", 2)), -4)),
        never(exceeds((("p", -3), ("q", 2)), -3)), told="minimum 13", text="min: 9*p - 6*q + 1",
        minimum=13, reached=13, limit=13),
    # home
    row("no claim", "home", told="unknown", text="q = 1", holds=None, marking=None),
    row("shown", "home", home(equal(variable("q"), 1)), told="home space", text="q = 1",
        holds=True, marking=None),
    row("one of several shown", "home", home(least("r", 2), equal(variable("q"), 1)),
        told="home space", text="2*q = 2", holds=True, marking=None),
    row("another one shown", "home", home(least("q", 1)), told="unknown", text="q = 1",
        holds=None, marking=None),
    row("a part shown, which nobody asked for", "home", home(least("q", 1)), told="unknown",
        text="q >= 1 or r >= 1", holds=None, marking=None),
    row("lost", "home", lost("t", equal(variable("q"), 1)), told="not a home space",
        text="q = 1", holds=False, marking={"q": 1}),
    row("both parts lost", "home", lost("v", least("p", 1), least("q", 1), least("r", 3)),
        told="not a home space", text="q >= 1 or p >= 1", holds=False, marking={"r": 2}),
    row("one part lost", "home", lost("v", least("p", 1)), told="unknown",
        text="q >= 1 or p >= 1", holds=None, marking=None),
    row("each part lost, but after different traces", "home", lost("v", least("p", 1)),
        lost("t", least("q", 1)), told="unknown", text="q >= 1 or p >= 1", holds=None),
    row("never reached at all", "home", never(least("q", 1)), told="not a home space",
        text="q >= 1", holds=False, marking={"p": 1}),
    row("reached once", "home", reached(least("q", 1)), told="unknown", text="q >= 1",
        holds=None, marking=None),
    # reversible
    row("no claim", "reversible", told="unknown", holds=None, marking=None),
    row("the initial marking", "reversible", home(START), told="reversible", holds=True),
    row("some other places", "reversible", home(equal(variable("p"), 1)), told="unknown",
        holds=None),
    row("lost", "reversible", lost("t", START), told="not reversible", holds=False,
        marking={"q": 1}),
    row("no token on its place", "reversible", lost("t", least("p", 1)), told="unknown",
        holds=None),
    # terminates
    row("no claim", "terminates", told="unknown", holds=None, loop=[], dead=[]),
    row("a loop", "terminates", repeated("t", "u", "t"), told="does not terminate",
        holds=False, loop=["t", "u"], dead=[]),
    row("a loop of another one", "terminates", repeated("t"), told="does not terminate",
        text="u, v", holds=False, loop=["t"]),
    row("a loop with one of them", "terminates", repeated("t", "u"), told="unknown",
        text="u", holds=None, loop=[]),
    row("all runs end", "terminates", ends_without(), told="terminates", holds=True, dead=[]),
    row("all runs end, whatever is asked", "terminates", ends_without(), told="terminates",
        text="t", holds=True),
    row("runs end unless others fire", "terminates", ends_without("u"), told="unknown",
        text="t", holds=None),
    row("runs end unless some of these fire", "terminates", ends_without("u"), told="terminates",
        text="t, u", holds=True, dead=[]),
    row("the others never fire", "terminates", ends_without("u", "t"), never(ENABLED_U),
        told="terminates", text="t", holds=True, dead=["u"]),
    row("not all of the others never fire", "terminates", ends_without("u", "t"),
        never(ENABLED_U), told="unknown", holds=None, dead=[]),
    row("a part of what the others need is never there", "terminates", ends_without("u"),
        never(conjunction((least("p", 1), least("q", 3)))), told="unknown", holds=None, dead=[]),
    row("nothing is left of the sum", "bound", told="maximum 4", text="p - p + 4",
        maximum=4, unbounded=False, reached=4, limit=4),
)  # fmt: skip


OPEN = {"unknown", "at", "between"}
"""Words of headlines that are no complete answers."""


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.kind}: {row.name}" for row in ROWS])
def test_what_is_concluded_is_what_follows(row: Row) -> None:
    conclusion = conclude(row.kind, row.text, row.claims)
    assert conclusion.headline == row.headline
    assert {key: conclusion.facts[key] for key in row.facts} == row.facts
    assert conclusion.complete == (not OPEN & set(row.headline.split()))
    answers = kind_of(row.kind).answers(row.text)
    assert conclusion.answers == answers
    assert not conclusion.complete or answers.read(row.headline) == conclusion.value


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.kind != "bound"], ids=lambda row: f"{row.kind}: {row.name}"
)
def test_what_is_concluded_does_not_depend_on_the_order_of_claims(row: Row) -> None:
    forth, back = (conclude(row.kind, row.text, c) for c in (row.claims, row.claims[::-1]))
    assert forth == back


@pytest.mark.parametrize("kind", ["safe", "quasi_live", "stable", "bounded", "reversible"])
def test_a_question_without_words_refuses_words(kind: str) -> None:
    with pytest.raises(QueryError):
        conclude(kind, "p", ())


@pytest.mark.parametrize(("kind", "words"), [("safe", "Not decided"), ("bounded", "Not decided")])
@pytest.mark.parametrize(("places", "more"), [(20, ""), (21, " and 1 more"), (50, " and 30 more")])
def test_of_many_names_some_are_listed_and_the_rest_is_counted(
    kind: str, words: str, places: int, more: str
) -> None:
    net = make_net("wide", {f"p{n}": 0 for n in range(places)}, {})
    listed = ", ".join(f"p{n}" for n in range(20))
    (line,) = questions.conclude(kind, net, "", ()).details
    assert line == f"{words}: {listed}{more}."


def test_transitions_that_the_file_does_not_have_are_not_asked_about() -> None:
    net = replace(NET, initials=InitialMarkings(TRUE, (AddedSet((), ("u",)),)))
    assert questions.conclude("quasi_live", net, "", ()).facts["open"] == ["t", "v"]
    conclusion = questions.conclude("quasi_live", net, "", (reached(least("p", 1)),))
    assert conclusion.headline == "quasi-live"


def test_the_events_of_a_stable_place_are_other_numbers_of_tokens() -> None:
    net = make_net("more", {"p": 5, "q": 0}, {})
    for claims, stable, open_ in (
        ((never(most("p", 4), least("p", 6)),), ["p"], ["q"]),
        ((never(most("p", 3), least("p", 6)),), [], ["p", "q"]),
        ((never(most("p", 4), least("p", 7)),), [], ["p", "q"]),
        ((never(most("p", 5), least("p", 5)),), [], ["p", "q"]),
        ((reached(most("p", 4)),), [], ["q"]),
        ((reached(least("p", 6)),), [], ["q"]),
        ((reached(least("p", 5)),), [], ["p", "q"]),
        ((never(least("q", 1)),), ["q"], ["p"]),
    ):
        facts = questions.conclude("stable", net, "", claims).facts
        assert (facts["stable"], facts["open"]) == (stable, open_)


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("max: p", "maximum 3"),
        (" max: p", "maximum 3"),
        ("max: p + p", "maximum 6"),
        ("p - 2", "maximum 1"),
    ],
)  # fmt: skip
def test_a_maximum_may_be_asked_for_by_name(text: str, headline: str) -> None:
    claims = (reached(least("p", 3)), never(least("p", 4)))
    assert conclude("bound", text, claims).headline == headline


@pytest.mark.parametrize("text", ["", " ", "min:", "max: "])
def test_an_expression_without_words_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match="the expression is empty"):
        conclude("bound", text, ())


@pytest.mark.parametrize(
    ("known", "decided", "finite"),
    [
        (SumRange(), False, None),
        (SumRange(2, 3), False, True),
        (SumRange(3, 3), True, True),
        (SumRange(reached=2, unbounded=True), True, False),
    ],
)
def test_a_range_is_decided_where_both_ends_meet_or_there_is_none(
    known: SumRange, decided: bool, finite: bool | None
) -> None:
    assert (known.decided, known.finite) == (decided, finite)
