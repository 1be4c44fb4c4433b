"""What may be subtracted, and where a sum would hide that there is less than nothing."""

from __future__ import annotations

import pytest
from coloured_documents import arc, document, every, number, parsed, tag, times, var
from test_coloured_refused import BELOW, MOVED, moving, refused

ONE, TWO = every("c"), times(2, every("c"))


@pytest.mark.parametrize(
    "hidden",
    [
        BELOW,
        tag("subtract", ONE, var("x"), var("y")),
        tag("subtract", ONE, times(2, var("x"))),
        tag("subtract", TWO, times(3, var("x"))),
        tag("subtract", var("x"), every("c")),
        tag("subtract", every("c"), every("c")),
        tag("scalarproduct", number(2), BELOW),
    ],
)
def test_no_sum_hides_what_may_be_below_zero(hidden: str) -> None:
    for around in (
        tag("add", hidden, var("y")),
        tag("subtract", hidden, var("y")),
        tag("subtract", TWO, hidden),
    ):
        assert "which the sum around it would hide" in refused(moving(around))
    tuples = tag("tuple", hidden, var("i"))
    assert "which the sum around it would hide" in refused(moving(tuples, "cr"))
    arcs = arc("p", "t", ONE, "a"), arc("p", "t", hidden, "b")
    for order in (arcs, arcs[::-1]):
        assert "is one of several between its nodes" in refused(document(MOVED + "".join(order)))
    parsed(moving(hidden))


def test_what_is_taken_from_more_of_it_may_stand_in_a_sum() -> None:
    others = tag("subtract", every("c"), var("x"))
    for inside in (
        tag("add", others, tag("successor", var("x"))),
        tag("scalarproduct", number(3), tag("add", others, var("x"))),
        tag("subtract", times(2, every("c")), others),
        tag("add", tag("subtract", tag("add", var("x"), var("y")), var("x")), var("y")),
    ):
        parsed(moving(inside))
    parsed(moving(tag("tuple", others, var("i")), "cr"))
    parsed(document(MOVED + arc("p", "t", others, "a") + arc("p", "t", var("x"), "b")))
