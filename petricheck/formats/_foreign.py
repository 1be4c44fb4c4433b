"""Files of other tools that are told by their endings, and what to read instead of them."""

from __future__ import annotations

from pathlib import Path

from petricheck.errors import InputError
from petricheck.files import suffix

_FOREIGN = {
    ".ndr": (
        "a drawing of Tina's editor nd",
        "save the net as .net or .pnml, there or with ndrio, which comes with Tina",
    ),
    ".tpn": ("a net with time", "write the net without time as .net or .pnml"),
    ".gal": (
        "a program in ITS-Tools' guarded action language, and no net",
        "read the net that it was made of, as .pnml",
    ),
    ".cpn": (
        "a coloured net of CPN Tools",
        "unfold it to a place/transition net and write that as .pnml",
    ),
    ".pnpro": ("a project of GreatSPN's editor", "export the net from there as .pnml"),
    ".hlpn": ("a high-level net", "unfold it to a place/transition net, written as .pnml or .lola"),
}


def check_ending(path: str | Path) -> None:
    """Refuse a file whose name says that another tool's format is in it.

    Raises:
        InputError: it does; what to do stands in the message.
    """
    ending = suffix(path)
    if ending in _FOREIGN:
        what, remedy = _FOREIGN[ending]
        raise InputError(f"a file ending in {ending} is {what}; {remedy}", path=str(path))
