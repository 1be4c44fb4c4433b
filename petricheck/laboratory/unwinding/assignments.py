"""Paths as formulas in static single assignment form.

A firing makes new variables for the places that it changes, and for no others. Between two parts
each place has one variable, so that interpolants speak of these alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from petricheck.encoding.stamps import at, token
from petricheck.presburger.formulas import (
    Conjunction,
    Formula,
    at_least,
    equal,
    substitute,
    variables,
)
from petricheck.presburger.terms import Term, constant, variable
from petricheck.problem import Net, Transition, Weights


@dataclass(frozen=True, slots=True)
class Path:
    """An interpolation problem.

    Attributes:
        parts: where the path begins, its firings, and where it ends.
        cuts: before each firing and at the end, the variables of the places.
    """

    parts: tuple[Formula, ...]
    cuts: tuple[Mapping[str, Term], ...]

    def stamped(self, formula: Formula, cut: int) -> Formula:
        """Return a formula over places, stamped with the time of the cut."""
        return substitute(formula, self.cuts[cut])

    def unstamped(self, formula: Formula, cut: int) -> Formula:
        """Return the formula over places that has this form at the cut."""
        places = {term.variables[0]: variable(p) for p, term in self.cuts[cut].items()}
        return substitute(formula, places)


def path_of(
    net: Net,
    start: Formula,
    actions: Sequence[int],
    end: Formula,
    accelerated: bool = False,
) -> Path:
    """The path that begins in one formula over places and ends in another.

    Args:
        net: the net.
        start: what holds before it.
        actions: its transitions.
        end: what is to hold after it.
        accelerated: whether each fires any positive number of times.
    """
    versions = dict.fromkeys(net.places, 0)
    cuts = [_terms(versions)]
    firings: list[Formula] = []
    for k, action in enumerate(actions):
        firing = _firing(net, net.transitions[action], k, versions, accelerated)
        firings.append(Conjunction(tuple(firing)))
        cuts.append(_terms(versions))
    parts = (*firings, substitute(end, cuts[-1]))
    here = substitute(start, cuts[0])
    used = {name for part in (here, *parts) for name in variables(part)}
    natural = (at_least(term, 0) for term in cuts[0].values() if term.variables[0] in used)
    return Path((Conjunction((here, *natural)), *parts), tuple(cuts))


def repetitions(k: int) -> str:
    """The variable that counts how often the transition at time k fires."""
    return at("n", k) + "#"


def _terms(versions: Mapping[str, int]) -> dict[str, Term]:
    return {place: token(place, version) for place, version in versions.items()}


def _firing(
    net: Net, transition: Transition, k: int, versions: dict[str, int], accelerated: bool
) -> Iterator[Formula]:
    """The firing at time k; the versions are those after it then."""
    count = variable(repetitions(k)) if accelerated else constant(1)
    if accelerated:
        yield at_least(count, 1)
    yield from _guard(net, transition.pre, versions)
    for place, change in transition.effect:
        name = net.places[place]
        before = token(name, versions[name])
        versions[name] += 1
        yield equal(token(name, versions[name]), before + count * change)
    if accelerated:
        yield from _guard(net, transition.end_guard, versions)


def _guard(net: Net, guard: Weights, versions: Mapping[str, int]) -> Iterator[Formula]:
    for place, weight in guard:
        yield at_least(token(net.places[place], versions[net.places[place]]), weight)
