"""Parts of the target that the state equation decides (`facts.simplification`).

Traces stay what they are. Under the half-spaces that decide parts, the target implies what is left
of it. So a certificate of the rest, together with them, is one of the target. A cube of the target
is refuted by one of them, or has all literals of a cube that is left, and its separators. They
follow from the state equation, given the siphon. A table stays where it decides the target.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from petricheck.arithmetic.formulas.cubes import listed_cubes
from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Cube,
    Disjunction,
    Formula,
    Inequality,
    atoms,
    evaluate,
    normal,
    variables,
)
from petricheck.engines.reductions._lifting import ProblemChange, lift_certificate
from petricheck.evidence.answer import Answer, Unreachable
from petricheck.evidence.audit.shapes.finite_set import about
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.invariant import Certificate, Hints, Separator
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.proved import Facts
from petricheck.symbolic.facts.simplification import SimplifiedTarget, Simplifier

ATOMS = 1_000
"""Targets of more atoms are left as they are; so are those without a disjunction, whose only cube
engines decide as a whole."""


class DecidedParts:
    """Replace parts of the target by what the state equation says of them."""

    rank = 80
    for_all = False
    """Each target has parts of its own: `apply_to_all`."""
    of_net = False

    def apply(self, problem: Problem, budget: Budget) -> SimplifiedProblem | None:
        """Return the problem with what is left of its target."""
        return self.apply_to_all([problem], budget)

    def apply_to_all(self, problems: Sequence[Problem], budget: Budget) -> SimplifiedProblem | None:
        """Return the step for the first problem, which `about` turns into that for any other."""
        net = problems[0].net
        initial, left = net.values(net.initial), dict[Formula, SimplifiedTarget]()
        sizes = {problem.target: _size(problem.target) for problem in problems}
        order = sorted((t for t in sizes if sizes[t] <= ATOMS), key=sizes.__getitem__)
        order = [t for t in order if _branches(normal(t)) and not evaluate(t, initial)]
        if not order:
            return None
        simplifier = Simplifier(net)
        for target in order:
            result = simplifier.simplified(target, budget.part(2))
            if result.target != normal(target):
                left[target] = result
        return SimplifiedProblem(problems[0], left, simplifier.facts) if left else None


@dataclass(frozen=True)
class SimplifiedProblem:
    """The step of this rewrite.

    Attributes:
        before: the problem with its target.
        left: what is left of targets, of which others stay as they are.
        facts: of the net, the siphon on which refutations depend.
    """

    before: Problem
    left: Mapping[Formula, SimplifiedTarget] = field(compare=False)
    facts: Facts = field(compare=False)

    @property
    def after(self) -> Problem:
        """The problem with what is left of its target."""
        return replace(self.before, target=self._own.target)

    @property
    def count(self) -> int:
        """The number of atoms that were removed."""
        return _size(self.before.target) - _size(self._own.target)

    def about(self, target: Formula) -> SimplifiedProblem:
        """Return the step for another target."""
        return replace(self, before=replace(self.before, target=target))

    def lift(self, answer: Answer) -> Answer | None:
        """Return the same trace; or the certificate with the half-spaces."""
        match answer:
            case Unreachable(Certificate() as certificate):
                return replace(answer, certificate=self._certificate(certificate))
            case Unreachable(StateEquationCertificate() as equation):
                places = (self.before.net.places[place] for place in self.facts.siphon)
                siphon = tuple(dict.fromkeys((*equation.siphon, *places)))
                return replace(answer, certificate=replace(equation, siphon=siphon))
            case Unreachable(MarkingTable() as table):
                return answer if self._is_decided_by(table) else None
            case Unreachable():
                return None
            case _:
                return answer

    @property
    def _own(self) -> SimplifiedTarget:
        target = self.before.target
        return self.left.get(target) or SimplifiedTarget(target, ())

    def _certificate(self, certificate: Certificate) -> Certificate:
        """Return the invariant in conjunction with the half-spaces, and with separators for all."""
        facts, target = self.facts.for_another_target(), self._own.target
        for _, fact in self._own.refutations:
            facts.add(None, fact)
        own = facts.certificate()
        assert isinstance(own.hints, Hints)
        (blocked,) = own.hints.successors

        def successors(number: int, table: Sequence[Sequence[int]]) -> tuple[int, ...]:
            rows = zip(table[number], blocked, strict=True)
            return tuple(-1 if is_blocked else after for after, is_blocked in rows)

        known = tuple(atom for atom in atoms(own.invariant) if isinstance(atom, Inequality))
        change = ProblemChange(target, target, known, {}, successors)
        lifted = lift_certificate(certificate, change)
        if isinstance(lifted.hints, Hints):
            separators = tuple(self._separators(lifted.hints.separators))
            lifted = replace(lifted, hints=replace(lifted.hints, separators=separators))
        return replace(lifted, origins=certificate.origins)

    def _separators(self, separators: Sequence[Separator]) -> Iterator[Separator]:
        """Yield those of the half-spaces, then these, which are of cubes of the smaller target."""
        listed, left = listed_cubes(self.before.target), listed_cubes(self.after.target) or ()
        for number, cube in enumerate(listed or ()):
            for part, fact in self._own.refutations:
                if (weights := _weights(cube, part, fact.multipliers)) is not None:
                    yield Separator(number, fact.atom.term.coefficients, 0, weights, 1)
            for separator in separators:
                part = left[separator.cube] if separator.cube < len(left) else ()
                if (weights := _weights(cube, part, separator.multipliers)) is not None:
                    yield replace(separator, cube=number, multipliers=weights)

    def _is_decided_by(self, table: MarkingTable) -> bool:
        """Return whether the table says as much of the larger target as of the smaller one."""
        names, target = table.determined(), normal(self.before.target)
        return names >= set(variables(target)) or normal(about(names, target)) == self._own.target


def _weights(cube: Cube, part: Cube, multipliers: Sequence[int]) -> tuple[int, ...] | None:
    """Return multipliers of a cube's literals from those of a part; None where it is no part."""
    if len(part) != len(multipliers) or not set(cube).issuperset(part):
        return None
    shares = dict(zip(part, multipliers, strict=True))
    return tuple(shares.get(literal, 0) for literal in cube)


def _branches(target: Formula) -> bool:
    """Return whether a formula in normal form has more than one cube."""
    match target:
        case Disjunction():
            return True
        case Conjunction(operands):
            return any(map(_branches, operands))
    return False


def _size(formula: Formula) -> int:
    return sum(1 for _ in atoms(normal(formula)))
