"""Frames F_0 ⊆ F_1 ⊆ …: F_i holds in every marking that at most i firings reach.

F_0 is the initial marking. Every other frame consists of facts, which hold forever, and of the
clauses of its level and those above: a clause that moves up stays in the frames below. A clause
says that a marking is outside of a polyhedron.

Each frame has an incremental solver, which is asked about one transition at a time, and only what
vectors do not tell. Facts are added where a solver's answer contradicts them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from petricheck.budget import Budget
from petricheck.laboratory.pdr.polyhedra import Polyhedron
from petricheck.laboratory.pdr.predecessors import refusing, shifted, within
from petricheck.linear import HalfSpace, product
from petricheck.presburger.formulas import Formula, at_least, equal, evaluate
from petricheck.presburger.solver import Solver
from petricheck.presburger.terms import variable
from petricheck.problem import Marking, Net, Transition


class Frames:
    """The sequence, which begins with F_0 and F_1; use it in a `with`.

    Attributes:
        facts: those in use; each holds initially, and every transition keeps it.
        clauses: by level, the polyhedra that clauses keep out. Level 0 has none.
    """

    def __init__(self, net: Net, facts: Sequence[Formula], budget: Budget) -> None:
        """With facts that are at hand, each inductive."""
        self._net, self._budget = net, budget
        self._unused = list(facts)
        self.facts: list[Formula] = []
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
        while True:
            with self._scope(level, formula) as solver:
                values = solver.check()
            if values is None or not self._contradicted(values):
                return None if values is None else self._marking(values)

    def entering(self, markings: Polyhedron, level: int) -> Transition | frozenset[HalfSpace]:
        """A transition that leads from the frame into the markings, from outside of them.

        Returns:
            Where there is none, sides of the polyhedron that suffice: no transition leads from the
            frame into their intersection, nor into that of more of its sides, from outside of it.
        """
        needed: set[HalfSpace] = set()
        asked = []
        for transition in self._approaching(markings):
            reason = self._seen(transition, markings, level)
            if reason is None:
                asked.append(transition)
            else:
                needed |= reason
        if not asked:
            return frozenset(needed)
        while True:
            with self._scope(level, markings.clause(self._net)) as solver:
                found = self._first(solver, asked, markings, needed)
            if found is None:
                return frozenset(needed)
            transition, values = found
            if not self._contradicted(values):
                return transition

    def _approaching(self, markings: Polyhedron) -> Iterator[Transition]:
        """Those that may lead in from outside, since some c·m falls."""
        for transition in self._net.transitions:
            if any(product(side.direction, transition.effect) < 0 for side in markings.sides):
                yield transition

    def _seen(
        self, transition: Transition, markings: Polyhedron, level: int
    ) -> frozenset[HalfSpace] | None:
        """Sides that it plainly leads into from nowhere in the frame; None: ask a solver."""
        side = refusing(transition, markings)
        if side is not None:
            return frozenset((side,))
        reasons = (within(transition, markings, other) for other in self._forbidden(level))
        return next((reason for reason in reasons if reason is not None), None)

    def _forbidden(self, level: int) -> Iterator[Polyhedron]:
        return (forbidden for clauses in self.clauses[level:] for forbidden in clauses)

    def _first(
        self,
        solver: Solver,
        transitions: Sequence[Transition],
        markings: Polyhedron,
        needed: set[HalfSpace],
    ) -> tuple[Transition, dict[str, int]] | None:
        """The first that leads in, and from where; for others, sides that matter are noted."""
        for transition in transitions:
            solver.push()
            for place, weight in transition.pre:
                solver.add(at_least(variable(self._net.places[place]), weight))
            before = {
                solver.assume(shifted(side, transition).inequality(self._net)): side
                for side in markings.sides
            }
            values = solver.check(tuple(before))
            core = solver.core
            solver.pop()
            if values is not None:
                return transition, values
            needed.update(before[assumption] for assumption in core)
        return None

    def _contradicted(self, values: dict[str, int]) -> bool:
        """Whether the values break facts at hand, which are in use from then on."""
        values = dict.fromkeys(self._net.places, 0) | values
        broken = [fact for fact in self._unused if not evaluate(fact, values)]
        for fact in broken:
            self._unused.remove(fact)
            self.add_fact(fact)
        return bool(broken)

    def _marking(self, values: dict[str, int]) -> Marking:
        return tuple(values.get(place, 0) for place in self._net.places)

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
