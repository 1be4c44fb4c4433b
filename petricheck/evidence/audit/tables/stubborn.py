"""The greatest stubborn sets of the rows of a table, and what other transitions never make true.

A set of rows of a block is a number with a bit for each row, so that all rows are treated at once.
`evidence.audit.shapes.stubborn_sets` has the conditions and their proof.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

import numpy as np

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.audit.tables.evaluation import Evaluation
from petricheck.evidence.audit.tables.packed import (
    Flags,
    RowFiring,
    Strings,
    Words,
    capacity,
    strings,
    tokens,
)
from petricheck.evidence.audit.tables.rows import (
    checked_blocks,
    firings_of,
    row_text,
)
from petricheck.evidence.certificates.finite_set import Field, MarkingTable
from petricheck.model.net import Transition
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError


def check_stubborn_sets(problem: Problem, table: MarkingTable, budget: Budget) -> None:
    """Check that each row has a stubborn set for the target whose firings lead to rows.

    The layout of the table must have been checked, which has a field for every place of the net,
    and its initial markings.
    """
    net, rows = problem.net, strings(table)
    fields = {field.place: field for field in table.fields}
    # A shortest firing sequence has no firing without an effect.
    transitions = [transition for transition in net.transitions if transition.effect]
    firings = firings_of(net, table, transitions)
    changes = defaultdict[str, list[tuple[int, int]]](list)
    for number, transition in enumerate(transitions):
        for place, change in transition.effect:
            changes[net.places[place]].append((number, change))
    for words in checked_blocks(table, problem.target, budget):
        marked = {
            (place, need): _set(_at_least(words, fields[net.places[place]], need))
            for place, need in watched({arc for t in transitions for arc in t.pre}, budget)
        }
        omitted = [_set(_leaves(firing, words, rows)) for firing in watched(firings, budget)]
        every = _set(np.ones(words.shape[1], dtype=bool))
        _omit(transitions, marked, omitted, every, budget)
        outside = _Outside(every, omitted, changes, Evaluation(fields, words, budget))
        if failing := every ^ outside.never(problem.target, True):
            number = 8 * -(-words.shape[1] // 8) - failing.bit_length()
            marking = row_text(table, words[:, number:])
            raise EvidenceError(
                f"no stubborn set excludes the target, or leads to rows only: from {marking}"
            )


def _set(flags: Flags) -> int:
    """Return the rows with this flag."""
    return int.from_bytes(np.packbits(flags).tobytes(), "big")


def _at_least(words: Words, field: Field, need: int) -> Flags:
    """Return for each row whether the field has so many tokens."""
    if need > capacity(field):
        return np.zeros(words.shape[1], dtype=bool)
    return np.asarray(tokens(words, field) >= np.uint64(need), dtype=bool)


def _leaves(firing: RowFiring, words: Words, rows: Strings) -> Flags:
    """Return for each row whether it enables the transition, which leads to no row."""
    flags: Flags = np.zeros(words.shape[1], dtype=bool)
    enabled = firing.enabled(words)
    before = words[:, enabled]
    flags[enabled] = ~(firing.fits(before) & rows.find(firing.fire(before))[1])
    return flags


def _omit(
    transitions: Sequence[Transition],
    marked: Mapping[tuple[int, int], int],
    omitted: list[int],
    every: int,
    budget: Budget,
) -> None:
    """Omit from the sets what cannot be in any stubborn set without what is omitted already.

    Args:
        transitions: all that have an effect.
        marked: the rows with so many tokens on a place, by both.
        omitted: by transition, the rows whose set lacks it; is changed.
        every: all rows.
        budget: limits on the time.
    """
    takers: dict[int, list[int]] = defaultdict(list)
    for number, transition in enumerate(transitions):
        for place, _ in transition.pre:
            takers[place].append(number)
    taken, filled = defaultdict[int, int](int), defaultdict[int, int](int)
    grown = {number for number, rows in enumerate(omitted) if rows}
    while grown:
        touched = set[int]()
        for number in watched(grown, budget):
            inputs = [place for place, _ in transitions[number].pre]
            outputs = [place for place, change in transitions[number].effect if change > 0]
            for place in inputs:
                taken[place] |= omitted[number]
            for place in outputs:
                filled[place] |= omitted[number]
            touched.update(inputs, outputs)
        affected, grown = {number for place in touched for number in takers[place]}, set()
        for number in watched(affected, budget):
            transition, enabled, fillable, disturbed = transitions[number], every, every, 0
            for arc in transition.pre:
                enabled &= marked[arc]
                fillable &= marked[arc] | filled[arc[0]]
            for place, change in transition.effect:
                if change < 0:
                    disturbed |= taken[place]
            more = omitted[number] | (fillable & ((every ^ enabled) | disturbed))
            if more != omitted[number]:
                omitted[number] = more
                grown.add(number)


@dataclass(frozen=True, slots=True)
class _Outside:
    """What the transitions outside of the sets do to formulas.

    Attributes:
        every: all rows.
        omitted: by transition, the rows whose set lacks it.
        changes: by place, transitions that change it, each with its effect there.
        evaluation: of formulas on the rows.
    """

    every: int
    omitted: Sequence[int]
    changes: Mapping[str, Sequence[tuple[int, int]]]
    evaluation: Evaluation

    def never(self, formula: Formula, truth: bool) -> int:
        """Return the rows where the formula has not this truth, and these alone never give it."""
        match formula:
            case Negation(operand):
                return self.never(operand, not truth)
            case Conjunction(operands) | Disjunction(operands):
                parts = [self.never(operand, truth) for operand in operands]
                one_is_enough = isinstance(formula, Conjunction) == truth
                return reduce(or_, parts, 0) if one_is_enough else reduce(and_, parts, self.every)
            case Equality(term):
                return self.never(Conjunction((Inequality(term), Inequality(-term))), truth)
            case Inequality(term):
                term = term if truth else 1 - term
                moving = [number for number, change in self._moves(term) if change < 0]
                lacking = ~self.evaluation.holds(Inequality(term))
            case Congruence(term, modulus):
                moving = [number for number, change in self._moves(term) if change % modulus]
                lacking = self.evaluation.holds(formula) != truth
        return _set(lacking) & ~reduce(or_, (self.omitted[number] for number in moving), 0)

    def _moves(self, term: Term) -> Iterable[tuple[int, int]]:
        """Return transitions, each with its effect on the term."""
        sums: dict[int, int] = defaultdict(int)
        for place, weight in term.coefficients:
            for number, change in self.changes.get(place, ()):
                sums[number] += weight * change
        return sums.items()
