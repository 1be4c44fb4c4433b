"""Every firing can be taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.answer import Trace
from petricheck.evidence import Told, notation_of
from petricheck.evidence._certificate import CERTIFICATE
from petricheck.evidence._trace import TRACE
from petricheck.presburger.json import TEXT, items, pair, record
from petricheck.presburger.shown import shown_name
from petricheck.words import counted


@dataclass(frozen=True, slots=True)
class ReversingWords:
    """Firing sequences that take back what a transition did.

    Attributes:
        words: by transition id, firing sequences of the opposite effect.
        certificate: that after no transition all of its words are disabled.
    """

    words: tuple[tuple[str, tuple[Trace, ...]], ...]
    certificate: object


_WORDS = items(pair(TEXT, items(TRACE), "[transition, its firing sequences]"))
_REVERSAL = record(ReversingWords, {"words": _WORDS, "certificate": CERTIFICATE})


@dataclass(frozen=True)
class Reversal:
    """Words and certificate."""

    of: ClassVar[type] = ReversingWords
    keys: ClassVar[tuple[str, ...]] = ("reversal",)

    def write(self, certificate: ReversingWords) -> dict[str, Any]:
        """An object with all of it."""
        return {"reversal": _REVERSAL.write(certificate)}

    def read(self, fields: Mapping[str, Any]) -> ReversingWords:
        """The inverse of `write`; EvidenceError where it is none."""
        return _REVERSAL.read(fields["reversal"])

    def told(self, certificate: ReversingWords, form: str) -> Told:
        """What takes each transition back; and why it can fire then."""
        description = notation_of(certificate.certificate).told(certificate.certificate, form)
        number = counted(len(certificate.words), "transition")
        headline = f"Whatever fired can be taken back: firing sequences undo {number}."
        lines = [
            "After each transition one of these can fire that undoes it:",
            *(f"  {shown_name(name)}: {w}" for name, words in certificate.words for w in words),
            _TARGET,
            *filter(None, (description.headline, description.body)),
        ]
        summary = "\n".join(filter(None, (headline, _TARGET, description.summary)))
        return Told(headline, "\n".join(lines), summary, description.places)


_TARGET = "One of them can always fire then; the target, where none can, is not reachable:"
