"""Proofs by words (firing sequences), whose words come from counterexamples.

Such a proof holds if in no reachable marking of some set all words are disabled: a question about
reachability. The state equation with its traps refutes it, or has a solution: a marking, reachable
or not, for which a new word is searched. Where there is no such word, the engines decide whether
one of these markings is reachable.
"""

from __future__ import annotations

from collections.abc import Callable

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines import Engine
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.model.net import Marking, Net
from petricheck.model.problem import Problem
from petricheck.questions.checking import DEFAULT_ENGINE
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.facts.refutation import RefutationSearch, Shared


def leading(net: Net, start: Marking, formula: Formula, budget: Budget) -> Trace | None:
    """Return a firing sequence from here into a formula, if a short search finds one."""
    engine: Engine = plugins.build("engines", "directed_search")
    try:
        answer = engine.solve(Problem(net.beginning(start), formula), budget)
    except BudgetExhausted:
        return None
    return answer.trace if isinstance(answer, Reachable) else None


_ROUNDS = 300
"""The most words."""

_TRAPS = 500
"""The most traps."""

_SECONDS = 20.0
"""Limit for each integer program and solver query."""


def cover(
    net: Net, uncovered: Callable[[], Formula], extend: Callable[[Marking], bool], budget: Budget
) -> object | None:
    """Return the certificate that no uncovered marking is reachable; None if words do not suffice.

    `uncovered` returns the markings in which all words so far are disabled. `extend` finds a word
    that covers a marking, and returns whether there is one.
    """
    shared = Shared(net)
    engine: Engine = plugins.build("engines", DEFAULT_ENGINE)
    for number in range(1, _ROUNDS + 1):
        budget.check()
        budget.report(f"round {number}")
        problem = Problem(net, uncovered())
        extended = False
        with budget.tolerate_overruns():
            search = RefutationSearch(problem, shared, _TRAPS, _SECONDS, unmarked=True)
            answer = search.run(budget)
            if not isinstance(answer, str):
                return answer
            extended = search.solution is not None and extend(search.solution)
        if extended:
            continue
        with budget.tolerate_overruns():
            match engine.solve(problem, budget.part(2)):
                case Unreachable(certificate):
                    return certificate
                case Reachable(trace):
                    extended = extend(net.after(trace.steps))
        if not extended:
            return None
    return None
