"""Transitions that take part in a firing sequence that ends in some formula.

Walks that prefer transitions fired seldom show it of many at once. The engine then decides whether
any of the others takes part, until none does; or checks them one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.answer import Reachable, Trace, Unreachable, joined, trace_of
from petricheck.evidence.audit.participation import participation
from petricheck.evidence.claims import Claim, Excluded, ExcludedWith, Reached, reached
from petricheck.model.net import Net
from petricheck.questions.deciding import alike
from petricheck.questions.study import Study
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

_FAILURES = 24
"""The search by walks ends after so many in a row without another transition."""

_LONGEST = 1 << 16
"""Firings of the longest walk."""


def participants(net: Net, formula: Formula, claims: Sequence[Claim]) -> tuple[set[str], set[str]]:
    """Return the transitions that take part, and those that do not, by proved claims."""
    taking, excluded = set[str](), set[str]()
    for claim in claims:
        match claim:
            case Reached(trace, stops):
                ends = [after for after, other in stops if alike(other, formula)]
                taking.update(name for name, _ in trace.steps[: max(ends, default=0)])
            case Excluded(other) if alike(other, formula):
                excluded.update(net.actions)
            case ExcludedWith(names, other) if alike(other, formula):
                excluded.update(names)
    return taking, excluded


def decide_participation(study: Study, formula: Formula) -> None:
    """Prove for each transition that it takes part, or that it does not.

    A brief study ends with the first that does not.
    """
    for trace in _walks(study, formula):
        study.prove(reached(formula, trace))
    limits = study.budget.part(2)
    while (names := _open_names(study, formula)) and _decide(study, formula, names, limits):
        pass
    for number, name in enumerate(names):
        open_names = _open_names(study, formula)
        if name in open_names:
            _decide(study, formula, (name,), study.budget.part(len(names) - number))


def _open_names(study: Study, formula: Formula) -> tuple[str, ...]:
    taking, excluded = participants(study.net, formula, study.claims)
    if study.brief and excluded:
        return ()
    return tuple(name for name in study.net.actions if name not in taking | excluded)


def _decide(study: Study, formula: Formula, names: Sequence[str], limits: Budget) -> bool:
    """Decide whether some of these transitions take part; return whether that was decided."""
    net = study.net
    problem = participation(net, names, formula)
    with study.budget.tolerate_overruns():
        match study.examine(problem, limits):
            case Reachable(trace):
                # The copies stand behind the transitions of the net.
                actions, numbers = (*net.actions, *names), problem.net.transition_numbers
                steps = ((numbers[name], times) for name, times in trace.steps)
                study.prove(reached(formula, joined(steps, actions)))
                return True
            case Unreachable(certificate):
                study.prove(ExcludedWith(tuple(names), formula, certificate))
                return True
    return False


def _walks(study: Study, formula: Formula) -> Iterator[Trace]:
    """Yield traces into the formula, each with a transition that no earlier one has."""
    from petricheck.explicit.kernel.tour import Tour  # It brings numpy.

    net, fired, open_names, failures = study.net, None, set(_open_names(study, formula)), 0
    with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
        for seed in range(len(net.transitions) * _FAILURES):
            study.budget.check()
            tour = Tour(net, (formula,), seed, fired=fired)
            passed, fired = tour.wander(tour.pace, _LONGEST), tour.fired
            names = [net.actions[number] for number in passed.trace] if passed else []
            failures = 0 if open_names.intersection(names) else failures + 1
            if failures == 0 and passed:
                open_names.difference_update(names)
                yield trace_of(passed.trace, net.actions)
            if failures == _FAILURES or not open_names or tour.stuck:
                return
