"""Certificates as an SMT-LIB 2 script that any solver can run.

The script defines the functions `invariant` and `target` over the places, and then asks once for
the initial marking, once for each transition and once for the target. A solver that prints `unsat`
each time has checked the certificate for itself, if the reader also believes that the script speaks
of the right net. `read` therefore takes nothing but the two definitions and the checksum, for the
audit to derive the questions from the net itself. The other shape of certificate has its own
module, `_smt2_state_equation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from petricheck.answer import Certificate, Reachable, StateEquationCertificate, Unreachable
from petricheck.certificates import Evidence, _smt2_state_equation
from petricheck.certificates._smt2_script import (
    after,
    call,
    definition,
    guards,
    plain,
    question,
    script,
)
from petricheck.errors import EvidenceError, QueryError
from petricheck.presburger.formulas import Formula, variables
from petricheck.presburger.smtlib import numeral, symbol
from petricheck.presburger.smtlib_reader import find_definitions
from petricheck.presburger.text import to_text
from petricheck.problem import Problem

NAMES = ("invariant", "target", *_smt2_state_equation.NAMES)
"""The functions that are read from a script."""


@dataclass(frozen=True, slots=True)
class Smt2:
    """For any SMT solver: z3 FILE, or cvc5 --incremental FILE. Holds certificates, no traces."""

    extensions: ClassVar[tuple[str, ...]] = (".smt2",)

    def write(self, problem: Problem, sha256: str | None, answer: Reachable | Unreachable) -> bytes:
        """The script; each of its `check-sat` is expected to print `unsat`.

        Raises:
            QueryError: the evidence is a trace, or the script would be too large.
        """
        match answer:
            case Reachable():
                raise QueryError("a trace has no .smt2 form; write it to a .json file")
            case Unreachable(Certificate(invariant)):
                body = _lines(problem, invariant)
            case Unreachable(StateEquationCertificate() as certificate):
                body = _smt2_state_equation.lines(problem, certificate)
        return script(chain(_header(problem, sha256), body))

    def read(self, data: bytes, path: str) -> Evidence:
        """What the script claims; a `target` may be missing, an `invariant` may not.

        Raises:
            EvidenceError: a definition is missing, repeated, or not understood.
        """
        try:
            text = data.decode("utf-8")
            found = {name: body for name, (_, body) in find_definitions(text, NAMES).items()}
            return Evidence(_digest(text), found.get("target"), Unreachable(_certificate(found)))
        except UnicodeDecodeError:
            raise EvidenceError(f"{path}: not UTF-8") from None
        except EvidenceError as error:
            raise EvidenceError(f"{path}: {error}") from None


def _certificate(found: Mapping[str, Formula]) -> Certificate | StateEquationCertificate:
    match found:
        case {"traps": traps, "siphon": siphon} if "invariant" not in found:
            return _smt2_state_equation.certificate_of(traps, siphon)
        case {"invariant": invariant} if "traps" not in found and "siphon" not in found:
            return Certificate(invariant)
        case {"traps": _} | {"siphon": _}:
            raise EvidenceError("'traps' and 'siphon' are to be defined together, and alone")
        case _:
            raise EvidenceError("there is no definition of 'invariant'")


def _header(problem: Problem, sha256: str | None) -> Iterator[str]:
    try:
        words = to_text(problem.target)
    except ValueError:
        words = "as defined below"
    yield "; petricheck evidence: no marking in the target is reachable in the net."
    yield f"; net: {plain(problem.net.name)}"
    if sha256 is not None:
        yield f"; sha256: {sha256}"
    yield f"; target: {plain(words)}"
    yield "; Every check-sat is expected to print unsat: z3 FILE, or cvc5 --incremental FILE."
    yield "(set-option :print-success false)"
    yield "(set-logic QF_LIA)"


def _lines(problem: Problem, invariant: Formula) -> Iterator[str]:
    yield from _definitions(problem, invariant)
    yield from _questions(problem, invariant)


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


def _digest(text: str) -> str | None:
    """The checksum in the comments that the text begins with."""
    found = set()
    for line in text.splitlines():
        if not line.startswith(";"):
            break
        if match := re.fullmatch("; sha256: ([0-9a-f]{64})", line):
            found.add(match[1])
    if len(found) > 1:
        raise EvidenceError("the comments name several checksums")
    return found.pop() if found else None
