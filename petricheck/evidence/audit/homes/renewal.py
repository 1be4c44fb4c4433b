"""Home spaces by tokens that can always be there again, and traces from these into the formulas.

A formula is *upward-closed* if more tokens never make it false, as that a transition is enabled.
Let H be markings such that those m with m ≥ h for some h of H are a home space, and let a trace
lead from each h to a marking h' of such a formula. From every m ≥ h the trace can fire, too, and
leads to h' + (m − h), which satisfies the formula. So the markings of the formula are a home space.

In an unbounded net h can be there again where no single marking can.
"""

from __future__ import annotations

from collections.abc import Iterable

from petricheck.arithmetic.formulas.formulas import (
    Disjunction,
    Formula,
    Inequality,
    atoms,
    normal,
)
from petricheck.evidence.audit.homes import check_home
from petricheck.evidence.audit.homes.onward import check_traces_from
from petricheck.evidence.audit.limits import checked
from petricheck.evidence.audit.sequences import holds_at_least
from petricheck.evidence.certificates.onward import OnwardTraces
from petricheck.evidence.certificates.renewal import RenewedTokens
from petricheck.evidence.certificates.short_circuit import Restarted
from petricheck.model.net import Marking, Net
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


class Renewal:
    """Traces from markings whose tokens can always be there again into each of the formulas."""

    of = RenewedTokens

    def discharge(
        self,
        net: Net,
        formulas: tuple[Formula, ...],
        proof: RenewedTokens,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Replay the traces, and check the formulas and the proof that the tokens return."""
        if isinstance(proof.proof, RenewedTokens | OnwardTraces | Restarted):
            raise EvidenceError("a proof about tokens that are there again holds another one")
        formulas = tuple(checked("a home space", net, f, budget) for f in formulas)
        if not all(map(is_upward_closed, formulas)):
            raise EvidenceError("more tokens may lead out of a home space")
        markings = check_traces_from(net, proof.markings, proof.traces, formulas, budget)
        shown = check_home(net, (above(net, markings),), proof.proof, budget, second_solver)
        return f"{shown}, traces replayed exactly"


def above(net: Net, markings: Iterable[Marking]) -> Formula:
    """Return the formula that a marking has at least the tokens of one of these."""
    return Disjunction(tuple(holds_at_least(net, enumerate(least)) for least in markings))


def is_upward_closed(formula: Formula) -> bool:
    """Return whether this is seen from its atoms: none has a sum that more tokens raise."""
    return all(
        isinstance(atom, Inequality) and all(weight <= 0 for _, weight in atom.term.coefficients)
        for atom in atoms(normal(formula))
    )
