"""Where questions come from: indexes, nets, folders of the Model Checking Contest, and trees."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from folders import SHARED, question_formula
from property_files import ag, bound, count, ef, fireable, number, tag, write_properties

from petricheck.arithmetic.formulas.text import to_text
from petricheck.batch.questions.index import BatchQuestion
from petricheck.batch.questions.sources import Request, is_net, read_sources
from petricheck.formats.nets import read_net, write_net
from petricheck.formats.properties import (
    InvariantProperty,
    Possible,
    RefusedProperty,
    read_properties,
)
from petricheck.model.net import make_net
from petricheck.support.errors import InputError, QueryError

BESIDE = SHARED / "nets"
NET = make_net("ring", {"p": 1, "q": 0}, {"go": ({"p": 1}, {"q": 1}), "back": ({"q": 1}, {"p": 1})})

EMPTY = ef(tag("integer-le", count("p"), number(0)))
ALIVE = ag(tag("negation", "<deadlock/>"))
NESTED = ag(EMPTY)
NEXT = tag("exists-path", tag("next", "<deadlock/>"))
SPEC = "vars p q\nrules\np >= 1 -> p' = p - 1, q' = q + 1;\ninit\np = 1, q = 0\ntarget\nq >= 2\n"


RING = [f"Ring-PT-01 {name}" for name in ("card_0", "card_1", "dead_0")]


def net(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_net(NET, path)
    return path


def entry(folder: Path, name: str, **changes: object) -> Path:
    """An index file with a net beside it; None leaves a key out."""
    keys = {"net": f"{name}.pnml", "kind": "cover", "target": [["q", ">=", 2]]}
    fields = keys | {"expected": "unreachable"} | changes
    net(folder / f"{name}.pnml")
    path = folder / f"{name}.json"
    path.write_text(json.dumps({key: v for key, v in fields.items() if v is not None}))
    return path


def model(folder: Path) -> Path:
    """A folder as the contest has them."""
    net(folder / "model.pnml")
    write_properties(folder / "ReachabilityCardinality.xml", card_0=EMPTY, card_1=NESTED)
    write_properties(folder / "ReachabilityDeadlock.xml", dead_0=ALIVE)
    write_properties(folder / "CTLFireability.xml", ctl_0=NEXT)
    (folder / "GenericPropertiesVerdict.xml").write_text('<verdict reference="x" value="true"/>')
    return folder


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: sets, a link and a file of properties."""
    for folder, name in (("b", "x"), ("a", "x"), ("a/deeper", "y"), ("a", "w")):
        entry(tmp_path / "sets" / folder, name)
    for folder in ("one/nets", "two/nets", "two/deep/nets", "other"):
        entry(tmp_path / "alike" / folder, "a")
    entry(tmp_path / "odd", "a")
    entry(tmp_path / "odd" / ".hidden", "b")
    entry(tmp_path / "odd" / "run", "c")
    entry(tmp_path / "odd" / "run" / "deeper", "d")
    (tmp_path / "odd" / "run" / "batch.sqlite").write_bytes(b"")
    (tmp_path / "odd" / "loop").symlink_to(tmp_path / "odd")
    (tmp_path / "link").symlink_to(tmp_path / "odd")
    model(tmp_path / "Ring-PT-01")
    net(tmp_path / "beside" / "a.pnml")
    write_properties(tmp_path / "beside" / "a.xml", one=EMPTY)
    net(tmp_path / "beside" / "b.pnml")
    (tmp_path / "beside" / "b.formula").write_text("EF p = 0 : AG p > 0 : EF (p = 0 U q = 0)")
    net(tmp_path / "beside" / "c.pnml")
    write_properties(tmp_path / "both.xml", one=EMPTY, two=ALIVE)
    (tmp_path / "mist").mkdir()
    net(tmp_path / "mist" / "ring.pnml")
    (tmp_path / "mist" / "ring.spec").write_text(SPEC)
    net(tmp_path / "packed" / "n.pnml.gz")
    (tmp_path / "empty").mkdir()
    entry(tmp_path / "odd", "silent", target=None)
    (tmp_path / "broken.json").write_text("{")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(questions: tuple[BatchQuestion, ...]) -> list[str]:
    return [f"{question.collection} {question.name}" for question in questions]


