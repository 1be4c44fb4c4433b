"""Property files of the Model Checking Contest: XML in which nobody is trusted, read in one pass.

A file that is not well-formed, or whose properties cannot be told apart, is refused as a whole; a
property whose formula is not supported only by itself. Limits: 256 MiB, 1000 nested elements, 100
nested connectives, 4000 digits a number, 16 MiB a tag, no DOCTYPE. Namespaces are ignored, as are
<description> and <tags>. Formulas are read from the leaves up, an element from its parts: nothing
is recursive, so that depth costs no stack here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import NamedTuple, TypeAlias, cast

from petricheck.arithmetic.formulas.formulas import FALSE, TRUE
from petricheck.arithmetic.formulas.terms import Term, constant, linear
from petricheck.formats.language.elements import number
from petricheck.formats.language.model import NamedPlace
from petricheck.formats.language.state_formulas import (
    Sign,
    StateFormula,
    compared,
    every,
    opposite,
    product,
    some,
)
from petricheck.formats.properties.meaning import (
    AlwaysPossible,
    InvariantProperty,
    Maximum,
    Meaning,
    Possible,
    Property,
    RefusedProperty,
)
from petricheck.formats.properties.vocabulary import (
    PATHS,
    Finally,
    Globally,
    Quantified,
    TransitionName,
    Vocabulary,
    negated,
)
from petricheck.formats.scanning.xml import FORMAL, Ignored, XmlScanner
from petricheck.support.errors import NoProperties, QueryError
from petricheck.support.words import counted, quoted

Value: TypeAlias = (
    NamedPlace | TransitionName | Term | StateFormula | Finally | Globally | Quantified | Maximum
)
"""What an element means, from a place to the whole formula."""

_DESCRIPTIONS: Mapping[type, str] = {
    NamedPlace: "<place>",
    TransitionName: "<transition>",
    Term: "a number",
    StateFormula: "a formula about one marking",
    Finally: "<finally>",
    Globally: "<globally>",
    Possible: "a formula that begins with a path quantifier",
    InvariantProperty: "a formula that begins with a path quantifier",
    AlwaysPossible: "a formula that begins with a path quantifier",
    Maximum: "<place-bound>",
}
"""What to call a value of each type in a message."""

_INTEGER = re.compile(r"([+-]?)([0-9]+)")


class _Rule(NamedTuple):
    """The content of an element, and its meaning, made of the vocabulary and the parts.

    `kinds` are the types of its parts, the usual one first, empty where it holds none; `size` how
    many they are, None for one or more.
    """

    kinds: tuple[type, ...]
    size: int | None
    meaning: Callable[..., Value]


MAX_NESTING = 1000
"""Elements may nest this deep."""

_IGNORED = ("description", "tags")
_CHILDREN = ("id", "formula", *_IGNORED)
_OUTER = ("property-set", "property")


class Mcc:
    """Property files of the Model Checking Contest."""

    extensions = (".xml",)

    def read(
        self, pieces: Iterable[bytes], path: str, vocabulary: Vocabulary
    ) -> tuple[Property, ...]:
        """Return the properties, each with the id that the file gives it."""
        reader = _MccReader(XmlScanner(path), vocabulary)
        reader.scanner.run(pieces, reader.start, reader.end, reader.text)
        if not reader.properties:
            raise NoProperties("the file holds no <property>", path=path)
        first, *others = reader.properties.values()
        return (replace(first, warnings=reader.ignored.texts()), *others)


@dataclass(slots=True)
class _OpenTag:
    """An element whose end has not been reached."""

    tag: str
    line: int
    text: list[str] = field(default_factory=list)
    parts: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class _MccReader:
    """A listener to the scanner; `properties` are by id.

    The stack holds <property-set>, <property>, a child of it, and from the fourth on, where that
    child is <formula>, the elements of the grammar. Of the current property `child` is the tag of
    that child, `ids` are its ids, and `refused` says why it is refused, where it is.
    """

    scanner: XmlScanner
    vocabulary: Vocabulary
    properties: dict[str, Property] = field(default_factory=dict)
    ignored: Ignored = field(default_factory=Ignored)
    stack: list[_OpenTag] = field(default_factory=list)
    child: str = ""
    ids: list[str] = field(default_factory=list)
    refused: RefusedProperty | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag, depth = name.rpartition(" ")[2], len(self.stack)
        if depth < 2:
            self._start_outer(tag, _OUTER[depth])
        elif depth == 2:
            self.child = tag
            if tag not in _CHILDREN:
                self._refuse(f"<{quoted(tag)[1:-1]}> is not known in a <property>")
        elif depth >= MAX_NESTING:
            raise self.scanner.error(f"elements nest deeper than {MAX_NESTING} levels")
        elif self.child == "id":
            raise self.scanner.error("<id> must hold text alone")
        elif self.child == "formula" and self.refused is None:
            try:
                _check_tag(tag)
            except QueryError as error:
                self._refuse(error.message)
        self.stack.append(_OpenTag(tag, self.scanner.line))
        if attributes:
            self._look_at(tag, attributes)

    def text(self, data: str) -> None:
        if len(self.stack) > 2:
            self.stack[-1].text.append(data)

    def end(self, _: str) -> None:
        element = self.stack.pop()
        depth, text = len(self.stack), "".join(element.text).strip()
        if depth == 1:
            self._end_property(element)
        elif depth == 2 and self.child == "id":
            self.ids.append(text)
        elif depth >= 2 and self.child == "formula" and self.refused is None:
            try:
                value = _value_of(self.vocabulary, element.tag, text, element.parts)
                self.stack[-1].parts.append(value)
            except QueryError as error:
                self._refuse(error.message, element.line)

    def _start_outer(self, tag: str, expected: str) -> None:
        if tag != expected:
            raise NoProperties(
                f"<{quoted(tag)[1:-1]}> stands where <{expected}> was expected; this is no file "
                "of properties as the Model Checking Contest writes them",
                path=self.scanner.path,
                line=self.scanner.line,
            )
        self.child, self.ids, self.refused = "", [], None

    def _end_property(self, element: _OpenTag) -> None:
        name = self.ids[0] if len(self.ids) == 1 else ""
        if not name or not name.isprintable():
            reason = "a <property> must have one <id> of printable characters"
            raise self.scanner.error(reason, element.line)
        if name in self.properties:
            raise self.scanner.error(f"the property {quoted(name)} is given twice", element.line)
        if len(element.parts) != 1:
            self._refuse(f"it must have 1 <formula>, not {len(element.parts)}", element.line)
        self.properties[name] = Property(name, self.refused or cast(Meaning, element.parts[0]))

    def _refuse(self, reason: str, line: int | None = None) -> None:
        """Store the first reason why this property is refused."""
        if self.refused is None:
            self.refused = RefusedProperty(f"line {line or self.scanner.line}: {reason}")

    def _look_at(self, tag: str, attributes: dict[str, str]) -> None:
        """Refuse attributes in a formula, which has none; others are passed over with a warning."""
        if self.child in _IGNORED:
            return
        for key in sorted(attributes.keys() - FORMAL):
            if self.child == "formula":
                text = quoted(key.rpartition(" ")[2])[1:-1]
                self._refuse(f"<{tag}> has the attribute {text}, which is not known there")
            else:
                self.ignored.add(tag, key, self.scanner.line)


def _check_tag(tag: str) -> None:
    """Refuse elements that formulas do not have, by a QueryError."""
    if tag == "formula" or (tag not in _LEAVES and tag not in _RULES):
        name = quoted(tag)[1:-1]
        raise QueryError(f"<{name}> is not supported; only questions after reachability are")


def _value_of(vocabulary: Vocabulary, tag: str, text: str, parts: Sequence[Value]) -> Value:
    """Return the meaning of an element of the grammar; that of a <formula> is a question.

    QueryError where it makes no sense for the net, or cannot be read as a linear formula.
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


