"""Events: what some reachable marking may show, such as a second token on a place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from petricheck.claims import Claim, Excluded, Reached
from petricheck.presburger.formulas import Disjunction, Formula, disjunction


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens, or never does.

    Attributes:
        name: of the place or transition that it is about.
        parts: it happens where one of them holds; each a conjunction of inequalities about one
            place each, as `tighten` leaves it.
    """

    name: str
    parts: tuple[Formula, ...]

    @property
    def formula(self) -> Formula:
        """That it happens."""
        return disjunction(self.parts)


@dataclass(frozen=True)
class Events:
    """Events with different names; many of them may have the same parts."""

    members: tuple[Event, ...]

    @cached_property
    def owners(self) -> Mapping[Formula, tuple[Event, ...]]:
        """By part, the events that have it."""
        listed: dict[Formula, list[Event]] = defaultdict(list)
        for event in self.members:
            for part in event.parts:
                listed[part].append(event)
        return {part: tuple(events) for part, events in listed.items()}

    def shown_by(self, formula: Formula) -> Iterator[Event]:
        """Those that happen where the formula holds, whichever of its parts does."""
        first, *others = parts_of(formula) or (formula,)
        for event in self.owners.get(first, ()):
            if all(part in event.parts for part in others):
                yield event

    def excluded_by(self, parts: set[Formula]) -> Iterator[Event]:
        """Those that never happen where none of these formulas ever holds; some more than once."""
        for part in parts:
            for event in self.owners.get(part, ()):
                if parts.issuperset(event.parts):
                    yield event


@dataclass(frozen=True, slots=True)
class Outcome:
    """What proved claims tell of events, by their names, in their order.

    Attributes:
        happens: those that happen.
        never: those that never do.
        open: the others.
    """

    happens: tuple[str, ...]
    never: tuple[str, ...]
    open: tuple[str, ...]


def sorted_out(events: Events, claims: Iterable[Claim]) -> Outcome:
    """What the claims, which are proved, tell of the events."""
    reached: set[Formula] = set()
    excluded: set[Formula] = set()
    for claim in claims:
        match claim:
            case Reached(stops=stops):
                reached.update(formula for _, formula in stops)
            case Excluded(formula=formula):
                excluded.update(parts_of(formula))
    happens = {event.name for formula in reached for event in events.shown_by(formula)}
    never = {event.name for event in events.excluded_by(excluded)}
    names = [event.name for event in events.members]
    return Outcome(
        tuple(name for name in names if name in happens),
        tuple(name for name in names if name in never),
        tuple(name for name in names if name not in happens and name not in never),
    )


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """What it is a disjunction of; itself where it is none."""
    return formula.operands if isinstance(formula, Disjunction) else (formula,)
