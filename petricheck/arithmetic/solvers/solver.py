"""Satisfiability of Presburger formulas, through z3.

The only module that imports z3, and it does so inside its functions, so that importing this module
costs nothing. Every query has a z3 context of its own (about a millisecond) with a fixed seed, so
that an answer depends on its query alone and runs repeat. A query that z3 gives up raises
`BudgetExhausted`. `z3_writer` translates formulas.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from typing import Any

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Formula,
    Negation,
    at_least,
    variables,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.z3_writer import Writer
from petricheck.support.budget import Budget, milliseconds
from petricheck.support.errors import BudgetExhausted

SEED = 0

Model = dict[str, int]


def find_model(
    formula: Formula,
    *,
    budget: Budget | None = None,
    natural: bool = False,
    equations: bool = False,
) -> Model | None:
    """Return a model over the formula's variables, or None if there is none.

    Args:
        formula: any formula; z3 sees it as one conjunct.
        budget: limits; none if it is None.
        natural: whether every variable is also at least 0.
        equations: whether long linear sums make the query hard, rather than disjunctions.
    """
    with Solver(budget, equations=equations) as solver:
        solver.add(formula)
        solver.add_natural(variables(formula) if natural else ())
        return solver.check()


def implies(stronger: Formula, weaker: Formula, *, budget: Budget | None = None) -> bool:
    """Return whether every integer model of `stronger` is one of `weaker`."""
    return find_model(Conjunction((stronger, Negation(weaker))), budget=budget) is None


def refutes(script: str, *, budget: Budget | None = None) -> bool:
    """Return whether z3, reading an SMT-LIB script by itself, finds no model of it."""
    import z3

    solver, limits = z3.Solver(ctx=z3.Context()), budget or Budget()
    if (limit := limits.remaining) < math.inf:
        solver.set("timeout", milliseconds(limit))
    solver.from_string(script)
    answer = solver.check()
    if answer == z3.unknown:
        raise _undecided(solver.reason_unknown(), limits, limit)
    return bool(answer == z3.unsat)


class Solver:
    """An incremental solver; use it in a `with`.

    Args:
        budget: limits on all queries; none if it is None.
        natural: variables that are at least 0.
        equations: as in `find_model`.

    Attributes:
        budget: the same; may be changed from call to call.
        core: assumptions of the last unsatisfiable check that suffice for it; not always minimal.
    """

    def __init__(
        self,
        budget: Budget | None = None,
        natural: Iterable[str] = (),
        *,
        equations: bool = False,
    ) -> None:
        import z3

        self.budget = budget or Budget()
        self._writer = Writer(z3, z3.Context())
        # The plain core: on thousands of disjuncts z3's preprocessing takes 30 times its time.
        self._solver: Any = z3.SimpleSolver(ctx=self._writer.context)
        self._solver.set("random_seed", SEED)
        if equations:
            # z3's older simplex: on state equations it takes a tenth of the time, and is steadier.
            self._solver.set("arith.solver", 2)
        self._scopes: list[int] = []
        self._order: list[Formula] = []
        self._live: dict[Formula, tuple[str, Any]] = {}
        self.core: tuple[Formula, ...] = ()
        self._serial = 0
        self.add_natural(natural)

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.reset()

    def add(self, formula: Formula) -> None:
        """Assert the formula in the current scope."""
        self._solver.add(self._writer.formula(formula, self.budget))

    def add_natural(self, names: Iterable[str]) -> None:
        """Assert that these variables are at least 0."""
        for name in names:
            self.add(at_least(variable(name), 0))

    def push(self) -> None:
        """Open a scope."""
        self._solver.push()
        self._scopes.append(len(self._order))

    def pop(self) -> None:
        """Close the innermost scope and drop its assertions."""
        self._solver.pop()
        scope = self._scopes.pop()
        for formula in self._order[scope:]:
            del self._live[formula]
        del self._order[scope:]

    def check(self, assumptions: Sequence[Formula] = ()) -> Model | None:
        """Return a model of all assertions and assumptions, or None if there is none.

        The model gives a value to every variable that this solver has seen. BudgetExhausted also
        where z3 gave up, or a number is too long.
        """
        self.budget.check()
        limit = self.budget.remaining
        if limit < math.inf:
            self._solver.set("timeout", milliseconds(limit))
        named = {formula: self._literal(formula) for formula in assumptions}
        started = time.monotonic()
        match self._solver.check(*(literal for _, literal in named.values())).r:
            case 1:
                self.core = ()
                return self._writer.model(self._solver.model())
            case -1:
                names = {str(literal) for literal in self._solver.unsat_core()}
                self.core = tuple(formula for formula in named if named[formula][0] in names)
                return None
            case _:
                spent = time.monotonic() - started
                raise _undecided(self._solver.reason_unknown(), self.budget, limit, spent)

    def _literal(self, formula: Formula) -> tuple[str, Any]:
        """Return the literal for the formula in the current scope, with its name."""
        import z3

        if formula not in self._live:
            name = f"a{self._serial}"
            self._serial += 1
            literal = z3.Bool(name, self._writer.context)
            self._solver.add(z3.Implies(literal, self._writer.formula(formula, self.budget)))
            self._order.append(formula)
            self._live[formula] = (name, literal)
        return self._live[formula]


def _undecided(
    reason: str, budget: Budget, limit: float, spent: float = math.inf
) -> BudgetExhausted | KeyboardInterrupt:
    """Return the error for a query that z3 leaves open after so many seconds."""
    # During a check z3 catches SIGINT, and may report it like a timeout; a timeout comes later,
    # after whole milliseconds.
    is_early = "cancel" in reason and spent < 0.9 * milliseconds(limit) / 1000
    if is_early or "interrupted" in reason:
        return KeyboardInterrupt()
    if limit < math.inf and ("timeout" in reason or "cancel" in reason):
        return budget.overrun
    return BudgetExhausted(f"z3 could not decide a formula ({reason}); try another engine")
