"""Sets of places that are empty initially: what takes from them fires after what fills them."""

import pytest
from evidence_files import read_json, write_json, write_smt2
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of, problem
from oracle import explore, shortest_trace
from strategies import nets, problems

from petricheck.arithmetic.formulas.formulas import evaluate
from petricheck.engines.state_equation import StateEquation
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import Excluded
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.reports.explanation.claims import explain
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, QueryError
from petricheck.symbolic.facts.refutation import unfilled_sets

GUARD = "a=1 k=1 s=0 b=0, fill: k -> s, use: s + a -> s + b, drop: s ->"
"""What marks b needs s, which k fills."""

RING = "a=1 k=1 s=0 r=0 b=0, fill: k -> s, u: s + a -> r + a, v: r + a -> s + b, drop: s ->"
"""The same, where s and r mark each other."""


def equation(*unmarked: str) -> StateEquationCertificate:
    return StateEquationCertificate((), (), tuple(tuple(names.split()) for names in unmarked))


@pytest.mark.parametrize("system", [GUARD, RING])
def test_a_solution_that_takes_from_what_nothing_filled_is_refuted(system: str) -> None:
    asked = problem(system, "b >= 1 and k >= 1")
    answer = StateEquation(restate=False).solve(asked, Budget(20.0))
    assert isinstance(answer, Unreachable)
    assert isinstance(answer.certificate, StateEquationCertificate)
    assert answer.certificate.unmarked
    assert audit(asked, answer) == "discharged by z3"
    with pytest.raises(EvidenceError, match="meets the target"):
        audit(asked, Unreachable(equation()))


@pytest.mark.parametrize(
    ("system", "goal", "unmarked"),
    [
        (GUARD, "b >= 1 and k >= 1", "s"),
        (GUARD, "b >= 1 and k >= 1", "s b"),
        (RING, "b >= 1 and k >= 1", "s r"),
        ("s=0 b=0, s -> s + b", "b >= 1", "s"),  # nothing fills it
    ],
)
def test_an_unmarked_set_is_accepted(system: str, goal: str, unmarked: str) -> None:
    assert audit(problem(system, goal), Unreachable(equation(unmarked))) == "discharged by z3"


@pytest.mark.parametrize(
    ("system", "goal", "unmarked", "complaint"),
    [
        ("s=1 b=0, s -> s + b", "b >= 1", "s", "marked initially, on 's'"),
        ("s=0 t=1 b=0, s + t -> s + b", "b >= 1", "s t", "marked initially, on 't'"),
        ("s=0 b=0, s -> s + b", "b >= 1", "nowhere", "no place of the net"),
        ("s=0 b=0, t: -> s, u: s -> s + b", "b >= 1", "s", "meets the target"),
        ("s=0 b=0, u: s -> s + b, t: -> s", "b >= 1", "s", "meets the target"),
        ("s=0 r=0 b=0, t: -> r, u: r -> s, v: s -> b", "b >= 1", "s r", "meets the target"),
        ("s=0 r=0 b=0, t: -> r, u: r -> s, v: s -> b", "b >= 1", "s", "meets the target"),
        ("a=1 s=0 b=0, t: a -> s, u: s -> b", "b >= 1", "s b", "meets the target"),
        ("a=1 s=0 b=0, t: a + s -> b + s, u: a -> b", "b >= 1", "s", "meets the target"),
        (GUARD, "b >= 1", "s", "meets the target"),
        (GUARD, "k >= 1", "s", "meets the target"),
        (GUARD, "b >= 1 and k >= 1", "b", "meets the target"),
    ],
)
def test_what_proves_nothing_is_refused(
    system: str, goal: str, unmarked: str, complaint: str
) -> None:
    with pytest.raises(EvidenceError, match=complaint):
        audit(problem(system, goal), Unreachable(equation(unmarked)))


@settings(max_examples=20)
@given(problems(), st.data())
def test_no_unmarked_sets_prove_what_is_false(asked: Problem, data: st.DataObject) -> None:
    net = asked.net
    empty = [name for name, tokens in net.values(net.initial).items() if not tokens]
    sets = st.lists(st.sampled_from(empty), max_size=3, unique=True) if empty else st.just([])
    certificate = equation(*(" ".join(data.draw(sets)) for _ in range(2)))
    try:
        audit(asked, Unreachable(certificate))
    except EvidenceError as error:
        assert "meets the target" in str(error)
        return
    markings = explore(net, 200)
    assert not any(evaluate(asked.target, net.values(marking)) for marking in markings or ())
    assert markings is not None or shortest_trace(asked, 200) is None


@settings(max_examples=20)
@given(nets(), st.data())
def test_a_set_tells_that_transitions_could_not_begin(net: Net, data: st.DataObject) -> None:
    """There is one exactly where the transitions cannot all become enabled, weights aside."""
    some = st.sampled_from(net.transitions) if net.transitions else st.nothing()
    fired = data.draw(st.lists(some, unique=True))
    marked = {place for place, tokens in enumerate(net.initial) if tokens}
    left = list(fired)
    while ready := [t for t in left if marked.issuperset(p for p, _ in t.pre)]:
        marked.update(p for t in ready for p, _ in t.post)
        left = [t for t in left if t not in ready]
    sets = list(unfilled_sets(fired, net.initial))
    assert bool(sets) == bool(left)
    for places in sets:
        assert not any(net.initial[place] for place in places)
        takes = [t for t in fired if any(p in places for p, _ in t.pre)]
        assert takes and all(t in takes for t in fired if any(p in places for p, _ in t.post))
    assert sum(map(len, sets)) == len(frozenset().union(*sets))


def test_they_are_written_as_json_and_not_for_solvers() -> None:
    asked, certificate = problem(GUARD, "b >= 1 and k >= 1"), equation("s", "b s")
    data = write_json(asked, None, Unreachable(certificate))
    assert b'"unmarked": [["s"], ["b", "s"]]' in data
    assert read_json(data).answer == Unreachable(certificate)
    with pytest.raises(QueryError, match="unmarked sets have no"):
        write_smt2(asked, None, Unreachable(certificate))


def test_what_fills_them_is_explained() -> None:
    asked = problem(GUARD, "b >= 1 and k >= 1")
    reasons = explain(asked.net, Excluded(asked.target, equation("s"))).reasons
    assert "fill" in str(reasons)
    nothing = net_of("s=0 b=0, t: s -> s + b")
    assert "takes from it." in str(explain(nothing, Excluded(asked.target, equation("s"))).reasons)
