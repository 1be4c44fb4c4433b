"""Answers: a verdict is a value that holds its evidence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from petricheck.errors import Ending
from petricheck.markup import Shown
from petricheck.presburger.formulas import Formula
from petricheck.presburger.shown import shown_formula, shown_name
from petricheck.words import counted, number_text, printable, shortened


@dataclass(frozen=True, slots=True)
class Trace:
    """A firing sequence.

    Attributes:
        steps: (transition id, how often it fires in a row, at least once).
    """

    steps: tuple[tuple[str, int], ...]

    @property
    def length(self) -> int:
        """How many firings there are, repeats counted."""
        return sum(times for _, times in self.steps)

    def __str__(self) -> str:
        return " ".join(shortened(self.steps, _STEPS, step_text, "step"))


def step_text(step: tuple[str, int]) -> str:
    """A transition, with how often it fires in a row: `t4^2`."""
    name, times = step
    return f"{shown_name(name)}^{number_text(times)}" if times > 1 else shown_name(name)


_STEPS = 100
"""Steps of a trace that its text has."""


def joined(steps: Iterable[tuple[int, int]], names: Sequence[str]) -> Trace:
    """The trace of (transition number, how often) steps, equal neighbours joined."""
    groups = groupby(steps, key=itemgetter(0))
    return Trace(tuple((names[number], sum(n for _, n in group)) for number, group in groups))


@dataclass(frozen=True, slots=True)
class Separator:
    """Why no marking of a target cube satisfies a predicate over the direction c.

    On the cube, S = Σ multiplier_r · term_r is ≤ 0 (modulus 0: multipliers of inequalities are
    ≥ 0, of equalities free, of congruences 0) or ≡ 0 (modulus q ≥ 2: multipliers of inequalities
    are 0). For modulus 0, scale ≥ 1 and S + scale·c has no negative coefficient, so that
    c·m ≥ S(0)/scale holds for every m ≥ 0 in the cube. For modulus q, S ≡ scale·c coefficient by
    coefficient, so that scale·(c·m) ≡ −S(0) (mod q).

    Attributes:
        cube: number of the cube, as `presburger.cubes` lists the target's.
        direction: c, (place id, coefficient), sorted by place id, without zeros.
        modulus: 0 for an inequality c·m ≤ U, otherwise the modulus of a congruence.
        multipliers: one integer for each literal of the cube.
        scale: see above.
    """

    cube: int
    direction: tuple[tuple[str, int], ...]
    modulus: int
    multipliers: tuple[int, ...]
    scale: int


@dataclass(frozen=True, slots=True)
class Hints:
    """What lets the audit check a disjunction of conjunctions without a solver.

    Nothing here is trusted: each hint is verified, and a wrong one only loses the fast way.

    Attributes:
        successors: for each disjunct and transition, the number of the disjunct that holds after
            firing, or -1 where the disjunct disables the transition.
        separators: reasons why disjuncts miss target cubes.
    """

    successors: tuple[tuple[int, ...], ...]
    separators: tuple[Separator, ...]


@dataclass(frozen=True, slots=True)
class CoverHints:
    """What lets the audit check a conjunction of clauses and half-spaces without a solver.

    A clause is a disjunction of atoms c·m ≤ k with c ≥ 0: together they are the complement of an
    upward-closed set. Nothing here is trusted either.

    Attributes:
        sums: half-spaces to be added up, since together they exclude what none does alone; each a
            list of (position among the operands of the invariant, multiplier ≥ 1).
    """

    sums: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Which part of the search came up with the atoms over a direction; commentary, no evidence.

    Attributes:
        direction: (place id, coefficient), sorted by place id, without zeros.
        suggested_by: names of the heuristics, or of what else proposed it.
    """

    direction: tuple[tuple[str, int], ...]
    suggested_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Certificate:
    """An inductive invariant that excludes the target.

    Attributes:
        invariant: a formula over place ids that holds initially, is preserved by every
            transition, and contradicts the target; m ≥ 0 is understood.
        hints: present where the invariant is a `Disjunction` of `Conjunction`s of `Inequality`
            and `Congruence` atoms (exactly that shape, singletons included), or a `Conjunction`
            as `CoverHints` describes it.
        origins: where its directions came from, as far as that is known.
    """

    invariant: Formula
    hints: Hints | CoverHints | None = None
    origins: tuple[Origin, ...] = ()

    def __str__(self) -> str:
        return shown_formula(self.invariant)


