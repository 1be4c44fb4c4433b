"""Each minimal set of templates that has interpolants, on the command line."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random

import pytest
from click.testing import CliRunner
from interpolants import assert_sequence, judge_of, random_parts, shared, sharpened, theory_of

from petricheck.arithmetic.formulas.formulas import Formula, Inequality, equal, variables
from petricheck.arithmetic.formulas.terms import variable
from petricheck.commands import main
from petricheck.laboratory import prover
from petricheck.laboratory.abstractions.relations import (
    InequalityTemplate,
    PredicateTemplate,
    Template,
    TermTemplate,
    template_abstraction,
)
from petricheck.laboratory.lattices.frontier import frontier
from petricheck.laboratory.prover.results import Interpolated, Satisfiable
from petricheck.laboratory.prover.templates import interpolate_over
from petricheck.support.budget import Budget

LOOP = """
(declare-const i0 Int) (declare-const x0 Int) (declare-const i1 Int) (declare-const x1 Int)
(declare-const j Int)
(assert (! (and (= i0 0) (= x0 j) (< i0 50) (= i1 (+ i0 1)) (= x1 (+ x0 1))) :named A))
(assert (! (and (>= i1 50) (= j 0) (< x1 50)) :named B))
"""
"""Section 1.1 of Leroux, Rümmer, Subotić 2016."""


@pytest.fixture
def run(tmp_path):
    def invoke(script: str, templates: str, *options: str):
        (tmp_path / "question.smt2").write_text(script)
        (tmp_path / "templates").write_text(templates)
        files = [str(tmp_path / "question.smt2"), "--abstraction", str(tmp_path / "templates")]
        return CliRunner().invoke(main, ["interpolate", *files, *options])

    return invoke


@pytest.mark.parametrize("sort", ["Int", "Real"])
def test_the_frontier_of_the_running_example_is_that_of_figure_3(run, sort):
    """Example 6: {x1 - i1, j} and {i1}; the loop counter in itself is expensive."""
    templates = "(term (- x1 i1)) (term i1 :cost 9) (term j :cost 4)"
    done = run(LOOP.replace("Int", sort), templates, "--frontier", "--confirm", "--json")
    first, second = json.loads(done.output)["frontier"]
    assert (first["cost"], first["templates"]) == (5, ["(term (- x1 i1))", "(term j)"])
    assert first["interpolants"] == ["(<= (+ i1 j (* (- 1) x1)) 0)"]
    assert (second["cost"], second["templates"]) == (9, ["(term i1)"])
    assert second["interpolants"] == ["(<= i1 1)"]
    assert first["confirmed"] and second["confirmed"]


def test_without_the_option_all_templates_are_allowed_whatever_they_cost(run):
    done = run(LOOP, "(term i1 :cost 9) (term x1)", "--json")
    assert json.loads(done.output)["interpolants"] == ["(<= i1 1)"]


def test_a_cut_of_which_no_template_speaks_is_left_as_it_is(run):
    """Neither set has anything to say of x, the only symbol at the second cut."""
    script = """
    (declare-const a Int) (declare-const b Int) (declare-const x Int)
    (assert (! (and (= a 2) (= b 4)) :named A))
    (assert (! (and (= x (+ a 1)) (= b (* 2 a))) :named B))
    (assert (! (= (mod x 2) 0) :named C))
    """
    done = run(script, "(term a) (term b)", "--frontier", "--confirm")
    lines = [line for line in done.output.splitlines() if not line.startswith("; from")]
    assert lines[1] == "; cost 1: (term a)" and lines[-4] == "; cost 1: (term b)"
    assert [line.split(" ", 2)[1] for line in lines if "define-fun" in line] == [
        *("I1_1", "I2_1", "I1_2", "I2_2")
    ]


def test_a_part_that_contradicts_itself_needs_no_template(run):
    done = run(LOOP.replace("(= i0 0)", "(= i0 50)"), "(term j)", "--frontier")
    assert done.output.splitlines()[1] == "; cost 0: nothing"


def test_nothing_is_listed_where_all_templates_do_not_do(run):
    done = run(LOOP, "(term j) (bound x1)", "--frontier")
    assert done.exit_code == 1
    assert done.output.startswith("unknown\n; what the abstraction allows does not separate")


@pytest.mark.parametrize(
    ("templates", "complaint"),
    [
        ("(term j :cost -1)", "line 1: '-1' is not understood"),
        (f"(term j :cost 1{'0' * 18})", "a cost of more than 18 digits"),
        ("(term j :price 1)", "what is no (term T)"),
        ("(schema ((y Int)) (+ y j))", "that there are no interpolants over a smaller set"),
    ],
)
def test_what_has_no_frontier_is_refused(run, templates, complaint):
    done = run(LOOP, templates, "--frontier")
    assert done.exit_code == 3 and complaint in done.stderr


def test_a_frontier_is_of_a_list_of_templates(run, tmp_path):
    assert "has none" in run(LOOP, "(term j)", "--frontier", "--symmetric").stderr
    done = CliRunner().invoke(main, ["interpolate", str(tmp_path / "question.smt2"), "--frontier"])
    assert done.exit_code == 2 and "goes with --abstraction" in done.output


def random_template(random: Random, names: list[str]) -> Template:
    one, other = (variable(random.choice(names)) for _ in range(2))
    term = one * random.choice((1, -1)) + other * random.choice((0, 0, 1, -1))
    match random.randrange(4):
        case 0:
            return PredicateTemplate(equal(term, random.randint(-3, 3)))
        case 1:
            return PredicateTemplate(Inequality(term + random.randint(-3, 3)))
        case 2:
            return InequalityTemplate(term)
        case _:
            return TermTemplate(term)


def contradiction(random: Random, kind: str) -> list[Formula]:
    """Two parts that share symbols, each of which can hold."""
    while True:
        parts = random_parts(random, 2, kind)
        result = prover.interpolate(*parts, theory=theory_of(kind))
        while isinstance(result, Satisfiable):
            parts = sharpened(random, parts, result.model, kind)
            result = prover.interpolate(*parts, theory=theory_of(kind))
        if isinstance(result, Interpolated) and variables(result.interpolant):
            return parts


def feasible(kind: str, parts: list[Formula], templates: list[Template]) -> bool:
    """Whether their abstraction of the two parts is a contradiction, by Defs. 3 to 6."""
    abstraction = template_abstraction(map(str, shared(parts[:1], parts[1:])), templates)
    return judge_of(kind).unsatisfiable(abstraction.of_a(parts[0]), abstraction.of_b(parts[1]))


def minimal_sets(
    kind: str, parts: list[Formula], templates: list[Template]
) -> list[tuple[int, ...]]:
    minimal: list[tuple[int, ...]] = []
    for size in range(len(templates) + 1):
        for chosen in combinations(range(len(templates)), size):
            is_minimal = not any(set(one) <= set(chosen) for one in minimal)
            if is_minimal and feasible(kind, parts, [templates[number] for number in chosen]):
                minimal.append(chosen)
    return minimal


@pytest.mark.parametrize("seed", (1, 2, 4))
@pytest.mark.parametrize("kind", ["integers", "rationals"])
def test_each_minimal_set_is_listed_once_the_cheapest_first(kind, seed):
    """Held to the definitions: z3 is asked of every set."""
    random = Random(f"{kind} {seed}")
    parts = contradiction(random, kind)
    names = sorted(map(str, shared(parts[:1], parts[1:])))
    templates = list(dict.fromkeys(random_template(random, names) for _ in range(5)))
    costs = [random.randint(0, 3) for _ in templates]

    def interpolate(chosen: tuple[int, ...]) -> prover.Result:
        left = [templates[number] for number in chosen]
        return interpolate_over(parts, templates, chosen=left, theory=theory_of(kind))

    elements = frontier(costs, interpolate, Budget(60))
    sets = [element.templates for element in elements]
    assert sorted(sets) == sorted(minimal_sets(kind, parts, templates))
    prices = [sum(costs[number] for number in chosen) for chosen in sets]
    assert prices == sorted(prices) == [element.cost for element in elements]
    for element in elements:
        assert_sequence(judge_of(kind), parts, element.result.interpolants)
