"""The words of PNML: what they mean in names and values, and where elements may occur.

Some tools declare by a word that an arc is no ordinary one, or that a transition has to wait. Case,
namespace and punctuation do not matter: xsi:type="inhibitorArc" is one.
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
    """A name without its namespace, its sense, and whether its content is about arcs."""

    local: str
    sense: Sense
    about_arcs: bool

    @property
    def changes(self) -> bool:
        """Whether what has this name may change the behaviour of a place or transition."""
        return self.sense in ("special", "restraint")


@lru_cache(maxsize=4096)
def read_name(raw: str) -> Name:
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


def is_special(value: str) -> bool:
    """Return whether a word names a special arc wherever it occurs."""
    return len(value) <= LONGEST and _VALUE.fullmatch(_letters(value)) is not None


def is_special_of_arc(value: str) -> bool:
    """Return whether a word on an arc means that the arc is special."""
    return len(value) <= LONGEST and _OF_ARC.fullmatch(_letters(value)) is not None


def _letters(text: str) -> str:
    return re.sub("[^a-z]", "", text.lower())


SKIP = "skip"
"""Context of elements that are skipped with all their content."""

STRUCTURED = "structured"
"""Context of labels with structures."""

_IGNORED = dict.fromkeys(("toolspecific", "graphics", "comment", "description"), SKIP)
_OBJECTS = {
    **_IGNORED,
    "name": "label",
    "page": "page",
    "place": "place",
    "transition": "transition",
    "referencePlace": "reference",
    "referenceTransition": "reference",
    "arc": "arc",
}

GRAMMAR: dict[str, dict[str, str]] = {
    "document": {"pnml": "pnml"},
    "pnml": {**_IGNORED, "name": SKIP, "net": "net", "module": "module"},
    # Service nets: a net whose final markings follow it, and no ports.
    "module": {**_IGNORED, "name": SKIP, "ports": "ports", "net": "net", "finalmarkings": "finals"},
    "ports": {},
    # PIPE writes the colour of tokens, notes, names of rates, and groups of states.
    "net": {
        **_OBJECTS,
        "finalmarkings": "finals",
        **dict.fromkeys(("token", "labels", "definition", "stategroup"), SKIP),
    },
    "finals": {**_IGNORED, "marking": "final"},
    "final": {**_IGNORED, "place": "mark"},
    "mark": {"text": "text"},
    "page": _OBJECTS,
    # A label of Tina names places and transitions for its output.
    "place": {
        **_IGNORED,
        **dict.fromkeys(("name", "initialMarking", "capacity"), "label"),
        "label": SKIP,
    },
    # Servers change speed only; timed, priority, rate and Yasper's type are checked.
    "transition": {
        **_IGNORED,
        **dict.fromkeys(("name", "timed", "priority", "rate", "type"), "label"),
        **dict.fromkeys(("infiniteServer", "orientation", "label"), SKIP),
    },
    "reference": {**_IGNORED, "name": "label"},
    "arc": {
        **_IGNORED,
        **dict.fromkeys(("name", "inscription", "type", "arctype", "tagged"), "label"),
        "arcpath": SKIP,
    },
    "label": {**_IGNORED, "text": "text", "value": "text"},
    "text": {},
}
"""Context, element → the context inside the element. Other elements are refused."""

_STRUCTURED = {
    "net": ("declaration",),
    "page": ("declaration",),
    "place": ("type", "hlinitialMarking"),
    "transition": ("condition",),
    "arc": ("hlinscription",),
}
STRUCTURED_LABELS = ("type", "hlinitialMarking", "condition", "hlinscription")
"""Labels of places, transitions and arcs that contain structures."""

_PLAIN_LABELS = frozenset({"initialMarking", "inscription"})
SYMMETRIC_GRAMMAR: dict[str, dict[str, str]] = {
    **GRAMMAR,
    **{
        context: {
            **{name: of for name, of in GRAMMAR[context].items() if name not in _PLAIN_LABELS},
            **dict.fromkeys(labels, STRUCTURED),
        }
        for context, labels in _STRUCTURED.items()
    },
    STRUCTURED: {**_IGNORED, "text": SKIP, "structure": "structure"},
}
"""The same for symmetric nets; `_structures` reads the content of structures."""
SYMMETRIC_GRAMMAR["net"]["finalmarkings"] = SKIP  # They would need colours.
del SYMMETRIC_GRAMMAR["transition"]["type"]

_DECORATION = frozenset({"id", "name", "label", "x", "y"})

ATTRIBUTES: dict[str, frozenset[str]] = {
    "pnml": frozenset(),
    "module": _DECORATION,
    "net": _DECORATION | {"type"},
    "page": _DECORATION,
    "place": _DECORATION,
    "transition": _DECORATION,
    "reference": _DECORATION | {"ref"},
    "arc": _DECORATION | {"source", "target"},
    "final": _DECORATION,
    "mark": frozenset({"idref"}),
}
"""The attributes that may occur in each context; others are refused."""

_NET_TYPES = frozenset(
    {
        *("ptnet", "ptnetb", "pt-net", "p/t net", "p/t-net", "p/t"),
        *("pnmlcoremodel", "basicpnml", "epnml-1.1", "epnml11"),
        *("inhibitorptnet", "resetptnet", "resetinhibitorptnet"),
    }
)
_SYMMETRIC_TYPES = frozenset({"symmetricnet", "highlevelnet", "hlpng", "pt-hlpng"})
# The authorities for these names; elsewhere they may mean anything.
_NET_TYPE = re.compile(
    r"(?:https?://(?:www\.)?(?:"
    r"pnml\.org/(?:version-[0-9-]+/)?(?:(?:grammar|extensions)/)?"
    r"|informatik\.hu-berlin\.de/top/(?:pnml|pntd)/"
    r"|(?:yasper|petriweb)\.org/specs/))?([^:#]+)"
)
# Its time nets; a transition without a <delay>, which is refused, may fire at any time.
_TINA = re.compile(r"https?://(?:www\.)?laas\.fr/tina/tpn")
_HIGH_LEVEL = frozenset(  # in small letters
    {
        *("hlinitialmarking", "hlinscription", "condition", "structure", "declaration", "type"),
        *("declarations", "sort", "variabledecl", "namedsort", "namedoperator", "variables"),
        *("guard", "colored", "coloured", "color", "colour", "colorset"),
    }
)
_TIMED = frozenset({"delay", "interval", "time", "timing", "urgent", "invariant", "clock"})


def is_place_transition_type(type_name: str) -> bool:
    """Return whether a net of this type, a URI or a plain word, can be a place/transition net."""
    name = type_name.strip().lower().removesuffix(".pntd").removesuffix(".rng").rstrip("/")
    match = _NET_TYPE.fullmatch(name)
    return (match is not None and match[1] in _NET_TYPES) or is_tina_type(name)


def is_tina_type(type_name: str) -> bool:
    """Return whether a net of this type is one of Tina's time nets."""
    return _TINA.fullmatch(type_name.strip().lower().rstrip("/")) is not None


