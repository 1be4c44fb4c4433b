"""Control groups: places that always hold exactly one token together.

Such a group is a place invariant with weights 1 and value 1. It gives a net what a program counter
gives a program: which of its places is marked is a location.
"""

from __future__ import annotations

from petricheck.flows.place_invariant import invariant
from petricheck.flows.semiflows import minimal_semiflows
from petricheck.problem import Net


def control_groups(net: Net, most: int) -> tuple[tuple[int, ...], ...]:
    """At most so many control groups without common places, those of the most places first.

    They are chosen among the invariants of minimal support, one after the other; of groups of one
    size the one with the first places comes first. Groups of one place are left out.
    """
    if most <= 0:
        return ()
    flows = minimal_semiflows(net)[0]
    ones = [flow for flow in flows if all(weight == 1 for _, weight in flow)]
    groups = [tuple(p for p, _ in flow) for flow in ones if invariant(net, flow).value == 1]
    chosen: list[tuple[int, ...]] = []
    for group in sorted(groups, key=lambda places: (-len(places), places)):
        if len(group) > 1 and all(set(group).isdisjoint(other) for other in chosen):
            chosen.append(group)
    return tuple(chosen[:most])
