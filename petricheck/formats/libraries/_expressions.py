"""Terms and guards as Python's expressions in a net of SNAKES.

An enumeration is a tuple of its constants that the net declares; a partition one of its elements,
and a dictionary that says in which of them a colour is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from keyword import iskeyword
from typing import Any

from petricheck.formats.libraries._values import value_of
from petricheck.model.coloured.sorts import (
    Enumeration,
    Partition,
    Product,
    Quotient,
    Range,
    Sort,
)
from petricheck.model.coloured.terms import (
    All,
    Comparison,
    Constant,
    ElementOf,
    Guard,
    Not,
    Shifted,
    Some,
    Term,
    Tuple,
    Variable,
)

_PYTHON = {"=": "=="}


class Expressions:
    """Texts of terms and guards, with names that Python can spell."""

    def __init__(self, net: Any, variables: Iterable[str]) -> None:
        """Prepare for a net of SNAKES with declared sorts, and for all names of variables."""
        self._net = net
        self._used = {"Counter", "dot", "list"}
        self._numbers: Counter[str] = Counter()
        self._declared: set[str] = set()
        self._variables = {name: self.unused(name) for name in dict.fromkeys(variables)}
        self._sorts: dict[Sort, str] = {}
        self._parts_of: dict[Partition | Quotient, str] = {}

    def unused(self, name: str) -> str:
        """Return a name that Python can spell, like this one, which nothing has so far."""
        spelled = re.sub(r"\W", "_", name, flags=re.ASCII)
        if not spelled[:1].isalpha():
            spelled = f"v{spelled}"
        stem = spelled
        while iskeyword(spelled) or spelled in self._used:
            self._numbers[stem] += 1
            spelled = f"{stem}{self._numbers[stem] + 1}"
        self._used.add(spelled)
        return spelled

    def variable(self, variable: Variable) -> str:
        """Return its name."""
        return self._variables[variable.name]

    def declare(self, statement: str) -> None:
        """Declare in the net, once, a name that expressions need."""
        if statement not in self._declared:
            self._declared.add(statement)
            self._net.declare(statement)

    def sort(self, sort: Sort) -> str:
        """Return the name of an enumeration or partition; declare its own sorts first."""
        if sort in self._sorts:
            return self._sorts[sort]
        match sort:
            case Product(factors=factors):
                for factor in factors:
                    self.sort(factor)
            case Enumeration(constants=constants):
                self._declare_tuple(sort, constants)
            case Partition(whole=whole, elements=elements, part=part):
                self.sort(whole)
                self._declare_tuple(sort, elements)
                self._parts_of[sort] = self.unused(f"{self._sorts[sort]}_of")
                table = {value_of(whole, c): elements[number] for c, number in enumerate(part)}
                self.declare(f"{self._parts_of[sort]} = {table!r}")
        return self._sorts.get(sort, "")

    def _declare_tuple(self, sort: Enumeration | Partition, values: tuple[str, ...]) -> None:
        self._sorts[sort] = self.unused(sort.name)
        self.declare(f"{self._sorts[sort]} = {values!r}")

    def term(self, term: Term) -> str:
        """Return a term."""
        match term:
            case Variable():
                return self.variable(term)
            case Constant(sort=sort, colour=colour):
                return repr(value_of(sort, colour))
            case Tuple(parts=parts):
                inner = ", ".join(map(self.term, parts))
                return f"({inner})" if len(parts) > 1 else f"({inner},)"
            case Shifted(term=inner, steps=steps):
                name = self.sort(inner.sort)
                sign = "-" if steps < 0 else "+"
                number = f"{name}.index({self.term(inner)}) {sign} {abs(steps)}"
                return f"{name}[({number}) % {inner.sort.size}]"
            case ElementOf(sort=sort, term=inner):
                self.sort(sort)
                return f"{self._parts_of[sort]}[{self.term(inner)}]"

    def guard(self, guard: Guard) -> str:
        """Return a guard."""
        match guard:
            case All(parts=parts) | Some(parts=parts):
                word, empty = (" and ", True) if isinstance(guard, All) else (" or ", False)
                return f"({word.join(map(self.guard, parts))})" if parts else str(empty)
            case Not(part=part):
                return f"(not {self.guard(part)})"
            case Comparison(relation=relation, left=left, right=right):
                text = self.term if relation in ("=", "!=") else self._number
                return f"({text(left)} {_PYTHON.get(relation, relation)} {text(right)})"

    def _number(self, term: Term) -> str:
        """Return the position of the colour in the order of its sort."""
        if isinstance(term.sort, Range):
            return self.term(term)
        return f"{self.sort(term.sort)}.index({self.term(term)})"
