import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from notation import formula as read
from questions import parse_query
from strategies import formulas as formulas_over

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    at_most,
    conjunction,
    different,
    disjunction,
    equal,
    evaluate,
)
from petricheck.arithmetic.formulas.latex import name_to_latex, to_latex_lines
from petricheck.arithmetic.formulas.shown import shown_lines
from petricheck.arithmetic.formulas.terms import constant, linear, variable
from petricheck.arithmetic.formulas.text import term_to_text, to_text
from petricheck.model.net import make_net
from petricheck.support.words import is_printable, natural_key, printable

p, q, r = variable("p"), variable("q"), variable("r")

ODD_NAMES = ("p", "and", "odd-id", 'say "\\"', "größe_1.a", "1st", "new\nline")
ODD_NET = make_net("odd", dict.fromkeys(ODD_NAMES, 0), {})

formulas = formulas_over(ODD_NAMES)
points = st.lists(
    st.fixed_dictionaries(dict.fromkeys(ODD_NAMES, st.integers(0, 6))), min_size=3, max_size=3
)


@settings(max_examples=16)  # each example builds the parser
@given(formulas, points)
@example(Disjunction((Disjunction((TRUE,)), Conjunction((FALSE,)))), [dict.fromkeys(ODD_NAMES, 0)])
def test_what_is_printed_reads_back_as_an_equivalent_formula(formula, some_points):
    again = parse_query("formula", ODD_NET, to_text(formula))
    for point in some_points:
        assert evaluate(again, point) == evaluate(formula, point)


@pytest.mark.parametrize(
    ("formula", "text", "latex"),
    [
        # Atoms have their natural sides.
        ("p1 + 2*q <= 5", "p1 + 2*q <= 5", r"p_{1} + 2 q \leq 5"),
        ("p >= 0", "p >= 0", r"p \geq 0"),
        ("p <= -3", "p <= -3", r"p \leq -3"),
        ("p >= q + 1", "p >= q + 1", r"p \geq q + 1"),
        ("2*p <= q + 1", "2*p <= q + 1", r"2 p \leq q + 1"),
        ("p - q <= 0", "p <= q", r"p \leq q"),
        ("p + q == 2", "p + q = 2", "p + q = 2"),
        ("p - q == 1", "p = q + 1", "p = q + 1"),
        ("p - q == -1", "q = p + 1", "q = p + 1"),
        ("p != 1", "p != 1", r"p \neq 1"),
        ("(p + 2*q) % 3 == 1", "(p + 2*q) mod 3 = 1", r"p + 2 q \equiv 1 \pmod{3}"),
        ("p % 3 == -1", "p mod 3 = 2", r"p \equiv 2 \pmod{3}"),
        ("not -p % 3 == 1", "(-p) mod 3 != 1", r"- p \not\equiv 1 \pmod{3}"),
        ("not p == 1", "not (p = 1)", r"\lnot \left(p = 1\right)"),
        ("all()", "true", r"\top"),
        ("any()", "false", r"\bot"),
        # Connectives are bracketed only where kinds meet.
        (
            "p != 1 and (q == 0 or r == 0)",
            "p != 1 and (q = 0 or r = 0)",
            r"p \neq 1 \land \left(q = 0 \lor r = 0\right)",
        ),
        (
            "p == 1 and all(q == 1, r == 1)",
            "p = 1 and q = 1 and r = 1",
            r"p = 1 \land q = 1 \land r = 1",
        ),
        # Neighbouring opposites are unequal, also inside wider disjunctions.
        (
            "any(p <= 0, p >= 2, p <= 0)",
            "p != 1 or p <= 0",
            r"\begin{aligned} & p \neq 1 \\ \lor {} & p \leq 0 \end{aligned}",
        ),
    ],
)
def test_formulas_are_printed_for_people(formula, text, latex):
    assert to_text(read(formula)) == text
    assert " ".join(to_latex_lines(read(formula))) == latex


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (linear([("p", -1), ("q", 2), ("r", -3)], -4), "-p + 2*q - 3*r - 4"),
        (constant(0), "0"),
        (constant(-7), "-7"),
        *(
            (variable(name), text)
            for name, text in (
                *(("p_1.a", "p_1.a"), ("and", '"and"'), ("odd-id", '"odd-id"'), ("", '""')),
                *(("1p", '"1p"'), ('a"b\\', r'"a\"b\\"'), ("p\n", '"p\n"')),
            )
        ),
    ],
)
def test_terms_are_printed_with_their_signs_and_odd_names_quoted(term, text):
    assert term_to_text(term) == text


