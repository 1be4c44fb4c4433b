"""An inductive invariant explained: what each of its cases says, and why the target breaks it.

Everything here is checked against the net, the target and the certificate, also what hints and
origins suggest; a reason that is not found is left out. It repeats no audit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from petricheck.answer import Certificate, Hints, Separator
from petricheck.audit.disjuncts import Direction
from petricheck.audit.exact import exact_tier
from petricheck.budget import Budget
from petricheck.explanation.contradiction import Box, box_of, contradiction
from petricheck.explanation.formula_html import length
from petricheck.explanation.kinds import Kind, Surroundings, kinds
from petricheck.presburger.cubes import listed_cubes
from petricheck.presburger.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Formula,
    atoms,
    evaluate,
)
from petricheck.presburger.minimal import ATOMS, irredundant
from petricheck.presburger.text import Comparison, Leaf, Remainder, leaves, natural
from petricheck.problem import Net

EXPLAINED = 10_000
"""The `length` of what people are explained of one invariant."""

WORK = 1_000_000
"""Atoms of an invariant times transitions, of which the moves are looked at."""

CUBES = 16
"""Cubes of the target that are looked at; a target with more is not taken apart."""


@dataclass(frozen=True, slots=True)
class Conjunct:
    """One conjunct of a case.

    Attributes:
        formula: what it says.
        initially: values of its two sides initially; None where it is not one atom.
        holds: whether it holds initially.
        kinds: what it is in this net.
        suggested_by: where its direction came from, as recorded.
    """

    formula: Leaf | Formula
    initially: tuple[int, int] | None
    holds: bool
    kinds: tuple[Kind, ...]
    suggested_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """Where some transitions lead from a case: to a case, or None where they are disabled."""

    case: int | None
    transitions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clash:
    """Why a cube of the target has nothing in common with a case.

    Attributes:
        cube: its number.
        target: what holds in the cube.
        part: number of the conjunct that contradicts it.
    """

    cube: int
    target: Formula
    part: int


@dataclass(frozen=True, slots=True)
class Case:
    """A disjunct of the invariant.

    Attributes:
        parts: conjuncts that say all of it; what follows from the others is left out, unless it is
            what contradicts the target.
        moves: where they are shown; what stays in the case is the case's own number.
        clashes: what was found.
    """

    parts: tuple[Conjunct, ...]
    moves: tuple[Move, ...]
    clashes: tuple[Clash, ...]


def target_cubes(target: Formula) -> tuple[Cube, ...] | None:
    """The target's cubes, or None where they are too many."""
    return listed_cubes(target, most=CUBES)


def explain_cases(
    net: Net, target: Sequence[Cube], certificate: Certificate, most: int
) -> tuple[Case, ...]:
    """The first cases of the invariant, up to a length.

    Args:
        net: the net.
        target: cubes of the target, in the order of `cubes`; none where they are not known.
        certificate: the invariant, about places of the net.
        most: the `length` of what is explained.
    """
    origins = {origin.direction: origin.suggested_by for origin in certificate.origins}
    hints = certificate.hints if isinstance(certificate.hints, Hints) else Hints((), ())
    around = Surroundings(net)
    boxes = tuple(map(box_of, target))
    disjuncts = _operands(certificate.invariant, Disjunction)
    size = sum(1 for _ in atoms(certificate.invariant))
    few = len(disjuncts) > 1 and size * len(net.transitions) <= WORK
    leads = _leads(net, disjuncts, hints) if few else []
    found: list[Case] = []
    for number, disjunct in enumerate(disjuncts):
        conjuncts = _conjuncts(disjunct)
        most -= length(disjunct)
        if most < 0:
            break
        moves = tuple(_moves(net, leads, number, hints.successors[number])) if leads else ()
        conjuncts, clashes = _refuting(conjuncts, boxes, hints.separators, shorten=size <= ATOMS)
        parts = tuple(_part(around, conjunct, origins) for conjunct in conjuncts)
        found.append(Case(parts, moves, clashes))
    return tuple(found)


