"""A target taken apart into literals and choices, and which of them hold in a marking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    normal,
)
from petricheck.arithmetic.programs.linear_programs import as_float

_CLOSE = 1e-6
"""Differences of numbers of tokens that count as none."""

_RESIDUES = 64
"""A negated congruence with more other residues is no choice, but left out."""


@dataclass(eq=False, slots=True)
class BranchPoint:
    """A disjunction.

    Attributes:
        number: negative, unlike those of literals.
        parts: the alternatives.
    """

    number: int
    parts: tuple[Part, ...]


Part: TypeAlias = "int | BranchPoint | tuple[Part, ...]"
"""The number of a literal, a disjunction, or a conjunction."""


class SplitTarget:
    """A target; where it is left out that a term has another residue, a weaker one.

    Attributes:
        root: all of it.
        atoms: its literals by number.
    """

    def __init__(self, target: Formula, places: Mapping[str, int]) -> None:
        self._numbers: dict[Atom, int] = {}
        self._choices = 0
        self._literals: list[int] = []
        self._starts: list[int] = []
        self._flat: list[int] = []  # Choices of literals alone, whose alternatives stand in arrays.
        self._nested: set[int] = set()
        self.root = self._part(normal(target))
        self.atoms = tuple(self._numbers)
        pairs = [(n, *pair) for n, atom in enumerate(self.atoms) for pair in atom.term.coefficients]
        self._rows = np.array([number for number, _, _ in pairs], dtype=np.intp)
        self._places = np.array([places[name] for _, name, _ in pairs], dtype=np.intp)
        self._weights = np.array([as_float(value) for _, _, value in pairs])
        self._constants = np.array([as_float(atom.term.constant) for atom in self.atoms])
        self._below = np.array([isinstance(atom, Inequality) for atom in self.atoms], dtype=bool)
        moduli = [
            as_float(atom.modulus) if isinstance(atom, Congruence) else 0 for atom in self.atoms
        ]
        self._moduli = np.array(moduli, dtype=np.float64)

    def true_literals(self, tokens: Any) -> Any:
        """Return a boolean array by literal: which hold, up to rounding errors.

        Args:
            tokens: on each place, an array of floats.
        """
        terms = np.bincount(self._rows, self._weights * tokens[self._places], len(self.atoms))
        terms = terms + self._constants
        modular = self._moduli > 0
        if modular.any():
            moduli, residues = self._moduli[modular], terms[modular]
            terms[modular] = residues - moduli * np.rint(residues / moduli)
        return np.where(self._below, terms, np.abs(terms)) <= _CLOSE

    def false_choices(self, choices: Iterable[BranchPoint], truths: Any) -> list[BranchPoint]:
        """Return the choices that these literals leave without a true alternative."""
        satisfied = np.zeros(self._choices + 1, dtype=bool)
        if self._flat:
            satisfied[self._flat] = np.logical_or.reduceat(truths[self._literals], self._starts)
        satisfied_choices, literals = satisfied.tolist(), truths.tolist()
        return [
            choice
            for choice in choices
            if not satisfied_choices[-choice.number]
            and (choice.number not in self._nested or not holds(choice, literals))
        ]

    def _part(self, formula: Formula) -> Part:
        match formula:
            case Conjunction(operands):
                return tuple(self._part(operand) for operand in operands)
            case Disjunction(operands):
                self._choices += 1
                number = -self._choices
                parts = tuple(self._part(operand) for operand in operands)
                literals = [part for part in parts if isinstance(part, int)]
                if literals and len(literals) == len(parts):
                    self._flat.append(-number)
                    self._starts.append(len(self._literals))
                    self._literals += literals
                else:
                    self._nested.add(number)
                return BranchPoint(number, parts)
            case Negation(Congruence(term, modulus)):
                if modulus > _RESIDUES:
                    return ()
                others = (Congruence(term - residue, modulus) for residue in range(1, modulus))
                return self._part(Disjunction(tuple(others)))
            case Inequality(term) | Equality(term) | Congruence(term):
                # The normal form leaves no constant that is false.
                if not term.coefficients:
                    return ()
                return self._numbers.setdefault(formula, len(self._numbers))
            case _:
                raise AssertionError("normal form keeps negation on congruences only")


def holds(part: Part, truths: Sequence[bool]) -> bool:
    """Return whether a part does where these literals do."""
    match part:
        case int():
            return truths[part]
        case BranchPoint():
            return any(holds(inner, truths) for inner in part.parts)
        case parts:
            return all(holds(inner, truths) for inner in parts)
