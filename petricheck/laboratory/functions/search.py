"""The search for a proof: cases are told apart, and what refutes each is resolved.

Every conflict is resolved until it speaks of decisions alone, and the clause is kept. Once a clause
without literals is derived the steps that lead to it are the proof. The theory is asked where every
clause has a true literal; what it refutes is a conflict like any other.
"""

from __future__ import annotations

from petricheck.budget import Budget
from petricheck.laboratory.functions.clauses import ClauseForm
from petricheck.laboratory.functions.models import Interpretation
from petricheck.laboratory.functions.proofs import Contra, Step
from petricheck.laboratory.functions.theory import decide
from petricheck.laboratory.prover.proofs import Hypothesis, Literal, Resolution


class Search:
    """A search for a model or a refutation of a clause form.

    Args:
        form: the clauses.
        budget: limits the search.
    """

    def __init__(self, form: ClauseForm, budget: Budget) -> None:
        self._form = form
        self._budget = budget
        self._steps: list[Step] = []
        self._clauses: list[frozenset[Literal]] = []
        self._active: list[int] = []
        self._trail: list[Literal] = []
        self._true: set[Literal] = set()
        self._reasons: dict[Literal, int] = {}
        self._marks: list[int] = []

    def run(self) -> Interpretation | tuple[Step, ...]:
        """A model of the clauses, or the steps of a refutation.

        Raises:
            BudgetExhausted: a limit is reached.
        """
        for hypothesis in self._form.hypotheses:
            self._active.append(self._add(hypothesis, frozenset(hypothesis.clause)))
        while True:
            self._budget.check()
            found = self._advance()
            if isinstance(found, Interpretation):
                return found
            if found is not None:
                learnt = self._resolved(found)
                if not self._clauses[learnt]:
                    return _needed(self._steps, learnt)
                self._active.append(learnt)
                self._take_back()

    def _advance(self) -> int | Interpretation | None:
        """The number of a clause in conflict, a model, or nothing after a decision."""
        conflict = self._propagate()
        if conflict is not None:
            return conflict
        literal = self._open()
        if literal is not None:
            self._marks.append(len(self._trail))
            self._assign(literal)
            return None
        found = decide(self._form.atoms, self._trail)
        if isinstance(found, Interpretation):
            return found
        return self._add(Contra(found), frozenset(-literal for literal in found.literals))

    def _propagate(self) -> int | None:
        """Make true what has to be; the number of a clause whose literals are all false, if any."""
        changed = True
        while changed:
            changed = False
            for number in self._active:
                clause = self._clauses[number]
                if not self._true.isdisjoint(clause):
                    continue
                left = [each for each in clause if -each not in self._true]
                if not left:
                    return number
                if len(left) == 1:
                    self._assign(left[0])
                    self._reasons[left[0]] = number
                    changed = True
        return None

    def _open(self) -> Literal | None:
        """A literal that may become true, of a clause that has no true one."""
        for number in self._active:
            clause = self._clauses[number]
            if self._true.isdisjoint(clause):
                return min((each for each in clause if -each not in self._true), key=abs)
        return None

    def _resolved(self, number: int) -> int:
        """Resolve away the literals that follow from others, the last first."""
        for literal in reversed(self._trail):
            if -literal in self._clauses[number] and literal in self._reasons:
                reason = self._reasons[literal]
                positive, negative = (reason, number) if literal > 0 else (number, reason)
                rest = (self._clauses[reason] - {literal}) | (self._clauses[number] - {-literal})
                number = self._add(Resolution(abs(literal), positive, negative), rest)
        return number

    def _take_back(self) -> None:
        """Undo the last decision, and what followed from it."""
        start = self._marks.pop()
        for literal in self._trail[start:]:
            self._true.discard(literal)
            self._reasons.pop(literal, None)
        del self._trail[start:]

    def _assign(self, literal: Literal) -> None:
        self._trail.append(literal)
        self._true.add(literal)

    def _add(self, step: Step, clause: frozenset[Literal]) -> int:
        self._steps.append(step)
        self._clauses.append(clause)
        return len(self._steps) - 1


def _needed(steps: list[Step], last: int) -> tuple[Step, ...]:
    """The steps that one rests on, and itself, numbered anew."""
    needed: set[int] = set()
    pending = [last]
    while pending:
        number = pending.pop()
        if number not in needed:
            needed.add(number)
            step = steps[number]
            if isinstance(step, Resolution):
                pending += [step.positive, step.negative]
    places: dict[int, int] = {}
    for number in sorted(needed):
        places[number] = len(places)
    return tuple(_moved(steps[number], places) for number in sorted(needed))


def _moved(step: Step, places: dict[int, int]) -> Step:
    match step:
        case Resolution(pivot, positive, negative):
            return Resolution(pivot, places[positive], places[negative])
        case Hypothesis() | Contra():
            return step
