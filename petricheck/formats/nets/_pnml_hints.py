"""Words by which tools declare that an arc is no ordinary one, or that a transition has to wait.

Case, namespace and punctuation do not matter: xsi:type="inhibitorArc" is one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

Sense: TypeAlias = Literal["special", "kind", "restraint", ""]
"""The meaning of a name: a special arc, the kind of something, a restraint on firing; or none."""

LONGEST = 64
"""The most characters of a kind of arc; longer texts are lists or prose."""

_SPECIAL = "reset|read|test|flush|transfer"
_RARE = "transport|purge|catalyst|activator|modifier|equal|contextual|stopwatch|opaque|coarse"
_ARCS = "arcs?|edges?"
_NAME = re.compile(rf".*inhib.*|(?:is|has)?(?:zero)?(?:{_SPECIAL})(?:s|ing)?(?:{_ARCS})?")
_VALUE = re.compile(rf"(?:tapn|timed)?inhibit[a-z]{{0,3}}(?:{_ARCS})?|(?:{_SPECIAL})(?:{_ARCS})")
_OF_ARC = re.compile(rf".*inhib.*|(?:zero|timed)?(?:{_SPECIAL}|{_RARE})(?:s|ing)?(?:{_ARCS})?")
_ABOUT_ARCS = re.compile("arc(?!h)|edge")  # "hierarchy" is about something else
_KINDS = frozenset({"type", "kind", "arctype", "arckind", "edgetype", "typeofarc"})
_RESTRAINTS = frozenset(
    {
        *("priority", "priorities", "capacity", "placecapacity", "guard", "delay", "interval"),
        *("eft", "lft", "urgent", "timed", "time", "timing"),
        "distributiontype",  # of delays, in ProM
        "tokencasesensitive",  # in Yasper: tokens of one case only meet
    }
)
NORMAL = frozenset({"normal", "ordinary", "regular", "standard"})
"""Names of the ordinary kind of arc."""

DENIALS = frozenset({"false", "no", "none", "off", "0", *NORMAL})
"""Values that deny that an arc is special."""

NOTHING = frozenset(
    {*DENIALS, "", "0.0", "-1", "inf", "infinity", "infinite", "unlimited", "immediate"}
)
"""Values that deny a restraint."""


class Name(NamedTuple):
    """The meaning of the name of an element or attribute.

    Attributes:
        local: without its namespace.
        sense: see `Sense`.
        about_arcs: whether it says that its content is about arcs.
    """

    local: str
    sense: Sense
    about_arcs: bool

    @property
    def changes(self) -> bool:
        """Whether what has this name may change the behaviour of a place or transition."""
        return self.sense in ("special", "restraint")


@lru_cache(maxsize=4096)
def read(raw: str) -> Name:
    """Return the meaning of a name, which may begin with a namespace and a space."""
    local = raw.rpartition(" ")[2]
    word = _letters(local)
    return Name(local, _sense(word), _ABOUT_ARCS.search(word) is not None)


def _sense(word: str) -> Sense:
    if _NAME.fullmatch(word):
        return "special"
    if word in _KINDS:
        return "kind"
    return "restraint" if word in _RESTRAINTS else ""


def special(value: str) -> bool:
    """Return whether a word names a special arc wherever it occurs."""
    return len(value) <= LONGEST and _VALUE.fullmatch(_letters(value)) is not None


def special_of_arc(value: str) -> bool:
    """Return whether a word on an arc means that the arc is special."""
    return len(value) <= LONGEST and _OF_ARC.fullmatch(_letters(value)) is not None


def _letters(text: str) -> str:
    return re.sub("[^a-z]", "", text.lower())
