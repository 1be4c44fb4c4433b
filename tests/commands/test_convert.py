"""`petricheck convert`: nets and questions from one tool's files to another's."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path

import pytest
import z3
from folders import NETS
from invoked import run, settled
from symmetric_writer import document

from petricheck.evidence import standalone
from petricheck.formats.nets import read_net
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Range
from petricheck.model.coloured.terms import Summand, Variable

NET = str(NETS / "basic_me_U.pnml")
COVER = ["--cover", "p4=1, p5=1"]
PARAMETRIC = "vars p q rules p >= 2 -> p' = p-2, q' = q+1; init p >= 1, q = 0 target q >= 3\n"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_net_goes_around_all_formats_and_comes_back(tmp_path: Path) -> None:
    stations = [NET, "a.net", "b.lola.gz", "c.spec", "d.pnml.gz", "e.net.gz"]
    paths = [tmp_path / name for name in stations]
    for before, after in pairwise(paths):
        question = COVER if after.suffix == ".spec" else []
        assert settled(run("convert", before, after, *question)).output == ""
    assert read_net(paths[-1]).net == read_net(NET).net


def test_final_markings_come_along_to_pnml_and_its_evidence_is_checked(tmp_path: Path) -> None:
    apt, net, evidence = (tmp_path / name for name in ("n.apt", "n.pnml", "e.json"))
    apt.write_text(
        ".type PN .places p q .transitions t .flows t: {p} -> {q}"
        ".initial_marking {p} .final_markings {q, q} {}"
    )
    assert settled(run("convert", apt, net)).output == ""
    assert read_net(net).net.finals == read_net(apt).net.finals == ((0, 2), (0, 0))
    settled(run(net, "--cover", "p=1, q=1", "--evidence", evidence))
    assert standalone.main([str(net), str(evidence)]) == 0


@pytest.mark.parametrize(
    ("out", "question", "asked"),
    [
        ("n.pnml", "n.xml", "question"),
        ("n.net.gz", "n.xml.gz", "question"),
        ("n.lola", "n.formula", "formula-1"),
        ("n.spec", "n.spec", "target"),
    ],
)
def test_a_question_is_written_with_the_net_and_answered_from_there(
    tmp_path: Path, out: str, question: str, asked: str
) -> None:
    settled(run("convert", NET, tmp_path / out, *COVER))
    assert names(tmp_path) == {out, question}
    again = run(tmp_path / out, "--properties", tmp_path / question, "--quiet")
    assert settled(again).stdout == f"{asked}: violated\n"


def test_horn_clauses_are_satisfiable_where_the_target_is_unreachable(tmp_path: Path) -> None:
    settled(run("convert", NET, tmp_path / "q.smt2.gz", *COVER))
    solver = z3.SolverFor("HORN")
    solver.from_string(gzip.decompress((tmp_path / "q.smt2.gz").read_bytes()).decode())
    assert solver.check() == z3.sat


def test_a_property_of_a_file_is_written_by_its_target(tmp_path: Path) -> None:
    net, file = NETS / "fms_U.pnml", NETS / "fms_U.xml"
    out = tmp_path / "q.formula"
    told = settled(run("convert", net, out, "--properties", file, "--property", "one-machine"))
    assert "holds where that is unreachable" in told.stderr
    # An invariant holds where its violation, which is what is written, cannot be reached.
    assert settled(run(net, "--properties", out, "--quiet")).stdout == "formula-1: violated\n"
    for more, reason in (((), "--property"), (("--property", "at-once"), "<next>")):
        words = ("convert", net, tmp_path / "r.xml", "--properties", file, *more)
        assert reason in settled(run(*words), 2).stderr
    assert names(tmp_path) == {"q.formula"}


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        (["out.spec"], 2, "is a file for a question"),
        (["out.smt2"], 2, "is a file for a question"),
        (["out.docx"], 2, "must end in"),
        (["out.spec", "--target", "p1=1"], 3, "--cover"),
        (["out.lola", "--formula", "p1 mod 2 = 1"], 3, "mod"),
        (["out.net", *COVER, "--deadlock"], 2, "one question"),
        (["out.net", "--cover", "nowhere=1"], 2, "nowhere"),
        (["out.net", "--property", "x"], 2, "--properties"),
        (["out.net", *COVER, "--properties", str(NETS / "fms_U.xml")], 2, "one at a time"),
    ],
)
def test_what_cannot_be_written_is_refused_and_nothing_is_written(
    tmp_path: Path, words: list[str], status: int, reason: str
) -> None:
    out, *question = words
    answer = settled(run("convert", NET, tmp_path / out, *question), status)
    assert reason in answer.stderr
    assert not any(tmp_path.iterdir())


def test_a_parametric_initial_value_is_decided_exactly_and_kept_by_spec_alone(
    tmp_path: Path,
) -> None:
    source = tmp_path / "n.spec"
    source.write_text(PARAMETRIC)
    assert settled(run(source, "--cover", "q=3", "--quiet")).stdout == "reachable\n"
    assert settled(run(source, "--target", "p=0", "--quiet")).stdout == "unreachable\n"
    assert settled(run(source, "--deadlock", "--quiet")).stdout == "reachable\n"
    answer = settled(run(source, "--reversible"), 2)
    assert "parametric" in answer.stderr
    assert not answer.stdout
    told = settled(run("convert", source, tmp_path / "n.pnml"))
    assert "not fixed" in told.stderr
    settled(run("convert", source, tmp_path / "m.spec", "--cover", "q=3"))
    assert read_net(tmp_path / "m.spec").net == read_net(source).net


def test_the_answer_from_a_text_format_is_evidence_that_verifies(tmp_path: Path) -> None:
    net = tmp_path / "n.lola.gz"
    settled(run("convert", NET, net))
    settled(run(net, *COVER, "--evidence", tmp_path / "e.json"))
    answer = settled(run("verify", net, tmp_path / "e.json", "--json"))
    assert json.loads(answer.stdout)


def test_a_coloured_net_is_written_unfolded_with_a_map_of_its_names(tmp_path: Path) -> None:
    coloured, flat = NETS / "philosophers.pnml", tmp_path / "flat.pnml"
    cover = ["--cover", "eating(ada)=1, eating(cleo)=1"]
    settled(run("convert", coloured, flat, *cover))
    assert names(tmp_path) == {"flat.pnml", "flat.xml", "flat.map.json"}
    assert read_net(flat).net == read_net(coloured).net
    known = json.loads((tmp_path / "flat.map.json").read_text())
    assert known["sha256"] == read_net(coloured).sha256
    assert [*known["places"]] == [*read_net(flat).net.places]
    assert [*known["transitions"]] == [*read_net(flat).net.actions]
    assert known["places"]["fork(ben)"] == {"place": "fork", "colour": "ben"}
    assert known["transitions"]["put_down(x=eve)"] == {
        "transition": "put_down",
        "binding": {"x": "eve"},
    }
    again = run(flat, "--properties", tmp_path / "flat.xml", "--quiet")
    assert settled(again).stdout == "question: holds\n"
    refused = settled(run("convert", coloured, tmp_path / "flat.net"), 3)
    assert "flat.map.json: exists already" in refused.stderr


@pytest.mark.parametrize("out", ["flat.lola", "flat.net.gz", "flat.pnml.gz"])
def test_a_flat_net_comes_back_from_each_format_with_its_names(tmp_path: Path, out: str) -> None:
    coloured = NETS / "careful_philosophers.pnml"
    settled(run("convert", coloured, tmp_path / out))
    assert read_net(tmp_path / out).net == read_net(coloured).net


def test_that_colours_had_to_be_merged_is_told(tmp_path: Path) -> None:
    sort = Range("Number", 1, 300)
    whole = Variable("all", sort)
    places = [Place(name, sort, (Summand(1, whole, (whole,)),)) for name in "pqr"]
    taken = tuple((n, (Summand(1, Variable(name, sort)),)) for n, name in enumerate("xyz"))
    net = ColouredNet("n", tuple(places), (Transition("t", taken, ()),))
    (tmp_path / "n.pnml").write_bytes(document(net))
    told = settled(run("convert", tmp_path / "n.pnml", tmp_path / "flat.pnml")).stderr
    assert "colours that behave alike are merged" in told
    known = json.loads((tmp_path / "flat.map.json").read_text())
    assert known["classes"]["p"] == [{"_": [*range(1, 301)]}]
