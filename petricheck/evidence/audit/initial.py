"""What holds in every initial marking, of which a parametric net has several.

The formula of these is the user's, and nothing is concluded from the transitions that were added
for engines, except for repetitions: what they put is then shown to satisfy the formula.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Formula,
    Negation,
    evaluate,
    substitute,
)
from petricheck.arithmetic.formulas.terms import linear
from petricheck.evidence.audit.invariants.obligation import (
    AuditObligation,
    refute_cvc5,
    refute_z3,
)
from petricheck.model.net import Net
from petricheck.model.parametric import initially
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


def require_initially(
    net: Net, formula: Formula, failure: str, budget: Budget, *, second_solver: bool = False
) -> bool:
    """Require that all initial markings satisfy the formula, and return whether a solver was asked.

    EvidenceError, which says the failure, where one does not.
    """
    if net.initials is None:
        if not evaluate(formula, net.values(net.initial)):
            raise EvidenceError(failure)
        return False
    obligation = AuditObligation(failure, Conjunction((initially(net), Negation(formula))))
    refute_z3(obligation, budget)
    if second_solver:
        refute_cvc5(obligation, budget)
    return True


def beginning(net: Net, steps: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the initial marking that the added transitions among these steps choose.

    It has parameters as well. EvidenceError where it is none.
    """
    tokens = Counter(dict(enumerate(net.initial)))
    for name, times in steps:
        if name in net.added:
            transition = net.transitions[net.transition_numbers[name]]
            if transition.pre:
                raise EvidenceError(f"{name!r} was added to the net, and does not fire by itself")
            tokens.update({place: times * n for place, n in transition.post})
    values = {place: tokens[number] for number, place in enumerate(net.places)}
    values |= {name: values[place] for name, place in net.parameters.items()}
    if not evaluate(initially(net), values):
        raise EvidenceError("the trace begins in a marking that is no initial one")
    return values


def require_linear(net: Net, budget: Budget) -> None:
    """Require that the net reaches nothing else than it does from its initial markings.

    So it is if the added transitions need nothing, and however often they fire, they lead from the
    net's initial marking to one that satisfies the formula. EvidenceError where that is not shown.
    """
    added = [t for t in net.transitions if t.name in net.added]
    if any(transition.pre for transition in added):
        raise EvidenceError("an added transition does not fire by itself")
    puts: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for transition in added:
        for place, n in transition.post:
            puts[place].append((transition.name, n))
    start = enumerate(zip(net.places, net.initial, strict=True))
    terms = {name: linear(puts[place], tokens) for place, (name, tokens) in start}
    terms |= {name: terms[place] for name, place in net.parameters.items()}
    wrong = Negation(substitute(initially(net), terms))
    refute_z3(AuditObligation("an added transition leads to no initial marking", wrong), budget)
