"""Certificates as an SMT-LIB 2 script that any solver can run.

The script defines the functions `invariant` and `target` over the places, and then asks once for
the initial marking, once for each transition and once for the target. A solver that prints `unsat`
each time has checked the certificate for itself, if the reader also believes that the script speaks
of the right net. `read` therefore takes nothing but the two definitions and the checksum, for the
audit to derive the questions from the net itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from petricheck.answer import Certificate, Reachable, Unreachable
from petricheck.certificates import Evidence
from petricheck.errors import EvidenceError, QueryError
from petricheck.presburger.formulas import Formula, variables
from petricheck.presburger.smtlib import numeral, symbol, term_to_smtlib, to_smtlib
from petricheck.presburger.smtlib_reader import find_definitions
from petricheck.presburger.terms import variable
from petricheck.presburger.text import to_text
from petricheck.problem import Net, Problem, Transition

NAMES = ("invariant", "target")
"""The functions that a script defines."""


@dataclass(frozen=True, slots=True)
class Smt2:
    """For any SMT solver: z3 FILE, or cvc5 --incremental FILE. Holds certificates, no traces."""

    extensions: ClassVar[tuple[str, ...]] = (".smt2",)

    def write(self, problem: Problem, sha256: str | None, answer: Reachable | Unreachable) -> bytes:
        """The script; each of its `check-sat` is expected to print `unsat`.

        Raises:
            QueryError: the evidence is a trace.
        """
        match answer:
            case Reachable():
                raise QueryError("a trace has no .smt2 form; write it to a .json file")
            case Unreachable(Certificate(invariant)):
                lines = (
                    *_header(problem, sha256),
                    *_definitions(problem, invariant),
                    *_questions(problem, invariant),
                )
        return ("\n".join(lines) + "\n").encode("ascii")

    def read(self, data: bytes, path: str) -> Evidence:
        """What the script claims; a `target` may be missing, an `invariant` may not.

        Raises:
            EvidenceError: a definition is missing, repeated, or not understood.
        """
        try:
            text = data.decode("utf-8")
            found = {name: body for name, (_, body) in find_definitions(text, NAMES).items()}
            if "invariant" not in found:
                raise EvidenceError("there is no definition of 'invariant'")
            answer = Unreachable(Certificate(found["invariant"]))
            return Evidence(_digest(text), found.get("target"), answer)
        except UnicodeDecodeError:
            raise EvidenceError(f"{path}: not UTF-8") from None
        except EvidenceError as error:
            raise EvidenceError(f"{path}: {error}") from None


def _header(problem: Problem, sha256: str | None) -> Iterator[str]:
    try:
        words = to_text(problem.target)
    except ValueError:
        words = "as defined below"
    yield "; petricheck evidence: no marking in the target is reachable in the net."
    yield f"; net: {_plain(problem.net.name)}"
    if sha256 is not None:
        yield f"; sha256: {sha256}"
    yield f"; target: {_plain(words)}"
    yield "; Every check-sat is expected to print unsat: z3 FILE, or cvc5 --incremental FILE."
    yield "(set-option :print-success false)"
    yield "(set-logic QF_LIA)"


def _definitions(problem: Problem, invariant: Formula) -> Iterator[str]:
    yield _definition("invariant", invariant)
    yield _definition("target", problem.target)
    for place in _mentioned(problem, invariant):
        yield f"(declare-const {symbol(place)} Int)"
        yield f"(assert (>= {symbol(place)} 0))"


def _definition(name: str, formula: Formula) -> str:
    parameters = " ".join(f"({symbol(place)} Int)" for place in variables(formula))
    return f"(define-fun {name} ({parameters}) Bool {to_smtlib(formula)})"


def _mentioned(problem: Problem, invariant: Formula) -> tuple[str, ...]:
    """The places that the questions speak of, in the net's order."""
    net = problem.net
    names = {*variables(invariant), *variables(problem.target)}
    names |= {net.places[place] for t in net.transitions for place, _ in t.pre}
    return tuple(place for place in net.places if place in names)


def _questions(problem: Problem, invariant: Formula) -> Iterator[str]:
    net, places = problem.net, variables(invariant)
    here = _call("invariant", (symbol(place) for place in places))
    start = net.values(net.initial)
    initially = _call("invariant", (numeral(start[place]) for place in places))
    yield from _question("the invariant holds initially", [f"(not {initially})"])
    for transition in net.transitions:
        claim = f"transition {_plain(transition.name)} keeps the invariant"
        after = _call("invariant", _after(net, transition, places))
        yield from _question(claim, [*_guards(net, transition), here, f"(not {after})"])
    inside = _call("target", (symbol(place) for place in variables(problem.target)))
    yield from _question("the invariant excludes the target", [here, inside])


def _after(net: Net, transition: Transition, places: tuple[str, ...]) -> Iterator[str]:
    """What is in the places after the transition has fired."""
    effect = {net.places[place]: change for place, change in transition.effect}
    return (term_to_smtlib(variable(place) + effect.get(place, 0)) for place in places)


def _guards(net: Net, transition: Transition) -> list[str]:
    return [f"(>= {symbol(net.places[p])} {numeral(weight)})" for p, weight in transition.pre]


def _question(claim: str, assertions: list[str]) -> Iterator[str]:
    yield f"; {claim}"
    yield "(push 1)"
    yield from (f"(assert {assertion})" for assertion in assertions)
    yield "(check-sat)"
    yield "(pop 1)"


def _call(function: str, arguments: Iterable[str]) -> str:
    given = " ".join(arguments)
    return f"({function} {given})" if given else function


def _plain(text: str) -> str:
    """The text as printable ASCII on one line, fit for a comment."""
    return ascii(text)[1:-1]


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
