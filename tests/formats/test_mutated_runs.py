"""Documents with long runs, mutated: read in runs and element by element they are the same net."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from xml.sax.saxutils import escape, quoteattr

import pytest

from petricheck.formats.nets import pnml
from petricheck.model.coloured.net import ColouredNet
from petricheck.support.errors import InputError

_TEXTS = ("inhibitor", "normal", "reset", "", "2", "0", "x", "a&b")
_TAGS = ("name", "text", "comment", "toolspecific", "graphics", "arctype", "type", "inscription")
_KEYS = ("id", "source", "target", "type", "value", "refvariable", "declaration", "name", "xmlns")
_COUNT = 8


@dataclass(frozen=True)
class _Tag:
    """An element: its name, attributes, and texts and elements in it."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    inside: tuple[_Tag | str, ...] = ()

    def __str__(self) -> str:
        start = self.name + "".join(f" {k}={quoteattr(v)}" for k, v in self.attributes.items())
        inside = "".join(
            escape(part) if isinstance(part, str) else str(part) for part in self.inside
        )
        return f"<{start}>{inside}</{self.name}>" if inside else f"<{start}/>"


def _text(name: str, text: str) -> _Tag:
    return _Tag(name, {}, (_Tag("text", {}, (text,)),))


def _structured(name: str, *inside: _Tag) -> _Tag:
    return _Tag(name, {}, (_Tag("text", {}, ("said",)), _Tag("structure", {}, inside)))


def _reference(name: str, **attributes: str) -> _Tag:
    return _Tag(name, attributes)


_ASIDES: tuple[tuple[_Tag, ...], ...] = (
    (_text("name", "n"),),
    (_text("comment", "normal"),),
    (_Tag("toolspecific", {"tool": "x", "version": "1"}, (_text("arctype", "normal"),)),),
    (_Tag("graphics", {}, (_Tag("position", {"x": "1", "y": "2"}),)),),
)


def _document(random: Random, *, coloured: bool) -> _Tag:
    """A ring of places and transitions; the same asides are in all elements of a kind."""
    asides = {kind: random.choice(_ASIDES) for kind in ("place", "transition", "arc")}
    if coloured:
        sort = _reference("usersort", declaration="s")
        labels = (
            _structured("type", sort),
            _structured("hlinitialMarking", _Tag("all", {}, (sort,))),
        )
        weight = _structured("hlinscription", _reference("variable", refvariable="x"))
        variable = _Tag("subterm", {}, (_reference("variable", refvariable="x"),))
        guard = (_structured("condition", _Tag("equality", {}, (variable, variable))),)
    else:
        labels, weight, guard = (_text("initialMarking", "1"),), _text("inscription", "2"), ()
    inside: list[_Tag] = []
    for kind, own in (("place", labels), ("transition", guard)):
        content = (*own, *asides[kind]) if random.random() < 0.5 else (*asides[kind], *own)
        inside += (_Tag(kind, {"id": f"{kind[0]}{n}"}, content) for n in range(_COUNT))
    for n in range(_COUNT):
        for number, ends in enumerate(((f"p{n}", f"t{n}"), (f"t{n}", f"p{(n + 1) % _COUNT}"))):
            attributes = {"id": f"a{n}.{number}", "source": ends[0], "target": ends[1]}
            inside.append(_Tag("arc", attributes, (weight, *asides["arc"])))
    return _Tag("page", {"id": "g"}, tuple(inside))


def _mutated(tag: _Tag, random: Random) -> _Tag:
    """The element with one change in it or, more often, in an element below."""
    below = [at for at, part in enumerate(tag.inside) if isinstance(part, _Tag)]
    inside = list(tag.inside)
    if below and (random.random() < 0.8):
        at = random.choice(below)
        part = inside[at]
        assert isinstance(part, _Tag)
        inside[at] = _mutated(part, random)
        return replace(tag, inside=tuple(inside))
    at, key, text = random.randint(0, len(inside)), random.choice(_KEYS), random.choice(_TEXTS)
    if not below and random.random() < 0.5:
        return replace(tag, inside=(text,))
    match random.randrange(7):
        case 0:
            del inside[at : at + 1]
        case 1:
            inside[at:at] = inside[at : at + 1]
        case 2:
            random.shuffle(inside)
        case 3:
            return replace(tag, name=random.choice(_TAGS))
        case 4:
            return replace(tag, attributes=tag.attributes | {key: text})
        case 5:
            return replace(tag, attributes={k: v for k, v in tag.attributes.items() if k != key})
        case _:
            inside.insert(at, _text(random.choice(_TAGS), text))
    return replace(tag, inside=tuple(inside))


_SORT = _Tag(
    "finiteenumeration", {}, tuple(_Tag("feconstant", {"id": c, "name": c}) for c in "abc")
)
_DECLARED = (
    _Tag("namedsort", {"id": "s", "name": "S"}, (_SORT,)),
    _Tag("variabledecl", {"id": "x", "name": "x"}, (_reference("usersort", declaration="s"),)),
)
_DECLARATION = _structured("declaration", _Tag("declarations", {}, _DECLARED))


def _reading(document: bytes) -> object:
    try:
        net, warnings = pnml.Pnml().read((document,), "net.pnml")
    except InputError as error:
        # Which column is named depends on the pieces.
        return error.message.partition(", column")[0], error.line
    nodes = (*net.places, *net.transitions) if isinstance(net, ColouredNet) else net.transitions
    return net, warnings, net.labels, [getattr(node, "label", "") for node in nodes]


def _compare(seeds: range, monkeypatch: pytest.MonkeyPatch, *, coloured: bool) -> None:
    for seed in seeds:
        random = Random(seed)
        page = _document(random, coloured=coloured)
        for _ in range(random.randint(1, 2)):
            page = _mutated(page, random)
        kind = "symmetricnet" if coloured else "ptnet"
        declared = (_DECLARATION,) if coloured else ()
        net = _Tag("net", {"id": "n", "type": kind}, (*declared, page))
        document = str(_Tag("pnml", {}, (net,))).encode()
        in_runs = _reading(document)
        with monkeypatch.context() as patch:
            patch.setattr(pnml, "without_runs", lambda pieces, _: pieces)
            assert in_runs == _reading(document), seed


@pytest.mark.parametrize("coloured", [False, True])
def test_a_mutated_document_is_the_same_net_in_runs_and_element_by_element(
    coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    _compare(range(100), monkeypatch, coloured=coloured)


@pytest.mark.campaign
@pytest.mark.parametrize("coloured", [False, True])
def test_many_mutated_documents_are_the_same_nets_in_runs_and_element_by_element(
    coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    _compare(range(100, 6000), monkeypatch, coloured=coloured)
