from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from folders import NETS, problem_named, problem_of, questions_of
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from notation import EXACT, formulas, net_of, problem
from oracle import explore, known_verdict
from strategies import formulas as formulas_over
from strategies import nets, problems

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Cube,
    Equality,
    Formula,
    Inequality,
    at_least,
    at_most,
    atoms,
    conjunction,
    different,
    disjunction,
    equal,
    evaluate,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.arithmetic.formulas.text import to_text
from petricheck.arithmetic.programs.warm_programs import PrimalPoint, Ray
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.commands import main
from petricheck.engines.state_equation import StateEquation
from petricheck.evidence.answer import Unknown, Unreachable, measure
from petricheck.evidence.audit import audit
from petricheck.evidence.audit.shapes.state_equation import solution, state_equation_obligation
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.formats.nets import write_net
from petricheck.model.net import Net, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import check
from petricheck.questions.kinds.deadlock import Deadlock
from petricheck.support.budget import Budget, Event
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.facts import branching, proved, refutation
from petricheck.symbolic.facts.changes import changes
from petricheck.symbolic.facts.equation import EquationProgram
from petricheck.symbolic.facts.marked_traps import MarkedTraps
from petricheck.symbolic.facts.refutation import RefutationSearch, Shared
from petricheck.symbolic.facts.separation import separating_congruence, separating_half_space
from petricheck.symbolic.facts.siphons import (
    empty_siphon,
    greatest_siphon,
    greatest_trap,
    sufficient_siphon,
    unblocked_transitions,
)
from petricheck.symbolic.linear import direction_of, preserves, products, scaled

a, p, q, s = (variable(name) for name in "apqs")


def decide(asked: Problem, **options: str) -> Result:
    return check(asked, engine="state_equation", options=options)


def proof(asked: Problem, **options: str) -> Any:
    answer = decide(asked, **options).answer
    assert isinstance(answer, Unreachable)
    return answer.certificate


# Nets of the examples


SWAP = net_of("p=1 q=0, t: p -> q, u: q -> p")
EVERYTHING = problem(
    "p=0 a=3 s=0, three: -> 3 p, five: -> 5 p, shrink: 2 a -> a, dead: s -> s + p",
    "p == 4 or a == 0",
)
"""Effects +3 and +5, a trap that stays marked, and a siphon without which p = 4 is solvable."""


# Siphons and traps


def subsets(within: Iterable[int]) -> list[frozenset[int]]:
    places = sorted(within)
    sizes = range(len(places) + 1)
    return [frozenset(chosen) for size in sizes for chosen in combinations(places, size)]


def is_closed(net: Net, places: frozenset[int], trap: bool) -> bool:
    """Whether it is a trap, or else a siphon."""
    sides = [({n for n, _ in t.pre}, {n for n, _ in t.post}) for t in net.transitions]
    return all(places & side[trap] or not places & side[not trap] for side in sides)


@given(nets(), st.data())
def test_the_greatest_siphon_and_trap_are_the_unions_of_all(net: Net, data: st.DataObject) -> None:
    within = data.draw(st.frozensets(st.sampled_from(range(len(net.places)))))
    siphons, traps = (
        [places for places in subsets(within) if is_closed(net, places, trap)]
        for trap in (False, True)
    )
    assert greatest_siphon(net.transitions, within) == frozenset().union(*siphons)
    assert greatest_trap(net.transitions, within) == frozenset().union(*traps)


@pytest.mark.parametrize("few", [0, 1_000], ids=["compiled", "plain"])
@given(nets(), st.data())
def test_violated_traps_are_marked_ones_within_the_empty_places_and_none_is_smaller(
    few: int, net: Net, data: st.DataObject
) -> None:
    empty = data.draw(st.frozensets(st.sampled_from(range(len(net.places)))))
    marked = [
        places
        for places in subsets(empty)
        if is_closed(net, places, trap=True) and any(net.initial[n] for n in places)
    ]
    found = list(MarkedTraps(net, np.arange(len(net.transitions)), few).within(empty))
    for trap in found:
        assert trap in marked
        assert not any(places < trap for places in marked)
    joined = frozenset().union(*found)
    assert len(joined) == sum(map(len, found))
    assert all(places & joined for places in marked)


