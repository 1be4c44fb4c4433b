"""Claims that sums exceed every number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import SUM, JsonForm, items, record
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.claims._claim import Claim
from petricheck.evidence.claims._stage import STAGE, Stage, firings, once, repetition
from petricheck.model.net import Net

if TYPE_CHECKING:
    from petricheck.evidence.explanation import Outline, Words


@dataclass(frozen=True, slots=True)
class Pumped(Claim):
    """Sums that exceed every number.

    A loop *fills* the places to which it adds tokens, all in all: the more often it is repeated,
    the more they hold. Later loops may take from them, since earlier ones are repeated as often as
    it needs. So for every number there is a reachable marking with as many tokens on each filled
    place, and with always the same number on every other.

    Attributes:
        sums: each grows without end, since it counts a filled place and takes off none; or, where
            there is one loop only, since that loop raises it.
        stages: in their order, at least one.
    """

    sums: tuple[Term, ...]
    stages: tuple[Stage, ...]


_GROWING: JsonForm[Term] = JsonForm(
    lambda term: SUM.write(term.coefficients), lambda value: Term(SUM.read(value), 0)
)
_PUMPED = record(Pumped, {"unbounded": items(_GROWING), "stages": items(STAGE)})


class Unboundedness:
    """The loops, and what each repetition changes."""

    of = Pumped
    keys = ("unbounded",)
    rank = 20
    noun = "repetition"
    technique = "REPEATED_LOOP"

    def form(self, formula: JsonForm[Formula]) -> JsonForm[Pumped]:
        """Return the form with the sums and the stages."""
        return _PUMPED

    def statement(self, claim: Pumped, *, target: bool) -> Words:
        """Return the sentence that the sums grow without end."""
        from petricheck.evidence.explanation import several_formulas

        return ("Without end, by repetition: ", several_formulas(claim.sums), ".")

    def evidence(self, net: Net, claim: Pumped, *, target: bool) -> Iterator[Outline]:
        """Yield the firing sequences."""
        for stage in claim.stages:
            yield from firings(stage)

    def reasons(self, net: Net, claim: Pumped) -> Iterator[Outline]:
        """Yield what each loop changes; for a single loop also the steps."""
        from petricheck.evidence.explanation import Line, sentences

        yield from sentences((repetition(net, stage) for stage in claim.stages), "repetition")
        if len(claim.stages) == 1:
            yield once(claim.stages[0])
        else:
            note = "What is taken from places to which loops before have added is there: "
            yield Line((f"{note}those loops are repeated as often as it needs.",), quiet=True)
