"""Home spaces by firing sequences that undo every transition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.arithmetic.formulas.json import TEXT, items, pair, record
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates import TRACE, Description, notation_of
from petricheck.evidence.certificates._certificate import CERTIFICATE
from petricheck.support.words import counted


@dataclass(frozen=True, slots=True)
class ReversingWords:
    """Firing sequences that undo the firing of a transition.

    Attributes:
        words: by transition id, firing sequences with the opposite effect.
        certificate: excludes the markings right after a transition that enable none of its words.
    """

    words: tuple[tuple[str, tuple[Trace, ...]], ...]
    certificate: object


_WORDS = items(pair(TEXT, items(TRACE), "[transition, its firing sequences]"))
_REVERSAL = record(ReversingWords, {"words": _WORDS, "certificate": CERTIFICATE})


@dataclass(frozen=True)
class Reversal:
    """Words and a certificate."""

    of: ClassVar[type] = ReversingWords
    keys: ClassVar[tuple[str, ...]] = ("reversal",)

    def write(self, certificate: ReversingWords) -> dict[str, Any]:
        """Return an object with both."""
        return {"reversal": _REVERSAL.write(certificate)}

    def read(self, fields: Mapping[str, Any]) -> ReversingWords:
        """Return the proof that `write` has written; raise EvidenceError for other values."""
        return _REVERSAL.read(fields["reversal"])

    def describe(self, certificate: ReversingWords, form: str) -> Description:
        """Describe the words of each transition, and why one of them can fire."""
        description = notation_of(certificate.certificate).describe(certificate.certificate, form)
        number = counted(len(certificate.words), "transition")
        headline = f"Whatever fired can be taken back: firing sequences undo {number}."
        lines = [
            "After each transition one of these can fire that undoes it:",
            *(f"  {shown_name(name)}: {w}" for name, words in certificate.words for w in words),
            _TARGET,
            *filter(None, (description.headline, description.body)),
        ]
        summary = "\n".join(filter(None, (headline, _TARGET, description.summary)))
        return Description(headline, "\n".join(lines), summary, description.places)


_TARGET = "One of them can always fire then; the target, where none can, is not reachable:"
