"""The colours of variables that satisfy conditions, one solution after the other.

Plain loops over plain integers, apart from the tables of the unfolding and slower: what is enabled
follows from these alone. Terms are compiled to functions of a row, which has the colours of the
variables that are known so far; each step makes longer rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count, product
from typing import TypeAlias, TypeVar

from petricheck.model.coloured.sorts import Sort
from petricheck.model.coloured.terms import (
    COMPARED,
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
    conjuncts,
    variables,
)
from petricheck.support.budget import Budget, watched

Row: TypeAlias = tuple[int, ...]
"""Colours of variables, in the order in which they got known."""

Positions: TypeAlias = dict[str, int]
"""Where in a row the colour of each variable is."""


_Given = TypeVar("_Given")

_Step: TypeAlias = Callable[[Row], Iterable[Row]]
"""Returns the rows that extend one by further variables."""

_STRIDE = 1 << 10
"""So many rows cost about as much as one look at the budget."""


def colour_of(term: Term, at: Positions) -> Callable[[Row], int]:
    """Return the colour of the term as a function of the row."""
    match term:
        case Variable(name=name):
            position = at[name]
            return lambda row: row[position]
        case Constant(colour=colour):
            return lambda row: colour
        case Shifted(term=inner, steps=steps):
            before, size = colour_of(inner, at), term.sort.size
            return lambda row: (before(row) + steps) % size
        case ElementOf(sort=sort, term=inner):
            whole, part = colour_of(inner, at), sort.part
            return lambda row: part[whole(row)]
        case Tuple(parts=parts):
            pairs = [*zip(parts, term.sort.strides, strict=True)]
            if all(isinstance(part, Variable) for part in parts):
                known = [(at[part.name], n) for part, n in pairs if isinstance(part, Variable)]
                return lambda row: sum([row[position] * n for position, n in known])
            weighted = [(colour_of(part, at), n) for part, n in pairs]
            return lambda row: sum([colour(row) * n for colour, n in weighted])


def truth_of(guard: Guard, at: Positions) -> Callable[[Row], bool]:
    """Return whether the guard holds as a function of the row."""
    match guard:
        case Comparison(relation=relation, left=left, right=right):
            compared, one, other = COMPARED[relation], colour_of(left, at), colour_of(right, at)
            return lambda row: compared(one(row), other(row))
        case Not(part=inner):
            holds = truth_of(inner, at)
            return lambda row: not holds(row)
        case All(parts=parts):
            return every([truth_of(part, at) for part in parts])
        case Some(parts=parts):
            return some([truth_of(part, at) for part in parts])


def every(truths: Sequence[Callable[[_Given], bool]]) -> Callable[[_Given], bool]:
    """Return whether all hold; for millions of rows, a loop is faster than a generator."""

    def holds(given: _Given) -> bool:
        for truth in truths:  # noqa: SIM110
            if not truth(given):
                return False
        return True

    return truths[0] if len(truths) == 1 else holds


def some(truths: Sequence[Callable[[_Given], bool]]) -> Callable[[_Given], bool]:
    """Return whether one holds."""

    def holds(given: _Given) -> bool:
        for truth in truths:  # noqa: SIM110
            if truth(given):
                return True
        return False

    return truths[0] if len(truths) == 1 else holds


def tokens_of(multiset: Multiset, at: Positions) -> Callable[[Row], Iterable[tuple[int, int]]]:
    """Return a function of the row: colours, all different, with their counts, without zeros."""
    if len(multiset) == 1 and multiset[0].count and not multiset[0].ranging:
        colour, count = colour_of(multiset[0].term, at), multiset[0].count
        return lambda row: ((colour(row), count),)
    summands = []
    for summand in multiset:
        positions = at | {v.name: len(at) + n for n, v in enumerate(summand.ranging)}
        ranges = [range(variable.sort.size) for variable in summand.ranging]
        summands.append((colour_of(summand.term, positions), summand.count, ranges))

    def tokens(row: Row) -> Iterable[tuple[int, int]]:
        counts: dict[int, int] = defaultdict(int)
        for colour, count, ranges in summands:
            for more in product(*ranges):
                counts[colour(row + more)] += count
        return [(colour, count) for colour, count in counts.items() if count]

    return tokens


def solutions(
    sorts: Mapping[str, Sort],
    guard: Guard,
    members: Sequence[tuple[Term, Iterable[int]]],
    budget: Budget | None = None,
) -> tuple[Positions, Iterator[Row]]:
    """Return the bindings that satisfy the guard and give some terms one of their colours.

    Of a term in which a part of a partition occurs, this part may be another. Guard and members
    have no variables but those with sorts; the colours of a member are all different. The bindings
    are rows, each once; the positions say where in them each variable is.

    Raises:
        BudgetExhausted: time or memory ran out, maybe while the rows are listed.
    """
    limits, at = budget or Budget(), dict[str, int]()
    steps: list[_Step] = [lambda row: (row,)]
    conditions = [(variables(part).keys(), part) for part in conjuncts(guard)]
    readings = [(Reading(term), colours) for term, colours in members]
    relations = [
        (reading.names, dict.fromkeys(reading.rows(watched(colours, limits, _STRIDE))))
        for reading, colours in readings
    ]

    def know(names: Iterable[str]) -> None:
        for name in names:
            at.setdefault(name, len(at))

    while True:
        limits.check()
        known = [part for names, part in conditions if names <= at.keys()]
        if known:
            conditions = [pair for pair in conditions if not pair[0] <= at.keys()]
            steps[-1] = _filtered(steps[-1], truth_of(All(tuple(known)), at))
        before = len(steps)
        for side, reading in equations(watched((c for _, c in conditions), limits), at):
            steps.append(_solved(colour_of(side, at), reading, at))
            know(reading.names)
        if len(steps) > before:
            continue
        if relations:
            best = min(
                watched(relations, limits, 1), key=lambda pair: _growth(pair[0], pair[1], at)
            )
            relations.remove(best)
            steps.append(_joined(*best, at))
            know(best[0])
        elif left := {name: sort.size for name, sort in sorts.items() if name not in at}:
            name = min(left, key=left.__getitem__)
            steps.append(_ranging(left[name]))
            know((name,))
        else:
            return at, _rows(steps, limits)


def _rows(steps: Sequence[_Step], budget: Budget) -> Iterator[Row]:
    """Yield the rows after all steps, depth first: there may be thousands of steps."""
    *inner, last = steps
    pending: list[Iterator[Row]] = [iter([()])]
    for number in count():
        if number % _STRIDE == 0:
            budget.check()
        row = next(pending[-1], None)
        if row is None:
            pending.pop()
            if not pending:
                return
        elif len(pending) > len(inner):
            yield from last(row)
        else:
            pending.append(iter(inner[len(pending) - 1](row)))


class Reading:
    """The colours of variables, all different, by `names`, as functions of a term's colour."""

    def __init__(self, term: Term) -> None:
        readers: dict[str, Callable[[int], int]] = {}
        self._tests: list[tuple[Callable[[int], int], Callable[[int], int]]] = []
        for leaf, reader in _leaves(term, lambda colour: colour):
            if isinstance(leaf, Constant):
                self._tests.append((reader, _always(leaf.colour)))
            elif leaf.name in readers:
                self._tests.append((reader, readers[leaf.name]))
            else:
                readers[leaf.name] = reader
        self.names = tuple(readers)
        self._readers = tuple(readers.values())

    def rows(self, colours: Iterable[int]) -> Iterator[Row]:
        """Yield the variables' colours for each of these of the term that it can have."""
        for colour in colours:
            if (row := self.row(colour)) is not None:
                yield row

    def row(self, colour: int) -> Row | None:
        """Return the variables' colours for this one of the term; None where it cannot have it."""
        for one, other in self._tests:
            if one(colour) != other(colour):
                return None
        return tuple([read(colour) for read in self._readers])


