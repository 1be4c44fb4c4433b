from dataclasses import replace
from itertools import product

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import explore, shortest_trace, successor
from strategies import nets, problems

from petricheck.answer import (
    Certificate,
    Hints,
    Reachable,
    Separator,
    StateEquationCertificate,
    Trace,
    Unreachable,
)
from petricheck.audit import audit, obligations
from petricheck.audit.exact import CUBES
from petricheck.audit.shapes import invariant as invariant_shape
from petricheck.audit.shapes import state_equation as state_equation_shape
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, EvidenceError
from petricheck.presburger.cubes import cubes
from petricheck.presburger.formulas import (
    TRUE,
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    Negation,
    at_least,
    at_most,
    congruent,
    conjunction,
    disjunction,
    equal,
    evaluate,
)
from petricheck.presburger.solver import find_model
from petricheck.presburger.terms import Term, linear, variable
from petricheck.problem import Marking, Net, Problem, Transition, make_net, make_problem

EXACT = "checked in exact integer arithmetic"
BY_Z3 = "discharged by z3"
p, q = variable("p"), variable("q")
slow = settings(deadline=None, suppress_health_check=list(HealthCheck))

# Nets of the examples


def swap() -> Net:
    """A token goes to and fro: p + q stays 1."""
    return net_of("p=1 q=0, a: p -> q, b: q -> p")


def pump() -> Net:
    """Two tokens at a time."""
    return net_of("p=0, add: -> 2 p")


def half_space() -> tuple[Problem, Certificate]:
    """p + q ≤ 1 excludes p ≥ 1, q ≥ 1."""
    problem = make_problem(swap(), conjunction([at_least(p, 1), at_least(q, 1)]))
    invariant = Disjunction((Conjunction((at_most(p + q, 1),)),))
    separator = Separator(0, (("p", 1), ("q", 1)), 0, (1, 1), 1)
    return problem, Certificate(invariant, Hints(((0, 0),), (separator,)))


def parity() -> tuple[Problem, Certificate]:
    """p is even, so it never is 3."""
    problem = make_problem(pump(), equal(p, 3))
    invariant = Disjunction((Conjunction((congruent(p, 0, 2),)),))
    return problem, Certificate(invariant, Hints(((0,),), (Separator(0, (("p", 1),), 2, (1,), 1),)))


def rejected(problem: Problem, invariant: Formula, hints: Hints | None = None) -> str:
    with pytest.raises(EvidenceError) as caught:
        audit(problem, Unreachable(Certificate(invariant, hints)))
    return str(caught.value)


# Traces


def accepts_trace(problem: Problem, *steps: tuple[str, int]) -> bool:
    try:
        return audit(problem, Reachable(Trace(steps))) == "replayed exactly"
    except EvidenceError:
        return False


def test_a_repeat_is_one_step_however_large() -> None:
    big = 10**5000
    assert accepts_trace(make_problem(pump(), equal(p, 2 * big)), ("add", big))
    assert not accepts_trace(make_problem(pump(), equal(p, 2 * big)), ("add", big + 1))


@pytest.mark.parametrize("times", [0, -1, True, 1.0, "1"])
def test_a_count_that_is_no_positive_integer_is_refused(times: object) -> None:
    assert not accepts_trace(make_problem(pump(), TRUE), ("add", times))  # type: ignore[arg-type]


def test_an_unknown_transition_is_refused_by_name() -> None:
    with pytest.raises(EvidenceError, match=r"step 2 .*'nonsense'"):
        audit(make_problem(pump(), TRUE), Reachable(Trace((("add", 1), ("nonsense", 1)))))


@given(nets(), st.data())
def test_a_trace_is_accepted_exactly_when_firing_one_by_one_gets_there(
    net: Net, data: st.DataObject
) -> None:
    names = st.sampled_from([transition.name for transition in net.transitions])
    steps = tuple(data.draw(st.lists(st.tuples(names, st.integers(1, 3)), max_size=4)))
    transitions = {transition.name: transition for transition in net.transitions}
    marking: Marking | None = net.initial
    for name, times in steps:
        for _ in range(times):
            marking = None if marking is None else successor(marking, transitions[name])
    assert accepts_trace(Problem(net, TRUE), *steps) == (marking is not None)


