"""A coloured net before it is unfolded: its sorts, and how large the unfolding can be.

The fields for programs are `places`, `transitions`, `arcs` (numbers), `sorts` (of each its `name`,
`kind`, `size`, and in `colours` the first ones), `sort_of` (by place), `variables` (by transition
the sort of each variable), `invariants` (as those of the net, of the tokens of all colours), and
`unfolds_to_at_most` (`places`: the sizes of their sorts together, `transitions`: the bindings,
guards aside).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from petricheck.arithmetic.formulas.formulas import Equality
from petricheck.arithmetic.formulas.json import write_facts
from petricheck.arithmetic.formulas.shown import shown_formula, shown_name
from petricheck.arithmetic.formulas.terms import Term
from petricheck.model.coloured.net import ColouredNet, Transition
from petricheck.model.coloured.skeleton import skeleton
from petricheck.model.coloured.sorts import Dot, Enumeration, Partition, Product, Range, Sort
from petricheck.model.coloured.text import sort_text
from petricheck.model.drawing.forms import sizes
from petricheck.support.words import at_most, counted, number_text, printable
from petricheck.symbolic.facts.semiflows import minimal_semiflows
from petricheck.symbolic.linear import term_of, value_at

COLOURS = 1_000
"""Of each sort, so many are in the fields."""

SHOWN = 10
"""Colours, places and transitions that are shown to people."""


def sorts_of(net: ColouredNet) -> tuple[Sort, ...]:
    """Return the sorts of places and variables, and their parts, but not that of plain tokens."""
    sorts: dict[Sort, None] = {}

    def note(sort: Sort) -> None:
        match sort:
            case Dot():
                return
            case Partition(_, whole):
                note(whole)
            case Product(_, factors):
                for factor in factors:
                    note(factor)
        sorts.setdefault(sort)

    for place in net.places:
        note(place.sort)
    for transition in net.transitions:
        for variable in transition.variables:
            note(variable.sort)
    return tuple(sorts)


def most_nodes(net: ColouredNet) -> tuple[int, int]:
    """Return a limit of the number of places and transitions of the unfolding."""
    places = sum(place.sort.size for place in net.places)
    return places, sum(transition.most_bindings for transition in net.transitions)


def most_text(net: ColouredNet) -> str:
    """Return that limit in words."""
    places, transitions = most_nodes(net)
    return f"{at_most(places, 'place')} and {at_most(transitions, 'transition')}"


def place_invariants(net: ColouredNet) -> list[Term]:
    """Return terms over places that are 0 in every reachable marking, the shortest first."""
    bare = skeleton(net)
    sums, _ = minimal_semiflows(bare)
    terms = (term_of(bare, y) - value_at(y, bare.initial) for y in sums)
    return sorted(terms, key=lambda term: len(term.coefficients))


def coloured_lines(net: ColouredNet) -> Iterator[str]:
    """Yield the net, its sorts, the largest unfoldings, and a bound for the whole unfolding."""
    yield f"coloured net {shown_name(net.name)}: {sizes(net)}"
    if sorts := sorts_of(net):
        yield f"sorts ({len(sorts)}):"
        yield from (f"  {_sort(net, sort)}" for sort in sorts)
    bound = [t for t in net.transitions if t.variables]
    if bound:
        yield f"transitions with variables ({len(bound)}), those with most bindings first:"
        bound.sort(key=lambda t: t.most_bindings, reverse=True)
        yield from (f"  {_bindings(net, transition)}" for transition in bound[:SHOWN])
        if len(bound) > SHOWN:
            yield f"  … ({len(bound) - SHOWN} more)"
    if invariants := place_invariants(net):
        yield f"place invariants of all colours together ({len(invariants)}):"
        yield from (
            f"  {shown_formula(Equality(net.shown.term(term)))}" for term in invariants[:SHOWN]
        )
        if len(invariants) > SHOWN:
            yield f"  … ({len(invariants) - SHOWN} more: --json lists all)"
    yield f"the unfolding has at most {most_text(net)}"


def _sort(net: ColouredNet, sort: Sort) -> str:
    match sort:
        case Range(_, first, last):
            what = f": {first} to {last}"
        case Product(_, factors):
            what = f": ({', '.join(map(sort_text, factors))})"
        case Partition(_, whole, elements):
            what = f", parts of {sort_text(whole)}: {_first(elements)}"
        case Enumeration(_, constants, cyclic):
            what = f"{' in a cycle' if cyclic else ''}: {_first(constants)}"
        case _:
            raise AssertionError("plain tokens have no colours")
    named = [shown_name(net.shown.place(place.name)) for place in net.places if place.sort == sort]
    places = f"; places {_first(named)}" if named else ""
    return printable(f"{sort_text(sort)}, {counted(sort.size, 'colour')}{what}{places}")


def _first(names: Any) -> str:
    more = f" … ({len(names) - SHOWN} more)" if len(names) > SHOWN else ""
    return f"{' '.join(names[:SHOWN])}{more}"


def _bindings(net: ColouredNet, transition: Transition) -> str:
    variables = ", ".join(f"{v.name} of {sort_text(v.sort)}" for v in transition.variables)
    number = number_text(transition.most_bindings)
    name = shown_name(net.shown.transition(transition.name))
    return f"{name}: {number}, {printable(variables)}"


def coloured_fields(net: ColouredNet) -> dict[str, Any]:
    """Return the fields for programs."""
    places, transitions = most_nodes(net)
    fields: dict[str, Any] = write_facts(
        {
            "places": len(net.places),
            "transitions": len(net.transitions),
            "arcs": sum(len(t.pre) + len(t.post) for t in net.transitions),
            "sorts": [
                {
                    "name": sort_text(sort),
                    "kind": type(sort).__name__.lower(),
                    "size": sort.size,
                    "colours": [sort.text(c) for c in range(min(sort.size, COLOURS))],
                }
                for sort in sorts_of(net)
            ],
            "sort_of": {place.name: sort_text(place.sort) for place in net.places},
            "variables": {
                t.name: {v.name: sort_text(v.sort) for v in t.variables} for t in net.transitions
            },
            "invariants": [
                {"sum": dict(term.coefficients), "equals": -term.constant}
                for term in place_invariants(net)
            ],
            "unfolds_to_at_most": {"places": places, "transitions": transitions},
        }
    )
    return fields
