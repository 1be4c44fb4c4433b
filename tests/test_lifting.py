"""Certificates of a net without a place that others determine, lifted to the net that has it.

Each is right for a hair's reason, so that a slip in a shift or a multiplier loses the exact tier.
"""

from __future__ import annotations

from types import ModuleType

import pytest
from false_rows import both, clauses, either, listed, net, p, wall

from petricheck.answer import Certificate, Hints, Unreachable
from petricheck.audit import audit
from petricheck.presburger.cubes import cubes
from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    at_least,
    at_most,
    congruent,
    equal,
)
from petricheck.presburger.terms import Term, constant, variable
from petricheck.problem import Net, Problem
from petricheck.reductions import _larger_cubes, _lifting
from petricheck.reductions._selection import Selection, select

EXACT = "checked in exact integer arithmetic"
q, r, go = variable("q"), variable("r"), variable("go")


def without_q(system: Net, target: Formula, value: Term) -> Selection:
    """The step that replaces q by its value."""
    problem = Problem(system, target)
    return select(problem, places={system.place_numbers["q"]}, values={"q": value})


def lifted(step: Selection, certificate: Certificate) -> Certificate:
    """The certificate, exact before and, as is asserted, after it is lifted."""
    assert audit(step.after, Unreachable(certificate)) == EXACT
    answer = step.lift(Unreachable(certificate))
    assert isinstance(answer, Unreachable) and isinstance(answer.certificate, Certificate)
    assert audit(step.before, answer) == EXACT
    return answer.certificate


def test_a_bound_is_lifted_with_the_scale_of_its_literal() -> None:
    system = net({"p": 1, "q": 7, "r": 0}, t="p + 3 q -> r", u="r -> p + 3 q")
    step = without_q(system, at_least(q, 10), 3 * p + 4)
    assert step.after.target == at_least(p, 2)
    lifted(step, listed([at_most(p + r, 1)], after=((0, 0),), walls=[wall(p + r, 1)]))


def test_a_lower_bound_is_lifted() -> None:
    system = net({"p": 1, "q": 7}, t="-> p + 3 q")
    step = without_q(system, at_most(q, 6), 3 * p + 4)
    lifted(step, listed([at_least(p, 1)], after=((0,),), walls=[wall(-p, 1)]))


@pytest.mark.parametrize("sign", [1, -1])
def test_an_equality_is_lifted_with_the_sign_of_its_literal(sign: int) -> None:
    system = net({"p": 1, "q": 2, "r": 0}, t="p + 2 q -> r")
    step = without_q(system, equal(sign * q, sign * 4), 2 * p)
    assert step.after.target == equal(p, 2)
    lifted(step, listed([at_most(p, 1)], after=((0,),), walls=[wall(p, -1)]))
    up = net({"p": 3, "q": 6}, t="-> p + 2 q")
    step = without_q(up, equal(sign * q, sign * 4), 2 * p)
    lifted(step, listed([at_least(p, 3)], after=((0,),), walls=[wall(-p, 1)]))


def test_an_equality_and_a_pair_of_halves_say_the_same() -> None:
    system = net({"p": 1, "q": 1}, t="p + q -> p + q")
    step = without_q(system, both(at_most(q, 2), at_least(p, 2)), p)
    lifted(step, listed([at_most(p, 1)], after=((0,),), walls=[wall(p, -1)]))


def test_several_literals_are_lifted_by_a_common_scale() -> None:
    system = net({"p": 1, "q": 2, "r": 0, "s": 0}, t="p + 2 q -> r + 3 s", u="r + 3 s -> p + 2 q")
    target = both(at_least(q, 2), at_least(variable("s"), 3))
    step = select(Problem(system, target), places={1, 3}, values={"q": 2 * p, "s": 3 * r})
    assert step.after.target == both(at_least(p, 1), at_least(r, 1))
    lifted(step, listed([at_most(p + r, 1)], after=((0, 0),), walls=[wall(p + r, 1, 1)]))


