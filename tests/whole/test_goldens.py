"""What the command line shows, word for word: the transcripts in `goldens/`.

A transcript holds commands, each after `$ `, and below each one what it prints, what it complains
of (after `! `) and its exit status where that is not 0 (`[2]`); lines after `## ` are headings.
`petricheck` runs in this process, `facts PAGE` prints the text of a page, and everything else is
the shell's. The commands of a transcript run one after another in a folder of their own that has
the nets of `nets/`. What differs from run to run is replaced: times, versions, machine, folder.

`python tests/whole/test_goldens.py --write [NAME...]` runs the commands of the transcripts and
writes what they print now; `git diff` is to be read then. Answers of the solvers stand in them, so
another version of a solver may change a line that is as true as before.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from petricheck.commands import main

HERE = Path(__file__).parents[1]
NETS = HERE.parent / "nets"
TRANSCRIPTS = {path.stem: path for path in sorted((HERE / "goldens").glob("*.txt"))}

LONG = ("info", "safe", "stable")
"""Transcripts of many nets, which take seconds."""

CHANGING = (
    (r'"versions": \{.*?\}', '"versions": {…}'),
    (r'"petricheck": "[\d.]+"', '"petricheck": "…"'),
    (r'"((?:cpu_|wall_)?seconds)": [\d.e-]+', r'"\1": …'),
    (r"\b\d+\.\d+ s\b", "… s"),
    (r" +\d+\.\d{3}\b", " …"),  # in tables
    (r"(peak memory, MiB) +\d+", r"\1 …"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d", "…"),
    (r"(?m)^(Machine|Version|Host|Cost|Finished) .*", r"\1 …"),
    (r"\b[0-9a-f]{64}\.json", "….json"),
)
"""Patterns of what differs from run to run, and what stands in their place."""

RACE = (r"TECHNIQUES (?!INVARIANT|TRACE)\w+ AUDITED", "TECHNIQUES … AUDITED")
"""The same for `mcc`, where the engine that decides first is told."""

ENVIRONMENT = {"COLUMNS": "80", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def commands(transcript: str) -> Iterator[tuple[str, bool]]:
    """The commands and headings of a transcript in order, and whether it is a command."""
    lines = iter(transcript.splitlines())
    for line in lines:
        if line.startswith("## "):
            yield line, False
        elif line.startswith("$ "):
            command = [line.removeprefix("$ ")]
            if end := re.search(r"<<'(\w+)'", line):
                while command[-1] != end[1]:
                    command.append(next(lines))
            yield "\n".join(command), True


def transcribed(transcript: str, folder: Path) -> str:
    """The transcript with what its commands print when they run in the folder, the current one."""
    parts: list[str] = []
    for text, is_command in commands(transcript):
        if is_command:
            shown = settled(printed(text), folder, CHANGING)
            if text.startswith("petricheck mcc"):
                shown = re.sub(*RACE, in_order(shown))
            parts.append(f"$ {text}\n{shown}")
        else:
            parts.append(f"{text}\n")
    return "\n".join(parts)


def printed(command: str) -> str:
    """What the command prints, what it complains of, and its exit status where that is not 0."""
    program, *words = shlex.split(command.partition("\n")[0])
    if program == "petricheck":
        result = CliRunner().invoke(main, words, prog_name=program)
        out, complaints, status = result.stdout, result.stderr, result.exit_code
    elif program == "facts":
        out, complaints, status = facts(Path(words[0]).read_text("utf-8")), "", 0
    else:
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        out, complaints, status = done.stdout, done.stderr, done.returncode
    lines = [*out.splitlines(), *(f"! {line}".rstrip() for line in complaints.splitlines())]
    assert not [line for line in lines if line.startswith(("$ ", "## "))], command
    return "".join(f"{line}\n" for line in [*lines, *([f"[{status}]"] if status else [])])


def in_order(text: str) -> str:
    """The contest's lines sorted: which formula is decided first is a race."""
    lines = text.splitlines(keepends=True)
    formulas = iter(sorted(line for line in lines if line.startswith("FORMULA")))
    return "".join(next(formulas) if line.startswith("FORMULA") else line for line in lines)


def settled(text: str, folder: Path, changing: Iterable[tuple[str, str]]) -> str:
    """The text without what differs from run to run."""
    text = text.replace(str(folder), "<folder>")
    for pattern, place in changing:
        text = re.sub(pattern, place, text)
    return text


class Text(HTMLParser):
    """Collects the text of a page, a line each."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = [""]
        self._unread: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "svg"):
            self._unread = tag
        elif tag in ("td", "th", "dd", "div", "sup"):
            self.lines[-1] += "^" if tag == "sup" else " "
        elif tag not in ("a", "b", "code", "span", "sub", "var") and self.lines[-1].strip():
            self.lines.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style", "svg"):
            self._unread = None

    def handle_data(self, data: str) -> None:
        if self._unread is None:
            self.lines[-1] += data


def facts(page: str) -> str:
    """The text of a page in order."""
    text = Text()
    text.feed(page)
    lines = [re.sub(r"\d+\.\d+", "…", " ".join(line.split())) for line in text.lines]
    lines = [re.sub(r"… … \d+$", "… … …", line) for line in lines]  # the last is memory
    return "".join(f"{line}\n" for line in lines)


def prepared(inside: Path) -> Path:
    """A new folder, inside the given one, that has the nets."""
    folder = inside / "nets"
    folder.mkdir()
    for net in (*NETS.glob("*.pnml"), *NETS.glob("*.xml")):
        shutil.copy(net, folder)
    return folder


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in TRANSCRIPTS],
)
def test_the_command_line_shows_what_it_showed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = prepared(tmp_path)
    monkeypatch.chdir(folder)
    for variable, value in ENVIRONMENT.items():
        monkeypatch.setenv(variable, value)
    expected = TRANSCRIPTS[name].read_text("utf-8")
    shown = transcribed(expected, folder)
    lines = (expected.splitlines(), shown.splitlines())
    difference = difflib.unified_diff(*lines, TRANSCRIPTS[name].name, "shown now", lineterm="")
    if shown != expected:
        pytest.fail("\n".join(difference), pytrace=False)


def write(names: list[str]) -> None:
    """Write what the commands of these transcripts, or of all of them, print now."""
    os.environ.update(ENVIRONMENT)
    for name in names or TRANSCRIPTS:
        with tempfile.TemporaryDirectory() as inside:
            folder = prepared(Path(inside))
            os.chdir(folder)
            shown = transcribed(TRANSCRIPTS[name].read_text("utf-8"), folder)
            TRANSCRIPTS[name].write_text(shown, "utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit("usage: python tests/whole/test_goldens.py --write [NAME...]")
    write(sys.argv[2:])
