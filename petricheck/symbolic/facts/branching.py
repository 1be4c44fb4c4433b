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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Protocol, TypeAlias

import numpy as np

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    normal,
)
from petricheck.arithmetic.programs.linear_programs import as_float
from petricheck.arithmetic.programs.warm_programs import PrimalPoint, Ray
from petricheck.support.budget import Budget
from petricheck.support.words import counted
from petricheck.symbolic.facts.equation import Clash, EquationProgram, Solution

_CLOSE = 1e-6
"""Differences of numbers of tokens that count as none."""

_RESIDUES = 64
"""A negated congruence with more other residues is no choice, but left out."""


@dataclass(eq=False, slots=True)
class BranchPoint:
    """A disjunction of parts; its number is negative, unlike those of literals."""

    number: int
    parts: tuple[Part, ...]


Part: TypeAlias = "int | BranchPoint | tuple[Part, ...]"
"""The number of a literal, a disjunction, or a conjunction."""


class SplitTarget:
    """A target; where it is left out that a term has another residue, a weaker one.

    Attributes:
        root: all of it.
        atoms: its literals by number.
    """

    def __init__(self, target: Formula, places: Mapping[str, int]) -> None:
        self._numbers: dict[Atom, int] = {}
        self._choices = 0
        self._literals: list[int] = []
        self._starts: list[int] = []
        self._flat: list[int] = []  # Choices of literals alone, whose alternatives stand in arrays.
        self._nested: set[int] = set()
        self.root = self._part(normal(target))
        self.atoms = tuple(self._numbers)
        pairs = [(n, *pair) for n, atom in enumerate(self.atoms) for pair in atom.term.coefficients]
        self._rows = np.array([number for number, _, _ in pairs], dtype=np.intp)
        self._places = np.array([places[name] for _, name, _ in pairs], dtype=np.intp)
        self._weights = np.array([as_float(value) for _, _, value in pairs])
        self._constants = np.array([as_float(atom.term.constant) for atom in self.atoms])
        self._below = np.array([isinstance(atom, Inequality) for atom in self.atoms], dtype=bool)
        moduli = [
            as_float(atom.modulus) if isinstance(atom, Congruence) else 0 for atom in self.atoms
        ]
        self._moduli = np.array(moduli, dtype=np.float64)

    def true_literals(self, tokens: Any) -> Any:
        """Return by literal whether it holds of these tokens by place, up to rounding errors."""
        terms = np.bincount(self._rows, self._weights * tokens[self._places], len(self.atoms))
        terms = terms + self._constants
        modular = self._moduli > 0
        if modular.any():
            moduli, residues = self._moduli[modular], terms[modular]
            terms[modular] = residues - moduli * np.rint(residues / moduli)
        return np.where(self._below, terms, np.abs(terms)) <= _CLOSE

    def false_choices(self, choices: Iterable[BranchPoint], truths: Any) -> list[BranchPoint]:
        """Return the choices that these literals leave without a true alternative."""
        satisfied = np.zeros(self._choices + 1, dtype=bool)
        if self._flat:
            satisfied[self._flat] = np.logical_or.reduceat(truths[self._literals], self._starts)
        satisfied_choices, literals = satisfied.tolist(), truths.tolist()
        return [
            choice
            for choice in choices
            if not satisfied_choices[-choice.number]
            and (choice.number not in self._nested or not holds(choice, literals))
        ]

    def _part(self, formula: Formula) -> Part:
        match formula:
            case Conjunction(operands):
                return tuple(self._part(operand) for operand in operands)
            case Disjunction(operands):
                self._choices += 1
                number = -self._choices
                parts = tuple(self._part(operand) for operand in operands)
                literals = [part for part in parts if isinstance(part, int)]
                if literals and len(literals) == len(parts):
                    self._flat.append(-number)
                    self._starts.append(len(self._literals))
                    self._literals += literals
                else:
                    self._nested.add(number)
                return BranchPoint(number, parts)
            case Negation(Congruence(term, modulus)):
                if modulus > _RESIDUES:
                    return ()
                others = (Congruence(term - residue, modulus) for residue in range(1, modulus))
                return self._part(Disjunction(tuple(others)))
            case Inequality(term) | Equality(term) | Congruence(term):
                # The normal form leaves no constant that is false.
                if not term.coefficients:
                    return ()
                return self._numbers.setdefault(formula, len(self._numbers))
            case _:
                raise AssertionError("normal form keeps negation on congruences only")


def holds(part: Part, truths: Sequence[bool]) -> bool:
    """Return whether a part does where these literals do."""
    match part:
        case int():
            return truths[part]
        case BranchPoint():
            return any(holds(inner, truths) for inner in part.parts)
        case parts:
            return all(holds(inner, truths) for inner in parts)


