"""An inductive invariant: a formula over the places, with hints for the audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.answer import Certificate
from petricheck.notations import Told
from petricheck.notations._hints import read_hints, read_origin, write_hints, write_origin
from petricheck.notations._script import after, call, definition, guards, question
from petricheck.presburger.formulas import TRUE, Disjunction, Formula, atoms, variables
from petricheck.presburger.json import read_formula, read_items, require_keys, write_formula
from petricheck.presburger.minimal import minimal
from petricheck.presburger.shown import shown_lines
from petricheck.presburger.smtlib import numeral, plain, symbol, to_smtlib
from petricheck.problem import Problem
from petricheck.words import counted, natural_key

CLAIM = "holds initially, is kept by every transition and excludes the target"


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
        hints, origins = certificate.hints, certificate.origins
        fields: dict[str, Any] = {
            "invariant": write_formula(certificate.invariant),
            "hints": None if hints is None else write_hints(hints),
        }
        return fields | ({"origins": [write_origin(o) for o in origins]} if origins else {})

    def read(self, fields: Mapping[str, Any]) -> Certificate:
        """The inverse of `write`.

        Raises:
            EvidenceError: the values are not of that form.
        """
        optional = ["origins"] if "origins" in fields else []
        require_keys(fields, "invariant", "hints", *optional)
        hints = None if fields["hints"] is None else read_hints(fields["hints"])
        origins = read_items(fields.get("origins", []), read_origin)
        return Certificate(read_formula(fields["invariant"]), hints, origins)

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
        yield from _definitions(problem, certificate.invariant)
        yield from _questions(problem, certificate.invariant)

    def defined(self, found: Mapping[str, Formula]) -> Certificate:
        """The formula alone."""
        return Certificate(found["invariant"])


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


def _definitions(problem: Problem, invariant: Formula) -> Iterator[str]:
    yield definition("invariant", invariant)
    yield definition("target", problem.target)
    for place in _mentioned(problem, invariant):
        yield f"(declare-const {symbol(place)} Int)"
        yield f"(assert (>= {symbol(place)} 0))"


def _mentioned(problem: Problem, invariant: Formula) -> tuple[str, ...]:
    """The places that the questions speak of, in the net's order."""
    net = problem.net
    names = {*variables(invariant), *variables(problem.target)}
    names |= {net.places[place] for t in net.transitions for place, _ in t.pre}
    return tuple(place for place in net.places if place in names)


def _questions(problem: Problem, invariant: Formula) -> Iterator[str]:
    net, places = problem.net, variables(invariant)
    here = call("invariant", (symbol(place) for place in places))
    start = net.values(net.initial)
    initially = call("invariant", (numeral(start[place]) for place in places))
    yield from question("the invariant holds initially", [f"(not {initially})"])
    for transition in net.transitions:
        claim = f"transition {plain(transition.name)} keeps the invariant"
        then = call("invariant", after(net, transition, places))
        yield from question(claim, [*guards(net, transition), here, f"(not {then})"])
    inside = call("target", (symbol(place) for place in variables(problem.target)))
    yield from question("the invariant excludes the target", [here, inside])
