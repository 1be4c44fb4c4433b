"""Blocks one after the other in one solver, of growing length; each formula is added once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from petricheck.arithmetic.formulas.formulas import Conjunction, Formula
from petricheck.arithmetic.solvers.solver import Model, Solver
from petricheck.model.net import Marking
from petricheck.support.budget import Budget
from petricheck.support.errors import InternalError
from petricheck.symbolic.encoding.blocks import StepRelation
from petricheck.symbolic.encoding.stamps import at, natural, stamp


class Unrolling:
    """Runs of so many blocks from certain markings; use it in a `with`.

    Formulas are over the net's places, without stamps; `start` holds at time 0. Whatever is
    asserted or asked raises `BudgetExhausted` where time ran out, z3 gave up, or a number is too
    long for it.

    Attributes:
        length: how many blocks a run has.
        possible: whether there may be a run of this length; known to be false once it was asked.
    """

    def __init__(self, step: StepRelation, start: Formula, budget: Budget) -> None:
        self._step, self._budget, self._solver = step, budget, Solver(budget)
        self._always: list[Formula] = []
        self.length, self.possible = 0, True
        self.add_stamped(Conjunction((stamp(start, 0), *natural(step.net, 0))))

    def __enter__(self) -> Self:
        self._solver.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.__exit__(*error)

    def extend(self) -> None:
        """Make all runs longer by a block."""
        self.add_stamped(self._step.formula(self.length))
        self.length += 1
        for lemma in self._always:
            self.add(lemma, self.length)

    def always(self, lemma: Formula) -> None:
        """Assert that every marking of a run satisfies the formula, also of longer ones."""
        self._always.append(lemma)
        for k in range(self.length + 1):
            self.add(lemma, k)

    def add(self, formula: Formula, k: int) -> None:
        """Assert that the marking at time k satisfies the formula."""
        self.add_stamped(stamp(formula, k))

    def add_stamped(self, formula: Formula) -> None:
        """Assert a formula over places at times."""
        self._budget.check()
        self._solver.add(formula)

    def ending(self, formula: Formula) -> Model | None:
        """Return a run whose last marking satisfies the formula; None where there is none."""
        model = self._solver.check([stamp(formula, self.length)])
        # What is contradictory without what was assumed of the end has no runs.
        self.possible = model is not None or bool(self._solver.core)
        return model

    def marking(self, model: Model, k: int) -> Marking:
        """Return the marking of a run at time k; places that no formula names are empty."""
        return tuple(model.get(at(place, k), 0) for place in self._step.net.places)

    def firings(self, model: Model) -> tuple[tuple[int, int], ...]:
        """Return the run as (transition number, times in a row); it is replayed.

        Raises:
            InternalError: a step does not fire, or a block leads elsewhere.
        """
        marking = self.marking(model, 0)
        fired: list[tuple[int, int]] = []
        for k in range(self.length):
            block = self._step.firings(model, k)
            marking = self._replayed(marking, block)
            if marking != self.marking(model, k + 1):
                raise InternalError(f"block {k} leads elsewhere than its formula says")
            fired += block
        return tuple(fired)

    def _replayed(self, marking: Marking, block: Sequence[tuple[int, int]]) -> Marking:
        for number, times in block:
            transition = self._step.net.transitions[number]
            if not transition.fires(marking, times):
                raise InternalError(f"{transition.name!r} does not fire {times} times in a run")
            marking = transition.fire(marking, times)
        return marking
