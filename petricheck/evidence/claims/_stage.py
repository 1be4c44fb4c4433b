"""Loops that can be repeated for ever, as claims have them, and how they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.json import record
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates import TRACE
from petricheck.model.net import Net

if TYPE_CHECKING:
    from petricheck.evidence.explanation import Outline, Words

LISTED = 60
"""Places changed by a repetition which a text lists; it counts the others."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A loop that can be repeated for ever, where stem and loop are firing sequences.

    Attributes:
        stem: leads to the loop, from the initial marking or from the end of the loop before.
        loop: takes, all in all, no token from a place, but where an earlier loop adds some.
    """

    stem: Trace
    loop: Trace


STAGE = record(Stage, {"stem": TRACE, "loop": TRACE})


def firings(stage: Stage) -> Iterator[Outline]:
    """Yield the firing sequences."""
    from petricheck.evidence.explanation import FiringList

    if stage.stem.steps:
        yield FiringList(stage.stem.steps, "fire")
    yield FiringList(stage.loop.steps, "repeat")


def once(stage: Stage) -> Outline:
    """Return the steps of the stem and of the loop, which follows once."""
    from petricheck.evidence.explanation import Replayed

    return Replayed(Trace((*stage.stem.steps, *stage.loop.steps)), title=("The loop once:",))


def repetition(net: Net, stage: Stage) -> Words:
    """Return what the loop changes."""
    from petricheck.evidence.explanation import Id, SentenceList

    after = net.after(stage.loop.steps)
    changes = ((p, n - net.initial[p]) for p, n in enumerate(after) if n != net.initial[p])
    parts = tuple((Id(net.places[p]), " +" if n > 0 else " ", n) for p, n in changes)
    if not parts:
        return ("One repetition changes nothing.",)
    return ("One repetition changes ", SentenceList(parts, LISTED, "place"), ".")
