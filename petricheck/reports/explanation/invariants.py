"""The reasons of an invariant, by case and by part, and its contradictions with the target.

Everything here is checked against the net, the target and the certificate, hints and origins
included; a reason that cannot be confirmed is left out. The audit is not repeated: it has shown
that the invariant as a whole is inductive and that the target contradicts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from petricheck.arithmetic.formulas.cubes import listed_cubes
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Atom,
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    at_least,
    atoms,
    conjunction,
    conjuncts,
    disjuncts,
    evaluate,
    variables,
)
from petricheck.arithmetic.formulas.layout import Comparison, Leaf, Remainder, leaves, natural
from petricheck.arithmetic.formulas.minimal import ATOMS, irredundant, minimal
from petricheck.arithmetic.formulas.terms import constant
from petricheck.evidence.audit.invariants.cases import Direction
from petricheck.evidence.audit.invariants.exact import exact_tier
from petricheck.evidence.certificates.invariant import Certificate, Hints, Separator
from petricheck.evidence.explanation import (
    Items,
    Line,
    Node,
    Section,
    Words,
    sentences,
    several_ids,
)
from petricheck.formats.language.sums import summed
from petricheck.model.net import Net
from petricheck.reports.explanation.atoms import (
    MEANINGS,
    Adjacency,
    Box,
    box_of,
    contradiction,
    kinds,
)
from petricheck.support.budget import Budget
from petricheck.support.words import counted, printable

EXPLAINED = 10_000
"""Summands and bounds of one invariant that are explained."""

WORK = 1_000_000
"""Atoms times transitions up to which the moves between cases are explained."""

CUBES = 16
"""Cubes of the target up to which the contradictions are explained."""

BOUND = "follows from the bounds above"

KEPT = "kept as part of the whole, as the audit found"

Clash: TypeAlias = tuple[int, Formula, int]
"""The number of a cube of the target, its consequence, and the conjunct that contradicts it."""


def invariant_reasons(net: Net, certificate: Certificate, excluded: Formula) -> Iterator[Node]:
    """Yield, for each case, its parts, its successor cases and its contradictions.

    Yield nothing if the invariant holds in every marking.
    """
    if minimal(certificate.invariant) == TRUE:
        return
    adjacency, cubes = Adjacency(net), listed_cubes(excluded, most=CUBES)
    boxes = tuple(map(box_of, cubes or ()))
    origins = {origin.direction: origin.suggested_by for origin in certificate.origins}
    hints = certificate.hints if isinstance(certificate.hints, Hints) else Hints((), ())
    cases = disjuncts(certificate.invariant)
    size, remaining = sum(1 for _ in atoms(certificate.invariant)), EXPLAINED
    confirmed = _confirmed_hints(net, cases, hints) if size * len(net.transitions) <= WORK else []
    for number, case in enumerate(cases):
        remaining -= sum(len(atom.term.coefficients) + 1 for atom in atoms(case))
        if remaining < 0:
            remainder = counted(len(cases) - number, "more case")
            yield Line((f"… and {remainder}; the evidence has all.",))
            return
        conjuncts, clashes = _contradictions(
            _conjuncts(case), boxes, hints.separators, size <= ATOMS
        )
        parts = tuple(
            _bound_part(net, conjunct) or _part(adjacency, conjunct, origins)
            for conjunct in conjuncts
        )
        nodes: list[Node] = [Items(parts, "part", numbered=True)]
        title = "The invariant, part by part:"
        if len(cases) > 1:
            initially = ", which holds initially" if evaluate(case, adjacency.initially) else ""
            title = f"Case {number + 1} of {len(cases)}{initially}:"
            nodes += _moves(net, number, confirmed, hints.successors)
        nodes += _target(net, clashes, None if cubes is None else len(cubes))
        yield Section((title,), tuple(nodes))


def _conjuncts(case: Formula) -> Sequence[Formula]:
    """Return the conjuncts, with t ≤ 0 and t ≥ 0 joined to t = 0."""
    return tuple(map(_atom, leaves(case))) if isinstance(case, Conjunction) else (case,)


def _atom(leaf: Leaf | Formula) -> Formula:
    match leaf:
        case Comparison(left, _, right):  # `leaves` makes equations only
            return Equality(left - right)
        case Remainder(left, modulus, _, residue):
            return Congruence(left - residue, modulus)
        case _:
            return leaf


def _bound_part(net: Net, conjunct: Formula) -> tuple[Words, ...]:
    """Return the bounds that the conjunct stands for if it only defines complement places."""
    if _known(net, conjunct) != TRUE:
        return ()
    hidden = net.origin.hidden if net.origin is not None else {}
    bounds = tuple(at_least(hidden[name], 0) for name in variables(conjunct) if name in hidden)
    return ((conjunction(bounds),), (BOUND,)) if bounds else ()


def _known(net: Net, formula: Formula) -> Formula:
    """Return the formula without complement places, which people do not know."""
    return summed(net, formula) if net.origin is not None and net.origin.hidden else formula


def _part(
    adjacency: Adjacency, conjunct: Formula, origins: Mapping[Direction, tuple[str, ...]]
) -> tuple[Words, ...]:
    """Return the conjunct with notes: its kinds, its initial value and its origins."""
    initially = "initially so" if evaluate(conjunct, adjacency.initially) else "initially not so"
    if not isinstance(conjunct, Atom):
        return ((conjunct,), (KEPT,), (initially,))
    leaf = natural(conjunct)
    left = leaf.left.evaluate(adjacency.initially)
    if isinstance(leaf, Comparison):
        right = leaf.right.evaluate(adjacency.initially)
        of = "the left side minus the right" if leaf.right.coefficients else "this sum"
    else:
        left, right, of = left % leaf.modulus, leaf.residue, "this sum"
    meanings = [(MEANINGS[kind].format(of),) for kind in kinds(adjacency, conjunct)] or [(KEPT,)]
    values = Comparison(constant(left), leaf.relation, constant(right))
    names = ", ".join(printable(n).replace("_", " ") for n in _suggested_by(conjunct, origins))
    origin = [(f"suggested by {names}",)] if names else []
    return ((leaf,), *meanings, (f"{initially}, ", values), *origin)


def _suggested_by(atom: Atom, origins: Mapping[Direction, tuple[str, ...]]) -> Iterable[str]:
    """Return the origin of the atom's direction; for an equation, also of the opposite one."""
    terms = (atom.term, -atom.term) if isinstance(atom, Equality) else (atom.term,)
    return dict.fromkeys(name for t in terms for name in origins.get(t.coefficients, ()))


