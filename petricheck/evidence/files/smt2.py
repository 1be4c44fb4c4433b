"""Certificates as SMT-LIB 2 scripts that any solver can run.

The script defines functions such as `invariant` and `target` over the places. It has one
`check-sat` for the initial marking, one for each transition and one for the target. If a solver
prints `unsat` each time, the certificate is proved, provided that the script is about the right
net. So `read` takes the definitions and the checksum only, and the audit derives the obligations
from the net itself. The type of the certificate determines the functions besides `target`: see the
members of `petricheck.evidence.certificates`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.text import to_text
from petricheck.arithmetic.solvers.smtlib import plain
from petricheck.arithmetic.solvers.smtlib_reader import find_definitions
from petricheck.evidence.certificates import Scripted, notation_of, notations
from petricheck.evidence.claims import Excluded, Reached
from petricheck.evidence.files import SIZE, Evidence, named_target
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.errors import EvidenceError, QueryError


class Smt2:
    """For any SMT solver: z3 FILE, or cvc5 --incremental FILE; one certificate only."""

    extensions = (".smt2",)

    def write(self, net: Net, evidence: Evidence) -> bytes:
        """Return the script; a solver prints `unsat` for each `check-sat`.

        QueryError where the evidence is no certificate that excludes one target, or the script
        would be too large.
        """
        if evidence.initial is not None:
            raise QueryError("several initial markings have no .smt2 form; write a .json file")
        match evidence.claims:
            case (Excluded(_, certificate),) if evidence.target is not None:
                notation, problem = notation_of(certificate), Problem(net, evidence.target)
            case (Reached(),):
                raise QueryError("a trace has no .smt2 form; write it to a .json file")
            case _:
                raise QueryError("several claims have no .smt2 form; write them to a .json file")
        if not isinstance(notation, Scripted):
            raise QueryError(
                "this certificate has no .smt2 form, as it is no formula; write it to a .json file"
            )
        header = _header(problem, evidence.sha256)
        return _script(chain(header, notation.lines(problem, certificate)))

    def read(self, data: bytes, target: Formula | None = None) -> Evidence:
        """Return the certificate of a script; `target` is for scripts that define none."""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise EvidenceError("not UTF-8") from None
        names = ("target", *(name for notation in scripted() for name in notation.functions))
        defined = {name: body for name, (_, body) in find_definitions(text, names).items()}
        certificate = _certificate(defined)
        target = named_target(defined.get("target"), target)
        claims = (Excluded(target, certificate),)
        return Evidence(_digest(text), "formula", "", target, {"answer": False}, claims)


def _certificate(defined: Mapping[str, Formula]) -> object:
    for notation in scripted():
        if any(name in defined for name in notation.functions):
            others = defined.keys() - {"target", *notation.functions}
            if others or not defined.keys() >= set(notation.functions):
                together = " and ".join(map(repr, notation.functions))
                raise EvidenceError(f"{together} are to be defined together, and alone")
            return notation.from_definitions(defined)
    functions = " or ".join(repr(notation.functions[0]) for notation in scripted())
    raise EvidenceError(f"there is no definition of {functions}")


def scripted() -> Iterator[Scripted]:
    """Return the notations for solvers."""
    return (notation for notation in notations() if isinstance(notation, Scripted))


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


def _script(lines: Iterable[str]) -> bytes:
    """Return the lines as a file; refuse one that would be too large to be read back."""
    pieces, size = [], 0
    for line in lines:
        pieces.append(line)
        size += len(line) + 1
        if size > SIZE:
            raise QueryError(f"the script would have over {SIZE} bytes; write a .json file")
    return ("\n".join(pieces) + "\n").encode("ascii")


def _digest(text: str) -> str | None:
    """Return the checksum in the first comments of the text."""
    digests = set()
    for line in text.splitlines():
        if not line.startswith(";"):
            break
        if match := re.fullmatch("; sha256: ([0-9a-f]{64})", line):
            digests.add(match[1])
    if len(digests) > 1:
        raise EvidenceError("the comments name several checksums")
    return digests.pop() if digests else None
