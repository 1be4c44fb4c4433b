"""The step that most rewrites take: some places and transitions go, the others stay as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeAlias

from petricheck.arithmetic.formulas.emptied import emptied
from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    at_least,
    at_most,
    normal,
    substitute,
    tighten,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, constant, variable
from petricheck.engines.reductions._lifting import ProblemChange, lift_certificate
from petricheck.evidence.answer import Answer, Unreachable
from petricheck.evidence.audit.shapes.finite_set import determined_places, shared_numbers
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget

Fate: TypeAlias = tuple[int, ...] | None
"""What became of a transition: the transitions of the smaller net that do the same one after the
other, none where it changes no place that is left; None where the facts disable it.
"""


@dataclass(frozen=True, slots=True)
class Selection:
    """The places and transitions that were left out, and why evidence survives that.

    Of the target it depends on the names only, so it is as good for any other one that names no
    place which was left out without a value.

    A trace of the smaller net fires in the larger one, as each rewrite argues for itself. If I is
    an inductive invariant of the smaller net, then I and the facts are one of the larger: the facts
    are inductive by themselves; a dead transition contradicts them; one that stays changes nothing
    that I speaks of; and each other one implies that what it has become can fire, one after the
    other, with its effect on what is left. Under the facts the larger target implies the smaller.

    Attributes:
        before: the larger problem.
        after: the smaller problem.
        fates: by transition of the larger net.
        facts: what the certificate must say besides, whatever the target.
        values: terms over places that are left, for places that are not.
        siphon: empty places of the larger net, from which every dead transition takes; None where
            there is no such siphon, so that the state equation cannot be lifted.
        count: how many places and transitions were removed.
    """

    before: Problem
    after: Problem
    fates: tuple[Fate, ...]
    facts: tuple[Inequality, ...]
    values: Mapping[str, Term]
    siphon: tuple[str, ...] | None
    count: int

    def lift(self, answer: Answer) -> Answer | None:
        """Return the same trace; or the certificate with the facts."""
        match answer:
            case Unreachable(Certificate() as certificate):
                target = self.before.target
                facts = dict.fromkeys((*self.facts, *equations(self.values, target)))
                change = ProblemChange(
                    target,
                    self.after.target,
                    tuple(facts),
                    _used(self.values, target),
                    self.successors,
                )
                lifted = lift_certificate(certificate, change)
                lifted = replace(lifted, origins=certificate.origins)
                return replace(answer, certificate=lifted)
            case Unreachable(StateEquationCertificate() as equation):
                if self.siphon is None:
                    return None
                places = tuple(dict.fromkeys((*equation.siphon, *self.siphon)))
                return replace(answer, certificate=replace(equation, siphon=places))
            case Unreachable(MarkingTable() as table):
                wider = self._table(table)
                return None if wider is None else replace(answer, certificate=wider)
            case Unreachable():
                return None
            case _:
                return answer

    def _table(self, table: MarkingTable) -> MarkingTable | None:
        """Return the table with places that the target names and that disable dead transitions."""
        net, target = self.before.net, self.before.target
        blocking = {name for fact in self.facts for name in fact.term.variables}
        ceilings = {n: net.initial[net.place_numbers[n]] for n in sorted(blocking)}
        empty, values = emptied(target), table.determined()
        added = {
            place: term
            for place, term in _used(self.values, target).items()
            if place not in empty or values >= set(term.variables)
        }
        added |= {name: constant(most) for name, most in ceilings.items()}
        missing = {name: term for name, term in added.items() if name not in values}
        if not missing.keys().isdisjoint(table.sums):
            return None
        changing = {net.places[place] for t in net.transitions for place, _ in t.effect}
        if any(ceilings.get(name) for name in changing & missing.keys()):
            return None  # Places of the facts lose tokens at most, and this one does.
        wide: MarkingTable | None = table
        if missing or ceilings:
            from petricheck.engines.reductions._tables import widened  # numpy takes its time.

            wide = widened(table, missing, ceilings)
        return wide if wide is not None and self._excludes(wide, table) else None

    def _excludes(self, table: MarkingTable, smaller: MarkingTable) -> bool:
        """Return whether the table decides the larger target as it decided the smaller one.

        It does not where a literal names other places, of which the values have freed it.
        """
        target = self.before.target
        if table.determined() >= set(variables(target)):
            return True
        visible = _visible(target, table)
        before = _visible(self.after.target, smaller)
        used = _used(self.values, target)
        blind = (part for part in _literals(normal(target)) if not visible >= set(variables(part)))
        images = (tighten(substitute(literal, used)) for literal in blind)
        return all(image == TRUE or not before >= set(variables(image)) for image in images)

    def about(self, target: Formula) -> Selection:
        """Return the step that leaves out the same places and transitions, for another question."""
        before = replace(self.before, target=target)
        after = replace(self.after, target=_rewritten(target, self.values))
        return replace(self, before=before, after=after)

    def successors(self, disjunct: int, table: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Return a disjunct's row of the hints' table, for the transitions of the larger net."""
        return tuple(_after(disjunct, fate, table) for fate in self.fates)


