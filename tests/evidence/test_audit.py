"""What the audit shows of an invariant and of the state equation, against brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from false_rows import both, listed, p, q, wall
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from notation import EXACT, formula, net_of, problem
from oracle import explore, shortest_trace, successor
from strategies import nets, problems, targets

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import (
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
    substitute,
)
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.evidence.answer import Reachable, Trace, Unknown, Unreachable
from petricheck.evidence.audit import audit, prove
from petricheck.evidence.certificates.invariant import Certificate, Hints, Separator
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.net import Net, Transition, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import check
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError

BY_Z3 = "discharged by z3"
BIG = 10**5000

SWAP = problem("p=1 q=0, a: p -> q, b: q -> p", "p >= 1 and q >= 1")
"""A token goes to and fro: p + q stays 1."""

SUM = listed([at_most(p + q, 1)], after=((0, 0),), walls=[wall(p + q, 1, 1)])
PUMP = problem("p=0, add: -> 2 p", "p == 3")
PARITY = listed([congruent(p, 0, 2)], after=((0,),), walls=[wall(p, 1, modulus=2)])
EXAMPLES = ((SWAP, SUM), (PUMP, PARITY))

Proof = Certificate | StateEquationCertificate


def rejected(asked: Problem, certificate: Proof | Formula, budget: Budget | None = None) -> str:
    if isinstance(certificate, Formula):
        certificate = Certificate(certificate)
    with pytest.raises(EvidenceError) as caught:
        audit(asked, Unreachable(certificate), budget=budget)
    return str(caught.value)


# Traces


def accepts_trace(target: Formula, *steps: tuple[str, int], net: Net = PUMP.net) -> bool:
    try:
        return audit(Problem(net, target), Reachable(Trace(steps))) == "replayed exactly"
    except EvidenceError:
        return False


@given(nets(), st.data())
def test_a_trace_is_accepted_exactly_when_firing_one_by_one_gets_there(
    net: Net, data: st.DataObject
) -> None:
    fired = st.tuples(st.sampled_from(net.transitions), st.integers(1, 3))
    steps = data.draw(st.lists(fired, max_size=4))
    marking: tuple[int, ...] | None = net.initial
    for transition in (transition for transition, times in steps for _ in range(times)):
        marking = None if marking is None else successor(marking, transition)
    trace = [(transition.name, times) for transition, times in steps]
    assert accepts_trace(TRUE, *trace, net=net) == (marking is not None)


# One obligation at a time


@pytest.mark.parametrize(("asked", "certificate"), EXAMPLES, ids=["half-space", "parity"])
def test_hints_save_the_solver_and_cvc5_is_asked_besides(
    asked: Problem, certificate: Certificate
) -> None:
    pytest.importorskip("cvc5")
    bare = replace(certificate, hints=None)
    for proof, by, second in (
        (certificate, EXACT, f"{EXACT} and discharged by cvc5"),
        (bare, BY_Z3, f"{BY_Z3} and cvc5"),
    ):
        assert audit(asked, Unreachable(proof)) == by
        assert audit(asked, Unreachable(proof), second_solver=True) == second


@pytest.mark.parametrize(
    ("invariant", "complaint"),
    [
        (at_most(p + q, 0), "does not hold initially"),
        (equal(q, 0), "transition 'a' leaves the invariant"),
        (at_most(p + q, 2), "meets the target: p = 1, q = 1"),
        (TRUE, "meets the target"),
        (at_most(variable("r"), 0), "'r', which is no place"),
        (at_most(p + q, BIG), "inconclusive"),
        *(
            (atom, "no integer, or a modulus below 1")
            for atom in (
                Inequality(Term((("p", 0.5),), 0)),  # type: ignore[arg-type]
                Inequality(Term((("p", 1),), -1.0)),  # type: ignore[arg-type]
                Inequality(Term((("p", True),), 0)),
                Congruence(p, 0),
                Congruence(p, -2),
            )
        ),
    ],
)
def test_what_is_no_invariant_is_refused_with_the_reason(
    invariant: Formula, complaint: str
) -> None:
    assert complaint in rejected(SWAP, invariant)


def test_markings_are_not_negative_in_every_obligation() -> None:
    asked = problem("p=0 q=0, p -> p + q", "p + q >= 1 and p <= 0")
    for invariant in (at_most(p + q, 0), equal(p + 2 * q, 0)):
        assert audit(asked, Unreachable(Certificate(invariant))) == BY_Z3


COUNTING = make_problem(
    net_of("p=0 a=3 s=0, three: -> 3 p, five: -> 5 p, shrink: 2 a -> a, dead: s -> s + p"),
    formula("p == 4 or a == 0 or s >= 1"),
)
"""Effects +3 and +5 never make 4; a keeps a token; s stays empty, so `dead` never fires."""

COUNTED = StateEquationCertificate((("a",),), ("s",))


@pytest.mark.parametrize(
    ("asked", "certificate"), [(SWAP, replace(SUM, hints=None)), (COUNTING, COUNTED)]
)
def test_a_limit_makes_the_audit_inconclusive(asked: Problem, certificate: Proof) -> None:
    with pytest.raises(EvidenceError, match="inconclusive") as caught:
        audit(asked, Unreachable(certificate), budget=Budget(seconds=0.0))
    assert isinstance(caught.value.__cause__, BudgetExhausted)


def test_numbers_of_any_length_are_checked_exactly() -> None:
    asked = Problem(net_of("p=10**5000 q=0, a: p -> q"), at_least(p + q, BIG + 1))
    certificate = listed([at_most(p + q, BIG)], after=((0,),), walls=[wall(p + q, 1)])
    assert audit(asked, Unreachable(certificate)) == EXACT


@pytest.mark.parametrize("successors", [((-1, 0),), ((1, 0),), ((-2, 0),), ((0,),), (), ((), ())])
def test_a_wrong_successor_only_loses_the_fast_way(successors: tuple[tuple[int, ...], ...]) -> None:
    hints = Hints(successors, (wall(p + q, 1, 1),))
    assert audit(SWAP, Unreachable(replace(SUM, hints=hints))) == BY_Z3


def test_what_changes_no_marking_needs_neither_hints_nor_a_solver() -> None:
    asked = problem("p=1 q=0, a: p -> q, still: p + q -> p + q", "p + q >= 2")
    for successors in (((0, -2),), ((0,),)):
        certificate = replace(SUM, hints=Hints(successors, (wall(p + q, 1),)))
        assert audit(asked, Unreachable(certificate)) == EXACT


# Certificates by brute force, and their mutations


@st.composite
def listings(draw: st.DrawFn) -> tuple[Problem, Certificate]:
    """All reachable markings, one disjunct each, with hints."""
    asked = draw(problems())
    net, markings = asked.net, sorted(explore(asked.net, 10) or ())
    assume(markings)
    assume(not any(evaluate(asked.target, net.values(marking)) for marking in markings))
    after = [[successor(marking, t) for t in net.transitions] for marking in markings]
    rows = [tuple(-1 if m is None else markings.index(m) for m in row) for row in after]
    names = [variable(name) for name in net.places]
    parts = [
        [
            Inequality(sign * (x - n))
            for x, n in zip(names, marking, strict=True)
            for sign in (1, -1)
        ]
        for marking in markings
    ]
    return asked, listed(*parts, after=rows, walls=walls_of(asked.target))


def walls_of(target: Formula) -> list[Separator]:
    """Those that use one literal, with either sign; some of them are not allowed."""
    return [
        wall(literal.term * -sign, *(sign * (n == m) for m in range(len(cube))), cube=number)
        for number, cube in zip(range(9), cubes(target), strict=False)
        for n, literal in enumerate(cube)
        for sign in (1, -1)
    ]


@st.composite
def kept_sums(draw: st.DrawFn) -> tuple[Problem, Certificate]:
    """c·m ≡ c·m0 (mod q), or c·m = c·m0 where q is 0, in a net whose transitions keep it."""
    net = draw(nets())
    modulus = draw(st.sampled_from((0, 0, 2, 3, 4)))
    c = linear((place, draw(st.integers(-2, 2))) for place in net.places)
    assume(c.content == 1)
    weights = dict(c.coefficients)

    def keeps(transition: Transition) -> bool:
        change = sum(weights.get(net.places[place], 0) * n for place, n in transition.effect)
        return change % modulus == 0 if modulus else change == 0

    kept = tuple(filter(keeps, net.transitions))
    value = c.evaluate(net.values(net.initial))
    other = value + draw(st.sampled_from((-1, 1, 2)))
    asked = make_problem(replace(net, transitions=kept), equal(c, other))
    if modulus:
        assume((other - value) % modulus)
        sign = 1 if next(cubes(asked.target))[0].term.coefficients == c.coefficients else -1
        part, walls = [congruent(c, value, modulus)], [wall(c, sign, modulus=modulus)]
    else:
        part, walls = [at_most(c, value), at_most(-c, -value)], walls_of(asked.target)
    return asked, listed(part, after=[(0,) * len(kept)], walls=walls)


@st.composite
def decided(draw: st.DrawFn) -> tuple[Problem, Certificate]:
    """What an engine proves."""
    asked = draw(problems())
    answer = check(asked, engine="cegar", budget=Budget(seconds=2)).answer
    assume(isinstance(answer, Unreachable) and isinstance(answer.certificate.hints, Hints))
    return asked, answer.certificate


certificates = st.one_of(listings(), kept_sums(), decided())


def broken(asked: Problem, invariant: Formula, most: int = 4) -> bool:
    """Whether some obligation fails on markings of at most so many tokens a place."""
    net = asked.net
    if not evaluate(invariant, net.values(net.initial)):
        return True
    for marking in product(range(most + 1), repeat=len(net.places)):
        values = net.values(marking)
        if not evaluate(invariant, values):
            continue
        if evaluate(asked.target, values):
            return True
        after = [successor(marking, transition) for transition in net.transitions]
        if any(m is not None and not evaluate(invariant, net.values(m)) for m in after):
            return True
    return False


@settings(max_examples=15)
@given(kept_sums())
def test_linear_and_modular_invariants_are_checked_exactly(
    case: tuple[Problem, Certificate],
) -> None:
    assert audit(case[0], Unreachable(case[1])) == EXACT


@st.composite
def mutations(draw: st.DrawFn, net: Net, certificate: Certificate) -> Certificate:
    """An atom changed or gone, a disjunct gone, other hints, several of these, or nothing."""
    assert isinstance(certificate.invariant, Disjunction)
    assert isinstance(certificate.hints, Hints)
    parts, rows = list(certificate.invariant.operands), list(certificate.hints.successors)
    number = draw(st.integers(0, len(parts) - 1))
    assume(parts[number] != Conjunction(()))
    kind = draw(st.sampled_from(("none", "atom", "atom", "atom", "drop", "hints", "both")))
    if kind in ("atom", "both"):
        parts[number] = draw(mutated(net, parts[number]))
    if kind == "drop":
        del parts[number], rows[number]
    walls = certificate.hints.separators
    if kind in ("hints", "both"):
        others = st.tuples(*(st.integers(-1, len(rows)) for _ in net.transitions))
        rows = [draw(others) if draw(st.booleans()) else row for row in rows]
        walls = tuple(draw(mutated_wall(w)) if draw(st.booleans()) else w for w in walls)
    return Certificate(Disjunction(tuple(parts)), Hints(tuple(rows), walls))


@st.composite
def mutated(draw: st.DrawFn, net: Net, part: Formula) -> Conjunction:
    assert isinstance(part, Conjunction)
    atoms = list(part.operands)
    place = draw(st.integers(0, len(atoms) - 1))
    atom, amount = atoms.pop(place), draw(st.sampled_from((-2, -1, 1, 2)))
    assert isinstance(atom, Inequality | Congruence)
    kind = draw(st.sampled_from(("coefficient", "constant", "modulus", "drop")))
    if kind == "coefficient":
        atom = replace(atom, term=atom.term + amount * variable(draw(st.sampled_from(net.places))))
    elif kind == "constant":
        atom = replace(atom, term=atom.term + amount)
    elif kind == "modulus" and isinstance(atom, Congruence):
        atom = replace(atom, modulus=max(1, atom.modulus + amount))
    return Conjunction((*atoms[:place], *([atom] if kind != "drop" else ()), *atoms[place:]))


@st.composite
def mutated_wall(draw: st.DrawFn, separator: Separator) -> Separator:
    return replace(
        separator,
        cube=draw(st.integers(0, 2)),
        modulus=draw(st.sampled_from((separator.modulus, 0, 2, 3))),
        multipliers=tuple(n + draw(st.integers(-1, 2)) for n in separator.multipliers),
        scale=draw(st.sampled_from((separator.scale, 1, 2))),
    )


def proves(asked: Problem, invariant: Formula) -> bool:
    """The three obligations, written out again."""
    net = asked.net
    natural = [at_least(variable(place), 0) for place in net.places]
    if not evaluate(invariant, net.values(net.initial)):
        return False
    if find_model(both(invariant, asked.target, *natural)) is not None:
        return False
    for t in net.transitions:
        guard = [at_least(variable(net.places[place]), weight) for place, weight in t.pre]
        names = ((net.places[place], change) for place, change in t.effect)
        leaves = Negation(substitute(invariant, {x: variable(x) + n for x, n in names}))
        if find_model(both(invariant, *natural, *guard, leaves)) is not None:
            return False
    return True


def test_the_oracles_of_this_file_can_tell_an_invariant_from_a_lie() -> None:
    assert proves(SWAP, equal(p + q, 1)) and not broken(SWAP, equal(p + q, 1))
    for lie in (equal(q, 0), at_least(p + q, 1), equal(p + q, 2)):
        assert not proves(SWAP, lie) and broken(SWAP, lie)


def accepted(asked: Problem, certificate: Certificate) -> bool:
    try:
        audit(asked, Unreachable(certificate))
    except EvidenceError:
        return False
    return True


@settings(max_examples=16)
@given(certificates, st.data())
def test_a_mutated_certificate_is_accepted_exactly_where_it_proves_what_is_asked(
    case: tuple[Problem, Certificate], data: st.DataObject
) -> None:
    asked, certificate = case
    if asked.net.transitions and data.draw(st.booleans()):
        asked = Problem(asked.net, data.draw(targets(asked.net)))
    mutant = data.draw(mutations(asked.net, certificate))
    proved = proves(asked, mutant.invariant)
    assert not (proved and broken(asked, mutant.invariant))
    assert accepted(asked, mutant) == accepted(asked, replace(mutant, hints=None)) == proved


# The state equation, with traps and a siphon


def test_the_state_equation_with_a_trap_and_a_siphon_is_a_proof() -> None:
    pytest.importorskip("cvc5")
    assert audit(COUNTING, Unreachable(COUNTED)) == BY_Z3
    assert audit(COUNTING, Unreachable(COUNTED), second_solver=True) == f"{BY_Z3} and cvc5"


TRAPS = problem("a=1 b=1 s=0, drop: b -> a", "a == 7")
SIPHONS = problem("a=1 r=0 s=0, put: a -> r, keep: s -> 2 s", "a == 7")


@pytest.mark.parametrize(
    ("asked", "trap", "siphon", "complaint"),
    [
        (TRAPS, "s", "", "empty initially"),
        (TRAPS, "", "", "empty initially"),
        (TRAPS, "b", "", "'drop' may empty a trap"),
        (TRAPS, "b s", "", "'drop' may empty a trap"),
        (TRAPS, "nowhere", "", "'nowhere', which is no place"),
        (SIPHONS, None, "a", "marked initially, on 'a'"),
        (SIPHONS, None, "s a", "marked initially, on 'a'"),
        (SIPHONS, None, "r", "'put' marks the siphon"),
        (SIPHONS, None, "s r", "'put' marks the siphon"),
        (SIPHONS, None, "nowhere", "'nowhere', which is no place"),
    ],
)
def test_what_is_no_marked_trap_and_no_empty_siphon_is_refused(
    asked: Problem, trap: str | None, siphon: str, complaint: str
) -> None:
    traps = () if trap is None else (tuple(trap.split()),)
    certificate = StateEquationCertificate(traps, tuple(siphon.split()))
    assert complaint in rejected(asked, certificate)


def test_marked_traps_and_empty_siphons_are_accepted() -> None:
    traps = (("a",), ("a", "b"))
    assert audit(TRAPS, Unreachable(StateEquationCertificate(traps, ()))) == BY_Z3
    assert audit(SIPHONS, Unreachable(StateEquationCertificate((), ("s",)))) == BY_Z3


def test_counters_have_names_of_their_own() -> None:
    nothing = StateEquationCertificate((), ())
    up, down = Transition("t", (), ((0, 1),)), Transition("t", ((0, 1),), ())
    twins = Problem(Net("twins", ("p",), (up, down), (1,)), equal(p, 2))
    assert "meets" in rejected(twins, nothing)
    net = make_net("homonyms", {"t#0": 0}, {"t": ({}, {"t#0": 2})})
    assert "meets" in rejected(make_problem(net, equal(variable("t#0"), 2)), nothing)
    assert audit(make_problem(net, equal(variable("t#0"), 3)), Unreachable(nothing))


@settings(max_examples=20)
@given(problems(), st.data())
def test_no_state_equation_with_any_sets_of_places_proves_what_is_false(
    asked: Problem, data: st.DataObject
) -> None:
    sets = st.lists(st.sampled_from(asked.net.places), max_size=3, unique=True).map(tuple)
    traps = tuple(data.draw(st.lists(sets, max_size=2)))
    certificate = StateEquationCertificate(traps, data.draw(st.one_of(st.just(()), sets)))
    try:
        audit(asked, Unreachable(certificate))
    except EvidenceError:
        return
    markings = explore(asked.net, 200)
    for marking in markings or ():
        values = asked.net.values(marking)
        assert not evaluate(asked.target, values)
        assert all(values[name] == 0 for name in certificate.siphon)
        assert all(any(values[name] for name in trap) for trap in traps)
    assert markings is not None or shortest_trace(asked, 200) is None


@pytest.mark.parametrize("answer", [None, "x", True, 3, {}, Unknown("open"), Trace(()), ()])
def test_what_is_no_verdict_proves_nothing(answer: Any) -> None:
    with pytest.raises(EvidenceError, match="Reachable or an Unreachable"):
        audit(SWAP, answer)
    with pytest.raises(EvidenceError, match="no rule for a claim"):
        prove(SWAP.net, answer)
