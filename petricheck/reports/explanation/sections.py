"""Explained claims as HTML; many claims are folded, and beyond a limit only counted."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from petricheck.evidence.audit.quick import check_quickly
from petricheck.evidence.claims import Claim
from petricheck.model.net import Net
from petricheck.reports.explanation.claims import ENDS, explain
from petricheck.reports.explanation.html import claim_html, nodes_html, words_html
from petricheck.support.errors import EvidenceError
from petricheck.support.words import counted, printable

CLAIMS, CHARACTERS = 200, 10 << 20
"""Claims of one page, and their characters; the claims beyond are counted."""

OPEN = 3
"""Claims up to which none is folded."""


def claims_html(
    net: Net, claims: Sequence[Claim], *, target: bool = False, ends: int = ENDS
) -> str:
    """Return the claims, which the audit has accepted, with their explanations, up to the limits.

    `target` and `ends` are as those of `explain`.
    """
    shown: list[str] = []
    characters = CHARACTERS
    for claim in claims[:CLAIMS]:
        inside = _section(net, claim, target=target, ends=ends, folded=len(claims) > OPEN)
        characters -= len(inside)
        if characters < 0:
            break
        shown.append(inside)
    omitted = len(claims) - len(shown)
    more = (
        f'<p class="note">{counted(omitted, "more claim")} not shown here.</p>' if omitted else ""
    )
    return "".join(shown) + more


def _section(net: Net, claim: Claim, *, target: bool, ends: int, folded: bool) -> str:
    try:
        check_quickly(net, claim)
    except EvidenceError as error:
        return missing(str(error))
    explained = explain(net, claim, target=target, ends=ends)
    if not folded:
        return claim_html(explained)
    inside = nodes_html((*explained.evidence, *explained.reasons))
    head = f"<summary>{words_html(explained.says)}</summary>"
    return f'<details>{head}<div class="claim">{inside}</div></details>'


def missing(reason: str) -> str:
    """Return the sentence in place of evidence that is not shown."""
    return f"<p>The evidence is not shown: {escape(printable(reason))}.</p>"
