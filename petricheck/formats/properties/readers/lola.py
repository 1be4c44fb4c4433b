"""Formulas of the tool LoLA (.formula), separated by colons: formula-1, formula-2, …

A file that breaks the grammar is refused as a whole; a formula that is no question after
reachability, or names what the net has not, only by itself.

LoLA cuts the text into words at blanks and at `,;:(){}` only, so operators need blanks around them.
Path operators and NOT bind tighter than connectives, AND tighter than OR. What versions of LoLA
disagree about, such as chains of `->` without parentheses, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import FALSE, TRUE
from petricheck.arithmetic.formulas.terms import Term, constant
from petricheck.formats.language.model import NamedPlace
from petricheck.formats.language.state_formulas import (
    MAX_DEPTH,
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
    Vocabulary,
    negated,
)
from petricheck.formats.scanning import lola as words
from petricheck.formats.scanning.aliases import renamed
from petricheck.formats.scanning.text import END, Token, TokenScanner, decoded, scan
from petricheck.support.errors import QueryError

_Value: TypeAlias = Term | StateFormula | Finally | Globally | Quantified

_TOKEN = re.compile(
    rf"{words.SKIPPED}|(?P<sign>[();:,])|(?P<word>{words.NAME})"
    r"|(?P<bad_a_comment_that_is_not_closed_or_one_of_two_on_a_line>[{}][^\n]*|/\*)"
)
_NUMBER = re.compile("-?[0-9]+")
_LETTERS = re.compile("[AEFGX]+")
_PATHS = {
    "ALLPATH": "A", "EXPATH": "E", "ALWAYS": "G", "EVENTUALLY": "F", "NEXTSTATE": "X",
    "REACHABLE": "EF", "INVARIANT": "AG", "IMPOSSIBLE": "AG",
}  # fmt: skip
_CONNECTIVES = ("AND", "OR", "XOR", "->", "<->")
_SIGNS: dict[str, Sign] = {
    "=": "=", "!=": "!=", "<>": "!=", "#": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
}  # fmt: skip
_UNTIL = ("U", "R", "UNTIL", "RELEASE")
_BINARY = frozenset({*_CONNECTIVES, *_SIGNS, *_UNTIL, "+", "-", "*", ")", ";", ",", ""})
_MAX_DOUBLED = 8
_OTHERS = "only questions of the forms EF (…), AG (…) and AG EF (…) are supported"


class Lola:
    """Formulas of the tool LoLA."""

    extensions = (".formula",)

    def read(
        self, pieces: Iterable[bytes], path: str, vocabulary: Vocabulary
    ) -> tuple[Property, ...]:
        """Return the formulas as properties, numbered from 1."""
        scanner = scan(decoded(pieces, path), path, _TOKEN, TokenScanner)
        aliases = renamed(scanner, words.comment)
        parsers = (
            _FormulaParser(path, part, [], vocabulary=vocabulary, aliases=aliases)
            for part in _parts(scanner.tokens)
        )
        return tuple(Property(f"formula-{n}", _meaning(p)) for n, p in enumerate(parsers, start=1))


def _parts(tokens: Iterable[Token]) -> list[list[Token]]:
    """Return the formulas, each with an end of its own."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == END or token.text == ":":
            parts[-1].append(Token(END, "", token.line, True))
            parts.append([])
        else:
            parts[-1].append(token)
    return parts[:-1]


def _meaning(parser: _FormulaParser) -> Meaning:
    try:
        return parser.formula()
    except QueryError as error:
        return RefusedProperty(f"line {parser.last.line}: {error.message}")


