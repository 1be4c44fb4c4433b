"""Claims told to people: what each says, and its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.claims import Claim, Excluded, Pumped, Reached
from petricheck.explanation.claims import explain
from petricheck.explanation.text import Style, claim_lines
from petricheck.problem import Net
from petricheck.words import counted

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
        style = Style(whole_traces, invariant)
        for claim in claims:
            yield from claim_lines(explain(net, claim, reasons=False), style)
        return
    kinds = ((Reached, "trace"), (Pumped, "repetition"), (Excluded, "invariant"))
    sizes = ((len([c for c in claims if isinstance(c, kind)]), noun) for kind, noun in kinds)
    listed = ", ".join(counted(size, noun) for size, noun in sizes if size)
    yield f"Evidence: {listed} (--trace and --invariant show it)."
