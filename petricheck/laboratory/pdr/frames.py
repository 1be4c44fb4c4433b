"""Frames F_0 ⊆ F_1 ⊆ …: F_i contains every marking that at most i firings reach.

F_0 is the initial marking. Every other frame consists of facts, which hold in all reachable
markings, and of the clauses of its level and those above. A clause that moves up stays in the
frames below. A clause states that a marking is outside a polyhedron.

Each frame has an incremental solver, which checks one transition at a time.

New clauses are generalised: a polyhedron is widened as long as no transition leads into it. First
sides are dropped; then bounds of sides that exclude the initial marking are raised towards it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from petricheck.arithmetic.formulas.formulas import Formula, at_least, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.solver import Solver
from petricheck.laboratory.pdr.polyhedra import Polyhedron, polyhedron, shifted
from petricheck.model.net import Marking, Net, Transition
from petricheck.support.budget import Budget
from petricheck.symbolic.linear import HalfSpace, product, value_at


class Frames:
    """The sequence of frames, from F_0 and F_1 on; use it in a `with`.

    Attributes:
        facts: their conjunction holds initially and is inductive.
        clauses: by level, the polyhedra that clauses exclude. Level 0 has none.
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
        """Add a frame, of the facts alone."""
        self.clauses.append([])
        self._open(self.facts)

    def add_fact(self, fact: Formula) -> None:
        """Add a fact, inductive together with the others, to all frames."""
        self.facts.append(fact)
        for solver in self._solvers[1:]:
            solver.add(fact)

    def forbid(self, forbidden: Polyhedron, level: int) -> None:
        """Add the clause to the frames up to this level; drop clauses that it implies."""
        for weaker in self.clauses[: level + 1]:
            weaker[:] = [other for other in weaker if not other.within(forbidden)]
        self.clauses[level].append(forbidden)
        for solver in self._solvers[1 : level + 1]:
            solver.add(forbidden.clause(self._net))

    def forbids(self, markings: Polyhedron, level: int) -> bool:
        """Return whether a single clause of the frame excludes all markings, side by side."""
        return any(map(markings.within, self._forbidden(level)))

    def model(self, level: int, formula: Formula) -> Marking | None:
        """Return a marking of the frame that satisfies the formula, or None."""
        with self._scope(level, formula) as solver:
            values = solver.check()
        return None if values is None else tuple(values.get(p, 0) for p in self._net.places)

    def entry(self, markings: Polyhedron, level: int) -> Transition | frozenset[HalfSpace]:
        """Return a transition that leads from the frame, outside the markings, into them.

        Returns:
            Where there is none, sides that suffice: no transition leads from the frame, from
            outside, into their intersection, nor into that of more of the sides.
        """
        sides: set[HalfSpace] = set()
        with self._scope(level, markings.clause(self._net)) as solver:
            for transition in self._net.transitions:
                # A transition enters from outside only if it makes some c·m smaller.
                if any(product(side.direction, transition.effect) < 0 for side in markings.sides):
                    reason = self._blocking_sides(solver, transition, markings)
                    if reason is None:
                        return transition
                    sides |= reason
        return frozenset(sides)

    def _forbidden(self, level: int) -> Iterator[Polyhedron]:
        return (forbidden for clauses in self.clauses[level:] for forbidden in clauses)

    def _blocking_sides(
        self, solver: Solver, transition: Transition, markings: Polyhedron
    ) -> set[HalfSpace] | None:
        """Return sides into which the transition leads from no marking of the scope, or None."""
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
        """Yield the frame's solver, with the formula during the `with`."""
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
"""Number of larger bounds that are tried for a side."""


def generalise(
    frames: Frames,
    level: int,
    blocked: Polyhedron,
    sides: frozenset[HalfSpace],
    initial: Marking,
) -> Polyhedron:
    """Return a polyhedron around `blocked`, without the initial marking, that is not entered.

    Args:
        frames: the frames.
        level: number of the frame from which nothing enters.
        blocked: excludes the initial marking, and is not entered from the frame.
        sides: the sides that `Frames.entry` returned for it.
        initial: the initial marking.
    """
    wide = _excluding(initial, sides, blocked)
    for side in sorted(wide.sides, key=_specificity, reverse=True):
        if side in wide.sides:
            wide = _without_side(frames, level, wide, side, initial)
    for side in wide.sides:
        wide = _with_larger_bound(frames, level, wide, side, initial)
    return wide


def _specificity(side: HalfSpace) -> tuple[int, int]:
    return len(side.direction), abs(side.bound)


def _excluding(initial: Marking, sides: Iterable[HalfSpace], blocked: Polyhedron) -> Polyhedron:
    """Return the intersection of the sides, and of one more if that has the initial marking."""
    wide = polyhedron(sides)
    if initial not in wide:
        return wide
    outside = next(side for side in blocked.sides if not side.holds(initial))
    return polyhedron((*wide.sides, outside))


def _without_side(
    frames: Frames, level: int, wide: Polyhedron, side: HalfSpace, initial: Marking
) -> Polyhedron:
    """Return the polyhedron without this side; unchanged where that is entered.

    Other sides that are not needed then are left out, too.
    """
    smaller = polyhedron(other for other in wide.sides if other != side)
    if initial in smaller:
        return wide
    reason = frames.entry(smaller, level)
    return wide if isinstance(reason, Transition) else _excluding(initial, reason, smaller)


def _with_larger_bound(
    frames: Frames, level: int, wide: Polyhedron, side: HalfSpace, initial: Marking
) -> Polyhedron:
    """Return the polyhedron with a larger bound for this side; unchanged where none works.

    The largest bound tried excludes the initial marking. It is halved towards the old one until no
    transition enters.
    """
    bound = value_at(side.direction, initial) - 1
    for _ in range(WIDENINGS):
        if bound <= side.bound:
            break
        larger = HalfSpace(side.direction, bound)
        wider = polyhedron(larger if other == side else other for other in wide.sides)
        if not isinstance(frames.entry(wider, level), Transition):
            return wider
        bound = (side.bound + bound) // 2
    return wide
