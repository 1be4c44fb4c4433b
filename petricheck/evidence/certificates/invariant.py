"""Inductive invariants: formulas over the places, with hints for the audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Disjunction,
    Formula,
    atoms,
    variables,
)
from petricheck.arithmetic.formulas.json import (
    INTEGER,
    SUM,
    TEXT,
    items,
    pair,
    read_formula,
    record,
    require_keys,
    write_formula,
)
from petricheck.arithmetic.formulas.latex import to_latex_lines
from petricheck.arithmetic.formulas.minimal import minimal
from petricheck.arithmetic.formulas.shown import shown_formula, shown_lines
from petricheck.arithmetic.solvers.smtlib import call, symbol, to_smtlib
from petricheck.evidence.certificates import Description
from petricheck.evidence.certificates._script import (
    Values,
    declarations,
    definition,
    obligation_lines,
)
from petricheck.model.problem import Problem
from petricheck.support.words import counted


@dataclass(frozen=True, slots=True)
class Separator:
    """A reason why no marking of a cube of the target satisfies some atoms with the direction c.

    S = Σ multiplier_r · term_r is a combination of the literals r of the cube. With modulus 0,
    multipliers of inequalities are ≥ 0 and those of congruences 0, so S ≤ 0 on the cube. Scale is ≥
    1 and S + scale·c has no negative coefficient, so c·m ≥ S(0)/scale for every m ≥ 0 in the cube.
    With modulus q ≥ 2, multipliers of inequalities are 0 and q divides multiplier_r · q_r for
    congruences, so S ≡ 0 (mod q) on the cube. All coefficients of S − scale·c are 0 modulo q, so
    scale·(c·m) ≡ −S(0) (mod q).

    Attributes:
        cube: number of the cube, in the order of `arithmetic.formulas.cubes`.
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
    """Suggestions with which the audit checks a disjunction of conjunctions without a solver.

    No hint is trusted: each is verified, and a wrong one only makes the audit slower.

    Attributes:
        successors: for each disjunct and transition, the number of the disjunct that holds after
            firing, or -1 where the disjunct disables the transition.
        separators: reasons why disjuncts exclude cubes of the target.
    """

    successors: tuple[tuple[int, ...], ...]
    separators: tuple[Separator, ...]


@dataclass(frozen=True, slots=True)
class CoverHints:
    """Suggestions to check a conjunction of clauses and half-spaces without a solver.

    A clause is a disjunction of atoms c·m ≤ k with c ≥ 0: together they are the complement of an
    upward-closed set. No hint is trusted.

    Attributes:
        sums: sums of half-spaces, which exclude more than the half-spaces one by one; each sum is a
            list of (position among the operands of the invariant, multiplier ≥ 1).
    """

    sums: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class DirectionOrigin:
    """The part of the search that suggested the atoms of a direction; a comment, no evidence.

    Attributes:
        direction: (place id, coefficient), sorted by place id, without zeros.
        suggested_by: names of the heuristics or other parts that suggested it.
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
        origins: the origins of its directions; some may be missing.
    """

    invariant: Formula
    hints: Hints | CoverHints | None = None
    origins: tuple[DirectionOrigin, ...] = ()

    def __str__(self) -> str:
        return shown_formula(self.invariant)


CLAIM = "holds initially, is kept by every transition and excludes the target"

_SEPARATOR = record(
    Separator,
    {
        "cube": INTEGER,
        "direction": SUM,
        "modulus": INTEGER,
        "multipliers": items(INTEGER),
        "scale": INTEGER,
    },
)
_HINTS = record(Hints, {"successors": items(items(INTEGER)), "separators": items(_SEPARATOR)})
_SHARE = pair(INTEGER, INTEGER, "[conjunct, how often]")
_COVER_HINTS = record(CoverHints, {"sums": items(items(_SHARE))})
_ORIGINS = items(record(DirectionOrigin, {"direction": SUM, "suggested by": items(TEXT)}))


class Invariant:
    """A formula; in a script it is the function `invariant`."""

    of = Certificate
    keys = ("invariant", "hints", "origins")
    functions = ("invariant",)

    def write(self, certificate: Certificate) -> dict[str, Any]:
        """Return formula and hints, and the origins if there are any."""
        fields: dict[str, Any] = {
            "invariant": write_formula(certificate.invariant),
            "hints": _write_hints(certificate.hints),
        }
        origins = certificate.origins
        return fields | ({"origins": _ORIGINS.write(origins)} if origins else {})

    def read(self, fields: Mapping[str, Any]) -> Certificate:
        """Return the certificate that `write` has written."""
        optional = ["origins"] if "origins" in fields else []
        require_keys(fields, "invariant", "hints", *optional)
        origins = _ORIGINS.read(fields.get("origins", []))
        invariant, hints = read_formula(fields["invariant"]), _read_hints(fields["hints"])
        return Certificate(invariant, hints, origins)

    def describe(self, certificate: Certificate, form: str) -> Description:
        """Describe the formula, simplified by `minimal`, and its size."""
        formula = minimal(certificate.invariant)
        if formula == TRUE and form == "text":  # What excludes the target holds of every marking.
            return Description("No marking satisfies the target, reachable or not.", "", "")
        return Description(
            f"This invariant {CLAIM}:",
            "\n".join(f"  {line}" for line in _formula_lines(formula, form)),
            f"An invariant of {_size(formula)} {CLAIM}.",
            formula,
        )

    def lines(self, problem: Problem, certificate: Certificate) -> Iterator[str]:
        """Yield definitions, and one `check-sat` for each obligation."""
        invariant, names = certificate.invariant, variables(certificate.invariant)
        yield definition("invariant", invariant)
        yield definition("target", problem.target)
        yield from declarations(map(symbol, _places_of(problem, invariant)))

        def holds(values: Values) -> list[str]:
            return [call("invariant", (values[place] for place in names))]

        yield from obligation_lines(problem, holds)

    def from_definitions(self, bodies: Mapping[str, Formula]) -> Certificate:
        """Return the formula as a certificate."""
        return Certificate(bodies["invariant"])


def _write_hints(hints: Hints | CoverHints | None) -> Any:
    match hints:
        case None:
            return None
        case Hints():
            return _HINTS.write(hints)
        case CoverHints():
            return _COVER_HINTS.write(hints)


def _read_hints(value: Any) -> Hints | CoverHints | None:
    if value is None:
        return None
    if isinstance(value, dict) and "sums" in value:
        return _COVER_HINTS.read(value)
    return _HINTS.read(value)


def _formula_lines(formula: Formula, form: str) -> list[str]:
    match form:
        case "latex":
            return to_latex_lines(formula)
        case "smt":
            return [to_smtlib(formula)]
        case _:
            return shown_lines(formula)


def _size(formula: Formula) -> str:
    inner = counted(sum(1 for _ in atoms(formula)), "atom")
    if isinstance(formula, Disjunction):
        return f"{counted(len(formula.operands), 'case')} with {inner}"
    return inner


def _places_of(problem: Problem, invariant: Formula) -> tuple[str, ...]:
    """Return the places that the obligations name, in the net's order."""
    net = problem.net
    names = {*variables(invariant), *variables(problem.target)}
    names |= {net.places[place] for t in net.transitions for place, _ in t.pre}
    return tuple(place for place in net.places if place in names)
