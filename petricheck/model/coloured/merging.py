"""Colours that behave alike become one, before a net is unfolded.

Colours are merged component by component: the components of places and the variables between which
colours pass have the same classes. After the stable partitions of Bilgram, Jensen, Pedersen, Srba
and Taankvist (Methods for efficient unfolding of colored Petri nets, 2023), these are as coarse as
they may be: guards, and what is taken by constants, take them apart; and nothing is merged where a
transition takes several tokens of one colour. The audit, `evidence.audit.colours.merging`, says why
that is right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from petricheck.model import net as problem
from petricheck.model.coloured.classes import Classes, Merging, net_of_classes
from petricheck.model.coloured.net import ColouredNet, Transition
from petricheck.model.coloured.sorts import Product, Sort, basic_sorts
from petricheck.model.coloured.terms import (
    Comparison,
    Constant,
    Shifted,
    Summand,
    Term,
    Tuple,
    Variable,
    comparisons,
    variables,
)
from petricheck.model.coloured.unfolding import unfold
from petricheck.support.budget import Budget, watched

_Node: TypeAlias = tuple[str, int, int | str]
"""A component of a place, or a variable of a transition."""

_MOST = 1_000_000
"""Colours of larger sorts are not merged."""

_WORK = 50_000_000
"""Colours that all conditions together are looked at for."""


def parts(term: Term) -> Iterator[Term | None]:
    """Yield the term of each component; None if its colours are not distinguished."""
    if isinstance(term, Tuple):
        for part in term.parts:
            yield from parts(part)
    elif isinstance(term.sort, Product):
        yield from [None] * len(basic_sorts(term.sort))
    else:
        yield term


def merge(net: ColouredNet, budget: Budget | None = None) -> tuple[ColouredNet, Merging] | None:
    """Return the net with as few colours as can be, and how; None where all differ."""
    limits = budget or Budget()
    groups = _Groups(limits)
    for number, place in enumerate(net.places):
        for component, sort in enumerate(basic_sorts(place.sort)):
            groups.add(("place", number, component), sort)
        for summand in place.initial:
            for component, term in enumerate(parts(summand.term)):
                if term is None or summand.count < 0:
                    groups.keep_apart(("place", number, component))
    for number, transition in enumerate(watched(net.transitions, limits)):
        _constrain(groups, number, transition)
    merging = Merging(
        net,
        tuple(
            tuple(groups.classes("place", n, c) for c, _ in enumerate(basic_sorts(place.sort)))
            for n, place in enumerate(net.places)
        ),
        tuple(
            {
                variable.name: groups.classes("variable", n, variable.name)
                for variable in t.variables
            }
            for n, t in enumerate(net.transitions)
        ),
    )
    if not any(classes is not None for place in merging.places for classes in place):
        return None
    return net_of_classes(merging), merging


def unfold_merged(net: ColouredNet, budget: Budget) -> problem.Net | None:
    """Return the unfolded net after merging; None if all colours differ; as `unfold`."""
    if (result := merge(net, budget)) is None:
        return None
    merged, merging = result
    return unfold(merged, budget, merging)


class _Groups:
    """Components and variables between which colours pass, and the distinctions needed there."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._sorts: dict[_Node, Sort] = {}
        self._leaders: dict[_Node, _Node] = {}
        self._apart: set[_Node] = set()
        self._turning: set[_Node] = set()
        self._cuts: list[tuple[_Node, Sequence[bool]]] = []
        self._classes: dict[_Node, Classes] | None = None
        self._work = 0

    def add(self, node: _Node, sort: Sort) -> None:
        self._sorts[node] = sort
        self._leaders[node] = node
        if isinstance(sort, Product) or sort.size > _MOST:
            self._apart.add(node)

    def join(self, one: _Node, other: _Node) -> None:
        self._leaders[self._leader(one)] = self._leader(other)

    def keep_apart(self, node: _Node) -> None:
        """Make each colour a class of its own."""
        self._apart.add(node)

    def turn(self, node: _Node) -> None:
        """Record that an arc or a guard uses successors of these colours."""
        self._turning.add(node)

    def cut(self, node: _Node, guard: Comparison, name: str) -> None:
        """Record that the condition depends only on the class of the variable's colour."""
        self._budget.check()
        size = self._sorts[node].size
        self._work += size
        if self._work > _WORK:
            self._apart.add(node)
        if node not in self._apart:
            holds = np.asarray(guard.holds({name: np.arange(size)}))
            self._cuts.append((node, np.broadcast_to(holds, size).tolist()))

    def classes(self, *node: *_Node) -> Classes:
        if self._classes is None:
            self._classes = self._computed()
        return self._classes[self._leader(node)]

    def _leader(self, node: _Node) -> _Node:
        while (leader := self._leaders[node]) != node:
            self._leaders[node] = self._leaders[leader]
            node = leader
        return node

    def _computed(self) -> dict[_Node, Classes]:
        apart, turning = ({*map(self._leader, nodes)} for nodes in (self._apart, self._turning))
        cuts = defaultdict[_Node, list[Sequence[bool]]](list)
        for node, cut in self._cuts:
            cuts[self._leader(node)].append(cut)
        classes: dict[_Node, Classes] = {}
        for node in {*map(self._leader, self._sorts)}:
            self._budget.check()
            sort = self._sorts[node]
            classes[node] = None if node in apart else _classes(sort, cuts[node])
            if node in turning and any(classes[node] or ()):
                classes[node] = None
        return classes


