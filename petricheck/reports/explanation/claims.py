"""The explanation of a claim that the audit has accepted: statement, evidence and reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from petricheck.evidence.claims import Claim, presentation_of
from petricheck.evidence.explanation import (
    Explained,
    Fired,
    Node,
    Outline,
    ProofOutline,
    Replayed,
    Section,
    TraceTo,
    Words,
)
from petricheck.model.net import Net
from petricheck.reports.explanation.model import in_model
from petricheck.reports.explanation.proofs import proof_nodes
from petricheck.reports.explanation.traces import firings, firings_to, step_nodes

ENDS = 1_000
"""Steps that are shown at each end of a longer trace."""


def explain(
    net: Net,
    claim: Claim,
    *,
    target: bool = False,
    unnamed: Collection[str] = (),
    reasons: bool = True,
    ends: int = ENDS,
    whole: bool = False,
    ids: bool = False,
) -> Explained:
    """Return the explanation of a claim, in the names that people see.

    Args:
        net: the net.
        claim: accepted by the audit.
        target: whether the claim's formula is the target of the question; it is then not repeated.
        unnamed: places that the question does not name; the target has them empty.
        reasons: whether to add why the evidence proves the claim, which may take seconds.
        ends: steps that are shown at each end of a longer trace.
        whole: whether to show all marked places of the marking in which a trace ends.
        ids: whether nodes are named by their ids, for programs.

    Raises:
        QueryError: no notation describes certificates of this type.
    """

    def nodes(outline: Iterable[Outline]) -> Iterator[Node]:
        for part in outline:
            match part:
                case Fired(trace):
                    yield from firings(net, trace)
                case TraceTo(trace, places):
                    named = set(places).difference(unnamed)
                    yield from firings_to(net, trace, named, whole=whole)
                case Replayed(trace, title):
                    yield from _titled(title, step_nodes(net, trace, ends))
                case ProofOutline(problem, certificate, title):
                    yield from _titled(title, proof_nodes(problem, certificate))
                case _:
                    yield part

    presentation = presentation_of(claim)
    says = presentation.statement(claim, target=target)
    evidence = tuple(nodes(presentation.evidence(net, claim, target=target)))
    reason_nodes = tuple(nodes(presentation.reasons(net, claim))) if reasons else ()
    return in_model(net, Explained(says, evidence, reason_nodes), ids=ids)


def _titled(title: Words, nodes: Iterator[Node]) -> Iterator[Node]:
    """Yield the nodes, as one section if they have a title; nothing if there are none."""
    if not title:
        yield from nodes
    elif inner := tuple(nodes):
        yield Section(title, inner)
