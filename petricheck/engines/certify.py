"""From a finished backward search to a certificate: the complement of its basis, with facts.

Alone, the complement is not inductive: some markings below the basis lead into it, but facts
exclude these. Facts are half-spaces, marked traps and the empty siphon, which disables transitions
that would break the others; hints say which of them add up to what excludes markings.
"""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import Conjunction, Disjunction, Formula, at_most
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.certificates.invariant import Certificate, CoverHints
from petricheck.explicit.covering.backward import Proof
from petricheck.explicit.covering.exclusions import Exclusions
from petricheck.model.net import Net
from petricheck.symbolic.facts.siphons import trap_fact


def certificate(net: Net, exclusions: Exclusions, proof: Proof) -> Certificate:
    """Return the invariant that the proof states."""
    blocked = len(exclusions.unblocked) < len(net.transitions)
    needed = sorted({*proof.exclusions, *((0,) if blocked else ())})
    used = [exclusions.entries[number] for number in needed]
    numbers = sorted({number for exclusion in used for number, _ in exclusion.traps})
    traps = {number: trap_fact(net, exclusions.facts.traps[number]) for number in numbers}
    half_spaces = [exclusion.invariant.inequality(net) for exclusion in used]
    clauses = (_not_covered(net, row) for row in proof.basis)
    parts: dict[Formula, None] = dict.fromkeys((*traps.values(), *half_spaces, *clauses))
    positions = {part: position for position, part in enumerate(parts)}
    sums = []
    for exclusion, half_space in zip(used, half_spaces, strict=True):
        added = ((positions[traps[number]], times) for number, times in exclusion.traps)
        sums.append(((positions[half_space], 1), *added))
    hints = CoverHints(tuple(terms for terms in sums if len(terms) > 1))
    return Certificate(Conjunction(tuple(parts)), hints)


def _not_covered(net: Net, row: tuple[int, ...]) -> Formula:
    """Return a formula that the marking is not covered: a clause, or a single atom."""
    tokens_by_name = ((net.places[place], tokens) for place, tokens in enumerate(row) if tokens)
    return Disjunction(
        tuple(at_most(variable(name), tokens - 1) for name, tokens in tokens_by_name)
    )
