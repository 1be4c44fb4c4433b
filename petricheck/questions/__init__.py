"""Questions about a net, the search for their answers, and the results.

`kinds` has a file for each kind of question. A `Schedule` decides one `Question` or several. A
`Finding` has the answer and its claims; the audit has accepted every one of them.
"""

from petricheck.questions.answering import answer, answer_all, so_far
from petricheck.questions.checking import DEFAULT_ENGINE, Setting
from petricheck.questions.finding import Finding
from petricheck.questions.kind import (
    UNBOUNDED,
    UNKNOWN,
    VERDICTS,
    Answers,
    Conclusion,
    Kind,
    Value,
    kind_names,
    kind_of,
    yes_or_no,
)
from petricheck.questions.question import (
    Question,
    ask,
    make_question,
    question_of,
    question_text,
    read_question,
)
from petricheck.questions.schedule import Schedule, check, check_all
from petricheck.questions.study import Study

__all__ = [
    "DEFAULT_ENGINE",
    "UNBOUNDED",
    "UNKNOWN",
    "VERDICTS",
    "Answers",
    "Conclusion",
    "Finding",
    "Kind",
    "Question",
    "Schedule",
    "Setting",
    "Study",
    "Value",
    "answer",
    "answer_all",
    "ask",
    "check",
    "check_all",
    "kind_names",
    "kind_of",
    "make_question",
    "question_of",
    "question_text",
    "read_question",
    "so_far",
    "yes_or_no",
]