_STEPS = 300
"""Programs, and one for ten literals, after which a search gives up: then it is for a solver."""


class BranchingStatus(Enum):
    """The ways in which a search ends."""

    REFUTED = auto()
    SOLVABLE = auto()
    """There is a solution, by which the caller ended it."""
    OPEN = auto()
    """Rational programs do not decide it, or not soon."""


class SolutionJudge(Protocol):
    """A judge of solutions and clashes that the program cannot decide."""

    def examine(self, solution: Solution) -> Clash | BranchingStatus | None:
        """Return a refutation of the solution's cube, an end, or None if a trap now excludes it."""

    def explain(self, cube: Cube) -> Clash | None:
        """Return a refutation of literals that the program refutes, but its ray does not."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """Numbers of literals and branch points without solution, and of the clashes that say so."""

    reasons: frozenset[int]
    clashes: frozenset[int]


@dataclass(eq=False, slots=True)
class _Frame:
    """A choice that is being made: alternatives left, and what is needed to refute those before.

    Its size are the numbers of literals and choices before it.
    """

    choice: int
    alternatives: Iterator[Part]
    size: tuple[int, int]
    reasons: set[int] = field(default_factory=set)
    clashes: set[int] = field(default_factory=set)


class Branching:
    """One search, which goes on after a limit where it was.

    Attributes:
        steps: programs solved.
        clashes: with their cubes.
        refutation: of the target.
    """

    def __init__(
        self,
        program: EquationProgram,
        target: Formula,
        places: Mapping[str, int],
        judge: SolutionJudge,
    ) -> None:
        self._program = program
        self._judge = judge
        self._target = SplitTarget(target, places)
        self._most = _STEPS + len(self._target.atoms) // 10
        self._asserted: list[int] = []
        self._asserted_set: set[int] = set()
        self._pending: list[BranchPoint] = []
        self._decided: set[int] = set()
        self._refutations: dict[int, list[Refutation]] = {}
        self._frames: list[_Frame] = []
        self._begun = False
        self.steps = 0
        self.clashes: list[tuple[Cube, Clash]] = []
        self.refutation: Refutation | None = None

    def run(self, budget: Budget) -> BranchingStatus:
        """Refute the target, or meet a solution that ends the search.

        Nothing is asserted at first; when it ends, what the program has asserted stays so.

        Raises:
            BudgetExhausted: time or memory ran out; another run goes on from there.
        """
        self._budget, frames = budget, self._frames
        refutation = None
        if self._begun:
            for number in self._asserted:
                self._program.add(self._target.atoms[number])
        else:
            self._begun = True
            refutation = self._assert(self._target.root)
        while True:
            if refutation is None:
                match self._next_step():
                    case BranchPoint() as choice:
                        size = len(self._asserted), len(self._pending)
                        frames.append(_Frame(choice.number, iter(choice.parts), size))
                        self._decided.add(choice.number)
                        refutation = self._assert(next(frames[-1].alternatives))
                        continue
                    case BranchingStatus() as ending:
                        return ending
                    case Refutation() as refutation:
                        pass
            refutation = self._backtrack(frames, refutation)
            if refutation is not None and not frames:
                self.refutation = refutation
                return BranchingStatus.REFUTED

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

    def _next_step(self) -> BranchPoint | BranchingStatus | Refutation:
        """-"""
        while True:
            self._budget.check()
            if self.steps == self._most:
                return BranchingStatus.OPEN
            self.steps += 1
            self._budget.report(f"program {self.steps}: {counted(len(self.clashes), 'refutation')}")
            point = self._program.solve(self._budget.remaining)
            self._budget.check()
            cube = self._cube(self._asserted)
            match point:
                case PrimalPoint(counts):
                    tokens = self._program.marking(point)
                    truths = self._target.true_literals(tokens)
                    undecided = (c for c in self._pending if c.number not in self._decided)
                    if choices := self._target.false_choices(undecided, truths):
                        return min(choices, key=lambda choice: len(choice.parts))
                    verdict = self._judge.examine(Solution(counts, tokens, cube))
                case Ray():
                    verdict = self._program.clash(point) or self._judge.explain(cube)
                    verdict = verdict or BranchingStatus.OPEN
                case None:
                    return BranchingStatus.OPEN
            if verdict is not None:
                return verdict if isinstance(verdict, BranchingStatus) else self._learn(verdict)

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
                case BranchPoint(number, ()):
                    return Refutation(frozenset((number,)), frozenset())
                case BranchPoint() as choice:
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
