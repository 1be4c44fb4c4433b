"""`petricheck mcc`: what the contest says in the environment, and the lines that it reads."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from petricheck.budget import Budget
from petricheck.cli import main
from petricheck.cli.mcc import Clock
from petricheck.formats import write_net
from petricheck.problem import Net, make_net
from petricheck.processes import supervision

ONE_WAY = make_net("one-way", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": 1})})
CIRCLE = make_net(
    "circle", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": 1}), "u": ({"q": 1}, {"p": 1})}
)
COLOURED = """<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"/></pnml>"""
CARDINALITY = "ReachabilityCardinality"
DEADLOCK = "ReachabilityDeadlock"


def at_least(place: str, tokens: int) -> str:
    return (
        f"<integer-le><integer-constant>{tokens}</integer-constant>"
        f"<tokens-count><place>{place}</place></tokens-count></integer-le>"
    )


def at_most(place: str, tokens: int) -> str:
    return f"<negation>{at_least(place, tokens + 1)}</negation>"


def formulas(**states: str) -> str:
    """A file of properties that ask whether a state is possible, by id."""
    each = (
        f"<property><id>{name}</id><description/><formula><exists-path><finally>{state}"
        "</finally></exists-path></formula></property>"
        for name, state in states.items()
    )
    return f"<property-set>{''.join(each)}</property-set>"


