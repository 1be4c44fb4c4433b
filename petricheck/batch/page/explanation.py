"""An inductive invariant explained: what each of its cases says, and why the target breaks it.

Everything here is derived from the net, the target and the certificate, and repeats no audit: a
reason that is not found is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from petricheck.answer import Certificate, Hints, Separator
from petricheck.batch.page.contradiction import Direction, contradiction
from petricheck.presburger.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    cubes,
    evaluate,
)
from petricheck.presburger.terms import Term
from petricheck.presburger.text import Comparison, Leaf, Remainder, leaves, natural
from petricheck.problem import Net
from petricheck.state_equation.siphons import greatest_siphon, greatest_trap

CUBES = 16
"""Cubes of the target that are looked at; a target with more is not taken apart."""


@dataclass(frozen=True, slots=True)
class Part:
    """One conjunct of a case.

    Attributes:
        formula: what it says.
        initially: values of its two sides initially; None where it is not one atom.
        holds: whether it holds initially.
        kinds: what it is in this net: place invariant, never grows, and so on.
        suggested_by: where its direction came from.
    """

    formula: Leaf | Formula
    initially: tuple[int, int] | None
    holds: bool
    kinds: tuple[str, ...]
    suggested_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """Where transitions lead from a case: the number of a case, or None where they are disabled."""

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
        parts: its conjuncts.
        moves: where it is known; what stays in the case is the case's own number.
        clashes: what was found.
    """

    parts: tuple[Part, ...]
    moves: tuple[Move, ...]
    clashes: tuple[Clash, ...]


def target_cubes(target: Formula) -> tuple[Cube, ...] | None:
    """The target's cubes, or None where they are too many."""
    found = tuple(islice(cubes(target), CUBES + 1))
    return found if len(found) <= CUBES else None


def explain(
    net: Net, target: Sequence[Cube], certificate: Certificate, most: int
) -> tuple[Case, ...]:
    """The first cases of the invariant, with at most so many conjuncts in all.

    Args:
        net: the net.
        target: cubes of the target, in the order of `cubes`; none where they are not known.
        certificate: the invariant, about places of the net.
        most: how many conjuncts are explained.
    """
    values = net.values(net.initial)
    origins = {origin.direction: origin.suggested_by for origin in certificate.origins}
    hints = certificate.hints if isinstance(certificate.hints, Hints) else None
    found: list[Case] = []
    for number, disjunct in enumerate(_operands(certificate.invariant, Disjunction)):
        conjuncts = _conjuncts(disjunct)
        most -= len(conjuncts)
        if most < 0:
            break
        parts = tuple(_part(net, values, conjunct, origins) for conjunct in conjuncts)
        row = hints.successors[number : number + 1] if hints else ()
        moves = tuple(_moves(net, row[0])) if row else ()
        separators = hints.separators if hints else ()
        clashes = tuple(_clashes(conjuncts, target, separators))
        found.append(Case(parts, moves, clashes))
    return tuple(found)


def cases(formula: Formula) -> int:
    """How many cases the invariant has."""
    return len(_operands(formula, Disjunction))


def _operands(formula: Formula, kind: type[Conjunction] | type[Disjunction]) -> tuple[Formula, ...]:
    return formula.operands if isinstance(formula, kind) else (formula,)


def _conjuncts(disjunct: Formula) -> tuple[Formula, ...]:
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
    net: Net,
    values: Mapping[str, int],
    conjunct: Formula,
    origins: Mapping[Direction, tuple[str, ...]],
) -> Part:
    holds = evaluate(conjunct, values)
    if not isinstance(conjunct, Atom):
        return Part(conjunct, None, holds, (), ())
    leaf = natural(conjunct)
    left = leaf.left.evaluate(values)
    if isinstance(leaf, Comparison):
        right = leaf.right.evaluate(values)
    else:
        left, right = left % leaf.modulus, leaf.residue
    plain = conjunct.term.coefficients
    opposite = tuple((name, -value) for name, value in plain)
    named = dict.fromkeys((*origins.get(plain, ()), *origins.get(opposite, ())))
    return Part(leaf, (left, right), holds, tuple(kinds(net, conjunct)), tuple(named))


def kinds(net: Net, atom: Atom) -> Iterator[str]:
    """What the atom is in the net, whatever the rest of the invariant says; strongest first."""
    change = _changes(net, atom.term)
    if isinstance(atom, Congruence):
        if not any(value % atom.modulus for value in change):
            yield "kept residue"
        return
    if not any(change):
        yield "place invariant"
    elif isinstance(atom, Inequality) and all(value <= 0 for value in change):
        yield "never grows"
    if not atom.term.coefficients:
        return
    if isinstance(atom, Equality):
        yield from _siphon(net, atom.term)
    elif all(value < 0 for _, value in atom.term.coefficients):
        yield from _trap(net, atom.term)
    else:
        yield from _siphon(net, atom.term)


def _siphon(net: Net, term: Term) -> Iterator[str]:
    places = _support(net, term)
    positive = all(value > 0 for _, value in term.coefficients)
    if positive and not term.constant and greatest_siphon(net.transitions, places) == places:
        yield "empty siphon"


def _trap(net: Net, term: Term) -> Iterator[str]:
    """Σ w·m ≥ b with w > 0: trivial for b ≤ 0, that some place is marked for small b."""
    places = _support(net, term)
    if term.constant <= 0:
        yield "trivial"
        return
    marked = term.constant <= min(-value for _, value in term.coefficients)
    if marked and greatest_trap(net.transitions, places) == places:
        yield "marked trap"


def _changes(net: Net, term: Term) -> tuple[int, ...]:
    """c·δ for each transition."""
    weights = {net.place_numbers[name]: value for name, value in term.coefficients}
    return tuple(
        sum(weights.get(place, 0) * value for place, value in transition.effect)
        for transition in net.transitions
    )


def _support(net: Net, term: Term) -> frozenset[int]:
    return frozenset(net.place_numbers[name] for name in term.variables)


def _moves(net: Net, row: Sequence[int]) -> Iterator[Move]:
    groups: dict[int, list[str]] = {}
    for transition, case in zip(net.transitions, row, strict=False):
        groups.setdefault(case, []).append(transition.name)
    for case, names in sorted(groups.items()):
        yield Move(case if case >= 0 else None, tuple(names))


def _clashes(
    conjuncts: Sequence[Formula], cubes: Iterable[Cube], separators: Sequence[Separator]
) -> Iterator[Clash]:
    for number, cube in enumerate(cubes):
        mine = [separator for separator in separators if separator.cube == number]
        for position, conjunct in enumerate(conjuncts):
            target = contradiction(conjunct, cube, mine)
            if target is not None:
                yield Clash(number, target, position)
                break
