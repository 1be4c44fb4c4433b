"""Kinds of questions. One file each, in `kinds`.

A kind reads its words, searches for claims of `petricheck.claims`, and concludes from them. Its
search is not trusted: a `Study` takes a claim in only where it passes the audit. `conclude` derives
the answer from proved claims alone, and does so again when `verify` reads them from a file. So the
audit of each claim and `conclude` are all that an answer depends on.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias

from petricheck import plugins
from petricheck.answer import Answer
from petricheck.claims import Claim, Excluded, Reached
from petricheck.errors import QueryError
from petricheck.presburger.formulas import Formula
from petricheck.presburger.shown import shown_name
from petricheck.problem import Net, Problem
from petricheck.questions.deciding import deciding, tokens_held
from petricheck.words import listed, number_text

if TYPE_CHECKING:
    from petricheck.questions.study import Study

FAMILY = "questions.kinds"

_FEW = 20
"""Names that are listed; of more the rest is counted."""


UNBOUNDED: Final = "unbounded"
"""The answer that no number limits what was asked about."""

Value: TypeAlias = bool | int | Literal["unbounded"]
"""An answer: whether something holds, a number, or `UNBOUNDED`."""

UNKNOWN = "unknown"
"""What is told, and written, where there is no answer."""

_NUMBER = re.compile(r"[-+]?([0-9]{1,4300}|0x[0-9a-f]+)")
"""As `number_text` writes them; decimal ones of more digits Python neither writes nor reads."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers that a question has.

    Attributes:
        words: for each answer that is no number, what it may be called; it is told by the first.
        number: what stands before a number, such as "maximum".
        unit: what stands after it, such as "markings"; without both numbers are no answers.
    """

    words: Mapping[Value, tuple[str, ...]]
    number: str = ""
    unit: str = ""

    def read(self, written: object) -> Value | None:
        """The answer that a text or a value of JSON means; None for `UNKNOWN`.

        Raises:
            QueryError: the question has no such answer; the message lists those that it has.
        """
        text = " ".join(str(written).lower().split())
        for value, words in self.words.items():
            if text in words:
                return value
        number = text.removeprefix(f"{self.number} ").removesuffix(f" {self.unit}")
        if (self.number or self.unit) and _NUMBER.fullmatch(number):
            return int(number, 16 if "x" in number else 10)
        if text != UNKNOWN:
            raise QueryError(f"{self} is expected")
        return None

    def tell(self, value: Value | None) -> str:
        """The answer in words, which `read` understands; `UNKNOWN` for None."""
        if value is None:
            return UNKNOWN
        if isinstance(value, int) and not isinstance(value, bool):
            return " ".join(filter(None, (self.number, number_text(value), self.unit)))
        return self.words[value][0]

    def __str__(self) -> str:
        numbers = ["a number"] if self.number or self.unit else []
        words = [
            f"{first} ({', '.join(more)})" if more else first
            for first, *more in self.words.values()
        ]
        return f"{', '.join([*numbers, *words])} or {UNKNOWN}"


def yes_or_no(yes: tuple[str, ...], no: tuple[str, ...]) -> Answers:
    """The answers of a question that is true or false of a net; both words also as such."""
    return Answers({True: (*yes, "yes", "true"), False: (*no, "no", "false")})


VERDICTS = Answers({True: ("reachable",), False: ("unreachable",)})
"""Those of a question with one target."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What follows from proved claims.

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


Colours: TypeAlias = Literal["none", "merged", "all"]
"""What is left of those of a coloured net."""


