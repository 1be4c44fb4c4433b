"""`petricheck info NET`.

Keys of its JSON object: `net` (file, name, sha256, warnings), `places`, `transitions`, `arcs`,
`tokens` (numbers), `invariants` (place invariants, each as an equation of evidence files),
`all_invariants` (whether every place invariant is a linear combination of these), `all_semiflows`
(whether every one without negative weights is a sum of those among them), `bounds` (most tokens by
place), `unbounded` (places proved to be so), `no_bound_found` (all other places), `isolated`,
`sources`, `idle`, `twins` (as `Survey` has them).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from petricheck.certificates.json import LONG
from petricheck.cli.net_files import net_file
from petricheck.cli.options import json_option, net_options
from petricheck.cli.record import json_lines, net_fields
from petricheck.cli.terminal import say
from petricheck.flows.place_invariant import PlaceInvariant
from petricheck.formats import NetFile
from petricheck.presburger.shown import counted, number_text, shown_formula, shown_name
from petricheck.problem import Net
from petricheck.survey import Survey, survey

SHOWN = 20
"""Entries of a list that are shown to people."""


@click.command()
@net_options
@json_option
def command(net: str, net_id: str | None, as_json: bool) -> None:
    """Describe a net: its size, place invariants, bounds, and whatever is odd about it."""
    file = net_file(net, net_id)
    found = survey(file.net)
    say(json_lines(_fields(file, found)) if as_json else "\n".join(_lines(file, found)))


def _fields(file: NetFile, found: Survey) -> dict[str, Any]:
    net = file.net
    return {
        "net": net_fields(file),
        "places": len(net.places),
        "transitions": len(net.transitions),
        "arcs": found.arcs,
        "tokens": _integer(found.tokens),
        "invariants": [_invariant(net, y) for y in found.invariants],
        "all_invariants": found.all_invariants,
        "all_semiflows": found.all_semiflows,
        "bounds": {net.places[place]: _integer(b) for place, b in found.bounds.items()},
        "unbounded": list(found.unbounded),
        "no_bound_found": list(found.open),
        "isolated": list(found.isolated),
        "sources": list(found.sources),
        "idle": list(found.idle),
        "twins": [list(group) for group in found.twins],
    }


def _invariant(net: Net, invariant: PlaceInvariant) -> dict[str, Any]:
    weights = {net.places[place]: _integer(w) for place, w in invariant.weights}
    return {"sum": weights, "equals": _integer(invariant.value)}


def _integer(value: int) -> int | str:
    """As in evidence files: in hexadecimal where JSON readers would differ."""
    return value if value.bit_length() <= LONG else hex(value)


def _lines(file: NetFile, found: Survey) -> Iterator[str]:
    net = file.net
    tokens = number_text(found.tokens)
    yield (
        f"net {shown_name(net.name)}: {counted(len(net.places), 'place')}, "
        f"{counted(len(net.transitions), 'transition')}, {counted(found.arcs, 'arc')}, "
        f"{tokens} token{'' if found.tokens == 1 else 's'}"
    )
    yield from _section("warnings about the file", file.warnings)
    yield from _invariants(net, found)
    bounds = [f"{shown_name(net.places[p])} <= {number_text(b)}" for p, b in found.bounds.items()]
    yield from _section("bounds", bounds)
    yield from _names("unbounded places", found.unbounded)
    yield from _names("places for which no bound was found", found.open)
    yield from _names("isolated places", found.isolated)
    yield from _names("transitions that need no token", found.sources)
    yield from _names("transitions that change nothing", found.idle)
    twins = [" ".join(map(shown_name, group)) for group in found.twins]
    yield from _section("transitions with the same arcs", twins)


def _invariants(net: Net, found: Survey) -> Iterator[str]:
    shown = [shown_formula(y.formula(net)) for y in found.invariants]
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
        shown = " ".join(map(shown_name, names[:SHOWN]))
        more = f" {_more(names)}" if len(names) > SHOWN else ""
        yield f"{title} ({len(names)}): {shown}{more}"


def _more(entries: Sequence[str]) -> str:
    return f"… ({len(entries) - SHOWN} more: --json lists all)"
