"""Coloured nets that are large, deep or say nothing have an answer or a reason."""

from __future__ import annotations

import pytest
from coloured_documents import (
    EQUAL,
    SORTS,
    VARIABLES,
    arc,
    const,
    every,
    integer,
    label,
    named,
    place,
    read,
    sort,
    span,
    tag,
    times,
    tuple_of,
    var,
    variable,
)

from petricheck.model.coloured.unfolding import unfold
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

# What is large, or says nothing


LARGE = {n: named("m", span(1, n)) + variable("z", "m") for n in (10**6, 10**12, 10**18)}
PAIRS = LARGE[10**6] + named("mm", f"<productsort>{sort('m') * 2}</productsort>")
FIRE = '<transition id="t"/>'
DEEP = 240


def guarded(condition: str) -> str:
    return f'<transition id="t">{label("condition", condition)}</transition>'


def nested(name: str, depth: int, inside: str) -> str:
    return f"<{name}>" * depth + inside + f"</{name}>" * depth


def first(n: int) -> str:
    return integer(1, 1, n)


HOSTILE: dict[str, tuple[str, str, int | str]] = {
    "all pairs": (place("p", "mm", every("mm")), PAIRS, "1,000,000,000,000 colours of p"),
    "an arc with all": (
        place("p", "m") + FIRE + arc("p", "t", every("m")), LARGE[10**18], "tokens of t"
    ),
    "a free variable": (
        place("p", "m") + FIRE + arc("t", "p", var("z")), LARGE[10**12], "bindings or tokens of t"
    ),
    "few of many pairs": (
        place("p", "mm", tuple_of(first(10**6), first(10**6))) + place("q", "m") + FIRE
        + arc("p", "t", tuple_of(var("z"), var("z"))) + arc("t", "q", var("z")), PAIRS, 1
    ),
    "no binding": (
        place("p", "c", every("c")) + guarded(tag("booleanconstant", value="false"))
        + arc("p", "t", var("x")), SORTS + VARIABLES, 0
    ),
    "deep conditions": (
        place("p", "c", every("c")) + guarded(nested("not", DEEP, EQUAL))
        + arc("p", "t", var("x")), SORTS + VARIABLES, 3
    ),
    "deep terms": (
        place("p", "c", every("c")) + FIRE + arc("p", "t", nested("successor", DEEP, var("x"))),
        SORTS + VARIABLES, 3
    ),
    "deep products": (
        place("p", "n", nested("tuple", 90, "<dotconstant/>")) + FIRE
        + arc("p", "t", nested("tuple", 90, "<dotconstant/>")),
        named("n", nested("productsort", 90, "<dot/>")), 1
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_large_is_unfolded_as_far_as_it_is_marked_or_given_up(name: str) -> None:
    inside, declared, expected = HOSTILE[name]
    net = read(inside, declared)
    if isinstance(expected, int):
        assert len(unfold(net, Budget()).transitions) == expected
    else:
        with pytest.raises(BudgetExhausted, match=expected):
            unfold(net, Budget())


@pytest.mark.parametrize("count", [2**31, 2**62, 2**63 - 1, 2**63, 2**64, 10**3999])
def test_numbers_of_tokens_have_no_limit(count: int) -> None:
    takes = tag("add", times(count, const("c0")), times(count, const("c0")), const("c1"))
    net = read(
        place("p", "c", times(3 * count, every("c"))) + FIRE + arc("p", "t", takes)
    )  # fmt: skip
    flat = unfold(net, Budget())
    assert flat.initial == (3 * count,) * 3
    assert flat.transitions[0].pre == ((0, 2 * count), (1, 1))


def test_a_range_may_be_as_long_as_integers_are_in_tables() -> None:
    net = read(place("p", "m", first(10**18)), LARGE[10**18])
    assert net.places[0].sort.size == 10**18
    assert unfold(net, Budget()).places == ("p(1)",)