# One obligation at a time


@pytest.mark.parametrize("example", [half_space, parity])
def test_a_hinted_certificate_is_checked_without_a_solver(example, monkeypatch) -> None:
    problem, certificate = example()
    monkeypatch.setattr(invariant_shape, "refute_z3", None)
    assert audit(problem, Unreachable(certificate)) == EXACT


@pytest.mark.parametrize("example", [half_space, parity])
def test_without_hints_z3_discharges_the_same_certificate(example) -> None:
    problem, certificate = example()
    assert audit(problem, Unreachable(replace(certificate, hints=None))) == BY_Z3


@pytest.mark.parametrize("example", [half_space, parity])
def test_cvc5_discharges_it_on_request(example) -> None:
    pytest.importorskip("cvc5")
    problem, certificate = example()
    exact = audit(problem, Unreachable(certificate), second_solver=True)
    assert exact == f"{EXACT} and discharged by cvc5"
    unhinted = Unreachable(replace(certificate, hints=None))
    assert audit(problem, unhinted, second_solver=True) == f"{BY_Z3} and cvc5"


def test_cvc5_rejects_what_z3_would_have_been_wrong_about(monkeypatch) -> None:
    pytest.importorskip("cvc5")
    problem, _ = half_space()
    monkeypatch.setattr(invariant_shape, "refute_z3", lambda obligation, budget: None)
    answer = Unreachable(Certificate(at_most(p + q, 2)))
    with pytest.raises(EvidenceError, match="cvc5: the invariant meets the target"):
        audit(problem, answer, second_solver=True)


def test_an_invariant_must_hold_initially() -> None:
    problem, _ = half_space()
    assert "does not hold initially" in rejected(problem, at_most(p + q, 0))


def test_an_invariant_must_be_preserved_and_the_transition_that_leaves_it_is_named() -> None:
    problem, _ = half_space()
    assert "transition 'a' leaves the invariant" in rejected(problem, equal(q, 0))


def test_an_invariant_must_exclude_the_target_and_a_common_marking_is_shown() -> None:
    problem, _ = half_space()
    assert "meets the target: p = 1, q = 1" in rejected(problem, at_most(p + q, 2))


def test_markings_are_not_negative_in_every_obligation() -> None:
    net = net_of("p=0 q=0, t: p -> p + q")
    problem = make_problem(net, conjunction([at_least(p + q, 1), at_most(p, 0)]))
    assert audit(problem, Unreachable(Certificate(at_most(p + q, 0)))) == BY_Z3
    assert audit(problem, Unreachable(Certificate(equal(p + 2 * q, 0)))) == BY_Z3


def test_true_and_false_are_no_invariants_here() -> None:
    problem, _ = half_space()
    assert "meets the target" in rejected(problem, TRUE)
    assert "initially" in rejected(problem, Disjunction(()), Hints((), ()))


def test_an_invariant_over_a_stranger_is_refused() -> None:
    problem, _ = half_space()
    assert "'r', which is no place" in rejected(problem, at_most(variable("r"), 0))


@pytest.mark.parametrize(
    "atom",
    [
        Inequality(Term((("p", 0.5),), 0)),  # type: ignore[arg-type]
        Inequality(Term((("p", 1),), -1.0)),  # type: ignore[arg-type]
        Inequality(Term((("p", True),), 0)),
        Congruence(p, 0),
        Congruence(p, -2),
    ],
)
def test_what_is_no_integer_or_no_modulus_is_refused(atom: Formula) -> None:
    problem, _ = half_space()
    assert "no integer, or a modulus below 1" in rejected(problem, atom)


def test_a_term_that_repeats_a_place_is_read_as_their_sum() -> None:
    problem, certificate = half_space()
    doubled = Inequality(Term((("q", 1), ("p", 1), ("p", 0)), -1))
    invariant = Disjunction((Conjunction((doubled,)),))
    assert audit(problem, Unreachable(replace(certificate, invariant=invariant))) == EXACT
    negated = Inequality(Term((("p", 1), ("p", -1)), 0))
    assert "meets" in rejected(problem, Disjunction((Conjunction((negated,)),)), certificate.hints)


