"""How the rows of `false_certificates` are written down."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from petricheck.answer import (
    Certificate,
    CoverHints,
    Hints,
    Separator,
    StateEquationCertificate,
    Trace,
)
from petricheck.presburger.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    congruent,
    equal,
)
from petricheck.presburger.terms import Term, constant, variable
from petricheck.problem import Net, make_net

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
    return make_net("n", tokens, {name: _arcs(text) for name, text in moves.items()})


def _arcs(text: str) -> tuple[dict[str, int], dict[str, int]]:
    before, after = ({}, {})
    for side, weights in zip(text.split("->"), (before, after), strict=True):
        for item in filter(None, map(str.strip, side.split("+"))):
            *weight, place = item.split()
            weights[place] = int(weight[0]) if weight else 1
    return before, after


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


# Formulas as text


class _Places(defaultdict[str, Term]):
    def __missing__(self, name: str) -> Term:
        return variable(name)


def value(text: str) -> Any:
    """A number, or a term with place names."""
    return eval(text, {"__builtins__": {}}, _Places())


def formula(text: str) -> Formula:
    """A formula as Python writes it: `p + 2*q <= 3 and not p % 3 == 1`, `any(p >= 1)`."""
    return _formula(ast.parse(text.strip(), mode="eval").body)


def _formula(node: ast.expr) -> Formula:
    match node:
        case ast.BoolOp(ast.And(), parts) | ast.Call(ast.Name("all"), parts):
            return Conjunction(tuple(map(_formula, parts)))
        case ast.BoolOp(ast.Or(), parts) | ast.Call(ast.Name("any"), parts):
            return Disjunction(tuple(map(_formula, parts)))
        case ast.UnaryOp(ast.Not(), part):
            return Negation(_formula(part))
        case ast.Compare(ast.BinOp(left, ast.Mod(), modulus), [ast.Eq()], [right]):
            return congruent(_value(left), _value(right), _value(modulus))
        case ast.Compare(left, [relation], [right]):
            compare = {ast.LtE: at_most, ast.GtE: at_least, ast.Eq: equal}[type(relation)]
            term = _value(left)
            return compare(term if isinstance(term, Term) else constant(term), _value(right))
    raise ValueError(ast.unparse(node))


def _value(node: ast.expr) -> Any:
    return value(ast.unparse(node))


def formulas(text: str) -> list[Formula]:
    """Several, with commas between them."""
    return [_formula(node) for node in ast.parse(f"[{text}]", mode="eval").body.elts]


# Rows as text


def _system(text: str) -> Net:
    """`p=1 q=0, p -> q, u: q -> p`: tokens, and moves, whose names begin with `t`."""
    tokens, *moves = text.split(",")
    pairs = (place.split("=") for place in tokens.split())
    named = (move if ":" in move else f"t:{move}" for move in moves)
    return net(
        {place: value(number) for place, number in pairs},
        **{name.strip(): arcs for name, arcs in (move.split(":") for move in named)},
    )


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
    pairs = (step.partition("^")[::2] for step in steps.split())
    trace = Trace(tuple((transition, value(times or "1")) for transition, times in pairs))
    return Row(name, _system(system), formula(goal), trace)


def disjunctive(name: str, system: str, goal: str, *fields: str) -> Row:
    """Disjuncts read `to SUCCESSORS: ATOMS`, with a number for each transition."""
    parts = [field.partition(":")[::2] for field in _fields(fields, "to")]
    evidence = listed(
        *(formulas(atoms) for _, atoms in parts),
        after=[tuple(map(int, successors.split())) for successors, _ in parts],
        walls=map(_wall, _fields(fields, "wall")),
    )
    return Row(name, _system(system), formula(goal), evidence)


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
    return Row(name, _system(system), formula(goal), clauses(*parts, sums=sums))


def guarded(name: str, system: str, *fields: str) -> Row:
    """A move that puts a token on `bad`, which only the parts could keep from firing."""
    tokens, move = system.split(",")
    return covering(name, f"{tokens} bad=0, {move} + bad", "bad >= 1", "bad <= 0", *fields)


def plain(name: str, system: str, goal: str, invariant: str) -> Row:
    """An invariant without hints."""
    return Row(name, _system(system), formula(goal), Certificate(formula(invariant)))


def equation(name: str, system: str, goal: str, *fields: str) -> Row:
    """Sets of places read `trap a b` and `siphon s`."""
    traps = tuple(tuple(field.split()) for field in _fields(fields, "trap"))
    siphon = tuple(" ".join(_fields(fields, "siphon")).split())
    return Row(name, _system(system), formula(goal), StateEquationCertificate(traps, siphon))


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
