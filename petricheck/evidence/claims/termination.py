"""Claims that runs end, unless they fire some transitions again and again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import TEXT, JsonForm, items
from petricheck.evidence.claims._claim import Claim, certified
from petricheck.model.net import Net

if TYPE_CHECKING:
    from petricheck.evidence.explanation import Outline, Words


@dataclass(frozen=True, slots=True)
class Terminating(Claim):
    """The claim that each infinite run fires some of these transitions infinitely often.

    Without any, every run ends.

    Attributes:
        transitions: their ids.
        proof: a `certificates.ranking.RankingFunction`.
    """

    transitions: tuple[str, ...]
    proof: object


class Termination:
    """What the firings of all other transitions lower."""

    of = Terminating
    keys = ("ends without",)
    rank = 65
    noun = "ranking"
    technique = "RANKING"

    def form(self, formula: JsonForm[Formula]) -> JsonForm[Terminating]:
        """Return the form with the transitions."""
        return certified(Terminating, {"ends without": items(TEXT)})

    def statement(self, claim: Terminating, *, target: bool) -> Words:
        """Return the sentence that runs end."""
        from petricheck.evidence.explanation import several_ids

        if not claim.transitions:
            return ("Every run ends.",)
        again = "A run that never ends fires some of these again and again: "
        return (again, several_ids(claim.transitions), ".")

    def evidence(self, net: Net, claim: Terminating, *, target: bool) -> Iterator[Outline]:
        """Yield what other firings lower."""
        from petricheck.evidence.explanation import Line, Stated

        if claim.transitions:
            yield Line(("Of all other transitions:",))
        yield Stated(claim.proof)

    def reasons(self, net: Net, claim: Terminating) -> Iterator[Outline]:
        """Yield by how much each transition lowers the sum."""
        from petricheck.evidence.certificates.ranking import RankingFunction
        from petricheck.evidence.explanation import Id, sentences

        assert isinstance(claim.proof, RankingFunction)
        lowered = zip(net.actions, claim.proof.changes(net), strict=True)
        others = ((name, change) for name, change in lowered if name not in claim.transitions)
        yield from sentences(
            (
                (Id(name), " lowers the sum by ", -change, ".")
                if change
                else (Id(name), " lowers the rank.")
                for name, change in others
            ),
            "transition",
        )
