"""Events: facts that some reachable marking may show, such as a second token on a place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from petricheck.arithmetic.formulas.formulas import Disjunction, Formula, disjunction
from petricheck.evidence.claims import Claim, Excluded, Reached


@dataclass(frozen=True, slots=True)
class MarkingEvent:
    """A formula about a place or transition that some reachable marking may satisfy.

    Attributes:
        name: of the place or transition that it is about.
        parts: it happens where one of them holds; each a conjunction of inequalities, as `tighten`
            leaves it. Without any it never happens, as the unfolding of the net shows.
    """

    name: str
    parts: tuple[Formula, ...]

    @property
    def formula(self) -> Formula:
        """The formula of the markings in which it happens."""
        return disjunction(self.parts)


@dataclass(frozen=True)
class Events:
    """Events with different names; many of them may have the same parts."""

    members: tuple[MarkingEvent, ...]

    @cached_property
    def owners(self) -> Mapping[Formula, tuple[MarkingEvent, ...]]:
        """The events by part."""
        listed: dict[Formula, list[MarkingEvent]] = defaultdict(list)
        for event in self.members:
            for part in event.parts:
                listed[part].append(event)
        return {part: tuple(events) for part, events in listed.items()}

    def shown_by(self, formula: Formula) -> Iterator[MarkingEvent]:
        """Yield the events that happen where the formula holds, whichever of its parts does."""
        parts = parts_of(formula) or (formula,)
        for event in self.owners.get(parts[0], ()):
            if len(parts) == 1 or set(event.parts).issuperset(parts):
                yield event

    def excluded_by(self, parts: set[Formula]) -> Iterator[MarkingEvent]:
        """Yield the events that never happen where none of these formulas ever holds."""
        owners = {event.name: event for part in parts for event in self.owners.get(part, ())}
        for event in (*self.impossible, *owners.values()):
            if parts.issuperset(event.parts):
                yield event

    @cached_property
    def impossible(self) -> tuple[MarkingEvent, ...]:
        """The events without parts."""
        return tuple(event for event in self.members if not event.parts)

    def decided(self, claims: Iterable[Claim]) -> tuple[set[str], set[str]]:
        """Return the names of events that happen, and of those that never do, by proved claims."""
        reached: set[Formula] = set()
        excluded: set[Formula] | None = None
        for claim in claims:
            match claim:
                case Reached(stops=stops):
                    reached.update(formula for _, formula in stops)
                case Excluded(formula=formula):
                    excluded = excluded or set()
                    excluded.update(parts_of(formula))
        happens = {event.name for formula in reached for event in self.shown_by(formula)}
        # Without any such claim the audit has not checked the unfolding.
        never = () if excluded is None else self.excluded_by(excluded)
        return happens, {event.name for event in never}


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """Return the disjuncts of a formula; itself where it is no disjunction."""
    return formula.operands if isinstance(formula, Disjunction) else (formula,)
