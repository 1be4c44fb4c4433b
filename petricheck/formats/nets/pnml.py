"""PNML (ISO/IEC 15909-2), the exchange format of Petri net tools.

Reading accepts what tools write: any namespace or none, pages or none, reference nodes, missing
markings and weights, parallel arcs (summed), ids that are no XML names. Whatever would mean
anything but a place/transition net or a symmetric one is refused, since ignoring an arc could make
a verdict wrong. Limits: 256 nested elements, 4000 digits a number, 16 MiB a tag, no DOCTYPE.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from petricheck.formats.nets._net_assembly import assemble
from petricheck.formats.nets._pnml_elements import PnmlElements
from petricheck.formats.nets._pnml_runs import without_runs
from petricheck.formats.scanning.xml import Scanner, checked
from petricheck.model.net import Net
from petricheck.support.errors import InputError
from petricheck.support.words import MAX_DIGITS, quoted

if TYPE_CHECKING:
    from petricheck.model.coloured.net import ColouredNet

_NAMESPACE = "http://www.pnml.org/version-2009/grammar/pnml"
_NET_TYPE = "http://www.pnml.org/version-2009/grammar/ptnet"
_TOO_LARGE = 10**MAX_DIGITS


@dataclass(frozen=True)
class Pnml:
    """PNML (ISO/IEC 15909-2) place/transition nets, and symmetric ones."""

    extensions: ClassVar[tuple[str, ...]] = (".pnml",)
    written: ClassVar[bool] = True

    def read(
        self, pieces: Iterable[bytes], path: str, net_id: str | None = None
    ) -> tuple[Net | ColouredNet, tuple[str, ...]]:
        """Return the net and warnings about the file.

        Labels are the names of places without surrounding space, or () where no place has one.

        Raises:
            InputError: the file is no such net that is read without guessing, or contains several
                nets and `net_id` names none.
        """
        scanner = Scanner(path)
        elements = PnmlElements(scanner, net_id)
        plain = without_runs(pieces, elements)
        scanner.run(plain, elements.start, elements.end, elements.text)
        warnings = elements.warnings()
        net: Net | ColouredNet
        if elements.symmetric:
            from petricheck.formats.nets._symmetric_net import assemble_coloured

            net, summed = assemble_coloured(elements)
        else:
            net, summed = assemble(elements.name, elements.parts, scanner)
        elements.choices.check(elements.parts)
        return net, warnings + summed

    def write(self, net: Net) -> bytes:
        """Return the net as PNML on one page; the same net gives the same bytes.

        `read` returns the same net, labels without surrounding space. The document is valid by the
        standard where all ids are XML names.

        Raises:
            InputError: an id is empty, is that of a place and of a transition, or has a character
                that XML cannot express, or a number has too many digits to be read again.
        """
        return ("\n".join(_lines(net)) + "\n").encode()


def _lines(net: Net) -> Iterator[str]:
    ids = (*net.places, *(transition.name for transition in net.transitions))
    if shared := net.place_numbers.keys() & net.transition_numbers.keys():
        raise InputError(
            f"a place and a transition are both called {quoted(min(shared))}, which PNML cannot "
            "hold; rename one"
        )
    name = f"id={_attribute(net.name)} " if net.name else ""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<pnml xmlns="{_NAMESPACE}">'
    yield f'  <net {name}type="{_NET_TYPE}">'
    yield f'    <page id="{_unused("page", (*ids, net.name))}">'
    labels = net.labels or ("",) * len(net.places)
    for place, label, tokens in zip(net.places, labels, net.initial, strict=True):
        yield from _node("place", place, label, tokens)
    for transition in net.transitions:
        yield from _node("transition", transition.name, transition.label)
    yield from _arcs(net, _unused("arc", ids))
    yield "    </page>"
    yield from _finals(net)
    yield "  </net>"
    yield "</pnml>"


def _node(tag: str, id_: str, label: str, tokens: int = 0) -> Iterator[str]:
    if not label and not tokens:
        yield f"      <{tag} id={_id(id_)}/>"
        return
    yield f"      <{tag} id={_id(id_)}>"
    if label:
        yield f"        <name><text>{_text(label)}</text></name>"
    if tokens:
        yield f"        <initialMarking><text>{_digits(tokens)}</text></initialMarking>"
    yield f"      </{tag}>"


def _arcs(net: Net, prefix: str) -> Iterator[str]:
    count, places = 0, [*map(_id, net.places)]
    for transition in net.transitions:
        id_ = _id(transition.name)
        inward = ((places[place], id_, weight) for place, weight in transition.pre)
        outward = ((id_, places[place], weight) for place, weight in transition.post)
        for source, target, weight in (*inward, *outward):
            count += 1
            start_tag = f'      <arc id="{prefix}{count}" source={source} target={target}'
            if weight == 1:
                yield f"{start_tag}/>"
            else:
                yield f"{start_tag}>"
                yield f"        <inscription><text>{_digits(weight)}</text></inscription>"
                yield "      </arc>"


def _finals(net: Net) -> Iterator[str]:
    if not net.finals:
        return
    yield "    <finalmarkings>"
    for marking in net.finals:
        yield "      <marking>"
        for place, tokens in zip(net.places, marking, strict=True):
            if tokens:
                text = f"<text>{_digits(tokens)}</text>"
                yield f"        <place idref={_id(place)}>{text}</place>"
        yield "      </marking>"
    yield "    </finalmarkings>"


def _unused(stem: str, ids: tuple[str, ...]) -> str:
    """Return the stem, lengthened until no id starts with it."""
    while any(name.startswith(stem) for name in ids):
        stem += "-"
    return stem


def _id(name: str) -> str:
    if not name:
        raise InputError("a place or transition has an empty id, which PNML cannot hold")
    return _attribute(name)


def _attribute(text: str) -> str:
    from xml.sax.saxutils import quoteattr  # it takes its time, and reading needs none

    return quoteattr(checked(text))


def _text(text: str) -> str:
    from xml.sax.saxutils import escape

    return escape(checked(text), {"\r": "&#13;"})


def _digits(value: int) -> str:
    if value >= _TOO_LARGE:
        raise InputError(f"a number has more than {MAX_DIGITS} digits, which no reader would take")
    return str(value)
