"""Explanations in the names that people see, those of the model where the net was unfolded.

There formulas, and lists of places and transitions, become shorter. The claim does not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from petricheck.arithmetic.formulas.formulas import TRUE, Conjunction, Formula
from petricheck.arithmetic.formulas.layout import Comparison, Remainder
from petricheck.arithmetic.formulas.minimal import minimal
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.explanation import (
    Explained,
    FiringList,
    Id,
    Items,
    Line,
    Node,
    PlaceTable,
    Section,
    SentenceList,
    Stated,
    Steps,
    Word,
    Words,
)
from petricheck.formats.language.sums import model_names, summed, summed_names, summed_term
from petricheck.model.guarded.translation import Complementation
from petricheck.model.net import Net, cached_by_net
from petricheck.model.node_names import NodeNames
from petricheck.support.words import printable

COLOURS = 20
"""Colours that a text shows of a place in a marking."""


def in_model(net: Net, explained: Explained, *, ids: bool = False) -> Explained:
    """Return the explanation in the names that people see, or else in ids of the model."""
    names = NodeNames() if ids else net.shown
    if net.origin is None and not names:
        return explained
    return _Translation(net, names).explained(explained)


@dataclass(frozen=True, slots=True)
class _Translation:
    """A translation of explanations from the ids of a net to its model's, and to these names."""

    net: Net
    names: NodeNames

    def explained(self, explained: Explained) -> Explained:
        evidence, reasons = (
            self._nodes(nodes) for nodes in (explained.evidence, explained.reasons)
        )
        return Explained(self._words(explained.says), evidence, reasons)

    def _nodes(self, nodes: Iterable[Node]) -> tuple[Node, ...]:
        return tuple(map(self._node, nodes))

    def _node(self, node: Node) -> Node:
        match node:
            case Line(words):
                return replace(node, words=self._words(words))
            case Items(items):
                items_shown = tuple(tuple(map(self._words, item)) for item in items)
                return replace(node, items=items_shown)
            case Section(title, nodes):
                return Section(self._words(title), self._nodes(nodes))
            case Stated(certificate):
                return replace(node, model=self._certificate(certificate))
            case FiringList(steps):
                return replace(node, steps=self.names.steps(steps))
            case Steps():
                return replace(node, names=self.names)
            case PlaceTable(_, _, rows):
                named = tuple((self.names.place(place), numbers) for place, numbers in rows)
                return replace(node, rows=named)

    def _certificate(self, certificate: object) -> object:
        # Few proofs are of home spaces, or of runs that end.
        from petricheck.evidence.certificates.descent import LoweringWords
        from petricheck.evidence.certificates.onward import OnwardTraces
        from petricheck.evidence.certificates.ranking import RankingFunction
        from petricheck.evidence.certificates.renewal import RenewedTokens
        from petricheck.evidence.certificates.reversal import ReversingWords
        from petricheck.evidence.certificates.short_circuit import Restarted

        match certificate:
            case Certificate(invariant):
                # `minimal` turns sums of places that are 0 into places that are empty.
                formula, origin = minimal(summed(self.net, invariant)), self.net.origin
                if formula == TRUE != minimal(invariant) and isinstance(origin, Complementation):
                    formula = Conjunction(origin.formulas)
                return Certificate(self._formula(formula))
            case StateEquationCertificate(traps, siphon, unmarked):
                return StateEquationCertificate(
                    tuple(map(self._places, traps)),
                    self._places(siphon),
                    tuple(map(self._places, unmarked)),
                )
            case LoweringWords(rank, words, inner):
                return LoweringWords(
                    self._weights(rank),
                    tuple(map(self._trace, words)),
                    self._certificate(inner),
                )
            case ReversingWords(words, inner):
                undone = tuple(
                    (self.names.transition(name), tuple(map(self._trace, undoing)))
                    for name, undoing in words
                )
                return ReversingWords(undone, self._certificate(inner))
            case RankingFunction(weights):
                return replace(certificate, weights=self._weights(weights))
            case RenewedTokens(markings, proof):
                hidden = self.net.origin.hidden if self.net.origin is not None else ()
                known = tuple(tuple(n for n in m if n[0] not in hidden) for m in markings)
                return replace(certificate, markings=known, proof=self._certificate(proof))
            case OnwardTraces(_, proof):
                return replace(certificate, proof=self._certificate(proof))
            case Restarted(proof, excess):
                return Restarted(self._certificate(proof), self._certificate(excess))
            case _:
                return certificate

    def _words(self, words: Words) -> Words:
        return tuple(map(self._word, words))

    def _word(self, word: Word) -> Word:
        match word:
            case str() | int():
                return word
            case Id(name):
                return Id(self.names.node(name))
            case SentenceList(items):
                return replace(word, items=self._listed(items))
            case Term():
                return self._term(word)
            case Comparison(left, relation, right):
                return Comparison(self._term(left), relation, self._term(right))
            case Remainder(left):
                return replace(word, left=self._term(left))
            case _:
                return self._formula(word)

    def _listed(self, items: tuple[Words, ...]) -> tuple[Words, ...]:
        """Return the entries of a list; places and transitions become those of the model."""
        ids = [word.name for item in items for word in item if isinstance(word, Id)]
        if len(ids) == len(items) == sum(map(len, items)):
            return tuple((Id(self.names.node(id_)),) for id_ in summed_names(self.net, ids))
        return tuple(map(self._words, items))

    def _formula(self, formula: Formula) -> Formula:
        return self.names.formula(summed(self.net, formula))

    def _term(self, term: Term) -> Term:
        return self.names.term(summed_term(self.net, term))

    def _weights(self, weights: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
        return self._term(Term(weights, 0)).coefficients

    def _places(self, ids: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self.names.place, summed_names(self.net, ids)))

    def _trace(self, trace: Trace) -> Trace:
        return Trace(self.names.steps(trace.steps))


@cached_by_net
def model_places(net: Net) -> Mapping[str, Sequence[int]]:
    """Return the numbers of the places that each place of the model stands for."""
    return net.origin.places if net.origin else {p: (n,) for n, p in enumerate(net.places)}


def place_tokens(net: Net, place: str, marking: Sequence[int]) -> Words:
    """Return the tokens of a place of the model: a number, or `{ada, 2'ben}`."""
    by_colour = net.origin.tokens(place, marking) if net.origin else None
    if by_colour is None:
        return (sum(marking[n] for n in model_places(net)[place]),)
    return "{", SentenceList(tuple((printable(text),) for text in by_colour), COLOURS), "}"


def model_number(net: Net, transition: str) -> int:
    """Return the number of the model's transition to which one of the net belongs."""
    if net.origin is None:
        return net.transition_numbers[transition]
    (name,) = model_names(net, [net.actions[net.transition_numbers[transition]]])
    return list(net.origin.transitions).index(name)