def _classes(sort: Sort, cuts: Sequence[Sequence[bool]]) -> Classes:
    """Return classes: colours on the same side of all cuts are in the same class."""
    numbers: dict[tuple[bool, ...], int] = {}
    sides = zip(*cuts, strict=True) if cuts else [()] * sort.size
    classes = tuple(numbers.setdefault(side, len(numbers)) for side in sides)
    return classes if len(numbers) < sort.size else None


def _constrain(groups: _Groups, number: int, transition: Transition) -> None:
    """Record the distinctions that one transition makes."""
    for variable in transition.variables:
        groups.add(("variable", number, variable.name), variable.sort)
    counts = Counter[str]()
    for is_input, arcs in ((True, transition.pre), (False, transition.post)):
        for place, multiset in arcs:
            several = any(summand.count < 0 for summand in multiset) or (
                is_input and any(summand.count > 1 or summand.ranging for summand in multiset)
            )
            for summand in multiset:
                for component, term in enumerate(parts(summand.term)):
                    node = ("place", place, component)
                    if several:
                        groups.keep_apart(node)
                    _connect(groups, number, node, term, summand, is_input=is_input)
                    if is_input and term is not None:
                        counts.update(variables(term).keys() - {v.name for v in summand.ranging})
    for name, times in counts.items():
        if times > 1:
            groups.keep_apart(("variable", number, name))
    for comparison in comparisons(transition.guard):
        compared = [*(variables(comparison.left) | variables(comparison.right))]
        for name in compared:
            if len(compared) > 1:
                groups.keep_apart(("variable", number, name))
            else:
                groups.cut(("variable", number, name), comparison, name)


def _connect(
    groups: _Groups,
    number: int,
    node: _Node,
    term: Term | None,
    summand: Summand,
    *,
    is_input: bool,
) -> None:
    """Join a component of a place with the variable of a term: they have the same classes."""
    ranging = {variable.name for variable in summand.ranging}
    match term:
        case Variable(name=name) | Shifted(term=Variable(name=name)) if name not in ranging:
            groups.join(node, ("variable", number, name))
            if isinstance(term, Shifted):
                groups.turn(node)
        case Variable():
            pass
        case Constant(sort=sort) if not is_input:
            pass
        case Constant(sort=sort):
            groups.cut(node, Comparison("=", Variable("", sort), term), "")
        case _:
            groups.keep_apart(node)
            for name in variables(term) if term is not None else variables(summand.term):
                if name not in ranging:
                    groups.keep_apart(("variable", number, name))
