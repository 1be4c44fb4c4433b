"""Arcs that subtract: it is known of each whether some colour has less than no token."""

from __future__ import annotations

from random import Random

import pytest
from coloured_nets import all_of, bindings, count, one

from petricheck.evidence.audit.colours.differences import is_covered, is_never_negative
from petricheck.model.coloured.net import Transition
from petricheck.model.coloured.sorts import Enumeration, Product, Range, Sort
from petricheck.model.coloured.terms import (
    TRUE,
    Comparison,
    Constant,
    Guard,
    Multiset,
    Shifted,
    Some,
    Summand,
    Term,
    Tuple,
    Variable,
)

SORT = Enumeration("S", ("a", "b", "c"))
PAIR = Product("P", (SORT, SORT))
X, Y, Z, EVERY = (Variable(name, SORT) for name in ("x", "y", "z", "every"))


def random_term(sort: Sort, random: Random, known: tuple[Variable, ...]) -> Term:
    if isinstance(sort, Product):
        return Tuple(tuple(random_term(factor, random, known) for factor in sort.factors))
    return random.choice((*known, Constant(SORT, random.randrange(3))))


def random_difference(sort: Sort, random: Random) -> Multiset:
    summands = []
    for _ in range(random.randint(1, 3)):
        ranging = (EVERY,) if random.random() < 0.6 else ()
        term = random_term(sort, random, (X, Y, *ranging * 3))
        summands.append(Summand(random.choice((1, 1, 2)), term, ranging))
    if random.random() < 0.4:
        summands.append(Summand(1, Constant(sort, random.randrange(sort.size))))
    for _ in range(random.randint(1, 2)):
        summands.append(Summand(-1, random_term(sort, random, (X, Y))))
    random.shuffle(summands)
    return tuple(summands)


def falls_below(multiset: Multiset, guard: Guard) -> bool:
    """Whether some binding has less than no token of a colour, by brute force."""
    every = bindings(Transition("t", ((0, multiset),), (), guard))
    return any(min(count(multiset, b).values(), default=0) < 0 for b in every)


@pytest.mark.parametrize("sort", [SORT, PAIR], ids=["colours", "pairs"])
def test_differences_are_told_from_those_that_fall_below_zero(sort: Sort) -> None:
    random, kinds = Random(0), set[tuple[bool, bool]]()
    for _ in range(300):
        multiset = random_difference(sort, random)
        guard = random.choice((TRUE, Comparison("!=", X, Y)))
        if not {v.name for v in Transition("t", ((0, multiset),), ()).variables} >= {"x", "y"}:
            guard = TRUE
        below = falls_below(multiset, guard)
        assert is_never_negative(multiset, guard) is not below, (multiset, guard)
        if is_covered(multiset):
            assert not falls_below(multiset, TRUE), multiset
        kinds.add((below, is_covered(multiset)))
    assert kinds == {(True, False), (False, True), (False, False)}


def test_conditions_on_other_variables_are_passed_over() -> None:
    both = (*all_of(SORT), Summand(-1, X), Summand(-1, Y))
    assert is_never_negative(both, Comparison("!=", X, Y))
    assert not is_never_negative(both, Comparison("!=", X, Z))


def test_of_many_colours_a_sum_over_all_says_it() -> None:
    many = Range("M", 1, 1_000_000)
    x, y = Variable("x", many), Variable("y", many)
    assert is_never_negative((*all_of(many), Summand(-1, x)))
    assert not is_never_negative((*all_of(many), Summand(-1, x), Summand(-1, y)))
    every = Variable("every", many)
    pairs = (Summand(1, Tuple((every, y)), (every,)),)
    assert is_never_negative((*pairs, Summand(-1, Tuple((x, y)))))
    assert not is_never_negative((*pairs, Summand(-1, Tuple((x, x)))))


def test_one_token_is_subtracted_once() -> None:
    assert not is_covered((*all_of(SORT), *(Summand(-1, X),) * 2))
    assert is_covered((Summand(2, EVERY, (EVERY,)), *(Summand(-1, X),) * 2))
    assert not is_covered((*one(X), Summand(-1, Y)))


def test_a_variable_that_ranges_is_not_one_of_the_same_name_that_does_not() -> None:
    ring = Enumeration("R", ("a", "b", "c"), cyclic=True)
    x, every = Variable("x", ring), Variable("every", ring)
    steps = Summand(1, Tuple((every, Shifted(every, 1))), (every,))
    assert not is_covered((steps, Summand(-1, Tuple((x, Shifted(every, 1))))))


def test_a_sum_below_zero_is_no_difference_that_never_is() -> None:
    assert not is_never_negative((Summand(1, X), Summand(-1, Y), Summand(-1, Z)), Some(()))
