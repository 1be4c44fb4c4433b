"""The check that a net is the unfolding of its coloured net.

Let K be the colours, by place, that the unfolding has places for. The check shows:

1. Initially all tokens are in K, and the initial marking of the net is their unfolding.
2. Call a binding possible if it satisfies the guard and takes tokens of K only. The transitions of
   the net are the possible bindings, each once.
3. Each possible binding takes and puts what its transition does. So it puts tokens of K only.

By induction all tokens of reachable markings are in K. So a binding that is not possible never
fires, and both nets have the same markings and firings. `coloured.solutions` lists the possible
bindings one by one with plain integers. It shares no code with the tables that made the unfolding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import TypeAlias

from petricheck.arithmetic.formulas.text import node_text
from petricheck.evidence.audit.colours.merging import check_merging
from petricheck.model.coloured.net import Arcs, Transition, candidates
from petricheck.model.coloured.solutions import Positions, Row, tokens_of
from petricheck.model.coloured.tables import BindingTable
from petricheck.model.coloured.terms import Variable, tokens
from petricheck.model.coloured.unfolding import Unfolding, place_name
from petricheck.model.net import Net, Weights, cached_by_net
from petricheck.model.net import Transition as Unfolded
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError

_Numbers: TypeAlias = Sequence[Mapping[int, int]]
"""By place of the coloured net and colour in K, the number of the place of the unfolding."""

_STRIDE = 1 << 10
"""Bindings that are compared between two checks of the budget."""


@cached_by_net
def check_unfolding(net: Net, budget: Budget | None = None) -> None:
    """Check that the net is the unfolding of its coloured net.

    Raises:
        EvidenceError: it is not.
    """
    origin, numbers = _origin(net), numbers_of(net)
    coloured = origin.coloured
    if origin.merging is not None:
        check_merging(coloured, origin.merging)
    pairs = [(place, colour) for place, colours in enumerate(numbers) for colour in colours]
    _require(net.places == tuple(place_name(coloured, *pair) for pair in pairs), "other places")
    _require(len(net.place_numbers) == len(pairs), "two places have the same name")
    counts = {(n, c): count for n, m in enumerate(coloured.initial) for c, count in m.items()}
    _require(counts.keys() <= set(pairs), "an initial token has no place")
    _require(net.initial == tuple(counts.get(pair, 0) for pair in pairs), "another initial marking")
    _require(min(net.initial, default=0) >= 0, "a place has less than no token initially")
    *starts, end = accumulate((table.rows for table in origin.tables), initial=0)
    _require(len(net.transition_numbers) == len(net.transitions) == end, "other transitions")
    for transition, start, table in zip(coloured.transitions, starts, origin.tables, strict=True):
        unfolded = net.transitions[start : start + table.rows]
        _check_transition(transition, table, unfolded, numbers, budget or Budget())


def _check_transition(
    transition: Transition,
    table: BindingTable,
    unfolded: Sequence[Unfolded],
    numbers: _Numbers,
    budget: Budget,
) -> None:
    """Require that `unfolded` are its possible bindings, each once, with names and arcs."""
    budget.check()
    positions, rows = candidates(transition, numbers, budget)
    _require(table.columns.keys() == positions.keys(), f"{transition.name} has other variables")
    columns = [table.columns[name].tolist() for name in positions]
    bindings = zip(*columns, strict=True) if columns else [()] * table.rows
    remaining = dict(zip(bindings, unfolded, strict=True))
    _require(len(remaining) == table.rows, f"{transition.name} has a binding twice")
    pre, post = (_weights(arcs, positions, numbers) for arcs in (transition.pre, transition.post))
    name_of = _name(transition, positions)
    for row in watched(rows, budget, _STRIDE):
        if (row_pre := pre(row)) is not None:
            unfolded_transition, name = remaining.pop(row, None), name_of(row)
            if unfolded_transition is None:
                raise _error(f"{name} is left out")
            if (
                unfolded_transition.name != name
                or unfolded_transition.pre != row_pre
                or unfolded_transition.post != post(row)
            ):
                raise _error(f"{name} is not what its binding says")
    _require(not remaining, f"{transition.name} has a binding that cannot fire")


def _weights(
    arcs: Arcs, positions: Positions, numbers: _Numbers
) -> Callable[[Row], Weights | None]:
    """Return a function from bindings to their weights; None for tokens outside of K."""
    places = [place for place, _ in arcs]
    _require(places == sorted(set(places)), "two arcs are between the same nodes")
    parts = [(numbers[place], tokens_of(multiset, positions)) for place, multiset in arcs]

    def weights(row: Row) -> Weights | None:
        sums, below_zero = [], False
        for number, counts in parts:
            for colour, count in counts(row):
                if count < 0:
                    below_zero = True
                elif colour in number:
                    sums.append((number[colour], count))
                else:
                    return None
        _require(not below_zero, "an arc subtracts more than there is")
        return tuple(sorted(sums))

    return weights


def _name(transition: Transition, positions: Positions) -> Callable[[Row], str]:
    """Return a function from bindings to names of transitions of the unfolding."""

    def text(variable: Variable) -> Callable[[int], str]:
        return cache(lambda colour: f"{variable.text}={variable.sort.text(colour)}")

    texts = [(positions[variable.name], text(variable)) for variable in transition.variables]
    return lambda row: node_text(transition.name, ", ".join([text(row[n]) for n, text in texts]))


def firing(net: Net, number: int) -> Unfolded:
    """Return the transition of the unfolding, as the firing rule of the coloured net defines it.

    Raises:
        EvidenceError: its binding cannot fire.
    """
    origin, numbers = _origin(net), numbers_of(net)
    position, binding = origin.binding(number)
    transition = origin.coloured.transitions[position]
    name = transition.text(binding)
    _require(bool(transition.guard.holds(binding)), f"the guard of {name} does not hold")

    def weights(arcs: Arcs) -> Weights:
        sums = [
            (numbers[place].get(colour, -1), count)
            for place, multiset in arcs
            for colour, count in tokens(multiset, binding).items()
        ]
        _require(all(n >= 0 < count for n, count in sums), f"an arc of {name} leads nowhere")
        return tuple(sorted(sums))

    return Unfolded(name, weights(transition.pre), weights(transition.post))


def _origin(net: Net) -> Unfolding:
    if not isinstance(net.origin, Unfolding):
        raise _error("nothing says from what")
    return net.origin


@cached_by_net
def numbers_of(net: Net) -> _Numbers:
    """Return the numbers of the unfolding's places, by place of the coloured net and colour in K.

    Raises:
        EvidenceError: the place has no such colour, or one twice.
    """
    origin = _origin(net)
    numbers: list[dict[int, int]] = []
    first = 0
    for place, column in zip(origin.coloured.places, origin.colours, strict=True):
        colours = column.tolist()
        numbers.append({colour: first + n for n, colour in enumerate(colours)})
        first += len(colours)
        inside = not colours or 0 <= min(colours) <= max(colours) < place.sort.size
        _require(inside and len(numbers[-1]) == len(colours), f"{place.name} has other colours")
    return numbers


def _error(what: str) -> EvidenceError:
    return EvidenceError(f"the net is not unfolded as its colours say: {what}")


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise _error(what)
