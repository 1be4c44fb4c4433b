import importlib.util
import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import formulas

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    Negation,
    at_least,
    at_most,
    congruent,
    equal,
    evaluate,
    variables,
)
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.arithmetic.solvers.s_expressions import DEPTH
from petricheck.arithmetic.solvers.second_solver import run, satisfiable
from petricheck.arithmetic.solvers.smtlib import name_of, numeral, query, symbol, to_smtlib
from petricheck.arithmetic.solvers.smtlib_reader import Definition, find_definitions
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.support.errors import BudgetExhausted, EvidenceError, PetricheckError

x, y = variable("x"), variable("y")
NAMES = ("x", "y", "and", "a b", "p|q", "p\\q", "100%", "ä", "", "true", "1st", "@x", ".x", '"',
         ";")  # fmt: skip


def read_definition(text: str, name: str) -> Definition:
    found = find_definitions(text, (name,))
    if name not in found:
        raise EvidenceError(f"there is no definition of {name!r}")
    return found[name]


def read(body: str, parameters: str = "(x Int) (y Int)") -> Formula:
    return read_definition(f"(define-fun f ({parameters}) Bool {body})", "f")[1]


def refused(text: str, name: str = "f") -> str:
    with pytest.raises(EvidenceError) as caught:
        read_definition(text, name)
    assert len(str(caught.value)) < 200
    return str(caught.value)


def same(left: Formula, right: Formula, names: tuple[str, ...]) -> bool:
    generator = random.Random(0)
    for _ in range(60):
        values = {name: generator.randint(-6, 6) for name in names}
        if evaluate(left, values) != evaluate(right, values):
            return False
    return True


# Names


@given(st.text() | st.sampled_from(NAMES))
def test_every_string_has_a_symbol_that_gives_it_back(name):
    text = symbol(name)
    assert name_of(text) == name
    assert text.isascii()
    assert "\\" not in text
    assert text.count("|") in (0, 2)


def test_lone_surrogates_and_control_characters_survive():
    for name in ("\ud800", "\x00", "\n(exit)\n", "\x7f"):
        assert name_of(symbol(name)) == name
        assert symbol(name).isprintable()


def test_plain_names_stay_as_they_are():
    assert [symbol(name) for name in ("p1", "a_b", "p-1", "a b")] == ["p1", "a_b", "p-1", "|a b|"]
    assert symbol("and") == "%61nd" and symbol("invariant") != "invariant"


@pytest.mark.skipif(importlib.util.find_spec("cvc5") is None, reason="needs cvc5")
def test_cvc5_takes_every_symbol():
    taken = ("mod", "div", "abs", "Int", "pi", "select", "store", "let", "exists", "par", "!", "_")
    functions = ("^", "piand", "int.pow2", "int.log2", "mod_total", "div_total")
    names = (*NAMES, *taken, *functions, "-1", "-", "x.1")
    total = linear((name, 1) for name in names)
    assert satisfiable(equal(total, 3))
    assert not satisfiable(at_most(total, -1))


@pytest.mark.parametrize(
    "value",
    [0, 7, -7, 10**3612, 10**3999, 10**4000 - 1, 10**4000, -(10**9000) + 1, 10**4001 + 5],
    ids=range(9),
)
def test_numerals_of_any_length_are_written_and_read(value):
    assert read(f"(<= x {numeral(value)})") == at_most(x, value)
    assert not numeral(value).startswith("0") or value == 0


# Formulas


@settings(max_examples=20)
@given(formulas(NAMES))
def test_what_is_written_is_read_back_with_the_same_meaning(formula):
    names = variables(formula)
    parameters = " ".join(f"({symbol(name)} Int)" for name in names)
    text = f"(define-fun f ({parameters}) Bool {to_smtlib(formula)})"
    found, body = read_definition(text, "f")
    assert found == names
    assert same(formula, body, names)


@pytest.mark.skipif(importlib.util.find_spec("cvc5") is None, reason="needs cvc5")
@settings(max_examples=15)
@given(formulas(("x", "y")))
def test_cvc5_and_z3_agree_on_every_formula(formula):
    assert satisfiable(formula) == (find_model(formula, natural=True) is not None)


