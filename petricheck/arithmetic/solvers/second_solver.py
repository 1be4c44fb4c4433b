"""cvc5 as a second opinion, on SMT-LIB text. The only module that imports cvc5, and lazily."""

from __future__ import annotations

import math

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.solvers.smtlib import query
from petricheck.support.budget import milliseconds
from petricheck.support.errors import BudgetExhausted, PetricheckError
from petricheck.support.extras import optional


def satisfiable(formula: Formula, *, seconds: float | None = None) -> bool:
    """Return whether some natural numbers satisfy the formula.

    BudgetExhausted where cvc5 did not decide it within the limit.
    """
    if seconds is not None and seconds <= 0:
        raise BudgetExhausted("no time was left for cvc5; allow more")
    answers = run(query(formula), seconds=seconds)
    if answers not in (("sat",), ("unsat",)):
        raise BudgetExhausted(f"cvc5 could not decide a formula: {' '.join(answers) or 'silence'}")
    return answers == ("sat",)


def run(script: str, *, seconds: float | None = None) -> tuple[str, ...]:
    """Return the output of cvc5 for an SMT-LIB script, one entry for each line.

    Only pass text that petricheck wrote itself. The limit is for each `check-sat`. PetricheckError
    where it refuses the script.
    """
    cvc5 = optional("cvc5", "cvc5", "second-solver")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("incremental", "true")
    if seconds is not None and not math.isinf(seconds):
        solver.setOption("tlimit-per", str(milliseconds(seconds)))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    printed: list[str] = []
    try:
        while not (command := parser.nextCommand()).isNull():
            printed += str(command.invoke(solver, parser.getSymbolManager())).splitlines()
    except RuntimeError as error:
        raise PetricheckError(f"cvc5 refused a script: {error}") from error
    return tuple(line for line in printed if line)
