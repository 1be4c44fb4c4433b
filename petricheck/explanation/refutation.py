"""Evidence that is not what it is called: what the net itself refutes, without any solver."""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.answer import Certificate, StateEquationCertificate, Trace
from petricheck.claims import Claim, Excluded, Pumped, Reached
from petricheck.presburger.formulas import evaluate, variables
from petricheck.problem import Net, Transition
from petricheck.state_equation.siphons import (
    greatest_siphon,
    greatest_trap,
    unblocked_transitions,
)


def refuted(net: Net, claim: Claim) -> str | None:
    """What would be said of the claim and is not so; None where nothing is found."""
    if stranger := _stranger(net, claim):
        return stranger
    match claim:
        case Reached(trace, (*_, (after, formula))):
            if not _fires(trace, net):
                return "its trace does not fire"
            if not evaluate(formula, net.values(net.after(trace.steps[:after]))):
                return "its trace does not lead into its target"
        case Excluded(_, Certificate(invariant)):
            if not evaluate(invariant, net.values(net.initial)):
                return "its invariant does not hold initially"
        case Excluded(_, StateEquationCertificate(traps, siphon)):
            if not _is_empty_siphon(siphon, net):
                return "what it calls an empty siphon is none"
            if not all(is_marked_trap(trap, unblocked(siphon, net), net) for trap in traps):
                return "what it calls a marked trap is none"
    return None


def _stranger(net: Net, claim: Claim) -> str | None:
    """That it names something which the net does not have; None where it does not."""
    fired: list[str] = []
    places: list[str] = []
    match claim:
        case Reached(trace, stops):
            fired = [name for name, _ in trace.steps]
            places = [place for _, formula in stops for place in variables(formula)]
        case Excluded(formula, Certificate(invariant)):
            places = [*variables(formula), *variables(invariant)]
        case Excluded(formula, StateEquationCertificate(traps, siphon)):
            sets = (*siphon, *(place for trap in traps for place in trap))
            places = [*variables(formula), *sets]
        case Excluded(formula):  # of such certificates only their notation knows what they name
            places = list(variables(formula))
        case Pumped():  # in files that the audit has accepted only
            pass
    strangers = [name for name in fired if name not in net.transition_numbers]
    strangers += [name for name in places if name not in net.place_numbers]
    return f"it names {strangers[0]!r}, which the net does not have" if strangers else None


def _fires(trace: Trace, net: Net) -> bool:
    tokens = list(net.initial)
    for name, times in trace.steps:
        transition = net.transitions[net.transition_numbers[name]]
        if any(tokens[place] < weight for place, weight in transition.pre):
            return False
        for place, change in transition.effect:
            tokens[place] += times * change
        # The last firing was enabled as well, and so were those between: places change linearly.
        if any(tokens[place] < weight for place, weight in transition.end_guard):
            return False
    return True


def _is_empty_siphon(names: Sequence[str], net: Net) -> bool:
    places = frozenset(net.place_numbers[name] for name in names)
    closed = greatest_siphon(net.transitions, places) == places
    return closed and not any(net.initial[place] for place in places)


def is_marked_trap(names: Sequence[str], transitions: Sequence[Transition], net: Net) -> bool:
    """Whether it is a trap for these transitions, and marked initially."""
    places = frozenset(net.place_numbers[name] for name in names)
    closed = greatest_trap(transitions, places) == places
    return closed and any(net.initial[place] for place in places)


def unblocked(siphon: Sequence[str], net: Net) -> tuple[Transition, ...]:
    """The transitions that take nothing from the siphon."""
    places = frozenset(net.place_numbers[name] for name in siphon)
    return unblocked_transitions(net, places)
