"""What is known of a net, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from petricheck.formats import NetFile
from petricheck.presburger.shown import shown_formula, shown_name
from petricheck.problem import Net, Weights
from petricheck.survey import Part, Survey
from petricheck.words import counted, number_text

SHOWN = 20
"""Entries of a list that are shown to people."""


def survey_lines(file: NetFile, survey: Survey) -> Iterator[str]:
    """The lines, one part of the survey after the other; what is not computed comes last."""
    net = file.net
    size = f"{counted(len(net.places), 'place')}, {counted(len(net.transitions), 'transition')}"
    if Part.STRUCTURE not in survey.missing:
        size += f", {counted(survey.arcs, 'arc')}, {counted(survey.tokens, 'token')}"
    yield f"net {shown_name(net.name)}: {size}"
    if Part.STRUCTURE not in survey.missing:
        yield f"class: {', '.join(survey.classes)}"
    yield from _section("warnings about the file", file.warnings)
    yield f"bounded: {_bounded(survey)}"
    yield f"safe: {_safe(survey)}"
    yield from _names("places that are never marked", survey.never_marked)
    yield from _names("transitions that never fire", survey.dead)
    if Part.PLACE_INVARIANTS not in survey.missing:
        yield from _place_invariants(net, survey)
    yield from _bounds(survey)
    yield from _names("unbounded places", survey.unbounded)
    if Part.BOUNDS not in survey.missing:
        yield from _names("places for which no bound was found", survey.open)
    if Part.TRANSITION_INVARIANTS not in survey.missing:
        vectors = [_sum(net, vector) for vector in survey.transition_invariants]
        complete = survey.all_transition_invariants
        yield from _computed("transition invariants", vectors, complete)
    for part, sets in ((Part.SIPHONS, survey.siphons), (Part.TRAPS, survey.traps)):
        if part not in survey.missing:
            places = [_set(net, members) for members in sets.sets]
            yield from _computed(part.value, places, sets.complete)
    yield from _names("isolated places", survey.isolated)
    yield from _names("transitions that need no token", survey.sources)
    yield from _names("transitions that change nothing", survey.idle)
    twins = [" ".join(map(shown_name, group)) for group in survey.twins]
    yield from _section("transitions with the same arcs", twins)
    if survey.missing:
        yield f"not computed: {', '.join(part.value for part in survey.missing)}"


def _bounded(survey: Survey) -> str:
    if survey.bounded:
        return "yes, every place has a bound"
    if survey.unbounded:
        return f"no, {shown_name(survey.unbounded[0])} can hold any number of tokens"
    return f"not known, no bound of {shown_name(survey.open[0])} was found"


def _safe(survey: Survey) -> str:
    if survey.unbounded:
        return "no, it is not bounded"
    if survey.crowded:
        tokens = number_text(survey.reached[survey.net.place_numbers[survey.crowded[0]]])
        return f"no, {shown_name(survey.crowded[0])} can hold {tokens} tokens"
    if survey.safe:
        return "yes, no place ever holds more than one token"
    place = (*survey.open, *survey.doubtful)[0]
    return f"not known, {shown_name(place)} might hold more than one token"


def _bounds(survey: Survey) -> Iterator[str]:
    """The places by their bound."""
    if survey.bounds:
        yield f"bounds ({len(survey.bounds)}):"
    groups: dict[tuple[int, bool], list[str]] = {}
    for place, bound in survey.bounds.items():
        key = bound, survey.reached.get(place, 0) < bound
        groups.setdefault(key, []).append(survey.net.places[place])
    for (bound, loose), places in sorted(groups.items()):
        often = "" if loose else ", reached"
        yield f"  at most {number_text(bound)}{often}: {_listed(places)}"


def _place_invariants(net: Net, survey: Survey) -> Iterator[str]:
    # Those over few places first: they are read, and of many only some are shown.
    shortest = sorted(survey.invariants, key=lambda y: len(y.weights))
    equations = [shown_formula(y.formula(net)) for y in shortest]
    complete = survey.all_invariants
    yield from _computed("place invariants", equations, complete, "a basis of all takes")
    if complete and not survey.all_semiflows:
        yield "other place invariants, linear combinations of these, were not computed"


def _sum(net: Net, vector: Weights) -> str:
    """How often each transition fires."""
    return " + ".join(
        (f"{number_text(times)}*" if times > 1 else "") + shown_name(net.actions[transition])
        for transition, times in vector
    )


def _set(net: Net, places: Iterable[int]) -> str:
    marked = any(net.initial[place] for place in places)
    names = _listed([net.places[place] for place in sorted(places)])
    return names if marked else f"empty initially: {names}"


def _computed(
    title: str, entries: Sequence[str], complete: bool, work: str = "all of them take"
) -> Iterator[str]:
    """The entries; and whether there are others, which would have been too much work."""
    yield from _section(title, entries)
    if not complete:
        which = f"other {title} were" if entries else f"{title}:"
        yield f"{which} not computed: {work} too many steps"
    elif not entries:
        yield f"{title}: none"


def _section(title: str, entries: Sequence[str]) -> Iterator[str]:
    if entries:
        yield f"{title} ({len(entries)}):"
        yield from (f"  {entry}" for entry in entries[:SHOWN])
        if len(entries) > SHOWN:
            yield f"  {_more(entries)}"


def _names(title: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        yield f"{title} ({len(names)}): {_listed(names)}"


def _listed(names: Sequence[str]) -> str:
    more = f" {_more(names)}" if len(names) > SHOWN else ""
    return " ".join(map(shown_name, names[:SHOWN])) + more


def _more(entries: Sequence[str]) -> str:
    return f"… ({len(entries) - SHOWN} more: --json lists all)"
