"""How the rows of `false_certificates` are written down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from petricheck.answer import (
    Certificate,
    CoverHints,
    Hints,
    Separator,
    StateEquationCertificate,
    Trace,
)
from petricheck.presburger.formulas import Conjunction, Disjunction, Formula, at_least, at_most
from petricheck.presburger.terms import Term, variable
from petricheck.problem import Net, make_net

Evidence = Trace | Certificate | StateEquationCertificate

p, q, r = (variable(name) for name in "pqr")

BORDERS = (2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**62, 2**63 - 1, 2**63)
"""Where floats and machine integers end."""


@dataclass(frozen=True, slots=True)
class Row:
    """A proof of something false, or of something that is nearly false.

    Attributes:
        name: which rule refuses it.
        net: the net.
        target: the target.
        evidence: a trace for *reachable*, anything else for *unreachable*.
    """

    name: str
    net: Net
    target: Formula
    evidence: Evidence


def net(tokens: dict[str, int], **moves: str) -> Net:
    """Moves read `p + 2 q -> r`."""
    return make_net("n", tokens, {name: _arcs(text) for name, text in moves.items()})


def _arcs(text: str) -> tuple[dict[str, int], dict[str, int]]:
    before, after = ({}, {})
    for side, found in zip(text.split("->"), (before, after), strict=True):
        for item in filter(None, map(str.strip, side.split("+"))):
            *weight, place = item.split()
            found[place] = int(weight[0]) if weight else 1
    return before, after


def both(*parts: Formula) -> Conjunction:
    return Conjunction(parts)


def either(*parts: Formula) -> Disjunction:
    return Disjunction(parts)


def listed(
    *parts: Sequence[Formula],
    after: Sequence[Sequence[int]] = ((),),
    walls: Iterable[Separator] = (),
) -> Certificate:
    """A disjunction of conjunctions; by disjunct and transition where it leads."""
    rows = tuple(tuple(row) for row in after)
    invariant = Disjunction(tuple(Conjunction(tuple(part)) for part in parts))
    return Certificate(invariant, Hints(rows, tuple(walls)))


def wall(
    direction: Term, *multipliers: int, modulus: int = 0, scale: int = 1, cube: int = 0
) -> Separator:
    return Separator(cube, direction.coefficients, modulus, multipliers, scale)


def clauses(*parts: Formula, sums: Sequence[Sequence[tuple[int, int]]] = ()) -> Certificate:
    """A conjunction of clauses and half-spaces."""
    return Certificate(Conjunction(parts), CoverHints(tuple(tuple(terms) for terms in sums)))


def once(
    name: str,
    tokens: dict[str, int],
    move: str,
    first: Sequence[Formula],
    second: Sequence[Formula],
    goal: Formula,
    *walls: Separator,
) -> Row:
    """A move that a token on `go` allows once leads from the first disjunct into the second.

    The goal is asked of the marking after it; `walls` say why the second misses it.
    """
    go = variable("go")
    taken, put = move.split("->")
    system = net({**tokens, "go": 1}, t=f"{taken} + go -> {put}")
    before = (*first, at_most(go, 1), at_least(go, 1))
    ready = Separator(0, (("go", -1),), 0, (0, 1), 1)
    evidence = listed(before, (*second, at_most(go, 0)), after=((1,), (-1,)), walls=(ready, *walls))
    return Row(name, system, both(goal, at_most(go, 0)), evidence)
