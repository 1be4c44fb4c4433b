"""Events that are open, and claims that settle them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from petricheck.analyses._events import Event, parts_of
from petricheck.analyses._study import Study
from petricheck.answer import Trace
from petricheck.budget import Budget
from petricheck.claims import Reached
from petricheck.kernel.targets import Met
from petricheck.presburger.formulas import Formula, atoms, disjunction, evaluate, variables
from petricheck.problem import Weights

Steps = Sequence[tuple[int, int]]
"""(transition number, how often in a row)."""


class Sought(Enum):
    """What ends a search from which no more is wanted than the verdict."""

    ONE_HAPPENS = True
    ONE_NEVER_DOES = False


class Settling:
    """The events that are open, and what settles them.

    Attributes:
        study: takes in the claims.
        open: by name.
    """

    def __init__(self, study: Study, events: Sequence[Event], sought: Sought) -> None:
        """Nothing is settled but what happens initially.

        Args:
            study: takes in the claims.
            events: with different names.
            sought: what is enough for a study that is brief.
        """
        self.study = study
        self.open = {event.name: event for event in events}
        self._settled: set[bool] = set()  # what became of the closed ones: whether they happen
        self._decisive = {sought.value} if study.brief else set()
        self._watching: dict[str, list[_Watched]] = defaultdict(list)
        for event in events:
            watched = _Watched(event.name, tuple((part, _bounds(part)) for part in event.parts))
            for place in variables(event.formula):
                self._watching[place].append(watched)
        self._prove_along((), tuple(self._initially()))

    @property
    def enough(self) -> bool:
        """Whether all that is sought is settled."""
        return not self.open or not self._decisive.isdisjoint(self._settled)

    @property
    def targets(self) -> tuple[Formula, ...]:
        """That the open events happen, in their order."""
        return tuple(event.formula for event in self.open.values())

    def steps(self, trace: Trace) -> Steps:
        """The same by numbers of transitions."""
        numbers = self.study.net.transition_numbers
        return [(numbers[name], times) for name, times in trace.steps]

    def part(self, divisor: int, most: float = math.inf) -> Budget:
        """A part of the time that is left."""
        return self.study.budget.within(min(most, self.study.budget.remaining / divisor))

    def follow(self, steps: Steps) -> None:
        """Prove what happens along this trace."""
        stops = tuple(self._along(steps))
        self._prove_along(steps[: stops[-1][0]] if stops else (), stops)

    def follow_met(self, names: Sequence[str], met: Iterable[Met]) -> None:
        """The same of events that were met, the longest trace first, since it shows the most."""
        for each in sorted(met, key=lambda each: -len(each.trace)):
            if names[each.target] in self.open:
                self.follow(together(each.trace))

    def exclude(self, formula: Formula) -> None:
        """Close the events whose parts are all among these, which are proved to be excluded."""
        excluded = set(parts_of(formula))
        closed = [name for name, event in self.open.items() if excluded.issuperset(event.parts)]
        for name in closed:
            self._close(name, False)

    def decide(self, names: Sequence[str], budget: Budget) -> None:
        """Ask the engine whether one of these open events happens."""
        target = disjunction(self.open[name].formula for name in names)
        verdict = self.study.decide(target, budget)
        if verdict is False:
            self.exclude(target)
        elif verdict:
            claim = self.study.claims[-1]
            assert isinstance(claim, Reached)
            self.follow(self.steps(claim.trace))

    def decide_together(self, budget: Budget) -> None:
        """Ask the engine for each of the open events, in searches that they share."""
        names = tuple(self.open)
        verdicts = self.study.decide_together(self.targets, budget)
        for name, verdict in zip(names, verdicts, strict=True):
            if verdict is not None:
                self._close(name, verdict)

    def _initially(self) -> Iterator[tuple[int, Formula]]:
        values = self.study.net.values(self.study.net.initial)
        for event in tuple(self.open.values()):
            for part in event.parts:
                if event.name in self.open and evaluate(part, values):
                    self._close(event.name, True)
                    yield 0, part

    def _along(self, steps: Steps) -> Iterator[tuple[int, Formula]]:
        """Where open events happen, as stops of the trace; they are closed."""
        net = self.study.net
        values = net.values(net.initial)
        for position, (number, times) in enumerate(steps, start=1):
            for place, change in net.transitions[number].effect:
                values[net.places[place]] += times * change
            for part in self._happening(net.transitions[number].effect, values):
                yield position, part

    def _happening(self, effect: Weights, values: Mapping[str, int]) -> Iterator[Formula]:
        for place, _ in effect:
            name = self.study.net.places[place]
            watching = [each for each in self._watching[name] if each.name in self.open]
            self._watching[name] = watching
            for watched in watching:
                part = watched.holding(values)
                if part is not None and watched.name in self.open:
                    self._close(watched.name, True)
                    yield part

    def _close(self, name: str, happens: bool) -> None:
        del self.open[name]
        self._settled.add(happens)

    def _prove_along(self, steps: Steps, stops: tuple[tuple[int, Formula], ...]) -> None:
        if stops:
            actions = self.study.net.actions
            trace = Trace(tuple((actions[number], times) for number, times in steps))
            self.study.prove(Reached(trace, stops))


@dataclass(frozen=True, slots=True)
class _Watched:
    """An event, ready to be looked for in many markings.

    Attributes:
        name: of the event.
        parts: each with its bounds (place, c, k), which mean c·m(place) + k ≤ 0.
    """

    name: str
    parts: tuple[tuple[Formula, tuple[tuple[str, int, int], ...]], ...]

    def holding(self, values: Mapping[str, int]) -> Formula | None:
        """A part that holds in this marking."""
        for part, bounds in self.parts:
            if all(c * values[place] + k <= 0 for place, c, k in bounds):
                return part
        return None


def _bounds(part: Formula) -> tuple[tuple[str, int, int], ...]:
    return tuple((*atom.term.coefficients[0], atom.term.constant) for atom in atoms(part))


def together(trace: Sequence[int]) -> Steps:
    """The steps of a trace, equal neighbours joined."""
    return [(number, len(list(group))) for number, group in groupby(trace)]
