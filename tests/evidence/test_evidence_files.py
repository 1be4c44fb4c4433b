import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from equivalence import equivalent
from evidence_files import (
    Read,
    changed,
    first_version,
    read_evidence,
    read_json,
    read_smt2,
    write_evidence,
    write_json,
    write_smt2,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import problems

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    congruent,
    conjunction,
    disjunction,
    equal,
)
from petricheck.arithmetic.formulas.json import BITS, DEPTH
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.arithmetic.solvers.second_solver import run
from petricheck.arithmetic.solvers.smtlib import to_smtlib
from petricheck.evidence import files
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.invariant import Certificate, Hints, Separator
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import Excluded
from petricheck.evidence.files import SIZE, Evidence
from petricheck.evidence.files.json import Json
from petricheck.model.net import make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.support.errors import EvidenceError, InputError, QueryError

Example = Callable[[], tuple[Problem, Any]]
DIGEST = "0123456789abcdef" * 4
p, q = variable("p"), variable("q")


def swap() -> tuple[Problem, Unreachable]:
    """A token goes to and fro, so there are never two; a congruence says so as well."""
    net = make_net("swap", {"p": 1, "q": 0}, {"a": ({"p": 1}, {"q": 1}), "b": ({"q": 1}, {"p": 1})})
    problem = make_problem(net, conjunction([at_least(p, 1), at_least(q, 1)]))
    part = Conjunction((at_most(p + q, 1), congruent(p + q, 1, 3)))
    separator = Separator(0, (("p", 1), ("q", 1)), 0, (1, 1), 1)
    return problem, Unreachable(Certificate(Disjunction((part,)), Hints(((0, 0),), (separator,))))


def pump() -> tuple[Problem, Reachable]:
    net = make_net("pump", {"p": 0}, {"add": ({}, {"p": 2})})
    return make_problem(net, equal(p, 6)), Reachable(Trace((("add", 2), ("add", 1))))


def odd() -> tuple[Problem, Unreachable]:
    """Places and transitions with names that SMT-LIB has other plans for."""
    names = ["invariant", "target", "and", "true", "a b", "p|q", "p\\q", "ä", "100%", "@x"]
    names += [
        "\n(exit)",
        "-1",
        "1",
        ";",
        '"',
        "mod",
        "not",
        "let",
        "Int",
        "x",
        "select",
        "abs",
        "pi",
    ]
    initial = dict.fromkeys(names, 0) | {"x": 1}
    moves = {f"to {name}\n(exit)": ({"x": 1}, {name: 1}) for name in names if name != "x"}
    total = linear((name, 1) for name in names)
    problem = make_problem(make_net("odd\n(exit)", initial, moves), at_least(total, 2))
    return problem, Unreachable(Certificate(at_most(total, 1)))


def json_of(problem: Problem, answer: Reachable | Unreachable) -> dict[str, Any]:
    found = json.loads(write_json(problem, DIGEST, answer))
    assert isinstance(found, dict)
    return found


def about(example: Example) -> tuple[Problem, str, Reachable | Unreachable]:
    problem, answer = example()
    return problem, DIGEST, answer


def json_refused(value: Any) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    with pytest.raises(EvidenceError) as caught:
        read_json(data)
    text = str(caught.value)
    assert len(text) < 200
    return text


def smt2_refused(text: str) -> str:
    with pytest.raises(EvidenceError) as caught:
        read_smt2(text.encode())
    return str(caught.value)


def smt2_text(problem: Problem, answer: Unreachable) -> str:
    return write_smt2(problem, DIGEST, answer).decode()


# Round trips


@pytest.mark.parametrize("example", [swap, pump, odd])
def test_json_gives_back_what_was_written(example: Example) -> None:
    problem, answer = example()
    for data in (write_json(problem, DIGEST, answer), json.dumps(first_version(*about(example)))):
        read = read_json(data if isinstance(data, bytes) else data.encode())
        assert read == Read(DIGEST, problem.target, answer)


