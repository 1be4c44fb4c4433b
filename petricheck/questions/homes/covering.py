"""Words by counterexamples: where none of those so far can fire, there must be another one.

A proof by words, firing sequences, holds where in no reachable marking of some set all of them are
disabled. That is a question after reachability. The state equation with its traps refutes it, or
has a solution, a marking for which a word is looked for, reachable or not. Where there is none, the
engines decide whether some such marking is reachable.
"""

from __future__ import annotations

from collections.abc import Callable

from petricheck import plugins
from petricheck.answer import Reachable, Unreachable
from petricheck.budget import Budget
from petricheck.engines import Engine
from petricheck.facts.refutation import Search, Shared
from petricheck.presburger.formulas import Formula
from petricheck.problem import Marking, Net, Problem
from petricheck.questions.checking import DEFAULT_ENGINE

_ROUNDS = 300
"""So many words are looked for."""

_TRAPS = 500
"""So many traps may be needed."""

_SECONDS = 20.0
"""Limit for each integer program and solver query."""


def cover(
    net: Net, uncovered: Callable[[], Formula], extend: Callable[[Marking], bool], budget: Budget
) -> object | None:
    """The certificate that nothing uncovered is reachable; None where words do not suffice.

    Args:
        net: the net.
        uncovered: the markings that are to be unreachable, with the words so far.
        extend: finds a word for a marking; whether there is one, after which that is covered.
        budget: limits.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    shared = Shared(net)
    engine: Engine = plugins.build("engines", DEFAULT_ENGINE)
    for number in range(1, _ROUNDS + 1):
        budget.check()
        budget.report(f"round {number}")
        problem = Problem(net, uncovered())
        extended = False
        with budget.tolerate_overruns():
            search = Search(problem, budget, shared, _TRAPS, _SECONDS, unmarked=True)
            answer = search.run()
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
