"""Home spaces of well-formed free-choice nets, which are live."""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.arithmetic.formulas.json import SUM, record
from petricheck.evidence.certificates import Description, OneKey
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


class FreeChoice(OneKey):
    """The two invariants."""

    of = PositiveInvariants
    keys = ("free choice",)
    json = record(PositiveInvariants, {"places": SUM, "transitions": SUM})

    def describe(self, certificate: PositiveInvariants, form: str) -> Description:
        """Describe why the net is live."""
        places, transitions = len(certificate.places), len(certificate.transitions)
        size = f"{counted(places, 'place')} and {counted(transitions, 'transition')}"
        headline = "The net is free-choice and well-formed, with tokens on every siphon."
        body = f"It has positive invariants of {size}; the rank theorem implies the rest."
        return Description(headline, body, headline)