def test_a_residue_is_lifted() -> None:
    system = net({"p": 1, "q": 6}, t="-> 3 p + 3 q")
    step = without_q(system, equal(q, 7), p + 5)
    lifted(step, listed([congruent(p, 1, 3)], after=((0,),), walls=[wall(p, 1, modulus=3)]))


def test_a_residue_of_the_target_is_lifted() -> None:
    system = net({"p": 1, "q": 6}, t="-> 3 p + 3 q")
    step = without_q(system, congruent(q, 1, 3), p + 5)
    assert step.after.target == Congruence(p + 1, 3)
    lifted(step, listed([congruent(p, 1, 3)], after=((0,),), walls=[wall(p, 1, modulus=3)]))


@pytest.mark.parametrize("modulus", [3, 6])
def test_a_residue_is_lifted_with_the_period_of_all_residues(modulus: int) -> None:
    """What holds of 3r for no reason needs G modulo 6 as its source, when it is scaled by 2."""
    system = net({"p": 1, "q": 6, "r": 0, "go": 1}, t="go -> r", u="-> 3 p + 3 q")
    step = without_q(system, both(equal(q, 7), at_most(go, 0)), p + 5)
    first = [congruent(p, 1, 3), at_least(go, 1), at_most(go, 1)]
    second = [congruent(p, 1, 3), congruent(3 * r, 0, 3), at_most(go, 0)]
    separator = wall(p, 2, 0, modulus=modulus, scale=2)
    other = wall(-go, 0, 1)
    certificate = listed(first, second, after=((1, 0), (-1, 1)), walls=[separator, other])
    lifted(step, certificate)


def test_the_period_is_that_of_all_moduli() -> None:
    system = net({"p": 1, "q": 6, "r": 0, "go": 1}, t="go -> r", u="-> 3 p + 3 q")
    step = without_q(system, both(equal(q, 7), at_most(go, 0)), p + 5)
    first = [congruent(p, 1, 3), at_least(go, 1), at_most(go, 1)]
    second = [congruent(p, 1, 3), congruent(5 * r, 0, 5), at_most(go, 0)]
    walls = [wall(p, 1, 0, modulus=3), wall(-go, 0, 1)]
    lifted(step, listed(first, second, after=((1, 0), (-1, 1)), walls=walls))


def test_nothing_is_lifted_as_a_source_of_bounds() -> None:
    """What holds of −p for no reason needs −G ≤ 0 as its source."""
    system = net({"p": 0, "q": 0, "go": 1}, t="go -> 2 p + 2 q")
    step = without_q(system, both(at_most(q, 1), at_most(go, 0)), p)
    first, second = [at_least(go, 1)], [at_least(p, 2)]
    walls = [wall(-p, 1, 0), wall(-go, 0, 1)]
    lifted(step, listed(first, second, after=((1,), (1,)), walls=walls))


@pytest.mark.parametrize(
    "target",
    [equal(q, 4), congruent(q, 0, 2), both(at_least(p, 1), equal(q, 4)), equal(2 * q, 2 * p + 3)],
)
def test_what_a_value_makes_impossible_contradicts_nothing_at_all(target: Formula) -> None:
    system = net({"p": 1, "q": 3}, t="-> p + 2 q")
    step = without_q(system, target, 2 * p + 1)
    assert step.after.target == FALSE
    lifted(step, Certificate(Disjunction((TRUE,)), Hints(((0,),), ())))


@pytest.mark.parametrize(
    "target", [at_least(q, 4), at_most(q, 2), equal(q, 4), equal(q, 2), congruent(q, 1, 3)]
)
def test_what_a_constant_makes_impossible_contradicts_nothing_at_all(target: Formula) -> None:
    system = net({"p": 1, "q": 3}, t="-> p")
    step = without_q(system, target, constant(3))
    assert step.after.target == FALSE
    lifted(step, Certificate(Disjunction((TRUE,)), Hints(((0,),), ())))


