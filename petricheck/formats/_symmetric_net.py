"""A coloured net from the nodes, arcs and declarations of its file."""

from __future__ import annotations

from collections import defaultdict

from petricheck.coloured.net import Arcs, ColouredNet, Place, Transition
from petricheck.coloured.sorts import Dot
from petricheck.coloured.terms import TRUE, Constant, Multiset, Summand
from petricheck.formats._net_assembly import misplaced, resolve
from petricheck.formats._net_parts import Element
from petricheck.formats._pnml_elements import PnmlElements
from petricheck.formats._symmetric_terms import Declarations


def assemble_coloured(elements: PnmlElements) -> ColouredNet:
    """The net.

    Raises:
        InputError: an arc or a reference leads nowhere, or what a label says is refused.
    """
    known = Declarations(elements.declared)
    resolved = resolve(elements.parts.nodes, elements.scanner)
    places: dict[str, Place] = {}
    numbers: dict[str, int] = {}
    for node in elements.parts.nodes.values():
        if node.reference is None and node.kind == "place":
            numbers[node.id] = len(places)
            places[node.id] = _place(elements.nodes[node.id], node.label, known)
    sides: defaultdict[tuple[str, bool], list[tuple[int, Multiset]]] = defaultdict(list)
    for arc, element in zip(elements.parts.arcs, elements.arcs, strict=True):
        source, target = resolved.get(arc.source), resolved.get(arc.target)
        if source is None or target is None or source.kind == target.kind:
            raise misplaced(arc, resolved, elements.scanner)
        taken = source.kind == "place"
        place, transition = (source, target) if taken else (target, source)
        tokens = _inscription(element, places[place.id], known)
        sides[transition.id, taken].append((numbers[place.id], tokens))
    transitions = tuple(
        Transition(
            node.id,
            _summed(sides[node.id, True]),
            _summed(sides[node.id, False]),
            known.guard(tree) if (tree := elements.nodes[node.id].trees.get("condition")) else TRUE,
            node.label,
        )
        for node in elements.parts.nodes.values()
        if node.reference is None and node.kind == "transition"
    )
    return ColouredNet(elements.name, tuple(places.values()), transitions)


def _place(element: Element, label: str, known: Declarations) -> Place:
    written, initial = element.trees.get("type"), element.trees.get("hlinitialMarking")
    if written is None:
        raise element.error("has no <type> with a structure; give it its sort")
    sort = known.sort(written)
    tokens = known.initial(initial, sort) if initial else ()
    return Place(element.id, sort, tokens, label)


def _inscription(element: Element, place: Place, known: Declarations) -> Multiset:
    written = element.trees.get("hlinscription")
    if written is not None:
        return known.multiset(written, place.sort)
    if isinstance(place.sort, Dot):
        return (Summand(1, Constant(place.sort, 0)),)
    raise element.error(f"has no <hlinscription>, but place {place.name} has colours")


def _summed(arcs: list[tuple[int, Multiset]]) -> Arcs:
    """The arcs of a side, sorted, those of one place summed."""
    sums: dict[int, Multiset] = {}
    for place, tokens in arcs:
        sums[place] = sums.get(place, ()) + tokens
    return tuple(sorted(sums.items(), key=lambda pair: pair[0]))
