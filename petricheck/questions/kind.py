"""Kinds of questions. One file each, in `kinds`.

A kind reads its words, searches for claims of `petricheck.claims`, and concludes from them. Its
search is not trusted: a `Study` takes a claim in only where it passes the audit. `conclude` derives
the answer from proved claims alone, and does so again when `verify` reads them from a file. So the
audit of each claim and `conclude` are all that an answer depends on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from petricheck import plugins
from petricheck.answer import Answer
from petricheck.claims import Claim, Excluded, Reached
from petricheck.errors import QueryError
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net, Problem
from petricheck.questions.answers import UNKNOWN, VERDICTS, Answers, Value

if TYPE_CHECKING:
    from petricheck.questions.study import Study

FAMILY = "questions.kinds"


@dataclass(frozen=True, slots=True)
class Conclusion:
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
    details: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    partial: str = ""

    @property
    def complete(self) -> bool:
        """Whether the question has its answer."""
        return self.value is not None

    @property
    def headline(self) -> str:
        """The answer in a few words, or what is proved of it."""
        return self.answers.tell(self.value) if self.complete else self.partial or UNKNOWN


class Kind(Protocol):
    """The frame of every member of this family.

    Attributes:
        rank: help shows the options in ascending order.
        meaning: what is asked for, in a sentence.
        example: words that ask it, as a shell takes them; empty where the question has none.
    """

    rank: ClassVar[int]
    meaning: ClassVar[str]
    example: ClassVar[str]

    def answers(self, text: str) -> Answers:
        """The answers that the question has; whether its words make sense, `read` says."""

    def read(self, net: Net, text: str) -> Any:
        """What is asked, as the other methods take it; a formula where it is a target.

        Raises:
            QueryError: the words make no sense; it points at the character that does not fit.
        """

    def search(self, study: Study, content: Any) -> Answer | None:
        """Have claims proved until they answer the question, or nothing is left to try.

        Returns:
            What an engine answered, where the question is one target.

        Raises:
            BudgetExhausted: time or memory ran out.
        """

    def conclude(self, net: Net, content: Any, claims: Sequence[Claim]) -> Conclusion:
        """What the claims amount to; those that say nothing about the question are passed over.

        Args:
            net: the net.
            content: from `read`.
            claims: proved, about this net.
        """


class Reaching:
    """What the kinds have in common that ask whether a marking in a target is reachable."""

    meaning: ClassVar[str]
    example: ClassVar[str]
    rank: ClassVar[int]

    def answers(self, text: str) -> Answers:
        """Reachable, or unreachable."""
        return VERDICTS

    def search(self, study: Study, content: Formula) -> Answer:
        """The engine's answer."""
        return study.solve(Problem(study.net, content), study.budget)

    def conclude(self, net: Net, content: Formula, claims: Sequence[Claim]) -> Conclusion:
        """Reachable where a trace ends in the target, unreachable where that is excluded."""
        for claim in claims:
            match claim:
                case Reached(trace, stops) if any(
                    after == len(trace.steps) and _same(formula, content)
                    for after, formula in stops
                ):
                    tokens = net.values(net.after(trace.steps))
                    marking = {place: held for place, held in tokens.items() if held}
                    return Conclusion(VERDICTS, True, facts={"marking": marking})
                case Excluded(formula) if _same(formula, content):
                    return Conclusion(VERDICTS, False, facts={"marking": None})
        return Conclusion(VERDICTS, None, facts={"marking": None})


def _same(left: Formula, right: Formula) -> bool:
    """Whether they are written alike."""
    if left is right:
        return True
    from petricheck.presburger.smtlib import written_alike  # Few questions need it.

    return written_alike(left, right)


class Wordless:
    """What the kinds have in common whose questions have no words."""

    meaning: ClassVar[str]
    example: ClassVar[str] = ""

    def read(self, net: Net, text: str) -> Any:
        """There is nothing to read.

        Raises:
            QueryError: there are words.
        """
        if text.strip():
            position = len(text) - len(text.lstrip())
            question = f"{self.meaning[:1].lower()}{self.meaning[1:].rstrip('.')}"
            message = f"the question takes no words: {question}"
            raise QueryError(message, text=text, position=position)


@runtime_checkable
class Sharing(Kind, Protocol):
    """A kind that looks for the answers to several questions at once."""

    def search_together(self, study: Study, contents: Sequence[Any]) -> None:
        """As `search`, for all of them."""


@runtime_checkable
class Completing(Kind, Protocol):
    """A kind that speaks of places that its words leave out."""

    def unnamed(self, net: Net, text: str) -> tuple[str, ...]:
        """These places, in the order of the net.

        Raises:
            QueryError: the words make no sense.
        """


@runtime_checkable
class Naming(Kind, Protocol):
    """A kind whose words name something else than places."""

    def names(self, net: Net) -> tuple[str, ...]:
        """The ids of what may be named, in the order of the net."""


@runtime_checkable
class Counting(Kind, Protocol):
    """A kind whose words are tokens of places."""

    def words(self, tokens: Mapping[str, int]) -> str:
        """The words that ask for so many tokens, by the name of each place.

        Raises:
            QueryError: a name is no text, or a number no integer that can be written.
        """


def kind_names() -> tuple[str, ...]:
    """The members, by rank."""
    names = plugins.members(FAMILY)
    return tuple(sorted(names, key=lambda name: (kind_of(name).rank, name)))


def kind_of(name: str) -> Kind:
    """A member.

    Raises:
        QueryError: there is no such kind.
    """
    kind: Kind = plugins.build(FAMILY, name)
    return kind


def is_target(kind: Kind) -> bool:
    """Whether what the kind asks is one target."""
    return isinstance(kind, Reaching)
