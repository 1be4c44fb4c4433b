"""Claims about one net, each with evidence of its own, that answer a question together.

A bound, for one, is a marking that reaches it and an invariant that nothing exceeds.
`evidence.audit.prove` checks each claim from the net alone; kinds of questions conclude from claims
that passed.

A family: a member is the file of a type of claims, and says how these are listed, written, read and
explained. That proves nothing. The audit has its own list of the types that it can prove.

Every command loads the types of claims, and few explain any: what only explanations need is
imported where it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import JsonForm, read_items
from petricheck.evidence.answer import Reachable, Unreachable
from petricheck.evidence.claims._claim import Claim
from petricheck.evidence.claims._stage import Stage
from petricheck.evidence.claims.endlessness import InfiniteRun
from petricheck.evidence.claims.exclusion import Excluded
from petricheck.evidence.claims.exclusion_after import ExcludedAfter
from petricheck.evidence.claims.exclusion_with import ExcludedWith
from petricheck.evidence.claims.home_space import Home
from petricheck.evidence.claims.reachability import Reached, reached
from petricheck.evidence.claims.reachable_markings import ReachabilitySet
from petricheck.evidence.claims.termination import Terminating
from petricheck.evidence.claims.unboundedness import Pumped
from petricheck.model.net import Net
from petricheck.support import plugins
from petricheck.support.errors import EvidenceError, QueryError

if TYPE_CHECKING:
    from petricheck.evidence.explanation import Outline, Words

__all__ = [
    "Claim",
    "Excluded",
    "ExcludedAfter",
    "ExcludedWith",
    "Home",
    "InfiniteRun",
    "Presentation",
    "Pumped",
    "ReachabilitySet",
    "Reached",
    "Stage",
    "Terminating",
    "claim_of",
    "presentation_of",
    "reached",
    "read_claims",
]


class Presentation(Protocol):
    """The contract of every member of this family.

    Attributes:
        of: the type of claims.
        keys: keys of the JSON object of each claim of this type. No other member has the same keys;
            if another has some of them, it is for the objects without the others.
        rank: the place of this type where claims are listed, lowest first.
        noun: for claims of this type where they are counted, in the singular.
        technique: the contest's name for how such a claim answers a question.
    """

    of: ClassVar[type[Claim]]
    keys: ClassVar[tuple[str, ...]]
    rank: ClassVar[int]
    noun: ClassVar[str]
    technique: ClassVar[str]

    def form(self, formula: JsonForm[Formula]) -> JsonForm[Any]:
        """Return the form of these claims as JSON objects with these keys.

        Args:
            formula: the form of a formula that may be the target of the question.
        """

    def statement(self, claim: Any, *, target: bool) -> Words:
        """Return the claim in words; with `target`, its formula is that of the question."""

    def evidence(self, net: Net, claim: Any, *, target: bool) -> Iterable[Outline]:
        """Yield the evidence."""

    def reasons(self, net: Net, claim: Any) -> Iterable[Outline]:
        """Yield why the evidence, which the audit has accepted, proves the claim."""


def presentation_of(claim: Claim) -> Presentation:
    """Return the member for claims of this type; QueryError where there is none."""
    kind: type = type(claim)
    return _presentation(kind)


@cache
def _presentation(kind: type) -> Presentation:
    for member in chain(_own(), _others()):
        if member.of is kind:
            return member
    raise QueryError(f"nothing presents claims of type {kind.__name__!r}")


def read_claims(value: Any, formula: JsonForm[Formula]) -> tuple[Claim, ...]:
    """Return the claims in a list of objects, or EvidenceError.

    `formula` is the form of formulas that may be the target of the question.
    """
    special_first = sorted(_own(), key=lambda member: -len(member.keys))

    def read(value: Any) -> Claim:
        for member in chain(special_first, _others()):
            if isinstance(value, dict) and value.keys() >= set(member.keys):
                claim: Claim = member.form(formula).read(value)
                return claim
        keys = dict.fromkeys(member.keys[0] for member in chain(_own(), _others()))
        raise EvidenceError(f"a claim has no {' or '.join(keys)}")

    return read_items(value, read)


def _own() -> list[Presentation]:
    """Return the members of this package, by rank."""
    members = (plugins.build("claims", name) for name in plugins.members("claims"))
    return sorted(members, key=lambda member: member.rank)


def _others() -> Iterator[Presentation]:
    """Yield the members of other packages; to search for them takes a moment."""
    for name in sorted(plugins.entries("claims")):
        yield plugins.build("claims", name)


def claim_of(target: Formula, answer: Reachable | Unreachable) -> Reached | Excluded:
    """Return the claim of a verdict on this target.

    EvidenceError where the answer is no verdict.
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
