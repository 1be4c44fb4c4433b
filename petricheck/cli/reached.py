"""The marking that a trace ends in, told to people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from petricheck.answer import Trace
from petricheck.cli.options import Question
from petricheck.presburger.formulas import variables
from petricheck.presburger.shown import shown_name
from petricheck.words import counted, natural_key, number_text

PLACES = 20
"""Of more places that are notable the rest is only counted."""


@dataclass(frozen=True, slots=True)
class Reached:
    """What is told of a marking.

    Attributes:
        text: the marking, on one line.
        places: those that the text names.
    """

    text: str
    places: tuple[str, ...]


def reached(question: Question, trace: Trace, *, whole: bool) -> Reached:
    """The marking after a trace that fires.

    Whole, or the places that the question names, unless they are many, and those that the trace
    changes, emptied ones last, up to `PLACES`.
    """
    net = question.problem.net
    tokens = net.values(net.after(trace.steps))
    if whole or not net.places:
        return _whole(tokens)
    initially = net.values(net.initial)
    named = set(variables(question.problem.target)).difference(question.unnamed)
    first = _ordered(named) if len(named) <= PLACES else []
    changed = _ordered(p for p in net.places if tokens[p] != initially[p] and p not in first)
    notable = [*first, *sorted(changed, key=lambda place: tokens[place] == 0)]
    shown = tuple(notable[:PLACES])
    rest = ""
    if len(notable) > PLACES:
        rest = f" and {counted(len(notable) - PLACES, 'more place')} (--trace shows all)"
    elif len(notable) < len(net.places):
        rest = "; the other places as initially" if notable else "the places as initially"
    return Reached(_listed(shown, tokens) + rest, shown)


def _whole(tokens: Mapping[str, int]) -> Reached:
    marked = tuple(_ordered(place for place, held in tokens.items() if held))
    if not marked:
        return Reached("no place has a token", ())
    rest = "" if len(marked) == len(tokens) else "; the other places are empty"
    return Reached(_listed(marked, tokens) + rest, marked)


def _listed(places: Iterable[str], tokens: Mapping[str, int]) -> str:
    return ", ".join(f"{shown_name(place)} = {number_text(tokens[place])}" for place in places)


def _ordered(places: Iterable[str]) -> list[str]:
    return sorted(places, key=natural_key)
