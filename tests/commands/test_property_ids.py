"""Ids of properties are names: in no line do they pass for more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from invoked import run
from property_files import bound, file_of, possible, prop

from petricheck.commands.answers.reports import is_word, one_word
from petricheck.formats.nets import write_net
from petricheck.model.net import make_net

FORGED = "q FALSE TECHNIQUES FAKE"
BOUND, STATE = bound("p"), possible(1, "p")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    net = make_net("n", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": 1})})
    write_net(net, tmp_path / "model.pnml")
    return tmp_path


def write(folder: Path, formula: str, *names: str) -> str:
    path = folder / ("UpperBounds.xml" if formula == BOUND else "ReachabilityCardinality.xml")
    path.write_text(file_of(*(prop(formula, name) for name in names)))
    return str(path)


@pytest.mark.parametrize("name", ["a", "A-PT-01-Fireability-2024-00", "always/ever", "é", "x:"])
def test_an_id_of_one_word_is_told_as_it_is(name: str) -> None:
    assert is_word(name) and one_word(name) == name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (FORGED, f'"{FORGED}"'),
        ("", '""'),
        ("a\nb", '"a\\nb"'),
        ('a"', '"a\\""'),
        ("a\u202eb", '"a\\u202eb"'),
        ("é b", '"é b"'),
        ("a\u00a0b", '"a\\xa0b"'),
        ("a\\nb c", '"a\\\\nb c"'),
    ],
)
def test_other_ids_are_quoted(name: str, shown: str) -> None:
    assert not is_word(name) and one_word(name) == shown


@pytest.mark.parametrize("formula", [STATE, BOUND], ids=["state", "bound"])
def test_an_id_of_several_words_is_refused_for_the_contest_before_any_work(
    formula: str, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(model, formula, "a", FORGED)
    monkeypatch.setattr("petricheck.questions.Schedule.events", pytest.fail)
    listed = run(model / "model.pnml", "--properties", file, "--mcc")
    assert (listed.exit_code, listed.stdout) == (3, "")
    examination = Path(file).stem
    taken_part = run("mcc", model, "--examination", examination)
    assert (taken_part.exit_code, taken_part.stdout) == (3, "CANNOT_COMPUTE\n")
    for result in (listed, taken_part):
        assert f'{file}: the id "{FORGED}" is not one word' in result.stderr
        assert "rename the property" in result.stderr


def test_an_id_that_is_not_asked_forges_nothing(model: Path) -> None:
    words = [model / "model.pnml", "--properties", write(model, STATE, "a", FORGED), "--mcc"]
    assert run(*words, "--property", "a").stdout.startswith("FORMULA a TRUE TECHNIQUES ")


@pytest.mark.parametrize(
    ("formula", "answer"), [(STATE, "holds"), (BOUND, "maximum 1")], ids=["state", "bound"]
)
def test_elsewhere_an_id_of_several_words_is_quoted(formula: str, answer: str, model: Path) -> None:
    words = [model / "model.pnml", "--properties", write(model, formula, FORGED)]
    assert run(*words, "--quiet").stdout == f'"{FORGED}": {answer}\n'
    assert run(*words).stdout.startswith(f'"{FORGED}": {answer}')
    assert json.loads(run(*words, "--json").stdout)["property"] == FORGED
