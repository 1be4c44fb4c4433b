"""Events that are open, and claims that settle them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from petricheck.answer import Trace
from petricheck.audit.limits import watched
from petricheck.budget import Budget
from petricheck.claims import Reached
from petricheck.kernel.targets import Met
from petricheck.presburger.formulas import Formula, atoms, disjunction, evaluate
from petricheck.problem import Weights
from petricheck.questions.events import Event, Events, parts_of
from petricheck.questions.study import Study

Steps = Sequence[tuple[int, int]]
"""(transition number, how often in a row)."""

_TOGETHER = 2_000
"""Questions that one search is asked at most."""

_STRIDE = 1 << 10
"""So many events cost about as much as one look at the budget."""


class Settling:
    """The events that are open, and what settles them.

    Attributes:
        study: takes in the claims.
        events: all of them.
        open: by name.
    """

    def __init__(self, study: Study, events: Events, decisive: bool) -> None:
        """Nothing is settled but what happens initially.

        Args:
            study: takes in the claims.
            events: what is asked.
            decisive: an event that happens, or one that never does, is enough for a brief study.
        """
        self.study, self.events = study, events
        self.open = {event.name: event for event in events.members}
        self._settled: set[bool] = set()  # what became of the closed ones: whether they happen
        self._decisive = {decisive} if study.brief else set()
        # Of each part, how many open events have it: without any it is watched no longer.
        self._wanted = {part: len(owners) for part, owners in events.owners.items()}
        self._watching: dict[str, list[_Watched]] = defaultdict(list)
        for part in watched(events.owners, study.budget, _STRIDE):
            bounds = _bounds(part)
            for place in dict.fromkeys(place for place, _, _ in bounds):
                self._watching[place].append(_Watched(part, bounds))
        self._prove_along((), tuple(self._initially()))

    @property
    def enough(self) -> bool:
        """Whether all that is sought is settled."""
        return not self.open or not self._decisive.isdisjoint(self._settled)

    def questions(self) -> dict[Formula, str]:
        """That an open event happens, with its name; of events alike the first one."""
        asked: dict[Formula, str] = {}
        for name, event in watched(self.open.items(), self.study.budget, _STRIDE):
            asked.setdefault(event.formula, name)
        return asked

    def steps(self, trace: Trace) -> Steps:
        """The same by numbers of transitions."""
        numbers = self.study.net.transition_numbers
        return [(numbers[name], times) for name, times in trace.steps]

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
        self._close(self.events.excluded_by(set(parts_of(formula))), False)

    def decide(self, names: Sequence[str], budget: Budget) -> None:
        """Ask the engine whether one of these open events happens."""
        target = disjunction(dict.fromkeys(self.open[name].formula for name in names))
        verdict = self.study.decide(target, budget)
        if verdict is False:
            self.exclude(target)
        elif verdict:
            claim = self.study.claims[-1]
            assert isinstance(claim, Reached)
            self.follow(self.steps(claim.trace))

    def decide_together(self, budget: Budget) -> None:
        """Ask the engine for each of the open events, or many, in searches that they share."""
        targets = tuple(self.questions())[:_TOGETHER]
        verdicts = self.study.decide_together(targets, budget)
        for target, verdict in zip(targets, verdicts, strict=True):
            if verdict is False:
                self.exclude(target)
            elif verdict:
                self._close(self.events.shown_by(target), True)

    def _initially(self) -> Iterator[tuple[int, Formula]]:
        values = self.study.net.values(self.study.net.initial)
        for part in watched(self.events.owners, self.study.budget, _STRIDE):
            if self._wanted[part] and evaluate(part, values):
                self._close(self.events.shown_by(part), True)
                yield 0, part

    def _along(self, steps: Steps) -> Iterator[tuple[int, Formula]]:
        """Where open events happen, as stops of the trace; they are closed."""
        net = self.study.net
        values = net.values(net.initial)
        for position, (number, times) in enumerate(watched(steps, self.study.budget), start=1):
            for place, change in net.transitions[number].effect:
                values[net.places[place]] += times * change
            for part in self._happening(net.transitions[number].effect, values):
                yield position, part

    def _happening(self, effect: Weights, values: Mapping[str, int]) -> Iterator[Formula]:
        for place, _ in effect:
            name = self.study.net.places[place]
            watching = [part for part in self._watching[name] if self._wanted[part.formula]]
            self._watching[name] = watching
            for part in watched(watching, self.study.budget, _STRIDE):
                if part.holds(values) and self._wanted[part.formula]:
                    self._close(self.events.shown_by(part.formula), True)
                    yield part.formula

    def _close(self, events: Iterable[Event], happens: bool) -> None:
        for event in events:
            if event.name in self.open:
                del self.open[event.name]
                self._settled.add(happens)
                for part in event.parts:
                    self._wanted[part] -= 1

    def _prove_along(self, steps: Steps, stops: tuple[tuple[int, Formula], ...]) -> None:
        if stops:
            actions = self.study.net.actions
            trace = Trace(tuple((actions[number], times) for number, times in steps))
            self.study.prove(Reached(trace, stops))


@dataclass(frozen=True, slots=True)
class _Watched:
    """A part of events, ready to be looked for in many markings.

    Attributes:
        formula: the part.
        bounds: what it says, as (place, c, k), which mean c·m(place) + k ≤ 0.
    """

    formula: Formula
    bounds: tuple[tuple[str, int, int], ...]

    def holds(self, values: Mapping[str, int]) -> bool:
        """Whether it holds in this marking."""
        return all(c * values[place] + k <= 0 for place, c, k in self.bounds)


def _bounds(part: Formula) -> tuple[tuple[str, int, int], ...]:
    return tuple((*atom.term.coefficients[0], atom.term.constant) for atom in atoms(part))


def together(trace: Sequence[int]) -> Steps:
    """The steps of a trace, equal neighbours joined."""
    return [(number, len(list(group))) for number, group in groupby(trace)]
