"""What is told of unfolded nets in the names of the model means the same, and is short."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from folders import NETS
from hypothesis import given
from hypothesis import strategies as st
from invoked import run, settled

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    Conjunction,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
)
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.arithmetic.formulas.text import term_to_text, to_text
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import Excluded, Reached
from petricheck.formats.language.grammar import read_formula
from petricheck.formats.language.sums import summed, summed_names, summed_term
from petricheck.formats.nets import read_net
from petricheck.model.coloured.net import ColouredNet, Place
from petricheck.model.coloured.sorts import Enumeration, Product, Range
from petricheck.model.coloured.terms import Constant, Summand
from petricheck.model.coloured.unfolding import unfold
from petricheck.model.net import Net, make_net
from petricheck.reports.explanation.claims import explain
from petricheck.reports.explanation.html import claim_html
from petricheck.reports.explanation.text import Style, claim_lines, explained_lines, plain
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError

PHILOSOPHERS = ("ada", "ben", "cleo", "dan", "eve")


@cache
def net() -> Net:
    return read_net(NETS / "philosophers.pnml").net


def weighted(**weights: list[int]) -> Term:
    return linear(
        (f"{place}({who})", weight)
        for place, row in weights.items()
        for who, weight in zip(PHILOSOPHERS, row, strict=True)
    )


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ({"fork": [1] * 5, "eating": [2] * 5}, "2*eating + fork"),
        ({"fork": [3, 1, 1, 1, 1]}, 'fork + 2*"fork(ada)"'),
        ({"fork": [0, 1, 1, 1, 1]}, 'fork - "fork(ada)"'),
        ({"fork": [1, 1, 1, 0, 0]}, '"fork(ada)" + "fork(ben)" + "fork(cleo)"'),
        ({"fork": [-1] * 5, "waiting": [0, 1, 0, 0, 0]}, '-fork + "waiting(ben)"'),
    ],
)
def test_sums_over_all_colours_have_the_name_of_the_place(
    weights: dict[str, list[int]], told: str
) -> None:
    assert term_to_text(summed_term(net(), weighted(**weights) + 7)).replace('"', "") == (
        f"{told} + 7".replace('"', "")
    )


@given(st.lists(st.lists(st.sampled_from((0, 1, 1, 1, 2, -1)), min_size=5, max_size=5), max_size=4))
def test_what_is_told_is_read_back_as_the_same(rows: list[list[int]]) -> None:
    term = weighted(**dict(zip(("fork", "eating", "waiting", "thinking"), rows, strict=False)))
    told = summed_term(net(), term)
    assert len(told.coefficients) <= len(term.coefficients)
    text = term_to_text(told)
    assert read_formula(net(), f"{text} = 0") == read_formula(net(), f"{term_to_text(term)} = 0")


@cache
def tuples() -> Net:
    """A place of tuples that may hold all but one of them."""
    letters, numbers = Enumeration("L", ("a", "b", "c")), Range("N", 1, 3)
    sort = Product("P", (letters, numbers))
    held = tuple(Summand(1, Constant(sort, colour)) for colour in range(8))
    return unfold(ColouredNet("tuples", (Place("p", sort, held),), ()), Budget())


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["a, 1", "a, 2", "a, 3"], "p(a, _)"),
        (["a, 3", "b, 3", "a, 1"], "p(_, 3) + p(a, 1)"),
        (["a, 1", "a, 2", "a, 3", "c, 1", "c, 2"], "p(a, _) + p(c, _)"),
        (["a, 1", "b, 1"], "p(a, 1) + p(b, 1)"),
    ],
)
def test_sums_over_a_component_of_tuples_have_a_name(names: list[str], told: str) -> None:
    term = linear((f"p({name})", 2) for name in names)
    assert to_text(equal(summed_term(tuples(), term), 0)) == f"{told} = 0".replace("p(", "2*p(")
    assert read_formula(tuples(), f"{told} = 3") == read_formula(
        tuples(), f"{' + '.join(f'p({name})' for name in names)} = 3"
    )
    single = summed(tuples(), conjunction(equal(variable(f"p({name})"), 0) for name in names))
    assert to_text(single).replace(" = 0 and ", " + ").replace(" = 0", "") == told


def test_of_almost_all_colours_the_others_are_taken_away() -> None:
    term = linear((place, 1) for place in tuples().places if place != "p(c, 1)")
    assert term_to_text(summed_term(tuples(), term)) == "p - p(c, 1)"


@given(st.lists(st.sampled_from((0, 0, 1, 1, 2)), min_size=8, max_size=8))
def test_sums_over_components_are_read_back_as_the_same(weights: list[int]) -> None:
    term = linear(zip(tuples().places, weights, strict=True))
    told = summed_term(tuples(), term)
    assert len(told.coefficients) <= len(term.coefficients)
    formulas = (to_text(equal(t, 3)) for t in (told, term))
    assert len({read_formula(tuples(), text) for text in formulas}) == 1


def test_a_component_that_is_no_colour_is_refused() -> None:
    with pytest.raises(QueryError, match="place 'p' holds no \\(_, 7\\): the sort 'N' has"):
        read_formula(tuples(), "p(_, 7) = 0")
    assert read_formula(tuples(), "p(c,_) >= 1") == at_least(
        variable("p(c, 1)") + variable("p(c, 2)"), 1
    )


def test_a_colour_called_as_if_it_were_any_is_that_colour() -> None:
    sort = Product("P", (Enumeration("L", ("_", "b")), Range("N", 1, 2)))
    held = tuple(Summand(1, Constant(sort, colour)) for colour in range(4))
    net = unfold(ColouredNet("n", (Place("p", sort, held),), ()), Budget())
    assert read_formula(net, 'p("_", 1) = 0') == equal(variable('p("_", 1)'), 0)
    term = variable('p("_", 1)') + variable('p("_", 2)')
    assert summed_term(net, term) == term


def test_nets_without_colours_are_told_as_they_are() -> None:
    plain_net = make_net("n", {"p(a)": 1, "p(b)": 1}, {})
    formula = equal(variable("p(a)") + variable("p(b)"), 2)
    assert summed(plain_net, formula) is formula
    assert summed_names(plain_net, ["p(a)", "p(b)"]) == ("p(a)", "p(b)")


def test_sets_of_places_have_the_name_of_the_place_where_all_its_colours_are_there() -> None:
    names = [f"fork({who})" for who in PHILOSOPHERS] + ["waiting(ada)"]
    assert summed_names(net(), names) == ("fork", "waiting(ada)")
    firings = [t.name for t in net().transitions if t.name.startswith("put")]
    assert summed_names(net(), firings) == ("put_down",)


def test_an_invariant_is_told_in_places_of_the_model_and_to_solvers_as_it_is() -> None:
    kept = equal(weighted(thinking=[1] * 5, waiting=[1] * 5, eating=[1] * 5), 5)
    claim = Excluded(at_most(weighted(eating=[-1] * 5) + 6, 0), Certificate(kept))
    explained = explain(net(), claim)
    assert list(claim_lines(explained, Style())) == [
        "Never: eating >= 6.",
        "This invariant holds initially, is kept by every transition and excludes the target:",
        "  eating + thinking + waiting = 5",
    ]
    assert "eating(ada)" in "".join(claim_lines(explained, Style(form="smt")))
    assert "eating(ada)" not in "".join(claim_lines(explained, Style(form="latex")))
    assert "(ada)" not in json.dumps(plain(explained)) + claim_html(explained)
    assert "place invariant: no transition changes this sum" in str(explained.reasons)


def test_places_that_are_empty_are_told_together() -> None:
    empty = [at_most(variable(f"eating({who})"), 0) for who in PHILOSOPHERS]
    told = explain(net(), Excluded(FALSE, Certificate(Conjunction(tuple(empty)))), reasons=False)
    assert list(claim_lines(told, Style()))[-1] == "  eating = 0"


def test_that_a_place_has_some_token_is_told_of_the_place() -> None:
    some = [at_least(variable(f"eating({who})"), 1) for who in PHILOSOPHERS]
    formula = conjunction((disjunction(some), equal(variable("fork(ada)"), 1)))
    assert to_text(summed(net(), formula)).replace('"', "") == "eating >= 1 and fork(ada) = 1"
    but_one = disjunction(some[:-1])
    assert summed(net(), but_one) == but_one


def test_traps_and_siphons_are_told_in_places_of_the_model() -> None:
    trap = tuple(f"{p}({who})" for p in ("fork", "eating") for who in PHILOSOPHERS)
    claim = Excluded(conjunction(()), StateEquationCertificate((trap,), (), (trap[:6],)))
    lines = list(claim_lines(explain(net(), claim, reasons=False), Style()))
    assert "  {eating, fork}" in lines
    assert lines[-1].replace('"', "") == "  {eating(ada), fork}"


def test_a_trace_ends_in_places_that_hold_colours() -> None:
    steps = (("take_left(x=eve)", 1), ("take_left(x=ada)", 1), ("take_right(x=ada)", 1))
    claim = Reached(Trace(steps), ((3, equal(variable("eating(ada)"), 1)),))
    lines = list(claim_lines(explain(net(), claim, target=True, reasons=False), Style()))
    assert lines[-1] == (
        "  eating = {ada}, fork = {cleo, dan}, thinking = {ben, cleo, dan}, waiting = {eve}"
    )


def test_what_a_trace_leaves_alone_is_told_by_place() -> None:
    claim = Reached(Trace((("take_left(x=eve)", 1),)), ((1, FALSE),))
    lines = list(explained_lines(explain(net(), claim, target=True)))
    assert lines[-1] == (
        "It leaves 8 other marked places alone: "
        "thinking = {ada, ben, cleo, dan}, fork = {ada, ben, cleo, dan}."
    )


def test_commands_tell_targets_in_places_of_the_model(tmp_path: Path) -> None:
    path, evidence = str(NETS / "philosophers.pnml"), str(tmp_path / "e.json")
    asked = (path, "--formula", "fork + waiting + 2*eating != 5")
    result = run(*asked, "--evidence", evidence, "-v")
    assert "Target: 2*eating + fork + waiting != 5" in result.output
    assert "\n  2*eating + fork + waiting = 5\n" in result.output
    verified = run("verify", path, evidence, "--explain")
    assert "\n  2*eating + fork + waiting != 5\n" in verified.output
    assert "1. 2*eating + fork + waiting = 5" in verified.output
    fields = json.loads(settled(run(*asked, "--json")).output)
    assert fields["target"] == "2*eating + fork + waiting != 5"
