"""Nothing is read from evidence that is not there: meanings by brute force, and refusals."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from evidence_files import MALFORMED, read_smt2, write_json, write_smt2
from evidence_files import changed as with_keys
from false_certificates import FALSE, TRUE
from false_rows import both, clauses, listed, net, p, q, r, wall

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    at_least,
    at_most,
    congruent,
    equal,
    evaluate,
)
from petricheck.arithmetic.formulas.json import read_formula
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.invariant import CoverHints
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.files.json import Json
from petricheck.model.problem import Problem
from petricheck.support.errors import EvidenceError

MARKINGS = tuple(product(range(7), repeat=2))

Predicate = Callable[[int, int], bool]


def means(formula: Formula, predicate: Predicate) -> bool:
    """Whether they agree on all small markings of p and q."""
    found = [evaluate(formula, {"p": m, "q": n}) for m, n in MARKINGS]
    return found == [predicate(m, n) for m, n in MARKINGS]


# JSON

BOTH = {"p": 1, "q": -2}

JSON_MEANINGS: tuple[tuple[Any, Predicate], ...] = (
    ({"sum": {}, "at most": 1}, lambda p, q: True),
    ({"sum": {}, "at most": -1}, lambda p, q: False),
    ({"sum": {"p": "0x2"}, "at most": "0x5"}, lambda p, q: 2 * p <= 5),
    ({"sum": {"p": "-0x2"}, "at most": "-0x5"}, lambda p, q: 2 * p >= 5),
    ({"sum": BOTH, "equals": -1}, lambda p, q: p - 2 * q == -1),
    ({"sum": {"p": 1}, "residue": -1, "modulus": 3}, lambda p, q: p % 3 == 2),
    ({"sum": {"p": 1}, "residue": 4, "modulus": 3}, lambda p, q: p % 3 == 1),
    ({"sum": {"p": -1}, "residue": 1, "modulus": 5}, lambda p, q: p % 5 == 4),
    ({"sum": BOTH, "residue": 2, "modulus": "0x5"}, lambda p, q: (p - 2 * q) % 5 == 2),
    ({"and": []}, lambda p, q: True),
    ({"or": []}, lambda p, q: False),
    (
        {"not": {"and": [{"or": []}, {"not": {"or": [{"sum": {"q": 1}, "at most": 3}]}}]}},
        lambda p, q: True,
    ),
)


@pytest.mark.parametrize(("value", "predicate"), JSON_MEANINGS)
def test_json_means_what_it_says(value: Any, predicate: Predicate) -> None:
    assert means(read_formula(value), predicate)


def json_examples() -> list[dict[str, Any]]:
    """Evidence of every shape; no list or object in it is empty."""
    system = net({"p": 1, "q": 0, "s": 0}, t="p -> q", u="s -> s + p")
    target = both(equal(p + 2 * q, 7), congruent(p, 2, 3), at_most(q, 9), at_least(p, 1))
    disjunction = listed(
        [at_most(p + q, 1), congruent(p, 1, 3)],
        [equal(p, 5)],
        after=((0, -1), (0, 1)),
        walls=[wall(p + 3 * q, 4, 0, 1, modulus=2, scale=5, cube=6)],
    )
    answers = (
        Reachable(Trace((("t", 2), ("u", 3)))),
        Unreachable(disjunction),
        Unreachable(clauses(at_most(p, 1), at_most(q - r, 3), sums=[[(0, 2), (1, 3)]])),
        Unreachable(StateEquationCertificate((("p", "q"),), ("s",))),
        Unreachable(MarkingTable((("p", 1), ("q", 2)), bytes(7) + b"\1" + bytes(7) + b"\6")),
    )
    problem, digest = Problem(system, target), "0123456789abcdef" * 4
    return [json.loads(write_json(problem, digest, answer)) for answer in answers]


Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every part of a JSON value, itself included, and where it is."""
    yield path, value
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))


def changed(value: Any, path: Path, new: Any) -> Any:
    """The value with another one in this place."""
    if not path:
        return new
    copied = copy.copy(value)
    copied[path[0]] = changed(value[path[0]], path[1:], new)
    return copied


def read(value: Any) -> Any:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Json().read(data)


STRANGERS = (
    True,
    False,
    None,
    1.0,
    1.5,
    "1",
    "01",
    "0x",
    "0X1",
    "0xA",
    " 0x1",
    "0x1 ",
    "+0x1",
    [],
    {},
)
"""What is no integer."""

NULLABLE = (("claims", 0, "hints"),)

UNREAD = ("petricheck", "net", "answer", "details")
"""Keys whose values only `verify` compares, or nobody."""


