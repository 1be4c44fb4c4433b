"""The parts of a net in a file in XML, and the net that they make.

The net has its references resolved, its arcs connected and parallel ones summed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import xor

from petricheck.formats.nets._net_parts import ArcKind, Element, FileArc, FileNode
from petricheck.formats.scanning.xml import XmlScanner
from petricheck.model.guarded.net import Arc, GuardedNet, guarded
from petricheck.model.net import Marking, Net, Transition, Weights
from petricheck.support.errors import InputError
from petricheck.support.words import quoted


@dataclass(slots=True)
class Parts:
    """The parts of a net while its file is read.

    Places and transitions are numbered in the order of the file, without references.

    Attributes:
        nodes: by id.
        numbers: of places by id, and ~number of transitions.
        pre: by transition, its inputs (place, weight), maybe several of one place.
        post: by transition, its outputs.
        arcs: those that are not in `pre` or `post` yet, in the order of the file.
        ids: of these arcs, without "".
        written: (id, source, target) of these arcs, since several may share an id.
        run_ids: ids of the arcs that were added in runs.
        special: connected arcs of other kinds than the normal one, by kind, transition and place.
        capacities: by place.
        unclear: places for whose capacity the file does not say whether a firing takes its tokens
            before it puts others.
        finals: of each final marking the places with an entry, with their tokens.
    """

    nodes: dict[str, FileNode] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    pre: list[list[tuple[int, int]]] = field(default_factory=list)
    post: list[list[tuple[int, int]]] = field(default_factory=list)
    arcs: list[FileArc] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    written: set[tuple[str, str, str]] = field(default_factory=set)
    run_ids: set[str] = field(default_factory=set)
    special: dict[tuple[ArcKind, int, int], FileArc] = field(default_factory=dict)
    capacities: dict[str, int] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)
    finals: list[list[FileNode]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The number of nodes, and of arcs that are not in `pre` or `post` yet."""
        return len(self.nodes) + len(self.arcs)

    def add(self, node: FileNode, element: Element) -> None:
        """Add a node; InputError where its id is taken."""
        if node.id in self.nodes or node.id in self.ids or node.id in self.run_ids:
            raise element.error("has an id that is taken already; make ids unique")
        self._insert(node)

    def _insert(self, node: FileNode) -> None:
        self.nodes[node.id] = node
        if node.reference is not None:
            return
        if node.kind == "place":
            self.numbers[node.id] = len(self.numbers) - len(self.pre)
        else:
            self.numbers[node.id] = ~len(self.pre)
            self.pre.append([])
            self.post.append([])

    def add_arc(self, arc: FileArc, element: Element) -> None:
        """Add an arc; nothing refers to arcs, so those with other ends may share its id.

        InputError where its id is that of a node, or of an arc with the same ends, so that it may
        be one arc written twice.
        """
        self.arcs.append(arc)
        if not arc.id:
            return
        repeated = arc[:3] in self.written or (arc.id in self.run_ids and self._is_joined(arc))
        if repeated or arc.id in self.nodes:
            raise element.error("has an id that is taken already; make ids unique")
        self.ids.add(arc.id)
        self.written.add(arc[:3])

    def _is_joined(self, arc: FileArc) -> bool:
        """Return whether one of the arcs in `pre` and `post` has these ends."""
        start, end = self.numbers.get(arc.source), self.numbers.get(arc.target)
        if start is None or end is None or (start < 0) == (end < 0):
            return False
        arcs, place = (self.post[~start], end) if start < 0 else (self.pre[~end], start)
        return any(place == other for other, _ in arcs)

    def add_run(
        self,
        nodes: Sequence[FileNode],
        ids: Sequence[str],
        sources: Sequence[str],
        targets: Sequence[str],
        weights: Sequence[int],
    ) -> bool:
        """Add nodes, no references, and arcs; or none, and return False, where one is not plain."""
        own = {*ids, *(node.id for node in nodes)}
        id_sets = (self.ids, self.run_ids, self.nodes.keys())
        if len(own) < len(ids) + len(nodes) or not all(k.isdisjoint(own) for k in id_sets):
            return False
        for node in nodes:
            self._insert(node)
        try:
            starts = [*map(self.numbers.__getitem__, sources)]
            ends = [*map(self.numbers.__getitem__, targets)]
            joins = max(map(xor, starts, ends), default=-1) < 0  # one of both is negative
        except KeyError:
            joins = False
        if not joins:
            self._remove(nodes)
            return False
        self.run_ids.update(ids)
        for start, end, weight in zip(starts, ends, weights, strict=True):
            self.join(start, end, weight)
        return True

    def _remove(self, nodes: Iterable[FileNode]) -> None:
        for node in nodes:
            del self.nodes[node.id]
            if self.numbers.pop(node.id) < 0:
                self.pre.pop()
                self.post.pop()

    def arcs_of(self, kind: ArcKind) -> list[Arc]:
        """Return the connected arcs of a kind that is not the normal one."""
        return [(t, p, arc.weight) for (of, t, p), arc in self.special.items() if of == kind]

    def join(self, start: int, end: int, weight: int) -> None:
        """Add an arc between a place and a transition, given by `numbers`, to `pre` or `post`."""
        if start < 0:
            self.post[~start].append((end, weight))
        else:
            self.pre[~end].append((start, weight))


