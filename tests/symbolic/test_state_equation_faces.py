from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import problem
from strategies import problems

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import Cube, conjunction, evaluate
from petricheck.arithmetic.programs.algebra import congruence_separator
from petricheck.arithmetic.programs.residues import sparse_congruence_separator
from petricheck.arithmetic.programs.warm_programs import PrimalPoint
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.engines.state_equation import StateEquation
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.equation import Clash, EquationProgram, Solution
from petricheck.symbolic.facts.faces import separating_face
from petricheck.symbolic.facts.marked_traps import MarkedTraps
from petricheck.symbolic.facts.siphons import trap_fact
from petricheck.symbolic.linear import preserves

PAIRS = "p=3 q=0, t: 2 p -> 2 q, u: 2 q -> 2 p"
"""p + q = 3, and q is even."""

CHAIN = "p=3 q=0 r=0 s=0, 2 p -> 2 q, 2 q -> 2 p, 2 q -> 2 r, r -> s, s -> r"
"""The same, and r + s is even: of r and s together there never is one."""


def face(net: Net, cube: Cube, traps: Sequence[frozenset[int]] = ()) -> Clash | None:
    """What contradicts a cube on a face; None where the state equation does, or nothing."""
    program = EquationProgram(net, net.transitions)
    for trap in traps:
        program.add_trap(trap)
    if any(map(program.add, cube)) or not isinstance(point := program.solve(5.0), PrimalPoint):
        return None
    solution = Solution(point.values, program.marking(point), cube)
    return separating_face(program, solution, Budget(5.0))


@pytest.mark.parametrize(
    ("system", "goal"),
    [
        (PAIRS, "p >= 2 and q >= 1"),
        (PAIRS, "p >= 2 and q >= 1 and p <= 9"),
        (PAIRS, "q >= 1 and q <= 1"),
        (PAIRS, "p + q >= 3 and p >= 2 and q >= 1"),
        (CHAIN, "p >= 2 and s >= 1"),
        (CHAIN, "p + q >= 2 and s >= 1"),
        ("p=4 q=0, t: 3 p -> 3 q", "p >= 2 and q >= 2"),
        ("a=3 b=0 s=1, t: 2 a -> 2 b", "a >= 2 and b >= 1 or s >= 2"),
    ],
)
def test_a_residue_refutes_what_half_spaces_leave_of_a_cube(system: str, goal: str) -> None:
    asked = problem(system, goal)
    answer = StateEquation().solve(asked, Budget(10.0))
    assert isinstance(answer, Unreachable)
    assert isinstance(answer.certificate, Certificate)
    audit(asked, answer)


@pytest.mark.parametrize(
    ("system", "goal"),
    [
        (PAIRS, "p >= 1 and q >= 2"),  # reached
        (PAIRS, "q >= 1"),  # q = 1 and q = 3 by the state equation, and q = 2 as well
        ("p=0, three: -> 3 p, five: -> 5 p", "p >= 4 and p <= 4"),  # residues know no signs
    ],
)
def test_where_a_residue_refutes_nothing_there_is_none(system: str, goal: str) -> None:
    asked = problem(system, goal)
    (cube,) = cubes(asked.target)
    assert face(asked.net, cube) is None


def test_traps_may_make_the_face() -> None:
    """With the trap a is 1, and a is even."""
    asked = problem("a=4 b=0, t: 3 a -> a, u: a -> a + 2 b", "a <= 1")
    net, (cube,) = asked.net, cubes(asked.target)
    assert face(net, cube) is None
    clash = face(net, cube, [frozenset((0,))])
    assert clash is not None and (fact := clash.fact).premise is not None
    assert 0 in (*fact.traps, *fact.premise.traps)
    answer = StateEquation().solve(asked, Budget(10.0))
    assert isinstance(answer, Unreachable)
    audit(asked, answer)


@settings(max_examples=20)
@given(problems())
def test_what_is_found_is_inductive_and_excludes_the_cube(asked: Problem) -> None:
    net = asked.net
    traps = tuple(MarkedTraps(net, np.arange(len(net.transitions))).within(range(len(net.places))))
    for cube in list(cubes(asked.target))[:4]:
        clash = face(net, cube, traps)
        if clash is None:
            continue
        fact = clash.fact
        assert fact.premise is not None
        facts = fact.atom, fact.premise.atom
        assert all(evaluate(atom, net.values(net.initial)) for atom in facts)
        assert all(preserves(net, net.transitions, atom) for atom in facts)
        part = [cube[number] for number in clash.literals]
        marked_ones = [trap_fact(net, traps[n]) for n in {*fact.traps, *fact.premise.traps}]
        assert find_model(conjunction([*facts, *marked_ones, *part]), natural=True) is None


@settings(max_examples=20)
@given(st.data())
def test_sparse_vectors_are_separated_where_dense_ones_are(data: Any) -> None:
    size = data.draw(st.integers(1, 5))
    entries = st.integers(-4, 4)
    vectors = st.lists(entries, min_size=size, max_size=size)
    generators = data.draw(st.lists(vectors, max_size=6))
    vector = data.draw(vectors)
    sparse = [{n: entry for n, entry in enumerate(row) if entry} for row in generators]
    found = sparse_congruence_separator(sparse, vector)
    assert (found is None) == (congruence_separator(generators, vector) is None)
    if found is not None:
        weights, modulus = found
        images = [
            sum(w * row[n] for n, w in weights.items()) % modulus for row in (*generators, vector)
        ]
        assert not any(images[:-1]) and images[-1]