@pytest.mark.parametrize("example", json_examples(), ids=lambda example: [*example][-1])
def test_nothing_else_is_read_as_an_integer_or_a_list_or_an_object(example: Any) -> None:
    read(example)
    for path, leaf in leaves(example):
        if isinstance(leaf, str | None) or (path[:1] and path[0] in UNREAD):
            continue
        for stranger in STRANGERS:
            if type(stranger) is type(leaf) or (stranger is None and path in NULLABLE):
                continue
            with pytest.raises(EvidenceError):
                read(changed(example, path, stranger))
                pytest.fail(f"{stranger!r} was read for {leaf!r} at {path}")


@pytest.mark.parametrize("example", json_examples(), ids=lambda example: [*example][-1])
def test_every_integer_and_every_name_in_a_file_counts(example: Any) -> None:
    before = read(example)
    for path, leaf in leaves(example):
        if path and path[0] in (*UNREAD, "version", "format"):
            continue
        if isinstance(leaf, int):
            with suppress(EvidenceError):
                assert read(changed(example, path, leaf + 1)) != before, path
            assert read(changed(example, path, hex(leaf))) == before, path
        elif isinstance(leaf, str) and path != ("sha256",):
            with suppress(EvidenceError):
                assert read(changed(example, path, leaf + "x")) != before, path
        elif isinstance(leaf, list) and leaf and isinstance(leaf[0], int | str):
            with suppress(EvidenceError):
                assert read(changed(example, path, leaf[:-1])) != before, path


@pytest.mark.parametrize("example", json_examples(), ids=lambda example: [*example][-1])
def test_no_key_is_missing_too_much_or_twice(example: Any) -> None:
    text = json.dumps(example)
    for path, leaf in leaves(example):
        if not isinstance(leaf, dict) or path[:1] == ("details",):
            continue
        with pytest.raises(EvidenceError):
            read(changed(example, path, leaf | {"more": 1}))
            assert path[-1:] in (("sum",), ("direction",)), path
            raise EvidenceError("a place more is another sum")
        for key in leaf:
            rest = {name: part for name, part in leaf.items() if name != key}
            with pytest.raises(EvidenceError):
                read(changed(example, path, rest))
                assert path[-1:] in (("sum",), ("direction",)), (path, key)
                raise EvidenceError("a place less is another sum")
            twice = json.dumps(leaf)[:-1] + f", {json.dumps(key)}: {json.dumps(leaf[key])}}}"
            with pytest.raises(EvidenceError, match="repeats a key"):
                read(text.replace(json.dumps(leaf), twice, 1).encode())


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in MALFORMED.items() for value in values]
)
def test_what_a_trace_may_not_say_is_refused(key: str, value: Any) -> None:
    example = json_examples()[0]
    with pytest.raises(EvidenceError):
        read(with_keys(example, {key: value}))


@pytest.mark.parametrize(
    "text", ["NaN", "Infinity", "-Infinity", "1e0", "1.0", "01", "+1", "0x1", "1_0"]
)
def test_no_number_but_an_integer_is_read(text: str) -> None:
    example = json.dumps(json_examples()[0])
    assert '["t", 2]' in example
    with pytest.raises(EvidenceError):
        read(example.replace('["t", 2]', f'["t", {text}]').encode())


def test_hints_are_of_the_kind_that_their_keys_say() -> None:
    _, disjunction, conjunction, *_ = json_examples()
    assert isinstance(read(conjunction).claims[0].certificate.hints, CoverHints)
    assert read(with_keys(disjunction, {"hints": None})).claims[0].certificate.hints is None
    both = disjunction["claims"][0]["hints"] | conjunction["claims"][0]["hints"]
    with pytest.raises(EvidenceError):
        read(with_keys(disjunction, {"hints": both}))


# SMT-LIB


def equation(traps: str, siphon: str) -> StateEquationCertificate:
    """As read from a script that defines the two over a, b and s."""
    places = "((a Int) (b Int) (s Int))"
    text = f"(define-fun traps {places} Bool {traps}) (define-fun siphon {places} Bool {siphon})"
    answer = read_smt2(text.encode()).answer
    assert isinstance(answer, Unreachable)
    assert isinstance(answer.certificate, StateEquationCertificate)
    return answer.certificate


