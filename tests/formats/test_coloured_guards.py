"""Guards of symmetric nets in PNML: which bindings they allow."""

from __future__ import annotations

import pytest
from coloured_documents import (
    EQUAL,
    arc,
    const,
    every,
    integer,
    label,
    place,
    read,
    tag,
    var,
)
from coloured_firing import enabled


def pairs(condition: str, one: str = "x", other: str = "y") -> set[str]:
    """The bindings of two variables that a condition allows."""
    taken = {name: "r" if name in "ij" else "c" for name in (one, other)}
    inside = "".join(
        place(f"p{n}", taken[name], every(taken[name])) + arc(f"p{n}", "t", var(name))
        for n, name in enumerate((one, other))
    )
    guard = label("condition", condition) if condition else ""
    net = read(f'<transition id="t">{guard}</transition>{inside}')
    (transition,) = net.transitions
    sorts = {variable.name: variable.sort for variable in transition.variables}
    return {
        " ".join(sorts[name].text(binding[name]) for name in (one, other))
        for binding in enabled(transition, net.initial)
    }


ALL = {f"{x} {y}" for x in "abc" for y in "abc"}
SAME = {f"{x} {x}" for x in "abc"}
LESS = {"a b", "a c", "b c"}
HALF = {name: tag("partitionelementof", var(name), refpartition="half") for name in "xy"}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("", ALL),
        (EQUAL, SAME),
        (tag("inequality", var("x"), var("y")), ALL - SAME),
        (tag("lessthan", var("x"), var("y")), LESS),
        (tag("lessthanorequal", var("x"), var("y")), LESS | SAME),
        (tag("greaterthan", var("x"), var("y")), ALL - LESS - SAME),
        (tag("greaterthanorequal", var("x"), var("y")), ALL - LESS),
        (tag("equality", tag("successor", var("x")), var("y")), {"a b", "b c", "c a"}),
        (tag("equality", tag("predecessor", var("x")), var("y")), {"b a", "c b", "a c"}),
        (tag("equality", HALF["x"], const("low")), {"a a", "a b", "a c"}),
        (tag("ltp", HALF["x"], HALF["y"]), {"a b", "a c"}),
        (tag("gtp", HALF["x"], HALF["y"]), {"b a", "c a"}),
        (tag("not", EQUAL), ALL - SAME),
        (tag("and", EQUAL, tag("inequality", var("x"), const("c0"))), {"b b", "c c"}),
        (tag("or", EQUAL, tag("lessthan", var("x"), var("y"))), SAME | LESS),
        (tag("imply", EQUAL, tag("equality", var("x"), const("c0"))), ALL - {"b b", "c c"}),
        (tag("booleanconstant", value="true"), ALL),
        (tag("booleanconstant", value="0"), set()),
        (
            tag(
                "equality", tag("tuple", var("x"), var("y")), tag("tuple", const("c1"), const("c2"))
            ),
            {"b c"},
        ),
        (
            tag("inequality", tag("tuple", var("x"), var("y")), tag("tuple", var("y"), var("x"))),
            ALL - SAME,
        ),
        (tag("and", EQUAL, tag("inequality", var("x"), var("y"))), set()),
        (f"<and>{EQUAL}{EQUAL}</and>", SAME),
    ],
)
def test_a_condition_allows_what_it_says(condition: str, expected: set[str]) -> None:
    assert pairs(condition) == expected


def test_ranges_are_compared_as_integers() -> None:
    condition = tag(
        "and", tag("lessthan", var("i"), integer(1)), tag("greaterthan", var("j"), var("i"))
    )
    expected = {f"{i} {j}" for i in range(-1, 3) for j in range(-1, 3) if i < 1 and j > i}
    assert pairs(condition, "i", "j") == expected


def test_a_condition_without_a_structure_in_it_holds() -> None:
    for guard in (
        "<condition/>",
        "<condition><structure/></condition>",
        "<condition><text> </text></condition>",
    ):
        net = read(f'<transition id="t">{guard}</transition>')
        assert [*enabled(net.transitions[0], net.initial)] == [{}]