def test_a_claim_about_another_formula_than_the_target_names_it() -> None:
    problem, answer = swap()
    other = Excluded(at_least(p + q, 2), answer.certificate)
    said = {"answer": False, "details": None}
    evidence = Evidence(None, "formula", "", problem.target, said, (other,))
    assert Json().read(Json().write(problem.net, evidence)) == evidence


@settings(deadline=None)
@given(problems(), st.integers(1, 10**30))
def test_every_target_and_count_survives_json(problem: Problem, times: int) -> None:
    answer = Reachable(Trace(((problem.net.transitions[0].name, times),)))
    assert read_json(write_json(problem, None, answer)) == Read(None, problem.target, answer)


@settings(deadline=None, max_examples=16)
@given(problems())
def test_every_invariant_and_target_keeps_its_meaning_in_smt2(problem: Problem) -> None:
    answer = Unreachable(Certificate(Negation(problem.target)))
    evidence = read_smt2(write_smt2(problem, DIGEST, answer))
    assert evidence.sha256 == DIGEST
    assert evidence.target is not None
    assert equivalent(evidence.target, problem.target)
    assert isinstance(evidence.answer, Unreachable)
    assert evidence.answer.certificate.hints is None
    assert equivalent(evidence.answer.certificate.invariant, Negation(problem.target))


@pytest.mark.parametrize("digits", [20, 2460, 4400, 9000])
def test_integers_of_any_size_survive(digits: int) -> None:
    big = 10**digits + 7
    net = make_net("big", {"p": big}, {"t": ({"p": 1}, {"p": 1})})
    problem = make_problem(net, at_least(p, big + 1))
    invariant = Disjunction((Conjunction((at_most(p, big), congruent(-big * p, 1 - big, big))),))
    hints = Hints(((0,),), (Separator(0, (("p", 1),), 0, (big,), big),))
    answer = Unreachable(Certificate(invariant, hints))
    assert read_json(write_json(problem, DIGEST, answer)).answer == answer
    script = write_smt2(problem, DIGEST, Unreachable(Certificate(at_most(p, big))))
    read = read_smt2(script).answer
    assert read == Unreachable(Certificate(at_most(p, big)))


def test_integers_of_over_a_million_bits_are_neither_written_nor_read() -> None:
    most = (1 << BITS) - 1
    net = make_net("big", {"p": 1}, {"t": ({"p": 1}, {"p": 1})})
    problem = make_problem(net, at_least(p, 2))
    for bound in (most, -most):
        answer = Unreachable(Certificate(at_most(p, bound)))
        assert read_json(write_json(problem, DIGEST, answer)).answer == answer
    with pytest.raises(QueryError, match="1048576 bits"):
        write_json(problem, DIGEST, Unreachable(Certificate(at_most(p, most + 1))))
    data = write_json(problem, DIGEST, Unreachable(Certificate(at_most(p, most))))
    with pytest.raises(EvidenceError, match="1048576 bits"):
        read_json(data.replace(b"0xf", b"0x1f"))


# Files


def test_a_file_that_cannot_be_written_or_read_is_an_input_error(tmp_path: Path) -> None:
    problem, answer = swap()
    with pytest.raises(InputError, match="cannot be written"):
        write_evidence(str(tmp_path / "no" / "e.json"), None, problem, answer)
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_evidence(str(tmp_path / "folder.json"), None, problem, answer)
    with pytest.raises(InputError, match="cannot be read"):
        read_evidence(str(tmp_path / "none.json"))
    assert [path.name for path in tmp_path.iterdir()] == ["folder.json"]


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    with path.open("wb") as file:
        file.truncate(SIZE + 1)
    with pytest.raises(EvidenceError, match="larger"):
        read_evidence(str(path))


