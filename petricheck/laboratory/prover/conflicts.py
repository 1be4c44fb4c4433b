"""What is learnt from a conflict: a clause that says something as soon as levels are taken back."""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.laboratory.prover.assignment import Assignment
from petricheck.laboratory.prover.derivations import Chain, Derivations
from petricheck.laboratory.prover.proofs import Literal


@dataclass(frozen=True, slots=True)
class Learnt:
    """A clause with one literal of the level of its conflict: the first.

    Attributes:
        clause: the literals, of later levels first.
        chain: how it is derived.
        level: the level at which its first literal follows.
        involved: the literals that were met on the way.
    """

    clause: tuple[Literal, ...]
    chain: Chain
    level: int
    involved: frozenset[Literal]


def learnt(derivations: Derivations, assignment: Assignment, conflict: int, level: int) -> Learnt:
    """Resolve a clause in conflict until one literal is of the level, and none of level 0."""
    level_of = assignment.level_of
    literals = set(derivations.clauses[conflict])
    involved = set(literals)
    links: list[tuple[Literal, int]] = []
    current = sum(level_of(literal) == level for literal in literals)
    for literal in assignment.since(level):
        if -literal not in literals:
            continue
        if current == 1:
            break
        reason = assignment.reason(literal)
        assert reason is not None
        links.append((literal, reason))
        added = {other for other in derivations.clauses[reason] if other != literal} - literals
        current += sum(level_of(other) == level for other in added) - 1
        literals |= added
        literals.discard(-literal)
        involved |= added
    links += units(assignment, literals)
    left = [each for each in literals if level_of(each)]
    clause = sorted(left, key=lambda each: (-level_of(each), abs(each)))
    back = level_of(clause[1]) if len(clause) > 1 else 0
    return Learnt(tuple(clause), Chain(conflict, tuple(links)), back, frozenset(involved))


def units(assignment: Assignment, literals: set[Literal]) -> list[tuple[Literal, int]]:
    """How the literals that are false without any decision are resolved away."""
    fixed = sorted(each for each in literals if assignment.level_of(each) == 0)
    return [(-literal, assignment.unit(-literal)) for literal in fixed]
