"""Transitions that take part in a firing sequence, shown by a net that says so.

The net has one more place, `unfired`, with a token. Each of some transitions has a copy that takes
this token as well. So `unfired` is empty after a firing sequence in which one of the copies fires
once. With the transition instead of its copy this is a firing sequence of the net; and of a firing
sequence of the net in which one of the transitions fires, one such firing can be that of the copy.
So a sequence with one of the transitions reaches a marking if and only if this marking, with
`unfired` empty, is reachable in the new net. That net is bounded if the given one is.

Where the net has the name `unfired`, or that of a copy, the new one ends with a prime more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from petricheck.errors import EvidenceError
from petricheck.presburger.formulas import Conjunction, Formula, equal
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Problem, Transition


def participation(net: Net, transitions: Sequence[str], formula: Formula) -> Problem:
    """Whether the formula is reached by a firing sequence with one of the transitions.

    The copies stand behind the transitions of the net, in the order of the names.

    Args:
        net: the net.
        transitions: names of some of its transitions.
        formula: over its places.

    Raises:
        EvidenceError: the net has no such transition.
    """
    names = set(net.actions)
    if not names.issuperset(transitions):
        raise EvidenceError("a transition that takes part is none of the net")
    unfired, place = _fresh("unfired", net.place_numbers), len(net.places)
    copies = []
    for name in transitions:
        transition = net.transitions[net.transition_numbers[name]]
        copy = _fresh(f"{name}'", names)
        names.add(copy)
        copies.append(Transition(copy, (*transition.pre, (place, 1)), transition.post))
    marked = replace(
        net,
        places=(*net.places, unfired),
        transitions=(*net.transitions, *copies),
        initial=(*net.initial, 1),
        labels=(),
        origin=None,
        finals=(),
    )
    return Problem(marked, Conjunction((formula, equal(variable(unfired), 0))))


def _fresh(name: str, names: Collection[str]) -> str:
    """The name with as many primes as make it a new one."""
    while name in names:
        name += "'"
    return name
