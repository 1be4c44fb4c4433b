"""Kinds of files that people have and that are not read: how each is recognized, and what to do."""

from __future__ import annotations

import re
from typing import NamedTuple

from petricheck.support.errors import InputError

LONGEST = 4096
"""The most bytes, from the first that is no blank, in which a kind of file is recognized."""


class ForeignKind(NamedTuple):
    """A kind of file, recognized by its content, or else by its ending.

    Attributes:
        what: what it is.
        remedy: what to do instead.
        start: matches the beginning of its content, b"" for none.
        endings: of its names.
    """

    what: str
    remedy: str
    start: bytes = b""
    endings: tuple[str, ...] = ()


KINDS = (
    ForeignKind(
        "a Git LFS pointer, and not the file that it stands for",
        "fetch that with 'git lfs pull'",
        rb"version https://git-lfs",
    ),
    ForeignKind(
        "a page for browsers",
        "download the file itself, which sites often call raw",
        rb"(?i:<!doctype html|<html)",
    ),
    ForeignKind(
        "a net of VipTool, which writes numbers and types in its own way",
        "write the net as standard PNML, with <text>2</text> for a number and without providers",
        rb'<[\s\S]*?<net type="VIPschema',
    ),
    ForeignKind(
        "a dump of a net of SNAKES, which may contain programs",
        "load it in Python with SNAKES and convert it with petricheck.interop.from_snakes",
        rb'<[\s\S]*?<type domain="',
    ),
    ForeignKind(
        "a process model (BPMN), and no net",
        "convert it with pm4py: read_bpmn, convert_to_petri_net, write_pnml",
        rb"<[\s\S]*?\bdefinitions\b[\s\S]*?www\.omg\.org/spec/BPMN",
        (".bpmn",),
    ),
    ForeignKind(
        "a net of TimeNET, which has delays and priorities",
        "write the net without them, as .pnml or as .net of Tina",
        rb"<[\s\S]*?(?:/TimeNET/schema|<net\s[^>]*netclass=)",
    ),
    ForeignKind(
        "a net of Snoopy",
        "write it as .pnml or as .net of Tina",
        rb"[\s\S]*?<Snoopy\b",
        (".spept",),
    ),
    ForeignKind(
        "a net of Woflan",
        "read it with ProM, and write it as .pnml there",
        rb"(?:place|trans)\s[^;()]*;",
    ),
    ForeignKind(
        "a log of events, and no net", "discover a net from it with pm4py", endings=(".xes",)
    ),
    ForeignKind(
        "a process model (XPDL), and no net",
        "write it as .bpmn with the tool that made it, and convert that with pm4py",
        endings=(".xpdl",),
    ),
    ForeignKind(
        "a net in the description language of Snoopy and Marcie",
        "write it as .pnml or as .net of Tina",
        endings=(".andl", ".candl"),
    ),
    ForeignKind("a drawing of Renew", "write it as .pnml there", endings=(".rnw",)),
    ForeignKind("a work of Workcraft", "write its net as .g there", endings=(".work",)),
    ForeignKind(
        "the second file of a net of GreatSPN",
        "name the first, which ends in .net",
        endings=(".def",),
    ),
    ForeignKind(
        "a drawing of Tina's editor nd",
        # Other conversions may drop the features that no place/transition net has.
        "save the net as .net, there or with ndrio, which comes with Tina",
        endings=(".ndr",),
    ),
    ForeignKind(
        "a script of Tina",
        "write its net as .net with ndrio, which comes with Tina",
        endings=(".tpn",),
    ),
    ForeignKind(
        "a program in ITS-Tools' guarded action language, and no net",
        "read the net that it was made of, as .pnml",
        endings=(".gal",),
    ),
    ForeignKind(
        "a coloured net of CPN Tools",
        "unfold it to a place/transition net and write that as .pnml",
        endings=(".cpn",),
    ),
)


def foreign(start: bytes, ending: str, path: str) -> InputError | None:
    """Return the refusal of a file whose content begins so; None if it is of no such kind."""
    for kind in KINDS:
        if kind.start and re.match(kind.start, start[:LONGEST]):
            return InputError(f"this is {kind.what}; {kind.remedy}", path=path)
    for kind in KINDS:
        if ending in kind.endings:
            subject = f"a file ending in {ending}"
            return InputError(f"{subject} is {kind.what}; {kind.remedy}", path=path)
    return None
