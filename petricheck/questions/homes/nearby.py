"""Formulas out of reach after few firings, by the state equation alone.

Where firings lose something for ever, a few of them suffice: the markings near the initial one are
tried in the order of their distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines.state_equation import StateEquation
from petricheck.evidence.answer import Trace, Unreachable, trace_of
from petricheck.evidence.claims import Excluded, ExcludedAfter
from petricheck.model.net import Marking, Net
from petricheck.model.problem import Problem
from petricheck.questions.homes.blocked import excluded_after
from petricheck.questions.study import Study
from petricheck.support.budget import Budget

_MOST = 200
"""The most markings."""


def lost_nearby(
    study: Study, formulas: Sequence[Formula], budget: Budget
) -> Iterator[Excluded | ExcludedAfter]:
    """Yield claims that some of the formulas are no home spaces; a brief study needs one."""
    net, remaining = study.net, list(formulas)
    for trace, marking in islice(_nearest(net), _MOST):
        budget.check()
        later = net.beginning(marking)
        for formula in tuple(remaining):
            answer = StateEquation().solve(Problem(later, formula), budget)
            if isinstance(answer, Unreachable):
                yield excluded_after(trace, formula, answer.certificate)
                remaining.remove(formula)
        if not remaining or (study.brief and len(remaining) < len(formulas)):
            return


def _nearest(net: Net) -> Iterator[tuple[Trace, Marking]]:
    """Yield the reachable markings by their distance, each with a shortest trace."""
    numbers = range(len(net.transitions))
    paths: dict[Marking, tuple[int, ...]] = {net.initial: ()}
    waiting = [net.initial]
    for marking in waiting:
        yield trace_of(paths[marking], net.actions), marking
        for number in numbers:
            transition = net.transitions[number]
            if transition.enabled(marking) and (after := transition.fire(marking)) not in paths:
                paths[after] = (*paths[marking], number)
                waiting.append(after)
