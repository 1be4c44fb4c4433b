"""Nets that several tests speak of."""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import at_least, conjunction
from petricheck.arithmetic.formulas.terms import variable
from petricheck.model.net import make_net
from petricheck.model.problem import Problem, make_problem


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
