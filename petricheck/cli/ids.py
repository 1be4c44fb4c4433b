"""Ids of properties: names, which a line that has one must not let pass for more."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from petricheck.errors import InputError
from petricheck.words import printable

if TYPE_CHECKING:
    from petricheck.properties import Property  # One question has no need of the package.


def is_word(name: str) -> bool:
    """Whether an id is one word of a line: it cannot be seen, or read, as anything more."""
    return bool(name) and name.isprintable() and " " not in name and '"' not in name


def shown_id(name: str) -> str:
    """The id on one line, in double quotes where it is not one word."""
    return name if is_word(name) else printable(json.dumps(name, ensure_ascii=False))


def check_words(properties: Sequence[Property], path: str) -> None:
    """Refuse ids that a reader of the contest's lines would take for more than a name.

    Args:
        properties: those that are asked.
        path: their file.

    Raises:
        InputError: an id has a blank, a quote, or a character that cannot be seen.
    """
    for formula in properties:
        if not is_word(formula.id):
            raise InputError(
                f"the id {shown_id(formula.id)} is not one word, so that a line of the contest "
                "could be misread; rename the property",
                path=path,
            )
