"""Interpolation problems as SMT-LIB files, with functions or without, on the command line."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
import z3
from click.testing import CliRunner

from petricheck.arithmetic.formulas.formulas import equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.commands import main
from petricheck.laboratory.commands import bench_prover
from petricheck.laboratory.prover.confirmation import foreign_symbols

EVEN = """
(set-logic QF_LIA)
(declare-const x0 Int) (declare-fun x1 () Int) (declare-const k Int) (declare-const l Int)
(assert (! (= x0 (* 2 k)) :named A))
(assert (! (= x1 (+ x0 2)) :named B))
(assert (! (= x1 (+ (* 2 l) 1)) :named C))
"""
REAL = """
(declare-const x Real) (declare-const y Real)
(assert (! (< x (/ y 2.0)) :interpolation-group g1))
(assert (! (> x 0.75) :interpolation-group g2))
(assert (! (< y (/ 3 2)) :interpolation-group g1))
"""


MIXED = """
(set-logic QF_UFLRA)
(declare-fun f (Real Real) Real)
(declare-const x Real) (declare-const z Real) (declare-fun a () Real) (declare-fun b () Real)
(assert (! (<= x a) :named A1))
(assert (! (and (<= a z) (= (f a (/ a 2)) 0.5)) :named A2))
(assert (! (let ((c (+ b 0.0))) (and (<= z b) (>= x c) (distinct (f c (* 0.5 b)) 0.5))) :named B))
(check-sat)
(get-interpolant (A1 A2))
"""
FREE = """
(set-logic QF_UF)
(declare-sort |a sort| 0)
(declare-fun p (|a sort|) Bool) (declare-fun h (|a sort| |a sort|) |a sort|)
(declare-const x |a sort|) (declare-const y |a sort|) (declare-const z |a sort|)
(declare-const |a proposition| Bool)
(assert (! (and (= x (h y y)) (= (p x) |a proposition|)) :named A))
(assert (! (= y z) :interpolation-group B))
(assert (! (= (p (h z z)) (not |a proposition|)) :interpolation-group B))
"""
NAMES = """
(declare-fun |a b| (Real) Real) (declare-fun member (Real) Real) (declare-const |1| Real)
(declare-const |%41| Real) (declare-const A Real)
(assert (! (and (= |1| (|a b| 2)) (= (member |1|) (+ |%41| A))) :interpolation-group A))
(assert (! (and (= |1| (|a b| 2)) (< (member (|a b| 2)) (+ |%41| A))) :interpolation-group B))
"""
PREDICATE = """
(declare-sort U 0) (declare-fun p (U) Bool) (declare-fun q (U) Bool)
(declare-const x U) (declare-const y U) (declare-const z U) (declare-const a U)
(assert (! (= x y) :interpolation-group A))
(assert (! (or (and (p x) (q y)) (and (= z a) (not (q z)))) :interpolation-group A))
(assert (! (not (p x)) :interpolation-group B))
(assert (! (q z) :interpolation-group B))
"""


@pytest.fixture
def run(tmp_path):
    def invoke(script: str, *options: str):
        path = tmp_path / "question.smt2"
        path.write_text(script)
        return CliRunner().invoke(main, ["interpolate", str(path), *options])

    return invoke


def test_even_numbers_have_an_even_interpolant_at_each_cut(run):
    done = run(EVEN, "--confirm")
    assert done.exit_code == 0
    assert done.output.splitlines()[:3] == [
        "unsat",
        "(define-fun I1 ((x0 Int)) Bool (= (mod x0 2) 0))",
        "(define-fun I2 ((x1 Int)) Bool (= (mod x1 2) 0))",
    ]
    assert done.output.splitlines()[-1] == "; confirmed by z3"


@pytest.mark.parametrize("options", [(), ("--symmetric",), ("--strengthen",)])
def test_what_is_printed_defines_functions_for_z3(run, options):
    solver = z3.Solver()
    solver.from_string("\n".join(run(EVEN, *options).output.splitlines()[1:]))


def test_joined_names_are_one_part(run):
    fields = json.loads(run(EVEN + "(get-interpolants (and A B) C)", "--json").output)
    assert fields["answer"] == "unsat"
    assert fields["interpolants"] == ["(= (mod x1 2) 0)"]


def test_the_first_groups_are_separated_from_all_others(run):
    done = run(REAL + "(get-interpolant (g1))", "--confirm")
    assert (
        done.output.splitlines()[1]
        == "(define-fun I1 ((x Real)) Bool (not (<= (* (- 4) x) (- 3))))"
    )


def test_what_can_hold_together_has_a_model(run):
    script = REAL.replace("0.75", "0.7")
    model = json.loads(run(script, "--json").output)["model"]
    x, y = Fraction(model["x"]), Fraction(model["y"])
    assert Fraction("0.7") < x < y / 2 < Fraction(3, 4)
    printed = run(script).output.splitlines()
    assert printed[0] == "sat"
    z3.Solver().from_string("\n".join(printed[1:]))


def test_values_may_be_longer_than_python_prints(run):
    script = f"(declare-const x Int)(assert (! (= x (- 1{'0' * 5000})) :named A))"
    done = run(script + "(assert (! (<= x 0) :named B))", "--json")
    assert json.loads(done.output)["model"] == {"x": f"-1{'0' * 5000}"}


def test_without_time_the_answer_is_unknown(run):
    done = run(EVEN, "--timeout", "0.000001")
    assert done.exit_code == 1
    assert done.output.startswith("unknown\n; ")


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("(assert (! (<= 1 2) :named A))", "nothing to interpolate between"),
        ("(declare-const x Int)\n(assert (<= x 1))", "line 2: an assertion without :named"),
        ("(declare-const x Time)", "line 1: the sort 'Time'"),
        ("(declare-fun f (Bool) Real)", "a function of truth values"),
        ("(declare-const x Int)(declare-const y Real)", "a script with integers and reals"),
        ("(declare-fun f (Int) Int)", "integers with functions have no"),
        ("(push 1)", "the command 'push'"),
        ("(declare-const x Int)\n(declare-const x Int)", "line 2: a second declaration of 'x'"),
        ("(get-interpolants A B)", "'A', which no assertion is named,"),
        ("(assert (! (<= y 1) :named A))", "line 1: 'y'"),
        ("(declare-const x Real)(assert (! (< (* x x) 1.0) :named A))", "a product of two"),
        ("(declare-const x Real)(assert (! (< (/ x 0) 1.0) :named A))", "division by anything but"),
        ("(declare-const x Real)(assert (! (= (mod x 2) 1) :named A))", "'mod' of such"),
        ("(assert", "a parenthesis that is never closed"),
        (
            MIXED.replace("Real", "Int"),
            "integers with functions have no quantifier-free interpolants",
        ),
        (MIXED.replace("(f a (/ a 2))", "(f a)"), "'f' of such arguments is not understood"),
        (
            MIXED.replace("(f a (/ a 2))", "(* a a)"),
            "line 6: a product of two variables",
        ),
        (MIXED.replace("(f a (/ a 2))", "(f a (< a 2))"), "'f' of such arguments"),
        (MIXED.replace("(and (<= a z)", "(and a"), "a value in place of a formula"),
        (MIXED.replace("(A1 A2)", "(A1 C)"), "'C', which no assertion is named,"),
        (MIXED.replace("(f a (/ a 2))", "(g a)"), "'g' of such arguments"),
        (
            MIXED.replace("(/ a 2)", f"{'(f a ' * 100}a{')' * 100}"),
            "line 6: nesting deeper than 100",
        ),
        (MIXED.replace("a () Real", "x () Real"), "a second declaration of 'x'"),
        (MIXED.replace("b () Real", "2b () Real"), "the symbol '2b'"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(run, script, complaint):
    done = run(script)
    assert done.exit_code == 3
    assert complaint in done.output + done.stderr


def test_symbols_that_the_sides_of_a_cut_do_not_share_are_foreign():
    x, y, z = map(variable, "xyz")
    parts = [equal(x, 0), equal(x, y), equal(y, z), equal(z, 1)]
    right = [equal(x, 0), equal(y, 0), equal(z, 0)]
    assert foreign_symbols(parts, right, False) == frozenset()
    assert foreign_symbols(parts, [right[0], right[0], right[2]], False) == {"x"}
    assert foreign_symbols(parts, parts, True) == frozenset()
    assert foreign_symbols(parts, [*parts[:2], equal(x, z), parts[3]], True) == {"x"}


@pytest.mark.parametrize("script", [MIXED, FREE, PREDICATE, NAMES])
def test_interpolants_are_scripts_that_z3_confirms(run, script):
    """z3 gets the script as it was, and the answer as it was printed."""
    done = run(script, "--confirm")
    assert done.exit_code == 0
    first, definition, *comments = done.output.splitlines()
    assert first == "unsat"
    assert comments[1] == "; confirmed by z3"
    parameters = definition.split("(", 2)[2].split(") Bool")[0]
    names = re.findall(r"\((\|[^|]+\||[^\s()|]+) ", f"({parameters}")
    applied = f"(I1 {' '.join(names)})"
    for wrong, ending in ((f"(not {applied})", " A"), (applied, " B)")):
        lines = [line for line in script.splitlines() if line.startswith("(declare")]
        assertions = [line for line in script.splitlines() if line.startswith("(assert")]
        lines += [line for line in assertions if ending in line.rsplit(":", 1)[-1]]
        solver = z3.Solver()
        solver.from_string("\n".join([*lines, definition, f"(assert {wrong})"]))
        assert solver.check() == z3.unsat


def test_models_define_numbers_propositions_and_functions(run):
    """What they define satisfies the script, for which z3 is asked."""
    script = """
    (declare-fun f (Real) Real) (declare-const x Real) (declare-fun p (Real) Bool)
    (assert (! (and (< (f x) (/ 1 3)) (p x) (not (p (f x)))) :named A))
    (assert (! (> (f x) (f 0.0)) :named B))
    """
    done = run(script)
    assert done.exit_code == 0
    assertions = "(assert (and (< (f x) (/ 1 3)) (p x) (not (p (f x))) (> (f x) (f 0.0))))"
    lines = [line for line in done.output.splitlines() if line.startswith("(define")]
    lines.sort(key=lambda line: "ite" not in line)
    solver = z3.Solver()
    solver.from_string("\n".join([*lines, assertions]))
    assert solver.check() == z3.sat
    assert set(json.loads(run(script, "--json").output)["model"]) == {"f", "x", "p"}


EXAMPLE_2 = """
(declare-const b Bool) (declare-const c Bool)
(assert (! (and b (or (not b) c)) :named A))
(assert (! (not c) :named B))
"""
COUNTER = """
(declare-const p Bool) (declare-const q Bool) (declare-const x Int) (declare-const y Int)
(assert (! (and (= x 1) (distinct p q)) :named A))
(assert (! (= y (+ x (* 2 x))) :named B))
(assert (! (and (or (not p) (= q p)) (or p (not q) (< y 3))) :named C))
"""


@pytest.mark.parametrize(
    ("script", "interpolants"),
    [
        (EXAMPLE_2, ["c"]),
        ("(declare-const x Real)" + EXAMPLE_2, ["c"]),
        ("(declare-sort U 0)" + EXAMPLE_2, ["c"]),
        (COUNTER, None),
        (COUNTER.replace("Int", "Real"), None),
        ("(declare-fun f (Real) Bool)" + COUNTER.replace("Int", "Real"), None),
        (MIXED.replace("(get-interpolant (A1 A2))", ""), None),
    ],
)
@pytest.mark.parametrize("options", [(), ("--symmetric",), ("--strengthen",)])
def test_every_theory_has_propositions_sequences_and_symmetric_interpolants(
    run, script, interpolants, options
):
    """Example 2 of the paper among them."""
    fields = json.loads(run(script, "--confirm", "--json", *options).output)
    assert fields["answer"] == "unsat" and fields["confirmed"]
    count = len(fields["parts"]) - (options != ("--symmetric",))
    assert len(fields["interpolants"]) == count
    if interpolants is not None and options == ():
        assert fields["interpolants"] == interpolants


LOOP = """
(declare-const x Int) (declare-const i Int) (declare-const j Int) (declare-const k Int)
(assert (! (and (= k j) (= i 1) (= x (+ k 1))) :named A))
(assert (! (and (>= i 50) (= j 0) (<= x 49)) :named B))
"""
HEAP = """
(declare-sort T 0) (declare-sort F 0) (declare-fun H (T F) T)
(declare-const a T) (declare-const b T) (declare-const c T) (declare-const null T)
(declare-const f F) (declare-const g F)
(assert (! (and (= (H a f) c) (distinct (H b g) null)) :named A))
(assert (! (and (= b c) (= (H b g) null) (= (H (H a f) g) null)) :named B))
"""
STEPS = """
(declare-sort U 0) (declare-fun f (U) U) (declare-const a U) (declare-const b U)
(declare-const c U) (declare-const d U) (declare-const e U)
(assert (! (and (= (f c) a) (= c a)) :named A))
(assert (! (and (= b (f a)) (= d a)) :named B))
(assert (! (and (= e b) (distinct (f e) e)) :named C))
"""


@pytest.mark.parametrize(
    ("script", "allowed", "expected"),
    [
        (LOOP, "(bound (- x i)) (bound (- j))", "(<= (+ i j (* (- 1) x)) 0)"),
        (LOOP.replace("Int", "Real"), "(term (- x i)) (term j)", "(<= (+ i j (* (- 1) x)) 0)"),
        (LOOP, "(predicate (= x (+ i j)))", "(= (+ (* (- 1) i) (* (- 1) j) x) 0)"),
        (LOOP, "(term x)", None),
        (HEAP, "(schema ((x T)) (H (H x f) g)) (term a) (term b) (term c) (keep f g null)",
         "(or (not (= b c)) (not (= (H (H a f) g) null)))"),
        (HEAP, "(term a) (term b) (term c) (keep f g null)", None),
        (STEPS, "(schema ((y U)) (f y)) (term a) (term b) (keep f)",
         ["(= (f (f a)) (f a))", "(= (f b) b)"]),
    ],
)  # fmt: skip
def test_an_abstraction_says_what_interpolants_speak_of(run, tmp_path, script, allowed, expected):
    path = tmp_path / "allowed"
    path.write_text(allowed)
    done = run(script, "--confirm", "--json", "--abstraction", str(path))
    fields = json.loads(done.output)
    if expected is None:
        assert (done.exit_code, fields["answer"]) == (1, "unknown")
        assert "does not separate the parts" in fields["reason"]
    else:
        expected = [expected] if isinstance(expected, str) else expected
        assert fields["confirmed"] and fields["interpolants"] == expected


@pytest.mark.parametrize(
    ("allowed", "complaint"),
    [
        ("", "has no template"),
        ("(term y)", "line 1: 'y'"),
        ("(keep y) (term x)", "'y', which the script does not declare,"),
        ("(keep k) (term x)", "'k' is not common"),
        ("(term k)", "no cut has sides that share k"),
        ("(term (< x 1))", "something else in place of a term"),
        ("(predicate (+ x 1))", "a value in place of a formula"),
        ("\n(terms x)", "line 2: what is no (term T)"),
        ("(schema (x) x)", "a parameter without a sort"),
        ("(term x", "a parenthesis that is never closed"),
    ],
)
def test_an_abstraction_that_is_not_understood_is_refused(run, tmp_path, allowed, complaint):
    path = tmp_path / "allowed"
    path.write_text(allowed)
    done = run(LOOP, "--abstraction", str(path))
    assert done.exit_code == 3
    assert complaint in done.output + done.stderr
    assert "has none" in run(LOOP, "--symmetric", "--abstraction", str(path)).stderr


@pytest.mark.parametrize(
    ("first", "doubled", "end", "complaint"),
    [
        ("x", "(f {0} {0})", "(= {0} x)", "more than 100000 characters"),
        ("(= x a)", "(= {0} {0})", "{0}", "propositions of more than 10000 parts"),
    ],
)
def test_doubling_by_let_is_refused_before_it_takes_long(run, first, doubled, end, complaint):
    lets = "".join(f"(let ((a{n + 1} {doubled.format(f'a{n}')})) " for n in range(60))
    body = f"(let ((a0 {first})) {lets}{end.format('a60')}{')' * 61}"
    done = run(MIXED.replace("(<= x a)", body))
    assert done.exit_code == 3
    assert complaint in done.output


def test_bench_measures_three_kinds_of_problems(monkeypatch):
    monkeypatch.setattr(bench_prover, "PROBLEMS", 1)
    monkeypatch.setattr(bench_prover, "SECONDS", 0.05)
    done = CliRunner().invoke(main, ["bench", "prover", "--seed", "3"])
    assert done.exit_code == 0
    assert len(done.output.splitlines()) == 3
    assert all(" steps  cvc5: " in line for line in done.output.splitlines())
