"""Ways to ask a question. One file each.

A member's `parse(net, text)` turns words into a Presburger formula over place ids, or raises
QueryError pointing at the character it stumbled over. What it declares beside that makes it an
option of the commands, a kind of question in batches and their tasks, and a keyword of
`petricheck.ask`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Protocol, TypeAlias, runtime_checkable

from petricheck import plugins
from petricheck.errors import QueryError
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net

MAX_BYTES = 16 << 20
"""Largest question that is read, in bytes of UTF-8."""


class Query(Protocol):
    """The frame of every member of this family.

    Attributes:
        rank: help shows the options in ascending order.
        meaning: what is asked for, in a sentence.
        example: words that ask it, as a shell takes them; empty where the question has none.
    """

    rank: ClassVar[int]
    meaning: ClassVar[str]
    example: ClassVar[str]

    def parse(self, net: Net, text: str) -> Formula:
        """The question as a formula over the net's places.

        Raises:
            QueryError: the words make no sense.
        """


@runtime_checkable
class Completing(Query, Protocol):
    """A query that speaks of places that its words leave out."""

    def unnamed(self, net: Net, text: str) -> tuple[str, ...]:
        """These places, in the order of the net.

        Raises:
            QueryError: the words make no sense.
        """


@runtime_checkable
class Naming(Query, Protocol):
    """A query whose words name something else than places."""

    def names(self, net: Net) -> tuple[str, ...]:
        """The ids of what may be named, in the order of the net."""


@runtime_checkable
class Counting(Query, Protocol):
    """A query whose words are tokens of places."""

    def words(self, tokens: Mapping[str, int]) -> str:
        """The words that ask for so many tokens, by the name of each place.

        Raises:
            QueryError: a name is no text, or a number no integer that can be written.
        """


Asked: TypeAlias = str | bool | Mapping[str, int] | None
"""A question of some kind from Python: its words; whether it is asked, where it has none; tokens by
place, where it is `Counting`; None where it is not asked.
"""


def kinds() -> tuple[str, ...]:
    """The members, by rank."""
    names = plugins.members("queries")
    return tuple(sorted(names, key=lambda name: (query(name).rank, name)))


def query(kind: str) -> Query:
    """A member.

    Raises:
        QueryError: there is no such kind.
    """
    found: Query = plugins.build("queries", kind)
    return found


def parse_query(kind: str, net: Net, text: str) -> Formula:
    """The question as a formula over place ids.

    Args:
        kind: a member of this family, e.g. "target".
        net: the net whose places the text names.
        text: the question, or `@FILE` for the content of a file.

    Raises:
        QueryError: no such kind, an unreadable file, or words that make no sense.
    """
    return query(kind).parse(net, question_text(text))


def asked_words(kind: str, asked: Asked) -> str | None:
    """The words of a question from Python; None where it is not asked.

    Raises:
        QueryError: there is no such kind, or it is not asked like this.
    """
    member = query(kind)
    match asked:
        case None | False:
            return None
        case str():
            return asked
        case True if not member.example:
            return ""
        case Mapping() if isinstance(member, Counting):
            return member.words(asked)
        case _:
            example = f"a text such as {member.example}" if member.example else "True"
            counting = ", or tokens by place" if isinstance(member, Counting) else ""
            given = type(asked).__name__
            raise QueryError(f"{kind} is asked with {example}{counting}; this is of type {given}")


def question_text(text: str) -> str:
    """The text itself, or the content of the file that `@FILE` names, at most `MAX_BYTES`.

    Raises:
        QueryError: the file cannot be read, is too large or is no UTF-8 text.
    """
    if not text.startswith("@"):
        # Every character takes a byte or more, so only a text that passes this is encoded.
        if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
            raise QueryError(f"the question is longer than {MAX_BYTES} bytes")
        return text
    return _file_text(text[1:])


def _file_text(path: str) -> str:
    if not path:
        raise QueryError("'@' must be followed by the name of a file that holds the question")
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise QueryError(
            f"cannot read the question from {path!r}: {reason}; after '@' stands the name of a "
            "file, so a place whose name begins with '@' is put between double quotes: "
            "'\"@p\" = 1'"
        ) from None
    if len(content) > MAX_BYTES:
        raise QueryError(f"the question in {path!r} is longer than {MAX_BYTES} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise QueryError(
            f"the question in {path!r} is no UTF-8 text: byte {error.start} is wrong"
        ) from None
