"""Whether a proof with functions is one, line by line: borrows nothing from the search.

A hypothesis holds in every model of its part, once gates mean their formulas; every other step
keeps that; and the last, the empty clause, holds in none. Atoms and equal terms are checked to
belong to one part each, without which the interpolation rules would say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.errors import EvidenceError
from petricheck.laboratory.functions.conclusions import Bound, Equation, atom_of, conclusions
from petricheck.laboratory.functions.formulas import (
    Atom,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Negation,
    terms,
    vocabulary,
)
from petricheck.laboratory.functions.proofs import (
    Absurd,
    Clash,
    Contra,
    Gate,
    Proof,
    Refutation,
    Step,
)
from petricheck.laboratory.functions.terms import Symbol, Term, symbols
from petricheck.laboratory.prover.proofs import Hypothesis, Literal, Resolution


def check(proof: Proof) -> None:
    """Accept a refutation of the proof's parts.

    Raises:
        EvidenceError: it is none; the text says which step is wrong, and why.
    """
    vocabularies = [vocabulary(part) for part in proof.parts]
    for number, atom in enumerate(proof.atoms, start=1):
        if not _is_pure(atom, vocabularies):
            raise EvidenceError(f"atom {number} does not belong to one part")
    clauses: list[frozenset[Literal]] = []
    for number, step in enumerate(proof.steps):
        try:
            clauses.append(_derived(proof, step, clauses, vocabularies))
        except EvidenceError as error:
            raise EvidenceError(f"step {number} of the proof: {error}") from None
    if not clauses or clauses[-1]:
        raise EvidenceError("the proof does not end with the empty clause")


def _is_pure(atom: Gate | Atom, vocabularies: Sequence[frozenset[Symbol]]) -> bool:
    match atom:
        case Gate(part, formula):
            return 0 <= part < len(vocabularies) and vocabulary(formula) <= vocabularies[part]
        case _:
            found = {symbol for term in terms(atom) for symbol in symbols(term)}
            return any(found <= known for known in vocabularies)


def _derived(
    proof: Proof,
    step: Step,
    clauses: list[frozenset[Literal]],
    vocabularies: Sequence[frozenset[Symbol]],
) -> frozenset[Literal]:
    match step:
        case Hypothesis(part, clause):
            _check_hypothesis(proof, part, clause)
            return frozenset(clause)
        case Contra(refutation):
            _check_refutation(proof, refutation, vocabularies)
            return frozenset(-literal for literal in refutation.literals)
        case Resolution(pivot, positive, negative):
            if not (0 <= positive < len(clauses) and 0 <= negative < len(clauses)):
                raise EvidenceError("it rests on what is not before it")
            if pivot <= 0 or pivot not in clauses[positive] or -pivot not in clauses[negative]:
                raise EvidenceError(f"atom {pivot} is not what its clauses have and deny")
            return (clauses[positive] - {pivot}) | (clauses[negative] - {-pivot})


def _check_hypothesis(proof: Proof, part: int, clause: tuple[Literal, ...]) -> None:
    """Whether the part, or what a denied gate stands for, makes some literal true."""
    if not 0 <= part < len(proof.parts):
        raise EvidenceError(f"there is no part {part}")
    roots = [proof.parts[part]]
    known: set[tuple[Formula, bool]] = set()
    for literal in clause:
        match atom_of(proof, literal):
            case Gate(owner, formula):
                if owner != part:
                    raise EvidenceError(f"gate {abs(literal)} is of another part")
                if literal > 0:
                    known.add((formula, True))
                else:
                    roots.append(formula)
            case atom:
                known.add((atom, literal > 0))
    if not any(_follows(root, True, known) for root in roots):
        raise EvidenceError(f"the clause does not follow from part {part}")


def _follows(formula: Formula, positive: bool, known: set[tuple[Formula, bool]]) -> bool:
    """Whether one of those known holds wherever the formula does, or does not if not positive."""
    if (formula, positive) in known:
        return True
    if not positive and (Negation(formula), True) in known:
        return True
    match formula:
        case Negation(operand):
            return _follows(operand, not positive, known)
        case Conjunction(operands):
            some = any if positive else all
            return some(_follows(operand, positive, known) for operand in operands)
        case Disjunction(operands):
            some = all if positive else any
            return some(_follows(operand, positive, known) for operand in operands)
        case _:
            return False


def _check_refutation(
    proof: Proof, refutation: Refutation, vocabularies: Sequence[frozenset[Symbol]]
) -> None:
    said = conclusions(proof, refutation)
    for number, conclusion in enumerate(said):
        if isinstance(conclusion, Equation):
            for term in (conclusion.left, conclusion.right):
                if not any(known.issuperset(symbols(term)) for known in vocabularies):
                    raise EvidenceError(f"line {number}: {term} does not belong to one part")
    match refutation.end, said[-1] if said else None:
        case Absurd(), Bound(Term((), constant), strict) if constant > 0 or (
            strict and constant == 0
        ):
            return
        case Clash(literal), Equation(left, right) if literal < 0:
            if atom_of(proof, literal) in (Equality(left, right), Equality(right, left)):
                return
    raise EvidenceError("the last line is no contradiction")
