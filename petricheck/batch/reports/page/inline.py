"""SVG made fit to stand in a page: nothing that runs, loads, styles the page or shares its ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

from markupsafe import Markup, escape

_KEPT = re.compile(
    "circle|clipPath|defs|desc|ellipse|g|line|marker|path|pattern|polygon|polyline|rect|svg|text|title|tspan|use"
)
_PROPERTY = re.compile(r"(?:fill|stroke|opacity|clip|font|text|dominant|marker|letter)[a-z-]*")
_HREF = "{http://www.w3.org/1999/xlink}href"


def inlined(svg: str, prefix: str) -> Markup:
    """The picture as an element of an HTML page.

    Style attributes become attributes of their own, since the page allows no inline style.

    Args:
        svg: an `svg` element, or a file.
        prefix: goes before every id.

    Raises:
        ElementTree.ParseError: it is no XML.
    """
    return Markup("").join(_written(ElementTree.fromstring(svg), prefix, root=True))


def _written(element: ElementTree.Element, prefix: str, root: bool = False) -> Iterator[Markup]:
    name = str(element.tag).rpartition("}")[2]
    if not _KEPT.fullmatch(name):
        return
    fields = dict(_attributes(element.attrib, prefix))
    if root:
        fields = {"stroke-linejoin": "round", "stroke-linecap": "butt"} | fields
    shown = Markup("").join(Markup(' {}="{}"').format(*field) for field in fields.items())
    yield Markup("<{}{}>").format(Markup(name), shown)
    yield escape((element.text or "").strip())
    for child in element:
        yield from _written(child, prefix)
        yield escape((child.tail or "").strip())
    yield Markup("</{}>").format(Markup(name))


def _attributes(attributes: Mapping[str, str], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in attributes.items():
        name = "href" if key == _HREF else key
        if name == "style":
            yield from _properties(value, prefix)
        elif name == "id":
            yield name, prefix + value
        elif name == "href":
            if value.startswith("#"):
                yield name, f"#{prefix}{value[1:]}"
        elif re.fullmatch("[A-Za-z][A-Za-z0-9-]*", name) and not name.lower().startswith("on"):
            yield name, _local(" ".join(value.split()), prefix)


def _properties(style: str, prefix: str) -> Iterator[tuple[str, str]]:
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if _PROPERTY.fullmatch(name):
            yield name, _local(value, prefix)


def _local(value: str, prefix: str) -> str:
    """References to ids of the picture under their new names; others lead nowhere."""
    return re.sub(r"url\(\s*['\"]?(#?)[^)]*?([\w.-]*)['\"]?\s*\)", rf"url(#{prefix}\2)", value)
