import json
from itertools import chain, combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from folders import NETS, problem_of, questions_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import explore, known_verdict
from strategies import nets, problems

from petricheck.answer import (
    Certificate,
    StateEquationCertificate,
    Unknown,
    Unreachable,
)
from petricheck.audit.shapes import invariant as invariant_shape
from petricheck.budget import Budget
from petricheck.cli import main
from petricheck.engines.state_equation import StateEquation
from petricheck.errors import BudgetExhausted
from petricheck.formats import write_net
from petricheck.linear import term_of
from petricheck.presburger.cubes import cubes
from petricheck.presburger.formulas import (
    FALSE,
    Congruence,
    Cube,
    Equality,
    Formula,
    Inequality,
    at_least,
    at_most,
    atoms,
    congruent,
    conjunction,
    different,
    disjunction,
    equal,
    evaluate,
    substitute,
)
from petricheck.presburger.solver import find_model
from petricheck.presburger.terms import Term, linear, variable
from petricheck.presburger.text import to_text
from petricheck.problem import Net, Problem, make_net, make_problem
from petricheck.questions import check
from petricheck.questions.kinds.deadlock import Deadlock
from petricheck.state_equation.congruences import separating_congruence
from petricheck.state_equation.half_spaces import separating_half_space
from petricheck.state_equation.siphons import (
    empty_siphon,
    greatest_siphon,
    greatest_trap,
    unblocked_transitions,
    violated_trap,
)
from petricheck.state_equation.solutions import exact_marking, solve_state_equation

EXACT = "checked in exact integer arithmetic"
a, p, q, s = (variable(name) for name in "apqs")


def asked(problem: Problem, budget: Budget | None = None, **options: str) -> Result:
    return check(problem, engine="state_equation", options=options, budget=budget)


def proof(problem: Problem) -> Certificate | StateEquationCertificate:
    answer = asked(problem).answer
    assert isinstance(answer, Unreachable)
    return answer.certificate


# Nets of the examples


def swap() -> Net:
    """A token goes to and fro."""
    return net_of("p=1 q=0, t: p -> q, u: q -> p")


def shrink() -> Net:
    """Of three tokens one remains, which the state equation alone does not see."""
    return net_of("a=3, t: 2 a -> a")


def everything() -> Problem:
    """Effects +3 and +5, a trap that stays marked, and a siphon without which p = 4 is solvable."""
    transitions = {
        "three": ({}, {"p": 3}),
        "five": ({}, {"p": 5}),
        "shrink": ({"a": 2}, {"a": 1}),
        "dead": ({"s": 1}, {"s": 1, "p": 1}),
    }
    net = make_net("everything", {"p": 0, "a": 3, "s": 0}, transitions)
    return make_problem(net, disjunction([equal(p, 4), equal(a, 0)]))


def row(length: int) -> Net:
    """Places p0 to pn, one after the other; one token to begin with."""
    places = [f"p{number}" for number in range(length + 1)]
    moves = {f"t{n}": ({places[n]: 1}, {places[n + 1]: 1}) for n in range(length)}
    return make_net("row", dict.fromkeys(places, 0) | {"p0": 1}, moves)


# Siphons and traps


def subsets(net: Net) -> list[frozenset[int]]:
    places = range(len(net.places))
    return [
        frozenset(chosen)
        for chosen in chain.from_iterable(
            combinations(places, size) for size in range(len(places) + 1)
        )
    ]


def is_siphon(net: Net, places: frozenset[int]) -> bool:
    return all(
        places & {n for n, _ in t.pre} or not places & {n for n, _ in t.post}
        for t in net.transitions
    )


def is_trap(net: Net, places: frozenset[int]) -> bool:
    return all(
        places & {n for n, _ in t.post} or not places & {n for n, _ in t.pre}
        for t in net.transitions
    )


@given(nets(), st.data())
def test_the_greatest_siphon_and_trap_are_the_unions_of_all(net: Net, data: st.DataObject) -> None:
    within = data.draw(st.frozensets(st.sampled_from(range(len(net.places)))))
    inside = [places for places in subsets(net) if places <= within]
    siphons = [places for places in inside if is_siphon(net, places)]
    traps = [places for places in inside if is_trap(net, places)]
    assert greatest_siphon(net.transitions, within) == frozenset().union(*siphons)
    assert greatest_trap(net.transitions, within) == frozenset().union(*traps)


