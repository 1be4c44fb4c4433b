"""Home spaces by a rank that words lower, until a marking in the home space is reached.

Words are single transitions first. The search chooses a rank that most of them lower,
and looks for a marking outside of the home space where all of these are disabled (`covering`). For
such a marking it searches a longer word that lowers the rank, or chooses another rank that some
enabled word lowers. Transitions that can fire initially begin a new process; they are the last that
have to lower the rank.

Ranks that many words lower, by linear programs.

The weights w ≥ 0 of a rank are such that w·δ ≤ −1 for the effects δ of many words. Each effect may
exceed −1 at a cost, as in the soft margins of separating planes. Among the words of each *choice*,
one has to lower the rank; an integer variable chooses it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Equality,
    Formula,
    Inequality,
    at_most,
    conjuncts,
)
from petricheck.arithmetic.programs.linear_programs import LinearProgram, integer_ray
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit.homes.descent import stuck
from petricheck.evidence.audit.sequences import FiringWord, word_of
from petricheck.evidence.certificates.descent import LoweringWords
from petricheck.evidence.claims import Home
from petricheck.model.net import Marking, Net, Transition
from petricheck.questions.homes import home_marking
from petricheck.questions.homes.covering import cover, leading
from petricheck.questions.homes.onward import lead_on
from petricheck.support.budget import Budget
from petricheck.symbolic.linear import term_of, value_at

_LARGEST = 1000.0
"""The largest weight, before rounding to integers."""

_SMALL = 1e-4
"""The cost of a unit of weight."""

_FREE = 4 * _LARGEST
"""The slack that words have which are not chosen."""


Rank: TypeAlias = Mapping[int, int]
"""The positive weights of a sum of tokens, by place number."""


def _lowers(effect: Mapping[int, int], rank: Rank) -> bool:
    return sum(rank.get(place, 0) * change for place, change in effect.items()) < 0


def _lowered_rank(
    places: int,
    words: Sequence[tuple[FiringWord, float]],
    choices: Sequence[Sequence[int]],
    seconds: float,
) -> Rank | None:
    """Return a rank that words lower, of each choice (of their numbers) at least one, if any.

    Each word comes with its cost if it does not lower the rank.
    """
    program = LinearProgram()
    weights = [program.column(cost=_SMALL, upper=_LARGEST) for _ in range(places)]
    slacks = [program.column(cost) for _, cost in words]
    for (word, _), slack in zip(words, slacks, strict=True):
        entries = {weights[place]: change for place, change in word.effect.items()}
        program.row({**entries, slack: -1}, upper=-1.0)
    for choice in choices:
        chosen = [program.column(upper=1.0, integral=True) for _ in choice]
        for number, column in zip(choice, chosen, strict=True):
            program.row({slacks[number]: 1.0, column: _FREE}, upper=_FREE)
        program.row(dict.fromkeys(chosen, 1.0), lower=1.0)
    values = program.solve(seconds)
    integers = None if values is None else integer_ray(values[:places])
    if integers is None:
        return None
    rank = {place: weight for place, weight in enumerate(integers) if weight > 0}
    chosen_well = all(any(_lowers(words[n][0].effect, rank) for n in choice) for choice in choices)
    return rank if chosen_well else None


_PART, _SHORT = 8, 2.0
"""Seconds for the search for a word, at most; they are a part of those that remain."""

_SECONDS = 20.0
"""Limit for the program of a rank."""

_BEGINS, _RETURNS, _LEADS, _LONG = 0.01, 0.1, 1.0, 0.001
"""Costs of words that do not lower the rank: see `_costs`; the last one is of longer words."""


def home_claims(net: Net, formulas: Sequence[Formula], budget: Budget) -> Iterator[Home]:
    """Yield proofs for the formulas, one by one or from the initial marking as a home marking.

    The latter is tried first where there are several formulas, since it shows many of them at once.
    """
    start, alone = home_marking(net, net.initial), len(formulas) == 1
    if alone and (proof := _descent(net, formulas[0], budget, 2)):
        yield Home(tuple(formulas), proof)
    elif proof := _descent(net, start, budget, 2):
        yield from lead_on(net, formulas, proof, budget)
    elif not alone:
        for number, formula in enumerate(formulas):
            if proof := _descent(net, formula, budget, len(formulas) - number):
                yield Home((formula,), proof)


def _descent(net: Net, formula: Formula, budget: Budget, part: int) -> LoweringWords | None:
    with budget.tolerate_overruns():
        return descend(net, formula, budget.part(part))
    return None


def descend(net: Net, formula: Formula, budget: Budget) -> LoweringWords | None:
    """Return a proof that this is a home space, or None."""
    budget.check()  # There may be thousands of formulas, none of which takes long.
    search = _RankSearch(net, formula, budget)
    if search.rank is None:
        return None
    certificate = cover(net, search.stuck, search.extend, budget)
    if certificate is None:
        return None
    rank = tuple(sorted((net.places[place], weight) for place, weight in search.rank.items()))
    return LoweringWords(rank, tuple(trace for trace, _ in search.lowering()), certificate)


class _RankSearch:
    """Words, and a rank that some of them lower, or None."""

    def __init__(self, net: Net, formula: Formula, budget: Budget) -> None:
        self._net, self._formula, self._budget = net, formula, budget
        self._words: list[tuple[Trace, FiringWord]] = []
        self._costs: list[float] = []
        self._choices: list[tuple[int, ...]] = []
        for transition, cost in zip(net.transitions, _costs(net, formula), strict=True):
            if transition.effect:
                self._add(Trace(((transition.name, 1),)), cost)
        self.rank = self._choice()

    def lowering(self) -> Iterator[tuple[Trace, FiringWord]]:
        """Yield the words that lower the rank."""
        assert self.rank is not None
        return (pair for pair in self._words if _lowers(pair[1].effect, self.rank))

    def stuck(self) -> Formula:
        """Return the formula of markings outside of the home space where no such word can fire."""
        return stuck(self._net, (self._formula,), [word for _, word in self.lowering()])

    def extend(self, marking: Marking) -> bool:
        """Find a word that can fire here and lowers the rank, or a rank that such a word lowers."""
        assert self.rank is not None
        trace = self._leading(marking, _lower(self._net, marking, self.rank))
        if trace is not None:
            self._add(trace, _LONG)
            return True
        # Another rank may be lowered by all that leads into the home space.
        trace = self._leading(marking, self._formula)
        if trace is not None and all(trace != other for other, _ in self._words):
            self._add(trace, _LONG)
        able = tuple(number for number, (_, word) in enumerate(self._words) if word.fires(marking))
        self._choices.append(able)
        rank = self._choice()
        if rank is None:
            self._choices.pop()
            return False
        self.rank = rank
        return True

    def _leading(self, marking: Marking, formula: Formula) -> Trace | None:
        trace = leading(self._net, marking, formula, self._budget.part(_PART, _SHORT))
        self._budget.check()
        return trace

    def _add(self, trace: Trace, cost: float) -> None:
        self._words.append((trace, word_of(self._net, trace, self._budget)))
        self._costs.append(cost)

    def _choice(self) -> Rank | None:
        words = [(word, cost) for (_, word), cost in zip(self._words, self._costs, strict=True)]
        seconds = min(_SECONDS, self._budget.remaining)
        return _lowered_rank(len(self._net.places), words, self._choices, seconds)


def _costs(net: Net, formula: Formula) -> Iterator[float]:
    """Yield for each transition the cost of not lowering the rank.

    It is least for one that can fire in the home space and begins a process; little for one that
    leads away from the places that are marked there, by the number of transitions in between.
    """
    goal = _least(net, formula)
    if not any(goal):
        goal = net.initial
    distances = _distances(net, {place for place, tokens in enumerate(goal) if tokens})
    far = len(net.places)
    for transition in net.transitions:
        before, after = (
            max((distances.get(place, far) for place, _ in arcs), default=0)
            for arcs in (transition.pre, transition.post)
        )
        if transition.enabled(goal):
            yield _BEGINS
        else:
            yield _RETURNS if after > before else _LEADS


def _least(net: Net, formula: Formula) -> Marking:
    """Return the tokens that the formula requires on single places."""
    tokens = [0] * len(net.places)
    for atom in conjuncts(formula):
        if isinstance(atom, Equality | Inequality) and len(atom.term.coefficients) == 1:
            (name, weight), constant = atom.term.coefficients[0], atom.term.constant
            if weight < 0 or isinstance(atom, Equality):
                tokens[net.place_numbers[name]] = max(0, -(constant // weight))
    return tuple(tokens)


def _distances(net: Net, goal: Set[int]) -> dict[int, int]:
    """Return by place how many transitions lead from there to the goal, one after the other."""
    givers = defaultdict[int, list[Transition]](list)
    for transition in net.transitions:
        for place, _ in transition.post:
            givers[place].append(transition)
    distances, waiting = dict.fromkeys(goal, 0), deque(sorted(goal))
    while waiting:
        place = waiting.popleft()
        for transition in givers[place]:
            for source, _ in transition.pre:
                if source not in distances:
                    distances[source] = distances[place] + 1
                    waiting.append(source)
    return distances


def _lower(net: Net, start: Marking, rank: Rank) -> Formula:
    """Return the formula of markings of a lower rank than this one's."""
    weights = tuple(sorted(rank.items()))
    return at_most(term_of(net, weights), value_at(weights, start) - 1)
