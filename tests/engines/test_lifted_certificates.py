"""Certificates of a net without a place that others determine, lifted to the net that has it.

Each is right for a hair's reason, so that a slip in a shift or a multiplier loses the exact tier.
"""

from __future__ import annotations

import re

import pytest
from false_rows import clauses, covering, disjunctive, listed, p, q, r, wall
from notation import EXACT, formula, net_of, problem, value

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Disjunction,
    Formula,
    Inequality,
    at_most,
    congruent,
)
from petricheck.arithmetic.formulas.terms import Term, constant
from petricheck.engines.reductions import _lifting
from petricheck.engines.reductions._selection import Selection, select
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.invariant import Certificate, Hints
from petricheck.model.net import Net
from petricheck.model.problem import Problem, make_problem


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


# System; target; what q is; what becomes of the target; certificates as `false_rows` writes them
CERTIFICATES = """
a bound is lifted with the scale of its literal
    p=1 q=7 r=0, p + 3 q -> r, u: r -> p + 3 q; q >= 10; 3*p + 4; p >= 2;
    to 0 0: p + r <= 1; wall p + r: 1
a lower bound is lifted
    p=1 q=7, -> p + 3 q; q <= 6; 3*p + 4; p <= 0; to 0: p >= 1; wall -p: 1
an equality is lifted with the sign of its literal
    p=1 q=2 r=0, p + 2 q -> r; q == 4; 2*p; p == 2; to 0: p <= 1; wall p: -1
an equality is lifted with the other sign
    p=1 q=2 r=0, p + 2 q -> r; -q == -4; 2*p; p == 2; to 0: p <= 1; wall p: -1
an equality is lifted from above
    p=3 q=6, -> p + 2 q; q == 4; 2*p; p == 2; to 0: p >= 3; wall -p: 1
an equality is lifted from above with the other sign
    p=3 q=6, -> p + 2 q; -q == -4; 2*p; p == 2; to 0: p >= 3; wall -p: 1
an equality and a pair of halves say the same
    p=1 q=1, p + q -> p + q; q <= 2 and p >= 2; p; p == 2; to 0: p <= 1; wall p: -1
a residue is lifted
    p=1 q=6, -> 3 p + 3 q; q == 7; p + 5; p == 2; to 0: p % 3 == 1; wall p % 3: 1
a residue of the target is lifted
    p=1 q=6, -> 3 p + 3 q; q % 3 == 1; p + 5; (p + 1) % 3 == 0; to 0: p % 3 == 1; wall p % 3: 1
what holds of 3r for no reason needs G modulo 6 as its source, when it is scaled by 2
    p=1 q=6 r=0 go=1, go -> r, u: -> 3 p + 3 q; q == 7 and go <= 0; p + 5; p == 2 and go <= 0;
    to 1 0: p % 3 == 1, go >= 1, go <= 1; to -1 1: p % 3 == 1, 3*r % 3 == 0, go <= 0;
    wall p % 6: 2, 0 / 2; wall -go: 0, 1
the same modulo 3
    p=1 q=6 r=0 go=1, go -> r, u: -> 3 p + 3 q; q == 7 and go <= 0; p + 5; p == 2 and go <= 0;
    to 1 0: p % 3 == 1, go >= 1, go <= 1; to -1 1: p % 3 == 1, 3*r % 3 == 0, go <= 0;
    wall p % 3: 2, 0 / 2; wall -go: 0, 1
the period is that of all moduli
    p=1 q=6 r=0 go=1, go -> r, u: -> 3 p + 3 q; q == 7 and go <= 0; p + 5; p == 2 and go <= 0;
    to 1 0: p % 3 == 1, go >= 1, go <= 1; to -1 1: p % 3 == 1, 5*r % 5 == 0, go <= 0;
    wall p % 3: 1, 0; wall -go: 0, 1
what holds of -p for no reason needs -G <= 0 as its source
    p=0 q=0 go=1, go -> 2 p + 2 q; q <= 1 and go <= 0; p; p <= 1 and go <= 0;
    to 1: go >= 1; to 1: p >= 2; wall -p: 1, 0; wall -go: 0, 1
facts stand in every disjunct
    p=0 q=0 go=1, go -> p + q; q >= 2; p; p >= 2;
    to 1: p <= 0, go <= 1; to -1: p <= 1, go <= 0; wall p: 1
separators that make no sense are passed over
    p=1 q=1, p + q -> p + q; q >= 2; p; p >= 2;
    to 0: p <= 1; wall p: 1, 1; wall p: 1 @ 7; wall p % 2: 1; wall p: 1
"""


