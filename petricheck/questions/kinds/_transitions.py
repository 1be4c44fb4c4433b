"""The common part of kinds whose words are transitions: `t1, t2`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from petricheck.arithmetic.formulas.text import COLOURED_NAME, QUOTED, name_to_text
from petricheck.formats.language.elements import GAP, entries, names_of
from petricheck.formats.language.enabling import Needs, ways
from petricheck.formats.language.model import needs, transitions_of
from petricheck.model.net import Net
from petricheck.questions.events import Events, MarkingEvent
from petricheck.support.errors import QueryError
from petricheck.support.words import printable

_ENTRY = rf"(?P<name>{COLOURED_NAME}(?![^\s,\"#])|{QUOTED}|[^\s,\"#]+)?{GAP}"


def named(net: Net, text: str) -> dict[str, Needs]:
    """Return the needs of each of the named transitions, by its name.

    Names are ids or unique human names, separated by commas or new lines. A name with a blank,
    comma, quote or `#` in it is put between double quotes. QueryError also where none is named.
    """
    resolver = names_of(net)
    chosen = {name: resolver.needs(name, text, start) for name, start in _listed(text)}
    if not chosen:
        message = f"no transition is named; name one, as in '{_example(net)}'"
        raise QueryError(message, text=text, position=0)
    return chosen


def named_numbers(net: Net, text: str) -> frozenset[int]:
    """Return the numbers of the transitions that names in such a list stand for; of none, none."""
    resolver = names_of(net)
    return frozenset(
        n for name, start in _listed(text) for n in resolver.bindings(name, text, start)
    )


def _listed(text: str) -> Iterator[tuple[str, int]]:
    """Yield the names of a list, each with its position."""
    return ((name, entry.start()) for name, entry in entries(_ENTRY, text, "transition"))


def every_transition(net: Net) -> dict[str, Needs]:
    """Return the needs of each transition of the model, by its name."""
    return {name: needs(net, name) for name in transitions_of(net)}


def enabled_events(net: Net, transitions: Mapping[str, Needs]) -> Events:
    """Return the events that these transitions are enabled, by name and needs."""
    return Events(tuple(MarkingEvent(name, tuple(ways(net, n))) for name, n in transitions.items()))


def names(net: Net) -> tuple[str, ...]:
    """Return the transitions of the file, those of the model first."""
    model = tuple(transitions_of(net))
    return model if net.origin is None else (*model, *net.actions)


def _example(net: Net) -> str:
    """Return some transition of the net as it is written; any name where it has none."""
    return next((printable(name_to_text(net.shown.transition(n))) for n in names(net)), "t")
