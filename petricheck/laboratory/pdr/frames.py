"""Frames F_0 ⊆ F_1 ⊆ …: F_i holds in every marking that at most i firings reach.

F_0 is the initial marking. Every other frame consists of facts, which hold forever, and of the
clauses of its level and those above: a clause that moves up stays in the frames below. A clause
says that a marking is outside of a polyhedron.

Each frame has an incremental solver, which is asked about one transition at a time.

New clauses are generalised: a polyhedron is widened as long as still nothing leads in. First sides
are dropped; then bounds of those that keep the initial marking out are raised towards it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from petricheck.budget import Budget
from petricheck.laboratory.pdr.polyhedra import Polyhedron, polyhedron, shifted
from petricheck.linear import HalfSpace, product, value_at
from petricheck.presburger.formulas import Formula, at_least, equal
from petricheck.presburger.solver import Solver
from petricheck.presburger.terms import variable
from petricheck.problem import Marking, Net, Transition


class Frames:
    """The sequence, which begins with F_0 and F_1; use it in a `with`.

    Attributes:
        facts: together they hold initially, and every transition keeps them.
        clauses: by level, the polyhedra that clauses keep out. Level 0 has none.
    """

    def __init__(self, net: Net, facts: Sequence[Formula], budget: Budget) -> None:
        self._net, self._budget = net, budget
        self.facts = list(facts)
        self.clauses: list[list[Polyhedron]] = [[]]
        self._solvers: list[Solver] = []
        self._stack = ExitStack()
        initial = zip(net.places, net.initial, strict=True)
        self._open([equal(variable(place), tokens) for place, tokens in initial])
        self.deepen()

    def __enter__(self) -> Frames:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def last(self) -> int:
        """The number of the last frame."""
        return len(self._solvers) - 1

    def deepen(self) -> None:
        """One more frame, of the facts alone."""
        self.clauses.append([])
        self._open(self.facts)

    def add_fact(self, fact: Formula) -> None:
        """Add to all frames what holds initially and every transition keeps."""
        self.facts.append(fact)
        for solver in self._solvers[1:]:
            solver.add(fact)

    def forbid(self, forbidden: Polyhedron, level: int) -> None:
        """Add the clause to the frames up to this level; those that it implies are dropped."""
        for weaker in self.clauses[: level + 1]:
            weaker[:] = [other for other in weaker if not other.within(forbidden)]
        self.clauses[level].append(forbidden)
        for solver in self._solvers[1 : level + 1]:
            solver.add(forbidden.clause(self._net))

    def forbids(self, markings: Polyhedron, level: int) -> bool:
        """Whether a single clause of the frame plainly keeps all of the markings out."""
        return any(map(markings.within, self._forbidden(level)))

    def model(self, level: int, formula: Formula) -> Marking | None:
        """A marking of the frame that satisfies the formula."""
        with self._scope(level, formula) as solver:
            values = solver.check()
        return None if values is None else tuple(values.get(p, 0) for p in self._net.places)

    def entering(self, markings: Polyhedron, level: int) -> Transition | frozenset[HalfSpace]:
        """A transition that leads from the frame into the markings, from outside of them.

        Returns:
            Where there is none, sides of the polyhedron that suffice: no transition leads from the
            frame into their intersection, nor into that of more of its sides, from outside of it.
        """
        needed: set[HalfSpace] = set()
        with self._scope(level, markings.clause(self._net)) as solver:
            for transition in self._net.transitions:
                # It may lead in from outside only where some c·m falls.
                if any(product(side.direction, transition.effect) < 0 for side in markings.sides):
                    reason = self._refusing(solver, transition, markings)
                    if reason is None:
                        return transition
                    needed |= reason
        return frozenset(needed)

    def _forbidden(self, level: int) -> Iterator[Polyhedron]:
        return (forbidden for clauses in self.clauses[level:] for forbidden in clauses)

    def _refusing(
        self, solver: Solver, transition: Transition, markings: Polyhedron
    ) -> set[HalfSpace] | None:
        """Sides that the transition leads into from nowhere in the scope; None where it does."""
        solver.push()
        for place, weight in transition.pre:
            solver.add(at_least(variable(self._net.places[place]), weight))
        before: dict[Formula, HalfSpace] = {
            shifted(side, transition).inequality(self._net): side for side in markings.sides
        }
        values, core = solver.check(tuple(before)), solver.core
        solver.pop()
        return None if values is not None else {before[formula] for formula in core}

    @contextmanager
    def _scope(self, level: int, formula: Formula) -> Iterator[Solver]:
        """The frame's solver, with the formula for a while."""
        solver = self._solvers[level]
        solver.push()
        solver.add(formula)
        yield solver
        solver.pop()

    def _open(self, formulas: Sequence[Formula]) -> None:
        solver = self._stack.enter_context(Solver(self._budget, self._net.places))
        for formula in formulas:
            solver.add(formula)
        self._solvers.append(solver)


WIDENINGS = 3
"""How many larger bounds are tried for a side."""


def generalised(
    frames: Frames,
    level: int,
    blocked: Polyhedron,
    needed: frozenset[HalfSpace],
    initial: Marking,
) -> Polyhedron:
    """A polyhedron around `blocked` without the initial marking, which the frame never enters.

    Args:
        frames: the frames.
        level: of the frame.
        blocked: misses the initial marking, and nothing enters it from the frame.
        needed: what `Frames.entering` gave for it.
        initial: the initial marking.
    """
    wide = _missing(initial, needed, blocked)
    for side in sorted(wide.sides, key=_specific, reverse=True):
        if side in wide.sides:
            wide = _without(frames, level, wide, side, initial)
    for side in wide.sides:
        wide = _raised(frames, level, wide, side, initial)
    return wide


def _specific(side: HalfSpace) -> tuple[int, int]:
    return len(side.direction), abs(side.bound)


def _missing(initial: Marking, needed: Iterable[HalfSpace], blocked: Polyhedron) -> Polyhedron:
    """The intersection of the needed sides, and of one more where the initial marking is there."""
    wide = polyhedron(needed)
    if initial not in wide:
        return wide
    outside = next(side for side in blocked.sides if not side.holds(initial))
    return polyhedron((*wide.sides, outside))


def _without(
    frames: Frames, level: int, wide: Polyhedron, side: HalfSpace, initial: Marking
) -> Polyhedron:
    """Without this side, and what else then is not needed; as it was where this fails."""
    fewer = polyhedron(other for other in wide.sides if other != side)
    if initial in fewer:
        return wide
    reason = frames.entering(fewer, level)
    return wide if isinstance(reason, Transition) else _missing(initial, reason, fewer)


def _raised(
    frames: Frames, level: int, wide: Polyhedron, side: HalfSpace, initial: Marking
) -> Polyhedron:
    """With a larger bound for this side; the largest that is considered misses the initial marking.

    It is halved towards the old one until nothing enters.
    """
    most = value_at(side.direction, initial) - 1
    for _ in range(WIDENINGS):
        if most <= side.bound:
            break
        more = HalfSpace(side.direction, most)
        wider = polyhedron(more if other == side else other for other in wide.sides)
        if not isinstance(frames.entering(wider, level), Transition):
            return wider
        most = (side.bound + most) // 2
    return wide