@pytest.mark.parametrize(
    ("traps", "siphon", "found"),
    [
        ("true", "true", ((), ())),
        ("(>= a 1)", "(<= s 0)", ((("a",),), ("s",))),
        ("(>= (+ a b) 1)", "(<= s 0)", ((("a", "b"),), ("s",))),
        ("(and (>= a 1) (>= b 1))", "true", ((("a",), ("b",)), ())),
        ("true", "(and (<= a 0) (<= s 0))", ((), ("a", "s"))),
        ("(> a 0)", "(< s 1)", ((("a",),), ("s",))),
    ],
)
def test_traps_and_siphons_are_the_sets_that_the_script_names(
    traps: str, siphon: str, found: tuple[Any, Any]
) -> None:
    assert equation(traps, siphon) == StateEquationCertificate(*found)


NO_TRAPS = (
    "(>= a 2)",
    "(>= a 0)",
    "(<= a 1)",
    "(= a 1)",
    "(>= (* 2 a) 1)",
    "(>= (- a b) 1)",
    "(or (>= a 1) (>= b 1))",
    "(not (<= a 0))",
    "((_ divisible 2) (- a 1))",
    "(and (>= a 1) (<= b 1))",
    "false",
)
NO_SIPHONS = (
    "(<= s 1)",
    "(>= s 0)",
    "(= s 0)",
    "(<= (* 2 s) 0)",
    "(<= (+ a s) 0)",
    "(<= (- a s) 0)",
    "(or (<= a 0) (<= s 0))",
    "(not (>= s 1))",
    "(and (<= a 0) (<= s 1))",
    "(and (<= s 0) (<= s 1))",
    "((_ divisible 2) s)",
    "false",
)


@pytest.mark.parametrize(
    ("traps", "siphon", "refused"),
    [
        *((traps, "true", "traps") for traps in NO_TRAPS),
        *(("true", siphon, "siphon") for siphon in NO_SIPHONS),
    ],
)
def test_what_is_no_trap_or_siphon_is_refused(traps: str, siphon: str, refused: str) -> None:
    with pytest.raises(EvidenceError, match=refused):
        equation(traps, siphon)


@pytest.mark.parametrize(
    "text",
    [
        "(define-fun traps () Bool true)",
        "(define-fun siphon () Bool true)",
        "(define-fun target () Bool true)",
        "(define-fun invariant () Bool true) (define-fun traps () Bool true)",
        "(define-fun invariant () Bool true) (define-fun siphon () Bool true)",
        "(define-fun invariant () Bool true) (define-fun traps () Bool true)"
        " (define-fun siphon () Bool true)",
        "(define-fun invariant () Bool true) (define-fun target () Bool true)"
        " (define-fun target () Bool false)",
        "; sha256: " + "0" * 64 + "\n; sha256: " + "1" * 64 + "\n"
        "(define-fun invariant () Bool true)",
    ],
)
def test_scripts_of_two_minds_are_refused(text: str) -> None:
    with pytest.raises(EvidenceError):
        read_smt2(text.encode())


def test_a_checksum_stands_in_the_first_comments_and_nowhere_else() -> None:
    digest = "0123456789abcdef" * 4
    body = "(define-fun invariant () Bool true)\n"
    for text, found in (
        (f"; sha256: {digest}\n{body}", digest),
        (f"; net\n; sha256: {digest}\n{body}", digest),
        (f"{body}; sha256: {digest}\n", None),
        (f"; sha256: {digest} \n{body}", None),
        (f"; sha256: {digest.upper()}\n{body}", None),
        (f"; about sha256: {digest}\n{body}", None),
    ):
        assert read_smt2(text.encode()).sha256 == found


def test_invariant_and_target_are_not_mixed_up() -> None:
    text = "(define-fun target ((p Int)) Bool (<= p 1))(define-fun invariant () Bool false)"
    evidence = read_smt2(text.encode())
    assert evidence.target == at_most(p, 1)
    assert evidence.answer.certificate.invariant != at_most(p, 1)  # type: ignore[union-attr]


def test_the_table_of_false_proofs_has_the_same_meaning_as_a_script() -> None:
    for row in (*FALSE, *TRUE):
        if isinstance(row.evidence, Trace):
            continue
        problem, answer = Problem(row.net, row.target), Unreachable(row.evidence)
        evidence = read_smt2(write_smt2(problem, None, answer))
        values = row.net.values(row.net.initial)
        assert evidence.target is not None
        assert evaluate(evidence.target, values) == evaluate(row.target, values), row.name
        if isinstance(row.evidence, StateEquationCertificate):
            assert isinstance(evidence.answer, Unreachable)
            found = evidence.answer.certificate
            assert isinstance(found, StateEquationCertificate)
            assert set(map(frozenset, found.traps)) == set(map(frozenset, row.evidence.traps))
            assert set(found.siphon) == set(row.evidence.siphon)
