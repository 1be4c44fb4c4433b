"""What is known of a net, for programs.

Keys: `places`, `transitions` (numbers), the attributes of `Survey` with what is in `_KEYS`,
`bounded` and `safe` (null where that is not known), and `not_computed` (parts that are missing: the
keys that tell of them are null). A place invariant is an equation of evidence files: `sum`,
`equals`; `no_bound_found` are the places that are neither in `bounds` nor in `unbounded`.
"""

from __future__ import annotations

from typing import Any

from petricheck.presburger.json import write_facts
from petricheck.survey import Survey

_KEYS = (
    *("arcs", "tokens", "classes", "bounded", "safe"),
    *("invariants", "all_invariants", "all_semiflows"),
    *("bounds", "reached", "unbounded", "no_bound_found"),
    *("transition_invariants", "all_transition_invariants"),
    *("siphons", "all_siphons", "traps", "all_traps"),
    *("never_marked", "dead", "isolated", "sources", "idle", "twins"),
)
"""Attributes of a survey that are told, in this order."""


def survey_fields(survey: Survey) -> dict[str, Any]:
    """Everything, with null for what is not computed."""
    net = survey.net
    facts = {key: getattr(survey, key) for key in _KEYS}
    if survey.bounds is None:
        facts["no_bound_found"] = None
    if survey.invariants is not None:
        facts["invariants"] = [
            {"sum": {net.places[p]: w for p, w in y.weights}, "equals": y.value}
            for y in survey.invariants
        ]
    sizes = {"places": len(net.places), "transitions": len(net.transitions)}
    fields: dict[str, Any] = write_facts(sizes | facts | {"not_computed": survey.missing})
    return fields