def test_evidence_too_large_to_be_read_back_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem, answer = swap()
    size = len(write_json(problem, DIGEST, answer))
    monkeypatch.setattr(files, "SIZE", size)
    write_evidence(str(tmp_path / "e.json"), DIGEST, problem, answer)
    assert read_evidence(str(tmp_path / "e.json")).answer == answer
    monkeypatch.setattr(files, "SIZE", size - 1)
    with pytest.raises(QueryError, match=f"{size} bytes"):
        write_evidence(str(tmp_path / "f.json"), DIGEST, problem, answer)
    assert os.listdir(tmp_path) == ["e.json"]


# Nesting


def nested(levels: int) -> Formula:
    """Connectives in turn around an atom; what p ≤ 1 implies."""
    formula: Formula = at_most(p, 1)
    for level in range(levels):
        formula = Conjunction((at_most(p, 9), formula))
        formula = formula if level % 2 else Disjunction(formula.operands)
    return formula


FORMS = ((write_json, read_json), (write_smt2, read_smt2))


def test_the_deepest_formula_that_json_may_hold_can_be_audited() -> None:
    problem, _ = swap()
    invariant = Conjunction((at_most(p + q, 1), nested(DEPTH - 2)))
    data = write_json(problem, None, Unreachable(Certificate(invariant)))
    answer = read_json(data).answer
    assert isinstance(answer, Unreachable)
    assert isinstance(answer.certificate, Certificate)
    assert to_smtlib(answer.certificate.invariant) == to_smtlib(invariant)
    audit(problem, answer)
    deeper = Unreachable(Certificate(nested(DEPTH)))
    with pytest.raises(QueryError, match=str(DEPTH)):
        write_json(problem, None, deeper)


# Hostile JSON


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"\x00" * 100,
        b"[" * 1_000_000,
        b'{"or": ' * 100_000,
        b'{"format": "petricheck evidence", "version": ' + b"9" * 1_000_000 + b"}",
        b'{"format": "petricheck evidence", "version": NaN}',
        b'{"format": "petricheck evidence", "format": "petricheck evidence"}',
        b"null",
        b"[]",
        b"3",
        b'"text"',
    ],
    ids=range(13),
)
def test_what_is_no_such_object_is_refused(data: bytes) -> None:
    json_refused(data)


@pytest.mark.parametrize(
    ("example", "key", "value"),
    [
        (swap, "version", 3),
        (swap, "petricheck", 3),
        (swap, "net", None),
        (swap, "sha256", "abc"),
        (swap, "target", []),
        (swap, "target", "target"),
        (swap, "verdict", "reachable"),
        (swap, "verdict", "unknown"),
        (swap, "verdict", None),
        (swap, "verdict", ["unreachable"]),
        (swap, "invariant", {"sum": {"p": 1}}),
        (swap, "hints", []),
        (swap, "trace", []),
        (swap, "excluded", "target"),
        (swap, "state equation", {"traps": [], "siphon": []}),
        (swap, "surprise", 1),
        (pump, "verdict", "unreachable"),
        (pump, "trace", [["add", 1, 2]]),
        (pump, "trace", [["add", True]]),
        (pump, "stops", [[2, "target"]]),
        (pump, "invariant", {"and": []}),
    ],
)
def test_a_wrong_value_in_version_1_is_refused(example: Example, key: str, value: Any) -> None:
    json_refused(first_version(*about(example)) | {key: value})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("claims", [None]),
        ("claims", [{}]),
        ("claims", [{"excluded": "target"}]),
        ("claims", [{"trace": []}]),
        ("claims", [{"trace": [], "stops": [["target"]]}]),
        ("claims", [{"trace": [], "stops": [[0, "aim"]]}]),
        ("claims", [{"unbounded": [{"p": 1}]}]),
        ("claims", [{"unbounded": [{"p": 1}], "stages": [{"stem": []}]}]),
        ("excluded", "aim"),
        ("stops", []),
        ("verdict", "unreachable"),
        ("state equation", {"traps": [], "siphon": []}),
        ("format", "petricheck claims"),
        ("target", None),
        ("answer", True),
    ],
)
def test_a_wrong_question_or_claim_is_refused(key: str, value: Any) -> None:
    json_refused(changed(json_of(*swap()), {key: value}))


