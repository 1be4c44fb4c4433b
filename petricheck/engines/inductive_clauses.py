"""Coverability by induction: clauses that no firing violates, learnt where the target needs them.

Kloos, Majumdar, Niksic, Piskac: Incremental, inductive coverability (2013). A clause says that a
place, or another one, has fewer tokens than so many. `covering.induction` searches, in compiled
loops and without a solver, so that a net of ten thousands of transitions is no obstacle.

Of any target what it demands of places is used: p ≥ q + 1 demands p ≥ 1, and p ≤ 0 nothing. Where
that much cannot be covered the target is unreachable. Place invariants exclude markings besides.

Limits: what a target demands may be reachable where the target is not, and then the answer is
unknown. Invariants that need sums besides those of place invariants become many clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from petricheck.arithmetic.formulas.formulas import Conjunction, evaluate
from petricheck.engines import IsOpen, all_open
from petricheck.evidence.answer import (
    Answer,
    Reachable,
    Unknown,
    Unreachable,
    measure,
    trace_of,
)
from petricheck.evidence.certificates.invariant import Certificate, CoverHints
from petricheck.explicit.covering.induction import ClauseProof, Induction
from petricheck.explicit.covering.targets import LARGEST, minimal_markings, not_covered
from petricheck.model.net import Net, Weights
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import Ending, noting
from petricheck.support.plugins import option
from petricheck.support.words import counted
from petricheck.symbolic.facts.place_bounds import PlaceBounds, by_invariants
from petricheck.symbolic.linear import HalfSpace, value_at

_FIRST = 0.25
"""Seconds for each of several targets in the first turn; they double from turn to turn."""

_LARGEST = 1 << 40
"""Larger weights and numbers of tokens are left to others."""

_HEAVIEST = 1 << 20
"""Sums of place invariants with more weight are not used: all arithmetic is in 64 bits."""

_PART = 4
"""Place invariants are looked for within such a part of the time."""

_UNFIT = f"numbers are too large, or the target has more than {LARGEST} minimal markings"
_COVERED = "what the target demands of places is reachable, but maybe not the target"


@dataclass(frozen=True)
class InductiveClauses:
    """Learn clauses that exclude what the target demands of places, until they are inductive."""

    unit = "obligation"
    paper = "Kloos, Majumdar, Niksic, Piskac 2013"
    rank = 35

    invariants: bool = option(True, "use place invariants")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Search until clauses are inductive, or what the target demands is reached."""
        ceilings = self._ceilings(problem.net, budget)
        return self._run(problem, _search(problem, ceilings, budget), budget)

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Search for one target after the other; those that take long go on in later turns."""
        ceilings = self._ceilings(problems[0].net, budget) if problems else ()
        searches: dict[int, Induction | None] = dict.fromkeys(range(len(problems)))
        for turn in count():
            for number, search in tuple(searches.items()):
                if not is_open(number):
                    del searches[number]
                    continue
                problem, limits = problems[number], budget.within(_FIRST * 2**turn)
                with budget.tolerate_overruns():
                    search = search or _search(problem, ceilings, limits)
                    searches[number] = search
                    answer = self._run(problem, search, limits)
                    del searches[number]
                    if not isinstance(answer, Unknown):
                        yield number, answer
            if not searches:
                return

    def _ceilings(self, net: Net, budget: Budget) -> Sequence[Weights]:
        """Return for each place the place invariant that bounds it best, if any."""
        limits = PlaceBounds(net, dict.fromkeys(range(len(net.places)), 1))
        if self.invariants:
            for _ in by_invariants(limits, budget.part(_PART)):
                pass
        sums = dict.fromkeys(weights for _, weights in limits.best.values())
        return [y for y in sums if sum(w for _, w in y) < _HEAVIEST]

    def _run(self, problem: Problem, search: Induction | None, budget: Budget) -> Answer:
        statistics, net = measure("inductive_clauses"), problem.net
        if search is None:
            return Unknown(_UNFIT, "another engine may decide it", ending=Ending.NOT_APPLICABLE)
        with noting(lambda: f"after {counted(search.obligations, 'obligation')}"):
            result = search.run(budget)
        cost = statistics(search.obligations)
        if isinstance(result, ClauseProof):
            return Unreachable(_certificate(net, result), cost)
        marking = net.initial
        for number in result:
            marking = net.transitions[number].fire(marking)
        if evaluate(problem.target, net.values(marking)):
            return Reachable(trace_of(result, net.actions), cost)
        return Unknown(_COVERED, "another engine may decide it", cost)


def _search(problem: Problem, ceilings: Sequence[Weights], budget: Budget) -> Induction | None:
    """Return the search; None where numbers or minimal markings are too many or too large."""
    net = problem.net
    rows = minimal_markings(net, problem.target, budget)
    if rows is None:
        return None
    tokens = [w for t in net.transitions for _, w in (*t.pre, *t.post)]
    tokens += [*net.initial, *(n for row in rows for n in row.values())]
    return Induction(net, rows, ceilings) if max(tokens, default=0) < _LARGEST else None


def _certificate(net: Net, proof: ClauseProof) -> Certificate:
    """Return the clauses and the ceilings as an invariant."""
    ceilings = (HalfSpace(y, value_at(y, net.initial)).inequality(net) for y in proof.ceilings)
    clauses = (not_covered(net, row) for row in proof.elements)
    return Certificate(Conjunction((*ceilings, *clauses)), CoverHints(()))
