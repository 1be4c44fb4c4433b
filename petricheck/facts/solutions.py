"""Solutions of the state equation, as hints: how often each transition fires, and what is left.

HiGHS solves m = m0 + D·x, x ≥ 0, m ≥ 0, the literals of a target cube, and Σ m(p) ≥ 1 for given
traps: over the rationals with the least Σ x, or over the integers with any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.presburger.formulas import Atom, Congruence, Cube, Equality, evaluate
from petricheck.presburger.linear_programs import INFINITY, LinearProgram
from petricheck.problem import Marking, Net, Transition

_NOTHING = 1e-6
"""Tokens that count as none."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A hint.

    Attributes:
        empty: the places without tokens.
        exact: the marking m0 + D·x of the rounded x; None where it is not in the cube.
    """

    empty: tuple[int, ...]
    exact: Marking | None


def solve_state_equation(
    net: Net,
    transitions: Sequence[Transition],
    cube: Cube,
    traps: Sequence[frozenset[int]],
    *,
    integral: bool,
    seconds: float = INFINITY,
) -> Solution | None:
    """A solution where HiGHS finds one in time; None proves nothing.

    Args:
        net: the net.
        transitions: those that count.
        cube: literals over place ids.
        traps: sets of places of which one has to be marked.
        integral: whether x, and with it m, must consist of integers.
        seconds: limit.
    """
    program = LinearProgram()
    counts = [program.column(float(not integral), integral=integral) for _ in transitions]
    tokens = [program.column() for _ in net.places]
    balances: list[dict[int, float]] = [{column: 1.0} for column in tokens]
    for column, transition in zip(counts, transitions, strict=True):
        for place, change in transition.effect:
            balances[place][column] = -change
    for balance, start in zip(balances, net.initial, strict=True):
        program.row(balance, start, start)
    for literal in cube:
        _require(program, net, tokens, literal)
    for trap in traps:
        program.row({tokens[place]: 1.0 for place in trap}, lower=1.0)
    values = program.solve(seconds)
    if values is None:
        return None
    empty = tuple(p for p, column in enumerate(tokens) if values[column] < _NOTHING)
    return Solution(empty, _exact(net, transitions, cube, values[: len(counts)]))


def _exact(
    net: Net, transitions: Sequence[Transition], cube: Cube, counts: Sequence[float]
) -> Marking | None:
    marking = list(net.initial)
    for count, transition in zip(counts, transitions, strict=True):
        for place, change in transition.effect:
            marking[place] += round(count) * change
    values = net.values(tuple(marking))
    inside = min(marking, default=0) >= 0 and all(evaluate(literal, values) for literal in cube)
    return tuple(marking) if inside else None


def _require(program: LinearProgram, net: Net, tokens: Sequence[int], literal: Atom) -> None:
    """The literal as a row; a congruence with a whole number of moduli beside it."""
    pairs = literal.term.coefficients
    entries: dict[int, float] = {tokens[net.place_numbers[name]]: value for name, value in pairs}
    bound = -literal.term.constant
    if isinstance(literal, Congruence):
        entries[program.column(0.0, -INFINITY, integral=True)] = literal.modulus
    exact = isinstance(literal, Equality | Congruence)
    program.row(entries, bound if exact else -INFINITY, bound)
