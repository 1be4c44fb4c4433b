"""Loops of nets that are large or unbounded.

A loop fires level transitions only, those that no sum of `ranking` needs to be lowered by. Walks
fire these alone from where a walk through all of the net has led, until a marking is nowhere less
than an earlier one. A linear program says how often transitions may fire so that nothing is taken;
in some order they make a word, and engines decide whether a marking is reachable that has the
tokens for it. In a tree of Karp and Miller (1969) the first loop on the way to a marking with ω can
be repeated; a net without any is bounded, and a complete tree has all of its markings.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

import numpy as np

from petricheck.arithmetic.programs.linear_programs import LinearProgram, integer_ray
from petricheck.evidence.answer import Reachable, Trace, trace_of
from petricheck.evidence.audit.sequences import holds_at_least, word_of
from petricheck.evidence.claims import InfiniteRun, Stage
from petricheck.explicit.covering.karp_miller import whole_tree
from petricheck.explicit.kernel.tour import Tour
from petricheck.model.net import Net
from petricheck.model.problem import make_problem
from petricheck.questions.maxima.pumping import markings_along
from petricheck.questions.study import Study
from petricheck.questions.termination.ranking import Lowering
from petricheck.support.budget import Budget
from petricheck.support.words import counted

_LONGEST, _ENTRIES = 1 << 11, 1 << 22
"""The most firings of a walk through level transitions; fewer in large nets."""

_FOURS = (1, 7)
"""The least and the greatest power of four of firings before that."""

_LETTERS = 5_000
"""The most firings of a word."""

_TURNS = 64
"""Markings of a tree that are expanded between two searches for loops."""


def walked(study: Study, lowering: Lowering, budget: Budget) -> Iterator[InfiniteRun]:
    """Yield a loop that a walk passes."""
    net, chance = study.net, random.Random(0)
    level = net.without(frozenset(), lowering.level)
    longest = min(_LONGEST, _ENTRIES // (1 + len(net.places)))
    for turn in count():
        budget.check()
        budget.report(f"walk {turn + 1}")
        tour = Tour(net, [], turn)
        tour.wander(4 ** chance.randint(*_FOURS) if turn else 0, 1 << 16)
        stem = trace_of(tour.trace.tolist(), net.actions)
        start = level.beginning(net.after(stem.steps))
        further = Tour(start, [], turn)
        further.wander(longest, longest)
        trace = trace_of(further.trace.tolist(), level.actions)
        if (bounds := _repeated(start, trace, budget)) is not None:
            first, end = bounds
            before = Trace((*stem.steps, *trace.steps[:first]))
            yield InfiniteRun(Stage(before, Trace(trace.steps[first:end])))
            return


def _repeated(net: Net, trace: Trace, budget: Budget) -> tuple[int, int] | None:
    """Return steps of the trace, from and to, that take nothing all in all; None without any."""
    rows = markings_along(net, trace, 0, budget)
    if rows is None:
        return None
    for end in range(1, len(rows)):
        starts = np.flatnonzero((rows[:end] <= rows[end]).all(axis=1))
        if len(starts):
            return int(starts[-1]), end
    return None


def covered(study: Study, lowering: Lowering, budget: Budget) -> Iterator[InfiniteRun]:
    """Yield a loop whose numbers of firings a program suggests, and its stem an engine."""
    net, remaining = study.net, dict.fromkeys(lowering.level)
    while remaining:
        budget.report(f"{counted(len(remaining), 'transition')} may be repeated")
        number = next(iter(remaining))
        counts = _counts(net, lowering.level, number, budget.remaining)
        with budget.tolerate_overruns():
            yield from _reached(study, _word(net, counts), budget.part(len(remaining)))
        for fired in (number, *counts):
            remaining.pop(fired, None)


def _reached(study: Study, word: Trace, budget: Budget) -> Iterator[InfiniteRun]:
    """Yield the word as a loop, if it takes nothing and an engine finds a stem to it."""
    firing = word_of(study.net, word, budget)
    if word.steps and min(firing.effect.values(), default=0) >= 0:
        target = holds_at_least(study.net, firing.hurdle.items())
        answer = study.examine(make_problem(study.net, target), budget)
        if isinstance(answer, Reachable):
            yield InfiniteRun(Stage(answer.trace, word))


def _counts(net: Net, level: Sequence[int], first: int, seconds: float) -> Mapping[int, int]:
    """Return how often transitions, `first` among them, fire so that nothing is taken.

    Nobody has confirmed it; it may be empty.
    """
    program, rows = LinearProgram(), dict[int, dict[int, float]]()
    for column, number in enumerate(level):
        program.column(cost=1.0, lower=float(number == first))
        for place, change in net.transitions[number].effect:
            rows.setdefault(place, {})[column] = change
    for row in rows.values():
        program.row(row, lower=0.0)
    values = program.solve(seconds)
    integers = None if values is None else integer_ray(values)
    if integers is None or sum(integers) > _LETTERS:
        return {}
    return {number: times for number, times in zip(level, integers, strict=True) if times > 0}


def _word(net: Net, counts: Mapping[int, int]) -> Trace:
    """Return a word that fires each transition so often, always one that lacks fewest tokens."""
    remaining, tokens, word = dict(counts), Counter[int](), list[int]()

    def lacking(number: int) -> int:
        return sum(max(0, n - tokens[place]) for place, n in net.transitions[number].pre)

    while remaining:
        number = min(remaining, key=lacking)
        for place, needed in net.transitions[number].pre:
            tokens[place] = max(tokens[place], needed)
        for place, change in net.transitions[number].effect:
            tokens[place] += change
        word.append(number)
        remaining[number] -= 1
        if not remaining[number]:
            del remaining[number]
    return trace_of(word, net.actions)


def accelerated(study: Study, lowering: Lowering, budget: Budget) -> Iterator[InfiniteRun]:
    """Yield the first loop of a tree that fires no exempt transition."""
    net, tree, examined = study.net, whole_tree(study.net), 0
    none = np.zeros((0, len(net.places)), dtype=np.int64)
    while not tree.ended:
        tree.explore(none, np.zeros(0, dtype=np.int64), _TURNS, budget)
        budget.report(f"{counted(len(tree.nodes), 'marking')} of a coverability tree")
        for number in range(examined, len(tree.nodes)):
            if tree.nodes[number].loops:
                stem, loop = tree.stages(number)[0]
                if lowering.exempt.isdisjoint(loop):
                    yield InfiniteRun(
                        Stage(trace_of(stem, net.actions), trace_of(loop, net.actions))
                    )
                    return
        examined = len(tree.nodes)
