import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from questions import parse_query
from questions import problem as ask

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    Negation,
    at_least,
    at_most,
    congruent,
    conjunction,
    different,
    disjunction,
    equal,
    evaluate,
    negate,
    normal,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.formulas.text import to_text
from petricheck.formats.language._reader import MAX_PARENTHESES
from petricheck.formats.language.state_formulas import MAX_DEPTH
from petricheck.model.net import make_net
from petricheck.questions import kind_of, make_question, question_text
from petricheck.support.errors import QueryError

TARGETS = ("target", "cover", "formula", "deadlock", "fireable")
NET = dataclasses.replace(
    make_net("n", {"p1": 0, "p2": 0, "p3": 0, "p4": 0, "odd-id": 0, "not": 0}, {}),
    labels=("waiting", "busy", "busy", "", "", ""),
)
p1, p2, p3, p4 = (variable(name) for name in ("p1", "p2", "p3", "p4"))


def formula(text, net=NET):
    return parse_query("formula", net, text)


def refusal(kind, text, net=NET):
    """What a refused question is told, and the text from the offending character on."""
    with pytest.raises(QueryError) as caught:
        parse_query(kind, net, text)
    assert caught.value.position is not None
    assert caught.value.text == text
    return caught.value.message, text[caught.value.position :]


# Targets and covers


def test_a_target_fixes_every_place_of_the_net():
    target = parse_query("target", NET, "p1=1, p3 = 2")
    named = {"p1": 1, "p3": 2}
    assert target == Conjunction(
        tuple(equal(variable(place), named.get(place, 0)) for place in NET.places)
    )
    assert evaluate(parse_query("target", NET, "p1=0"), dict.fromkeys(NET.places, 0))


BLANK = ("", " \n", "# p1=1", " , ")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("target", "'waiting=0' for the marking without any token"),
        ("cover", "how many tokens are wanted, as in 'waiting=1'"),
        ("formula", "'waiting = 1', or 'true' for any marking"),
    ],
)
def test_an_empty_question_is_refused_with_what_to_write(kind, words, tmp_path):
    path = tmp_path / "question"
    for text in BLANK[:2] if kind == "formula" else BLANK:
        path.write_text(text)
        for written in (text, f"@{path}"):
            with pytest.raises(QueryError, match="is empty") as caught:
                ask(NET, **{kind: written})
            assert words in str(caught.value)


def test_the_places_that_a_target_leaves_out_are_told():
    assert kind_of("target").unnamed(NET, "p1=1, p3=0") == ("p2", "p4", "odd-id", "not")


def test_a_cover_asks_for_at_least_and_drops_zeros():
    assert parse_query("cover", NET, "p1=1, p2>=3\np3=0") == conjunction(
        [at_least(p1, 1), at_least(p2, 3)]
    )
    assert parse_query("cover", NET, "p1=0") == TRUE


def test_markings_take_commas_newlines_comments_and_quoted_names():
    text = '# p9=1, all of it\n"odd-id"=1 # p2=2,\n\n p1=2,p3=3,\nnot=4\n'
    assert parse_query("target", NET, text) == parse_query(
        "target", NET, "odd-id=1,p1=2,p3=3,not=4"
    )


@pytest.mark.parametrize(
    ("kind", "text", "rest", "words"),
    [
        ("target", "p1>=1", ">=1", "--cover"),
        ("target", "p1==1", "==1", "--formula"),
        ("cover", "p1<=1", "<=1", "--formula"),
        ("target", "p2=1, p1=-1", "-1", "negative"),
        ("target", "p1=1 p2=2", "p2=2", "comma"),
        ("target", "p1=1.5", ".5", "whole"),
        ("target", "p1=1x", "x", "whole"),
        ("target", "p1=", "", "number"),
        ("target", "p1=x", "x", "number"),
        ("target", "p1", "", "'='"),
        ("target", "=1", "=1", "name of a place"),
        ("target", "p1=1, p1=1", "p1=1", "twice"),
        ("target", "p1=1, waiting=1", "waiting=1", "twice"),
        ("target", "p1=1, q77=1", "q77=1", "no place 'q77'"),
        ("target", '"p1=1', '"p1=1', "never closed"),
        ("target", r'"p\n1"=1', r'\n1"=1', "backslash"),
        ("target", "p1=" + "9" * 4001, "9" * 4001, "4000"),
    ],
)
def test_a_refused_marking_points_at_the_character(kind, text, rest, words):
    message, found = refusal(kind, text)
    assert found == rest
    assert words in message


# Names


