"""What is told of evidence is so: compared with brute force on random nets."""

from __future__ import annotations

import html
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from explained import Part, told_cases
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import first_markings, replay, successor
from strategies import nets, problems, terms

from petricheck.arithmetic.formulas.cubes import listed_cubes
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    Atom,
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Formula,
    Inequality,
    at_least,
    at_most,
    congruent,
    conjunction,
    equal,
    evaluate,
)
from petricheck.arithmetic.formulas.layout import Comparison, Leaf, Remainder, natural
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.evidence.answer import Answer, Reachable, Trace, Unreachable
from petricheck.evidence.certificates.invariant import Certificate, Hints, Separator
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import Claim, Excluded, Pumped, Reached, claim_of
from petricheck.evidence.explanation import (
    Id,
    Items,
    Line,
    Node,
    PlaceTable,
    Section,
    SentenceList,
    Steps,
    Words,
)
from petricheck.model.net import Marking, Net
from petricheck.model.problem import Problem
from petricheck.questions import ask, check
from petricheck.reports.explanation import invariants
from petricheck.reports.explanation.atoms import Adjacency, Box, box_of, contradiction, kinds
from petricheck.reports.explanation.claims import explain
from petricheck.reports.explanation.invariants import CUBES
from petricheck.reports.explanation.sections import claims_html
from petricheck.reports.explanation.text import sentence
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.siphons import greatest_siphon, greatest_trap

slow = settings(max_examples=16, deadline=None, suppress_health_check=list(HealthCheck))
few = settings(slow, max_examples=20)
Holds = Callable[[Marking], bool]
Value = Callable[[Marking], int]


A, B = variable("a"), variable("b")
NET = net_of("a=1 b=0 s=0, t: a -> b, gone: a + s -> s, back: b -> a, more: 2 a -> 3 a")


def firings(net: Net, most: int) -> Iterator[tuple[Marking, str, Marking]]:
    """All firings from markings of at most so many tokens a place, reachable or not."""
    for marking in product(range(most + 1), repeat=len(net.places)):
        for transition in net.transitions:
            after = successor(marking, transition)
            if after is not None:
                yield marking, transition.name, after


def require_kind(net: Net, kind: str, holds: Holds, value: Value) -> None:
    """Assert what the page says where it names the kind.

    Args:
        net: the net.
        kind: the kind.
        holds: the atom.
        value: its left side minus its right side; a residue's is the residue.
    """
    initially = {"empty siphon": True, "marked trap": True, "siphon": False, "trap": False}
    assert holds(net.initial) == initially.get(kind, holds(net.initial))
    for before, _, after in firings(net, 3):
        assert holds(after) or not holds(before)
        match kind:
            case "place invariant" | "kept residue":
                assert value(after) == value(before)
            case "never grows":
                assert value(after) <= value(before)
            case "never shrinks":
                assert value(after) >= value(before)
            case "trivial":
                assert holds(before)
            case _:
                assert kind in initially


@st.composite
def atoms(draw: st.DrawFn, net: Net) -> Atom:
    """Any atom, and those that say of a siphon or a trap, or of some places, what may be kept."""
    chosen = draw(st.sets(st.sampled_from(range(len(net.places))), min_size=1))
    which = draw(st.integers(0, 4))
    if which == 0:
        chosen = set(greatest_siphon(net.transitions, chosen)) or chosen
    if which == 1:
        chosen = set(greatest_trap(net.transitions, chosen)) or chosen
    if which < 3:
        weights = {place: draw(st.sampled_from((1, 1, 2))) for place in sorted(chosen)}
        total = linear((net.places[place], weight) for place, weight in weights.items())
    else:
        total = draw(terms(net.places))
    number = draw(st.integers(-1, 3))
    made_atoms = at_most(total, number), at_least(total, number), equal(total, number)
    residue = congruent(total, number % 2, draw(st.sampled_from((2, 3))))
    atom = draw(st.sampled_from((at_most(total, 0), at_least(total, 1), *made_atoms, residue)))
    assert isinstance(atom, Atom)
    return atom


@slow
@given(st.data())
def test_what_an_atom_is_called_it_is_in_every_firing(data: st.DataObject) -> None:
    net = data.draw(nets(max_places=3))
    atom = data.draw(atoms(net))
    leaf = natural(atom)

    def value(marking: Marking) -> int:
        values = net.values(marking)
        left = leaf.left.evaluate(values)
        compared = isinstance(leaf, Comparison)
        return left - leaf.right.evaluate(values) if compared else left % leaf.modulus

    for kind in kinds(Adjacency(net), atom):
        require_kind(net, kind, lambda marking: evaluate(atom, net.values(marking)), value)


