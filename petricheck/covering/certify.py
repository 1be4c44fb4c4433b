"""From a finished backward search to a certificate: the complement of its basis, with the facts.

Alone, the complement is not inductive: some markings below the basis lead into it, but facts
exclude these. Facts are half-spaces, marked traps and empty places; hints say which of them add up
to what excludes markings.
"""

from __future__ import annotations

from collections.abc import Iterable

from petricheck.covering.backward import Proof
from petricheck.covering.facts import Fact, Facts
from petricheck.evidence.invariant import Certificate, CoverHints
from petricheck.facts.siphons import marked
from petricheck.presburger.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    at_most,
)
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Problem, Transition


def certificate(problem: Problem, facts: Facts, proof: Proof) -> Certificate:
    """The invariant that the proof amounts to."""
    net = problem.net
    used = [facts.found[number] for number in proof.facts]
    needed = {number: facts.traps[number] for fact in used for number, _ in fact.traps}
    empty = _empty(net, facts, proof, used, needed.values())
    parts: dict[Formula, None] = {}
    for place in sorted(empty):
        parts[at_most(variable(net.places[place]), 0)] = None
    traps = {number: marked(net, trap) for number, trap in sorted(needed.items())}
    half_spaces = [fact.kept.inequality(net) for fact in used]
    parts.update(dict.fromkeys((*traps.values(), *half_spaces)))
    parts.update((_below(net, row), None) for row in proof.basis)
    numbers = {part: number for number, part in enumerate(parts)}
    sums = []
    for fact, half_space in zip(used, half_spaces, strict=True):
        added = ((numbers[traps[number]], times) for number, times in fact.traps)
        sums.append(((numbers[half_space], 1), *added))
    hints = CoverHints(tuple(terms for terms in sums if len(terms) > 1))
    return Certificate(Conjunction(tuple(parts)), hints)


def _below(net: Net, row: tuple[int, ...]) -> Formula:
    """That the marking is not covered: a clause, a single atom too."""
    wanted = ((net.places[place], tokens) for place, tokens in enumerate(row) if tokens)
    return Disjunction(tuple(at_most(variable(name), tokens - 1) for name, tokens in wanted))


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
    unblocked = set(facts.unblocked)
    dead = [t for number, t in enumerate(net.transitions) if number not in unblocked]
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
                or not all(fact.kept.kept_by((t.effect,)) for fact in used)
                or any(_empties(t, trap) for trap in traps)
            )
        )
        transition = next(harmful, None)
        if transition is None:
            return chosen
        chosen.add(next(place for place, _ in transition.pre if place in facts.empty))


def _empties(transition: Transition, trap: frozenset[int]) -> bool:
    taken = any(place in trap for place, _ in transition.pre)
    return taken and not any(place in trap for place, _ in transition.post)
