"""Ways to ask a question. One file each.

A member's `parse(net, text)` turns words into a Presburger formula over place ids, or raises
QueryError pointing at the character it stumbled over.
"""

from __future__ import annotations

from petricheck import plugins
from petricheck.errors import QueryError
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net

MAX_BYTES = 16 << 20
"""Largest question that is read, in bytes of UTF-8."""


def parse_query(kind: str, net: Net, text: str) -> Formula:
    """The question as a formula over place ids.

    Args:
        kind: a member of this family, e.g. "target".
        net: the net whose places the text names.
        text: the question, or `@FILE` for the content of a file.

    Raises:
        QueryError: no such kind, an unreadable file, or words that make no sense.
    """
    formula: Formula = plugins.build("queries", kind).parse(net, question_text(text))
    return formula


def unnamed_places(net: Net, text: str) -> tuple[str, ...]:
    """The places that the words of a `target` (or its `@FILE`) leave out, hence empty.

    Raises:
        QueryError: as `parse_query` does.
    """
    from petricheck.queries import target

    return target.unnamed_places(net, question_text(text))


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
