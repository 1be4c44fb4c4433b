"""Operations of the program that a net is, and the relations that are their meaning.

A program of Jhala and McMillan (2007, section 6.1) has locations; a net has two, before and in the
target. Firings stay at the first, an `Entry` leads from there into the target. Section 4, which
knows one relation only, has all firings as one operation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.encoding.stamps import at, token
from petricheck.laboratory.paths import step
from petricheck.presburger.formulas import Conjunction, Disjunction, Formula, at_least
from petricheck.presburger.terms import Term, variable
from petricheck.problem import Net, Transition


@dataclass(frozen=True, slots=True)
class Firing:
    """The transition of this number fires."""

    number: int


@dataclass(frozen=True, slots=True)
class AnyFiring:
    """Some transition fires."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The marking is in the target, or in a part of it."""

    target: Formula


Operation: TypeAlias = Firing | AnyFiring | Entry


@dataclass(frozen=True, slots=True)
class Relation:
    """A formula, with the places before and after the step in terms of its symbols.

    Symbols are natural numbers, which the formula need not say. A place that a mapping does not
    name is its own symbol. An entry has no marking after it.
    """

    formula: Formula
    before: Mapping[str, Term]
    after: Mapping[str, Term]


def relation(net: Net, operation: Operation, precondition: bool) -> Relation:
    """The meaning of an operation.

    Args:
        net: the net.
        operation: what happens.
        precondition: whether the marking after a firing is put in terms of that before it, so that
            predicates after it become weakest preconditions (section 6.2).
    """
    match operation:
        case Firing(number) if precondition:
            return _precondition(net, net.transitions[number])
        case Firing(number):
            return Relation(step(net, net.transitions[number], 0), *_stamped(net))
        case AnyFiring():
            steps = (step(net, transition, 0) for transition in net.transitions)
            return Relation(Disjunction(tuple(steps)), *_stamped(net))
        case Entry(target):
            return Relation(target, {}, {})


def _precondition(net: Net, transition: Transition) -> Relation:
    guard = (at_least(variable(net.places[p]), weight) for p, weight in transition.pre)
    moved = {net.places[p]: variable(net.places[p]) + v for p, v in transition.effect}
    return Relation(Conjunction(tuple(guard)), {}, moved)


def _stamped(net: Net) -> tuple[Mapping[str, Term], Mapping[str, Term]]:
    before, after = ({place: token(place, k) for place in net.places} for k in (0, 1))
    return before, after


def fired(net: Net, operation: Operation, model: Mapping[str, int]) -> int:
    """The number of a transition that fires in a model of the operation's relation."""
    if isinstance(operation, Firing):
        return operation.number
    before, after = (tuple(model.get(at(p, k), 0) for p in net.places) for k in (0, 1))
    transitions = enumerate(net.transitions)
    return next(n for n, t in transitions if t.enabled(before) and t.fire(before) == after)
