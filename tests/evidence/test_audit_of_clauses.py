"""The audit of clauses and half-spaces: complete for coverability, and never wrong."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from notation import EXACT, net_of
from strategies import nets

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    at_least,
    at_most,
    congruent,
    conjunction,
    disjunction,
    equal,
)
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.engines.coverability import Coverability
from petricheck.engines.reductions import reduce
from petricheck.evidence.answer import Answer, Reachable, Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.audit.invariants import basis
from petricheck.evidence.audit.invariants.obligation import obligations
from petricheck.evidence.audit.invariants.table import UpwardClosure
from petricheck.evidence.audit.invariants.upward import least
from petricheck.evidence.certificates.invariant import Certificate, CoverHints
from petricheck.explicit.covering.exclusions import Exclusions
from petricheck.model.net import Net, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError

BY_Z3 = "discharged by z3"
p, q, r = variable("p"), variable("q"), variable("r")


def clause(**most: int) -> Disjunction:
    """That one of these places has at most so many tokens."""
    return Disjunction(tuple(at_most(variable(name), k) for name, k in most.items()))


def verdict(problem: Problem, *parts: Formula, sums: tuple = ()) -> str:
    certificate = Certificate(Conjunction(parts), CoverHints(sums))
    return audit(problem, Unreachable(certificate))


def refused(problem: Problem, *parts: Formula, sums: tuple = ()) -> str:
    with pytest.raises(EvidenceError) as caught:
        verdict(problem, *parts, sums=sums)
    return str(caught.value)


def order() -> Problem:
    """r needs p and q at once, but who has one never has the other: p + q stays 1."""
    net = net_of(
        "p=1 q=0 r=0 s=0, swap: p -> q, back: q -> p, meet: p + q -> p + q + r, more: r -> r + s"
    )
    return make_problem(net, at_least(variable("s"), 2))


CLAUSES = (clause(r=0), clause(s=1))
INVARIANT = at_most(p + q, 1)


# Examples, right and wrong


def test_what_this_tier_cannot_show_is_left_to_z3() -> None:
    # 2p ≤ 3 is p ≤ 1, but the half-space is weaker over the rationals.
    net = net_of("p=0 q=0, t: 2 p -> 2 p + q, u: -> p")
    problem = make_problem(net, at_least(q, 1))
    assert "leaves" in refused(problem, clause(q=0), at_most(2 * p, 3))
    still = net_of("p=0 q=0, t: q -> q + p")
    excess = make_problem(still, at_least(p, 1))
    assert verdict(excess, at_most(p, 0), at_most(q, p)) == BY_Z3


@pytest.mark.parametrize("part", [equal(p + q, 1), congruent(p + q, 1, 2)])
def test_other_shapes_are_left_to_z3(part: Formula) -> None:
    assert verdict(order(), *CLAUSES, INVARIANT, part) == BY_Z3


def test_a_table_of_thousands_of_elements_is_checked_without_a_solver() -> None:
    width = 24
    names = [f"x{n}" for n in range(width)]
    turn = {f"t{n}": ({names[n]: 1}, {names[(n + 1) % width]: 1}) for n in range(width)}
    net = make_net("ring", {name: 2 * (name == "x0") for name in names}, turn)
    problem = make_problem(net, at_least(variable("x7"), 3))
    triples = [Counter(three) for three in combinations_with_replacement(names, 3)]
    parts = [clause(**{name: n - 1 for name, n in three.items()}) for three in triples]
    assert len(parts) == 2600
    assert verdict(problem, *parts) == EXACT
    refused(problem, *parts[:1000], *parts[1001:])


# Against coverability, and against z3


def covers(net: Net, rng: random.Random) -> Formula:
    chosen = rng.sample(range(len(net.places)), rng.randint(1, len(net.places)))
    plain = conjunction(at_least(variable(net.places[n]), rng.randint(1, 4)) for n in chosen)
    total = at_least(linear((net.places[n], rng.randint(1, 2)) for n in chosen), rng.randint(1, 5))
    return rng.choice((plain, total, disjunction([plain, total])))


def solved(problem: Problem, facts: bool) -> Answer:
    """With facts or with the basis alone."""
    with pytest.MonkeyPatch.context() as patch:
        if not facts:
            patch.setattr(Exclusions, "exclude", lambda self, row: None)
        return Coverability().solve(problem, Budget())


@settings(max_examples=16, suppress_health_check=[HealthCheck.filter_too_much])
@given(nets(max_places=5), st.randoms(use_true_random=False), st.booleans())
def test_what_coverability_proves_of_a_reduced_net_is_checked_exactly(
    net: Net, rng: random.Random, facts: bool
) -> None:
    problem = make_problem(net, covers(net, rng))
    reduced = reduce(problem, Budget())
    assume(reduced.steps and reduced.decided() is None)
    answer = solved(reduced.problem, facts)
    assume(isinstance(answer, Unreachable | Reachable))
    lifted = reduced.lift(answer)
    assert lifted is not None
    audited = audit(problem, lifted)
    assert audited == EXACT or isinstance(lifted, Reachable)


@st.composite
def tampered(draw: st.DrawFn, problem: Problem, certificate: Certificate) -> Certificate:
    invariant, hints = certificate.invariant, certificate.hints
    assert isinstance(invariant, Conjunction) and isinstance(hints, CoverHints)
    parts = list(invariant.operands)
    for _ in range(draw(st.integers(1, 2))):
        number = draw(st.integers(0, len(parts) - 1)) if parts else 0
        kind = draw(st.sampled_from(("drop", "atom", "atom", "hint")))
        if kind == "drop" and parts:
            parts[number] = TRUE
        elif kind == "atom" and parts:
            parts[number] = draw(changed(problem.net, parts[number]))
        else:
            size = st.integers(-1, len(parts))
            terms = st.lists(st.tuples(size, st.integers(-1, 3)), max_size=3).map(tuple)
            hints = CoverHints((*hints.sums, draw(terms)))
    return Certificate(Conjunction(tuple(parts)), hints)


@st.composite
def changed(draw: st.DrawFn, net: Net, part: Formula) -> Formula:
    match part:
        case Inequality(term):
            amount = draw(st.sampled_from((-2, -1, 1)))
            name = draw(st.sampled_from(net.places))
            shift = Term(((name, amount),), 0) if draw(st.booleans()) else Term((), amount)
            return Inequality(term + shift)
        case Disjunction(operands) if operands:
            number = draw(st.integers(0, len(operands) - 1))
            new = draw(changed(net, operands[number]))
            return Disjunction((*operands[:number], new, *operands[number + 1 :]))
        case _:
            return part


@settings(max_examples=16, suppress_health_check=[HealthCheck.filter_too_much])
@given(nets(max_places=3), st.randoms(use_true_random=False), st.booleans(), st.data())
def test_nothing_that_z3_refutes_passes_for_exact(
    net: Net, rng: random.Random, facts: bool, data: st.DataObject
) -> None:
    problem = make_problem(net, covers(net, rng))
    answer = solved(problem, facts)
    assume(isinstance(answer, Unreachable))
    certificate = data.draw(tampered(problem, answer.certificate))
    invariant, hints = certificate.invariant, certificate.hints
    assert isinstance(hints, CoverHints)
    left = list(basis.open_obligations(problem, invariant, hints, Budget()))
    # The obligations that are left have a solution if those of the certificate have one.
    broken = any(find_model(o.formula, natural=True) is not None for o in left)
    claims = list(obligations(problem, invariant))[1:]
    assert broken == any(find_model(o.formula, natural=True) is not None for o in claims)


# Upward-closed sets


demands = st.lists(
    st.tuples(
        st.dictionaries(st.integers(0, 2), st.integers(1, 3), max_size=3).map(
            lambda weights: tuple(sorted(weights.items()))
        ),
        st.integers(-1, 5),
    ),
    max_size=3,
)


@given(demands)
def test_minimal_rows_make_up_what_meets_the_demands(wanted) -> None:
    found = least(wanted, 10_000, {}, Budget())
    assert found is not None
    for marking in product(range(6), repeat=3):
        met = all(sum(w * marking[place] for place, w in weights) >= k for weights, k in wanted)
        assert met == any(all(marking[place] >= n for place, n in row.items()) for row in found)


def test_too_many_minimal_rows_are_not_listed() -> None:
    wide = tuple((place, 1) for place in range(50))
    assert least([(wide, 30)], 1000, {}, Budget()) is None
    assert least([(((0, 1), (1, 1)), 10**9)], 1000, {}, Budget()) is None
    assert len(least([(wide, 1)], 50, {}, Budget()) or ()) == 50
    assert least([((), 1)], 50, {}, Budget()) == []


def test_an_audit_of_sums_with_very_many_minimal_markings_heeds_the_time_limit() -> None:
    net = make_net("n", dict.fromkeys("abcde", 1), {"t": ({"a": 1}, {"b": 1})})
    total = linear((place, 1) for place in net.places)
    wide = Disjunction(tuple(at_most(total, 30 - n % 10) for n in range(3000)))
    problem = make_problem(net, at_least(variable("a"), 100))
    certificate = Certificate(Conjunction((wide,)), CoverHints(()))
    with pytest.raises(EvidenceError, match="the time limit"):
        audit(problem, Unreachable(certificate), budget=Budget(seconds=0.5))


def test_sums_beyond_every_length_are_left_to_the_solver() -> None:
    net = net_of("p=1 q=0, t: p -> q")
    problem = make_problem(net, at_least(p + q, 10**30))
    assert least([(((0, 1), (1, 1)), 10**30)], 100, {}, Budget()) is None
    assert verdict(problem, clause(p=1), clause(q=1), at_most(p + q, 1)) == BY_Z3


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=8),
    st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=8),
    st.sampled_from((1, 10**30)),
)
def test_what_is_above_an_antichain_agrees_with_the_definition(low, high, scale) -> None:
    kind = np.int64 if scale == 1 else object
    antichain = UpwardClosure(np.array(low, dtype=kind) * scale)
    above = [any(all(a <= b for a, b in zip(x, y, strict=True)) for x in low) for y in high]
    assert antichain.covered(np.array(high, dtype=kind) * scale, Budget()).tolist() == above
