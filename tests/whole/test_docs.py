"""The documentation: what it names exists, and what it shows is what the program does.

Fences that are run, each file in a folder of its own that holds `nets` and `docs`:
- `console`: commands after `$`; the verdict, in the first line shown, is compared.
- `console exact`: every line is compared, but for seconds; `…` stands for lines left out.
- `pycon`: a Python session, compared as doctest does.
- `python engines/heuristics/NAME.py`: a module, put into that family.
"""

from __future__ import annotations

import doctest
import importlib
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from folders import ROOT

import petricheck
from petricheck.commands import main
from petricheck.commands.shell.command_group import CommandGroup
from petricheck.engines import heuristics
from petricheck.support import plugins

README = ROOT / "README.md"
PAGES = sorted((ROOT / "docs").glob("*.md"))
every_doc = pytest.mark.parametrize("doc", [README, *PAGES], ids=lambda path: path.name)

LONG = ("batch",)
"""Pages whose commands take many seconds."""

Fence = tuple[str, str]
"""The words after the backticks, and the text."""


def fences(doc: Path) -> list[Fence]:
    return re.findall(r"^```(.*)\n((?:.*\n)*?)```$", doc.read_text("utf-8"), re.MULTILINE)


def prose(doc: Path) -> str:
    return re.sub(r"^```.*\n(?:.*\n)*?```$", "", doc.read_text("utf-8"), flags=re.MULTILINE)


def names(doc: Path) -> list[str]:
    """What stands between backticks, outside of fences."""
    return re.findall(r"`([^`\n]+)`", prose(doc))


def resolve(dotted: str) -> object:
    """The module below petricheck, or what is defined in it."""
    parts = ["petricheck", *dotted.split(".")]
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[length:]:
            found = getattr(found, attribute)
        return found
    raise AssertionError(dotted)


