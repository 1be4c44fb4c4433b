"""Explanations of an unfolded net in the names of its model.

Formulas, and lists of places and transitions, become shorter. The claim itself does not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from petricheck.arithmetic.formulas.layout import Comparison, Remainder
from petricheck.arithmetic.formulas.minimal import minimal
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.explanation import (
    Explained,
    Id,
    Items,
    Line,
    Node,
    Section,
    SentenceList,
    Stated,
    Word,
    Words,
)
from petricheck.formats.language.sums import model_names, summed, summed_names, summed_term
from petricheck.model.net import Net, cached_by_net
from petricheck.support.words import printable

COLOURS = 20
"""Colours that a text shows of a place in a marking."""


def in_model(net: Net, explained: Explained) -> Explained:
    """Return the explanation in the names of the model."""
    if net.origin is None:
        return explained
    evidence, reasons = (_nodes(net, nodes) for nodes in (explained.evidence, explained.reasons))
    return Explained(_words(net, explained.says), evidence, reasons)


def _nodes(net: Net, nodes: Iterable[Node]) -> tuple[Node, ...]:
    return tuple(_node(net, node) for node in nodes)


def _node(net: Net, node: Node) -> Node:
    match node:
        case Line(words):
            return replace(node, words=_words(net, words))
        case Items(items):
            items_shown = tuple(tuple(_words(net, words) for words in item) for item in items)
            return replace(node, items=items_shown)
        case Section(title, nodes):
            return Section(_words(net, title), _nodes(net, nodes))
        case Stated(certificate):
            return replace(node, model=_certificate(net, certificate))
        case _:
            return node


def _certificate(net: Net, certificate: object) -> object:
    match certificate:
        case Certificate(invariant):
            # `minimal` turns sums of places that are 0 into places that are empty.
            return Certificate(summed(net, minimal(summed(net, invariant))))
        case StateEquationCertificate(traps, siphon, unmarked):
            return StateEquationCertificate(
                tuple(summed_names(net, places) for places in traps),
                summed_names(net, siphon),
                tuple(summed_names(net, places) for places in unmarked),
            )
        case _:
            return certificate


def _words(net: Net, words: Words) -> Words:
    return tuple(_word(net, word) for word in words)


def _word(net: Net, word: Word) -> Word:
    match word:
        case str() | int() | Id():
            return word
        case SentenceList(items):
            return replace(word, items=_listed(net, items))
        case Term():
            return summed_term(net, word)
        case Comparison(left, relation, right):
            return Comparison(summed_term(net, left), relation, summed_term(net, right))
        case Remainder(left):
            return replace(word, left=summed_term(net, left))
        case _:
            return summed(net, word)


def _listed(net: Net, items: tuple[Words, ...]) -> tuple[Words, ...]:
    """Return the entries of a list; places and transitions become those of the model."""
    names = [word.name for item in items for word in item if isinstance(word, Id)]
    if len(names) == len(items) == sum(map(len, items)):
        return tuple((Id(name),) for name in summed_names(net, names))
    return tuple(_words(net, item) for item in items)


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
