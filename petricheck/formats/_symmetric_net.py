"""A coloured net from the nodes, arcs and declarations of its file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeAlias

from petricheck.coloured.net import Arcs, ColouredNet, Place, Transition
from petricheck.coloured.sorts import Dot
from petricheck.coloured.terms import TRUE, Constant, Multiset, Summand
from petricheck.formats._net_assembly import misplaced, resolve
from petricheck.formats._net_parts import Element
from petricheck.formats._pnml_elements import PnmlElements
from petricheck.formats._symmetric_sorts import sort_name
from petricheck.formats._symmetric_terms import Terms, is_never_negative

_Written: TypeAlias = tuple[int, Multiset, Element]
"""An arc: number of its place, tokens, and where it stands."""


def assemble_coloured(elements: PnmlElements) -> ColouredNet:
    """The net.

    Raises:
        InputError: an arc or a reference leads nowhere, or what a label says is refused.
    """
    known = Terms(elements.declared)
    resolved = resolve(elements.parts.nodes, elements.scanner)
    places: dict[str, Place] = {}
    numbers: dict[str, int] = {}
    for node in elements.parts.nodes.values():
        if node.reference is None and node.kind == "place":
            numbers[node.id] = len(places)
            places[node.id] = _place(elements.nodes[node.id], node.label, known)
    sides: defaultdict[tuple[str, bool], list[_Written]] = defaultdict(list)
    for arc, element in zip(elements.parts.arcs, elements.arcs, strict=True):
        source, target = resolved.get(arc.source), resolved.get(arc.target)
        if source is None or target is None or source.kind == target.kind:
            raise misplaced(arc, resolved, elements.scanner)
        taken = source.kind == "place"
        place, transition = (source, target) if taken else (target, source)
        tokens = _inscription(element, places[place.id], known)
        sides[transition.id, taken].append((numbers[place.id], tokens, element))
    transitions = tuple(
        Transition(
            node.id,
            _arcs(sides[node.id, True]),
            _arcs(sides[node.id, False]),
            known.guard(tree) if (tree := elements.nodes[node.id].trees.get("condition")) else TRUE,
            node.label,
        )
        for node in elements.parts.nodes.values()
        if node.reference is None and node.kind == "transition"
    )
    return ColouredNet(elements.name, tuple(places.values()), transitions)


def _place(element: Element, label: str, known: Terms) -> Place:
    written, initial = element.trees.get("type"), element.trees.get("hlinitialMarking")
    if written is None:
        raise element.error("has no <type> with a structure; give it its sort")
    sort = known.sort(written)
    tokens = known.initial(initial, sort) if initial else ()
    return Place(element.id, sort, tokens, label)


def _inscription(element: Element, place: Place, known: Terms) -> Multiset:
    written = element.trees.get("hlinscription")
    if written is not None:
        return known.multiset(written, place.sort)
    if isinstance(place.sort, Dot):
        return (Summand(1, Constant(place.sort, 0)),)
    raise element.error(
        f"has no <hlinscription>; its place is of {sort_name(place.sort)}, so say which tokens"
    )


def _arcs(side: Sequence[_Written]) -> Arcs:
    """The arcs of a side, sorted, those of one place summed."""
    sums: dict[int, list[Summand]] = {}
    negative: set[int] = set()
    for place, tokens, element in side:
        if not is_never_negative(tokens):
            negative.add(place)
        if place in sums and place in negative:
            raise element.error(
                "is one of several between its nodes, and one of these may subtract more than "
                "there is, which the sum of them would hide; make them one arc"
            )
        sums.setdefault(place, []).extend(tokens)
    return tuple((place, tuple(sums[place])) for place in sorted(sums))
