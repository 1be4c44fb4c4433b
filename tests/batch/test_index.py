"""The index: one JSON file says one question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from folders import ROOT, question_formula, questions_of, read_question
from questions import parse_query

from petricheck.arithmetic.formulas.formulas import evaluate
from petricheck.batch.questions.index import BatchQuestion, read_questions
from petricheck.model.net import make_net
from petricheck.support.errors import InputError, QueryError

NET = make_net("two", {"p": 0, "q": 0}, {"t": ({"p": 1}, {"q": 1})})
ENTRY = {
    "net": "two.pnml",
    "kind": "reach",
    "target": [["p", "==", 1], ["q", ">=", 2]],
    "expected": "unreachable",
}


def written(folder: Path, name: str = "two", /, **changes: object) -> Path:
    """An index file with these keys changed; None leaves a key out."""
    entry = {key: value for key, value in (ENTRY | changes).items() if value is not None}
    path = folder / f"{name}.json"
    path.write_text(json.dumps(entry), encoding="utf-8")
    return path


def asked(path: Path) -> BatchQuestion:
    """The question of a file that asks one."""
    question = read_question(path)
    assert question is not None
    return question


def test_a_question_holds_what_its_file_says(tmp_path: Path) -> None:
    path = written(tmp_path, why="because", source="here", bounded=False, witness=["t"], row="Two")
    question = asked(path)
    assert question.name == "two"
    assert question.net == tmp_path / "two.pnml"
    assert (question.kind, question.text) == ("formula", "p = 1 and q >= 2")
    assert question.expected is False
    assert (question.why, question.source, question.row) == ("because", "here", "Two")
    assert question.bounded is False
    assert question.witness == ("t",)


def test_what_is_not_said_is_not_known_and_an_empty_witness_is_said(tmp_path: Path) -> None:
    question = asked(written(tmp_path))
    assert (question.bounded, question.witness) == (None, None)
    assert (question.why, question.source, question.row) == ("", "", "")
    assert asked(written(tmp_path, witness=[])).witness == ()


def test_an_entry_without_a_target_asks_nothing(tmp_path: Path) -> None:
    assert read_question(written(tmp_path, target=None, kind="formula")) is None


def test_a_kind_without_words_is_asked_by_its_name(tmp_path: Path) -> None:
    for target in (None, ENTRY["target"]):
        question = asked(written(tmp_path, target=target, kind="deadlock"))
        assert (question.kind, question.text, question.expected) == ("deadlock", "", False)


@pytest.mark.parametrize(
    "bounds",
    [
        [], [["p", "<", 1]], [["p", "==", 1.0]], [["p", "==", True]], [["p", "=="]],
        [[["p"], ["=="], 1]], ["p"], [["p", "==", "x" * 1000]],
    ],
)  # fmt: skip
def test_malformed_bounds_are_refused(tmp_path: Path, bounds: object) -> None:
    with pytest.raises(InputError, match=r"target: a list of \[place, == or >= or <=, integer\]"):
        read_question(written(tmp_path, target=bounds))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"net": None}, "missing required field `net`"),
        ({"net": 7}, "net: text is expected"),
        ({"kind": "safety"}, "kind: 'safety' is none of reach, cover, formula, .*bound"),
        ({"expected": None}, "expected: reachable, .* or unknown is expected, not nothing"),
        ({"expected": "safe"}, 'expected: reachable, .* or unknown is expected, not "safe"'),
        ({"expected": "yes"}, 'is expected, not "yes"'),
        ({"expected": True}, "is expected, not true"),
        ({"expected": 1}, "is expected, not 1"),
        ({"target": 1}, "target: text is expected, not an integer"),
        ({"bounded": "yes"}, "bounded: true or false or nothing is expected, not text"),
        ({"witness": "t"}, "witness: a list or nothing is expected, not text"),
        ({"witness": [1]}, r"witness\[.*\]: text is expected, not an integer"),
        ({"target": None, "mcc": {"xml": "a.xml"}}, "mcc: .*missing required field `id`"),
        ({"target": None, "formula": 7}, "formula: text is expected, not an integer"),
        ({"target": None, "kind": "bound"}, "bound: text is expected, not nothing"),
        ({"target": None, "bound": "p", "expected": None}, "expected: a number, unbounded .* not"),
        ({"kind": "cover", "expected": "maximum 3"}, "expected: reachable"),
    ],
)
def test_a_malformed_entry_is_refused_with_its_file_and_the_reason(
    tmp_path: Path, changes: dict[str, object], reason: str
) -> None:
    path = written(tmp_path, **changes)
    with pytest.raises(InputError, match=reason) as refused:
        read_question(path)
    assert refused.value.path == str(path)
    assert len(refused.value.message) < 200


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"7",
        b"\xff\xfe",
        b"[" * 200_000,
        b'{"target": [["p", "==", ' + b"9" * 10_000 + b"]]}",
    ],
    ids=["empty", "cut short", "a number", "no UTF-8", "nested", "ten thousand digits"],
)
def test_a_file_that_is_no_json_object_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as refused:
        read_question(path)
    assert refused.value.path == str(path)


def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.json"):
        read_question(tmp_path / "absent.json")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"target": [["q", "==", 4]]}, "q = 4"),
        ({"target": [["q", ">=", 4]]}, "q >= 4"),
        ({"target": [["q", "<=", 4]]}, "q <= 4"),
        ({}, "p = 1 and q >= 2"),
        ({"target": None, "formula": "p + q = 3 or q mod 2 = 1"}, "p + q = 3 or q mod 2 = 1"),
        ({"target": "p=1", "kind": None}, "p = 1 and q = 0"),
    ],
)
def test_a_target_means_its_bounds_or_its_words(
    tmp_path: Path, changes: dict[str, object], words: str
) -> None:
    formula = question_formula(asked(written(tmp_path, **changes)), NET)
    expected = parse_query("formula", NET, words)
    for p in range(4):
        for q in range(6):
            values = {"p": p, "q": q}
            assert evaluate(formula, values) == evaluate(expected, values), values


def test_a_bound_on_no_place_of_the_net_is_refused(tmp_path: Path) -> None:
    question = asked(written(tmp_path, target=[["r", "==", 1]]))
    with pytest.raises(QueryError, match=r"'r'"):
        question_formula(question, NET)


@pytest.mark.parametrize("words", ["p + = 3", "r = 1", "@/dev/null"])
def test_words_that_are_no_formula_are_refused(tmp_path: Path, words: str) -> None:
    question = asked(written(tmp_path, target=None, formula=words))
    with pytest.raises(QueryError):
        question_formula(question, NET)


def test_evidence_beside_an_index_is_no_entry(tmp_path: Path) -> None:
    evidence = {"format": "petricheck evidence", "net": "two", "target": {"or": []}}
    path = tmp_path / "asked-evidence.json"
    path.write_text(json.dumps(evidence))
    assert read_question(path) is None


PROPERTIES = """<property-set><property><id>{}</id><formula>
<exists-path><finally><integer-le><integer-constant>3</integer-constant><tokens-count>
<place>p</place></tokens-count></integer-le></finally></exists-path></formula></property>
</property-set>"""


def test_a_target_may_be_a_property_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "asked.xml").write_text(PROPERTIES.format("three"))
    mcc = {"xml": "asked.xml", "id": "three", "holds_iff": "reachable"}
    question = asked(written(tmp_path, target=None, mcc=mcc))
    assert (question.properties, question.text) == (tmp_path / "asked.xml", "three")
    formula = question_formula(question, NET)
    assert [evaluate(formula, {"p": p, "q": 0}) for p in (2, 3)] == [False, True]


@pytest.mark.parametrize(
    ("properties", "complaint"),
    [
        (PROPERTIES.format("four"), "the file has no property 'three'"),
        (PROPERTIES.format("three").replace("tokens-count", "place-bound"), "is refused"),
        ("<property-set>", "asked.xml"),
    ],
)
def test_a_property_that_asks_nothing_is_refused(
    tmp_path: Path, properties: str, complaint: str
) -> None:
    (tmp_path / "asked.xml").write_text(properties)
    mcc = {"xml": "asked.xml", "id": "three"}
    with pytest.raises((InputError, QueryError), match=complaint):
        question_formula(asked(written(tmp_path, target=None, mcc=mcc)), NET)


LISTED = [
    {"name": "no q", "formula": "q >= 1", "expected": "unreachable"},
    {"deadlock": True, "bounded": True},
    {"bound": "p", "expected": 3},
    {"live": "t", "expected": "not live", "why": "p is empty"},
]


def test_a_list_asks_several_questions_named_after_its_file(tmp_path: Path) -> None:
    path = tmp_path / "checks.json"
    path.write_text(json.dumps([{"net": "two.pnml", **entry} for entry in LISTED]))
    questions = read_questions(path)
    assert [(q.name, q.kind, q.text, q.expected) for q in questions] == [
        ("checks/no q", "formula", "q >= 1", False),
        ("checks/2", "deadlock", "", None),
        ("checks/3", "bound", "p", 3),
        ("checks/4", "live", "t", False),
    ]
    assert {q.net for q in questions} == {tmp_path / "two.pnml"}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (7, "question 2: an object is expected, not an integer"),
        ({"net": "two.pnml"}, "question 2: it asks nothing"),
        ({"net": "two.pnml", "bounded": True}, "question 2: it asks nothing"),
        ({"net": "two.pnml", "deadlock": "", "collection": "x"}, "no key is named 'collection'"),
        ({"net": "two.pnml", "expect": 1}, "no key is named 'expect'; did you mean 'expected'"),
        ({"net": "two.pnml", "deadlock": "", "expected": "safe"}, "question 2: expected: reach"),
        ({"kind": "deadlock"}, "question 2: .*missing required field `net`"),
        ({"net": "two.pnml", "kind": "deadlock", "name": []}, "question 2: name: "),
    ],
)
def test_what_is_wrong_in_a_list_is_told_with_its_place(
    tmp_path: Path, entry: object, reason: str
) -> None:
    path = tmp_path / "checks.json"
    path.write_text(json.dumps([{"net": "two.pnml", "kind": "deadlock"}, entry]))
    with pytest.raises(InputError, match=reason):
        read_questions(path)


@pytest.mark.parametrize(("word", "answer"), [("holds", False), ("violated", True)])
def test_of_a_property_it_may_be_expected_that_it_holds(
    tmp_path: Path, word: str, answer: bool
) -> None:
    always = PROPERTIES.format("three").replace("exists-path", "all-paths")
    (tmp_path / "asked.xml").write_text(always.replace("finally", "globally"))
    mcc = {"xml": "asked.xml", "id": "three"}
    question = asked(written(tmp_path, target=None, mcc=mcc, expected=word))
    assert (question.quantifier, question.expected) == ("AG", answer)
    assert question.reading(answer, "reachable") == f"{word} (reachable)"


def test_this_projects_own_index_has_a_target_and_a_reason_everywhere() -> None:
    questions = questions_of(ROOT / "nets")
    assert questions
    assert all(q.net.exists() and q.why and q.source for q in questions)
