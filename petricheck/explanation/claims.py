"""A claim that the audit has accepted, explained: what it says, its evidence, and why it holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from petricheck.answer import Trace
from petricheck.claims import Claim, Excluded, Pumped, Reached, Stage
from petricheck.explanation.traces import ENDS, firings, firings_to
from petricheck.explanation.tree import Explained, Firings, Node, Several, Stated, Words
from petricheck.presburger.formulas import Formula, variables
from petricheck.presburger.terms import Term
from petricheck.problem import Net
from petricheck.words import number_text

FORMULAS = 30
"""Formulas that are reached, or sums that grow, which a text tells."""


def explain(
    net: Net,
    claim: Claim,
    *,
    target: bool = False,
    unnamed: Collection[str] = (),
    reasons: bool = True,
    ends: int = ENDS,
    whole: bool = False,
) -> Explained:
    """The claim with its evidence.

    Args:
        net: the net.
        claim: accepted by the audit.
        target: whether it is about the target of the question, which is then not said again.
        unnamed: places that the question does not name; the target has them empty.
        reasons: whether to say why the evidence is evidence, which may take seconds.
        ends: steps that are told from either end of a longer trace.
        whole: whether all marked places are told where a trace ends.

    Raises:
        QueryError: nothing tells certificates of this type.
    """
    says: Words
    match claim:
        case Reached(trace, stops) if target:
            named = set(variables(stops[-1][1])).difference(unnamed)
            says, evidence = _into_target(trace), firings_to(net, trace, named, whole=whole)
        case Reached(trace):
            says, evidence = _reached(claim), firings(net, trace)
        case Excluded(formula, certificate):
            says = () if target else ("Never: ", formula, ".")
            evidence = iter((Stated(certificate, net.given_names),))
        case Pumped(sums, stages):
            says = ("Without end, by repetition: ", _all_of(sums), ".")
            evidence = _loops(stages)
    if not reasons:
        return Explained(says, tuple(evidence), ())
    from petricheck.explanation.reasons import reasons_of  # most commands tell none

    return Explained(says, tuple(evidence), tuple(reasons_of(net, claim, ends)))


def _into_target(trace: Trace) -> Words:
    if not trace.steps:
        return ("The initial marking is in the target; nothing has to fire:",)
    return (f"{_a_trace(trace)} leads into the target:",)


def _reached(claim: Reached) -> Words:
    formulas = _all_of(dict.fromkeys(formula for _, formula in claim.stops))
    if not claim.trace.steps:
        return ("Initially: ", formulas, ".")
    return (f"{_a_trace(claim.trace)} reaches ", formulas, ":")


def _all_of(told: Iterable[Formula | Term]) -> Several:
    return Several(tuple((formula,) for formula in told), FORMULAS, separator="; ")


def _a_trace(trace: Trace) -> str:
    length = trace.length
    return f"A trace of {number_text(length)} firing{'' if length == 1 else 's'}"


def _loops(stages: tuple[Stage, ...]) -> Iterator[Node]:
    for stage in stages:
        if stage.stem.steps:
            yield Firings(stage.stem.steps, "fire")
        yield Firings(stage.loop.steps, "repeat")
