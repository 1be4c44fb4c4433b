"""A limit on time holds: for reading, searching, auditing, and for what looks at no clock."""

from __future__ import annotations

import json
import os
import pty
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from property_files import possible, write_properties

SLOW = pytest.mark.slow

LATE = 30.0
"""Seconds after which a command with a limit of one has missed it, however busy the machine."""

BUSY = 6.0
"""Seconds of CPU time, which are hardly more on a busy machine."""

NET = """<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="a"><initialMarking><text>1</text></initialMarking></place><place id="b"/>
<transition id="t"/><arc id="x" source="a" target="t"/><arc id="y" source="t" target="b"/>
<transition id="s"/><arc id="u" source="b" target="s"/><arc id="w" source="s" target="a"/>
</page></net></pnml>
"""

REASON = "the time limit of 1 s is reached"


@pytest.fixture
def net(tmp_path: Path) -> str:
    path = tmp_path / "n.pnml"
    path.write_text(NET)
    return str(path)


@pytest.fixture
def properties(tmp_path: Path) -> str:
    asked = dict.fromkeys(("first", "second", "third"), possible(1, "b"))
    return write_properties(tmp_path / "p.xml", **asked)


def petricheck(*words: str) -> list[str]:
    return [sys.executable, "-m", "petricheck", *words]


def cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def ended(command: list[str]) -> subprocess.CompletedProcess[str]:
    """How the command ended, which must be in time and without a traceback."""
    began, used = time.monotonic(), cpu_seconds()
    answer = subprocess.run(command, capture_output=True, text=True, timeout=90)
    assert time.monotonic() - began < LATE
    assert cpu_seconds() - used < BUSY
    assert "Traceback" not in answer.stdout + answer.stderr
    assert "internal error" not in answer.stdout + answer.stderr
    return answer


def limited(*words: str) -> subprocess.CompletedProcess[str]:
    return ended(petricheck(*words, "--timeout", "1"))


# Hostile questions


ALTERNATIVES = " and ".join(f"(a >= {n} or b >= {n})" for n in range(40))


@pytest.mark.parametrize(
    "contradiction",
    ["a mod 1 != 0", pytest.param("a mod 2 = 0 and a mod 2 != 0", marks=SLOW)],
)
def test_alternatives_that_all_lead_nowhere_end(net: str, contradiction: str) -> None:
    answer = limited(net, "--formula", f"{ALTERNATIVES} and {contradiction}")
    assert answer.stdout.startswith(("unreachable", "unknown"))


def test_very_long_numbers_end(tmp_path: Path) -> None:
    path = tmp_path / "long.pnml"
    weight = f"<inscription><text>{7**4600}</text></inscription></arc>"
    path.write_text(NET.replace('target="b"/>', f'target="b">{weight}'))
    residue = f"b mod {3**8000} = {5**5000} and (a + 2*b) mod {11**3500} = {13**3200}"
    answer = limited(str(path), "--formula", residue)
    assert answer.stdout.startswith(("unreachable", "unknown"))


def test_weights_of_some_hundred_digits_are_decided(tmp_path: Path) -> None:
    path = tmp_path / "long.pnml"
    weight = f"<inscription><text>{7**500}</text></inscription></arc>"
    path.write_text(NET.replace('target="b"/>', f'target="b">{weight}'))
    question = f"b = {7**500 - 1} and a = 2"
    answer = ended(petricheck(str(path), "--formula", question, "--quiet"))
    assert answer.stdout == "unreachable\n"


@SLOW
def test_a_hundred_thousand_clauses_end(net: str, tmp_path: Path) -> None:
    path = tmp_path / "clauses"
    path.write_text(" and ".join(f"(a >= {n} or b >= {n + 1})" for n in range(100_000)))
    assert limited(net, "--formula", f"@{path}").stdout.startswith("unknown")


# Hostile evidence


def at_most(bound: int | str, **coefficients: int | str) -> dict[str, Any]:
    return {"sum": coefficients, "at most": bound}


