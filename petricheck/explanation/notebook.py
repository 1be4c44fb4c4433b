"""An audited answer in text and in HTML, as Python prints it and as a notebook shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.drawing.svg import to_svg
from petricheck.explanation.prose import explanation
from petricheck.markup import Cell, folded, heading, lines, note, table
from petricheck.notations import notation_of
from petricheck.presburger.shown import shown_formula, shown_name
from petricheck.problem import Marking, Net, Problem
from petricheck.words import counted, number_text, printable

Step: TypeAlias = tuple[str, int]
"""A transition, and how often it fires in a row."""

CHARACTERS = 4_000
"""Letters of a certificate, and of a question, that are shown."""

HEAD, TAIL = 30, 10
"""Steps of a long trace that are shown, at its beginning and end."""

COLUMNS = 16
"""Places of which a table of markings has columns; of more it tells the changes."""


def answer_lines(answer: Answer) -> Iterator[str]:
    """The verdict and its evidence, or why there is none."""
    match answer:
        case Unreachable(certificate):
            yield "unreachable"
            yield from _certificate(certificate)
        case other:
            yield from str(other).split("\n")


def answer_html(problem: Problem, answer: Answer) -> str:
    """The verdict, the question, the evidence explained, and the net drawn if it is small."""
    verdict, *rest = answer_lines(answer)
    head = heading(verdict) + note("Is a marking reachable that satisfies this?")
    asked = head + lines([_cut(shown_formula(problem.target))])
    match answer:
        case Reachable(trace):
            last = problem.net.after(trace.steps)
            drawn = _drawn(problem.net, "The net with the marking that the trace ends in:", last)
            return asked + _trace(problem.net, trace.steps) + drawn
        case Unreachable():
            told = folded("Explained", lines(explanation(problem, answer)))
            return asked + lines(rest) + told + _drawn(problem.net, "The net:", None)
        case Unknown():
            return asked + lines(rest) + _drawn(problem.net, "The net:", None)


def _certificate(certificate: object) -> Iterator[str]:
    told = notation_of(certificate).told(certificate, "text")
    whole = len(told.body) <= CHARACTERS
    shown = (told.headline, *told.body.split("\n")) if whole else told.summary.split("\n")[:1]
    yield from map(printable, shown)


def _drawn(net: Net, title: str, marking: Marking | None) -> str:
    picture = to_svg(net, marking)
    return note(title) + picture if picture else ""


def _trace(net: Net, steps: Sequence[Step]) -> str:
    """The markings after the steps, of the places that these change."""
    used = {net.transition_numbers[name] for name, _ in steps}
    changed = sorted({place for t in used for place, _ in net.transitions[t].effect})
    if len(changed) <= COLUMNS:
        head, row = [shown_name(net.places[place]) for place in changed], _tokens
    else:
        head, row = ["Changes"], _changes

    def rows(first: int, last: int) -> Iterator[list[Cell]]:
        before = net.after(steps[:first])
        for number, (name, times) in enumerate(steps[first:last], start=first + 1):
            after = net.transitions[net.transition_numbers[name]].fire(before, times)
            repeated = f" × {number_text(times)}" if times > 1 else ""
            fired = [(str(number), False), (f"{shown_name(name)}{repeated}", False)]
            yield fired + row(net, changed, before, after)
            before = after

    found = [[("0", False), ("initially", False), *row(net, changed, net.initial, net.initial)]]
    left_out = len(steps) - HEAD - TAIL
    if left_out <= 0:
        found += rows(0, len(steps))
    else:
        gap = [("…", False), (counted(left_out, "more step"), False)]
        found += [*rows(0, HEAD), gap, *rows(len(steps) - TAIL, len(steps))]
    return table(("Step", "Fires", *head), found)


def _tokens(net: Net, places: Sequence[int], before: Marking, after: Marking) -> list[Cell]:
    """The places' tokens after a step."""
    return [(number_text(after[place]), before[place] != after[place]) for place in places]


def _changes(net: Net, places: Sequence[int], before: Marking, after: Marking) -> list[Cell]:
    """What a step changes, in one text."""
    moved = (place for place in places if before[place] != after[place])
    return [(", ".join(_change(net, place, before, after) for place in moved), False)]


def _change(net: Net, place: int, before: Marking, after: Marking) -> str:
    numbers = f"{number_text(before[place])} → {number_text(after[place])}"
    return f"{shown_name(net.places[place])} {numbers}"


def _cut(text: str) -> str:
    return text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]} …"