class Kind(ABC):
    """The frame of every member of this family.

    Attributes:
        rank: help shows the options in ascending order.
        meaning: what is asked for, in a sentence.
        example: words that ask it, as a shell takes them; empty where the question has none.
        colours: what has to be left of a coloured net for the question to be about it: none, so
            that tokens are counted; those that behave alike, merged; or all.
        drawn: whether the markings are drawn where a graph is wanted.
        optional: whether the words may be left out, for what is asked mostly.
    """

    rank: ClassVar[int]
    meaning: ClassVar[str]
    example: ClassVar[str] = ""
    colours: ClassVar[Colours] = "none"
    drawn: ClassVar[bool] = False
    optional: ClassVar[bool] = False

    @property
    def bare(self) -> bool:
        """Whether it may have no words."""
        return self.optional or not self.example

    @abstractmethod
    def answers(self, text: str) -> Answers:
        """Return the answers that the question has; `read` checks its words."""

    def read(self, net: Net, text: str) -> Any:
        """Return the content of the question, as the other methods take it; a formula for a target.

        Of a kind without words there is nothing to read.

        Raises:
            QueryError: the words make no sense; it points at the character that does not fit.
        """
        if text.strip():
            position = len(text) - len(text.lstrip())
            question = f"{self.meaning[:1].lower()}{self.meaning[1:].rstrip('.')}"
            message = f"the question takes no words: {question}"
            raise QueryError(message, text=text, position=position)

    @abstractmethod
    def search(self, study: Study, contents: Sequence[Any]) -> Answer | None:
        """Have claims proved until they answer the questions, or nothing is left to try.

        Args:
            study: takes in claims.
            contents: from `read`: of one target, of questions that are all the same since they have
                no words, or of several questions, which may share a search.

        Returns:
            What an engine answered, where the question is one target.

        Raises:
            BudgetExhausted: time or memory ran out.
        """

    def search_each(
        self, study: Study, contents: Sequence[Any]
    ) -> Generator[int, None, Answer | None]:
        """Search as `search` does, and report questions that share a search when answered.

        Yields:
            The number of a question as soon as it is answered.
        """
        yield from ()
        return self.search(study, contents)

    @abstractmethod
    def conclude(self, net: Net, content: Any, claims: Sequence[Claim]) -> Conclusion:
        """Return what follows from proved claims; claims about something else are ignored."""

    def names(self, net: Net) -> tuple[str, ...]:
        """Return names that the words may have, for shells to complete; the model's come first."""
        return net.places if net.origin is None else (*net.origin.places, *net.places)

    def words(self, tokens: Mapping[str, int]) -> str | None:
        """The words that ask for so many tokens, by the name of each place; None where none do.

        Raises:
            QueryError: a name is no text, or a number no integer that can be written.
        """
        return None

    def unnamed(self, net: Net, text: str) -> tuple[str, ...]:
        """Return the places that are meant although the words leave them out, in the net's order.

        Raises:
            QueryError: the words make no sense.
        """
        return ()


class Reaching(Kind):
    """The common part of kinds that ask whether a marking in a target is reachable."""

    def answers(self, text: str) -> Answers:
        """Reachable, or unreachable."""
        return VERDICTS

    def search(self, study: Study, contents: Sequence[Formula]) -> Answer:
        """The engine's answer."""
        (target,) = contents
        return study.solve(Problem(study.net, target), study.budget)

    def conclude(self, net: Net, content: Formula, claims: Sequence[Claim]) -> Conclusion:
        """Reachable where a trace ends in the target, unreachable where that is excluded."""
        match deciding(content, claims):
            case Reached(trace):
                marking = tokens_held(net, net.after(trace.steps))
                return Conclusion(VERDICTS, True, facts={"marking": marking})
            case Excluded():
                return Conclusion(VERDICTS, False, facts={"marking": None})
        return Conclusion(VERDICTS, None, facts={"marking": None})


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
    """Return whether the content of the kind is one target."""
    return isinstance(kind, Reaching)


def lines(*named: tuple[str, Sequence[str]]) -> Iterator[str]:
    """A sentence for each of the words whose names are not empty: words, names."""
    for words, names in named:
        if names:
            yield f"{words}: {listed(names, _FEW, shown_name)}."
