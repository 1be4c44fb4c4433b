"""Kinds of questions. One file each, in `kinds`.

A kind reads the words of a question, searches for claims of `petricheck.evidence.claims`, and
concludes from them. Its search is not trusted: a `Study` adds a claim only if it passes the audit.
`conclude` derives the answer from proved claims alone. `verify` calls it again for the claims of a
file. So an answer depends on the audit of the claims and on `conclude`, and on nothing else.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.evidence.answer import Answer
from petricheck.evidence.claims import Claim, Excluded, Reached
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions.deciding import deciding, tokens_known
from petricheck.support import plugins
from petricheck.support.errors import InternalError, QueryError
from petricheck.support.words import counted, listed, number_text

if TYPE_CHECKING:
    from petricheck.questions.study import Study

FAMILY = "questions.kinds"

_FEW = 20
"""The most names that are listed; further ones are counted."""


UNBOUNDED: Final = "unbounded"
"""The answer that no number is a limit."""

Value: TypeAlias = bool | int | Literal["unbounded"]
"""An answer: whether something holds, a number, or `UNBOUNDED`."""

UNKNOWN = "unknown"
"""The text that is printed and written where there is no answer."""

_NUMBER = re.compile(r"[-+]?([0-9]{1,4300}|0x[0-9a-f]+)")
"""Numbers as `number_text` writes them; Python refuses decimal numbers of more digits."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The possible answers to a question.

    Attributes:
        words: for each answer that is no number, its names; the first one is printed.
        number: the text before a number, such as "maximum".
        unit: what it counts, such as "marking"; without both, numbers are no answers.
    """

    words: Mapping[Value, tuple[str, ...]]
    number: str = ""
    unit: str = ""

    def read(self, written: object) -> Value | None:
        """Return the answer that a text or a value of JSON means; None for `UNKNOWN`.

        Raises:
            QueryError: the question has no such answer; the message lists those that it has.
        """
        text = " ".join(str(written).lower().split())
        for value, words in self.words.items():
            if text in words:
                return value
        number = text.removeprefix(f"{self.number} ")
        if self.unit:
            number = number.removesuffix(f" {self.unit}s").removesuffix(f" {self.unit}")
        if (self.number or self.unit) and _NUMBER.fullmatch(number):
            return int(number, 16 if "x" in number else 10)
        if text != UNKNOWN:
            raise QueryError(f"{self} is expected")
        return None

    def describe(self, value: Value | None) -> str:
        """Return the answer in words, which `read` understands; `UNKNOWN` for None."""
        if value is None:
            return UNKNOWN
        if isinstance(value, int) and not isinstance(value, bool):
            number = counted(value, self.unit) if self.unit else number_text(value)
            return f"{self.number} {number}".lstrip()
        return self.words[value][0]

    def __str__(self) -> str:
        numbers = ["a number"] if self.number or self.unit else []
        words = [
            f"{first} ({', '.join(more)})" if more else first
            for first, *more in self.words.values()
        ]
        return f"{', '.join([*numbers, *words])} or {UNKNOWN}"


def yes_or_no(yes: tuple[str, ...], no: tuple[str, ...]) -> Answers:
    """Return the answers of a yes-or-no question: these words, and yes, true, no and false."""
    return Answers({True: (*yes, "yes", "true"), False: (*no, "no", "false")})


VERDICTS = Answers({True: ("reachable",), False: ("unreachable",)})
"""The answers to a question about one target."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """An answer that follows from proved claims.

    Attributes:
        answers: the possible answers to the question.
        value: the answer; None where it is open. Where it is not, some places or transitions may
            still be open.
        details: sentences with more results.
        facts: the same for programs, as JSON can store it.
        partial: the part of an open answer that is proved, in a few words; empty without any.
    """

    answers: Answers
    value: Value | None
    details: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    partial: str = ""

    @property
    def complete(self) -> bool:
        """Return whether the question has its answer."""
        return self.value is not None

    @property
    def headline(self) -> str:
        """The answer in a few words, or the part of it that is proved."""
        return self.answers.describe(self.value) if self.complete else self.partial or UNKNOWN


Colours: TypeAlias = Literal["none", "merged", "all"]
"""The colours that a coloured net is read with."""


class Kind(ABC):
    """The common interface of all members of this family.

    Attributes:
        rank: help shows the options in ascending order.
        meaning: the question, in a sentence.
        outcomes: the answers that it has.
        example: words that ask it, as a shell takes them; empty where the question has none.
        colours: the colours that a coloured net must have for this question: none (tokens are
            counted), merged (those that behave alike), or all.
        starts: the initial markings that the net may have: one; those of one linear set, so that
            added transitions take part; or any.
        calculates: whether the words are a formula or an expression over places.
        drawn: whether graphs are drawn with the markings.
        optional: whether the words may be omitted, which means the most frequent question.
        hoped: the answer that users hope for; None where that depends on what they ask for.
    """

    rank: ClassVar[int]
    meaning: ClassVar[str]
    outcomes: ClassVar[Answers]
    example: ClassVar[str] = ""
    colours: ClassVar[Colours] = "none"
    starts: ClassVar[Literal["one", "linear", "any"]] = "one"
    calculates: ClassVar[bool] = False
    drawn: ClassVar[bool] = False
    optional: ClassVar[bool] = False
    hoped: ClassVar[Value | None] = None

    @property
    def bare(self) -> bool:
        """Return whether the question's words may be empty."""
        return self.optional or not self.example

    def answers(self, text: str) -> Answers:
        """Return the answers that the question with these words has; `read` checks them."""
        return self.outcomes

    def read(self, net: Net, text: str) -> Any:
        """Return the content of the question, as the other methods take it, such as a formula.

        A kind without words has no content.

        Raises:
            QueryError: the words make no sense; it points at the character that does not fit.
        """
        if text.strip():
            position = len(text) - len(text.lstrip())
            message = f"the question takes no text: {self.meaning}"
            raise QueryError(message, text=text, position=position)

    @abstractmethod
    def search(self, study: Study, contents: Sequence[Any]) -> None:
        """Prove claims until they answer the questions, or nothing is left to try.

        Args:
            study: checks and stores claims.
            contents: from `read`: of questions without words, all the same; or of several
                questions, which may share a search.

        Raises:
            BudgetExhausted: time or memory ran out.
        """

    def search_stepwise(
        self, study: Study, contents: Sequence[Any]
    ) -> Iterator[tuple[int, Answer | InternalError | None]]:
        """Search as `search` does, and report each question when it is answered.

        Yields:
            The number of a question as soon as its search has ended; with the engine's answer, or
            the error that prevents it, where the question is one target.
        """
        self.search(study, contents)
        yield from ()

    @abstractmethod
    def conclude(self, net: Net, content: Any, claims: Sequence[Claim]) -> Conclusion:
        """Return the conclusion from proved claims; claims about something else are ignored."""

    def names(self, net: Net) -> tuple[str, ...]:
        """Return names that the words may contain, for shells to complete; first the model's."""
        return net.places if net.origin is None else (*net.origin.places, *net.places)

    def words(self, tokens: Mapping[str, int]) -> str | None:
        """Return words that ask for so many tokens by place name; None without such words.

        Raises:
            QueryError: a name is no text, or a number no integer that can be written.
        """
        return None

    def unnamed(self, net: Net, text: str) -> tuple[str, ...]:
        """Return the places that the words mean without naming them, in the net's order.

        Raises:
            QueryError: the words make no sense.
        """
        return ()