@given(nets(), st.data())
def test_a_violated_trap_is_a_marked_trap_within_the_empty_places_and_none_is_smaller(
    net: Net, data: st.DataObject
) -> None:
    empty = data.draw(st.frozensets(st.sampled_from(range(len(net.places)))))
    marked = [
        places
        for places in subsets(net)
        if places <= empty and is_trap(net, places) and any(net.initial[n] for n in places)
    ]
    found = violated_trap(net.transitions, net.initial, empty)
    assert (found is None) == (not marked)
    if found is not None:
        assert found in marked
        assert not any(places < found for places in marked)


@given(nets())
def test_transitions_that_take_from_the_empty_siphon_never_fire(net: Net) -> None:
    unblocked = {t.name for t in unblocked_transitions(net, empty_siphon(net))}
    markings = explore(net, 60)
    assume(markings is not None)
    assert markings is not None
    for marking in markings:
        assert {t.name for t in net.transitions if t.enabled(marking)} <= unblocked


# Half-spaces and congruences


def state_equation(net: Net) -> dict[str, Term]:
    """m0 + D·x by place."""
    rows: list[list[tuple[str, int]]] = [[] for _ in net.places]
    for transition in net.transitions:
        for place, change in transition.effect:
            rows[place].append((f"x {transition.name}", change))
    return {p: linear(r, m) for p, r, m in zip(net.places, rows, net.initial, strict=True)}


def solvable_over_rationals(problem: Problem, cube: Cube) -> bool:
    """Whether x/k, k ≥ 1 solves the state equation in the cube: all constants times k."""
    net = problem.net
    k = variable("k")

    def homogeneous(term: Term) -> Term:
        return Term(term.coefficients, 0) + k * term.constant

    marking = {place: homogeneous(term) for place, term in state_equation(net).items()}
    claims: list[Formula] = [at_least(k, 1)]
    claims += [at_least(term, 0) for term in marking.values()]
    for literal in cube:
        if isinstance(literal, Congruence):
            continue
        pairs = literal.term.coefficients
        total = k * literal.term.constant
        for name, value in pairs:
            total = total + marking[name] * value
        claims.append(equal(total, 0) if isinstance(literal, Equality) else at_most(total, 0))
    return find_model(conjunction(claims), natural=True) is not None


@settings(max_examples=40)
@given(problems())
def test_a_half_space_is_found_exactly_where_no_rational_solution_exists(problem: Problem) -> None:
    net = problem.net
    for cube in list(cubes(problem.target))[:4]:
        found = separating_half_space(net, net.transitions, cube, ())
        assert (found is None) == solvable_over_rationals(problem, cube)


@settings(max_examples=40)
@given(problems())
def test_a_half_space_holds_is_kept_and_contradicts_the_cube(problem: Problem) -> None:
    net = problem.net
    for cube in list(cubes(problem.target))[:4]:
        found = separating_half_space(net, net.transitions, cube, ())
        if found is None:
            continue
        c = dict(found.half_space.direction)
        assert all(sum(c.get(n, 0) * w for n, w in t.effect) <= 0 for t in net.transitions)
        start = sum(value * net.initial[n] for n, value in c.items())
        below = at_most(linear((net.places[n], value) for n, value in c.items()), start)
        assert find_model(conjunction([below, *cube]), natural=True) is None


@settings(max_examples=40)
@given(problems())
def test_a_congruence_is_found_exactly_where_no_integral_solution_of_either_sign_exists(
    problem: Problem,
) -> None:
    net = problem.net
    for cube in list(cubes(problem.target))[:4]:
        equalities = [atom for atom in cube if not isinstance(atom, Inequality)]
        marking = state_equation(net)
        claims = [substitute(atom, marking) for atom in equalities]
        found = separating_congruence(net, [t.effect for t in net.transitions], cube)
        assert (found is not None) == (find_model(conjunction(claims)) is None)
        if found is not None:
            term = term_of(net, found.residue.direction)
            start = term.evaluate(net.values(net.initial))
            kept = congruent(term, start, found.residue.modulus)
            assert find_model(conjunction([kept, *cube]), natural=True) is None


