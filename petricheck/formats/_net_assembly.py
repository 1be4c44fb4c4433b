"""A net from the nodes and arcs of its file: references resolved, arcs connected and summed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from petricheck.errors import InputError
from petricheck.formats._net_parts import Arc, Node, Parts
from petricheck.problem import Net, Transition, Weights
from petricheck.scanning.xml import Scanner
from petricheck.words import quoted

_Sides: TypeAlias = dict[str, dict[int, int]]


def assemble(name: str, parts: Parts, scanner: Scanner) -> tuple[Net, tuple[str, ...]]:
    """The net, and what is worth knowing about how it was put together.

    Raises:
        InputError: an arc or a reference leads nowhere, or joins what it must not.
    """
    things = [node for node in parts.nodes.values() if node.reference is None]
    places = [node for node in things if node.kind == "place"]
    numbers = {node.id: number for number, node in enumerate(places)}
    pre: _Sides = {node.id: {} for node in things if node.kind == "transition"}
    post: _Sides = {id_: {} for id_ in pre}
    parallel = _connect(parts, scanner, numbers, pre, post)
    labels = tuple(node.label for node in places)
    net = Net(
        name,
        tuple(numbers),
        tuple(
            Transition(id_, _weights(pre[id_]), _weights(post[id_]), parts.nodes[id_].label)
            for id_ in pre
        ),
        tuple(node.tokens for node in places),
        labels if any(labels) else (),
    )
    return net, (f"summed parallel arcs: {parallel}",) if parallel else ()


def _connect(
    parts: Parts, scanner: Scanner, numbers: Mapping[str, int], pre: _Sides, post: _Sides
) -> int:
    """Add every arc to the side it belongs to; how many ran beside an earlier one."""
    resolved = _resolve(parts.nodes, scanner)
    parallel = 0
    for arc in parts.arcs:
        source, target = resolved.get(arc.source), resolved.get(arc.target)
        if source is None or target is None or source.kind == target.kind:
            raise _misplaced(arc, resolved, scanner)
        consumes = source.kind == "place"
        weights = pre[target.id] if consumes else post[source.id]
        place = numbers[source.id if consumes else target.id]
        parallel += place in weights
        weights[place] = weights.get(place, 0) + arc.weight
    return parallel


def _weights(weights: Mapping[int, int]) -> Weights:
    return tuple(sorted(weights.items()))


def _misplaced(arc: Arc, nodes: Mapping[str, Node], scanner: Scanner) -> InputError:
    """Why the ends of this arc cannot be joined."""
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


def _resolve(nodes: Mapping[str, Node], scanner: Scanner) -> dict[str, Node]:
    """Every id with the place or transition that it stands for in the end."""
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
