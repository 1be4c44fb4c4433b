"""The documentation as a site: what is made for it, and what it must not do; CI builds it whole."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import click
import pytest
from folders import ROOT

import petricheck
from petricheck.commands import main
from petricheck.questions.kind import kind_names
from petricheck.support import plugins

DOCS = ROOT / "docs"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Imports a module of docs/site."""
    monkeypatch.syspath_prepend(str(DOCS / "site"))
    before = set(sys.modules)

    def load(name: str) -> ModuleType:
        if name == "hooks":
            pytest.importorskip("mkdocs")
        return import_module(name)

    yield load
    for name in {"commands", "gallery", "hooks", "parts", "reference"} - before:
        sys.modules.pop(name, None)


def test_every_page_is_in_the_navigation() -> None:
    text = (DOCS / "site" / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    listed = set(re.findall(r": ([\w-]+\.md)$", text, re.MULTILINE))
    names = ("index", "changelog", "commands", "gallery", "parts", "reference", "rules")
    made = {f"{name}.md" for name in names}
    assert listed - made == {path.name for path in DOCS.glob("*.md")}


@pytest.mark.parametrize("net", ["docs/tutorial.net", "nets/philosophers.pnml"])
def test_the_drawings_of_the_tutorial_are_of_its_nets(net: str) -> None:
    drawn = petricheck.load(str(DOCS.parent / net)).draw("svg")
    shown = (DOCS / Path(net).name).with_suffix(".svg").read_text("utf-8")
    assert shown == drawn.replace("<svg ", '<svg color="#6b7280" ', 1) + "\n"


def test_the_picture_of_the_readme_is_of_its_net_question_and_answer() -> None:
    net = petricheck.load(str(DOCS / "tutorial.net"))
    drawn = petricheck.check(petricheck.ask(net, cover="reading=1, writing=1")).draw()
    shown = (DOCS / "answer.svg").read_text("utf-8")
    assert shown == drawn.replace("<svg ", '<svg color="#6b7280" ', 1) + "\n"


def test_the_reference_of_the_commands_has_every_command_and_option(made: Any) -> None:
    page = made("commands").page()
    below: list[tuple[str, click.Command]] = [("petricheck", main)]
    for name, command in below:
        names = getattr(command, "modules", ())
        below += [(f"{name} {word}", command.get_command(word)) for word in names]
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        for option in (p for p in command.params if isinstance(p, click.Option) and not p.hidden):
            assert f"<code>{option.opts[0]}" in section, (name, option.opts)
    assert len(below) > 10
    for kind in kind_names():
        assert f"<code>{plugins.as_option(kind)}" in page.partition("\n## petricheck batch\n")[0]


def test_the_reference_of_parts_has_every_option_of_every_member(made: Any) -> None:
    page = made("parts").page()
    for family in ("engines", "guides", "heuristics", "reductions", "formats"):
        members = page.partition(f"\n## {family.capitalize()}\n")[2].partition("\n## ")[0]
        for name in plugins.all_members(family):
            section = members.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
            assert section
            for option in plugins.options(plugins.member(family, name)):
                assert f"| `{option.name}` |" in section, (name, option.name)


def test_the_reference_of_python_has_every_public_name(made: Any) -> None:
    shown = re.findall(r"^::: petricheck\.(?:\w+\.)*(\w+)$", made("reference").page(), re.MULTILINE)
    public = [name for name in petricheck.__all__ if not name.startswith("_")]
    modules = [getattr(petricheck, n) for n in public if inspect.ismodule(getattr(petricheck, n))]
    names = {n for module in (petricheck, *modules) for n in module.__all__ if n[0] != "_"}
    undocumented = {"MAX_COPIES", "Result"}  # a number, and a union
    assert set(shown) == names - {"coloured", "interop", "prover"} - undocumented
    assert {f"## petricheck.{name}" for name in ("coloured", "interop", "prover")} <= {
        *made("reference").page().splitlines()
    }


def test_the_gallery_leads_to_a_page_of_each_answer(made: Any, tmp_path: Path) -> None:
    for name in ("fig8_U.json", "fig8_U.pnml", "fms_R.json", "fms_R.pnml"):
        (tmp_path / name).symlink_to(DOCS.parent / "nets" / name)
    pages = dict(made("gallery").pages(tmp_path))
    assert set(pages) == {"gallery.md", "gallery/fig8_U.html", "gallery/fms_R.html"}
    assert pages["gallery.md"].count("<svg") == 1
    assert (
        "| [fms_R](gallery/fms_R.html) | 23 places, 23 transitions | reachable |"
        in (pages["gallery.md"])
    )
    assert str(DOCS.parent / "nets") not in "".join(pages.values())


def test_a_page_that_would_fetch_something_is_not_built(made: Any) -> None:
    hooks = made("hooks")
    page = SimpleNamespace(file=SimpleNamespace(src_uri="a.md"))
    link = '<a href="https://example.org">elsewhere</a> <script src="assets/a.js"></script>'
    assert hooks.on_post_page(link, page=page) == link
    for loaded in (
        '<script src="https://example.org/a.js"></script>',
        '<link rel="stylesheet" href="//example.org/a.css">',
        "<img alt=x src='http://example.org/a.png'>",
    ):
        with pytest.raises(hooks.PluginError, match=r"a\.md would fetch"):
            hooks.on_post_page(loaded, page=page)


def test_fences_keep_their_language_and_links_their_targets(made: Any) -> None:
    hooks = made("hooks")
    assert hooks.on_page_markdown("```console exact\n$ a\n```\n") == "```console\n$ a\n```\n"
    assert hooks.from_the_top("[docs/a-b.md](docs/a-b.md)") == "[a-b](a-b.md)"
