"""`petricheck info NET`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from petricheck.certificates.json import LONG
from petricheck.cli.findings import counted, number_text, shown_formula, shown_name
from petricheck.cli.options import json_option, net_options
from petricheck.cli.record import json_lines, net_fields
from petricheck.cli.terminal import say
from petricheck.formats import NetFile, read_net
from petricheck.problem import Net
from petricheck.survey import PlaceInvariant, Survey, survey

SHOWN = 40
"""Entries of a list that are shown to people."""


@click.command()
@net_options
@json_option
def command(net: str, net_id: str | None, as_json: bool) -> None:
    """Describe a net: its size, place invariants, bounds, and whatever is odd about it."""
    file = read_net(net, net_id)
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
        "invariants": [_invariant(net, y) for y in (*found.semiflows, *found.others)],
        "all_invariants": found.all_invariants,
        "bounds": {net.places[place]: _integer(b) for place, b in found.bounds.items()},
        "best_bounds": found.all_semiflows,
        "uncovered": list(found.uncovered),
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
    invariants = [shown_formula(y.formula(net)) for y in (*found.semiflows, *found.others)]
    yield from _section("place invariants", invariants, "none")
    if not found.all_invariants:
        yield "  (the net is too large to find all of them)"
    least = {net.places[place]: number_text(b) for place, b in found.bounds.items()}
    bounds = [f"{shown_name(place)} <= {bound}" for place, bound in least.items()]
    yield from _section("bounds from invariants", bounds, "none")
    yield from _names("places that no invariant bounds", found.uncovered)
    yield from _names("isolated places", found.isolated)
    yield from _names("transitions that need no token", found.sources)
    yield from _names("transitions that change nothing", found.idle)
    twins = [" ".join(map(shown_name, group)) for group in found.twins]
    yield from _section("transitions with the same arcs", twins)


def _section(title: str, entries: Sequence[str], otherwise: str = "") -> Iterator[str]:
    if not entries:
        if otherwise:
            yield f"{title}: {otherwise}"
        return
    yield f"{title}:"
    yield from (f"  {entry}" for entry in entries[:SHOWN])
    if len(entries) > SHOWN:
        yield f"  … and {len(entries) - SHOWN} more (--json lists them)"


def _names(title: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        more = f" … and {len(names) - SHOWN} more (--json lists them)" if names[SHOWN:] else ""
        yield f"{title}: {' '.join(map(shown_name, names[:SHOWN]))}{more}"
