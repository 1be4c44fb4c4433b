"""Traces for questions about the skeleton of a coloured net, before the net is unfolded.

Random walks of the coloured net look only at tokens that are there, so that the size of the
unfolding does not matter. Walks of the skeleton are faster, and are led towards a target; there a
transition is taken for enabled where each input place has as many tokens as it takes, of any
colours. Their traces are lifted, and prove what they prove.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Formula,
    map_atoms,
    variables,
)
from petricheck.engines import IsOpen, Sharing
from petricheck.evidence.answer import Reachable, Trace, Unknown
from petricheck.evidence.audit.colours.observed import literal_of_totals
from petricheck.evidence.claims import reached
from petricheck.explicit.coloured.search import traces
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions.answering import so_far
from petricheck.questions.checking import prepare
from petricheck.questions.finding import Finding
from petricheck.questions.lifting import searched
from petricheck.questions.question import Question
from petricheck.questions.study import Study
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

_NO_TRACE = Unknown("walks found no trace", "another engine may settle more")

_ENGINES = ("random_walk", "parikh_walk")
"""They walk through the skeleton, each for an equal part of the time."""

_LIFTING = 2.0
"""So many seconds a trace may take to be lifted."""


def walked(
    questions: Sequence[Question], study: Study, *, colours: bool
) -> Iterator[tuple[int, Finding]]:
    """Yield the number of a question about a target with its finding, where a walk reaches it.

    Args:
        questions: about the skeleton.
        study: about the skeleton.
        colours: whether the walks are those of the coloured net.

    Raises:
        InternalError: evidence was refused.
    """
    targets = [question.target for question in questions if question.target is not None]
    remaining = set(range(len(targets)))
    with suppress(BudgetExhausted):
        prepare(study.net, study.budget)
        aims = [_guess(study.net, target) for target in targets]
        if colours:
            walks = traces(study.net, targets, aims, study.budget)
        else:
            is_open = remaining.__contains__
            walks = _traces_of_totals(study.net, targets, aims, study.budget, is_open)
        for number, trace in walks:
            with suppress(BudgetExhausted):
                limits = study.budget if colours else study.budget.within(_LIFTING)
                study.prove(reached(targets[number], trace), limits, lifting=not colours)
                remaining.remove(number)
                yield number, so_far(questions[number], study, _NO_TRACE)


def _traces_of_totals(
    net: Net,
    targets: Sequence[Formula],
    aims: Sequence[Formula],
    budget: Budget,
    is_open: IsOpen,
) -> Iterator[tuple[int, Trace]]:
    """Yield traces of the skeleton to the aims of open targets that are not of totals."""
    observed = [number for number, target in enumerate(targets) if _is_observed(net, target)]
    for position, name in enumerate(_ENGINES):
        if not (numbers := [number for number in observed if is_open(number)]):
            return
        problems = [Problem(searched(net), aims[number]) for number in numbers]
        engine: Sharing = plugins.build("engines", name)
        part = budget.part(len(_ENGINES) - position)
        with budget.tolerate_overruns():
            for number, answer in engine.solve_together(problems, part):
                if isinstance(answer, Reachable):
                    yield numbers[number], answer.trace


def _is_observed(net: Net, target: Formula) -> bool:
    return not all(name in net.place_numbers for name in variables(target))


def _guess(net: Net, target: Formula) -> Formula:
    """Return the target where transitions are enabled if there are tokens enough of any colours."""

    def of_totals(atom: Atom) -> Formula:
        literal = literal_of_totals(net, atom)
        return atom if literal is None else literal[0]

    return map_atoms(target, of_totals)