@pytest.mark.parametrize("text", re.split(r"\n(?=\w)", CERTIFICATES.strip()))
def test_a_certificate_without_q_is_lifted_and_stays_exact(text: str) -> None:
    name, _, fields = text.partition("\n")
    system, goal, value_, left, *proof = (" ".join(part.split()) for part in fields.split(";"))
    step = without_q(net_of(system), formula(goal), value(value_))
    assert step.after.target == make_problem(step.after.net, formula(left)).target
    certificate = lifted(step, disjunctive(name, system, goal, *proof).evidence)
    for part in certificate.invariant.operands:
        facts = {atom.term for atom in part.operands if isinstance(atom, Inequality)}
        assert {value(value_) - q, q - value(value_)} <= facts or "%" in fields


def test_several_literals_are_lifted_by_a_common_scale() -> None:
    asked = problem(
        "p=1 q=2 r=0 s=0, p + 2 q -> r + 3 s, u: r + 3 s -> p + 2 q", "q >= 2 and s >= 3"
    )
    step = select(asked, places={1, 3}, values={"q": 2 * p, "s": 3 * r})
    assert step.after.target == formula("p >= 1 and r >= 1")
    lifted(step, listed([at_most(p + r, 1)], after=((0, 0),), walls=[wall(p + r, 1, 1)]))


@pytest.mark.parametrize(
    ("system", "goal", "is_q"),
    [
        *(
            ("p=1 q=3, -> p + 2 q", goal, "2*p + 1")
            for goal in ("q == 4", "q % 2 == 0", "p >= 1 and q == 4", "2*q == 2*p + 3")
        ),
        *(
            ("p=1 q=3, -> p", goal, "constant(3)")
            for goal in ("q >= 4", "q <= 2", "q == 4", "q == 2", "q % 3 == 1")
        ),
    ],
)
def test_what_a_value_makes_impossible_contradicts_nothing_at_all(
    system: str, goal: str, is_q: str
) -> None:
    step = without_q(net_of(system), formula(goal), constant(3) if "c" in is_q else value(is_q))
    assert step.after.target == FALSE
    lifted(step, Certificate(Disjunction((TRUE,)), Hints(((0,),), ())))


@pytest.mark.parametrize("order", [1, -1])
def test_cubes_are_found_again_in_another_order(order: int) -> None:
    parts = ("q == 2", "2*q == 2*p + 3", "p == 4 and q >= 1")[::order]
    step = without_q(net_of("p=3 q=3, -> 5 p + 5 q"), formula(f"any({', '.join(parts)})"), p)
    sizes = [len(cube) for cube in cubes(step.after.target)]
    assert sorted(sizes) == [1, 2]
    walls = [wall(p, 1, *[0] * (size - 1), modulus=5, cube=n) for n, size in enumerate(sizes)]
    lifted(step, listed([congruent(p, 3, 5)], after=((0,),), walls=walls))


def test_clauses_are_lifted_with_the_facts_behind() -> None:
    system = "p=1 q=1 x=1 y=0 bad=0, 2 p + 2 q -> 2 p + 2 q + bad"
    proof = covering("", system, "p >= 1", "bad <= 0", "p - x <= 0", "x + y <= 1", "sum 1: 1, 2: 1")
    step = without_q(proof.net, formula("bad >= 1 and q >= 0"), p)
    assert lifted(step, proof.evidence).hints == proof.evidence.hints


STEP = select(problem("p=1 q=1, p + q -> p + q", "q >= 2"), places={1}, values={"q": p})


def solved(certificate: Certificate) -> Certificate:
    """The lifted certificate, which only the solver accepts."""
    answer = STEP.lift(Unreachable(certificate))
    assert isinstance(answer, Unreachable)
    assert audit(STEP.before, answer) == "discharged by z3"
    return answer.certificate


def test_a_formula_that_is_no_conjunction_of_clauses_is_lifted_whole() -> None:
    lifted(STEP, Certificate(at_most(p, 1), clauses().hints))


@pytest.mark.parametrize(
    ("invariant", "rows"),
    [("p <= 1", ((0,),)), ("any(p <= 1)", ((0,),)), ("any(all(p <= 1))", ((0,), (0,)))],
)
def test_hints_of_another_shape_are_dropped_and_the_solver_decides(
    invariant: str, rows: tuple[tuple[int, ...], ...]
) -> None:
    assert solved(Certificate(formula(invariant), Hints(rows, ()))).hints is None


@pytest.mark.parametrize(
    ("name", "value"),
    [("listed_cubes", lambda _: None), ("ATOMS", 1)],
    ids=["cubes", "atoms"],
)
def test_what_is_too_large_is_left_to_the_solver(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_lifting, name, value)
    solved(listed([at_most(p, 1)], after=((0,),), walls=[wall(p, 1)]))
