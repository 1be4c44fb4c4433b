"""A formula over one marking: no short word of transitions leads from it into the target.

A word of transitions fires exactly in the markings that cover its *hurdle*, and adds its effect. So
"where the word fires, it does not lead into the target" is a formula about the marking before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    at_least,
    negate,
    substitute,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.solver import Solver
from petricheck.model.net import Net, Transition, Weights
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.symbolic.linear import at_least as covers
from petricheck.symbolic.linear import sparse


@dataclass(frozen=True, slots=True)
class ShortWord:
    """Transitions that fire one after the other.

    Attributes:
        hurdle: the least marking from which they fire.
        effect: the sum of their effects.
    """

    hurdle: Weights
    effect: Weights

    def after(self, first: Transition) -> ShortWord:
        """Return the word with another transition before it."""
        requirement, gain = dict(first.pre), dict(first.effect)
        for place, tokens in self.hurdle:
            requirement[place] = max(requirement.get(place, 0), tokens - gain.get(place, 0))
        hurdle = tuple(sorted((place, n) for place, n in requirement.items() if n > 0))
        return ShortWord(hurdle, sparse((*self.effect, *first.effect)))

    def enabled(self, net: Net) -> Formula:
        """Return the formula of the markings in which it fires."""
        return Conjunction(tuple(at_least(variable(net.places[p]), n) for p, n in self.hurdle))

    def before(self, net: Net, formula: Formula) -> Formula:
        """Return the formula that holds before the word iff `formula` holds after it."""
        terms = {net.places[p]: variable(net.places[p]) + change for p, change in self.effect}
        return substitute(formula, terms)


def words_into_target(
    problem: Problem, lemmas: Sequence[Formula], length: int, limit: int, budget: Budget
) -> tuple[ShortWord, ...] | None:
    """Return words of fewer than `length` transitions that may lead into the target, or None.

    A word is left out if another one with the same effect fires wherever it fires, or if it leads
    from no marking that satisfies the lemmas into the target. A longer word that ends in the latter
    does not lead there either, since firings preserve the lemmas.

    Args:
        problem: the net and the target.
        lemmas: formulas whose conjunction is inductive.
        length: see above.
        limit: the result is None where there are more words.
        budget: limits.

    Raises:
        BudgetExhausted: time or memory ran out, or z3 gave up.
    """
    net, hurdles = problem.net, defaultdict[Weights, list[Weights]](list)
    words: list[ShortWord] = []
    frontier = [ShortWord((), ())]
    with Solver(budget, net.places) as solver:
        solver.add(Conjunction(tuple(lemmas)))
        for _ in range(length):
            longest_words = []
            for word in frontier:
                minimal = hurdles[word.effect]
                if not any(covers(word.hurdle, h) for h in minimal) and _leads_into_target(
                    problem, word, solver
                ):
                    minimal.append(word.hurdle)
                    longest_words.append(word)
                if len(words) + len(longest_words) > limit:
                    return None
            words += longest_words
            frontier = [word.after(first) for word in longest_words for first in net.transitions]
    return tuple(words)


def _leads_into_target(problem: Problem, word: ShortWord, solver: Solver) -> bool:
    """Return whether it fires from some marking of the solver into the target."""
    solver.push()
    solver.add(Conjunction((word.enabled(problem.net), word.before(problem.net, problem.target))))
    satisfiable = solver.check() is not None
    solver.pop()
    return satisfiable


def exclusions(problem: Problem, words: Iterable[ShortWord]) -> Iterator[Formula]:
    """Yield, for each word, that it does not lead into the target where it fires."""
    complement = negate(problem.target)
    for word in words:
        blocked = negate(word.enabled(problem.net))
        yield Disjunction((blocked, word.before(problem.net, complement)))
