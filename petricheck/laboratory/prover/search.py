"""The search for a proof: learns clauses from conflicts and checks arithmetic on the way.

A literal is assumed only where a clause that matters has no true literal yet, so that atoms which
do not matter stay open. Where all have one and the arithmetic has a rational solution that is no
integer one, equations without an integer solution are a conflict; otherwise a new atom, x ≤ k, cuts
the solution off, one way or the other. So every conflict is a sum or residue of literals each of
which belongs to a part, and every proof can be interpolated.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from petricheck.arithmetic.solvers.solver import Solver
from petricheck.laboratory.prover.arithmetic import Arithmetic
from petricheck.laboratory.prover.assignment import Assignment
from petricheck.laboratory.prover.clauses import ClauseForm
from petricheck.laboratory.prover.derivations import Chain, Derivations
from petricheck.laboratory.prover.proofs import Derivation, Gate, Literal, Step
from petricheck.laboratory.prover.results import Theory
from petricheck.laboratory.prover.theory import decide
from petricheck.support.budget import Budget

CUTS = 400
"""Solutions that are cut off before the search gives up; without bounds it may not end."""

_GROWTH = 1.1
_LARGEST = 1e100

Model = dict[str, int | Fraction]


class CutsExhausted(Exception):
    """The error that `CUTS` solutions have been cut off."""


class _LiteralChoice(NamedTuple):
    """One of the literals has to become true where all of the premise are false."""

    premise: tuple[Literal, ...]
    literals: tuple[Literal, ...]


class ProofSearch:
    """A search for a model or a refutation of a clause form.

    Args:
        form: the clauses; atoms are added to it.
        budget: limits the search.
    """

    def __init__(self, form: ClauseForm, budget: Budget) -> None:
        self._form = form
        self._budget = budget
        self._arithmetic = Arithmetic(form.atoms)
        self._derivations = Derivations()
        self._assignment = Assignment(self._derivations, self._arithmetic)
        choices = (self._choice(hypothesis.clause) for hypothesis in form.hypotheses)
        self._choices = [choice for choice in choices if choice is not None]
        self._activity: dict[int, float] = {}
        self._increment = 1.0
        self._cuts = 0
        self._core: tuple[Literal, ...] = ()

    def run(self) -> Model | tuple[Step, ...]:
        """Return a model of the clauses, or the steps of a refutation.

        Raises:
            BudgetExhausted: a limit is reached.
            CutsExhausted: as it says.
        """
        outcome: int | Model | None = self._start()
        while not isinstance(outcome, dict):
            self._budget.check()
            if outcome is not None:
                clause = self._derivations.clauses[outcome]
                level = max(map(self._assignment.level_of, clause), default=0)
                if level == 0:
                    return self._derivations.steps(self._empty_clause(outcome))
                self._learn(outcome, level)
            outcome = self._advance()
        return outcome

    def _start(self) -> int | None:
        """Take in the clauses; the number of one that contradicts those before, if any."""
        hypotheses = self._form.hypotheses
        numbers = [
            self._derivations.add(hypothesis.clause, hypothesis) for hypothesis in hypotheses
        ]
        for number in numbers:
            if len(self._derivations.clauses[number]) > 1:
                self._assignment.attach(number)
        for number in numbers:
            clause = self._derivations.clauses[number]
            if not clause or (len(clause) == 1 and self._assignment.value(clause[0]) is False):
                return number
            if len(clause) == 1:
                self._assignment.attach(number)
        return None

    def _advance(self) -> int | Model | None:
        """Return the number of a clause in conflict, a model, or nothing after a decision."""
        conflict = self._assignment.propagate()
        if conflict is not None:
            return conflict
        literal = self._open_literal()
        if literal is not None:
            self._assignment.decide(literal)
            return None
        if self._form.theory is Theory.FUNCTIONS:
            answer = decide(self._form.atoms.table, self._assignment.literals)
            if isinstance(answer, Derivation):
                return self._assignment.lemma(answer)
            return dict(answer)
        if self._arithmetic.is_integral():
            return self._arithmetic.model()
        residue = self._arithmetic.residue()
        return self._cut() if residue is None else self._assignment.lemma(residue)

    def _cut(self) -> Model | None:
        """Return a model, or nothing after a decision on a new atom.

        While the literals are true of which it is known that no integers satisfy them, only their
        variables are worth a cut.
        """
        if not (self._core and all(map(self._assignment.value, self._core))):
            model = self._integers()
            if model is not None:
                return model
        self._cuts += 1
        if self._cuts > CUTS:
            raise CutsExhausted(f"{CUTS} solutions were cut off, and others were left")
        tight = self._arithmetic.tight(self._core) if self._cuts % 2 else None
        if tight is None:
            literal = self._form.atoms.at_most(self._arithmetic.cut(self._core))
        else:
            literal = self._form.atoms.at_most(-tight)
        self._arithmetic.extend()
        self._assignment.decide(literal)
        return None

    def _integers(self) -> Model | None:
        """Return z3's values for the literals, or None after noting that there are none.

        Nothing rests on it: values are tried, and that there are none is for the proof to show.
        """
        with Solver(self._budget) as solver:
            formulas = self._arithmetic.statements(self._assignment.literals)
            literals = {formula: literal for literal, formula in formulas.items()}
            model = solver.check(tuple(literals))
            if model is None:
                self._core = tuple(literals[formula] for formula in solver.core)
        return None if model is None else dict(model)

    def _choice(self, clause: tuple[Literal, ...]) -> _LiteralChoice | None:
        """Return the choice in the clause, where more than one literal is possible."""
        table = self._form.atoms.table
        premise = [lit for lit in clause if lit < 0 and isinstance(table[-lit - 1], Gate)]
        literals = tuple(literal for literal in clause if literal not in premise)
        return _LiteralChoice(tuple(premise), literals) if len(literals) > 1 else None

    def _open_literal(self) -> Literal | None:
        """Return the literal of the first open choice that occurs most in conflicts."""
        value = self._assignment.value
        for premise, literals in self._choices:
            if all(value(gate) is False for gate in premise) and not any(map(value, literals)):
                free = (literal for literal in literals if value(literal) is None)
                return max(free, key=lambda literal: self._activity.get(abs(literal), 0.0))
        return None

    def _learn(self, conflict: int, level: int) -> None:
        """Add the clause of the conflict, and go back to the level where it has a consequence."""
        self._assignment.back(level)
        learnt = self._assignment.learnt(conflict, level)
        for literal in learnt.involved:
            self._activity[abs(literal)] = self._activity.get(abs(literal), 0.0) + self._increment
        self._increment *= _GROWTH
        if self._increment > _LARGEST:
            self._activity = {
                atom: activity / _LARGEST for atom, activity in self._activity.items()
            }
            self._increment /= _LARGEST
        self._assignment.back(learnt.level)
        self._assignment.attach(self._derivations.add(learnt.clause, learnt.chain))

    def _empty_clause(self, conflict: int) -> int:
        """Return the number of the empty clause, from a clause that is false without decisions."""
        links = self._assignment.units(self._derivations.clauses[conflict])
        return self._derivations.add((), Chain(conflict, tuple(links))) if links else conflict
