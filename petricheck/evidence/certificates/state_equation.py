"""The state equation with traps, a siphon and unmarked sets; its SMT-LIB form has counters.

"m = m0 + D·x for some x" needs a quantifier as a formula over m. In a script each unblocked
transition has a counter of its firings, and the induction step adds one to it. Places and counters
together have an inductive invariant without quantifiers: `state-equation`, `traps` and `siphon`.
The counter of transition number k is n%_k. No place has this symbol, since
`arithmetic.solvers.smtlib.symbol` puts hexadecimal digits after each %.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Formula,
    Inequality,
    at_least,
    at_most,
    conjuncts,
    variables,
)
from petricheck.arithmetic.formulas.json import TEXT, items, record
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.arithmetic.solvers.smtlib import call, numeral, symbol
from petricheck.evidence.certificates import Description
from petricheck.evidence.certificates._script import (
    Values,
    declarations,
    definition,
    obligation_lines,
)
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.errors import EvidenceError, QueryError
from petricheck.support.words import counted, natural_key


@dataclass(frozen=True, slots=True)
class StateEquationCertificate:
    """An inductive invariant that counts firings, and excludes the target.

    Let the *unblocked* transitions be those that take nothing from the siphon. The invariant says
    of a marking m: the siphon is empty; every trap is marked; m = m0 + Σ x_t·δ_t for some x ≥ 0
    over the unblocked transitions t; and if x_t > 0 for a transition that takes from an unmarked
    set, then x_t > 0 for one that *fills* it, that is, puts on it and takes nothing from it.

    Attributes:
        traps: place ids of each trap; an unblocked transition that takes from it also puts on it.
        siphon: place ids; every transition that puts on it takes from it. May be empty.
        unmarked: place ids of each unmarked set, all empty initially.
    """

    traps: tuple[tuple[str, ...], ...]
    siphon: tuple[str, ...]
    unmarked: tuple[tuple[str, ...], ...] = ()

    def __str__(self) -> str:
        places = counted(len(self.siphon), "place")
        text = f"state equation, {counted(len(self.traps), 'trap')}, a siphon of {places}"
        sets = counted(len(self.unmarked), "unmarked set")
        return f"{text}, {sets}" if self.unmarked else text


_PLACES = items(TEXT)
_SETS = record(
    StateEquationCertificate,
    {"traps": items(_PLACES), "siphon": _PLACES, "unmarked": items(_PLACES)},
)


class StateEquation:
    """Traps and a siphon; in a script the functions `traps` and `siphon`."""

    of = StateEquationCertificate
    keys = ("state equation",)
    functions = ("traps", "siphon")

    def write(self, certificate: StateEquationCertificate) -> dict[str, Any]:
        """Return an object with the sets; the key of unmarked sets is omitted if there are none."""
        fields = _SETS.write(certificate)
        if not certificate.unmarked:
            del fields["unmarked"]
        return {"state equation": fields}

    def read(self, fields: Mapping[str, Any]) -> StateEquationCertificate:
        """Return the certificate that `write` has written; raise EvidenceError for others."""
        value = fields["state equation"]
        return _SETS.read({"unmarked": [], **value} if isinstance(value, dict) else value)

    def describe(self, certificate: StateEquationCertificate, form: str) -> Description:
        """Describe all sets of places, and their sizes, in every form as text."""
        headline = "No solution x ≥ 0 of the state equation m = m0 + D·x is in the target."
        lines = []
        if certificate.traps:
            lines.append("Of each trap some place is marked, initially and so ever after:")
            lines += map(_place_set, certificate.traps)
        if certificate.siphon:
            lines.append("This siphon is empty, initially and so ever after:")
            lines.append(_place_set(certificate.siphon))
        if certificate.unmarked:
            lines.append("Each of these sets is empty initially; what takes from it fires after a")
            lines.append("transition that puts on it and takes nothing from it:")
            lines += map(_place_set, certificate.unmarked)
        traps, places = counted(len(certificate.traps), "trap"), len(certificate.siphon)
        sizes = f"It uses {traps} and an empty siphon of {counted(places, 'place')}."
        if certificate.unmarked:
            sets = counted(len(certificate.unmarked), "set")
            sizes += f" It uses {sets}, empty initially, and the transitions that fill them."
        summary = f"{headline}\n{sizes}"
        return Description(headline, "\n".join(lines), summary)

    def lines(self, problem: Problem, certificate: StateEquationCertificate) -> Iterator[str]:
        """Yield definitions, and one `check-sat` for each obligation.

        QueryError for unmarked sets.
        """
        if certificate.unmarked:
            raise QueryError("unmarked sets have no .smt2 form; write them to a .json file")
        net, siphon = problem.net, frozenset(certificate.siphon)
        unblocked = {
            number: f"n%_{number}"
            for number, transition in enumerate(net.transitions)
            if siphon.isdisjoint(net.places[place] for place, _ in transition.pre)
        }
        facts = {
            "traps": Conjunction(tuple(_marked(trap) for trap in certificate.traps)),
            "siphon": Conjunction(tuple(_empty(place) for place in certificate.siphon)),
        }
        yield definition("target", problem.target)
        yield from (definition(name, formula) for name, formula in facts.items())
        yield _state_equation(net, unblocked)
        yield from declarations((*map(symbol, net.places), *unblocked.values()))

        def holds(values: Values) -> list[str]:
            numbers = (*(values[p] for p in net.places), *(values[t] for t in unblocked))
            sets = ((name, variables(formula)) for name, formula in facts.items())
            conditions = [call(name, (values[place] for place in places)) for name, places in sets]
            return [call("state-equation", numbers), *conditions]

        yield from obligation_lines(problem, holds, unblocked)

    def from_definitions(self, bodies: Mapping[str, Formula]) -> StateEquationCertificate:
        """Return the certificate that `traps` and `siphon` define, in the form of `lines`."""
        traps, siphon = bodies["traps"], bodies["siphon"]
        sets = []
        for atom in conjuncts(traps):
            names = atom.term.variables if isinstance(atom, Inequality) else ()
            if atom != _marked(names):
                raise EvidenceError("'traps' is no conjunction of sums that are at least 1")
            sets.append(names)
        names = variables(siphon)
        if set(conjuncts(siphon)) != set(map(_empty, names)):
            raise EvidenceError("'siphon' is no conjunction of places that are at most 0")
        return StateEquationCertificate(tuple(sets), names)


def _place_set(places: Iterable[str]) -> str:
    return f"  {{{', '.join(map(shown_name, sorted(places, key=natural_key)))}}}"


def _marked(trap: Iterable[str]) -> Formula:
    return at_least(linear((place, 1) for place in set(trap)), 1)


def _empty(place: str) -> Formula:
    return at_most(variable(place), 0)


def _state_equation(net: Net, unblocked: Mapping[int, str]) -> str:
    parameters = " ".join(
        f"({name} Int)" for name in (*map(symbol, net.places), *unblocked.values())
    )
    sums: list[list[str]] = [[numeral(tokens)] for tokens in net.initial]
    for number, counter in unblocked.items():
        for place, change in net.transitions[number].effect:
            sums[place].append(f"(* {numeral(change)} {counter})")
    rows = (
        f"(= {symbol(place)} (+ 0 {' '.join(row)}))"
        for place, row in zip(net.places, sums, strict=True)
    )
    return f"(define-fun state-equation ({parameters}) Bool (and true {' '.join(rows)}))"
