"""Reductions: a smaller problem with the same verdict, and the way back for its evidence.

A rewrite is a value with one method, `apply(problem, budget)`: a step to a smaller problem, or None
where it finds nothing. One file each; its `rank` says when its turn comes, and `for_all` whether it
is good for several targets at once. A step knows how evidence about the smaller net becomes
evidence about the larger one, so whatever an engine proves is audited on the net that was asked
about, and nothing of a reduction has to be trusted.

Of a target, rewrites ask which places it names, and which of these it wants empty; and they replace
some by terms. So one reduction of a net, for all that several targets name, is good for each of
them (`reduce_for_all`), and may then be carried further for one alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol, runtime_checkable

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Disjunction,
    Formula,
    at_least,
    evaluate,
    variables,
)
from petricheck.arithmetic.formulas.terms import linear
from petricheck.evidence.answer import Answer, Reachable, Statistics, Trace, Unreachable
from petricheck.evidence.audit.shapes import check_excluded
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.invariant import Certificate, Hints
from petricheck.evidence.certificates.stubborn_sets import StubbornTable
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, Ending, EvidenceError, QueryError

REDUCTIONS = "reductions"
"""Stands in the statistics of an answer for an engine, where none was asked."""

ROUNDS = 50
"""How often the rewrites take turns at most."""

GAIN = 20
"""They stop before, once all together remove less than this part of a net, and leave the target."""

SHARE = 2
"""A turn has this part of the time that is left."""


class ReductionStep(Protocol):
    """One rewrite, applied."""

    @property
    def before(self) -> Problem:
        """The larger problem."""

    @property
    def after(self) -> Problem:
        """The smaller problem; it has the same verdict."""

    @property
    def count(self) -> int:
        """The number of places and transitions, or of the target's atoms, that were removed."""

    def about(self, target: Formula) -> ReductionStep:
        """Return the same step for another target of the larger net.

        That names no place but such as the step's own target names.
        """

    def lift(self, answer: Answer) -> Answer | None:
        """Return the answer about the larger problem; None if its evidence cannot be lifted."""


class Rewrite(Protocol):
    """The frame of every member of this family.

    Attributes:
        rank: rewrites take turns in ascending order; those come first that make others cheaper.
        for_all: whether it is also applied where several targets share the reduction.
        of_net: whether what it finds depends on the net alone, whatever the target is.
    """

    rank: ClassVar[int]
    for_all: ClassVar[bool]
    of_net: ClassVar[bool]

    def apply(self, problem: Problem, budget: Budget) -> ReductionStep | None:
        """Return a step to a smaller problem, or None where there is nothing to do.

        A rewrite whose effort is linear need not look at the budget. One that can stop halfway
        makes a step of what it has by then.
        """


