"""What the command line offers at a terminal: colours, counts, hints, completion, nets by pipe."""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete
from folders import NETS
from invoked import run

from petricheck.commands import main
from petricheck.commands.shell.terminal import say, say_verdict
from petricheck.formats.nets import read_net, recognized_net, write_net
from petricheck.support import plugins
from petricheck.support.errors import InputError

FMS = str(NETS / "fms_U.pnml")
PHILOSOPHERS = str(NETS / "philosophers.pnml")
FIG8 = str(NETS / "fig8_U.pnml")


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.write(FIG8, "fig8_U.pnml")
    return file.getvalue()


def tarred() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.add(FIG8, "fig8_U.pnml")
    return file.getvalue()


class Terminal(io.StringIO):
    """Says that it is one."""

    def isatty(self) -> bool:
        return True


def completed(words: list[str], incomplete: str) -> list[str]:
    found = ShellComplete(main, {}, "petricheck", "_X").get_completions(words, incomplete)
    return [item.value for item in found if item.type == "plain"]


@pytest.mark.parametrize(
    ("word", "tone", "colour"),
    [
        ("safe", "good", 32),
        ("not sound", "bad", 31),
        ("unknown", "open", 33),
        ("reachable", "neutral", 36),
        ("violated", "", 31),
    ],
)
def test_green_is_only_what_users_hope_for(
    word: str, tone: str, colour: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    say_verdict(word, tone=tone)
    assert terminal.getvalue() == f"\x1b[{colour}m\x1b[1m{word}\x1b[0m\n"


def test_only_a_terminal_sees_the_verdict_in_colour_and_only_where_colours_are_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = []
    for name, value in (("NO_COLOR", ""), ("NO_COLOR", "1"), ("NO_COLOR", ""), ("TERM", "dumb")):
        monkeypatch.setenv(name, value)
        terminal = Terminal()
        monkeypatch.setattr(sys, "stdout", terminal)
        say_verdict("holds", ", it is\x1b[2J", before="unknown: ")
        shown.append(terminal.getvalue())
    coloured = "unknown: \x1b[32m\x1b[1mholds\x1b[0m, it is\\x1b[2J\n"
    plain = "unknown: holds, it is\\x1b[2J\n"
    assert shown == [coloured, plain, coloured, plain]
    monkeypatch.setenv("TERM", "xterm")
    answer = Terminal()
    monkeypatch.setattr(sys, "stdout", answer)
    main([FIG8, "--bound", "3"], standalone_mode=False)
    assert answer.getvalue().startswith("\x1b[36m\x1b[1mmaximum 3\x1b[0m\n")
    monkeypatch.undo()
    assert run(FIG8, "--target", "p1=1", "--quiet").stdout == "unreachable\n"


def test_lines_break_between_words_on_a_terminal_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("NO_COLOR", "1")
    text = "\n  p1 + p2 + p3 <= 1234\nshort\n" + "x" * 25
    folded = "\n  p1 + p2 + p3 <=\n    1234\nshort\n" + "x" * 25
    for stream, expected in ((Terminal(), folded), (io.StringIO(), text)):
        monkeypatch.setattr(sys, "stdout", stream)
        say_verdict("safe", text)
        assert stream.getvalue() == f"safe{expected}\n"


class Partial(io.RawIOBase):
    """Takes two bytes at a time, as a pipe may where a signal comes in between."""

    def __init__(self) -> None:
        super().__init__()
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.taken += bytes(data[:2])
        return min(2, len(data))


def test_output_without_buffers_is_written_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = Partial()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, write_through=True))  # type: ignore[arg-type]
    say("as a whole")
    assert raw.taken == b"as a whole\n"


@pytest.mark.parametrize("ending", [".pnml", ".net", ".lola", ".spec", ".pnml.gz"])
def test_a_net_comes_from_the_standard_input_in_any_format(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"net{ending}"
    if ending == ".spec":
        run("convert", FIG8, str(path), "--cover", "p1=1")
    else:
        write_net(read_net(FIG8).net, path)
    shown = run("-", "--target", "p1=1", "--quiet", given=path.read_bytes())
    assert shown.output == "unreachable\n"


def test_what_is_no_net_in_any_format_is_refused_with_the_reasons() -> None:
    shown = run("-", "--cover", "p1=1", given=b"what is this")
    assert shown.exit_code == 3
    assert "standard input: this is no net" in shown.stderr
    assert all(f"as {name}: " in shown.stderr for name in ("lola", "mist", "stg", "tina"))
    broken = run("-", "--cover", "p1=1", given=b" <pnml>")
    assert (broken.exit_code, "lola" in broken.stderr) == (3, False)


def test_bytes_that_are_a_net_in_two_formats_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "members", lambda family: ("tina", "other"))
    member = plugins.member
    monkeypatch.setattr(plugins, "member", lambda family, _: member(family, "tina"))
    with pytest.raises(InputError, match="a net as tina and other; save it in a file"):
        recognized_net(io.BytesIO(b"tr t1 p1 -> p2\n"), "standard input")


