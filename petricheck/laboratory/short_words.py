"""What few firings cannot do, as a formula over one marking: no word of them ends in the target.

A word of transitions fires exactly from its *hurdle* on, the least marking from which it fires, and
adds its effect. "Where it fires, it does not lead into the target" is a formula about the marking
before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from petricheck.budget import Budget
from petricheck.linear import at_least as covers
from petricheck.linear import sparse
from petricheck.presburger.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    at_least,
    at_most,
    negate,
    substitute,
)
from petricheck.presburger.solver import Solver
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Problem, Transition, Weights


@dataclass(frozen=True, slots=True)
class Word:
    """Some transitions, one after the other.

    Attributes:
        hurdle: the least marking from which they fire.
        effect: what they add.
    """

    hurdle: Weights
    effect: Weights

    def after(self, first: Transition) -> Word:
        """The same after another transition has fired."""
        needed = dict(first.pre)
        gained = dict(first.effect)
        for place, tokens in self.hurdle:
            needed[place] = max(needed.get(place, 0), tokens - gained.get(place, 0))
        hurdle = tuple(sorted((place, tokens) for place, tokens in needed.items() if tokens > 0))
        return Word(hurdle, sparse((*self.effect, *first.effect)))


class ShortWords:
    """Words of fewer than some number of transitions that may lead into the target.

    Passed over are words that fire from fewer markings than another with the same effect, and
    those by which no marking that satisfies the lemmas gets into the target: nor does it by a
    longer word that ends in such a one, since firings keep the lemmas.

    Args:
        problem: the net and the target.
        lemmas: formulas whose conjunction is inductive.
        budget: limits on everything that is asked.
    """

    def __init__(self, problem: Problem, lemmas: Sequence[Formula], budget: Budget) -> None:
        self._problem, self._lemmas, self._budget = problem, lemmas, budget
        self._hurdles: dict[Weights, list[Weights]] = defaultdict(list)

    def all_below(self, length: int, most: int) -> tuple[Word, ...] | None:
        """Those of fewer than `length` transitions; None where there are more than `most`.

        Raises:
            BudgetExhausted: time or memory ran out, or z3 gave up.
        """
        found: list[Word] = []
        with Solver(self._budget, self._problem.net.places) as solver:
            solver.add(Conjunction(tuple(self._lemmas)))
            fresh = [Word((), ())]
            for _ in range(length):
                kept = []
                for word in fresh:
                    if self._is_new(word) and self._leads_there(word, solver):
                        self._hurdles[word.effect].append(word.hurdle)
                        kept.append(word)
                    if len(found) + len(kept) > most:
                        return None
                found += kept
                transitions = self._problem.net.transitions
                fresh = [word.after(first) for word in kept for first in transitions]
        return tuple(found)

    def _is_new(self, word: Word) -> bool:
        return not any(covers(word.hurdle, other) for other in self._hurdles[word.effect])

    def _leads_there(self, word: Word, solver: Solver) -> bool:
        """Whether it fires from a marking that satisfies the lemmas into the target."""
        net, target = self._problem.net, self._problem.target
        solver.push()
        solver.add(Conjunction((*_fires(net, word), after(net, word, target))))
        found = solver.check() is not None
        solver.pop()
        return found


def avoiding(problem: Problem, words: Iterable[Word]) -> Iterator[Formula]:
    """For each word that it does not lead into the target, where it fires."""
    net, missed = problem.net, negate(problem.target)
    for word in words:
        blocked = (at_most(variable(net.places[p]), tokens - 1) for p, tokens in word.hurdle)
        yield Disjunction((*blocked, after(net, word, missed)))


def after(net: Net, word: Word, formula: Formula) -> Formula:
    """What has to hold before the word, so that the formula holds after it."""
    moved = {net.places[p]: variable(net.places[p]) + change for p, change in word.effect}
    return substitute(formula, moved)


def _fires(net: Net, word: Word) -> Iterator[Formula]:
    return (at_least(variable(net.places[p]), tokens) for p, tokens in word.hurdle)
