"""What is told of a trace: its firings, where it ends, and how places change on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from petricheck.answer import Trace
from petricheck.explanation.model import model_places, place_tokens
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
from petricheck.language.sums import model_names
from petricheck.problem import Net
from petricheck.words import counted, natural_key

PLACES = 20
"""Of more places that a marking is told by, a text only counts the rest."""

BEFORE = "tokens before, at most, and after it:"


def firings(net: Net, trace: Trace) -> Iterator[Node]:
    """The trace, and the names that people gave to what it fires and changes."""
    if trace.steps:
        yield Firings(trace.steps)
        fired = dict.fromkeys(net.transition_numbers[name] for name, _ in trace.steps)
        changed = (net.places[p] for t in fired for p, _ in net.transitions[t].effect)
        names = model_names(net, (*(net.actions[t] for t in fired), *changed))
        yield from names_line(names, net.given_names)


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
    after = net.after(trace.steps)
    places = model_places(net)
    owners = {net.places[n]: place for place, numbers in places.items() for n in numbers}
    named = {owners[name] for name in named}

    def marked(place: str) -> bool:
        return any(after[n] for n in places[place])

    def changed(place: str) -> bool:
        return any(after[n] != net.initial[n] for n in places[place])

    first = sorted(named, key=natural_key) if len(named) <= PLACES else []
    if net.origin:  # Then it names many.
        first.sort(key=marked, reverse=True)
    if whole or not net.places:
        shown = sorted(filter(marked, places), key=natural_key)
        others, nothing = "; the other places are empty", "no place has a token"
    else:
        more = [place for place in places if changed(place) and place not in first]
        more.sort(key=lambda place: (not marked(place), natural_key(place)))
        shown = [*first, *more]
        others, nothing = "; the other places as initially", "the places as initially"
    marking = Several(
        tuple((Id(p), " = ", *place_tokens(net, p, after)) for p in shown), PLACES, "place"
    )
    some = shown and len(shown) < len(places) and (whole or len(shown) <= PLACES)
    hint = "--trace shows all" if len(shown) > PLACES else ""
    words: Words = (marking, others if some else "") if shown else (nothing,)
    yield Line(words, inner=True, hint=hint)
    fired = model_names(net, (net.actions[net.transition_numbers[n]] for n, _ in trace.steps))
    yield from names_line((*fired, *shown), net.given_names)


def step_nodes(net: Net, trace: Trace, ends: int) -> Iterator[Node]:
    """The markings on the way, and what becomes of the places."""
    if not trace.steps:
        return
    total = len(trace.steps)  # maybe millions: they are gone through, not kept
    yield Steps(net, tuple(_shortened(_steps(net, trace), total, ends)))
    highest: dict[int, int] = {}  # within a step places change linearly
    for place, before, after in (c for step in _steps(net, trace) for c in step.changes):
        highest[place] = max(highest.get(place, before), after)
    last = net.after(trace.steps)
    rows = ((net.places[p], (net.initial[p], highest[p], last[p])) for p in sorted(highest))
    title = f"The trace changes {counted(len(highest), 'place')}; {BEFORE}"
    yield Table(title, ("Place", "Before", "At most", "After"), tuple(rows))
    if unchanged := [p for p, tokens in enumerate(net.initial) if tokens and p not in highest]:
        tokens = [n if p not in highest else 0 for p, n in enumerate(net.initial)]
        places = dict.fromkeys(model_names(net, (net.places[p] for p in unchanged)))
        items = tuple((Id(place), " = ", *place_tokens(net, place, tokens)) for place in places)
        others = counted(len(unchanged), "other marked place")
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


def _shortened(steps: Iterable[Step], total: int, ends: int) -> Iterator[Step]:
    """Of many steps the first and the last ones, and all others as one."""
    omitted: dict[int, tuple[int, int]] = {}
    for step in steps:
        if not ends < step.number <= total - ends:
            yield step
            continue
        for place, before, after in step.changes:
            omitted[place] = (omitted.get(place, (before, after))[0], after)
        if step.number == total - ends:
            changes = tuple((place, *values) for place, values in sorted(omitted.items()))
            yield Step(step.number, None, total - 2 * ends, changes)
