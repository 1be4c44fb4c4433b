"""The independent check of evidence, from the net alone.

A trace is replayed with exact integers. A certificate I is an inductive invariant: with m ≥ 0
understood, (1) m0 ⊨ I, (2) I ∧ m ≥ u_t ⊨ I[m + δ_t] for every t, (3) I ∧ target is unsatisfiable.
By (1), (2) and induction every reachable marking satisfies I, so by (3) none is in the target.

(1) is evaluated. (2) and (3) have two tiers; what the first leaves open, the second decides.

*Exact*, for a disjunction of conjunctions with hints; integers only. Inequalities read c·m ≤ U,
congruences c·m + r ≡ 0 (mod q). Hints only say where to look.
- Successor: t leads from disjunct i into disjunct k. For an atom c·m ≤ U of k and a source
  c_i·m ≤ U_i in i with c_i ≥ c componentwise, m − u ≥ 0 gives
  c·(m + δ) = c·(m − u) + c·v ≤ c_i·(m − u) + c·v ≤ U_i − c_i·u + c·v, which must be ≤ U. For an
  atom c·m + r ≡ 0 (mod q) of k and a source c'·m + r' ≡ 0 (mod q') in i with c' ≡ c (mod q) and q
  a divisor of q', c·(m + δ) + r ≡ −r' + c·δ + r (mod q), which must be 0. The trivial sources
  0·m ≤ 0 and 0·m ≡ 0 are always there.
- Disabled: c ≥ 0 and c·u > U contradict m ≥ u and c·m ≤ U.
- Separator: on the cube S(m) = s·m + s0 = Σ w_r·term_r is ≤ 0, for w_r is ≥ 0 on inequalities,
  free on equalities and 0 on congruences. With s + σ·c ≥ 0, σ ≥ 1 and m ≥ 0,
  0 ≤ (s + σ·c)·m = S(m) − s0 + σ·c·m ≤ σ·U − s0, so s0 > σ·U is a contradiction.
  Modulo q, S(m) ≡ 0 where w_r is 0 on inequalities and q divides w_r·q_r on congruences. An atom
  c·m + r ≡ 0 (mod q') with q | σ·q' and σ·c ≡ s gives S(m) ≡ s0 − σ·r (mod q): a contradiction
  where that is not 0.
Every disjunct must be settled for every transition and cube, since I holds where any of them does.

A `StateEquationCertificate` has obligations of its own. That each trap and the siphon are such,
marked and empty initially, is checked place by place, in exact arithmetic. Then (1) holds with
x = 0, and (2) with x_t + 1: a transition that takes from the empty siphon is disabled, and every
other one puts nothing on it, for it would take from it. So (3) is left: no x ≥ 0 makes m0 + D·x a
marking in the target that marks every trap.

*Solver*: what would refute the obligation goes to a fresh z3, and on request to cvc5, which must
find that it has no model. What a solver cannot decide is refused.

Trusted are: the net as read, `evaluate`, `substitute` and `cubes` of formulas, and the solvers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from petricheck.answer import (
    Certificate,
    Hints,
    Reachable,
    Separator,
    StateEquationCertificate,
    Trace,
    Unreachable,
)
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, EvidenceError
from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    at_least,
    atoms,
    cubes,
    equal,
    evaluate,
    substitute,
    variables,
)
from petricheck.presburger.terms import Term, linear, variable
from petricheck.problem import Net, Problem, Transition

CUBES = 64
"""Targets with more cubes than this are left to the solver."""

Direction = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Obligation:
    """A formula that must have no solution in natural numbers, and what a solution would mean."""

    name: str
    formula: Formula


def audit(
    problem: Problem,
    answer: Reachable | Unreachable,
    *,
    budget: Budget | None = None,
    second_solver: bool = False,
) -> str:
    """Check that the evidence proves the verdict; the text says which tier checked it.

    Args:
        problem: the question; the verdict is about it and nothing else.
        answer: the verdict with its evidence, none of it trusted.
        budget: limits for the check.
        second_solver: whether cvc5 must also discharge every obligation of a certificate.

    Raises:
        EvidenceError: the evidence does not prove the verdict, or that could not be decided; in
            the second case the text says so and the cause is a `BudgetExhausted`.
    """
    limits = budget or Budget()
    try:
        match answer:
            case Reachable(trace):
                return _replay(problem, trace)
            case Unreachable(certificate):
                return _discharge(problem, certificate, limits, second_solver)
    except BudgetExhausted as limit:
        raise EvidenceError(f"the audit was inconclusive: {limit}") from limit


def obligations(problem: Problem, invariant: Formula) -> Iterator[Obligation]:
    """What makes the formula an invariant that excludes the target, in the order (1), (2), (3)."""
    start = problem.net.values(problem.net.initial)
    at_start = [equal(variable(name), start[name]) for name in variables(invariant)]
    failure = Conjunction((*at_start, Negation(invariant)))
    yield Obligation("the invariant does not hold initially", failure)
    for transition in problem.net.transitions:
        yield _preservation(problem.net, transition, invariant, invariant)
    yield _exclusion(problem, invariant)


def _preservation(net: Net, transition: Transition, part: Formula, whole: Formula) -> Obligation:
    guard = [at_least(variable(net.places[place]), weight) for place, weight in transition.pre]
    shift = {net.places[p]: variable(net.places[p]) + change for p, change in transition.effect}
    name = f"transition {transition.name!r} leaves the invariant"
    return Obligation(name, Conjunction((part, *guard, Negation(substitute(whole, shift)))))


def _exclusion(problem: Problem, part: Formula) -> Obligation:
    return Obligation("the invariant meets the target", Conjunction((part, problem.target)))


def _replay(problem: Problem, trace: Trace) -> str:
    net = problem.net
    tokens = list(net.initial)
    for number, (name, times) in enumerate(trace.steps, 1):
        if name not in net.transition_numbers:
            raise EvidenceError(f"step {number} of the trace: the net has no transition {name!r}")
        if not _integral(times) or times < 1:
            raise EvidenceError(f"step {number} of the trace: {name!r} has no positive count")
        transition = net.transitions[net.transition_numbers[name]]
        enabled = all(tokens[place] >= weight for place, weight in transition.pre)
        for place, change in transition.effect:
            tokens[place] += times * change
        needed = dict.fromkeys((place for place, _ in transition.pre), 0) | dict(transition.post)
        if not enabled or any(tokens[place] < least for place, least in needed.items()):
            raise EvidenceError(f"step {number} of the trace: {name!r} cannot fire that often")
    if not evaluate(problem.target, net.values(tuple(tokens))):
        raise EvidenceError("the trace ends in a marking outside the target")
    return "replayed exactly"


def _discharge(
    problem: Problem,
    certificate: Certificate | StateEquationCertificate,
    budget: Budget,
    second: bool,
) -> str:
    match certificate:
        case Certificate():
            return _discharge_invariant(problem, certificate, budget, second)
        case StateEquationCertificate():
            return _discharge_state_equation(problem, certificate, budget, second)


def _discharge_invariant(
    problem: Problem, certificate: Certificate, budget: Budget, second: bool
) -> str:
    invariant = _checked("the invariant", problem.net, certificate.invariant)
    problem = Problem(problem.net, _checked("the target", problem.net, problem.target))
    if not evaluate(invariant, problem.net.values(problem.net.initial)):
        raise EvidenceError("the invariant does not hold initially")
    tier = "checked in exact integer arithmetic"
    for obligation in _left_open(problem, invariant, certificate.hints, budget):
        _refute_z3(obligation, budget)
        tier = "discharged by z3"
    if not second:
        return tier
    for obligation in obligations(problem, invariant):
        _refute_cvc5(obligation, budget)
    return f"{tier} and cvc5" if "z3" in tier else f"{tier} and discharged by cvc5"


def _discharge_state_equation(
    problem: Problem, certificate: StateEquationCertificate, budget: Budget, second: bool
) -> str:
    problem = Problem(problem.net, _checked("the target", problem.net, problem.target))
    obligation = state_equation_obligation(problem, certificate)
    _refute_z3(obligation, budget)
    if second:
        _refute_cvc5(obligation, budget)
    return f"discharged by {'z3 and cvc5' if second else 'z3'}"


def state_equation_obligation(
    problem: Problem, certificate: StateEquationCertificate
) -> Obligation:
    """What is left to a solver of the certificate, over one variable for each unblocked transition.

    The variables are `firings(net, number)`.

    Raises:
        EvidenceError: what the certificate lists is no marked trap or no empty siphon.
    """
    net = problem.net
    siphon = _numbers(net, certificate.siphon)
    unblocked = [n for n, t in enumerate(net.transitions) if siphon.isdisjoint(p for p, _ in t.pre)]
    _check_siphon(net, siphon)
    marking = _state_equation(net, unblocked)
    marked = []
    for names in certificate.traps:
        _check_trap(net, _numbers(net, names), [net.transitions[number] for number in unblocked])
        marked.append(at_least(linear((name, 1) for name in set(names)), 1))
    natural = [at_least(term, 0) for term in marking.values() if term.coefficients]
    claim = substitute(Conjunction((problem.target, *marked)), marking)
    return Obligation("the state equation meets the target", Conjunction((*natural, claim)))


def firings(net: Net, number: int) -> str:
    """The variable for how often a transition fires; its number keeps it apart from all others."""
    return f"{net.transitions[number].name}#{number}"


def _state_equation(net: Net, unblocked: list[int]) -> dict[str, Term]:
    """m0 + D·x by place."""
    sums: list[list[tuple[str, int]]] = [[] for _ in net.places]
    for number in unblocked:
        for place, change in net.transitions[number].effect:
            sums[place].append((firings(net, number), change))
    rows = zip(net.places, sums, net.initial, strict=True)
    return {place: linear(row, tokens) for place, row, tokens in rows}


def _numbers(net: Net, names: tuple[str, ...]) -> frozenset[int]:
    for name in names:
        if name not in net.place_numbers:
            raise EvidenceError(f"a trap or siphon names {name!r}, which is no place of the net")
    return frozenset(net.place_numbers[name] for name in names)


def _check_siphon(net: Net, siphon: frozenset[int]) -> None:
    for place in sorted(siphon):
        if net.initial[place]:
            raise EvidenceError(f"the siphon is marked initially, on {net.places[place]!r}")
    for transition in net.transitions:
        puts = any(place in siphon for place, _ in transition.post)
        if puts and siphon.isdisjoint(place for place, _ in transition.pre):
            raise EvidenceError(f"transition {transition.name!r} marks the siphon")


def _check_trap(net: Net, trap: frozenset[int], unblocked: list[Transition]) -> None:
    if not any(net.initial[place] for place in trap):
        raise EvidenceError("a trap is empty initially")
    for transition in unblocked:
        takes = any(place in trap for place, _ in transition.pre)
        if takes and trap.isdisjoint(place for place, _ in transition.post):
            raise EvidenceError(f"transition {transition.name!r} may empty a trap")


def _checked(what: str, net: Net, formula: Formula) -> Formula:
    """The formula with its terms in normal form; refused unless integral and about the net."""
    in_order = True
    for atom in atoms(formula):
        names = [name for name, _ in atom.term.coefficients]
        numbers = [value for _, value in atom.term.coefficients]
        in_order = in_order and names == sorted(set(names)) and all(numbers)
        modulus = atom.modulus if isinstance(atom, Congruence) else 1
        if not _integral(atom.term.constant, modulus, *numbers) or modulus < 1:
            raise EvidenceError(f"{what} has a number that is no integer, or a modulus below 1")
        for name in names:
            if name not in net.place_numbers:
                raise EvidenceError(f"{what} names {name!r}, which is no place of the net")
    return formula if in_order else substitute(formula, {})


def _integral(*numbers: object) -> bool:
    """Whether all are plain integers, which cannot overflow."""
    return all(type(number) is int for number in numbers)


def _left_open(
    problem: Problem, invariant: Formula, hints: Hints | None, budget: Budget
) -> Iterator[Obligation]:
    """What the exact tier does not settle of (2) and (3), for the disjuncts that it concerns."""
    parts = invariant.operands if isinstance(invariant, Disjunction) else (invariant,)
    exact = None if hints is None else _exact(invariant, hints)
    settled = [False] * len(parts)
    for number, transition in enumerate(problem.net.transitions):
        budget.check()
        if exact is not None:
            settled = exact.preserved(problem.net, transition, number)
        if not all(settled):
            yield _preservation(problem.net, transition, _others(parts, settled), invariant)
    if exact is not None:
        settled = exact.excluded(problem.target)
    if not all(settled):
        yield _exclusion(problem, _others(parts, settled))


def _others(parts: tuple[Formula, ...], settled: list[bool]) -> Formula:
    return Disjunction(tuple(p for p, done in zip(parts, settled, strict=True) if not done))


def _refute_z3(obligation: Obligation, budget: Budget) -> None:
    from petricheck.presburger.solver import find_model

    seconds = None if budget.seconds is None else budget.remaining
    try:
        model = find_model(obligation.formula, seconds=seconds, natural=True)
        if model is None:
            return
        shown = [f"{name} = {value}" for name, value in islice(model.items(), 12)]
    except ValueError as error:
        raise BudgetExhausted("a number is too long for z3's interface") from error
    more = ["…"] if len(model) > len(shown) else []
    raise EvidenceError(f"{obligation.name}: {', '.join(shown + more) or 'in any marking'}")


def _refute_cvc5(obligation: Obligation, budget: Budget) -> None:
    from petricheck.presburger import second_solver

    seconds = None if budget.seconds is None else budget.remaining
    if second_solver.satisfiable(obligation.formula, seconds=seconds):
        raise EvidenceError(f"cvc5: {obligation.name}")


def _exact(invariant: Formula, hints: Hints) -> _Exact | None:
    """The invariant as the exact tier sees it; None where its shape or the hints do not fit."""
    if not isinstance(invariant, Disjunction) or len(hints.successors) != len(invariant.operands):
        return None
    directions: dict[Direction, int] = {(): 0}
    congruences: dict[Congruence, int] = {}
    disjuncts = []
    for part in invariant.operands:
        if not isinstance(part, Conjunction):
            return None
        bounds, residues = {0: 0}, []
        for atom in part.operands:
            match atom:
                case Inequality(term):
                    number = directions.setdefault(term.coefficients, len(directions))
                    bounds[number] = min(-term.constant, bounds.get(number, -term.constant))
                case Congruence():
                    residues.append(congruences.setdefault(atom, len(congruences)))
                case _:
                    return None
        disjuncts.append(_Disjunct(bounds, tuple(residues)))
    return _Exact(tuple(directions), tuple(congruences), tuple(disjuncts), hints)


@dataclass(frozen=True, slots=True)
class _Disjunct:
    """Least upper bounds by number of direction (0·m ≤ 0 always), and numbers of congruences."""

    bounds: dict[int, int]
    congruences: tuple[int, ...]


@dataclass(frozen=True)
class _Exact:
    """The tier without a solver: answers per disjunct, where False means "not shown"."""

    directions: tuple[Direction, ...]
    congruences: tuple[Congruence, ...]
    disjuncts: tuple[_Disjunct, ...]
    hints: Hints

    @cached_property
    def vectors(self) -> list[dict[str, int]]:
        """The directions by place."""
        return [dict(direction) for direction in self.directions]

    @cached_property
    def uses(self) -> dict[str, list[tuple[int, int]]]:
        """By place, the directions that have it, with their coefficients."""
        return _uses(self.directions)

    @cached_property
    def residue_uses(self) -> dict[str, list[tuple[int, int]]]:
        """The same for the congruences."""
        return _uses(atom.term.coefficients for atom in self.congruences)

    @cached_property
    def numbers(self) -> dict[Direction, int]:
        """The numbers of the directions."""
        return {direction: number for number, direction in enumerate(self.directions)}

    @cached_property
    def positive(self) -> list[bool]:
        """Which directions have no negative coefficient."""
        return [all(value >= 0 for _, value in direction) for direction in self.directions]

    @cached_property
    def dominators(self) -> dict[int, list[int]]:
        """For directions asked for, the others that are at least it in every place."""
        return {}

    def others(self, number: int) -> list[int]:
        """The directions that are at least this one in every place, without itself."""
        if number not in self.dominators:
            small = self.vectors[number]
            found = (i for i, c in enumerate(self.vectors) if i != number and _dominates(c, small))
            self.dominators[number] = list(found)
        return self.dominators[number]

    def preserved(self, net: Net, transition: Transition, number: int) -> list[bool]:
        """Whether firing the transition from each disjunct ends in the hinted one."""
        pre, post, effect = (
            {net.places[place]: weight for place, weight in weights}
            for weights in (transition.pre, transition.post, transition.effect)
        )
        hurdle = _products(self.uses, pre, len(self.directions))
        lift = _products(self.uses, post, len(self.directions))
        change = _products(self.residue_uses, effect, len(self.congruences))
        answers = []
        for before, row in zip(self.disjuncts, self.hints.successors, strict=True):
            hint = row[number] if number < len(row) else len(self.disjuncts)
            if hint == -1:
                answers.append(self._disables(before, hurdle))
            elif 0 <= hint < len(self.disjuncts):
                after = self.disjuncts[hint]
                bounded = self._bounded(before, after, hurdle, lift)
                answers.append(bounded and self._congruent(before, after, change))
            else:
                answers.append(False)
        return answers

    def excluded(self, target: Formula) -> list[bool]:
        """Whether each disjunct misses every cube of the target."""
        found = list(islice(cubes(target), CUBES + 1))
        if len(found) > CUBES:
            return [False] * len(self.disjuncts)
        walls = [self._wall(number, cube) for number, cube in enumerate(found)]
        return [all(wall.stops(disjunct) for wall in walls) for disjunct in self.disjuncts]

    def _disables(self, disjunct: _Disjunct, hurdle: list[int]) -> bool:
        return any(
            hurdle[number] > bound and self.positive[number]
            for number, bound in disjunct.bounds.items()
        )

    def _bounded(
        self, before: _Disjunct, after: _Disjunct, hurdle: list[int], lift: list[int]
    ) -> bool:
        slack = {number: bound - hurdle[number] for number, bound in before.bounds.items()}
        for number, bound in after.bounds.items():
            room = bound - lift[number]
            if number in slack and slack[number] <= room:
                continue
            if not any(n in slack and slack[n] <= room for n in self.others(number)):
                return False
        return True

    def _congruent(self, before: _Disjunct, after: _Disjunct, change: list[int]) -> bool:
        sources = [self.congruences[number] for number in before.congruences]
        for number in after.congruences:
            atom = self.congruences[number]
            shifted = Congruence(atom.term + change[number], atom.modulus)
            trivial = Congruence(linear(()), atom.modulus)
            if not any(_entails(source, shifted) for source in (*sources, trivial)):
                return False
        return True

    def _wall(self, number: int, cube: Cube) -> _Wall:
        """What the separators of this cube contradict."""
        bars = [(0, 1, 0)]
        clashes: set[int] = set()
        for separator in self.hints.separators:
            if separator.cube != number or (total := _combination(separator, cube)) is None:
                continue
            if separator.modulus:
                found = (n for n, a in enumerate(self.congruences) if _clash(separator, total, a))
                clashes.update(found)
            elif separator.direction in self.numbers:
                direction = self.numbers[separator.direction]
                lifted = total + Term(self.directions[direction], 0) * separator.scale
                if all(value >= 0 for _, value in lifted.coefficients):
                    bars.append((direction, separator.scale, total.constant))
        return _Wall(tuple(bars), frozenset(clashes))


@dataclass(frozen=True, slots=True)
class _Wall:
    """Contradicted by a target cube: (c, σ, s0) bounds c·m ≤ U with σ·U < s0, and congruences."""

    bars: tuple[tuple[int, int, int], ...]
    clashes: frozenset[int]

    def stops(self, disjunct: _Disjunct) -> bool:
        """Whether an atom of the disjunct is contradicted."""
        bounds = disjunct.bounds
        return any(n in bounds and scale * bounds[n] < least for n, scale, least in self.bars) or (
            not self.clashes.isdisjoint(disjunct.congruences)
        )


def _combination(separator: Separator, cube: Cube) -> Term | None:
    """S; None where the multipliers or the scale are not allowed."""
    modulus, scale, multipliers = separator.modulus, separator.scale, separator.multipliers
    if not _integral(modulus, scale, *multipliers) or modulus < 0 or scale < 1:
        return None
    if len(multipliers) != len(cube):
        return None
    coefficients: list[tuple[str, int]] = []
    constant = 0
    for literal, multiplier in zip(cube, multipliers, strict=True):
        match literal:
            case Inequality():
                allowed = multiplier == 0 if modulus else multiplier >= 0
            case Equality():
                allowed = True
            case Congruence(_, own):
                allowed = (multiplier * own) % modulus == 0 if modulus else multiplier == 0
        if not allowed:
            return None
        coefficients += [(name, value * multiplier) for name, value in literal.term.coefficients]
        constant += literal.term.constant * multiplier
    return linear(coefficients, constant)


def _clash(separator: Separator, total: Term, atom: Congruence) -> bool:
    """Whether S ≡ 0 and the atom contradict each other."""
    modulus, scale = separator.modulus, separator.scale
    gap = atom.term * scale - total
    divides = (scale * atom.modulus) % modulus == 0
    return divides and _vanishes(gap, modulus) and gap.constant % modulus != 0


def _entails(source: Congruence, atom: Congruence) -> bool:
    gap = source.term - atom.term
    divides = source.modulus % atom.modulus == 0
    return divides and _vanishes(gap, atom.modulus) and gap.constant % atom.modulus == 0


def _vanishes(term: Term, modulus: int) -> bool:
    """Whether every coefficient is 0 modulo the modulus."""
    return all(value % modulus == 0 for _, value in term.coefficients)


def _dominates(large: Mapping[str, int], small: Mapping[str, int]) -> bool:
    return all(large.get(name, 0) >= value for name, value in small.items()) and all(
        value >= small.get(name, 0) for name, value in large.items()
    )


def _uses(vectors: Iterable[Direction]) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for number, vector in enumerate(vectors):
        for name, value in vector:
            found.setdefault(name, []).append((number, value))
    return found


def _products(
    uses: Mapping[str, list[tuple[int, int]]], vector: Mapping[str, int], count: int
) -> list[int]:
    """The scalar products of a sparse vector with `count` others, given where these are not 0."""
    products = [0] * count
    for name, weight in vector.items():
        for number, value in uses.get(name, ()):
            products[number] += value * weight
    return products
