"""Questions written for other tools mean what was asked, and Horn clauses decide it."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import explore
from strategies import covers, problems
from test_formats import ANY_NAMES, NAMES, named_nets

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Congruence,
    Formula,
    atoms,
    congruent,
    conjunction,
    disjunction,
    equal,
    evaluate,
    substitute,
    tighten,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.formats import exports
from petricheck.formats.exports import question_path, write_question
from petricheck.formats.exports.chc import Chc
from petricheck.formats.exports.lola import Lola
from petricheck.formats.exports.mcc import Mcc
from petricheck.formats.exports.mist import Mist
from petricheck.formats.nets import format_of
from petricheck.formats.properties import Possible, Property, read_properties
from petricheck.formats.properties.readers.lola import Lola as LolaReader
from petricheck.formats.properties.readers.mcc import Mcc as MccReader
from petricheck.formats.properties.readers.mist import Mist as MistReader
from petricheck.formats.properties.vocabulary import Vocabulary
from petricheck.model.net import Net, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.support import plugins
from petricheck.support.errors import InputError

SMALL = make_net("small", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": 2})})


@st.composite
def awkward_problems(draw: st.DrawFn, names: st.SearchStrategy[str] = ANY_NAMES) -> Problem:
    """Random questions without remainders about nets with any names."""
    plain = draw(problems())
    assume(not any(isinstance(atom, Congruence) for atom in atoms(plain.target)))
    count = len(plain.net.places)
    new = draw(st.lists(names, min_size=count, max_size=count, unique=True))
    called = dict(zip(plain.net.places, map(variable, new), strict=True))
    net = Net("n", tuple(new), plain.net.transitions, plain.net.initial)
    return make_problem(net, substitute(plain.target, called))


def same(net_places: tuple[str, ...], one: Formula, other: Formula, data: st.DataObject) -> None:
    for _ in range(8):
        values = {place: data.draw(st.integers(0, 6)) for place in net_places}
        assert evaluate(one, values) == evaluate(other, values)


def target(properties: tuple[Property, ...]) -> Formula:
    (only,) = properties
    assert isinstance(only.meaning, Possible), only
    return only.meaning.target


@pytest.mark.parametrize(
    ("member", "reader", "names"), [(Lola(), LolaReader(), ANY_NAMES), (Mcc(), MccReader(), NAMES)]
)
@given(data=st.data())
@settings(max_examples=22, deadline=None)
def test_a_formula_asks_the_same(
    member: Lola | Mcc,
    reader: LolaReader | MccReader,
    names: st.SearchStrategy[str],
    data: st.DataObject,
) -> None:
    problem = data.draw(awkward_problems(names))
    places = problem.net.places
    assume(isinstance(member, Lola) or all(place == place.strip() for place in places))
    read = reader.read((member.write(problem),), "q", Vocabulary(problem.net))
    same(places, problem.target, target(read), data)


@given(named_nets(), st.data())
@settings(max_examples=20, deadline=None)
def test_a_target_for_mist_asks_the_same(net: Net, data: st.DataObject) -> None:
    asked = disjunction(data.draw(st.lists(covers(net), min_size=1, max_size=3)))
    text = Mist().write(make_problem(net, asked))
    assert format_of("q.spec").read((text,), "q.spec") == (net, ())
    same(net.places, asked, target(MistReader().read((text,), "q.spec", Vocabulary(net))), data)


MOD = congruent(variable("p"), 1, 2)


@pytest.mark.parametrize(
    ("member", "formula", "reason"),
    [
        (Mist(), equal(variable("p"), 1), "mist asks only for at least"),
        (Mist(), FALSE, "mist cannot ask"),
        (Mist(), conjunction([MOD]), "mist asks only for at least"),
        (Lola(), MOD, "mod"),
        (Mcc(), MOD, "mod"),
    ],
)
def test_what_a_format_cannot_ask_is_refused(
    member: Mist | Lola | Mcc, formula: Formula, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        member.write(make_problem(SMALL, formula))


def test_mist_is_asked_for_every_marking_by_a_bound_of_nothing() -> None:
    assert b"target\n    p >= 0\n" in Mist().write(make_problem(SMALL, TRUE))


def test_plain_comparisons_are_written_in_the_words_of_the_contest() -> None:
    p, q = variable("p"), variable("q")
    text = Mcc().write(make_problem(SMALL, conjunction([equal(p + q, 2)]))).decode()
    assert "integer-sum" not in text
    assert "integer-eq" not in text
    assert text.count("<integer-le>") == 2
    assert text.count("<tokens-count><place>p</place><place>q</place></tokens-count>") == 2


# Horn clauses


def spacer(text: str, milliseconds: int = 20_000) -> str:
    solver = z3.SolverFor("HORN")
    solver.set("timeout", milliseconds)
    solver.from_string(text)
    return str(solver.check())


@pytest.mark.parametrize(("tokens", "verdict"), [(3, "unsat"), (4, "sat")])
def test_spacer_tells_what_can_be_reached_from_what_cannot(tokens: int, verdict: str) -> None:
    net = make_net("n", {"p": 3, "q": 0}, {"t": ({"p": 1}, {"q": 1}), "u": ({"q": 1}, {"p": 1})})
    assert spacer(Chc().write(make_problem(net, equal(variable("q"), tokens))).decode()) == verdict


@given(problems())
@settings(max_examples=15, deadline=None)
def test_the_reachable_markings_satisfy_the_clauses_just_where_they_miss_the_target(
    problem: Problem,
) -> None:
    seen = explore(problem.net, 40)
    assume(seen is not None)
    assert seen is not None
    arguments = [f"x{n}" for n in range(len(problem.net.places))]
    cases = " ".join(
        f"(and true {' '.join(f'(= {x} {n})' for x, n in zip(arguments, marking, strict=True))})"
        for marking in sorted(seen)
    )
    typed = " ".join(f"({x} Int)" for x in arguments)
    lines = Chc().write(problem).decode().splitlines()
    lines[2] = f"(define-fun reached ({typed}) Bool (or {cases}))"
    solver = z3.Solver()
    solver.from_string("\n".join(lines[2:-1]))
    missed = not any(evaluate(problem.target, problem.net.values(m)) for m in seen)
    assert solver.check() == (z3.sat if missed else z3.unsat)


@given(named_nets())
@settings(max_examples=15, deadline=None)
def test_horn_clauses_can_be_read_whatever_the_names_are(net: Net) -> None:
    problem = make_problem(net, equal(variable(net.places[0]), 1))
    solver = z3.SolverFor("HORN")
    solver.from_string(Chc().write(problem).decode("ascii"))
    assert len(solver.assertions()) == len(net.transitions) + 2


@pytest.mark.parametrize(("formula", "verdict"), [(TRUE, "unsat"), (FALSE, "sat")])
def test_a_net_without_places_has_horn_clauses(formula: Formula, verdict: str) -> None:
    net = make_net("empty", {}, {"t": ({}, {})})
    assert spacer(Chc().write(Problem(net, formula)).decode()) == verdict


def test_a_predicate_is_called_differently_from_every_place() -> None:
    net = make_net("n", {"reached": 1, "reached_": 0}, {})
    text = Chc().write(make_problem(net, equal(variable("reached_"), 1))).decode()
    assert spacer(text) == "sat"


def test_too_many_horn_clauses_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petricheck.formats.exports.chc.MAX_ARGUMENTS", 5)
    with pytest.raises(InputError, match="too many"):
        Chc().write(make_problem(SMALL, TRUE))


# The family


def test_each_kind_of_question_has_an_ending_of_its_own() -> None:
    known = exports.known_extensions()
    assert sorted(known) == [".formula", ".smt2", ".spec", ".xml"]
    for name in plugins.members("exports"):
        assert plugins.build("exports", name).write(make_problem(SMALL, TRUE))


def test_the_question_goes_beside_the_net() -> None:
    assert question_path("a/net.pnml") == Path("a/net.xml")
    assert question_path("net.v2.lola.gz") == Path("net.v2.formula.gz")
    assert question_path("net.net") == Path("net.xml")
    assert question_path("net.spec") is None


def test_questions_are_written_by_extension_and_compressed(tmp_path: Path) -> None:
    problem = make_problem(SMALL, equal(variable("q"), 2))
    for name in ("q.xml", "q.xml.gz", "q.formula", "q.formula.gz"):
        write_question(problem, tmp_path / name)
        first = (tmp_path / name).read_bytes()
        write_question(problem, tmp_path / name)
        assert (tmp_path / name).read_bytes() == first
        read = target(read_properties(tmp_path / name, SMALL))
        assert tighten(read) == problem.target
    with pytest.raises(InputError, match="end in"):
        write_question(problem, tmp_path / "q.txt")
