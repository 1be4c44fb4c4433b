"""The meaning of each rule of the grammar: parts of formulas, built while lark reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from lark import Token, Transformer

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    atoms,
    congruent,
    conjunction,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import Term, constant, linear
from petricheck.arithmetic.formulas.text import name_of
from petricheck.formats.language.elements import Names, number, pointing
from petricheck.formats.language.enabling import DEPTH, Needs, one_enabled
from petricheck.formats.language.model import deadlocked
from petricheck.formats.language.state_formulas import (
    Sign,
    StateFormula,
    compared,
    every,
    opposite,
    product,
    some,
)
from petricheck.support.errors import QueryError

MAX_PARENTHESES = 200
"""The greatest depth of parentheses."""

_SIGNS: dict[str, Sign] = {
    "=": "=", "==": "=", "!=": "!=", "≠": "!=", "<": "<", "<=": "<=", "≤": "<=", ">": ">",
    ">=": ">=", "≥": ">=",
}  # fmt: skip

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class ComparisonSide:
    """One side of a comparison: a term, or its remainder where the modulus is not 0."""

    term: Term
    at: int
    modulus: int = 0


@dataclass(frozen=True, slots=True)
class FormulaPart:
    """A formula, and where it begins."""

    state: StateFormula
    at: int


class FormulaReader(Transformer[Token, FormulaPart]):
    """A reader whose methods Lark calls: one per rule, and those in capitals per token."""

    def __init__(self, names: Names, text: str) -> None:
        super().__init__()
        self._names = names
        self._text = text
        self._open = 0
        self._like_places, self._places = list[Token](), list[int]()

    def LPAR(self, token: Token) -> Token:
        self._open += 1
        if self._open > MAX_PARENTHESES:
            raise self._refusal(f"parentheses nest deeper than {MAX_PARENTHESES} levels", token)
        return token

    def RPAR(self, token: Token) -> Token:
        self._open -= 1
        return token

    def implication(self, parts: list[FormulaPart]) -> FormulaPart:
        premise, conclusion = parts
        return self.either([self.negation([premise]), conclusion])

    def either(self, parts: list[FormulaPart]) -> FormulaPart:
        return self._joined(some, parts)

    def both(self, parts: list[FormulaPart]) -> FormulaPart:
        return self._joined(every, parts)

    def negation(self, parts: list[FormulaPart]) -> FormulaPart:
        (part,) = parts
        return FormulaPart(self._pointing(part.at, opposite, part.state), part.at)

    def truth(self, _: list[Token]) -> FormulaPart:
        return FormulaPart(StateFormula(TRUE, 0), 0)

    def falsity(self, _: list[Token]) -> FormulaPart:
        return FormulaPart(StateFormula(FALSE, 0), 0)

    def deadlock(self, children: list[Token]) -> FormulaPart:
        (token,) = children
        if token in self._names.place_names:
            message = (
                "deadlock is a place of this net: write 'deadlock >= 1' for its tokens, and "
                "'not enabled(t1, t2, …)', with all transitions, where none is enabled"
            )
            raise self._refusal(message, token)
        formula = self._pointing(token, deadlocked, self._names.net)
        return FormulaPart(StateFormula(formula, DEPTH), _start(token))

    def fireable(self, children: list[Token | Needs]) -> FormulaPart:
        needs = (child for child in children if not isinstance(child, Token))
        state = StateFormula(one_enabled(self._names.net, needs), DEPTH)
        return FormulaPart(state, _start(cast(Token, children[0])))

    def transition(self, children: list[Token]) -> Needs:
        (token,) = children
        name = name_of(str(token), self._text, _start(token))
        return self._names.needs(name, self._text, _start(token))

    def comparison(self, children: list[ComparisonSide | Token]) -> FormulaPart:
        sides = [child for child in children if isinstance(child, ComparisonSide)]
        tokens = [child for child in children if isinstance(child, Token)]
        signs = [_SIGNS[token] for token in tokens]
        for sign, token in zip(signs[1:], tokens[1:], strict=True):
            if "!=" in (signs[0], sign) or {"<", ">"} <= {signs[0][0], sign[0]}:
                raise self._refusal("a chain may mix only = < <=, or only = > >=", token)
        self.require_place(sides[0].at)
        pairs = zip(sides, tokens, sides[1:], strict=False)
        parts = [self._compare(left, token, right) for left, token, right in pairs]
        formula = conjunction(parts)
        depth = int(isinstance(formula, Conjunction | Disjunction) and bool(formula.operands))
        return FormulaPart(StateFormula(formula, depth), sides[0].at)

    def remainder(self, children: list[ComparisonSide | Token]) -> ComparisonSide:
        side, modulus = cast(tuple[ComparisonSide, Token], children)
        value = self._number(modulus)
        if value < 1:
            raise self._refusal("the number after 'mod' must be at least 1", modulus)
        return ComparisonSide(side.term, side.at, value)

    def enclosed(self, children: list[ComparisonSide]) -> ComparisonSide:
        return children[0]

    def addition(self, children: list[ComparisonSide | Token]) -> ComparisonSide:
        first = cast(ComparisonSide, children[0])
        signed = [(first.term, 1)]
        for sign, side in zip(children[1::2], children[2::2], strict=True):
            signed.append((cast(ComparisonSide, side).term, -1 if sign == "-" else 1))
        coefficients = ((n, sign * v) for term, sign in signed for n, v in term.coefficients)
        return ComparisonSide(
            linear(coefficients, sum(s * term.constant for term, s in signed)), first.at
        )

    def multiple(self, children: list[ComparisonSide | Token]) -> ComparisonSide:
        first, *others = cast(list[ComparisonSide], children[::2])
        term = first.term
        for star, other in zip(cast(list[Token], children[1::2]), others, strict=True):
            term = self._pointing(star, product, term, other.term)
        return ComparisonSide(term, first.at)

    def minus(self, children: list[ComparisonSide | Token]) -> ComparisonSide:
        sign, side = cast(tuple[Token, ComparisonSide], children)
        return ComparisonSide(-side.term, _start(sign))

    def bare_place(self, children: list[Token]) -> ComparisonSide:
        (token,) = children
        return ComparisonSide(self._place(str(token), token), _start(token))

    def quoted_place(self, children: list[Token]) -> ComparisonSide:
        (token,) = children
        name = name_of(str(token), self._text, _start(token))
        return ComparisonSide(self._place(name, token), _start(token))

    def plain_number(self, children: list[Token]) -> ComparisonSide:
        (token,) = children
        if token in self._names.place_names:
            self._like_places.append(token)
        return ComparisonSide(constant(self._number(token)), _start(token))

    def require_place(self, start: int = 0) -> None:
        """Refuse a number that is also a place, where none is named from this position on."""
        for token in self._like_places:
            if _start(token) >= start > max(self._places, default=-1):
                message = f'{token} is a number here; the place of this name is written "{token}"'
                raise self._refusal(message, token)

    def _compare(self, left: ComparisonSide, token: Token, right: ComparisonSide) -> Formula:
        sign = _SIGNS[token]
        if left.modulus and not right.modulus:
            return self._remains(left, sign, right, token)
        if right.modulus and not left.modulus:
            return self._remains(right, sign, left, token)
        if left.modulus:
            raise self._refusal("a remainder can only be compared with a number", token)
        return _decided(compared(left.term, sign, right.term).formula)

    def _remains(
        self, whole: ComparisonSide, sign: Sign, value_side: ComparisonSide, token: Token
    ) -> Formula:
        """Return the congruence `whole.term mod whole.modulus = value_side`, or its negation."""
        if sign not in ("=", "!="):
            raise self._refusal("a remainder can only be compared with = or !=", token)
        if value_side.term.coefficients:
            raise self._refusal("a remainder can only be compared with a number", value_side.at)
        value = value_side.term.constant
        if not 0 <= value < whole.modulus:
            message = (
                f"a remainder modulo {_number_text(whole.modulus)} is at least 0 and smaller "
                f"than that; write {_number_text(value % whole.modulus)} for the class of "
                f"{_number_text(value)}"
            )
            raise self._refusal(message, value_side.at)
        atom = congruent(whole.term, value, whole.modulus)
        return _decided(atom if sign == "=" else Negation(atom))

    def _place(self, name: str, token: Token) -> Term:
        self._places.append(_start(token))
        return self._names.place(name, self._text, _start(token)).tokens

    def _number(self, token: Token) -> int:
        return number(str(token), self._text, _start(token))

    def _joined(
        self, join: Callable[[Sequence[StateFormula]], StateFormula], parts: list[FormulaPart]
    ) -> FormulaPart:
        states = [part.state for part in parts]
        return FormulaPart(self._pointing(parts[0].at, join, states), parts[0].at)

    def _pointing(
        self, place: Token | int, function: Callable[..., _Result], *arguments: object
    ) -> _Result:
        """Return the function's result; its errors point at this position."""
        with pointing(self._text, _position(place)):
            return function(*arguments)

    def _refusal(self, message: str, place: Token | int) -> QueryError:
        return QueryError(message, text=self._text, position=_position(place))


def _decided(formula: Formula) -> Formula:
    """Return true or false where no variable is left, such as in `p >= p`."""
    if any(atom.term.coefficients for atom in atoms(formula)):
        return formula
    return TRUE if evaluate(formula, {}) else FALSE


def _number_text(value: int) -> str:
    digits = str(value)
    return digits if len(digits) <= 24 else f"{digits[:10]}… ({len(digits)} digits)"


def _position(place: Token | int) -> int:
    return _start(place) if isinstance(place, Token) else place


def _start(token: Token) -> int:
    assert token.start_pos is not None
    return token.start_pos