class Reaching(Kind):
    """The common part of kinds that ask whether a target is reachable.

    Attributes:
        reached: the answer where a marking in the target is reachable.
        asks: the question about a formula, in a sentence.
    """

    outcomes: ClassVar[Answers] = VERDICTS
    starts = "any"
    reached: ClassVar[bool] = True
    asks: ClassVar[str] = "Is a marking reachable that satisfies this?"

    def asked(self, content: Formula) -> Formula:
        """Return the formula that the question is about."""
        return content

    def search(self, study: Study, contents: Sequence[Formula]) -> None:
        """Decide the targets."""
        deque(self.search_stepwise(study, contents), 0)

    def search_stepwise(
        self, study: Study, contents: Sequence[Formula]
    ) -> Iterator[tuple[int, Answer | InternalError]]:
        """Yield the engine's answers; several targets are decided as far as one search does."""
        if len(contents) > 1:
            yield from study.solve_each(contents)
        else:
            yield 0, study.solve(Problem(study.net, contents[0]), study.budget)

    def conclude(self, net: Net, content: Formula, claims: Sequence[Claim]) -> Conclusion:
        """Return that it is reached if a trace ends in the target, that it is not if excluded."""
        match deciding(content, claims):
            case Reached(trace):
                facts = {"marking": tokens_known(net, net.after(trace.steps))}
                if net.initials is not None:
                    added = [step for step in trace.steps if step[0] in net.added]
                    facts["initial"] = tokens_known(net, net.after(added))
                return Conclusion(self.outcomes, self.reached, facts=facts)
            case Excluded():
                return Conclusion(self.outcomes, not self.reached, facts={"marking": None})
        return Conclusion(self.outcomes, None, facts={"marking": None})


def kind_names() -> tuple[str, ...]:
    """Return the names of all kinds, by rank."""
    names = plugins.members(FAMILY)
    return tuple(sorted(names, key=lambda name: (kind_of(name).rank, name)))


def kind_of(name: str) -> Kind:
    """Return the kind of this name.

    Raises:
        QueryError: there is no such kind.
    """
    kind: Kind = plugins.build(FAMILY, name)
    return kind


def is_target(kind: Kind) -> bool:
    """Return whether the content of the kind is one target."""
    return isinstance(kind, Reaching)


def lines(shown: Callable[[str], str], *named: tuple[str, Sequence[str]]) -> Iterator[str]:
    """Yield a sentence for each pair (words, ids) with ids, with names as they are shown."""
    for words, ids in named:
        if ids:
            yield f"{words}: {listed(ids, _FEW, lambda id_: shown_name(shown(id_)))}."
