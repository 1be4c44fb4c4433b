"""`petricheck info NET`.

Keys of its JSON object: `net` (file, name, sha256, warnings), `places`, `transitions`, `arcs`,
`tokens` (numbers), `classes` (names of `survey.structure`), `bounded` and `safe` (null where that
is not known), `invariants` (place invariants, each as an equation of evidence files),
`all_invariants` (whether every place invariant is a linear combination of these), `all_semiflows`
(whether every one without negative weights is a sum of those among them), `bounds` (most tokens by
place), `reached` (tokens of some reachable marking by place, the most that was met; unbounded
places left out), `unbounded` (places proved to be so), `no_bound_found` (all other places),
`transition_invariants` (how often each transition fires), `all_transition_invariants`, `siphons`,
`all_siphons`, `traps`, `all_traps` (minimal ones, and whether none is missing), `never_marked`
(places), `dead` (transitions), `isolated`, `sources`, `idle`, `twins` (as `Survey` has them),
`not_computed` (parts that are missing: the keys that tell of them are null), `reason` and `ending`
(why parts are missing, else null; the second is a word of `errors.Ending`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from petricheck.answer import Unknown
from petricheck.certificates.json import LONG
from petricheck.cli.findings import INTERRUPTED
from petricheck.cli.limits import ANSWER, answer_with, keep_late, kept_up_to_date, limited
from petricheck.cli.net_files import net_file
from petricheck.cli.options import json_option, limit_options, net_options
from petricheck.cli.outcomes import Status, leave
from petricheck.cli.record import json_lines, net_fields
from petricheck.cli.survey_text import survey_text
from petricheck.cli.terminal import complain, say
from petricheck.errors import BudgetExhausted
from petricheck.flows.place_invariant import PlaceInvariant
from petricheck.formats import NetFile
from petricheck.problem import Net

if TYPE_CHECKING:
    from petricheck.survey import Survey
    from petricheck.survey.siphons import MinimalSets

_KEYS: Mapping[str, Sequence[str]] = {
    "structure": (
        *("arcs", "tokens", "classes", "never_marked", "dead"),
        *("isolated", "sources", "idle", "twins"),
    ),
    "exploration": ("reached", "unbounded"),
    "place invariants": ("invariants", "all_invariants", "all_semiflows"),
    "bounds": ("bounds", "no_bound_found"),
    "transition invariants": ("transition_invariants", "all_transition_invariants"),
    "minimal siphons": ("siphons", "all_siphons"),
    "minimal traps": ("traps", "all_traps"),
}
"""By part of the survey, the keys that tell of it."""


@click.command()
@net_options
@limit_options
@json_option
def command(
    net: str, net_id: str | None, timeout: float | None, memory: int | None, as_json: bool
) -> None:
    """Describe a net: its class, invariants, bounds and siphons.

    Where a limit ends it, it tells what it has by then, and exits with status 1.
    """
    from petricheck.survey import Survey, surveys

    with limited(timeout, memory, partial(_tell_unread, as_json)) as budget:
        file = net_file(net, net_id)
        described, ended = Survey(file.net), None

        def late(answer: Unknown) -> Status:
            return _tell(file, described, answer, as_json)

        keep = partial(keep_late, ANSWER, late, budget)
        try:
            with kept_up_to_date(lambda: len(described.missing), keep):
                for more in surveys(file.net, budget):
                    described = more
        except BudgetExhausted as error:
            ended = Unknown(str(error), ending=error.ending)
        except KeyboardInterrupt:
            ended = INTERRUPTED
        status = answer_with(lambda: _tell(file, described, ended, as_json))
    if status is not Status.DECIDED:
        leave(Status.INTERRUPTED if ended is INTERRUPTED else status)


def _tell_unread(as_json: bool, answer: Unknown) -> Status:
    """Tell that the command ended before the net was read."""
    if as_json:
        say(json_lines({"net": None, **_ending(answer)}))
    complain(answer.reason)
    return Status.UNKNOWN


def _tell(file: NetFile, described: Survey, ended: Unknown | None, as_json: bool) -> Status:
    """Tell what is computed, and why that is not all."""
    if as_json:
        say(json_lines(_fields(file, described) | _ending(ended)))
    else:
        say("\n".join(survey_text(file, described)))
    if ended is None:
        return Status.DECIDED
    complain(ended.reason)
    return Status.UNKNOWN


def _ending(ended: Unknown | None) -> dict[str, Any]:
    """Why not all is computed; nulls where it is."""
    if ended is None:
        return {"reason": None, "ending": None}
    return {"reason": ended.reason, "ending": ended.ending.value}


def _fields(file: NetFile, found: Survey) -> dict[str, Any]:
    net = file.net
    missing = [part.value for part in found.missing]
    fields = {
        "net": net_fields(file),
        "places": len(net.places),
        "transitions": len(net.transitions),
        "arcs": found.arcs,
        "tokens": _integer(found.tokens),
        "classes": list(found.classes),
        "bounded": found.bounded,
        "safe": found.safe,
        "invariants": [_invariant(net, y) for y in found.invariants],
        "all_invariants": found.all_invariants,
        "all_semiflows": found.all_semiflows,
        "bounds": _by_place(net, found.bounds),
        "reached": _by_place(net, found.reached),
        "unbounded": list(found.unbounded),
        "no_bound_found": list(found.open),
        "transition_invariants": [
            {net.actions[t]: _integer(times) for t, times in x} for x in found.transition_invariants
        ],
        "all_transition_invariants": found.all_transition_invariants,
        "siphons": _sets(net, found.siphons),
        "all_siphons": found.siphons.complete,
        "traps": _sets(net, found.traps),
        "all_traps": found.traps.complete,
        "never_marked": list(found.never_marked),
        "dead": list(found.dead),
        "isolated": list(found.isolated),
        "sources": list(found.sources),
        "idle": list(found.idle),
        "twins": [list(group) for group in found.twins],
        "not_computed": missing,
    }
    return fields | {key: None for part in missing for key in _KEYS[part]}


def _invariant(net: Net, invariant: PlaceInvariant) -> dict[str, Any]:
    weights = {net.places[place]: _integer(w) for place, w in invariant.weights}
    return {"sum": weights, "equals": _integer(invariant.value)}


def _by_place(net: Net, tokens: Mapping[int, int]) -> dict[str, int | str]:
    return {net.places[place]: _integer(count) for place, count in tokens.items()}


def _sets(net: Net, minimal: MinimalSets) -> list[list[str]]:
    return [[net.places[place] for place in sorted(places)] for places in minimal.found]


def _integer(value: int) -> int | str:
    """As in evidence files: in hexadecimal where JSON readers would differ."""
    return value if value.bit_length() <= LONG else hex(value)
