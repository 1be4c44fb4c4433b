"""The checker of one file: it agrees with the audit, and refuses what it does not know."""

from __future__ import annotations

import ast
import base64
import contextlib
import gzip
import hashlib
import io
import json
import random
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import home_spaces
import pytest
import test_home_proofs as home_proofs
import test_reachability_set as reachability
import test_termination_proofs as termination_proofs
from click.testing import CliRunner
from evidence_files import MALFORMED, changed, read_json, write_json
from false_certificates import FALSE, TRUE
from false_rows import Row
from folders import ROOT, SHARED, question_formula, questions_of
from home_spaces import FORK, SWING, dominates
from hypothesis import given
from hypothesis import strategies as st
from judged import ANSWERS, Graph, ends, firing, graph_of, judge
from notation import net_of
from oracle import explore, known_verdict
from pnml_documents import PARTS, arc
from pnml_documents import REFUSED as REFUSED_NETS
from questions import parse_query
from strategies import harder_problems, nets, problems, repeatable
from workflows import workflows

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import TRUE as ALL
from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Equality,
    Formula,
    Inequality,
    at_least,
    congruent,
    equal,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers import solver
from petricheck.commands import main as petricheck
from petricheck.evidence import standalone
from petricheck.evidence.answer import Reachable, Trace, Unknown, Unreachable
from petricheck.evidence.audit import audit, prove
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.onward import OnwardTraces
from petricheck.evidence.claims import Claim, Home
from petricheck.evidence.files.json import Json, write_claim
from petricheck.formats.nets import read_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.coloured.net import ColouredNet
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.net import Net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import ask, check
from petricheck.questions.homes import explored
from petricheck.questions.verification import evidence_of
from petricheck.support.budget import Budget
from petricheck.support.errors import (
    BudgetExhausted,
    EvidenceError,
    PetricheckError,
    QueryError,
)

SOURCE = Path(standalone.__file__)
ENGINES = ("cegar", "coverability", "state_equation", "directed_search")
ACCEPTED, UNDECIDED, USAGE, REFUSED, REJECTED = range(5)
ANY_PROBLEM = st.one_of(problems(), harder_problems())
p, q = variable("p"), variable("q")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for a net and evidence about it."""
    return tmp_path_factory.mktemp("desk")


def said(*words: str | Path) -> tuple[int, str]:
    """The exit status of the checker, and what it says."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        status = standalone.main([str(word) for word in words])
    return status, told.getvalue()


def laid(desk: Path, problem: Problem, answer: Reachable | Unreachable) -> dict[str, Any]:
    """The net, written to the desk, and the evidence as a JSON object."""
    data = Pnml().write(problem.net)
    (desk / "net.pnml").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    value = json.loads(write_json(problem, digest, answer))
    assert isinstance(value, dict)
    return value


def judged(desk: Path, value: object) -> int:
    """What the checker makes of the evidence about the net on the desk."""
    (desk / "e.json").write_text(json.dumps(value))
    status, text = said(desk / "net.pnml", desk / "e.json")
    word = ("accepted", "undecided", "usage", "refused", "rejected")[status]
    assert text.startswith(f"{word}: ")
    return status


class Needed(Exception):
    """The audit turned to a solver."""


def exact(net: Net, value: object) -> bool:
    """Whether petricheck reads the evidence and its audit accepts it without a solver."""

    def refuse(*_: object, **__: object) -> None:
        raise Needed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "find_model", refuse)
        return confirmed(net, value)


def confirmed(net: Net, value: object) -> bool:
    """Whether petricheck reads the evidence and its audit accepts it."""
    try:
        claim = read_json(json.dumps(value).encode())
        if claim.target is None:
            return False
        make_problem(net, claim.target)  # names places only
        return bool(audit(Problem(net, claim.target), claim.answer, budget=Budget(20)))
    except (PetricheckError, Needed):
        return False


def verdict(value: dict[str, Any]) -> str:
    """The verdict that the evidence is for."""
    return "reachable" if value["answer"] else "unreachable"


# The file