@st.composite
def case(draw: st.DrawFn, net: Net) -> Formula:
    """A conjunction of bounds and residues."""
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        total, number = draw(terms(net.places)), draw(st.integers(-2, 3))
        modulus = draw(st.sampled_from((2, 3, 4, 6)))
        residue = congruent(total, number, modulus)
        parts.append(draw(st.sampled_from((at_most(total, number), residue))))
    return Conjunction(tuple(parts))


@slow
@given(st.data())
def test_transitions_lead_from_case_to_case_as_is_said(data: st.DataObject) -> None:
    net = data.draw(nets(max_places=3))
    one = data.draw(case(net))
    pair = (one, data.draw(st.one_of(case(net), st.just(one))))
    rows = tuple(tuple(data.draw(st.integers(-1, 2)) for _ in net.transitions) for _ in pair)
    shown = told_cases(net, Certificate(Disjunction(pair), Hints(rows, ())))
    for before, name, after in firings(net, 4):
        # Nothing is told of an invariant that is true of every marking.
        for holds, explained in zip(pair if shown else (), shown, strict=True):
            for to, transitions in explained.moves:
                if evaluate(holds, net.values(before)) and name in transitions:
                    assert to is not None and evaluate(pair[to], net.values(after))


def test_wrong_hints_lead_to_no_moves() -> None:
    invariant = Disjunction((Conjunction((at_most(A, 1),)), Conjunction((at_most(B, 0),))))
    lies = tuple((case,) * len(NET.transitions) for case in (-1, 1))
    shown = told_cases(NET, Certificate(invariant, Hints(lies, ())))
    assert [transitions for case in shown for _, transitions in case.moves] == [
        ("more",),
        ("gone", "back", "more"),
    ]


def test_no_moves_are_told_of_an_invariant_that_is_too_much_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    invariant = Disjunction((Conjunction((at_most(A, 1),)), Conjunction((at_most(B, 0),))))
    certificate = Certificate(
        invariant, Hints(tuple((1,) * len(NET.transitions) for _ in "ab"), ())
    )
    assert any(case.moves for case in told_cases(NET, certificate))
    monkeypatch.setattr(invariants, "WORK", 2)
    assert not any(case.moves for case in told_cases(NET, certificate))


@slow
@given(st.data())
def test_what_the_target_is_said_to_say_follows_and_contradicts(data: st.DataObject) -> None:
    net = data.draw(nets(max_places=3))
    drawn = data.draw(st.lists(atoms(net), min_size=1, max_size=3))
    cube = tuple(atom for atom in drawn if atom.term.coefficients)
    conjunct = data.draw(atoms(net))
    multipliers = tuple(data.draw(st.integers(-2, 3)) for _ in cube)
    modulus, scale = data.draw(st.sampled_from((0, 2, 3))), data.draw(st.sampled_from((1, 1, 2)))
    direction = conjunct.term.coefficients
    separator = Separator(0, direction, modulus, multipliers, scale)
    require_contradiction(net.places, cube, conjunct, separator)


@slow
@given(st.data())
def test_separators_that_fit_are_believed_where_the_cube_allows_their_multipliers(
    data: st.DataObject,
) -> None:
    places = ("a", "b")
    modulus = data.draw(st.sampled_from((0, 2, 3, 4)))
    cube, multipliers = [], []
    for _ in range(data.draw(st.integers(1, 2))):
        total, residue = data.draw(terms(places)), data.draw(st.integers(0, 3))
        own = data.draw(st.sampled_from((2, 3, 4, 8)))
        choices = at_most(total, residue), equal(total, residue), Congruence(total - residue, own)
        cube.append(data.draw(st.sampled_from(choices)))
        multipliers.append(data.draw(st.integers(-2, 4)))
    whole = sum((atom.term * w for atom, w in zip(cube, multipliers, strict=True)), Term((), 0))
    sign = 1 if modulus else -1
    direction = Term(whole.coefficients, 0) * sign
    assume(direction.coefficients)
    bound = data.draw(st.integers(-3, 3))
    conjunct = Congruence(direction + bound, modulus) if modulus else Inequality(direction - bound)
    scale = data.draw(st.sampled_from((1, 1, 2)))
    separator = Separator(0, direction.coefficients, modulus, tuple(multipliers), scale)
    require_contradiction(places, tuple(cube), conjunct, separator)