def test_depth_is_no_obstacle_to_writing():
    formula: Formula = at_most(x, 1)
    for _ in range(5000):
        formula = Negation(formula)
    assert to_smtlib(formula).count("(not ") == 5000


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("true", TRUE),
        ("false", FALSE),
        ("(<= x 3)", at_most(x, 3)),
        ("(< x 3)", at_most(x, 2)),
        ("(>= x 3)", at_least(x, 3)),
        ("(> x 3)", at_least(x, 4)),
        ("(= x (- 3))", equal(x, -3)),
        ("(<= 0 x y)", Conjunction((at_least(x, 0), at_most(x, y)))),
        ("(> 5 x y)", Conjunction((at_most(x, 4), at_least(x, y + 1)))),
        ("(= x y 2)", Conjunction((equal(x, y), equal(y, 2)))),
        ("(<= (* 2 3) x)", at_least(x, 6)),
        ("((_ divisible 4) (+ x y 1))", Congruence(x + y + 1, 4)),
        ("(distinct (mod x 3) 4)", TRUE),
        ("(let ((z (+ x 1))) (let ((z (+ z z))) (<= z 7)))", at_most(2 * x + 2, 7)),
        ("(distinct x y 1)", Conjunction(tuple(Negation(equal(a, b)) for a, b in
                                               ((x, y), (x, 1), (y, 1))))),
        ("(<= (+ x (* 2 y) (- 1)) (- x 1 y))", at_most(3 * y, 0)),
        ("(<= (* 2 (- y) 3) 1)", at_most(-6 * y, 1)),
        ("(= (mod (+ x y) 3) 1)", congruent(x + y, 1, 3)),
        ("(distinct (mod x 3) 1)", Negation(congruent(x, 1, 3))),
        ("(= (mod x 3) 3)", FALSE),
        ("(=> (<= x 1) (<= y 1) false)",
         Disjunction((Negation(at_most(x, 1)), Negation(at_most(y, 1)), FALSE))),
        ("(let ((x y) (y x)) (<= x (+ y 1)))", at_most(y, x + 1)),
        ("(let ((x y)) (let ((z x)) (<= z 0)))", at_most(y, 0)),
        ("(let ((b (<= x 1))) (and b (not b)))",
         Conjunction((at_most(x, 1), Negation(at_most(x, 1))))),
        ("(<= (+ |x| 1) 2)", at_most(x, 1)),
        ("(<= |x| ; a comment (\n y)", at_most(x, y)),
    ],
)  # fmt: skip
def test_every_construct_means_what_it_should(body, expected):
    found = read(body)
    if not (isinstance(found, Inequality) and isinstance(expected, Inequality)):
        assert same(found, expected, ("x", "y"))
    else:
        assert found == expected


@pytest.mark.parametrize(
    "body",
    [
        *("x", "1", "()", "(true)", "(not x)", "(or 1 true)", "(=> true)", "(xor true false)"),
        *("(<= x)", "(<= x #b1)", "(<= x 2e1)", "(<= (abs x) 2)", "(ite (<= x 2) true false)"),
        *("(<= (mod x 3) 1)", "(= (mod x 3) y)", "(= (mod x 3) (mod y 3))", "(= (mod x y) 0)"),
        *("(= (+ (mod x 3) 1) 0)", "((_ divisible y) x)", "(exists ((z Int)) (<= x z))"),
        *("(f x y)", "(let ((z x)) (<= z 2) true)", "(let (z x) (<= z 2))", "(= (<= x 2) true)"),
        "(<= (* x y) 1)",
        "(= (mod x 0) 0)",
        "(= (mod x (- 3)) 0)",
        "((_ divisible 0) x)",
        "((_ divisible 2) x y)",
        "(div x 2)",
        "(= true false)",
        "(and x true)",
        "(and)",
        "(not true false)",
        "(<= x 1.5)",
        "(<= x 01)",
        "(<= x -1)",
        '(<= x "1")',
        "(<= z 1)",
        "(forall ((z Int)) (<= z x))",
        "(! (<= x 1) :named a)",
        "(let ((z)) true)",
        "(let ((z x)) z)",
        "(let ((z (<= x 1)) (z (<= x 2))) z)",
        "((<= x 1))",
        "true true",
    ],
)
def test_anything_else_is_refused(body):
    assert "understood" in refused(f"(define-fun f ((x Int) (y Int)) Bool {body})")


@pytest.mark.parametrize(
    "text",
    [
        "(define-fun f ((x Int)) Bool (<= x 1)",
        "(define-fun f ((x Int)) Bool (<= x 1)))",
        "(define-fun f ((x Int) (x Int)) Bool true)",
        "(define-fun f ((x Int) (|x| Int)) Bool true)",
        "(define-fun f ((x Int) (%78 Int)) Bool true)",
        "(define-fun f ((%FF Int)) Bool true)",
        "(define-fun f ((x Real)) Bool true)",
        "(define-fun f ((1 Int)) Bool true)",
        "(define-fun f ((x Int)) Int x)",
        "(define-fun f () Bool true)(define-fun |f| () Bool false)",
        "; (define-fun f () Bool true)",
        '(echo "(define-fun f () Bool true)")',
        "(push 1 (define-fun f () Bool true))",
        "(define-fun-rec f () Bool true)",
        "define-fun f () Bool true",
    ],
)
def test_a_text_without_one_good_definition_is_refused(text):
    refused(text)