def _leaves(
    term: Term, reader: Callable[[int], int]
) -> Iterator[tuple[Variable | Constant, Callable[[int], int]]]:
    """Yield variables and constants, with their colours as functions of the term's."""
    match term:
        case Variable() | Constant():
            yield term, reader
        case Shifted(term=inner, steps=steps):
            size = term.sort.size
            yield from _leaves(inner, lambda colour: (reader(colour) - steps) % size)
        case Tuple(parts=parts):
            whole = term.sort
            for part, factor, stride in zip(parts, whole.factors, whole.strides, strict=True):
                yield from _leaves(part, _component(reader, stride, factor.size))


def _always(constant: int) -> Callable[[int], int]:
    return lambda colour: constant


def _component(reader: Callable[[int], int], stride: int, size: int) -> Callable[[int], int]:
    return lambda colour: reader(colour) // stride % size


def equations(conditions: Iterable[Guard], at: Positions) -> Iterator[tuple[Term, Reading]]:
    """Return pairs of a term without free variables and an equal one that determines variables."""
    for condition in conditions:
        if isinstance(condition, Comparison) and condition.relation == "=":
            sides = condition.left, condition.right
            for side, unknown in (sides, sides[::-1]):
                if variables(side).keys() <= at.keys():
                    reading = Reading(unknown)
                    if not set(reading.names) <= at.keys():
                        yield side, reading


def _growth(names: Sequence[str], rows: Collection[Row], at: Positions) -> float:
    """Return the average factor by which a join multiplies the rows."""
    shared = [number for number, name in enumerate(names) if name in at]
    return len(rows) / max(1, len({tuple([row[n] for n in shared]) for row in rows}))


def _filtered(step: _Step, holds: Callable[[Row], bool]) -> _Step:
    """Return the step, after which only rows are left for which this holds."""
    return lambda row: filter(holds, step(row))


def _solved(side: Callable[[Row], int], reading: Reading, at: Positions) -> _Step:
    """Return the step to an equation's variables; the equation may still fail."""
    additions = [number for number, name in enumerate(reading.names) if name not in at]
    return lambda row: (
        row + tuple([more[number] for number in additions]) for more in reading.rows((side(row),))
    )


def _joined(names: Sequence[str], others: Iterable[Row], at: Positions) -> _Step:
    """Return the step to each of the others that agrees about the variables that both have."""
    shared = [number for number, name in enumerate(names) if name in at]
    additions = [number for number, name in enumerate(names) if name not in at]
    index: dict[Row, list[Row]] = defaultdict(list)
    for other in others:
        key = tuple([other[number] for number in shared])
        index[key].append(tuple([other[number] for number in additions]))
    positions = [at[names[number]] for number in shared]
    return lambda row: (row + more for more in index.get(tuple([row[n] for n in positions]), ()))


def _ranging(size: int) -> _Step:
    return lambda row: ((*row, colour) for colour in range(size))
