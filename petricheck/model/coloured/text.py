"""Sorts, terms, multisets, tokens and guards as people write them."""

from __future__ import annotations

from collections.abc import Mapping

from petricheck.model.coloured.sorts import Product, Range, Sort
from petricheck.model.coloured.terms import (
    All,
    Comparison,
    Constant,
    ElementOf,
    Guard,
    Multiset,
    Not,
    Shifted,
    Some,
    Term,
    Tuple,
    Variable,
)
from petricheck.support.words import listed, number_text

COLOURS = 60
"""Of a place that holds more colours, so many are written."""


def sort_text(sort: Sort) -> str:
    """Return its name, or what it is made of."""
    match sort:
        case Product(name=""):
            return f"({', '.join(map(sort_text, sort.factors))})"
        case Range(name=""):
            return f"{sort.first}..{sort.last}"
    return sort.name


def term_text(term: Term, ranging: tuple[Variable, ...] = ()) -> str:
    """Return a text like `(x++1, y)`; for variables that range over all colours `all(Sort)`."""
    match term:
        case Variable(name, sort):
            return f"all({sort_text(sort)})" if term in ranging else name
        case Constant(sort, colour):
            return sort.text(colour)
        case Tuple(parts):
            return f"({', '.join(term_text(part, ranging) for part in parts)})"
        case Shifted(inner, steps):
            return f"{term_text(inner, ranging)}{'++' if steps > 0 else '--'}{abs(steps)}"
        case ElementOf(sort, inner):
            return f"{sort.name}({term_text(inner, ranging)})"


def multiset_text(multiset: Multiset) -> str:
    """Return a text like `2'(x++1, y) + all(Phil)`, or `empty`."""
    signs = ("-" if summand.count < 0 else "+" for summand in multiset)
    texts = (_times(term_text(s.term, s.ranging), abs(s.count)) for s in multiset)
    text = "".join(f" {sign} {summand}" for sign, summand in zip(signs, texts, strict=True))
    return text.removeprefix(" + ").strip() or "empty"


def tokens_text(sort: Sort, tokens: Mapping[int, int]) -> str:
    """Return the tokens of a place as users write them: `{ada, 2'ben}`."""
    return f"{{{listed(held_texts(sort, tokens), COLOURS, str)}}}"


def held_texts(sort: Sort, tokens: Mapping[int, int]) -> list[str]:
    """Return the tokens of each colour: `ada`, `2'ben`, or `1 to 9` for consecutive numbers."""
    rows: list[tuple[str, str, int]] = []
    for colour, count in sorted(tokens.items()):
        text = sort.text(colour)
        first, last, times = rows[-1] if rows else ("", "", 0)
        if count == times == 1 and _is_next(last, text):
            rows[-1] = (first, text, 1)
        else:
            rows.append((text, text, count))
    return [entry for row in rows for entry in _row_texts(*row)]


def _is_next(last: str, text: str) -> bool:
    return last.isdecimal() and text.isdecimal() and int(text) == int(last) + 1


def _row_texts(first: str, last: str, count: int) -> list[str]:
    if count > 1 or first == last:
        return [first if count == 1 else f"{number_text(count)}'{first}"]
    return [first, last] if _is_next(first, last) else [f"{first} to {last}"]


def _times(text: str, count: int) -> str:
    """Return the text with its count; 1 is left out unless the text begins with a digit."""
    return text if count == 1 and not text[:1].isdigit() else f"{number_text(count)}'{text}"


def guard_text(guard: Guard) -> str:
    """Return a text like `x != eve and (x = y or y < 3)`."""
    match guard:
        case Comparison(relation, left, right):
            return f"{term_text(left)} {relation} {term_text(right)}"
        case Not(part):
            return f"not ({guard_text(part)})"
        case All(parts):
            return " and ".join(_operand(part, Some) for part in parts) or "true"
        case Some(parts):
            return " or ".join(_operand(part, All) for part in parts) or "false"


def _operand(part: Guard, other: type[All] | type[Some]) -> str:
    joined = isinstance(part, other) and len(part.parts) > 1
    return f"({guard_text(part)})" if joined else guard_text(part)
