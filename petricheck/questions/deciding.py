"""Claims that decide a target; the tokens of a marking by place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.evidence.claims import Claim, Excluded, Reached
from petricheck.model.net import Marking, Net
from petricheck.support.words import listed, number_text

_FEW = 20
"""Places of a marking that are listed."""


def deciding(target: Formula, claims: Sequence[Claim]) -> Reached | Excluded | None:
    """Return the first claim that decides the target: a trace ends in it, or it is excluded."""
    for claim in claims:
        match claim:
            case Reached(trace, stops) if any(
                after == len(trace.steps) and alike(formula, target) for after, formula in stops
            ):
                return claim
            case Excluded(formula) if alike(formula, target):
                return claim
    return None


def tokens_held(net: Net, marking: Marking) -> dict[str, int]:
    """Return the tokens of the marked places, by id."""
    return {place: tokens for place, tokens in net.values(marking).items() if tokens}


def tokens_known(net: Net, marking: Marking) -> dict[str, int]:
    """Return the tokens of those marked places that users know, by id."""
    return {net.places[number]: marking[number] for number in net.known if marking[number]}


def marking_text(net: Net, tokens: Mapping[str, int]) -> str:
    """Return the tokens of a marking, by id, in a line for people; of many places the first."""
    named = [(shown_name(net.shown.place(place)), count) for place, count in tokens.items()]
    pairs = listed(named, _FEW, lambda pair: f"{pair[0]} = {number_text(pair[1])}")
    return pairs or "the empty marking"


def alike(left: Formula, right: Formula) -> bool:
    """Return whether two formulas are written alike."""
    if left is right:
        return True
    from petricheck.arithmetic.solvers.smtlib import written_alike  # Few questions need it.

    return written_alike(left, right)
