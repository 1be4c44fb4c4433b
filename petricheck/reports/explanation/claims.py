"""The explanation of a claim that the audit has accepted: statement, evidence and reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import variables
from petricheck.evidence.answer import Trace
from petricheck.evidence.claims import (
    Claim,
    Excluded,
    InfiniteRun,
    Pumped,
    Reached,
    Stage,
    Terminating,
    presentation_of,
)
from petricheck.evidence.explanation import (
    Explained,
    Fired,
    Id,
    Line,
    Node,
    Outline,
    ProofOutline,
    Replayed,
    Section,
    SentenceList,
    TraceTo,
    Words,
    several_formulas,
)
from petricheck.model.net import Net
from petricheck.model.parametric import given
from petricheck.reports.explanation.model import in_model
from petricheck.reports.explanation.proofs import proof_nodes
from petricheck.reports.explanation.traces import firings, firings_to, step_nodes

_Steps: TypeAlias = tuple[tuple[str, int], ...]

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

    begun: tuple[Node, ...] = ()
    if net.initials is not None:
        net, claim, begun = _of_instance(net, claim)
    presentation = presentation_of(claim)
    says = presentation.statement(claim, target=target)
    evidence = (*nodes(presentation.evidence(net, claim, target=target)), *_bounds(net, claim))
    reason_nodes = tuple(nodes(presentation.reasons(net, claim))) if reasons else ()
    return in_model(net, Explained(says, (*begun, *evidence), reason_nodes), ids=ids)


def _of_instance(net: Net, claim: Claim) -> tuple[Net, Claim, tuple[Node, ...]]:
    """Return the claim about the initial marking that its trace begins with, and that marking.

    A claim about all initial markings remains as it is, about the net without added transitions.
    """
    assert net.initials is not None
    match claim:
        case Reached(Trace(steps), stops):
            first = min(_chosen(net, steps), *(n for n, _ in stops))
            left = tuple((n - first, formula) for n, formula in stops)
            return _instance(net, steps[:first], Reached(Trace(steps[first:]), left))
        case InfiniteRun(Stage(Trace(steps), loop)):
            first = _chosen(net, steps)
            return _instance(net, steps[:first], InfiniteRun(Stage(Trace(steps[first:]), loop)))
        case Terminating(names, proof):
            others = tuple(name for name in names if name not in net.added)
            return given(net), Terminating(others, proof), ()
        case Excluded():
            return given(net), claim, ()
    return net, claim, ()


def _bounds(net: Net, claim: Claim) -> Iterator[Node]:
    """Yield the bounds that complement places stand for, where a proof may use them."""
    if net.origin is None or isinstance(claim, Reached | Pumped | InfiniteRun):
        return
    from petricheck.model.guarded.translation import Complementation  # Few nets are guarded.

    if bounds := net.origin.formulas if isinstance(net.origin, Complementation) else ():
        start = "Only markings within these bounds count, which all reachable ones keep: "
        yield Line((start, several_formulas(bounds), "."))


def _chosen(net: Net, steps: _Steps) -> int:
    """Return after how many steps the initial marking is chosen."""
    return next((n for n, (name, _) in enumerate(steps) if name not in net.added), len(steps))


def _instance(net: Net, steps: _Steps, claim: Claim) -> tuple[Net, Claim, tuple[Node, ...]]:
    """Return the net that begins after these steps, the claim about it, and that marking."""
    assert net.initials is not None
    instance = net.beginning(net.after(steps))
    values, named = instance.values(instance.initial), variables(net.initials.formula)
    chosen = SentenceList(tuple((Id(p), " = ", values[p]) for p in named))
    return instance, claim, (Line(("It begins with ", chosen, ".")),)


def _titled(title: Words, nodes: Iterator[Node]) -> Iterator[Node]:
    """Yield the nodes, as one section if they have a title; nothing if there are none."""
    if not title:
        yield from nodes
    elif inner := tuple(nodes):
        yield Section(title, inner)