def residue(value: int | str, modulus: int | str, **coefficients: int | str) -> dict[str, Any]:
    return {"sum": coefficients, "residue": value, "modulus": modulus}


def evidence(path: Path, target: Any, invariant: Any, hints: Any = None) -> str:
    claim = {
        "format": "petricheck evidence",
        "version": 1,
        "petricheck": "0.1.0",
        "net": "n",
        "sha256": None,
        "target": target,
        "verdict": "unreachable",
        "invariant": invariant,
        "hints": hints,
    }
    path.write_text(json.dumps(claim))
    return str(path)


MISSED = {"and": [at_most(-2, a=-1)]}
"""a ≥ 2, which a + b = 1 excludes."""


SEPARATORS = [
    {"cube": 0, "direction": {"a": 1, "b": 1}, "modulus": 0, "multipliers": [n], "scale": n}
    for n in range(1, 20_001)
]
ODD = [hex((1 << 13_000) + 2 * n + 1) for n in range(40)]
HOSTILE = {
    "alternatives that lead nowhere": (
        {
            "and": [
                *({"or": [at_most(-n, a=-1), at_most(-n, b=-1)]} for n in range(40)),
                {"not": residue(0, 1, a=1)},
            ]
        },
        {"or": [{"and": [at_most(1, a=1, b=1)]}]},
        {"successors": [[0, 0]], "separators": []},
    ),
    "thousands of congruences": (
        MISSED,
        {
            "or": [
                {"and": [*(residue(1, n, a=1, b=1) for n in range(2, 4002)), at_most(1, a=1, b=1)]}
            ]
        },
        {"successors": [[0, 0]], "separators": []},
    ),
    "thousands of separators": (
        MISSED,
        {"or": [{"and": [at_most(n, a=n, b=n)]} for n in range(1, 201)]},
        {"successors": [[0, 0]] * 200, "separators": SEPARATORS},
    ),
    "very long numbers": (
        MISSED,
        {
            "and": [
                {"or": [residue(ODD[n], ODD[n + 1], a=ODD[n + 2], b=ODD[n + 3]), at_most(5, a=1)]}
                for n in range(30)
            ]
        },
        None,
    ),
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_audit_of_hostile_evidence_ends(net: str, tmp_path: Path, hostile: str) -> None:
    answer = limited("verify", net, evidence(tmp_path / "e.json", *HOSTILE[hostile]))
    # All but the last prove what they say, to those who take the time.
    proves = hostile != "very long numbers"
    assert answer.stdout.startswith(("unknown", "rejected", *(["accepted"] if proves else [])))


def test_a_number_of_millions_of_digits_is_refused(net: str, tmp_path: Path) -> None:
    path = evidence(tmp_path / "e.json", MISSED, at_most("0x1" + "0" * 8_000_000, a=1))
    answer = ended(petricheck("verify", net, path, "--timeout", "60"))
    assert answer.returncode == 4
    assert "a number has more than 1048576 bits" in answer.stdout


@SLOW
def test_evidence_of_twenty_megabytes_ends(net: str, tmp_path: Path) -> None:
    invariant = {"or": [{"and": [at_most(n, a=1, b=1) for n in range(1, 450_000)]}]}
    hints = {"successors": [[0, 0]], "separators": []}
    limited("verify", net, evidence(tmp_path / "e.json", MISSED, invariant, hints))


# Files that never end


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    """A pipe that nobody writes into."""
    path = tmp_path / "pipe.json"
    os.mkfifo(path)
    return str(path)


def test_reading_waits_for_no_writer_that_never_ends(pipe: str) -> None:
    writer = os.open(pipe, os.O_RDWR)
    answer = limited(pipe, "--cover", "b=1", "--quiet")
    os.close(writer)
    assert (answer.stdout, answer.returncode) == ("unknown\n", 1)


TOLD = f"unknown: {REASON}\n"
HINT = "Hint: allow more time.\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("PIPE --cover b=1", TOLD + HINT),
        pytest.param("NET --formula @PIPE", TOLD + HINT, marks=SLOW),
        ("NET --properties PIPE --mcc", "CANNOT_COMPUTE\n"),
        pytest.param("NET --properties PIPE", TOLD + HINT, marks=SLOW),
        ("verify NET PIPE", TOLD),
        pytest.param("PIPE --cover b=1 --json", "verdict", marks=SLOW),
        pytest.param("NET --properties PIPE --json", "verdict", marks=SLOW),
        ("verify PIPE e.json --json", "result"),
    ],
)
def test_reading_what_never_ends_is_unknown(pipe: str, net: str, words: str, told: str) -> None:
    placed = [word.replace("PIPE", pipe).replace("NET", net) for word in words.split()]
    answer = limited(*placed)
    assert answer.returncode == 1
    if "--json" in placed:
        fields = json.loads(answer.stdout)
        assert (fields[told], fields["reason"]) == ("unknown", REASON)
        assert len(answer.stdout.splitlines()) == 1 or "--properties" not in placed
    else:
        assert answer.stdout == told