@given(nets(), st.data())
def test_a_sufficient_siphon_is_one_and_all_that_is_to_be_blocked_takes_from_it(
    net: Net, data: st.DataObject
) -> None:
    whole = greatest_siphon(net.transitions, range(len(net.places)))
    takers = [n for n, t in enumerate(net.transitions) if not whole.isdisjoint(dict(t.pre))]
    chosen = data.draw(st.sets(st.sampled_from(takers))) if takers else set()
    part = sufficient_siphon(net, whole, chosen)
    assert part <= whole and is_closed(net, part, trap=False)
    assert all(not part.isdisjoint(dict(net.transitions[number].pre)) for number in chosen)
    assert chosen or not part


@given(nets(), st.data(), st.sampled_from([1, 2**40, 2**70]))
def test_changes_of_a_sum_are_its_products_with_the_effects(
    net: Net, data: st.DataObject, factor: int
) -> None:
    larger = [
        replace(t, pre=scaled(t.pre, factor), post=scaled(t.post, factor)) for t in net.transitions
    ]
    net = replace(net, transitions=tuple(larger))
    places = data.draw(st.sets(st.sampled_from(range(len(net.places)))))
    direction = tuple((p, data.draw(st.integers(-9, 9)) * factor) for p in sorted(places))
    expected = list(products(direction, [t.effect for t in net.transitions]))
    assert changes(net, direction).tolist() == expected


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


@settings(max_examples=16)
@given(problems())
def test_a_half_space_is_kept_contradicts_the_cube_and_is_found_unless_a_rational_solution_exists(
    problem: Problem,
) -> None:
    net = problem.net
    for cube in list(cubes(problem.target))[:4]:
        found = separating_half_space(net, net.transitions, cube, ())
        assert (found is None) == solvable_over_rationals(problem, cube)
        if found is None:
            continue
        c = dict(direction_of(net, found.atom.term))
        assert all(sum(c.get(n, 0) * w for n, w in t.effect) <= 0 for t in net.transitions)
        start = sum(value * net.initial[n] for n, value in c.items())
        below = at_most(linear((net.places[n], value) for n, value in c.items()), start)
        assert find_model(conjunction([below, *cube]), natural=True) is None


@settings(max_examples=16)
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
            assert find_model(conjunction([found.atom, *cube]), natural=True) is None
            assert evaluate(found.atom, net.values(net.initial))
            assert preserves(net, net.transitions, found.atom)


def test_a_matrix_too_large_for_its_diagonal_form_is_left_alone() -> None:
    net = ring(300)
    cube = next(cubes(conjunction(equal(variable(place), 0) for place in net.places)))
    assert separating_congruence(net, [t.effect for t in net.transitions], cube) is None


# Solutions


@settings(max_examples=16)
@given(problems())
def test_an_integral_marking_is_in_the_cube(problem: Problem) -> None:
    net = problem.net
    for cube in list(cubes(problem.target))[:2]:
        program = EquationProgram(net, net.transitions)
        if any(map(program.add, cube)):
            continue
        found = program.integral_marking(5.0)
        marking = state_equation(net)
        claims = [substitute(atom, marking) for atom in cube]
        natural = [at_least(tokens, 0) for tokens in marking.values()]
        exists = find_model(conjunction([*claims, *natural]), natural=True)
        assert (found is None) == (exists is None)
        if found is not None:
            assert min(found) >= 0
            assert evaluate(conjunction(cube), net.values(found))


# The engine


@pytest.mark.parametrize(
    ("system", "goal", "invariant"),
    [
        ("p=1 q=0, t: p -> q, u: q -> p", "p >= 1 and q >= 1", "p + q <= 1, p + q >= 1"),
        ("p=2 q=0, 2 p -> q", "p + q >= 3", "p + q <= 2"),  # no place invariant
        ("p=0, add: -> 4 p, sub: 6 p ->", "p == 7", "p % 2 == 0"),
        ("p=0 q=0 s=0, t: p -> 2 q, u: q -> p + s", "s >= 1", "p + q <= 0"),  # an empty siphon
        ("p=1 q=0 s=0, t: p -> q, u: s -> 2 s", "p + q >= 2", "p + q <= 1, p + q >= 1"),
        ("p=1 q=0, t: p -> q, u: q -> p", "p >= 3 and p + q <= 2", ""),  # what nothing satisfies
        ("p=1 q=0, t: p -> q, u: q -> p", "p >= 2 or q >= 2", "p + q <= 1"),  # a cube each
    ],
)
def test_facts_make_a_certificate_that_needs_no_solver(
    system: str, goal: str, invariant: str
) -> None:
    asked = problem(system, goal)
    result = decide(asked)
    assert result.audit == EXACT
    assert set(formulas(invariant)) <= set(atoms(proof(asked).invariant))
    assert proof(asked) == proof(asked)
    assert len(list(atoms(proof(asked).invariant))) <= 3


