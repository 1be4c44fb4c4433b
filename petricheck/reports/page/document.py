"""A page as one file of HTML that needs nothing but itself.

No request leaves it, and a Content-Security-Policy would stop one; scripts and styles run by their
hash only. All that is told stands in it as HTML, in which what comes from a user is text; the
script folds, filters and steps through what is there.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from petricheck.support.words import printable

_SHARED = "petricheck.reports.page"
"""Where the script and the style of all pages are."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of what there is to know; the note, which may be empty, is said less loudly."""

    title: str
    text: str
    note: str = ""


def printed(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts, each text on one line whatever it holds; HTML stays as it is."""
    return tuple(Fact(*map(_line, (fact.title, fact.text, fact.note))) for fact in facts)


def _line(text: str) -> str:
    return text if isinstance(text, Markup) else printable(text)


def document(package: str, name: str, values: Mapping[str, Any]) -> str:
    """Return the page, from the values by the names that its template uses; texts are escaped.

    The package has files of this name: the HTML, and what the page adds to the script and the style
    of all pages.
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(partial(_asset, package)),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    style = _asset(_SHARED, "page.css") + _asset(package, f"{name}.css")
    parts = _asset(_SHARED, "page.js") + _asset(package, f"{name}.js")
    script = f'"use strict";\n(() => {{\n{parts}}})();'
    head = {"policy": _policy(style, script), "style": style, "script": script}
    return environment.get_template(f"{name}.html.j2").render(**head, **values)


def _asset(package: str, name: str) -> str:
    return files(package).joinpath("templates", name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Return the policy: only this style, this script, and pictures in the page are allowed."""
    hashes = [
        b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)
    ]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