@pytest.mark.parametrize("example", [swap, pump])
def test_a_missing_key_is_refused(example: Example) -> None:
    value = first_version(*about(example))
    for key in value:
        json_refused({name: part for name, part in value.items() if name != key})


@pytest.mark.parametrize("key", ["not", "and", "or"])
def test_deep_nesting_that_json_itself_allows_is_refused(key: str) -> None:
    formula: Any = {"sum": {}, "at most": 0}
    for _ in range(DEPTH):
        formula = {key: formula if key == "not" else [formula]}
    assert "deeper" in json_refused(changed(json_of(*swap()), {"invariant": formula}))


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_a_changed_byte_is_refused_or_audited(data: st.DataObject) -> None:
    problem, answer = swap()
    written = bytearray(write_json(problem, DIGEST, answer))
    written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.integers(0, 255))
    try:
        evidence = read_json(bytes(written))
        assert isinstance(evidence.answer, Unreachable)
        audit(problem, evidence.answer)
    except EvidenceError:
        return
    invariant = evidence.answer.certificate.invariant
    assert audit(problem, Unreachable(Certificate(invariant)))


# SMT-LIB


def answers(text: str, tmp_path: Path) -> list[str]:
    """What z3 prints for the script, as a user would run it."""
    beside = Path(sys.executable).parent / "z3"
    z3 = str(beside) if beside.exists() else shutil.which("z3")
    if z3 is None:
        pytest.skip("needs the z3 program")
    path = tmp_path / "e.smt2"
    path.write_text(text)
    done = subprocess.run([z3, str(path)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_script_asks_the_right_questions(tmp_path: Path) -> None:
    problem, _ = swap()
    wrong: list[tuple[Formula, list[str]]] = [
        (equal(p, 0), ["sat", "unsat", "sat", "unsat"]),
        (equal(q, 0), ["unsat", "sat", "unsat", "unsat"]),
        (at_most(p + q, 2), ["unsat", "unsat", "unsat", "sat"]),
        (TRUE, ["unsat", "unsat", "unsat", "sat"]),
    ]
    for invariant, expected in wrong:
        text = smt2_text(problem, Unreachable(Certificate(invariant)))
        assert answers(text, tmp_path) == expected


def test_the_header_keeps_to_its_lines() -> None:
    problem, answer = odd()
    for line in smt2_text(problem, answer).splitlines():
        assert line.isascii()
        assert line.startswith((";", "("))
        assert not line.startswith("(exit)")


INVARIANT = "(define-fun invariant ((p Int) (q Int)) Bool (<= (+ p q) 1))"


def test_nothing_but_the_invariant_is_taken_from_a_script() -> None:
    problem, _ = swap()
    script = f"""; sha256: {DIGEST}
    (set-option :produce-proofs true) (set-logic ALL) (exit) (declare-const p Int)
    (define-fun + ((a Int)) Int 0) (define-sort Int () Bool) (assert false) (reset)
    {INVARIANT} (assert (= p q)) (check-sat) (include "/etc/passwd")"""
    evidence = read_smt2(script.encode())
    assert evidence.target == TRUE
    assert evidence.sha256 == DIGEST
    assert audit(problem, evidence.answer) == "discharged by z3"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(check-sat)",
        f"(echo |{INVARIANT}|)",
        f"; {INVARIANT}",
        f"{INVARIANT}(define-fun target () Bool (whatever))",
        "(define-fun invariant ((p Int)) Bool (forall ((q Int)) (<= p q)))",
    ],
)
def test_a_script_without_one_plain_invariant_is_refused(text: str) -> None:
    smt2_refused(text)


