"""The natural solutions of formulas as linear sets, against all small vectors."""

from itertools import product

import pytest
from hypothesis import given
from strategies import formulas, repeatable

from petricheck.arithmetic.formulas.formulas import Formula, evaluate, variables
from petricheck.arithmetic.formulas.linear_sets import LinearSet, Vector, linear_sets
from petricheck.formats.language.grammar import read_formula
from petricheck.model.net import make_net
from petricheck.support.errors import BudgetExhausted

NAMES = make_net("names", dict.fromkeys("abcdexyz", 0), {})
MOST = 5
"""Solutions with no larger number are compared."""


def small_members(linear: LinearSet) -> set[Vector]:
    """All small members: sums of natural vectors never fall, so that small ones come from small."""
    waiting = [base for base in linear.bases if max(base, default=0) <= MOST]
    members = set(waiting)
    while waiting:
        member = waiting.pop()
        for period in linear.periods:
            larger = tuple(map(sum, zip(member, period, strict=True)))
            if max(larger) <= MOST and larger not in members:
                members.add(larger)
                waiting.append(larger)
    return members


def compare(formula: Formula) -> None:
    names = variables(formula)
    members = set[Vector]().union(*map(small_members, linear_sets(formula)))
    vectors = product(range(MOST + 1), repeat=len(names))
    assert members == {v for v in vectors if evaluate(formula, dict(zip(names, v, strict=True)))}


@repeatable(60)
@given(formulas(("x", "y", "z"), leaves=4))
def test_linear_sets_have_the_natural_solutions_as_members(formula: Formula) -> None:
    try:
        compare(formula)
    except BudgetExhausted as error:
        assert "too many" in str(error) or "vectors" in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "x >= 2 and x <= 4",
        "2*x = 3*y",
        "x + y = 3 or x = y",
        "x mod 3 = 2",
        "(x + 2*y) mod 4 = 1 and y >= 1",
        "not (x + y) mod 2 = 0 and x <= 2*z",
        "x >= 1 and x <= 0",
        "3*x + 1 = 3*y",
    ],
)
def test_linear_sets_of_written_formulas(text: str) -> None:
    compare(read_formula(NAMES, text))


def test_what_has_too_many_solutions_is_not_listed() -> None:
    with pytest.raises(BudgetExhausted, match="vectors"):
        linear_sets(read_formula(NAMES, "a + b + c + d + e = 40 and 7*a + 5*b = 3*c + 2*d"))
