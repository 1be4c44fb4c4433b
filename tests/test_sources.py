"""Where questions come from: indexes, nets, folders of the Model Checking Contest, and trees."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from folders import question_formula

from petricheck.batch.questions.index import Question
from petricheck.batch.questions.sources import is_net, read_sources
from petricheck.errors import InputError, QueryError
from petricheck.formats import read_net, write_net
from petricheck.presburger.text import to_text
from petricheck.problem import make_net
from petricheck.properties import Invariant, Possible, Refused, read_properties

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "nets"
NET = make_net("ring", {"p": 1, "q": 0}, {"go": ({"p": 1}, {"q": 1}), "back": ({"q": 1}, {"p": 1})})

EMPTY = "<exists-path><finally><integer-le><tokens-count><place>p</place></tokens-count>"
EMPTY += "<integer-constant>0</integer-constant></integer-le></finally></exists-path>"
ALIVE = "<all-paths><globally><negation><deadlock/></negation></globally></all-paths>"
NESTED = f"<all-paths><globally>{EMPTY}</globally></all-paths>"
FIREABLE = "<is-fireable><transition>go</transition></is-fireable>"
NEXT = "<exists-path><next><deadlock/></next></exists-path>"


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


def properties(path: Path, **formulas: str) -> Path:
    """A file of properties, by id."""
    parts = [
        f"<property><id>{name}</id><description>d</description><formula>{formula}</formula></property>"
        for name, formula in formulas.items()
    ]
    namespace = 'xmlns="http://mcc.lip6.fr/"'
    path.write_text(f"<property-set {namespace}>{''.join(parts)}</property-set>")
    return path


def model(folder: Path) -> Path:
    """A folder as the contest has them."""
    net(folder / "model.pnml")
    properties(folder / "ReachabilityCardinality.xml", card_0=EMPTY, card_1=NESTED)
    properties(folder / "ReachabilityDeadlock.xml", dead_0=ALIVE)
    properties(folder / "CTLFireability.xml", ctl_0=NEXT)
    (folder / "GenericPropertiesVerdict.xml").write_text('<verdict reference="x" value="true"/>')
    return folder


def names(questions: tuple[Question, ...]) -> list[tuple[str, str]]:
    return [(question.collection, question.name) for question in questions]


def test_an_index_file_asks_its_question(tmp_path: Path) -> None:
    (question,) = read_sources([entry(tmp_path / "set", "a")]).questions
    assert (question.collection, question.name) == ("set", "a")
    assert question.expected is False
    assert to_text(question_formula(question, read_net(question.net).net)) == "q >= 2"


def test_a_folder_is_read_with_all_folders_below_it(tmp_path: Path) -> None:
    for folder, name in (("b", "x"), ("a", "x"), ("a/deeper", "y"), ("a", "w")):
        entry(tmp_path / folder, name)
    found = read_sources([tmp_path]).questions
    assert names(found) == [("a", "w"), ("a", "x"), ("deeper", "y"), ("b", "x")]


def test_links_hidden_folders_and_stores_of_a_batch_are_left_out(tmp_path: Path) -> None:
    entry(tmp_path / "set", "a")
    entry(tmp_path / "set" / ".hidden", "b")
    entry(tmp_path / "set" / "run", "c")
    (tmp_path / "set" / "run" / "batch.sqlite").write_bytes(b"")
    (tmp_path / "set" / "loop").symlink_to(tmp_path / "set")
    assert names(read_sources([tmp_path / "set"]).questions) == [("set", "a")]


def test_a_link_that_is_named_is_followed(tmp_path: Path) -> None:
    entry(tmp_path / "set", "a")
    (tmp_path / "link").symlink_to(tmp_path / "set")
    assert names(read_sources([tmp_path / "link"]).questions) == [("set", "a")]


def test_a_question_that_several_paths_lead_to_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = entry(tmp_path / "set", "a")
    model(tmp_path / "set" / "m")
    monkeypatch.chdir(tmp_path)
    paths = ["set", path, tmp_path, "set/a.pnml", "set/m/model.pnml"]
    assert read_sources(paths) == read_sources(["set"])


def test_folders_of_the_same_name_are_told_apart_by_the_folders_above(tmp_path: Path) -> None:
    for folder in ("one/nets", "two/nets", "two/deep/nets", "other"):
        entry(tmp_path / folder, "a")
    found = {question.collection for question in read_sources([tmp_path]).questions}
    assert found == {"one/nets", "two/nets", "deep/nets", "other"}


def test_an_entry_that_asks_nothing_is_reported(tmp_path: Path) -> None:
    entry(tmp_path, "a")
    silent = entry(tmp_path, "b", target=None)
    sources = read_sources([tmp_path])
    assert [question.name for question in sources.questions] == ["a"]
    assert [skipped.path for skipped in sources.skipped] == [silent]


def test_a_contest_folder_asks_each_property_after_reachability(tmp_path: Path) -> None:
    folder = model(tmp_path / "Ring-PT-01")
    sources = read_sources([tmp_path])
    assert names(sources.questions) == [("Ring-PT-01", "card_0"), ("Ring-PT-01", "dead_0")]
    first, second = sources.questions
    assert (first.properties, first.text) == (folder / "ReachabilityCardinality.xml", "card_0")
    assert second.net == folder / "model.pnml"
    read = read_net(second.net).net
    assert to_text(question_formula(second, read)) == "p <= 0 and q <= 0"
    assert {skipped.path.name: skipped.reason for skipped in sources.skipped} == {
        "CTLFireability.xml": "1 of 1 properties ask for no marking that can be reached: line 1: "
        "<next> is not supported; only questions after reachability are",
        "GenericPropertiesVerdict.xml": "it holds no properties",
        "ReachabilityCardinality.xml": "1 of 2 properties ask for no marking that can be reached: "
        "line 1: <globally> must hold a formula about one marking, not a formula that begins with "
        "a path quantifier",
    }


def test_the_contests_result_files_say_what_is_expected(tmp_path: Path) -> None:
    folder = model(tmp_path / "ring")
    lines = ["Ring ReachabilityCardinality", "FORMULA card_0 TRUE TECHNIQUES ORACLE"]
    (folder / "card.out").write_text("\n".join(lines))
    (folder / "dead.out").write_text("FORMULA dead_0 TRUE\nFORMULA unheard_of FALSE\n")
    expected = {each.name: each.expected for each in read_sources([folder]).questions}
    assert expected == {"card_0": True, "dead_0": False}
    (folder / "dead.out").write_text("FORMULA dead_0 FALSE\n")
    expected = {each.name: each.expected for each in read_sources([folder]).questions}
    assert expected == {"card_0": True, "dead_0": True}


def test_results_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    folder = model(tmp_path / "ring")
    (folder / "a.out").write_text("FORMULA card_0 TRUE\n")
    (folder / "b.out").write_text("FORMULA card_0 FALSE\n")
    with pytest.raises(InputError, match=r"b\.out: line 1: says FALSE of 'card_0'"):
        read_sources([folder])


@pytest.mark.parametrize("kind", ["target", "cover", "formula", "deadlock"])
def test_words_are_asked_of_a_net(tmp_path: Path, kind: str) -> None:
    path = net(tmp_path / "set" / "ring.pnml")
    text = "" if kind == "deadlock" else "p = 0"
    (question,) = read_sources([path], (kind, text)).questions
    assert (question.collection, question.name) == ("set", "ring")
    assert (question.kind, question.text) == (kind, text)


def test_words_are_asked_of_every_net_below_a_folder(tmp_path: Path) -> None:
    entry(tmp_path / "set", "a")
    model(tmp_path / "set" / "m")
    found = read_sources([tmp_path], ("deadlock", "")).questions
    assert names(found) == [("set", "a"), ("m", "model")]
    assert {question.expected for question in found} == {None}


def test_the_properties_of_a_file_are_asked_of_a_net(tmp_path: Path) -> None:
    path = net(tmp_path / "set" / "ring.pnml")
    file = properties(tmp_path / "elsewhere.xml", one=EMPTY, two=ALIVE)
    found = read_sources([path], file).questions
    assert names(found) == [("set", "ring/one"), ("set", "ring/two")]
    assert (found[0].properties, found[0].text) == (file, "one")


def test_a_net_is_asked_what_stands_beside_it(tmp_path: Path) -> None:
    beside = net(tmp_path / "set" / "ring.pnml")
    properties(tmp_path / "set" / "ring.xml", one=EMPTY)
    assert names(read_sources([beside]).questions) == [("set", "ring/one")]
    entry(tmp_path / "set", "ring")
    assert names(read_sources([beside]).questions) == [("set", "ring")]


def test_a_net_in_a_folder_is_asked_what_stands_beside_it_or_nothing(tmp_path: Path) -> None:
    net(tmp_path / "set" / "a.pnml")
    properties(tmp_path / "set" / "a.xml", one=EMPTY)
    net(tmp_path / "set" / "b.pnml")
    (tmp_path / "set" / "b.formula").write_text("EF p = 0 : AG p > 0")
    net(tmp_path / "set" / "c.pnml")
    found = read_sources([tmp_path]).questions
    assert [each.name for each in found] == ["a/one", "b/formula-1", "b/formula-2"]
    assert to_text(question_formula(found[2], NET)) == "p <= 0"


def test_a_file_that_holds_net_and_target_asks_by_itself(tmp_path: Path) -> None:
    spec = tmp_path / "set" / "ring.spec"
    net(tmp_path / "set" / "ring.pnml")
    spec.write_text(
        "vars p q\nrules\np >= 1 -> p' = p - 1, q' = q + 1;\ninit\np = 1, q = 0\ntarget\nq >= 2\n"
    )
    for paths in ([spec], [tmp_path]):
        (found,) = read_sources(paths).questions
        assert (found.collection, found.name, found.properties, found.text) == (
            "set",
            "ring",
            spec,
            "target",
        )
        assert to_text(question_formula(found, read_net(found.net).net)) == "q >= 2"


def test_a_compressed_net_is_known_by_its_name() -> None:
    assert is_net(Path("a.pnml"))
    assert is_net(Path("a.PNML.gz"))
    assert not is_net(Path("a.gz"))
    assert not is_net(Path("a.xml"))


def test_a_net_that_is_asked_nothing_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = net(tmp_path / "ring.pnml")
    with pytest.raises(InputError, match=r"ring\.pnml: nothing is asked.*--target.*ring\.json"):
        read_sources([path])


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("missing", "no such file or folder"),
        ("empty", "the folder holds no question"),
        ("silent.json", "asks nothing"),
        ("properties.xml", "is no net; name the net, and the properties with --properties"),
        ("broken.json", "not readable as JSON"),
        ("lola.formula", "is no net; name the net, and the properties with --properties"),
    ],
)
def test_what_holds_no_question_is_refused_by_name(
    tmp_path: Path, name: str, complaint: str
) -> None:
    (tmp_path / "empty").mkdir()
    entry(tmp_path, "silent", target=None)
    properties(tmp_path / "properties.xml", one=EMPTY)
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "lola.formula").write_text("EF p = 0")
    with pytest.raises(InputError, match=complaint) as caught:
        read_sources([tmp_path / name])
    assert caught.value.path == str(tmp_path / name)


def test_an_index_is_not_asked_something_else(tmp_path: Path) -> None:
    path = entry(tmp_path, "a")
    with pytest.raises(QueryError, match=r"a\.json is an index and asks its own question"):
        read_sources([path], ("deadlock", ""))


def test_two_questions_of_one_name_are_refused(tmp_path: Path) -> None:
    folder = model(tmp_path / "ring")
    entry(folder, "card_0")
    with pytest.raises(QueryError, match=r"two questions of .*ring are named 'card_0'"):
        read_sources([folder])


def test_without_the_net_properties_have_the_meanings_that_they_have_with_it(
    tmp_path: Path,
) -> None:
    path = properties(
        tmp_path / "p.xml",
        a=EMPTY,
        b=ALIVE,
        c=f"<negation>{EMPTY}</negation>",
        d=f"<negation><negation>{EMPTY}</negation></negation>",
        e=NESTED,
        f=NEXT,
        g="<deadlock/>",
        h=f"<conjunction>{EMPTY}{EMPTY}</conjunction>",
        i="<place-bound><place>p</place></place-bound>",
        j=f"<exists-path><finally>{FIREABLE}</finally></exists-path>",
        k=f"<all-paths><globally><negation>{FIREABLE}</negation></globally></all-paths>",
    )
    (tmp_path / "p.formula").write_text("EF p = 0 : AG FIREABLE(go) : EF p U q : EF DEADLOCK")
    for file in (path, tmp_path / "p.formula"):
        known, unknown = read_properties(file, NET), read_properties(file)
        assert [(p.id, type(p.meaning)) for p in known] == [
            (p.id, type(p.meaning)) for p in unknown
        ]
        assert {type(p.meaning) for p in known} >= {Possible, Invariant, Refused}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared nets are not here")
def test_real_files_have_the_same_meanings_without_the_net() -> None:
    for path in sorted(SHARED.glob("tapaal/*.xml")):
        known = read_properties(path, read_net(path.with_suffix(".pnml")).net)
        for one, other in zip(known, read_properties(path), strict=True):
            assert (one.id, type(one.meaning)) == (other.id, type(other.meaning))


def test_a_net_that_links_to_itself_is_left_to_whoever_reads_it(tmp_path: Path) -> None:
    (tmp_path / "loop.pnml").symlink_to("loop.pnml")
    (question,) = read_sources([tmp_path], ("deadlock", "")).questions
    assert question.net == tmp_path / "loop.pnml"


def test_what_never_ends_is_not_read(tmp_path: Path) -> None:
    net(tmp_path / "model.pnml")
    for name in ("index.json", "answers.out"):
        os.mkfifo(tmp_path / name)
    for ask in (
        lambda: read_sources([tmp_path]),
        lambda: read_sources([tmp_path / "model.pnml"], tmp_path / "index.json"),
        lambda: read_sources(["/dev/zero"], Path("/dev/zero")),
    ):
        with pytest.raises(InputError, match="is no regular file"):
            ask()
    properties(tmp_path / "asked.xml", card=EMPTY)
    assert len(read_sources([tmp_path / "model.pnml"]).questions) == 1


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared nets are not here")
def test_all_sets_of_a_folder_are_read_at_once() -> None:
    sources = read_sources([SHARED])
    assert len(sources.questions) == len(list(SHARED.glob("*/*.json")))
    assert {question.collection for question in sources.questions} == {
        folder.name for folder in SHARED.iterdir()
    }
    assert sources.skipped == ()