def test_effects_three_and_five_never_make_four() -> None:
    net = "p=0, three: -> 3 p, five: -> 5 p"
    four = problem(net, "p == 4")
    assert proof(four, restate="false") == StateEquationCertificate((), ())
    assert decide(four).audit == EXACT
    for tokens in range(1, 12):
        answer = decide(problem(net, f"p == {tokens}")).answer
        assert isinstance(answer, Unreachable if tokens in (1, 2, 4, 7) else Unknown)


def test_a_trap_joins_the_certificate_and_with_integers_a_siphon_too() -> None:
    assert at_least(a, 1) in atoms(proof(problem("a=3, 2 a -> a", "a == 0")).invariant)
    equation = proof(EVERYTHING, restate="false")
    assert equation == StateEquationCertificate((("a",),), ("s",))


TWO_TRAPS = problem("a=3 b=3 c=0, t: 2 a -> a + c, u: 2 b -> b + c", "c >= 5")
"""a and b are never empty, and there are six tokens."""


@pytest.mark.parametrize(
    "asked",
    [
        problem_named("ifip_U"),
        problem_named("pingpong_U"),
        TWO_TRAPS,
        # Each trap counts twice.
        problem("a=3 b=3 c=0, t: 2 a -> a + 2 c, u: 2 b -> b + 2 c", "c >= 9"),
        # Only one transition puts on both traps.
        problem("a=3 b=3 c=0, t: 2 a -> a + c, u: 2 a + 2 b -> a + b + 2 c", "c >= 5"),
        # Another takes from them, and is dead.
        problem("a=3 b=3 c=0 s=0, t: 2 a -> a + c, u: 2 b -> b + c, s + a -> s + c", "c >= 5"),
    ],
)
def test_marked_traps_and_a_half_space_exclude_the_target_without_a_solver(asked: Problem) -> None:
    assert decide(asked, restate="false").audit == EXACT


def test_a_sum_of_traps_follows_from_those_without_the_traps_that_are_filled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    c = variable("c")
    sums = {at_most(c, 4), at_most(c + variable("a"), 5), at_most(c + variable("b"), 5)}
    assert sums <= set(atoms(proof(TWO_TRAPS).invariant))
    monkeypatch.setattr(proved, "_SUMS", 1)
    assert "z3" in decide(TWO_TRAPS).audit


def ring(length: int) -> Net:
    """One token, which goes around."""
    names = [f"p{n}" for n in range(length)]
    moves = {f"t{n}": ({names[n]: 1}, {names[(n + 1) % length]: 1}) for n in range(length)}
    return make_net("ring", dict.fromkeys(names, 0) | {"p0": 1}, moves)


def test_a_target_with_a_million_cubes_is_refuted_cube_by_cube_as_they_are_met() -> None:
    net = ring(20)
    none = conjunction(different(variable(place), 1) for place in net.places)
    answer = decide(make_problem(net, none)).answer
    assert isinstance(answer, Unreachable) and answer.statistics.iterations < 1000


@settings(max_examples=20)
@given(nets(), st.data())
def test_a_certificate_says_all_that_refuted_the_cubes_that_were_met(
    net: Net, data: st.DataObject
) -> None:
    targets = data.draw(st.lists(formulas_over(net.places), min_size=2, max_size=4))
    asked = [make_problem(net, target) for target in targets]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(branching, "_STEPS", 1)
        patch.setattr(refutation, "listed_cubes", lambda target, budget: None)
        proved = dict(StateEquation().solve_together(asked, Budget(60)))
    for number, answer in proved.items():
        audit(asked[number], answer)