def assemble(
    name: str, parts: Parts, scanner: XmlScanner
) -> tuple[Net | GuardedNet, tuple[str, ...]]:
    """Return the net, and warnings; InputError where an arc or a reference has no valid end."""
    resolved = resolve(parts.nodes, scanner)
    for _ in connected(parts, resolved, scanner):
        """Each is joined."""
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
    warnings = (f"summed parallel arcs: {parallel}",) if parallel else ()
    return _restrained(net, parts, scanner), warnings


def _restrained(net: Net, parts: Parts, scanner: XmlScanner) -> Net | GuardedNet:
    """Return the net with its arcs of other kinds and its capacities.

    InputError where tools differ in what they mean together with the normal arcs.
    """
    if not parts.special and not parts.capacities:
        return net
    for (kind, transition, place), arc in parts.special.items():
        if kind == "read" and place in dict(net.transitions[transition].pre):
            raise scanner.error(
                f"arc {quoted(arc.id)} reads what another arc takes from {quoted(arc.source)}, and "
                "tools differ in how many tokens both need; write only the arc that takes, with "
                "what it needs as its weight and an arc back for the rest",
                arc.line,
            )
    for place_id in sorted(parts.unclear):
        place = parts.numbers[place_id]
        for number, taking in enumerate(net.transitions):
            is_reset = ("reset", number, place) in parts.special
            taken = is_reset or place in dict(taking.pre)
            if taken and place in dict(taking.post):
                raise scanner.error(
                    f"place {quoted(place_id)} has a capacity, and {quoted(taking.name)} "
                    "takes from it and puts into it, in which order is not said; write "
                    "<capacity><value>…</value></capacity> if it takes first",
                    parts.nodes[place_id].line,
                )
    return guarded(
        net,
        inhibitors=parts.arcs_of("inhibitor"),
        reads=parts.arcs_of("read"),
        resets=[arc[:2] for arc in parts.arcs_of("reset")],
        capacities={parts.numbers[place]: most for place, most in parts.capacities.items()},
    )


def connected(
    parts: Parts, resolved: Mapping[str, FileNode], scanner: XmlScanner
) -> Iterator[tuple[FileNode, FileNode]]:
    """Join the arcs in the parts; yield the nodes that each leads from and to."""
    numbers = parts.numbers
    for arc in parts.arcs:
        source, target = resolved.get(arc.source), resolved.get(arc.target)
        if source is None or target is None or source.kind == target.kind:
            raise _misplaced(arc, resolved, scanner)
        start, end = numbers[source.id], numbers[target.id]
        if arc.kind == "normal":
            parts.join(start, end, arc.weight)
        else:
            _add_special(parts, arc, start, end, scanner)
        yield source, target


def _add_special(parts: Parts, arc: FileArc, start: int, end: int, scanner: XmlScanner) -> None:
    """Add an arc that is no normal one; InputError where its meaning is not clear."""
    if start < 0:
        problem = "to a place; such an arc leads from a place to a transition: exchange its ends"
        raise scanner.error(
            f"arc {quoted(arc.id)} is of type {arc.kind!r} and leads {problem}", arc.line
        )
    if (arc.kind, ~end, start) in parts.special:
        raise scanner.error(
            f"there are two {arc.kind} arcs from {quoted(arc.source)} to {quoted(arc.target)}; "
            "keep one",
            arc.line,
        )
    parts.special[arc.kind, ~end, start] = arc


def _final(
    marks: Iterable[FileNode],
    resolved: Mapping[str, FileNode],
    places: Iterable[str],
    scanner: XmlScanner,
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


def _misplaced(arc: FileArc, nodes: Mapping[str, FileNode], scanner: XmlScanner) -> InputError:
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


def resolve(nodes: Mapping[str, FileNode], scanner: XmlScanner) -> dict[str, FileNode]:
    final: dict[str, FileNode] = {}
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


def _referred(node: FileNode, nodes: Mapping[str, FileNode], scanner: XmlScanner) -> FileNode:
    assert node.reference is not None
    target = nodes.get(node.reference)
    if target is None or target.kind != node.kind:
        raise scanner.error(
            f"reference {quoted(node.id)} refers to {quoted(node.reference)}, which is no "
            f"{node.kind} of this net; correct the id",
            node.line,
        )
    return target