@pytest.mark.parametrize("order", [1, -1])
def test_cubes_are_found_again_in_another_order(order: int) -> None:
    system = net({"p": 3, "q": 3}, t="-> 5 p + 5 q")
    parts = (equal(q, 2), equal(2 * q, 2 * p + 3), both(equal(p, 4), at_least(q, 1)))
    step = without_q(system, Disjunction(parts[::order]), p)
    sizes = [len(cube) for cube in cubes(step.after.target)]
    assert sorted(sizes) == [1, 2]
    walls = [
        wall(p, 1, *[0] * (size - 1), modulus=5, cube=number) for number, size in enumerate(sizes)
    ]
    lifted(step, listed([congruent(p, 3, 5)], after=((0,),), walls=walls))


def test_clauses_are_lifted_with_the_facts_behind() -> None:
    system = net({"p": 1, "q": 1, "x": 1, "y": 0, "bad": 0}, t="2 p + 2 q -> 2 p + 2 q + bad")
    step = without_q(system, both(at_least(variable("bad"), 1), at_least(q, 0)), p)
    x, y = variable("x"), variable("y")
    certificate = clauses(
        at_most(variable("bad"), 0),
        at_most(p - x, 0),
        at_most(x + y, 1),
        sums=[[(1, 1), (2, 1)]],
    )
    assert lifted(step, certificate).hints == certificate.hints


def test_a_formula_that_is_no_conjunction_of_clauses_is_lifted_whole() -> None:
    system = net({"p": 1, "q": 1}, t="p + q -> p + q")
    step = without_q(system, at_least(q, 2), p)
    lifted(step, Certificate(at_most(p, 1), clauses().hints))


def test_facts_stand_in_every_disjunct() -> None:
    system = net({"p": 0, "q": 0, "go": 1}, t="go -> p + q")
    step = without_q(system, at_least(q, 2), p)
    first, second = [at_most(p, 0)], [at_most(p, 1), at_most(go, 0)]
    first.append(at_most(go, 1))
    found = lifted(step, listed(first, second, after=((1,), (-1,)), walls=[wall(p, 1)]))
    assert isinstance(found.invariant, Disjunction)
    for part in found.invariant.operands:
        assert isinstance(part, Conjunction)
        assert {Inequality(q - p), Inequality(p - q)} <= set(part.operands)


def test_hints_of_another_shape_are_dropped_and_the_solver_decides() -> None:
    system = net({"p": 1, "q": 1}, t="p + q -> p + q")
    step = without_q(system, at_least(q, 2), p)
    for invariant, rows in (
        (at_most(p, 1), ((0,),)),
        (either(at_most(p, 1)), ((0,),)),
        (either(both(at_most(p, 1))), ((0,), (0,))),
    ):
        answer = step.lift(Unreachable(Certificate(invariant, Hints(rows, ()))))
        assert isinstance(answer, Unreachable) and isinstance(answer.certificate, Certificate)
        assert answer.certificate.hints is None
        assert audit(step.before, answer) == "discharged by z3"


def test_separators_that_make_no_sense_are_passed_over() -> None:
    system = net({"p": 1, "q": 1}, t="p + q -> p + q")
    step = without_q(system, at_least(q, 2), p)
    odd = [wall(p, 1, 1), wall(p, 1, cube=7), wall(p, 1, modulus=2)]
    lifted(step, listed([at_most(p, 1)], after=((0,),), walls=[*odd, wall(p, 1)]))


@pytest.mark.parametrize(
    ("module", "name", "value"),
    [(_larger_cubes, "listed_cubes", lambda _: None), (_lifting, "ATOMS", 1)],
    ids=["cubes", "atoms"],
)
def test_what_is_too_large_is_left_to_the_solver(
    module: ModuleType, name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, value)
    system = net({"p": 1, "q": 1}, t="p + q -> p + q")
    step = without_q(system, at_least(q, 2), p)
    certificate = listed([at_most(p, 1)], after=((0,),), walls=[wall(p, 1)])
    answer = step.lift(Unreachable(certificate))
    assert isinstance(answer, Unreachable)
    assert audit(step.before, answer) == "discharged by z3"
