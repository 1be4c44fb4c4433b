"""What is known of a net, for programs.

Keys: `places`, `transitions`, `arcs`, `tokens` (numbers), `classes` (names of `survey.structure`),
`bounded` and `safe` (null where that is not known), `invariants` (place invariants, each as an
equation of evidence files), `all_invariants` (whether every place invariant is a linear combination
of these), `all_semiflows` (whether every one without negative weights is a sum of those among
them), `bounds` (most tokens by place), `reached` (tokens of some reachable marking by place, the
most that are known; unbounded places left out), `unbounded` (places proved to be so),
`no_bound_found` (all other places), `transition_invariants` (how often each transition fires),
`all_transition_invariants`, `siphons`, `all_siphons`, `traps`, `all_traps` (minimal ones, and
whether none is missing), `never_marked` (places), `dead` (transitions), `isolated`, `sources`,
`idle`, `twins` (as `Survey` has them), `not_computed` (parts that are missing: the keys that tell
of them are null).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from petricheck.presburger.json import write_integer, write_sum
from petricheck.problem import Net
from petricheck.survey import Part, Survey
from petricheck.survey.siphons import MinimalSets

_ODDITIES = ("never_marked", "dead", "isolated", "sources", "idle", "twins")

_KEYS: Mapping[Part, tuple[str, ...]] = {
    Part.STRUCTURE: ("arcs", "tokens", "classes", *_ODDITIES),
    Part.EXPLORATION: ("reached", "unbounded"),
    Part.PLACE_INVARIANTS: ("invariants", "all_invariants", "all_semiflows"),
    Part.BOUNDS: ("bounds", "no_bound_found"),
    Part.TRANSITION_INVARIANTS: ("transition_invariants", "all_transition_invariants"),
    Part.SIPHONS: ("siphons", "all_siphons"),
    Part.TRAPS: ("traps", "all_traps"),
}
"""What each part tells."""


def survey_fields(survey: Survey) -> dict[str, Any]:
    """Everything, with null for what is not computed."""
    net = survey.net
    fields = {
        "places": len(net.places),
        "transitions": len(net.transitions),
        "arcs": survey.arcs,
        "tokens": write_integer(survey.tokens),
        "classes": survey.classes,
        "bounded": survey.bounded,
        "safe": survey.safe,
        "invariants": [
            {"sum": _by_place(net, y.weights), "equals": write_integer(y.value)}
            for y in survey.invariants
        ],
        "all_invariants": survey.all_invariants,
        "all_semiflows": survey.all_semiflows,
        "bounds": _by_place(net, survey.bounds.items()),
        "reached": _by_place(net, survey.reached.items()),
        "unbounded": survey.unbounded,
        "no_bound_found": survey.open,
        "transition_invariants": [
            write_sum(tuple((net.actions[t], times) for t, times in vector))
            for vector in survey.transition_invariants
        ],
        "all_transition_invariants": survey.all_transition_invariants,
        "siphons": _sets(net, survey.siphons),
        "all_siphons": survey.siphons.complete,
        "traps": _sets(net, survey.traps),
        "all_traps": survey.traps.complete,
        **{name: getattr(survey, name) for name in _ODDITIES},
        "not_computed": [part.value for part in survey.missing],
    }
    return fields | {key: None for part in survey.missing for key in _KEYS[part]}


def _by_place(net: Net, numbers: Iterable[tuple[int, int]]) -> dict[str, int | str]:
    return write_sum(tuple((net.places[place], number) for place, number in numbers))


def _sets(net: Net, minimal: MinimalSets) -> list[list[str]]:
    return [[net.places[place] for place in sorted(places)] for places in minimal.sets]
