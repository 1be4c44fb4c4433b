"""What MkDocs adds to the pages of docs/: pages made from the project itself, as the site is built.

index.md      the README
changelog.md  the changelog
commands.md   every command with its options, from the commands themselves
rules.md      the rules of the audit, from the docstrings of its modules
parts.md      engines, heuristics, reductions, … with their options, from their modules
reference.md  every public name, for mkdocstrings to show its docstring
gallery.md    the questions of nets/, with their nets drawn and their answers as pages
schemas/      the JSON Schemas of evidence and answers
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))

import commands
import gallery
import parts
import reference
import rules

TOP = Path(__file__).parents[2]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    for name, content in _made():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fences with their language alone: what else they say is for the tests."""
    return re.sub(r"^```(\w+) .*$", r"```\1", markdown, flags=re.MULTILINE)


def on_post_page(output: str, page: Page, **_: Any) -> str:
    """The page, unless a reader's browser would fetch something from elsewhere for it."""
    if found := FETCHED.search(output):
        raise PluginError(f"{page.file.src_uri} would fetch {found.group()}")
    return output


FETCHED = re.compile(r"""<(?:script|img|iframe|source|link)\b[^>]*["'](?:https?:)?//[^>]*>""")
"""An element that is loaded with the page; links to click on are none."""


def _made() -> Iterator[tuple[str, str]]:
    yield "index.md", from_the_top((TOP / "README.md").read_text("utf-8"))
    yield "changelog.md", from_the_top((TOP / "CHANGELOG.md").read_text("utf-8"))
    yield "commands.md", commands.page()
    yield "parts.md", parts.page()
    yield "rules.md", rules.page(TOP / "petricheck" / "audit")
    yield "reference.md", reference.page()
    for schema in sorted((TOP / "petricheck" / "evidence" / "schemas").glob("*.json")):
        yield f"schemas/{schema.name}", schema.read_text("utf-8")
    yield "assets/extra.css", STYLE
    yield from gallery.pages(TOP / "nets")


def from_the_top(text: str) -> str:
    """A page of the top folder, with its links as they are from docs/."""
    return re.sub(r"\[docs/([\w-]+)\.md\]", r"[\1]", text).replace("](docs/", "](")


STYLE = """\
.md-typeset .gallery svg { max-width: 100%; height: auto; max-height: 26rem; }
.md-typeset .gallery { overflow-x: auto; }
.md-typeset table:not([class]) :is(th, td) { min-width: 0; padding: .5em .8em; }
.md-typeset td code { word-break: normal; }
"""
