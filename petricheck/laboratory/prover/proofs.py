"""Proofs: the rules of McMillan (2004), as values.

A proof refutes a sequence of formulas, its *parts*. Its clauses are sets of literals, and a literal
is a number: n stands for the atom `atoms[n - 1]`, and -n for its opposite. An atom is an
inequality, term ≤ 0, or a gate, which stands for a subformula of one part. Over the integers the
opposite of t ≤ 0 is 1 - t ≤ 0, over the rationals -t < 0.

Rules of the paper: `Hypothesis` is its HypC, `Contra` and `Resolution` its Contra and Res. What
Contra rests on is a sum of inequalities (Hyp and Comb, all at once), or, which is ours and makes
the integers complete together with atoms that a search adds, equations without an integer solution
(`Residue`; each equation is two literals, as by EqLeq).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from petricheck.presburger.formulas import Congruence, Formula, Inequality, Negation

Literal = int


@dataclass(frozen=True, slots=True)
class Gate:
    """A proposition: the formula, which is a subformula of the part with this number."""

    part: int
    formula: Formula


@dataclass(frozen=True, slots=True)
class Quotient:
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
    """EqLeq: of these literals one says t ≤ 0, the other t ≥ 0."""

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
        return tuple(each for part, _ in self.summands for each in (part.upper, part.lower))


@dataclass(frozen=True, slots=True)
class Contra:
    """Contra: the clause of the opposites of the literals that the refutation uses."""

    refutation: Sum | Residue


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


Step = Hypothesis | Contra | Resolution


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
    atoms: tuple[Gate | Inequality, ...]
    quotients: Mapping[str, Quotient]
    steps: tuple[Step, ...]

    def inequality(self, literal: Literal) -> Formula:
        """What a literal says that is no gate: t ≤ 0, or the opposite where rational.

        Raises:
            ValueError: its atom is a gate.
        """
        atom = self.atoms[abs(literal) - 1]
        if not isinstance(atom, Inequality):
            raise ValueError(f"atom {abs(literal)} is a gate")
        if literal > 0:
            return atom
        return Inequality(1 - atom.term) if self.integral else Negation(atom)

    def __len__(self) -> int:
        return len(self.steps)
