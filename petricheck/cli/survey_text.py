"""What is known of a net, told to people: the lines of `petricheck info`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from petricheck.formats import NetFile
from petricheck.presburger.shown import shown_formula, shown_name
from petricheck.problem import Net
from petricheck.words import counted, number_text

if TYPE_CHECKING:
    from petricheck.survey import Survey
    from petricheck.survey.siphons import MinimalSets

SHOWN = 20
"""Entries of a list that are shown to people."""


def survey_text(file: NetFile, found: Survey) -> Iterator[str]:
    """The lines, one part of the survey after the other; what is not computed comes last."""
    net = file.net
    missing = [part.value for part in found.missing]
    size = f"{counted(len(net.places), 'place')}, {counted(len(net.transitions), 'transition')}"
    if "structure" not in missing:
        tokens = f"{number_text(found.tokens)} token{'' if found.tokens == 1 else 's'}"
        size += f", {counted(found.arcs, 'arc')}, {tokens}"
    yield f"net {shown_name(net.name)}: {size}"
    if "structure" not in missing:
        yield f"class: {', '.join(found.classes)}"
    yield from _section("warnings about the file", file.warnings)
    yield f"bounded: {_bounded(found)}"
    yield f"safe: {_safe(found)}"
    yield from _names("places that are never marked", found.never_marked)
    yield from _names("transitions that never fire", found.dead)
    if "place invariants" not in missing:
        yield from _invariants(net, found)
    yield from _bounds(found)
    yield from _names("unbounded places", found.unbounded)
    if "bounds" not in missing:
        yield from _names("places for which no bound was found", found.open)
    if "transition invariants" not in missing:
        yield from _transition_invariants(net, found)
    if "minimal siphons" not in missing:
        yield from _minimal("siphons", net, found.siphons)
    if "minimal traps" not in missing:
        yield from _minimal("traps", net, found.traps)
    yield from _names("isolated places", found.isolated)
    yield from _names("transitions that need no token", found.sources)
    yield from _names("transitions that change nothing", found.idle)
    twins = [" ".join(map(shown_name, group)) for group in found.twins]
    yield from _section("transitions with the same arcs", twins)
    if missing:
        yield f"not computed: {', '.join(missing)}"


def _bounded(found: Survey) -> str:
    if found.bounded:
        return "yes, every place has a bound"
    if found.unbounded:
        return f"no, {shown_name(found.unbounded[0])} can hold any number of tokens"
    return f"not known, no bound of {shown_name(found.open[0])} was found"


def _safe(found: Survey) -> str:
    if found.unbounded:
        return "no, it is not bounded"
    if found.crowded:
        tokens = number_text(found.reached[found.net.place_numbers[found.crowded[0]]])
        return f"no, {shown_name(found.crowded[0])} can hold {tokens} tokens"
    if found.safe:
        return "yes, no place ever holds more than one token"
    return (
        f"not known, {shown_name((*found.open, *found.doubtful)[0])} might hold more than one token"
    )


def _bounds(found: Survey) -> Iterator[str]:
    """The places by their bound."""
    if found.bounds:
        yield f"bounds ({len(found.bounds)}):"
    groups: dict[tuple[int, bool], list[str]] = {}
    for place, bound in found.bounds.items():
        key = bound, found.reached.get(place, 0) < bound
        groups.setdefault(key, []).append(found.net.places[place])
    for (bound, loose), places in sorted(groups.items()):
        often = "" if loose else ", reached"
        yield f"  at most {number_text(bound)}{often}: {_listed(places)}"


def _transition_invariants(net: Net, found: Survey) -> Iterator[str]:
    """Firing vectors that change nothing."""
    shown = [
        " + ".join(
            (f"{number_text(n)}*" if n > 1 else "") + shown_name(net.actions[t]) for t, n in x
        )
        for x in found.transition_invariants
    ]
    yield from _section("transition invariants", shown)
    yield from _gaps("transition invariants", shown, found.all_transition_invariants)


def _minimal(title: str, net: Net, sets: MinimalSets) -> Iterator[str]:
    shown = [
        ("" if any(net.initial[place] for place in places) else "empty initially: ")
        + _listed([net.places[place] for place in sorted(places)])
        for places in sets.found
    ]
    yield from _section(f"minimal {title}", shown)
    yield from _gaps(f"minimal {title}", shown, sets.complete)


def _gaps(title: str, shown: Sequence[str], complete: bool) -> Iterator[str]:
    if not complete:
        which = f"other {title} were" if shown else f"{title}:"
        yield f"{which} not computed: all of them take too many steps"
    elif not shown:
        yield f"{title}: none"


def _invariants(net: Net, found: Survey) -> Iterator[str]:
    # Those over few places first: they are read, and of many only some are shown.
    shortest = sorted(found.invariants, key=lambda y: len(y.weights))
    shown = [shown_formula(y.formula(net)) for y in shortest]
    if found.all_invariants and not shown:
        yield "place invariants: none"
    yield from _section("place invariants", shown)
    if not found.all_invariants:
        which = "other place invariants were" if shown else "place invariants:"
        yield f"{which} not computed: a basis of all takes too many steps"
    elif not found.all_semiflows:
        yield "other place invariants, linear combinations of these, were not computed"


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
