"""Why the evidence of a claim is evidence, part by part and step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from petricheck.answer import Certificate, StateEquationCertificate, Trace
from petricheck.claims import Claim, Excluded, Pumped, Reached, Stage
from petricheck.explanation.invariants import invariant_reasons
from petricheck.explanation.traces import course
from petricheck.explanation.tree import (
    Id,
    Items,
    Line,
    Node,
    Section,
    Several,
    Words,
    items,
    several_ids,
)
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net
from petricheck.state_equation.siphons import greatest_trap, unblocked_transitions
from petricheck.words import counted

STOPS = 1_000
"""Formulas on the way of a trace that are told with their places on it."""

LISTED = 60
"""Places that a repetition changes, which a text tells."""


def reasons_of(net: Net, claim: Claim, ends: int) -> Iterator[Node]:
    """Why the evidence of a claim that the audit has accepted is evidence.

    Args:
        net: the net.
        claim: about it.
        ends: steps that are told from either end of a longer trace.
    """
    match claim:
        case Reached(trace, stops):
            yield from _stops(stops)
            yield from course(net, trace, ends)
        case Excluded(formula, Certificate() as certificate):
            yield from invariant_reasons(net, certificate, formula)
        case Excluded(_, StateEquationCertificate() as certificate):
            yield from _state_equation(certificate, net)
        case Pumped(_, stages):
            yield from _repetitions(net, stages, ends)


def _stops(stops: tuple[tuple[int, Formula], ...]) -> Iterator[Node]:
    """What holds on the way; of one formula there is no more to tell."""
    if len(stops) > 1:
        told = tuple(((_when(after), formula, "."),) for after, formula in stops[:STOPS])
        yield Items(told, len(stops), "formula")


def _when(after: int) -> str:
    return f"After step {after}: " if after else "Initially: "


def _state_equation(certificate: StateEquationCertificate, net: Net) -> Iterator[Node]:
    free = unblocked_transitions(net, _numbers(net, certificate.siphon))
    names = {transition.name for transition in free}
    facts = " that keeps to these facts" if certificate.traps or certificate.siphon else ""
    no = "As the audit found, no x >= 0 makes m = m0 + D·x a marking in the target"
    yield Line((f"{no}{facts}.",))
    yield Line((f"{counted(len(free), 'transition')} may be counted in x.",))
    yield from items((_trap(net, trap) for trap in certificate.traps), "trap")
    if certificate.siphon:
        siphon = several_ids(certificate.siphon)
        yield Line(("Empty siphon {", siphon, "}: what puts on it takes from it."))
    if blocked := tuple(t.name for t in net.transitions if t.name not in names):
        yield Line(("Blocked by the siphon: ", several_ids(blocked), "."))


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
        Several(marked),
        f"; {taking} puts on it.",
    )


def _numbers(net: Net, names: Iterable[str]) -> frozenset[int]:
    return frozenset(map(net.place_numbers.__getitem__, names))


def _repetitions(net: Net, stages: tuple[Stage, ...], ends: int) -> Iterator[Node]:
    """What one repetition of each loop changes; of a single loop, the markings on its way too."""
    yield from items((_repetition(net, stage) for stage in stages), "repetition")
    if len(stages) == 1:
        whole = Trace((*stages[0].stem.steps, *stages[0].loop.steps))
        yield Section(("The loop once:",), tuple(course(net, whole, ends)))
    else:
        note = "What is taken from places to which loops before have added is there: those loops "
        yield Line((f"{note}are repeated as often as it needs.",), quiet=True)


def _repetition(net: Net, stage: Stage) -> Words:
    after = net.after(stage.loop.steps)
    changes = ((p, n - net.initial[p]) for p, n in enumerate(after) if n != net.initial[p])
    told = tuple((Id(net.places[p]), " +" if n > 0 else " ", n) for p, n in changes)
    return ("One repetition changes ", Several(told, LISTED, "place"), ".")
