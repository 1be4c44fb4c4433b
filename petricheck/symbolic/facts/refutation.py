"""One target against the state equation, with traps and siphons, until it is refuted or solved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

import numpy as np

from petricheck.arithmetic.formulas.cubes import cube_of, listed_cubes
from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Atom,
    Congruence,
    Conjunction,
    Cube,
    Formula,
    variables,
)
from petricheck.arithmetic.formulas.formulas import evaluate as holds
from petricheck.arithmetic.solvers.solver import Solver
from petricheck.evidence.audit.shapes.state_equation import (
    firings,
    solution,
    state_equation_obligation,
)
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.net import Marking, Net, Transition
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.support.words import counted
from petricheck.symbolic.facts.branching import Branching, BranchingStatus
from petricheck.symbolic.facts.equation import Clash, EquationProgram, Solution
from petricheck.symbolic.facts.faces import separating_face
from petricheck.symbolic.facts.proved import Facts
from petricheck.symbolic.facts.separation import Separation
from petricheck.symbolic.facts.siphons import greatest_siphon

Firings: TypeAlias = Sequence[tuple[Transition, int]]
"""How often each transition fires, of those that do."""


def unfilled_sets(fired: Sequence[Transition], initial: Marking) -> Iterator[frozenset[int]]:
    """Yield disjoint, initially empty sets from which these take and that none fills.

    No place can be left out of one of them. The first firing that puts on such a set S takes
    nothing from it, so where a transition takes from S, one has fired before that *fills* it, which
    puts on S and takes nothing from it. In a solution of the state equation tokens may come from a
    cycle that nothing has started (Thierry-Mieg: Symbolic and structural model-checking, 2021, has
    conditions on the order of firings against that): then S is a siphon of what the solution fires.
    """
    inputs = {place for transition in fired for place, _ in transition.pre}
    within = frozenset(place for place in inputs if not initial[place])
    while siphon := greatest_siphon(fired, within):
        for place in sorted(siphon):
            if place in siphon:
                siphon = greatest_siphon(fired, siphon - {place}) or siphon
        yield siphon
        within -= siphon


def refute_over_integers(
    problem: Problem,
    facts: Facts,
    limits: Callable[[], Budget],
    contradict: Callable[[Firings], bool],
) -> StateEquationCertificate | None:
    """Return the certificate, by z3 like the audit; None where a solution is left.

    Where it needs no further facts, the audit knows its answer. Each query of z3 has the `limits`
    of when it begins; `contradict` adds facts that firings contradict, and returns False without
    any.
    """
    certificate = facts.state_equation()
    obligation = state_equation_obligation(problem, certificate)
    model = solution(obligation, limits())
    if model is None:
        return certificate
    with Solver(limits(), equations=True) as solver:
        _add(solver, obligation.formula)
        while model is not None:
            if not contradict(_firings(problem.net, model)):
                return None
            before, certificate = certificate, facts.state_equation()
            if certificate.unmarked and not before.unmarked:  # over other variables
                return refute_over_integers(problem, facts, limits, contradict)
            _add(solver, _new_part(problem.net, before, certificate))
            solver.budget = limits()
            model = solver.check()
    return certificate


def _add(solver: Solver, formula: Formula) -> None:
    solver.add(formula)
    solver.add_natural(variables(formula))


def _new_part(
    net: Net, before: StateEquationCertificate, after: StateEquationCertificate
) -> Formula:
    """Return the part of the state equation of `after` that is not in that of `before`."""
    more = StateEquationCertificate(after.traps[len(before.traps) :], after.siphon, after.unmarked)
    return state_equation_obligation(Problem(net, TRUE), more).formula


def _firings(net: Net, model: Mapping[str, int]) -> Firings:
    counts = (model.get(firings(net, number), 0) for number in range(len(net.transitions)))
    return [pair for pair in zip(net.transitions, counts, strict=True) if pair[1]]


_INITIAL = "the initial marking is in the target"
_SOLVABLE = "the state equation and its traps have a solution in the target"
_ZERO = 1e-6
"""Tokens that count as none."""

_AT_ONCE = 16
"""Traps that a solution may add."""

_FEW = 16
"""Of so many refutations the shortest half-spaces are looked for, one program for each."""

_MODERATE = 3_000
"""Places and transitions of a net where it is asked what fills sets that are empty initially."""

_SMALL = 1_000
"""Places and transitions of a net for which the shortest half-spaces are looked for."""


class Shared:
    """Data that all targets of a net share."""

    def __init__(self, net: Net) -> None:
        self.facts = Facts(net)
        self.program = EquationProgram(net, self.facts.unblocked)


class RefutationSearch:
    """One search, which goes on after a limit where it was.

    Attributes:
        problem: the question.
        rounds: linear programs and traps so far.
        solution: a marking in the target which the facts allow, where the search ended with one.
    """

    def __init__(
        self,
        problem: Problem,
        shared: Shared,
        traps: int,
        seconds: float,
        unmarked: bool,
    ) -> None:
        """Prepare a search of so many traps, and seconds for an integer program or solver query.

        If `unmarked`, sets that are empty initially are looked for.
        """
        self.problem = problem
        self._most, self._limit = traps, seconds
        nodes = len(problem.net.places) + len(problem.net.transitions)
        self._unmarked = unmarked and nodes <= _MODERATE
        self._program = shared.program
        self.facts = shared.facts.for_another_target()
        self._proofs: list[tuple[Cube, Separation]] = []
        self._faces: dict[Cube, int] = {}
        self._branching = self._search(problem.target)
        self._ending: BranchingStatus | None = None
        self.rounds = 0
        self.solution: Marking | None = None

    def run(self, budget: Budget) -> Certificate | StateEquationCertificate | str:
        """Return the certificate, or the reason why there is none.

        Raises:
            BudgetExhausted: time or memory ran out; another run goes on from there.
        """
        self._budget = budget
        net, target = self.problem.net, self.problem.target
        if holds(target, net.values(net.initial)):
            self.solution = net.initial
            return _INITIAL
        if self._ending is None:
            self._ending, _ = self._branch(self._branching)
        ending = self._ending
        if ending is BranchingStatus.OPEN and listed_cubes(target, self._budget) is None:
            ending = self._refute_lazily()
        match ending:
            case BranchingStatus.REFUTED:
                self._separate()
                return self.facts.certificate()
            case BranchingStatus.SOLVABLE:
                return _SOLVABLE
        problem, facts = self.problem, self.facts
        return refute_over_integers(problem, facts, self._limits, self._contradict) or _SOLVABLE

    def _search(self, target: Formula) -> Branching:
        return Branching(self._program, target, self.problem.net.place_numbers, self)

    def _branch(self, search: Branching) -> tuple[BranchingStatus, tuple[Atom, ...]]:
        """Return how a search ended, and the atoms that a refutation needs."""
        try:
            ending = search.run(self._budget)
        finally:
            self._program.undo(0)
        self.rounds += search.steps
        pairs = search.clashes
        if search.refutation:
            pairs = [pairs[number] for number in sorted(search.refutation.clashes)]
        clashes = [(cube, clash.fact) for cube, clash in pairs]
        if len(clashes) <= _FEW:
            clashes = [self._shorten(cube, fact) for cube, fact in clashes]
        lemmas = [atom for _, fact in clashes for atom in self.facts.add(None, fact)]
        self._proofs += [(cube, fact) for cube, fact in clashes if fact.premise is None]
        return ending, tuple(lemmas)

    def _refute_lazily(self) -> BranchingStatus:
        """Search in cubes of markings that a solver returns, which has the facts so far.

        The place invariants that a marking breaks are cheaper than a search in its cube.
        """
        net, target = self.problem.net, self.problem.target
        # The certificate is to say what the solver knows: of traps those alone that are needed.
        lemmas: tuple[Formula, ...] = (target, self.facts.certificate().invariant)
        with Solver(self._budget, net.places) as solver:
            while True:
                for formula in lemmas:
                    solver.add(formula)
                solver.budget = self._limits()
                model = solver.check()
                if model is None:
                    return BranchingStatus.REFUTED
                self._next_round()
                values = {place: model.get(place, 0) for place in net.places}
                false_invariants = self.facts.false_invariants(values)
                lemmas = tuple(
                    atom for fact in false_invariants for atom in self.facts.add_invariant(fact)
                )
                if not false_invariants:
                    cube = self._search(Conjunction(cube_of(target, values)))
                    ending, lemmas = self._branch(cube)
                    if ending is not BranchingStatus.REFUTED:
                        return ending

    def examine(self, solution: Solution) -> Clash | BranchingStatus | None:
        """Examine a solution in a cube."""
        residue = self.facts.residue(solution.cube)
        if residue is not None:
            return _clash(residue)
        exact = self._program.round_firings(solution.counts)
        clash = None
        if exact is None and solution.cube not in self._faces:  # Traps take longer to find.
            clash = self._residue_on_face(solution)
        if clash is None and self._add_traps(np.flatnonzero(solution.tokens < _ZERO).tolist()):
            return None
        if exact is None and clash is None:
            clash = self._residue_on_face(solution)
        if clash is not None:
            return clash
        if exact is None or not self._in_target(exact):
            # If none is found soon, z3 is better.
            exact = self._program.integral_marking(self._seconds() / 4)
        if exact is None:
            return BranchingStatus.OPEN
        if self._add_traps(_empty(exact)):
            return None
        columns = (t for t in self.facts.unblocked if t.effect)
        # Where nothing moves, there is a column all the same.
        transitions = [
            t for t, times in zip(columns, solution.counts, strict=False) if times > _ZERO
        ]
        if not self._in_target(exact) or self._unfilled_sets(transitions):
            return BranchingStatus.OPEN
        self.solution = exact
        return BranchingStatus.SOLVABLE

    def _residue_on_face(self, solution: Solution) -> Clash | None:
        """Return one given the traps so far, where it was not looked for."""
        traps, clash = len(self.facts.traps), None
        if self._faces.get(solution.cube) != traps:
            with self._budget.tolerate_overruns():
                clash = separating_face(self._program, solution, self._limits())
            self._faces[solution.cube] = traps
        return clash

    def _unfilled_sets(self, transitions: Sequence[Transition]) -> tuple[frozenset[int], ...]:
        """Empty sets from which these take; in nets where z3 soon knows what follows from them."""
        initial = self.problem.net.initial
        return tuple(unfilled_sets(transitions, initial)) if self._unmarked else ()

    def explain(self, cube: Cube) -> Clash | None:
        """Return a half-space by a program that looks for short ones."""
        fact = self.facts.half_space(cube, self._seconds())
        return None if fact is None else _clash(fact)

    def _in_target(self, marking: Marking) -> bool:
        values = self.problem.net.values(marking)
        return min(marking, default=0) >= 0 and holds(self.problem.target, values)

    def _separate(self) -> None:
        """Add for each listed cube of the target the fact that refutes it alone, or with traps."""
        for number, cube in enumerate(listed_cubes(self.problem.target, self._budget) or ()):
            literals = set(cube)
            for part, fact in self._proofs:
                if literals.issuperset(part):
                    weights = dict(zip(part, fact.multipliers, strict=True))
                    multipliers = tuple(weights.get(literal, 0) for literal in cube)
                    self.facts.add(number, replace(fact, multipliers=multipliers))
                    break

    def _shorten(self, cube: Cube, fact: Separation) -> tuple[Cube, Separation]:
        """Return a fact that people read more easily, if the net is small."""
        net = self.problem.net
        if isinstance(fact.atom, Congruence) or len(net.places) + len(net.transitions) > _SMALL:
            return cube, fact
        return cube, self.facts.half_space(cube, self._seconds()) or fact

    def _seconds(self) -> float:
        return min(self._limit, self._budget.remaining)

    def _limits(self) -> Budget:
        return self._budget.within(self._seconds())

    def _next_round(self) -> None:
        self.rounds += 1
        self._budget.check()
        traps = len(self.facts.traps)
        self._budget.report(
            f"round {self.rounds}: {counted(len(self.facts), 'fact')}, {traps} of them traps"
        )

    def _add_traps(self, empty: Sequence[int]) -> bool:
        """Add traps that are marked initially and have only empty places; return whether any."""
        facts, limit = self.facts, self._most
        traps = list(islice(facts.violated_traps(empty), _AT_ONCE))
        for trap in traps:
            if len(facts.traps) >= limit:
                raise BudgetExhausted(f"{limit} traps do not suffice; allow more with -o traps=N")
            facts.add_trap(trap)
            self._program.add_trap(trap)
        if traps:
            self._next_round()
        return bool(traps)

    def _contradict(self, transitions: Firings) -> bool:
        """Return whether traps or unmarked sets, which are added, contradict these firings."""
        marking = self.problem.net.initial
        for transition, times in transitions:
            marking = transition.fire(marking, times)
        if self._add_traps(_empty(marking)):
            return True
        unfilled = self._unfilled_sets([transition for transition, _ in transitions])
        if unfilled:
            self.facts.unmarked += unfilled
            self._next_round()
        else:
            self.solution = marking
        return bool(unfilled)


def _clash(fact: Separation) -> Clash:
    """Return the fact with the literals of a cube that it needs."""
    numbers = tuple(number for number, weight in enumerate(fact.multipliers) if weight)
    return Clash(numbers, fact.about(numbers))


def _empty(marking: Marking) -> list[int]:
    return [place for place, tokens in enumerate(marking) if not tokens]
