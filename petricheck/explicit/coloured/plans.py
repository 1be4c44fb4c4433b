"""Bindings of a transition that the tokens of a marking enable, drawn at random.

A plan begins at one input arc, of which some token says what its variables are. Each further step
names more variables: by an equation of the guard, by a token that agrees with those known so far,
or, where nothing speaks of a variable, by any colour of its sort. Conditions are tested where their
variables are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import filterfalse
from math import prod
from random import Random
from typing import NamedTuple, TypeAlias

from petricheck.explicit.coloured.tokens import ColourRows, ColourTokens, Index, picked
from petricheck.model.coloured.net import Binding, Transition
from petricheck.model.coloured.solutions import (
    Positions,
    Reading,
    Row,
    colour_of,
    equations,
    every,
    tokens_of,
    truth_of,
)
from petricheck.model.coloured.terms import (
    ElementOf,
    Shifted,
    Term,
    Tuple,
    Variable,
    conjuncts,
    size,
    variables,
)
from petricheck.support.errors import BudgetExhausted, Ending

TRIES = 50_000
"""So many colours are tried for one binding."""

_FEW = 3
"""So many colours are a few."""

Held: TypeAlias = Sequence[ColourTokens]
"""The tokens of each place."""

Change: TypeAlias = tuple[int, int, int]
"""A place, a colour, and how many tokens of it."""

_Step: TypeAlias = Callable[[Row], Row | None]
"""Returns a complete row that extends this one; None where there is none."""

_Maker: TypeAlias = Callable[[_Step], _Step]
"""Returns a step that goes on with this one."""


class _Arc(NamedTuple):
    """What is taken from a place: so many tokens of a term, or of all that it is in a range."""

    place: int
    term: Term
    amount: int
    ranging: tuple[Variable, ...]

    @property
    def names(self) -> Sequence[str]:
        """The variables that have one colour under a binding."""
        ranging = {variable.name for variable in self.ranging}
        return [name for name in variables(self.term) if name not in ranging]


class Draws:
    """Where the search for a colour begins: anywhere, or at one of a few.

    With few colours different transitions take the same ones, and what was begun goes on. These are
    the tokens that came last, and the last colours of a sort.

    Attributes:
        few: whether it begins at one of a few colours.
    """

    def __init__(self, random: Random) -> None:
        self.few = False
        self._random = random.random

    def begin(self, size: int) -> int:
        """Return the position of the first one of so many colours to try."""
        if self.few:
            return size - 1 - int(self._random() * min(size, _FEW))
        return int(self._random() * size)


class Enabled(NamedTuple):
    """A binding under which a transition is enabled: a complete row of a plan.

    Attributes:
        plan: says where in the row each variable is.
        row: colours.
        taken: what the transition takes, each place and colour once.
    """

    plan: Plan
    row: Row
    taken: Sequence[Change]

    @property
    def binding(self) -> Binding:
        """The colours of the variables."""
        return {name: self.row[position] for name, position in self.plan.at.items()}

    def put(self) -> list[Change]:
        """Return what the transition puts, each place and colour once."""
        return [(n, c, k) for n, tokens in self.plan.put for c, k in tokens(self.row)]


class BindingSearch:
    """A transition whose bindings are drawn from tokens, which change between two draws.

    Attributes:
        transition: the transition.
        inputs: the places from which it takes.
    """

    def __init__(
        self, transition: Transition, held: Held, totals: Sequence[int], draws: Draws
    ) -> None:
        self.transition = transition
        self.inputs = tuple(place for place, _ in transition.pre)
        self._arcs = _taking_arcs(transition)
        self._beginnings = [
            (held[arc.place].counts, n) for n, arc in enumerate(self._arcs) if not arc.ranging
        ]
        self._needed = [(place, size(multiset)) for place, multiset in transition.pre]
        self._held, self._totals, self._draws = held, totals, draws
        self._plans: dict[int, Plan] = {}
        self._subtracting = {*self.inputs} - {arc.place for arc in self._arcs}

    def draw(self) -> Enabled | None:
        """Return a binding under which it is enabled; None without any.

        Raises:
            BudgetExhausted: none was found in `TRIES`.
        """
        if not self._has_enough():
            return None
        sizes = [(len(counts), number) for counts, number in self._beginnings]
        return self._plan(min(sizes)[1] if sizes else -1).draw()

    def draw_with(self, place: int, colour: int) -> Enabled | None:
        """Return such a binding that takes a token of this colour; None without any.

        Raises:
            BudgetExhausted: none was found in `TRIES`.
        """
        if place in self._subtracting:
            return self.draw()
        if self._has_enough():
            for number, arc in enumerate(self._arcs):
                if arc.place == place and (enabled := self._plan(number).draw(colour)) is not None:
                    return enabled
        return None

    def _has_enough(self) -> bool:
        """Return whether places have as many tokens as are taken, of any colours."""
        for place, least in self._needed:  # noqa: SIM110
            if self._totals[place] < least:
                return False
        return True

    def _plan(self, first: int) -> Plan:
        if first not in self._plans:
            self._plans[first] = Plan(self.transition, first, self._held, self._draws)
        return self._plans[first]


class Plan:
    """The steps from one input arc to a complete binding.

    Attributes:
        transition: the transition.
        at: where in a complete row the colour of each variable is.
        put: by place the function from rows to the tokens that are put there.
    """

    def __init__(self, transition: Transition, first: int, held: Held, draws: Draws) -> None:
        self.transition, self.at = transition, Positions()
        self._held, self._draws, self._tries = held, draws, 0
        self._arcs = _taking_arcs(transition)
        self._scanned: list[_Arc] = []  # To be tested when all of their variables are known.
        self._conditions = list(conjuncts(transition.guard))
        self._free = {v.name: v.sort.size for v in transition.variables}
        self._read: tuple[ColourRows, Callable[[Row], Row]] | None = None
        makers = [self._scanning(self._arcs.pop(first))] if first >= 0 else []
        self._first = self._read
        makers += self._further()
        self._taken, self.put = (
            [(place, tokens_of(multiset, self.at)) for place, multiset in arcs]
            for arcs in (transition.pre, transition.post)
        )
        self._joint = [
            (self._held[place].counts, tokens_of(multiset, self.at))
            for place, multiset in transition.pre
            if len(multiset) != 1 or multiset[0].ranging
        ]
        steps: list[_Step] = [self._finished]
        for maker in reversed(makers):
            steps.append(maker(steps[-1]))
        self._begin, self._after_first = steps[-1], steps[max(0, len(steps) - 2)]

    def draw(self, colour: int | None = None) -> Enabled | None:
        """Return an enabled binding, where a colour is given one that the first arc takes so."""
        self._tries = TRIES
        row: Row | None
        if colour is None or self._first is None:
            row = self._begin(())
        else:
            rows, fresh = self._first
            values = rows[colour]
            row = None if values is None else self._after_first(fresh(values))
        if row is None:
            return None
        return Enabled(self, row, [(n, c, k) for n, tokens in self._taken for c, k in tokens(row)])

    def _further(self) -> Iterator[_Maker]:
        """Yield the steps after the first arc."""
        while True:
            if tests := [*self._tests()]:
                yield from tests
            elif (equation := next(equations(self._conditions, self.at), None)) is not None:
                yield self._solving(*equation)
            elif joined := [arc for arc in self._arcs if not arc.ranging]:
                best = min(joined, key=self._unknown)
                self._arcs.remove(best)
                yield self._scanning(best)
            elif left := {name: n for name, n in self._free.items() if name not in self.at}:
                yield self._ranging(min(left, key=left.__getitem__), min(left.values()))
            else:
                return

    def _unknown(self, arc: _Arc) -> tuple[bool, int]:
        """Return whether no variable of the term is known, and how many are not."""
        left = [name for name in arc.names if name not in self.at]
        return len(left) == len(arc.names), len(left)

    def _know(self, names: Sequence[str]) -> None:
        for name in names:
            self.at.setdefault(name, len(self.at))

    def _tests(self) -> Iterator[_Maker]:
        """Yield the test of what is known: conditions, and whether tokens of arcs are there."""
        at, known, ends = dict(self.at), self.at.keys(), self._is_known
        conditions = [c for c in self._conditions if variables(c).keys() <= known]
        arcs = [*filter(ends, self._arcs), *filter(ends, self._scanned)]
        self._conditions = [c for c in self._conditions if c not in conditions]
        self._arcs = [*filterfalse(ends, self._arcs)]
        self._scanned = [*filterfalse(ends, self._scanned)]
        tests = [truth_of(condition, at) for condition in conditions]
        tests += [self._presence(arc, at) for arc in arcs]
        if tests:
            holds = every(tests)
            yield lambda then: lambda row: then(row) if holds(row) else None

    def _is_known(self, arc: _Arc) -> bool:
        return all(name in self.at for name in arc.names)

    def _presence(self, arc: _Arc, at: Positions) -> Callable[[Row], bool]:
        """Return whether the tokens of an arc are there, all of a range as far as it is counted."""
        if not arc.ranging:
            counts, colour = self._held[arc.place].counts, colour_of(arc.term, at)
            amount = arc.amount
            return lambda row: counts.get(colour(row), 0) >= amount
        reading, index, key = self._indexed(arc)
        if not {variable.name for variable in arc.ranging} <= {*reading.names}:
            return lambda row: True
        least = prod(variable.sort.size for variable in arc.ranging)
        return lambda row: len(index.colours(key(row))) >= least

    def _indexed(self, arc: _Arc) -> tuple[Reading, Index, Callable[[Row], Row]]:
        """Return how its term is read, the index by known variables, and their colours in rows."""
        reading = Reading(arc.term)
        known = [name for name in reading.names if name in arc.names and name in self.at]
        positions = tuple(map(reading.names.index, known))
        index = self._held[arc.place].index(_alike(arc.term, reading.names), reading, positions)
        return reading, index, picked([self.at[name] for name in known])

    def _solving(self, side: Term, reading: Reading) -> _Maker:
        value = colour_of(side, dict(self.at))
        fresh = [n for n, name in enumerate(reading.names) if name not in self.at]
        self._know(reading.names)

        def maker(then: _Step) -> _Step:
            def step(row: Row) -> Row | None:
                values = reading.row(value(row))
                return None if values is None else then(row + tuple([values[n] for n in fresh]))

            return step

        return maker

    def _scanning(self, arc: _Arc) -> _Maker:
        (reading, index, key), draws = self._indexed(arc), self._draws
        names = [name for name in reading.names if name in arc.names and name not in self.at]
        rows, fresh = index.rows, picked([reading.names.index(name) for name in names])
        self._read = rows, fresh
        self._know(names)
        if arc.amount > 1 or arc.ranging or not self._is_known(arc) or _has_parts(arc.term):
            self._scanned.append(arc)

        def maker(then: _Step) -> _Step:
            def step(row: Row) -> Row | None:
                colours = index.colours(key(row))
                if not (size := len(colours)):
                    return None
                begin = draws.begin(size)
                for number in range(begin - size, begin):
                    self._try()
                    values = rows[colours[number]]
                    assert values is not None
                    result = then(row + fresh(values))
                    if result is not None:
                        return result
                return None

            return step

        return maker

    def _ranging(self, name: str, size: int) -> _Maker:
        self._know((name,))
        draws = self._draws

        def maker(then: _Step) -> _Step:
            def step(row: Row) -> Row | None:
                begin = draws.begin(size)
                for number in range(begin, begin + size):
                    self._try()
                    result = then((*row, number % size))
                    if result is not None:
                        return result
                return None

            return step

        return maker

    def _try(self) -> None:
        self._tries -= 1
        if self._tries < 0:
            raise BudgetExhausted("too many colours are tried for one binding", Ending.GAVE_UP)

    def _finished(self, row: Row) -> Row | None:
        """Return the row, if there are as many tokens as all parts of each arc take together."""
        for counts, tokens in self._joint:
            for colour, count in tokens(row):
                if counts.get(colour, 0) < count:
                    return None
        return row


def _taking_arcs(transition: Transition) -> list[_Arc]:
    """Return the summands of input arcs that do not subtract; of others nothing alone is taken."""
    return [
        _Arc(place, summand.term, summand.count, summand.ranging)
        for place, multiset in transition.pre
        if all(summand.count > 0 for summand in multiset)
        for summand in multiset
    ]


def _has_parts(term: Term) -> bool:
    """Return whether a part of a partition occurs, of which a colour does not say the variable."""
    match term:
        case Tuple(parts=parts):
            return any(map(_has_parts, parts))
        case Shifted(term=inner):
            return _has_parts(inner)
    return isinstance(term, ElementOf)


def _alike(term: Term, names: Sequence[str]) -> Term:
    """Return the term with numbers for names, so that terms are equal that read colours alike."""
    match term:
        case Variable(name=name, sort=sort):
            return Variable(str(names.index(name)), sort)
        case Tuple(parts=parts):
            return Tuple(tuple(_alike(part, names) for part in parts))
        case Shifted(term=inner):
            return replace(term, term=_alike(inner, names))
        case ElementOf(sort=sort):
            return ElementOf(sort, Variable("", sort))
    return term
