"""Paths as formulas in static single assignment form.

A firing makes new variables for the places that it changes, and for no others. Between two parts
each place has one variable; an interpolant there has these variables only.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Formula,
    at_least,
    equal,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, constant, variable
from petricheck.model.net import Net, Transition, Weights
from petricheck.symbolic.encoding.stamps import at, token


@dataclass(frozen=True, slots=True)
class Path:
    """An interpolation problem.

    Attributes:
        parts: the formula of the beginning, one for each firing, and that of the end.
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
    sliced: bool = False,
) -> Path:
    """Return the path that begins in one formula over places and ends in another.

    Args:
        net: the net.
        start: formula of the markings where it begins.
        actions: its transitions.
        end: formula of the markings where it ends.
        accelerated: whether each transition fires any positive number of times.
        sliced: whether changes are left out of places that nothing reads later.
    """
    versions = dict.fromkeys(net.places, 0)
    cuts = [_terms(versions)]
    firings: list[Formula] = []
    read: list[Container[int]] = [range(len(net.places))] * len(actions)
    if sliced:
        read = _read_later(net, actions, end, accelerated)
    for k, action in enumerate(actions):
        firing = _firing(net, net.transitions[action], k, versions, read[k], accelerated)
        firings.append(Conjunction(tuple(firing)))
        cuts.append(_terms(versions))
    parts = (*firings, substitute(end, cuts[-1]))
    beginning = substitute(start, cuts[0])
    names = {name for part in (beginning, *parts) for name in variables(part)}
    natural = (at_least(term, 0) for term in cuts[0].values() if term.variables[0] in names)
    return Path((Conjunction((beginning, *natural)), *parts), tuple(cuts))


def repetitions(k: int) -> str:
    """Return the variable that counts how often the transition at time k fires."""
    return at("n", k) + "#"


def _terms(versions: Mapping[str, int]) -> dict[str, Term]:
    return {place: token(place, version) for place, version in versions.items()}


def _read_later(
    net: Net, actions: Sequence[int], end: Formula, accelerated: bool
) -> list[Container[int]]:
    """Return, for each action, the places whose change a guard or the end of the path reads."""
    read = {net.place_numbers[place] for place in variables(end)}
    later: list[Container[int]] = []
    for action in reversed(actions):
        tested = {place for place, _ in net.transitions[action].pre}
        later.append(read | tested if accelerated else frozenset(read))
        read |= tested
    return later[::-1]


def _firing(
    net: Net,
    transition: Transition,
    k: int,
    versions: dict[str, int],
    read: Container[int],
    accelerated: bool,
) -> Iterator[Formula]:
    """Yield the conditions of the firing at time k, and update the versions to those after it."""
    count = variable(repetitions(k)) if accelerated else constant(1)
    if accelerated:
        yield at_least(count, 1)
    yield from _guard(net, transition.pre, versions)
    for place, change in transition.effect:
        name = net.places[place]
        before = token(name, versions[name])
        versions[name] += 1
        if place in read:
            yield equal(token(name, versions[name]), before + count * change)
    if accelerated:
        end_guard = tuple(pair for pair in transition.end_guard if pair[0] in read)
        yield from _guard(net, end_guard, versions)


def _guard(net: Net, guard: Weights, versions: Mapping[str, int]) -> Iterator[Formula]:
    for place, weight in guard:
        yield at_least(token(net.places[place], versions[net.places[place]]), weight)
