"""Stronger interpolants: resolutions on atoms of one part go first (Jhala, McMillan 2007, 7).

They are what makes an interpolant a disjunction. A resolution is raised above one that nothing else
rests on, by exchanging the two, as long as there is such a one; so the proof grows little. As a
clause may lose literals by that, all that follows is resolved anew in the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from petricheck.laboratory.prover.derivations import Chain, Derivations
from petricheck.laboratory.prover.proofs import (
    Contra,
    Gate,
    Hypothesis,
    Literal,
    Proof,
    Resolution,
    Step,
)
from petricheck.laboratory.prover.terms import symbols, vocabulary

_Clause = frozenset[Literal]


@dataclass(slots=True, eq=False)
class _Vertex:
    """A clause of the proof; what it is resolved from may be exchanged.

    Attributes:
        clause: its literals, or more, where vertices above have lost some.
        origin: the step of a clause that is not resolved, or pivot, positive and negative vertex.
        uses: how many vertices rest on it.
    """

    clause: _Clause
    origin: Hypothesis | Contra | tuple[int, _Vertex, _Vertex]
    uses: int


def raised(proof: Proof) -> Proof:
    """Return the proof with resolutions on atoms of one part moved before others, where easy."""
    local = _local_atoms(proof)
    vertices: list[_Vertex] = []
    resolved = [step for step in proof.steps if isinstance(step, Resolution)]
    uses = Counter(number for step in resolved for number in (step.positive, step.negative))
    for number, step in enumerate(proof.steps):
        match step:
            case Resolution(pivot, positive, negative):
                vertex = _resolved(pivot, vertices[positive], vertices[negative])
                vertex.uses = uses[number]
                if pivot in local:
                    _raise(vertex)
            case Hypothesis(_, clause):
                vertex = _Vertex(frozenset(clause), step, uses[number])
            case Contra(refutation):
                denied = frozenset(-literal for literal in refutation.literals)
                vertex = _Vertex(denied, step, uses[number])
        vertices.append(vertex)
    return replace(proof, steps=_resolved_anew(vertices[-1]))


def _local_atoms(proof: Proof) -> frozenset[int]:
    """Return the atoms whose variables no two parts share, and the gates."""
    owners = Counter(symbol for part in proof.parts for symbol in vocabulary(part))
    return frozenset(
        number
        for number, atom in enumerate(proof.atoms, start=1)
        if isinstance(atom, Gate)
        or any(owners[symbol] < 2 for symbol in symbols(atom.term.variables))
    )


def _resolved(pivot: int, positive: _Vertex, negative: _Vertex) -> _Vertex:
    clause = (positive.clause - {pivot}) | (negative.clause - {-pivot})
    return _Vertex(clause, (pivot, positive, negative), 1)


def _raise(vertex: _Vertex) -> None:
    """Exchange the vertex with those above it until none of them is passable (Fig. 6)."""
    pending = [vertex]
    while pending:
        current = pending.pop()
        assert isinstance(current.origin, tuple)
        pivot, positive, negative = current.origin
        if _passable(positive):
            pending += _exchange(current, positive, negative, pivot)
        elif _passable(negative):
            pending += _exchange(current, negative, positive, -pivot)


def _passable(vertex: _Vertex) -> bool:
    """Return whether the vertex is derived, and used by only one other."""
    return vertex.uses == 1 and isinstance(vertex.origin, tuple)


def _exchange(
    vertex: _Vertex, above: _Vertex, beside: _Vertex, literal: Literal
) -> Iterator[_Vertex]:
    """Resolve on the literal, which `above` has, first; the new vertices that do so."""
    assert isinstance(above.origin, tuple)
    pivot, *sides = above.origin
    vertices = [_without(literal, side, beside) for side in sides]
    vertex.origin = (pivot, vertices[0], vertices[1])
    new = [vertex for vertex, side in zip(vertices, sides, strict=True) if vertex is not side]
    beside.uses += len(new) - 1
    return iter(new)


def _without(literal: Literal, vertex: _Vertex, beside: _Vertex) -> _Vertex:
    """Return the vertex without the literal, by its resolution with one that has the opposite."""
    if literal not in vertex.clause:
        return vertex
    if literal > 0:
        return _resolved(literal, vertex, beside)
    return _resolved(-literal, beside, vertex)


def _resolved_anew(last: _Vertex) -> tuple[Step, ...]:
    """Return the steps to the last vertex, without resolutions whose pivot is gone."""
    derivations = Derivations()
    numbers: dict[int, int] = {}
    pending = [last]
    while pending:
        vertex = pending[-1]
        above = vertex.origin[1:] if isinstance(vertex.origin, tuple) else ()
        missing = [premise for premise in above if id(premise) not in numbers]
        pending += missing
        if not missing:
            pending.pop()
            if id(vertex) not in numbers:
                numbers[id(vertex)] = _added(derivations, vertex, numbers)
    return derivations.steps(numbers[id(last)])


def _added(derivations: Derivations, vertex: _Vertex, numbers: dict[int, int]) -> int:
    """Add the clause of a vertex, if it is a new one; its number."""
    if not isinstance(vertex.origin, tuple):
        return derivations.add(tuple(vertex.clause), vertex.origin)
    pivot, positive, negative = vertex.origin
    one, other = numbers[id(positive)], numbers[id(negative)]
    literals, other_literals = set(derivations.clauses[one]), set(derivations.clauses[other])
    if pivot not in literals:
        return one
    if -pivot not in other_literals:
        return other
    clause = (literals - {pivot}) | (other_literals - {-pivot})
    return derivations.add(tuple(clause), Chain(other, ((pivot, one),)))
