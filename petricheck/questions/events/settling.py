"""Events that are open, and claims that settle them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TypeAlias

from petricheck.answer import Trace, joined
from petricheck.budget import Budget, watched
from petricheck.claims import Excluded, Reached
from petricheck.presburger.formulas import Formula, atoms, disjunction, evaluate
from petricheck.presburger.terms import Term
from petricheck.questions.events import Event, Events, parts_of
from petricheck.questions.study import IMPOSSIBLE, Study

_TOGETHER = 2_000
"""Questions that one search is asked at most."""

_SETTING_UP = 2e-5
"""Seconds for each place, arc and event until a search begins."""

_STRIDE = 1 << 10
"""So many events cost about as much as one look at the budget."""


_Counted: TypeAlias = str | Term
"""A place, or a sum of several."""

_Bounds: TypeAlias = tuple[tuple[_Counted, int, int], ...]
"""What a part says, as (place or sum, c, k), which mean that c times its tokens + k ≤ 0."""


class Settling:
    """The events that are open, and what settles them.

    Attributes:
        study: takes in the claims.
        events: all of them.
        open: by name.
    """

    def __init__(self, study: Study, events: Events, decisive: bool) -> None:
        """Nothing is settled but what happens initially.

        An event that happens, if `decisive`, or one that never does, is enough for a brief study.
        """
        self.study, self.events = study, events
        self.open = {event.name: event for event in events.members}
        self._settled: set[bool] = set()  # what became of the closed ones: whether they happen
        self._decisive = {decisive} if study.brief else set()
        # Of each part, how many open events have it: without any it is watched no longer.
        self._wanted = {part: len(owners) for part, owners in events.owners.items()}
        self._watching: dict[_Counted, list[tuple[Formula, _Bounds]]] = defaultdict(list)
        self._sums: dict[str, list[tuple[Term, int]]] = {}  # those that a place counts in
        for part in watched(events.owners, study.budget, _STRIDE):
            bounds = _bounds(part)
            for counted in dict.fromkeys(counted for counted, _, _ in bounds):
                self._watching[counted].append((part, bounds))
        for counted in self._watching:
            if isinstance(counted, Term):
                for place, weight in counted.coefficients:
                    self._sums.setdefault(place, []).append((counted, weight))
        if events.impossible:
            study.prove(IMPOSSIBLE)
            self._close(events.impossible, False)
        self._prove_along(Trace(()), tuple(self._initially()))

    @property
    def one_never_suffices(self) -> bool:
        """Whether one event that never happens is enough."""
        return False in self._decisive

    @property
    def enough(self) -> bool:
        """Whether all that is sought is settled."""
        return not self.open or not self._decisive.isdisjoint(self._settled)

    def prepares(self, limits: Budget) -> bool:
        """Whether the time suffices for what a search makes of net and open events first."""
        net = self.study.net
        arcs = sum(len(t.pre) + len(t.post) for t in net.transitions)
        return limits.remaining > _SETTING_UP * (len(net.places) + arcs + len(self.open))

    def questions(self) -> dict[Formula, str]:
        """That an open event happens, with its name; of events alike the first one."""
        names: dict[Formula, str] = {}
        for name, event in watched(self.open.items(), self.study.budget, _STRIDE):
            names.setdefault(event.formula, name)
        return names

    def follow(self, trace: Trace) -> None:
        """Prove what happens along this trace."""
        self._prove_along(trace, tuple(self._along(trace)))

    def pass_by(self, word: Sequence[int], stops: Iterable[tuple[int, Formula]]) -> None:
        """Prove that open events happen where transitions of these numbers lead.

        Args:
            word: the firing sequence.
            stops: (after how many firings, a part of an event that holds there), ascending.
        """
        steps: list[tuple[str, int]] = []
        opens, begin = [], 0
        for position, part in stops:
            if self._wanted[part]:
                self._close(self.events.shown_by(part), True)
                firings = ((number, 1) for number in word[begin:position])
                steps += joined(firings, self.study.net.actions).steps
                opens.append((len(steps), part))
                begin = position
        if opens:
            self.study.prove(Reached(Trace(tuple(steps)), tuple(opens)))

    def exclude(self, formula: Formula) -> None:
        """Close the events whose parts are all among these, which are proved to be excluded."""
        self._close(self.events.excluded_by(set(parts_of(formula))), False)

    def decide(self, names: Sequence[str], budget: Budget, engine: str = "") -> None:
        """Ask the engine, or another one, whether one of these open events happens."""
        target = disjunction(dict.fromkeys(self.open[name].formula for name in names))
        verdict = self.study.decide(target, budget, engine)
        if verdict is not None:
            self._learn(target, verdict)

    def parts(self) -> tuple[Formula, ...]:
        """The parts of open events: where one holds, its events happen."""
        return tuple(part for part, count in self._wanted.items() if count)

    def refuse(self, formula: Formula, certificate: object) -> None:
        """Prove that none of the events happens whose parts these are."""
        self.study.prove(Excluded(formula, certificate))
        self.exclude(formula)

    def decide_together(self, budget: Budget) -> None:
        """Ask the engine for each of the open events, or many, in searches that they share."""
        targets = tuple(self.questions())[:_TOGETHER]
        with closing(self.study.decide_together(targets, budget)) as verdicts:
            for target, verdict in verdicts:
                self._learn(target, verdict)
                if self.enough:
                    return

    def _learn(self, target: Formula, verdict: bool) -> None:
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
            if self._wanted[part] and evaluate(part, values):
                self._close(self.events.shown_by(part), True)
                yield 0, part

    def _along(self, trace: Trace) -> Iterator[tuple[int, Formula]]:
        """Yield stops of the trace where open events happen; closes these."""
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
            watching = [pair for pair in self._watching[name] if self._wanted[pair[0]]]
            self._watching[name] = watching
            for part, bounds in watched(watching, self.study.budget, _STRIDE):
                holds = all(c * values[p] + k <= 0 for p, c, k in bounds)
                if holds and self._wanted[part]:
                    self._close(self.events.shown_by(part), True)
                    yield part

    def _close(self, events: Iterable[Event], happens: bool) -> None:
        for event in events:
            if event.name in self.open:
                del self.open[event.name]
                self._settled.add(happens)
                for part in event.parts:
                    self._wanted[part] -= 1

    def _prove_along(self, trace: Trace, stops: tuple[tuple[int, Formula], ...]) -> None:
        if stops:
            self.study.prove(Reached(Trace(trace.steps[: stops[-1][0]]), stops))


def _bounds(part: Formula) -> _Bounds:
    return tuple(_bound(atom.term) for atom in atoms(part))


def _bound(term: Term) -> tuple[_Counted, int, int]:
    if len(term.coefficients) == 1:
        return (*term.coefficients[0], term.constant)
    sign = -1 if term.coefficients[0][1] < 0 else 1  # Both bounds of a sum watch the same one.
    return Term((term * sign).coefficients, 0), sign, term.constant
