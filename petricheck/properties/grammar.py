"""The grammar of formulas in property files, from the leaves up: an element from its parts.

Nothing is recursive, so that depth costs no stack here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from petricheck.errors import QueryError
from petricheck.language.elements import number
from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    at_least,
    at_most,
    different,
    equal,
)
from petricheck.presburger.terms import Term, constant, linear
from petricheck.properties.meaning import Invariant, Maximum, Possible
from petricheck.properties.states import Vocabulary, every, opposite, some
from petricheck.properties.values import (
    DESCRIPTIONS,
    Finally,
    Globally,
    PlaceName,
    State,
    TransitionName,
    Value,
)
from petricheck.words import MAX_DIGITS, quoted

_LIMIT = 10**MAX_DIGITS
_INTEGER = re.compile(r"([+-]?)([0-9]+)")
_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a formula, as its end is reached.

    Attributes:
        vocabulary: of the net.
        tag: its name, which is in the grammar.
        text: its own text, without surrounding space.
        parts: what its children mean.
    """

    vocabulary: Vocabulary
    tag: str
    text: str
    parts: Sequence[Value]

    def all(self, kind: type[_Kind]) -> list[_Kind]:
        """The parts, one or more, all of this kind.

        Raises:
            QueryError: there are none, or others.
        """
        wanted = DESCRIPTIONS[kind]
        if not self.parts:
            raise QueryError(f"<{self.tag}> is empty; {wanted} is expected in it")
        found: list[_Kind] = [part for part in self.parts if isinstance(part, kind)]
        if len(found) < len(self.parts):
            other = next(part for part in self.parts if not isinstance(part, kind))
            given = DESCRIPTIONS[type(other)]
            raise QueryError(f"<{self.tag}> must hold {wanted}, not {given}")
        return found

    def two(self, kind: type[_Kind]) -> tuple[_Kind, _Kind]:
        """The parts, two, both of this kind; QueryError otherwise."""
        match self.all(kind):
            case [left, right]:
                return left, right
            case _:
                raise QueryError(f"<{self.tag}> must hold 2 elements, not {len(self.parts)}")

    def one(self, kind: type[_Kind]) -> _Kind:
        """The only part, which is of this kind; QueryError otherwise."""
        match self.all(kind):
            case [part]:
                return part
            case _:
                raise QueryError(f"<{self.tag}> must hold 1 element, not {len(self.parts)}")


def check_tag(tag: str) -> None:
    """Refuse what the grammar does not have.

    Raises:
        QueryError: the element is no part of a question after reachability.
    """
    if tag not in _LEAVES and tag not in _RULES:
        name = quoted(tag)[1:-1]
        raise QueryError(f"<{name}> is not supported; only questions after reachability are")


def value_of(element: Element) -> Value:
    """What the element means.

    Raises:
        QueryError: it makes no sense for the net, or cannot be read as a linear formula.
    """
    leaf = _LEAVES.get(element.tag)
    if leaf is not None:
        if element.parts:
            raise QueryError(f"<{element.tag}> must hold text alone")
        return leaf(element)
    if element.text:
        raise QueryError(f"<{element.tag}> holds stray text: {quoted(element.text)}")
    return _RULES[element.tag](element)


def meaning_of(parts: Sequence[Value]) -> Possible | Invariant | Maximum:
    """What a whole formula means, given what is in it.

    Raises:
        QueryError: it is none, or several, or says nothing about the reachable markings.
    """
    match parts:
        case [Possible() | Invariant() | Maximum() as meaning]:
            return meaning
        case [State()]:
            raise QueryError(
                "the formula speaks of no path; it must begin with <exists-path><finally> or "
                "<all-paths><globally>"
            )
        case _:
            raise QueryError(f"<formula> must hold 1 formula, not {len(parts)} elements")


def _place(element: Element) -> PlaceName:
    try:
        return PlaceName(element.vocabulary.names.place(element.text, element.text, 0))
    except QueryError as error:
        raise QueryError(error.message) from None


def _transition(element: Element) -> TransitionName:
    net = element.vocabulary.net
    found = net.transition_numbers.get(element.text)
    if found is None:
        raise QueryError(f"there is no transition with the id {quoted(element.text)}")
    return TransitionName(net.transitions[found].pre)