def test_a_limit_makes_the_audit_inconclusive() -> None:
    problem, certificate = half_space()
    with pytest.raises(EvidenceError, match="inconclusive") as caught:
        audit(
            problem,
            Unreachable(replace(certificate, hints=None)),
            budget=Budget(seconds=0.0),
        )
    assert isinstance(caught.value.__cause__, BudgetExhausted)


def test_numbers_too_long_for_z3_make_the_audit_inconclusive() -> None:
    problem, _ = half_space()
    assert "inconclusive" in rejected(problem, at_most(p + q, 10**5000))


def test_numbers_of_any_length_are_checked_exactly() -> None:
    big = 10**5000
    net = make_net("big", {"p": big, "q": 0}, {"a": ({"p": 1}, {"q": 1})})
    problem = make_problem(net, at_least(p + q, big + 1))
    certificate = Certificate(
        Disjunction((Conjunction((at_most(p + q, big),)),)),
        Hints(((0,),), (Separator(0, (("p", 1), ("q", 1)), 0, (1,), 1),)),
    )
    assert audit(problem, Unreachable(certificate)) == EXACT


def test_more_target_cubes_than_the_exact_tier_takes_are_left_to_z3() -> None:
    problem, certificate = half_space()
    many = disjunction(equal(p, 2 + n) for n in range(CUBES + 1))
    assert audit(Problem(problem.net, many), Unreachable(certificate)) == BY_Z3


@pytest.mark.parametrize(
    "separator",
    [
        Separator(0, (("p", 1), ("q", 1)), 0, (1, 0), 1),
        Separator(0, (("p", 1), ("q", 1)), 0, (-1, -1), 1),
        Separator(0, (("p", 1), ("q", 1)), 0, (1, 1), 2),
        Separator(0, (("p", 1), ("q", 1)), 0, (1, 1), 0),
        Separator(0, (("p", 1), ("q", 1)), 0, (1, 1), -1),
        Separator(0, (("p", 1),), 0, (1, 1), 1),
        Separator(0, (("p", 1), ("q", 1)), 2, (1, 1), 1),
        Separator(0, (("p", 1), ("q", 1)), -1, (1, 1), 1),
        Separator(0, (("p", 1), ("q", 1)), 0, (1, 1, 0), 1),
        Separator(0, (("p", 1), ("q", 1)), 0, (1.0, 1), 1),  # type: ignore[arg-type]
        Separator(1, (("p", 1), ("q", 1)), 0, (1, 1), 1),
        Separator(-1, (("p", 1), ("q", 1)), 0, (1, 1), 1),
    ],
)
def test_a_wrong_separator_only_loses_the_fast_way(separator: Separator) -> None:
    problem, certificate = half_space()
    assert certificate.hints is not None
    hints = replace(certificate.hints, separators=(separator,))
    assert audit(problem, Unreachable(replace(certificate, hints=hints))) == BY_Z3


@pytest.mark.parametrize("successors", [((-1, 0),), ((1, 0),), ((-2, 0),), ((0,),), (), ((), ())])
def test_a_wrong_successor_only_loses_the_fast_way(successors: tuple[tuple[int, ...], ...]) -> None:
    problem, certificate = half_space()
    assert certificate.hints is not None
    hints = replace(certificate.hints, successors=successors)
    assert audit(problem, Unreachable(replace(certificate, hints=hints))) == BY_Z3


def test_the_obligations_are_one_for_the_start_each_transition_and_the_target() -> None:
    problem, certificate = half_space()
    found = list(obligations(problem, certificate.invariant))
    assert [obligation.name for obligation in found] == [
        "the invariant does not hold initially",
        "transition 'a' leaves the invariant",
        "transition 'b' leaves the invariant",
        "the invariant meets the target",
    ]
    assert all(find_model(obligation.formula, natural=True) is None for obligation in found)


# Certificates by brute force, and their mutations


