"""Workflow nets: one source, one sink, and every node on a path from one to the other.

After van der Aalst, *The application of Petri nets to workflow management* (1998), definition 6. A
process begins with a token on the source and is completed in a final marking, in most nets one
token on the sink.

Quick proofs and refutations of the completion of workflow nets, whatever their size.

A theorem proves free-choice nets. Walks end in a marking without enabled transitions, or pass a
marking with more tokens than a final one; they refute most nets that are wrong in one place within
milliseconds. The state equation often proves that no marking has more tokens.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    at_least,
    conjunction,
    disjunction,
    equal,
    negate,
)
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.engines.state_equation import StateEquation
from petricheck.evidence.answer import Trace, Unreachable, joined
from petricheck.evidence.claims import Claim, ExcludedAfter, reached
from petricheck.explicit.kernel.tour import LONGEST, Tour
from petricheck.formats.language.model import deadlocked
from petricheck.model.net import Marking, Net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions.deciding import deciding
from petricheck.questions.homes import settled, short_circuit
from petricheck.questions.study import Study
from petricheck.support.errors import BudgetExhausted, QueryError
from petricheck.support.words import listed

_WALKS = 16
"""The number of walks, each of some hundredths of a second."""


def begin(study: Study, final: Formula, improper: Formula) -> None:
    """Prove or refute the option to complete and proper completion, where that is quick.

    Raises:
        InternalError: evidence is refused.
        BudgetExhausted: time or memory ran out.
    """
    study.prove_all(short_circuit.prove(study.net, (final,), study.budget))
    if not settled((final,), study.claims).homes:
        study.prove_all(_walks(study, final, improper))
    if deciding(improper, study.claims) is None:
        study.decide(improper, study.budget, "state_equation")


def _walks(study: Study, final: Formula, improper: Formula) -> Iterator[Claim]:
    """Yield claims of traces to a marking with more tokens than a final one, or to a deadlock."""
    net = study.net
    stuck = make_problem(net, conjunction((deadlocked(net), negate(final)))).target
    with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
        tour = Tour(net, (improper, stuck))
        for _ in range(_WALKS):
            if tour.stuck or not tour.open:
                return
            study.budget.check()
            if (passage := tour.wander(tour.pace, LONGEST)) is None:
                continue
            for fired, target in passage.stops:
                trace = joined(((number, 1) for number in passage.trace[:fired]), net.actions)
                yield from (_losses(study, trace, final) if target else (reached(improper, trace),))


def _losses(study: Study, trace: Trace, final: Formula) -> Iterator[Claim]:
    """Yield the claim that no final marking is reached from the deadlock where the trace ends."""
    later = study.net.beginning(study.net.after(trace.steps))
    match StateEquation().solve(Problem(later, final), study.budget):
        case Unreachable(certificate):
            yield ExcludedAfter(trace, final, certificate)


_FEW = 5


def sink(net: Net) -> int:
    """Return the number of the sink of a workflow net.

    Raises:
        QueryError: the net is no workflow net; it names nodes that violate the definition.
    """
    if net.origin is not None or net.added:
        raise QueryError(
            "soundness is asked of ordinary nets with a fixed initial marking; this one is "
            "coloured or parametric"
        )
    puts = {place for transition in net.transitions for place, _ in transition.post}
    takes = {place for transition in net.transitions for place, _ in transition.pre}
    source = _only(net, puts, "source", "into")
    last = _only(net, takes, "sink", "out of")
    _require_paths(net, source, last)
    if not any(net.initial):
        name = shown_name(net.places[source])
        raise QueryError(f"the initial marking is empty; put a token on the source {name}")
    return last


def completed(net: Net, finals: Sequence[Marking]) -> Formula:
    """Return the formula of the final markings."""
    return make_problem(net, disjunction(_exactly(net, final) for final in finals)).target


def improper(net: Net, finals: Sequence[Marking]) -> Formula:
    """Return the formula of markings with more tokens than a final one that are not final."""
    return make_problem(
        net,
        disjunction(
            conjunction(
                [
                    *(at_least(variable(p), n) for p, n in net.values(final).items() if n),
                    at_least(linear((place, 1) for place in net.places), sum(final) + 1),
                    *(negate(_exactly(net, other)) for other in finals if _above(other, final)),
                ]
            )
            for final in finals
        ),
    ).target


def _exactly(net: Net, marking: Marking) -> Formula:
    return conjunction(equal(variable(place), n) for place, n in net.values(marking).items())


def _above(marking: Marking, other: Marking) -> bool:
    """Return whether the marking has all tokens of the other, and more."""
    return marking != other and all(m >= n for m, n in zip(marking, other, strict=True))


def _only(net: Net, connected: set[int], role: str, arcs: str) -> int:
    """Return the only place without such arcs."""
    match [place for place in range(len(net.places)) if place not in connected]:
        case [place]:
            return place
        case []:
            message = f"it has no {role}: every place has arcs {arcs} it"
        case several:
            message = f"one place has to be the {role}, but {_names(net.places, several)} have no "
            message += f"arcs {arcs} them"
    raise QueryError(f"the net is no workflow net: {message}")


def _require_paths(net: Net, source: int, last: int) -> None:
    """Require that every node is on a path from the source to the sink.

    Raises:
        QueryError: some are not; it names them.
    """
    # Transitions are numbered after the places.
    nodes, forth, back = [*net.places, *net.actions], defaultdict(list), defaultdict(list)
    for number, transition in enumerate(net.transitions, len(net.places)):
        for place, _ in transition.pre:
            forth[place].append(number)
            back[number].append(place)
        for place, _ in transition.post:
            forth[number].append(place)
            back[place].append(number)
    for start, arcs, message in (
        (source, forth, "no path leads from the source to"),
        (last, back, "no path leads to the sink from"),
    ):
        visited, stack = {start}, [start]
        while stack:
            new = [node for node in arcs[stack.pop()] if node not in visited]
            visited.update(new)
            stack += new
        if unconnected := [node for node in range(len(nodes)) if node not in visited]:
            raise QueryError(f"the net is no workflow net: {message} {_names(nodes, unconnected)}")


def _names(names: Sequence[str], numbers: Iterable[int]) -> str:
    return listed([names[number] for number in numbers], _FEW, shown_name)
