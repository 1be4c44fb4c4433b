"""Integral solutions of the state equation, as hints.

HiGHS looks for whole numbers x ≥ 0 such that m = m0 + D·x satisfies the literals of a target cube,
m ≥ 0, and Σ m(p) ≥ 1 for given traps.
"""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.arithmetic.formulas.formulas import Congruence, Cube, Equality, evaluate
from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram
from petricheck.model.net import Marking, Net, Transition


def integral_solution(
    net: Net,
    transitions: Sequence[Transition],
    cube: Cube,
    traps: Sequence[frozenset[int]],
    seconds: float = INFINITY,
) -> Marking | None:
    """Return the marking of a solution where HiGHS finds one in time; None proves nothing.

    Args:
        net: the net.
        transitions: those that count.
        cube: literals over place ids; a congruence has a whole number of moduli beside it.
        traps: sets of places of which one has to be marked.
        seconds: limit.
    """
    program = LinearProgram()
    counts = [program.column(integral=True) for _ in transitions]
    tokens = [program.column() for _ in net.places]
    balances: list[dict[int, float]] = [{column: 1.0} for column in tokens]
    for column, transition in zip(counts, transitions, strict=True):
        for place, change in transition.effect:
            balances[place][column] = -change
    for balance, start in zip(balances, net.initial, strict=True):
        program.row(balance, start, start)
    for literal in cube:
        pairs, bound = literal.term.coefficients, -literal.term.constant
        entries: dict[int, float] = {tokens[net.place_numbers[name]]: c for name, c in pairs}
        if isinstance(literal, Congruence):
            entries[program.column(0.0, -INFINITY, integral=True)] = literal.modulus
        program.row(
            entries, bound if isinstance(literal, Equality | Congruence) else -INFINITY, bound
        )
    for trap in traps:
        program.row({tokens[place]: 1.0 for place in trap}, lower=1.0)
    values = program.solve(seconds)
    if values is None:
        return None
    marking = list(net.initial)
    for count, transition in zip(values, transitions, strict=False):
        for place, change in transition.effect:
            marking[place] += round(count) * change
    tokens_by_id = net.values(tuple(marking))
    inside = min(marking, default=0) >= 0 and all(
        evaluate(literal, tokens_by_id) for literal in cube
    )
    return tuple(marking) if inside else None
