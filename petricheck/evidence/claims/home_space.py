"""Claims that formulas can always be reached again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import FORMULA, JsonForm, items
from petricheck.evidence.claims._claim import Claim, certified
from petricheck.model.net import Net
from petricheck.support.words import counted

if TYPE_CHECKING:
    from petricheck.evidence.explanation import Line, Outline, Words


@dataclass(frozen=True, slots=True)
class Home(Claim):
    """The claim that every reachable marking can reach a marking in each of the formulas.

    The markings in a formula are then a home space; a single one is a home marking.

    Attributes:
        formulas: the home spaces, at least one.
        proof: of a type that a member of `audit.homes` audits.
    """

    formulas: tuple[Formula, ...]
    proof: object


class HomeSpace:
    """The proof that the formulas are home spaces."""

    of = Home
    keys = ("home",)
    rank = 60
    noun = "proof"
    technique = "HOME_SPACE"

    def form(self, formula: JsonForm[Formula]) -> JsonForm[Home]:
        """Return the form with the formulas."""
        return certified(Home, {"home": items(FORMULA)})

    def statement(self, claim: Home, *, target: bool) -> Words:
        """Return the sentence that the formulas can always be reached."""
        from petricheck.evidence.explanation import several_formulas

        every = "From every reachable marking"
        if target:
            return (f"{every} the target can be reached.",)
        return (f"{every} can be reached: ", several_formulas(claim.formulas), ".")

    def evidence(self, net: Net, claim: Home, *, target: bool) -> Iterator[Outline]:
        """Yield the proof, and how far the home spaces are at most."""
        from petricheck.evidence.explanation import Stated

        yield Stated(claim.proof)
        yield from _distance_lines(claim.proof)

    def reasons(self, net: Net, claim: Home) -> Iterator[Outline]:
        """Yield nothing: the proof has said how."""
        return iter(())


def _distance_lines(proof: object) -> Iterator[Line]:
    """Yield the greatest distance to the home space, if the proof has ranks."""
    from petricheck.evidence.certificates.onward import OnwardTraces
    from petricheck.evidence.certificates.ranked_set import RankedTable
    from petricheck.evidence.explanation import Line

    match proof:
        case RankedTable(_, ranks):
            from petricheck.evidence.audit.tables.ranks import numbers  # It brings numpy.

            distance = counted(int(numbers(ranks).max()), "firing")
            fact = "All reachable markings are in it, and from each at most"
            yield Line((f"{fact} {distance} lead there.",))
        case OnwardTraces(_, inner):
            yield from _distance_lines(inner)