def test_an_interruption_of_reading_says_so(pipe: str) -> None:
    command = petricheck(pipe, "--cover", "b=1", "--timeout", "30")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    writer = once_read(pipe)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=20)
    os.close(writer)
    assert process.returncode == 130
    # The second where the process itself was too slow on a busy machine.
    message = "unknown: interrupted\n"
    assert told in (("", f"petricheck: {message}"), (message, ""))


def once_read(pipe: str) -> int:
    """The writing end, as soon as somebody reads."""
    deadline = time.monotonic() + LATE
    while time.monotonic() < deadline:
        with suppress(OSError):
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.02)
    raise AssertionError("nobody reads")


def test_what_comes_through_a_pipe_is_read() -> None:
    script = f'printf "%s" "$0" | {sys.executable} -m petricheck /dev/stdin "$@"'
    command = ["bash", "-c", script, NET, "--cover", "b=1", "--quiet", "--timeout", "60"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (answer.stdout, answer.stderr) == ("reachable\n", "")


# What looks at no clock: in these commands the search is replaced


def replaced(search: str, *words: str) -> list[str]:
    """The command with another `Checker.check`, which begins with what is given.

    What a search has to import is there before, since that takes a busy machine its time.
    """
    body = search.replace("\n", "\n    ")
    code = f"""
import subprocess, threading, time
import petricheck
from petricheck.questions.checking import Checker
from petricheck.commands import main
from petricheck.support.processes import supervision

question = petricheck.ask(petricheck.load({words[0]!r}), cover="b=1")
petricheck.check(question, engine="directed_search")
calls = []
search = Checker.check

def check(checker, problem, budget):
    calls.append(problem)
    {body}
    return search(checker, problem, budget)

Checker.check = check
supervision.supervise()
main({[*words, "--engine", "directed_search"]!r}, prog_name="petricheck")
"""
    return [sys.executable, "-c", code]


SECOND_HANGS = "if len(calls) == 2: time.sleep(60)"


def test_a_property_that_outlasts_its_limit_leaves_none_untold(net: str, properties: str) -> None:
    command = replaced(SECOND_HANGS, net, "--properties", properties, "--timeout", "1", "--json")
    answer = ended(command)
    told = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [(each["property"], each["holds"]) for each in told] == [
        ("first", True), ("second", None), ("third", None),
    ]  # fmt: skip
    assert told[1]["reason"] == REASON
    assert told[2]["reason"] == "the command ended before its turn"
    assert (answer.returncode, answer.stderr) == (1, "")


@SLOW
def test_each_property_has_the_whole_limit(net: str, properties: str) -> None:
    words = (net, "--properties", properties, "--quiet", "--timeout", "2")
    answer = ended(replaced("time.sleep(0.8)", *words))
    assert answer.stdout == "first: holds\nsecond: holds\nthird: holds\n"


@SLOW
def test_processes_that_were_started_end_too(net: str, tmp_path: Path) -> None:
    note = tmp_path / "child"
    search = f"open({str(note)!r}, 'w').write(str(subprocess.Popen(['sleep', '60']).pid))"
    ended(replaced(f"{search}; time.sleep(60)", net, "--cover", "b=1", "--timeout", "1"))
    with suppress(psutil.NoSuchProcess):
        psutil.Process(int(note.read_text())).wait(5)


SLOW_PAGE = (
    "import petricheck.reports.page.answer as m; m.answer_page = lambda *given: time.sleep(60)"
)
LONG_REPORT = """from petricheck.commands.answers.output_forms import Headline, Json, Text
from petricheck.commands.shell.terminal import say
Json.write = Text.write = Headline.write = lambda *given: say('x' * 3_000_000)"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "printed"),
    [
        ("--quiet", "reachable\n"),
        ("--trace", f"reachable\nIts evidence passed the audit; {REASON}: no report.\n"),
        (
            "--json",
            '{"verdict": "reachable", "value": true, "kind": "cover", "question": "b=1", "partial":'
            ' null, "complete": true, "details": {"marking": {"b": 1}}, "evidence": null, "report":'
            f' "{REASON}"}}\n',
        ),
    ],
)
def test_a_verdict_that_is_slow_to_tell_is_told_in_short(net: str, form: str, printed: str) -> None:
    words = (net, "--cover", "b=1", form, "--html", f"{net}.html", "--timeout", "1")
    answer = ended(replaced(SLOW_PAGE, *words))
    assert (answer.stdout, answer.returncode) == (printed, 0)


@SLOW
def test_a_report_whose_reader_is_slow_is_told_whole(net: str) -> None:
    command = replaced(LONG_REPORT, net, "--cover", "b=1", "--timeout", "1")
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        time.sleep(4)
        assert len(process.stdout.read()) == 3_000_001
    assert process.returncode == 0


def test_no_thread_waits_beside_one_question(net: str) -> None:
    count = "print(threading.active_count())"
    words = (net, "--cover", "b=1", "--quiet", "--timeout", "60")
    assert ended(replaced(count, *words)).stdout == "1\nreachable\n"


def test_the_supervisor_imports_no_part_of_the_command(net: str) -> None:
    command = [sys.executable, "-X", "importtime", *petricheck(net, "--cover", "b=1")[1:]]
    imported = [line.rpartition("|")[2].strip() for line in ended(command).stderr.splitlines()]
    assert imported.count("petricheck.commands") == 1


@pytest.mark.parametrize("seconds", [pytest.param("2147484", marks=SLOW), "1e300"])
def test_a_limit_beyond_what_the_system_waits_for_is_no_obstacle(net: str, seconds: str) -> None:
    words = (net, "--cover", "b=1", "--quiet", "--timeout", seconds)
    assert ended(petricheck(*words)).stdout == "reachable\n"


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, pytest.param(signal.SIGHUP, marks=SLOW)]
)
def test_a_signal_ends_what_never_looks_at_python(net: str, number: int) -> None:
    # As in one long step of a solver, in which Python handles no signal.
    stuck = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, {1, 2, 15}); "
    stuck += "print('stuck', flush=True); time.sleep(60)"
    command = replaced(stuck, net, "--cover", "b=1")

    def heed() -> None:
        """Reset what the tests inherit where they run under `nohup`."""
        signal.signal(number, signal.SIG_DFL)

    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=heed) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "stuck\n"
        process.send_signal(number)
        began = time.monotonic()
        assert process.stdout.read() == "unknown: interrupted\n"
    assert process.returncode == 130
    assert time.monotonic() - began < LATE


def with_other(command: list[str], module: str, name: str, body: str) -> list[str]:
    """The command with another function in a module."""
    other = f"import petricheck.{module} as m; m.{name} = lambda *given: exec({body!r})"
    code = command[-1].replace("supervision.supervise()", f"{other}; supervision.supervise()")
    return [*command[:-1], code]


HANGS = "print('here', flush=True); time.sleep(60)"
"""Says when it is time for a signal."""


def interrupted(command: list[str]) -> tuple[str, str, str, int]:
    """What the command prints before it is interrupted, and after; complaints, and its status."""
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **piped) as process:  # type: ignore[call-overload]
        before = ""
        while (line := process.stdout.readline()) != "here\n":
            assert line
            before += line
        process.send_signal(signal.SIGINT)
        after, complaints = process.communicate(timeout=LATE)
    return before, after, complaints, process.returncode


@pytest.mark.parametrize(
    ("words", "answer"),
    [(["--cover", "b=1"], "reachable\n"), pytest.param(["--safe"], "safe\n", marks=SLOW)],
)
def test_an_interruption_of_a_report_loses_no_answer(
    net: str, words: list[str], answer: str
) -> None:
    asked = replaced("pass", net, *words, "--html", f"{net}.html")
    command = with_other(asked, "reports.page.answer", "answer_page", HANGS)
    before, after, complaints, status = interrupted(command)
    assert (before, complaints, status) == ("", "", 0)
    assert after == f"{answer}Its evidence passed the audit; interrupted: no report.\n"


def test_an_interruption_after_the_answer_tells_nothing_more(net: str) -> None:
    command = replaced("pass", net, "--cover", "b=1", "--json")
    before, after, complaints, _ = interrupted(
        with_other(command, "commands.decide", "exit_with", HANGS)
    )
    assert json.loads(before)["verdict"] == "reachable"
    assert (after, complaints) == ("", "")


@pytest.mark.parametrize("form", ["--quiet", pytest.param("--json", marks=SLOW)])
def test_an_interruption_waits_for_no_reader(net: str, form: str) -> None:
    command = replaced(LONG_REPORT, net, "--cover", "b=1", form)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == b"x"
        process.send_signal(signal.SIGTERM)
        assert process.wait(LATE) == 130
        assert set(process.stdout.read()) == {ord("x")}


def test_signals_that_are_to_be_ignored_are_ignored(net: str) -> None:
    ignored = (signal.SIGINT, signal.SIGHUP)

    def ignore() -> None:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)

    command = replaced(
        "print('here', flush=True); time.sleep(0.5)", net, "--cover", "b=1", "--quiet"
    )
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=ignore) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        for number in ignored:
            process.send_signal(number)
        assert process.stdout.read() == "reachable\n"
    assert process.returncode == 0


def test_the_end_is_seen_where_all_signals_are_blocked(net: str) -> None:
    def block() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())

    command = replaced(HANGS, net, "--cover", "b=1")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=block)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        deadline = time.monotonic() + LATE
        while blocked(process.pid, signal.SIGCHLD) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not blocked(process.pid, signal.SIGCHLD)
        assert blocked(process.pid, signal.SIGTERM)
    finally:
        process.kill()
        process.communicate()


def blocked(process: int, number: int) -> bool:
    status = Path(f"/proc/{process}/status").read_text()
    (mask,) = (line.split()[1] for line in status.splitlines() if line.startswith("SigBlk"))
    return bool(int(mask, 16) >> (number - 1) & 1)


@pytest.mark.parametrize(
    "closed", [*(pytest.param(one, marks=SLOW) for one in (">&-", "2>&-")), "<&- >&- 2>&-"]
)
def test_closed_streams_are_like_those_nobody_looks_at(net: str, closed: str) -> None:
    command = f'"$@" {closed}'
    words = petricheck(net, "--cover", "b=1")
    answer = subprocess.run(["bash", "-c", command, "-", *words], capture_output=True, timeout=LATE)
    assert (answer.returncode, answer.stderr) == (0, b"")


def test_a_process_that_the_system_kills_is_told_of(net: str) -> None:
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    answer = ended(replaced(killed, net, "--cover", "b=1"))
    assert answer.stdout.startswith("unknown: its process died")
    assert answer.stderr == "petricheck: its process was killed by SIGKILL\n"
    assert answer.returncode == 1


def test_a_process_that_a_terminal_interrupts_first_is_interrupted(net: str) -> None:
    killed = "import os, signal; signal.signal(2, signal.SIG_DFL); os.kill(os.getpid(), 2)"
    answer = ended(replaced(killed, net, "--cover", "b=1"))
    assert (answer.returncode, answer.stdout) == (130, "unknown: interrupted\n")
    assert answer.stderr == ""


def test_an_interruption_before_the_command_is_ready_is_told() -> None:
    early = """
import os, signal
from petricheck.support.processes import supervision
supervision.supervise()
os.kill(os.getpid(), signal.SIGINT)
"""
    answer = ended([sys.executable, "-c", early])
    assert (answer.returncode, answer.stdout) == (130, "")
    assert answer.stderr == "petricheck: interrupted\n"


@pytest.mark.parametrize(
    "module", ["petricheck.evidence.answer", "petricheck.support.processes.supervision"]
)
@pytest.mark.parametrize("words", [["-m", "petricheck"], ["petricheck"]])
def test_an_interruption_while_modules_are_imported_leaves_no_traceback(
    module: str, words: list[str], tmp_path: Path
) -> None:
    interrupting = f"""
import os, signal, sys
class Interrupting:
    @staticmethod
    def find_spec(name, *_):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting)
