"""The words of PNML: the contexts of each element, and advice where it may not occur."""

from __future__ import annotations

import re

from petricheck.formats.nets import _pnml_hints as hints
from petricheck.formats.nets._net_elements import SKIP, STRUCTURED

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
    "pnml": {**_IGNORED, "name": SKIP, "net": "net"},
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
    }
)
_SYMMETRIC_TYPES = frozenset({"symmetricnet", "highlevelnet", "hlpng", "pt-hlpng"})
# The authorities for these names; elsewhere they may mean anything.
_NET_TYPE = re.compile(
    r"(?:https?://(?:www\.)?(?:"
    r"pnml\.org/(?:version-[0-9-]+/)?(?:grammar/)?"
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
    return (match is not None and match[1] in _NET_TYPES) or _TINA.fullmatch(name) is not None


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
    name = name.lower()
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
    if name in ("toolspecific", "graphics") or hints.read(name).sense:
        return "it may change the meaning: remove it if it does not"
    return "it may change the meaning: remove it if it does not, or put it in <toolspecific>"
