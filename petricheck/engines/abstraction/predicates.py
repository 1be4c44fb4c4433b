"""Predicates to start from: of a file, of what others know about the net, of control groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    atoms,
    tighten,
)
from petricheck.engines.abstraction.domain import Predicate
from petricheck.model.net import Net
from petricheck.support.files import read_lines
from petricheck.symbolic.facts.semiflows import control_groups
from petricheck.symbolic.linear import HalfSpace, ModularDirection, constraint, direction_of

MOST = 32
"""Of more facts each state would pay for all, and most say nothing of the target."""


def stated(net: Net, atom: Atom) -> tuple[Predicate, ...]:
    """Return the predicates of the atom: both bounds of an equation."""
    if isinstance(atom, Congruence):
        return (ModularDirection(direction_of(net, atom.term), atom.modulus),)
    return constraint(net, atom).sides


def decisive(net: Net, atom: Atom) -> Iterator[Predicate]:
    """Yield the bounds, and those on the other side that decide whether the atom holds."""
    for predicate in stated(net, atom):
        yield predicate
        if isinstance(predicate, HalfSpace):
            yield predicate.complement()


def read_predicates(net: Net, path: str) -> tuple[Predicate, ...]:
    """Return the predicates of a file: the atoms of one formula a line; # begins a comment.

    Raises:
        QueryError: the file cannot be read, or a line is no formula.
    """
    from petricheck.formats.language.grammar import read_formula  # It brings lark.

    formulas = read_lines(path, "the predicates", lambda line: tighten(read_formula(net, line)))
    return tuple(dict.fromkeys(p for f in formulas for a in atoms(f) for p in decisive(net, a)))


def seeds(net: Net, facts: Iterable[Formula]) -> tuple[Predicate, ...]:
    """Return the predicates of those facts that are atoms about places of the net.

    Of an inequality only the side that it states: the other one is not expected to hold.
    """
    candidates = (atom for fact in facts for atom in _atoms(fact))
    own = (a for a in candidates if all(name in net.place_numbers for name in a.term.variables))
    return tuple(dict.fromkeys(p for atom in own for p in stated(net, atom)))[:MOST]


def locations(net: Net, groups: int) -> tuple[Predicate, ...]:
    """Return whether a place is marked, for each place of so many control groups."""
    places = [place for group in control_groups(net, groups) for place in group]
    return tuple(
        HalfSpace(((place, sign),), bound)
        for place in places
        for sign, bound in ((1, 0), (1, 1), (-1, -1))
    )


def _atoms(fact: Formula) -> Iterator[Atom]:
    """Yield the predicates whose conjunction is the fact."""
    match fact:
        case Conjunction(operands):
            for operand in operands:
                yield from _atoms(operand)
        case Disjunction() | Negation():
            return
        case _:
            yield fact
