"""Named questions that claims answer: maxima that a file asks for, examinations of the contest.

They are of one kind, and share their searches. So they are told together, when all are answered or
the time is over; what is proved by then counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from petricheck import analyses
from petricheck.analyses import Analysed, Study, run_all, so_far
from petricheck.answer import Unknown
from petricheck.budget import Budget
from petricheck.check import DEFAULT_ENGINE
from petricheck.claims import Excluded, Pumped, Reached
from petricheck.cli.analysing import fields, keep, lines, say_answer, status
from petricheck.cli.findings import INTERRUPTED
from petricheck.cli.ids import shown_id
from petricheck.cli.limits import answer_with, keep_late, kept_up_to_date
from petricheck.cli.outcomes import Status, complain_of
from petricheck.cli.properties import Limits
from petricheck.cli.request import Request
from petricheck.cli.telling import one_line
from petricheck.cli.terminal import complain, say, say_verdict
from petricheck.errors import PetricheckError
from petricheck.formats import NetFile
from petricheck.presburger.text import term_to_text
from petricheck.properties import Maximum, Property

Tell = Callable[["Told"], None]

_KEY = "maxima"
"""Of what is told of them late."""

_TECHNIQUES = {Reached: "TRACE", Excluded: "INVARIANT", Pumped: "REPEATED_LOOP"}
"""What the contest is told of how an answer was found."""


@dataclass(frozen=True, slots=True)
class Named:
    """A question.

    Attributes:
        name: its id.
        text: its words.
        evidence: the file that is to hold its evidence; None where none is wanted.
    """

    name: str
    text: str
    evidence: str | None = None


def maximum(asked: Property, evidence: str | None) -> Named:
    """The question of a property that asks for one."""
    assert isinstance(asked.meaning, Maximum)
    return Named(asked.id, term_to_text(asked.meaning.sum), evidence)


@dataclass(frozen=True, slots=True)
class Told:
    """What there is to tell of a question.

    Attributes:
        name: of the question.
        file: the net.
        found: the answer.
        evidence: the file that holds the evidence; None where there is none.
    """

    name: str
    file: NetFile
    found: Analysed
    evidence: str | None


@dataclass(frozen=True)
class Inquiry:
    """Several questions of one kind.

    Attributes:
        file: the net.
        kind: the analysis.
        asked: the questions.
        tell: writes what was found of one.
    """

    file: NetFile
    kind: str
    asked: Sequence[Named]
    tell: Tell

    def decide(
        self, study: Callable[[Budget], Study], limits: Limits, seconds: float | None
    ) -> Status:
        """Search within the limits, and tell of each question."""
        with limits(seconds) as budget:
            begun = study(budget)

            def keep() -> None:
                self.keep_late(begun, budget)

            keep()
            try:
                with kept_up_to_date(lambda: len(begun.claims), keep):
                    found = run_all(self.kind, [each.text for each in self.asked], begun)
            except KeyboardInterrupt:
                found = self._so_far(begun, INTERRUPTED)
            return answer_with(lambda: self._tell_all(found), _KEY)

    def keep_unanswered(self, budget: Budget) -> None:
        """Prepare what is told if the command is ended before these have their turn."""
        self.keep_late(Study(self.file.net, DEFAULT_ENGINE, {}, budget), budget)

    def keep_late(self, study: Study, budget: Budget) -> None:
        """Prepare what is told of what is proved by now, if the command is ended."""
        keep_late(_KEY, lambda answer: self._tell_all(self._so_far(study, answer)), budget)

    def _so_far(self, study: Study, unknown: Unknown) -> tuple[Analysed, ...]:
        return tuple(so_far(self.kind, each.text, study, unknown) for each in self.asked)

    def _tell_all(self, found: Sequence[Analysed]) -> Status:
        """How the command ends: the worst that there is to tell."""
        failures: list[PetricheckError] = []
        for asked, answer in zip(self.asked, found, strict=True):
            failure = keep(asked.evidence, self.file, answer)
            failures += [failure] if failure else []
            kept = None if failure else asked.evidence
            self.tell(Told(asked.name, self.file, answer, kept))
        ended = max(map(status, found), default=Status.DECIDED)
        return max([ended, *map(complain_of, failures[:1])])


def tell_contest(told: Told) -> None:
    """The line that the Model Checking Contest asks for; reasons go to the standard error."""
    name, value = shown_id(told.name), _value(told.found)
    if not value:
        say(f"FORMULA {name} CANNOT_COMPUTE")
        complain(f"{name}: {one_line(_reason(told.found))}")
        return
    used = {_TECHNIQUES[type(claim)] for claim in told.found.claims}
    say(f"FORMULA {name} {value} TECHNIQUES {' '.join([*sorted(used), 'AUDITED'])}")


def tell_briefly(told: Told) -> None:
    """The name and the answer in a few words."""
    say_verdict(told.found.finding.headline, before=f"{shown_id(told.name)}: ")


def tell_json(told: Told) -> None:
    """One line, an object."""
    say(json.dumps({"property": told.name, **fields(told.file, told.found, told.evidence)}))


def tell_fully(told: Told, request: Request) -> None:
    """A paragraph: the answer, and why."""
    report = lines(request, told.file.net, told.found, told.evidence)
    say_answer((*report, ""), before=f"{shown_id(told.name)}: ")


def _value(found: Analysed) -> str:
    """The number, infinity, or truth that was asked for; empty where it is unknown."""
    match found.finding.value:
        case None:
            return ""
        case analyses.UNBOUNDED:
            return "+inf"
        case value:
            return str(value).upper()


def _reason(found: Analysed) -> str:
    known = found.finding.headline
    return known if found.unknown is None else f"{known}: {found.unknown.reason}"
