"""Questions about coloured nets in their words: all colours together, any binding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from coloured_nets import Marking, coloured_nets, firings, reachable
from folders import NETS
from hypothesis import assume, given
from invoked import run, settled
from property_files import bound, ef, file_of, fireable, possible, prop
from questions import parse_query
from strategies import repeatable

from petricheck.arithmetic.formulas.formulas import at_least, evaluate
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.arithmetic.formulas.text import name_to_text, term_to_text
from petricheck.evidence.claims import Excluded
from petricheck.formats.language.model import deadlocked
from petricheck.formats.nets import read_net
from petricheck.formats.properties import Maximum, read_properties
from petricheck.model.coloured.merging import unfold_merged
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Dot, Enumeration, Product, Range
from petricheck.model.coloured.terms import Constant, Shifted, Summand, Tuple, Variable
from petricheck.model.coloured.unfolding import place_name, unfold
from petricheck.model.net import Net, make_net
from petricheck.questions import Setting, Study, answer, ask, check
from petricheck.questions.properties import property_question
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError

LIMIT, BUDGET = 40, Budget()


def held(net: ColouredNet, marking: Marking, name: str) -> int:
    """Tokens of all colours."""
    return sum(k for place, _, k in marking if net.places[place].name == name)


def values(net: ColouredNet, flat: Net, marking: Marking) -> dict[str, int]:
    """The marking by the unfolded places."""
    tokens = {place_name(net, place, colour): k for place, colour, k in marking}
    return {name: tokens.get(name, 0) for name in flat.places}


def told(flat: Net, kind: str) -> tuple[object, dict[str, Any]]:
    """The answer, and its facts, concluded again from the claims alone."""
    finding = check(ask(flat, **{kind: True}), budget=Budget(30))
    assert finding.question.conclude(finding.claims) == finding.conclusion
    return finding.value, dict(finding.conclusion.facts)


@repeatable(8)
@given(coloured_nets())
def test_places_and_transitions_of_the_model_are_safe_stable_and_quasi_live(net: ColouredNet):
    markings = reachable(net, LIMIT)
    assume(markings is not None)
    assert markings is not None
    flat = unfold(net, Budget())
    counts = {p.name: {held(net, m, p.name) for m in markings} for p in net.places}
    fired = {name for marking in markings for name, _, _ in firings(net, marking)}
    unsafe = [name for name, tokens in counts.items() if max(tokens) > 1]
    value, facts = told(flat, "safe")
    assert (value, facts["unsafe"], facts["open"]) == (not unsafe, unsafe, [])
    stable = [name for name, tokens in counts.items() if len(tokens) == 1]
    value, facts = told(flat, "stable")
    assert (value, facts["stable"], facts["open"]) == (bool(stable), stable, [])
    dead = [t.name for t in net.transitions if t.name not in fired]
    value, facts = told(flat, "quasi_live")
    assert (value, facts["dead"], facts["open"]) == (not dead, dead, [])
    value, facts = told(flat, "bounded")
    assert value is True
    assert all(facts["limits"][name] >= max(tokens) for name, tokens in counts.items())


@repeatable(25)
@given(coloured_nets())
def test_names_count_all_colours_and_fire_under_any_binding(net: ColouredNet):
    flat = unfold(net, Budget())
    first, last = net.places[0].name, net.places[-1].name
    t, u = net.transitions[0].name, net.transitions[-1].name
    questions = {
        kind: parse_query("formula" if kind in ("enabled", "alone") else kind, flat, text)
        for kind, text in {
            "formula": f"{first} >= 2 or fireable({t}, {u})",
            "enabled": f"{first} >= 2 or enabled({t}, {u})",
            "alone": f"deadlock and {first} >= 2",
            "cover": f"{first}=1" + (f", {last}=2" if first != last else ""),
            "target": f"{first}=1",
            "fireable": t,
        }.items()
    } | {"deadlock": deadlocked(flat)}
    for marking in reachable(net, LIMIT) or ():
        enabled = {name for name, _, _ in firings(net, marking)}
        tokens = values(net, flat, marking)
        ones, twos = held(net, marking, first), held(net, marking, last)
        meant = {
            "formula": ones >= 2 or not enabled.isdisjoint({t, u}),
            "enabled": ones >= 2 or not enabled.isdisjoint({t, u}),
            "alone": ones >= 2 and not enabled,
            "cover": ones >= 1 and (first == last or twos >= 2),
            "target": ones == 1 == sum(k for _, _, k in marking),
            "fireable": t in enabled,
            "deadlock": not enabled,
        }
        assert {kind: evaluate(formula, tokens) for kind, formula in questions.items()} == meant


@repeatable(25)
@given(coloured_nets(), st.data())
def test_a_colour_and_a_binding_are_named_without_quotes(net: ColouredNet, data: st.DataObject):
    flat = unfold(net, Budget())
    number = data.draw(st.integers(0, len(net.places) - 1))
    colour = data.draw(st.integers(0, net.places[number].sort.size - 1))
    transition = data.draw(st.sampled_from(net.transitions))
    chosen = data.draw(st.permutations(transition.variables))[: data.draw(st.integers(0, 2))]
    given = {v.name: data.draw(st.integers(0, v.sort.size - 1)) for v in chosen}
    binding = ",".join(f"{v.name} = {v.sort.text(given[v.name])}" for v in chosen)
    fires = f"{transition.name}({binding})" if chosen else transition.name
    place = place_name(net, number, colour)
    assert name_to_text(place) == place
    for spaced in (place, place.replace(" ", ""), place.replace("(", "( ")):
        tokens = parse_query("formula", flat, f"1 <= {spaced}")
        cover = parse_query("cover", flat, f"{spaced}=1")
        fireable = parse_query("fireable", flat, fires)
        both = parse_query("formula", flat, f"fireable({fires}) or {spaced}>0")
        for marking in reachable(net, LIMIT) or ():
            at = values(net, flat, marking)
            enabled = any(
                name == transition.name and given.items() <= bound.items()
                for name, bound, _ in firings(net, marking)
            )
            held = any(p == number and c == colour for p, c, _ in marking)
            told = [evaluate(formula, at) for formula in (tokens, cover, fireable, both)]
            assert told == [held, held, enabled, held or enabled]


@pytest.mark.parametrize(
    ("question", "message", "position"),
    [
        (
            {"formula": "p(a) = 1 and r(a, 7) = 0"},
            "place 'r' holds no (a, 7): the sort 'D' has 1, 2, 3, 4, 5 and 1 more, not '7'",
            13,
        ),
        (
            {"cover": "r(b)=1"},
            "place 'r' holds no (b): the sort 'CD' has (a, 1), (a, 2), (a, 3), (a, 4), (a, 5) and "
            "7 more, not '(b)'",
            0,
        ),
        ({"bound": "p(c)"}, "place 'p' holds no (c): the sort 'C' has a, b, not 'c'", 0),
        ({"fireable": "t(z=a)"}, "transition 't' has no variable 'z', only x, y", 0),
        ({"fireable": "t(x=1)"}, "the sort 'C' has a, b, not '1'", 0),
        ({"fireable": "t(x=a, x=b)"}, "the variable 'x' is given twice", 0),
        ({"fireable": "t(a)"}, "a colour is given to a variable, as in t(x=a)", 0),
        ({"formula": "fireable(s(a))"}, "there is no transition 's(a)'", 9),
    ],
)
def test_unknown_colours_are_refused_with_those_that_there_are(question, message, position):
    with pytest.raises(QueryError) as refused:
        ask(PAIRS, **question)
    assert (refused.value.message, refused.value.position) == (message, position)


def test_plain_names_with_parentheses_need_no_quotes():
    net = make_net("plain", {"p(1)": 1, "p(2, x)": 0}, {"t(1)": ({"p(1)": 1}, {"p(2, x)": 2})})
    assert check(ask(net, formula="p(1) = 0 and p(2, x) = 2")).value is True
    assert check(ask(net, cover="p(2, x)=2")).value is True
    assert check(ask(net, fireable="t(1)")).value is True
    with pytest.raises(QueryError, match=r"there is no place 'p\(3\)'; did you mean p\(1\)"):
        ask(net, formula="p(3) = 1")
    net = make_net("plain", {"p": 1}, {"t": ({"p": 1}, {})})
    for question in ({"formula": "p(3) = 1"}, {"bound": '"p(3)"'}, {"fireable": "t(x=3)"}):
        with pytest.raises(QueryError, match=r"there is no (place|transition) '(p|t)\("):
            ask(net, **question)


NAMED = unfold(
    ColouredNet(
        "named",
        tuple(
            Place(name, Enumeration("C", ("a", "b")), initial, label)
            for name, label, count in (
                ("p", "q", 1),
                ("q", "", 2),
                ('"p"', "p(a)", 4),
                ("r", "twice", 8),
                ("s", "twice", 16),
            )
            for initial in ((Summand(count, Constant(Enumeration("C", ("a", "b")), 0)),),)
        ),
        (),
    ),
    Budget(),
)
"""Names that could be taken for others."""


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("p", 1),
        ('"p"', 1),
        ("q", None),  # an id, and a name that people gave
        ("q(a)", None),
        ('"q (q)"', 2),
        ('"q (p)"', 1),
        ('"q (p)"(a)', 1),
        ('"twice (s)"(a) + "twice (r)"(b)', 16),
        ('"\\"p\\""', 4),
        ('"p(a)"', 4),
        ('"q (q)" + "p(a)"', 6),
        ('"p"(a)', 1),
        ("p(b)", 0),
        ('"\\"p\\""(a)', 4),
        ("p(a)", None),
        ('"q" + p(a)', None),
        ("twice", None),
        ('"twice"(a)', None),
        ("r + s", 24),
        ('""', None),
        ('"p(ab"', None),
        ('"p(a) "', None),
        ('"(a)"', None),
    ],
)
def test_a_name_means_one_place(text, tokens):
    if tokens is None:
        with pytest.raises(QueryError):
            ask(NAMED, bound=text)
    else:
        assert check(ask(NAMED, bound=text)).value == tokens


def test_what_is_shown_of_a_coloured_place_is_read_as_it() -> None:
    assert NAMED.origin is not None
    for place, numbers in NAMED.origin.places.items():
        for number in numbers:
            one = variable(NAMED.places[number])
            assert ask(NAMED, cover=f"{term_to_text(NAMED.shown.term(one))}=3").target == at_least(
                one, 3
            )
        shown = shown_name(NAMED.shown.place(place))
        assert check(ask(NAMED, bound=shown)).value == sum(NAMED.initial[n] for n in numbers)


PHILOSOPHERS = read_net(NETS / "philosophers.pnml").net
DOT = Dot()
TOKEN = (Summand(1, Constant(DOT, 0)),)
COLOURS, NUMBERS = Enumeration("C", ("a", "b")), Range("D", 1, 6)
LEFT_OUT = unfold(
    ColouredNet(
        "never",
        (Place("p", COLOURS), Place("q", DOT, TOKEN)),
        (Transition("t", ((0, (Summand(1, Variable("x", COLOURS)),)),), ((1, TOKEN),)),),
    ),
    Budget(),
)
"""A net with a place that never has a colour, so that nothing is left of the transition."""
PAIR = Product("CD", (COLOURS, NUMBERS))
X, Y = Variable("x", COLOURS), Variable("y", NUMBERS)
PAIRS = unfold(
    ColouredNet(
        "pairs",
        (Place("p", COLOURS), Place("r", PAIR)),
        (Transition("t", ((0, (Summand(1, X),)),), ((1, (Summand(1, Tuple((X, Y))),)),)),),
    ),
    Budget(),
)


def test_a_bound_is_that_of_all_colours():
    assert check(ask(PHILOSOPHERS, bound="fork")).value == 5
    posed = ask(PHILOSOPHERS, bound="fork + eating")
    again = property_question(PHILOSOPHERS, Maximum(Term(posed.content.sum, 0)))
    assert again.text == "eating + fork"
    assert ask(PHILOSOPHERS, bound=again.text).content == posed.content
    assert check(ask(PHILOSOPHERS, bound='"fork(ada)" + 2*"fork(ben)"')).value == 3


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ({"safe": True}, True),
        ({"stable": True}, True),
        ({"quasi_live": True}, False),
        ({"bounded": True}, True),
        ({"bound": "p"}, 0),
        ({"bound": "p + q"}, 1),
        ({"fireable": "t"}, False),
        ({"cover": "p=1"}, False),
    ],
)
def test_that_nothing_is_left_counts_after_a_look_at_the_coloured_net(question, value):
    posed = ask(LEFT_OUT, **question)
    finding = check(posed)
    assert finding.value == value
    assert finding.claims
    assert posed.conclude(finding.claims).value == value
    assert posed.conclude(()).value is None


def test_property_files_speak_of_the_model(tmp_path: Path):
    path = tmp_path / "all.xml"
    formulas = {
        "sum": possible(6, "waiting", "eating"),
        "one": possible(2, "waiting(ada)"),
        "fires": ef(fireable("take_left", "put_down")),
        "binding": ef(fireable("put_down(x=eve)")),
        "bound": bound("fork", "eating"),
        "twice": possible(1, "fork", "fork"),
        "unknown": ef(fireable("take")),
    }
    path.write_text(file_of(*(prop(formula, name) for name, formula in formulas.items())))
    *targets, most, twice, unknown = (p.meaning for p in read_properties(path, PHILOSOPHERS))
    at_first = PHILOSOPHERS.values(PHILOSOPHERS.initial)
    assert [evaluate(target.target, at_first) for target in targets] == [False, False, True, False]
    fork = [f"fork({name})" for name in ("ada", "ben", "cleo", "dan", "eve")]
    assert {name for name in most.sum.variables if name.startswith("fork")} == set(fork)
    assert (len(most.sum.coefficients), twice.reason.split(": ")[1]) == (
        10,
        "the sum names a place twice; name it once, or use <integer-sum>",
    )
    assert "no transition with the id 'take'" in unknown.reason
    (tmp_path / "p.formula").write_text("REACHABLE ( fork = 6 );")
    (only,) = read_properties(tmp_path / "p.formula", PHILOSOPHERS)
    assert len(only.meaning.target.term.coefficients) == 5


def test_human_names_are_those_of_the_coloured_net():
    net = unfold(
        ColouredNet(
            "named",
            (Place("p1", COLOURS, (Summand(2, Constant(COLOURS, 0)),), "busy"),),
            (Transition("t1", ((0, (Summand(1, Variable("x", COLOURS)),)),), (), label="go"),),
        ),
        Budget(),
    )
    assert check(ask(net, bound="busy")).value == 2
    assert check(ask(net, fireable="go")).value is True


def test_evidence_is_verified_to_the_same_conclusion(tmp_path: Path):
    net, evidence = str(NETS / "philosophers.pnml"), str(tmp_path / "e.json")
    for option in ("--safe", "--stable", "--quasi-live", "--bounded"):
        decided = settled(run(net, option, "--evidence", evidence))
        verified = settled(run("verify", net, evidence))
        assert verified.output.startswith(f"accepted: {decided.output.splitlines()[0]}")


def test_a_merged_colour_is_refused_with_the_reason():
    every, one = (Summand(1, X, (X,)),), (Summand(1, X),)
    places = (Place("p", COLOURS, every), Place("q", COLOURS))
    moves = Transition("t", ((0, one),), ((1, one),))
    merged = unfold_merged(ColouredNet("alike", places, (moves,)), Budget())
    assert merged is not None
    for all_of_class in ("q", "q(_)", "q({a, b})", "q({a..b})"):
        assert check(ask(merged, bound=all_of_class)).value == 2
    for question in ({"cover": "p(a)=1"}, {"fireable": "t(x=a)"}):
        with pytest.raises(QueryError, match="colours that behave alike are merged, since"):
            ask(merged, **question)


def test_where_colours_are_merged_nobody_asks_whether_the_net_returns():
    every, y = (Summand(1, X, (X,)),), Variable("y", COLOURS)
    copy = Transition("t", ((0, (Summand(1, X), Summand(1, y))),), ((0, (Summand(2, X),)),))
    model = ColouredNet("copies", (Place("p", COLOURS, every),), (copy,))
    assert check(ask(unfold(model, Budget()), reversible=True)).value is False
    merged = unfold_merged(model, Budget())
    assert merged is not None
    assert check(ask(merged, home="fireable(t)")).value is True
    with pytest.raises(QueryError, match="colours are merged with others"):
        ask(merged, reversible=True)


def test_a_place_where_tokens_only_change_colour_is_stable_without_a_search():
    ring = Enumeration("C", ("a", "b", "c"), cyclic=True)
    x = Variable("x", ring)
    arcs = ((0, (Summand(1, x),)),), ((0, (Summand(1, Shifted(x, 1)),)),)
    token = (Summand(2, Constant(ring, 0)),)
    net = unfold(ColouredNet("ring", (Place("p", ring, token),), (Transition("t", *arcs),)), BUDGET)
    study = Study(net, Setting(engine="bmc"), BUDGET)
    finding = answer(ask(net, stable=True), study)
    assert finding.conclusion.facts == {"holds": True, "stable": ["p"], "open": []}
    assert [type(claim) for claim in finding.claims] == [Excluded, Excluded]
