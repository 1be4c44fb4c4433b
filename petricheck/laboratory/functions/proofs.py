"""Proofs in linear arithmetic with functions: the rules of McMillan (2004), as values.

A proof refutes a sequence of formulas, its *parts*. Clauses, their hypotheses and resolutions are
those of `prover.proofs`; an atom is an inequality, an equality, or a gate, which stands for a
subformula of one part. What Contra rests on is a derivation of an equation or inequality from
literals, line by line; sums of inequalities (Comb) and congruences (Cong) are taken all at once, of
any number.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from petricheck.laboratory.functions.formulas import Atom, Formula
from petricheck.laboratory.functions.terms import Term
from petricheck.laboratory.prover.proofs import Hypothesis, Literal, Resolution


@dataclass(frozen=True, slots=True)
class Gate:
    """A proposition: the formula, which is a subformula of the part with this number."""

    part: int
    formula: Formula


@dataclass(frozen=True, slots=True)
class Assumed:
    """Hyp: what a literal says: x = y, t ≤ 0, or t > 0 as -t < 0."""

    literal: Literal


@dataclass(frozen=True, slots=True)
class Reflexive:
    """Refl: the term equals itself."""

    term: Term


@dataclass(frozen=True, slots=True)
class Symmetric:
    """Symm: from x = y, y = x."""

    line: int


@dataclass(frozen=True, slots=True)
class Transitive:
    """Trans: from x = y and y = z, x = z."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Congruent:
    """Cong: from x_i = y_i, f(x_1, …) = f(y_1, …)."""

    function: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """LeqEq: from x = y, x - y ≤ 0."""

    line: int


@dataclass(frozen=True, slots=True)
class Antisymmetric:
    """EqLeq: from left - right ≤ 0 and right - left ≤ 0, left = right."""

    upper: int
    lower: int
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Combination:
    """Comb: the sum of inequalities with multipliers > 0."""

    summands: tuple[tuple[int, Fraction], ...]


Line: TypeAlias = (
    Assumed
    | Reflexive
    | Symmetric
    | Transitive
    | Congruent
    | Difference
    | Antisymmetric
    | Combination
)


@dataclass(frozen=True, slots=True)
class Absurd:
    """The last line is an inequality between numbers, which is false."""


@dataclass(frozen=True, slots=True)
class Clash:
    """EqNeq: the last line is an equation, and the literal, of its atom, denies it."""

    literal: Literal


@dataclass(frozen=True, slots=True)
class Refutation:
    """Literals that contradict each other.

    Attributes:
        lines: each rests on earlier ones.
        end: why the last of them is a contradiction.
    """

    lines: tuple[Line, ...]
    end: Absurd | Clash

    @property
    def literals(self) -> tuple[Literal, ...]:
        """The literals that are used."""
        assumed = [line.literal for line in self.lines if isinstance(line, Assumed)]
        last = [self.end.literal] if isinstance(self.end, Clash) else []
        return tuple(dict.fromkeys((*assumed, *last)))


@dataclass(frozen=True, slots=True)
class Contra:
    """Contra: the clause of the opposites of the literals that the refutation uses."""

    refutation: Refutation


Step: TypeAlias = Hypothesis | Contra | Resolution


@dataclass(frozen=True, slots=True)
class Proof:
    """A refutation of formulas together.

    Attributes:
        parts: the formulas.
        atoms: what the literals stand for; the first has number 1.
        steps: each rests on earlier ones; the last derives the empty clause.
    """

    parts: tuple[Formula, ...]
    atoms: tuple[Gate | Atom, ...]
    steps: tuple[Step, ...]

    def __len__(self) -> int:
        return len(self.steps)