def _integer(element: Element) -> Term:
    found = _INTEGER.fullmatch(element.text)
    if found is None:
        raise QueryError(f"{quoted(element.text)} is no integer")
    sign, digits = found.groups()
    try:
        value = number(digits, digits, 0)
    except QueryError as error:
        raise QueryError(error.message) from None
    return constant(-value if sign == "-" else value)


def _tokens_count(element: Element) -> Term:
    places = [name.place for name in element.all(PlaceName)]
    if len(set(places)) < len(places):
        hint = "" if element.tag == "place-bound" else ", or use <integer-sum>"
        raise QueryError(f"<{element.tag}> names a place twice; name it once{hint}")
    return linear((place, 1) for place in places)


def _bound(element: Element) -> Maximum:
    return Maximum(_tokens_count(element))


def _sum(element: Element) -> Term:
    terms = element.all(Term)
    coefficients = (each for term in terms for each in term.coefficients)
    return linear(coefficients, sum(term.constant for term in terms))


def _difference(element: Element) -> Term:
    left, right = element.two(Term)
    return left - right


def _product(element: Element) -> Term:
    product, *factors = element.all(Term)
    for factor in factors:
        if product.coefficients and factor.coefficients:
            raise QueryError("two token counts are multiplied; only linear formulas are supported")
        counts, times = (product, factor) if product.coefficients else (factor, product)
        product = counts * times.constant
        numbers = (product.constant, *(value for _, value in product.coefficients))
        if any(abs(value) >= _LIMIT for value in numbers):
            raise QueryError(f"a product has more than {MAX_DIGITS} digits")
    return product


def _truth(element: Element) -> State:
    if element.parts:
        raise QueryError(f"<{element.tag}> must be empty")
    match element.tag:
        case "true":
            return State(TRUE, 0)
        case "false":
            return State(FALSE, 0)
        case _:
            return element.vocabulary.deadlock


def _is_fireable(element: Element) -> State:
    needs = (name.pre for name in element.all(TransitionName))
    return element.vocabulary.fireable(needs)


def _comparison(element: Element) -> State:
    left, right = element.two(Term)
    match element.tag:
        case "integer-eq":
            return State(equal(left, right), 0)
        case "integer-ne":
            return State(different(left, right), 1)
        case "integer-lt":
            return State(at_most(left + 1, right), 0)
        case "integer-le":
            return State(at_most(left, right), 0)
        case "integer-gt":
            return State(at_least(left - 1, right), 0)
        case _:
            return State(at_least(left, right), 0)


def _both(element: Element) -> State:
    return every(element.all(State))


def _either(element: Element) -> State:
    return some(element.all(State))


def _implication(element: Element) -> State:
    premise, conclusion = element.two(State)
    return some([opposite(premise), conclusion])


def _negation(element: Element) -> State | Possible | Invariant:
    match element.parts:
        case [Possible(target)]:
            return Invariant(target)
        case [Invariant(target)]:
            return Possible(target)
        case _:
            return opposite(element.one(State))


def _finally(element: Element) -> Finally:
    return Finally(element.one(State))


def _globally(element: Element) -> Globally:
    return Globally(element.one(State))


def _exists_path(element: Element) -> Possible:
    return Possible(element.one(Finally).state.formula)


def _all_paths(element: Element) -> Invariant:
    return Invariant(opposite(element.one(Globally).state).formula)


_LEAVES: Mapping[str, Callable[[Element], Value]] = {
    "place": _place,
    "transition": _transition,
    "integer-constant": _integer,
}

_RULES: Mapping[str, Callable[[Element], Value]] = {
    "place-bound": _bound,
    "tokens-count": _tokens_count,
    "integer-sum": _sum,
    "integer-difference": _difference,
    "integer-product": _product,
    "true": _truth,
    "false": _truth,
    "deadlock": _truth,
    "is-fireable": _is_fireable,
    "integer-eq": _comparison,
    "integer-ne": _comparison,
    "integer-lt": _comparison,
    "integer-le": _comparison,
    "integer-gt": _comparison,
    "integer-ge": _comparison,
    "conjunction": _both,
    "disjunction": _either,
    "implication": _implication,
    "negation": _negation,
    "finally": _finally,
    "globally": _globally,
    "exists-path": _exists_path,
    "all-paths": _all_paths,
}
