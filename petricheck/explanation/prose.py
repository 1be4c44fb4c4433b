"""Evidence explained in a few lines of text, also where it is long: what is left out is counted.

The evidence is one that the audit has accepted. Beyond what the audit found, that transitions keep
the invariant as a whole and that the target contradicts it, everything told is checked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.answer import (
    Certificate,
    Reachable,
    StateEquationCertificate,
    Trace,
    Unreachable,
)
from petricheck.explanation.cases import (
    EXPLAINED,
    Case,
    Clash,
    Move,
    Part,
    cases,
    explain,
    target_cubes,
)
from petricheck.explanation.kinds import Kind
from petricheck.explanation.refutation import unblocked
from petricheck.notations import notation_of
from petricheck.presburger.shown import shown_formula, shown_name
from petricheck.presburger.text import Comparison, Remainder
from petricheck.problem import Net, Problem
from petricheck.words import counted, number_text, printable

CASES, PARTS, NAMES, LETTERS = 8, 20, 12, 300
"""Cases, parts of each, names in a list and letters of a formula that are shown at the most."""

_KINDS: dict[Kind, str] = {
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


def explanation(problem: Problem, answer: Reachable | Unreachable) -> Iterator[str]:
    """Lines that say why accepted evidence is evidence."""
    match answer:
        case Reachable(trace):
            return _trace(trace, problem.net)
        case Unreachable(Certificate() as certificate):
            return _invariant(certificate, problem)
        case Unreachable(StateEquationCertificate() as certificate):
            return _state_equation(certificate, problem.net)
        case Unreachable(certificate):
            return _told(certificate)


def _told(certificate: object) -> Iterator[str]:
    told = notation_of(certificate).told(certificate, "text")
    lines = (told.headline, *told.body.splitlines())
    for line in lines[:PARTS]:
        yield _cut(printable(line))
    if len(lines) > PARTS:
        yield f"… and {counted(len(lines) - PARTS, 'more line')}"


def _trace(trace: Trace, net: Net) -> Iterator[str]:
    """What becomes of the places; within a step they change linearly, so its ends say it all."""
    tokens = list(net.initial)
    most = dict[int, int]()
    for name, times in trace.steps:
        for place, change in net.transitions[net.transition_numbers[name]].effect:
            most.setdefault(place, tokens[place])
            tokens[place] += times * change
            most[place] = max(most[place], tokens[place])
    yield f"The trace changes {counted(len(most), 'place')}; tokens before, at most, and after it:"
    for place in sorted(most)[:PARTS]:
        numbers = (net.initial[place], most[place], tokens[place])
        yield f"  {shown_name(net.places[place])}: {', '.join(map(number_text, numbers))}"
    if len(most) > PARTS:
        yield f"  … and {counted(len(most) - PARTS, 'more place')}"
    untouched = sum(1 for p, held in enumerate(net.initial) if held and p not in most)
    if untouched:
        yield f"It leaves {counted(untouched, 'other marked place')} alone."


def _invariant(certificate: Certificate, problem: Problem) -> Iterator[str]:
    cubes = target_cubes(problem.target)
    found = explain(problem.net, cubes or (), certificate, EXPLAINED)
    total = cases(certificate.invariant)
    for number, case in enumerate(found[:CASES]):
        if total > 1:
            initially = ", which holds initially" if all(p.holds for p in case.parts) else ""
            yield f"Case {number + 1} of {total}{initially}:"
        else:
            yield "The invariant, part by part:"
        yield from _parts(case.parts)
        if total > 1:
            yield from _moves(case.moves, number, len(problem.net.transitions))
        yield from _target(case, None if cubes is None else len(cubes))
    if total > len(found[:CASES]):
        yield f"… and {counted(total - len(found[:CASES]), 'more case')}; the evidence has all."


def _parts(parts: Sequence[Part]) -> Iterator[str]:
    for position, part in enumerate(parts[:PARTS], start=1):
        yield f"  {position}. {_cut(shown_formula(part.formula))}"
        yield f"     {'; '.join(_meanings(part))}"
    if len(parts) > PARTS:
        yield f"  … and {counted(len(parts) - PARTS, 'more part')}"


def _meanings(part: Part) -> Iterator[str]:
    wide = isinstance(part.formula, Comparison) and part.formula.right.coefficients
    of = "the left side minus the right" if wide else "this sum"
    yield from (_KINDS[kind].format(of) for kind in part.kinds)
    if not part.kinds:
        yield "kept as part of the whole, as the audit found"
    yield _initially(part)
    if part.suggested_by:
        names = (printable(name).replace("_", " ") for name in part.suggested_by)
        yield f"suggested by {', '.join(names)}"


def _initially(part: Part) -> str:
    words = "initially so" if part.holds else "initially not so"
    if part.initially is None or not isinstance(part.formula, Comparison | Remainder):
        return words
    left, right = (_cut(number_text(side)) for side in part.initially)
    return f"{words}, {left} {part.formula.relation} {right}"


def _moves(moves: Sequence[Move], number: int, transitions: int) -> Iterator[str]:
    for move in moves:
        yield f"  {_move(move, number)}"
    rest = transitions - sum(len(move.transitions) for move in moves)
    if rest:
        yield f"  Where {counted(rest, 'other transition')} may lead is not explained here."


def _move(move: Move, number: int) -> str:
    match move.case:
        case None:
            head = "Disabled here"
        case other if other == number:
            head = "Stay in this case"
        case other:
            head = f"Lead to case {other + 1}"
    return f"{head}: {_listed(move.transitions)}."


def _target(case: Case, alternatives: int | None) -> Iterator[str]:
    several = alternatives is not None and alternatives > 1
    for clash in case.clashes:
        yield f"  {_clash(clash, several)}"
    if alternatives is None or len(case.clashes) < alternatives:
        rest = "the rest of the target" if case.clashes else "the target"
        yield f"  That {rest} contradicts this, the audit found; why is not explained here."


def _clash(clash: Clash, several: bool) -> str:
    where = f"Target, alternative {clash.cube + 1}" if several else "Target"
    return f"{where}: {_cut(shown_formula(clash.target))} contradicts {clash.part + 1}."


def _state_equation(certificate: StateEquationCertificate, net: Net) -> Iterator[str]:
    free = unblocked(certificate.siphon, net)
    names = {transition.name for transition in free}
    facts = " that keeps to these facts" if certificate.traps or certificate.siphon else ""
    yield f"As the audit found, no x >= 0 makes m = m0 + D·x a marking in the target{facts}."
    yield f"{counted(len(free), 'transition')} may be counted in x."
    for trap in certificate.traps[:PARTS]:
        yield f"  marked trap {{{_listed(trap)}}}: what takes from it and may fire puts on it"
    if len(certificate.traps) > PARTS:
        yield f"  … and {counted(len(certificate.traps) - PARTS, 'more trap')}"
    if certificate.siphon:
        yield f"  empty siphon {{{_listed(certificate.siphon)}}}: what puts on it takes from it"
    blocked = [transition.name for transition in net.transitions if transition.name not in names]
    if blocked:
        yield f"  Blocked by the siphon: {_listed(blocked)}."


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(shown_name, names[:NAMES]))
    return f"{shown} and {len(names) - NAMES} more" if len(names) > NAMES else shown


def _cut(text: str) -> str:
    return text if len(text) <= LETTERS else f"{text[:LETTERS]} …"
