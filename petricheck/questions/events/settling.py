"""Events that are open, and claims that settle them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula, atoms, disjunction, evaluate
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.answer import Trace, trace_of
from petricheck.evidence.claims import Excluded, Reached
from petricheck.questions.events import Events, MarkingEvent, parts_of
from petricheck.questions.study import IMPOSSIBLE, Study
from petricheck.support.budget import Budget, watched

_TOGETHER = 2_000
"""The most questions of one search."""

_SETTING_UP = 2e-5
"""Seconds for each place, arc and event that the preparation of a search takes."""

_STRIDE = 1 << 10
"""So many events cost about as much as one check of the budget."""


_Counted: TypeAlias = str | Term
"""A place, or a sum of several."""

_Bounds: TypeAlias = tuple[tuple[_Counted, int, int], ...]
"""The inequalities of a part: (place or sum, c, k) means c times its tokens + k ≤ 0."""


class Settling:
    """The open events by name, of all events of a study, and the claims that settle them."""

    def __init__(self, study: Study, events: Events, decisive: bool) -> None:
        """Decide only the events that proved claims settle, and those that happen initially.

        An event that happens, if `decisive`, or one that never does, is enough for a brief study.
        """
        self.study, self.events = study, events
        self.open = {event.name: event for event in events.members}
        self._settled: set[bool] = set()  # whether closed events happen
        self._decisive = {decisive} if study.brief else set()
        # By part, the number of open events that have it; 0: it is no longer watched.
        self._open_events = {part: len(owners) for part, owners in events.owners.items()}
        self._watching: dict[_Counted, list[tuple[Formula, _Bounds]]] = defaultdict(list)
        self._sums: dict[str, list[tuple[Term, int]]] = {}  # those that a place counts in
        for part in watched(events.owners, study.budget, _STRIDE):
            bounds = tuple(_bound(atom.term) for atom in atoms(part))
            for counted in dict.fromkeys(counted for counted, _, _ in bounds):
                self._watching[counted].append((part, bounds))
        for counted in self._watching:
            if isinstance(counted, Term):
                for place, weight in counted.coefficients:
                    self._sums.setdefault(place, []).append((counted, weight))
        if events.impossible:
            study.prove(IMPOSSIBLE)
            self._close(events.impossible, False)
        for names, happens in zip(events.decided(study.claims), (True, False), strict=True):
            self._close([self.open[name] for name in names if name in self.open], happens)
        self._prove_along(Trace(()), tuple(self._initially()))

    @property
    def one_never_suffices(self) -> bool:
        """Return whether one impossible event decides."""
        return False in self._decisive

    @property
    def enough(self) -> bool:
        """Return whether all events are settled, or a decisive one."""
        return not self.open or not self._decisive.isdisjoint(self._settled)

    def prepares(self, limits: Budget) -> bool:
        """Return whether the time suffices for a search to prepare the net and the open events."""
        net = self.study.net
        arcs = sum(len(t.pre) + len(t.post) for t in net.transitions)
        return limits.remaining > _SETTING_UP * (len(net.places) + arcs + len(self.open))

    def questions(self) -> dict[Formula, str]:
        """Return the formulas of open events, each with the name of the first that has it."""
        names: dict[Formula, str] = {}
        for name, event in watched(self.open.items(), self.study.budget, _STRIDE):
            names.setdefault(event.formula, name)
        return names

    def follow(self, trace: Trace) -> None:
        """Prove the open events that happen along this trace."""
        self._prove_along(trace, tuple(self._along(trace)))

    def prove_passed(self, word: Sequence[int], stops: Iterable[tuple[int, Formula]]) -> None:
        """Prove that open events happen along this firing sequence of transition numbers.

        Each stop is (after how many firings, a part of an event that holds there), ascending.
        """
        steps: list[tuple[str, int]] = []
        opens, begin = [], 0
        for position, part in stops:
            if self._open_events[part]:
                self._close(self.events.shown_by(part), True)
                steps += trace_of(word[begin:position], self.study.net.actions).steps
                opens.append((len(steps), part))
                begin = position
        if opens:
            self.study.prove(Reached(Trace(tuple(steps)), tuple(opens)))

    def exclude(self, formula: Formula) -> None:
        """Close the events all of whose parts are in this disjunction, which is excluded."""
        self._close(self.events.excluded_by(set(parts_of(formula))), False)

    def decide(self, names: Sequence[str], budget: Budget, engine: str = "") -> None:
        """Query the engine, or another one, whether one of these open events happens."""
        target = disjunction(dict.fromkeys(self.open[name].formula for name in names))
        verdict = self.study.decide(target, budget, engine)
        if verdict is not None:
            self._close_decided(target, verdict)

    def parts(self) -> tuple[Formula, ...]:
        """Return the parts of open events."""
        return tuple(part for part, count in self._open_events.items() if count)

    def refute(self, formula: Formula, certificate: object) -> None:
        """Prove that none of the events with these parts happens."""
        self.study.prove(Excluded(formula, certificate))
        self.exclude(formula)

    def decide_together(self, budget: Budget) -> None:
        """Query the engine about each of the open events, or many, in shared searches."""
        targets = tuple(self.questions())[:_TOGETHER]
        with closing(self.study.decide_together(targets, budget)) as verdicts:
            for target, verdict in verdicts:
                self._close_decided(target, verdict)
                if self.enough:
                    return

    def _close_decided(self, target: Formula, verdict: bool) -> None:
        """Close the events that the last proved claim settles."""
        if not verdict:
            self.exclude(target)
            return
        self._close(self.events.shown_by(target), True)
        claim = self.study.claims[-1]
        assert isinstance(claim, Reached)
        self.follow(claim.trace)

    def _initially(self) -> Iterator[tuple[int, Formula]]:
        values = self.study.net.values(self.study.net.initial)
        for part in watched(self.events.owners, self.study.budget, _STRIDE):
            if self._open_events[part] and evaluate(part, values):
                self._close(self.events.shown_by(part), True)
                yield 0, part

    def _along(self, trace: Trace) -> Iterator[tuple[int, Formula]]:
        """Yield stops of the trace where open events happen; close these."""
        net = self.study.net
        initial = net.values(net.initial)
        totals = {total for pairs in self._sums.values() for total, _ in pairs}
        values: dict[_Counted, int] = dict(initial.items())
        values.update((total, total.evaluate(initial)) for total in totals)
        steps = watched(trace.steps, self.study.budget)
        for position, (name, times) in enumerate(steps, start=1):
            changed: list[_Counted] = []
            for number, change in net.transitions[net.transition_numbers[name]].effect:
                place = net.places[number]
                values[place] += times * change
                changed.append(place)
                for total, weight in self._sums.get(place, ()):
                    values[total] += weight * times * change
                    changed.append(total)
            for part in self._happening(changed, values):
                yield position, part

    def _happening(
        self, changed: Iterable[_Counted], values: Mapping[_Counted, int]
    ) -> Iterator[Formula]:
        for name in changed:
            watching = [pair for pair in self._watching[name] if self._open_events[pair[0]]]
            self._watching[name] = watching
            for part, bounds in watched(watching, self.study.budget, _STRIDE):
                holds = all(c * values[p] + k <= 0 for p, c, k in bounds)
                if holds and self._open_events[part]:
                    self._close(self.events.shown_by(part), True)
                    yield part

    def _close(self, events: Iterable[MarkingEvent], happens: bool) -> None:
        for event in events:
            if event.name in self.open:
                del self.open[event.name]
                self._settled.add(happens)
                for part in event.parts:
                    self._open_events[part] -= 1

    def _prove_along(self, trace: Trace, stops: tuple[tuple[int, Formula], ...]) -> None:
        if stops:
            self.study.prove(Reached(Trace(trace.steps[: stops[-1][0]]), stops))


def _bound(term: Term) -> tuple[_Counted, int, int]:
    if len(term.coefficients) == 1:
        return (*term.coefficients[0], term.constant)
    sign = -1 if term.coefficients[0][1] < 0 else 1  # Both bounds of a sum watch the same one.
    return Term((term * sign).coefficients, 0), sign, term.constant
