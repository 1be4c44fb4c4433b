"""The laws of sparse vectors and half-spaces, against arithmetic on one number for every place."""

from __future__ import annotations

from math import gcd

import pytest
from forms import vector
from hypothesis import given
from hypothesis import strategies as st

from petricheck.arithmetic.formulas.formulas import Equality, Inequality, evaluate, tighten
from petricheck.arithmetic.formulas.terms import linear
from petricheck.model.net import make_net
from petricheck.symbolic.linear import (
    HalfSpace,
    Hyperplane,
    at_least,
    combination,
    constraint,
    content,
    dense,
    direction_of,
    divided,
    product,
    products,
    scaled,
    sparse,
    term_of,
    value_at,
)

PLACES = 4
NET = make_net("four", dict.fromkeys(("d", "a", "c", "b"), 0), {})
numbers = st.one_of(st.integers(-4, 4), st.sampled_from((0, 0, 10**30, -(10**30))))
full = st.tuples(*[numbers] * PLACES)
markings = st.tuples(*[st.integers(0, 6)] * PLACES)


def dot(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))


@given(full, full)
def test_a_vector_is_sorted_has_no_zeros_and_the_sums_of_its_entries(x, y):
    both = sparse([*reversed(list(enumerate(x))), *enumerate(y)])
    assert both == vector(a + b for a, b in zip(x, y, strict=True))
    assert all(weight for _, weight in both) and list(both) == sorted(both)
    assert dense(vector(x), range(PLACES)) == x
    assert dense(vector(x), (2, 0)) == (x[2], x[0])


@given(full, numbers.filter(bool), full, numbers)
def test_arithmetic_is_that_of_the_entries(x, a, y, b):
    assert value_at(vector(x), y) == product(vector(x), vector(y)) == dot(x, y)
    assert list(products(vector(x), (vector(y), (), vector(x)))) == [dot(x, y), 0, dot(x, x)]
    expected = tuple(a * p + b * q for p, q in zip(x, y, strict=True))
    assert combination(((a, vector(x)), (b, vector(y)))) == vector(expected)
    assert scaled(vector(x), a) == vector(a * entry for entry in x)
    assert divided(scaled(vector(x), a), a) == vector(x)
    assert content(vector(x)) == gcd(*x)


@given(full, full)
def test_one_vector_is_at_least_another_where_no_entry_is_smaller(x, y):
    top = tuple(map(max, x, y))
    for larger in (x, top):
        expected = all(a >= b for a, b in zip(larger, y, strict=True))
        assert at_least(vector(larger), vector(y)) == expected


@given(full)
def test_a_vector_and_its_term_have_the_same_values(x):
    term = term_of(NET, vector(x))
    assert term == linear(zip(NET.places, x, strict=True))
    assert direction_of(NET, term + 7) == vector(x)


@given(full, numbers, markings)
def test_a_half_space_its_primitive_form_inequality_and_complement_say_the_same(x, bound, marking):
    half_space = HalfSpace(vector(x), bound)
    inside = dot(x, marking) <= bound
    assert half_space.holds(marking) == half_space.primitive().holds(marking) == inside
    assert evaluate(half_space.inequality(NET), NET.values(marking)) == inside
    assert half_space.complement().holds(marking) != inside
    assert half_space.complement().complement() == half_space
    if any(x):
        assert half_space.primitive().inequality(NET) == tighten(half_space.inequality(NET))
        assert content(half_space.primitive().direction) == 1
    else:
        assert half_space.primitive() == half_space


@given(full, markings, st.integers(-1, 1))
def test_a_constraint_holds_where_all_its_sides_do(x, marking, excess):
    bound = dot(x, marking) + excess
    for found in (HalfSpace(vector(x), bound), Hyperplane(vector(x), bound)):
        assert found.holds(marking) == all(side.holds(marking) for side in found.sides)


@given(full, st.lists(full, max_size=3))
def test_a_half_space_is_kept_by_effects_that_do_not_raise_its_value(x, effects):
    found = HalfSpace(vector(x), 3).preserved_by(map(vector, effects))
    assert found == all(dot(x, effect) <= 0 for effect in effects)


@pytest.mark.parametrize("kind", [Inequality, Equality])
@given(full, numbers, markings)
def test_a_constraint_says_what_its_atom_says(kind, x, k, marking):
    atom = kind(linear(zip(NET.places, x, strict=True), -k))
    found = constraint(NET, atom)
    assert isinstance(found, HalfSpace if kind is Inequality else Hyperplane)
    assert found.holds(marking) == evaluate(atom, NET.values(marking))
