"""A coloured net from the nodes, arcs and declarations of its file (ISO/IEC 15909-2, clause 7).

Unsupported elements and terms of the wrong sort are refused with their line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count, product
from math import prod
from typing import Any, TypeAlias, TypeVar

from petricheck.evidence.audit.colours.differences import is_covered
from petricheck.formats.nets._assembly import connected, resolve
from petricheck.formats.nets._net_parts import Element
from petricheck.formats.nets._pnml_elements import PnmlElements
from petricheck.formats.nets._structures import Tree
from petricheck.formats.nets._symmetric_sorts import Sorts, fitting, shown_names, sort_name
from petricheck.model.coloured.net import Arcs, ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Dot, Partition, Product, Sort, has_successor, is_ordered
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
    variables,
)
from petricheck.support.errors import InputError
from petricheck.support.words import counted, quoted

_Written: TypeAlias = tuple[int, Multiset, Element]
"""An arc: number of its place, tokens, and its element."""


def assemble_coloured(elements: PnmlElements) -> tuple[ColouredNet, tuple[str, ...]]:
    """Return the net, and warnings; join its arcs in the parts. InputError where it is refused."""
    labels = _Labels(Terms(elements.declared))
    resolved = resolve(elements.parts.nodes, elements.scanner)
    nodes = [node for node in elements.parts.nodes.values() if node.reference is None]
    places = [
        labels.place(elements.nodes[node.id], node.label) for node in nodes if node.kind == "place"
    ]
    numbers = elements.parts.numbers
    sides: defaultdict[tuple[str, bool], list[_Written]] = defaultdict(list)
    joined = connected(elements.parts, resolved, elements.scanner)
    for (source, target), element in zip(joined, elements.arcs, strict=True):
        is_input = source.kind == "place"
        place, transition = (source, target) if is_input else (target, source)
        number = numbers[place.id]
        tokens = labels.inscription(element, places[number].sort)
        sides[transition.id, is_input].append((number, tokens, element))
    transitions = tuple(
        Transition(
            node.id,
            _arcs(sides[node.id, True]),
            _arcs(sides[node.id, False]),
            labels.condition(elements.nodes[node.id]),
            node.label,
        )
        for node in nodes
        if node.kind == "transition"
    )
    parallel = len(elements.arcs) - sum(len(t.pre) + len(t.post) for t in transitions)
    warnings = (f"summed parallel arcs: {parallel}",) if parallel else ()
    return ColouredNet(elements.name, tuple(places), transitions), warnings


_Value = TypeVar("_Value")

_DOT: Multiset = (Summand(1, Constant(Dot(), 0)),)


class _Labels:
    """The meaning of labels; a tree that several elements share is read once for each sort."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._values: dict[tuple[int, ...], Any] = {}

    def place(self, element: Element, label: str) -> Place:
        sort = self._read(element, "type", self._terms.sort)
        if sort is None:
            raise element.error("has no <type> with a structure; give it its sort")
        initial = self._read(element, "hlinitialMarking", self._terms.initial, sort)
        return Place(element.id, sort, initial or (), label)

    def inscription(self, element: Element, sort: Sort) -> Multiset:
        tokens = self._read(element, "hlinscription", self._terms.multiset, sort)
        if tokens is not None:
            return tokens
        if isinstance(sort, Dot):
            return _DOT
        raise element.error(
            f"has no <hlinscription>; its place is of {sort_name(sort)}, so say which tokens"
        )

    def condition(self, element: Element) -> Guard:
        return self._read(element, "condition", self._terms.guard) or TRUE

    def _read(
        self, element: Element, label: str, read: Callable[..., _Value], *sorts: Sort
    ) -> _Value | None:
        tree = element.trees.get(label)
        if tree is None:
            return None
        key = id(tree), *map(id, sorts)
        if key not in self._values:
            try:
                self._values[key] = read(tree, *sorts)
            except InputError as error:
                raise element.error_in_tree(error) from None
        value: _Value = self._values[key]
        return value


def _arcs(side: Sequence[_Written]) -> Arcs:
    """Return the arcs of one side, sorted; arcs of one place are summed."""
    sums: dict[int, list[Summand]] = {}
    negative: set[int] = set()
    for place, tokens, element in side:
        if not is_covered(tokens):
            negative.add(place)
        if place in sums and place in negative:
            raise element.error(
                "is one of several between its nodes, and one of these may subtract more than "
                "there is, which the sum of them would hide; make them one arc"
            )
        sums.setdefault(place, []).extend(tokens)
    return tuple((place, tuple(sums[place])) for place in sorted(sums))


_MOST_SUMMANDS = 1_000_000
"""The most tuples that a tuple of sums expands to."""