def cases(formula: Formula) -> int:
    """How many cases the invariant has."""
    return len(_operands(formula, Disjunction))


def _operands(formula: Formula, kind: type[Conjunction] | type[Disjunction]) -> tuple[Formula, ...]:
    return formula.operands if isinstance(formula, kind) else (formula,)


def _conjuncts(disjunct: Formula) -> Sequence[Formula]:
    """The conjuncts, t ≤ 0 and t ≥ 0 read as t = 0."""
    if not isinstance(disjunct, Conjunction):
        return (disjunct,)
    return tuple(map(_atom, leaves(disjunct)))


def _atom(leaf: Leaf | Formula) -> Formula:
    match leaf:
        case Comparison(left, _, right):  # `leaves` joins two inequalities to an equation only
            return Equality(left - right)
        case Remainder(left, modulus, _, residue):
            return Congruence(left - residue, modulus)
        case _:
            return leaf


def _part(
    around: Surroundings,
    conjunct: Formula,
    origins: Mapping[Direction, tuple[str, ...]],
) -> Conjunct:
    values = around.initially
    holds = evaluate(conjunct, values)
    if not isinstance(conjunct, Atom):
        return Conjunct(conjunct, None, holds, (), ())
    leaf = natural(conjunct)
    left = leaf.left.evaluate(values)
    if isinstance(leaf, Comparison):
        right = leaf.right.evaluate(values)
    else:
        left, right = left % leaf.modulus, leaf.residue
    named = tuple(_suggested_by(conjunct, origins))
    return Conjunct(leaf, (left, right), holds, tuple(kinds(around, conjunct)), named)


def _suggested_by(atom: Atom, origins: Mapping[Direction, tuple[str, ...]]) -> Iterable[str]:
    """Of the atom's direction; of an equation, which is two inequalities, also of the opposite."""
    plain = atom.term.coefficients
    opposite = tuple((name, -value) for name, value in plain)
    both = (plain, opposite) if isinstance(atom, Equality) else (plain,)
    return dict.fromkeys(name for direction in both for name in origins.get(direction, ()))


def _leads(net: Net, disjuncts: Sequence[Formula], hints: Hints) -> list[list[bool]]:
    """By transition and case, whether the transition leads where the hint says."""
    cases = tuple(Conjunction(_operands(disjunct, Conjunction)) for disjunct in disjuncts)
    exact = exact_tier(Disjunction(cases), hints, Budget())
    if exact is None:
        return []
    return [exact.preserved(net, transition, n) for n, transition in enumerate(net.transitions)]


def _moves(
    net: Net, leads: Sequence[Sequence[bool]], number: int, row: Sequence[int]
) -> Iterator[Move]:
    """Where the transitions lead from a case, of those that lead where its row of hints says."""
    groups: dict[int, list[str]] = {}
    for transition, shown, case in zip(net.transitions, leads, row, strict=False):
        if shown[number]:
            groups.setdefault(case, []).append(transition.name)
    for case, names in sorted(groups.items()):
        yield Move(case if case >= 0 else None, tuple(names))


def _refuting(
    conjuncts: Sequence[Formula],
    target: Sequence[Box],
    separators: Sequence[Separator],
    *,
    shorten: bool,
) -> tuple[Sequence[Formula], tuple[Clash, ...]]:
    """The conjuncts with their clashes, without redundant ones where these show no more."""
    clashes = tuple(_clashes(conjuncts, target, separators))
    if shorten:
        fewer = irredundant(conjuncts)
        enough = tuple(_clashes(fewer, target, separators))
        if len(enough) == len(clashes):
            return fewer, enough
    return conjuncts, clashes


def _clashes(
    conjuncts: Sequence[Formula], target: Iterable[Box], separators: Sequence[Separator]
) -> Iterator[Clash]:
    for number, box in enumerate(target):
        mine = [separator for separator in separators if separator.cube == number]
        for position, conjunct in enumerate(conjuncts):
            known = contradiction(conjunct, box, mine)
            if known is not None:
                yield Clash(number, known, position)
                break
