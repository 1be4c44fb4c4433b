"""The explanation of a claim that the audit has accepted: statement, evidence and reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from petricheck.arithmetic.formulas.formulas import FALSE, Formula, variables
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit.participation import participation
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.onward import OnwardTraces
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import (
    Claim,
    Excluded,
    ExcludedAfter,
    ExcludedWith,
    Home,
    Pumped,
    ReachabilitySet,
    Reached,
    Stage,
)
from petricheck.evidence.explanation import (
    Explained,
    Firings,
    Id,
    Line,
    Node,
    Section,
    Several,
    Stated,
    Words,
    items,
    several_ids,
)
from petricheck.model.net import Net, Transition
from petricheck.reports.explanation.model import in_model
from petricheck.reports.explanation.traces import firings, firings_to, step_nodes
from petricheck.support.words import counted
from petricheck.symbolic.facts.siphons import greatest_trap, unblocked_transitions

FORMULAS = 30
"""Formulas that are reached, or sums that grow, which a text lists; it counts the others."""

LISTED = 60
"""Places changed by a repetition which a text lists; it counts the others."""

ENDS = 1_000
"""Steps that are shown at each end of a longer trace."""


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
    """Return the explanation of a claim, in the names of the model.

    Args:
        net: the net.
        claim: accepted by the audit.
        target: whether the claim's formula is the target of the question; it is then not repeated.
        unnamed: places that the question does not name; the target has them empty.
        reasons: whether to add why the evidence proves the claim, which may take seconds.
        ends: steps that are shown at each end of a longer trace.
        whole: whether to show all marked places of the marking in which a trace ends.

    Raises:
        QueryError: no notation describes certificates of this type.
    """
    says: Words
    match claim:
        case Reached(trace, stops) if target:
            named = set(variables(stops[-1][1])).difference(unnamed)
            says, evidence = _trace_words(trace, None), firings_to(net, trace, named, whole=whole)
        case Reached(trace, stops):
            says = _trace_words(trace, (formula for _, formula in stops))
            evidence = firings(net, trace)
        case Excluded(formula, certificate):
            says = () if target else ("Never: ", formula, ".")
            if formula == FALSE:
                says = ("The target simplifies to false.",)
            evidence = iter((Stated(certificate, net.given_names),))
        case ExcludedAfter(trace, formula, certificate):
            says = _loss_words(trace, None if target else formula)
            context = Line(("Of the net that begins there:",))
            invariant_node = Stated(certificate, net.given_names)
            evidence = chain(firings_to(net, trace, (), whole=whole), (context, invariant_node))
        case ExcludedWith(transitions, formula, certificate):
            says = ("Never after ", several_ids(transitions), ": ", formula, ".")
            marked = "Of the net in which a copy of each such transition empties the place unfired:"
            evidence = iter((Line((marked,)), Stated(certificate, net.given_names)))
        case Home(formulas, proof):
            every = "From every reachable marking"
            general: Words = (f"{every} can be reached: ", _all_of(formulas), ".")
            says = (f"{every} the target can be reached.",) if target else general
            evidence = chain((Stated(proof, net.given_names),), _distance_lines(proof))
        case Pumped(sums, stages):
            says = ("Without end, by repetition: ", _all_of(sums), ".")
            evidence = _stage_nodes(stages)
        case ReachabilitySet(certificate=certificate):
            says = ("Reachable are these markings and no others:",)
            evidence = iter((Stated(certificate, net.given_names),))
    reason_nodes = tuple(_reasons(net, claim, ends)) if reasons else ()
    return in_model(net, Explained(says, tuple(evidence), reason_nodes))


def _trace_words(trace: Trace, formulas: Iterable[Formula] | None) -> Words:
    """Return the sentence that the trace reaches the formulas; the target if they are None."""
    fires = f"A trace of {counted(trace.length, 'firing')}"
    if formulas is None:
        nothing = "The initial marking is in the target; nothing has to fire:"
        return (f"{fires} leads into the target:" if trace.steps else nothing,)
    markings = _all_of(dict.fromkeys(formulas))
    return (f"{fires} reaches ", markings, ":") if trace.steps else ("Initially: ", markings, ".")


def _loss_words(trace: Trace, formula: Formula | None) -> Words:
    """Return the sentence that after the trace the formula is unreachable; the target if None."""
    after = f"After a trace of {counted(trace.length, 'firing')}" if trace.steps else "Initially"
    if formula is None:
        return (f"{after} the target is out of reach for ever:",)
    return (f"{after} this is out of reach for ever: ", formula, ".")


def _distance_lines(proof: object) -> Iterator[Line]:
    """Yield the greatest distance to the home space, if the proof has ranks."""
    match proof:
        case RankedTable(_, ranks):
            from petricheck.evidence.audit.tables.ranks import numbers  # It brings numpy.

            distance = counted(int(numbers(ranks).max()), "firing")
            fact = "All reachable markings are in it, and from each at most"
            yield Line((f"{fact} {distance} lead there.",))
        case OnwardTraces(_, inner):
            yield from _distance_lines(inner)


def _all_of(sums: Iterable[Formula | Term]) -> Several:
    return Several(tuple((formula,) for formula in sums), FORMULAS, separator="; ")


def _stage_nodes(stages: tuple[Stage, ...]) -> Iterator[Node]:
    for stage in stages:
        if stage.stem.steps:
            yield Firings(stage.stem.steps, "fire")
        yield Firings(stage.loop.steps, "repeat")


def _reasons(net: Net, claim: Claim, ends: int) -> Iterator[Node]:
    """Yield why the evidence proves the claim, part by part and step by step."""
    match claim:
        case Reached(trace, stops):
            if len(stops) > 1:
                heads = (f"After step {n}: " if n else "Initially: " for n, _ in stops)
                pairs = zip(heads, stops, strict=True)
                yield from items(((head, says, ".") for head, (_, says) in pairs), "formula")
            yield from step_nodes(net, trace, ends)
        case Excluded(formula, Certificate() as certificate):
            from petricheck.reports.explanation.invariants import (
                invariant_reasons,  # It loads slowly.
            )

            yield from invariant_reasons(net, certificate, formula)
        case ExcludedAfter(trace, formula, certificate):
            yield from step_nodes(net, trace, ends)
            later = net.beginning(net.after(trace.steps))
            if reasons := tuple(_reasons(later, Excluded(formula, certificate), ends)):
                yield Section(("From there on:",), reasons)
        case ExcludedWith(transitions, formula, certificate):
            marked = participation(net, transitions, formula)
            yield from _reasons(marked.net, Excluded(marked.target, certificate), ends)
        case Excluded(_, StateEquationCertificate() as certificate):
            yield from _state_equation(certificate, net)
        case Pumped(_, stages):
            yield from _repetitions(net, stages, ends)
        case ReachabilitySet():
            yield Line(("The initial marking is in the table, and no firing leads out of it.",))
            lower = "from a marking of a lower rank, down to the initial one"
            yield Line((f"To each other marking of the table a transition leads {lower}.",))


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
    """Yield what each loop changes; for a single loop also the markings on its way."""
    yield from items((_repetition(net, stage) for stage in stages), "repetition")
    if len(stages) == 1:
        trace = Trace((*stages[0].stem.steps, *stages[0].loop.steps))
        yield Section(("The loop once:",), tuple(step_nodes(net, trace, ends)))
    else:
        note = "What is taken from places to which loops before have added is there: those loops "
        yield Line((f"{note}are repeated as often as it needs.",), quiet=True)


def _repetition(net: Net, stage: Stage) -> Words:
    after = net.after(stage.loop.steps)
    changes = ((p, n - net.initial[p]) for p, n in enumerate(after) if n != net.initial[p])
    parts = tuple((Id(net.places[p]), " +" if n > 0 else " ", n) for p, n in changes)
    return ("One repetition changes ", Several(parts, LISTED, "place"), ".")