def _after(disjunct: int, fate: Fate, table: Sequence[Sequence[int]]) -> int:
    """Return the disjunct that holds after these transitions; -1 where one of them is disabled."""
    if fate is None:
        return -1
    for transition in fate:
        if not 0 <= disjunct < len(table):
            break
        disjunct = table[disjunct][transition]
    return disjunct


def select(
    problem: Problem,
    *,
    places: Set[int] = frozenset(),
    dead: Set[int] = frozenset(),
    idle: Set[int] = frozenset(),
    doubles: Mapping[int, Sequence[int]] | None = None,
    facts: Iterable[Inequality] = (),
    values: Mapping[str, Term] | None = None,
    siphon: tuple[str, ...] | None = (),
) -> Selection:
    """Return the step that leaves out these places and transitions, see `Selection`.

    `dead` are those transitions that the facts disable, `idle` those that change no place that is
    left, `doubles` those for which others, that stay, do the same one after the other.
    """
    doubles = doubles or {}
    dropped = {*dead, *idle, *doubles}
    remaining = [n for n in range(len(problem.net.transitions)) if n not in dropped]
    positions = {number: position for position, number in enumerate(remaining)}
    fates: dict[int, Fate] = dict.fromkeys(dead) | dict.fromkeys(idle, ())
    fates |= {number: (position,) for number, position in positions.items()}
    fates |= {n: tuple(positions[other] for other in others) for n, others in doubles.items()}
    target = _rewritten(problem.target, values or {})
    return Selection(
        before=problem,
        after=Problem(problem.net.without(places, remaining), target),
        fates=tuple(fates[number] for number in range(len(problem.net.transitions))),
        facts=tuple(dict.fromkeys(facts)),
        values=values or {},
        siphon=siphon,
        count=len(places) + len(dropped),
    )


def _visible(target: Formula, table: MarkingTable) -> frozenset[str]:
    """Return the places that rows determine in the target, or that it empties."""
    numbers = shared_numbers(table, Budget())
    return frozenset[str]().union(*determined_places(target, table, numbers))


def _used(values: Mapping[str, Term], target: Formula) -> dict[str, Term]:
    """-"""
    return {place: values[place] for place in variables(target) if place in values}


def _rewritten(target: Formula, values: Mapping[str, Term]) -> Formula:
    """-"""
    used = _used(values, target)
    return tighten(normal(substitute(target, used))) if used else target


def equations(values: Mapping[str, Term], target: Formula) -> Iterator[Inequality]:
    """Return formulas that places have these values, where the target depends on them.

    It does not where an atom becomes true: what the atom says is then not used.
    """
    needed: dict[str, None] = {}
    for literal in _literals(normal(target)):
        names = [name for name in variables(literal) if name in values]
        if names and tighten(substitute(literal, values)) != TRUE:
            needed.update(dict.fromkeys(names))
    for name in needed:
        yield at_most(variable(name), values[name])
        yield at_least(variable(name), values[name])


def _literals(formula: Formula) -> Iterator[Formula]:
    pending = [formula]
    while pending:
        match pending.pop():
            case Conjunction(operands) | Disjunction(operands):
                pending.extend(reversed(operands))
            case literal:
                yield literal
