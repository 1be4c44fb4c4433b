"""Questions that several claims about a net answer together, such as a bound. One file each.

A member splits its question into claims of `petricheck.claims`. Its `search` looks for them, and is
not trusted: a `Study` takes a claim in only where it passes the audit. Its `conclude` derives the
answer from proved claims alone, and does so again when `verify` reads them from a file. So the
audit of each claim and `conclude` are all that an answer depends on.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

from petricheck import plugins
from petricheck.analyses._answers import UNBOUNDED, UNKNOWN, Answers, Value, yes_or_no
from petricheck.analyses._study import Study
from petricheck.answer import Unknown
from petricheck.budget import Budget
from petricheck.check import DEFAULT_ENGINE
from petricheck.claim_files import Claimed, plain
from petricheck.claims import Claim, Excluded, Pumped, Reached
from petricheck.errors import BudgetExhausted, Ending, QueryError
from petricheck.markup import Shown
from petricheck.problem import Net
from petricheck.words import counted, printable

__all__ = [
    "UNBOUNDED",
    "UNKNOWN",
    "Analysed",
    "Analysis",
    "Answers",
    "Finding",
    "Sharing",
    "Study",
    "Value",
    "analyse",
    "analysis",
    "kinds",
    "run",
    "run_all",
    "so_far",
    "yes_or_no",
]

_ORDER = (Reached, Pumped, Excluded)
"""In which claims are told."""

_SPARED = 100
"""Of more claims each is kept, even where the others suffice."""

_SPARING = 0.5
"""Seconds after which the others are kept as well: limits and interruptions wait for the answer."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What proved claims amount to.

    Attributes:
        answers: those that the question has.
        value: its answer; None where that is open. Places or transitions that bear it out may still
            be open where it is not.
        details: more of it, line by line.
        facts: the same for programs: what JSON can hold.
        partial: what is proved of an answer that is open, in a few words; empty where nothing is.
    """

    answers: Answers
    value: Value | None
    details: tuple[str, ...]
    facts: Mapping[str, Any]
    partial: str = ""

    @property
    def complete(self) -> bool:
        """Whether the question has its answer."""
        return self.value is not None

    @property
    def headline(self) -> str:
        """The answer in a few words, or what is proved of it."""
        return self.answers.tell(self.value) if self.complete else self.partial or UNKNOWN


class Analysis(Protocol):
    """The frame of every member of this family.

    Attributes:
        rank: help shows the options in ascending order, after those of the queries.
        meaning: what is asked for, in a sentence.
        example: words that ask it, as a shell takes them; empty where the question has none.
    """

    rank: ClassVar[int]
    meaning: ClassVar[str]
    example: ClassVar[str]

    def answers(self, text: str) -> Answers:
        """The answers that the question has; whether its words make sense, `conclude` says."""

    def search(self, net: Net, text: str, study: Study) -> None:
        """Have claims proved until they answer the question, or nothing is left to try.

        Raises:
            QueryError: the words make no sense.
            BudgetExhausted: time or memory ran out.
        """

    def conclude(self, net: Net, text: str, claims: Sequence[Claim]) -> Finding:
        """What the claims amount to; those that say nothing about the question are passed over.

        Args:
            net: the net.
            text: the question.
            claims: proved, about this net.

        Raises:
            QueryError: the words make no sense.
        """


@runtime_checkable
class Sharing(Analysis, Protocol):
    """An analysis that looks for the answers to several questions at once."""

    def search_together(self, net: Net, texts: Sequence[str], study: Study) -> None:
        """As `search`, for all of them."""


@dataclass(frozen=True, slots=True, repr=False)
class Analysed(Shown):
    """A question with what was found.

    Attributes:
        kind: the analysis.
        question: its text.
        finding: what the claims amount to.
        claims: those that the finding follows from, each audited.
        audits: how each was checked.
        unknown: why the question has no answer yet; None where it has.
        seconds: wall time, audits included.
    """

    kind: str
    question: str
    finding: Finding
    claims: tuple[Claim, ...]
    audits: tuple[str, ...]
    unknown: Unknown | None
    seconds: float

    def __str__(self) -> str:
        lines = [self.finding.headline, *self.finding.details]
        if self.unknown is not None and not self.finding.complete:
            lines.append(f"The search ended: {printable(self.unknown.reason)}.")
        if self.audits:
            checked = "; ".join(dict.fromkeys(map(printable, self.audits)))
            lines.append(f"Audit of {counted(len(self.audits), 'claim')}: {checked}.")
        return "\n".join((*lines, f"{self.seconds:.3f} s."))

    def claimed(self, net: str, sha256: str) -> Claimed:
        """What a file of evidence says of it.

        Args:
            net: name of the net.
            sha256: of the net's file.
        """
        facts = plain(self.finding.facts)
        return Claimed(net, sha256, self.kind, self.question, facts, self.claims)

    def __repr__(self) -> str:
        return f"<Analysed {self.kind}: {self.finding.headline}>"


def kinds() -> tuple[str, ...]:
    """The members, by rank."""
    names = plugins.members("analyses")
    return tuple(sorted(names, key=lambda name: (analysis(name).rank, name)))


def analysis(kind: str) -> Analysis:
    """A member.

    Raises:
        QueryError: there is no such kind.
    """
    found: Analysis = plugins.build("analyses", kind)
    return found


def analyse(
    net: Net,
    *,
    engine: str = DEFAULT_ENGINE,
    options: Mapping[str, str] | None = None,
    budget: Budget | None = None,
    second_solver: bool = False,
    **question: str | bool,
) -> Analysed:
    """Answer a question with several pieces of evidence: `analyse(net, bound="p1 + p2")`.

    Args:
        net: the net.
        engine: who decides what the analysis itself leaves open.
        options: the engine's options as text.
        budget: limits; none by default.
        second_solver: whether cvc5 checks the obligations of certificates as well.
        question: one keyword, a member of the analyses, and its text; True where it takes none.

    Raises:
        QueryError: not exactly one question, or the words make no sense, or no such engine.
        InternalError: evidence failed the audit.
    """
    if len(question) != 1:
        raise QueryError("ask exactly one question, e.g. bound='p1 + p2' or bounded=True")
    ((kind, text),) = question.items()
    words = text if isinstance(text, str) else ""
    study = Study(net, engine, options or {}, budget or Budget(), second_solver)
    return run(kind, words, study)


def run(kind: str, text: str, study: Study) -> Analysed:
    """Search as long as the study's budget lasts, and conclude.

    Raises:
        QueryError: no such kind, or the words make no sense.
        InternalError: evidence failed the audit.
    """
    (found,) = run_all(kind, [text], study)
    return found


def run_all(kind: str, texts: Sequence[str], study: Study) -> tuple[Analysed, ...]:
    """The same for several questions, in searches that they share where the kind is `Sharing`.

    Raises:
        QueryError: no such kind, or the words make no sense.
        InternalError: evidence failed the audit.
    """
    asked, net = analysis(kind), study.net
    for text in texts:
        asked.conclude(net, text, ())  # Refuses words without sense before anything is done.
    unknown = Unknown("nothing is left to try", "another engine may settle more")
    try:
        if isinstance(asked, Sharing):
            asked.search_together(net, texts, study)
        else:
            for text in texts:
                asked.search(net, text, study)
        study.budget.check()
    except BudgetExhausted as error:
        unknown = Unknown(str(error), "allow more", ending=error.ending)
    except MemoryError:
        hint = "set --memory below what the machine has"
        unknown = Unknown("memory ran out", hint, ending=Ending.MEMORY)
    return tuple(so_far(kind, text, study, unknown) for text in texts)


def so_far(kind: str, text: str, study: Study, unknown: Unknown) -> Analysed:
    """What follows from what is proved by now.

    Args:
        kind: the analysis.
        text: the question.
        study: what is proved.
        unknown: what stopped the search.
    """
    asked, proved, began = analysis(kind), study.proved, time.monotonic()
    finding = asked.conclude(study.net, text, [claim for claim, _ in proved])
    # What is told at a limit has to be at hand at once, also of large nets.
    if len(proved) <= _SPARED and len(proved) * (time.monotonic() - began) <= _SPARING:
        proved = _needed(asked, study.net, text, proved, finding)
    proved = tuple(sorted(proved, key=lambda each: _ORDER.index(type(each[0]))))
    claims, audits = (tuple(part) for part in zip(*proved, strict=True)) if proved else ((), ())
    seconds = time.monotonic() - study.budget.started
    left = None if finding.complete else unknown
    return Analysed(kind, text, finding, claims, audits, left, seconds)


def _needed(
    asked: Analysis,
    net: Net,
    text: str,
    proved: tuple[tuple[Claim, str], ...],
    finding: Finding,
) -> tuple[tuple[Claim, str], ...]:
    """Claims that suffice for the finding; those that were proved first are left out first."""
    needed, end = list(proved), time.monotonic() + _SPARING
    for each in proved:
        if time.monotonic() > end:
            break
        others = [other for other in needed if other is not each]
        if asked.conclude(net, text, [claim for claim, _ in others]) == finding:
            needed = others
    return tuple(needed)
