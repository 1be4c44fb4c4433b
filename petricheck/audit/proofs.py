"""Claims of `petricheck.claims`, checked from the net alone.

*Reached*: the trace is replayed, and each formula evaluated where it is to hold. *Excluded*: as
`audit` checks that a target is unreachable.

*Pumped*: stages are fired in a marking where filled places lack nothing. Let F be the places that
loops have filled so far, and m the marking of the others. For every N there is a reachable marking
that is m on the others and at least N everywhere in F: without loops that is the initial marking.
A stem takes only so much from F. A loop that can fire, and adds to no place outside of F less than
nothing, can fire N times more, taking N times as much from F, and then the places to which it
adds hold N tokens as well, while F is left at least N if it was full enough before.

So a sum whose weights are ≥ 0 on F, one of them positive, exceeds every number. Where there is one
loop, nothing is taken from F, and N repetitions add N times what the loop adds to the sum.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Set

from petricheck.answer import Unreachable
from petricheck.audit import audit
from petricheck.audit.claims import checked
from petricheck.audit.firing import replayed
from petricheck.audit.limits import integral, watched
from petricheck.budget import Budget
from petricheck.claims import Claim, Excluded, Pumped, Reached, Stage
from petricheck.errors import BudgetExhausted, EvidenceError
from petricheck.presburger.formulas import Inequality, evaluate, variables
from petricheck.problem import Net, Problem
from petricheck.words import counted


def prove(
    net: Net, claim: Claim, *, budget: Budget | None = None, second_solver: bool = False
) -> str:
    """Check that the evidence proves the claim; the text says how.

    Args:
        net: the net.
        claim: none of it trusted.
        budget: limits for the check.
        second_solver: whether cvc5 must also discharge every obligation of a certificate.

    Raises:
        EvidenceError: it does not, or that could not be decided; in the second case the text says
            so and the cause is a `BudgetExhausted`.
    """
    limits = budget or Budget()
    try:
        match claim:
            case Reached():
                return _passed(net, claim, limits)
            case Excluded(formula, certificate):
                problem, answer = Problem(net, formula), Unreachable(certificate)
                return audit(problem, answer, budget=limits, second_solver=second_solver)
            case Pumped():
                return _pumped(net, claim, limits)
    except BudgetExhausted as limit:
        raise EvidenceError(f"the audit was inconclusive: {limit}") from limit


def _passed(net: Net, claim: Reached, budget: Budget) -> str:
    """That each formula holds where the trace passes."""
    positions = [position for position, _ in claim.stops]
    if not positions or not integral(*positions):
        raise EvidenceError("the trace has no stops")
    tokens = list(net.initial)
    firing = replayed(net, claim.trace.steps, tokens, budget)
    fired = 0
    for position, formula in watched(claim.stops, budget):
        while fired < position:
            fired = _next(firing)
        formula = checked("a stop of the trace", net, formula, budget)
        values = {name: tokens[net.place_numbers[name]] for name in variables(formula)}
        # A stop that comes too early in the list is passed already.
        if fired != position or not evaluate(formula, values):
            raise EvidenceError(
                f"a formula does not hold after {counted(position, 'step')} of the trace"
            )
    deque(firing, maxlen=0)
    return "replayed exactly"


def _next(firing: Iterator[int]) -> int:
    for fired in firing:
        return fired
    raise EvidenceError("the trace ends before one of its stops")


def _pumped(net: Net, claim: Pumped, budget: Budget) -> str:
    """That loops fill places, and every sum with them."""
    tokens, filled = list(net.initial), frozenset[int]()
    gain: dict[int, int] = {}
    for stage in watched(claim.stages, budget):
        gain = _gain(net, stage, tokens, filled, budget)
        filled |= gain.keys()
    if not claim.sums:
        raise EvidenceError("nothing is pumped")
    once = gain if len(claim.stages) == 1 else {}
    for term in watched(claim.sums, budget):
        atom = checked("a pumped sum", net, Inequality(term), budget)
        assert isinstance(atom, Inequality)
        weights = {net.place_numbers[name]: weight for name, weight in atom.term.coefficients}
        raised = sum(weight * once.get(place, 0) for place, weight in weights.items()) > 0
        pumped = [weight for place, weight in weights.items() if place in filled]
        if not raised and not (pumped and min(pumped) > 0):
            raise EvidenceError("a sum does not grow with the loops")
    return "replayed exactly"


def _gain(
    net: Net, stage: Stage, tokens: list[int], filled: Set[int], budget: Budget
) -> dict[int, int]:
    """What the loop adds to places that are not filled yet; `tokens` are those after it.

    Raises:
        EvidenceError: the stage cannot fire, or the loop takes from such a place.
        BudgetExhausted: time or memory ran out.
    """
    deque(replayed(net, stage.stem.steps, tokens, budget, filled), maxlen=0)
    before = tuple(tokens)
    deque(replayed(net, stage.loop.steps, tokens, budget, filled), maxlen=0)
    changes = {p: now - then for p, (then, now) in enumerate(zip(before, tokens, strict=True))}
    if min(changes.values(), default=0) < 0:
        raise EvidenceError("a loop takes tokens that no loop before it adds")
    return {place: change for place, change in changes.items() if change}
