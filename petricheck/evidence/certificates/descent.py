"""Home spaces by a rank that decreases until the home space is reached."""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.arithmetic.formulas.json import SUM, items, record
from petricheck.arithmetic.formulas.terms import linear
from petricheck.arithmetic.formulas.text import term_to_text
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates import CERTIFICATE, TRACE, Description, OneKey, described
from petricheck.support.words import counted


@dataclass(frozen=True, slots=True)
class LoweringWords:
    """Firing sequences that lower a sum of tokens, until the home space is reached.

    Without any, all reachable markings are in the home space.

    Attributes:
        rank: the sum: weights ≥ 0 by place id.
        certificate: excludes the markings outside of the home space that enable none of the words.
    """

    rank: tuple[tuple[str, int], ...]
    words: tuple[Trace, ...]
    certificate: object


class Descent(OneKey):
    """A rank, words and a certificate."""

    of = LoweringWords
    keys = ("descent",)
    json = record(LoweringWords, {"rank": SUM, "words": items(TRACE), "certificate": CERTIFICATE})

    def describe(self, certificate: LoweringWords, form: str) -> Description:
        """Describe the rank, the words, and why one of them can always fire."""
        if not certificate.words:
            return described(certificate.certificate, form).within(_ALWAYS)
        words = counted(len(certificate.words), "firing sequence")
        headline = f"A rank can be lowered until it is reached, by {words}."
        lines = [
            f"The rank is {term_to_text(linear(certificate.rank))}, which these lower:",
            *(f"  {word}" for word in certificate.words),
            _TARGET,
        ]
        return described(certificate.certificate, form).within(headline, lines, (_TARGET,))


_ALWAYS = "All reachable markings are there; the target, those elsewhere, is not reachable:"
_TARGET = "Elsewhere one of them can always fire; the target, where none can, is not reachable:"
