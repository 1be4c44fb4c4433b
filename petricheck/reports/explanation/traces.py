"""The parts of an explanation of a trace: firings, final marking, and changes of the places."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from petricheck.evidence.answer import Trace
from petricheck.evidence.explanation import (
    FiringList,
    Id,
    Line,
    Node,
    PlaceTable,
    SentenceList,
    Steps,
    TraceStep,
    Words,
)
from petricheck.formats.language.sums import model_names
from petricheck.model.net import Net
from petricheck.reports.explanation.model import model_places, place_tokens
from petricheck.support.words import counted, natural_key

PLACES = 20
"""Places that a text shows of a marking; it counts the others."""

BEFORE = "tokens before, at most, and after it:"


def firings(net: Net, trace: Trace) -> Iterator[Node]:
    """Yield the trace, if it fires something."""
    if trace.steps:
        yield FiringList(trace.steps)


def firings_to(
    net: Net, trace: Trace, place_names: Collection[str], *, whole: bool
) -> Iterator[Node]:
    """Yield the trace, and the marking of the target in which it ends.

    All marked places are shown, or those that are named or changed; names of others are passed
    over.
    """
    if trace.steps:
        yield FiringList(trace.steps)
        yield Line(("It ends in:",))
    after = net.after(trace.steps)
    places = model_places(net)
    owners = {net.places[n]: place for place, numbers in places.items() for n in numbers}
    place_names = {owners[name] for name in place_names if name in owners}

    def marked(place: str) -> bool:
        return any(after[n] for n in places[place])

    def changed(place: str) -> bool:
        return any(after[n] != net.initial[n] for n in places[place])

    named_places = sorted(place_names, key=natural_key) if len(place_names) <= PLACES else []
    if net.origin:  # A formula over the model names the places of all colours.
        named_places.sort(key=marked, reverse=True)
    if whole or not net.places:
        selection = sorted(filter(marked, places), key=natural_key)
        others, nothing = "; the other places are empty", "no place has a token"
    else:
        more = [place for place in places if changed(place) and place not in named_places]
        more.sort(key=lambda place: (not marked(place), natural_key(place)))
        selection = [*named_places, *more]
        others, nothing = "; the other places as initially", "the places as initially"
    marking = SentenceList(
        tuple((Id(p), " = ", *place_tokens(net, p, after)) for p in selection), PLACES, "place"
    )
    is_partial = selection and len(selection) < len(places) and (whole or len(selection) <= PLACES)
    hint = "--trace shows all" if len(selection) > PLACES else ""
    words: Words = (marking, others if is_partial else "") if selection else (nothing,)
    yield Line(words, inner=True, hint=hint)


def step_nodes(net: Net, trace: Trace, ends: int) -> Iterator[Node]:
    """Yield the steps of the trace, a table of the changed places, and the unchanged ones."""
    if not trace.steps:
        return
    total = len(trace.steps)  # It may be millions: no list of all steps.
    yield Steps(net, tuple(_shortened(_steps(net, trace), total, ends)))
    highest: dict[int, int] = {}  # In a step, tokens change monotonically.
    for place, before, after in (c for step in _steps(net, trace) for c in step.changes):
        highest[place] = max(highest.get(place, before), after)
    last = net.after(trace.steps)
    rows = ((net.places[p], (net.initial[p], highest[p], last[p])) for p in sorted(highest))
    title = f"The trace changes {counted(len(highest), 'place')}; {BEFORE}"
    yield PlaceTable(title, ("Place", "Before", "At most", "After"), tuple(rows))
    if unchanged := [p for p in net.known if net.initial[p] and p not in highest]:
        tokens = [n if p not in highest else 0 for p, n in enumerate(net.initial)]
        places = dict.fromkeys(model_names(net, (net.places[p] for p in unchanged)))
        items = tuple((Id(place), " = ", *place_tokens(net, place, tokens)) for place in places)
        others = counted(len(unchanged), "other marked place")
        yield Line((f"It leaves {others} alone: ", SentenceList(items), "."))


def _steps(net: Net, trace: Trace) -> Iterator[TraceStep]:
    tokens, known = list(net.initial), frozenset(net.known)
    for number, (name, times) in enumerate(trace.steps, start=1):
        changes = []
        for place, after in sorted(net.changed(tokens, name, times).items()):
            if place in known and after != tokens[place]:
                changes.append((place, tokens[place], after))
                tokens[place] = after
        yield TraceStep(number, name, times, tuple(changes))


def _shortened(steps: Iterable[TraceStep], total: int, ends: int) -> Iterator[TraceStep]:
    """Yield the first and the last steps, and one step in place of the omitted ones."""
    omitted: dict[int, tuple[int, int]] = {}
    for step in steps:
        if not ends < step.number <= total - ends:
            yield step
            continue
        for place, before, after in step.changes:
            omitted[place] = (omitted.get(place, (before, after))[0], after)
        if step.number == total - ends:
            changes = tuple((place, *values) for place, values in sorted(omitted.items()))
            yield TraceStep(step.number, None, total - 2 * ends, changes)