def test_a_matrix_too_large_for_its_diagonal_form_is_left_alone() -> None:
    net = row(300)
    cube = next(cubes(conjunction(equal(variable(place), 0) for place in net.places)))
    assert separating_congruence(net, [t.effect for t in net.transitions], cube) is None


def test_a_gap_of_one_token_beside_large_numbers_is_found() -> None:
    net = net_of("p=60000 q=0, t: 7 p -> 7 q, u: 3 q -> 3 p")
    cube = next(cubes(at_least(p + q, 60_001)))
    assert separating_half_space(net, net.transitions, cube, ()) is not None


# Solutions


@settings(max_examples=40)
@given(problems())
def test_an_exact_marking_is_in_the_cube(problem: Problem) -> None:
    net = problem.net
    for cube in list(cubes(problem.target))[:2]:
        found = solve_state_equation(net, net.transitions, cube, (), integral=True, seconds=5.0)
        exact = found and exact_marking(net, net.transitions, cube, found)
        if exact:
            assert min(exact) >= 0
            assert evaluate(conjunction(cube), net.values(exact))


# The engine


def test_a_half_space_needs_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invariant_shape, "refute_z3", None)
    found = asked(make_problem(swap(), conjunction([at_least(p, 1), at_least(q, 1)])))
    assert isinstance(found.answer, Unreachable)
    assert found.audit == EXACT
    assert found.answer.certificate == Certificate(
        found.answer.certificate.invariant, found.answer.certificate.hints
    )
    assert list(atoms(found.answer.certificate.invariant)) == [
        at_most(p + q, 1),
        at_least(p + q, 1),
    ]


def test_a_half_space_that_is_no_place_invariant_has_one_side() -> None:
    net = net_of("p=2 q=0, t: 2 p -> q")
    found = proof(make_problem(net, at_least(p + q, 3)))
    assert isinstance(found, Certificate)
    assert list(atoms(found.invariant)) == [at_most(p + q, 2)]


def test_a_congruence_needs_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invariant_shape, "refute_z3", None)
    net = net_of("p=0, add: -> 4 p, sub: 6 p ->")
    found = asked(make_problem(net, equal(p, 7)))
    assert found.audit == EXACT
    assert isinstance(found.answer, Unreachable)
    assert isinstance(found.answer.certificate, Certificate)
    assert list(atoms(found.answer.certificate.invariant)) == [Congruence(p, 2)]


def test_a_marked_trap_joins_the_certificate() -> None:
    found = proof(make_problem(shrink(), equal(a, 0)))
    assert isinstance(found, Certificate)
    assert at_least(a, 1) in list(atoms(found.invariant))


def test_an_empty_siphon_alone_is_checked_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invariant_shape, "refute_z3", None)
    loop = {"t": ({"p": 1}, {"q": 2}), "u": ({"q": 1}, {"p": 1, "s": 1})}
    net = make_net("dead", {"p": 0, "q": 0, "s": 0}, loop)
    found = asked(make_problem(net, at_least(s, 1)))
    assert found.audit == EXACT


def test_a_siphon_that_no_fact_needs_is_left_out() -> None:
    net = net_of("p=1 q=0 s=0, t: p -> q, u: s -> 2 s")
    found = proof(make_problem(net, at_least(p + q, 2)))
    assert isinstance(found, Certificate)
    assert list(atoms(found.invariant)) == [at_most(p + q, 1), at_least(p + q, 1)]


def test_effects_three_and_five_never_make_four() -> None:
    net = net_of("p=0, three: -> 3 p, five: -> 5 p")
    assert proof(make_problem(net, equal(p, 4))) == StateEquationCertificate((), ())
    for reached in (3, 5, 8, 9, 10, 11):
        assert isinstance(asked(make_problem(net, equal(p, reached))).answer, Unknown)
    for missed in (1, 2, 4, 7):
        assert isinstance(asked(make_problem(net, equal(p, missed))).answer, Unreachable)


def test_integers_a_trap_and_a_siphon_together() -> None:
    assert proof(everything()) == StateEquationCertificate((("a",),), ("s",))


def test_two_cubes_have_one_certificate_and_one_half_space_each() -> None:
    target = disjunction([at_least(p, 2), at_least(q, 2)])
    found = proof(make_problem(swap(), target))
    assert isinstance(found, Certificate)
    assert found.hints is not None
    assert {separator.cube for separator in found.hints.separators} == {0, 1}


