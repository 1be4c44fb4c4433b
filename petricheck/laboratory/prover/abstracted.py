"""The abstract problem of Leroux, Rümmer, Subotić 2016 (section 4, Def. 10), posed to the prover.

The parts speak of renamed copies of what they share, and the abstraction's relations alone connect
the copies, so that interpolants say no more than the relations allow. What they separate is weaker
than the parts: so they are interpolants of the parts as well (Lemma 1).
"""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.budget import Budget
from petricheck.laboratory.abstractions.relations import A_MARK, B_MARK, RelationAbstraction
from petricheck.laboratory.abstractions.sequence import SequenceAbstraction, SequenceProblem
from petricheck.laboratory.prover.clauses import ClauseForm
from petricheck.laboratory.prover.search import Search
from petricheck.presburger.formulas import Formula, Negation, substitute
from petricheck.presburger.terms import variable


def posed(
    parts: Sequence[Formula], abstraction: SequenceAbstraction, integral: bool, budget: Budget
) -> tuple[Formula, ...]:
    """The parts of the abstract problem.

    Raises:
        BudgetExhausted: whether the abstraction only weakens was not decided.
        ValueError: it does not, or its symbols are not those that the parts share.
    """
    if not integral:
        for _, here in abstraction.points:
            _refuse_stronger(here, budget)
    declared = tuple((cut, here.common) for cut, here in abstraction.points)
    problem = SequenceProblem(tuple(parts), declared)
    return abstraction.apply(problem).parts


def _refuse_stronger(abstraction: RelationAbstraction, budget: Budget) -> None:
    """What is known of integers is asked again where variables are rational."""
    relations = ((abstraction.relation_a, A_MARK), (abstraction.relation_b, B_MARK))
    for relation, mark in relations:
        merged = {name + mark: variable(name) for name in abstraction.common}
        opposite = Negation(substitute(relation, merged))
        if isinstance(Search(ClauseForm((opposite,), integral=False), budget).run(), dict):
            raise ValueError("the relation is not reflexive over the rationals")
