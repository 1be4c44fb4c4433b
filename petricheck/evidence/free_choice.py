"""Liveness of well-formed free-choice nets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.evidence import Told
from petricheck.presburger.json import SUM, record
from petricheck.words import counted


@dataclass(frozen=True, slots=True)
class PositiveInvariants:
    """A place invariant and a transition invariant, without zeros, of a free-choice net.

    All else that makes it live is derived from the net.

    Attributes:
        places: a weight by place id; no firing changes the weighted sum of tokens.
        transitions: by transition id, numbers of firings that change nothing all in all.
    """

    places: tuple[tuple[str, int], ...]
    transitions: tuple[tuple[str, int], ...]


_INVARIANTS = record(PositiveInvariants, {"places": SUM, "transitions": SUM})


@dataclass(frozen=True)
class FreeChoice:
    """Both invariants."""

    of: ClassVar[type] = PositiveInvariants
    keys: ClassVar[tuple[str, ...]] = ("free choice",)

    def write(self, certificate: PositiveInvariants) -> dict[str, Any]:
        """An object with both."""
        return {"free choice": _INVARIANTS.write(certificate)}

    def read(self, fields: Mapping[str, Any]) -> PositiveInvariants:
        """The inverse of `write`; EvidenceError where it is none."""
        return _INVARIANTS.read(fields["free choice"])

    def told(self, certificate: PositiveInvariants, form: str) -> Told:
        """Why the net is live."""
        places, transitions = len(certificate.places), len(certificate.transitions)
        size = f"{counted(places, 'place')} and {counted(transitions, 'transition')}"
        headline = "The net is free-choice and well-formed, with tokens on every siphon."
        body = f"It has positive invariants of {size}; the rank theorem tells the rest."
        return Told(headline, body, headline)