@runtime_checkable
class TargetRewrite(Rewrite, Protocol):
    """A rewrite that leaves the net as it is, and of several targets each another part."""

    def apply_to_all(self, problems: Sequence[Problem], budget: Budget) -> ReductionStep | None:
        """Return a step that `about` turns into that for each of the problems, or None."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """A problem, made smaller by steps, in order.

    Attributes:
        applied: names of the rewrites that found something, each with the sum of its counts.
        settled: by rewrite the problem in which it finds nothing, or the net if that decides.
    """

    problem: Problem
    steps: tuple[ReductionStep, ...]
    applied: tuple[tuple[str, int], ...]
    settled: Mapping[str, Net | Problem] = field(default_factory=dict, compare=False)

    def about(self, target: Formula) -> Reduced:
        """Return the same reduction for another target of the input net.

        Raises:
            QueryError: the target names a place that was free to go.
        """
        steps = []
        for step in self.steps:
            steps.append(step.about(target))
            target = steps[-1].after.target
        problem = Problem(self.problem.net, target)
        for name in variables(target):
            if name not in problem.net.place_numbers:
                raise QueryError(f"the net was reduced for targets that do not name {name!r}")
        return replace(self, problem=problem, steps=tuple(steps))

    def then(self, budget: Budget, rewrites: Sequence[str]) -> Reduced:
        """Continue this reduction by these rewrites, as `reduce` does."""
        members: list[tuple[str, Rewrite]] = [(n, plugins.build("reductions", n)) for n in rewrites]
        reduced = self
        try:
            for reduced in _turns(self, members, budget):  # noqa: B007 (the last one counts)
                pass
        except BudgetExhausted as error:
            if error.ending is not Ending.TIME:
                raise
        return reduced

    def decided(self) -> Answer | None:
        """Return the answer about the smaller problem if it needs no engine.

        The smaller net may have no places or no transitions, which engines need not expect.
        """
        net, target = self.problem.net, self.problem.target
        if evaluate(target, net.values(net.initial)):
            return Reachable(Trace(()), Statistics(REDUCTIONS))
        if target == FALSE:
            row = (0,) * len(net.transitions)
            certificate = Certificate(Disjunction((TRUE,)), Hints((row,), ()))
            return Unreachable(certificate, Statistics(REDUCTIONS))
        return None

    def lift(self, answer: Answer) -> Answer | None:
        """Return the answer about the input problem, with evidence about the input net.

        None where a step cannot lift this kind of evidence; the unreduced problem is then to be
        decided. An answer `Unknown` stays what it is.
        """
        match answer:
            case Unreachable(StubbornTable() as certificate) if self.steps:
                return self._lift_stubborn(answer, certificate)
        lifted: Answer | None = answer
        for step in reversed(self.steps):
            lifted = None if lifted is None else step.lift(lifted)
        return lifted

    def _lift_stubborn(self, answer: Unreachable, certificate: StubbornTable) -> Answer | None:
        """Lift the table as one that no firing leaves, and return it where that is a proof."""
        lifted = self.lift(replace(answer, certificate=certificate.table))
        if not isinstance(lifted, Unreachable) or not isinstance(lifted.certificate, MarkingTable):
            return None
        stubborn = StubbornTable(lifted.certificate)
        try:
            check_excluded(self.steps[0].before, stubborn, Budget(), second_solver=False)
        except EvidenceError:
            return None
        return replace(lifted, certificate=stubborn)


def in_order() -> tuple[str, ...]:
    """Return all rewrites, by rank."""
    names = plugins.members("reductions")
    return tuple(sorted(names, key=lambda name: (plugins.member("reductions", name).rank, name)))


def common() -> tuple[str, ...]:
    """Return the rewrites for several targets, by rank."""
    return tuple(name for name in in_order() if plugins.member("reductions", name).for_all)


def reduce(problem: Problem, budget: Budget, rewrites: Sequence[str] | None = None) -> Reduced:
    """Apply the rewrites, or else all there are, in turns until none finds anything.

    Where the time is over before, what was removed by then is the reduction.

    Raises:
        BudgetExhausted: memory ran out.
        QueryError: there is no such rewrite.
    """
    unreduced = Reduced(problem, (), ())
    return unreduced.then(budget, in_order() if rewrites is None else rewrites)


def reduce_for_all(
    net: Net, targets: Iterable[Formula], budget: Budget, rewrites: Sequence[str] | None = None
) -> Reduced:
    """Reduce the net once for several targets, by the rewrites, or else those of `common`.

    `about` gives the reduction of each target. Errors are those of `reduce`.
    """
    names = in_order() if rewrites is None else rewrites
    members = {name: plugins.build("reductions", name) for name in names}
    of_targets = {n: r for n, r in members.items() if isinstance(r, TargetRewrite)}
    of_all = common() if rewrites is None else [n for n in members if n not in of_targets]
    targets = list(targets)
    reduced = Reduced(_naming(net, targets), (), ()).then(budget, of_all)
    for rewrite in of_targets.values():
        problems, step = [reduced.about(target).problem for target in targets], None
        with budget.tolerate_overruns():
            step = rewrite.apply_to_all(problems, budget.part(SHARE))
        if step is not None:
            left = (step.about(problem.target).after.target for problem in problems)
            smaller = replace(reduced, problem=_naming(reduced.problem.net, left))
            reduced = replace(smaller, steps=(*reduced.steps, step)).then(budget, of_all)
    return reduced


def _naming(net: Net, targets: Iterable[Formula]) -> Problem:
    """Return a problem about all places that the targets name.

    Only the names count: no place is wanted empty, and no term that replaces one makes another one
    cancel out.
    """
    named = dict.fromkeys(name for target in targets for name in variables(target))
    return Problem(net, at_least(linear((name, 1) for name in named), 1))


def _turns(
    reduced: Reduced, rewrites: Sequence[tuple[str, Rewrite]], budget: Budget
) -> Iterator[Reduced]:
    """Yield what rewrites make of it in turn, each where another one changed something since."""
    for _ in range(ROUNDS):
        before, target = _size(reduced.problem), reduced.problem.target
        for name, rewrite in rewrites:
            reduced = _turn(reduced, name, rewrite, budget)
            yield reduced
        after = _size(reduced.problem)
        shrinks = after < before and (before - after) * GAIN >= before
        if not shrinks and reduced.problem.target == target:
            return


def _turn(reduced: Reduced, name: str, rewrite: Rewrite, budget: Budget) -> Reduced:
    settled = reduced.settled.get(name)
    if settled is (reduced.problem.net if rewrite.of_net else reduced.problem):
        return reduced
    budget.check()
    share, step = budget.part(SHARE), None
    with budget.tolerate_overruns():
        step = rewrite.apply(reduced.problem, share)
    if step is not None:
        counts = Counter(dict(reduced.applied))
        counts[name] += step.count
        steps = (*reduced.steps, step)
        net, is_smaller = step.after.net, step.after.net is not reduced.problem.net
        reduced = replace(reduced, problem=step.after, steps=steps, applied=(*counts.items(),))
        if is_smaller:
            places, transitions = len(net.places), len(net.transitions)
            budget.report(f"reduced to {places} places and {transitions} transitions")
    if share.remaining:
        left = reduced.problem.net if rewrite.of_net else reduced.problem
        reduced = replace(reduced, settled={**reduced.settled, name: left})
    return reduced


def _size(problem: Problem) -> int:
    return len(problem.net.places) + len(problem.net.transitions)
