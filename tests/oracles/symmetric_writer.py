"""Coloured nets as PNML symmetric nets (ISO/IEC 15909-2, clause 7)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from petricheck.formats.scanning.xml import checked
from petricheck.model.coloured.net import Arcs, ColouredNet
from petricheck.model.coloured.sorts import Dot, Enumeration, Partition, Product, Range, Sort
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
)
from petricheck.support.errors import InputError

_GRAMMAR = "http://www.pnml.org/version-2009/grammar"

_RELATIONS = {
    "=": "equality",
    "!=": "inequality",
    "<": "lessthan",
    "<=": "lessthanorequal",
    ">": "greaterthan",
    ">=": "greaterthanorequal",
}


def document(net: ColouredNet) -> bytes:
    """Return the net on one page; the same net gives the same bytes.

    The reader returns the same net up to the form of terms: constants of products become tuples,
    colours many steps away successors of successors, products of one factor that factor.

    Raises:
        InputError: a place and a transition share an id, or XML or PNML cannot express something.
    """
    root = Element("pnml", xmlns=f"{_GRAMMAR}/pnml")
    root.append(_Writer(net).element)
    for element in root.iter():
        for text in (*element.attrib.values(), element.text or ""):
            checked(text)
    indent(root)
    xml = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{xml}\n'.encode()


class _Writer:
    """The net's element, and the ids of all that it declares."""

    def __init__(self, net: ColouredNet) -> None:
        nodes = [place.name for place in net.places] + [t.name for t in net.transitions]
        if len({*nodes}) < len(nodes):
            raise InputError("a place and a transition share their name; rename one")
        self._ids = {*nodes, net.name, "dot"}
        self._numbers: Counter[str] = Counter()
        self._sorts: dict[Sort, str] = {}
        self._constants: dict[tuple[Sort, int], str] = {}
        self._variables: dict[Variable, str] = {}
        self.element = Element("net", {"id": net.name} if net.name else {})
        self.element.set("type", f"{_GRAMMAR}/symmetricnet")
        declaration = SubElement(self.element, "declaration")
        self._declarations = _inside(declaration, "structure", "declarations")
        page = SubElement(self.element, "page", id=self._unused("page"))
        for place in net.places:
            node = _node(page, "place", place.name, place.label)
            _inside(node, "type", "structure").append(self._sort(place.sort))
            if place.initial:
                label = _inside(node, "hlinitialMarking", "structure")
                label.append(self._multiset(place.initial, place.sort))
        for transition in net.transitions:
            node = _node(page, "transition", transition.name, transition.label)
            if transition.guard != TRUE:
                _inside(node, "condition", "structure").append(self._guard(transition.guard))
            for arcs, consumes in ((transition.pre, True), (transition.post, False)):
                self._add_arcs(page, net, transition.name, arcs, consumes=consumes)

    def _add_arcs(
        self, page: Element, net: ColouredNet, transition: str, arcs: Arcs, *, consumes: bool
    ) -> None:
        for number, multiset in arcs:
            place = net.places[number]
            ends = (place.name, transition) if consumes else (transition, place.name)
            arc = SubElement(page, "arc", id=self._unused("arc"), source=ends[0], target=ends[1])
            label = _inside(arc, "hlinscription", "structure")
            label.append(self._multiset(multiset, place.sort))

    def _unused(self, name: str) -> str:
        """Return a new id like this name that XML accepts."""
        stem = re.sub(r"[^\w.-]", "_", name)
        stem = stem if re.match(r"[^\W\d]", stem) else f"_{stem}"
        while (id_ := f"{stem}{self._numbers[stem] or ''}") in self._ids:
            self._numbers[stem] += 1
        self._ids.add(id_)
        return id_

    def _sort(self, sort: Sort) -> Element:
        """Return a reference to the sort, which is declared at its first use."""
        if sort not in self._sorts:
            self._declare(sort)
        return Element("usersort", declaration=self._sorts[sort])

    def _declare(self, sort: Sort) -> None:
        inner: Element
        match sort:
            case Dot():
                inner = Element("dot")
            case Range(first=first, last=last):
                inner = Element("finiteintrange", start=str(first), end=str(last))
            case Product(factors=factors):
                inner = _around("productsort", map(self._sort, factors), subterms=False)
            case Enumeration(constants=names, cyclic=cyclic):
                inner = Element("cyclicenumeration" if cyclic else "finiteenumeration")
                self._add_constants(inner, "feconstant", sort, names)
            case Partition(whole=whole, elements=names, part=part):
                inner = Element("partition", name=sort.name)
                inner.append(self._sort(whole))
                for number, element in enumerate(
                    self._add_constants(inner, "partitionelement", sort, names)
                ):
                    members = (colour for colour, of in enumerate(part) if of == number)
                    element.extend(self._term(Constant(whole, colour)) for colour in members)
        id_ = "dot" if isinstance(sort, Dot) else self._unused(sort.name or "sort")
        self._sorts[sort] = id_
        if isinstance(sort, Partition):
            inner.set("id", id_)
            self._declarations.append(inner)
        else:
            named = SubElement(self._declarations, "namedsort", id=id_, name=sort.name or id_)
            named.append(inner)

    def _add_constants(
        self, parent: Element, tag: str, sort: Sort, names: Sequence[str]
    ) -> list[Element]:
        elements = []
        for number, name in enumerate(names):
            id_ = self._constants[sort, number] = self._unused(name)
            elements.append(SubElement(parent, tag, id=id_, name=name))
        return elements

    def _multiset(self, multiset: Multiset, sort: Sort) -> Element:
        added, subtracted = (
            [self._summand(summand) for summand in multiset if (summand.count > 0) == positive]
            for positive in (True, False)
        )
        if not multiset:
            return _around("empty", [self._sort(sort)], subterms=False)
        if not added:
            raise InputError("an arc subtracts from no tokens at all")
        minuend = added[0] if len(added) == 1 else _around("add", added)
        return _around("subtract", [minuend, *subtracted]) if subtracted else minuend

    def _summand(self, summand: Summand) -> Element:
        names = [variable.name for variable in summand.ranging]
        ranging = [pair for pair in _occurring(summand.term) if pair[0] in names]
        if sorted(ranging) != sorted((name, True) for name in names):
            raise InputError(
                "PNML sums over all colours only where they stand once, alone or in tuples"
            )
        number = Element("numberconstant", value=str(abs(summand.count)))
        SubElement(number, "positive")
        term = self._term(summand.term, names)
        if term.tag == "all":
            return term if abs(summand.count) == 1 else _around("scalarproduct", [number, term])
        return _around("numberof", [number, term])

    def _term(self, term: Term, ranging: Sequence[str] = ()) -> Element:
        """Return the term; a ranging variable becomes <all>."""
        match term:
            case Variable(name=name, sort=sort) if name in ranging:
                return _around("all", [self._sort(sort)], subterms=False)
            case Variable():
                return Element("variable", refvariable=self._variable(term))
            case Constant(sort=sort, colour=colour):
                return self._constant(sort, colour)
            case Tuple(parts=parts):
                return _around("tuple", [self._term(part, ranging) for part in parts])
            case Shifted(term=inner, steps=steps):
                tag, shifted = "successor" if steps > 0 else "predecessor", self._term(inner)
                for _ in range(abs(steps)):
                    shifted = _around(tag, [shifted])
                return shifted
            case ElementOf(sort=sort, term=inner):
                element = _around("partitionelementof", [self._term(inner)])
                element.set("refpartition", self._sort(sort).get("declaration", ""))
                return element

    def _variable(self, variable: Variable) -> str:
        if variable not in self._variables:
            id_ = self._variables[variable] = self._unused(variable.name)
            sort = self._sort(variable.sort)
            declared = SubElement(self._declarations, "variabledecl", id=id_, name=variable.name)
            declared.append(sort)
        return self._variables[variable]

    def _constant(self, sort: Sort, colour: int) -> Element:
        match sort:
            case Dot():
                return Element("dotconstant")
            case Range(first=first, last=last):
                element = Element("finiteintrangeconstant", value=str(first + colour))
                SubElement(element, "finiteintrange", start=str(first), end=str(last))
                return element
            case Product(factors=factors):
                components = sort.components(colour)
                return _around("tuple", map(self._constant, factors, components))
        if sort not in self._sorts:
            self._declare(sort)
        return Element("useroperator", declaration=self._constants[sort, colour])

    def _guard(self, guard: Guard) -> Element:
        match guard:
            case All(parts=parts) | Some(parts=parts):
                conjunction = isinstance(guard, All)
                if not parts:
                    return Element("booleanconstant", value="true" if conjunction else "false")
                # By the standard, each connective has two parts.
                joined = partial(_around, "and" if conjunction else "or")
                return reduce(lambda left, right: joined([left, right]), map(self._guard, parts))
            case Not(part=part):
                return _around("not", [self._guard(part)])
            case Comparison(relation=relation, left=left, right=right):
                return _around(_RELATIONS[relation], map(self._term, (left, right)))


def _occurring(term: Term, *, alone: bool = True) -> Iterator[tuple[str, bool]]:
    """Yield (name of a variable, whether it occurs alone or in tuples), for each occurrence."""
    match term:
        case Variable(name=name):
            yield name, alone
        case Tuple(parts=parts):
            for part in parts:
                yield from _occurring(part, alone=alone)
        case Shifted(term=inner) | ElementOf(term=inner):
            yield from _occurring(inner, alone=False)


def _around(tag: str, parts: Iterable[Element], *, subterms: bool = True) -> Element:
    element = Element(tag)
    for part in parts:
        (SubElement(element, "subterm") if subterms else element).append(part)
    return element


def _inside(element: Element, *tags: str) -> Element:
    """Add nested new elements; return the innermost one."""
    return reduce(SubElement, tags, element)


def _node(page: Element, tag: str, id_: str, label: str) -> Element:
    node = SubElement(page, tag, id=id_)
    if label:
        _inside(node, "name", "text").text = label
    return node
