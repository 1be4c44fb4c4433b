"""Names in scripts that ask for interpolants: any, and told as they were written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
import z3
from click.testing import CliRunner, Result
from interpolants import KINDS, random_parts, theory_of

from petricheck.arithmetic.formulas.formulas import Conjunction, evaluate
from petricheck.commands import main
from petricheck.laboratory.prover import Theory
from petricheck.laboratory.prover.signature import Signature
from petricheck.laboratory.prover.terms import vocabulary

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


@pytest.mark.parametrize("kind", KINDS[:-1])
@pytest.mark.slow
def test_a_renamed_problem_has_the_renamed_answer(run, kind):
    """Models satisfy it, and interpolants are what the definition says, in the names given."""
    answers = []
    sort = "Int" if kind == "integers" else "Real"
    for seed in range(24):
        random = Random(seed)
        parts = random_parts(random, 2, kind)
        symbols = sorted(vocabulary(Conjunction(tuple(parts))), key=str)
        arities = dict((symbol, 0) if isinstance(symbol, str) else symbol for symbol in symbols)
        renaming = Renaming(random, list(arities))
        sorts = {name: (sort,) * (arity + 1) for name, arity in arities.items()}
        plain = Signature(Theory(theory_of(kind)), sorts, lambda name: name)
        odd = replace(plain, spell=renaming.spell)
        named = [f"(assert (! {odd.to_smtlib(part)} :named p{n}))" for n, part in enumerate(parts)]
        script = "\n".join([*odd.declarations(), *named])
        fields = json.loads(run(script, "--json", "--confirm").output)
        answers.append(fields["answer"])
        said = list(map(plain.to_smtlib, parts))
        if answers[-1] == "sat":
            assert set(fields["model"]) == set(renaming.plain)
            if theory_of(kind) == kind:
                numbers = map(Fraction, fields["model"].values())
                values = dict(zip(map(renaming.plain.get, fields["model"]), numbers, strict=True))
                assert evaluate(Conjunction(tuple(parts)), values)
            assert not contradicts(plain.declarations(), *said)
        else:
            (interpolant,) = map(renaming.undone, fields["interpolants"])
            assert contradicts(plain.declarations(), said[0], f"(not {interpolant})")
            assert contradicts(plain.declarations(), interpolant, said[1])
    assert min(answers.count("sat"), answers.count("unsat")) > 2


@pytest.mark.parametrize("name", ODD)
def test_a_model_defines_the_symbols_as_they_were_written(run, name):
    other = symbol(f"{name}x")
    script = (
        f"(declare-const {symbol(name)} Real)(declare-const {other} Real)"
        f"(assert (! (= {symbol(name)} 3) :named A))(assert (! (= {other} 4) :named B))"
    )
    lines = [f"(define-fun {symbol(name)} () Real 3.0)", f"(define-fun {other} () Real 4.0)"]
    assert run(script).stdout_bytes.decode().removesuffix("\n") == "\n".join(["sat", *lines])


def test_names_that_are_encodings_of_each_other_are_different(run):
    script = (
        "(declare-const A Int)(declare-const %41 Int)"
        "(assert (! (= A 1) :named first))(assert (! (= |%41| 2) :named second))"
    )
    assert json.loads(run(script, "--json").output)["model"] == {"A": "1", "%41": "2"}
    functions = script.replace("Int", "Real") + "(declare-fun f (Real) Real)"
    assert json.loads(run(functions, "--json").output)["answer"] == "sat"


def test_a_symbol_is_the_same_with_bars_and_without(run):
    script = (
        "(declare-const |a| |Real|)"
        "(assert (! (= a 1) :named A))(assert (! (= |a| 2) :named |B|))(get-interpolants |A| B)"
    )
    assert json.loads(run(script, "--json").output)["answer"] == "unsat"
    done = run(f"(declare-const a Real){script}")
    assert done.exit_code == 3
    assert "a second declaration of 'a'" in done.output


@pytest.mark.parametrize(
    "name",
    (
        *("let", "_", "!", "and", "|and|", "|true|", "true", "|+|", "=", "1", ":a", "#b0", '"a"'),
        *("a\\b", "|a\0b|", "|a\x1bb|", "|a\x7f|"),
    ),
)
def test_what_is_no_name_is_refused(run, name):
    done = run(
        f"(declare-const {name} Real)(declare-const x Real)"
        "(assert (! (= x 1) :named A))(assert (! (= x 2) :named B))"
    )
    assert done.exit_code == 3
    assert f"line 1: the symbol {name!a}, declared, is not understood" in done.output
    bound = run(
        f"(declare-const x Real)(assert (! (let (({name} x)) (= x 1)) :named A))"
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


def test_what_the_question_leaves_out_is_told(run):
    """A and B can hold together, though C denies it."""
    for question, answer, parts, left_out, line in (
        ("s A B", "sat", [["A"], ["B"]], ["C é", "D"], r"A, B alone, without |C \xe9|, D"),
        ("s A (and B |C é|)", "unsat", [["A"], ["B", "C é"]], ["D"],
         r"A, B and |C \xe9| alone, without D"),
        (" (A)", "unsat", [["A"], ["B", "C é", "D"]], [], ""),
    ):  # fmt: skip
        script = f"(declare-const y Real){THIRD}(get-interpolant{question})"
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