def _tokens(vocabulary: Vocabulary, *places: NamedPlace) -> Term:
    if len(set(places)) < len(places):
        raise QueryError("the sum names a place twice; name it once, or use <integer-sum>")
    return _sum(vocabulary, *(place.tokens for place in places))


def _sum(_: Vocabulary, *terms: Term) -> Term:
    if len(terms) == 1:
        return terms[0]
    coefficients = (entry for term in terms for entry in term.coefficients)
    return linear(coefficients, sum(term.constant for term in terms))


def _empty(meaning: Callable[[Vocabulary], StateFormula]) -> _Rule:
    return _Rule((), 0, meaning)


def _comparison(sign: Sign) -> _Rule:
    return _Rule((Term,), 2, lambda _, left, right: compared(left, sign, right))


def _path(operator: str) -> _Rule:
    kinds, meaning = PATHS[operator]
    return _Rule(kinds, 1, lambda _, operand: meaning(operand))


_LEAVES: Mapping[str, Callable[[Vocabulary, str], Value]] = {
    "place": lambda vocabulary, name: vocabulary.place(name),
    "transition": lambda vocabulary, name: vocabulary.transition(name),
    "integer-constant": _integer,
}

_QUESTIONS = (Possible, InvariantProperty, AlwaysPossible, Maximum)

_RULES: Mapping[str, _Rule] = {
    "formula": _Rule(_QUESTIONS, 1, lambda _, question: question),
    "place-bound": _Rule(
        (NamedPlace,), None, lambda names, *places: Maximum(_tokens(names, *places))
    ),
    "tokens-count": _Rule((NamedPlace,), None, _tokens),
    "integer-sum": _Rule((Term,), None, _sum),
    "integer-difference": _Rule((Term,), 2, lambda _, left, right: left - right),
    "integer-product": _Rule((Term,), None, lambda _, *terms: reduce(product, terms)),
    "true": _empty(lambda _: StateFormula(TRUE, 0)),
    "false": _empty(lambda _: StateFormula(FALSE, 0)),
    "deadlock": _empty(lambda vocabulary: vocabulary.deadlock),
    "is-fireable": _Rule((TransitionName,), None, lambda names, *chosen: names.fireable(chosen)),
    "integer-eq": _comparison("="),
    "integer-ne": _comparison("!="),
    "integer-lt": _comparison("<"),
    "integer-le": _comparison("<="),
    "integer-gt": _comparison(">"),
    "integer-ge": _comparison(">="),
    "conjunction": _Rule((StateFormula,), None, lambda _, *states: every(states)),
    "disjunction": _Rule((StateFormula,), None, lambda _, *states: some(states)),
    "implication": _Rule((StateFormula,), 2, lambda _, left, right: some([opposite(left), right])),
    "negation": _Rule(
        (StateFormula, Possible, InvariantProperty), 1, lambda _, formula: negated(formula)
    ),
    "finally": _path("F"),
    "globally": _path("G"),
    "exists-path": _path("E"),
    "all-paths": _path("A"),
}
