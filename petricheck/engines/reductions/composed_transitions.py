"""Transitions that do what others do one after the other (Thierry-Mieg 2020).

Let u ≥ u_a and u + δ_a ≥ u_b, and δ = δ_a + δ_b. Wherever t can fire, a can, then b, and they lead
where t leads; b may be a itself. So no trace needs t, and every set that a and b do not leave is
one that t does not leave. What a and b do, others may do in turn.

The same hints show it. Let c·m ≤ U hold before a, c′·m ≤ U′ between, c″·m ≤ U″ after b, where
c ≥ c′ ≥ c″ as the audit asks. With v = u + δ_a ≥ u_b that gives U − c·u + c′·v ≤ U′ and
U′ − c′·v + c″·(v + δ_b) ≤ U″, whose sum is what is asked of t; where c′ ≥ 0 and c′·u_b > U′
disable b, c ≥ 0 and c·u > U disable t. Marked traps stay marked, and empty siphons empty, since a
and b keep them so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress

from petricheck.engines.reductions._selection import Selection, select
from petricheck.model.net import Net, Transition
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.linear import at_least, combination

DEPTH = 6
"""How often a transition is taken apart, so that none becomes more than 64 others."""


class ComposedTransitions:
    """Leave out transitions that do what others do one after the other."""

    rank = 65
    for_all = True
    of_net = True

    def apply(self, problem: Problem, budget: Budget) -> Selection | None:
        """Return the problem without them; certificates and traces stay what they are."""
        doubles = _doubles(problem.net, budget)
        return select(problem, doubles=doubles) if doubles else None


def _doubles(net: Net, budget: Budget) -> dict[int, Sequence[int]]:
    """Return for each removed transition those that replace it, as far as time permits."""
    from petricheck.engines.reductions._fingerprints import Sums  # numpy takes its time.

    index, transitions = Sums(net), net.transitions
    pairs: dict[int, tuple[int, int]] = {}
    depths: dict[int, int] = defaultdict(int)
    with suppress(BudgetExhausted):  # Each pair is right by itself.
        for number, first in index.proposals(budget):
            if number in pairs or first in pairs or depths[number] == DEPTH:
                continue
            for second in index.seconds(number, first):
                if second == number or second in pairs:
                    continue
                if _follows(transitions[number], transitions[first], transitions[second]):
                    pairs[number] = first, second
                    for part in pairs[number]:
                        depths[part] = max(depths[part], depths[number] + 1)
                    break
    # A part of a pair went later than the pair's own.
    factors: dict[int, Sequence[int]] = {}
    for number, pair in reversed(tuple(pairs.items())):
        factors[number] = [n for part in pair for n in factors.get(part, (part,))]
    return factors


def _follows(whole: Transition, a: Transition, b: Transition) -> bool:
    """Return whether a, then b can fire wherever the whole can, and have its effect."""
    if not at_least(whole.pre, a.pre):
        return False
    between = combination(((1, whole.pre), (1, a.effect)))
    difference = combination(((1, whole.effect), (-1, a.effect)))
    return difference == b.effect and at_least(between, b.pre)
