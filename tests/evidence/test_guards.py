"""The ordinary net of a guarded one, its bounds, and what the audit refuses of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
import z3
from evidence_files import write_smt2
from guarded_judge import require_same_firings
from guarded_random import random_bounded

from petricheck.arithmetic.formulas.formulas import TRUE, at_least, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace, Unreachable
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.guards import check_complements, firing_by_guards, is_bound
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.onward import OnwardTraces
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import Excluded, Home, Pumped, Stage, reached
from petricheck.formats.guarded_bounds import sum_bounds
from petricheck.model.guarded.net import GuardedNet, guarded
from petricheck.model.guarded.translation import complemented
from petricheck.model.net import make_net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError

NET = make_net("net", {"p": 1, "q": 0}, {"t": ({}, {"p": 2}), "r": ({"p": 1}, {"q": 1})})
GUARDED = guarded(NET, inhibitors=[(0, 0, 3)], resets=[(1, 1)])
assert isinstance(GUARDED, GuardedNet)
BOUNDS = ((((0, 1),), 4), (((1, 1),), 1))


def test_the_ordinary_net_has_the_same_markings_and_firings() -> None:
    compared = 0
    for graph, net in random_bounded(100):
        bounds = sum_bounds(net, Budget())
        if not all(place in bounds for place in net.watched):
            continue
        ordinary = complemented(net, tuple(bounds.values()))
        check_complements(ordinary, Budget())
        require_same_firings(graph, ordinary)
        compared += 1
    assert compared > 50


def test_bounds_are_proved_and_true() -> None:
    for graph, net in random_bounded(100):
        for weights, most in sum_bounds(net, Budget()).values():
            assert max(sum(n * m[place] for place, n in weights) for m in graph.after) <= most
        for place in range(len(net.places)):
            most = max(marking[place] for marking in graph.after)
            assert not is_bound(net, (((place, 1),), most - 1))


def test_a_bound_follows_from_upper_guards_resets_and_sums() -> None:
    assert sum_bounds(GUARDED, Budget()) == {0: BOUNDS[0], 1: BOUNDS[1]}
    ring = make_net("ring", {"a": 3, "b": 0}, {"t": ({"a": 1}, {"b": 1})})
    inhibited = guarded(ring, inhibitors=[(0, 1, 2)])
    assert isinstance(inhibited, GuardedNet)
    assert sum_bounds(inhibited, Budget()) == {1: (((1, 1),), 2)}
    read = guarded(NET, inhibitors=[(0, 1, 2)])
    assert isinstance(read, GuardedNet)
    assert sum_bounds(read, Budget()) == {}


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        (((((0, 1),), 3), BOUNDS[1]), "not proved that a sum of places never exceeds"),
        (((((0, 1), (1, 1)), 5),), "not proved that a sum of places never exceeds"),
        (((((0, -1),), 4), BOUNDS[1]), "a bound is none of a sum of places"),
        (((((7, 1),), 4), *BOUNDS), "a bound is none of a sum of places"),
    ],
)
def test_a_bound_that_is_none_is_refused(bounds, message) -> None:
    net = complemented(GUARDED, BOUNDS)
    forged = replace(net, origin=replace(net.origin, bounds=bounds))
    with pytest.raises(EvidenceError, match=message):
        check_complements(forged, Budget())


def test_another_ordinary_net_is_refused() -> None:
    net = complemented(GUARDED, BOUNDS)
    check_complements(net, Budget())
    t, *others = net.transitions
    unguarded = replace(t, pre=(), post=((0, 2),))
    for forged in (
        replace(net, transitions=(unguarded, *others)),
        replace(net, transitions=(t, *others[:-1])),
        replace(net, transitions=(t, *others[::-1])),
        replace(net, initial=(1, 0, 4, 1)),
        replace(net, initial=(2, 0, 2, 1)),
        replace(net, places=("p", "q", "q", "x")),
    ):
        with pytest.raises(EvidenceError):
            check_complements(forged, Budget())


def test_a_trace_fires_in_the_guarded_net_or_is_refused() -> None:
    net = complemented(GUARDED, BOUNDS)
    steps = (("t", 1), ("r(q=0)", 1), ("r(q=1)", 2))
    assert [*firing_by_guards(net, steps)][-1] == (0, 1, 4, 0)
    prove(net, reached(TRUE, Trace(steps)))
    for wrong in ((("t", 2),), (("r(q=0)", 2),), (("r(q=1)", 1),), (("r", 1),)):
        with pytest.raises(EvidenceError):
            prove(net, reached(TRUE, Trace(wrong)))
    unguarded = replace(net.transitions[0], pre=(), post=((0, 2),))
    forged = replace(net, transitions=(unguarded, *net.transitions[1:]))
    with pytest.raises(EvidenceError, match="'t' cannot fire in the guarded net"):
        list(firing_by_guards(forged, (("t", 2),)))


def test_a_firing_resets_as_many_tokens_as_its_name_says_without_other_bounds() -> None:
    net = make_net("net", {"p": 0, "q": 1}, {"t": ({}, {"q": 1}), "r": ({"q": 1}, {"q": 1})})
    without = guarded(net, inhibitors=[(1, 1, 3)], resets=[(0, 0)])
    assert isinstance(without, GuardedNet)
    ordinary = complemented(without, [(((0, 1),), 1)])
    assert [*ordinary.actions] == ["t(p=0)", "t(p=1)", "r"]
    prove(ordinary, reached(TRUE, Trace((("t(p=0)", 3),))))
    for times in (1, 3):
        with pytest.raises(EvidenceError, match="cannot fire in the guarded net"):
            prove(ordinary, reached(TRUE, Trace((("t(p=1)", times),))))


def test_without_a_bound_the_ordinary_net_fires_more_and_proves_exclusions_alone() -> None:
    counter = make_net(
        "counter",
        {"p": 0, "q": 0},
        {"up": ({}, {"p": 1}), "test": ({}, {"q": 1}), "empty": ({"q": 1}, {})},
    )
    source = guarded(counter, inhibitors=[(1, 0, 1), (1, 1, 1)], resets=[(2, 0)])
    assert isinstance(source, GuardedNet)
    bounds = tuple(sum_bounds(source, Budget()).values())
    assert bounds == ((((1, 1),), 1),)
    net = complemented(source, bounds)
    assert net.actions == ("up", "test", "empty", "drain(p)")
    check_complements(net, Budget())
    for forged in (
        replace(net, transitions=net.transitions[:-1]),
        replace(net, transitions=(*net.transitions[:-1], replace(net.transitions[-1], pre=()))),
    ):
        with pytest.raises(EvidenceError):
            check_complements(forged, Budget())
    steps = (("up", 2), ("empty", 1))
    for wrong in ((("up", 1), ("test", 1)), (("up", 1), ("drain(p)", 1)), steps):
        with pytest.raises(EvidenceError):
            prove(net, reached(TRUE, Trace(wrong)))
    prove(net, reached(equal(variable("p"), 0), Trace((("test", 1), ("up", 5), ("empty", 1)))))
    both = equal(variable("q") + variable("q_complement"), 1)
    prove(net, Excluded(at_least(variable("q"), 2), Certificate(both)))
    with pytest.raises(EvidenceError, match="without bounds it is not proved what can follow"):
        prove(net, Home((TRUE,), OnwardTraces((), None, ())))


def test_no_loop_drains_a_place_whose_reset_never_fires() -> None:
    # `dead` would put two tokens where one fits: so no transition of the net leaves a guard out.
    arcs = {"grow": ({}, {"u": 1, "x": 1}), "dead": ({}, {"b": 2})}
    source = guarded(
        make_net("net", {"b": 0, "u": 0, "x": 0}, arcs), resets=[(1, 0), (1, 1)], capacities={0: 1}
    )
    assert isinstance(source, GuardedNet)
    net = complemented(source, tuple(sum_bounds(source, Budget()).values()))
    assert net.actions == ("grow", "drain(u)")
    prove(net, Pumped((variable("u"),), (Stage(Trace(()), Trace((("grow", 1),))),)))
    loop = Trace((("grow", 1), ("drain(u)", 1)))
    with pytest.raises(EvidenceError, match="no transition of the guarded net"):
        prove(net, Pumped((variable("x") - variable("u"),), (Stage(Trace(()), loop),)))


def test_a_script_counts_firings_of_the_net_in_which_drains_fire_before_a_reset() -> None:
    arcs = {"grow": ({"c": 1}, {"c": 1, "u": 1}), "clear": ({"c": 1}, {"a": 1})}
    source = guarded(make_net("net", {"c": 1, "u": 0, "a": 0}, arcs), resets=[(1, 1)])
    assert isinstance(source, GuardedNet)
    net, target = complemented(source, ()), at_least(variable("a"), 2)
    answer = Unreachable(StateEquationCertificate((), (), ()))
    prove(net, Excluded(target, answer.certificate))
    script = write_smt2(Problem(net, target), None, answer).decode()
    context = z3.Context()
    assert set(z3.Z3_eval_smtlib2_string(context.ref(), script).split()) == {"unsat"}