def test_an_impossible_target_has_the_trivial_certificate() -> None:
    assert asked(Problem(swap(), FALSE)).audit == EXACT
    contradiction = conjunction([at_least(p, 3), at_most(p + q, 2)])
    assert asked(make_problem(swap(), contradiction)).audit == EXACT


def test_a_target_with_a_million_cubes_is_refuted_cube_by_cube_as_they_are_met() -> None:
    places = [f"p{n}" for n in range(20)]
    net = make_net(
        "ring",
        dict.fromkeys(places, 0) | {"p0": 1},
        {f"t{n}": ({places[n]: 1}, {places[(n + 1) % 20]: 1}) for n in range(20)},
    )
    all_but_one = conjunction(different(variable(place), 1) for place in places)
    result = asked(make_problem(net, all_but_one))
    assert isinstance(result.answer, Unreachable)
    assert result.answer.statistics.iterations < 1000


def test_place_invariants_refute_wide_targets_at_once() -> None:
    sections = 42  # 2^42 cubes; a train keeps the section before it free, too
    transitions = {
        f"t{n}": (
            {f"s{n}": 1, f"f{(n + 1) % sections}": 1},
            {f"s{(n + 1) % sections}": 1, f"f{(n - 1) % sections}": 1},
        )
        for n in range(sections)
    }
    trains = set(range(0, sections, 3))
    kept = {n for n in range(sections) if {n, (n + 1) % sections} & trains}
    initial = {f"s{n}": int(n in trains) for n in range(sections)}
    initial |= {f"f{n}": int(n not in kept) for n in range(sections)}
    net = make_net("trains", initial, transitions)
    result = asked(make_problem(net, Deadlock().read(net, "")))
    assert isinstance(result.answer, Unreachable)
    assert result.answer.statistics.iterations < 10


def test_a_reachable_target_is_never_answered() -> None:
    initial = asked(make_problem(swap(), equal(p, 1))).answer
    assert isinstance(initial, Unknown)
    assert "initial marking" in initial.reason
    later = asked(make_problem(swap(), equal(q, 1))).answer
    assert isinstance(later, Unknown)
    assert "have a solution" in later.reason
    assert "search" in later.hint


def test_a_long_row_is_decided_and_checked_without_a_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(invariant_shape, "refute_z3", None)
    net = row(3_000)
    whole = linear((place, 1) for place in net.places)
    exact = conjunction(equal(variable(n), int(n in ("p5", "p9"))) for n in net.places)
    for target in (at_least(variable("p3000"), 2), exact, at_least(whole, 2)):
        result = asked(make_problem(net, target))
        assert isinstance(result.answer, Unreachable)
        assert result.audit == EXACT


def test_numbers_beyond_floats_are_decided_or_given_up() -> None:
    big = 10**400
    net = make_net("big", {"p": big, "q": 0}, {"t": ({"p": 1}, {"q": 1})})
    for target, reachable in ((at_least(p + q, big + 1), False), (equal(q, big), True)):
        result = asked(make_problem(net, target))
        assert isinstance(result.answer, Unknown if reachable else Unknown | Unreachable)
    huge = make_net("huge", {"p": 10**5000, "q": 0}, {"t": ({"p": 1}, {"q": 1})})
    answer = asked(make_problem(huge, at_least(q, 10**5001))).answer
    assert isinstance(answer, Unknown | Unreachable)


def test_numbers_too_long_for_solvers_end_in_unknown() -> None:
    big = 10**5000
    net = make_net("big", {"p": 0}, {"t": ({}, {"p": 3 * big}), "u": ({}, {"p": 5 * big})})
    exact = asked(make_problem(net, equal(p, 4 * big))).answer
    assert isinstance(exact, Unknown)
    many = disjunction(equal(p, 4 * big + n) for n in range(100))
    assert isinstance(asked(make_problem(net, many)).answer, Unknown)


def test_the_limit_on_traps_is_named() -> None:
    answer = asked(make_problem(shrink(), equal(a, 0)), traps="0").answer
    assert isinstance(answer, Unknown)
    assert "-o traps=" in answer.reason


