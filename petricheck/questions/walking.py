"""Random walks of the coloured net for questions about its skeleton, before it is unfolded.

They find traces where the unfolding would be huge, since they look only at tokens that are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from petricheck.evidence.answer import Unknown
from petricheck.evidence.claims import reached
from petricheck.explicit.coloured.search import traces
from petricheck.questions.answering import so_far
from petricheck.questions.checking import prepare
from petricheck.questions.finding import Finding
from petricheck.questions.question import Question
from petricheck.questions.study import Study
from petricheck.support.errors import BudgetExhausted

_NO_TRACE = Unknown("random walks found no trace", "another engine may settle more")


def walked(questions: Sequence[Question], study: Study) -> Iterator[tuple[int, Finding]]:
    """Yield the number of a question about a target with its finding, where a walk reaches it.

    Raises:
        InternalError: evidence was refused.
    """
    targets = [question.target for question in questions if question.target is not None]
    with suppress(BudgetExhausted):
        prepare(study.net, study.budget)
        for number, trace in traces(study.net, targets, study.budget):
            with suppress(BudgetExhausted):
                study.prove(reached(targets[number], trace))
                yield number, so_far(questions[number], study, _NO_TRACE)
