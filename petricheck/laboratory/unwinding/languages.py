"""Restriction languages L_0 ⊆ L_1 ⊆ …, each finite: interpolants are searched in one of them.

N is the largest number of the question. L_k has the conjunctions of these atoms: c·m ≤ b, with
weights of at most k + 1 and bounds of at most (k + 1)·N, in absolute value; and c·m ≡ r (mod q),
with q of at most k + 2.

The strongest sequence of interpolants in L_k has, at each time, all atoms that hold after every
step from its markings at the time before. The search makes only the atoms that it needs, backwards
from the end. A marking in the target has to be excluded at the last time. An atom is proposed that
excludes it, but no marking that is *common* to all sequences in L_k. If the atom holds after every
step, it is added. If a step violates it, the search tries to exclude the marking before that step
in the same way; where it cannot, the marking after the step is common, too. So each turn adds an
atom or a common marking. As L_k is finite, the search ends; it ends without a result only if L_k
has no interpolant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Formula,
    Inequality,
    Negation,
    at_least,
    at_most,
    atoms,
    conjunction,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.arithmetic.solvers.solver import Model, Solver
from petricheck.laboratory.unwinding.assignments import Path
from petricheck.model.net import Marking, Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget


@dataclass(slots=True)
class Languages:
    """The current language; it grows where a path has no interpolants in it.

    Attributes:
        largest: N.
        k: number of the language.
    """

    largest: int
    k: int

    def interpolate(
        self, net: Net, paths: Sequence[Path], budget: Budget
    ) -> tuple[Path, tuple[Formula, ...]]:
        """Return the first path with interpolants in the language, and one for each cut.

        Args:
            net: the net.
            paths: paths from the initial marking; the last of them is no trace.
            budget: limits.

        Raises:
            BudgetExhausted: a limit is reached.
        """
        while True:
            for path in paths:
                interpolants = LanguageSearch(net, path, self.k, self.largest, budget).run()
                if interpolants is not None:
                    return path, interpolants
            self.k += 1


def largest_number(problem: Problem) -> int:
    """Return N, at least 1."""
    numbers = [1, *problem.net.initial]
    for transition in problem.net.transitions:
        numbers += [weight for _, weight in (*transition.pre, *transition.post)]
    for atom in atoms(problem.target):
        numbers += [atom.term.constant, *(weight for _, weight in atom.term.coefficients)]
    return max(map(abs, numbers))


class LanguageSearch:
    """The search for interpolants of a path in L_k.

    Args:
        net: the net.
        path: a path from the initial marking.
        k: number of the language.
        largest: N.
        budget: limits.
    """

    def __init__(self, net: Net, path: Path, k: int, largest: int, budget: Budget) -> None:
        self._net = net
        self._path = path
        self._steps = [Solver(budget) for _ in path.cuts]
        for solver, part, cut in zip(self._steps, path.parts[1:], path.cuts, strict=True):
            solver.add(part)
            solver.add_natural(term.variables[0] for term in cut.values())
        self._atoms: list[list[Formula]] = [[] for _ in self._steps]
        self._candidates = [_AtomSearch(net, k, largest, budget) for _ in self._steps]
        self._candidates[0].include(net.initial)

    def run(self) -> tuple[Formula, ...] | None:
        """Return one interpolant for each cut; None where L_k has none."""
        last = len(self._steps) - 1
        while (model := self._steps[last].check(self._stamped_atoms(last))) is not None:
            if not self._exclude(last, self._marking(model, last)):
                return None
        return tuple(map(conjunction, self._atoms))

    def _exclude(self, time: int, marking: Marking) -> bool:
        """Return whether an atom excludes the marking; one that follows is added if needed."""
        values = self._net.values(marking)
        if not all(evaluate(atom, values) for atom in self._atoms[time]):
            return True
        while (atom := self._candidates[time].excluding_atom(marking)) is not None:
            if self._follows(time, atom):
                self._atoms[time].append(atom)
                return True
        return False

    def _follows(self, time: int, atom: Formula) -> bool:
        """Return whether the atom holds at this time; if not, add a common marking against it."""
        if time == 0:
            return True
        negation = Negation(self._path.stamped(atom, time))
        previous = time - 1
        step = self._steps[previous]
        while (model := step.check((*self._stamped_atoms(previous), negation))) is not None:
            if not self._exclude(previous, self._marking(model, previous)):
                self._candidates[time].include(self._marking(model, time))
                return False
        return True

    def _stamped_atoms(self, time: int) -> list[Formula]:
        return [self._path.stamped(atom, time) for atom in self._atoms[time]]

    def _marking(self, model: Model, time: int) -> Marking:
        terms = self._path.cuts[time].values()
        return tuple(model.get(term.variables[0], 0) for term in terms)


class _AtomSearch:
    """Search for atoms of L_k that hold of some markings and not of another.

    Weights, bound and residue are variables of a solver.
    """

    def __init__(self, net: Net, k: int, largest: int, budget: Budget) -> None:
        self._net = net
        self._weight, self._bound = k + 1, (k + 1) * largest
        self._half_spaces = Solver(budget)
        for place in range(len(net.places)):
            for sign in "+-":
                self._half_spaces.add(at_least(variable(f"{sign}{place}"), 0))
                self._half_spaces.add(at_most(variable(f"{sign}{place}"), self._weight))
        self._half_spaces.add(at_most(variable("bound"), self._bound))
        self._half_spaces.add(at_least(variable("bound"), -self._bound))
        self._residues = {q: Solver(budget) for q in range(2, k + 3)}
        for modulus, solver in self._residues.items():
            for name in (*map(str, range(len(net.places))), "rest"):
                solver.add(at_least(variable(name), 0))
                solver.add(at_most(variable(name), modulus - 1))

    def include(self, marking: Marking) -> None:
        """Require that all atoms hold of the marking."""
        self._half_spaces.add(_half_space_holds(marking))
        for modulus, solver in self._residues.items():
            solver.add(_residue_holds(marking, modulus))

    def excluding_atom(self, marking: Marking) -> Formula | None:
        """Return an atom that does not hold of the marking, of few places if possible; or None."""
        outside = Negation(_half_space_holds(marking))
        maximum = self._weight * len(marking)
        size = linear((f"{s}{place}", 1) for place in range(len(marking)) for s in "+-")
        for length in (*(2**i for i in range(maximum.bit_length()) if 2**i < maximum), maximum):
            model = self._half_spaces.check((outside, at_most(size, length)))
            if model is not None:
                return self._half_space(model, marking)
        for modulus, solver in self._residues.items():
            model = solver.check((Negation(_residue_holds(marking, modulus)),))
            if model is not None:
                weights = ((name, model[str(p)]) for p, name in enumerate(self._net.places))
                return Congruence(linear(weights, -model["rest"]), modulus)
        return None

    def _half_space(self, model: Model, marking: Marking) -> Formula:
        """Return the model's half-space, its bound as weak as the exclusion allows."""
        weights = [model[f"+{p}"] - model[f"-{p}"] for p in range(len(marking))]
        value = sum(weight * tokens for weight, tokens in zip(weights, marking, strict=True))
        bound = min(value - 1, self._bound)
        return Inequality(linear(zip(self._net.places, weights, strict=True), -bound))


def _half_space_holds(marking: Marking) -> Formula:
    """Return the condition that the half-space holds of the marking."""
    pairs = [(sign, p, x) for p, x in enumerate(marking) for sign in "+-"]
    return at_most(
        linear((f"{s}{p}", x if s == "+" else -x) for s, p, x in pairs), variable("bound")
    )


def _residue_holds(marking: Marking, modulus: int) -> Formula:
    """Return the condition that the marking has the residue."""
    value: Term = linear(((str(place), tokens) for place, tokens in enumerate(marking)), 0)
    return Congruence(value - variable("rest"), modulus)
