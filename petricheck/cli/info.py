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

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from petricheck.answer import Unknown
from petricheck.cli.info_text import survey_text
from petricheck.cli.limits import (
    ANSWER,
    INTERRUPTED,
    answer_with,
    keep_late,
    kept_up_to_date,
    limited,
)
from petricheck.cli.net_files import net_file
from petricheck.cli.options import json_option, limit_options, net_options
from petricheck.cli.outcomes import Status, leave
from petricheck.cli.record import json_lines, net_fields
from petricheck.cli.terminal import complain, say
from petricheck.errors import BudgetExhausted
from petricheck.formats import NetFile
from petricheck.presburger.json import write_integer, write_sum
from petricheck.problem import Net

if TYPE_CHECKING:
    from petricheck.survey import Survey
    from petricheck.survey.siphons import MinimalSets


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


def _fields(file: NetFile, survey: Survey) -> dict[str, Any]:
    """Everything, with null for what a part of the survey would tell that is missing."""
    from petricheck.survey import Part

    net = file.net
    rows: Sequence[tuple[Part | None, str, Any]] = (
        (None, "net", net_fields(file)),
        (None, "places", len(net.places)),
        (None, "transitions", len(net.transitions)),
        (Part.STRUCTURE, "arcs", survey.arcs),
        (Part.STRUCTURE, "tokens", write_integer(survey.tokens)),
        (Part.STRUCTURE, "classes", survey.classes),
        (None, "bounded", survey.bounded),
        (None, "safe", survey.safe),
        (
            Part.PLACE_INVARIANTS,
            "invariants",
            [
                {"sum": _by_place(net, y.weights), "equals": write_integer(y.value)}
                for y in survey.invariants
            ],
        ),
        (Part.PLACE_INVARIANTS, "all_invariants", survey.all_invariants),
        (Part.PLACE_INVARIANTS, "all_semiflows", survey.all_semiflows),
        (Part.BOUNDS, "bounds", _by_place(net, survey.bounds.items())),
        (Part.EXPLORATION, "reached", _by_place(net, survey.reached.items())),
        (Part.EXPLORATION, "unbounded", survey.unbounded),
        (Part.BOUNDS, "no_bound_found", survey.open),
        (
            Part.TRANSITION_INVARIANTS,
            "transition_invariants",
            [
                write_sum(tuple((net.actions[t], times) for t, times in vector))
                for vector in survey.transition_invariants
            ],
        ),
        (
            Part.TRANSITION_INVARIANTS,
            "all_transition_invariants",
            survey.all_transition_invariants,
        ),
        (Part.SIPHONS, "siphons", _sets(net, survey.siphons)),
        (Part.SIPHONS, "all_siphons", survey.siphons.complete),
        (Part.TRAPS, "traps", _sets(net, survey.traps)),
        (Part.TRAPS, "all_traps", survey.traps.complete),
        *(
            (Part.STRUCTURE, name, getattr(survey, name))
            for name in ("never_marked", "dead", "isolated", "sources", "idle", "twins")
        ),
        (None, "not_computed", [part.value for part in survey.missing]),
    )
    return {key: None if part in survey.missing else value for part, key, value in rows}


def _by_place(net: Net, numbers: Iterable[tuple[int, int]]) -> dict[str, int | str]:
    return write_sum(tuple((net.places[place], number) for place, number in numbers))


def _sets(net: Net, minimal: MinimalSets) -> list[list[str]]:
    return [[net.places[place] for place in sorted(places)] for places in minimal.sets]
