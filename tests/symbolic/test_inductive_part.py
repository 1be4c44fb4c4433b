"""The most of some formulas that are inductive together."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from notation import formula, formulas, net_of
from oracle import explore
from strategies import constraints, covers, nets, repeatable

from petricheck.arithmetic.formulas.formulas import Conjunction, evaluate, negate
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.evidence.audit.invariants.obligation import preservation
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.inductive import inductive_part

RING = net_of("a=1 b=0 c=0, t: a -> b, u: b -> c, v: c -> a")


def test_formulas_that_need_each_other_stay_and_what_a_firing_breaks_goes() -> None:
    needed = formulas("a <= 1 and b <= 1 and c <= 1 and a + b <= 1 and b + c <= 1 and a + c <= 1")
    parts = needed[0].operands
    broken = formula("b <= 0")
    assert inductive_part(RING, (broken, *parts), Budget()) == parts
    # Without the sums, single places have no reason to hold no more than one token.
    assert inductive_part(RING, (broken, *parts[:3]), Budget()) == ()


def test_what_is_initially_false_or_about_other_places_goes() -> None:
    told = tuple(formulas("a + b + c == 1, b >= 1, gone <= 0"))
    assert inductive_part(RING, told, Budget()) == told[:1]


@repeatable(20)
@given(nets(), st.data())
def test_no_larger_set_is_inductive(net, data) -> None:
    choices = st.one_of(constraints(net), covers(net).map(negate))
    facts = tuple(dict.fromkeys(data.draw(st.lists(choices, max_size=4))))
    part = inductive_part(net, facts, Budget())

    def is_inductive(parts) -> bool:
        whole = Conjunction(tuple(parts))
        return evaluate(whole, net.values(net.initial)) and all(
            find_model(preservation(net, t, whole, whole).formula, natural=True) is None
            for t in net.transitions
        )

    sizes = range(len(facts), -1, -1)
    largest = next(
        parts for size in sizes for parts in combinations(facts, size) if is_inductive(parts)
    )
    assert part == largest
    for marking in explore(net, 500) or ():
        assert all(evaluate(fact, net.values(marking)) for fact in part)
