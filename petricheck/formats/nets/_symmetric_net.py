"""A coloured net from the nodes, arcs and declarations of its file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from petricheck.formats.nets._net_parts import Element, misplaced, resolve
from petricheck.formats.nets._pnml_elements import PnmlElements
from petricheck.formats.nets._symmetric_sorts import sort_name
from petricheck.formats.nets._symmetric_terms import Terms, is_never_negative
from petricheck.model.coloured.net import Arcs, ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Dot, Sort
from petricheck.model.coloured.terms import TRUE, Constant, Guard, Multiset, Summand
from petricheck.support.errors import InputError

_Written: TypeAlias = tuple[int, Multiset, Element]
"""An arc: number of its place, tokens, and its element."""


def assemble_coloured(elements: PnmlElements) -> tuple[ColouredNet, tuple[str, ...]]:
    """Return the net, and warnings about how it was assembled; join its arcs in the parts.

    Raises:
        InputError: an arc or a reference has no valid end, or a label is refused.
    """
    labels = _Labels(Terms(elements.declared))
    resolved = resolve(elements.parts.nodes, elements.scanner)
    nodes = [node for node in elements.parts.nodes.values() if node.reference is None]
    places = [
        labels.place(elements.nodes[node.id], node.label) for node in nodes if node.kind == "place"
    ]
    numbers = elements.parts.numbers
    sides: defaultdict[tuple[str, bool], list[_Written]] = defaultdict(list)
    for arc, element in zip(elements.parts.arcs, elements.arcs, strict=True):
        source, target = resolved.get(arc.source), resolved.get(arc.target)
        if source is None or target is None or source.kind == target.kind:
            raise misplaced(arc, resolved, elements.scanner)
        elements.parts.join(numbers[source.id], numbers[target.id], arc.weight)
        is_input = source.kind == "place"
        place, transition = (source, target) if is_input else (target, source)
        number = numbers[place.id]
        tokens = labels.inscription(element, places[number].sort)
        sides[transition.id, is_input].append((number, tokens, element))
    transitions = tuple(
        Transition(
            node.id,
            _arcs(sides[node.id, True]),
            _arcs(sides[node.id, False]),
            labels.condition(elements.nodes[node.id]),
            node.label,
        )
        for node in nodes
        if node.kind == "transition"
    )
    parallel = len(elements.arcs) - sum(len(t.pre) + len(t.post) for t in transitions)
    warnings = (f"summed parallel arcs: {parallel}",) if parallel else ()
    return ColouredNet(elements.name, tuple(places), transitions), warnings


_Value = TypeVar("_Value")

_DOT: Multiset = (Summand(1, Constant(Dot(), 0)),)


class _Labels:
    """The meaning of labels; a tree that several elements share is read once for each sort."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._values: dict[tuple[int, ...], Any] = {}

    def place(self, element: Element, label: str) -> Place:
        """Return a place."""
        sort = self._read(element, "type", self._terms.sort)
        if sort is None:
            raise element.error("has no <type> with a structure; give it its sort")
        initial = self._read(element, "hlinitialMarking", self._terms.initial, sort)
        return Place(element.id, sort, initial or (), label)

    def inscription(self, element: Element, sort: Sort) -> Multiset:
        """Return the tokens of an arc."""
        tokens = self._read(element, "hlinscription", self._terms.multiset, sort)
        if tokens is not None:
            return tokens
        if isinstance(sort, Dot):
            return _DOT
        raise element.error(
            f"has no <hlinscription>; its place is of {sort_name(sort)}, so say which tokens"
        )

    def condition(self, element: Element) -> Guard:
        """Return the guard of a transition."""
        return self._read(element, "condition", self._terms.guard) or TRUE

    def _read(
        self, element: Element, label: str, read: Callable[..., _Value], *sorts: Sort
    ) -> _Value | None:
        tree = element.trees.get(label)
        if tree is None:
            return None
        key = id(tree), *map(id, sorts)
        if key not in self._values:
            try:
                self._values[key] = read(tree, *sorts)
            except InputError as error:
                raise element.error_in_tree(error) from None
        value: _Value = self._values[key]
        return value


def _arcs(side: Sequence[_Written]) -> Arcs:
    """Return the arcs of one side, sorted; arcs of one place are summed."""
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
