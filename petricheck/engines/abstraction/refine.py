"""From an abstract path to a trace, or to predicates that exclude the path.

`refine` proposes refinements in the order of preference; the engine takes the first after which
the path, replayed abstractly, is excluded. The order:

1. Simulate: the path may be a trace.
2. With as many blocks accelerated as the heuristics ask for: where the guide excludes the target
   with interpolants that no displacement increases, take them, since they tend to be inductive.
   (How far this goes for a path without acceleration, the guide's `part` says.)
   For the empty path, which comes first for nearly every cube, try an inductive congruence next.
   Otherwise find the earliest prefix that cannot enable its next transition, or cannot meet the
   target, however often the blocks repeat, and ask the guide for its interpolants.
3. Where there is no such prefix over ℚ, an integer program looks for repetitions that make a
   trace, and then linear congruences for a modular separator.
4. Accelerate only the actions that repeat in the path, then none. For one path without
   acceleration a separator always exists; the last proposal does not depend on the guide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol, TypeAlias

from petricheck.arithmetic.formulas.formulas import Congruence, Cube, evaluate
from petricheck.engines.abstraction.domain import Predicate
from petricheck.engines.abstraction.graph import AbstractPath
from petricheck.engines.abstraction.targets import Goal
from petricheck.engines.guides import Choice, Guide, PathPart
from petricheck.engines.guides.none import None_
from petricheck.engines.heuristics import Displacement, Heuristic
from petricheck.evidence.answer import Trace, joined, trace_of
from petricheck.evidence.certificates.invariant import Separator
from petricheck.model.net import Net, Weights
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.separation import separating_congruence
from petricheck.symbolic.interpolation.path import (
    Block,
    PathQuestion,
    feasible_counts,
)
from petricheck.symbolic.linear import (
    Constraint,
    HalfSpace,
    ModularDirection,
    constraint,
    content,
    direction_of,
    divided,
    products,
    term_of,
)

Blocks: TypeAlias = tuple[tuple[int, int | None], ...]
"""(transition number, how often in a row, None for any n ≥ 1)."""


def compress(path: Sequence[int], accelerated: frozenset[int]) -> Blocks:
    """Join neighbouring firings of one transition; accelerated ones fire any number of times."""
    return tuple(
        (transition, None if transition in accelerated else len(tuple(group)))
        for transition, group in groupby(path)
    )


def path_question(net: Net, blocks: Blocks, goal: tuple[Constraint, ...]) -> PathQuestion:
    """Return the question whether the blocks lead from the initial marking into the goal."""
    return PathQuestion(net, tuple(Block(net.transitions[t], n) for t, n in blocks), goal)


def _guard(pre: Weights) -> tuple[HalfSpace, ...]:
    return tuple(HalfSpace(((place, -1),), -weight) for place, weight in pre)


def target_rows(net: Net, cube: Cube) -> tuple[tuple[Constraint, ...], tuple[int, ...]]:
    """Return the cube's inequalities and equalities over place numbers, and their literals."""
    rows = [(constraint(net, a), n) for n, a in enumerate(cube) if not isinstance(a, Congruence)]
    return tuple(row for row, _ in rows), tuple(number for _, number in rows)


