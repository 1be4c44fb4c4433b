"""An inductive invariant: a formula over the places, with hints for the audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.answer import Certificate, CoverHints, Hints, Origin, Separator
from petricheck.notations import Told
from petricheck.notations._script import Values, declarations, definition, questions
from petricheck.presburger.formulas import TRUE, Disjunction, Formula, atoms, variables
from petricheck.presburger.json import (
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
from petricheck.presburger.minimal import minimal
from petricheck.presburger.shown import shown_lines
from petricheck.presburger.smtlib import call, symbol, to_smtlib
from petricheck.problem import Problem
from petricheck.words import counted, natural_key

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
_ORIGINS = items(record(Origin, {"direction": SUM, "suggested by": items(TEXT)}))


@dataclass(frozen=True)
class Invariant:
    """A formula; in a script it is the function `invariant`."""

    of: ClassVar[type] = Certificate
    keys: ClassVar[tuple[str, ...]] = ("invariant", "hints", "origins")
    functions: ClassVar[tuple[str, ...]] = ("invariant",)

    def write(self, certificate: Certificate) -> dict[str, Any]:
        """Formula and hints, and origins where any are known.

        Raises:
            QueryError: the formula is nested too deeply to be read back.
        """
        fields: dict[str, Any] = {
            "invariant": write_formula(certificate.invariant),
            "hints": _write_hints(certificate.hints),
        }
        origins = certificate.origins
        return fields | ({"origins": _ORIGINS.write(origins)} if origins else {})

    def read(self, fields: Mapping[str, Any]) -> Certificate:
        """The inverse of `write`.

        Raises:
            EvidenceError: the values are not of that form.
        """
        optional = ["origins"] if "origins" in fields else []
        require_keys(fields, "invariant", "hints", *optional)
        origins = _ORIGINS.read(fields.get("origins", []))
        invariant, hints = read_formula(fields["invariant"]), _read_hints(fields["hints"])
        return Certificate(invariant, hints, origins)

    def told(self, certificate: Certificate, form: str) -> Told:
        """The formula as `minimal` leaves it, or its size."""
        formula = minimal(certificate.invariant)
        if formula == TRUE and form == "text":  # What excludes the target holds of every marking.
            return Told("No marking satisfies the target.", "", "")
        return Told(
            f"This invariant {CLAIM}:",
            "\n".join(f"  {line}" for line in _shown(formula, form)),
            f"An invariant of {_size(formula)} {CLAIM}.",
            tuple(sorted(variables(formula), key=natural_key)),
            formula,
        )

    def lines(self, problem: Problem, certificate: Certificate) -> Iterator[str]:
        """Definitions, and one question for each obligation."""
        invariant, names = certificate.invariant, variables(certificate.invariant)
        yield definition("invariant", invariant)
        yield definition("target", problem.target)
        yield from declarations(map(symbol, _mentioned(problem, invariant)))

        def holds(values: Values) -> list[str]:
            return [call("invariant", (values[place] for place in names))]

        yield from questions(problem, holds)

    def defined(self, found: Mapping[str, Formula]) -> Certificate:
        """The formula alone."""
        return Certificate(found["invariant"])


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


def _shown(formula: Formula, form: str) -> list[str]:
    match form:
        case "latex":
            from petricheck.presburger.latex import to_latex_lines

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


def _mentioned(problem: Problem, invariant: Formula) -> tuple[str, ...]:
    """The places that the questions speak of, in the net's order."""
    net = problem.net
    names = {*variables(invariant), *variables(problem.target)}
    names |= {net.places[place] for t in net.transitions for place, _ in t.pre}
    return tuple(place for place in net.places if place in names)