def test_an_exhausted_budget_is_raised() -> None:
    with pytest.raises(BudgetExhausted):
        StateEquation().solve(make_problem(swap(), at_least(p, 2)), Budget(seconds=0.0))


def test_the_same_question_has_the_same_certificate() -> None:
    problems_asked = [everything(), make_problem(shrink(), equal(a, 0))]
    for problem in problems_asked:
        assert proof(problem) == proof(problem)


@settings(max_examples=25)
@given(problems())
def test_where_the_state_equation_of_small_nets_has_no_solution_there_is_a_proof(
    problem: Problem,
) -> None:
    assume(known_verdict(problem, 60) == "unreachable")
    marking = state_equation(problem.net)
    claims = [at_least(term, 0) for term in marking.values()]
    claim = conjunction([*claims, substitute(problem.target, marking)])
    if find_model(claim, natural=True) is None:
        assert isinstance(asked(problem).answer, Unreachable)


UNDECIDED = {
    *("exponential_U", "exponential_U_33", "finkel_km_U", "l6000_U"),
    *(f"long_{n}_U" for n in (1, 2, 3, 4)),
}
"""Unreachable questions of `nets` that the state equation and its traps do not decide."""


@pytest.mark.parametrize("question", questions_of(NETS), ids=lambda q: q.name)
def test_of_the_known_nets_it_proves_these_and_no_wrong_one(question) -> None:
    answer = asked(problem_of(question)).answer
    proves = question.expected is False and question.name not in UNDECIDED
    assert isinstance(answer, Unreachable if proves else Unknown)


# On the command line


def said(tmp_path: Path, problem: Problem, *words: str) -> str:
    path = tmp_path / "net.pnml"
    write_net(problem.net, path)
    text = to_text(problem.target)
    words = (str(path), "--formula", text, "--engine", "state_equation", *words)
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 0, done.output
    return done.output


def test_the_traps_and_the_siphon_are_told(tmp_path: Path) -> None:
    lines = said(tmp_path, everything()).splitlines()
    assert lines[:6] == [
        "unreachable",
        "No solution x ≥ 0 of the state equation m = m0 + D·x is in the target.",
        "Of each trap some place is marked, initially and so ever after:",
        "  {a}",
        "This siphon is empty, initially and so ever after:",
        "  {s}",
    ]


def test_long_sets_are_told_whole_on_request_only(tmp_path: Path) -> None:
    names = {f"place number {n}": 0 for n in range(40)}
    transitions = {"three": ({}, {"p": 3}), "five": ({}, {"p": 5})}
    feed = {f"t{n}": ({name: 1}, {name: 1, "p": 1}) for n, name in enumerate(names)}
    net = make_net("long", {"p": 0, **names}, {**transitions, **feed})
    problem = make_problem(net, equal(p, 4))
    short = said(tmp_path, problem)
    assert "0 traps and an empty siphon of 40 places" in short
    assert "place number 7" not in short
    assert '"place number 7"' in said(tmp_path, problem, "--invariant")


def test_the_record_holds_the_state_equation(tmp_path: Path) -> None:
    record = json.loads(said(tmp_path, everything(), "--json"))
    (claim,) = record["evidence"]["claims"]
    assert claim["state equation"] == {"traps": [["a"]], "siphon": ["s"]}


@pytest.mark.parametrize("name", ["e.json", "e.smt2"])
def test_its_evidence_is_verified_on_the_command_line(tmp_path: Path, name: str) -> None:
    evidence = str(tmp_path / name)
    said(tmp_path, everything(), "--evidence", evidence)
    done = CliRunner().invoke(main, ["verify", str(tmp_path / "net.pnml"), evidence])
    assert done.exit_code == 0
    assert "accepted: unreachable" in done.output
    written = Path(evidence).read_text()
    changed = written.replace('"traps": [["a"]]', '"traps": [["p"]]')
    definition = "traps ((a Int)) Bool (<= (* (- 1) a) (- 1))"
    changed = changed.replace(definition, definition.replace("a I", "p I").replace(") a)", ") p)"))
    assert changed != written
    Path(evidence).write_text(changed)
    done = CliRunner().invoke(main, ["verify", str(tmp_path / "net.pnml"), evidence])
    assert done.exit_code == 4
    assert "rejected: a trap is empty initially" in done.output
