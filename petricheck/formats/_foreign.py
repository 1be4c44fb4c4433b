"""Files of other tools that are told by their endings, and what to read instead of them."""

from __future__ import annotations

from pathlib import Path

from petricheck.errors import InputError
from petricheck.files import suffix

_FOREIGN = {
    ".ndr": (
        "a drawing of Tina's editor nd",
        "save the net as .net, there or with ndrio, which comes with Tina",
    ),
    ".tpn": ("a script of Tina", "write its net as .net with ndrio, which comes with Tina"),
    ".gal": (
        "a program in ITS-Tools' guarded action language, and no net",
        "read the net that it was made of, as .pnml",
    ),
    ".cpn": (
        "a coloured net of CPN Tools",
        "unfold it to a place/transition net and write that as .pnml",
    ),
}
"""By ending: what the file is, and what to do. Tina's .net keeps all that a drawing has, so that
what no place/transition net has is refused; other conversions may drop it."""


def check_ending(path: str | Path) -> None:
    """Refuse a file whose name says that another tool's format is in it.

    Raises:
        InputError: it does; what to do stands in the message.
    """
    ending = suffix(path)
    if ending in _FOREIGN:
        what, remedy = _FOREIGN[ending]
        raise InputError(f"a file ending in {ending} is {what}; {remedy}", path=str(path))
