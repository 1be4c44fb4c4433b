"""A trace told step by step, and by what it makes of the places."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from petricheck.answer import Trace
from petricheck.explanation.tree import (
    Firings,
    Id,
    Line,
    Node,
    Several,
    Step,
    Steps,
    Table,
    Words,
    names_line,
)
from petricheck.problem import Net
from petricheck.words import counted, natural_key

PLACES = 20
"""Of more places that a marking is told by, a text only counts the rest."""

BEFORE = "tokens before, at most, and after it:"

ENDS = 1_000
"""Steps that are told from either end of a longer trace."""


def firings(net: Net, trace: Trace) -> Iterator[Node]:
    """The trace, and the names that people gave to what it fires and changes."""
    if trace.steps:
        yield Firings(trace.steps)
        fired = dict.fromkeys(net.transition_numbers[name] for name, _ in trace.steps)
        changed = (net.places[p] for t in fired for p, _ in net.transitions[t].effect)
        yield from names_line((*(net.actions[t] for t in fired), *changed), net.given_names)


def firings_to(net: Net, trace: Trace, named: Collection[str], *, whole: bool) -> Iterator[Node]:
    """The trace, and the marking in the target that it ends in.

    Args:
        net: the net.
        trace: it fires.
        named: places that the question names.
        whole: whether all marked places are told, or those that are named or changed.
    """
    if trace.steps:
        yield Firings(trace.steps)
        yield Line(("It ends in:",))
    initially, tokens = net.values(net.initial), net.values(net.after(trace.steps))
    first = sorted(named, key=natural_key) if len(named) <= PLACES else []
    if whole or not net.places:
        told = sorted((place for place, held in tokens.items() if held), key=natural_key)
        rest, nothing = "; the other places are empty", "no place has a token"
    else:
        changed = [p for p in net.places if tokens[p] != initially[p] and p not in first]
        changed.sort(key=lambda place: (tokens[place] == 0, natural_key(place)))
        told = [*first, *changed]
        rest, nothing = "; the other places as initially", "the places as initially"
    marking = Several(tuple((Id(p), " = ", tokens[p]) for p in told), PLACES, "place")
    some = told and len(told) < len(net.places) and (whole or len(told) <= PLACES)
    hint = "--trace shows all" if len(told) > PLACES else ""
    words: Words = (marking, rest if some else "") if told else (nothing,)
    yield Line(words, inner=True, hint=hint)
    yield from names_line((*(name for name, _ in trace.steps), *told), net.given_names)


def course(net: Net, trace: Trace, ends: int) -> Iterator[Node]:
    """The markings on the way, and what becomes of the places."""
    if not trace.steps:
        return
    steps = [*_steps(net, trace)]
    yield Steps(net, _shortened(steps, ends))
    most: dict[int, int] = {}  # within a step places change linearly
    for place, before, after in (change for step in steps for change in step.changes):
        most[place] = max(most.get(place, before), after)
    last = net.after(trace.steps)
    rows = ((net.places[p], (net.initial[p], most[p], last[p])) for p in sorted(most))
    title = f"The trace changes {counted(len(most), 'place')}; {BEFORE}"
    yield Table(title, ("Place", "Before", "At most", "After"), tuple(rows))
    if alone := [p for p, tokens in enumerate(net.initial) if tokens and p not in most]:
        items = tuple((Id(net.places[p]), " = ", net.initial[p]) for p in alone)
        others = counted(len(alone), "other marked place")
        yield Line((f"It leaves {others} alone: ", Several(items), "."))


def _steps(net: Net, trace: Trace) -> Iterator[Step]:
    """All steps with what they change."""
    tokens = list(net.initial)
    for number, (name, times) in enumerate(trace.steps, start=1):
        changes = []
        for place, change in net.transitions[net.transition_numbers[name]].effect:
            changes.append((place, tokens[place], tokens[place] + times * change))
            tokens[place] += times * change
        yield Step(number, name, times, tuple(changes))


def _shortened(steps: Sequence[Step], ends: int) -> tuple[Step, ...]:
    """Of many steps the first and the last ones, and all others as one."""
    middle = steps[ends:-ends]
    if not middle:
        return tuple(steps)
    passed: dict[int, tuple[int, int]] = {}
    for place, before, after in (change for step in middle for change in step.changes):
        passed[place] = (passed.get(place, (before, after))[0], after)
    changes = tuple((place, *values) for place, values in sorted(passed.items()))
    left_out = Step(middle[-1].number, None, len(middle), changes)
    return (*steps[:ends], left_out, *steps[-ends:])
