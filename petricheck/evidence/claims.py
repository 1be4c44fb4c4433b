"""Claims about one net, each with evidence of its own, that answer a question together.

A bound, for one, is a marking that reaches it and an invariant that nothing exceeds.
`evidence.audit.prove` checks each claim from the net alone; kinds of questions conclude from claims
that passed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.support.errors import EvidenceError


@dataclass(frozen=True, slots=True)
class Reached:
    """Markings that one firing sequence passes through.

    Attributes:
        trace: the firing sequence.
        stops: (after how many of its steps, a formula that holds there), in ascending order.
    """

    trace: Trace
    stops: tuple[tuple[int, Formula], ...]


@dataclass(frozen=True, slots=True)
class Excluded:
    """The claim that no reachable marking satisfies the formula.

    Attributes:
        formula: what is excluded; a disjunction excludes several things at once.
        certificate: as in `evidence.answer.Unreachable`.
    """

    formula: Formula
    certificate: object


@dataclass(frozen=True, slots=True)
class Stage:
    """A loop that can be repeated for ever, where stem and loop are firing sequences.

    Attributes:
        stem: leads to the loop, from the initial marking or from the end of the loop before.
        loop: takes, all in all, no token from a place, but where an earlier loop adds some.
    """

    stem: Trace
    loop: Trace


@dataclass(frozen=True, slots=True)
class Pumped:
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


@dataclass(frozen=True, slots=True)
class ExcludedAfter:
    """The claim that no marking in a formula is reachable after a firing sequence.

    Attributes:
        trace: the firing sequence.
        formula: what is excluded from then on.
        certificate: as in `evidence.answer.Unreachable`, with that marking as the initial one.
    """

    trace: Trace
    formula: Formula
    certificate: object


@dataclass(frozen=True, slots=True)
class ExcludedWith:
    """No firing sequence in which one of the transitions fires ends in a marking in a formula.

    Attributes:
        transitions: their ids.
        formula: what is excluded once one of them has fired.
        certificate: as in `evidence.answer.Unreachable`, for the problem of `audit.participation`.
    """

    transitions: tuple[str, ...]
    formula: Formula
    certificate: object


@dataclass(frozen=True, slots=True)
class Home:
    """The claim that every reachable marking can reach a marking in each of the formulas.

    The markings in a formula are then a home space; a single one is a home marking.

    Attributes:
        formulas: the home spaces, at least one.
        proof: of a type that a member of `audit.homes` audits.
    """

    formulas: tuple[Formula, ...]
    proof: object


@dataclass(frozen=True, slots=True)
class ReachabilitySet:
    """The numbers of reachable markings and of firings between them, and the largest markings.

    Attributes:
        markings: how many are reachable.
        firings: how many pairs there are of a reachable marking and a transition that it enables:
            the arcs of the reachability graph.
        in_place: the most tokens that a place holds in any of them.
        in_marking: the most tokens that all places hold together in any of them.
        certificate: the markings themselves; `audit.reachability_set` says of what type.
    """

    markings: int
    firings: int
    in_place: int
    in_marking: int
    certificate: object


Claim: TypeAlias = (
    Reached | Excluded | Pumped | ExcludedAfter | ExcludedWith | Home | ReachabilitySet
)


def reached(formula: Formula, trace: Trace) -> Reached:
    """Return the claim that the trace ends in a marking that satisfies the formula."""
    return Reached(trace, ((len(trace.steps), formula),))


def claim_of(target: Formula, answer: Reachable | Unreachable) -> Reached | Excluded:
    """Return the claim of a verdict on this target.

    Raises:
        EvidenceError: the answer is neither of the two verdicts.
    """
    match answer:
        case Reachable(trace):
            return reached(target, trace)
        case Unreachable(certificate):
            return Excluded(target, certificate)
    given = type(answer).__name__
    raise EvidenceError(
        f"evidence is a Reachable or an Unreachable, such as finding.answer: {given}"
    )