@pytest.mark.parametrize(
    ("arguments", "status", "hint"),
    [
        (["verfy", FIG8, "e.json"], 2, "did you mean 'verify'?"),
        (["batch", "reprot", "run"], 2, "did you mean 'report'?"),
        ([FIG8, "--cover", "p1=1", "--engine", "cegr"], 2, "did you mean 'cegar'?"),
        (
            [FMS, "--properties", str(NETS / "fms_U.xml"), "--property", "one_machine"],
            2,
            "did you mean 'one-machine'?",
        ),
        ([FIG8, "--deadlok"], 2, "Did you mean '--deadlock'?"),
        ([str(NETS), "--cover", "p1=1"], 3, "'petricheck batch'"),
        ([str(NETS)], 3, "'petricheck batch'"),
        ([FIG8, "--cover", "p1=1", "--timeout", "1m"], 2, "write 60."),
        ([FIG8, "--cover", "p1=1", "--timeout", "1.5h"], 2, "write 5400."),
        (
            [FIG8, "--cover", "p1=1", "--timeout", "1ms"],
            2,
            "'1ms' is no number of seconds above 0",
        ),
        ([FIG8, "--cover", ""], 2, "the cover is empty"),
        (["check", FIG8], 2, "no command and no file 'check'; ask with: petricheck NET --target"),
        (["solve", "--cover", "p1=1"], 2, "no command and no file 'solve'; ask with"),
        (["absent.pnml", "--deadlock"], 3, "absent.pnml: cannot be read: No such file"),
        (["absent", "help"], 2, "no command and no file 'absent'"),
    ],
)
def test_mistakes_are_told_with_what_was_meant(
    arguments: list[str], status: int, hint: str
) -> None:
    shown = run(*arguments)
    assert (shown.exit_code, hint in shown.stderr) == (status, True), shown.stderr


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("net.xyz", b"what is this", "this is no net in any format that is read"),
        ("net.xyz", b"<what>is</what>", "a PNML file starts with <pnml>"),
        ("net.pnml", b"", "the file is empty"),
        ("net.pnml", zipped(), "a zip archive; unpack it, and name what is in it"),
        ("net.zip", zipped(), "a zip archive; unpack it"),
        ("net.tar", tarred(), "a tar archive; unpack it with 'tar xf"),
        ("net.tgz", gzip.compress(tarred()), "a tar archive; unpack it with 'tar xf"),
    ],
)
def test_a_file_that_is_no_net_is_refused_with_what_to_do(
    name: str, content: bytes, said: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    shown = run(tmp_path / name, "--deadlock")
    assert (shown.exit_code, said in shown.stderr) == (3, True), shown.stderr
    assert shown.stderr.count(str(tmp_path)) == 1 + ("tar xf" in shown.stderr)


def test_help_is_a_word_too_unless_a_net_has_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("help").stdout == run("--help").stdout
    assert run("help", "batch", "report").stdout == run("batch", "report", "--help").stdout
    assert run("help", "absent").exit_code == 2
    (tmp_path / "help").write_bytes(Path(FIG8).read_bytes())
    monkeypatch.chdir(tmp_path)
    assert run("help", "--target", "p1=1", "--quiet").stdout == "unreachable\n"


def test_a_net_named_almost_like_a_command_is_a_net(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "infos").write_bytes(Path(FIG8).read_bytes())
    monkeypatch.chdir(tmp_path)
    assert run("infos", "--target", "p1=1", "--quiet").stdout == "unreachable\n"


@pytest.mark.parametrize("words", [[], ["verify"], ["batch"], ["batch", "report"], ["info"]])
def test_h_asks_for_help(words: list[str]) -> None:
    assert run(*words, "-h").stdout == run(*words, "--help").stdout
    assert run(*words, "-h").exit_code == 0


def test_a_shell_completes_commands_engines_and_places(tmp_path: Path) -> None:
    assert completed([], "ver") == ["verify"]
    assert set(completed([], "")) == set(main.commands())
    assert completed(["verify"], "") == []
    assert completed([FMS, "--engine"], "ceg") == ["cegar"]
    assert completed([FMS, "--guide"], "opt") == ["optimal"]
    assert completed([FMS, "--cover"], "p2") == ["p2", "p20", "p21", "p22"]
    assert completed([FMS, "--cover"], "p1=1,p2") == [f"p1=1,p2{n}" for n in ("", 0, 1, 2)]
    assert completed([FMS, "--formula"], "p1 > (p21") == ["p1 > (p21"]
    assert completed(["verify", FMS, "e.json", "--target"], "p22") == ["p22"]
    assert completed([FMS, "--fireable"], "t1, t22") == ["t1, t22"]
    assert completed([FMS, "--bound"], "p0 + p22") == ["p0 + p22"]
    assert completed([PHILOSOPHERS, "--cover"], "") == ["eating", "fork", "thinking", "waiting"]
    assert completed([PHILOSOPHERS, "--formula"], "not(fork = 1 and fork(b") == [
        "not(fork = 1 and fork(ben)"
    ]
    assert completed([PHILOSOPHERS, "--fireable"], "put") == ["put_down"]
    assert completed([PHILOSOPHERS, "--fireable"], "put_down(x=a") == ["put_down(x=ada)"]


@pytest.mark.parametrize("net", ["-", "missing.pnml", str(NETS), str(NETS / "fms_U.xml")])
def test_nothing_is_completed_where_no_net_can_be_read(net: str) -> None:
    assert completed([net, "--cover"], "p") == []
    assert completed(["--cover"], "p") == []
