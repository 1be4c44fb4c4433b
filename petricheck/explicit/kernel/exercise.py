"""Searches of all kinds in a small net, which call each loop with the types of its arguments."""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import at_least, at_most
from petricheck.arithmetic.formulas.terms import variable
from petricheck.explicit.kernel.backwards import Backwards
from petricheck.explicit.kernel.explore import Exploration, Nearest
from petricheck.explicit.kernel.tour import Tour
from petricheck.explicit.kernel.walk import Walk
from petricheck.model.net import make_net


def exercise() -> None:
    """Call each loop, in the order in which searches need them."""
    p, q = variable("p"), variable("q")
    transitions = {"t": ({"p": 1}, {"p": 2}), "u": ({"p": 2}, {"q": 1})}
    net = make_net("small", {"p": 1, "q": 0}, transitions)
    initial, reachable, unreachable = at_least(p, 1), at_least(p, 20), at_most(p + q, 0)
    walk = Walk(net, [unreachable])
    walk.run(10, 10)
    walk = Walk(net, [unreachable], leans=True)
    Exploration(net, [unreachable], 1 << 20, Nearest(0), [0]).run(10)
    explored = Exploration(net, [reachable], 1 << 20)
    explored.run(100)  # On its way fields become too narrow.
    walk.pursue(0, 10, 10)
    tour = Tour(net, [initial, unreachable])
    tour.wander(10, 10)
    tour.go_to(tour.start)
    tour.follow(tour.start.marking.copy())
    Backwards(net, explored).run(1)