def listed(problem: Problem, markings: list[Marking]) -> Certificate:
    """The markings, one disjunct each, with hints."""
    net = problem.net
    numbers = {marking: number for number, marking in enumerate(markings)}
    rows = []
    for marking in markings:
        after = [successor(marking, transition) for transition in net.transitions]
        rows.append(tuple(-1 if m is None else numbers[m] for m in after))
    parts = []
    for marking in markings:
        pairs = [(variable(name), n) for name, n in zip(net.places, marking, strict=True)]
        ordered = [atom for x, n in pairs for atom in (at_most(x, n), at_least(x, n))]
        parts.append(Conjunction(tuple(ordered)))
    return Certificate(Disjunction(tuple(parts)), Hints(tuple(rows), separators(problem.target)))


def separators(target: Formula) -> tuple[Separator, ...]:
    """Those that use one literal, with either sign; some of them are not allowed."""
    found = []
    for number, cube in enumerate(cubes(target)):
        if number > 8:
            break
        for literal, sign in product(range(len(cube)), (1, -1)):
            direction = (cube[literal].term * -sign).coefficients
            multipliers = tuple(sign * (n == literal) for n in range(len(cube)))
            found.append(Separator(number, direction, 0, multipliers, 1))
    return tuple(found)


@st.composite
def listed_certificates(draw: st.DrawFn) -> tuple[Problem, Certificate]:
    problem = draw(problems())
    markings = explore(problem.net, 10)
    assume(markings)
    assert markings is not None
    values = [problem.net.values(marking) for marking in markings]
    assume(not any(evaluate(problem.target, value) for value in values))
    return problem, listed(problem, sorted(markings))


@st.composite
def invariant_certificates(draw: st.DrawFn) -> tuple[Problem, Certificate]:
    """c·m ≡ c·m0 (mod q), or c·m = c·m0 where q is 0, in a net whose transitions keep it."""
    net = draw(nets())
    modulus = draw(st.sampled_from((0, 0, 2, 3, 4)))
    c = linear((place, draw(st.integers(-2, 2))) for place in net.places)
    assume(c.content == 1)
    kept = [
        t for t in net.transitions if _change(net, t, c) in (0,) or _divides(modulus, net, t, c)
    ]
    net = replace(net, transitions=tuple(kept))
    value = c.evaluate(net.values(net.initial))
    other = value + draw(st.sampled_from((-1, 1, 2)))
    problem = make_problem(net, equal(c, other))
    if modulus:
        assume((other - value) % modulus)
        part = Conjunction((congruent(c, value, modulus),))
        sign = 1 if next(cubes(problem.target))[0].term.coefficients == c.coefficients else -1
        found = (Separator(0, c.coefficients, modulus, (sign,), 1),)
    else:
        part = Conjunction((at_most(c, value), at_least(c, value)))
        found = separators(problem.target)
    hints = Hints((tuple(0 for _ in kept),), found)
    return problem, Certificate(Disjunction((part,)), hints)


def _change(net: Net, transition: Transition, c: Term) -> int:
    change = {net.places[place]: weight for place, weight in transition.effect}
    return sum(value * change.get(name, 0) for name, value in c.coefficients)


def _divides(modulus: int, net: Net, transition: Transition, c: Term) -> bool:
    return modulus > 0 and _change(net, transition, c) % modulus == 0


certificates = st.one_of(listed_certificates(), invariant_certificates())


def broken(problem: Problem, invariant: Formula, most: int = 4) -> bool:
    """Whether some obligation fails on markings of at most so many tokens a place."""
    net = problem.net
    if not evaluate(invariant, net.values(net.initial)):
        return True
    for marking in product(range(most + 1), repeat=len(net.places)):
        values = net.values(marking)
        if not evaluate(invariant, values):
            continue
        if evaluate(problem.target, values):
            return True
        after = [successor(marking, transition) for transition in net.transitions]
        if any(m is not None and not evaluate(invariant, net.values(m)) for m in after):
            return True
    return False


