"""Coverability: whether some reachable marking is at least one of the target's minimal markings.

For upward-closed targets only; on these it is complete. One search goes backward from the target,
with pruning by the state equation and traps. Another goes forward with acceleration, towards the
minimal markings of the first. The evidence is a firing sequence, or the complement of finitely
many minimal markings with the facts that pruned the backward search.

Limits: the minimal markings may be very many; the time of the audit grows with their number too.

The certificate of a finished backward search is the complement of its basis, with facts. Alone, the
complement is not inductive: some markings below the basis lead into it, but facts exclude these.
Facts are half-spaces, marked traps and the empty siphon, which disables transitions that would
break the others; hints say which of them add up to what excludes markings.
"""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import Conjunction, Formula
from petricheck.evidence.answer import (
    Answer,
    Reachable,
    Trace,
    Unknown,
    Unreachable,
    joined,
    measure,
)
from petricheck.evidence.certificates.invariant import Certificate, CoverHints
from petricheck.explicit.covering.backward import Backward, CoverabilityProof
from petricheck.explicit.covering.exclusions import Exclusions
from petricheck.explicit.covering.karp_miller import KarpMiller
from petricheck.explicit.covering.targets import (
    LARGEST,
    is_upward_closed,
    minimal_markings,
    not_covered,
)
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import Ending, noting
from petricheck.symbolic.facts.siphons import trap_fact


def certificate(net: Net, exclusions: Exclusions, proof: CoverabilityProof) -> Certificate:
    """Return the invariant that the proof states."""
    blocked = len(exclusions.unblocked) < len(net.transitions)
    needed = sorted({*proof.exclusions, *((0,) if blocked else ())})
    used = [exclusions.entries[number] for number in needed]
    numbers = sorted({number for exclusion in used for number, _ in exclusion.traps})
    traps = {number: trap_fact(net, exclusions.facts.traps[number]) for number in numbers}
    half_spaces = [exclusion.invariant.inequality(net) for exclusion in used]
    rows = ({place: n for place, n in enumerate(row) if n} for row in proof.basis)
    clauses = (not_covered(net, row) for row in rows)
    parts: dict[Formula, None] = dict.fromkeys((*traps.values(), *half_spaces, *clauses))
    positions = {part: position for position, part in enumerate(parts)}
    sums = []
    for exclusion, half_space in zip(used, half_spaces, strict=True):
        added = ((positions[traps[number]], times) for number, times in exclusion.traps)
        sums.append(((positions[half_space], 1), *added))
    hints = CoverHints(tuple(terms for terms in sums if len(terms) > 1))
    return Certificate(Conjunction(tuple(parts)), hints)


LEAD = 256
"""Markings that the forward search expands before the backward search goes on. From then on it
expands one for each row that the backward search adds."""


class Coverability:
    """Search backward from an upward-closed target, pruned by facts, and forward, accelerated."""

    unit = "round"
    paper = "Blondin, Finkel, Haase, Haddad 2016; Geffroy, Leroux, Sutre 2018"
    rank = 40

    def unfit(self, problem: Problem) -> str:
        """Return the reason why the target does not suit the engine, or ""."""
        return "" if is_upward_closed(problem.target) else "the target is not upward-closed"

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Take turns until the searches meet, or one of them ends without a trace."""
        statistics = measure("coverability")
        net = problem.net
        reason, targets = self.unfit(problem), None
        if not reason and (targets := minimal_markings(net, problem.target, budget)) is None:
            reason = f"the target has more than {LARGEST} minimal markings"
        if targets is None:
            hint = "another engine may decide it"
            return Unknown(reason, hint, ending=Ending.NOT_APPLICABLE)
        search = Backward(net, targets, Exclusions(net, budget))
        with noting(
            lambda: f"after {search.rounds} rounds with {len(search.basis)} minimal markings"
        ):
            trace = _search(net, search, budget)
        cost = statistics(search.rounds, len(search.steps))
        if trace is not None:
            return Reachable(trace, cost)
        return Unreachable(certificate(net, search.exclusions, search.proof()), cost)


def _search(net: Net, backward: Backward, budget: Budget) -> Trace | None:
    """Search forward and backward in turns; if one ends without a trace, there is none."""
    trace = backward.start(budget)
    if trace is not None or backward.ended:
        return trace
    forward = KarpMiller(net, backward.exclusions.unblocked, backward.kind)
    while trace is None and not backward.ended:
        if not forward.ended:
            trace = _meeting(net, forward, backward, budget)
            if trace is None and forward.ended and (rows := forward.outside()) is not None:
                backward.adopt(rows)
        if trace is None and not backward.ended:
            trace = backward.advance(budget)
    return trace


def _meeting(net: Net, forward: KarpMiller, backward: Backward, budget: Budget) -> Trace | None:
    turns = max(0, LEAD + len(backward.steps) - forward.expanded)
    meeting = forward.explore(backward.basis, backward.numbers, turns, budget)
    if meeting is None:
        return None
    steps = forward.firing_sequence(meeting.node, backward.row(meeting.goal))
    if steps is None:
        return None
    return joined([*steps, *((action, 1) for action in backward.onward(meeting.goal))], net.actions)
