"""Home spaces by firing sequences that undo every transition."""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.arithmetic.formulas.json import TEXT, items, pair, record
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates import CERTIFICATE, TRACE, Description, OneKey, described
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


class Reversal(OneKey):
    """Words and a certificate."""

    of = ReversingWords
    keys = ("reversal",)
    json = record(ReversingWords, {"words": _WORDS, "certificate": CERTIFICATE})

    def describe(self, certificate: ReversingWords, form: str) -> Description:
        """Describe the words of each transition, and why one of them can fire."""
        number = counted(len(certificate.words), "transition")
        headline = f"Whatever fired can be taken back: firing sequences undo {number}."
        lines = [
            "After each transition one of these can fire that undoes it:",
            *(f"  {shown_name(name)}: {w}" for name, words in certificate.words for w in words),
            _TARGET,
        ]
        return described(certificate.certificate, form).within(headline, lines, (_TARGET,))


_TARGET = "One of them can always fire then; the target, where none can, is not reachable:"