def test_a_script_that_is_no_text_is_refused() -> None:
    with pytest.raises(EvidenceError, match="UTF-8"):
        read_smt2(b"\xff\xff")


# The state equation


def counting() -> tuple[Problem, Unreachable]:
    """Effects +3 and +5 never make 4, with names that scripts have other plans for."""
    transitions = {
        "three": ({}, {"traps": 3}),
        "five": ({}, {"traps": 5}),
        "shrink": ({"a b": 2}, {"a b": 1}),
        "stay": ({"n%_0": 1}, {"a b": 1}),
        "dead\n(exit)": ({"siphon": 1}, {"siphon": 1, "traps": 1}),
    }
    initial = {"traps": 0, "a b": 2, "n%_0": 1, "state-equation": 0, "siphon": 0}
    net = make_net("counting", initial, transitions)
    trapped = linear([("a b", 1), ("n%_0", 1)])
    target = disjunction([equal(variable("traps"), 4), equal(trapped, 0)])
    certificate = StateEquationCertificate((("a b", "n%_0"), ("a b",)), ("siphon",))
    return make_problem(net, target), Unreachable(certificate)


def bare() -> tuple[Problem, Unreachable]:
    """No traps, no siphon."""
    net = make_net("bare", {"p": 0}, {"three": ({}, {"p": 3}), "five": ({}, {"p": 5})})
    return make_problem(net, equal(p, 4)), Unreachable(StateEquationCertificate((), ()))


@pytest.mark.parametrize("example", [counting, bare])
def test_a_state_equation_survives_both_formats_and_passes_the_audit(example) -> None:
    problem, answer = example()
    for write, read in FORMS:
        evidence = read(write(problem, DIGEST, answer))
        assert evidence == Read(DIGEST, problem.target, answer)
        assert audit(problem, evidence.answer) == "discharged by z3"


@pytest.mark.parametrize("example", [swap, odd, counting, bare])
def test_solvers_print_unsat_for_each_obligation_and_nothing_else(
    example: Example, tmp_path: Path
) -> None:
    problem, answer = example()
    text = smt2_text(problem, answer)
    expected = ["unsat"] * (len(problem.net.transitions) + 2)
    assert answers(text, tmp_path) == expected
    pytest.importorskip("cvc5")
    assert run(text) == tuple(expected)


def test_the_script_of_a_state_equation_asks_the_right_questions(tmp_path: Path) -> None:
    problem, _ = counting()
    wrong: list[tuple[StateEquationCertificate, list[int]]] = [
        (StateEquationCertificate((), ("siphon",)), [6]),
        (StateEquationCertificate((("a b",),), ()), [6]),
        (StateEquationCertificate((("n%_0",),), ("siphon",)), [4]),
        (StateEquationCertificate((("siphon",), ("a b",)), ()), [0]),
        (StateEquationCertificate((("a b",),), ("siphon", "state-equation", "n%_0")), [0]),
        (StateEquationCertificate((("a b",),), ("siphon", "traps")), [1, 2]),
    ]
    for certificate, found in wrong:
        printed = answers(smt2_text(problem, Unreachable(certificate)), tmp_path)
        assert [n for n, answer in enumerate(printed) if answer == "sat"] == found
        with pytest.raises(EvidenceError):
            audit(problem, Unreachable(certificate))


@pytest.mark.slow
def test_a_script_too_large_to_be_read_back_is_refused_with_the_remedy() -> None:
    initial = {f"place {number}": 1 for number in range(1500)}
    moves = {f"t{number}": ({name: 1}, {name: 1}) for number, name in enumerate(initial)}
    total = linear((name, 1) for name in initial)
    problem = make_problem(make_net("wide", initial, moves), at_least(total, 1501))
    with pytest.raises(QueryError, match=r"\.json"):
        write_smt2(problem, None, Unreachable(Certificate(at_most(total, 1500))))
