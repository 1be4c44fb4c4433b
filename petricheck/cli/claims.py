"""Claims told to people: what each says, and its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.claims import Claim, Excluded, Pumped, Reached, Stage
from petricheck.cli.prose import CHARACTERS, certificate_text, steps_text
from petricheck.presburger.shown import shown_formula
from petricheck.presburger.text import term_to_text
from petricheck.problem import Net
from petricheck.words import counted, printable

FEW = 3
"""So many claims are shown with their evidence; more are counted."""


def claims_text(
    claims: Sequence[Claim], net: Net, *, whole_traces: bool, invariant: str | None
) -> Iterator[str]:
    """Each claim with its evidence, or how many there are.

    Args:
        claims: proved.
        net: they are about it.
        whole_traces: whether traces are shown, and whole.
        invariant: how to show invariants whole: text, latex or smt; None abbreviates them.
    """
    if len(claims) <= FEW or whole_traces or invariant is not None:
        for claim in claims:
            yield _told(claim, net, whole_traces, invariant)
        return
    kinds = ((Reached, "trace"), (Pumped, "repetition"), (Excluded, "invariant"))
    sizes = ((len([c for c in claims if isinstance(c, kind)]), noun) for kind, noun in kinds)
    listed = ", ".join(counted(size, noun) for size, noun in sizes if size)
    yield f"Evidence: {listed} (--trace and --invariant show it)."


def _told(claim: Claim, net: Net, whole: bool, invariant: str | None) -> str:
    match claim:
        case Reached(trace, stops):
            formulas = dict.fromkeys(shown_formula(formula) for _, formula in stops)
            what = _cut("; ".join(formulas), whole)
            if not trace.steps:
                return f"Initially: {what}."
            length = counted(trace.length, "firing")
            return f"A trace of {length} reaches {what}:\n  {steps_text(trace.steps, whole)}"
        case Excluded(formula, certificate):
            what = _cut(shown_formula(formula), invariant is not None)
            return f"Never: {what}.\n{certificate_text(certificate, invariant, net)}"
        case Pumped(sums, stages):
            names = "; ".join(printable(term_to_text(term)) for term in sums)
            loops = "\n".join(_stage(stage, whole) for stage in stages)
            return f"Without end, by repetition: {_cut(names, whole)}.\n{loops}"


def _stage(stage: Stage, whole: bool) -> str:
    loop = f"  repeat: {steps_text(stage.loop.steps, whole)}"
    return f"  fire: {steps_text(stage.stem.steps, whole)}\n{loop}" if stage.stem.steps else loop


def _cut(text: str, whole: bool) -> str:
    return text if whole or len(text) <= CHARACTERS else f"{text[:CHARACTERS]} …"
