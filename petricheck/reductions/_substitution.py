"""Evidence of a smaller net in which tokens of other places stand for those of places that went.

Let φ replace each token of such a place by the tokens that it has become. Where φ maps what fires
in the larger net to what fires in the smaller one, I(φ(m)) is inductive where I is. In an atom,
c(p) := c·φ(p), so that the products with pre_t and post_t, which are all that the pair rule
compares, are what they were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from petricheck.answer import Answer, Reachable, Trace, Unreachable
from petricheck.evidence.finite_set import MarkingTable
from petricheck.evidence.invariant import Certificate, Hints
from petricheck.presburger.formulas import map_terms
from petricheck.presburger.terms import Term, linear
from petricheck.problem import Net, Weights


@dataclass(frozen=True)
class Substitution:
    """φ, and the transitions that it leaves without effect.

    Attributes:
        net: the larger net.
        merges: places that went, each with what a token of it becomes; the first is replaced first.
        gone: transitions of the larger net that the smaller one does not have; no atom of I(φ(m))
            is changed by them.
    """

    net: Net
    merges: tuple[tuple[int, Weights], ...]
    gone: frozenset[int]

    def lift(self, answer: Answer, replayed: Callable[[Trace], Trace | None]) -> Answer | None:
        """The answer about the larger net; None where its evidence cannot be lifted.

        Args:
            answer: about the smaller net.
            replayed: a trace as it fires in the larger net, or None.
        """
        match answer:
            case Reachable(trace):
                lifted = replayed(trace)
                return None if lifted is None else replace(answer, trace=lifted)
            case Unreachable(Certificate() as certificate):
                return replace(answer, certificate=self.certificate(certificate))
            case Unreachable(MarkingTable() as table):
                return replace(answer, certificate=self.table(table))
            case Unreachable():
                return None
            case _:
                return answer

    def certificate(self, certificate: Certificate) -> Certificate:
        """I(φ(m)), with hints where there are any."""
        invariant = map_terms(certificate.invariant, self._term)
        hints = certificate.hints
        origins = tuple(
            replace(origin, direction=self._direction(origin.direction))
            for origin in certificate.origins
        )
        if not isinstance(hints, Hints):
            return Certificate(invariant, hints, origins)
        numbers = [n for n in range(len(self.net.transitions)) if n not in self.gone]
        table = []
        for disjunct, row in enumerate(hints.successors):
            wide = [disjunct] * len(self.net.transitions)
            for number, successor in zip(numbers, row, strict=False):
                wide[number] = successor
            table.append(tuple(wide))
        separators = tuple(
            replace(separator, direction=self._direction(separator.direction))
            for separator in hints.separators
        )
        return Certificate(invariant, Hints(tuple(table), separators), origins)

    def table(self, table: MarkingTable) -> MarkingTable:
        """All m with φ(m) in the table: a token that φ replaces counts as what it becomes."""
        counted = []
        for column, sums in table.sums.items():
            wide = dict(self._direction(tuple(sums.items())))
            further = tuple((place, weight) for place, weight in wide.items() if place != column)
            if further:
                counted.append((column, further))
        return replace(table, counted=tuple(counted))

    def _direction(self, direction: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
        return self._term(Term(tuple(direction), 0)).coefficients

    def _term(self, term: Term) -> Term:
        """The term after φ, the last merge first."""
        places, numbers = self.net.places, self.net.place_numbers
        weights = {numbers[name]: value for name, value in term.coefficients}
        for place, vector in reversed(self.merges):
            product = sum(weights.get(p, 0) * value for p, value in vector)
            if product:
                weights[place] = product
        return linear(((places[p], value) for p, value in weights.items()), term.constant)
