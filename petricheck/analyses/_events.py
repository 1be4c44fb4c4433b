"""Events: what some reachable marking may show, such as a second token on a place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

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


def sorted_out(events: Sequence[Event], claims: Iterable[Claim]) -> Outcome:
    """What the claims, which are proved, tell of the events."""
    owners: dict[Formula, list[Event]] = defaultdict(list)
    for event in events:
        for part in event.parts:
            owners[part].append(event)
    excluded: set[Formula] = set()
    happens: set[str] = set()
    for claim in claims:
        match claim:
            case Reached(stops=stops):
                for _, formula in stops:
                    happens.update(_shown(parts_of(formula), owners))
            case Excluded(formula=formula):
                excluded.update(parts_of(formula))
    never = {event.name for event in events if excluded.issuperset(event.parts)}
    names = [event.name for event in events]
    return Outcome(
        tuple(name for name in names if name in happens),
        tuple(name for name in names if name in never),
        tuple(name for name in names if name not in happens | never),
    )


def _shown(parts: tuple[Formula, ...], owners: Mapping[Formula, list[Event]]) -> Iterator[str]:
    """The events that happen where one of these formulas holds, whichever it is."""
    for event in owners.get(parts[0], ()) if parts else ():
        if all(part in event.parts for part in parts[1:]):
            yield event.name


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """What it is a disjunction of; itself where it is none."""
    return formula.operands if isinstance(formula, Disjunction) else (formula,)
