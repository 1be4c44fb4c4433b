"""The answers that a kind of question has: values, and the words that people write for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from petricheck.errors import QueryError
from petricheck.words import number_text

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
        number: what numbers are told as, such as "maximum"; empty where they are no answers.
    """

    words: Mapping[Value, tuple[str, ...]]
    number: str = ""

    def read(self, written: object) -> Value | None:
        """The answer that a text or a value of JSON means; None for `UNKNOWN`.

        Raises:
            QueryError: the question has no such answer; the message lists those that it has.
        """
        text = " ".join(str(written).lower().split())
        for value, words in self.words.items():
            if text in words:
                return value
        number = text.removeprefix(f"{self.number} ")
        if self.number and _NUMBER.fullmatch(number):
            return int(number, 16 if "x" in number else 10)
        if text != UNKNOWN:
            raise QueryError(f"{self} is expected")
        return None

    def tell(self, value: Value | None) -> str:
        """The answer in words, which `read` understands; `UNKNOWN` for None."""
        if value is None:
            return UNKNOWN
        if isinstance(value, int) and not isinstance(value, bool):
            return f"{self.number} {number_text(value)}"
        return self.words[value][0]

    def __str__(self) -> str:
        numbers = ["a number"] if self.number else []
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
