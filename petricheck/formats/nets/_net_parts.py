"""Places, transitions, references and arcs of a file in XML, each checked by itself; and their net.

The net has its references resolved, its arcs connected and parallel ones summed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import xor
from typing import Literal, NamedTuple, TypeAlias

from petricheck.formats.nets._pnml_vocabulary import NORMAL, is_special_of_arc
from petricheck.formats.nets._structures import Tree
from petricheck.formats.scanning.xml import XmlScanner
from petricheck.model.net import Marking, Net, Transition, Weights
from petricheck.support.errors import InputError
from petricheck.support.words import MAX_DIGITS, quoted

ONLY_NORMAL = (
    "only normal arcs are supported; model it with normal arcs (a test is an arc there and one "
    "back, an inhibitor of a bounded place a test of its complement place)"
)
"""The message for any other arc."""

Kind: TypeAlias = Literal["place", "transition"]

# PIPE writes the colour of its black tokens before their number.
_NUMBER = re.compile(r"(?:Default\s*,)?\s*\+?([0-9]+)")
_RATE = re.compile(r"[0-9]+(\.[0-9]*)?([Ee][-+]?[0-9]+)?")


class FileNode(NamedTuple):
    """A place, a transition, or a reference to one, by its id.

    Attributes:
        kind: of the node, or of the node that it refers to.
        label: its name, without surrounding space; "" without one.
        tokens: initial marking of a place; of a mark, the tokens in the final marking.
        reference: the id that it refers to; None for a place or transition.
    """

    id: str
    kind: Kind
    line: int
    label: str = ""
    tokens: int = 0
    reference: str | None = None


class FileArc(NamedTuple):
    """An ordinary arc between ids that may not exist; its own id may be ""."""

    id: str
    source: str
    target: str
    weight: int
    line: int


@dataclass(slots=True)
class Element:
    """An element as written, with the line of its start tag.

    Attributes:
        labels: text by label, None for a label without text; filled while the element is open.
        trees: of symmetric nets, the structure in a label, by label.
        line_offset: added to lines in its trees, which come from an earlier element.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    scanner: XmlScanner
    labels: dict[str, str | None]
    trees: dict[str, Tree] = field(default_factory=dict)
    line_offset: int = 0

    def place(self) -> FileNode:
        """Return the element as a place; its capacity must have been checked before."""
        marked = self.word("initialMarking", "")  # PIPE writes a blank one for no tokens
        tokens = self.number("initialMarking", 0, 0) if marked else 0
        return FileNode(self.id, "place", self.line, self._label, tokens)

    def transition(self) -> FileNode:
        """Return the element as a transition; <timed> must have been checked before."""
        if self.labels:
            self._check_rate(self.word("rate", "1"))
        return FileNode(self.id, "transition", self.line, self._label)

    def _check_rate(self, rate: str) -> None:
        if not _RATE.fullmatch(rate) or not float(rate) > 0:
            raise self.error(
                f"has the rate {quoted(rate)}, and with a rate of 0 it never fires; write a "
                "positive number, or remove the rate"
            )

    def reference(self) -> FileNode:
        kind: Kind = "place" if self.tag == "referencePlace" else "transition"
        return FileNode(self.id, kind, self.line, self._label, reference=self._attribute("ref"))

    def arc(self) -> FileArc:
        attributes = self.attributes
        for name in (attributes.get("name"), attributes.get("label"), self._label):
            if name and is_special_of_arc(name):
                self.check_kind(name)
        weight = self._weight() if self.labels else 1
        source, target = self._attribute("source"), self._attribute("target")
        return FileArc(attributes.get("id", ""), source, target, weight, self.line)

    def _weight(self) -> int:
        for label in ("type", "arctype"):
            if label in self.labels:
                self.check_kind(self.word(label, ""))
        if self.word("tagged", "false") != "false":
            raise self.error("moves tagged tokens; set <tagged> to false if they do not matter")
        return self.number("inscription", 1, 1)

    @property
    def id(self) -> str:
        """The id; InputError where it is missing."""
        return self._attribute("id")

    def error(self, message: str) -> InputError:
        name = self.attributes.get("id")
        owner = f"<{self.tag}>" if name is None else f"{self.tag} {quoted(name)}"
        return self.scanner.error(f"{owner} {message}", self.line)

    def error_in_tree(self, error: InputError) -> InputError:
        """Return an error about one of its trees, with the lines of this element."""
        return self.scanner.error(error.message, (error.line or 0) + self.line_offset)

    def word(self, label: str, default: str) -> str:
        """Return a label's text; the default where the label or its text is missing."""
        text = self.labels.get(label)
        return default if text is None else text.strip()

    def check_kind(self, kind: str) -> None:
        """Refuse an arc of any kind but the ordinary one."""
        if kind not in NORMAL:
            raise self.error(f"is of type {quoted(kind)}, but {ONLY_NORMAL}")

    def number(self, label: str, default: int, least: int) -> int:
        """Return the number in a label; a label without text counts as missing."""
        text = self.labels.get(label)
        if text is None:
            return default
        number = _NUMBER.fullmatch(text.strip())
        if number and len(number[1]) > MAX_DIGITS:
            raise self.error(
                f"has {len(number[1])} digits in <{label}>; at most {MAX_DIGITS} are read"
            )
        if not number or (value := int(number[1])) < least:
            raise self.error(
                f"has {quoted(text.strip())} in <{label}>; write a whole number, at least {least}"
            )
        return value

    @property
    def _label(self) -> str:
        return (self.labels.get("name") or "").strip()

    def _attribute(self, key: str) -> str:
        value = self.attributes.get(key)
        if not value:
            raise self.error(f"has no {key}; give it one")
        return value


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

    def join(self, start: int, end: int, weight: int) -> None:
        """Add an arc between a place and a transition, given by `numbers`, to `pre` or `post`."""
        if start < 0:
            self.post[~start].append((end, weight))
        else:
            self.pre[~end].append((start, weight))


def assemble(name: str, parts: Parts, scanner: XmlScanner) -> tuple[Net, tuple[str, ...]]:
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
    return net, (f"summed parallel arcs: {parallel}",) if parallel else ()


def connected(
    parts: Parts, resolved: Mapping[str, FileNode], scanner: XmlScanner
) -> Iterator[tuple[FileNode, FileNode]]:
    """Join the arcs in the parts; yield the nodes that each leads from and to."""
    numbers = parts.numbers
    for arc in parts.arcs:
        source, target = resolved.get(arc.source), resolved.get(arc.target)
        if source is None or target is None or source.kind == target.kind:
            raise _misplaced(arc, resolved, scanner)
        parts.join(numbers[source.id], numbers[target.id], arc.weight)
        yield source, target


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