def test_a_place_is_named_by_its_id_or_by_a_human_or_shown_name():
    assert formula("p1 = 1") == formula("waiting = 1") == equal(p1, 1)
    assert parse_query("cover", NET, "waiting=1") == at_least(p1, 1)
    assert formula('"busy (p3)" = 1') == formula("p3 = 1") == equal(p3, 1)


@pytest.mark.parametrize("kind", ["cover", "target", "formula"])
@pytest.mark.parametrize("word", ["q", '"q"'])
def test_an_id_that_is_also_another_place_s_name_is_refused_with_what_to_write(kind, word):
    swapped = dataclasses.replace(make_net("n", {"p": 1, "q": 0}, {}), labels=("q", "p"))
    message, _ = refusal(kind, f"{word}=1", swapped)
    assert "'q' is the id of a place and the name of another" in message
    assert message.endswith('write "p (q)" or "q (p)"')
    assert formula('"p (q)" = 1', swapped) == equal(variable("q"), 1)
    assert formula('"q (p)" = 1', swapped) == equal(variable("p"), 1)
    tokens = ask(swapped, cover={"q": 1}).target
    assert tokens == at_least(variable("q"), 1)  # In Python, tokens are by id.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("busy = 1", 'several places; write "busy (p2)" or "busy (p3)"'),
        ("wating = 1", "did you mean waiting?"),
        ("odd-i = 1", 'did you mean "odd-id"?'),
        ("p5 = 1", "did you mean p4 or p3 or p2?"),
    ],
)
def test_a_name_that_is_shared_or_unknown_is_refused_with_what_may_be_meant(text, words):
    message, rest = refusal("formula", f"p1 = 1 and {text}")
    assert rest.startswith(text.split()[0]) and words in message


def test_quoted_names_may_hold_anything():
    names = ('say "hi"', "back\\slash", "and", "a b", "1", "ü=1, #")
    net = make_net("odd", dict.fromkeys(names, 0), {})
    for name in names:
        text = to_text(at_least(variable(name), 2))
        assert formula(text, net) == at_least(variable(name), 2)
        assert parse_query("cover", net, text) == at_least(variable(name), 2)


def test_a_number_that_is_also_a_place_is_refused_where_no_place_is_named_and_told_elsewhere():
    net = dataclasses.replace(make_net("n", {"2": 1, "p": 1}, {}), labels=("", "7"))
    for kind, text in (("formula", "p = 1 and 2 >= 1"), ("formula", "1 < 7"), ("bound", "2")):
        with pytest.raises(
            QueryError, match='is a number here; the place of this name is written "'
        ):
            make_question(net, kind, text)
    asked = make_question(net, "formula", 'p - 7 <= 12 and "2" >= 3 and (2*p + 1) mod 5 = 2')
    assert asked.numbers_like_places == ("2", "7")
    assert make_question(net, "formula", '"7" = "2" and p = 5').numbers_like_places == ()
    assert make_question(net, "target", "2=7").numbers_like_places == ()
    assert formula('"2" >= 1', net) == at_least(variable("2"), 1)