@pytest.mark.parametrize(
    ("literal", "multiplier", "fits"),
    [
        (equal(A, 1), 1, True),
        (at_most(A, 1), 1, False),
        (Congruence(A - 1, 3), 1, True),
        (Congruence(A - 1, 6), 1, True),
        (Congruence(A - 1, 2), 1, False),
        (equal(A, 1), 2, False),
    ],
)
def test_residues_of_the_target_need_literals_that_have_them(
    literal: Atom, multiplier: int, fits: bool
) -> None:
    separator = Separator(0, A.coefficients, 3, (multiplier,), 1)
    known = contradiction(Congruence(A, 3), Box((literal,), {}, {}), [separator])
    assert known == (Congruence(A - 1, 3) if fits else None)


def require_contradiction(
    places: Sequence[str], cube: Cube, conjunct: Atom, separator: Separator
) -> None:
    """Assert that what the target is said to say follows from the cube, and excludes the atom."""
    known = contradiction(conjunct, box_of(cube), [separator])
    for marking in product(range(7), repeat=len(places)):
        values = dict(zip(places, marking, strict=True))
        if known is not None:
            assert evaluate(known, values) or not all(evaluate(atom, values) for atom in cube)
            assert not (evaluate(known, values) and evaluate(conjunct, values))


def told(target: Formula, answer: Reachable | Unreachable) -> str:
    """The evidence about `NET` on a page, as text."""
    page = claims_html(NET, [claim_of(target, answer)], target=True)
    return html.unescape(re.sub(r"<[^>]*>", "", page))


def says(formula: Formula | Leaf, values: dict[str, int]) -> bool:
    """Whether a formula that is told holds."""
    match formula:
        case Comparison(left, relation, right):
            sides = left.evaluate(values), right.evaluate(values)
            return {"<=": operator.le, ">=": operator.ge, "=": operator.eq, "!=": operator.ne}[
                relation
            ](*sides)
        case Remainder(left, modulus, relation, residue):
            return (left.evaluate(values) % modulus == residue) == (relation == "=")
        case _:
            return evaluate(formula, values)


def require_invariant(problem: Problem, certificate: Certificate) -> None:
    """Assert what is told of an invariant."""
    net = problem.net
    box = [net.values(marking) for marking in product(range(4), repeat=len(net.places))]
    cubes = listed_cubes(problem.target, most=CUBES)
    shown = told_cases(net, certificate, problem.target)

    def inside(case: int, values: dict[str, int]) -> bool:
        return all(says(part.formula, values) for part in shown[case].parts)

    for number, case in enumerate(shown):
        for part in case.parts:
            require_part(net, part)
        for _, target, position in case.clashes:
            against = case.parts[position].formula
            assert not any(says(target, m) and says(against, m) for m in box)
        if cubes is not None and len(case.clashes) == len(cubes):
            assert not any(says(problem.target, m) and inside(number, m) for m in box)
        lead = {name: to for to, transitions in case.moves for name in transitions}
        for before, name, after in firings(net, 3):
            if name in lead and inside(number, net.values(before)):
                to = lead[name]
                assert to is not None and (to >= len(shown) or inside(to, net.values(after)))


def require_part(net: Net, part: Part) -> None:
    formula = part.formula

    def value(marking: Marking) -> int:
        values = net.values(marking)
        match formula:
            case Remainder(left, modulus):
                return left.evaluate(values) % modulus
            case Comparison(left, _, right):
                return left.evaluate(values) - right.evaluate(values)
            case _:
                raise AssertionError(formula)

    assert part.holds == says(formula, net.values(net.initial))
    if part.initially is not None:
        left, right = part.initially
        of_residue = isinstance(formula, Remainder)
        assert (left if of_residue else left - right) == value(net.initial)
    for kind in part.kinds:
        require_kind(net, kind, lambda marking: says(formula, net.values(marking)), value)


def require_course(net: Net, trace: Trace, nodes: Sequence[Node]) -> None:
    """Assert what is told of a trace."""
    fired = [name for name, times in trace.steps for _ in range(times)]
    transitions = {transition.name: transition for transition in net.transitions}
    markings = [net.initial]
    for name in fired:
        after = successor(markings[-1], transitions[name])
        assert after is not None
        markings.append(after)
    if not fired:
        assert not nodes
        return
    steps, changes, *rest = nodes
    assert isinstance(steps, Steps) and isinstance(changes, PlaceTable)
    marking = list(net.initial)
    for step in steps.steps:
        for place, before, after in step.changes:
            assert marking[place] == before
            marking[place] = after
    assert tuple(marking) == markings[-1]
    assert [step.fires for step in steps.steps for _ in range(step.times)] == fired
    for place, numbers in changes.rows:
        held = [marking[net.place_numbers[place]] for marking in markings]
        assert numbers == (held[0], max(held), held[-1])
    told_of = {place for place, *_ in changes.rows}
    alone = [p for p, tokens in net.values(net.initial).items() if tokens and p not in told_of]
    assert [f"{p} = {net.values(net.initial)[p]}" for p in alone] == [
        text for line in rest if isinstance(line, Line)
        for text in sentence(line.words).removesuffix(".").partition(": ")[2].split(", ")
    ]  # fmt: skip


