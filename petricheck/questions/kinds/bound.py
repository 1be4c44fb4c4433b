"""The maximum of a linear expression over the reachable markings, or its minimum.

An expression is g·s + k for a sum s with coprime weights, and claims are about s: a marking reaches
the maximum of s, and none exceeds it. The minimum is the maximum of the opposite, turned around.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.claims import Claim, Pumped
from petricheck.model.net import Net
from petricheck.questions.kind import UNBOUNDED, Answers, Conclusion, Kind, Value
from petricheck.questions.maxima import Sum, SumRange, ranges
from petricheck.questions.study import IMPOSSIBLE, Study
from petricheck.support.errors import QueryError
from petricheck.support.words import listed, number_text

_LEAST, _GREATEST = "min:", "max:"


class Bound(Kind):
    """The greatest value of a linear expression: 'p1 + 2*p2'; after 'min:' the least one."""

    rank = 60
    meaning = "What is the maximum of an expression, or its minimum?"
    example = "'p1 + 2*p2' or 'min: p1'"
    calculates = True
    starts = "linear"

    def answers(self, text: str) -> Answers:
        """Return the answers: a number, or that there is no bound."""
        return _answers(_is_least(text))

    def read(self, net: Net, text: str) -> Expression:
        """Return the expression."""
        from petricheck.formats.language.grammar import (
            read_term,  # lark takes its time to be imported.
        )

        stripped = text.lstrip()
        least = _is_least(text)
        words = stripped[len(_LEAST) :] if least or stripped.startswith(_GREATEST) else stripped
        if not words.strip():
            message = "the expression is empty; name a place, or a sum of places such as 'p + 2*q'"
            raise QueryError(message, text=text, position=0)
        asked = expression(read_term(net, words), -1 if least else 1)
        if any(name in net.parameters for name, _ in asked.sum):
            raise QueryError("bounds are asked of places, not of their initial tokens")
        return asked

    def search(self, study: Study, contents: Sequence[Expression]) -> None:
        """Search for the bounds of several expressions in searches that they share."""
        deque(self.search_stepwise(study, contents), 0)

    def search_stepwise(
        self, study: Study, contents: Sequence[Expression]
    ) -> Iterator[tuple[int, None]]:
        """Yield the numbers of expressions as their bounds are proved."""
        # Not at the top: numpy takes its time to be imported.
        from petricheck.questions.maxima.search import maximise

        numbers: defaultdict[Sum, list[int]] = defaultdict(list)
        for number, expression in enumerate(contents):
            numbers[expression.sum].append(number)
        if () in numbers and study.net.origin is not None:
            study.prove(IMPOSSIBLE)
        yield from ((number, None) for number in numbers.pop((), ()))
        for weights in maximise(study, tuple(numbers)):
            yield from ((number, None) for number in numbers[weights])

    def conclude(self, net: Net, content: Expression, claims: Sequence[Claim]) -> Conclusion:
        """Return the bound, or the interval that it is in, or that there is none."""
        interval = ranges(claims)[content.sum] if content.sum else SumRange(0, 0)
        if net.origin is not None and not claims:
            interval = SumRange()  # The audit has not checked the unfolding.
        reached = None if interval.reached is None else content.value(interval.reached)
        limit = None if interval.limit is None else content.value(interval.limit)
        kind = "maximum" if content.sign > 0 else "minimum"
        if interval.unbounded:
            reached = limit = None
        exact = reached if interval.decided else None
        facts = {kind: exact, "unbounded": interval.unbounded, "reached": reached, "limit": limit}
        value: Value | None = UNBOUNDED if interval.unbounded else exact
        partial = _interval(kind, reached, limit) if value is None else ""
        details: tuple[str, ...] = ()
        if interval.unbounded and any(_grows(net, content.sum, claim) for claim in claims):
            added = listed(sorted(net.added), 5, shown_name)
            details = (f"It grows with the initial marking, to which {added} may add tokens.",)
        return Conclusion(_answers(content.sign < 0), value, details, facts, partial)


@dataclass(frozen=True, slots=True)
class Expression:
    """The expression sign·(factor·s + constant); factor·s + constant is maximised.

    The sum s is empty where the expression is a number. The sign is -1 where the minimum is asked
    for.
    """

    sum: Sum
    sign: int
    factor: int
    constant: int

    def value(self, reached: int) -> int:
        """Return the expression's value where s has this one."""
        return self.sign * (self.factor * reached + self.constant)


def expression(term: Term, sign: int = 1) -> Expression:
    """Return the expression for the maximum of a term, or with sign -1 for its minimum."""
    directed = term * sign
    factor = directed.content or 1
    weights = tuple((name, weight // factor) for name, weight in directed.coefficients)
    return Expression(weights, sign, factor, directed.constant)


def _grows(net: Net, weights: Sum, claim: Claim) -> bool:
    """Return whether the claim pumps the sum by more tokens in the initial marking."""
    match claim:
        case Pumped(sums, stages) if weights in [term.coefficients for term in sums]:
            return any(name in net.added for stage in stages for name, _ in stage.loop.steps)
    return False


def _answers(least: bool) -> Answers:
    infinity, kind = ("-inf", "minimum") if least else ("+inf", "maximum")
    return Answers({UNBOUNDED: ("unbounded", "infinite", "not bounded", infinity)}, kind)


def _is_least(text: str) -> bool:
    return text.lstrip().startswith(_LEAST)


def _interval(kind: str, reached: int | None, limit: int | None) -> str:
    more, less = ("at least", "at most") if kind == "maximum" else ("at most", "at least")
    if reached is not None and limit is not None:
        low, high = sorted((reached, limit))
        return f"{kind} between {number_text(low)} and {number_text(high)}"
    if reached is not None:
        return f"{kind} {more} {number_text(reached)}"
    return "" if limit is None else f"{kind} {less} {number_text(limit)}"
