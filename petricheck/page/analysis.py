"""The page of a question that several claims answer together: each of them with its evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from petricheck.analyses import Analysed, analysis
from petricheck.formats import NetFile
from petricheck.page.claims import claims_html
from petricheck.page.facts import Fact, net_facts
from petricheck.page.sheet import Sheet, render
from petricheck.words import counted


@dataclass(frozen=True, slots=True)
class Inquired:
    """A question, and what was found.

    Attributes:
        file: the net.
        asked: the question as it was put.
        found: what was found.
        circumstances: of the run: its limits, the machine.
    """

    file: NetFile
    asked: str
    found: Analysed
    circumstances: tuple[Fact, ...]


def analysis_page(inquired: Inquired) -> str:
    """The page."""
    found = inquired.found
    sheet = Sheet(
        net=inquired.file.net,
        asked=inquired.asked,
        meaning=analysis(found.kind).meaning,
        formula=None,
        remarks=(),
        verdict=found.finding.headline,
        tone="decided" if found.finding.complete else "open",
        sentences=found.finding.details,
        facts=(*net_facts(inquired.file), *_facts(found)),
        circumstances=inquired.circumstances,
        evidence=claims_html(inquired.file.net, found.claims),
    )
    return render(sheet)


def _facts(found: Analysed) -> Iterator[Fact]:
    if found.unknown is not None and not found.finding.complete:
        yield Fact("Reason", found.unknown.reason)
        yield from (Fact("Hint", hint) for hint in (found.unknown.hint,) if hint)
    if found.audits:
        checked = "; ".join(dict.fromkeys(found.audits))
        yield Fact("Audit", checked, f"of {counted(len(found.audits), 'claim')}")
    yield Fact("Time", f"{found.seconds:.3f} s")
