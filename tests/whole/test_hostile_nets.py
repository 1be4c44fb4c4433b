"""Every command ends in time on nets that are large in every way."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from coloured_documents import (
    arc,
    document,
    every,
    named,
    place,
    sort,
    span,
    tuple_of,
    var,
    variable,
)
from folders import NETS
from property_files import at_least, bound, ef, tag, write_properties

from petricheck.commands import main
from petricheck.commands.mcc import EXAMINATIONS
from petricheck.formats.nets import write_net
from petricheck.model.net import Net, make_net

ATOMS = 100_000


def star() -> tuple[Net, str]:
    """100,000 transitions on one place."""
    moves = {f"t{n}": ({"p": 1 + n % 7}, {"p": 1 + n % 5}) for n in range(100_000)}
    return make_net("n", {"p": 1}, moves), "p"


def chain() -> tuple[Net, str]:
    """50,000 places one behind the other."""
    places = {f"p{n}": int(n == 0) for n in range(50_001)}
    moves = {f"t{n}": ({f"p{n}": 1}, {f"p{n + 1}": 1}) for n in range(50_000)}
    return make_net("n", places, moves), "p50000"


def wide() -> tuple[Net, str]:
    """20 MB of arcs at random."""
    draw = random.Random(1)
    places = {f"place_number_{n}": draw.randrange(3) for n in range(20_000)}
    names = [*places]

    def arcs() -> dict[str, int]:
        return {draw.choice(names): draw.randrange(1, 4) for _ in range(3)}

    moves = {f"transition_number_{n}": (arcs(), arcs()) for n in range(25_000)}
    return make_net("n", places, moves), names[7]


def heavy() -> tuple[Net, str]:
    """Weights of 10^300."""
    huge, count = 10**300, 40
    moves = {
        f"t{n}": (
            {f"p{n}": huge - n},
            {f"p{(n + 1) % count}": huge + 3 * n, f"p{(7 * n + 3) % count}": 7**n},
        )
        for n in range(count)
    }
    return make_net("n", {f"p{n}": huge + n for n in range(count)}, moves), "p3"


def wordy() -> tuple[Net, str]:
    """A formula of 100,000 atoms about a small net."""
    moves = {"t0": ({"p0": 1}, {"p1": 2}), "t1": ({"p1": 1}, {"p0": 1})}
    return make_net("n", {"p0": 1, "p1": 0}, moves), "p1"


def coloured() -> str:
    """A million bindings of each of two transitions, on a sort of a million pairs."""
    pairs = f"<productsort>{sort('m') * 2}</productsort>"
    sorts = named("m", span(1, 1000)) + named("mm", pairs)
    declared = sorts + variable("x", "m") + variable("y", "m")
    x, y = var("x"), var("y")
    arcs = [("p", "t", x), ("q", "t", y), ("t", "r", tuple_of(x, y))]
    arcs += [("r", "u", tuple_of(x, y)), ("u", "r", tuple_of(y, x))]
    places = place("p", "m", every("m")) + place("q", "m", every("m")) + place("r", "mm")
    transitions = '<transition id="t"/><transition id="u"/>'
    return document(places + transitions + "".join(arc(*ends) for ends in arcs), declared)


HOSTILE: dict[str, Callable[[], tuple[Net, str]]] = {
    made.__name__: made for made in (star, chain, wide, heavy, wordy)
}
"""Each with a place to ask about."""


def write(name: str, folder: Path) -> None:
    """Write the net, a formula, files of properties as in the contest, and names."""
    if name == "coloured":
        (folder / "model.pnml").write_text(coloured())
        place, transition = "p", "t"
    else:
        net, place = HOSTILE[name]()
        write_net(net, folder / "model.pnml")
        transition = net.transitions[-1].name
    formula, query = f"{place} >= 3 and {place} != 17", at_least(3, place)
    if name == "wordy":
        numbers = range(ATOMS // 2)
        formula = " and ".join(f"(p0 >= {n} or p1 >= {n + 1})" for n in numbers)
        clauses = (tag("disjunction", at_least(n, "p0"), at_least(n + 1, "p1")) for n in numbers)
        query = tag("conjunction", *clauses)
    (folder / "formula").write_text(formula)
    for file, body in (("ReachabilityCardinality", ef(query)), ("UpperBounds", bound(place))):
        write_properties(folder / f"{file}.xml", **{f"q-{n}": body for n in range(16)})
    (folder / "names").write_text(f"{place}\n{transition}")


def script() -> str:
    """100,000 atoms for `petricheck interpolate`."""
    clauses = " ".join(f"(or (>= a {n}) (>= b {n + 1}))" for n in range(ATOMS // 2))
    return (
        "(set-logic QF_LIA)(declare-const a Int)(declare-const b Int)"
        f"(assert (! (and {clauses}) :named A))(assert (! (< (+ a b) 3) :named B))"
        "(check-sat)(get-interpolants A B)"
    )


LIMIT = 2.0

QUESTIONS = (
    ("--target", "PLACE=7"),
    ("--cover", "PLACE=7"),
    ("--formula", "@FORMULA"),
    ("--deadlock",),
    ("--fireable", "TRANSITION"),
    ("--bound", "PLACE"),
    ("--bounded",),
    ("--safe",),
    ("--quasi-live",),
    ("--stable",),
)

COMMANDS = {
    **{" ".join(words): ("NET", *words) for words in QUESTIONS},
    "--quasi-live --json": ("NET", "--quasi-live", "--json", "--evidence", "OUT.json"),
    "--properties": ("NET", "--properties", "FOLDER/ReachabilityCardinality.xml",
                     "--timeout-all", f"{LIMIT:g}"),
    **{f"mcc {name}": ("mcc", "FOLDER", "--examination", name) for name in EXAMINATIONS
       if name != "ReachabilityFireability"},
    "info": ("info", "NET"),
    "info --json": ("info", "NET", "--json"),
    "convert": ("convert", "NET", "OUT.net"),
    "convert with a question": ("convert", "NET", "OUT.spec", "--formula", "@FORMULA"),
    "verify": ("verify", "NET", "EVIDENCE"),
}  # fmt: skip


@pytest.fixture(scope="module", params=(*HOSTILE, "coloured"))
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp(request.param)
    write(request.param, path)
    return path


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Evidence of another net; to find that out, `verify` has to read both."""
    path = tmp_path_factory.mktemp("evidence") / "e.json"
    net = str(NETS / "fig8_U.pnml")
    with pytest.raises(SystemExit):
        main([net, "--target", "p1=1", "--quiet", "--evidence", str(path)])
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_gone_a_second_after_its_limit(
    name: str, folder: Path, evidence: str, tmp_path: Path
) -> None:
    place, transition = (folder / "names").read_text().split("\n")
    replaced = {
        "PLACE": place,
        "TRANSITION": transition,
        "FORMULA": str(folder / "formula"),
        "FOLDER": str(folder),
        "NET": str(folder / "model.pnml"),
        "OUT": str(tmp_path / "out"),
        "EVIDENCE": evidence,
    }
    words = "\n".join(COMMANDS[name])
    for key, value in replaced.items():
        words = words.replace(key, value)
    ends_in_time(*words.split("\n"))


@pytest.mark.slow
def test_so_is_interpolation(tmp_path: Path) -> None:
    (tmp_path / "atoms.smt2").write_text(script())
    ends_in_time("interpolate", str(tmp_path / "atoms.smt2"))


def ends_in_time(*words: str) -> None:
    """Within a second of the limit, and what a busy machine takes to start a program that often."""
    slack = 5 * seconds("--version")
    assert seconds(*words, "--timeout", f"{LIMIT:g}") < LIMIT + 1 + slack


def seconds(*words: str) -> float:
    began = time.monotonic()
    command = [sys.executable, "-m", "petricheck", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr and "internal error" not in done.stderr
    assert done.returncode in (0, 1, 3, 4), done.stderr
    return time.monotonic() - began
