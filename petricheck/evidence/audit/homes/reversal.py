"""Home spaces by firing sequences that undo every transition.

A *word* for a transition t is a firing sequence whose effect is −δ_t. Right after t has fired, a
marking has at least v_t, the tokens that t puts. Let U be the markings that for some t have at
least v_t and enable none of the words for t. The certificate shows that no marking in U is
reachable (`audit.shapes`).

So whenever t leads from a reachable marking m to m', some word leads from m' back to m. A trace to
a reachable marking is undone in this way, from its last firing to its first. So the initial marking
can be reached from every reachable marking. It must satisfy the formulas itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from petricheck.arithmetic.formulas.formulas import Conjunction, Disjunction, Formula, evaluate
from petricheck.evidence.audit.limits import checked
from petricheck.evidence.audit.sequences import FiringWord, disabled, holds_at_least, word_of
from petricheck.evidence.audit.shapes import check_excluded
from petricheck.evidence.certificates.reversal import ReversingWords
from petricheck.model.net import Marking, Net, Weights
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


class Reversal:
    """Words that undo each transition, one of which is enabled whenever that has fired."""

    of = ReversingWords

    def discharge(
        self,
        net: Net,
        formulas: tuple[Formula, ...],
        proof: ReversingWords,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Check that the initial marking is in the home spaces, the words, and the certificate."""
        start = net.values(net.initial)
        if not all(evaluate(checked("a home space", net, f, budget), start) for f in formulas):
            raise EvidenceError("the initial marking is not in a home space")
        words: dict[str, list[FiringWord]] = {transition.name: [] for transition in net.transitions}
        for name, sequences in proof.words:
            if name not in words:
                raise EvidenceError(f"{name!r}, which is taken back, is no transition of the net")
            words[name] += [word_of(net, sequence, budget) for sequence in sequences]
        for transition in net.transitions:
            undone = {place: -change for place, change in transition.effect}
            if any(word.effect != undone for word in words[transition.name]):
                raise EvidenceError(f"a firing sequence does not take {transition.name!r} back")
        problem = Problem(net, irreversible(net, words))
        return check_excluded(problem, proof.certificate, budget, second_solver)


def irreversible(net: Net, words: Mapping[str, Sequence[FiringWord]]) -> Formula:
    """Return U; transitions with a word that v_t alone enables are omitted."""
    return Disjunction(
        tuple(
            Conjunction((holds_at_least(net, t.post), disabled(net, words[t.name])))
            for t in net.transitions
            if not any(word.fires(_tokens(net, t.post)) for word in words[t.name])
        )
    )


def _tokens(net: Net, weights: Weights) -> Marking:
    by_place = dict(weights)
    return tuple(by_place.get(place, 0) for place in range(len(net.places)))
