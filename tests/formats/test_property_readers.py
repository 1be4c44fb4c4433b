"""Questions in LoLA's and mist's files: what they mean, and what is refused and how."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from questions import parse_query

from petricheck.arithmetic.formulas.formulas import evaluate
from petricheck.formats.properties import (
    InvariantProperty,
    Meaning,
    Possible,
    RefusedProperty,
    read_properties,
)
from petricheck.formats.properties.readers.lola import Lola
from petricheck.formats.properties.readers.mist import Mist
from petricheck.formats.properties.vocabulary import Vocabulary
from petricheck.model.net import Net, make_net
from petricheck.support import plugins
from petricheck.support.errors import InputError

NET = make_net(
    "n",
    {"p": 1, "q": 2, "r-1": 0, "A": 0},
    {"t": ({"p": 1, "q": 2}, {"r-1": 1}), "u": ({"p": 1}, {"q": 1})},
)
VALUES = [
    {"p": p, "q": q, "r-1": r, "A": a}
    for p in range(3)
    for q in range(4)
    for r in range(2)
    for a in range(2)
]


def lola(text: str, net: Net = NET) -> Meaning:
    vocabulary = Vocabulary(net)
    (only,) = Lola().read((text.encode(),), "file", vocabulary)
    return vocabulary.spelled_out(only.meaning)


def same(meaning: Meaning, kind: type[Possible | InvariantProperty], question: str) -> None:
    assert isinstance(meaning, kind), meaning
    expected = parse_query("formula", NET, question)
    for values in VALUES:
        assert evaluate(meaning.target, values) == evaluate(expected, values), values


@pytest.mark.parametrize(
    ("text", "kind", "question"),
    [
        ("EF p = 1", Possible, "p = 1"),
        ("FORMULA EF ( p > 1 ) ;", Possible, "p > 1"),
        ("AG p <= 1", InvariantProperty, "p > 1"),
        ("EXPATH EVENTUALLY p != q", Possible, "p != q"),
        ("ALLPATH ALWAYS (p <> q)", InvariantProperty, "p = q"),
        ("A G (p # q)", InvariantProperty, "p = q"),
        ("E F NOT p < q", Possible, "p >= q"),
        ("NOT EF p = 1", InvariantProperty, "p = 1"),
        ("NOT AG p = 1", Possible, "p != 1"),
        ("REACHABLE p = 1", Possible, "p = 1"),
        ("INVARIANT p = 1", InvariantProperty, "p != 1"),
        ("IMPOSSIBLE p = 1", InvariantProperty, "p = 1"),
        (f"EF ({'p = 1 OR ' * 300} q = 1)", Possible, "p = 1 or q = 1"),
        ("EF (p = 1 AND q = 1 OR q = 3)", Possible, "(p = 1 and q = 1) or q = 3"),
        ("EF (p = 1 OR q = 1 AND p = 2)", Possible, "p = 1 or (q = 1 and p = 2)"),
        ("EF (p = 1 OR q = 1 AND p = 0 OR q = 3)", Possible, "p = 1 or q = 1 and p = 0 or q = 3"),
        ("EF (p = 1 -> q = 1)", Possible, "p = 1 -> q = 1"),
        ("EF (p = 1 XOR q = 1)", Possible, "(p = 1 and q != 1) or (p != 1 and q = 1)"),
        ("EF (p = 1 <-> q = 1)", Possible, "(p = 1 and q = 1) or (p != 1 and q != 1)"),
        ("EF (2 * p + q - 1 >= 3 * q)", Possible, "2*p + q - 1 >= 3*q"),
        ("EF (p - q + 1 > -1)", Possible, "p - q + 1 > -1"),
        ("EF ((p + q) * 2 < ((5)))", Possible, "2*p + 2*q < 5"),
        ("EF p - (q - 1) = 0", Possible, "p - q + 1 = 0"),
        ("EF FIREABLE(t)", Possible, "p >= 1 and q >= 2"),
        ("EF (FIREABLE ( t ) AND NOT FIREABLE(u))", Possible, "false"),
        ("EF DEADLOCK", Possible, "p = 0"),
        ("AG NOT DEADLOCK", InvariantProperty, "p = 0"),
        ("EF TRUE", Possible, "true"),
        ("AG (FALSE OR p = 1)", InvariantProperty, "p != 1"),
        ("EF r-1 = 1", Possible, '"r-1" = 1'),
        ("EF A = 1", Possible, "A = 1"),
        ("EF (1 = A)", Possible, "A = 1"),
        ("/* a */ EF { and } p = 1 /* b */", Possible, "p = 1"),
        ('{ petricheck: place x7 is "r-1" }\nEF x7 = 1', Possible, '"r-1" = 1'),
        ('{ petricheck: transition x7 is "u" }\nEF FIREABLE(x7)', Possible, "p >= 1"),
    ],
)
def test_a_formula_of_lola_means_what_it_says(
    text: str, kind: type[Possible | InvariantProperty], question: str
) -> None:
    same(lola(text), kind, question)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("p = 1", "no path"),
        (f"EF (1{'0' * 3999} * p * 10 >= q)", "more than 4000 digits"),
        (f"EF (1{'0' * 3999} * 10 >= q)", "more than 4000 digits"),
        ("EF p = 1 AND q = 1", "outermost"),
        ("EF (EF p = 1)", "EF (…)"),
        ("EF AG p = 1", "EF (…)"),
        ("AG AG p = 1", "EF (…)"),
        ("AG EF AG p = 1", "EF (…)"),
        ("NOT AG EF p = 1", "outermost"),
        ("AG (p = 1 -> EF q = 1)", "outermost"),
        ("EG p = 1", "EF (…)"),
        ("AF p = 1", "EF (…)"),
        ("F p = 1", "EF (…)"),
        ("EX p = 1", "EF (…)"),
        ("E (p = 1 U q = 1)", "until"),
        ("E (p = 1 UNTIL q = 1)", "until"),
        ("EF INITIAL", "INITIAL"),
        ("MAX(p)", "MAX"),
        ("EF p < oo", "oo"),
        ("EF x = 1", "no place 'x'"),
        ("EF p>1", "blanks around operators"),
        ("EF FIREABLE(x)", "no transition with the id 'x'"),
        ("EF (p * q = 1)", "multiplied"),
        ("EF (p = 1) = 2", "a condition stands"),
        ("EF (p AND q)", "a number of tokens stands"),
        ("EF p", "before a number"),
        ("EF " + "(" * 200 + "p = 1" + ")" * 200, "nests deeper"),
        ("EF (" + " AND ".join(["(p = 1 XOR q = 1)"] * 9) + ")", "more than 8"),
    ],
)
def test_what_is_no_question_after_reachability_is_refused_by_itself(
    text: str, reason: str
) -> None:
    first, second = Lola().read((f"EF p = 1 :\n{text}".encode(),), "file", Vocabulary(NET))
    assert isinstance(first.meaning, Possible)
    assert isinstance(second.meaning, RefusedProperty)
    assert reason in second.meaning.reason
    assert second.meaning.reason.startswith("line 2: ")
    assert (first.id, second.id) == ("formula-1", "formula-2")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("EF (p = 1\n", 2, "')'"),
        ("EF p = 1\n)", 2, "a connective"),
        ("EF p = ", 1, "the file ends"),
        ("EF (p -1 = 0)", 1, "'-1'"),
        ("EF (p = 1 -> q = 1 -> p = 2)", 1, "parentheses"),
        ("EF (p = 1)\nq", 2, "the end"),
        ("EF (p = 1) ;\nq = 1", 2, "the end"),
        ("EF (p = 1\nAND q = 1\nXOR p = 2)", 3, "AND and XOR"),
        ("EF p = 1 :", 1, "the file ends"),
        ("EF FIREABLE t", 1, "'('"),
        ("EF p = 1; EF q = 1", 1, "the end"),
        ("EF { a } p = { b } 1", 1, "two on a line"),
        ("EF (p, q)", 1, "')'"),
    ],
)
def test_a_file_that_breaks_the_grammar_is_refused_at_the_line(
    text: str, line: int, reason: str
) -> None:
    with pytest.raises(InputError) as caught:
        Lola().read((text.encode(),), "file", Vocabulary(NET))
    assert reason in str(caught.value)
    assert caught.value.line == line


WORDS = ["EF", "AG", "(", ")", "p", "q", "1", "=", ">", "AND", "OR", "XOR", "->", "NOT", "+", "*",
         "FIREABLE(t)", ":", ";", "{ c }", "A", "-1", "U", "TRUE", "\n", "\x00", "é"]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=14))
@settings(max_examples=100)
def test_any_words_are_read_or_refused_and_nothing_else(chosen: list[str]) -> None:
    try:
        found = Lola().read((" ".join(chosen).encode(),), "file", Vocabulary(NET))
    except InputError as error:
        assert error.path == "file"
    else:
        assert found


# mist

SPEC = "vars p q x\nrules\ninit p = 1\ntarget\n{}\n"


@pytest.mark.parametrize(
    ("target", "question"),
    [
        ("p >= 1", "p >= 1"),
        ("p >= 1, q >= 2", "p >= 1 and q >= 2"),
        ("p >= 1\nq >= 2, p >= 2", "p >= 1 or (q >= 2 and p >= 2)"),
        ("p = 1, q in [1,2]", "p = 1 and 1 <= q <= 2"),
        ("p >= 0", "true"),
        ("p >= 1\ninvariants\nq = 1", "p >= 1"),
    ],
)
def test_a_target_section_of_mist_is_one_property(target: str, question: str) -> None:
    (only,) = Mist().read((SPEC.format(target).encode(),), "file", Vocabulary(NET))
    assert only.id == "target"
    same(only.meaning, Possible, question)


def test_a_target_that_names_no_place_of_the_net_is_refused_with_its_line() -> None:
    (only,) = Mist().read((SPEC.format("p >= 1,\nx >= 2").encode(),), "file", Vocabulary(NET))
    assert isinstance(only.meaning, RefusedProperty)
    assert only.meaning.reason.startswith("line 6: there is no place 'x'")


def test_properties_are_read_by_extension(tmp_path: Path) -> None:
    (tmp_path / "a.formula").write_text("EF p = 1 : AG q = 2")
    (tmp_path / "a.SPEC").write_text(SPEC.format("p >= 1"))
    (tmp_path / "a.txt").write_text("EF p = 1")
    assert [each.id for each in read_properties(tmp_path / "a.formula", NET)] == [
        "formula-1",
        "formula-2",
    ]
    assert [each.id for each in read_properties(tmp_path / "a.SPEC", NET)] == ["target"]
    with pytest.raises(InputError, match="well-formed XML"):
        read_properties(tmp_path / "a.txt", NET)


def test_each_extension_belongs_to_one_reader() -> None:
    family = "properties.readers"
    members = [plugins.member(family, name) for name in plugins.members(family)]
    known = sorted(extension for member in members for extension in member.extensions)
    assert known == [".formula", ".spec", ".xml"]
