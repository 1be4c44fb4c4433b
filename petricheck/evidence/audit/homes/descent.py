"""Home spaces by a rank that decreases until the home space is reached.

The *rank* of a marking is a sum of its tokens with weights ≥ 0. Each *word* is a firing sequence
that lowers the rank: the weighted sum of its effect is negative. Let U be the markings outside of
the home space that enable no word, that is, are not at or above its hurdle, the least marking that
can fire it. The certificate shows that no marking in U is reachable (`audit.shapes`).

Then every reachable marking outside of the home space enables a word, which leads to a reachable
marking of lower rank. Ranks are natural numbers, so after finitely many words a marking of the home
space is reached. For several formulas, a marking that satisfies all of them is reached.
"""

from __future__ import annotations

from collections.abc import Iterable

from petricheck.arithmetic.formulas.formulas import Conjunction, Formula, Negation
from petricheck.evidence.audit.limits import checked, natural_weights
from petricheck.evidence.audit.sequences import FiringWord, disabled, word_of
from petricheck.evidence.audit.shapes import check_excluded
from petricheck.evidence.certificates.descent import LoweringWords
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


class Descent:
    """Words that lower a rank, one of which is enabled wherever the home space is not reached."""

    of = LoweringWords

    def discharge(
        self,
        net: Net,
        formulas: tuple[Formula, ...],
        proof: LoweringWords,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Check that the words lower the rank, and that the certificate excludes U."""
        formulas = tuple(checked("a home space", net, f, budget) for f in formulas)
        rank = natural_weights(net, proof.rank)
        words = [word_of(net, word, budget) for word in proof.words]
        for word in words:
            if sum(rank.get(place, 0) * change for place, change in word.effect.items()) >= 0:
                raise EvidenceError("a firing sequence does not lower the rank")
        problem = Problem(net, stuck(net, formulas, words))
        return check_excluded(problem, proof.certificate, budget, second_solver)


def stuck(net: Net, formulas: tuple[Formula, ...], words: Iterable[FiringWord]) -> Formula:
    """Return U: the markings outside of a home space that enable none of the words."""
    return Conjunction((Negation(Conjunction(formulas)), disabled(net, words)))
