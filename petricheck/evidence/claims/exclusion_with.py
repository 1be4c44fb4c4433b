"""Claims that markings are out of reach once one of some transitions has fired."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import FORMULA, TEXT, JsonForm, items
from petricheck.evidence.claims._claim import Claim, certified
from petricheck.model.net import Net

if TYPE_CHECKING:
    from petricheck.evidence.explanation import Outline, Words


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


class ExclusionWith:
    """A certificate about the net that records whether one of the transitions has fired."""

    of = ExcludedWith
    keys = ("excluded", "with")
    rank = 50
    noun = "invariant of transitions"
    technique = "INVARIANT"

    def form(self, formula: JsonForm[Formula]) -> JsonForm[ExcludedWith]:
        """Return the form with the transitions and the formula."""
        return certified(ExcludedWith, {"with": items(TEXT), "excluded": FORMULA})

    def statement(self, claim: ExcludedWith, *, target: bool) -> Words:
        """Return the sentence that the formula never holds after the transitions."""
        from petricheck.evidence.explanation import several_ids

        return ("Never after ", several_ids(claim.transitions), ": ", claim.formula, ".")

    def evidence(self, net: Net, claim: ExcludedWith, *, target: bool) -> Iterator[Outline]:
        """Yield the certificate, and the net that it is about."""
        from petricheck.evidence.explanation import Line, Stated

        marked = "Of the net in which a copy of each such transition empties the place unfired:"
        yield Line((marked,))
        yield Stated(claim.certificate)

    def reasons(self, net: Net, claim: ExcludedWith) -> Iterator[Outline]:
        """Yield the proof."""
        from petricheck.evidence.audit.participation import participation  # It imports claims.
        from petricheck.evidence.explanation import ProofOutline

        yield ProofOutline(participation(net, claim.transitions, claim.formula), claim.certificate)
