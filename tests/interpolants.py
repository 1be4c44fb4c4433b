"""Random interpolation problems, and the definitions of interpolants, asked of z3 alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

import z3

from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    evaluate,
    variables,
)
from petricheck.presburger.terms import Term, linear

FACTORS = (-3, -2, -1, 1, 1, 1, 2, 3)


def random_parts(random: Random, count: int, congruences: bool) -> list[Formula]:
    """Formulas over a variable of their own and one that each shares with the next, or all."""
    names = [[f"own{part}", f"link{part}", f"link{part + 1}", "all"] for part in range(count)]
    depth = 3 if count == 2 else 2
    return [random_formula(random, names[part], depth, congruences) for part in range(count)]


def random_formula(random: Random, names: list[str], depth: int, congruences: bool) -> Formula:
    """Any Boolean structure over random atoms, with more conjunctions than disjunctions."""
    if depth == 0 or random.random() < 0.25:
        atom = _atom(random, names, congruences)
        return Negation(atom) if random.random() < 0.2 else atom
    operands = tuple(
        random_formula(random, names, depth - 1, congruences) for _ in range(random.randint(1, 3))
    )
    joined = Conjunction(operands) if random.random() < 0.65 else Disjunction(operands)
    return Negation(joined) if random.random() < 0.1 else joined


def sharpened(
    random: Random, parts: Sequence[Formula], model: Mapping[str, int], congruences: bool
) -> list[Formula]:
    """The parts, one of them with an atom more, which is false in their model."""
    number = random.randrange(len(parts))
    atom = _atom(random, list(variables(parts[number])), congruences)
    added = Negation(atom) if evaluate(atom, model) else atom
    return [*parts[:number], Conjunction((parts[number], added)), *parts[number + 1 :]]


def _atom(random: Random, names: list[str], congruences: bool) -> Formula:
    chosen = random.sample(names, random.randint(1, min(3, len(names))))
    term = linear([(name, random.choice(FACTORS)) for name in chosen], random.randint(-6, 6))
    kind = random.random()
    if kind < 0.5:
        return Inequality(term)
    if kind < 0.8 or not congruences:
        return Equality(term)
    return Congruence(term, random.randint(1, 4))


def contradict(expressions: Iterable[z3.BoolRef]) -> bool:
    """Whether z3 finds that they do; AssertionError where it does not know."""
    solver = z3.Solver()
    solver.set("timeout", 20_000)
    solver.add(list(expressions))
    answer = solver.check()
    assert answer != z3.unknown
    return bool(answer == z3.unsat)


class Judge:
    """What z3 says of formulas over numbers of one sort, which it reads by itself."""

    def __init__(self, integral: bool) -> None:
        self._sort = z3.IntSort() if integral else z3.RealSort()

    def unsatisfiable(self, *formulas: Formula) -> bool:
        """Whether they contradict each other; AssertionError where z3 does not know."""
        return contradict(map(self._expression, formulas))

    def implies(self, premises: Sequence[Formula], conclusion: Formula) -> bool:
        return self.unsatisfiable(*premises, Negation(conclusion))

    def _expression(self, formula: Formula) -> z3.BoolRef:
        match formula:
            case Inequality(term):
                return self._term(term) <= 0
            case Equality(term):
                return self._term(term) == 0
            case Congruence(term, modulus):
                return self._term(term) % modulus == 0
            case Negation(operand):
                return z3.Not(self._expression(operand))
            case Conjunction(operands):
                return z3.And([self._expression(operand) for operand in operands])
            case Disjunction(operands):
                return z3.Or([self._expression(operand) for operand in operands])

    def _term(self, term: Term) -> z3.ArithRef:
        symbols = [value * z3.Const(name, self._sort) for name, value in term.coefficients]
        return z3.Sum([*symbols, self._number(term.constant)])

    def _number(self, value: int) -> z3.ArithRef:
        return z3.IntVal(value) if self._sort == z3.IntSort() else z3.RealVal(value)


def shared(left: Sequence[Formula], right: Sequence[Formula]) -> set[str]:
    """The variables that both have."""
    one, other = ({name for part in side for name in variables(part)} for side in (left, right))
    return one & other


def assert_interpolant(judge: Judge, first: Formula, second: Formula, found: Formula) -> None:
    """The definition, in three parts."""
    assert judge.implies([first], found)
    assert judge.unsatisfiable(found, second)
    assert set(variables(found)) <= shared([first], [second])


def assert_sequence(judge: Judge, parts: Sequence[Formula], found: Sequence[Formula]) -> None:
    """Each follows from the one before it and the part between; the last part contradicts."""
    assert len(found) == len(parts) - 1
    before: list[Formula] = []
    for cut, (part, formula) in enumerate(zip(parts, found, strict=False), start=1):
        assert judge.implies([*before, part], formula)
        assert set(variables(formula)) <= shared(parts[:cut], parts[cut:])
        before = [formula]
    assert judge.unsatisfiable(*before, parts[-1])


def assert_symmetric(judge: Judge, parts: Sequence[Formula], found: Sequence[Formula]) -> None:
    """Each follows from its part, in variables of others; together they contradict each other."""
    assert len(found) == len(parts)
    for number, (part, formula) in enumerate(zip(parts, found, strict=True)):
        assert judge.implies([part], formula)
        others = [*parts[:number], *parts[number + 1 :]]
        assert set(variables(formula)) <= shared([part], others)
    assert judge.unsatisfiable(*found)