# Formulas


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p1 = 1", equal(p1, 1)),
        ("p1 == 1", equal(p1, 1)),
        ("p1 != 1", different(p1, 1)),
        ("p1 < 2", at_most(p1, 1)),
        ("p1 <= 2", at_most(p1, 2)),
        ("p1 > 2", at_least(p1, 3)),
        ("p1 >= 2", at_least(p1, 2)),
        ("p1 ≥ 2", at_least(p1, 2)),
        ("2*p3 <= p4 + 1", at_most(2 * p3, p4 + 1)),
        ("p1*2*3 = -p2 - 1", equal(6 * p1, -p2 - 1)),
        ("-(p1 - 2*(p2 - 3)) < 4", at_most(-p1 + 2 * p2 - 6 + 1, 4)),
        ("p1 - p2 - p3 = 0", equal(p1 - p2 - p3, 0)),
        ("5 + p1 - 2 + p2 = 9", equal(p1 + p2, 6)),
        ("5 - p1 = 2", equal(5 - p1, 2)),
        ("p1 mod 1 = 0", congruent(p1, 0, 1)),
        ("p1 mod 3 = 0", congruent(p1, 0, 3)),
        ("p1 mod 3 = 2", congruent(p1, 2, 3)),
        ("p1 mod 3 != 0", Negation(congruent(p1, 0, 3))),
        ("(p1 + 2*p2) mod 3 = 1", congruent(p1 + 2 * p2, 1, 3)),
        ("2*p1 mod 3 = 1", congruent(2 * p1, 1, 3)),
        ("1 = p1 mod 3", congruent(p1, 1, 3)),
        ("(p1 mod 3) = 1", congruent(p1, 1, 3)),
        ("p1 mod 3 != 1", Negation(congruent(p1, 1, 3))),
        ("1 <= p1 < 4", conjunction([at_most(1 - p1, 0), at_most(p1, 3)])),
        ("1 <= 2 <= p1", at_least(p1, 2)),
        ("1 <= 2 <= 3", TRUE),
        ("1 <= 2 <= 1", FALSE),
        ("p1 = p2 = p3", conjunction([equal(p1, p2), equal(p2, p3)])),
        ("not p1 = 1", Negation(equal(p1, 1))),
        ("not not p1 = 1", equal(p1, 1)),
        ("((p1)) = ((1))", equal(p1, 1)),
        ("((p1 = 1))", equal(p1, 1)),
        ("p1 = 1 and p2 = 1 or p3 = 1",
         disjunction([conjunction([equal(p1, 1), equal(p2, 1)]), equal(p3, 1)])),
        ("p1 = 1 && p2 = 1 || ! p3 = 1",
         disjunction([conjunction([equal(p1, 1), equal(p2, 1)]), Negation(equal(p3, 1))])),
        ("p1=1&(p2=1|p3=1)",
         conjunction([equal(p1, 1), disjunction([equal(p2, 1), equal(p3, 1)])])),
        ("p1 = 1 -> p2 = 1", disjunction([Negation(equal(p1, 1)), equal(p2, 1)])),
        ("true", TRUE),
        ("not true or false", FALSE),
        ("p1 >= p1", TRUE),
        ("p1 = 1 and 2 < 1", FALSE),
        ("7 mod 3 = 1", TRUE),
        ("0*p1*p2 = 0", TRUE),
        ('"not" = 1 # a comment', equal(variable("not"), 1)),
        ("p1 = 1 # so\n and p2 = 1", conjunction([equal(p1, 1), equal(p2, 1)])),
    ],
)  # fmt: skip
def test_formulas_mean_what_they_say(text, expected):
    assert formula(text) == expected


@pytest.mark.parametrize(
    ("text", "rest", "words"),
    [
        ("", "", "expected a condition"),
        ("p1 =", "", "a place, a number or '('"),
        ("(p1 >= 1", "", "')'"),
        ("p1 = 1)", ")", "the end"),
        ("p1", "", "a comparison"),
        ("p1 and p2 = 1", "and p2 = 1", "a comparison"),
        ("p1 = 1 AND p2 = 1", "AND p2 = 1", "written 'and'"),
        ("NOT p1 = 1", "p1 = 1", "written 'not'"),
        ("p1 = 1, p2 = 1", ", p2 = 1", "joined by 'and'"),
        ("3p1 = 1", "p1 = 1", "'*'"),
        ("p1*p2 = 1", "*p2 = 1", "multiplied"),
        ("2*(p1 + 1)*(p2 + 1) = 1", "*(p2 + 1) = 1", "multiplied"),
        ("p1 = 1.5", ".5", "whole"),
        ("p1 / 2 = 1", "/ 2 = 1", "division"),
        ("'p1' = 1", "'p1' = 1", "double quotes"),
        ('"p1 = 1', '"p1 = 1', "never closed"),
        (r'"p\1" = 1', r'\1" = 1', "backslash"),
        ("p1 + p2 mod 2 = 1", "mod 2 = 1", "parentheses"),
        ("p1 mod 0 = 1", "0 = 1", "at least 1"),
        ("p1 mod 3 = 4", "4", "write 1"),
        ("p1 mod 3 = -1", "-1", "write 2"),
        ("p1 mod 3 <= 1", "<= 1", "only be compared with ="),
        ("p1 mod 3 = p2", "p2", "with a number"),
        ("p1 mod 3 = p2 mod 3", "= p2 mod 3", "with a number"),
        ("1 <= p1 >= 2", ">= 2", "chain"),
        ("p1 mod 3 = 3", "3", "at least 0 and smaller"),
        ("p1 mod 3 != 4", "4", "at least 0 and smaller"),
        ("p1 mod 3 = -1", "-1", "at least 0 and smaller"),
        ("p1 != p2 != p3", "!= p3", "chain"),
        ("p1 = 1 -> p2 = 1 -> p3 = 1", "-> p3 = 1", "expected"),
        ("not = 1", "= 1", "a condition"),
        ("p1 = " + "9" * 4001, "9" * 4001, "4000"),
        ("9" * 4000 + "*9*p1 = 1", "*9*p1 = 1", "4000 digits"),
        ("9" * 4000 + "*(9*p1) = 1", "*(9*p1) = 1", "4000 digits"),
        ("p1 mod " + "9" * 4001 + " = 1", "9" * 4001 + " = 1", "4000"),
    ],
)
def test_a_refused_formula_points_at_the_character(text, rest, words):
    message, found = refusal("formula", text)
    assert found == rest
    assert words in message


