"""Claims that no marking in a formula is reachable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.arithmetic.formulas.formulas import FALSE, Formula
from petricheck.arithmetic.formulas.json import Form
from petricheck.evidence.certificates import notation_of, read_certificate
from petricheck.evidence.claims._claim import Claim
from petricheck.evidence.explanation import Outline, Proof, Stated, Words
from petricheck.model.net import Net
from petricheck.model.problem import Problem


@dataclass(frozen=True, slots=True)
class Excluded(Claim):
    """The claim that no reachable marking satisfies the formula.

    Attributes:
        formula: what is excluded; a disjunction excludes several things at once.
        certificate: as in `evidence.answer.Unreachable`.
    """

    formula: Formula
    certificate: object


@dataclass(frozen=True)
class Exclusion:
    """The certificate, and why it excludes the formula."""

    of: ClassVar[type[Claim]] = Excluded
    keys: ClassVar[tuple[str, ...]] = ("excluded",)
    rank: ClassVar[int] = 30
    noun: ClassVar[str] = "invariant"
    technique: ClassVar[str] = "INVARIANT"

    def write(self, claim: Excluded, formula: Form[Formula]) -> dict[str, Any]:
        """Return an object with the formula and the keys of the certificate."""
        certificate = notation_of(claim.certificate).write(claim.certificate)
        return {"excluded": formula.write(claim.formula), **certificate}

    def read(self, fields: Mapping[str, Any], formula: Form[Formula]) -> Excluded:
        """Return the claim that `write` has written; raise EvidenceError for other objects."""
        return Excluded(formula.read(fields["excluded"]), read_certificate(fields, *self.keys))

    def statement(self, claim: Excluded, *, target: bool) -> Words:
        """Return the sentence that the formula never holds; none for the target."""
        if claim.formula == FALSE:
            return ("The target simplifies to false.",)
        return () if target else ("Never: ", claim.formula, ".")

    def evidence(self, net: Net, claim: Excluded, *, target: bool) -> Iterator[Outline]:
        """Yield the certificate."""
        yield Stated(claim.certificate, net.given_names)

    def reasons(self, net: Net, claim: Excluded) -> Iterator[Outline]:
        """Yield the proof."""
        yield Proof(Problem(net, claim.formula), claim.certificate)