def require_state_equation(net: Net, certificate: StateEquationCertificate) -> None:
    """Assert what is told of traps, the siphon and what it blocks."""
    nodes = explain(net, Excluded(FALSE, certificate)).reasons
    lines = [sentence(node.words, whole=True) for node in nodes if isinstance(node, Line)]
    blocked = [line for line in lines if line.startswith("Blocked")]
    names = blocked[0].removesuffix(".").partition(": ")[2].split(", ") if blocked else []
    transitions = {t.name: t for t in net.transitions}
    assert f"{len(transitions) - len(names)} transition" in lines[1]
    sets = [node for node in nodes if isinstance(node, Items) and node.noun == "trap"]
    traps = [words for node in sets for (words,) in node.items]
    assert len(traps) == len(certificate.traps)
    for marking in first_markings(net, 100):
        values = net.values(marking)
        assert not any(values[place] for place in certificate.siphon)
        assert all(successor(marking, transitions[name]) is None for name in names)
        assert all(any(values[place] for place in trap) for trap in certificate.traps)
    for trap, words in zip(certificate.traps, traps, strict=True):
        places = [net.place_numbers[place] for place in trap]
        taking = {
            name
            for before, name, after in firings(net, 3)
            if any(before[p] for p in places) and not any(after[p] for p in places)
        }
        assert taking <= ({*names} if "may fire" in sentence(words) else set())


finders = st.sampled_from(("cegar", "state_equation", "directed_search", "pdr"))


@few
@given(problem=problems(), engine=finders)
def test_all_that_the_page_says_of_evidence_is_so(problem: Problem, engine: str) -> None:
    require_truth(problem, engine)


@pytest.mark.campaign
@settings(few, max_examples=500)
@given(problem=problems(), engine=finders)
def test_all_that_the_page_says_of_a_thousand_answers_is_so(problem: Problem, engine: str) -> None:
    require_truth(problem, engine)


def require_truth(problem: Problem, engine: str) -> None:
    """Assert what is told of what the engine finds."""
    assume(len(problem.net.places) <= 3)
    result = check(problem, engine=engine, budget=Budget(1))
    assume(isinstance(result.answer, Reachable | Unreachable))
    require_verdict(problem, result.answer)


def require_verdict(problem: Problem, answer: Answer) -> None:
    match answer:
        case Reachable(trace):
            claim = claim_of(problem.target, answer)
            explained = explain(problem.net, claim, target=True)
            require_course(problem.net, trace, explained.reasons)
            final = dict(item for line in explained.evidence for item in tokens_told(line))
            values = problem.net.values(problem.net.initial) | final
            assert says(problem.target, values)
        case Unreachable(Certificate() as certificate):
            require_invariant(problem, certificate)
        case Unreachable(StateEquationCertificate() as certificate):
            require_state_equation(problem.net, certificate)


def require_claim(net: Net, claim: Claim) -> None:
    """Assert what is told of a claim."""
    explained = explain(net, claim)
    match claim:
        case Excluded(formula, certificate):
            reached = [net.values(marking) for marking in first_markings(net, 100)]
            assert not any(says(formula, values) for values in reached)
            require_verdict(Problem(net, formula), Unreachable(certificate))
        case Reached(trace, stops):
            require_course(net, trace, explained.reasons[1 if len(stops) > 1 else 0 :])
            for after, formula in stops:
                steps = [name for name, k in trace.steps[:after] for _ in range(k)]
                passed = replay(net, tuple(steps))
                assert passed is not None and says(formula, net.values(passed))
        case Pumped(_, stages):
            items, *rest = explained.reasons
            assert isinstance(items, Items)
            filled: set[str] = set()
            effects = {t.name: dict(t.effect) for t in net.transitions}
            for stage, (words,) in zip(stages, items.items, strict=True):
                changes = changes_told(words)
                assert all(change > 0 or place in filled for place, change in changes.items())
                for number, place in enumerate(net.places):
                    loop = stage.loop.steps
                    total = sum(times * effects[name].get(number, 0) for name, times in loop)
                    assert total == changes.get(place, 0)
                filled |= {place for place, change in changes.items() if change > 0}
            assert isinstance(rest[0], Section) == (len(stages) == 1)


