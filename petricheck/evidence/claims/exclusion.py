"""Claims that no marking in a formula is reachable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import FALSE, Formula
from petricheck.arithmetic.formulas.json import JsonForm
from petricheck.evidence.claims._claim import Claim, certified
from petricheck.model.net import Net
from petricheck.model.problem import Problem

if TYPE_CHECKING:
    from petricheck.evidence.explanation import Outline, Words


@dataclass(frozen=True, slots=True)
class Excluded(Claim):
    """The claim that no reachable marking satisfies the formula.

    Attributes:
        formula: what is excluded; a disjunction excludes several things at once.
        certificate: as in `evidence.answer.Unreachable`.
    """

    formula: Formula
    certificate: object


class Exclusion:
    """The certificate, and why it excludes the formula."""

    of = Excluded
    keys = ("excluded",)
    rank = 30
    noun = "invariant"
    technique = "INVARIANT"

    def form(self, formula: JsonForm[Formula]) -> JsonForm[Excluded]:
        """Return the form with the formula."""
        return certified(Excluded, {"excluded": formula})

    def statement(self, claim: Excluded, *, target: bool) -> Words:
        """Return the sentence that the formula never holds; none for the target."""
        if claim.formula == FALSE:
            return ("The target simplifies to false.",)
        return () if target else ("Never: ", claim.formula, ".")

    def evidence(self, net: Net, claim: Excluded, *, target: bool) -> Iterator[Outline]:
        """Yield the certificate."""
        from petricheck.evidence.explanation import Stated

        yield Stated(claim.certificate)

    def reasons(self, net: Net, claim: Excluded) -> Iterator[Outline]:
        """Yield the proof."""
        from petricheck.evidence.explanation import ProofOutline

        yield ProofOutline(Problem(net, claim.formula), claim.certificate)
