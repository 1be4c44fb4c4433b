"""The grammar of formulas in property files, from the leaves up: an element from its parts.

Nothing is recursive, so that depth costs no stack here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias, TypeVar, cast

from petricheck.errors import QueryError
from petricheck.language.elements import number
from petricheck.language.state_formulas import (
    Sign,
    State,
    compared,
    every,
    opposite,
    product,
    some,
)
from petricheck.presburger.formulas import FALSE, TRUE
from petricheck.presburger.terms import Term, constant, linear
from petricheck.problem import Transition
from petricheck.properties.meaning import Invariant, Maximum, Possible
from petricheck.properties.vocabulary import Finally, Globally, Vocabulary
from petricheck.words import counted, quoted

Value: TypeAlias = (
    str | Transition | Term | State | Finally | Globally | Possible | Invariant | Maximum
)
"""What an element means, from the id of a place to the whole formula."""

_DESCRIPTIONS: Mapping[type, str] = {
    str: "<place>",
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
        wanted = _DESCRIPTIONS[kind]
        if not self.parts:
            raise QueryError(f"<{self.tag}> is empty; {wanted} is expected in it")
        for part in self.parts:
            if not isinstance(part, kind):
                given = _DESCRIPTIONS[type(part)]
                raise QueryError(f"<{self.tag}> must hold {wanted}, not {given}")
        return cast(list[_Kind], list(self.parts))

    def exactly(self, count: int, kind: type[_Kind]) -> list[_Kind]:
        """The parts, so many, all of this kind; QueryError otherwise."""
        parts = self.all(kind)
        if len(parts) != count:
            raise QueryError(
                f"<{self.tag}> must hold {counted(count, 'element')}, not {len(parts)}"
            )
        return parts

    def only(self, kind: type[_Kind]) -> _Kind:
        """The only part, which is of this kind; QueryError otherwise."""
        return self.exactly(1, kind)[0]


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
        return leaf(element.vocabulary, element.text)
    if element.text:
        raise QueryError(f"<{element.tag}> holds stray text: {quoted(element.text)}")
    return _RULES[element.tag](element)


def meaning_of(parts: Sequence[Value], text: str) -> Possible | Invariant | Maximum:
    """What a whole formula means, given what is in it and the text beside that.

    Raises:
        QueryError: it is none, or several, or says nothing about the reachable markings.
    """
    if text:
        raise QueryError(f"<formula> holds stray text: {quoted(text)}")
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


def _integer(_: Vocabulary, text: str) -> Term:
    written = _INTEGER.fullmatch(text)
    if written is None:
        raise QueryError(f"{quoted(text)} is no integer")
    value = number(written[2])
    return constant(-value if written[1] == "-" else value)


def _tokens_count(element: Element) -> Term:
    places = element.all(str)
    if len(set(places)) < len(places):
        hint = "" if element.tag == "place-bound" else ", or use <integer-sum>"
        raise QueryError(f"<{element.tag}> names a place twice; name it once{hint}")
    return linear((place, 1) for place in places)


def _sum(element: Element) -> Term:
    terms = element.all(Term)
    coefficients = (entry for term in terms for entry in term.coefficients)
    return linear(coefficients, sum(term.constant for term in terms))


def _difference(element: Element) -> Term:
    left, right = element.exactly(2, Term)
    return left - right


def _truth(value: Callable[[Vocabulary], State]) -> Callable[[Element], State]:
    def rule(element: Element) -> State:
        if element.parts:
            raise QueryError(f"<{element.tag}> must be empty")
        return value(element.vocabulary)

    return rule


def _comparison(sign: Sign) -> Callable[[Element], State]:
    def rule(element: Element) -> State:
        left, right = element.exactly(2, Term)
        return compared(left, sign, right)

    return rule


def _implication(element: Element) -> State:
    premise, conclusion = element.exactly(2, State)
    return some([opposite(premise), conclusion])


def _negation(element: Element) -> State | Possible | Invariant:
    match element.parts:
        case [Possible(target)]:
            return Invariant(target)
        case [Invariant(target)]:
            return Possible(target)
        case _:
            return opposite(element.only(State))


_LEAVES: Mapping[str, Callable[[Vocabulary, str], Value]] = {
    "place": lambda vocabulary, name: vocabulary.names.place(name),
    "transition": lambda vocabulary, name: vocabulary.transition(name),
    "integer-constant": _integer,
}

_RULES: Mapping[str, Callable[[Element], Value]] = {
    "place-bound": lambda element: Maximum(_tokens_count(element)),
    "tokens-count": _tokens_count,
    "integer-sum": _sum,
    "integer-difference": _difference,
    "integer-product": lambda element: reduce(product, element.all(Term)),
    "true": _truth(lambda _: State(TRUE, 0)),
    "false": _truth(lambda _: State(FALSE, 0)),
    "deadlock": _truth(lambda vocabulary: vocabulary.deadlock),
    "is-fireable": lambda element: element.vocabulary.fireable(element.all(Transition)),
    "integer-eq": _comparison("="),
    "integer-ne": _comparison("!="),
    "integer-lt": _comparison("<"),
    "integer-le": _comparison("<="),
    "integer-gt": _comparison(">"),
    "integer-ge": _comparison(">="),
    "conjunction": lambda element: every(element.all(State)),
    "disjunction": lambda element: some(element.all(State)),
    "implication": _implication,
    "negation": _negation,
    "finally": lambda element: Finally(element.only(State)),
    "globally": lambda element: Globally(element.only(State)),
    "exists-path": lambda element: Possible(element.only(Finally).state.formula),
    "all-paths": lambda element: Invariant(opposite(element.only(Globally).state).formula),
}
