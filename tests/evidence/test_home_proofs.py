"""Proofs of home spaces without all markings: what they prove holds, false ones are refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from evidence_files import several
from home_spaces import (
    DRAINED,
    GROWTH,
    SWING,
    covering,
    dominates,
    enabling,
    free_choices,
    holding,
    is_connected,
    is_home,
    machines,
    reachable_from,
    trace,
)
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from invoked import run
from invoked import settled as ended
from notation import net_of
from schemas import VALID
from strategies import nets, repeatable, targets

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    congruent,
    conjunction,
    equal,
    evaluate,
    negate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace, Unreachable
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.homes.descent import stuck
from petricheck.evidence.audit.homes.renewal import is_upward_closed
from petricheck.evidence.audit.sequences import holds_at_least, word_of
from petricheck.evidence.certificates.descent import LoweringWords
from petricheck.evidence.certificates.free_choice import PositiveInvariants
from petricheck.evidence.certificates.invariant import Certificate, CoverHints
from petricheck.evidence.certificates.onward import OnwardTraces
from petricheck.evidence.certificates.renewal import RenewedTokens
from petricheck.evidence.certificates.reversal import ReversingWords
from petricheck.evidence.certificates.short_circuit import Restarted
from petricheck.evidence.claims import ExcludedAfter, Home
from petricheck.evidence.files.json import Json
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.net import Marking, Net, Transition, make_net
from petricheck.model.problem import Problem
from petricheck.questions.homes import descent, free_choice, home_marking, renewal, reversal
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError

few = settings(max_examples=15, deadline=None)

p, q, r, s = (variable(name) for name in "pqrs")

NOTHING = Certificate(TRUE, CoverHints(()))
"""Excludes what contradicts itself."""

SHOP = make_net(
    "shop",
    {"p": 10**6, "q": 0, "r": 0, "s": 1},
    {
        "begin": ({"p": 1}, {"q": 1}),
        "work": ({"q": 2, "s": 1}, {"r": 1, "s": 1}),
        "end": ({"r": 1}, {"p": 2}),
    },
)
"""Jobs are begun one by one and done in pairs: one that is left alone needs another one."""


LOCK = net_of("p=1 q=0 s=0, go: p -> q, back: q + s -> p + s")
"""What would take `go` back is never enabled."""

SPARE = net_of("p=1 q=0 r=2 s=0, go: p -> q + r, back: q + r + s -> p + s")
"""The same, and there are tokens before where `go` puts one."""


SERVER = net_of("p=0 q=1 r=0 s=0, come: -> p, begin: p + q -> r, end: r -> q + s")
"""Unbounded; done jobs never leave, so no marking is a home marking."""


TURNS = net_of(
    "a0=1 a1=0 b0=0 b1=1, left: a1 + b0 -> a0 + b0, right: a1 + b0 -> a1 + b1, back: a0 -> a1, "
    "home: b1 -> b0"
)
"""Live, but never again are both tokens away: the trap of a1 and b0 is empty initially."""


# Descent


@st.composite
def descents(draw: st.DrawFn) -> tuple[Net, Home, bool]:
    """A bounded net, a proof that is often right, and whether what it claims is true."""
    net = draw(nets())
    behind = reachable_from(net)
    assume(behind is not None and net.transitions)
    formula = draw(targets(net))
    weights = [draw(st.integers(0, 3)) for _ in net.places]
    names = st.sampled_from(net.actions)
    traces = [
        Trace(tuple((name, draw(st.integers(1, 2))) for name in word))
        for word in draw(st.lists(st.lists(names, min_size=1, max_size=3), max_size=4))
    ]
    traces += [trace(name) for name in net.actions]
    if draw(st.booleans()):
        traces = [word for word in traces if _change(net, weights, word) < 0]
    words = [word_of(net, word, Budget()) for word in traces]
    problem = Problem(net, stuck(net, (formula,), words))
    answer = plugins.build("engines", "explicit").solve(problem, Budget(5))
    exact = isinstance(answer, Unreachable)
    certificate = answer.certificate if exact else Certificate(negate(problem.target))
    rank = tuple(pair for pair in zip(net.places, weights, strict=True) if pair[1])
    proof = LoweringWords(rank, tuple(traces), certificate)
    return net, Home((formula,), proof), is_home(net, formula, behind or {})


def _change(net: Net, weights: Sequence[int], word: Trace) -> int:
    after = net.after(word.steps)
    return sum(w * (b - a) for w, a, b in zip(weights, net.initial, after, strict=True))


@given(descents())
def test_no_descent_is_accepted_where_brute_force_finds_no_home_space(
    case: tuple[Net, Home, bool],
) -> None:
    net, claim, true = case
    try:
        prove(net, claim)
    except EvidenceError:
        return
    assert true


@given(st.data())
def test_what_a_word_needs_and_changes_is_what_firing_it_shows(data: st.DataObject) -> None:
    weights = st.fixed_dictionaries(dict.fromkeys("pq", st.integers(1, 3)))
    arcs = data.draw(st.lists(st.tuples(weights, weights), min_size=1, max_size=2))
    net = make_net("n", {"p": 0, "q": 0}, {f"t{n}": pair for n, pair in enumerate(arcs)})
    step = st.tuples(st.sampled_from(net.actions), st.integers(1, 4))
    word = Trace(tuple(data.draw(st.lists(step, min_size=1, max_size=3))))
    shown = word_of(net, word, Budget())
    for place in range(2):
        start = [1000, 1000]
        for tokens in range(60):
            start[place] = tokens
            after = _fired(net.beginning(tuple(start)), word)
            assert shown.fires(start) == (tokens >= shown.hurdle[place]) == (after is not None)
    changes = (now - before for before, now in zip(start, after or (), strict=True))
    assert shown.effect == {place: change for place, change in enumerate(changes) if change}


def _fired(net: Net, word: Trace) -> Marking | None:
    marking: Marking = net.initial
    for name, times in word.steps:
        for _ in range(times):
            transition = net.transitions[net.transition_numbers[name]]
            if not transition.enabled(marking):
                return None
            marking = transition.fire(marking)
    return marking


@few
@given(nets(), st.data())
@pytest.mark.slow
def test_what_is_found_by_descent_is_true_and_proved(net: Net, data: st.DataObject) -> None:
    behind = reachable_from(net)
    assume(behind is not None)
    formulas = data.draw(st.lists(targets(net), min_size=1, max_size=2, unique=True))
    for claim in _found(descent.home_claims, net, formulas):
        prove(net, claim)
        assert all(is_home(net, formula, behind or {}) for formula in claim.formulas)


@few
@given(nets())
def test_what_is_found_by_reversal_is_true_and_proved(net: Net) -> None:
    behind = reachable_from(net)
    assume(behind is not None)
    for claim in _found(reversal.home_claims, net, [home_marking(net, net.initial)]):
        prove(net, claim)
        assert all(net.initial in reached for reached in (behind or {}).values())


Finder = Callable[[Net, Sequence[Formula], Budget], Iterator[Home]]


def _found(finder: Finder, net: Net, formulas: Sequence[Formula]) -> list[Home]:
    claims = list[Home]()
    with suppress(BudgetExhausted):
        for claim in finder(net, formulas, Budget(0.5)):
            claims.append(claim)
    return claims


# Renewal


@st.composite
def renewals(draw: st.DrawFn) -> tuple[Net, Home, bool]:
    """A bounded net, a proof that is often right, and whether what it claims is true."""
    net = draw(nets())
    behind = reachable_from(net)
    assume(behind is not None)
    least = draw(st.sampled_from(sorted({*(behind or {}), (0,) * len(net.places)})))
    formula = draw(st.one_of(st.sampled_from(enabling(net)), targets(net)))
    names = st.lists(st.sampled_from(net.actions), max_size=3)
    able = [
        word
        for word in draw(st.lists(names.map(lambda word: trace(*word)), min_size=1, max_size=9))
        if (after := _fired(net.beginning(least), word)) is not None
        and evaluate(formula, net.values(after))
    ]
    inner: object = None
    with suppress(BudgetExhausted):
        inner = descent.descend(net, holds_at_least(net, enumerate(least)), Budget(1))
    tokens = tuple(pair for pair in zip(net.places, least, strict=True) if pair[1])
    proof = inner or LoweringWords((), (), Certificate(holds_at_least(net, enumerate(least))))
    renewed = RenewedTokens((tokens,), proof, ((able[0] if able else trace(),),))
    return net, Home((formula,), renewed), is_home(net, formula, behind or {})


def test_no_renewal_is_accepted_where_brute_force_finds_no_home_space() -> None:
    accepted = 0

    @repeatable(30)
    @given(renewals())
    def test(case: tuple[Net, Home, bool]) -> None:
        nonlocal accepted
        net, claim, true = case
        with suppress(EvidenceError):
            prove(net, claim)
            accepted += 1
            assert true

    test()
    assert accepted >= 3


@given(st.data())
def test_more_tokens_never_lead_out_of_what_is_seen_to_be_upward_closed(
    data: st.DataObject,
) -> None:
    net = data.draw(nets())
    formula = data.draw(st.one_of(st.sampled_from(enabling(net)), targets(net)))
    assume(is_upward_closed(formula))
    few_tokens = data.draw(st.tuples(*(st.integers(0, 4) for _ in net.places)))
    more = data.draw(st.tuples(*(st.integers(n, n + 3) for n in few_tokens)))
    if evaluate(formula, net.values(few_tokens)):
        assert evaluate(formula, net.values(more))


def some_reachable(net: Net) -> list[Marking]:
    """The first of the reachable markings, by their distance."""
    markings = {net.initial: None}
    for marking in (waiting := [net.initial]):
        for transition in net.transitions:
            if len(markings) < 300 and transition.enabled(marking):
                after = transition.fire(marking)
                if after not in markings:
                    markings[after] = None
                    waiting.append(after)
    return [*markings]


def test_what_is_found_by_renewal_in_unbounded_nets_is_true_and_proved() -> None:
    found = 0

    @example(GROWTH)
    @example(SERVER)
    @given(nets())
    def test(net: Net) -> None:
        nonlocal found
        for claim in _found(renewal.home_claims, net, enabling(net)):
            prove(net, claim)
            for transition in net.transitions:
                needed = dict(transition.pre)
                least = tuple(needed.get(place, 0) for place in range(len(net.places)))
                basis = covering(net, least)
                if basis and holding(net, transition.pre) in claim.formulas:
                    found += 1
                    for marking in some_reachable(net):
                        assert any(dominates(marking, enough) for enough in basis)

    test()
    assert found >= 3


def test_a_bounded_net_is_left_to_other_searches() -> None:
    assert not list(renewal.home_claims(SWING, enabling(SWING), Budget(5)))
    assert not list(renewal.home_claims(TURNS, enabling(TURNS), Budget(5)))


def test_what_more_tokens_may_falsify_is_left_to_other_searches() -> None:
    claims = list(renewal.home_claims(SERVER, (equal(s, 0), at_least(s, 7)), Budget(5)))
    assert [claim.formulas for claim in claims] == [(at_least(s, 7),)]


# Free choice


@settings(max_examples=22)
@example(TURNS)
@given(st.one_of(free_choices(), machines()))
def test_a_bounded_free_choice_net_is_proved_live_and_reversible_where_it_is(net: Net) -> None:
    behind = reachable_from(net)
    assume(behind is not None and is_connected(net))
    formulas = (*enabling(net), home_marking(net, net.initial))
    homes = {formula for formula in formulas if is_home(net, formula, behind or {})}
    claims = list(free_choice.home_claims(net, formulas, Budget(5)))
    for claim in claims:
        prove(net, claim)
    live = homes >= set(enabling(net))
    assert {f for claim in claims for f in claim.formulas} == (homes if live else set())


# Tables


def invariant(*parts: Formula) -> Certificate:
    return Certificate(conjunction(parts))


WORDS = (trace("work"), trace("end"), trace("begin", "work", "end"))
SUMS = invariant(equal(p + q + r * 2, 10**6), equal(s, 1))
DONE = LoweringWords((("q", 1), ("r", 1)), WORDS, SUMS)
START = home_marking(SHOP, SHOP.initial)
SWUNG = ReversingWords((("go", (trace("back"),)), ("back", (trace("go"),))), NOTHING)
BOTH_WAYS = PositiveInvariants((("p", 1), ("q", 1)), (("back", 1), ("go", 1)))
TAKEN = ReversingWords(
    (("put", (Trace((("take", 3),)),)), ("take", (Trace((("put", 1), ("take", 2))),))),
    NOTHING,
)
SERVED = RenewedTokens(
    ((("q", 1),),),
    LoweringWords((("r", 1),), (trace("end"),), invariant(equal(q + r, 1))),
    ((trace("come", "begin"),),),
)
HERE_OR_THERE = RenewedTokens(
    ((("p", 1),), (("q", 1),)),
    LoweringWords((), (), invariant(equal(p + q, 1))),
    ((trace(),), (trace("back"),)),
)


def ring(*names: str, **tokens: int) -> Net:
    """A token goes round; transitions are called like the places that they take from, with t."""
    turns = zip(names, (*names[1:], names[0]), strict=True)
    arcs = {f"t{a}": ({a: 1}, {b: 1}) for a, b in turns}
    return make_net("ring", dict.fromkeys(names, 0) | tokens, arcs)


def ones(net: Net) -> PositiveInvariants:
    return PositiveInvariants(
        tuple((place, 1) for place in net.places), tuple((name, 1) for name in net.actions)
    )


JOIN = net_of("p=2 a=0 b=0 r=0, left: p -> a, right: p -> b, join: a + b -> p + r, back: r -> p")
"""One of two ways is chosen, and both are waited for."""

TWO_RINGS = make_net(
    "two rings",
    dict.fromkeys("pqab", 1),
    {x + y: ({x: 1}, {y: 1}) for x, y in ("pq", "qp", "ab", "ba")},
)
SHARED = net_of("p=1 q=1, t: p -> p, u: p + q -> p + q")


HEAVY = tuple(
    make_net("heavy", {"p": 1, "q": 1}, {"t": ({"p": a, "q": b}, {"p": c, "q": d})})
    for a, b, c, d in ((2, 1, 1, 1), (1, 2, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2))
)
"""One weight is not 1."""

ISOLATED = tuple(
    make_net(
        "isolated",
        dict.fromkeys(("p", "q", *places), 1),
        {
            "go": ({"p": 1}, {"q": 1}),
            "back": ({"q": 1}, {"p": 1}),
            **dict.fromkeys(names, ({}, {})),
        },
    )
    for places, names in ((("r",), ()), ((), ("idle",)))
)
"""A place or a transition has no arcs."""

PAIRS = net_of("p=1 q=0, go: 2 p -> 2 q, back: 2 q -> 2 p")
"""What moves two tokens has one."""

PAIR = net_of("p=1 q=0, go: 2 p -> p + q, back: q -> p")
"""The same; only one arc has a weight of 2."""

SEIZED = net_of("p=0 q=1 r=0, a: p + r -> p + q, b: q -> p, c: p + q -> q + r")
"""Two transitions that share an input place have another one each; it ends after b."""


ONCE = net_of("p=1 q=0, go: p -> q, stay: q -> q")
"""Tokens are kept, but nothing returns."""

COMING = Trace((("come", 3),))

WITHIN = (SERVED, OnwardTraces((), SERVED.proof, ()), Restarted(SERVED.proof, NOTHING))
"""Proofs that hold others."""

TRUE_CLAIMS: dict[str, tuple[Net, Home]] = {
    "words that lower a rank": (SHOP, Home((START,), DONE)),
    "weights of all places": (
        SHOP,
        Home((START,), replace(DONE, rank=(("p", 2), ("q", 3), ("r", 5), ("s", 1)))),
    ),
    "a descent into two spaces at once": (SHOP, Home((START, equal(r, 0)), DONE)),
    "words that take back": (SWING, Home((equal(p, 1), at_least(p, 1)), SWUNG)),
    "words that take back without bounds": (
        GROWTH,
        Home((equal(p, 0),), replace(TAKEN, certificate=invariant(equal(s, 1)))),
    ),
    "a free-choice net": (SWING, Home((at_least(p, 1), equal(q, 0), equal(p, 1)), BOTH_WAYS)),
    "tokens that are there again": (
        SERVER,
        Home(
            (at_least(r, 1), Negation(at_most(p * 2 + s, 3)), TRUE),
            replace(
                SERVED,
                traces=(
                    (*SERVED.traces[0], trace("come", "begin", "come", "end", "come"), trace()),
                ),
            ),
        ),
    ),
    "the tokens of one of two markings": (SWING, Home((at_least(p, 1),), HERE_OR_THERE)),
    "no tokens, which are always there": (
        SERVER,
        Home((at_least(p, 3),), RenewedTokens(((),), LoweringWords((), (), NOTHING), ((COMING,),))),
    ),
    "more than what is enabled": (
        ring("p", "q", "r", r=2),
        Home((Disjunction((at_least(q, 1), at_least(p, 5))),), ones(ring("p", "q", "r"))),
    ),
}

FALSE_CLAIMS: dict[str, tuple[Net, Home, str]] = {
    **{
        f"tokens that lead out, {number}": (
            SERVER,
            Home((formula,), replace(SERVED, traces=((trace(),),))),
            "more tokens may lead out of a home space",
        )
        for number, formula in enumerate(
            (
                equal(s, 0),
                at_most(s, 0),
                Negation(at_least(s, 1)),
                congruent(s, 0, 2),
                at_least(q - s, 1),
                conjunction((at_least(q, 1), at_most(s, 0))),
                Disjunction((at_least(s * -1 + r, 0), at_least(p, 10**6))),
            )
        )
    },
    "a trace that needs more than the tokens": (
        SERVER,
        Home((at_least(r, 1),), replace(SERVED, traces=((trace("begin"),),))),
        "cannot fire",
    ),
    "a trace that needs the initial tokens": (
        SERVER,
        Home((at_least(r, 1),), replace(SERVED, markings=((),))),
        "cannot fire",
    ),
    "a trace from tokens into something else": (
        SERVER,
        Home((at_least(s, 1),), SERVED),
        "a trace does not lead from a home marking into its formula",
    ),
    "one trace too few from tokens": (
        SERVER,
        Home((at_least(r, 1), at_least(p, 1)), SERVED),
        "not a trace into each",
    ),
    "traces from one of two markings": (
        SWING,
        Home((at_least(p, 1),), replace(HERE_OR_THERE, traces=HERE_OR_THERE.traces[:1])),
        "not traces for each",
    ),
    "a trace from one of two markings into something else": (
        SWING,
        Home((at_least(p, 1),), replace(HERE_OR_THERE, traces=((trace(),), (trace(),)))),
        "a trace does not lead from a home marking into its formula",
    ),
    "one of two markings, where the other is reachable": (
        SWING,
        Home(
            (at_least(p, 1),),
            replace(
                HERE_OR_THERE,
                markings=HERE_OR_THERE.markings[:1],
                traces=HERE_OR_THERE.traces[:1],
            ),
        ),
        "the invariant meets the target",
    ),
    "no marking": (
        SWING,
        Home((at_least(p, 1),), replace(HERE_OR_THERE, markings=(), traces=())),
        "the invariant meets the target",
    ),
    "a proof about fewer tokens": (
        SERVER,
        Home(
            (at_least(r, 2),),
            replace(SERVED, markings=((("q", 1), ("r", 2)),), traces=((trace(),),)),
        ),
        "the invariant meets the target",
    ),
    "more tokens than are there again": (
        SERVER,
        Home((at_least(q, 2),), replace(SERVED, markings=((("q", 2),),), traces=((trace(),),))),
        "the invariant meets the target",
    ),
    "tokens of another net": (
        SERVER,
        Home((at_least(r, 1),), replace(SERVED, markings=((("q", 1), ("x", 1)),))),
        "one that the net has not",
    ),
    "tokens of a place twice": (
        SERVER,
        Home((at_least(r, 1),), replace(SERVED, markings=((("q", 1), ("q", 1)),))),
        "names a place twice",
    ),
    **{
        f"no number of tokens, {number}": (
            SERVER,
            Home(
                (at_least(r, 1),),
                replace(SERVED, markings=((("q", 1), ("s", number)),)),  # type: ignore[arg-type]
            ),
            "something else than numbers of tokens",
        )
        for number in (-1, 0.5)
    },
    **{
        f"a proof within a proof about tokens, {number}": (
            SERVER,
            Home((at_least(r, 1),), replace(SERVED, proof=inner)),
            "holds another one",
        )
        for number, inner in enumerate(WITHIN)
    },
    "a word that does not lower the rank": (
        SHOP,
        Home((START,), replace(DONE, rank=(("q", 1),))),
        "does not lower the rank",
    ),
    "a word that changes nothing": (
        SHOP,
        Home((FALSE,), replace(DONE, words=(trace(),))),
        "does not lower the rank",
    ),
    "a weight below 0": (
        SHOP,
        Home((START,), replace(DONE, rank=(("p", -1),), words=(trace("begin"),))),
        "no natural number",
    ),
    "a weight that is no integer": (
        SHOP,
        Home((START,), replace(DONE, rank=(("q", 0.5), ("r", 0.5)))),  # type: ignore[arg-type]
        "no natural number",
    ),
    "a weight of another net": (
        SHOP,
        Home((START,), replace(DONE, rank=(("x", 1),))),
        "one that the net has not",
    ),
    "a weight twice": (
        SHOP,
        Home((START,), replace(DONE, rank=(("q", 1), ("q", 1)))),
        "names a place twice",
    ),
    "a word of another net": (
        SHOP,
        Home((START,), replace(DONE, words=(trace("fly"),))),
        "which is no transition",
    ),
    "a word that fires once and a half": (
        SHOP,
        Home((START,), replace(DONE, words=(Trace((("end", 1.5),)),))),  # type: ignore[arg-type]
        "no positive count",
    ),
    "a word that never fires": (
        SHOP,
        Home((START,), replace(DONE, words=(Trace((("end", 1), ("work", 0))),))),
        "no positive count",
    ),
    "a word that runs backwards": (
        SHOP,
        Home((START,), replace(DONE, words=(Trace((("begin", -1),)),))),
        "no positive count",
    ),
    "markings where no word fires": (
        SHOP,
        Home((START,), replace(DONE, words=WORDS[:2])),
        "the invariant meets the target",
    ),
    "a word that cannot fire": (
        LOCK,
        Home(
            (equal(p, 1),),
            LoweringWords((("q", 1),), (trace("back"),), invariant(at_most(p + q, 1))),
        ),
        "the invariant meets the target",
    ),
    "no invariant": (
        SHOP,
        Home((START,), replace(DONE, certificate=invariant(equal(q + r, 0)))),
        "leaves the invariant",
    ),
    "one of two spaces": (
        SHOP,
        Home((START, at_least(q, 1)), DONE),
        "the invariant meets the target",
    ),
    "a space in no place": (
        SHOP,
        Home((equal(variable("x"), 0),), DONE),
        "no place of the net",
    ),
    "a proof where a certificate belongs": (
        SHOP,
        Home((START,), replace(DONE, certificate=DONE)),
        "nothing audits certificates",
    ),
    "a transition that nothing takes back": (
        SWING,
        Home((equal(p, 1),), replace(SWUNG, words=SWUNG.words[1:])),
        "the invariant meets the target",
    ),
    "an inverse that cannot fire": (
        LOCK,
        Home((equal(p, 1),), SWUNG),
        "the invariant meets the target",
    ),
    "an inverse that cannot fire where more was than is put": (
        SPARE,
        Home((equal(p, 1),), replace(SWUNG, certificate=invariant(at_least(r, 2), at_most(s, 0)))),
        "the invariant meets the target",
    ),
    "an inverse with another effect": (
        SWING,
        Home((equal(p, 1),), replace(SWUNG, words=(("go", (trace("go"),)),))),
        "does not take 'go' back",
    ),
    "another inverse with another effect": (
        SWING,
        Home((equal(p, 1),), replace(SWUNG, words=(("back", (trace("back"),)),))),
        "does not take 'back' back",
    ),
    "an inverse of no transition": (
        SWING,
        Home((equal(p, 1),), replace(SWUNG, words=(*SWUNG.words, ("fly", ())))),
        "no transition of the net",
    ),
    "an inverse that would fire if more were there": (GROWTH, Home((equal(p, 0),), TAKEN), "meets"),
    "a first space without the initial marking": (
        SWING,
        Home((equal(q, 1), equal(p, 1)), SWUNG),
        "the initial marking is not in a home space",
    ),
    "a space without the initial marking": (
        SWING,
        Home((equal(p, 1), equal(q, 1)), SWUNG),
        "the initial marking is not in a home space",
    ),
    "no free choice": (SHARED, Home((at_least(p, 1),), ones(SHARED)), "not free-choice"),
    **{
        f"a weight, {number}": (net, Home((at_least(p, 1),), ones(net)), "not free-choice")
        for number, net in enumerate(HEAVY)
    },
    **{
        f"no arcs, {number}": (net, Home((at_least(p, 1),), ones(net)), "not connected")
        for number, net in enumerate(ISOLATED)
    },
    "two nets": (TWO_RINGS, Home((at_least(p, 1),), ones(TWO_RINGS)), "not connected"),
    "no place": (
        make_net("none", {}, {"t": ({}, {})}),
        Home((TRUE,), PositiveInvariants((), (("t", 1),))),
        "not connected",
    ),
    "an invariant of other places": (
        SWING,
        Home((at_least(p, 1),), replace(BOTH_WAYS, places=(("p", 1),))),
        "does not name all places",
    ),
    "an invariant of other transitions": (
        SWING,
        Home((at_least(p, 1),), replace(BOTH_WAYS, transitions=(("go", 1),))),
        "not all transitions",
    ),
    "a weight of 0": (
        SWING,
        Home((at_least(p, 1),), replace(BOTH_WAYS, places=(("p", 0), ("q", 0)))),
        "not positive",
    ),
    "a weight of 0 of a transition": (
        SWING,
        Home((at_least(p, 1),), replace(BOTH_WAYS, transitions=(("back", 0), ("go", 0)))),
        "not positive",
    ),
    "weights that are no integers": (
        SWING,
        Home((at_least(p, 1),), replace(BOTH_WAYS, places=(("p", 1.5), ("q", 1.5)))),  # type: ignore[arg-type]
        "not positive",
    ),
    "sums that firings change": (
        SWING,
        Home((at_least(p, 1),), replace(BOTH_WAYS, places=(("p", 1), ("q", 2)))),
        "changes the place invariant",
    ),
    "firings that change a place": (
        SWING,
        Home((at_least(p, 1),), replace(BOTH_WAYS, transitions=(("go", 1), ("back", 2)))),
        "changes a place",
    ),
    "firings that change some places": (
        ring("p", "q", "r", p=1),
        Home(
            (at_least(p, 1),),
            replace(ones(ring("p", "q", "r")), transitions=(("tp", 1), ("tq", 1), ("tr", 2))),
        ),
        "changes a place",
    ),
    "too many choices": (
        JOIN,
        Home((at_least(variable("r"), 1),), ones(JOIN)),
        "the rank of the net",
    ),
    "a trap without tokens": (
        TURNS,
        Home((equal(variable("a0"), 1),), ones(TURNS)),
        "does not contain what is shown",
    ),
    "no tokens": (
        ring("p", "q"),
        Home((at_least(p, 1),), ones(ring("p", "q"))),
        "a siphon is empty initially",
    ),
    "more than what is enabled once": (
        SWING,
        Home((at_least(p, 2),), BOTH_WAYS),
        "does not contain what is shown",
    ),
}


def beside(net: Net) -> Net:
    """The net, and two more places with a token between them."""
    x, y = len(net.places), len(net.places) + 1
    turns = Transition("xy", ((x, 1),), ((y, 1),)), Transition("yx", ((y, 1),), ((x, 1),))
    return replace(
        net,
        places=(*net.places, "x", "y"),
        initial=(*net.initial, 1, 0),
        labels=(),
        transitions=(*net.transitions, *turns),
    )


IDLE = replace(JOIN, transitions=(*JOIN.transitions, Transition("idle", (), ())))
EMPTY_RING = ring("p", "q")
FIRED = PositiveInvariants(ones(ONCE).places, (("go", 0), ("stay", 1)))
RETURNS = PositiveInvariants(
    ones(DRAINED).places, (("leave", 1), ("call", 1), ("come", 1), ("put", 1), ("take", 2))
)
KEPT = replace(RETURNS, places=(("p", 0), ("q", 1), ("r", 0), ("s", 0)))
CHECKS: dict[str, object] = {
    "is_free_choice": lambda net: True,
    "_is_connected": lambda net: True,
    "_check_invariants": lambda net, proof, budget: None,
    "_has_rank": lambda net: True,
    "_unmarked": lambda net, arcs: set(),
    "contains_home": lambda net, formula, reversible: True,
}
CONDITIONS: dict[str, tuple[Net, Formula, PositiveInvariants, str]] = {
    "weights are 1": (PAIRS, at_least(q, 1), ones(PAIRS), "is_free_choice"),
    "what is taken has weight 1": (PAIR, at_least(q, 1), ones(PAIR), "is_free_choice"),
    "inputs are the same": (SEIZED, at_least(q, 1), ones(SEIZED), "is_free_choice"),
    "places are connected": (beside(JOIN), at_least(r, 1), ones(beside(JOIN)), "_is_connected"),
    "transitions are connected": (IDLE, at_least(r, 1), ones(IDLE), "_is_connected"),
    "tokens are kept": (DRAINED, at_least(p, 1), RETURNS, "_check_invariants"),
    "all tokens count": (DRAINED, at_least(p, 1), KEPT, "_check_invariants"),
    "firings return": (ONCE, at_least(p, 1), ones(ONCE), "_check_invariants"),
    "all firings count": (ONCE, at_least(p, 1), FIRED, "_check_invariants"),
    "the rank is that of the clusters": (JOIN, at_least(r, 1), ones(JOIN), "_has_rank"),
    "siphons are marked": (EMPTY_RING, at_least(p, 1), ones(EMPTY_RING), "_unmarked"),
    "traps are marked": (TURNS, home_marking(TURNS, TURNS.initial), ones(TURNS), "_unmarked"),
    "one transition is enabled there": (
        SWING,
        conjunction((at_least(p, 1), at_least(q, 1))),
        BOTH_WAYS,
        "contains_home",
    ),
    "a token enables": (SWING, at_least(p, 2), BOTH_WAYS, "contains_home"),
}
"""Each condition of the theorems: a net that violates it alone, and what would be a home space."""


@pytest.mark.parametrize("condition", CONDITIONS)
def test_each_condition_of_the_theorems_on_free_choice_nets_is_checked_and_needed(
    condition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    net, formula, proof, check = CONDITIONS[condition]
    weights = dict(proof.places)
    kept = (sum(weights[net.places[p]] * n for p, n in t.effect) == 0 for t in net.transitions)
    assert all(kept) == (condition != "tokens are kept")
    assert (net.after(proof.transitions) == net.initial) == (condition != "firings return")
    if net == DRAINED:
        prove(net, ExcludedAfter(trace("leave"), formula, invariant(equal(p + s, 0))))
    else:
        assert not is_home(net, formula, reachable_from(net) or {})
    with pytest.raises(EvidenceError):
        prove(net, Home((formula,), proof))
    monkeypatch.setattr(
        import_module("petricheck.evidence.audit.homes.free_choice"), check, CHECKS[check]
    )
    prove(net, Home((formula,), proof))


@pytest.mark.parametrize("name", TRUE_CLAIMS)
def test_a_home_space_is_proved(name: str) -> None:
    net, claim = TRUE_CLAIMS[name]
    prove(net, claim)
    written = Json().write(net, several(net, "reversible", "", (claim,)))
    assert Json().read(written).claims == (claim,)
    assert not [*VALID["evidence"].iter_errors(json.loads(written))]


@pytest.mark.parametrize("name", FALSE_CLAIMS)
def test_a_proof_of_a_home_space_that_is_none_is_refused(name: str) -> None:
    net, claim, reason = FALSE_CLAIMS[name]
    with pytest.raises(EvidenceError, match=reason):
        prove(net, claim)


def test_a_proof_within_a_proof_is_not_read() -> None:
    nested = Home((START,), replace(DONE, certificate=DONE))
    written = Json().write(SHOP, several(SHOP, "reversible", "", (nested,)))
    with pytest.raises(EvidenceError, match="where a certificate belongs"):
        Json().read(written)


@pytest.mark.parametrize("inner", WITHIN)
def test_a_proof_within_a_proof_about_tokens_is_not_read(inner: object) -> None:
    nested = Home((at_least(r, 1),), replace(SERVED, proof=inner))
    written = Json().write(SERVER, several(SERVER, "live", "", (nested,)))
    with pytest.raises(EvidenceError, match="holds another one"):
        Json().read(written)


def test_a_proof_about_tokens_is_no_certificate() -> None:
    nested = Home((START,), replace(DONE, certificate=SERVED))
    written = Json().write(SHOP, several(SHOP, "reversible", "", (nested,)))
    with pytest.raises(EvidenceError, match="where a certificate belongs"):
        Json().read(written)


def test_an_unbounded_net_is_live_though_no_marking_returns(tmp_path: Path) -> None:
    file, evidence = tmp_path / "server.pnml", tmp_path / "e.json"
    file.write_bytes(Pnml().write(SERVER))
    told = ended(run(file, "--live", "--evidence", evidence)).output
    assert told.startswith("live\n")
    assert "The net can always get 1 token on 1 place again; from there: 3 traces." in told
    assert ended(run("verify", file, evidence)).output.startswith("accepted: live\n")
    assert ended(run(file, "--reversible")).output.startswith("not reversible\n")


@pytest.mark.slow
def test_more_markings_than_can_be_explored_are_no_obstacle(tmp_path: Path) -> None:
    file, evidence = tmp_path / "shop.pnml", tmp_path / "e.json"
    file.write_bytes(Pnml().write(SHOP))
    asked = ("--reversible", "--evidence", evidence, "--invariant")
    told = ended(run(file, *asked)).output
    assert told.startswith("reversible\n") and "begin work end" in told
    assert ended(run("verify", file, evidence)).output.startswith("accepted: reversible\n")
    assert ended(run(file, "--home", "q = 1 and r = 1")).output.startswith("home space\n")
