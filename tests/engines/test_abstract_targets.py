"""Whether a state may meet the target: "misses" is a proof, so it is compared with the meaning."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from domains import check_separator, precisions, row, states
from forms import modulo, precise
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import formula, formulas, problem
from strategies import nets, targets

from petricheck.arithmetic.formulas.cubes import FEW, cubes
from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Formula,
    at_least,
    congruent,
    evaluate,
    negate,
    tighten,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.engines.abstraction.bounds import MANY, floors
from petricheck.engines.abstraction.domain import Domain, Precision, States
from petricheck.engines.abstraction.targets import (
    CubeTest,
    Goal,
    SolverTest,
    TargetTest,
    state_atoms,
    target_test,
)
from petricheck.evidence.answer import Reachable, Unreachable
from petricheck.evidence.certificates.invariant import Separator
from petricheck.model.net import Net, make_net
from petricheck.model.problem import make_problem
from petricheck.questions import check
from petricheck.support.budget import Budget

p, q = variable("p"), variable("q")
thorough = settings(max_examples=16)


PAIR = make_net("pair", {"p": 0, "q": 0}, {})


def prepared(test: TargetTest, precision: Precision) -> Callable[..., Goal | None]:
    """What the test says of states over p and q that are given by bounds and residues."""
    domain = Domain(PAIR, precision)
    test.prepare(domain)
    return lambda bounds, residues=(): test.meets(row(domain, bounds, residues))


def meets(target: str, precision: Precision) -> Callable[..., Goal | None]:
    return prepared(target_test(make_problem(PAIR, formula(target))), precision)


def common_marking(net: Net, domain: Domain, state: States, target: Formula) -> object:
    """A marking in the state and the target, or None where there is none: by the solver."""
    atoms = Conjunction(state_atoms(domain, state))
    natural = [at_least(variable(place), 0) for place in net.places]
    return find_model(Conjunction((atoms, target, *natural)))


def compare(test: TargetTest, net: Net, domain: Domain, state: States, target: Formula) -> None:
    """What the test says of the state, against brute force and the solver."""
    test.prepare(domain)
    met = test.meets(state)
    atoms = state_atoms(domain, state)
    if met is None:
        assert common_marking(net, domain, state, target) is None
        for marking in product(range(5), repeat=len(net.places)):
            values = net.values(marking)
            inside = all(evaluate(atom, values) for atom in atoms)
            assert not (inside and evaluate(target, values))
    else:
        assert not test.misses(state, met)
    for number, cube in enumerate(cubes(target)):
        if met is not None and met.number == number:
            assert cube == met.cube


@thorough
@given(nets(max_places=3), st.data())
def test_a_state_that_misses_the_target_holds_no_marking_of_it(net, data):
    precision, target = data.draw(precisions(net)), tighten(data.draw(targets(net)))
    domain = Domain(net, precision)
    state = data.draw(states(domain, precision))
    compare(CubeTest(tuple(cubes(target))), net, domain, state, target)


@settings(max_examples=15)
@given(nets(max_places=3), st.data())
def test_the_solver_misses_exactly_what_has_no_marking_in_common(net, data):
    precision, target = data.draw(precisions(net)), tighten(data.draw(targets(net)))
    domain = Domain(net, precision)
    state = data.draw(states(domain, precision))
    test = SolverTest(net, target)
    compare(test, net, domain, state, target)
    met = test.meets(state)
    assert (met is None) == (common_marking(net, domain, state, target) is None)
    if met is not None:
        assert met.number is None
        assert common_marking(net, domain, state, Conjunction(met.cube)) is not None
        assert find_model(Conjunction((Conjunction(met.cube), negate(target)))) is None


@thorough
@given(nets(max_places=3), st.data())
def test_every_separator_in_use_satisfies_its_definition(net, data):
    precision, target = data.draw(precisions(net)), tighten(data.draw(targets(net)))
    listed = tuple(cubes(target))
    test = CubeTest(listed)
    test.prepare(Domain(net, precision))
    found = test.separators()
    assert found is not None
    for separator in found:
        check_separator(separator, listed[separator.cube])


@thorough
@given(nets(max_places=3), st.data())
def test_the_reasons_given_are_enough_to_miss_the_target(net, data):
    precision, target = data.draw(precisions(net)), tighten(data.draw(targets(net)))
    domain = Domain(net, precision)
    state = data.draw(states(domain, precision))
    test = CubeTest(tuple(cubes(target)))
    test.prepare(domain)
    reasons = test.reasons(state)
    assert (reasons is None) == (test.meets(state) is not None)
    if reasons is not None:
        weaker = state.copy()
        for atom in range(len(domain.directions) + len(domain.residues)):
            if atom not in reasons:
                weaker[domain.columns(atom)] = domain.infinity
        assert common_marking(net, domain, weaker, target) is None


@pytest.mark.parametrize("target", ["p >= 1", "p + q >= 1", "p >= 10**30"])
def test_a_direction_that_the_cube_does_not_bound_never_makes_a_state_miss_it(target):
    met = meets(target, precise({(-1, 0): (-1000,), (-1, 1): (-1000,)}))
    assert met([-1000, -1000]) is not None


@pytest.mark.parametrize(
    ("target", "direction", "least"),
    [
        ("2*p + 3*q >= 7", (1, 1), 3),
        ("p + 2*q >= 4 and 2*p + q >= 5", (1, 1), 3),
        ("p + q <= 5 and p >= 3", (0, -1), -2),
        ("p - q == 2 and p + q >= 10**12", (1, 0), 5 * 10**11 + 1),
        ("3*p - q == 2 and p <= 7", (0, -1), -19),
    ],
)
def test_over_a_polyhedron_the_bound_is_the_rational_least_value_rounded_up(
    target, direction, least
):
    met = meets(target, precise({direction: (least - 1, least)}))
    assert met([least - 1]) is None and met([least]) is not None


def test_a_residue_of_a_place_that_the_target_leaves_open_says_nothing():
    met = meets("p == 3", precise({}, (modulo((1, 2), 4), modulo((1, 4), 4))))
    assert met([], [0, 3]) is not None
    assert met([], [0, 2]) is None, "4·q vanishes modulo 4"


@given(st.integers(MANY, 90), st.integers(0, 89), st.tuples(*[st.integers(-1, 3)] * 2))
def test_the_floor_of_a_congruence_holds_wherever_that_does(modulus, residue, weights):
    literal = tighten(congruent(p * weights[0] + q * weights[1], residue % modulus, modulus))
    cube = (literal,) if isinstance(literal, Congruence) else ()
    for floor in floors(cube):
        for m, n in product(range(100), range(40)):
            values = {"p": m, "q": n}
            assert evaluate(floor, values) or not evaluate(literal, values)


def test_small_moduli_have_no_floor():
    assert floors(tuple(formulas(f"p % {MANY - 1} == 3"))) == ()
    assert list(floors(tuple(formulas(f"p % {MANY} == 3")))) == formulas("p >= 3")


def test_a_bound_below_all_of_a_residue_misses_it_and_is_for_a_solver_to_audit():
    test = target_test(make_problem(PAIR, formula("p % 1000 == 700")))
    met = prepared(test, precise({(1, 0): (699, 700)}))
    assert met([699]) is None and met([700]) is not None
    assert test.separators() == (), "it would need a literal that the target has not"


def test_a_learned_separator_is_used():
    test = CubeTest((tuple(formulas("p + q >= 3, p + q <= 2")),))
    test.learn([Separator(0, (), 0, (1, 1), 1)])
    assert prepared(test, precise({(0, 0): (0,)}))([0]) is None


def test_a_weaker_learned_separator_does_not_replace_a_stronger_one():
    test, precision = (
        CubeTest((tuple(formulas("p >= 5, p >= 2")),)),
        precise({(1, 0): (4, 5)}),
    )
    prepared(test, precision)
    test.learn([Separator(0, (("p", 1),), 0, (0, 1), 1)])
    met = prepared(test, precision)
    assert met([4]) is None and met([5]) is not None


def test_the_first_cube_that_is_met_is_named():
    met = meets("p >= 3 or p >= 2 or q >= 0", precise({(1, 0): (1, 2)}))
    assert met([2]) == Goal(tuple(formulas("p >= 2")), 1)
    assert met([1]).number == 2


def many(count: int) -> str:
    return " or ".join(f"p == {3 * number + 1}" for number in range(count))


def test_targets_with_many_cubes_are_left_to_the_solver():
    assert isinstance(target_test(problem("p=0", many(FEW))), CubeTest)
    assert isinstance(target_test(problem("p=0", many(FEW + 1))), SolverTest)


@pytest.mark.parametrize("count", [FEW, FEW + 1, 200])
def test_both_tests_agree_on_a_target_of_many_cubes(count):
    met = meets(many(count), precise({(1, 0): (0, 3, 3 * count), (-1, 0): (-3 * count, -3, 0)}))
    assert met([0, 0]) is None and met([3 * count, -3 * count]) is None
    assert met([3, 0]) is not None


@pytest.mark.parametrize("count", [FEW + 1, 100])
def test_a_target_of_many_cubes_is_decided_either_way(count):
    for net, verdict in (("p=0, -> 3 p", Unreachable), ("p=0, -> 2 p", Reachable)):
        result = check(problem(net, many(count)), budget=Budget(seconds=30))
        assert isinstance(result.answer, verdict)


PLACES = tuple(f"p{number}" for number in range(30))
NONE_IS_ONE = formula(" and ".join(f"{place} != 1" for place in PLACES))


def test_thirty_conjoined_differences_are_decided_unreachable():
    arcs = {f"t{name}": ({name: 1, "key": 1}, {name: 2}) for name in PLACES}
    net = make_net("thirty", {**dict.fromkeys(PLACES, 1), "key": 1}, arcs)
    result = check(make_problem(net, NONE_IS_ONE), budget=Budget(seconds=30))
    assert isinstance(result.answer, Unreachable)
    assert result.audit == "discharged by z3"