def test_place_invariants_refute_wide_targets_at_once() -> None:
    size = 42  # 2^42 cubes; a train keeps the section before it free, too
    transitions = {
        f"t{n}": (
            {f"s{n}": 1, f"f{(n + 1) % size}": 1},
            {f"s{(n + 1) % size}": 1, f"f{(n - 1) % size}": 1},
        )
        for n in range(size)
    }
    initial = {f"s{n}": int(n % 3 == 0) for n in range(size)}
    initial |= {f"f{n}": int(n % 3 == 1) for n in range(size)}
    net = make_net("trains", initial, transitions)
    answer = decide(make_problem(net, Deadlock().read(net, ""))).answer
    assert isinstance(answer, Unreachable) and answer.statistics.iterations < 1000


def test_a_reachable_target_is_never_answered() -> None:
    initial = decide(make_problem(SWAP, equal(p, 1))).answer
    assert isinstance(initial, Unknown)
    assert "initial marking" in initial.reason
    later = decide(make_problem(SWAP, equal(q, 1))).answer
    assert isinstance(later, Unknown)
    assert "have a solution" in later.reason
    assert "search" in later.hint


def test_a_long_ring_is_decided_and_checked_without_a_solver() -> None:
    net = ring(3_000)
    whole = linear((place, 1) for place in net.places)
    exact = conjunction(equal(variable(n), int(n in ("p5", "p9"))) for n in net.places)
    for target in (at_least(variable("p2999"), 2), exact, at_least(whole, 2)):
        result = decide(make_problem(net, target))
        assert isinstance(result.answer, Unreachable)
        assert result.audit == EXACT


def test_numbers_too_long_for_solvers_end_in_unknown() -> None:
    big = 10**5000
    net = make_net("big", {"p": 0}, {"t": ({}, {"p": 3 * big}), "u": ({}, {"p": 5 * big})})
    exact = decide(make_problem(net, equal(p, 4 * big))).answer
    assert isinstance(exact, Unknown)
    many = disjunction(equal(p, 4 * big + n) for n in range(100))
    assert isinstance(decide(make_problem(net, many)).answer, Unknown)


def test_the_limit_on_traps_is_named() -> None:
    answer = decide(problem("a=3, 2 a -> a", "a == 0"), traps="0").answer
    assert isinstance(answer, Unknown)
    assert "-o traps=" in answer.reason


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(problems())
def test_where_the_state_equation_of_small_nets_has_no_solution_there_is_a_proof(
    problem: Problem,
) -> None:
    assume(known_verdict(problem, 60) == "unreachable")
    marking = state_equation(problem.net)
    claims = [at_least(term, 0) for term in marking.values()]
    claim = conjunction([*claims, substitute(problem.target, marking)])
    if find_model(claim, natural=True) is None:
        assert isinstance(decide(problem).answer, Unreachable)


UNDECIDED = {"exponential_U", "exponential_U_33", "l6000_U", "readers_writers_U", "long_3_U"}
"""Unreachable questions of `nets` that the state equation and its traps do not decide."""


@pytest.mark.parametrize("question", questions_of(NETS), ids=lambda q: q.name)
def test_of_the_known_nets_it_proves_these_and_no_wrong_one(question) -> None:
    answer = decide(problem_of(question)).answer
    proves = question.expected is False and question.name not in UNDECIDED
    assert isinstance(answer, Unreachable if proves else Unknown)


# On the command line


def said(tmp_path: Path, problem: Problem, *words: str) -> str:
    path = tmp_path / "net.pnml"
    write_net(problem.net, path)
    text = to_text(problem.target)
    words = (str(path), "--formula", text, "--engine", "state_equation:restate=false", *words)
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 0, done.output
    return done.output


def test_the_traps_and_the_siphon_are_told(tmp_path: Path) -> None:
    lines = said(tmp_path, EVERYTHING).splitlines()
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


# Many targets of a net


@settings(max_examples=15)
@given(nets(), st.data())
def test_targets_of_one_net_are_refuted_together_as_each_is_by_itself(
    net: Net, data: st.DataObject
) -> None:
    targets = data.draw(st.lists(formulas_over(net.places), min_size=1, max_size=4))
    asked = [make_problem(net, target) for target in targets]
    together = dict(StateEquation().solve_together(asked, Budget(60)))
    for number, each in enumerate(asked):
        alone = decide(each).answer
        assert isinstance(alone, Unreachable) == (number in together)
        if number in together:
            audit(each, together[number])


