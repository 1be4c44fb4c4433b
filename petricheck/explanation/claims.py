"""A claim that the audit has accepted, explained: what it says, its evidence, and why it holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from petricheck.answer import Trace
from petricheck.claims import Claim, Excluded, ExcludedAfter, Home, Pumped, Reached, Stage
from petricheck.evidence.invariant import Certificate
from petricheck.evidence.state_equation import StateEquationCertificate
from petricheck.explanation.model import held, in_model, model_places
from petricheck.explanation.tree import (
    Explained,
    Firings,
    Id,
    Line,
    Node,
    Section,
    Several,
    Stated,
    Step,
    Steps,
    Table,
    Words,
    items,
    names_line,
    several_ids,
)
from petricheck.facts.siphons import greatest_trap, unblocked_transitions
from petricheck.language.sums import model_names
from petricheck.presburger.formulas import FALSE, Formula, variables
from petricheck.presburger.terms import Term
from petricheck.problem import Net, Transition
from petricheck.words import counted, natural_key

FORMULAS = 30
"""Formulas that are reached, or sums that grow, which a text tells."""

LISTED = 60
"""Places that a repetition changes, which a text tells."""

PLACES = 20
"""Of more places that a marking is told by, a text only counts the rest."""

BEFORE = "tokens before, at most, and after it:"

ENDS = 1_000
"""Steps that are told from either end of a longer trace."""


def explain(
    net: Net,
    claim: Claim,
    *,
    target: bool = False,
    unnamed: Collection[str] = (),
    reasons: bool = True,
    ends: int = ENDS,
    whole: bool = False,
) -> Explained:
    """The claim with its evidence.

    Args:
        net: the net.
        claim: accepted by the audit.
        target: whether it is about the target of the question, which is then not said again.
        unnamed: places that the question does not name; the target has them empty.
        reasons: whether to say why the evidence is evidence, which may take seconds.
        ends: steps that are told from either end of a longer trace.
        whole: whether all marked places are told where a trace ends.

    Raises:
        QueryError: nothing tells certificates of this type.
    """
    says: Words
    match claim:
        case Reached(trace, stops) if target:
            named = set(variables(stops[-1][1])).difference(unnamed)
            says, evidence = _leads(trace, None), _firings_to(net, trace, named, whole=whole)
        case Reached(trace, stops):
            says = _leads(trace, (formula for _, formula in stops))
            evidence = _firings(net, trace)
        case Excluded(formula, certificate):
            says = () if target else ("Never: ", formula, ".")
            if formula == FALSE:
                says = ("The target simplifies to false.",)
            evidence = iter((Stated(certificate, net.given_names),))
        case ExcludedAfter(trace, formula, certificate):
            says = ("After these firings never again: ", formula, ".")
            shown = Stated(certificate, net.given_names)
            evidence = chain(_firings(net, trace), (shown,))
        case Home(formulas, proof):
            says = ("From every reachable marking can be reached: ", _all_of(formulas), ".")
            evidence = iter((Stated(proof, net.given_names),))
        case Pumped(sums, stages):
            says = ("Without end, by repetition: ", _all_of(sums), ".")
            evidence = _loops(stages)
    why = tuple(_reasons(net, claim, ends)) if reasons else ()
    return in_model(net, Explained(says, tuple(evidence), why))


def _leads(trace: Trace, formulas: Iterable[Formula] | None) -> Words:
    """That the trace leads to what the formulas say, or where none are given, into the target."""
    fires = f"A trace of {counted(trace.length, 'firing')}"
    if formulas is None:
        nothing = "The initial marking is in the target; nothing has to fire:"
        return (f"{fires} leads into the target:" if trace.steps else nothing,)
    said = _all_of(dict.fromkeys(formulas))
    return (f"{fires} reaches ", said, ":") if trace.steps else ("Initially: ", said, ".")


def _all_of(told: Iterable[Formula | Term]) -> Several:
    return Several(tuple((formula,) for formula in told), FORMULAS, separator="; ")


def _loops(stages: tuple[Stage, ...]) -> Iterator[Node]:
    for stage in stages:
        if stage.stem.steps:
            yield Firings(stage.stem.steps, "fire")
        yield Firings(stage.loop.steps, "repeat")


def _reasons(net: Net, claim: Claim, ends: int) -> Iterator[Node]:
    """Why the evidence is evidence, part by part and step by step."""
    match claim:
        case Reached(trace, stops):
            if len(stops) > 1:  # of one formula there is no more to tell
                heads = (f"After step {n}: " if n else "Initially: " for n, _ in stops)
                pairs = zip(heads, stops, strict=True)
                yield from items(((head, says, ".") for head, (_, says) in pairs), "formula")
            yield from course(net, trace, ends)
        case Excluded(formula, Certificate() as certificate):
            from petricheck.explanation.invariants import invariant_reasons  # most tell none

            yield from invariant_reasons(net, certificate, formula)
        case ExcludedAfter(trace, formula, certificate):
            yield from course(net, trace, ends)
            later = net.beginning(net.after(trace.steps))
            yield from _reasons(later, Excluded(formula, certificate), ends)
        case Excluded(_, StateEquationCertificate() as certificate):
            yield from _state_equation(certificate, net)
        case Pumped(_, stages):
            yield from _repetitions(net, stages, ends)


def _state_equation(certificate: StateEquationCertificate, net: Net) -> Iterator[Node]:
    free = unblocked_transitions(net, _numbers(net, certificate.siphon))
    names = {transition.name for transition in free}
    sets = certificate.traps or certificate.siphon or certificate.unmarked
    facts = " that keeps to these facts" if sets else ""
    no = "As the audit found, no x >= 0 makes m = m0 + D·x a marking in the target"
    yield Line((f"{no}{facts}.",))
    yield Line((f"{counted(len(free), 'transition')} may be counted in x.",))
    yield from items((_trap(net, trap) for trap in certificate.traps), "trap")
    if certificate.siphon:
        siphon = several_ids(certificate.siphon)
        yield Line(("Empty siphon {", siphon, "}: what puts on it takes from it."))
    yield from items((_unmarked(net, places, free) for places in certificate.unmarked), "set")
    if blocked := tuple(t.name for t in net.transitions if t.name not in names):
        yield Line(("Blocked by the siphon: ", several_ids(blocked), "."))


def _unmarked(net: Net, names: tuple[str, ...], free: Iterable[Transition]) -> Words:
    places = _numbers(net, names)
    filling = tuple(
        t.name
        for t in free
        if places.isdisjoint(p for p, _ in t.pre) and any(p in places for p, _ in t.post)
    )
    start = ("Empty initially {", several_ids(names), "}: what puts on it ")
    if not filling:
        return (*start, "takes from it.")
    return (*start, "and takes nothing from it fires first: ", several_ids(filling), ".")


def _trap(net: Net, trap: tuple[str, ...]) -> Words:
    tokens = net.values(net.initial)
    marked = tuple((Id(place), " = ", tokens[place]) for place in trap if tokens[place])
    places = _numbers(net, trap)
    always = greatest_trap(net.transitions, places) == places
    taking = "what takes from it" if always else "what takes from it and may fire"
    return (
        "Marked trap {",
        several_ids(trap),
        "}: initially ",
        Several(marked),
        f"; {taking} puts on it.",
    )


def _numbers(net: Net, names: Iterable[str]) -> frozenset[int]:
    return frozenset(map(net.place_numbers.__getitem__, names))


def _repetitions(net: Net, stages: tuple[Stage, ...], ends: int) -> Iterator[Node]:
    """What one repetition of each loop changes; of a single loop, the markings on its way too."""
    yield from items((_repetition(net, stage) for stage in stages), "repetition")
    if len(stages) == 1:
        whole = Trace((*stages[0].stem.steps, *stages[0].loop.steps))
        yield Section(("The loop once:",), tuple(course(net, whole, ends)))
    else:
        note = "What is taken from places to which loops before have added is there: those loops "
        yield Line((f"{note}are repeated as often as it needs.",), quiet=True)


def _repetition(net: Net, stage: Stage) -> Words:
    after = net.after(stage.loop.steps)
    changes = ((p, n - net.initial[p]) for p, n in enumerate(after) if n != net.initial[p])
    told = tuple((Id(net.places[p]), " +" if n > 0 else " ", n) for p, n in changes)
    return ("One repetition changes ", Several(told, LISTED, "place"), ".")


def _firings(net: Net, trace: Trace) -> Iterator[Node]:
    """The trace, and the names that people gave to what it fires and changes."""
    if trace.steps:
        yield Firings(trace.steps)
        fired = dict.fromkeys(net.transition_numbers[name] for name, _ in trace.steps)
        changed = (net.places[p] for t in fired for p, _ in net.transitions[t].effect)
        names = model_names(net, (*(net.actions[t] for t in fired), *changed))
        yield from names_line(names, net.given_names)


def _firings_to(net: Net, trace: Trace, named: Collection[str], *, whole: bool) -> Iterator[Node]:
    """The trace, and the marking in the target that it ends in.

    Args:
        net: the net.
        trace: it fires.
        named: places that the question names.
        whole: whether all marked places are told, or those that are named or changed.
    """
    if trace.steps:
        yield Firings(trace.steps)
        yield Line(("It ends in:",))
    after = net.after(trace.steps)
    places = model_places(net)
    owners = {net.places[n]: place for place, numbers in places.items() for n in numbers}
    named = {owners[name] for name in named}

    def marked(place: str) -> bool:
        return any(after[n] for n in places[place])

    def changed(place: str) -> bool:
        return any(after[n] != net.initial[n] for n in places[place])

    first = sorted(named, key=natural_key) if len(named) <= PLACES else []
    if net.origin:  # Then it names many.
        first.sort(key=marked, reverse=True)
    if whole or not net.places:
        shown = sorted(filter(marked, places), key=natural_key)
        rest, nothing = "; the other places are empty", "no place has a token"
    else:
        more = [place for place in places if changed(place) and place not in first]
        more.sort(key=lambda place: (not marked(place), natural_key(place)))
        shown = [*first, *more]
        rest, nothing = "; the other places as initially", "the places as initially"
    marking = Several(tuple((Id(p), " = ", *held(net, p, after)) for p in shown), PLACES, "place")
    some = shown and len(shown) < len(places) and (whole or len(shown) <= PLACES)
    hint = "--trace shows all" if len(shown) > PLACES else ""
    words: Words = (marking, rest if some else "") if shown else (nothing,)
    yield Line(words, inner=True, hint=hint)
    fired = model_names(net, (net.actions[net.transition_numbers[n]] for n, _ in trace.steps))
    yield from names_line((*fired, *shown), net.given_names)


def course(net: Net, trace: Trace, ends: int) -> Iterator[Node]:
    """The markings on the way, and what becomes of the places."""
    if not trace.steps:
        return
    total = len(trace.steps)  # maybe millions: they are gone through, not kept
    yield Steps(net, tuple(_shortened(_steps(net, trace), total, ends)))
    most: dict[int, int] = {}  # within a step places change linearly
    for place, before, after in (c for step in _steps(net, trace) for c in step.changes):
        most[place] = max(most.get(place, before), after)
    last = net.after(trace.steps)
    rows = ((net.places[p], (net.initial[p], most[p], last[p])) for p in sorted(most))
    title = f"The trace changes {counted(len(most), 'place')}; {BEFORE}"
    yield Table(title, ("Place", "Before", "At most", "After"), tuple(rows))
    if alone := [p for p, tokens in enumerate(net.initial) if tokens and p not in most]:
        tokens = [n if p not in most else 0 for p, n in enumerate(net.initial)]
        places = dict.fromkeys(model_names(net, (net.places[p] for p in alone)))
        items = tuple((Id(place), " = ", *held(net, place, tokens)) for place in places)
        others = counted(len(alone), "other marked place")
        yield Line((f"It leaves {others} alone: ", Several(items), "."))


def _steps(net: Net, trace: Trace) -> Iterator[Step]:
    """All steps with what they change."""
    tokens = list(net.initial)
    for number, (name, times) in enumerate(trace.steps, start=1):
        changes = []
        for place, change in net.transitions[net.transition_numbers[name]].effect:
            changes.append((place, tokens[place], tokens[place] + times * change))
            tokens[place] += times * change
        yield Step(number, name, times, tuple(changes))


def _shortened(steps: Iterable[Step], total: int, ends: int) -> Iterator[Step]:
    """Of many steps the first and the last ones, and all others as one."""
    passed: dict[int, tuple[int, int]] = {}
    for step in steps:
        if not ends < step.number <= total - ends:
            yield step
            continue
        for place, before, after in step.changes:
            passed[place] = (passed.get(place, (before, after))[0], after)
        if step.number == total - ends:
            changes = tuple((place, *values) for place, values in sorted(passed.items()))
            yield Step(step.number, None, total - 2 * ends, changes)