def test_formulas_of_any_width_and_depth_are_printed():
    wide = Conjunction(tuple(different(variable(f"p{n}"), 1) for n in range(20_000)))
    assert to_text(wide).count(" and ") == 19_999
    deep = equal(p, 1)
    for _ in range(5_000):
        deep = Conjunction((Disjunction((deep, TRUE)), TRUE))
    assert to_text(deep).count("(") == 9_999


def test_names_are_in_natural_order():
    names = ["a", "p2", "p10", "p10_3", "p010_20", "p10_20", "q0", "q1"]
    assert sorted(sorted(names), key=natural_key) == names
    term = linear((name, 1) for name in ("p10", "p2", "p1"))
    assert term_to_text(term) == "p1 + p2 + p10"


def test_a_formula_is_the_lines_that_it_is_shown_on():
    names = [f"a place with a rather long name {n}" for n in range(4)]
    clauses = [disjunction([at_most(variable(n), 1), equal(p, 2)]) for n in names]
    cases = disjunction([different(p, 3), conjunction([equal(p, 3), equal(q, 1)])])
    for formula in (conjunction(clauses), cases, disjunction([conjunction(clauses), equal(r, 1)])):
        lines = shown_lines(formula)
        assert len(lines) > 1
        assert " ".join(lines).strip() == to_text(formula)
    assert shown_lines(conjunction([equal(p, 1), equal(q, 1)])) == ["p = 1 and q = 1"]


def test_latex_breaks_over_lines():
    clause = conjunction(equal(variable(f"p{n}"), n) for n in range(20))
    first, *_, last = lines = to_latex_lines(disjunction([clause, equal(p, 1)]))
    assert (first, last) == (r"\begin{aligned}", r"\end{aligned}")
    assert lines[-2] == r"\lor {} & p = 1"
    assert all(line.startswith("&") and line.endswith(r"\\") for line in lines[1:-2])
    assert all(len(line) < 150 for line in lines)
    shown = " ".join(lines).replace(r" \\ & \quad {}", "")
    assert r" \land ".join(rf"p_{{{n}}} = {n}" for n in range(20)) in shown
    assert to_latex_lines(equal(p, 1)) == ["p = 1"]


def test_latex_has_natural_order_among_many_variables():
    term = linear((f"p{n}", n + 1) for n in range(12))
    pairs = ((n + 1, name_to_latex(f"p{n}")) for n in range(12))
    shown = " + ".join(f"{value} {name}" if value != 1 else name for value, name in pairs)
    assert to_latex_lines(at_most(term, 3)) == [rf"{shown} \leq 3"]


@settings(max_examples=20)
@given(st.text(max_size=12))
def test_no_name_smuggles_commands_into_latex(name):
    shown = name_to_latex(name)
    escapes = (
        r"\textbackslash{}", r"\textasciicircum{}", r"\textasciitilde{}", r"\textless{}",
        r"\textgreater{}", r"\textbar{}", r"\char34{}", r"\char39{}", r"\char96{}", "{-}",
        r"\ ", r"\{", r"\}", r"\$", r"\&", r"\#", r"\_", r"\%",
    )  # fmt: skip
    if shown.startswith(r"\text{"):
        bare = shown[len(r"\text{") : -1]
        for escape in escapes:
            bare = bare.replace(escape, "")
        assert not set(bare) & set('\\{}$&#_%^~<>|"\n')


@given(st.text(max_size=6), st.text(max_size=6))
@example("p1", "p_1")
@example("p_{1}", "p1")
def test_different_printable_names_look_different_in_latex(one, other):
    if one.isprintable() and other.isprintable() and one != other:
        assert name_to_latex(one) != name_to_latex(other)


@given(st.text())
@example("\u034f")
@example('"a\nb" \x1b[2J\u2028 ä')
def test_printable_text_stays_as_it_is_where_it_can(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert (shown == text) == is_printable(text)
