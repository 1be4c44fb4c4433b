"""Certificates about a net that counts the tokens of a coloured net by classes of colours."""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.arithmetic.formulas.json import INTEGER, record
from petricheck.evidence.certificates import CERTIFICATE, Description, OneKey, described
from petricheck.support.words import counted


@dataclass(frozen=True, slots=True)
class ColourClasses:
    """A certificate about the net that `evidence.audit.colours.class_counts` makes.

    Attributes:
        tracked: how many interchangeable colours of each sort are classes of their own.
        apart: so are all colours of sorts with none that can be exchanged, of at most so many.
        certificate: excludes from that net what follows from the target.
    """

    tracked: int
    apart: int
    certificate: object

    def __str__(self) -> str:
        return f"{self.certificate}, by classes of colours"


class Classes(OneKey):
    """The numbers and the certificate."""

    of = ColourClasses
    keys = ("classes",)
    json = record(ColourClasses, {"tracked": INTEGER, "apart": INTEGER, "certificate": CERTIFICATE})

    def describe(self, certificate: ColourClasses, form: str) -> Description:
        """Describe what is counted, and the certificate."""
        headline = "Tokens are counted by classes of colours."
        lines = []
        if certificate.tracked:
            tracked = counted(certificate.tracked, "colour")
            lines.append(f"Set apart: of each sort {tracked} of those that can be exchanged.")
        if certificate.apart:
            most = counted(certificate.apart, "colour")
            lines.append(f"Set apart: all of each sort of at most {most} without any of those.")
        return described(certificate.certificate, form).within(headline, lines, lines)