def test_other_commands_change_nothing():
    text = """(set-option :produce-models true) (exit) (assert false) (declare-const x Int)
    (define-fun and ((x Int)) Bool false) (define-fun f ((x Int)) Bool (and (<= x 1) true))
    (define-fun g () Bool (whatever "(" |)|)) (reset) (check-sat)"""
    assert same(read_definition(text, "f")[1], at_most(x, 1), ("x",))


def test_a_quoted_number_is_a_variable_and_an_unquoted_one_is_not():
    body = "(<= (* 1 |1|) 1)"
    assert read(body, "(|1| Int)") == at_most(variable("1"), 1)
    assert read("(and |true| true)".replace("|true|", "(<= |true| 1)"), "(|true| Int)") == (
        Conjunction((at_most(variable("true"), 1), TRUE))
    )


def test_a_refusal_names_the_line():
    assert "line 3" in refused("(check-sat)\n\n(define-fun f ((x Int)) Bool (oops x))")
    assert "line 2" in refused('(define-fun f ((x Int)) Bool\n"oops')


def deep(levels: int) -> str:
    return "(define-fun f () Bool " + "(not " * levels + "true" + ")" * levels + ")"


def doubling(levels: int) -> str:
    """Small text, exponential formula."""
    lets = "".join(f"(let ((a{n + 1} (and a{n} a{n}))) " for n in range(levels))
    return f"(define-fun f ((x Int)) Bool (let ((a0 (<= x 1))) {lets} a{levels}" + ")" * (
        levels + 2
    )


def squaring(levels: int) -> str:
    """Small text, a number of doubly exponential size."""
    lets = "".join(f"(let ((a{n + 1} (* a{n} a{n}))) " for n in range(levels))
    return f"(define-fun f () Bool (let ((a0 3)) {lets} (<= a{levels} 0)" + ")" * (levels + 2)


def nested_lets(levels: int) -> str:
    """Shallow lets whose expansion is deep: each nests the one before 50 times."""
    lets = [f"(let ((a{n + 1} {'(not ' * 50}a{n}{')' * 50})) " for n in range(levels)]
    return f"(define-fun f () Bool (let ((a0 true)) {''.join(lets)} a{levels}" + ")" * (levels + 2)


@pytest.mark.parametrize(
    "text",
    [
        deep(DEPTH),
        deep(100_000),
        "(" * 1_000_000,
        doubling(40),
        squaring(60),
        nested_lets(30),
        f"(define-fun f ((x Int)) Bool (<= x {'9' * 1_000_000}))",
        f"(define-fun f ((x Int)) Bool (distinct {'x ' * 10_000}))",
        "(a " + "|" * 999_999 + ")",
        ";" * 1_000_000,
    ],
    ids=[
        "deep", "very deep", "open", "doubling", "squaring", "nested lets", "long number",
        "distinct", "bars", "comment",
    ],
)  # fmt: skip
def test_hostile_texts_are_refused_and_not_expanded(text):
    refused(text)


def test_the_deepest_text_that_is_read_can_be_worked_with():
    formula = read_definition(deep(DEPTH - 1), "f")[1]
    assert evaluate(formula, {}) == (DEPTH % 2 == 1)


def test_long_texts_are_refused():
    assert "characters" in refused(" " * ((1 << 25) + 1))


# The second solver


def test_a_query_is_over_the_naturals():
    assert "(assert (>= x 0))" in query(at_most(x, -1))


@pytest.mark.skipif(importlib.util.find_spec("cvc5") is None, reason="needs cvc5")
def test_cvc5_answers_every_check_of_a_script():
    text = "(set-logic QF_LIA)(push 1)(assert false)(check-sat)(pop 1)(check-sat)"
    assert run(text) == ("unsat", "sat")


@pytest.mark.skipif(importlib.util.find_spec("cvc5") is None, reason="needs cvc5")
def test_a_script_that_cvc5_refuses_is_an_error():
    with pytest.raises(PetricheckError, match="cvc5 refused"):
        run("(set-logic QF_LIA)(assert (unheard-of 1))")


@pytest.mark.skipif(importlib.util.find_spec("cvc5") is None, reason="needs cvc5")
def test_a_limit_beyond_what_cvc5_can_count_is_as_good_as_none():
    assert satisfiable(TRUE, seconds=1e300)


def test_no_time_left_is_an_exhausted_budget():
    with pytest.raises(BudgetExhausted):
        satisfiable(TRUE, seconds=0.0)


def test_without_cvc5_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cvc5", None)
    with pytest.raises(PetricheckError, match=r"pip install 'petricheck\[second-solver\]'"):
        satisfiable(TRUE)