def test_the_checker_is_one_short_file_for_python_alone() -> None:
    lines = SOURCE.read_text("utf-8").splitlines()
    assert len(lines) <= 1_430
    assert max(map(len, lines)) <= 100
    imported = set()
    for node in ast.walk(ast.parse(SOURCE.read_text("utf-8"))):
        match node:
            case ast.Import(names):
                imported |= {name.name for name in names}
            case ast.ImportFrom(module, _, level):
                assert level == 0
                imported.add(str(module))
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_it_is_printed_and_runs_where_no_package_is_installed(tmp_path: Path) -> None:
    net, evidence = ROOT / "nets" / "fig8_U.pnml", tmp_path / "e.json"
    asked = [str(net), "--target", "p1=1", "--evidence", str(evidence)]
    assert CliRunner().invoke(petricheck, asked).exit_code == 0
    printed = CliRunner().invoke(petricheck, ["verify", "--print-checker"])
    assert (printed.exit_code, printed.stdout) == (0, SOURCE.read_text("utf-8"))
    (tmp_path / "check.py").write_text(printed.stdout, "utf-8")
    command = [sys.executable, "-I", "-S", "check.py"]
    answer = subprocess.run(
        [*command, net, evidence], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (answer.returncode, answer.stderr) == (ACCEPTED, "")
    assert answer.stdout == (
        "accepted: unreachable\n"
        "Proved: no marking is reachable that satisfies\n"
        '  (1*"p1" = 1 and 1*"p2" = 0)\n'
    )
    assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == USAGE


# Agreement with the audit


def questions() -> Iterator[tuple[str, Path, Formula]]:
    """Those of the project's nets, but for coloured ones."""
    for question in questions_of(ROOT / "nets"):
        file = read_net(question.net)
        if isinstance(file.source, Net):
            yield question.name, question.net, question_formula(question, file.net)


@pytest.mark.parametrize(
    ("path", "target"), [pytest.param(*rest, id=name) for name, *rest in questions()]
)
def test_it_accepts_what_is_proved_of_our_nets(path: Path, target: Formula, desk: Path) -> None:
    file = read_net(path)
    problem = make_problem(file.net, target)
    result = check(problem, budget=Budget(60))
    assert not isinstance(result.answer, Unknown)
    evidence = desk / "e.json"
    evidence.write_bytes(write_json(problem, file.sha256, result.answer))
    assert said(path, evidence)[0] == (UNDECIDED if "z3" in result.audit else ACCEPTED)


def compared(desk: Path, problem: Problem, engine: str) -> dict[str, Any] | None:
    """The evidence that the engine finds in time, on which the checker and the audit agree."""
    answer = check(problem, engine=engine, budget=Budget(1)).answer
    if isinstance(answer, Unknown):
        return None
    value = laid(desk, problem, answer)
    agreed(desk, problem.net, value)
    return value


def agreed(desk: Path, net: Net, value: dict[str, Any]) -> int:
    """What the checker makes of it: it accepts what is exact, and what is accepted is true."""
    status = judged(desk, value)
    if exact(net, value):
        assert status == ACCEPTED
    if status == ACCEPTED:
        assert confirmed(net, value)
        claim = read_json(json.dumps(value).encode())
        assert claim.target is not None
        assert known_verdict(Problem(net, claim.target), 300) in (None, verdict(value))
    return status


@repeatable(50)
@given(harder_problems())
def test_cubes_are_those_of_the_library(problem: Problem) -> None:
    written = json.loads(write_json(problem, None, Reachable(Trace(()))))["question"]["target"]
    own = standalone.cubes(standalone.read_formula(written, dict.fromkeys(problem.net.places, 0)))
    assert own == [tuple(map(atom, cube)) for cube in cubes(problem.target)]


def atom(literal: Atom) -> tuple[object, ...]:
    """The literal as the checker holds it."""
    match literal:
        case Inequality(term):
            modulus = None
        case Equality(term):
            modulus = 0
        case Congruence(term, modulus):
            pass
    return term.coefficients, modulus, -term.constant


def test_wrong_hints_and_none_leave_it_undecided(desk: Path) -> None:
    net = net_of("p=0, t: -> 2 p")
    problem = make_problem(net, congruent(p, 1, 2))
    answer = check(problem, engine="cegar").answer
    assert isinstance(answer, Unreachable)
    value = laid(desk, problem, answer)
    right = value["claims"][0]["hints"]
    wrong = ({"sums": []}, {"successors": [], "separators": []})
    for hints in (None, *wrong, right | {"separators": []}, right | {"successors": [[]]}):
        assert judged(desk, changed(value, {"hints": hints})) == UNDECIDED


def test_a_state_equation_and_classes_of_colours_leave_it_undecided(desk: Path) -> None:
    problem = make_problem(net_of("p=0, t: -> 2 p"), congruent(p, 1, 2))
    answer = check(problem, engine="cegar").answer
    assert isinstance(answer, Unreachable)
    value = laid(desk, problem, answer)
    equation = {"traps": [], "siphon": []}
    classes = {"tracked": 0, "apart": 0, "certificate": {"state equation": equation}}
    for certificate in ({"state equation": equation}, {"classes": classes}):
        claim = {"excluded": "target", **certificate}
        assert judged(desk, value | {"claims": [claim]}) == UNDECIDED


# Mutants


def mutants(value: dict[str, Any], rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    """The evidence with one to three changes anywhere but in its head."""
    for _ in range(count):
        changed = json.loads(json.dumps(value))
        (claim,) = changed["claims"]
        parts = [(changed["question"], "target"), (changed, "answer"), *((claim, k) for k in claim)]
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            part, key = rng.choice(parts)
            part[key] = mutated(part[key], rng)
        yield changed


def mutated(value: Any, rng: random.Random) -> Any:
    """The value with a change somewhere in it."""
    match value:
        case dict() if value:
            key = rng.choice(list(value))
            return dict(value_changed(value, key, rng))
        case list() if value:
            position = rng.randrange(len(value))
            match rng.randrange(6):
                case 0:
                    return value[:position] + value[position + 1 :]
                case 1:
                    return value[: position + 1] + value[position:]
                case 2:
                    other = rng.randrange(len(value))
                    swapped = list(value)
                    swapped[position], swapped[other] = swapped[other], swapped[position]
                    return swapped
                case _:
                    inner = mutated(value[position], rng)
                    return [*value[:position], inner, *value[position + 1 :]]
        case int():
            return rng.choice((value - 1, value + 1, value - 1, value + 1, -value, 0, 2 * value))
        case str() if (table := expanded(value)) is not None:
            return packed(mutated(table, rng))
        case str():
            return rng.choice((value, value + "1", hex(rng.randrange(3))))
        case _:
            return rng.choice((None, True, 1.0, [], {}, "0x0", value))


def expanded(text: str) -> list[int] | None:
    """The bytes of a table; None for other texts."""
    try:
        return [*zlib.decompress(base64.b64decode(text, validate=True))] or None
    except (ValueError, zlib.error):
        return None


def packed(values: list[int]) -> str:
    """The text of a table with these bytes."""
    data = bytes(value % 256 for value in values)
    return base64.b64encode(zlib.compress(data)).decode("ascii")


def value_changed(value: dict[str, Any], key: str, rng: random.Random) -> Iterator[tuple[str, Any]]:
    choice = rng.randrange(8)
    for name, inner in value.items():
        if name != key or choice > 2:
            yield name, mutated(inner, rng) if name == key else inner
        elif choice == 1:
            yield rng.choice(("and", "or", "not", "p1", "p2", "at most", "equals")), inner
        elif choice == 2:
            yield name, inner
            yield rng.choice(("p1", "p2", "p9")), rng.randrange(-2, 3)


def campaign(desk: Path, examples: int, count: int) -> Counter[tuple[str, int]]:
    """Verdicts on mutants of evidence about random nets, on all of which both checkers agree."""
    seen: Counter[tuple[str, int]] = Counter()

    @repeatable(examples)
    @given(ANY_PROBLEM, st.sampled_from(ENGINES), st.randoms(use_true_random=False))
    def compare(problem: Problem, engine: str, rng: random.Random) -> None:
        value = compared(desk, problem, engine)
        for mutant in () if value is None else mutants(value, rng, count):
            if value is not None and mutant["answer"] is value["answer"]:
                seen[verdict(mutant), agreed(desk, problem.net, mutant)] += 1

    compare()
    return seen


def test_it_agrees_with_the_audit_on_mutants(desk: Path) -> None:
    seen = campaign(desk, 60, 8)
    assert all(seen[word, status] for word in ("reachable", "unreachable") for status in (0, 4))
    assert seen["unreachable", UNDECIDED]


def of_the_table(desk: Path, row: Row) -> int:
    """What the checker makes of a row of the table of smallest proofs."""
    traced = isinstance(row.evidence, Trace)
    answer = Reachable(row.evidence) if traced else Unreachable(row.evidence)
    return judged(desk, laid(desk, Problem(row.net, row.target), answer))


@pytest.mark.parametrize("row", FALSE, ids=lambda row: row.name)
def test_a_false_proof_is_not_accepted(row: Row, desk: Path) -> None:
    assert of_the_table(desk, row) != ACCEPTED


@pytest.mark.parametrize("row", TRUE, ids=lambda row: row.name)
def test_a_proof_that_is_nearly_false_is_accepted(row: Row, desk: Path) -> None:
    assert of_the_table(desk, row) == ACCEPTED


def claimed(
    desk: Path, net: Net, target: Formula, invariant: dict[str, Any], hints: dict[str, Any]
) -> int:
    """What the checker makes of a certificate that is written by hand."""
    value = laid(desk, Problem(net, target), Unreachable(Certificate(Conjunction(()))))
    return judged(desk, changed(value, {"invariant": invariant, "hints": hints}))


def at(sums: dict[str, int], **relation: int) -> dict[str, Any]:
    """An atom as evidence has it."""
    return {"sum": sums} | {key.replace("_", " "): number for key, number in relation.items()}


def separated(*multipliers: int, modulus: int = 0) -> dict[str, Any]:
    """Hints for one case that one transition leads back to, and a target of one cube."""
    reason = {"direction": {"p": 1}, "multipliers": list(multipliers), "scale": 1}
    return {"successors": [[0]], "separators": [{"cube": 0, "modulus": modulus} | reason]}


def test_hints_may_have_another_order_since_unfolded_nets_have(desk: Path) -> None:
    net = net_of("p=1 q=0, t: p -> q, u: q -> p")
    full = [at({"p": 1}, at_most=1), at({"q": 1}, at_most=0)]
    empty = [at({"p": 1}, at_most=0), at({"q": 1}, at_most=1)]
    invariant, separators = {"or": [{"and": full}, {"and": empty}]}, separated(1)["separators"]
    for successors, status in (
        ([[1, -1], [-1, 0]], ACCEPTED),
        ([[-1, 1], [0, -1]], ACCEPTED),
        ([[0, -1], [-1, 0]], UNDECIDED),
    ):
        hints = {"successors": successors, "separators": separators}
        assert claimed(desk, net, at_least(p, 2), invariant, hints) == status


EVEN = net_of("p=0, t: -> 2 p")
ODD = at({"p": 1}, residue=1, modulus=2)


def test_incongruences_in_an_invariant_are_not_read_as_congruences(desk: Path) -> None:
    invariant = {"or": [{"and": [{"not": ODD}]}]}
    hints = separated(1, modulus=2)
    assert claimed(desk, EVEN, congruent(p, 0, 2), invariant, hints) == UNDECIDED


def test_congruences_beside_clauses_are_not_read_as_inequalities(desk: Path) -> None:
    net = net_of("p=3, t: p -> p")
    assert claimed(desk, net, at_least(p, 2), {"and": [ODD]}, {"sums": []}) == UNDECIDED
    below = {"and": [at({"p": 1}, at_most=3)]}
    assert claimed(desk, net, at_least(p, 4), below, {"sums": []}) == ACCEPTED
    assert claimed(desk, net, congruent(p, -1, 2), below, {"sums": []}) == UNDECIDED


def test_hints_that_make_no_sense_are_passed_over(desk: Path) -> None:
    even = {"or": [{"and": [at({"p": 1}, residue=0, modulus=2)]}]}
    hints = separated(1, modulus=2)
    good = hints["separators"][0]
    for change in ({"multipliers": []}, {"multipliers": [1, 1]}, {"scale": 0}, {"modulus": -2}):
        both = [good | change, good | {"cube": 7}, good | {"direction": {"x": 1}}, good]
        more = hints | {"separators": both}
        assert claimed(desk, EVEN, congruent(p, 1, 2), even, more) == ACCEPTED
        assert claimed(desk, EVEN, congruent(p, 0, 2), even, more) == UNDECIDED
    net = net_of("p=1 q=1, t: p -> q, u: q -> p")
    sides = [at({"p": 2, "q": 1}, at_most=3), at({"p": 1, "q": 2}, at_most=3)]
    constant = {"and": [at({"p": 1, "q": 1}, at_most=2), {"or": [at({"p": 1}, at_most=4)]}]}
    for sums in ([], [[[9, 1]]], [[[-1, 1]]], [[[0, 0]]], [[[0, -1]]], [[[1, 1]]], [[]]):
        target = Conjunction((at_least(p, 2), at_least(q, 1)))
        assert claimed(desk, net, target, constant, {"sums": sums}) == ACCEPTED
        assert claimed(desk, net, at_least(p, 1), constant, {"sums": sums}) == UNDECIDED
    assert claimed(desk, net, at_least(p, 3), {"and": sides}, {"sums": []}) == UNDECIDED


# Claims of other questions


def claimed_together(desk: Path, net: Net, *claims: dict[str, Any]) -> int:
    """What the checker makes of evidence with these claims that is not about one target."""
    (desk / "net.pnml").write_bytes(Pnml().write(net))
    problem = Problem(net, ALL)
    head = json.loads(write_json(problem, None, Reachable(Trace(()))))
    question = {"kind": "bounded", "text": "", "target": None}
    return judged(desk, head | {"question": question, "answer": None, "claims": claims})


def of_claim(desk: Path, net: Net, claim: Claim) -> int:
    """The same of one claim; refused like by the checker where it cannot be written."""
    try:
        return claimed_together(desk, net, write_claim(claim))
    except (AttributeError, ValueError):  # Half a token, or half a row.
        return REJECTED


TABLES = {
    **{name: (FORK, claim) for name, (claim, _) in home_spaces.FALSE_CLAIMS.items()},
    **{name: (net, claim) for name, (net, claim, _) in home_proofs.FALSE_CLAIMS.items()},
    **reachability.FALSE,
}
BEYOND_TABLES = {
    "rows without a place",
    "rows that count a place with another",
    "a certificate of what is never reached",
    "a table without ranks",
    "a place without a field",
    "a sum of places",
}
"""Of these the checker looks at nothing."""


# No object has a key twice.
@pytest.mark.parametrize("name", sorted(TABLES.keys() - {"a place twice"}))
def test_a_false_claim_is_not_accepted(name: str, desk: Path) -> None:
    net, claim = TABLES[name]
    status = of_claim(desk, net, claim)
    assert status in (UNDECIDED, REJECTED)
    if name not in home_proofs.FALSE_CLAIMS and name not in BEYOND_TABLES:
        assert status == REJECTED


@pytest.mark.parametrize(
    ("net", "claim"),
    [*((FORK, claim) for claim in home_spaces.TRUE_CLAIMS.values()), *reachability.TRUE.values()],
)
def test_a_true_claim_with_a_table_is_accepted(net: Net, claim: Claim, desk: Path) -> None:
    assert of_claim(desk, net, claim) == ACCEPTED


def test_every_proof_of_a_home_space_that_needs_no_solver_is_accepted(desk: Path) -> None:
    for net, claim in home_proofs.TRUE_CLAIMS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(solver, "find_model", lambda *_, **__: pytest.skip("a solver"))
            try:
                prove(net, claim)
            except pytest.skip.Exception:
                assert of_claim(desk, net, claim) == UNDECIDED
                continue
        assert of_claim(desk, net, claim) == ACCEPTED


def test_other_claims_are_left_to_verify(desk: Path) -> None:
    assert claimed_together(desk, SWING, {"unbounded": [], "stages": []}) == UNDECIDED
    entered = write_claim(home_spaces.TRUE_CLAIMS["nothing after the last firing"])
    entered |= {"with": ["go"]}
    assert claimed_together(desk, FORK, entered) == UNDECIDED


def test_traces_lead_on_from_the_home_marking_that_they_are_listed_with(desk: Path) -> None:
    net = net_of("p=1 q=0 r=0 s=0, a: p -> q, b: p -> r, c: q -> s, d: r -> s")
    table = home_spaces.table_of(net, ("p", 1, "a"), ("q", 0, "c"), ("r", 0, "d"), ("s", 0, "c"))
    markings = tuple(((place, 1),) for place in "qrs")
    for names, status in (("cd", ACCEPTED), ("dc", REJECTED)):
        traces = tuple((home_spaces.trace(*name),) for name in (*names, ""))
        claim = Home((equal(variable("s"), 1),), OnwardTraces(markings, table, traces))
        assert of_claim(desk, net, claim) == status


def test_every_claim_counts_and_all_are_told(desk: Path) -> None:
    true = [write_claim(claim) for claim in home_spaces.TRUE_CLAIMS.values()]
    assert claimed_together(desk, FORK, *true) == ACCEPTED
    printed = said(desk / "net.pnml", desk / "e.json")[1]
    assert printed.startswith("accepted: what is claimed\nProved: from every reachable")
    assert printed.count("Proved: ") == len(true)
    assert "Proved: a marking is reachable from which none is reachable that satisfies" in printed
    false, _ = home_spaces.FALSE_CLAIMS["ranks in a circle"]
    assert claimed_together(desk, FORK, *true, write_claim(false)) == REJECTED


def test_stops_of_a_trace_ascend_as_the_audit_requires(desk: Path) -> None:
    net = net_of("p=1 q=0, t: p -> q")
    stops = [[0, at({"p": -1}, at_most=-1)], [1, at({"q": -1}, at_most=-1)]]
    for order, status in ((stops, ACCEPTED), (stops[::-1], REJECTED)):
        assert claimed_together(desk, net, {"trace": [["t", 1]], "stops": order}) == status


def claims_by_table(net: Net, formula: Formula) -> Iterator[Claim]:
    """What tables prove of a home space and of the reachable markings, where these are few."""
    if explore(net, 40) is not None:
        yield from explored.home_claims(net, [formula], Budget(10))
        yield from check(ask(net, state_space=True), budget=Budget(10)).claims


@repeatable(25)
@given(problems(), st.integers(0, 999))
def test_it_agrees_with_the_audit_on_claims_by_tables_and_their_mutants(
    desk: Path, problem: Problem, seed: int
) -> None:
    rng = random.Random(seed)
    for claim in claims_by_table(problem.net, problem.target):
        written = write_claim(claim)
        assert claimed_together(desk, problem.net, written) == ACCEPTED
        for _ in range(8):
            key = rng.choice(list(written))
            mutant = written | {key: mutated(written[key], rng)}
            if claimed_together(desk, problem.net, mutant) == ACCEPTED:
                (read,) = Json().read((desk / "e.json").read_bytes()).claims
                prove(problem.net, read)


def evidence_of_each_kind(net: Net) -> Iterator[dict[str, Any]]:
    """What is proved of questions of all kinds, as far as it is quickly found."""
    place, action = net.places[0], net.actions[0]
    asked: dict[str, Any] = dict.fromkeys(ANSWERS, True)
    asked |= {"fireable": action, "bound": place, "home": f"{place} >= 1"}
    asked |= {"cover": f"{place}=3", "target": dict.fromkeys(net.places, 1)}
    asked |= {"formula": f"{place} > 2", "sound": "weak"}
    for kind, words in asked.items():
        with contextlib.suppress(QueryError):  # Few nets are workflow nets.
            finding = check(ask(net, **{kind: words}), budget=Budget(0.3))
            if finding.claims:
                yield json.loads(Json().write(net, evidence_of(finding, None)))


def changed_net(net: Net, rng: random.Random) -> Net:
    """The net with another weight, or another number of tokens."""
    if rng.random() < 0.5:
        place = rng.randrange(len(net.places))
        changed = max(0, net.initial[place] + rng.choice((-1, 1)))
        return net.beginning((*net.initial[:place], changed, *net.initial[place + 1 :]))
    transitions = [*net.transitions]
    number = rng.randrange(len(transitions))
    sides = {"pre": dict(transitions[number].pre), "post": dict(transitions[number].post)}
    side, place = sides[rng.choice(("pre", "post"))], rng.randrange(len(net.places))
    side[place] = max(0, side.get(place, 0) + rng.choice((-1, 1)))
    weights = {key: tuple(sorted((p, n) for p, n in s.items() if n)) for key, s in sides.items()}
    transitions[number] = replace(transitions[number], **weights)
    return replace(net, transitions=tuple(transitions))


def believed(desk: Path, net: Net, value: dict[str, Any]) -> int:
    """What the checker makes of it; what it accepts is accepted by the audit, and true."""
    (desk / "net.pnml").write_bytes(Pnml().write(net))
    status = judged(desk, value)
    if status == ACCEPTED:
        graph = graph_of(net)
        unanswered = json.dumps(value | {"answer": None})  # The checker says what claims say.
        for claim in Json().read(unanswered.encode()).claims:
            try:
                prove(net, claim)
            except EvidenceError as error:  # Numbers may be too long for the audit.
                assert isinstance(error.__cause__, BudgetExhausted)
            assert judge(graph, claim) is not False, (str(net), claim)
        kind, text = value["question"]["kind"], value["question"]["text"]
        if graph.whole and value["answer"] is not None and kind in CONCLUDED:
            assert value["answer"] is answered(graph, kind, text), (str(net), value)
    return status


CONCLUDED = ("live", "reversible", "terminates", "sound")


def answered(graph: Graph, kind: str, text: str) -> object:
    """The answer by definition, where the markings are all reachable ones."""
    net, wanted = graph.net, [name.strip() for name in text.split(",") if name.strip()]
    if kind == "live" and wanted:
        goals = firing(graph)
        return all(graph.leading_to(goals[name]) == graph.after.keys() for name in wanted)
    if kind == "terminates":
        return ends(graph, wanted)
    if kind != "sound":
        return ANSWERS[kind](graph)
    takes = {place for transition in net.transitions for place, _ in transition.pre}
    sink = tuple(int(place not in takes) for place in range(len(net.places)))
    finals, grade = {*(net.finals or (sink,))}, text.strip(": ")
    if grade == "easy":
        return not finals.isdisjoint(graph.after)
    completes = graph.leading_to(finals & graph.after.keys()) == graph.after.keys()
    proper = not any(dominates(m, f) for m in graph.after.keys() - finals for f in finals)
    return completes and proper and (grade == "weak" or all(firing(graph).values()))


def test_an_answer_is_accepted_only_where_it_follows_from_what_is_proved(desk: Path) -> None:
    asked = {"live": (SWING, FORK), "reversible": (SWING, FORK), "sound": (STEP, LEFT_OVER)}
    asked["terminates"] = (STEP, SWING)
    for kind, nets_asked in asked.items():
        for net, holding in zip(nets_asked, (True, False), strict=True):
            value = json.loads(
                Json().write(net, evidence_of(check(ask(net, **{kind: True})), None))
            )
            assert value["answer"] is holding
            assert believed(desk, net, value) == ACCEPTED
            verdict = kind if holding else f"not {kind}"
            assert said(desk / "net.pnml", desk / "e.json")[1].startswith(f"accepted: {verdict}\n")
            assert believed(desk, net, value | {"answer": not holding}) == REJECTED
            for claims in (value["claims"][1:], value["claims"][:-1]):
                if claims:
                    assert believed(desk, net, value | {"claims": claims}) in (ACCEPTED, UNDECIDED)
            question = value["question"] | {"text": "nowhere"}
            if kind != "reversible":
                assert believed(desk, net, value | {"question": question}) == UNDECIDED


STEP = net_of("i=1 o=0, t: i -> o")
LEFT_OVER = net_of("i=1 p=0 o=0, t: i -> o + p, u: p -> o")
FORGED = (
    None,
    True,
    -1,
    0,
    2,
    1 << 70,
    "0x" + "f" * 9_000,
    "",
    "nowhere",
    [],
    {},
    [[]],
    {"and": []},
)


def forged(value: Any) -> Iterator[Any]:
    """The value with each part of it replaced, left out or repeated, one at a time."""
    yield from FORGED
    if isinstance(value, dict):
        for key, part in value.items():
            yield {name: other for name, other in value.items() if name != key}
            yield {f"{name}x" if name == key else name: other for name, other in value.items()}
            yield from (value | {key: new} for new in forged(part))
    if isinstance(value, list):
        yield value[::-1]
        for n, part in enumerate(value):
            yield value[:n] + value[n + 1 :]
            yield [*value, part]
            yield from ([*value[:n], new, *value[n + 1 :]] for new in forged(part))


def forged_of_all_proofs(desk: Path, most: int) -> Counter[int]:
    """Forge evidence of each proof of a home space and each answer, as often at most."""
    true_claims = chain(home_proofs.TRUE_CLAIMS.values(), termination_proofs.TRUE.values())
    proofs = [(net, write_claim(claim)) for net, claim in true_claims]
    seen: Counter[int] = Counter()
    for net in (SWING, FORK, STEP, LEFT_OVER):
        for kind in CONCLUDED if net in (STEP, LEFT_OVER) else CONCLUDED[:3]:
            value = json.loads(
                Json().write(net, evidence_of(check(ask(net, **{kind: True})), None))
            )
            parts = ("answer", "question", "claims")
            new = [value | {key: f} for key in parts for f in forged(value[key])]
            seen.update(believed(desk, net, one) for one in spread(new, most))
    for net, claim in proofs:
        head = json.loads(write_json(Problem(net, ALL), None, Reachable(Trace(()))))
        head |= {"question": {"kind": "bounded", "text": "", "target": None}, "answer": None}
        new = [head | {"claims": [one]} for one in forged(claim)]
        seen.update(believed(desk, net, one) for one in spread(new, most))
    return seen


def spread(values: list[Any], most: int) -> list[Any]:
    """So many of the values at most, as far apart."""
    return values[:: 1 + len(values) // most]


def test_no_forged_evidence_of_a_home_space_or_answer_proves_what_is_false(desk: Path) -> None:
    seen = forged_of_all_proofs(desk, 25)
    assert seen.keys() == {ACCEPTED, UNDECIDED, REJECTED} and seen[REJECTED] > seen[ACCEPTED]


@pytest.mark.slow
def test_thousands_of_forged_files_prove_nothing_false(desk: Path) -> None:
    assert forged_of_all_proofs(desk, 1_000).total() > 3_000


def attack(desk: Path, examples: int, count: int) -> Counter[tuple[str, int]]:
    """Change evidence of all kinds, and nets beneath it; how often which exit status came of it."""
    seen: Counter[tuple[str, int]] = Counter()

    @repeatable(examples)
    @given(st.one_of(nets(), workflows()), st.integers(0, 999))
    def attack_one(net: Net, seed: int) -> None:
        rng = random.Random(seed)  # What is proved in time may differ from run to run.
        for value in evidence_of_each_kind(net):
            kind, status = value["question"]["kind"], believed(desk, net, value)
            assert status in (ACCEPTED, UNDECIDED), value
            seen[kind, status] += 1
            for _ in range(count):
                status = believed(desk, changed_net(net, rng), value)
                seen[f"{kind}, another net", status] += 1
                key = rng.choice(("answer", "question", "claims", "claims", "claims", "claims"))
                status = believed(desk, net, value | {key: mutated(value[key], rng)})
                seen[f"{kind}, {key} changed", status] += 1

    attack_one()
    return seen


def test_no_evidence_that_is_changed_or_of_another_net_proves_what_is_false(desk: Path) -> None:
    seen = attack(desk, 2, 2)
    assert {ACCEPTED, UNDECIDED, REJECTED} == {status for _, status in seen}


@pytest.mark.campaign
@pytest.mark.timeout(7200)
def test_campaign_of_changed_evidence_of_all_kinds(desk: Path) -> None:
    seen = attack(desk, 100, 20)
    assert {f"{kind}, another net" for kind in ANSWERS} <= {word for word, _ in seen}


# The reader of nets


def same_net(path: Path) -> bool:
    """Whether both readers read the file as the same net, or the checker refuses it.

    It may refuse capacities. For coloured nets see `test_standalone_colours`.
    """
    source = read_net(path).source
    if isinstance(source, ColouredNet):
        return True
    try:
        initial, transitions, finals, _, guards = standalone.read_net(path.read_bytes())
    except ValueError:
        return not isinstance(source, Net) and bool(source.capacities)
    if isinstance(source, GuardedNet):
        named = zip(source.plain.actions, source.guards, strict=True)
        places = source.places
        assert guards == {
            name: ({places[p]: w for p, w in guard.upper}, {places[p] for p in guard.resets})
            for name, guard in named
            if guard.places
        }
    net = source.plain if isinstance(source, GuardedNet) else source
    assert isinstance(net, Net)
    assert initial == net.values(net.initial)
    assert finals == [net.values(final) for final in net.finals]
    assert list(transitions) == list(net.actions)
    for transition, sides in zip(net.transitions, transitions.values(), strict=True):
        weights = (transition.pre, transition.post)
        assert sides == tuple({net.places[p]: w for p, w in side} for side in weights)
    return True


def files(*folders: Path) -> list[Path]:
    """The place/transition nets there, compressed or not."""
    paths = (path for folder in folders for path in folder.rglob("*.pnml*") if path.is_file())
    return sorted(path for path in paths if "coloured" not in path.parts)


def test_both_readers_read_our_nets_alike() -> None:
    assert all(map(same_net, files(ROOT / "nets")))


def test_both_readers_read_a_sample_of_the_shared_nets_alike() -> None:
    if not SHARED.is_dir():
        pytest.skip("the shared nets are not here")
    small = [
        path for path in files(SHARED / "nets", SHARED / "mcc") if path.stat().st_size < 50_000
    ]
    assert len(small) >= 100
    assert all(map(same_net, small[::4]))


def document(inside: str) -> bytes:
    opening = f'<pnml xmlns="{standalone.PNML}"><net id="n" type="{standalone.PTNET}">'
    return f"{opening}{inside}</net></pnml>".encode()


def test_what_both_readers_know_is_read(tmp_path: Path) -> None:
    text = """<name><text>a net</text></name>
        <finalmarkings><marking><place idref="p"><text>1</text></place></marking></finalmarkings>
        <page id="1"><toolspecific tool="nupn" version="1.1">
        <size places="1" transitions="1" arcs="2"/><structure units="1" root="u" safe="true">
        <unit id="u"><places>p</places><subunits/></unit></structure></toolspecific>
        <page id="2"><place id="p"><name><text>P</text><graphics><offset x="1" y="2"/></graphics>
        </name><initialMarking><text> 3<!-- and 1 -->1
        </text></initialMarking></place></page>
        <transition id="t"><graphics><position x="1" y="1"/></graphics></transition>
        <arc id="a" source="p" target="t"><inscription><text>2</text></inscription></arc>
        <arc id="b" source="p" target="t"/><arc id="c" source="t" target="p"/></page>"""
    path = tmp_path / "net.pnml"
    path.write_bytes(document(text))
    assert standalone.read_net(path.read_bytes()) == (
        {"p": 31},
        {"t": ({"p": 3}, {"p": 1})},
        [{"p": 1}],
        {"t": ["t"]},
        {},
    )
    assert same_net(path)
    packed = tmp_path / "net.pnml.gz"
    packed.write_bytes(gzip.compress(document(text)))
    assert same_net(packed)


def test_a_name_is_no_number_wherever_it_stands(tmp_path: Path) -> None:
    name, path = "<name><text>5</text></name>", tmp_path / "n.pnml"
    for before, after in ((name, ""), ("", name)):
        mark = f"{before}<initialMarking><text>3</text></initialMarking>{after}"
        weight = f"{before}<inscription><text>2</text></inscription>{after}"
        path.write_bytes(
            document(
                f'<page id="g"><place id="p">{mark}</place><transition id="t">{name}</transition>'
                f'<arc id="a" source="p" target="t">{weight}</arc></page>'
            )
        )
        assert standalone.read_net(path.read_bytes()) == (
            {"p": 3},
            {"t": ({"p": 2}, {})},
            [],
            {"t": ["t"]},
            {},
        )
        assert same_net(path)


TOOLS = ('tool="x"', 'tool="nupn"')
STRANGE = (
    *(arc(f"<toolspecific {tool}/>") for tool in TOOLS),
    *(arc(inside) for inside in ("<inscription/>", "<inscription><text/></inscription>")),
    *(arc(inside) for inside in ('<type value="normal"/>', "<hlinscription/>")),
    arc(attributes='xmlns:xsi="http://x" xsi:type="inhibitorArc"'),
    arc('<graphics type="inhibitor"/>'),
    arc("<graphics><inhibitor/></graphics>"),
    arc('<graphics><line type="inhibitor"/></graphics>'),
    arc("<inscription><text>+1</text></inscription>"),
    f'{PARTS}<arc source="p" target="t"/>',
    f'{PARTS}<place id="t"/>',
    f"{PARTS}<place/>",
    f'{PARTS}<referencePlace id="r" ref="p"/>',
    f'{PARTS}<toolspecific tool="x"><inhibitor arc="a"/></toolspecific>',
    f'{PARTS}<toolspecific><size places="1"/></toolspecific>',
    f'{PARTS}<toolspecific tool="x" version="1"/>',
    f'{PARTS}<toolspecific tool="nupn"><inhibitor/></toolspecific>',
    f'{PARTS}<place xmlns="" id="q"/>',
    *(
        f'{PARTS}<place id="q">{inside}</place>'
        for inside in (
            "<initialMarking><text>Default,1</text></initialMarking>",
            "<initialMarking/>",
            "<capacity><text>0</text></capacity>",
            '<toolspecific tool="nupn"/>',
        )
    ),
)
"""What only the library reads, or understands."""


@pytest.mark.parametrize("inside", [*chain.from_iterable(REFUSED_NETS.values()), *STRANGE])
def test_what_might_mean_something_else_is_refused(inside: str) -> None:
    with pytest.raises(ValueError):
        standalone.read_net(document(inside))


@pytest.mark.parametrize(
    "data",
    [
        document(PARTS).replace(standalone.PTNET.encode(), b"symmetricnet"),
        document(PARTS).replace(standalone.PTNET.encode(), b""),
        document(f"{PARTS}</net><net id='m' type='{standalone.PTNET}'>"),
        document(PARTS).replace(standalone.PNML.encode(), b"urn:x"),
        document(PARTS).replace(b"<pnml", b"<html").replace(b"</pnml", b"</html"),
        b"<!DOCTYPE pnml>" + document(PARTS),
        b"<!DOCTYPE p [<!ENTITY a '<place id=\"q\"/>'>]>" + document("&a;"),
        document("&a;"),
        document(PARTS)[:-1],
        document(PARTS) + b"<pnml/>",
        gzip.compress(document(PARTS))[:-20],
        gzip.compress(document(PARTS)) + b"more",
        b"\x1f\x8bno",
        b"",
        b"PLACE p; MARKING p: 1;",
        b"\xff",
        b'<?xml version="1.0" encoding="klingon"?>' + document(PARTS),
    ],
)
def test_a_file_that_is_no_such_net_is_refused_in_few_words(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "net.pnml").write_bytes(data)
    (tmp_path / "e.json").write_text("{}")
    status, text = said(tmp_path / "net.pnml", tmp_path / "e.json")
    assert status == REFUSED
    assert text.startswith("refused: ") and len(text) < 300


def test_files_that_are_not_there_are_refused(tmp_path: Path) -> None:
    (tmp_path / "net.pnml").write_bytes(document(PARTS))
    assert said(tmp_path / "no.pnml", tmp_path / "net.pnml")[0] == REFUSED
    assert said(tmp_path / "net.pnml", tmp_path / "no.json")[0] == REFUSED
    assert said(tmp_path, "nul\0l")[0] == REFUSED
    assert said("one")[0] == USAGE


# The reader of evidence


PUMPED = {"trace": [["t", 2]], "stops": [[1, "target"]]}


def pump(desk: Path) -> dict[str, Any]:
    """True evidence: t makes as many tokens as one likes."""
    return laid(desk, *made_pump())


def made_pump() -> tuple[Problem, Reachable]:
    problem = make_problem(net_of("p=0, t: -> p"), at_least(p, 2))
    return problem, Reachable(Trace((("t", 2),)))


def bounded(desk: Path) -> dict[str, Any]:
    """True evidence: p stays below 2."""
    net = net_of("p=1 q=0, t: p -> q")
    problem = make_problem(net, at_least(p, 2))
    answer = check(problem, engine="cegar").answer
    assert isinstance(answer, Unreachable) and isinstance(answer.certificate, Certificate)
    return laid(desk, problem, answer)


TRUE_BUT_NOT_SO: dict[str, list[Any]] = {
    "sha256": ["0" * 64, 1, ""],
    "target": [{"sum": {"x": 1}, "at most": 0}],
    "answer": [False, None, 1],
    "text": [1],
    "question": [None, {"target": {"and": []}}],
    "claims": [{}, [{"trace": [["t", 2]]}], [{"unbounded": []}, PUMPED]],
    "stops": [[], [[0, "target"]], [[2, "target"]], [[1, "target"]] * 2, [[1, {"and": []}]]],
    "excluded": ["target"],
    "trace": [
        [["t", 0], ["t", 2]],
        [["t", 3], ["t", 0]],
        [["t", 3], ["t", -1]],
        [["x", 2]],
        [["t", 1]],
    ],
    "hints": [None],
    "invariant": [{"and": []}],
    "more": [1],
}
"""What is evidence, but of something else or of nothing."""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (key, value)
        for table in (MALFORMED, TRUE_BUT_NOT_SO)
        for key in table
        for value in table[key]
    ],
)
def test_evidence_that_is_not_as_petricheck_writes_it_is_rejected(
    key: str, value: object, desk: Path
) -> None:
    change = {key: value}
    if key == "trace" and isinstance(value, list):
        change["stops"] = [[len(value), "target"]]
    assert judged(desk, changed(pump(desk), change)) == REJECTED


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hints", 1),
        ("hints", {"sums": [], "more": 1}),
        ("hints", {"sums": [[[0, 1, 1]]]}),
        ("hints", {"sums": [[[0, True]]]}),
        ("hints", {"successors": [[0.0]], "separators": []}),
        ("hints", {"successors": [[0]], "separators": [{}]}),
        ("origins", [{"direction": {"p": 1}}]),
        ("origins", [{"direction": {"p": 1}, "suggested by": [1]}]),
        ("state equation", {"traps": [], "siphon": []}),
        ("invariant", {"and": [{"sum": {"p": 1}, "at most": 0}]}),
        ("invariant", None),
        ("trace", []),
        ("excluded", {"and": []}),
        ("excluded", None),
        ("answer", True),
        ("claims", [{"excluded": "target"}]),
    ],
)
def test_certificates_that_are_not_as_petricheck_writes_them_are_rejected(
    key: str, value: object, desk: Path
) -> None:
    assert judged(desk, changed(bounded(desk), {key: value})) == REJECTED


