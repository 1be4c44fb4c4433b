"""A net from the nodes and arcs of its file: references resolved, arcs connected and summed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from petricheck.formats.nets._net_parts import Arc, Node, Parts
from petricheck.formats.scanning.xml import Scanner
from petricheck.model.net import Marking, Net, Transition, Weights
from petricheck.support.errors import InputError
from petricheck.support.words import quoted


def assemble(name: str, parts: Parts, scanner: Scanner) -> tuple[Net, tuple[str, ...]]:
    """Return the net, and warnings about how it was assembled.

    Raises:
        InputError: an arc or a reference has no valid end.
    """
    resolved = resolve(parts.nodes, scanner)
    _connect(parts, resolved, scanner)
    places = [id_ for id_, number in parts.numbers.items() if number >= 0]
    names = (id_ for id_, number in parts.numbers.items() if number < 0)
    nodes = parts.nodes
    labels = tuple(nodes[id_].label for id_ in places)
    net = Net(
        name,
        tuple(places),
        tuple(
            Transition(id_, _weights(pre), _weights(post), nodes[id_].label)
            for id_, pre, post in zip(names, parts.pre, parts.post, strict=True)
        ),
        tuple(nodes[id_].tokens for id_ in places),
        labels if any(labels) else (),
        finals=tuple(_final(marks, resolved, places, scanner) for marks in parts.finals),
    )
    arcs = sum(len(t.pre) + len(t.post) for t in net.transitions)
    parallel = sum(map(len, (*parts.pre, *parts.post))) - arcs
    return net, (f"summed parallel arcs: {parallel}",) if parallel else ()


def _connect(parts: Parts, resolved: Mapping[str, Node], scanner: Scanner) -> None:
    """Add each remaining arc to the inputs or outputs of its transition."""
    numbers = parts.numbers
    for arc in parts.arcs:
        source, target = resolved.get(arc.source), resolved.get(arc.target)
        if source is None or target is None or source.kind == target.kind:
            raise misplaced(arc, resolved, scanner)
        parts.join(numbers[source.id], numbers[target.id], arc.weight)


def _final(
    marks: Iterable[Node], resolved: Mapping[str, Node], places: Iterable[str], scanner: Scanner
) -> Marking:
    """Return a final marking; places without an entry are empty."""
    tokens: dict[str, int] = {}
    for mark in marks:
        place = resolved.get(mark.id)
        if place is None or place.kind != "place":
            raise scanner.error(
                f"a final marking names {quoted(mark.id)}, which is no place of this net; correct "
                "the idref",
                mark.line,
            )
        if place.id in tokens:
            raise scanner.error(
                f"a final marking names the place {quoted(place.id)} twice; keep one", mark.line
            )
        tokens[place.id] = mark.tokens
    return tuple(tokens.get(place, 0) for place in places)


def _weights(arcs: Sequence[tuple[int, int]]) -> Weights:
    """Return the arcs of one side, sorted; arcs of one place are summed."""
    sums = dict(arcs)
    if len(sums) < len(arcs):
        sums = dict.fromkeys(sums, 0)
        for place, weight in arcs:
            sums[place] += weight
    return tuple(sorted(sums.items()))


def misplaced(arc: Arc, nodes: Mapping[str, Node], scanner: Scanner) -> InputError:
    """Return the error for an arc whose ends cannot be joined."""
    for end in (arc.source, arc.target):
        if end not in nodes:
            return scanner.error(
                f"arc {quoted(arc.id)} is attached to {quoted(end)}, which is no place or "
                "transition of this net; correct the id or remove the arc",
                arc.line,
            )
    return scanner.error(
        f"arc {quoted(arc.id)} joins two {nodes[arc.source].kind}s, {quoted(arc.source)} and "
        f"{quoted(arc.target)}; arcs must join a place and a transition",
        arc.line,
    )


def resolve(nodes: Mapping[str, Node], scanner: Scanner) -> dict[str, Node]:
    """Return for every id the place or transition that it finally refers to."""
    final: dict[str, Node] = {}
    for start in nodes.values():
        trail: dict[str, None] = {}
        node = start
        while node.id not in final and node.reference is not None:
            if node.id in trail:
                raise scanner.error(
                    f"reference {quoted(node.id)} refers to itself in the end; let one of the "
                    "circle refer to a real node",
                    node.line,
                )
            trail[node.id] = None
            node = _referred(node, nodes, scanner)
        thing = final.get(node.id, node)
        final[node.id] = thing
        final.update(dict.fromkeys(trail, thing))
    return final


def _referred(node: Node, nodes: Mapping[str, Node], scanner: Scanner) -> Node:
    assert node.reference is not None
    target = nodes.get(node.reference)
    if target is None or target.kind != node.kind:
        raise scanner.error(
            f"reference {quoted(node.id)} refers to {quoted(node.reference)}, which is no "
            f"{node.kind} of this net; correct the id",
            node.line,
        )
    return target