def _confirmed_hints(net: Net, cases: Sequence[Formula], hints: Hints) -> list[list[bool]]:
    """Return, by transition and case, whether the hinted successor case is right.

    Empty if there is one case only, or no exact check of the hints.
    """
    formula = Disjunction(tuple(Conjunction(conjuncts(case)) for case in cases))
    if len(cases) < 2 or (exact := exact_tier(formula, hints, Budget())) is None:
        return []
    return list(exact.preserved(net))


def _moves(
    net: Net, number: int, confirmed: Sequence[Sequence[bool]], successors: Sequence[Sequence[int]]
) -> Iterator[Line]:
    """Yield the confirmed successor cases of a case with the transitions that lead there."""
    groups: dict[int, list[str]] = {}
    for transition, shown, case in zip(
        net.transitions, confirmed, successors[number] if confirmed else (), strict=False
    ):
        if shown[number]:
            groups.setdefault(case, []).append(transition.name)
    for case, names in sorted(groups.items()):
        lead = f"Lead to case {case + 1}" if case != number else "Stay in this case"
        yield Line((f"{lead if case >= 0 else 'Disabled here'}: ", several_ids(names), "."))
    if count := len(net.transitions) - sum(map(len, groups.values())):
        yield Line((f"Where {counted(count, 'other transition')} may lead is not explained here.",))


def _contradictions(
    conjuncts: Sequence[Formula],
    target: Sequence[Box],
    separators: Sequence[Separator],
    shorten: bool,
) -> tuple[Sequence[Formula], list[Clash]]:
    """Return the conjuncts with their clashes, minimal if no clash is lost by that."""
    clashes = [*_clashes(conjuncts, target, separators)]
    if shorten:
        fewer = irredundant(conjuncts)
        fewer_clashes = [*_clashes(fewer, target, separators)]
        if len(fewer_clashes) == len(clashes):
            return fewer, fewer_clashes
    return conjuncts, clashes


def _clashes(
    conjuncts: Sequence[Formula], target: Iterable[Box], separators: Sequence[Separator]
) -> Iterator[Clash]:
    """Yield, for each contradicted cube, the first conjunct that contradicts it."""
    for number, box in enumerate(target):
        cube_separators = [separator for separator in separators if separator.cube == number]
        for position, conjunct in enumerate(conjuncts):
            if (contradicted := contradiction(conjunct, box, cube_separators)) is not None:
                yield number, contradicted, position
                break


def _target(net: Net, clashes: Sequence[Clash], alternatives: int | None) -> Iterator[Node]:
    several = alternatives is not None and alternatives > 1
    heads = (f"Target, alternative {n + 1}" if several else "Target" for n, _, _ in clashes)
    contradictions = (
        # What is false without complement places says nothing of the target to people.
        (head, f" contradicts {part + 1}.")
        if _known(net, says) == FALSE
        else (f"{head}: ", says, f" contradicts {part + 1}.")
        for head, (_, says, part) in zip(heads, clashes, strict=True)
    )
    yield from sentences(contradictions, "alternative")
    if alternatives is None or len(clashes) < alternatives:
        what = "the rest of the target" if clashes else "the target"
        yield Line((f"That {what} contradicts this, the audit found; why is not explained here.",))
