"""Nets of other libraries, which are recognized by what they offer.

Those of pm4py, a library for process mining, are read by their attributes; pm4py is not imported.
Names need not be unique there, and labels are not; a silent transition has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import count
from os import PathLike
from typing import Any, Protocol, TypeAlias, runtime_checkable

from petricheck.formats.guarded_bounds import ordinary
from petricheck.formats.libraries import from_snakes
from petricheck.model.coloured.net import ColouredNet
from petricheck.model.coloured.unfolding import unfold
from petricheck.model.coloured.well_sorted import check_sorts
from petricheck.model.guarded.net import GuardedNet, guarded
from petricheck.model.net import Net, make_net
from petricheck.support.arguments import whole
from petricheck.support.budget import Budget
from petricheck.support.errors import InputError


@runtime_checkable
class SnakesNet(Protocol):
    """The interface of a `snakes.nets.PetriNet`."""

    def place(self, name: Any = None) -> Any:
        """Return a place, or all of them."""

    def transition(self, name: Any = None) -> Any:
        """Return a transition, or all of them."""


@runtime_checkable
class Pm4pyNet(Protocol):
    """The interface of a `PetriNet` of pm4py."""

    @property
    def places(self) -> Collection[Any]:
        """The places, in any order."""

    @property
    def transitions(self) -> Collection[Any]:
        """The transitions, in any order."""

    @property
    def arcs(self) -> Collection[Any]:
        """The arcs, in any order."""


Pm4pyMarking: TypeAlias = Mapping[Any, int]
"""Tokens by place, of those places that have some."""

AnyNet: TypeAlias = (
    Net
    | GuardedNet
    | ColouredNet
    | SnakesNet
    | Pm4pyNet
    | tuple[Pm4pyNet, Pm4pyMarking]
    | tuple[Pm4pyNet, Pm4pyMarking, Pm4pyMarking | None]
)
"""What is taken for a net; one of pm4py needs its markings."""


def net_of(
    source: AnyNet, initial: Pm4pyMarking | None = None, final: Pm4pyMarking | None = None
) -> Net:
    """Return the place/transition net that this is; coloured ones come unfolded.

    Guarded ones come with complement places.

    Args:
        source: the net; of pm4py also with its markings, as its discovery returns them.
        initial: the initial marking of a net of pm4py.
        final: its final marking, if it has one.

    Raises:
        InputError: it is no net, or one that cannot be read.
        BudgetExhausted: the unfolding is too large.
    """
    parts: tuple[Any, ...] = (source, initial, final)
    if isinstance(source, tuple) and initial is None and len(source) in (2, 3):
        parts = (*source, final)[:3]
    match parts:
        case Net() as net, None, None:
            return net
        case GuardedNet() as net, None, None:
            return ordinary(net, Budget())
        case ColouredNet() as net, None, None:
            check_sorts(net)
            return unfold(net, Budget())
        case SnakesNet() as net, None, None if not isinstance(net, type):
            return net_of(from_snakes(net))
        case Pm4pyNet() as net, Mapping() as start, None | Mapping() as end:
            return net_of(_from_pm4py(net, start, end))
        case Pm4pyNet(), None, _:
            raise InputError(
                "a net of pm4py has no initial marking of its own; give (net, initial, final), as "
                "its discovery returns them"
            )
        case Pm4pyNet(), Mapping(), _:
            raise InputError(
                f"the final marking is of type {type(parts[2]).__name__}; give one marking of "
                "pm4py, the one at which the net has to end"
            )
        case Pm4pyNet(), _, _:
            raise InputError(
                f"the initial marking is of type {type(parts[1]).__name__}; give one marking of "
                "pm4py"
            )
    remedy = "petricheck.load reads it from a file; " if isinstance(source, str | PathLike) else ""
    raise InputError(
        f"this is no net but of type {type(source).__name__}; {remedy}a net is one of petricheck "
        "or of SNAKES, or (net, initial, final) of pm4py"
    )


_TAG = "place_name_tag"
"""The property in which pm4py keeps the name of a place, where that is no id."""


def _from_pm4py(
    net: Any, initial: Mapping[Any, int], final: Mapping[Any, int] | None
) -> Net | GuardedNet:
    """Return the net that a `PetriNet` of pm4py is, with its markings; an empty final one is none.

    Places are in the order of their names, transitions in that of their labels. Where a name is
    missing or repeated, a number is added.
    """
    places, transitions = _names(net.places, "p"), _names(net.transitions, "t")
    arcs = {id(arc) for t in transitions for arc in (*t.in_arcs, *t.out_arcs)}
    if arcs != {id(arc) for arc in net.arcs}:
        raise InputError(
            "the arcs of the net are not those of its transitions, by which pm4py fires; add arcs "
            "with petri_utils.add_arc_from_to"
        )
    plain = make_net(
        str(net.name or ""),
        _tokens(places, initial),
        {name: _sides(t, places) for t, name in transitions.items()},
        [_tokens(places, final)] if final else [],
    )
    labelled = zip(plain.transitions, transitions, strict=True)
    labels = tuple(str(place.properties.get(_TAG) or "") for place in places)
    plain = replace(
        plain,
        transitions=tuple(replace(plain, label=str(t.label or "")) for plain, t in labelled),
        labels=labels if any(labels) else (),
    )
    numbers = {place: number for number, place in enumerate(places)}
    kinds: dict[str, list[tuple[int, int]]] = {"inhibitor": [], "reset": [], "normal": []}
    for number, transition in enumerate(transitions):
        for arc in transition.in_arcs:
            kinds[_kind(arc)].append((number, numbers[arc.source]))
    inhibitors = ((*pair, 1) for pair in kinds["inhibitor"])
    return guarded(plain, inhibitors=inhibitors, resets=kinds["reset"])


def _names(nodes: Iterable[Any], stem: str) -> dict[Any, str]:
    """Return a unique name for each of the nodes, in the order of their labels and names."""

    def order(node: Any) -> tuple[str, str, list[str]]:
        arcs = sorted(map(str, (*node.in_arcs, *node.out_arcs)))
        return str(getattr(node, "label", None) or ""), str(node.name), arcs

    ordered = sorted(nodes, key=order)
    uses, numbers = Counter(str(node.name) for node in ordered), count(1)
    names: dict[Any, str] = {}
    for node in ordered:
        name = str(node.name)
        if not node.name or uses[name] > 1:
            numbered = (f"{node.name or stem}_{number}" for number in numbers)
            name = next(name for name in numbered if name not in uses)
        names[node] = name
    return names


def _tokens(places: Mapping[Any, str], marking: Mapping[Any, int]) -> dict[str, int]:
    """Return tokens by the name of the place, for all places."""
    for place in marking:
        if place not in places:
            raise InputError(f"a marking names {place!r}, which is no place of the net")
    return {name: marking.get(place, 0) for place, name in places.items()}


def _sides(transition: Any, places: Mapping[Any, str]) -> tuple[dict[str, int], dict[str, int]]:
    """Return the weights by place of what the transition takes, and of what it puts."""
    _check_firing(transition)
    pre, post = Counter[str](), Counter[str]()
    for arc in transition.in_arcs:
        place, weight = _place(arc.source, places), _weight(arc)
        if _kind(arc) == "normal":
            pre[place] += weight
        elif weight != 1:
            raise InputError(f"the arc {arc!r} has a weight, which pm4py ignores; set it to 1")
    for arc in transition.out_arcs:
        if _kind(arc) != "normal":
            raise InputError(f"the arc {arc!r} is of type {_kind(arc)!r} and leads to a place")
        post[_place(arc.target, places)] += _weight(arc)
    return pre, post


def _place(place: Any, places: Mapping[Any, str]) -> str:
    if place not in places:
        raise InputError(f"an arc is attached to {place!r}, which is no place of the net")
    return places[place]


_KINDS = {"Arc": "normal", "InhibitorArc": "inhibitor", "ResetArc": "reset"}


def _kind(arc: Any) -> str:
    """Return the kind of an arc; InputError where it is another, or its class and name differ."""
    kind = _KINDS.get(type(arc).__name__)
    if kind is None or arc.properties.get("arctype") not in (None, kind):
        named = arc.properties.get("arctype") or type(arc).__name__
        raise InputError(
            f"the arc {arc!r} is of type {named!r}, but only normal, inhibitor and reset arcs of "
            "their own classes are supported"
        )
    return kind


def _weight(arc: Any) -> int:
    return whole(arc.weight, 1, f"the weight of the arc {arc!r}")


def _check_firing(transition: Any) -> None:
    """Refuse what may keep an enabled transition from firing."""
    properties = transition.properties
    if "guard" in properties:
        raise InputError(f"the transition {transition!r} has a guard, which a net with data needs")
    if not getattr(transition, "weight", 1) > 0:
        raise InputError(f"the transition {transition!r} has no positive weight, so it never fires")
    delay = properties.get("stochastic_distribution")
    if delay and (delay.get_distribution_type() not in (None, "IMMEDIATE") or delay.get_priority()):
        raise InputError(
            f"the transition {transition!r} has a delay or a priority, which may hold back "
            "transitions; remove its stochastic_distribution if the plain net is meant"
        )