@dataclass(frozen=True, slots=True)
class StateEquationCertificate:
    """An inductive invariant that counts firings, and excludes the target.

    It says of a marking m: the siphon is empty, every trap is marked, and m = m0 + Σ x_t·δ_t for
    some x ≥ 0, where t ranges over the *unblocked* transitions, which take nothing from the siphon.

    Attributes:
        traps: place ids of each; an unblocked transition that takes from a trap also puts on it.
        siphon: place ids; every transition that puts on it takes from it. May be empty.
    """

    traps: tuple[tuple[str, ...], ...]
    siphon: tuple[str, ...]

    def __str__(self) -> str:
        places = counted(len(self.siphon), "place")
        return f"state equation, {counted(len(self.traps), 'trap')}, a siphon of {places}"


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the search cost.

    Attributes:
        engine: name of the engine that found the answer.
        iterations: how many of what the engine counts, see `engines.unit`.
        states: states visited, 0 where the engine visits none.
        seconds: wall time of the engine.
    """

    engine: str = ""
    iterations: int = 0
    states: int = 0
    seconds: float = 0.0


def measure(engine: str) -> Callable[..., Statistics]:
    """What makes the statistics of an engine that begins now, of its iterations and states."""
    started = time.monotonic()

    def measured(iterations: int = 0, states: int = 0) -> Statistics:
        return Statistics(engine, iterations, states, time.monotonic() - started)

    return measured


@dataclass(frozen=True, slots=True, repr=False)
class Reachable(Shown):
    """A marking in the target is reachable, as the trace shows."""

    trace: Trace
    statistics: Statistics = Statistics()

    def __str__(self) -> str:
        return f"{self._headline}\n{self.trace}" if self.trace.steps else self._headline

    def __repr__(self) -> str:
        return f"<{self._headline}>"

    @property
    def _headline(self) -> str:
        length = self.trace.length
        return f"reachable: a trace of {number_text(length)} firing{'' if length == 1 else 's'}"


@dataclass(frozen=True, slots=True, repr=False)
class Unreachable(Shown):
    """No marking in the target is reachable, as the certificate proves.

    Attributes:
        certificate: a `Certificate`, a `StateEquationCertificate`, a `MarkingTable`, or of any
            other type that a member of `audit.shapes` audits.
    """

    certificate: object
    statistics: Statistics = Statistics()

    def __str__(self) -> str:
        return f"unreachable\n{self.certificate}"

    def __repr__(self) -> str:
        return f"<unreachable: {type(self.certificate).__name__}>"


@dataclass(frozen=True, slots=True, repr=False)
class Unknown(Shown):
    """No verdict.

    Attributes:
        reason: what stopped the search.
        hint: what to try next; may be empty.
        learnt: formulas found to be inductive on the way, which another engine may have a use for;
            nobody is to trust them.
        ending: what the reason amounts to, for programs.
    """

    reason: str
    hint: str = ""
    statistics: Statistics = Statistics()
    learnt: tuple[Formula, ...] = ()
    ending: Ending = Ending.GAVE_UP

    def __str__(self) -> str:
        hint = f"\nHint: {printable(self.hint)}." if self.hint else ""
        return f"unknown: {'; '.join(map(printable, self._reasons))}{hint}"

    def __repr__(self) -> str:
        return f"<unknown: {printable(self._reasons[0])}>"

    @property
    def _reasons(self) -> list[str]:
        # A portfolio gives the reason of each engine on a line of its own.
        return self.reason.split("\n")


Answer: TypeAlias = Reachable | Unreachable | Unknown
