"""The target against the state equation, branching only where that is needed.

A target is taken apart into literals and choices. All literals that no choice decides are asserted
at once, and the program of the state equation is solved. Where it has no solution, whatever is left
to choose, the target is refuted. Where its solution breaks a choice, one after the other of the
alternatives is asserted. So of thousands of cubes few are looked at.

Each refutation knows the literals that it needs (`equation.Clash`). Where those of an alternative
are none that the alternative added, the other alternatives are refuted by the same, and so is the
choice (conflict-directed backjumping); where the literals of an earlier refutation are asserted
again, no program is solved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Protocol

from petricheck.arithmetic.formulas.formulas import Cube, Formula
from petricheck.arithmetic.programs.warm_programs import PrimalPoint, Ray
from petricheck.support.budget import Budget
from petricheck.support.words import counted
from petricheck.symbolic.facts.choices import Choice, Choices, Part
from petricheck.symbolic.facts.equation import Clash, EquationProgram

_STEPS = 300
"""Programs, and one for ten literals, after which a search gives up: then it is for a solver."""


class Ending(Enum):
    """The ways in which a search ends."""

    REFUTED = auto()
    SOLVABLE = auto()
    """There is a solution, by which the caller ended it."""
    OPEN = auto()
    """Rational programs do not decide it, or not soon."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A solution of the rational program that is in the target.

    Attributes:
        counts: firings, a numpy array with an entry for each transition with an effect.
        tokens: where they lead, by place.
        cube: all literals that are asserted.
    """

    counts: Any
    tokens: Any
    cube: Cube


class Judge(Protocol):
    """A judge of solutions and clashes that the program cannot decide."""

    def examine(self, solution: Solution) -> Clash | Ending | None:
        """Return a refutation of the solution's cube, an end, or None if a trap now excludes it."""

    def explain(self, cube: Cube) -> Clash | None:
        """Return a refutation of literals that the program refutes, but its ray does not."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """The reason why the asserted literals have no solution.

    Attributes:
        reasons: numbers of the literals and choices that it needs.
        clashes: numbers of the clashes that refute one alternative or another.
    """

    reasons: frozenset[int]
    clashes: frozenset[int]


@dataclass(eq=False, slots=True)
class _Frame:
    """A choice that is being made.

    Attributes:
        choice: its number.
        alternatives: alternatives that were not looked at.
        size: literals and choices before it.
        reasons: what the refutations of the alternatives so far need.
        clashes: those in them.
    """

    choice: int
    alternatives: Iterator[Part]
    size: tuple[int, int]
    reasons: set[int] = field(default_factory=set)
    clashes: set[int] = field(default_factory=set)


class Branching:
    """One search.

    Attributes:
        steps: programs solved so far.
        clashes: those found, each with its cube.
        refutation: of the target, once there is one.
    """

    def __init__(
        self,
        program: EquationProgram,
        target: Formula,
        places: Mapping[str, int],
        judge: Judge,
        budget: Budget,
    ) -> None:
        self._program = program
        self._judge = judge
        self._budget = budget
        self._target = Choices(target, places)
        self._most = _STEPS + len(self._target.atoms) // 10
        self._asserted: list[int] = []
        self._asserted_set: set[int] = set()
        self._pending: list[Choice] = []
        self._decided: set[int] = set()
        self._refutations: dict[int, list[Refutation]] = {}
        self.steps = 0
        self.clashes: list[tuple[Cube, Clash]] = []
        self.refutation: Refutation | None = None

    def run(self) -> Ending:
        """Refute the target, or meet a solution that ends the search."""
        frames: list[_Frame] = []
        refutation = self._assert(self._target.root)
        while True:
            if refutation is None:
                match self._next_step():
                    case Choice() as choice:
                        size = len(self._asserted), len(self._pending)
                        frames.append(_Frame(choice.number, iter(choice.parts), size))
                        self._decided.add(choice.number)
                        refutation = self._assert(next(frames[-1].alternatives))
                        continue
                    case Ending() as ending:
                        return ending
                    case Refutation() as refutation:
                        pass
            refutation = self._backtrack(frames, refutation)
            if refutation is not None and not frames:
                self.refutation = refutation
                return Ending.REFUTED

    def _backtrack(self, frames: list[_Frame], refutation: Refutation) -> Refutation | None:
        """Go back to an open alternative; return the refutation of the target if none is open."""
        while frames:
            frame = frames[-1]
            literals, choices = frame.size
            added = {*self._asserted[literals:], *(c.number for c in self._pending[choices:])}
            self._undo(frame.size)
            if refutation.reasons.isdisjoint(added):
                self._decided.remove(frames.pop().choice)
                continue
            frame.reasons |= refutation.reasons - added
            frame.clashes |= refutation.clashes
            part = next(frame.alternatives, None)
            if part is None:
                self._decided.remove(frames.pop().choice)
                reasons = frozenset(frame.reasons | {frame.choice})
                refutation = Refutation(reasons, frozenset(frame.clashes))
                continue
            clash = self._assert(part)
            if clash is None:
                return None
            refutation = clash
        return refutation

    def _next_step(self) -> Choice | Ending | Refutation:
        """Return the next step: a choice, the end, or a refutation."""
        while True:
            self._budget.check()
            if self.steps == self._most:
                return Ending.OPEN
            self.steps += 1
            self._budget.report(f"program {self.steps}: {counted(len(self.clashes), 'refutation')}")
            point = self._program.solve(self._budget.remaining)
            self._budget.check()
            cube = self._cube(self._asserted)
            match point:
                case PrimalPoint(counts):
                    tokens = self._program.marking(point)
                    choices = self._false_choices(tokens)
                    if choices:
                        return min(choices, key=lambda choice: len(choice.parts))
                    verdict = self._judge.examine(Solution(counts, tokens, cube))
                case Ray():
                    verdict = self._program.clash(point) or self._judge.explain(cube)
                    verdict = verdict or Ending.OPEN
                case None:
                    return Ending.OPEN
            if verdict is not None:
                return verdict if isinstance(verdict, Ending) else self._learn(verdict)

    def _false_choices(self, tokens: Any) -> list[Choice]:
        """Return the choices that are not made, and that the tokens break."""
        true = self._target.true_literals(tokens)
        alternatives = (choice for choice in self._pending if choice.number not in self._decided)
        return self._target.false_choices(alternatives, true)

    def _assert(self, part: Part) -> Refutation | None:
        """Assert all literals of the part; return a refutation if one is found at once."""
        stack = [part]
        while stack:
            match stack.pop():
                case int() as number:
                    if number in self._asserted_set:
                        continue
                    self._asserted.append(number)
                    self._asserted_set.add(number)
                    clash = self._program.add(self._target.atoms[number])
                    if clash is not None:
                        return self._learn(clash)
                    for refutation in self._refutations.get(number, ()):
                        if refutation.reasons <= self._asserted_set:
                            return refutation
                case Choice(number, ()):
                    return Refutation(frozenset((number,)), frozenset())
                case Choice() as choice:
                    self._pending.append(choice)
                case parts:
                    stack.extend(reversed(parts))
        return None

    def _undo(self, size: tuple[int, int]) -> None:
        literals, choices = size
        self._asserted_set.difference_update(self._asserted[literals:])
        del self._asserted[literals:]
        del self._pending[choices:]
        self._program.undo(literals)

    def _learn(self, clash: Clash) -> Refutation:
        """Keep a clash; what it refutes."""
        numbers = [self._asserted[position] for position in clash.literals]
        refutation = Refutation(frozenset(numbers), frozenset((len(self.clashes),)))
        self.clashes.append((self._cube(numbers), clash))
        for number in refutation.reasons:
            self._refutations.setdefault(number, []).append(refutation)
        return refutation

    def _cube(self, numbers: Iterable[int]) -> Cube:
        return tuple(self._target.atoms[number] for number in numbers)