@settings(slow, max_examples=28)
@given(certificates)
def test_certificates_by_brute_force_are_accepted_with_hints_and_without(
    case: tuple[Problem, Certificate],
) -> None:
    problem, certificate = case
    assert not broken(problem, certificate.invariant)
    assert audit(problem, Unreachable(certificate)) in (EXACT, BY_Z3)
    assert audit(problem, Unreachable(replace(certificate, hints=None))) == BY_Z3


@settings(slow, max_examples=28)
@given(invariant_certificates())
def test_linear_and_modular_invariants_are_checked_exactly(
    case: tuple[Problem, Certificate],
) -> None:
    problem, certificate = case
    assert audit(problem, Unreachable(certificate)) == EXACT


@st.composite
def mutations(draw: st.DrawFn, problem: Problem, certificate: Certificate) -> Certificate:
    kind = draw(st.sampled_from(("atom", "atom", "atom", "drop", "hints", "both")))
    invariant, hints = certificate.invariant, certificate.hints
    assert isinstance(invariant, Disjunction)
    assert hints is not None
    if kind in ("atom", "both"):
        invariant = draw(mutated_atom(problem, invariant))
    if kind == "drop":
        number = draw(st.integers(0, len(invariant.operands) - 1))
        parts = invariant.operands
        invariant = Disjunction(parts[:number] + parts[number + 1 :])
        hints = Hints(hints.successors[:number] + hints.successors[number + 1 :], hints.separators)
    if kind in ("hints", "both"):
        rows = st.tuples(*(st.integers(-1, len(hints.successors)) for _ in problem.net.transitions))
        drawn = [draw(rows) if draw(st.booleans()) else row for row in hints.successors]
        hints = Hints(tuple(drawn), tuple(draw(mutated_separator(s)) for s in hints.separators))
    return Certificate(invariant, hints)


@st.composite
def mutated_atom(draw: st.DrawFn, problem: Problem, invariant: Disjunction) -> Disjunction:
    number = draw(st.integers(0, len(invariant.operands) - 1))
    part = invariant.operands[number]
    assert isinstance(part, Conjunction)
    place = draw(st.integers(0, len(part.operands) - 1))
    atom = part.operands[place]
    assert isinstance(atom, Inequality | Congruence)
    kind = draw(st.sampled_from(("coefficient", "constant", "modulus", "drop")))
    amount = draw(st.sampled_from((-2, -1, 1, 2)))
    if kind == "drop":
        atoms_left = part.operands[:place] + part.operands[place + 1 :]
    else:
        name = draw(st.sampled_from(problem.net.places))
        shift = Term(((name, amount),), 0) if kind == "coefficient" else Term((), amount)
        term = atom.term + shift if kind != "modulus" else atom.term
        changed: Formula = replace(atom, term=term)
        if kind == "modulus" and isinstance(atom, Congruence):
            changed = replace(atom, modulus=max(1, atom.modulus + amount))
        atoms_left = (*part.operands[:place], changed, *part.operands[place + 1 :])
    parts = invariant.operands
    return Disjunction((*parts[:number], Conjunction(atoms_left), *parts[number + 1 :]))


@st.composite
def mutated_separator(draw: st.DrawFn, separator: Separator) -> Separator:
    if draw(st.booleans()):
        return separator
    shifts = [draw(st.integers(-1, 2)) for _ in separator.multipliers]
    return Separator(
        draw(st.integers(0, 2)),
        separator.direction,
        draw(st.sampled_from((separator.modulus, 0, 2, 3))),
        tuple(w + n for w, n in zip(separator.multipliers, shifts, strict=True)),
        draw(st.sampled_from((separator.scale, 1, 2))),
    )


@settings(slow, max_examples=40)
@given(st.data())
def test_a_mutated_certificate_is_never_accepted_wrongly(data: st.DataObject) -> None:
    problem, certificate = data.draw(certificates)
    mutated = data.draw(mutations(problem, certificate))
    try:
        tier = audit(problem, Unreachable(mutated))
    except EvidenceError:
        return
    assert not broken(problem, mutated.invariant)
    if tier == EXACT:
        for obligation in obligations(problem, mutated.invariant):
            assert find_model(obligation.formula, natural=True) is None, obligation.name


