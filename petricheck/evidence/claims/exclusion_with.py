"""Claims that markings are out of reach once one of some transitions has fired."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import TEXT, Form, items, read_formula, write_formula
from petricheck.evidence.certificates import notation_of, read_certificate
from petricheck.evidence.claims._claim import Claim
from petricheck.evidence.explanation import Line, Outline, Proof, Stated, Words, several_ids
from petricheck.model.net import Net

_NAMES = items(TEXT)


@dataclass(frozen=True, slots=True)
class ExcludedWith(Claim):
    """No firing sequence in which one of the transitions fires ends in a marking in a formula.

    Attributes:
        transitions: their ids.
        formula: what is excluded once one of them has fired.
        certificate: as in `evidence.answer.Unreachable`, for the problem of `audit.participation`.
    """

    transitions: tuple[str, ...]
    formula: Formula
    certificate: object


@dataclass(frozen=True)
class ExclusionWith:
    """A certificate about the net that records whether one of the transitions has fired."""

    of: ClassVar[type[Claim]] = ExcludedWith
    keys: ClassVar[tuple[str, ...]] = ("excluded", "with")
    rank: ClassVar[int] = 50
    noun: ClassVar[str] = "invariant of transitions"
    technique: ClassVar[str] = "INVARIANT"

    def write(self, claim: ExcludedWith, formula: Form[Formula]) -> dict[str, Any]:
        """Return an object with the transitions, the formula and the keys of the certificate."""
        certificate = notation_of(claim.certificate).write(claim.certificate)
        fields = {"with": _NAMES.write(claim.transitions), "excluded": write_formula(claim.formula)}
        return {**fields, **certificate}

    def read(self, fields: Mapping[str, Any], formula: Form[Formula]) -> ExcludedWith:
        """Return the claim that `write` has written; raise EvidenceError for other objects."""
        certificate, names = read_certificate(fields, *self.keys), _NAMES.read(fields["with"])
        return ExcludedWith(names, read_formula(fields["excluded"]), certificate)

    def statement(self, claim: ExcludedWith, *, target: bool) -> Words:
        """Return the sentence that the formula never holds after the transitions."""
        return ("Never after ", several_ids(claim.transitions), ": ", claim.formula, ".")

    def evidence(self, net: Net, claim: ExcludedWith, *, target: bool) -> Iterator[Outline]:
        """Yield the certificate, and the net that it is about."""
        marked = "Of the net in which a copy of each such transition empties the place unfired:"
        yield Line((marked,))
        yield Stated(claim.certificate, net.given_names)

    def reasons(self, net: Net, claim: ExcludedWith) -> Iterator[Outline]:
        """Yield the proof."""
        from petricheck.evidence.audit.participation import participation  # The audit knows claims.

        yield Proof(participation(net, claim.transitions, claim.formula), claim.certificate)
