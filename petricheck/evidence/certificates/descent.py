"""Home spaces by a rank that decreases until the home space is reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.arithmetic.formulas.json import SUM, items, record
from petricheck.arithmetic.formulas.terms import linear
from petricheck.arithmetic.formulas.text import term_to_text
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates import TRACE, Description, notation_of
from petricheck.evidence.certificates._certificate import CERTIFICATE
from petricheck.support.words import counted


@dataclass(frozen=True, slots=True)
class LoweringWords:
    """Firing sequences that lower a sum of tokens, until the home space is reached.

    Attributes:
        rank: the sum: weights ≥ 0 by place id.
        words: the firing sequences.
        certificate: excludes the markings outside of the home space that enable none of the words.
    """

    rank: tuple[tuple[str, int], ...]
    words: tuple[Trace, ...]
    certificate: object


_DESCENT = record(LoweringWords, {"rank": SUM, "words": items(TRACE), "certificate": CERTIFICATE})


@dataclass(frozen=True)
class Descent:
    """A rank, words and a certificate."""

    of: ClassVar[type] = LoweringWords
    keys: ClassVar[tuple[str, ...]] = ("descent",)

    def write(self, certificate: LoweringWords) -> dict[str, Any]:
        """Return an object with all parts."""
        return {"descent": _DESCENT.write(certificate)}

    def read(self, fields: Mapping[str, Any]) -> LoweringWords:
        """Return the proof that `write` has written; raise EvidenceError for other values."""
        return _DESCENT.read(fields["descent"])

    def describe(self, certificate: LoweringWords, form: str) -> Description:
        """Describe the rank, the words, and why one of them can always fire."""
        description = notation_of(certificate.certificate).describe(certificate.certificate, form)
        words = counted(len(certificate.words), "firing sequence")
        headline = f"A rank can be lowered until it is reached, by {words}."
        lines = [
            f"The rank is {term_to_text(linear(certificate.rank))}, which these lower:",
            *(f"  {word}" for word in certificate.words),
            _TARGET,
            *filter(None, (description.headline, description.body)),
        ]
        summary = "\n".join(filter(None, (headline, _TARGET, description.summary)))
        return Description(headline, "\n".join(lines), summary, description.places)


_TARGET = "Elsewhere one of them can always fire; the target, where none can, is not reachable:"