def earliest_infeasible(
    net: Net, blocks: Blocks, cube: Cube, accelerated: frozenset[int], budget: Budget
) -> tuple[PathQuestion, bool] | None:
    """Return the shortest prefix of blocks that cannot go on, and whether it goes on to the target.

    Prefix k is asked to enable block k + 1, the whole path to meet the target. A block of fixed
    length that fails inside is split before its failing firing.
    """
    if not accelerated:
        return first_failure(net, blocks, cube)
    questions = [
        path_question(net, blocks[:k], _guard(net.transitions[blocks[k][0]].pre))
        for k in range(len(blocks))
    ]
    questions.append(path_question(net, blocks, target_rows(net, cube)[0]))

    def infeasible(k: int) -> bool:
        return feasible_counts(questions[k], budget.remaining, False) is None

    low, high = 0, len(blocks)
    if not infeasible(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if infeasible(middle) else (middle + 1, high)
    return questions[low], low == len(blocks)


def first_failure(net: Net, blocks: Blocks, cube: Cube) -> tuple[PathQuestion, bool] | None:
    """Return the first failure of blocks of fixed lengths, exactly, by simulation."""
    marking = net.initial
    for number, (t, count) in enumerate(blocks):
        transition = net.transitions[t]
        times = count or 1
        possible = transition.most(marking) if transition.enabled(marking) else 0
        fired = times if possible is None else min(times, possible)
        if fired < times:
            prefix = (*blocks[:number], *(((t, fired),) if fired else ()))
            return path_question(net, prefix, _guard(transition.pre)), False
        marking = transition.fire(marking, fired)
    rows = target_rows(net, cube)[0]
    if all(row.holds(marking) for row in rows):
        return None
    return path_question(net, blocks, rows), True


@dataclass(frozen=True, slots=True)
class Genuine:
    """The path, or one with the same blocks, is a trace into the target."""

    trace: Trace


@dataclass(frozen=True, slots=True)
class Spurious:
    """The predicates that should exclude a spurious path.

    Attributes:
        predicates: bounds and modular directions, to be added to the precision.
        separators: known bounds of these directions over the target cube.
        choice: the guide's answer that they come from, None for a modular separator.
        accelerated: numbers of the transitions that were accelerated.
        displacements: what the guide was asked to avoid.
    """

    predicates: tuple[Predicate, ...]
    separators: tuple[Separator, ...]
    choice: Choice | None
    accelerated: frozenset[int]
    displacements: tuple[Displacement, ...] = ()


Refinement = Genuine | Spurious


class Refinable(Protocol):
    """An abstraction that predicates make more precise."""

    def refine(self, predicates: Iterable[Predicate], separators: Iterable[Separator]) -> None:
        """Add predicates, and what is known of their bounds over target cubes."""

    def excludes(self, path: AbstractPath) -> bool:
        """Return whether the abstraction, replaying that path, is stopped or misses its cube."""


def refined(
    graph: Refinable, path: AbstractPath, proposals: Iterable[Refinement]
) -> Refinement | None:
    """Return the first proposal after which the abstract path is excluded; or a trace."""
    for proposal in proposals:
        if isinstance(proposal, Genuine):
            return proposal
        graph.refine(proposal.predicates, proposal.separators)
        if graph.excludes(path):
            return proposal
    return None


def refine(
    problem: Problem,
    path: AbstractPath,
    heuristics: Sequence[Heuristic],
    guide: Guide,
    budget: Budget,
) -> Iterator[Refinement]:
    """Yield refinements for the path, best first (see the module's docstring)."""
    net = problem.net
    steps = [(t, 1) for t in path.transitions]
    if _replay(net, path.goal.cube, steps):
        yield Genuine(trace_of(path.transitions, net.actions))
        return
    displacements = guide.displacements(heuristics, net, path.transitions)
    for accelerated in _accelerations(net, path.transitions, displacements):
        blocks = compress(path.transitions, accelerated)
        attempt = _Attempt(problem, path, blocks, accelerated, displacements)
        yield from _try(attempt, guide, budget)
    yield from _path_separators(problem, path, budget)


def _accelerations(
    net: Net, path: Sequence[int], displacements: Sequence[Displacement]
) -> list[frozenset[int]]:
    """Return sets of transitions to accelerate: all hard ones, the repeated ones, none."""
    hard = {displacement.vector for displacement in displacements if displacement.hard}
    hard_actions = frozenset(t for t in path if net.transitions[t].effect in hard)
    counts = Counter(path)
    repeated = frozenset(t for t in hard_actions if counts[t] > 1)
    return list(dict.fromkeys((hard_actions, repeated, frozenset())))


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One way to see the path: as blocks, some of them accelerated."""

    problem: Problem
    path: AbstractPath
    blocks: Blocks
    accelerated: frozenset[int]
    displacements: tuple[Displacement, ...] = ()


def _try(attempt: _Attempt, guide: Guide, budget: Budget) -> Iterator[Refinement]:
    """Yield steps 2 to 4 for one choice of accelerated blocks."""
    net, cube, blocks = attempt.problem.net, attempt.path.goal.cube, attempt.blocks
    displacements = attempt.displacements
    whole: Choice | None = None
    if attempt.accelerated or not blocks or _prefers_whole(attempt, guide):
        question = path_question(net, blocks, target_rows(net, cube)[0])
        whole = guide.interpolate(question, displacements, budget)
        budget.check()
        steady = whole is not None and not _grows(whole, displacements)
        if whole is not None and (steady or guide.part == PathPart.WHOLE):
            yield from _proposals(attempt, whole, True)
    if displacements and not blocks:
        yield from _congruences(attempt, range(len(net.transitions)))
    failure = earliest_infeasible(net, blocks, cube, attempt.accelerated, budget)
    if failure is None:
        yield from _exact(attempt, budget)
        return
    question, at_target = failure
    if whole is None or not at_target:
        whole = guide.interpolate(question, displacements, budget)
        budget.check()
    if whole is not None:
        yield from _proposals(attempt, whole, at_target)


def _prefers_whole(attempt: _Attempt, guide: Guide) -> bool:
    """Return whether the guide needs a path without accelerated blocks as a whole."""
    match PathPart(guide.part):
        case PathPart.PREFIX:
            return False
        case PathPart.STEADY:
            # What no action of the path increases would have refuted the empty path before.
            vectors = {displacement.vector for displacement in attempt.displacements}
            transitions = attempt.problem.net.transitions
            effects = {transitions[number].effect for number in attempt.path.transitions}
            return bool(vectors) and not effects <= {(), *vectors}
        case PathPart.WHOLE:
            return True


def _grows(choice: Choice, displacements: Sequence[Displacement]) -> bool:
    """-"""
    vectors = [displacement.vector for displacement in displacements]
    return any(growth > 0 for normal in choice.normals for growth in products(normal, vectors))


def _proposals(attempt: _Attempt, choice: Choice, at_target: bool) -> Iterator[Spurious]:
    """Yield the interpolants as predicates: with primitive normals, then as they are."""
    net, goal = attempt.problem.net, attempt.path.goal
    primitive = tuple(p.primitive() if isinstance(p, HalfSpace) else p for p in choice.predicates)
    proof = choice.proof if at_target else None
    divisor = (content(proof.cuts[-1]) or 1) if proof is not None else 1
    for predicates, scale in ((primitive, divisor), (choice.predicates, 1)):
        separators: tuple[Separator, ...] = ()
        if proof is not None:  # From the last interpolant, whose normal the scale divides.
            multipliers = dict(zip(target_rows(net, goal.cube)[1], proof.multipliers, strict=True))
            normal = divided(proof.cuts[-1], scale)
            separators = _separators(net, goal, normal, 0, multipliers, scale)
        yield Spurious(predicates, separators, choice, attempt.accelerated, attempt.displacements)


def _separators(
    net: Net, goal: Goal, c: Weights, modulus: int, multipliers: Mapping[int, int], scale: int = 1
) -> tuple[Separator, ...]:
    """Return why the cube contradicts a predicate over c, if the cubes are listed.

    Multipliers are given by number of the literal.
    """
    if goal.number is None:
        return ()
    every = tuple(multipliers.get(number, 0) for number in range(len(goal.cube)))
    return (Separator(goal.number, term_of(net, c).coefficients, modulus, every, scale),)


def _exact(attempt: _Attempt, budget: Budget) -> Iterator[Refinement]:
    """Refine a path that is feasible over ℚ: a trace with other counts, or a modular separator."""
    net, path, cube = attempt.problem.net, attempt.path, attempt.path.goal.cube
    if attempt.accelerated:
        question = path_question(net, attempt.blocks, target_rows(net, cube)[0])
        limit = min(budget.remaining, _SECONDS)
        # A vertex over ℚ is often integral, and may be larger than the integer program goes.
        for integral in (False, True):
            counts = feasible_counts(question, limit, integral)
            if counts is not None:
                pairs = zip(attempt.blocks, counts, strict=True)
                steps = [(t, max(1, round(count))) for (t, _), count in pairs]
                if _replay(net, cube, steps):
                    yield Genuine(joined(steps, net.actions))
                    return
    yield from _congruences(attempt, range(len(net.transitions)))
    yield from _congruences(attempt, sorted(set(path.transitions)))


def _congruences(attempt: _Attempt, actions: Iterable[int]) -> Iterator[Spurious]:
    """Yield a modular separator that the actions do not change, where there is one."""
    net, goal = attempt.problem.net, attempt.path.goal
    separator = separating_congruence(net, (net.transitions[t].effect for t in actions), goal.cube)
    if separator is not None and isinstance(separator.atom, Congruence):
        residue = ModularDirection(direction_of(net, separator.atom.term), separator.atom.modulus)
        multipliers = dict(enumerate(separator.multipliers))
        separators = _separators(net, goal, residue.direction, residue.modulus, multipliers)
        yield Spurious((residue,), separators, None, attempt.accelerated)


_SECONDS = 2.0
"""Limit of one search for integer repetitions."""


def _path_separators(problem: Problem, path: AbstractPath, budget: Budget) -> Iterator[Spurious]:
    """Return separators of this one path, which always exist."""
    net = problem.net
    blocks = compress(path.transitions, frozenset())
    failure = first_failure(net, blocks, path.goal.cube)
    if failure is not None:
        question, at_target = failure
        choice = None_().interpolate(question, (), budget)
        if choice is not None:
            attempt = _Attempt(problem, path, blocks, frozenset())
            yield from _proposals(attempt, choice, at_target)
        return
    marking = net.initial
    for transition in path.transitions:
        marking = net.transitions[transition].fire(marking)
    for number, literal in enumerate(path.goal.cube):
        if isinstance(literal, Congruence) and not evaluate(literal, net.values(marking)):
            residue = ModularDirection(direction_of(net, literal.term), literal.modulus)
            separators = _separators(
                net, path.goal, residue.direction, residue.modulus, {number: 1}
            )
            yield Spurious((residue,), separators, None, frozenset())


def _replay(net: Net, cube: Cube, steps: Sequence[tuple[int, int]]) -> bool:
    """Return whether the steps fire from the initial marking into the cube."""
    marking = net.initial
    for number, times in steps:
        if not net.transitions[number].fires(marking, times):
            return False
        marking = net.transitions[number].fire(marking, times)
    values = net.values(marking)
    return all(evaluate(literal, values) for literal in cube)