def test_the_longest_numbers_are_read_exactly():
    assert formula("p1 >= 1" + "0" * 3999) == at_least(p1, 10**3999)


@settings(max_examples=20)  # each example builds the parser
@given(st.text(alphabet='p1 23()+-*=!<>&|"\\#,.modandrtu\n', max_size=30))
def test_any_text_is_read_or_refused_at_a_place_inside_it(text):
    for kind in TARGETS:
        try:
            parse_query(kind, NET, text)
        except QueryError as error:
            assert error.position is not None
            assert 0 <= error.position <= len(text)


@pytest.mark.slow
def test_ten_thousand_atoms_are_read_as_one_flat_conjunction():
    net = make_net("n", {f"p{n}": 0 for n in range(100)}, {})
    target = formula(" and ".join(f"p{n % 100} + 2*p1 <= {n}" for n in range(10_000)), net)
    assert isinstance(target, Conjunction)
    assert len(target.operands) == 10_000


def test_nested_parentheses_are_read_up_to_the_limit_and_refused_beyond():
    deepest = "(" * MAX_PARENTHESES + "p1 = 1" + ")" * MAX_PARENTHESES
    assert formula(deepest) == equal(p1, 1)
    message, rest = refusal("formula", f"({deepest})")
    assert rest == deepest[MAX_PARENTHESES - 1 :] + ")"
    assert str(MAX_PARENTHESES) in message


def _alternating(depth):
    text = "p1 = 1"
    for level in range(depth):
        text = f"p2 = {level} {'and' if level % 2 else 'or'} ({text})"
    return text


def test_the_deepest_accepted_formula_passes_through_every_operation():
    target = formula(_alternating(MAX_DEPTH))
    point = dict.fromkeys(NET.places, 7)
    assert evaluate(negate(target), point) != evaluate(target, point)
    assert evaluate(normal(Negation(target)), point) == evaluate(negate(target), point)
    assert variables(substitute(target, {"p2": p3})) == ("p1", "p3")
    assert next(cubes(target))
    assert formula(to_text(target)) == target


def test_deeper_connectives_are_refused():
    message, _ = refusal("formula", _alternating(MAX_DEPTH + 1))
    assert str(MAX_DEPTH) in message


def test_like_connectives_do_not_count_as_nesting():
    text = "p1 = 0"
    for level in range(1, MAX_PARENTHESES):
        text = f"p1 = {level} or ({text})"
    target = formula(text)
    assert isinstance(target, Disjunction)
    assert len(target.operands) == MAX_PARENTHESES


# Files


@pytest.mark.parametrize(
    ("kind", "text"), [("target", "p1=1 # one\n"), ("cover", "p1=1"), ("formula", "p1 = 1\n")]
)
def test_a_question_may_stand_in_a_file(tmp_path, kind, text):
    path = tmp_path / "question"
    path.write_text(text, encoding="utf-8-sig")
    assert parse_query(kind, NET, f"@{path}") == parse_query(kind, NET, text)


def test_an_unreadable_file_is_named(tmp_path):
    for path in (tmp_path, tmp_path / "absent", "nul\0"):
        with pytest.raises(QueryError) as caught:
            parse_query("target", NET, f"@{path}")
        assert repr(str(path)) in str(caught.value)
    with pytest.raises(QueryError, match="name of a file"):
        parse_query("target", NET, "@")
    (tmp_path / "question").write_bytes(b"p1=1\xff")
    with pytest.raises(QueryError, match="UTF-8"):
        question_text(f"@{tmp_path / 'question'}")


def test_oversized_questions_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("petricheck.questions.question.MAX_BYTES", 10)
    path = tmp_path / "question"
    path.write_text("p1=1, p2=2,")
    with pytest.raises(QueryError, match="the file is larger than"):
        question_text(f"@{path}")
    for text in ("p1=1, p2=2,", "ääääää"):
        with pytest.raises(QueryError, match="longer than 10 bytes"):
            question_text(text)
    path.write_text("p1=1, p2=2")
    assert question_text(f"@{path}") == "p1=1, p2=2"


def test_an_unknown_kind_is_refused():
    with pytest.raises(QueryError, match=r"cover, deadlock, fireable, formula, .*, target"):
        parse_query("riddle", NET, "p1=1")