@settings(slow, max_examples=28)
@given(st.data())
def test_the_exact_tier_alone_accepts_nothing_that_brute_force_breaks(data: st.DataObject) -> None:
    problem, certificate = data.draw(certificates)
    mutated = data.draw(mutations(problem, certificate))
    assume(broken(problem, mutated.invariant))
    left = list(invariant_shape._left_open(problem, mutated.invariant, mutated.hints, Budget()))
    start = evaluate(mutated.invariant, problem.net.values(problem.net.initial))
    assert left or not start


@settings(slow, max_examples=28)
@given(problems(), st.data())
def test_a_reachable_target_has_no_certificate(problem: Problem, data: st.DataObject) -> None:
    assume(shortest_trace(problem, 100) is not None)
    name = data.draw(st.sampled_from(problem.net.places))
    bound = data.draw(st.integers(0, 6))
    forms = (at_most(variable(name), bound), equal(variable(name), bound), TRUE)
    shaped = data.draw(st.sampled_from((*forms, Negation(problem.target))))
    with pytest.raises(EvidenceError):
        audit(problem, Unreachable(Certificate(shaped)))


# The state equation, with traps and a siphon


def counting() -> tuple[Problem, StateEquationCertificate]:
    """Effects +3 and +5 never make 4; a keeps a token; s stays empty, so `dead` never fires."""
    transitions = {
        "three": ({}, {"p": 3}),
        "five": ({}, {"p": 5}),
        "shrink": ({"a": 2}, {"a": 1}),
        "dead": ({"s": 1}, {"s": 1, "p": 1}),
    }
    net = make_net("counting", {"p": 0, "a": 3, "s": 0}, transitions)
    target = disjunction([equal(p, 4), equal(variable("a"), 0), at_least(variable("s"), 1)])
    return make_problem(net, target), StateEquationCertificate((("a",),), ("s",))


def rejected_equation(problem: Problem, certificate: StateEquationCertificate) -> str:
    with pytest.raises(EvidenceError) as caught:
        audit(problem, Unreachable(certificate))
    return str(caught.value)


def test_the_state_equation_with_a_trap_and_a_siphon_is_a_proof() -> None:
    problem, certificate = counting()
    assert audit(problem, Unreachable(certificate)) == BY_Z3


def test_cvc5_discharges_the_state_equation_on_request() -> None:
    pytest.importorskip("cvc5")
    problem, certificate = counting()
    assert audit(problem, Unreachable(certificate), second_solver=True) == f"{BY_Z3} and cvc5"


def test_cvc5_rejects_a_state_equation_that_z3_would_have_been_wrong_about(monkeypatch) -> None:
    pytest.importorskip("cvc5")
    problem, _ = counting()
    monkeypatch.setattr(state_equation_shape, "refute_z3", lambda obligation, budget: None)
    with pytest.raises(EvidenceError, match="cvc5: the state equation meets the target"):
        audit(problem, Unreachable(StateEquationCertificate((), ())), second_solver=True)


def test_a_state_equation_without_what_it_needs_is_refused_with_a_solution() -> None:
    problem, certificate = counting()
    text = "the state equation meets the target: "
    assert rejected_equation(problem, replace(certificate, traps=())).startswith(text)
    assert rejected_equation(problem, replace(certificate, siphon=())).startswith(text)
    other = make_problem(problem.net, equal(p, 8))
    assert rejected_equation(other, certificate).startswith(f"{text}five#1 = 1, three#0 = 1")


@pytest.mark.parametrize(
    ("trap", "complaint"),
    [
        (("s",), "empty initially"),
        ((), "empty initially"),
        (("b",), "'drop' may empty a trap"),
        (("b", "s"), "'drop' may empty a trap"),
        (("nowhere",), "'nowhere', which is no place"),
    ],
)
def test_what_is_no_marked_trap_is_refused(trap: tuple[str, ...], complaint: str) -> None:
    net = net_of("a=1 b=1 s=0, drop: b -> a")
    problem = make_problem(net, equal(variable("a"), 7))
    assert audit(problem, Unreachable(StateEquationCertificate((("a",), ("a", "b")), ())))
    assert complaint in rejected_equation(problem, StateEquationCertificate((trap,), ()))


