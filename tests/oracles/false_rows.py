"""How the rows of `false_certificates` are written down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from notation import arcs_of, formula, formulas, net_of, trace_of, value

from petricheck.arithmetic.formulas.formulas import Conjunction, Disjunction, Formula
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates.invariant import (
    Certificate,
    CoverHints,
    Hints,
    Separator,
)
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.net import Net, make_net

Evidence = Trace | Certificate | StateEquationCertificate

p, q, r = (variable(name) for name in "pqr")

BORDERS = (2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**62, 2**63 - 1, 2**63)
"""Where floats and machine integers end."""


@dataclass(frozen=True, slots=True)
class Row:
    """A proof of something false, or of something that is nearly false.

    Attributes:
        name: which rule refuses it.
        net: the net.
        target: the target.
        evidence: a trace for *reachable*, anything else for *unreachable*.
    """

    name: str
    net: Net
    target: Formula
    evidence: Evidence


# Nets and evidence as values


def net(tokens: dict[str, int], **moves: str) -> Net:
    """Moves read `p + 2 q -> r`."""
    return make_net("n", tokens, {name: arcs_of(text) for name, text in moves.items()})


def both(*parts: Formula) -> Conjunction:
    return Conjunction(parts)


def either(*parts: Formula) -> Disjunction:
    return Disjunction(parts)


def listed(
    *parts: Sequence[Formula],
    after: Sequence[Sequence[int]] = ((),),
    walls: Iterable[Separator] = (),
) -> Certificate:
    """A disjunction of conjunctions; by disjunct and transition where it leads."""
    rows = tuple(tuple(row) for row in after)
    invariant = Disjunction(tuple(Conjunction(tuple(part)) for part in parts))
    return Certificate(invariant, Hints(rows, tuple(walls)))


def wall(
    direction: Term, *multipliers: int, modulus: int = 0, scale: int = 1, cube: int = 0
) -> Separator:
    return Separator(cube, direction.coefficients, modulus, multipliers, scale)


def clauses(*parts: Formula, sums: Sequence[Sequence[tuple[int, int]]] = ()) -> Certificate:
    """A conjunction of clauses and half-spaces."""
    return Certificate(Conjunction(parts), CoverHints(tuple(tuple(terms) for terms in sums)))


# Rows as text


def _fields(fields: Sequence[str], word: str) -> list[str]:
    """Those that begin with the word, without it."""
    return [field.removeprefix(word) for field in fields if re.match(rf"{word}\b", field)]


def _wall(text: str) -> Separator:
    """`DIRECTION % MODULUS: MULTIPLIERS / SCALE @ CUBE`."""
    text, _, cube = text.partition("@")
    text, _, scale = text.partition("/")
    direction, _, multipliers = text.partition(":")
    direction, _, modulus = direction.partition("%")
    return wall(
        value(direction),
        *(value(number) for number in multipliers.split(",")),
        modulus=value(modulus or "0"),
        scale=value(scale or "1"),
        cube=value(cube or "0"),
    )


def traced(name: str, system: str, goal: str, steps: str) -> Row:
    """Steps read `t u^2`."""
    return Row(name, net_of(system), formula(goal), trace_of(steps))


def disjunctive(name: str, system: str, goal: str, *fields: str) -> Row:
    """Disjuncts read `to SUCCESSORS: ATOMS`, with a number for each transition."""
    parts = [field.partition(":")[::2] for field in _fields(fields, "to")]
    evidence = listed(
        *(formulas(atoms) for _, atoms in parts),
        after=[tuple(map(int, successors.split())) for successors, _ in parts],
        walls=map(_wall, _fields(fields, "wall")),
    )
    return Row(name, net_of(system), formula(goal), evidence)


def once(name: str, system: str, goal: str, *fields: str) -> Row:
    """A move that a token on `go` allows once leads from the first disjunct into the second.

    The goal is asked of the marking after it; `wall`s say why the second misses it.
    """
    tokens, move = system.split(",")
    before = [*_fields(fields, "before"), "go <= 1", "go >= 1"]
    after = [*_fields(fields, "after"), "go <= 0"]
    return disjunctive(
        name,
        f"{tokens} go=1, go + {move}",
        f"all({goal}, go <= 0)",
        f"to 1: {', '.join(before)}",
        f"to -1: {', '.join(after)}",
        "wall -go: 0, 1",
        *(field for field in fields if field.startswith("wall")),
    )


def covering(name: str, system: str, goal: str, *fields: str) -> Row:
    """Conjuncts, and sums of them that read `sum NUMBER: MULTIPLIER, …`."""
    pairs = [re.findall(r"(\S+): ([^,]+)", text) for text in _fields(fields, "sum")]
    sums = [[(value(number), value(times)) for number, times in terms] for terms in pairs]
    parts = (formula(field) for field in fields if not field.startswith("sum"))
    return Row(name, net_of(system), formula(goal), clauses(*parts, sums=sums))


def guarded(name: str, system: str, *fields: str) -> Row:
    """A move that puts a token on `bad`, which only the parts could keep from firing."""
    tokens, move = system.split(",")
    return covering(name, f"{tokens} bad=0, {move} + bad", "bad >= 1", "bad <= 0", *fields)


def plain(name: str, system: str, goal: str, invariant: str) -> Row:
    """An invariant without hints."""
    return Row(name, net_of(system), formula(goal), Certificate(formula(invariant)))


def equation(name: str, system: str, goal: str, *fields: str) -> Row:
    """Sets of places read `trap a b` and `siphon s`."""
    traps = tuple(tuple(field.split()) for field in _fields(fields, "trap"))
    siphon = tuple(" ".join(_fields(fields, "siphon")).split())
    return Row(name, net_of(system), formula(goal), StateEquationCertificate(traps, siphon))


KINDS = {
    kind.__name__: kind for kind in (traced, disjunctive, once, covering, guarded, plain, equation)
}


def rows(text: str) -> tuple[Row, ...]:
    """A row for each line at the margin, its name, with its fields below.

    A line such as `# traced` says of what kind the rows below it are. Names with `{n}` are rows
    for each of `BORDERS`.
    """
    result: list[Row] = []
    for entry in re.split(r"\n(?=\S)", text.strip()):
        if entry.startswith("#"):
            kind = KINDS[entry.removeprefix("#").strip()]
            continue
        for n in BORDERS if "{n}" in entry else (0,):
            name, _, fields = entry.replace("{n}", str(n)).partition("\n")
            result.append(kind(name, *(" ".join(field.split()) for field in fields.split(";"))))
    return tuple(result)
