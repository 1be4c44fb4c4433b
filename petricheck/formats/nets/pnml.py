"""PNML (ISO/IEC 15909-2), the exchange format of Petri net tools.

Reading accepts what tools write: any namespace or none, pages or none, reference nodes, missing
markings and weights, parallel arcs (summed), ids that are no XML names. Whatever would mean
anything but a place/transition net or a symmetric one is refused, since ignoring an arc could make
a verdict wrong. Limits: 256 nested elements, 4000 digits a number, 16 MiB a tag, no DOCTYPE.

Runs of plain elements, most of a large file, are read without an event for each tag. The first
element of a run is read by the parser of XML; so places, transitions and arcs may follow in its
namespace. The elements directly behind it that have nothing but an id, two ends, a name and a
number are its siblings; they are read here, and the parser gets their line ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING

from petricheck.formats.nets import AnySource, Format
from petricheck.formats.nets._assembly import assemble
from petricheck.formats.nets._net_parts import Element, FileNode
from petricheck.formats.nets._pnml_elements import PnmlElements
from petricheck.formats.nets._xml_output import (
    attribute,
    content,
    node_id,
    require_separate,
    unused_stem,
)
from petricheck.formats.scanning.text import digits
from petricheck.formats.scanning.xml import XmlScanner, line_ends
from petricheck.model.guarded.net import GuardedNet, as_guarded
from petricheck.model.net import Net

if TYPE_CHECKING:
    from petricheck.formats.nets._symmetric_runs import Repetitions

_NAMESPACE = "http://www.pnml.org/version-2009/grammar/pnml"
_NET_TYPE = "http://www.pnml.org/version-2009/grammar/ptnet"


class Pnml(Format):
    """PNML (ISO/IEC 15909-2) place/transition nets, and symmetric ones."""

    extensions = (".pnml",)
    begins = re.compile(rb"<")

    def read(
        self, pieces: Iterable[bytes], path: str, net_id: str | None = None
    ) -> tuple[AnySource, tuple[str, ...]]:
        """Return the net and warnings about the file.

        Labels are the names of places without surrounding space, or () where no place has one.
        """
        scanner = XmlScanner(path)
        elements = PnmlElements(scanner, net_id)
        elements.read(without_runs(pieces, elements))
        warnings = elements.warnings()
        net: AnySource
        if elements.symmetric:
            from petricheck.formats.nets._symmetric_net import assemble_coloured

            net, summed = assemble_coloured(elements)
        else:
            net, summed = assemble(elements.name, elements.parts, scanner)
        elements.check_choices()
        return net, warnings + summed

    def write(self, net: Net) -> bytes:
        """Return the net as PNML on one page; the same net gives the same bytes.

        `read` returns the same net, labels without surrounding space. The document is valid by the
        standard where all ids are XML names. InputError where an id is empty, is that of a place
        and of a transition, or has a character that XML cannot express, or a number is too long
        to be read again.
        """
        return self.write_guarded(as_guarded(net))

    def write_guarded(self, net: GuardedNet) -> bytes:
        """Return the net as `write` does, with arcs of the types inhibitor and reset."""
        return ("\n".join(_lines(net)) + "\n").encode()


def _lines(guarded: GuardedNet) -> Iterator[str]:
    net = guarded.plain
    ids = (*net.places, *(transition.name for transition in net.transitions))
    require_separate(net, "PNML")
    name = f"id={attribute(net.name)} " if net.name else ""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<pnml xmlns="{_NAMESPACE}">'
    yield f'  <net {name}type="{_NET_TYPE}">'
    yield f'    <page id="{unused_stem("page", (*ids, net.name))}">'
    labels = net.labels or ("",) * len(net.places)
    for place, label, tokens in zip(net.places, labels, net.initial, strict=True):
        yield from _node("place", place, label, tokens)
    for transition in net.transitions:
        yield from _node("transition", transition.name, transition.label)
    yield from _arcs(guarded, unused_stem("arc", ids))
    yield "    </page>"
    yield from _finals(net)
    yield "  </net>"
    yield "</pnml>"


def _node(tag: str, id_: str, label: str, tokens: int = 0) -> Iterator[str]:
    if not label and not tokens:
        yield f"      <{tag} id={node_id(id_)}/>"
        return
    yield f"      <{tag} id={node_id(id_)}>"
    if label:
        yield f"        <name><text>{content(label)}</text></name>"
    if tokens:
        yield f"        <initialMarking><text>{digits(tokens)}</text></initialMarking>"
    yield f"      </{tag}>"


def _arcs(net: GuardedNet, prefix: str) -> Iterator[str]:
    count, places = 0, [*map(node_id, net.places)]
    for transition, guard in zip(net.transitions, net.guards, strict=True):
        id_ = node_id(transition.name)
        arcs = (
            *((places[place], id_, weight, "") for place, weight in transition.pre),
            *((id_, places[place], weight, "") for place, weight in transition.post),
            *((places[place], id_, weight, "inhibitor") for place, weight in guard.upper),
            *((places[place], id_, 1, "reset") for place in guard.resets),
        )
        for source, target, weight, kind in arcs:
            count += 1
            start_tag = f'      <arc id="{prefix}{count}" source={source} target={target}'
            if weight == 1 and not kind:
                yield f"{start_tag}/>"
                continue
            yield f"{start_tag}>"
            if weight != 1:
                yield f"        <inscription><text>{digits(weight)}</text></inscription>"
            if kind:
                yield f'        <type value="{kind}"/>'
            yield "      </arc>"


def _finals(net: Net) -> Iterator[str]:
    if not net.finals:
        return
    yield "    <finalmarkings>"
    for marking in net.finals:
        yield "      <marking>"
        for place, tokens in zip(net.places, marking, strict=True):
            if tokens:
                text = f"<text>{digits(tokens)}</text>"
                yield f"        <place idref={node_id(place)}>{text}</place>"
        yield "      </marking>"
    yield "    </finalmarkings>"


_SPACE = r"[ \t\r\n]*+"
# Letters that are the same in all encodings which Expat reads a byte at a time.
_ID = r'"([\w.:-]++)"'


def _label(name: str, text: str) -> str:
    return f"<{name}>{_SPACE}<text>{text}</text>{_SPACE}</{name}>{_SPACE}"


def _element(start: str, tag: str, labels: str) -> str:
    return rf"{start}{_SPACE}(?:/>|>{_SPACE}{labels}</{tag}>)"


_NAME = _label("name", r"([\w .:-]*+)")
_MARKING = _label("initialMarking", rf"{_SPACE}([0-9]{{1,9}}+){_SPACE}")
_INSCRIPTION = _label("inscription", rf"{_SPACE}([1-9][0-9]{{0,8}}+){_SPACE}")
_PLACE = f"(?:{_NAME}(?:{_MARKING})?+|{_MARKING}(?:{_NAME})?+)?+"  # each at most once
_ARC = _element(f"arc id={_ID} source={_ID} target={_ID}", "arc", f"(?:{_INSCRIPTION})?+")
_NODES = (
    _element(f"transition id={_ID}", "transition", f"(?:{_NAME})?+"),
    _element(f"place id={_ID}", "place", _PLACE),
)
_PLAIN = re.compile(f"<(?:{'|'.join((_ARC, *_NODES))}){_SPACE}", re.ASCII)
_RUN = re.compile(f"(?:{_PLAIN.pattern})++".replace("([", "(?:["), re.ASCII)
_NET = re.compile(r"<net\s[^<>]*+>", re.ASCII)
_COLUMNS = _PLAIN.groups + 1


def without_runs(pieces: Iterable[bytes], elements: PnmlElements) -> Iterator[bytes]:
    """Yield the pieces of a file for the scanner, without the runs, which are stored.

    The scanner gets a run as well if one of its ids or ends of arcs is unusual, so that an error
    has its line.
    """
    parser, contexts, fed = elements.scanner.parser, elements.contexts, 0
    runs: _PlainRuns | Repetitions | None = None
    for piece in _with_whole_line_ends(pieces):
        text, begin = piece.decode("latin-1"), 0
        if runs is None and (net := _NET.search(text)):
            yield piece[: net.end()]
            fed, begin = fed + net.end(), net.end()
        runs = _runs(elements, runs)
        while span := runs.search(text, begin):
            start, end = span
            yield piece[begin:start]
            fed += start - begin
            # The scanner has read all before, so that a new element is this one, and in no comment.
            ready, depth, before = parser.CurrentByteIndex == fed, len(contexts), runs.last()
            yield piece[start:end]
            fed, begin = fed + end - start, end
            ready = ready and parser.CurrentByteIndex == fed and len(contexts) == depth
            if (
                not ready
                or runs.last() is before
                or not (position := runs.follow(text, start, end))
            ):
                break
            begin, lines = position
            if lines:
                yield b"\n" * lines
                fed += lines
        yield piece[begin:]
        fed += len(piece) - begin


def _with_whole_line_ends(pieces: Iterable[bytes]) -> Iterator[bytes]:
    # A run that ends in \r and a piece that begins with \n would count one line twice.
    pending = b""
    for piece in pieces:
        text = pending + piece
        pending = b"\r" if text.endswith(b"\r") else b""
        yield text.removesuffix(pending)
    yield pending


def _runs(
    elements: PnmlElements, previous: _PlainRuns | Repetitions | None
) -> _PlainRuns | Repetitions:
    if not elements.symmetric:
        return previous or _PlainRuns(elements)
    from petricheck.formats.nets._symmetric_runs import Repetitions

    return previous if isinstance(previous, Repetitions) else Repetitions(elements)


@dataclass(frozen=True)
class _PlainRuns:
    """Elements of place/transition nets that have nothing but an id, two ends, a name, a number.

    Of symmetric nets, `Repetitions` does the same.
    """

    elements: PnmlElements

    def last(self) -> int:
        """Return a value that changes with each stored element."""
        return self.elements.parts.size

    def search(self, text: str, begin: int) -> tuple[int, int] | None:
        """Return the span of the next element that may be the first of a run."""
        match = _PLAIN.search(text, begin)
        return match.span() if match else None

    def follow(self, text: str, _: int, end: int) -> tuple[int, int] | None:
        """Store the elements directly behind this one, which has been read.

        Return their end and their number of lines; None where no runs can be read any more.
        """
        if self.elements.symmetric:
            return None
        run = _RUN.match(text, end)
        if run is None or not _add_run(run[0], self.elements):
            return end, 0
        return run.end(), line_ends(run[0])


def _add_run(run: str, elements: PnmlElements) -> bool:
    """Add the elements of a run; return False, with none added, where that is not possible."""
    columns, line = _PLAIN.split(run), elements.scanner.line
    arcs, sources, targets, weights, *others = (columns[n::_COLUMNS] for n in range(1, _COLUMNS))
    transitions, labels, *of_places = others
    nodes = [
        FileNode(
            id_, "place", line, (name or last_name or "").strip(), int(tokens or first_tokens or 0)
        )
        for id_, name, tokens, first_tokens, last_name in zip(*of_places, strict=True)
        if id_
    ]
    nodes += [
        FileNode(id_, "transition", line, (label or "").strip())
        for id_, label in zip(transitions, labels, strict=True)
        if id_
    ]
    numbers = [int(weight) if weight else 1 for weight in compress(weights, arcs)]
    ids, starts, ends = ([*compress(column, arcs)] for column in (arcs, sources, targets))
    if not elements.parts.add_run(nodes, ids, starts, ends, numbers):
        return False
    if plain := next(filter(None, transitions), ""):
        line += run.count("\n", 0, run.index(f'<transition id="{plain}"'))
        elements.note_plain(Element("transition", {"id": plain}, line, elements.scanner, {}))
    return True
