"""Given transitions, one after the other, as formulas.

Most guides interpolate paths in closed form. These formulas are equivalent. They serve the guide
`abstract`, users of the interpolation library, and tests of the closed forms.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Formula,
    Inequality,
    at_least,
    equal,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.model.net import Net, Transition, Weights
from petricheck.model.problem import Problem
from petricheck.symbolic.encoding.stamps import at, initial, natural, stamp, token


def step(net: Net, transition: Transition, k: int) -> Formula:
    """Return the formula: the transition leads from the marking at time k to that at time k + 1.

    It is φ_j of Leroux et al. 2016, section 9.2, with markings that are not negative.
    """
    return Conjunction((
        *_guard(net, transition.pre, k),
        *natural(net, k),
        *(equal(token(p, k + 1), term) for p, term in _after(net, transition, k, 1).items()),
    ))  # fmt: skip


def accelerated_step(net: Net, transition: Transition, k: int) -> Formula:
    """Return the same for any number n ≥ 1 of firings: φ^acc of section 9.3.

    The variable n@k# is the number of firings.
    """
    count = variable(at("n", k) + "#")
    return Conjunction((
        at_least(count, 1),
        *_guard(net, transition.pre, k),
        *_guard(net, transition.end_guard, k + 1),
        *natural(net, k),
        *(equal(token(p, k + 1), term) for p, term in _after(net, transition, k, count).items()),
    ))  # fmt: skip


def path_parts(
    problem: Problem, path: Sequence[int], accelerated: Collection[int] = ()
) -> tuple[Formula, ...]:
    """Return the sequence interpolation problem of a path (Def. 10): initial, steps, target.

    An interpolant after part j is about the places at time j − 1.

    Args:
        problem: the net and the target.
        path: numbers of transitions.
        accelerated: those that fire any number n ≥ 1 of times wherever they occur.
    """
    net = problem.net
    steps = (
        (accelerated_step if t in accelerated else step)(net, net.transitions[t], k)
        for k, t in enumerate(path)
    )
    last = len(path)
    target = Conjunction((stamp(problem.target, last), *natural(net, last)))
    return (initial(net), *steps, target)


def _guard(net: Net, guard: Weights, k: int) -> list[Inequality]:
    return [at_least(token(net.places[place], k), weight) for place, weight in guard]


def _after(net: Net, transition: Transition, k: int, count: Term | int) -> dict[str, Term]:
    """Return, by place, the tokens at time k + 1 in terms of time k, after `count` firings."""
    effect = {net.places[place]: change for place, change in transition.effect}
    return {place: token(place, k) + count * effect.get(place, 0) for place in net.places}