@pytest.mark.parametrize(
    ("paths", "request_", "asked"),
    [
        (["odd/a.json"], None, ["odd a"]),
        (["sets"], None, ["a w", "a x", "deeper y", "b x"]),
        (["odd"], None, ["odd a"]),
        (["link"], None, ["odd a"]),
        (["odd", "link", "odd/a.json", "odd/a.pnml", "odd/../odd"], None, ["odd a"]),
        (["alike"], None, ["one/nets a", "other a", "deep/nets a", "two/nets a"]),
        (["Ring-PT-01"], None, RING),
        (["Ring-PT-01/model.pnml"], None, RING),
        (["beside"], None, ["beside a/one", *(f"beside b/formula-{n}" for n in (1, 2, 3))]),
        (["beside/a.pnml"], None, ["beside a/one"]),
        (["mist"], None, ["mist ring"]),
        (["mist/ring.spec"], None, ["mist ring"]),
        (["odd/a.pnml"], ("cover", "p = 0"), ["odd a"]),
        (["odd", "Ring-PT-01"], ("deadlock", ""), ["odd a", "odd silent", "Ring-PT-01 model"]),
        (["odd/a.pnml"], Path("both.xml"), ["odd a/one", "odd a/two"]),
        (["packed"], Path("both.xml"), ["packed n/one", "packed n/two"]),
    ],
)
@pytest.mark.usefixtures("tree")
def test_paths_ask_each_question_once(
    paths: list[str], request_: Request, asked: list[str]
) -> None:
    questions = read_sources(paths, request_).questions
    assert names(questions) == asked
    if isinstance(request_, tuple):
        assert {question.kind for question in questions} == {request_[0]}


def test_a_question_holds_what_its_source_says(tree: Path) -> None:
    (index,) = read_sources(["odd/a.json"]).questions
    assert index.expected is False
    (words,) = read_sources(["odd/a.pnml"], ("cover", "p = 0")).questions
    assert (words.kind, words.text, words.expected) == ("cover", "p = 0", None)
    first, _ = read_sources(["odd/a.pnml"], Path("both.xml")).questions
    assert (first.properties, first.text) == (Path("both.xml"), "one")
    _, home, second = read_sources([tree / "Ring-PT-01"]).questions
    assert (home.kind, home.quantifier, second.quantifier) == ("home", "AG EF", "AG")
    assert (second.properties, second.text, second.net) == (
        *(tree / "Ring-PT-01" / "ReachabilityDeadlock.xml", "dead_0"),
        tree / "Ring-PT-01" / "model.pnml",
    )
    (spec,) = read_sources(["mist"]).questions
    lola = read_sources(["beside"]).questions[2]
    for question, target in (
        (index, "q >= 2"), (second, "p <= 0 and q <= 0"), (spec, "q >= 2"), (lola, "p <= 0"),
    ):  # fmt: skip
        assert to_text(question_formula(question, read_net(question.net).net)) == target
    entry(tree / "beside", "a")
    assert names(read_sources(["beside/a.pnml"]).questions) == ["beside a"]


@pytest.mark.usefixtures("tree")
def test_what_asks_nothing_is_told_with_the_reason() -> None:
    told = {path.name: reason for path, reason in read_sources(["Ring-PT-01"]).skipped}
    no = "it asks for no marking that can be reached: line 2: <next> is not supported"
    assert told.pop("CTLFireability.xml").startswith(no)
    assert told == {"GenericPropertiesVerdict.xml": "it holds no properties"}
    assert read_sources(["odd"]).skipped == ((Path("odd/silent.json"), "it asks nothing"),)


def test_the_contests_result_files_say_what_is_expected(tmp_path: Path) -> None:
    folder = model(tmp_path / "ring")
    write_properties(folder / "UpperBounds.xml", most_0=bound("p"))
    lines = ["Ring ReachabilityCardinality", "FORMULA card_0 TRUE TECHNIQUES ORACLE"]
    (folder / "card.out").write_text("\n".join([*lines, "FORMULA most_0 7"]))
    for said, dead in (("TRUE", False), ("FALSE", True), ("7", None)):
        (folder / "dead.out").write_text(
            f"FORMULA dead_0 {said}\nFORMULA unheard_of FALSE\nFORMULA card_1 TRUE\n"
        )
        questions = read_sources([folder]).questions
        assert [(q.name, q.kind, q.expected) for q in questions] == [
            ("card_0", "formula", True), ("card_1", "home", True), ("dead_0", "formula", dead),
            ("most_0", "bound", 7),
        ]  # fmt: skip
    (folder / "card.out").write_text("FORMULA card_0 TRUE\nFORMULA most_0 TRUE\n")
    assert [q.expected for q in read_sources([folder]).questions] == [True, True, None, None]
    (folder / "x.out").write_text("FORMULA card_0 FALSE\n")
    with pytest.raises(InputError, match=r"x\.out: line 1: says FALSE of 'card_0'"):
        read_sources([folder])


