"""The net that records whether one of some transitions has fired.

It has one more place, `unfired`, with one token. Each of the transitions has a copy that also takes
this token. So `unfired` is empty after a firing sequence iff one of the copies has fired, once.
With transitions instead of their copies this is a firing sequence of the given net. Conversely, in
a firing sequence of the given net with one of the transitions, one of its firings can be replaced
by one of the copy. So the given net reaches a marking by a sequence with one of the transitions iff
the new net reaches this marking with `unfired` empty. The new net is bounded if the given one is.

Where the net already has such a name, primes are appended to the new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from petricheck.arithmetic.formulas.formulas import Conjunction, Formula, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.model.net import Net, Transition
from petricheck.model.problem import Problem
from petricheck.support.errors import EvidenceError
from petricheck.support.words import fresh_name


def participation(net: Net, transitions: Sequence[str], formula: Formula) -> Problem:
    """Return the problem to reach the formula by a firing sequence with one of the transitions.

    The copies follow the transitions of the net, in the order of the names. EvidenceError where the
    net has no transition of a name.
    """
    names = set(net.actions)
    if not names.issuperset(transitions):
        raise EvidenceError("a transition that takes part is none of the net")
    unfired, place = fresh_name("unfired", net.place_numbers), len(net.places)
    copies = []
    for name in transitions:
        transition = net.transitions[net.transition_numbers[name]]
        copy = fresh_name(f"{name}'", names)
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
