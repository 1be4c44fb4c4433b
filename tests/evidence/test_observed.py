"""Formulas over a skeleton that say whether transitions are enabled: of totals, and of traces."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from coloured_nets import Marking, coloured_nets, firings, marking_of, reachable
from hypothesis import assume, given
from strategies import numbers, repeatable

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    equal,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.colours.observed import of_totals
from petricheck.evidence.audit.colours.skeleton import is_counted
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import Excluded, reached
from petricheck.explicit.coloured.walk import ColouredWalk
from petricheck.model.coloured.names import fireable_text
from petricheck.model.coloured.net import ColouredNet, Transition
from petricheck.model.coloured.skeleton import skeleton
from petricheck.model.problem import make_problem
from petricheck.support.errors import EvidenceError, InputError

LIMIT = 60


def observed(net: ColouredNet) -> Iterator[tuple[Transition, dict[str, int]]]:
    """The transitions, alone and with each colour of one of their variables."""
    for transition in net.transitions:
        yield transition, {}
        for one in transition.variables:
            yield from ((transition, {one.name: colour}) for colour in range(one.sort.size))


def values_in(net: ColouredNet, marking: Marking) -> dict[str, int]:
    """The totals of the places, and which transitions are enabled, under which colours."""
    enabled = [(fired, binding.items()) for fired, binding, _ in firings(net, marking)]
    values = {
        fireable_text(t, b): int(any(t.name == name and b.items() <= of for name, of in enabled))
        for t, b in observed(net)
    }
    for number, name in enumerate(skeleton(net).places):
        values[name] = sum(amount for place, _, amount in marking if place == number)
    return values


def some_formula(net: ColouredNet, random: Random, depth: int = 3) -> Formula:
    """A formula about what is enabled and about totals, in any polarity."""
    form = random.randrange(6) if depth else 5
    if form < 2:
        return Negation(some_formula(net, random, depth - 1))
    if form < 5:
        parts = tuple(some_formula(net, random, depth - 1) for _ in range(2))
        return Conjunction(parts) if form == 2 else Disjunction(parts)
    names = [
        *skeleton(net).places,
        *(fireable_text(*pair) for pair in observed(net)),
    ]
    compare = random.choice((at_least, at_most, equal))
    return compare(variable(random.choice(names)), random.randrange(3))


@pytest.mark.slow
@repeatable(40)
@given(coloured_nets(), numbers(0, 1 << 30))
def test_where_a_formula_holds_that_of_totals_does(net: ColouredNet, seed: int) -> None:
    markings = reachable(net, LIMIT)
    assume(markings is not None and is_counted(net))
    random, bare = Random(seed), skeleton(net)
    formulas = [some_formula(net, random) for _ in range(5)]
    formulas += [at_least(variable(fireable_text(*pair)), 1) for pair in observed(net)]
    weaker = [of_totals(bare, formula) for formula in formulas]
    for marking in markings or ():
        values = values_in(net, marking)
        totals = {name: values[name] for name in bare.places}
        for formula, other in zip(formulas, weaker, strict=True):
            assert not evaluate(formula, values) or evaluate(other, totals)


@pytest.mark.slow
@repeatable(40)
@given(coloured_nets(), numbers(0, 1 << 30))
def test_a_trace_proves_what_holds_in_its_last_marking(net: ColouredNet, seed: int) -> None:
    assume(is_counted(net))
    random, bare = Random(seed), skeleton(net)
    walk = ColouredWalk(net, [], random)
    for _ in range(random.randrange(4)):
        if walk.enabled:
            walk.fire(random.choice(walk.enabled))
    values = values_in(net, marking_of(dict(enumerate(walk.marking))))
    steps = [(f.plan.transition.text(f.binding), 1) for _, f in walk.trace]
    for _ in range(5):
        formula = some_formula(net, random)
        claim = reached(formula, Trace(tuple(steps)))
        if evaluate(formula, values):
            assert prove(bare, claim) == "replayed exactly"
        else:
            with pytest.raises(EvidenceError):
                prove(bare, claim)


@repeatable(10)
@given(coloured_nets())
def test_only_numbers_of_the_net_are_named(net: ColouredNet) -> None:
    assume(is_counted(net))
    bare = skeleton(net)
    for name in ("fireable(nothing)", "fireable()", "fireable(t1(z=3))", "fireable"):
        with pytest.raises(InputError):
            make_problem(bare, at_least(variable(name), 1))
        excluded = Excluded(at_least(variable(name), 2), Certificate(Conjunction(())))
        with pytest.raises(EvidenceError, match="no place"):
            prove(bare, excluded)