def test_a_target_that_takes_long_waits_for_the_others() -> None:
    net = ring(20)
    wide = conjunction(different(variable(place), 1) for place in net.places)
    quick = at_least(variable("p3"), 2)
    asked = [make_problem(net, wide), make_problem(net, quick)]
    assert [number for number, _ in StateEquation().solve_together(asked, Budget(60))] == [1, 0]


@given(problems(), st.integers(2, 5))
def test_a_search_that_goes_on_after_limits_ends_as_it_does_without(
    asked: Problem, every: int
) -> None:
    calls = count(1)

    def watch(_: Event) -> None:
        if next(calls) % every == 0:
            raise BudgetExhausted("a limit")

    whole, parts = (
        RefutationSearch(asked, Shared(asked.net), 500, 20.0, unmarked=True) for _ in range(2)
    )
    answer = None
    while answer is None:
        with suppress(BudgetExhausted):
            answer = parts.run(Budget(60, watch=watch))
    assert isinstance(answer, str) == isinstance(whole.run(Budget(60)), str)
    if not isinstance(answer, str):
        audit(asked, Unreachable(answer, measure("state_equation")(0)))


# The program of a net


def test_literals_that_are_taken_back_leave_no_trace() -> None:
    program = EquationProgram(SWAP, SWAP.transitions)
    assert isinstance(program.solve(9), PrimalPoint)
    program.add(at_least(p, 1))
    assert program.add(at_most(q, 0)) is None
    program.add(at_least(p + q, 2))
    refuted = program.solve(9)
    assert isinstance(refuted, Ray)
    clash = program.clash(refuted)
    assert clash is not None
    assert to_text(clash.fact.atom) == "p + q <= 1"
    assert clash.literals == (2,)
    program.undo(2)
    assert isinstance(program.solve(9), PrimalPoint)
    crossed = program.add(at_most(p, 0))
    assert crossed is not None
    assert set(crossed.literals) == {0, 2}
    program.undo(0)
    assert isinstance(program.solve(9), PrimalPoint)


@given(nets(), st.data())
def test_what_rays_say_contradicts_their_literals_and_is_inductive(
    net: Net, data: st.DataObject
) -> None:
    drawn = data.draw(st.lists(formulas_over(net.places, 4, 1), max_size=5))
    literals = [a for f in drawn for a in atoms(f) if a.term.coefficients]
    program = EquationProgram(net, net.transitions)
    clashes = [program.add(literal) for literal in literals]
    found = program.solve(9)
    if isinstance(found, Ray):
        clashes.append(program.clash(found))
    for clash in filter(None, clashes):
        part = [literals[number] for number in clash.literals]
        assert not any(clash.fact.traps)
        assert preserves(net, net.transitions, clash.fact.atom)
        assert evaluate(clash.fact.atom, net.values(net.initial))
        excluded = conjunction([*part, clash.fact.atom])
        assert find_model(excluded, natural=True) is None


def test_what_z3_has_refuted_is_known_within_the_same_limits_and_nothing_else() -> None:
    certificate, budget = proof(EVERYTHING, restate="false"), Budget(60)
    right = state_equation_obligation(EVERYTHING, certificate)
    wrong = state_equation_obligation(EVERYTHING, replace(certificate, traps=()))
    for _ in range(2):
        assert solution(right, budget) is None
        assert solution(wrong, budget) is not None
    assert list(budget.lemmas.values()) == [right]


def test_transitions_with_the_same_effect_are_counted_together() -> None:
    asked = problem("a=1 s=0 b=0, t: a + s -> b + s, u: a -> b, v: b -> a", "b >= 2")
    apart = StateEquationCertificate((), (), (("s",),))
    for certificate, counted in ((replace(apart, unmarked=()), 2), (apart, 3)):
        whole = state_equation_obligation(asked, certificate).formula
        assert len(variables(whole)) == counted
        assert audit(asked, Unreachable(certificate)) == "discharged by z3"
