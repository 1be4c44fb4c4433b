"""k-induction: no k steps from anywhere lead into the target without passing it before.

Sheeran, Singh, Stålmarck: Checking safety properties using induction and a SAT-solver (FMCAD 2000).
For k = 0, 1, 2, … two formulas are checked. A model of the *base* is a run of k blocks from the
initial marking into the target (bounded model checking). A model of the *step* is a run m_0 → … →
m_k, one transition each, where only m_k is in the target and all lemmas hold. Where neither has a
model, the target is unreachable.

Lemmas are the greatest empty siphon, the place invariants, and facts of other engines, as far as
they are inductive. A model of the step gives more: a marked trap that is empty in m_0, or an
inductive congruence or half-space that m_0 violates. So lemmas are learnt where they matter (Beyer,
Dangl, Wendler: Boosting k-induction with continuously-refined invariants, CAV 2015). With
`simple_path` no marking of the step's run occurs twice, which makes the method complete for nets
that have finitely many markings where the lemmas hold.

The certificate is a plain inductive invariant: the lemmas, and for each word w of fewer than k
transitions "where w fires, it does not lead into the target". It is inductive. For let a step lead
from a marking m in it to m', where the lemmas hold. A shortest run from m' into the target of fewer
than k steps would give a run from m of at most k. The invariant excludes runs of fewer than k
steps, and the step those of k, since a shortest run has no marking twice. Words are left out as
`short_words` describes.

Limits: without `simple_path` there may be no k at all; the words may be too many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.cubes import listed_cubes
from petricheck.arithmetic.formulas.formulas import TRUE, Conjunction, Formula, equal, negate
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines.abstraction.restating import with_hints
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable, joined, measure
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.laboratory.short_words import exclusions, words_into_target
from petricheck.model.net import Marking
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import noting
from petricheck.support.plugins import option
from petricheck.support.words import counted
from petricheck.symbolic.encoding.blocks import BlockKind, StepRelation
from petricheck.symbolic.encoding.stamps import at_start, differ
from petricheck.symbolic.encoding.unrolling import Unrolling
from petricheck.symbolic.facts.basis import place_invariants
from petricheck.symbolic.facts.inductive import confirm_facts
from petricheck.symbolic.facts.proved import Facts
from petricheck.symbolic.facts.siphons import trap_fact

_TOO_LONG = "no k up to {} is inductive, and no run of {} blocks meets the target"
_MORE = "allow more with the option length, or simple_path=true"
_TOO_MANY = "k = {} is inductive, but the certificate would have more than {} words"
_WORDS = "allow more with the option words"


@dataclass(frozen=True)
class KInduction:
    """Prove by k-induction with place invariants, traps and half-spaces as lemmas."""

    unit = "step"
    patience = 1.0
    paper = "Sheeran, Singh, Stålmarck 2000"

    length: int = option(1_000, "largest k")
    lemmas: int = option(200, "most lemmas learnt where a step does not hold")
    simple_path: bool = option(False, "look at runs without repeated markings only")
    words: int = option(1_000, "most words of transitions in a certificate")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Try k = 0, 1, 2, …

        Raises:
            BudgetExhausted: time or memory ran out, or z3 gave up.
        """
        return self.solve_informed(problem, budget, ())

    def solve_informed(self, problem: Problem, budget: Budget, facts: Sequence[Formula]) -> Answer:
        """Decide as `solve` does, with the facts that are inductive among the lemmas."""
        net, statistics = problem.net, measure("k_induction")
        runs = Unrolling(StepRelation(net, BlockKind.MULTISET), at_start(net), budget)
        steps = Unrolling(StepRelation(net, BlockKind.SINGLE), TRUE, budget)
        with runs as base, steps as step, noting(lambda: f"with k = {step.length}"):
            lemmas = _Lemmas(problem, step, self.lemmas, budget)
            lemmas.begin(facts)
            while True:
                k = step.length
                budget.report(f"k = {k}, {counted(len(lemmas.formulas), 'lemma')}")
                if (model := base.ending(problem.target)) is not None:
                    return Reachable(joined(base.firings(model), net.actions), statistics(k))
                if lemmas.exclude_target():
                    if k == 0 and (certificate := lemmas.certificate()) is not None:
                        return Unreachable(certificate, statistics(k))
                    words = words_into_target(problem, lemmas.formulas, k, self.words, budget)
                    if words is None:
                        return Unknown(_TOO_MANY.format(k, self.words), _WORDS, statistics(k))
                    invariant = Conjunction((*lemmas.formulas, *exclusions(problem, words)))
                    return Unreachable(with_hints(problem, invariant, budget), statistics(k))
                if k >= self.length:
                    return Unknown(_TOO_LONG.format(k, k), _MORE, statistics(k))
                self._extend(problem, step)
                if base.possible:
                    base.extend()

    def _extend(self, problem: Problem, step: Unrolling) -> None:
        """Extend the step's runs from k to k + 1."""
        k = step.length
        step.add(negate(problem.target), k)
        for earlier in range(k if self.simple_path else 0):
            step.add_stamped(differ(problem.net, earlier, k))
        step.extend()


class _Lemmas:
    """Invariants that all markings of the step's runs satisfy.

    Args:
        problem: the question.
        step: runs from anywhere, of one transition in each block.
        limit: number of lemmas that may be learnt.
        budget: limits.

    Attributes:
        formulas: their conjunction is inductive.
    """

    def __init__(self, problem: Problem, step: Unrolling, limit: int, budget: Budget) -> None:
        self._problem, self._step, self._remaining, self._budget = problem, step, limit, budget
        self._facts = Facts(problem.net)
        self.formulas: list[Formula] = []

    def begin(self, facts: Sequence[Formula]) -> None:
        """Add those of the net, and the facts that are inductive."""
        net = self._problem.net
        candidates = (*self._facts.formulas(), *place_invariants(net))
        self._add((*candidates, *confirm_facts(net, facts, candidates, self._budget)))

    def exclude_target(self) -> bool:
        """Return whether no run of the step ends in the target, after learning lemmas."""
        while (model := self._step.ending(self._problem.target)) is not None:
            lemmas = self._refute(self._step.marking(model, 0)) if self._remaining > 0 else ()
            if not lemmas:
                return False
            self._remaining -= 1
            self._add(lemmas)
        return True

    def certificate(self) -> Certificate | None:
        """Return facts that contradict each cube of the target, checked without a solver.

        None where they do not.
        """
        cubes = listed_cubes(self._problem.target, self._budget)
        if cubes is None:
            return None
        refutations = (self._facts.refute(cube, self._budget, n) for n, cube in enumerate(cubes))
        return self._facts.certificate() if all(refutations) else None

    def _add(self, lemmas: Sequence[Formula]) -> None:
        for lemma in lemmas:
            if lemma not in self.formulas:
                self.formulas.append(lemma)
                self._step.always(lemma)

    def _refute(self, marking: Marking) -> tuple[Formula, ...]:
        """Return inductive formulas that the marking contradicts, if some are computed."""
        net, facts = self._problem.net, self._facts
        empty = [place for place, tokens in enumerate(marking) if not tokens]
        trap = facts.violated_trap(empty)
        if trap is not None:
            facts.add_trap(trap)
            return (trap_fact(net, trap),)
        pairs = zip(net.places, marking, strict=True)
        cube = tuple(equal(variable(place), tokens) for place, tokens in pairs)
        return facts.refute(cube, self._budget)