def test_what_claims_nothing_or_is_of_another_version_is_left_to_verify(desk: Path) -> None:
    for change in ({"version": 1}, {"claims": []}, {"claims": [], "target": None}):
        assert judged(desk, changed(pump(desk), change)) == UNDECIDED
    assert judged(desk, changed(pump(desk), {"target": None})) == REJECTED, "which target?"
    assert judged(desk, pump(desk) | {"sha256": None}) == ACCEPTED, "about the net at hand"
    assert judged(desk, pump(desk)) == judged(desk, bounded(desk)) == ACCEPTED


def test_what_does_not_fit_into_memory_is_undecided(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhaust(*_: object) -> None:
        raise MemoryError

    value = pump(desk)
    monkeypatch.setattr(standalone, "prove", exhaust)
    assert judged(desk, value) == UNDECIDED


def test_a_repeated_key_is_rejected_wherever_it_stands(desk: Path) -> None:
    pump(desk)
    text = json.dumps(pump(desk))
    for known in (
        '"version": 2',
        '"p": 1',
        '"at most": -2',
        '"trace": [["t", 2]]',
        '"net": "n"',
    ):
        if known not in text:
            known = known.replace('"p": 1', '"p": -1')
        assert known in text
        (desk / "e.json").write_text(text.replace(known, f"{known}, {known}"))
        assert said(desk / "net.pnml", desk / "e.json")[0] == REJECTED


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"1",
        b'"text"',
        b"\xff",
        b"[" * 100_000,
        b'{"target": ' * 50_000,
        b'{"version": ' + b"1" * 5000 + b"}",
        b'{"version": NaN}',
    ],
    ids=lambda data: repr(data[:20]),
)
def test_what_is_no_such_object_is_rejected(data: bytes, desk: Path) -> None:
    pump(desk)
    (desk / "e.json").write_bytes(data)
    assert said(desk / "net.pnml", desk / "e.json")[0] == REJECTED


