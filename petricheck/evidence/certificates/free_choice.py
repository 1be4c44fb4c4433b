"""Home spaces of well-formed free-choice nets, which are live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.arithmetic.formulas.json import SUM, record
from petricheck.evidence.certificates import Description
from petricheck.support.words import counted


@dataclass(frozen=True, slots=True)
class PositiveInvariants:
    """A place invariant and a transition invariant, without zeros, of a free-choice net.

    The audit derives from the net all other conditions of the theorems.

    Attributes:
        places: weights by place id; no firing changes the weighted sum of tokens.
        transitions: by transition id, numbers of firings whose effects add up to zero.
    """

    places: tuple[tuple[str, int], ...]
    transitions: tuple[tuple[str, int], ...]


_INVARIANTS = record(PositiveInvariants, {"places": SUM, "transitions": SUM})


@dataclass(frozen=True)
class FreeChoice:
    """The two invariants."""

    of: ClassVar[type] = PositiveInvariants
    keys: ClassVar[tuple[str, ...]] = ("free choice",)

    def write(self, certificate: PositiveInvariants) -> dict[str, Any]:
        """Return an object with both."""
        return {"free choice": _INVARIANTS.write(certificate)}

    def read(self, fields: Mapping[str, Any]) -> PositiveInvariants:
        """Return the invariants that `write` has written; raise EvidenceError for other values."""
        return _INVARIANTS.read(fields["free choice"])

    def describe(self, certificate: PositiveInvariants, form: str) -> Description:
        """Describe why the net is live."""
        places, transitions = len(certificate.places), len(certificate.transitions)
        size = f"{counted(places, 'place')} and {counted(transitions, 'transition')}"
        headline = "The net is free-choice and well-formed, with tokens on every siphon."
        body = f"It has positive invariants of {size}; the rank theorem implies the rest."
        return Description(headline, body, headline)
