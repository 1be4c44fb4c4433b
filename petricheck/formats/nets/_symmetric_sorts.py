"""Sorts of symmetric nets in PNML and their constants (ISO/IEC 15909-2, clause 7).

Unsupported elements are refused with their line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count, repeat
from typing import TypeVar

from petricheck.formats.nets._structures import CONSTANT, ENUMERATIONS, Tree
from petricheck.formats.scanning.xml import line_ends
from petricheck.model.coloured.sorts import (
    MOST_COLOURS,
    MOST_COMPONENTS,
    Dot,
    Enumeration,
    Partition,
    Product,
    Range,
    Sort,
    width,
)
from petricheck.model.coloured.terms import Constant
from petricheck.model.coloured.text import sort_text
from petricheck.support.words import counted, quoted

_Sized = TypeVar("_Sized", Product, Range)

_DEEPEST = 100
"""The greatest depth of sorts that consist of others, or name them."""


class Sorts:
    """Sorts and constants by their ids; sorts may be used before they are declared."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        """Read the declarations of sorts, skip those of variables; InputError as for `named`."""
        self._declared: dict[str, Tree] = {}
        self._resolved: dict[str, Sort] = {}
        self._resolving: dict[str, None] = {}
        self._depth = 0
        self._constants: dict[str, tuple[Sort, int]] = {}
        self._ids: set[str] = set()
        for tree in trees:
            if tree.tag in ("namedsort", "partition"):
                self._declared[self.new_id(tree)] = tree
            elif tree.tag != "variabledecl":
                raise tree.error("is not supported among declarations; remove it if it is unused")
        texts = shown_names([*self._declared.values()])
        self._names = dict(zip(self._declared, texts, strict=True))
        for name, tree in self._declared.items():
            self.named(name, tree)

    def new_id(self, tree: Tree) -> str:
        """Return the id of a declaration; InputError where another one has it."""
        id_ = tree.attribute("id")
        if id_ in self._ids:
            raise tree.error(f"declares {quoted(id_)} a second time; make ids unique")
        self._ids.add(id_)
        return id_

    def named(self, name: str, tree: Tree) -> Sort:
        """Return the sort that the tree names; InputError where there is none, or a circle."""
        if name in self._resolved:
            return self._resolved[name]
        if name not in self._declared:
            if name == "dot":
                return Dot()
            raise tree.error(f"names the sort {quoted(name)}, which is not declared")
        if name in self._resolving:
            raise tree.error(f"declares the sort {quoted(name)} by itself; break the circle")
        self._resolving[name] = None
        declared = self._declared[name]
        read = self._partition if declared.tag == "partition" else self._named_sort
        sort = self._resolved[name] = read(declared)
        del self._resolving[name]
        return sort

    def sort(self, tree: Tree) -> Sort:
        """Return a sort that is written out or named; InputError where there is no such sort."""
        if self._depth == _DEEPEST:
            raise tree.error(f"is a sort in more than {_DEEPEST} others; flatten them")
        self._depth += 1
        sort = self._sort(tree)
        self._depth -= 1
        return sort

    def _sort(self, tree: Tree) -> Sort:
        match tree.tag:
            case "usersort":
                tree.require_empty()
                return self.named(tree.attribute("declaration"), tree)
            case "dot":
                tree.require_empty()
                return Dot()
            case "finiteintrange":
                return self._range(tree)
            case "productsort":
                return self._product("", tree)
            case tag if tag in ENUMERATIONS:
                raise tree.error("stands without a name; declare it in a <namedsort>")
        raise tree.error(
            "is a sort that is not supported; write a dot, a range, a product or a declared sort"
        )

    def constant(self, tree: Tree) -> Constant:
        """Return a constant that is named or written out; InputError where there is none."""
        match tree.tag:
            case "useroperator":
                tree.require_empty()
                id_ = tree.attribute("declaration")
                if id_ not in self._constants:
                    raise tree.error(f"names {quoted(id_)}, which is no declared constant")
                return Constant(*self._constants[id_])
            case "dotconstant":
                tree.require_empty()
                return Constant(Dot(), 0)
            case "finiteintrangeconstant":
                sort, value = self.sort(tree.only()), tree.whole("value")
                if not isinstance(sort, Range) or not sort.first <= value <= sort.last:
                    raise tree.error(f"is not in {sort_name(sort)}")
                return Constant(sort, value - sort.first)
        raise tree.error("is no constant; write one of the sort's own")

    def _named_sort(self, tree: Tree) -> Sort:
        name, inner = self._names[tree.attribute("id")], tree.only()
        match inner.tag:
            case tag if tag in ENUMERATIONS:
                return self._enumeration(name, inner)
            case "finiteintrange":
                return self._range(inner, name)
            case "productsort":
                return self._product(name, inner)
        return self.sort(inner)

    def _enumeration(self, name: str, tree: Tree) -> Enumeration:
        ids, names = self._constants_of(tree)
        constants = names if len({*names}) == len(names) else ids
        sort = Enumeration(name, tuple(constants), tree.tag == "cyclicenumeration")
        self._constants.update(zip(ids, zip(repeat(sort), count()), strict=False))
        return sort

    def _constants_of(self, tree: Tree) -> tuple[Sequence[str], Sequence[str]]:
        if not tree.children:
            raise tree.error("has no constants; give it one")
        pairs: list[tuple[str, str]] = []
        for child in tree.children:
            if child.tag != "feconstant":
                raise child.error("is no constant of an enumeration; write <feconstant>")
            child.require_empty()
            pairs.append((self.new_id(child), child.attributes.get("name", "")))
            if child.run:
                run = CONSTANT.findall(child.run)
                new_ids = {id_ for id_, _ in run}
                if len(new_ids) < len(run) or not self._ids.isdisjoint(new_ids):
                    self._refuse_repeated(child)
                self._ids |= new_ids
                pairs += run
        ids, names = zip(*pairs, strict=True)
        return ids, tuple(name or id_ for id_, name in pairs) if "" in names else names

    def _refuse_repeated(self, first: Tree) -> None:
        for match in CONSTANT.finditer(first.run):
            if match[1] in self._ids:
                line = first.line + line_ends(first.run[: match.start(1)])
                self.new_id(replace(first, attributes={"id": match[1]}, line=line))
            self._ids.add(match[1])

    def _range(self, tree: Tree, name: str = "") -> Range:
        tree.require_empty()
        first, last = tree.whole("start"), tree.whole("end")
        if first > last:
            raise tree.error(f"begins with {first} and ends with {last}; it has no colours")
        return fitting(Range(name, first, last), tree)

    def _product(self, name: str, tree: Tree) -> Sort:
        """Return the product; one of one factor is the factor, as a tuple of one part the part."""
        factors = tuple(map(self.sort, tree.parts()))
        return factors[0] if len(factors) == 1 else fitting(Product(name, factors), tree)

    def _partition(self, tree: Tree) -> Partition:
        elements = [child for child in tree.children if child.tag == "partitionelement"]
        others = [child for child in tree.children if child.tag != "partitionelement"]
        if len(others) != 1:
            raise tree.error(f"is of {counted(len(others), 'sort')}; name the one it takes apart")
        base = self.sort(others[0])
        part: dict[int, int] = {}
        for number, element in enumerate(elements):
            for child in element.parts():
                constant = self.constant(child)
                if constant.sort != base:
                    raise child.error(f"is of {sort_name(constant.sort)}, not {sort_name(base)}")
                if constant.colour in part:
                    raise child.error("stands in the partition twice; leave it in one part")
                part[constant.colour] = number
        if len(part) < base.size:
            missing = counted(base.size - len(part), "colour")
            raise tree.error(f"leaves out {missing} of {sort_name(base)}; put each in a part")
        parts = tuple(part[colour] for colour in range(base.size))
        sort = Partition(self._names[tree.attribute("id")], base, shown_names(elements), parts)
        for number, element in enumerate(elements):
            self._constants[self.new_id(element)] = sort, number
        return sort


def fitting(sort: _Sized, tree: Tree) -> _Sized:
    """Return the sort; InputError where it has too many colours or components."""
    if width(sort) > MOST_COMPONENTS:
        raise tree.error(f"has more than {MOST_COMPONENTS} components; no more are supported")
    if sort.size > MOST_COLOURS:
        raise tree.error(f"has more than {MOST_COLOURS} colours; no more are supported")
    return sort


def shown_name(tree: Tree) -> str:
    return tree.attributes.get("name") or tree.attribute("id")


def shown_names(trees: Sequence[Tree]) -> tuple[str, ...]:
    """Return the names of these declarations for people; ids where two names are equal."""
    names = tuple(map(shown_name, trees))
    return names if len({*names}) == len(names) else tuple(t.attribute("id") for t in trees)


def sort_name(sort: Sort) -> str:
    return quoted(sort_text(sort))[1:-1]