def test_deep_nesting_is_no_crash(desk: Path) -> None:
    value = pump(desk)
    for word, levels in (("and", 255), ("not", 254), ("or", 256), ("not", 256), ("and", 450)):
        nested: Any = value["question"]["target"]
        for _ in range(levels):
            nested = {word: nested if word == "not" else [nested]}
        assert judged(desk, changed(value, {"target": nested})) == (
            ACCEPTED if levels < 256 else REJECTED
        )


def test_numbers_of_any_length_are_exact(desk: Path) -> None:
    large = 1 << 20_000
    net = net_of("p=0, t: -> p")
    problem = make_problem(net, equal(p, large))
    value = laid(desk, problem, Reachable(Trace((("t", large),))))
    (desk / "e.json").write_text(json.dumps(value))
    status, text = said(desk / "net.pnml", desk / "e.json")
    assert status == ACCEPTED and hex(large) in text
    assert judged(desk, changed(value, {"trace": [["t", hex(large + 1)]]})) == REJECTED


# What it prints


@repeatable(30)
@given(harder_problems(), st.randoms(use_true_random=False))
def test_the_printed_target_is_the_target(problem: Problem, rng: random.Random) -> None:
    written = json.loads(write_json(problem, None, Reachable(Trace(()))))["question"]["target"]
    places = dict.fromkeys(problem.net.places, 0)
    text = standalone.shown(standalone.read_formula(written, places))
    read = parse_query("formula", problem.net, text)
    for _ in range(20):
        values = {name: rng.randrange(10) for name in problem.net.places}
        assert evaluate(read, values) == evaluate(problem.target, values)


def test_names_cannot_deceive_a_terminal(desk: Path) -> None:
    name = 'p" = 0\n\x1b[2J\u202e'
    net = Net("n", (name.replace("\x1b", ""),), (), (0,))
    problem = Problem(net, equal(variable(net.places[0]), 0))
    judged(desk, laid(desk, problem, Reachable(Trace(()))))
    status, text = said(desk / "net.pnml", desk / "e.json")
    assert status == ACCEPTED and text.isascii() and text.count("\n") == 3


# `verify`
