"""Proofs: the rules of McMillan (2004), as values.

A proof refutes a sequence of formulas, its *parts*. Its clauses are sets of literals, and a literal
is a number: n stands for the atom `atoms[n - 1]`, and -n for its opposite. An atom is an
inequality, term ≤ 0, an equation (over the rationals), or a gate, which stands for a subformula of
one part. Over the integers the opposite of t ≤ 0 is 1 - t ≤ 0, over the rationals -t < 0.

Rules of the paper: `Hypothesis` is its HypC, `Contra` and `Resolution` its Contra and Res. What
Contra rests on is a sum of inequalities (Hyp and Comb, all at once); or a `Derivation`, line by
line, of equations as well, where functions occur; or, which is ours and makes the integers complete
together with atoms that a search adds, equations without an integer solution (`Residue`; each
equation is two literals, as by EqLeq).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.laboratory.prover.terms import Ratio

Literal: TypeAlias = int


@dataclass(frozen=True, slots=True)
class Gate:
    """A proposition: the formula, which is a subformula of the part with this number."""

    part: int
    formula: Formula


@dataclass(frozen=True, slots=True)
class QuotientVariable:
    """A variable of one part: the term of the congruence divided by its modulus, rounded down."""

    part: int
    congruence: Congruence


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """HypC: a clause that follows from a part by what its gates and quotients stand for."""

    part: int
    clause: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """Hyp and Comb: literals with multipliers > 0 whose inequalities sum up to 1 ≤ 0, or 0 < 0."""

    summands: tuple[tuple[Literal, int], ...]

    @property
    def literals(self) -> tuple[Literal, ...]:
        """The literals that contradict each other."""
        return tuple(literal for literal, _ in self.summands)


@dataclass(frozen=True, slots=True)
class Equation:
    """EqLeq: t = 0 from two literals, t ≤ 0 and t ≥ 0."""

    upper: Literal
    lower: Literal


@dataclass(frozen=True, slots=True)
class Residue:
    """Equations whose combination is c + q·(…) = 0 with q ∤ c: no integers satisfy all of them.

    Attributes:
        summands: equations with their multipliers; the sum is of what the upper literals say.
        modulus: q.
    """

    summands: tuple[tuple[Equation, int], ...]
    modulus: int

    @property
    def literals(self) -> tuple[Literal, ...]:
        """The literals that contradict each other."""
        equations = (equation for equation, _ in self.summands)
        return tuple(literal for one in equations for literal in (one.upper, one.lower))


@dataclass(frozen=True, slots=True)
class Assumed:
    """Hyp: the statement of a literal: x = y, t ≤ 0, or t > 0 as -t < 0."""

    literal: Literal


@dataclass(frozen=True, slots=True)
class Reflexive:
    """Refl: the term equals itself."""

    term: Ratio


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
    left: Ratio
    right: Ratio


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
class Derivation:
    """Literals that contradict each other, over the rationals with functions.

    Attributes:
        lines: each rests on earlier ones.
        denied: EqNeq: the literal that denies the last line, an equation; None where the last is
            a false inequality between numbers.
    """

    lines: tuple[Line, ...]
    denied: Literal | None

    @property
    def literals(self) -> tuple[Literal, ...]:
        """The literals that contradict each other."""
        assumed = [line.literal for line in self.lines if isinstance(line, Assumed)]
        last = [] if self.denied is None else [self.denied]
        return tuple(dict.fromkeys((*assumed, *last)))


Refutation: TypeAlias = Sum | Residue | Derivation


@dataclass(frozen=True, slots=True)
class Contra:
    """Contra: the clause of the opposites of the literals that the refutation uses."""

    refutation: Refutation


@dataclass(frozen=True, slots=True)
class Resolution:
    """Res: both clauses together without the atom, which is in one, and its opposite in the other.

    Attributes:
        pivot: the number of the atom, > 0.
        positive: number of the step whose clause has the atom.
        negative: number of the step whose clause has its opposite.
    """

    pivot: int
    positive: int
    negative: int


Step: TypeAlias = Hypothesis | Contra | Resolution
Atom: TypeAlias = Gate | Inequality | Equality


@dataclass(frozen=True, slots=True)
class Proof:
    """A refutation of formulas together.

    Attributes:
        parts: the formulas.
        integral: whether variables are integers; otherwise they are rational.
        atoms: what the literals stand for.
        quotients: variables that are in no part, and what they stand for.
        steps: each rests on earlier ones; the last derives the empty clause.
    """

    parts: tuple[Formula, ...]
    integral: bool
    atoms: tuple[Atom, ...]
    quotients: Mapping[str, QuotientVariable]
    steps: tuple[Step, ...]

    def statement(self, literal: Literal) -> Formula:
        """Return the statement of a literal that is no gate; a negation only over the rationals."""
        atom = self.atoms[abs(literal) - 1]
        assert not isinstance(atom, Gate)
        if literal > 0:
            return atom
        return Inequality(1 - atom.term) if self.integral else Negation(atom)

    def __len__(self) -> int:
        return len(self.steps)
