"""Claims, traces and certificates as JSON; `evidence.json` says what they look like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from petricheck.answer import Trace
from petricheck.claims import Claim, Excluded, Pumped, Reached, Stage
from petricheck.errors import EvidenceError
from petricheck.notations import notation_of, notations
from petricheck.presburger.formulas import Formula
from petricheck.presburger.json import (
    read_formula,
    read_integer,
    read_items,
    read_list,
    read_sum,
    read_text,
    require_keys,
    write_formula,
    write_integer,
    write_sum,
)
from petricheck.presburger.smtlib import written_alike
from petricheck.presburger.terms import Term

TARGET = "target"
"""Stands in a claim for the target of the question."""


def write_claim(claim: Claim, target: Formula | None = None) -> dict[str, Any]:
    """A claim as an object, in which `TARGET` stands for this formula.

    Raises:
        QueryError: a formula is nested too deeply, or a number too long, to be read back.
    """
    match claim:
        case Reached(trace, stops):
            written = [[write_integer(after), _write(goal, target)] for after, goal in stops]
            return {"trace": _write_trace(trace), "stops": written}
        case Excluded(formula, certificate):
            evidence = notation_of(certificate).write(certificate)
            return {"excluded": _write(formula, target), **evidence}
        case Pumped(sums, stages):
            return {
                "unbounded": [write_sum(term.coefficients) for term in sums],
                "stages": [
                    {"stem": _write_trace(stage.stem), "loop": _write_trace(stage.loop)}
                    for stage in stages
                ],
            }


def read_claim(value: Any, target: Formula | None = None) -> Claim:
    """The inverse of `write_claim`.

    Raises:
        EvidenceError: the value is no claim.
    """
    match value:
        case {"trace": steps, "stops": stops}:
            require_keys(value, "trace", "stops")
            return Reached(read_trace(steps), read_items(stops, lambda s: _read_stop(s, target)))
        case {"unbounded": sums, "stages": stages}:
            require_keys(value, "unbounded", "stages")
            terms = read_items(sums, lambda weights: Term(read_sum(weights), 0))
            return Pumped(terms, read_items(stages, _read_stage))
        case {"excluded": formula}:
            certificate = {key: value[key] for key in value if key != "excluded"}
            return Excluded(_read(formula, target), read_certificate(certificate))
        case _:
            raise EvidenceError("a claim has neither trace and stops, nor excluded, nor unbounded")


def read_certificate(fields: Mapping[str, Any]) -> object:
    """The certificate that an object holds.

    Raises:
        EvidenceError: it holds none, or something else as well.
    """
    for notation in notations():
        if notation.keys[0] in fields:
            require_keys(fields, *(key for key in notation.keys if key in fields))
            return notation.read(fields)
    known = " or ".join(f'"{notation.keys[0]}"' for notation in notations())
    raise EvidenceError(f"there is no {known}")


def read_trace(value: Any) -> Trace:
    """A list of [transition, how often]; EvidenceError where it is none."""
    return Trace(read_items(value, _read_step))


def _write(formula: Formula, target: Formula | None) -> Any:
    if target is not None and written_alike(formula, target):
        return TARGET
    return write_formula(formula)


def _read(value: Any, target: Formula | None) -> Formula:
    return target if value == TARGET and target is not None else read_formula(value)


def _write_trace(trace: Trace) -> list[list[int | str]]:
    return [[name, write_integer(times)] for name, times in trace.steps]


def _read_step(value: Any) -> tuple[str, int]:
    if len(read_list(value)) != 2:
        raise EvidenceError("a step of the trace is not [transition, how often]")
    return read_text(value[0]), read_integer(value[1])


def _read_stop(value: Any, target: Formula | None) -> tuple[int, Formula]:
    if len(read_list(value)) != 2:
        raise EvidenceError("a stop is not [after how many steps, formula]")
    return read_integer(value[0]), _read(value[1], target)


def _read_stage(value: Any) -> Stage:
    require_keys(value, "stem", "loop")
    return Stage(read_trace(value["stem"]), read_trace(value["loop"]))
