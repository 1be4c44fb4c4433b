"""What a command writes replaces nothing that it reads or has written, and is refused in time."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import Result
from evidence_files import read_evidence
from invoked import run
from property_files import file_of, possible, prop

from petricheck.formats.nets import write_net
from petricheck.model.net import make_net
from petricheck.questions.checking import Checker
from petricheck.support.outputs import replacing, write_file

NET = make_net("n", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": 1})})
COVER = ("--cover", "q=1")


def properties(*ids: str) -> str:
    return file_of(*(prop(possible(1, "q"), name) for name in ids))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with a net and a file of two properties."""
    write_net(NET, tmp_path / "n.pnml")
    (tmp_path / "a.xml").write_text(properties("one", "two"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search may begin."""
    monkeypatch.setattr(Checker, "check", pytest.fail)


def refused(result: Result, status: int, words: str) -> None:
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    assert words in result.stderr
    assert "please report" not in result.stderr


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("option", ["evidence", "graph", "log", "predicates"])
def test_an_empty_name_of_a_file_is_refused_at_once(option: str, folder: Path) -> None:
    refused(run("n.pnml", *COVER, f"--{option}", ""), 2, f"--{option} names no file")


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("place", ["net", "properties", "graph"])
def test_the_evidence_of_a_property_replaces_nothing_that_is_read_or_drawn(
    place: str, folder: Path
) -> None:
    (folder / "two.json").write_bytes((folder / "n.pnml").read_bytes())
    words: list[str] = {
        "net": ["two.json", "--properties", "a.xml"],
        "properties": ["n.pnml", "--properties", "two.json"],
        "graph": ["n.pnml", "--properties", "a.xml", "--property", "two", "--graph", "two.json"],
    }[place]
    if place == "properties":
        (folder / "two.json").write_text(properties("two"))
    before = (folder / "two.json").read_bytes()
    answer = run(*words, "--evidence", "{id}.json")
    refused(answer, 2, "the output two.json would replace two.json; name another file")
    assert (folder / "two.json").read_bytes() == before


@pytest.mark.usefixtures("idle")
def test_evidence_replaces_neither_the_question_nor_the_predicates(folder: Path) -> None:
    (folder / "q.json").write_text("q=1")
    (folder / "x.json").write_text("p + q <= 1\n")
    refused(run("n.pnml", "--cover", "@q.json", "--evidence", "./q.json"), 2, "would replace")
    words = ("--predicates", "x.json", "--evidence", "x.json")
    refused(run("n.pnml", *COVER, *words), 2, "would replace")


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_an_output_is_known_by_its_file_not_by_its_name(link: object, folder: Path) -> None:
    assert callable(link)
    link("n.pnml", "e.json")
    for option in ("--evidence", "--log", "--graph"):
        refused(run("n.pnml", *COVER, option, "e.json"), 2, "would replace n.pnml")


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("names", [("one.json", "two.json"), ("two.json", "one.json")])
def test_two_properties_have_two_files_even_through_links(
    names: tuple[str, str], folder: Path
) -> None:
    os.symlink(*names)
    answer = run("n.pnml", "--properties", "a.xml", "--evidence", "{id}.json")
    refused(answer, 2, "would replace")


def test_names_that_differ_in_case_only_are_warned_of(folder: Path) -> None:
    (folder / "a.xml").write_text(properties("one", "ONE", "two"))
    words = ("--properties", "a.xml", "--quiet", "--evidence", "{id}.json")
    answer = run("n.pnml", *words)
    assert answer.exit_code == 0
    assert answer.stderr.count("ignore case") == 1
    assert "ONE.json: warning: " in answer.stderr
    assert "replaces one.json" in answer.stderr


def test_evidence_is_written_through_a_link_which_stays(folder: Path) -> None:
    (folder / "kept").mkdir()
    for there in (True, False):
        (folder / "kept" / "real").unlink(missing_ok=True)
        (folder / "e.json").unlink(missing_ok=True)
        if there:
            (folder / "kept" / "real").write_text("old")
        os.symlink("kept/real", "e.json")
        assert run("n.pnml", *COVER, "--evidence", "e.json").exit_code == 0
        assert os.readlink("e.json") == "kept/real"
        assert json.loads((folder / "kept" / "real").read_text())["answer"] is True
        assert read_evidence("e.json")
        assert os.listdir("kept") == ["real"]


@pytest.mark.usefixtures("idle")
def test_a_pipe_a_device_and_a_circle_of_links_are_no_place_for_evidence(folder: Path) -> None:
    os.mkfifo("pipe.json")
    os.symlink("/dev/null", "null.json")
    os.symlink("circle.json", "circle.json")
    os.symlink("nowhere/e.json", "lost.json")
    for name in ("pipe.json", "null.json"):
        answer = run("n.pnml", *COVER, "--evidence", name)
        refused(answer, 3, f"{name}: cannot be written: it is no regular file")
    refused(run("n.pnml", *COVER, "--evidence", "circle.json"), 3, "leads to itself")
    refused(run("n.pnml", *COVER, "--evidence", "lost.json"), 3, "no such folder")
    assert not os.path.isfile("pipe.json")


def test_a_pipe_among_the_files_of_several_properties_costs_only_its_own(folder: Path) -> None:
    os.mkfifo("one.json")
    answer = run("n.pnml", "--properties", "a.xml", "--quiet", "--evidence", "{id}.json")
    assert (answer.exit_code, answer.stdout) == (3, "one: holds\ntwo: holds\n")
    assert "one.json: cannot be written: it is no regular file" in answer.stderr
    assert (folder / "one.json").is_fifo()
    assert read_evidence("two.json")


def test_a_conversion_replaces_neither_its_net_nor_its_properties(folder: Path) -> None:
    os.symlink("n.pnml", "m.pnml")
    before = (folder / "n.pnml").read_bytes()
    refused(run("convert", "n.pnml", "m.pnml", "--force"), 2, "m.pnml would replace n.pnml")
    words = ("--properties", "a.xml", "--property", "one", "--force")
    refused(run("convert", "n.pnml", "a.pnml", *words), 2, "a.xml would replace a.xml")
    refused(run("convert", "n.pnml", "o.pnml", "--cover", ""), 2, "the cover is empty")
    assert (folder / "n.pnml").read_bytes() == before
    assert (folder / "a.xml").read_text() == properties("one", "two")


def test_reports_of_batches_replace_nothing_they_come_from(folder: Path) -> None:
    index = {"net": "n.pnml", "target": [["q", ">=", 1]], "verdict": "reachable"}
    (folder / "i.json").write_text(json.dumps(index))
    refused(run("batch", "n.pnml", "--cover", " ", "--out", "run"), 2, "--cover is empty")
    refused(run("bench", "i.json", "--markdown", "i.json"), 2, "would replace i.json")
    refused(run("bench", "i.json", "--markdown", ""), 2, "is empty")
    words = ("--jsonl", "both", "--csv", "./both")
    refused(run("batch", "export", "run", *words), 2, "./both would replace both")
    refused(run("batch", "export", "run", "--csv", ""), 2, "is empty")
    assert not (folder / "run").exists()


@pytest.mark.parametrize("kind", ["target", "cover", "formula"])
def test_a_place_whose_name_begins_with_an_at_sign_is_asked_for_in_quotes(
    kind: str, folder: Path
) -> None:
    write_net(make_net("n", {"@x": 1}, {"t": ({"@x": 1}, {})}), folder / "at.pnml")
    assert run("at.pnml", f"--{kind}", '"@x"=1', "--quiet").stdout == "reachable\n"
    assert run("at.pnml", f"--{kind}", '"@x"=2', "--quiet").stdout == "unreachable\n"
    refused(run("at.pnml", f"--{kind}", "@x=1"), 2, "put between double quotes")


def test_a_link_in_the_place_of_an_incomplete_file_is_not_followed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    precious = folder / "precious"
    precious.write_text("mine")
    monkeypatch.setattr("petricheck.support.outputs.secrets.token_hex", lambda _: "guessed")
    for number in (os.getpid(), "guessed"):
        (folder / f".e.json.{number}.part").symlink_to(precious)
    assert run("n.pnml", *COVER, "--evidence", "e.json").exit_code == 3
    assert precious.read_text() == "mine"
    assert not (folder / "e.json").exists()
    assert (folder / ".e.json.guessed.part").is_symlink()  # It is not ours to remove.


def test_incomplete_files_have_other_names_each_time(tmp_path: Path) -> None:
    names = set()
    for _ in range(3):
        with replacing(tmp_path / "a") as file:
            (part,) = tmp_path.glob(".a.*.part")
            names.add(part.name)
            file.write(b"x")
        assert not part.exists()
    assert len(names) == 3


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_written_files_have_the_permissions_that_others_have(mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        write_file(tmp_path / "a", "x")
        (tmp_path / "b").write_text("x")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_what_fails_in_the_midst_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with pytest.raises(ZeroDivisionError), replacing(tmp_path / "a") as file:
        file.write(b"ne")
        raise ZeroDivisionError
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text() == "old"
