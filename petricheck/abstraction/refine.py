"""From an abstract path to a trace, or to predicates that exclude the path.

`refine` proposes refinements in the order of preference; the engine takes the first after which
the path, replayed abstractly, is excluded. The order:

1. Simulate: the path may be a trace.
2. With as many blocks accelerated as the heuristics ask for: where the guide excludes the target
   with interpolants that no displacement increases, take them, since they tend to be inductive.
   Otherwise find the earliest prefix that cannot enable its next transition, or cannot meet the
   target, however often the blocks repeat, and ask the guide for its interpolants.
3. Where there is no such prefix over ℚ, an integer program looks for repetitions that make a
   trace, and then linear congruences for a modular separator.
4. Accelerate only the actions that repeat in the path, then none. For one path without
   acceleration a separator always exists; the last proposal does not depend on the guide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from petricheck.abstraction.domain import Bound, Predicate, Residue
from petricheck.abstraction.graph import AbstractPath
from petricheck.abstraction.targets import sparse_direction
from petricheck.answer import Separator, Trace
from petricheck.budget import Budget
from petricheck.guides import Choice, Guide
from petricheck.guides.none import None_
from petricheck.heuristics import Displacement, Heuristic
from petricheck.interpolation.path import (
    Block,
    FarkasSequence,
    PathQuestion,
    Row,
    feasible_counts,
)
from petricheck.presburger.algebra import Vector, congruence_separator, dot, primitive
from petricheck.presburger.formulas import Congruence, Cube, Equality, evaluate
from petricheck.problem import Marking, Net, Problem, Transition, Weights


@dataclass(frozen=True, slots=True)
class Genuine:
    """The path, or one with the same blocks, is a trace into the target."""

    trace: Trace


@dataclass(frozen=True, slots=True)
class Spurious:
    """Predicates that should exclude the path.

    Attributes:
        predicates: bounds and modular directions, to be added to the precision.
        separators: known bounds of these directions over the target cube.
        choice: the guide's answer that they come from, None for a modular separator.
        accelerated: numbers of the transitions that were accelerated.
    """

    predicates: tuple[Predicate, ...]
    separators: tuple[Separator, ...]
    choice: Choice | None
    accelerated: frozenset[int]


Refinement = Genuine | Spurious


def refine(
    problem: Problem,
    path: AbstractPath,
    heuristics: Sequence[Heuristic],
    guide: Guide,
    budget: Budget,
) -> Iterator[Refinement]:
    """Refinements for the path, best first (see the module's docstring)."""
    net = problem.net
    if _replay(net, path.met.cube, [(t, 1) for t in path.transitions]):
        yield Genuine(_trace(net, [(t, 1) for t in path.transitions]))
        return
    displacements = guide.displacements(heuristics, net, path.transitions)
    for accelerated in _accelerations(net, path.transitions, displacements):
        blocks = _compress(path.transitions, accelerated)
        attempt = _Attempt(problem, path, blocks, accelerated)
        yield from _try(attempt, guide, displacements, budget)
    yield from _plain(problem, path, budget)


def _accelerations(
    net: Net, path: Sequence[int], displacements: Sequence[Displacement]
) -> list[frozenset[int]]:
    """Sets of transitions to accelerate: all that are asked for, the repeated ones, none."""
    hard = {displacement.vector for displacement in displacements if displacement.hard}
    wanted = frozenset(t for t in path if net.transitions[t].effect in hard)
    counts = Counter(path)
    repeated = frozenset(t for t in wanted if counts[t] > 1)
    return list(dict.fromkeys((wanted, repeated, frozenset())))


_Blocks = tuple[tuple[int, int | None], ...]
"""(transition number, how often in a row, None for any n ≥ 1)."""


def _compress(path: Sequence[int], accelerated: frozenset[int]) -> _Blocks:
    return tuple(
        (transition, None if transition in accelerated else len(tuple(group)))
        for transition, group in groupby(path)
    )


def _question(net: Net, blocks: _Blocks, goal: tuple[Row, ...]) -> PathQuestion:
    return PathQuestion(
        net.initial, tuple(Block(net.transitions[t], count) for t, count in blocks), goal
    )


def _guard_rows(guard: Weights) -> tuple[Row, ...]:
    return tuple(Row(((place, 1),), weight) for place, weight in guard)


def _target_rows(net: Net, cube: Cube) -> tuple[tuple[Row, ...], tuple[int, ...]]:
    """The cube's inequalities and equalities as rows, and the literals they come from."""
    rows, literals = [], []
    for number, literal in enumerate(cube):
        if not isinstance(literal, Congruence):
            # term ≤ 0 with term = −a·m + b is a·m ≥ b
            entries = ((net.place_numbers[n], -v) for n, v in literal.term.coefficients)
            equality = isinstance(literal, Equality)
            rows.append(Row(tuple(sorted(entries)), literal.term.constant, equality))
            literals.append(number)
    return tuple(rows), tuple(literals)


def _earliest_infeasible(
    net: Net, blocks: _Blocks, cube: Cube, accelerated: frozenset[int], budget: Budget
) -> tuple[PathQuestion, bool] | None:
    """The shortest prefix of blocks that cannot go on, and whether it goes on to the target.

    Prefix k is asked to enable block k + 1, the whole path to meet the target. A block of fixed
    length that fails inside is split before its failing firing.
    """
    if not accelerated:
        return _first_failure(net, blocks, cube)
    questions = [
        _question(net, blocks[:k], _guard_rows(net.transitions[blocks[k][0]].pre))
        for k in range(len(blocks))
    ]
    questions.append(_question(net, blocks, _target_rows(net, cube)[0]))

    def infeasible(k: int) -> bool:
        return feasible_counts(questions[k], budget.remaining, False) is None

    low, high = 0, len(blocks)
    if not infeasible(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if infeasible(middle) else (middle + 1, high)
    return questions[low], low == len(blocks)


def _first_failure(net: Net, blocks: _Blocks, cube: Cube) -> tuple[PathQuestion, bool] | None:
    """The same for blocks of fixed lengths, by simulation: exact."""
    marking = net.initial
    for number, (t, count) in enumerate(blocks):
        transition = net.transitions[t]
        fired = _firings(transition, marking, count or 1)
        if fired < (count or 1):
            prefix = (*blocks[:number], *(((t, fired),) if fired else ()))
            return _question(net, prefix, _guard_rows(transition.pre)), False
        marking = transition.fire(marking, fired)
    rows = _target_rows(net, cube)[0]
    if all(_holds(row, marking) for row in rows):
        return None
    return _question(net, blocks, rows), True


def _firings(transition: Transition, marking: Marking, most: int) -> int:
    """How often the transition fires in a row from the marking, at most `most` times."""
    fired = 0
    while fired < most and transition.enabled(marking):
        marking = transition.fire(marking)
        fired += 1
    return fired


def _holds(row: Row, marking: Marking) -> bool:
    value = sum(weight * marking[place] for place, weight in row.coefficients)
    return value == row.bound if row.equality else value >= row.bound


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One way to see the path: as blocks, some of them accelerated."""

    problem: Problem
    path: AbstractPath
    blocks: _Blocks
    accelerated: frozenset[int]


def _try(
    attempt: _Attempt,
    guide: Guide,
    displacements: Sequence[Displacement],
    budget: Budget,
) -> Iterator[Refinement]:
    """Steps 2 and 3 for one choice of accelerated blocks."""
    net, cube, blocks = attempt.problem.net, attempt.path.met.cube, attempt.blocks
    if attempt.accelerated or not blocks:
        question = _question(net, blocks, _target_rows(net, cube)[0])
        choice = guide.interpolate(question, displacements, budget)
        budget.check()
        if choice is not None and not _grows(choice, displacements):
            yield from _proposals(attempt, choice, True)
    found = _earliest_infeasible(net, blocks, cube, attempt.accelerated, budget)
    if found is None:
        yield from _exact(attempt, budget)
        return
    question, at_target = found
    choice = guide.interpolate(question, displacements, budget)
    budget.check()
    if choice is not None:
        yield from _proposals(attempt, choice, at_target)


def _grows(choice: Choice, displacements: Sequence[Displacement]) -> bool:
    """Whether some displacement increases some interpolant."""
    normals = dict.fromkeys(choice.sequence.cuts)
    return any(_along(normal, d.vector) > 0 for normal in normals for d in displacements)


def _proposals(attempt: _Attempt, choice: Choice, at_target: bool) -> Iterator[Spurious]:
    """The interpolants as predicates: with primitive normals, then as they are."""
    path, net = attempt.path, attempt.problem.net
    literals = _target_rows(net, path.met.cube)[1]
    for scaled in (primitive, tuple[int, ...]):
        predicates = tuple(_bounds(choice.sequence, scaled))
        separators: tuple[Separator, ...] = ()
        if at_target and path.met.number is not None:
            separators = (_separator(net, path, literals, choice.sequence, scaled),)
        yield Spurious(predicates, separators, choice, attempt.accelerated)


def _bounds(sequence: FarkasSequence, scaled: type[Vector] | object) -> Iterator[Bound]:
    assert callable(scaled)
    for half_space in sequence.half_spaces:
        normal = scaled(half_space.normal)
        factor = _factor(half_space.normal, normal)
        yield Bound(normal, half_space.bound // factor)


def _separator(
    net: Net,
    path: AbstractPath,
    literals: Sequence[int],
    sequence: FarkasSequence,
    scaled: type[Vector] | object,
) -> Separator:
    assert callable(scaled) and path.met.number is not None
    multipliers = [0] * len(path.met.cube)
    for literal, multiplier in zip(literals, sequence.multipliers, strict=True):
        multipliers[literal] = multiplier
    normal = scaled(sequence.cuts[-1])
    scale = _factor(sequence.cuts[-1], normal)
    direction = sparse_direction(net, normal)
    return Separator(path.met.number, direction, 0, tuple(multipliers), scale)


def _factor(vector: Vector, divided: Vector) -> int:
    return next((a // b for a, b in zip(vector, divided, strict=True) if b), 1)


def _exact(attempt: _Attempt, budget: Budget) -> Iterator[Refinement]:
    """What is feasible over ℚ: a trace with other repetitions, or a modular separator."""
    net, path, cube = attempt.problem.net, attempt.path, attempt.path.met.cube
    if attempt.accelerated:
        question = _question(net, attempt.blocks, _target_rows(net, cube)[0])
        counts = feasible_counts(question, min(budget.remaining, _SECONDS), True)
        if counts is not None:
            steps = [(t, round(n)) for (t, _), n in zip(attempt.blocks, counts, strict=True)]
            if _replay(net, cube, steps):
                yield Genuine(_trace(net, steps))
                return
    for actions in (range(len(net.transitions)), sorted(set(path.transitions))):
        effects = [net.transitions[t].effect for t in actions]
        found = _modular(net, path, effects)
        if found is not None:
            yield Spurious((found[0],), found[1], None, attempt.accelerated)


_SECONDS = 2.0
"""Limit of one search for integer repetitions."""


def _modular(
    net: Net, path: AbstractPath, effects: Sequence[Weights]
) -> tuple[Residue, tuple[Separator, ...]] | None:
    """A direction whose residue no effect changes, and that the target contradicts."""
    cube = path.met.cube
    rows = [
        (number, _dense(net, literal.term.coefficients), literal)
        for number, literal in enumerate(cube)
        if isinstance(literal, Equality | Congruence)
    ]
    generators = [[_along(row, effect) for _, row, _ in rows] for effect in effects]
    for position, (_, _, literal) in enumerate(rows):
        if isinstance(literal, Congruence):
            generators.append([literal.modulus * int(n == position) for n in range(len(rows))])
    values = [-literal.term.constant - dot(row, net.initial) for _, row, literal in rows]
    separated = congruence_separator(generators, values) if rows else None
    if separated is None:
        return None
    weights, modulus = separated
    columns = zip(*(row for _, row, _ in rows), strict=True)
    direction = tuple(dot(weights, column) % modulus for column in columns)
    if path.met.number is None:
        return Residue(direction, modulus), ()
    multipliers = [0] * len(cube)
    for weight, (number, _, _) in zip(weights, rows, strict=True):
        multipliers[number] = weight
    sparse = sparse_direction(net, direction)
    separator = Separator(path.met.number, sparse, modulus, tuple(multipliers), 1)
    return Residue(direction, modulus), (separator,)


def _plain(problem: Problem, path: AbstractPath, budget: Budget) -> Iterator[Spurious]:
    """Separators of this one path, which always exist."""
    net = problem.net
    blocks = _compress(path.transitions, frozenset())
    found = _first_failure(net, blocks, path.met.cube)
    if found is not None:
        question, at_target = found
        choice = None_().interpolate(question, (), budget)
        if choice is not None:
            attempt = _Attempt(problem, path, blocks, frozenset())
            yield from _proposals(attempt, choice, at_target)
        return
    marking = net.initial
    for transition in path.transitions:
        marking = net.transitions[transition].fire(marking)
    for number, literal in enumerate(path.met.cube):
        if isinstance(literal, Congruence) and not evaluate(literal, net.values(marking)):
            residue = Residue(_dense(net, literal.term.coefficients), literal.modulus)
            sparse = sparse_direction(net, residue.direction)
            multipliers = tuple(int(n == number) for n in range(len(path.met.cube)))
            separators = (
                (Separator(path.met.number, sparse, literal.modulus, multipliers, 1),)
                if path.met.number is not None
                else ()
            )
            yield Spurious((residue,), separators, None, frozenset())


def _dense(net: Net, coefficients: Sequence[tuple[str, int]]) -> Vector:
    entries = dict(coefficients)
    return tuple(entries.get(place, 0) for place in net.places)


def _along(row: Vector, effect: Weights) -> int:
    return sum(row[place] * weight for place, weight in effect)


def _replay(net: Net, cube: Cube, steps: Sequence[tuple[int, int]]) -> bool:
    """Whether the steps fire from the initial marking into the cube."""
    marking = net.initial
    for number, times in steps:
        if not net.transitions[number].fires(marking, times):
            return False
        marking = net.transitions[number].fire(marking, times)
    values = net.values(marking)
    return all(evaluate(literal, values) for literal in cube)


def _trace(net: Net, steps: Sequence[tuple[int, int]]) -> Trace:
    """The steps with transition ids, equal neighbours joined."""
    joined = [
        (net.transitions[number].name, sum(times for _, times in group))
        for number, group in groupby(steps, key=lambda step: step[0])
    ]
    return Trace(tuple(joined))
