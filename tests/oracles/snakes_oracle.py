"""Coloured nets as those of SNAKES, whose firing is a second opinion on ours.

SNAKES binds variables by arcs from places alone, labelled with values, variables and tuples of
these. All else that such an arc takes becomes a variable more, which the guard makes equal to it.
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from keyword import iskeyword
from math import prod
from typing import Any

from petricheck.formats.libraries import MAX_COPIES
from petricheck.model.coloured.net import ColouredNet, Transition
from petricheck.model.coloured.sorts import (
    Dot,
    Enumeration,
    Partition,
    Product,
    Quotient,
    Range,
    Sort,
    value,
)
from petricheck.model.coloured.terms import (
    TRUE,
    All,
    Comparison,
    Constant,
    ElementOf,
    Guard,
    Multiset,
    Not,
    Shifted,
    Some,
    Summand,
    Term,
    Tuple,
    Variable,
    tokens,
)
from petricheck.support.errors import InputError

SOURCE = "all "
"""How names begin of places that hold all colours of a sort, so that tests of them bind variables.
"""

_PYTHON = {"=": "=="}


def coloured_to_snakes(net: ColouredNet) -> Any:
    """Return the net as a `snakes.nets.PetriNet`.

    Raises:
        InputError: SNAKES cannot hold it.
    """
    return _Writer(net).net


class _Writer:
    """The net of SNAKES, and what its parts need to know of each other."""

    def __init__(self, net: ColouredNet) -> None:
        self._snakes = importlib.import_module("snakes.nets")
        self.net = self._snakes.PetriNet(net.name)
        names = (variable.name for t in net.transitions for variable in t.variables)
        self._python = _Expressions(self.net, names)
        self._places = net.places
        self._names = {*(place.name for place in net.places), *(t.name for t in net.transitions)}
        self._sources: dict[tuple[str, Sort], str] = {}
        self._conditions: list[str] = []
        plain = all(isinstance(place.sort, Dot) for place in net.places)
        if not plain or any(t.variables or t.guard != TRUE for t in net.transitions):
            self._python.declare("from snakes.nets import dot")
        for place in net.places:
            self._python.sort(place.sort)
            self._add_place(place.name, place.sort, tokens(place.initial, {}))
        for transition in net.transitions:
            self._add_transition(transition)

    def _add_place(self, name: str, sort: Sort, initial: Mapping[int, int]) -> None:
        black = isinstance(sort, Dot)
        place = self._snakes.Place(name, [], self._snakes.tBlackToken if black else _type_of(sort))
        for colour, count in initial.items():
            # By their number: the constructor would count them one by one.
            place.tokens.add([value_of(sort, colour)], count)
        self.net.add_place(place)

    def _add_transition(self, transition: Transition) -> None:
        name = transition.name
        if self.net.has_node(name):
            raise InputError(
                f"{name!r} is both a place and a transition, which SNAKES cannot hold; rename one"
            )
        guard = transition.guard
        self._conditions = [] if guard == TRUE else [self._python.guard(guard)]
        inputs = [(p, self._input_arcs(_summands(m, transition))) for p, m in transition.pre]
        outputs = [(p, self._output_arcs(_summands(m, transition))) for p, m in transition.post]
        bound = {v for _, labels in inputs for label in labels for v in label.vars()}
        condition = self._expression(" and ".join(self._conditions) or "True")
        self.net.add_transition(self._snakes.Transition(name, condition))
        for add, arcs in ((self.net.add_input, inputs), (self.net.add_output, outputs)):
            for place, labels in arcs:
                if labels:
                    label = labels[0] if len(labels) == 1 else self._snakes.MultiArc(labels)
                    add(self._places[place].name, name, label)
        unbound = [v for v in transition.variables if self._python.variable(v) not in bound]
        for variable in unbound:
            if variable.sort.size > MAX_COPIES:
                raise InputError(
                    f"transition {name!r} has the variable {variable.name!r}, which no arc from a "
                    f"place binds; only sorts of up to {MAX_COPIES} colours are listed for SNAKES"
                )
            spelled = self._python.variable(variable)
            self._add_test(name, spelled, variable.sort, self._snakes.Variable(spelled))
        if not unbound and not any(labels for _, labels in inputs):
            # SNAKES lists no modes of a transition that takes nothing.
            self._add_test(name, "dots", Dot(), self._snakes.Value(self._snakes.dot))

    def _add_test(self, transition: str, what: str, sort: Sort, label: Any) -> None:
        """Add to the transition a test of a place that holds all colours of a sort."""
        if (place := self._sources.get((what, sort))) is None:
            place = f"{SOURCE}{what}"
            while place in self._names:
                place += "'"
            self._names.add(place)
            self._sources[what, sort] = place
            self._add_place(place, sort, dict.fromkeys(range(sort.size), 1))
        self.net.add_input(place, transition, self._snakes.Test(label))

    def _input_arcs(self, summands: list[tuple[int, Term]]) -> list[Any]:
        """Return the inscription of an arc from a place."""
        if all(count > 0 for count, _ in summands):
            return [label for k, term in summands for label in [self._pattern(term)] * k]
        names = [self._python.unused("taken") for _ in range(sum(k for k, _ in summands))]
        self._conditions.append(f"[{', '.join(names)}] == {self._difference(summands)}")
        return [self._snakes.Variable(name) for name in names]

    def _output_arcs(self, summands: list[tuple[int, Term]]) -> list[Any]:
        """Return the inscription of an arc to a place."""
        if all(count > 0 for count, _ in summands):
            return [label for k, term in summands for label in [self._annotation(term)] * k]
        return [self._snakes.Flush(self._difference(summands))]

    def _pattern(self, term: Term) -> Any:
        """Return the pattern that binds the variables of a term."""
        match term:
            case Tuple(parts=parts):
                return self._snakes.Tuple([self._pattern(part) for part in parts])
            case Shifted() | ElementOf():
                name = self._python.unused("taken")
                self._conditions.append(f"{name} == {self._python.term(term)}")
                return self._snakes.Variable(name)
        return self._annotation(term)

    def _annotation(self, term: Term) -> Any:
        match term:
            case Variable():
                return self._snakes.Variable(self._python.variable(term))
            case Constant(sort=sort, colour=colour):
                return self._snakes.Value(value_of(sort, colour))
            case Tuple(parts=parts):
                return self._snakes.Tuple([self._annotation(part) for part in parts])
        return self._expression(self._python.term(term))

    def _difference(self, summands: list[tuple[int, Term]]) -> str:
        """Return a list of tokens, from which others are taken away."""
        self._python.declare("from collections import Counter")
        texts = [(count, self._python.term(term)) for count, term in summands]
        plus, minus = (
            ", ".join(text for count, text in texts for _ in range(count * sign))
            for sign in (1, -1)
        )
        return f"list((Counter([{plus}]) - Counter([{minus}])).elements())"

    def _expression(self, text: str) -> Any:
        try:
            return self._snakes.Expression(text)
        except (MemoryError, RecursionError, SyntaxError):
            raise InputError("a guard or term is nested too deep for Python's parser") from None


def _type_of(sort: Sort) -> Any:
    """Return the type of tokens of a sort."""
    snakes = importlib.import_module("snakes.nets")
    match sort:
        case Dot():
            return snakes.OneOf(snakes.dot)  # unlike tBlackToken it lists what it holds
        case Range(first=first, last=last):
            return snakes.Range(first, last + 1)
        case Product(factors=factors):
            return snakes.CrossProduct(*map(_type_of, factors))
        case Enumeration(constants=values) | Partition(elements=values):
            return snakes.OneOf(*values)


def _summands(multiset: Multiset, transition: Transition) -> list[tuple[int, Term]]:
    """Return counts, not 0, and different terms, in which no variable ranges any more."""
    size = sum(abs(s.count) * prod(v.sort.size for v in s.ranging) for s in multiset)
    if size > MAX_COPIES:
        raise InputError(
            f"transition {transition.name!r} has an arc of weight {size}, but SNAKES spells out "
            f"every token of an arc; weights up to {MAX_COPIES} are converted"
        )
    counts: Counter[Term] = Counter()
    for summand in multiset:
        for term in _instances(summand):
            counts[term] += summand.count
    return [(count, term) for term, count in counts.items() if count]


def _instances(summand: Summand) -> Iterator[Term]:
    names = [variable.name for variable in summand.ranging]
    for colours in product(*(range(variable.sort.size) for variable in summand.ranging)):
        yield _with(summand.term, dict(zip(names, colours, strict=True)))


def _with(term: Term, colours: Mapping[str, int]) -> Term:
    """Return the term with colours for some variables."""
    match term:
        case Variable(name=name, sort=sort):
            return Constant(sort, colours[name]) if name in colours else term
        case Tuple(parts=parts):
            return Tuple(tuple(_with(part, colours) for part in parts))
        case Shifted(term=inner, steps=steps):
            return Shifted(_with(inner, colours), steps)
        case ElementOf(sort=sort, term=inner):
            return ElementOf(sort, _with(inner, colours))
    return term


def value_of(sort: Sort, colour: int) -> Any:
    """Return the colour as a token."""
    return value(sort, colour, importlib.import_module("snakes.nets").dot)


class _Expressions:
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
