"""What is known of a net: lines for people, and fields for programs.

Keys of the fields: `places`, `transitions` (numbers), the attributes of `Survey` with what is in
`_KEYS`, `bounded` and `safe` (null where that is not known), and `not_computed` (parts that are
missing: the keys that tell of them are null). A place invariant is an equation of evidence files:
`sum`, `equals`; `no_bound_found` are the places that are neither in `bounds` nor in `unbounded`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from petricheck.arithmetic.formulas.formulas import TRUE, Equality, equal
from petricheck.arithmetic.formulas.json import write_facts
from petricheck.arithmetic.formulas.shown import shown_formula, shown_name
from petricheck.arithmetic.formulas.terms import variable
from petricheck.formats.language.sums import summed, summed_names
from petricheck.formats.nets import NetFile
from petricheck.model.net import Net
from petricheck.reports.survey import Survey
from petricheck.support.words import counted, number_text
from petricheck.symbolic.linear import term_of

SHOWN = 20
"""Entries of a list that are shown to people."""


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
    """Return everything, with null for what is not computed."""
    net = survey.net
    facts = {key: getattr(survey, key) for key in _KEYS}
    if survey.bounds is None:
        facts["no_bound_found"] = None
    if survey.invariants is not None:
        facts["invariants"] = [
            {"sum": {net.places[p]: w for p, w in y.direction}, "equals": y.bound}
            for y in survey.invariants
        ]
    sizes = {"places": len(net.places), "transitions": len(net.transitions)}
    fields: dict[str, Any] = write_facts(sizes | facts | {"not_computed": survey.missing})
    return fields


def survey_lines(file: NetFile, survey: Survey) -> Iterator[str]:
    """Yield the lines, part by part; parts that are not computed come last."""
    net = file.net
    yield from head_lines(survey)
    yield from _section("warnings about the file", file.warnings)
    yield f"bounded: {_bounded(survey)}"
    yield f"safe: {_safe(survey)}"
    yield from _names(net, "places that are never marked", survey.never_marked)
    yield from _names(net, "transitions that never fire", survey.dead)
    yield from _place_invariants(survey)
    yield from _bounds(survey)
    yield from _names(net, "unbounded places", survey.unbounded)
    if survey.bounds is not None:
        yield from _names(net, "places for which no bound was found", survey.no_bound_found)
    if survey.transition_invariants is not None:
        vectors = [_vector(net, vector) for vector in survey.transition_invariants]
        yield from _computed("transition invariants", vectors, survey.all_transition_invariants)
    yield from _section("complement places, as siphons and traps name them", _hidden(net))
    yield from _sets("minimal siphons", survey, survey.siphons, survey.all_siphons)
    yield from _sets("minimal traps", survey, survey.traps, survey.all_traps)
    yield from _names(net, "isolated places", survey.isolated)
    yield from _names(net, "transitions that need no token", survey.sources)
    yield from _names(net, "transitions that change nothing", survey.idle)
    twins = [_shown(net, group) for group in survey.twins or ()]
    yield from _section("transitions with the same arcs", twins)
    if survey.missing:
        yield f"not computed: {', '.join(survey.missing)}"


_KINDS = {
    (False, False): "net",
    (True, True): "unfolding of",
    (True, False): "ordinary net, with complement places, of",
}
"""What a net is: by whether it has an origin, and whether that has colours."""


def head_lines(survey: Survey) -> Iterator[str]:
    """Yield the net with its size, and its class."""
    net = survey.net
    size = f"{counted(len(net.places), 'place')}, {counted(len(net.transitions), 'transition')}"
    if survey.arcs is not None and survey.tokens is not None:
        size += f", {counted(survey.arcs, 'arc')}, {counted(survey.tokens, 'token')}"
    yield f"{_KINDS[net.origin is not None, net.is_unfolded]} {shown_name(net.name)}: {size}"
    if survey.classes is not None:
        yield f"class: {', '.join(survey.classes)}"


def _bounded(survey: Survey) -> str:
    if survey.bounded:
        return "yes, every place has a bound"
    if survey.unbounded:
        return f"no, {_shown(survey.net, survey.unbounded[:1])} can hold any number of tokens"
    return f"not known, no bound of {_shown(survey.net, survey.no_bound_found[:1])} was found"


def _safe(survey: Survey) -> str:
    if survey.unbounded:
        return "no, it is not bounded"
    for place in survey.crowded[:1]:
        tokens = number_text((survey.reached or {})[place])
        return f"no, {_shown(survey.net, [place])} can hold {tokens} tokens"
    if survey.safe:
        colour = " of a colour" if survey.net.is_unfolded else ""
        return f"yes, no place ever holds more than one token{colour}"
    place = (*survey.no_bound_found, *survey.doubtful)[0]
    return f"not known, {_shown(survey.net, [place])} might hold more than one token"


def _bounds(survey: Survey) -> Iterator[str]:
    groups: dict[tuple[int, bool], list[str]] = {}
    bounds = survey.bounds or {}
    known = _known(survey.net, tuple(bounds))
    for place in known:
        bound = bounds[place]
        loose = (survey.reached or {}).get(place, 0) < bound
        groups.setdefault((bound, loose), []).append(place)
    if groups:
        yield f"bounds ({len(known)}):"
    for (bound, loose), places in sorted(groups.items()):
        suffix = "" if loose else ", reached"
        colour = " of each colour" if survey.net.is_unfolded else ""
        listed = _listed(survey.net, places)
        yield f"  at most {number_text(bound)}{colour}{suffix}: {listed}"


def _place_invariants(survey: Survey) -> Iterator[str]:
    if survey.invariants is None:
        return
    # Those over few places first: they are read, and of many only some are shown.
    shortest = sorted(survey.invariants, key=lambda y: len(y.direction))
    terms = (term_of(survey.net, y.direction) - y.bound for y in shortest)
    shown = survey.net.shown.formula
    equalities = (summed(survey.net, Equality(term)) for term in terms)
    # That of a complement place, which makes it one, says nothing of the guarded net.
    equations = dict.fromkeys(
        shown_formula(shown(formula)) for formula in equalities if formula != TRUE
    )
    complete = survey.all_invariants
    yield from _computed("place invariants", [*equations], complete, "a basis of all takes")
    if complete and not survey.all_semiflows:
        yield "other place invariants, linear combinations of these, were not computed"


def _vector(net: Net, vector: Mapping[str, int]) -> str:
    return " + ".join(
        (f"{number_text(times)}*" if times > 1 else "") + _shown(net, [name])
        for name, times in vector.items()
    )


def _sets(
    title: str, survey: Survey, sets: Sequence[Sequence[str]] | None, complete: bool | None
) -> Iterator[str]:
    if sets is not None:
        tokens = survey.net.values(survey.net.initial)
        empty = ("" if any(tokens[p] for p in places) else "empty initially: " for places in sets)
        entries = [
            mark + _listed(survey.net, places) for mark, places in zip(empty, sets, strict=True)
        ]
        yield from _computed(title, entries, complete)


def _computed(
    title: str, entries: Sequence[str], complete: bool | None, work: str = "all of them take"
) -> Iterator[str]:
    """Yield the entries, and whether more of them were not computed."""
    yield from _section(title, entries)
    if not complete:
        subject = f"other {title} were" if entries else f"{title}:"
        yield f"{subject} not computed: {work} too many steps"
    elif not entries:
        yield f"{title}: none"


def _section(title: str, entries: Sequence[str]) -> Iterator[str]:
    if entries:
        yield f"{title} ({len(entries)}):"
        yield from (f"  {entry}" for entry in entries[:SHOWN])
        if len(entries) > SHOWN:
            yield f"  {_more(entries)}"


def _hidden(net: Net) -> list[str]:
    """Return what each complement place holds."""
    hidden = net.origin.hidden if net.origin is not None else {}
    sums = (equal(variable(name), tokens) for name, tokens in hidden.items())
    return [shown_formula(net.shown.formula(equation)) for equation in sums]


def _names(net: Net, title: str, names: Sequence[str] | None) -> Iterator[str]:
    if known := _known(net, names or ()):
        yield f"{title} ({len(known)}): {_listed(net, known)}"


def _known(net: Net, names: Sequence[str]) -> Sequence[str]:
    """Return the names without those of complement places."""
    hidden = net.origin.hidden if net.origin is not None else ()
    return [name for name in names if name not in hidden] if hidden else names


def _listed(net: Net, names: Sequence[str]) -> str:
    """Return the names; where all unfolded nodes of a model's node are there, the model's."""
    names = summed_names(net, names) if net.is_unfolded else names
    more = f" {_more(names)}" if len(names) > SHOWN else ""
    return _shown(net, names[:SHOWN]) + more


def _shown(net: Net, ids: Sequence[str]) -> str:
    return " ".join(shown_name(net.shown.node(id_)) for id_ in ids)


def _more(entries: Sequence[str]) -> str:
    return f"… ({len(entries) - SHOWN} more: --json lists all)"
