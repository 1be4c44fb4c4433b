"""A trace told step by step, and by what it makes of the places."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from petricheck.answer import Trace
from petricheck.explanation.tree import (
    Changes,
    Final,
    Firings,
    GivenNames,
    Line,
    Node,
    Several,
    Step,
    Steps,
)
from petricheck.presburger.formulas import Formula, equal, variables
from petricheck.presburger.terms import variable
from petricheck.problem import Net
from petricheck.words import counted, natural_key

ENDS = 1_000
"""Steps that are told from either end of a longer trace."""


def firings(net: Net, trace: Trace) -> Iterator[Node]:
    """The trace, and the names that people gave to what it fires and changes."""
    if trace.steps:
        yield Firings(trace.steps)
        fired = dict.fromkeys(net.transition_numbers[name] for name, _ in trace.steps)
        changed = (net.places[p] for t in fired for p, _ in net.transitions[t].effect)
        yield from _given_names(net, (*(net.actions[t] for t in fired), *changed))


def firings_to(net: Net, trace: Trace, target: Formula, unnamed: Collection[str]) -> Iterator[Node]:
    """The trace, and the marking in the target that it ends in.

    Args:
        net: the net.
        trace: it fires.
        target: what the marking satisfies.
        unnamed: places of the target that the question does not name.
    """
    if trace.steps:
        yield Firings(trace.steps)
        yield Line(("It ends in:",))
    final = _final(net, trace, set(variables(target)).difference(unnamed))
    yield final
    fired = (name for name, _ in trace.steps)
    yield from _given_names(net, (*fired, *(p for p, _ in (*final.named, *final.changed))))


def _given_names(net: Net, ids: Iterable[str]) -> Iterator[GivenNames]:
    """The names of those that have one of their own."""
    known = net.given_names
    if named := tuple((id_, known[id_]) for id_ in dict.fromkeys(ids) if id_ in known):
        yield GivenNames(named)


def _final(net: Net, trace: Trace, named: Collection[str]) -> Final:
    initially, tokens = net.values(net.initial), net.values(net.after(trace.steps))
    changed = [p for p in net.places if tokens[p] != initially[p] and p not in named]
    changed.sort(key=lambda place: (tokens[place] == 0, natural_key(place)))
    marked = sorted((place for place, held in tokens.items() if held), key=natural_key)
    return Final(
        tuple((place, tokens[place]) for place in sorted(named, key=natural_key)),
        tuple((place, tokens[place]) for place in changed),
        tuple((place, tokens[place]) for place in marked),
        len(net.places),
    )


def course(net: Net, trace: Trace, ends: int) -> Iterator[Node]:
    """The markings on the way, and what becomes of the places.

    Within a step places change linearly, so that its ends tell the most tokens.
    """
    most: dict[int, int] = {}
    steps: list[Step] = []
    passed: dict[int, int] = {}
    tokens = list(net.initial)
    left_out = range(ends, len(trace.steps) - ends)
    for number, (name, times) in enumerate(trace.steps):
        changes = []
        for place, change in net.transitions[net.transition_numbers[name]].effect:
            before = tokens[place]
            tokens[place] += times * change
            most[place] = max(most.get(place, before), tokens[place])
            changes.append((place, before, tokens[place]))
        if number not in left_out:
            steps.append(Step(number + 1, name, times, tuple(changes)))
            continue
        for place, before, _ in changes:
            passed.setdefault(place, before)
        if number == left_out[-1]:
            gap = ((p, before, tokens[p]) for p, before in sorted(passed.items()))
            steps.append(Step(number + 1, None, len(left_out), tuple(gap)))
    if steps:
        yield Steps(net, tuple(sorted(most)), tuple(steps), len(trace.steps))
        rows = ((net.places[p], net.initial[p], most[p], tokens[p]) for p in sorted(most))
        yield Changes(tuple(rows))
    if steps and (untouched := [p for p, n in enumerate(net.initial) if n and p not in most]):
        kept = Several(tuple(equal(variable(net.places[p]), net.initial[p]) for p in untouched))
        others = counted(len(untouched), "other marked place")
        yield Line((f"It leaves {others} alone: ", kept, "."))