@pytest.mark.parametrize(
    ("siphon", "complaint"),
    [
        (("a",), "marked initially, on 'a'"),
        (("s", "a"), "marked initially, on 'a'"),
        (("r",), "'put' marks the siphon"),
        (("s", "r"), "'put' marks the siphon"),
        (("nowhere",), "'nowhere', which is no place"),
    ],
)
def test_what_is_no_empty_siphon_is_refused(siphon: tuple[str, ...], complaint: str) -> None:
    transitions = {"put": ({"a": 1}, {"r": 1}), "keep": ({"s": 1}, {"s": 2})}
    net = make_net("put", {"a": 1, "r": 0, "s": 0}, transitions)
    problem = make_problem(net, equal(variable("a"), 7))
    assert audit(problem, Unreachable(StateEquationCertificate((), ("s",))))
    assert complaint in rejected_equation(problem, StateEquationCertificate((), siphon))


def test_transitions_of_the_same_name_are_counted_apart() -> None:
    up, down = Transition("t", (), ((0, 1),)), Transition("t", ((0, 1),), ())
    problem = Problem(Net("twins", ("p",), (up, down), (1,)), equal(p, 2))
    assert "meets" in rejected_equation(problem, StateEquationCertificate((), ()))


def test_places_and_transitions_of_the_same_name_are_kept_apart() -> None:
    net = make_net("homonyms", {"t#0": 0}, {"t": ({}, {"t#0": 2})})
    hit = make_problem(net, equal(variable("t#0"), 2))
    assert "meets" in rejected_equation(hit, StateEquationCertificate((), ()))
    miss = make_problem(net, equal(variable("t#0"), 3))
    assert audit(miss, Unreachable(StateEquationCertificate((), ())))


def test_a_limit_makes_the_audit_of_a_state_equation_inconclusive() -> None:
    problem, certificate = counting()
    with pytest.raises(EvidenceError, match="inconclusive") as caught:
        audit(problem, Unreachable(certificate), budget=Budget(seconds=0.0))
    assert isinstance(caught.value.__cause__, BudgetExhausted)


@settings(slow, max_examples=60)
@given(problems(), st.data())
def test_no_state_equation_with_any_sets_of_places_proves_what_is_false(
    problem: Problem, data: st.DataObject
) -> None:
    sets = st.lists(st.sampled_from(problem.net.places), max_size=3, unique=True).map(tuple)
    traps = tuple(data.draw(st.lists(sets, max_size=2)))
    certificate = StateEquationCertificate(traps, data.draw(st.one_of(st.just(()), sets)))
    try:
        audit(problem, Unreachable(certificate))
    except EvidenceError:
        return
    markings = explore(problem.net, 200)
    for marking in markings or ():
        values = problem.net.values(marking)
        assert not evaluate(problem.target, values)
        assert all(values[name] == 0 for name in certificate.siphon)
        assert all(any(values[name] for name in trap) for trap in traps)
    assert markings is not None or shortest_trace(problem, 200) is None


def test_marked_traps_and_empty_siphons_are_kept_by_the_exact_tier_too(monkeypatch) -> None:
    monkeypatch.setattr(invariant_shape, "refute_z3", None)
    transitions = {
        "move": ({"a": 2}, {"b": 1}),
        "back": ({"b": 1}, {"a": 1}),
        "dead": ({"s": 1, "a": 1}, {"s": 3}),
    }
    net = make_net("pair", {"a": 3, "b": 0, "s": 0}, transitions)
    a, b, s = (variable(name) for name in ("a", "b", "s"))
    problem = make_problem(net, at_most(a + b, 0))
    part = Conjunction((at_least(a + b, 1), at_most(s, 0)))
    separator = Separator(0, (("a", -1), ("b", -1)), 0, (1,), 1)
    hints = Hints(((0, 0, -1),), (separator,))
    assert audit(problem, Unreachable(Certificate(Disjunction((part,)), hints))) == EXACT
