"""Names in scripts that ask for interpolants: any, and told as they were written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import pytest
import z3
from click.testing import CliRunner, Result
from interpolants import random_parts

from petricheck.cli import main
from petricheck.laboratory.prover import Theory
from petricheck.laboratory.prover.signature import Signature
from petricheck.laboratory.prover.terms import vocabulary
from petricheck.presburger.formulas import Conjunction, Formula, evaluate, variables
from petricheck.presburger.smtlib import to_smtlib

# fmt: off
ODD = (
    "", " ", "a b", "(", ")", "f(x)", "f(x, y)", "g(x), y", "x, y", ";", '"', "; no comment", "1",
    "-1", "1.5", ":named", "#b1", "#", "%41", "A", "%", "%25", "%C3%A9", "é", "e\u0301", "漢字",
    "\u00a0", "\u202e", "\u2028", "a\nb", "a\r\nb", "a\tb", "\nunsat", "let", "as", "_", "!",
    "exists", "par", "BINARY", "assert", "check-sat", "Int", "Real", "Bool", "mod", "div", "abs",
    "member", "pi", "x.y", ".x", "@x", "x'", "x″", "x′", "quotient0", "quotient1", "I1", "x0", "x1",
    "u0", "0x", "~", "$", "?", "a", "aa", "own0", "[", "{x}", "'", ",", "`", "&", "^", "**",
    "&&", "==", "</a>",
)
# fmt: on
"""Names, without the bars that most of them need."""
PLAIN = re.compile(r"[A-Za-z~!$%^&*_+=<>.?/@-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")
WORDS = {"let", "as", "_", "!", "exists", "par", "BINARY"}
Run = Callable[..., Result]


def symbol(name: str) -> str:
    """How a script writes the name: between bars where it needs them."""
    return name if PLAIN.fullmatch(name) and name not in WORDS else f"|{name}|"


@pytest.fixture
def run(tmp_path) -> Run:
    def invoke(script: str, *options: str) -> Result:
        path = tmp_path / "question.smt2"
        path.write_bytes(script.encode())
        return CliRunner().invoke(main, ["interpolate", str(path), *options])

    return invoke


class Renaming:
    """Odd names for plain ones, chosen at random."""

    def __init__(self, random: Random, names: list[str]) -> None:
        self.odd = dict(zip(names, random.sample(ODD, len(names)), strict=True))
        self.plain = {odd: name for name, odd in self.odd.items()}

    def spell(self, name: str) -> str:
        return symbol(self.odd[name])

    def undone(self, text: str) -> str:
        """The script with plain names again."""
        return "".join(self._undone(token) for token in _tokens(text))

    def _undone(self, token: str) -> str:
        bare = token[1:-1] if token.startswith("|") else token
        return self.plain.get(bare, token) if token == symbol(bare) else token


def _tokens(text: str) -> Iterator[str]:
    return (match[0] for match in re.finditer(r"\|[^|]*\||[()]|[ \n]+|[^ \n()|]+", text))


def contradicts(declarations: list[str], *assertions: str) -> bool:
    """Whether z3 says so of the assertions, in plain names."""
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string("\n".join([*declarations, *(f"(assert {said})" for said in assertions)]))
    answer = solver.check()
    assert answer != z3.unknown
    return answer == z3.unsat


@pytest.mark.parametrize("sort", ["Int", "Real"])
def test_a_renamed_problem_has_the_renamed_answer(run, sort):
    """Models satisfy it, and interpolants are what the definition says, in the names given."""
    answers = []
    for seed in range(40):
        random = Random(seed)
        parts = random_parts(random, 2, "integers" if sort == "Int" else "rationals")
        names = list(variables(Conjunction(tuple(parts))))
        renaming = Renaming(random, names)
        script = [f"(declare-const {renaming.spell(name)} {sort})" for name in names]
        for number, part in enumerate(parts):
            script.append(f"(assert (! {to_smtlib(part, renaming.spell)} :named part{number}))")
        fields = json.loads(run("\n".join(script), "--json", "--confirm").output)
        answers.append(fields["answer"])
        if answers[-1] == "sat":
            assert_model(parts, renaming, fields["model"])
        else:
            assert_confirmed([to_smtlib(part) for part in parts], renaming, fields, sort)
    assert min(answers.count("sat"), answers.count("unsat")) > 5


def assert_model(parts: list[Formula], renaming: Renaming, model: dict[str, str]) -> None:
    values = {renaming.plain[odd]: Fraction(value) for odd, value in model.items()}
    assert evaluate(Conjunction(tuple(parts)), values)  # type: ignore[arg-type]


def assert_confirmed(parts: list[str], renaming: Renaming, fields: dict, sort: str) -> None:
    (interpolant,) = map(renaming.undone, fields["interpolants"])
    declarations = [f"(declare-const {name} {sort})" for name in renaming.odd]
    assert contradicts(declarations, parts[0], f"(not {interpolant})")
    assert contradicts(declarations, interpolant, parts[1])


@pytest.mark.parametrize("kind", ["equality", "combination"])
def test_functions_may_have_any_names(run, kind):
    answers = []
    for seed in range(24):
        random = Random(seed)
        parts = random_parts(random, 2, kind)
        symbols = sorted(set().union(*map(vocabulary, parts)), key=str)
        arities = {
            s if isinstance(s, str) else s[0]: 0 if isinstance(s, str) else s[1] for s in symbols
        }
        renaming = Renaming(random, list(arities))
        sorts = {name: ("Real",) * (arity + 1) for name, arity in arities.items()}
        plain = Signature(Theory.FUNCTIONS, sorts, lambda name: name)
        odd = Signature(Theory.FUNCTIONS, sorts, renaming.spell)
        script = odd.declarations()
        for number, part in enumerate(parts):
            script.append(f"(assert (! {odd.to_smtlib(part)} :named part{number}))")
        fields = json.loads(run("\n".join(script), "--json", "--confirm").output)
        answers.append(fields["answer"])
        said = list(map(plain.to_smtlib, parts))
        if answers[-1] == "sat":
            assert set(fields["model"]) == set(renaming.plain)
            assert not contradicts(plain.declarations(), *said)
        else:
            (interpolant,) = map(renaming.undone, fields["interpolants"])
            assert contradicts(plain.declarations(), said[0], f"(not {interpolant})")
            assert contradicts(plain.declarations(), interpolant, said[1])
    assert min(answers.count("sat"), answers.count("unsat")) > 3


@pytest.mark.parametrize("name", ODD)
def test_a_model_defines_the_symbols_as_they_were_written(run, name):
    other = symbol(f"{name}x")
    for sort, value in (("Int", "3"), ("Real", "3.0")):
        script = (
            f"(declare-const {symbol(name)} {sort})(declare-const {other} {sort})"
            f"(assert (! (= {symbol(name)} 3) :named A))(assert (! (= {other} 4) :named B))"
        )
        lines = run(script).stdout_bytes.decode().removesuffix("\n")
        answer, definitions = lines.split("\n", 1)
        assert answer == "sat"
        first = f"(define-fun {symbol(name)} () {sort} {value})"
        second = f"(define-fun {other} () {sort} {value.replace('3', '4')})"
        assert definitions in (f"{first}\n{second}", f"{second}\n{first}")


def test_names_that_are_encodings_of_each_other_are_different(run):
    script = (
        "(declare-const A Int)(declare-const %41 Int)"
        "(assert (! (= A 1) :named first))(assert (! (= |%41| 2) :named second))"
    )
    assert json.loads(run(script, "--json").output)["model"] == {"A": "1", "%41": "2"}
    functions = script.replace("Int", "Real") + "(declare-fun f (Real) Real)"
    assert json.loads(run(functions, "--json").output)["answer"] == "sat"


@pytest.mark.parametrize("functions", ["", "(declare-fun f (Real) Real)"])
def test_a_symbol_is_the_same_with_bars_and_without(run, functions):
    script = (
        f"{functions}(declare-const |a| |Real|)"
        "(assert (! (= a 1) :named A))(assert (! (= |a| 2) :named |B|))(get-interpolants |A| B)"
    )
    assert json.loads(run(script, "--json").output)["answer"] == "unsat"
    done = run(f"(declare-const a Real){script}")
    assert done.exit_code == 3
    assert "a second declaration of 'a'" in done.output


@pytest.mark.parametrize("functions", ["", "(declare-fun f (Real) Real)"])
@pytest.mark.parametrize(
    "name",
    (
        *("let", "_", "!", "and", "|and|", "|true|", "true", "|+|", "=", "1", ":a", "#b0", '"a"'),
        *("a\\b", "|a\0b|", "|a\x1bb|", "|a\x7f|"),
    ),
)
def test_what_is_no_name_is_refused(run, name, functions):
    done = run(
        f"{functions}(declare-const {name} Real)(declare-const x Real)"
        "(assert (! (= x 1) :named A))(assert (! (= x 2) :named B))"
    )
    assert done.exit_code == 3
    assert f"line 1: the symbol {name!a}, declared, is not understood" in done.output
    bound = run(
        f"{functions}(declare-const x Real)(assert (! (let (({name} x)) (= x 1)) :named A))"
        "(assert (! (= x 2) :named B))"
    )
    assert bound.exit_code == 3


@pytest.mark.parametrize(
    "said",
    ["(declare-sort Real 0)", "(declare-sort U 0)(declare-sort |U| 0)", "(declare-sort Int 0)"],
)
def test_a_sort_is_declared_once(run, said):
    done = run(f"{said}(assert (! true :named A))(assert (! true :named B))")
    assert done.exit_code == 3
    assert "a second declaration of the sort" in done.output


def test_the_interpolant_is_called_otherwise_where_a_function_has_its_name(run):
    script = (
        "(declare-fun I1 (Real) Real)(declare-const I1_ Real)"
        "(assert (! (= (I1 I1_) 1) :named A))(assert (! (= (I1 I1_) 2) :named B))"
    )
    (definition,) = re.findall(r"\(define-fun (\S+) ", run(script).output)
    assert definition == "I1__"


THIRD = """
(declare-const x Real)
(assert (! (<= x 1) :named A)) (assert (! (>= x y) :named B))
(assert (! (>= y 2) :named |C é|)) (assert (! (<= x 7) :named D))
"""


@pytest.mark.parametrize(
    "declared", ["(declare-const y Real)", "(declare-fun y () Real)(declare-fun f (Real) Real)"]
)
def test_what_the_question_leaves_out_is_told(run, declared):
    """A and B can hold together, though C denies it."""
    for question, answer, parts, left_out, line in (
        ("s A B", "sat", [["A"], ["B"]], ["C é", "D"], r"A, B alone, without |C \xe9|, D"),
        ("s A (and B |C é|)", "unsat", [["A"], ["B", "C é"]], ["D"],
         r"A, B and |C \xe9| alone, without D"),
        (" (A)", "unsat", [["A"], ["B", "C é", "D"]], [], ""),
    ):  # fmt: skip
        script = f"{declared}{THIRD}(get-interpolant{question})"
        fields = json.loads(run(script, "--json").output)
        shown = [fields[key] for key in ("answer", "parts", "left_out")]
        assert shown == [answer, parts, left_out]
        assert not line or run(script).output.splitlines()[1] == f"; of the parts {line}"


@pytest.mark.parametrize(
    "after", ["(get-interpolants B A)", "(get-interpolant (A))", "(assert (! (<= x 0) :named A))"]
)
def test_nothing_is_asserted_or_asked_after_the_question(run, after):
    done = run(f"(declare-const y Real){THIRD}(get-interpolants A B)\n(check-sat){after}")
    assert done.exit_code == 3
    assert "line 6: " in done.output
    assert "after the question (one a file, at the end) is not understood" in done.output
