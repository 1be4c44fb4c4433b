"""Evidence that is not what it is called: what the net itself refutes, without any solver."""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.answer import (
    Certificate,
    Reachable,
    StateEquationCertificate,
    Trace,
    Unreachable,
)
from petricheck.certificates import Evidence
from petricheck.presburger.formulas import Formula, evaluate, variables
from petricheck.problem import Marking, Net, Transition
from petricheck.state_equation.siphons import (
    greatest_siphon,
    greatest_trap,
    unblocked_transitions,
)


def refuted(evidence: Evidence, net: Net) -> str | None:
    """What would be said of the evidence and is not so; None where nothing is found."""
    target = known_target(evidence, net)
    match evidence.answer:
        case Reachable(trace):
            last = _last_marking(trace, net)
            if last is None:
                return "its trace does not fire"
            if target is not None and not evaluate(target, net.values(last)):
                return "its trace does not lead into its target"
        case Unreachable(Certificate(invariant)):
            if not evaluate(invariant, net.values(net.initial)):
                return "its invariant does not hold initially"
        case Unreachable(StateEquationCertificate(traps, siphon)):
            if not _is_empty_siphon(siphon, net):
                return "what it calls an empty siphon is none"
            if not all(is_marked_trap(trap, unblocked(siphon, net), net) for trap in traps):
                return "what it calls a marked trap is none"
    return None


def known_target(evidence: Evidence, net: Net) -> Formula | None:
    """The target, where it is known and about the net."""
    target = evidence.target
    if target is not None and any(name not in net.place_numbers for name in variables(target)):
        return None
    return target


def _last_marking(trace: Trace, net: Net) -> Marking | None:
    """Where the trace ends; None where it does not fire."""
    tokens = list(net.initial)
    for name, times in trace.steps:
        transition = net.transitions[net.transition_numbers[name]]
        if any(tokens[place] < weight for place, weight in transition.pre):
            return None
        for place, change in transition.effect:
            tokens[place] += times * change
        # The last firing was enabled as well, and so were those between: places change linearly.
        if any(tokens[place] < weight for place, weight in transition.end_guard):
            return None
    return tuple(tokens)


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
