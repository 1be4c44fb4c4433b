"""Elements of symmetric nets written like earlier ones, read without an event for each tag.

Two sibling elements that differ in values of attributes and in texts only mean the same with other
values. So the parser of XML reads the first element of a form, which is stored as a template. For
those directly behind it, it gets the line ends only. Constants of an enumeration are stored as
whole runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from petricheck.formats.nets._net_parts import Element
from petricheck.formats.nets._pnml_elements import PnmlElements
from petricheck.formats.nets._pnml_vocabulary import ATTRIBUTES, STRUCTURED_LABELS
from petricheck.formats.nets._structures import CONSTANTS, Tree
from petricheck.formats.scanning.xml import line_ends

_LONGEST = 1 << 16
"""The most characters of an element."""

_SPACE = r"[ \t\r\n]*+"
_BEGIN = re.compile("<(place|transition|arc|feconstant) ")
_NEXT = re.compile(f"{_SPACE}<(place|transition|arc) ")
_NUMBER = r'"-?[0-9.]++"'
_POSITION = f"<(?:position|offset|dimension) x={_NUMBER} y={_NUMBER} ?/>{_SPACE}"
_DRAWN = re.compile(f"<graphics>{_SPACE}(?:{_POSITION})*+</graphics>")


_DRAWINGS = f"(?:<graphics/>{_SPACE})*+"
_WORDS = f"<text></text>{_SPACE}{_DRAWINGS}"
_STRUCTURE = f"<structure>(?:[^<]|<(?!/?structure>|text>))*+</structure>{_SPACE}{_DRAWINGS}"
_CONTENTS = {
    "name": _WORDS,
    **dict.fromkeys(STRUCTURED_LABELS, f"(?:{_WORDS})?+{_STRUCTURE}(?:{_WORDS})?+"),
}
_LABELS = (f"<{name}>{_SPACE}{_DRAWINGS}{inside}</{name}>" for name, inside in _CONTENTS.items())
_FORM = re.compile(
    rf"<(\w+)[^<>]*+(?:(?<=/)>|(?<!/)>{_SPACE}(?:(?:{'|'.join(_LABELS)}|<graphics/>){_SPACE})*+</\1>)"
)
"""A skeleton whose only texts are a name and words beside structures."""


@dataclass(frozen=True, slots=True)
class _Template:
    """An element, the first of its form, with variable values and texts.

    `name` is the number of the text that is its name, or -1; `trees` has the content of its labels,
    by the values behind those of the start tag.
    """

    element: Element
    name: int
    trees: dict[tuple[str, ...], dict[str, Tree]] = field(default_factory=dict)


class Repetitions:
    """Parts of a symmetric net that the XML parser skips."""

    def __init__(self, elements: PnmlElements) -> None:
        self._elements = elements
        self._templates: dict[str, _Template] = {}

    def last(self) -> Element | Tree:
        """Return the last constant in the open enumeration, or the element that began last."""
        return self._elements.last_constant() or self._elements.element

    def search(self, text: str, begin: int) -> tuple[int, int] | None:
        """Return the span of the next element that others may repeat."""
        match = _BEGIN.search(text, begin)
        if match is None:
            return None
        end = _end(text, match)
        return (match.start(), end) if end else None

    def follow(self, text: str, begin: int, end: int) -> tuple[int, int] | None:
        """Store the elements behind this one that repeat it, or earlier ones; as in `pnml`."""
        last = self.last()
        if not text.startswith(f"<{last.tag} ", begin):
            return None
        if isinstance(last, Tree):
            run = CONSTANTS.match(text, end)
            if run is None:
                return end, 0
            last.run = run[0]
            return run.end(), line_ends(run[0])
        skeleton, values, texts = _split(text[begin:end])
        if skeleton not in self._templates:
            template = _template(last, skeleton, values, texts)
            if template is None or not _is_plain(values, texts):
                return end, 0
            self._templates[skeleton] = template
        return self._repeated(text, end)

    def _repeated(self, text: str, begin: int) -> tuple[int, int]:
        first, lines = self._elements.scanner.line, 0
        while match := _NEXT.match(text, begin):
            end = _end(text, match)
            if not end:
                break
            start = match.start(1) - 1
            skeleton, values, texts = _split(text[start:end])
            template = self._templates.get(skeleton)
            if template is None or not _is_plain(values, texts):
                break
            lines += line_ends(text[begin:start])
            self._add(template, values, texts, first + lines)
            lines += line_ends(text[start:end])
            begin = end
        return begin, lines

    def _add(self, template: _Template, values: list[str], texts: list[str], line: int) -> None:
        first = template.element
        attributes = dict(zip(first.attributes, values, strict=False))
        contents = tuple(values[len(attributes) :])
        trees = template.trees.get(contents)
        if trees is None:
            filling = iter(contents)
            trees = {label: _filled(tree, filling) for label, tree in first.trees.items()}
            template.trees[contents] = trees
        labels: dict[str, str | None] = {}
        if template.name >= 0:
            labels["name"] = texts[template.name]
        offset = line - first.line
        element = Element(first.tag, attributes, line, first.scanner, labels, trees, offset)
        self._elements.add(element)


def _end(text: str, match: re.Match[str]) -> int:
    """Return the end of the element that begins here; 0 where it is not in the text."""
    tag = text.find(">", match.end()) + 1
    if not tag or text[tag - 2] == "/":
        return tag
    closing = f"</{match[1]}>"
    end = text.find(closing, tag, tag + _LONGEST)
    return end + len(closing) if end >= 0 else 0


def _split(raw: str) -> tuple[str, list[str], list[str]]:
    """Return (element without quoted values and texts, the values, the texts); drop positions."""
    if "<graphics>" in raw:
        raw = _DRAWN.sub(lambda graphics: "<graphics/>" + "\n" * line_ends(graphics[0]), raw)
    outer, *contents = raw.split("<text>")
    texts = []
    if contents:
        parts = [outer]
        for part in contents:
            text, end, behind = part.partition("</text>")
            texts.append(text)
            parts.append(end + behind)
        outer = "<text>".join(parts)
    strings = outer.split('"')
    return '"'.join(strings[::2]), strings[1::2], texts


def _is_plain(values: list[str], texts: list[str]) -> bool:
    """Return whether the parser of XML would read these as they are, on one line."""
    text = "".join((*values, *texts))
    return (
        text.isascii()
        and text.isprintable()
        and "<" not in text
        and "&" not in text
        and "]]>" not in text
    )


def _template(
    element: Element, skeleton: str, values: list[str], texts: list[str]
) -> _Template | None:
    """Return the element as a template; None where other values or texts may change more."""
    if any(mark in skeleton for mark in ("<!", "<?", "'")) or not _FORM.fullmatch(skeleton):
        return None
    labels = sum(skeleton.count(f"<{label}>") for label in STRUCTURED_LABELS)
    if labels != len(element.trees) or not element.attributes.keys() <= ATTRIBUTES[element.tag]:
        return None
    originals = [*element.attributes.values()]
    for tree in element.trees.values():
        originals += _values(tree)
    if originals != values:
        return None
    if not element.labels:
        return _Template(element, -1)
    name = skeleton.count("<text>", 0, skeleton.index("<name>"))
    return _Template(element, name) if element.labels == {"name": texts[name]} else None


def _values(tree: Tree) -> Iterator[str]:
    yield from tree.attributes.values()
    for child in tree.children:
        yield from _values(child)


def _filled(tree: Tree, values: Iterator[str]) -> Tree:
    """Return the tree with these values of its attributes."""
    attributes = {name: next(values) for name in tree.attributes} if tree.attributes else {}
    children = [_filled(child, values) for child in tree.children]
    return Tree(tree.tag, attributes, tree.line, tree.path, children)
