"""Workflow nets: one source, one sink, and every node on a path from one to the other.

Several sinks are accepted where final markings are given that tell how each is reached.

After van der Aalst, *The application of Petri nets to workflow management* (1998), definition 6. A
process begins with a token on the source and is completed in a final marking, in most nets one
token on the sink.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    at_least,
    conjunction,
    disjunction,
    negate,
)
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.model.guarded.translation import Complementation
from petricheck.model.net import Marking, Net
from petricheck.model.problem import make_problem
from petricheck.questions.homes import home_marking
from petricheck.support.errors import QueryError
from petricheck.support.words import listed

_FEW = 5


def plain_net(net: Net) -> Net:
    """Return the net whose arcs make it a workflow net: of a guarded one that without guards."""
    return net.origin.guarded.plain if isinstance(net.origin, Complementation) else net


def final_markings(net: Net, given: Sequence[Marking]) -> Sequence[Marking]:
    """Return the final markings of a workflow net: those that are given, or a token on the sink.

    QueryError where the net is no workflow net; it names nodes that violate the definition.
    """
    puts = {place for transition in net.transitions for place, _ in transition.post}
    takes = {place for transition in net.transitions for place, _ in transition.pre}
    source = _only(net, puts, "source", "into")
    sinks = [place for place in range(len(net.places)) if place not in takes]
    if not (given and sinks) or not all(any(final[place] for final in given) for place in sinks):
        sinks = [_only(net, takes, "sink", "out of")]
    _require_paths(net, source, sinks)
    if not any(net.initial):
        name = shown_name(net.shown.place(net.places[source]))
        raise QueryError(f"the initial marking is empty; put a token on the source {name}")
    return given or [tuple(int(place in sinks) for place in range(len(net.places)))]


def completed(net: Net, finals: Sequence[Marking]) -> Formula:
    """Return the formula of the final markings."""
    return make_problem(net, disjunction(home_marking(net, final) for final in finals)).target


def improper(net: Net, finals: Sequence[Marking]) -> Formula:
    """Return the formula of markings with more tokens than a final one that are not final."""
    return make_problem(
        net,
        disjunction(
            conjunction(
                [
                    *(at_least(variable(p), n) for p, n in net.values(final).items() if n),
                    at_least(linear((place, 1) for place in net.places), sum(final) + 1),
                    *(negate(home_marking(net, other)) for other in finals if _above(other, final)),
                ]
            )
            for final in finals
        ),
    ).target


def _above(marking: Marking, other: Marking) -> bool:
    """Return whether the marking has all tokens of the other, and more."""
    return marking != other and all(m >= n for m, n in zip(marking, other, strict=True))


def _only(net: Net, connected: set[int], role: str, arcs: str) -> int:
    """Return the only place without such arcs."""
    if not net.places:
        raise QueryError("the net is no workflow net: it has no places")
    match [place for place in range(len(net.places)) if place not in connected]:
        case [place]:
            return place
        case []:
            message = f"it has no {role}: every place has arcs {arcs} it"
        case several:
            names = _names(map(net.shown.place, net.places), several)
            message = f"one place has to be the {role}, but {names} have no arcs {arcs} them"
    raise QueryError(f"the net is no workflow net: {message}")


def _require_paths(net: Net, source: int, sinks: Sequence[int]) -> None:
    """Require that every node is on a path from the source to a sink."""
    # Transitions are numbered after the places.
    nodes = [*map(net.shown.place, net.places), *map(net.shown.transition, net.actions)]
    forth, back = defaultdict(list), defaultdict(list)
    for number, transition in enumerate(net.transitions, len(net.places)):
        for place, _ in transition.pre:
            forth[place].append(number)
            back[number].append(place)
        for place, _ in transition.post:
            forth[number].append(place)
            back[place].append(number)
    for starts, arcs, message in (
        ([source], forth, "no path leads from the source to"),
        (sinks, back, "no path leads to the sink from"),
    ):
        visited, stack = {*starts}, [*starts]
        while stack:
            new = [node for node in arcs[stack.pop()] if node not in visited]
            visited.update(new)
            stack += new
        if unconnected := [node for node in range(len(nodes)) if node not in visited]:
            raise QueryError(f"the net is no workflow net: {message} {_names(nodes, unconnected)}")


def _names(names: Iterable[str], numbers: Iterable[int]) -> str:
    every = list(names)
    return listed([every[number] for number in numbers], _FEW, shown_name)
