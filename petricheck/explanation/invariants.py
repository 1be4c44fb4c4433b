"""Why an invariant is one, case by case and part by part.

Beyond what the audit found, that transitions keep the invariant as a whole and that the target
contradicts it, everything told is checked by `cases`.
"""

from __future__ import annotations

from collections.abc import Iterator

from petricheck.answer import Certificate
from petricheck.explanation.cases import (
    EXPLAINED,
    Case,
    Clash,
    Conjunct,
    Move,
    cases,
    explain_cases,
    target_cubes,
)
from petricheck.explanation.kinds import Kind
from petricheck.explanation.tree import (
    Items,
    Line,
    Node,
    Section,
    Words,
    items,
    several_ids,
)
from petricheck.presburger.formulas import Formula
from petricheck.presburger.terms import Term
from petricheck.presburger.text import Comparison, Remainder
from petricheck.problem import Net
from petricheck.words import counted, printable

MEANINGS: dict[Kind, str] = {
    "trivial": "holds in every marking",
    "kept residue": "congruence: no transition changes this residue",
    "place invariant": "place invariant: no transition changes {}",
    "never grows": "never grows: no transition increases {}",
    "never shrinks": "never shrinks: no transition decreases {}",
    "siphon": "siphon: what puts on these places takes from them, so once empty they stay empty",
    "empty siphon": "empty siphon: what puts on these places takes from them, so they stay empty",
    "trap": "trap: what takes from these places puts on them, so once one is marked, one stays so",
    "marked trap": "marked trap: what takes from these places puts on them, so one stays marked",
}


KEPT = "kept as part of the whole, as the audit found"


def invariant_reasons(net: Net, certificate: Certificate, excluded: Formula) -> Iterator[Node]:
    """What each case says, where transitions lead from it, and why the target contradicts it."""
    cubes = target_cubes(excluded)
    alternatives = None if cubes is None else len(cubes)
    shown = explain_cases(net, cubes or (), certificate, EXPLAINED)
    total = cases(certificate.invariant)
    for number, case in enumerate(shown):
        moves = _moves(case, number, len(net.transitions)) if total > 1 else ()
        parts = Items(tuple(map(_part, case.parts)), len(case.parts), "part", numbered=True)
        nodes = (parts, *moves, *_target(case, alternatives))
        yield Section(_title(case, number, total), nodes)
    if total > len(shown):
        yield Line((f"… and {counted(total - len(shown), 'more case')}; the evidence has all.",))


def _title(case: Case, number: int, total: int) -> Words:
    if total == 1:
        return ("The invariant, part by part:",)
    initially = ", which holds initially" if all(part.holds for part in case.parts) else ""
    return (f"Case {number + 1} of {total}{initially}:",)


def _part(conjunct: Conjunct) -> tuple[Words, ...]:
    """What it says, what it is in the net, whether it holds initially, and where it came from."""
    formula = conjunct.formula
    wide = isinstance(formula, Comparison) and formula.right.coefficients
    of = "the left side minus the right" if wide else "this sum"
    meanings = [MEANINGS[kind].format(of) for kind in conjunct.kinds]
    told = [(meaning,) for meaning in meanings or [KEPT]]
    names = ", ".join(printable(name).replace("_", " ") for name in conjunct.suggested_by)
    origin = [(f"suggested by {names}",)] if names else []
    return ((formula,), *told, _initially(conjunct), *origin)


def _initially(conjunct: Conjunct) -> Words:
    words = "initially so" if conjunct.holds else "initially not so"
    if conjunct.initially is None or not isinstance(conjunct.formula, Comparison | Remainder):
        return (words,)
    left, right = (Term((), value) for value in conjunct.initially)
    return (f"{words}, ", Comparison(left, conjunct.formula.relation, right))


def _moves(case: Case, number: int, transitions: int) -> Iterator[Line]:
    for move in case.moves:
        yield Line((f"{_leads(move, number)}: ", several_ids(move.transitions), "."))
    rest = transitions - sum(len(move.transitions) for move in case.moves)
    if rest:
        yield Line((f"Where {counted(rest, 'other transition')} may lead is not explained here.",))


def _leads(move: Move, number: int) -> str:
    match move.case:
        case None:
            return "Disabled here"
        case other if other == number:
            return "Stay in this case"
        case other:
            return f"Lead to case {other + 1}"


def _target(case: Case, alternatives: int | None) -> Iterator[Node]:
    several = alternatives is not None and alternatives > 1
    yield from items((_clash(clash, several) for clash in case.clashes), "alternative")
    if alternatives is None or len(case.clashes) < alternatives:
        rest = "the rest of the target" if case.clashes else "the target"
        yield Line((f"That {rest} contradicts this, the audit found; why is not explained here.",))


def _clash(clash: Clash, several: bool) -> Words:
    where = f"Target, alternative {clash.cube + 1}: " if several else "Target: "
    return (where, clash.target, f" contradicts {clash.part + 1}.")
