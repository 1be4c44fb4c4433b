"""The reasons of a certificate, by what the audit found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.explanation import (
    Id,
    Line,
    Node,
    SentenceList,
    Words,
    sentences,
    several_ids,
)
from petricheck.model.net import Net, Transition
from petricheck.model.problem import Problem
from petricheck.support.words import counted
from petricheck.symbolic.facts.siphons import greatest_trap, unblocked_transitions


def proof_nodes(problem: Problem, certificate: object) -> Iterator[Node]:
    """Yield why no marking in the target is reachable; nothing for certificates of other types."""
    match certificate:
        case Certificate():
            # It loads slowly.
            from petricheck.reports.explanation.invariants import invariant_reasons

            yield from invariant_reasons(problem.net, certificate, problem.target)
        case StateEquationCertificate():
            yield from _state_equation(certificate, problem.net)


def _state_equation(certificate: StateEquationCertificate, net: Net) -> Iterator[Node]:
    free = unblocked_transitions(net, _numbers(net, certificate.siphon))
    names = {transition.name for transition in free}
    sets = certificate.traps or certificate.siphon or certificate.unmarked
    facts = " that keeps to these facts" if sets else ""
    no = "As the audit found, no x >= 0 makes m = m0 + D·x a marking in the target"
    yield Line((f"{no}{facts}.",))
    yield Line((f"{counted(len(free), 'transition')} may be counted in x.",))
    yield from sentences((_trap(net, trap) for trap in certificate.traps), "trap")
    if certificate.siphon:
        siphon = several_ids(certificate.siphon)
        yield Line(("Empty siphon {", siphon, "}: what puts on it takes from it."))
    yield from sentences((_unmarked(net, places, free) for places in certificate.unmarked), "set")
    if blocked := tuple(t.name for t in net.transitions if t.name not in names):
        yield Line(("Blocked by the siphon: ", several_ids(blocked), "."))


def _unmarked(net: Net, names: tuple[str, ...], free: Iterable[Transition]) -> Words:
    places = _numbers(net, names)
    filling = tuple(
        t.name
        for t in free
        if places.isdisjoint(p for p, _ in t.pre) and any(p in places for p, _ in t.post)
    )
    start = ("Empty initially {", several_ids(names), "}: what puts on it ")
    if not filling:
        return (*start, "takes from it.")
    return (*start, "and takes nothing from it fires first: ", several_ids(filling), ".")


def _trap(net: Net, trap: tuple[str, ...]) -> Words:
    tokens = net.values(net.initial)
    marked = tuple((Id(place), " = ", tokens[place]) for place in trap if tokens[place])
    places = _numbers(net, trap)
    always = greatest_trap(net.transitions, places) == places
    taking = "what takes from it" if always else "what takes from it and may fire"
    return (
        "Marked trap {",
        several_ids(trap),
        "}: initially ",
        SentenceList(marked),
        f"; {taking} puts on it.",
    )


def _numbers(net: Net, names: Iterable[str]) -> frozenset[int]:
    return frozenset(map(net.place_numbers.__getitem__, names))
