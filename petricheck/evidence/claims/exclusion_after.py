"""Claims that markings are out of reach for ever once a trace has fired."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import FORMULA, JsonForm
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates import TRACE
from petricheck.evidence.claims._claim import Claim, certified
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.words import counted

if TYPE_CHECKING:
    from petricheck.evidence.explanation import Outline, Words


@dataclass(frozen=True, slots=True)
class ExcludedAfter(Claim):
    """The claim that no marking in a formula is reachable after a firing sequence.

    Attributes:
        trace: the firing sequence.
        formula: what is excluded from then on.
        certificate: as in `evidence.answer.Unreachable`, with that marking as the initial one.
    """

    trace: Trace
    formula: Formula
    certificate: object


class ExclusionAfter:
    """The trace, and a certificate about the net that begins where it ends."""

    of = ExcludedAfter
    keys = ("excluded", "after")
    rank = 40
    noun = "trace with an invariant"
    technique = "TRACE INVARIANT"

    def form(self, formula: JsonForm[Formula]) -> JsonForm[ExcludedAfter]:
        """Return the form with the trace and the formula."""
        return certified(ExcludedAfter, {"after": TRACE, "excluded": FORMULA})

    def statement(self, claim: ExcludedAfter, *, target: bool) -> Words:
        """Return the sentence that after the trace the formula is unreachable."""
        fired = f"After a trace of {counted(claim.trace.length, 'firing')}"
        after = fired if claim.trace.steps else "Initially"
        if target:
            return (f"{after} the target is out of reach for ever:",)
        return (f"{after} this is out of reach for ever: ", claim.formula, ".")

    def evidence(self, net: Net, claim: ExcludedAfter, *, target: bool) -> Iterator[Outline]:
        """Yield the trace, the marking where it ends, and the certificate."""
        from petricheck.evidence.explanation import Line, Stated, TraceTo

        yield TraceTo(claim.trace)
        yield Line(("Of the net that begins there:",))
        yield Stated(claim.certificate)

    def reasons(self, net: Net, claim: ExcludedAfter) -> Iterator[Outline]:
        """Yield the steps and the proof."""
        from petricheck.evidence.explanation import ProofOutline, Replayed

        yield Replayed(claim.trace)
        later = Problem(net.beginning(net.after(claim.trace.steps)), claim.formula)
        yield ProofOutline(later, claim.certificate, title=("From there on:",))