def is_module_name(name: str) -> bool:
    families = {path.stem for path in (ROOT / "petricheck").iterdir() if path.stem[0] != "_"}
    dotted = re.fullmatch(r"\w+(\.\w+)+", name) is not None and not name.endswith(".csv")
    return dotted and name.split(".")[0] in families and not name.startswith("model.pnml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("docs", "nets"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable), prepend=os.pathsep)
    return tmp_path


def run(command: str) -> str | None:
    """What the command prints; None where the program is not installed."""
    program, *arguments = shlex.split(command)
    if program == "petricheck" and ">" not in arguments:
        result = CliRunner().invoke(main, arguments, prog_name="petricheck")
        assert "Traceback" not in result.output and result.exit_code in (0, 1, 4), command
        return result.output
    if shutil.which(program) is None:
        return None
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def sessions(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each command with the lines shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *shown = part.splitlines()
        yield command, shown


def settled(line: str) -> str:
    """The line without what differs from run to run."""
    return re.sub(r"\d+\.\d+ s\b", "T s", line)


def agree(shown: list[str], printed: list[str]) -> bool:
    """Whether the lines are the same, `…` standing for any number of lines."""

    def escaped(line: str) -> str:
        return re.sub(r"([\[*?])", r"[\1]", settled(line))

    pattern = "".join("*" if line == "…" else escaped(line) + "\n" for line in shown)
    return fnmatchcase("".join(settled(line) + "\n" for line in printed), pattern)


@pytest.mark.parametrize(
    "doc",
    [
        pytest.param(doc, marks=[pytest.mark.slow] * (doc.stem in LONG), id=doc.name)
        for doc in (README, *PAGES)
    ],
)
def test_commands_print_what_is_shown(doc: Path, folder: Path) -> None:
    shown_commands = [
        (kind, *session)
        for kind, text in fences(doc)
        if kind.startswith("console")
        for session in sessions(text)
    ]
    for kind, command, shown in shown_commands:
        printed = run(command)
        if printed is None or not shown:
            continue
        if kind == "console exact":
            assert agree(shown, printed.splitlines()), (command, printed)
        else:
            lines = printed.splitlines()  # of several properties in the order of their proofs
            assert verdict(shown) in {verdict([line]) for line in lines}, (command, printed)


def verdict(lines: list[str]) -> str:
    """The first line, without how far a run came that was stopped."""
    return lines[0].partition(", after ")[0]


@every_doc
def test_python_sessions_print_what_is_shown(doc: Path, folder: Path) -> None:
    text = "\n".join(text for kind, text in fences(doc) if kind == "pycon")
    examples = doctest.DocTestParser().get_doctest(text, {}, doc.name, str(doc), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(examples, out=report.append)
    assert not runner.failures, "".join(report)


def test_the_program_of_the_readme_prints_what_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exec("".join(text for kind, text in fences(README) if kind == "python"), {})
    assert f"  # {capsys.readouterr().out}" in README.read_text("utf-8")


@every_doc
def test_every_module_function_and_class_named_exists(doc: Path) -> None:
    for name in filter(is_module_name, names(doc)):
        resolve(name)


@every_doc
def test_every_file_named_exists(doc: Path) -> None:
    files = re.compile(r"(petricheck|nets|tests|docs)/[\w./-]*\w")
    for name in names(doc):
        if files.fullmatch(name):
            assert (ROOT / name).exists(), name
    for link in re.findall(r"\]\(([^)#:]+)\)", prose(doc)):
        assert (doc.parent / link).exists(), link


@every_doc
def test_every_test_named_exists(doc: Path) -> None:
    for file, name in re.findall(r"`(test_\w+)\.py::(\w+)`", doc.read_text("utf-8")):
        (path,) = (ROOT / "tests").rglob(f"{file}.py")
        source = path.read_text("utf-8")
        assert re.search(rf"^def {name}\(", source, re.MULTILINE), (file, name)


@pytest.mark.parametrize("script", ["growth", "reductions"])
def test_scripts_that_measure_and_draw_know_what_they_name(script: str) -> None:
    made = runpy.run_path(str(ROOT / "docs" / f"{script}.py"))
    for series in made.get("SERIES", ()):
        assert made["problem_of"](made["member_of"](series, series.sizes[0])).net.places


def commands(command: click.Command) -> Iterator[click.Command]:
    """The command and all that are reached through it."""
    yield command
    if isinstance(command, CommandGroup):
        for name in command.commands():
            yield from commands(command.get_command(name))


@every_doc
def test_every_option_named_exists(doc: Path) -> None:
    known = {name for each in commands(main) for p in each.params for name in p.opts}
    shown = {word for name in names(doc) for word in re.findall(r"(?<![\w-])--[a-z][a-z-]+", name)}
    assert shown - {"--help", "--incremental", "--strict", "--write"} <= known  # of others


@pytest.fixture
def added(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of the heuristic in the guide, as if its file were in the package."""
    guide = fences(ROOT / "docs" / "contributing.md")
    ((kind, text),) = [fence for fence in guide if "heuristics/" in fence[0]]
    file = kind.removeprefix("python engines/heuristics/")
    (folder / file).write_text(text, "utf-8")
    monkeypatch.setattr(heuristics, "__path__", [*heuristics.__path__, str(folder)])
    name = file.removesuffix(".py")
    yield name
    if sys.modules.pop(f"petricheck.engines.heuristics.{name}", None):
        delattr(heuristics, name)


def test_the_heuristic_of_the_guide_works_once_its_file_is_there(added: str) -> None:
    assert added in plugins.members("heuristics")
    assert f"  {added}: " in (run("petricheck engines") or "")
    net = petricheck.load("nets/fig8_U.pnml")
    heuristic = plugins.build("heuristics", added, {"weight": "2"})
    assert [d.weight for d in heuristic.displacements(net, (0, 1, 0))] == [2]
    assert heuristic.displacements(net, (0, 1)) == ()
    options = f"--heuristics {added} --quiet"
    assert run(f"petricheck nets/basic_me_U.pnml --cover p4=1,p5=1 {options}") == "unreachable\n"
    assert run(f"petricheck nets/fig8_U.pnml --cover p1=3 {options}") == "reachable\n"
