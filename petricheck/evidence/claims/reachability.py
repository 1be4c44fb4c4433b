"""Claims that markings are reachable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import TRUE, Formula, variables
from petricheck.arithmetic.formulas.json import INTEGER, JsonForm, items, pair, record
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates import TRACE
from petricheck.evidence.claims._claim import Claim
from petricheck.model.net import Net
from petricheck.support.words import counted

if TYPE_CHECKING:
    from petricheck.evidence.explanation import Outline, Words


@dataclass(frozen=True, slots=True)
class Reached(Claim):
    """Markings that one firing sequence passes through.

    Attributes:
        trace: the firing sequence.
        stops: (after how many of its steps, a formula that holds there), in ascending order.
    """

    trace: Trace
    stops: tuple[tuple[int, Formula], ...]


def reached(formula: Formula, trace: Trace) -> Reached:
    """Return the claim that the trace ends in a marking that satisfies the formula."""
    return Reached(trace, ((len(trace.steps), formula),))


class Reachability:
    """The trace, and what holds on its way."""

    of = Reached
    keys = ("trace",)
    rank = 10
    noun = "trace"
    technique = "TRACE"

    def form(self, formula: JsonForm[Formula]) -> JsonForm[Reached]:
        """Return the form with the trace and its stops."""
        stop = pair(INTEGER, formula, "[after how many steps, formula]")
        return record(Reached, {"trace": TRACE, "stops": items(stop)})

    def statement(self, claim: Reached, *, target: bool) -> Words:
        """Return the sentence that the trace reaches the formulas, or the target."""
        from petricheck.evidence.explanation import several_formulas

        fires = f"A trace of {counted(claim.trace.length, 'firing')}"
        if target:
            nothing = "The initial marking is in the target; nothing has to fire:"
            return (f"{fires} leads into the target:" if claim.trace.steps else nothing,)
        if _fires_alone(claim):
            return (f"{fires} can fire:",)
        markings = several_formulas(dict.fromkeys(formula for _, formula in claim.stops))
        if not claim.trace.steps:
            return ("Initially: ", markings, ".")
        return (f"{fires} reaches ", markings, ":")

    def evidence(self, net: Net, claim: Reached, *, target: bool) -> Iterator[Outline]:
        """Yield the trace, with the marking in the target where it ends."""
        from petricheck.evidence.explanation import Fired, TraceTo

        if target or _fires_alone(claim):
            yield TraceTo(claim.trace, tuple(variables(claim.stops[-1][1])))
        else:
            yield Fired(claim.trace)

    def reasons(self, net: Net, claim: Reached) -> Iterator[Outline]:
        """Yield where the formulas hold, if there are several, and the steps."""
        from petricheck.evidence.explanation import Replayed, sentences

        if len(claim.stops) > 1:
            heads = (f"After step {n}: " if n else "Initially: " for n, _ in claim.stops)
            pairs = zip(heads, claim.stops, strict=True)
            yield from sentences(((head, says, ".") for head, (_, says) in pairs), "formula")
        yield Replayed(claim.trace)


def _fires_alone(claim: Reached) -> bool:
    """Return whether nothing is said of the markings, so that it matters where the trace ends."""
    return bool(claim.trace.steps) and all(formula == TRUE for _, formula in claim.stops)