def tokens_told(node: Node) -> Iterator[tuple[str, int]]:
    """Places with their tokens, as a marking is told."""
    lists = (
        [word for word in node.words if isinstance(word, SentenceList)]
        if isinstance(node, Line)
        else []
    )
    for item in (item for listed in lists for item in listed.items):
        match item:
            case (Id(place), " = ", int(tokens)):
                yield place, tokens


def changes_told(words: Words) -> dict[str, int]:
    """What a repetition is said to change."""
    said = sentence(words).removeprefix("One repetition changes ").removesuffix(".")
    return {name: int(change) for name, change in map(str.split, said.split(", "))}


@pytest.mark.parametrize(
    "question", [{"bound": "p1"}, {"bound": "min: p1 - 2*p2"}, {"bounded": True}]
)
@settings(slow, max_examples=8)
@given(net=nets(max_places=3).filter(lambda net: len(net.places) > 1))
def test_what_the_page_says_of_claims_is_so(question: dict[str, Any], net: Net) -> None:
    require_claims(net, question)


@pytest.mark.campaign
@settings(slow, max_examples=500)
@given(
    net=nets(max_places=3).filter(lambda net: len(net.places) > 1),
    question=st.sampled_from(({"bound": "p1"}, {"bound": "p2 - p1"}, {"bounded": True})),
)
def test_what_the_page_says_of_the_claims_of_a_thousand_questions_is_so(
    question: dict[str, Any], net: Net
) -> None:
    require_claims(net, question)


def require_claims(net: Net, question: dict[str, Any]) -> None:
    for claim in check(ask(net, **question), budget=Budget(0.2)).claims:
        require_claim(net, claim)


@pytest.mark.parametrize(
    ("target", "answer", "why"),
    [
        (equal(B, 1), Reachable(Trace((("back", 1),))), "'back' cannot fire"),
        (equal(B, 1), Reachable(Trace((("t", 2),))), "cannot fire that often"),
        (equal(A, 3), Reachable(Trace((("more", 2),))), "cannot fire"),
        (equal(B, 1), Reachable(Trace((("gone", 1),))), "cannot fire"),
        (equal(B, 2), Reachable(Trace((("t", 1),))), "does not hold after 1 step of"),
        (equal(B, 2), Unreachable(Certificate(at_least(B, 1))), "not hold initially"),
        (equal(B, 2), Unreachable(StateEquationCertificate((), ("a", "b"))), "siphon is marked"),
        (equal(B, 2), Unreachable(StateEquationCertificate((), ("b",))), "marks the siphon"),
        (equal(B, 2), Unreachable(StateEquationCertificate((("a",),), ())), "may empty a trap"),
        (equal(B, 2), Unreachable(StateEquationCertificate((("s",),), ())), "empty initially"),
        (equal(B, 2), Unreachable(StateEquationCertificate((("a", "b"),), ())), "may empty a trap"),
    ],
)
def test_evidence_that_is_not_what_it_is_called_is_not_shown(
    target: Formula, answer: Reachable | Unreachable, why: str
) -> None:
    shown = told(target, answer)
    assert shown.startswith("The evidence is not shown: ") and why in shown


def test_a_trap_that_only_blocked_transitions_could_empty_is_told_as_such() -> None:
    certificate = StateEquationCertificate((("a", "b"),), ("s",))
    shown = told(equal(B, 2), Unreachable(certificate))
    assert "what takes from it and may fire puts on it" in shown
    assert "Blocked by the siphon: gone." in shown


def test_origins_of_an_inequality_are_those_of_its_own_direction() -> None:
    from petricheck.evidence.certificates.invariant import DirectionOrigin

    origins = (DirectionOrigin((("a", 1),), ("up",)), DirectionOrigin((("a", -1),), ("down",)))
    invariant = Conjunction((at_most(A, 5), at_least(A, 1), equal(B, 0)))
    (shown,) = told_cases(NET, Certificate(invariant, None, origins))
    assert [part.suggested_by for part in shown.parts] == ["up", "down", ""]
    (joined,) = told_cases(
        NET, Certificate(conjunction([at_most(A, 1), at_least(A, 1)]), None, origins)
    )
    assert joined.parts[0].suggested_by == "up, down"
