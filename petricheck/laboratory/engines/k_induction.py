"""k-induction: no run of k steps from anywhere, outside of the target before, ends in it.

Sheeran, Singh, Stålmarck: Checking safety properties using induction and a SAT-solver (FMCAD 2000).
For k = 0, 1, 2, … the *base* asks for a run of k blocks from the initial marking into the target
(bounded model checking), the *step* for markings m_0 → … → m_k, one transition each, with only m_k
in the target, where all lemmas hold. Where neither has a model, no target is reachable.

Lemmas are the greatest empty siphon, the place invariants, and what other engines have learnt, as
far as it is inductive. A model of the step then asks for more: a marked trap that is empty in m_0,
or an inductive congruence or half-space that m_0 is outside of; so lemmas are learnt where they
matter (Beyer, Dangl, Wendler: Boosting k-induction with continuously-refined invariants, CAV 2015).
With `simple_path` no marking of the step's run occurs twice, which makes the method complete for
nets that have finitely many markings where the lemmas hold.

The certificate is a plain inductive invariant: the lemmas, and for each word w of fewer than k
transitions "where w fires, it does not lead into the target". It is inductive: from a marking m in
it a step leads to m' where the lemmas hold, and a shortest run from m' into the target of fewer
than k steps would be one of at most k from m; fewer are excluded, and k by the step, since a
shortest run meets no marking twice. Words that fire from fewer markings than another with the same
effect say nothing new, nor do those by which no marking that satisfies the lemmas gets into the
target, and no word that ends in such a one does.

Limits: without `simple_path` there may be no k at all; the words may be too many.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar

from petricheck.answer import Answer, Reachable, Unknown, Unreachable, joined, measure
from petricheck.budget import Budget
from petricheck.encoding.blocks import Block, StepRelation
from petricheck.encoding.lemmas import confirmed, place_invariants
from petricheck.encoding.stamps import at_start, differ
from petricheck.encoding.unrolling import Unrolling
from petricheck.errors import noting
from petricheck.evidence.invariant import Certificate
from petricheck.laboratory.short_words import ShortWords, avoiding
from petricheck.plugins import option
from petricheck.presburger.cubes import listed_cubes
from petricheck.presburger.formulas import TRUE, Conjunction, Cube, Formula, equal, negate
from petricheck.presburger.terms import variable
from petricheck.problem import Marking, Problem
from petricheck.state_equation.congruences import KeptResidue, separating_congruence
from petricheck.state_equation.half_spaces import KeptHalfSpace, separating_half_space
from petricheck.state_equation.invariants import Facts
from petricheck.state_equation.siphons import marked, violated_trap

_TOO_LONG = "no k up to {} is inductive, and no run of {} blocks meets the target"
_MORE = "allow more with the option length, or simple_path=true"
_TOO_MANY = "k = {} is inductive, but the certificate would have more than {} words"
_WORDS = "allow more with the option words"

_LONGEST = 5.0
"""Seconds for the linear program of a lemma."""


@dataclass(frozen=True)
class KInduction:
    """Prove by k-induction with place invariants, traps and half-spaces as lemmas.

    Attributes:
        length: see the option's help.
        lemmas: see the option's help.
        simple_path: see the option's help.
        words: see the option's help.
    """

    unit: ClassVar[str] = "step"
    paper: ClassVar[str] = "Sheeran, Singh, Stålmarck 2000"

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
        """The same, with the facts that are inductive among the lemmas."""
        statistics = measure("k_induction")
        net = problem.net
        runs = Unrolling(StepRelation(net, Block.MULTISET), at_start(net), budget)
        steps = Unrolling(StepRelation(net, Block.SINGLE), TRUE, budget)
        with runs as base, steps as step:
            search = _Search(self, problem, budget, base, step)
            answer = search.run(facts)
            return replace(answer, statistics=statistics(step.length))


class _Search:
    """One run of the engine.

    Args:
        options: of the engine.
        problem: the question.
        budget: its limits.
        base: runs from the initial marking.
        step: runs from anywhere, of one transition in each block.
    """

    def __init__(
        self,
        options: KInduction,
        problem: Problem,
        budget: Budget,
        base: Unrolling,
        step: Unrolling,
    ) -> None:
        self._options, self._problem, self._budget = options, problem, budget
        self._base, self._step = base, step
        self._facts = Facts(problem.net)
        self._lemmas: list[Formula] = []
        self._learnt = 0

    def run(self, facts: Sequence[Formula]) -> Answer:
        """The answer, without statistics."""
        with noting(lambda: f"with k = {self._step.length}"):
            self._begin(facts)
            while True:
                k = self._step.length
                self._budget.report(f"k = {k}, {len(self._lemmas)} lemmas")
                model = self._base.ending(self._problem.target)
                if model is not None:
                    fired = self._base.firings(model)
                    return Reachable(joined(fired, self._problem.net.actions))
                if self._is_inductive():
                    return self._proved()
                if k >= self._options.length:
                    return Unknown(_TOO_LONG.format(k, k), _MORE)
                self._longer()

    def _begin(self, facts: Sequence[Formula]) -> None:
        """The lemmas that are there from the start."""
        net = self._problem.net
        known = (*self._facts.formulas(), *place_invariants(net))
        for lemma in (*known, *confirmed(net, facts, known, self._budget)):
            self._add(lemma)

    def _add(self, lemma: Formula) -> None:
        if lemma not in self._lemmas:
            self._lemmas.append(lemma)
            self._step.always(lemma)

    def _longer(self) -> None:
        """From k to k + 1."""
        k, net = self._step.length, self._problem.net
        self._step.add(negate(self._problem.target), k)
        if self._options.simple_path:
            for earlier in range(k):
                self._step.add_stamped(differ(net, earlier, k))
        self._step.extend()
        if self._base.possible:
            self._base.extend()

    def _is_inductive(self) -> bool:
        """Whether no run of k steps ends in the target, with more lemmas where they help."""
        while (model := self._step.ending(self._problem.target)) is not None:
            refuting = self._refuting(self._step.marking(model, 0))
            if not refuting or self._learnt >= self._options.lemmas:
                return False
            self._learnt += 1
            for lemma in refuting:
                self._add(lemma)
        return True

    def _refuting(self, marking: Marking) -> tuple[Formula, ...]:
        """Inductive facts that the marking contradicts; empty where none is found."""
        net, facts = self._problem.net, self._facts
        empty = [place for place, tokens in enumerate(marking) if not tokens]
        trap = violated_trap(facts.unblocked, net.initial, empty)
        if trap is not None:
            facts.add_trap(trap)
            return (marked(net, trap),)
        pairs = zip(net.places, marking, strict=True)
        fact = self._separating(tuple(equal(variable(place), tokens) for place, tokens in pairs))
        return () if fact is None else facts.add(None, fact)

    def _separating(self, cube: Cube) -> KeptResidue | KeptHalfSpace | None:
        """An inductive fact that, with the traps known, contradicts the cube."""
        net, facts = self._problem.net, self._facts
        residue = separating_congruence(net, (t.effect for t in facts.unblocked), cube)
        if residue is not None:
            return residue
        seconds = min(_LONGEST, self._budget.remaining)
        with suppress(OverflowError):  # No float is as large as that number.
            return separating_half_space(net, facts.unblocked, cube, facts.traps, seconds)
        return None

    def _proved(self) -> Unreachable | Unknown:
        """The invariant; unknown where it is too large to be written down."""
        k, most = self._step.length, self._options.words
        if k == 0 and (certificate := self._by_facts()) is not None:
            return Unreachable(certificate)
        words = ShortWords(self._problem, self._lemmas, self._budget).all_below(k, most)
        if words is None:
            return Unknown(_TOO_MANY.format(k, most), _WORDS)
        invariant = (*self._lemmas, *avoiding(self._problem, words))
        return Unreachable(Certificate(Conjunction(invariant)))

    def _by_facts(self) -> Certificate | None:
        """An invariant of facts that contradict one cube of the target each.

        What contradicts one alone is checked without a solver.
        """
        cubes = listed_cubes(self._problem.target, self._budget)
        if cubes is None:
            return None
        for number, cube in enumerate(cubes):
            fact = self._separating(cube)
            if fact is None:
                return None
            self._facts.add(number, fact)
        return self._facts.certificate()