def is_symmetric_type(type_name: str) -> bool:
    """Return whether a type means symmetric nets, or high-level ones (in part readable)."""
    name = type_name.strip().lower().removesuffix(".pntd").removesuffix(".rng").rstrip("/")
    match = _NET_TYPE.fullmatch(name)
    return match is not None and match[1] in _SYMMETRIC_TYPES


def remedy(name: str, context: str, *, symmetric: bool) -> str:
    """Return advice about an element that may not occur in this context."""
    if symmetric and name in _PLAIN_LABELS:
        return f"say it in a <structure> of <hl{name}>"
    if context == "document":
        return "a PNML file starts with <pnml>; is this another kind of file?"
    if context in ("label", "text"):
        return "write plain text in one <text>; structured content belongs to coloured nets"
    if context == "ports":
        return "a net with ports waits for others: compose it with them, and write their whole net"
    if context == "module":
        return "a module is read if it has one net, with final markings behind it"
    name = name.lower()
    if context == "reference" and name == "initialmarking":
        return "move it to the place that is referred to"
    if name == "net":
        return "a net within a net is a subprocess of WoPeD: put what is in it in its place"
    if name in _HIGH_LEVEL:
        if symmetric:
            return "it may stand elsewhere in a coloured net: move it"
        return (
            "it belongs to high-level (coloured) nets: if this is one, correct the net's type to "
            "http://www.pnml.org/version-2009/grammar/symmetricnet"
        )
    if name in _TIMED:
        return "it belongs to timed nets: remove all timing if the untimed net is meant"
    if name in ("toolspecific", "graphics") or read_name(name).sense:
        return "it may change the meaning: remove it if it does not"
    return "it may change the meaning: remove it if it does not, or put it in <toolspecific>"
