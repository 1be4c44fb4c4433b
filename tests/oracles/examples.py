"""Nets that several tests speak of."""

from __future__ import annotations

from notation import net_of

from petricheck.arithmetic.formulas.formulas import at_least, conjunction
from petricheck.arithmetic.formulas.terms import variable
from petricheck.model.problem import Problem, make_problem


def flags() -> Problem:
    """Two traps, and with them a half-space, keep the two critical places apart."""
    net = net_of(
        "idle1=1 idle2=1 in1=0 in2=0 free1=1 free2=1, "
        "enter1: idle1 + free1 + free2 -> in1 + free2, "
        "enter2: idle2 + free2 + free1 -> in2 + free1, leave1: in1 -> idle1 + free1, "
        "leave2: in2 -> idle2 + free2"
    )
    both = conjunction([at_least(variable("in1"), 1), at_least(variable("in2"), 1)])
    return make_problem(net, both)
