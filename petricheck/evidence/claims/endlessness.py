"""Claims that a run goes on for ever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import JsonForm, record
from petricheck.evidence.claims._claim import Claim
from petricheck.evidence.claims._stage import STAGE, Stage, firings, once, repetition
from petricheck.model.net import Net

if TYPE_CHECKING:
    from petricheck.evidence.explanation import Outline, Words


@dataclass(frozen=True, slots=True)
class InfiniteRun(Claim):
    """The claim that a firing sequence can be repeated for ever after another.

    Attributes:
        stage: its loop fires at least once, after the stem from the initial marking, and takes no
            token from any place, all in all.
    """

    stage: Stage


class Endlessness:
    """The way to the loop, and the loop."""

    of = InfiniteRun
    keys = ("infinite run",)
    rank = 25
    noun = "infinite run"
    technique = "REPEATED_LOOP"

    def form(self, formula: JsonForm[Formula]) -> JsonForm[InfiniteRun]:
        """Return the form with the stem and the loop."""
        return record(InfiniteRun, {"infinite run": STAGE})

    def statement(self, claim: InfiniteRun, *, target: bool) -> Words:
        """Return the sentence that some run never ends."""
        return ("This run never ends:",)

    def evidence(self, net: Net, claim: InfiniteRun, *, target: bool) -> Iterator[Outline]:
        """Yield the firing sequences."""
        return firings(claim.stage)

    def reasons(self, net: Net, claim: InfiniteRun) -> Iterator[Outline]:
        """Yield what a repetition changes, and the steps."""
        from petricheck.evidence.explanation import sentences

        yield from sentences((repetition(net, claim.stage),), "repetition")
        yield once(claim.stage)
