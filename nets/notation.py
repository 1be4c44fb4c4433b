"""The notation in which nets and questions are written down here.

A multiset is `p1 + 2 p2`; nothing at all is the empty one. A transition is `name: taken -> put`,
and `while 3 p4` demands tokens that stay. Places are `p1..p5` or a list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.problem import Net, make_net

REACHABLE = "reachable"
UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class System:
    """A net and where it comes from."""

    net: Net
    source: str
    bounded: bool


@dataclass(frozen=True, slots=True)
class Target:
    """A conjunction of [place, "==" | ">=" | "<=", number]; `kind` is reach or cover."""

    kind: str
    atoms: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One question, under the name of its two files; `witness` is a firing sequence or empty."""

    name: str
    system: System
    target: Target
    expected: str
    why: str
    witness: str = ""


def multiset(text: str) -> dict[str, int]:
    """`p1 + 2 p2` as a dictionary; repeated elements add up."""
    counts: dict[str, int] = {}
    for part in filter(None, (part.split() for part in text.split("+"))):
        number, name = ("1", *part)[-2:]
        counts[name] = counts.get(name, 0) + int(number)
    return counts


def names(text: str) -> list[str]:
    """`p1..p3` or `s x u` as a list."""
    if found := re.fullmatch(r"(\D+)(\d+)\.\.\1(\d+)", text):
        stem, first, last = found.groups()
        return [f"{stem}{number}" for number in range(int(first), int(last) + 1)]
    return text.split()


def transition(text: str) -> tuple[dict[str, int], dict[str, int]]:
    """`taken -> put while kept` as (pre, post)."""
    change, _, kept = text.partition(" while ")
    taken, put = change.split("->")
    return multiset(f"{taken} + {kept}"), multiset(f"{put} + {kept}")


def system(
    name: str, places: str, start: str, transitions: str, *, source: str, bounded: bool = False
) -> System:
    """A system described in the notation, one transition a line."""
    initial = dict.fromkeys(names(places), 0) | multiset(start)
    lines = (line.split(":") for line in transitions.splitlines() if line.strip())
    arcs = {label.strip(): transition(rest) for label, rest in lines}
    return System(make_net(name, initial, arcs), source, bounded)


def exactly(chosen: System, marking: str, free: Sequence[str] = ()) -> Target:
    """This marking, whatever the free places hold."""
    tokens = multiset(marking)
    fixed = (place for place in chosen.net.places if place not in free)
    return Target("reach", tuple((place, "==", tokens.get(place, 0)) for place in fixed))


def covering(marking: str) -> Target:
    """At least this marking."""
    return Target("cover", tuple((p, ">=", n) for p, n in multiset(marking).items()))


def satisfying(constraints: str) -> Target:
    """`p1 >= 1, p2 == 0`: all of these."""
    atoms = (constraint.split() for constraint in constraints.split(","))
    return Target("reach", tuple((place, compare, int(n)) for place, compare, n in atoms))
