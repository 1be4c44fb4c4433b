"""Declarations, terms, multisets and guards of symmetric nets in PNML (ISO/IEC 15909-2, clause 7).

What is read is the structure alone; texts beside it are comments. What the language here has not is
refused with its line, and so is a term of the wrong sort.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod

from petricheck.coloured.sorts import (
    Dot,
    Enumeration,
    Partition,
    Product,
    Range,
    Sort,
    has_successor,
    is_ordered,
)
from petricheck.coloured.terms import (
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
from petricheck.formats._tree import Tree
from petricheck.words import quoted

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


class Declarations:
    """Sorts, constants and variables by their ids; sorts may be used before they are declared."""

    def __init__(self, trees: list[Tree]) -> None:
        """What is declared.

        Raises:
            InputError: an id stands twice, a sort is declared by itself, or is not supported.
        """
        self._sorts: dict[str, Tree] = {}
        self._resolved: dict[str, Sort] = {}
        self._resolving: list[str] = []
        self._constants: dict[str, Constant] = {}
        self._variables: dict[str, Variable] = {}
        self._ids: set[str] = set()
        self._ranging: list[Variable] = []
        for tree in trees:
            if tree.tag in ("namedsort", "partition"):
                self._sorts[self._new(tree)] = tree
            elif tree.tag != "variabledecl":
                raise tree.error("is not supported among declarations; remove it if it is unused")
        for name in self._sorts:
            self._named(name, self._sorts[name])
        for tree in trees:
            if tree.tag == "variabledecl":
                self._variables[self._new(tree)] = Variable(
                    tree.attribute("id"), self.sort(tree.only())
                )

    def sort(self, tree: Tree) -> Sort:
        """A sort that is written out or named.

        Raises:
            InputError: there is no such sort.
        """
        match tree.tag:
            case "usersort":
                return self._named(tree.attribute("declaration"), tree)
            case "dot":
                return Dot()
            case "finiteintrange":
                return self._range(tree)
            case "productsort":
                return self._product("", tree)
        raise tree.error(
            "is a sort that is not supported here; enumerations are declared by a name"
        )

    def guard(self, tree: Tree) -> Guard:
        """A condition.

        Raises:
            InputError: it is none, or compares what cannot be compared.
        """
        match tree.tag:
            case "and":
                return All(tuple(map(self.guard, tree.parts())))
            case "or":
                return Some(tuple(map(self.guard, tree.parts())))
            case "not":
                return Not(self.guard(*tree.parts(1)))
            case "imply":
                premise, conclusion = map(self.guard, tree.parts(2))
                return Some((Not(premise), conclusion))
            case "booleanconstant":
                return TRUE if tree.attribute("value").strip() == "true" else Some(())
        relation = _RELATIONS.get(tree.tag)
        if relation is None:
            raise tree.error("is no condition that is supported")
        left, right = map(self.term, tree.parts(2))
        if left.sort != right.sort:
            raise tree.error(f"compares {_name(left.sort)} with {_name(right.sort)}")
        if relation not in ("=", "!=") and not is_ordered(left.sort):
            raise tree.error(f"compares colours of {_name(left.sort)}, which have no order")
        return Comparison(relation, left, right)

    def term(self, tree: Tree) -> Term:
        """A term of one colour.

        Raises:
            InputError: it is none, or of several.
        """
        match tree.tag:
            case "variable":
                return self._known(self._variables, tree, "refvariable")
            case "useroperator":
                return self._known(self._constants, tree, "declaration")
            case "dotconstant":
                return Constant(Dot(), 0)
            case "finiteintrangeconstant":
                return self._integer(tree)
            case "tuple":
                return Tuple(tuple(map(self.term, tree.parts())))
            case "successor" | "predecessor":
                term = self.term(*tree.parts(1))
                if not has_successor(term.sort):
                    raise tree.error(f"is of {_name(term.sort)}, which is no cyclic enumeration")
                return Shifted(term, 1 if tree.tag == "successor" else -1)
            case "partitionelementof":
                partition = self._named(tree.attribute("refpartition"), tree)
                term = self.term(*tree.parts(1))
                if not isinstance(partition, Partition) or partition.whole != term.sort:
                    raise tree.error(f"asks for a part of {_name(partition)}, of another sort")
                return ElementOf(partition, term)
            case "all":
                raise tree.error("stands where one colour is needed")
        raise tree.error("is no term that is supported")

    def multiset(self, tree: Tree, sort: Sort) -> Multiset:
        """Tokens of a place.

        Raises:
            InputError: it is no multiset, or not of this sort.
        """
        return tuple(summand for summand in self._summands(tree, sort, 1) if summand.count)

    def initial(self, tree: Tree, sort: Sort) -> Multiset:
        """Tokens of a place at first.

        Raises:
            InputError: it is no multiset of this sort, or has variables.
        """
        tokens = self.multiset(tree, sort)
        for summand in tokens:
            ranging = {variable.name for variable in summand.ranging}
            if free := variables(summand.term).keys() - ranging:
                raise tree.error(f"has the variable {quoted(min(free))}; initially there is none")
        return tokens

    def _summands(self, tree: Tree, sort: Sort, count: int) -> Iterator[Summand]:
        match tree.tag:
            case "add":
                for part in tree.parts():
                    yield from self._summands(part, sort, count)
            case "subtract":
                first, *rest = tree.parts()
                yield from self._summands(first, sort, count)
                for part in rest:
                    yield from self._summands(part, sort, -count)
            case "scalarproduct" | "numberof":
                *numbers, part = tree.parts(1, 2)
                factor = _number(numbers[0]) if numbers else 1
                yield from self._summands(part, sort, count * factor)
            case "empty":
                pass
            case "all":
                whole = self.sort(tree.only())
                self._check(tree, whole, sort)
                variable = Variable(f"all {len(self._ranging)}", whole)
                self._ranging.append(variable)
                yield Summand(count, variable, (variable,))
            case "tuple":
                yield from self._tuples(tree, sort, count)
            case _:
                yield from self._tokens(tree, sort, count)

    def _tuples(self, tree: Tree, sort: Sort, count: int) -> Iterator[Summand]:
        """Tuples, in which a sum stands for each of its colours."""
        parts = tree.parts()
        factors = sort.factors if isinstance(sort, Product) else ()
        if len(factors) != len(parts):
            raise tree.error(f"has {len(parts)} parts; its place is of {_name(sort)}")
        columns = (
            [*self._summands(part, factor, 1)] for part, factor in zip(parts, factors, strict=True)
        )
        for row in product(*columns):
            ranging = tuple(variable for summand in row for variable in summand.ranging)
            times = prod(summand.count for summand in row)
            yield Summand(count * times, Tuple(tuple(summand.term for summand in row)), ranging)

    def _tokens(self, tree: Tree, sort: Sort, count: int) -> Iterator[Summand]:
        term = self.term(tree)
        of_whole = isinstance(term.sort, Partition) and term.sort.whole == sort
        if of_whole and isinstance(term, Constant) and isinstance(term.sort, Partition):
            # A part stands for each of its colours, where colours of the whole are needed.
            part = (colour for colour, of in enumerate(term.sort.part) if of == term.colour)
            yield from (Summand(count, Constant(sort, colour)) for colour in part)
            return
        self._check(tree, term.sort, sort)
        yield Summand(count, term)

    def _check(self, tree: Tree, written: Sort, sort: Sort) -> None:
        if written != sort:
            raise tree.error(f"is of the sort {_name(written)}; its place is of {_name(sort)}")

    def _integer(self, tree: Tree) -> Constant:
        (inner,) = tree.parts(1)
        sort, value = self.sort(inner), tree.whole("value")
        if not isinstance(sort, Range) or not sort.first <= value <= sort.last:
            raise tree.error(f"is {value}, which is not in its range")
        return Constant(sort, value - sort.first)

    def _known(self, table: Mapping[str, Term], tree: Tree, name: str) -> Term:
        id_ = tree.attribute(name)
        if id_ not in table:
            raise tree.error(f"names {quoted(id_)}, which is not declared")
        return table[id_]

    def _new(self, tree: Tree) -> str:
        id_ = tree.attribute("id")
        if id_ in self._ids:
            raise tree.error(f"declares {quoted(id_)} a second time")
        self._ids.add(id_)
        return id_

    def _named(self, name: str, tree: Tree) -> Sort:
        if name in self._resolved:
            return self._resolved[name]
        if name not in self._sorts:
            if name == "dot":
                return Dot()
            raise tree.error(f"names the sort {quoted(name)}, which is not declared")
        if name in self._resolving:
            raise tree.error(f"declares the sort {quoted(name)} by itself")
        self._resolving.append(name)
        declared = self._sorts[name]
        sort = (
            self._partition(declared) if declared.tag == "partition" else self._declared(declared)
        )
        self._resolving.pop()
        self._resolved[name] = sort
        return sort

    def _declared(self, tree: Tree) -> Sort:
        name, inner = tree.attributes.get("name") or tree.attribute("id"), tree.only()
        match inner.tag:
            case "cyclicenumeration" | "finiteenumeration":
                return self._enumeration(name, inner)
            case "finiteintrange":
                return self._range(inner, name)
            case "productsort":
                return self._product(name, inner)
        return self.sort(inner)

    def _enumeration(self, name: str, tree: Tree) -> Enumeration:
        constants = [(self._new(child), child) for child in tree.children]
        if not constants:
            raise tree.error("has no constants; give it one")
        names = tuple(child.attributes.get("name") or id_ for id_, child in constants)
        if len({*names}) < len(names):
            names = tuple(id_ for id_, _ in constants)
        sort = Enumeration(name, names, tree.tag == "cyclicenumeration")
        self._constants |= {id_: Constant(sort, n) for n, (id_, _) in enumerate(constants)}
        return sort

    def _range(self, tree: Tree, name: str = "") -> Range:
        first, last = tree.whole("start"), tree.whole("end")
        if first > last:
            raise tree.error(f"begins with {first} and ends with {last}; it has no colours")
        return Range(name, first, last)

    def _product(self, name: str, tree: Tree) -> Product:
        factors = tuple(map(self.sort, tree.parts()))
        if not factors:
            raise tree.error("has no factors; give it one")
        return Product(name, factors)

    def _partition(self, tree: Tree) -> Partition:
        name = tree.attributes.get("name") or tree.attribute("id")
        first, *rest = tree.children or [tree]
        whole = self.sort(first)
        part: dict[int, int] = {}
        ids = []
        for number, element in enumerate(rest):
            ids.append(self._new(element))
            for child in element.parts():
                term = self.term(child)
                if not isinstance(term, Constant) or term.sort != whole:
                    raise child.error(f"is no colour of {_name(whole)}")
                if part.setdefault(term.colour, number) != number:
                    raise child.error("is in two parts")
        if len(part) < whole.size:
            raise tree.error(f"leaves {whole.size - len(part)} colours of {_name(whole)} out")
        names = tuple(e.attributes.get("name") or id_ for id_, e in zip(ids, rest, strict=True))
        sort = Partition(name, whole, names, tuple(part[c] for c in range(whole.size)))
        self._constants |= {id_: Constant(sort, n) for n, id_ in enumerate(ids)}
        return sort


def _number(tree: Tree) -> int:
    if tree.tag != "numberconstant":
        raise tree.error("stands where a number of tokens is needed")
    value = tree.whole("value")
    if value < 0:
        raise tree.error(f"is {value}; write a number that is not negative")
    return value


def _name(sort: Sort) -> str:
    """A sort as errors call it."""
    if isinstance(sort, Product) and not sort.name:
        return f"({', '.join(map(_name, sort.factors))})"
    return sort.name or (f"{sort.first}..{sort.last}" if isinstance(sort, Range) else "dot")
