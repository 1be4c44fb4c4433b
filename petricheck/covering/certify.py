"""From a finished backward search to a certificate: the complement of its basis, with the facts.

Alone, the complement is not inductive: some markings below the basis lead into it, but facts
exclude these. Without a basis only facts are left: one conjunction of half-spaces, marked traps
and empty places, which comes with hints for the audit's exact tier.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from petricheck.answer import Certificate, Hints, Separator
from petricheck.covering.backward import Proof
from petricheck.covering.facts import Fact, Facts
from petricheck.presburger.formulas import (
    Conjunction,
    Cube,
    Disjunction,
    Formula,
    Inequality,
    at_least,
    at_most,
    conjunction,
    cubes,
    disjunction,
)
from petricheck.presburger.terms import Term, linear, variable
from petricheck.problem import Net, Problem, Transition

CUBES = 64
"""Targets with more cubes get no separators; the solver excludes them."""


def certificate(problem: Problem, facts: Facts, proof: Proof) -> Certificate:
    """The invariant that the proof amounts to; hints where it is one conjunction."""
    net = problem.net
    used = [facts.found[number] for number in proof.facts]
    traps = [facts.traps[n] for n in sorted({n for fact in used for n in fact.traps})]
    empty = _empty(net, facts, proof, used, traps)
    atoms: list[Inequality] = [at_most(variable(net.places[place]), 0) for place in sorted(empty)]
    atoms += [at_least(linear((net.places[place], 1) for place in trap), 1) for trap in traps]
    atoms += [_half_space(net, fact) for fact in used]
    if proof.basis:
        return Certificate(conjunction([*atoms, *(_below(net, row) for row in proof.basis)]))
    row = tuple(-1 if _needs(t, empty) else 0 for t in net.transitions)
    separators = _separators(problem, used, empty)
    return Certificate(Disjunction((Conjunction(tuple(atoms)),)), Hints((row,), separators))


def _half_space(net: Net, fact: Fact) -> Inequality:
    term = linear((net.places[place], weight) for place, weight in fact.weights)
    return at_most(term, term.evaluate(net.values(net.initial)))


def _below(net: Net, row: tuple[int, ...]) -> Formula:
    """That the marking is not covered."""
    wanted = ((net.places[place], tokens) for place, tokens in enumerate(row) if tokens)
    return disjunction(at_most(variable(name), tokens - 1) for name, tokens in wanted)


def _needs(transition: Transition, empty: Iterable[int]) -> bool:
    return any(place in empty for place, _ in transition.pre)


def _empty(
    net: Net,
    facts: Facts,
    proof: Proof,
    used: Iterable[Fact],
    traps: Iterable[frozenset[int]],
) -> set[int]:
    """Places of the unmarked siphon that keep dead what would break the rest, and themselves."""
    live = set(facts.live)
    dead = [t for number, t in enumerate(net.transitions) if number not in live]
    chosen = set(proof.empty)
    wanted = {place for row in proof.basis for place, tokens in enumerate(row) if tokens}
    while True:
        harmful = (
            t
            for t in dead
            if not _needs(t, chosen)
            and (
                any(place in chosen for place, _ in t.post)
                or any(place in wanted and change > 0 for place, change in t.effect)
                or any(_grows(t, fact) for fact in used)
                or any(_empties(t, trap) for trap in traps)
            )
        )
        transition = next(harmful, None)
        if transition is None:
            return chosen
        chosen.add(next(place for place, _ in transition.pre if place in facts.empty))


def _grows(transition: Transition, fact: Fact) -> bool:
    weights = dict(fact.weights)
    return sum(weights.get(place, 0) * change for place, change in transition.effect) > 0


def _empties(transition: Transition, trap: frozenset[int]) -> bool:
    taken = any(place in trap for place, _ in transition.pre)
    return taken and not any(place in trap for place, _ in transition.post)


def _separators(problem: Problem, used: list[Fact], empty: set[int]) -> tuple[Separator, ...]:
    """For each cube a reason to miss it, where one atom suffices; traps need several."""
    found = []
    for number, cube in enumerate(islice(cubes(problem.target), CUBES + 1)):
        reason = _separator(problem.net, number, cube, used, empty)
        found.extend([] if reason is None else [reason])
    return tuple(found) if len(found) <= CUBES else ()


def _separator(
    net: Net, number: int, cube: Cube, used: list[Fact], empty: set[int]
) -> Separator | None:
    least = _least(net, cube)
    if least is None:
        return None
    for place in sorted(empty & least.keys()):
        direction: tuple[tuple[str, int], ...] = ((net.places[place], 1),)
        return Separator(number, direction, 0, _multipliers(cube, least, {place: 1}), 1)
    for fact in used:
        below = dict(fact.below)
        reached = sum(below.get(place, 0) * tokens for place, (_, tokens) in least.items())
        if not fact.traps and reached > fact.bound:
            direction = tuple(sorted((net.places[place], w) for place, w in fact.weights))
            return Separator(number, direction, 0, _multipliers(cube, least, below), 1)
    return None


def _multipliers(
    cube: Cube, least: dict[int, tuple[int, int]], weights: dict[int, int]
) -> tuple[int, ...]:
    by_literal = {literal: weights.get(place, 0) for place, (literal, _) in least.items()}
    return tuple(by_literal.get(literal, 0) for literal in range(len(cube)))


def _least(net: Net, cube: Cube) -> dict[int, tuple[int, int]] | None:
    """For each place the literal p ≥ k with the greatest k, and k; None where others occur."""
    least: dict[int, tuple[int, int]] = {}
    for number, literal in enumerate(cube):
        match literal:
            case Inequality(Term(((name, -1),), tokens)):
                place = net.place_numbers[name]
                if tokens > least.get(place, (0, 0))[1]:
                    least[place] = (number, tokens)
            case _:
                return None
    return least
