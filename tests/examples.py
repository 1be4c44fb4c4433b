"""Nets that several tests speak of."""

from __future__ import annotations

from petricheck.construction import make_net, make_problem
from petricheck.presburger.formulas import at_least, conjunction
from petricheck.presburger.terms import variable
from petricheck.problem import Problem


def flags() -> Problem:
    """Two traps, and with them a half-space, keep the two critical places apart."""
    net = make_net(
        "flags",
        {"idle1": 1, "idle2": 1, "in1": 0, "in2": 0, "free1": 1, "free2": 1},
        {
            "enter1": ({"idle1": 1, "free1": 1, "free2": 1}, {"in1": 1, "free2": 1}),
            "enter2": ({"idle2": 1, "free2": 1, "free1": 1}, {"in2": 1, "free1": 1}),
            "leave1": ({"in1": 1}, {"idle1": 1, "free1": 1}),
            "leave2": ({"in2": 1}, {"idle2": 1, "free2": 1}),
        },
    )
    both = conjunction([at_least(variable("in1"), 1), at_least(variable("in2"), 1)])
    return make_problem(net, both)