def test_a_compressed_net_is_known_by_its_name() -> None:
    known = [name for name in ("a.pnml", "a.PNML.gz", "a.gz", "a.xml") if is_net(Path(name))]
    assert known == ["a.pnml", "a.PNML.gz"]


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ("missing", "no such file or folder"),
        ("empty", "the folder holds no question"),
        ("odd/silent.json", "asks nothing"),
        ("both.xml", "is no net; name the net, and the properties with --properties"),
        ("broken.json", "not readable as JSON"),
        ("beside/b.formula", "is no net; name the net, and the properties with --properties"),
        ("beside/c.pnml", r"c\.pnml: nothing is asked.*--target.*c\.json"),
    ],
)
@pytest.mark.usefixtures("tree")
def test_what_holds_no_question_is_refused_by_name(path: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint) as caught:
        read_sources([path])
    assert caught.value.path == path


def test_an_index_is_not_asked_something_else_and_a_name_stands_for_one_question(
    tree: Path,
) -> None:
    with pytest.raises(QueryError, match=r"a\.json is an index and asks its own question"):
        read_sources(["odd/a.json"], ("deadlock", ""))
    entry(tree / "Ring-PT-01", "card_0")
    with pytest.raises(QueryError, match=r"two questions of .*Ring-PT-01 are named 'card_0'"):
        read_sources(["Ring-PT-01"])


def test_without_the_net_properties_have_the_meanings_that_they_have_with_it(
    tmp_path: Path,
) -> None:
    write_properties(
        tmp_path / "p.xml",
        a=EMPTY,
        b=ALIVE,
        c=tag("negation", EMPTY),
        d=tag("negation", tag("negation", EMPTY)),
        e=NESTED,
        f=NEXT,
        g="<deadlock/>",
        h=tag("conjunction", EMPTY, EMPTY),
        i=bound("p"),
        j=ef(fireable("go")),
        k=ag(tag("negation", fireable("go"))),
    )
    (tmp_path / "p.formula").write_text("EF p = 0 : AG FIREABLE(go) : EF p U q : EF DEADLOCK")
    for file in tmp_path.iterdir():
        with_net, without = (
            [(p.id, type(p.meaning)) for p in properties]
            for properties in (read_properties(file, NET), read_properties(file))
        )
        assert with_net == without
        assert {meaning for _, meaning in with_net} >= {
            Possible,
            InvariantProperty,
            RefusedProperty,
        }


@pytest.mark.skipif(not BESIDE.is_dir(), reason="the shared nets are not here")
def test_real_files_have_the_same_meanings_without_the_net() -> None:
    for path in sorted(BESIDE.glob("tapaal/*.xml")):
        known = read_properties(path, read_net(path.with_suffix(".pnml")).net)
        for one, other in zip(known, read_properties(path), strict=True):
            assert (one.id, type(one.meaning)) == (other.id, type(other.meaning))


def test_what_never_ends_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "loop.pnml").symlink_to("loop.pnml")
    (question,) = read_sources([tmp_path], ("deadlock", "")).questions
    assert question.net == tmp_path / "loop.pnml"  # left to whoever reads it
    net(tmp_path / "model.pnml")
    for name in ("index.json", "answers.out"):
        os.mkfifo(tmp_path / name)
    for paths, properties in (
        ([tmp_path], None),
        ([tmp_path / "model.pnml"], tmp_path / "index.json"),
        (["/dev/zero"], Path("/dev/zero")),
    ):
        with pytest.raises(InputError, match="is no regular file"):
            read_sources(paths, properties)
    write_properties(tmp_path / "asked.xml", card=EMPTY)
    assert len(read_sources([tmp_path / "model.pnml"]).questions) == 1


@pytest.mark.skipif(not BESIDE.is_dir(), reason="the shared nets are not here")
def test_all_sets_of_a_folder_are_read_at_once() -> None:
    sources = read_sources([BESIDE])
    assert len(sources.questions) == len(list(BESIDE.glob("*/*.json")))
    assert {question.collection for question in sources.questions} == {
        folder.name for folder in BESIDE.iterdir()
    }
    assert sources.skipped == ()