@dataclass(slots=True, kw_only=True)
class _FormulaParser(TokenScanner):
    """One formula, by recursive descent.

    `aliases` are names of the net by kind and by what the file writes, as its comments say; `depth`
    is that of parentheses and prefixes around the current token; `doubled` counts connectives that
    needed their operands twice.
    """

    vocabulary: Vocabulary
    aliases: dict[tuple[str, str], str]
    depth: int = 0
    doubled: int = 0

    def formula(self) -> Quantified:
        """Return the whole formula.

        InputError where it breaks the grammar, QueryError where it asks something else.
        """
        self.accept_text("FORMULA")
        value = self._connective()
        self.accept_text(";")
        self.expect(END, "a connective, ':' or the end")
        match value:
            case Possible() | InvariantProperty() | AlwaysPossible():
                return value
            case StateFormula():
                raise QueryError("the formula speaks of no path; it must begin with EF or AG")
            case _:
                raise QueryError(_OTHERS)

    def _connective(self) -> _Value:
        operands = [self._comparison()]
        signs: list[str] = []
        while sign := self.accept_text(*_CONNECTIVES, *_UNTIL):
            if sign.text in _UNTIL:
                raise QueryError("until and release are not supported; only EF and AG are")
            signs.append(sign.text)
            operands.append(self._comparison())
        if not signs:
            return operands[0]
        states = [_state(operand) for operand in operands]
        if set(signs) <= {"AND", "OR"}:
            return _alternatives(states, signs)
        if len(signs) > 1:
            raise self.error(
                f"{' and '.join(sorted(set(signs)))} follow each other; put parentheses around "
                "what belongs together",
                self.last,
            )
        return self._unusual(signs[0], *states)

    def _unusual(self, sign: str, left: StateFormula, right: StateFormula) -> StateFormula:
        if sign == "->":
            return some([opposite(left), right])
        self.doubled += 1
        if self.doubled > _MAX_DOUBLED:
            raise QueryError(f"more than {_MAX_DOUBLED} XOR and <-> in a formula are refused")
        other = opposite(right)
        same, apart = (right, other) if sign == "<->" else (other, right)
        return some([every([left, same]), every([opposite(left), apart])])

    def _comparison(self) -> _Value:
        left = self._sum()
        if sign := self.accept_text(*_SIGNS):
            return compared(_term(left), _SIGNS[sign.text], _term(self._sum()))
        return left

    def _sum(self) -> _Value:
        value = self._product()
        while sign := self.accept_text("+", "-"):
            other = _term(self._product())
            value = _term(value) + (other if sign.text == "+" else -other)
        return value

    def _product(self) -> _Value:
        value = self._operand()
        while self.accept_text("*"):
            value = product(_term(value), _term(self._operand()))
        return value

    def _operand(self) -> _Value:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise QueryError(f"the formula nests deeper than {MAX_DEPTH} levels")
        value = self._nested()
        self.depth -= 1
        return value

    def _nested(self) -> _Value:
        if self.accept_text("("):
            value = self._connective()
            self._close()
            return value
        token = self.next
        if token.kind != "word" or token.text in _BINARY:
            raise self.unexpected("a formula, a place or a number")
        word = self.take().text
        if word == "NOT":
            value = self._comparison()
            return negated(
                value if isinstance(value, Possible | InvariantProperty) else _state(value)
            )
        if word in _PATHS or (_LETTERS.fullmatch(word) and self.next.text not in _BINARY):
            value = self._comparison()
            value = opposite(_state(value)) if word == "IMPOSSIBLE" else value
            for letter in reversed(_PATHS.get(word, word)):
                value = _along(letter, value)
            return value
        return self._leaf(word)

    def _leaf(self, word: str) -> _Value:
        match word:
            case "TRUE":
                return StateFormula(TRUE, 0)
            case "FALSE":
                return StateFormula(FALSE, 0)
            case "DEADLOCK":
                return self.vocabulary.deadlock
            case "FIREABLE":
                return self._fireable()
            case "INITIAL" | "MAX" | "oo":
                raise QueryError(f"{word} is not supported")
        if word in words.FORMULA_KEYWORDS:
            self.position -= 1
            raise self.unexpected("a formula, a place or a number")
        if _NUMBER.fullmatch(word):
            return constant(self.number(self.last))
        return self._place(word).tokens

    def _fireable(self) -> StateFormula:
        if not self.accept_text("("):
            raise self.unexpected("'('")
        transition = self.expect("word", "the name of a transition").text
        name = self.aliases.get(("transition", transition), transition)
        self._close()
        return self.vocabulary.fireable([self.vocabulary.transition(name)])

    def _place(self, word: str) -> NamedPlace:
        try:
            return self.vocabulary.place(self.aliases.get(("place", word), word))
        except QueryError as error:
            glued = any(sign in word for sign in words.OPERATORS)
            hint = "; put blanks around operators" if glued else ""
            raise QueryError(error.message + hint) from None

    def _close(self) -> None:
        if not self.accept_text(")"):
            raise self.unexpected("')' or an operator")


def _alternatives(states: list[StateFormula], signs: list[str]) -> StateFormula:
    """Return the states joined by AND and OR, AND binding tighter."""
    parts = [states[:1]]
    for sign, state in zip(signs, states[1:], strict=True):
        if sign == "OR":
            parts.append([])
        parts[-1].append(state)
    joined = [every(part) if len(part) > 1 else part[0] for part in parts]
    return some(joined) if len(joined) > 1 else joined[0]


def _along(letter: str, value: _Value) -> _Value:
    """Return the value after one more path operator."""
    if isinstance(value, Term):
        raise QueryError("a path operator stands before a number of tokens")
    if letter in PATHS and isinstance(value, PATHS[letter][0]):
        return PATHS[letter][1](value)
    raise QueryError(_OTHERS)


def _state(value: _Value) -> StateFormula:
    match value:
        case StateFormula():
            return value
        case Term():
            raise QueryError("a number of tokens stands where a condition was expected")
        case _:
            raise QueryError("EF and AG must be outermost; put all that they speak of in ( )")


def _term(value: _Value) -> Term:
    if isinstance(value, Term):
        return value
    raise QueryError("a condition stands where a number of tokens was expected")
