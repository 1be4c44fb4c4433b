"""The grammar of formulas in the contest's XML, from the leaves up: an element from its parts.

Nothing is recursive, so that depth costs no stack here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple, TypeAlias

from petricheck.arithmetic.formulas.formulas import FALSE, TRUE
from petricheck.arithmetic.formulas.terms import Term, constant, linear
from petricheck.formats.language.elements import number
from petricheck.formats.language.model import Place
from petricheck.formats.language.state_formulas import (
    Sign,
    State,
    compared,
    every,
    opposite,
    product,
    some,
)
from petricheck.formats.properties.meaning import Invariant, Maximum, Possible
from petricheck.formats.properties.vocabulary import (
    PATHS,
    Finally,
    Globally,
    Transition,
    Vocabulary,
    negated,
)
from petricheck.support.errors import QueryError
from petricheck.support.words import counted, quoted

Value: TypeAlias = (
    Place | Transition | Term | State | Finally | Globally | Possible | Invariant | Maximum
)
"""What an element means, from a place to the whole formula."""

_DESCRIPTIONS: Mapping[type, str] = {
    Place: "<place>",
    Transition: "<transition>",
    Term: "a number",
    State: "a formula about one marking",
    Finally: "<finally>",
    Globally: "<globally>",
    Possible: "a formula that begins with a path quantifier",
    Invariant: "a formula that begins with a path quantifier",
    Maximum: "<place-bound>",
}
"""What to call a value of each type in a message."""

_INTEGER = re.compile(r"([+-]?)([0-9]+)")


class _Rule(NamedTuple):
    """The content of an element, and its meaning.

    Attributes:
        kinds: types of its parts, the usual one first; empty where it holds none.
        size: how many they are; None for one or more.
        meaning: made of the vocabulary and the parts.
    """

    kinds: tuple[type, ...]
    size: int | None
    meaning: Callable[..., Value]


def check_tag(tag: str) -> None:
    """Refuse elements that formulas do not have.

    Raises:
        QueryError: the element is no part of a question after reachability.
    """
    if tag == "formula" or (tag not in _LEAVES and tag not in _RULES):
        name = quoted(tag)[1:-1]
        raise QueryError(f"<{name}> is not supported; only questions after reachability are")


def value_of(vocabulary: Vocabulary, tag: str, text: str, parts: Sequence[Value]) -> Value:
    """Return the meaning of an element; that of a <formula> is a question.

    Args:
        vocabulary: the meaning of names.
        tag: of the element, which is in the grammar.
        text: its own, without surrounding space.
        parts: the values of its children.

    Raises:
        QueryError: it makes no sense for the net, or cannot be read as a linear formula.
    """
    if tag in _LEAVES:
        if parts:
            raise QueryError(f"<{tag}> must hold text alone")
        return _LEAVES[tag](vocabulary, text)
    if text:
        raise QueryError(f"<{tag}> holds stray text: {quoted(text)}")
    rule = _RULES[tag]
    _check_parts(tag, rule, parts)
    return rule.meaning(vocabulary, *parts)


def _check_parts(tag: str, rule: _Rule, parts: Sequence[Value]) -> None:
    if not rule.kinds:
        if parts:
            raise QueryError(f"<{tag}> must be empty")
        return
    expected = _DESCRIPTIONS[rule.kinds[0]]
    if not parts:
        raise QueryError(f"<{tag}> is empty; {expected} is expected in it")
    for part in parts:
        if not isinstance(part, rule.kinds):
            raise QueryError(f"<{tag}> must hold {expected}, not {_DESCRIPTIONS[type(part)]}")
    if rule.size is not None and len(parts) != rule.size:
        raise QueryError(f"<{tag}> must hold {counted(rule.size, 'element')}, not {len(parts)}")


def _integer(_: Vocabulary, text: str) -> Term:
    match = _INTEGER.fullmatch(text)
    if match is None:
        raise QueryError(f"{quoted(text)} is no integer")
    value = number(match[2])
    return constant(-value if match[1] == "-" else value)


def _tokens(vocabulary: Vocabulary, *places: Place) -> Term:
    if len(set(places)) < len(places):
        raise QueryError("the sum names a place twice; name it once, or use <integer-sum>")
    return _sum(vocabulary, *(place.tokens for place in places))


def _sum(_: Vocabulary, *terms: Term) -> Term:
    if len(terms) == 1:
        return terms[0]
    coefficients = (entry for term in terms for entry in term.coefficients)
    return linear(coefficients, sum(term.constant for term in terms))


def _empty(meaning: Callable[[Vocabulary], State]) -> _Rule:
    return _Rule((), 0, meaning)


def _comparison(sign: Sign) -> _Rule:
    return _Rule((Term,), 2, lambda _, left, right: compared(left, sign, right))


def _path(operator: str) -> _Rule:
    kind, meaning = PATHS[operator]
    return _Rule((kind,), 1, lambda _, operand: meaning(operand))


_LEAVES: Mapping[str, Callable[[Vocabulary, str], Value]] = {
    "place": lambda vocabulary, name: vocabulary.place(name),
    "transition": lambda vocabulary, name: vocabulary.transition(name),
    "integer-constant": _integer,
}

_QUESTIONS = (Possible, Invariant, Maximum)

_RULES: Mapping[str, _Rule] = {
    "formula": _Rule(_QUESTIONS, 1, lambda _, question: question),
    "place-bound": _Rule((Place,), None, lambda names, *places: Maximum(_tokens(names, *places))),
    "tokens-count": _Rule((Place,), None, _tokens),
    "integer-sum": _Rule((Term,), None, _sum),
    "integer-difference": _Rule((Term,), 2, lambda _, left, right: left - right),
    "integer-product": _Rule((Term,), None, lambda _, *terms: reduce(product, terms)),
    "true": _empty(lambda _: State(TRUE, 0)),
    "false": _empty(lambda _: State(FALSE, 0)),
    "deadlock": _empty(lambda vocabulary: vocabulary.deadlock),
    "is-fireable": _Rule((Transition,), None, lambda names, *chosen: names.fireable(chosen)),
    "integer-eq": _comparison("="),
    "integer-ne": _comparison("!="),
    "integer-lt": _comparison("<"),
    "integer-le": _comparison("<="),
    "integer-gt": _comparison(">"),
    "integer-ge": _comparison(">="),
    "conjunction": _Rule((State,), None, lambda _, *states: every(states)),
    "disjunction": _Rule((State,), None, lambda _, *states: some(states)),
    "implication": _Rule((State,), 2, lambda _, left, right: some([opposite(left), right])),
    "negation": _Rule((State, Possible, Invariant), 1, lambda _, formula: negated(formula)),
    "finally": _path("F"),
    "globally": _path("G"),
    "exists-path": _path("E"),
    "all-paths": _path("A"),
}