_RELATIONS = {
    "equality": "=",
    "inequality": "!=",
    "lessthan": "<",
    "lessthanorequal": "<=",
    "greaterthan": ">",
    "greaterthanorequal": ">=",
    "ltp": "<",
    "gtp": ">",
}
_OF_PARTITIONS = ("ltp", "gtp")


class Terms:
    """Terms of labels over the declared sorts, constants and variables."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        """Read the declarations; InputError where one is not supported, or an id repeated."""
        self._sorts = Sorts(trees)
        self.sort = self._sorts.sort
        declared = [tree for tree in trees if tree.tag == "variabledecl"]
        self._variables = {
            self._sorts.new_id(tree): Variable(name, self.sort(tree.only()))
            for tree, name in zip(declared, shown_names(declared), strict=True)
        }
        self._names = {variable.name for variable in self._variables.values()}
        self._ranging_names = self._new_names()

    def guard(self, tree: Tree) -> Guard:
        """Return a condition; InputError where it is none, or compares what cannot be compared."""
        match tree.tag:
            case "and":
                return All(tuple(map(self.guard, tree.parts())))
            case "or":
                return Some(tuple(map(self.guard, tree.parts())))
            case "not":
                return Not(self.guard(*tree.parts(1, 1)))
            case "imply":
                premise, conclusion = map(self.guard, tree.parts(2, 2))
                return Some((Not(premise), conclusion))
            case "booleanconstant":
                return _truth(tree)
        relation = _RELATIONS.get(tree.tag)
        if relation is None:
            raise tree.error("is no condition that is supported; compare colours")
        left, right = map(self.term, tree.parts(2, 2))
        if left.sort != right.sort:
            raise tree.error(
                f"compares a colour of {sort_name(left.sort)} with one of "
                f"{sort_name(right.sort)}; compare colours of one sort"
            )
        if tree.tag in _OF_PARTITIONS and not isinstance(left.sort, Partition):
            raise tree.error(
                f"compares colours of {sort_name(left.sort)}, which is no partition; compare their "
                "<partitionelementof>, or write <lessthan> or <greaterthan>"
            )
        if relation not in ("=", "!=") and not is_ordered(left.sort):
            raise tree.error(
                f"compares colours of {sort_name(left.sort)}, which have no order; compare their "
                "components"
            )
        return Comparison(relation, left, right)

    def term(self, tree: Tree) -> Term:
        """Return a term of one colour; InputError where it is none, or of several."""
        match tree.tag:
            case "variable":
                tree.require_empty()
                id_ = tree.attribute("refvariable")
                if id_ not in self._variables:
                    raise tree.error(f"names {quoted(id_)}, which is no declared variable")
                return self._variables[id_]
            case "useroperator" | "dotconstant" | "finiteintrangeconstant":
                return self._sorts.constant(tree)
            case "tuple":
                return self._tuple(tree)
            case "successor" | "predecessor":
                term = self.term(*tree.parts(1, 1))
                if not has_successor(term.sort):
                    raise tree.error(
                        f"is of {sort_name(term.sort)}, which is no cyclic enumeration; only "
                        "these have a next colour for each"
                    )
                return Shifted(term, 1 if tree.tag == "successor" else -1)
            case "partitionelementof":
                return self._element_of(tree)
            case "all" | "add" | "subtract" | "numberof" | "scalarproduct" | "empty":
                raise tree.error("stands where one colour is needed; write one")
        raise tree.error("is no term that is supported; write a variable, a constant or a tuple")

    def _tuple(self, tree: Tree) -> Term:
        """Return the tuple; one of one part is the part."""
        parts = tuple(map(self.term, tree.parts()))
        if len(parts) == 1:
            return parts[0]
        term = Tuple(parts)
        fitting(term.sort, tree)
        return term

    def multiset(self, tree: Tree, sort: Sort) -> Multiset:
        """Return tokens of a place; InputError where it is no multiset, or not of this sort."""
        self._ranging_names = self._new_names()
        return tuple(summand for summand in self._summands(tree, sort) if summand.count)

    def _new_names(self) -> Iterator[str]:
        """Yield names for ranging variables of one multiset; no other variable has them."""
        return (name for n in count() if (name := f"all {n}") not in self._names)

    def initial(self, tree: Tree, sort: Sort) -> Multiset:
        """Return the initial tokens of a place; InputError as for `multiset`, or with variables."""
        tokens = self.multiset(tree, sort)
        for summand in tokens:
            ranging = {variable.name for variable in summand.ranging}
            if free := variables(summand.term).keys() - ranging:
                raise tree.error(f"has the variable {quoted(min(free))}; initially there is none")
        return tokens

    def _element_of(self, tree: Tree) -> Term:
        partition = self._sorts.named(tree.attribute("refpartition"), tree)
        term = self.term(*tree.parts(1, 1))
        if not isinstance(partition, Partition):
            raise tree.error(f"names {sort_name(partition)}, which is no partition")
        if partition.whole != term.sort:
            raise tree.error(
                f"asks for the part of a colour of {sort_name(term.sort)}; "
                f"{sort_name(partition)} takes {sort_name(partition.whole)} apart"
            )
        return ElementOf(partition, term)

    def _summands(
        self, tree: Tree, sort: Sort, factor: int = 1, *, inner: bool = False
    ) -> Iterator[Summand]:
        """Yield the summands, times the factor; `inner`: for a part of a sum."""
        match tree.tag:
            case "add":
                for part in tree.parts():
                    yield from self._summands(part, sort, factor, inner=True)
            case "subtract":
                difference = [*self._differences(tree, sort)]
                if inner and not is_covered(difference):
                    raise tree.error(
                        "may subtract more than there is, which the sum around it would hide; "
                        "add first and subtract last"
                    )
                for summand in difference:
                    yield replace(summand, count=factor * summand.count)
            case "scalarproduct" | "numberof":
                *numbers, part = tree.parts(1, 2)
                times = _number(numbers[0]) if numbers else 1
                yield from self._summands(part, sort, factor * times, inner=inner)
            case "empty":
                for child in tree.children:
                    _check(tree, self.sort(child), sort)
            case "all":
                whole = self.sort(tree.only())
                _check(tree, whole, sort)
                variable = Variable(next(self._ranging_names), whole)
                yield Summand(factor, variable, (variable,))
            case "tuple" if len(tree.children) == 1:
                (part,) = tree.parts()
                yield from self._summands(part, sort, factor, inner=inner)
            case "tuple":
                yield from self._tuples(tree, sort, factor)
            case _:
                yield from self._tokens(tree, sort, factor)

    def _differences(self, tree: Tree, sort: Sort) -> Iterator[Summand]:
        first, *others = tree.parts()
        yield from self._summands(first, sort, inner=True)
        for part in others:
            yield from self._summands(part, sort, -1, inner=True)

    def _tuples(self, tree: Tree, sort: Sort, factor: int) -> Iterator[Summand]:
        parts = tree.parts()
        sorts = sort.factors if isinstance(sort, Product) else ()
        if len(sorts) != len(parts):
            raise tree.error(
                f"has {counted(len(parts), 'part')}; its place is of {sort_name(sort)}"
            )
        pairs = zip(parts, sorts, strict=True)
        columns = [[*self._summands(part, of, inner=True)] for part, of in pairs]
        if prod(map(len, columns)) > _MOST_SUMMANDS:
            raise tree.error(f"stands for more than {_MOST_SUMMANDS} tuples; write fewer")
        for row in product(*columns):
            ranging = tuple(variable for summand in row for variable in summand.ranging)
            times = prod(summand.count for summand in row)
            yield Summand(factor * times, Tuple(tuple(s.term for s in row)), ranging)

    def _tokens(self, tree: Tree, sort: Sort, factor: int) -> Iterator[Summand]:
        term = self.term(tree)
        of_whole = isinstance(term.sort, Partition) and term.sort.whole == sort
        if of_whole and isinstance(term, Constant) and isinstance(term.sort, Partition):
            # Where colours of the whole are needed, a part means all of its colours.
            part = (colour for colour, of in enumerate(term.sort.part) if of == term.colour)
            yield from (Summand(factor, Constant(sort, colour)) for colour in part)
            return
        _check(tree, term.sort, sort)
        yield Summand(factor, term)


def _check(tree: Tree, actual: Sort, sort: Sort) -> None:
    if actual != sort:
        raise tree.error(
            f"is of the sort {sort_name(actual)}; write one of {sort_name(sort)}, the sort of its "
            "place"
        )


def _truth(tree: Tree) -> Guard:
    tree.require_empty()
    match tree.attribute("value").strip():
        case "true" | "1":
            return TRUE
        case "false" | "0":
            return Some(())
    raise tree.error(f"is {quoted(tree.attribute('value'))}; write true or false")


def _number(tree: Tree) -> int:
    if tree.tag != "numberconstant":
        raise tree.error("stands where a number of tokens is needed; write a <numberconstant>")
    for child in tree.children:
        if child.tag not in ("positive", "natural", "integer"):
            raise child.error("is no sort of numbers")
        child.require_empty()
    value = tree.whole("value")
    if value < 0:
        raise tree.error(f"is {value}; write a number that is not negative")
    return value