"""
    (tmp_path / "sitecustomize.py").write_text(interrupting)
    (tmp_path / "petricheck").write_text("from petricheck.__main__ import run\nrun()\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    answer = subprocess.run(
        [sys.executable, *words, "--version"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        timeout=LATE,
    )
    assert (answer.returncode, answer.stdout, answer.stderr) == (130, b"", b"")


def test_a_file_that_is_not_whole_goes_with_the_command(net: str, tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    partly = f"""from petricheck.support.outputs import replacing; from pathlib import Path
with replacing(Path({str(path)!r})) as part: part.write(b'half'); time.sleep(60)"""
    answer = ended(replaced(partly, net, "--cover", "b=1", "--quiet", "--timeout", "1"))
    assert answer.stdout == "unknown\n"
    assert [file.name for file in tmp_path.iterdir()] == ["n.pnml"]


def test_memory_that_no_loop_looks_at_ends_the_command(net: str) -> None:
    greedy = "hoard = bytearray(1 << 29); hoard[::4096] = b'x' * (1 << 17); time.sleep(60)"
    answer = ended(replaced(greedy, net, "--cover", "b=1", "--memory", "300"))
    assert answer.stdout.startswith("unknown: the memory limit of 300 MiB is reached")
    assert answer.returncode == 1


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    ours, theirs = pty.openpty()
    try:
        yield ours, theirs
    finally:
        os.close(ours)


@pytest.mark.slow
def test_nothing_of_the_progress_is_left_on_the_terminal(net: str) -> None:
    news = "time.sleep(0.6); budget.report('cegar: on the way'); time.sleep(60)"
    command = replaced(news, net, "--cover", "b=1", "--quiet", "--timeout", "4")
    with terminal() as (ours, theirs):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True)
        os.close(theirs)
        drawn = b""
        with suppress(OSError):
            while select.select([ours], [], [], 30)[0] and (piece := os.read(ours, 4096)):
                drawn += piece
        assert process.communicate(timeout=30)[0] == "unknown\n"
    assert b"on the way" in drawn
    assert drawn.endswith(b"\r\x1b[J")


ASKING = """
import os, time
from petricheck.support.processes import supervision, supervisor

ending, ended = os.pipe()
kill_family = supervisor.kill_family

def killed(process):
    os.write(ended, b"!")
    time.sleep(0.5)
    return kill_family(process)

supervisor.kill_family = killed
supervision.supervise()
supervision.keep("answer", {"time": supervisor.Piece(b"late\\n", b"", 1)})
supervision.limit(time.monotonic() - supervisor.GRACE, None)
os.read(ending, 1)
with supervision.turn():
    print("in time", flush=True)
"""


def test_a_turn_that_is_asked_for_while_the_command_is_ended_hides_nothing() -> None:
    answer = ended([sys.executable, "-c", ASKING])
    assert (answer.stdout, answer.returncode) == ("late\n", 1)
