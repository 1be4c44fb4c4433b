"""Nets and problems made of plain Python values, which are checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

from petricheck.errors import InputError
from petricheck.presburger.formulas import Formula, tighten, variables
from petricheck.problem import Marking, Net, Problem, Transition, Weights


def make_net(
    name: str,
    initial: Mapping[str, int],
    transitions: Mapping[str, tuple[Mapping[str, int], Mapping[str, int]]],
    finals: Sequence[Mapping[str, int]] = (),
) -> Net:
    """Return a net from plain dictionaries.

        make_net("lock", {"free": 1, "held": 0}, {"take": ({"free": 1}, {"held": 1})})

    Args:
        name: the net's id.
        initial: tokens by place; its keys are the places, in order.
        transitions: by transition the weights by place of what it takes, and of what it puts.
        finals: final markings, tokens by place; places that one does not name are empty there.

    Raises:
        InputError: an unknown place is named, or a number is no whole number or out of range.
    """
    numbers = {place: number for number, place in enumerate(initial)}

    def counts(owner: str, mapping: Mapping[str, int], least: int) -> Weights:
        for place in mapping:
            if place not in numbers:
                raise InputError(f"{owner} names {place!r}, which is no place of the net")
        pairs = mapping.items()
        return tuple(sorted((numbers[p], whole(n, least, f"{owner}: {p!r}")) for p, n in pairs))

    def marking(owner: str, tokens: Mapping[str, int]) -> Marking:
        held = dict(counts(owner, tokens, 0))
        return tuple(held.get(number, 0) for number in range(len(numbers)))

    return Net(
        name,
        tuple(initial),
        tuple(
            Transition(t, counts(f"transition {t!r}", pre, 1), counts(f"transition {t!r}", post, 1))
            for t, (pre, post) in transitions.items()
        ),
        marking("the initial marking", initial),
        finals=tuple(marking("a final marking", tokens) for tokens in finals),
    )


def whole(number: Any, least: int, owner: str) -> int:
    """Return the number, which must be an integer of any type.

    Args:
        number: what somebody gave.
        least: the least that makes sense.
        owner: what has this number, for errors.

    Raises:
        InputError: it is no integer, or less.
    """
    try:
        value = int(index(number))
    except TypeError:
        value = least - 1
    if value < least:
        raise InputError(f"{owner} is {number!r}; give a whole number, at least {least}")
    return value


def make_problem(net: Net, target: Formula) -> Problem:
    """Return the problem with a tightened target, whose names must be places of the net.

    Raises:
        InputError: the target names something that is not a place.
    """
    for name in variables(target):
        if name not in net.place_numbers:
            raise InputError(f"the target names {name!r}, which is no place of net {net.name!r}")
    return Problem(net, tighten(target))