@pytest.fixture(autouse=True)
def nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("BK_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return folder(tmp_path, ONE_WAY, formulas(yes=at_least("q", 1), no=at_least("q", 2)))


def folder(path: Path, net: Net, cardinality: str) -> Path:
    write_net(net, path / "model.pnml")
    (path / f"{CARDINALITY}.xml").write_text(cardinality)
    return path


def run(*arguments: object, **environment: str) -> Result:
    words = ["mcc", *map(str, arguments)]
    result = CliRunner().invoke(main, words, env=environment, prog_name="petricheck")
    assert "Traceback" not in result.output
    return result


def lines(result: Result) -> list[str]:
    return result.stdout.splitlines()


def test_the_environment_asks_about_the_current_folder(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(model)
    limits = {"BK_TIME_CONFINEMENT": "60", "BK_MEMORY_CONFINEMENT": "16384"}
    result = run(BK_EXAMINATION=CARDINALITY, **limits)
    assert result.exit_code == 0
    told = sorted(lines(result), reverse=True)
    for line, name, word in zip(told, ("yes", "no"), ("TRUE", "FALSE"), strict=True):
        assert re.fullmatch(rf"FORMULA {name} {word} TECHNIQUES [A-Z_ ]+", line)


def test_options_and_a_folder_override_the_environment(model: Path) -> None:
    result = run(
        *(model, "--examination", CARDINALITY, "--timeout", 60, "--memory", 16384),
        BK_EXAMINATION="StateSpace",
        BK_TIME_CONFINEMENT="0.001",
        BK_MEMORY_CONFINEMENT="1",
    )
    assert sorted(line.split()[:3] for line in lines(result)) == [
        ["FORMULA", "no", "FALSE"],
        ["FORMULA", "yes", "TRUE"],
    ]


@pytest.mark.parametrize(("net", "word"), [(ONE_WAY, "TRUE"), (CIRCLE, "FALSE")])
def test_the_deadlock_needs_no_file_and_is_named_like_its_examination(
    net: Net, word: str, tmp_path: Path
) -> None:
    write_net(net, tmp_path / "model.pnml")
    (line,) = lines(run(tmp_path, BK_EXAMINATION=DEADLOCK))
    assert line.startswith(f"FORMULA {DEADLOCK} {word} TECHNIQUES ")


@pytest.mark.parametrize("extension", ["xml", "xml.gz"])
def test_a_file_for_the_deadlock_names_it(extension: str, model: Path) -> None:
    file = formulas(stuck="<deadlock/>").encode()
    packed = gzip.compress(file) if extension == "xml.gz" else file
    (model / f"{DEADLOCK}.{extension}").write_bytes(packed)
    (line,) = lines(run(model, BK_EXAMINATION=DEADLOCK))
    assert line.startswith("FORMULA stuck TRUE TECHNIQUES ")


@pytest.mark.parametrize("examination", ["ReachabilityFireability", "UpperBounds"])
def test_no_other_examination_does_without_its_file(examination: str, model: Path) -> None:
    result = run(model, BK_EXAMINATION=examination)
    assert (result.exit_code, result.stdout) == (3, "CANNOT_COMPUTE\n")
    assert f"{examination}.xml" in result.stderr


def test_compressed_files_are_found(tmp_path: Path) -> None:
    write_net(ONE_WAY, tmp_path / "model.pnml.gz")
    packed = gzip.compress(formulas(yes=at_least("q", 1)).encode())
    (tmp_path / f"{CARDINALITY}.xml.gz").write_bytes(packed)
    assert lines(run(tmp_path, BK_EXAMINATION=CARDINALITY))[0].startswith("FORMULA yes TRUE ")


@pytest.mark.parametrize("name", ["BK_TIME_CONFINEMENT", "BK_MEMORY_CONFINEMENT"])
def test_a_senseless_limit_is_refused_by_the_name_it_was_given_under(
    name: str, model: Path
) -> None:
    result = run(model, BK_EXAMINATION=CARDINALITY, **{name: "soon"})
    assert (result.exit_code, result.stdout) == (2, "")
    assert name in result.stderr


@pytest.mark.parametrize("examination", ["StateSpace", "Liveness", "LTLFireability", "nonsense"])
def test_other_examinations_are_left_to_others(examination: str, model: Path) -> None:
    result = run(model, BK_EXAMINATION=examination)
    assert (result.exit_code, result.stdout) == (0, "DO_NOT_COMPETE\n")
    assert examination in result.stderr


@pytest.mark.parametrize(
    ("examination", "truth"),
    [("OneSafe", "FALSE"), ("QuasiLiveness", "FALSE"), ("StableMarking", "TRUE")],
)
def test_examinations_of_the_whole_net_need_no_file(
    examination: str, truth: str, tmp_path: Path
) -> None:
    dead = {"t": ({"p": 1}, {"q": 2}), "u": ({"never": 1}, {"p": 1})}
    write_net(make_net("n", {"p": 1, "q": 0, "never": 0}, dead), tmp_path / "model.pnml")
    result = run(tmp_path, BK_EXAMINATION=examination)
    assert result.exit_code == 0, result.stderr
    (line,) = lines(result)
    assert re.fullmatch(f"FORMULA {examination} {truth} TECHNIQUES [A-Z ]*AUDITED", line)


def test_bounds_are_numbers_or_infinite(tmp_path: Path) -> None:
    pump = {"t": ({"p": 1}, {"p": 1, "q": 2}), "u": ({"p": 1}, {"r": 3})}
    write_net(make_net("n", {"p": 1, "q": 0, "r": 0}, pump), tmp_path / "model.pnml")
    places = {"few": ("r",), "all": ("p", "r"), "endless": ("q", "r"), "wrong": ("nowhere",)}
    each = (
        f"<property><id>{name}</id><formula><place-bound>"
        + "".join(f"<place>{place}</place>" for place in named)
        + "</place-bound></formula></property>"
        for name, named in places.items()
    )
    text = f"<property-set>{''.join(each)}</property-set>"
    (tmp_path / "UpperBounds.xml").write_text(text)
    result = run(tmp_path, BK_EXAMINATION="UpperBounds")
    assert result.exit_code == 1
    told = sorted(line.partition(" TECHNIQUES")[0] for line in lines(result))
    assert told == [
        "FORMULA all 3", "FORMULA endless +inf", "FORMULA few 3", "FORMULA wrong CANNOT_COMPUTE"
    ]  # fmt: skip


def test_coloured_nets_are_left_to_others(tmp_path: Path) -> None:
    (tmp_path / "model.pnml").write_text(COLOURED)
    result = run(tmp_path, BK_EXAMINATION=DEADLOCK)
    assert (result.exit_code, result.stdout) == (0, "DO_NOT_COMPETE\n")
    assert "symmetricnet" in result.stderr


@pytest.mark.parametrize("missing", ["model.pnml", f"{CARDINALITY}.xml"])
def test_what_is_missing_cannot_be_computed(missing: str, model: Path) -> None:
    (model / missing).unlink()
    result = run(model, BK_EXAMINATION=CARDINALITY)
    assert (result.exit_code, result.stdout) == (3, "CANNOT_COMPUTE\n")
    assert missing in result.stderr


@pytest.mark.parametrize("broken", ["model.pnml", f"{CARDINALITY}.xml"])
def test_what_is_refused_cannot_be_computed(broken: str, model: Path) -> None:
    (model / broken).write_text("<pnml>")
    result = run(model, BK_EXAMINATION=CARDINALITY)
    assert (result.exit_code, result.stdout) == (3, "CANNOT_COMPUTE\n")
    assert broken in result.stderr


def test_one_formula_that_is_not_decided_keeps_no_other_from_its_answer(tmp_path: Path) -> None:
    asked = formulas(odd="<next/>", yes=at_least("q", 1))
    result = run(folder(tmp_path, ONE_WAY, asked), BK_EXAMINATION=CARDINALITY)
    assert result.exit_code == 1
    assert lines(result)[0].startswith("FORMULA yes TRUE TECHNIQUES ")
    assert lines(result)[1:] == ["FORMULA odd CANNOT_COMPUTE"]


@pytest.mark.slow
def test_the_limit_holds_for_all_formulas_together(tmp_path: Path) -> None:
    coins = {f"t{worth}": ({}, {"p": worth}) for worth in (12223, 12224, 36674, 61119, 85569)}
    exactly = at_least("p", 89643480) + at_most("p", 89643480)
    states = {f"f{number}": f"<conjunction>{exactly}</conjunction>" for number in range(6)}
    folder(tmp_path, make_net("change", {"p": 0}, coins), formulas(**states))
    command = [sys.executable, "-m", "petricheck", "mcc", str(tmp_path)]
    environment = os.environ | {"BK_EXAMINATION": CARDINALITY, "BK_TIME_CONFINEMENT": "3"}
    began = time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert time.monotonic() - began < 12
    assert sorted(line.split()[1] for line in done.stdout.splitlines()) == [*states]


def test_what_outlasts_its_turn_is_ended_with_the_examination_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deadlines: list[float | None] = []
    monkeypatch.setattr(supervision, "limit", lambda deadline, _: deadlines.append(deadline))
    whole = Budget(100.0)
    with Clock(whole, verbose=False).limits(10.0) as budget:
        assert budget.seconds == 10.0
    assert deadlines[0] == pytest.approx(whole.started + 100.0, abs=1.0)
