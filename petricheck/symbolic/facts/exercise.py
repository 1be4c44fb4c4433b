"""Traps of a small net, which call each loop of facts with the types of its arguments."""

from __future__ import annotations

import numpy as np

from petricheck.model.net import make_net
from petricheck.symbolic.facts.marked_traps import MarkedTraps


def exercise() -> None:
    """Call each loop."""
    net = make_net(
        "small", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": 1}), "u": ({"q": 1}, {"p": 1})}
    )
    list(MarkedTraps(net, np.arange(2), few=0).within(range(2)))
