"""The proved claims about one net."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf

from petricheck.arithmetic.formulas.formulas import FALSE, TRUE, Formula
from petricheck.engines import IsOpen, all_open, isolated
from petricheck.evidence.answer import Answer, Reachable, Unknown
from petricheck.evidence.audit import prove
from petricheck.evidence.certificates.invariant import Certificate, CoverHints
from petricheck.evidence.claims import Claim, Excluded, Reached, claim_of
from petricheck.model.net import Net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions.checking import Audited, Checker, Clock, Proved, Setting, checked, prepare
from petricheck.support.budget import Budget, Event, Turn, watched
from petricheck.support.errors import BudgetExhausted, Ending, InternalError, Refused

IMPOSSIBLE = Excluded(FALSE, Certificate(TRUE, CoverHints(())))
"""The claim that false is never reached; its audit checks how the net was unfolded."""


@dataclass(eq=False)
class Study:
    """Claims about one net: it audits them and stores those that are proved.

    Attributes:
        net: the net.
        setting: the engine for targets, and the audit's second solver.
        budget: limits on everything.
        brief: whether the verdict suffices, without all places or transitions that it is about.
        checker: prepared for the targets that will be decided; None: one is made when needed.
        proved: the proved claims in their order, and how the audit checked them.
        undecided: why the last audit of a claim ended without a result, if not by a limit of
            the study or of a part of it; empty otherwise.
        failures: the faults that ended engines or searches while others went on.
        reused: those of the proved claims that come from earlier evidence.
        facts: formulas that may be inductive, for engines to start from.
        clock: measures the time of the study.
    """

    net: Net
    setting: Setting
    budget: Budget
    brief: bool = False
    checker: Checker | None = None
    proved: list[tuple[Claim, str]] = field(default_factory=list, init=False)
    undecided: str = field(default="", init=False)
    failures: list[str] = field(default_factory=list, init=False)
    reused: list[Claim] = field(default_factory=list, init=False)
    facts: list[Formula] = field(default_factory=list, init=False)
    clock: Clock = field(default_factory=Clock, init=False)

    def __post_init__(self) -> None:
        """Watch for failures."""
        self.budget = replace(self.budget, watch=partial(self._watch, self.budget.watch))

    def _watch(self, watch: Callable[[Event], None], event: Event) -> None:
        failure = ": ".join(filter(None, (event.engine, event.text)))
        if event.turn is Turn.FAILED and failure not in self.failures:
            self.failures.append(failure)
        elif event.ending is Ending.MEMORY and not event.engine:
            self.undecided = event.text
        watch(event)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The proved claims, in their order."""
        return tuple(claim for claim, _ in self.proved)

    def proved_of(self, target: Formula) -> Proved:
        """Return the last claim about this very target; nothing without one."""
        return tuple(pair for pair in self.proved if _is_about(pair[0], target))[-1:]

    def within(self, budget: Budget) -> Study:
        """Return a study with these limits that shares the proved claims with this one."""
        inner = replace(self, budget=budget)
        inner.proved, inner.failures, inner.facts = self.proved, self.failures, self.facts
        return inner

    def include(self, other: Study) -> None:
        """Go on after another study of the same net, which has tried earlier evidence."""
        self.proved += other.proved
        self.reused += other.reused
        self.facts += other.facts
        self.clock = other.clock

    def reuse(self, claim: Claim, budget: Budget) -> None:
        """Audit a claim of earlier evidence, and store it.

        EvidenceError where it is not proved, also where that was not decided within the limits.
        """
        second = self.setting.second_solver
        self.proved.append((claim, prove(self.net, claim, budget=budget, second_solver=second)))
        self.reused.append(claim)

    def prove(self, claim: Claim, budget: Budget | None = None, *, lifting: bool = True) -> None:
        """Audit a claim, within these limits or those of the study, and store it.

        Without `lifting`, its trace names single colours already. InternalError where the evidence
        is refused; BudgetExhausted also where the claim says nothing of single colours.
        """
        limits, second = budget or self.budget, self.setting.second_solver
        try:
            proved = checked(self.net, claim, limits, second, lifting=lifting)
            self.proved.append(proved)
        except Refused as refusal:
            raise BudgetExhausted(str(refusal)) from None
        except BudgetExhausted as limit:
            self.undecided = str(limit) if limit.ending is Ending.GAVE_UP else self.undecided
            raise

    def prove_all(self, claims: Iterator[Claim], seconds: float = inf) -> None:
        """Prove claims as they are computed; pass over those that end at limits of their own.

        A fault, which is a failure, ends the search or the proof of one claim. BudgetExhausted
        where time or memory of the study ran out.
        """
        ended = False
        while not ended:
            with self.budget.tolerate_overruns(), isolated("", self.budget.watch):
                claim = next(claims, None)
                ended = claim is None
                if claim is not None:
                    self.prove(claim, self.budget.within(seconds))
        self.budget.check()  # The claims may have ended because of it.

    def solve(self, problem: Problem, budget: Budget, engine: str = "") -> Answer:
        """Return an engine's answer to a problem of the net; store a verdict as a claim.

        Another engine than the study's own is named with its options. InternalError where its
        evidence failed the audit.
        """
        if engine:
            checker = Setting(engine, second_solver=self.setting.second_solver).checker()
        else:
            checker = self._checker()
        return self._record(problem, checker.check(problem, budget))

    def solve_each(
        self, targets: Sequence[Formula]
    ) -> Generator[tuple[int, Answer | InternalError], None, None]:
        """Decide targets in one search, as far as that decides them; store the verdicts.

        Yield the number of a target with its answer, as `Checker.check_together` does.
        """
        problems = [Problem(self.net, target) for target in targets]
        with closing(self._checker().check_together(problems, self.budget)) as results:
            for number, result in results:
                if isinstance(result, Audited):
                    yield number, self._record(problems[number], result)
                else:
                    yield number, result

    def decide(self, target: Formula, budget: Budget, engine: str = "") -> bool | None:
        """Return whether the target is reachable, as `solve` decides; None where it is open.

        BudgetExhausted where it is open, and time or memory of the study ran out.
        """
        return _truth(self._in_time(self.solve(make_problem(self.net, target), budget, engine)))

    def examine(self, problem: Problem, budget: Budget) -> Answer:
        """Return the engine's answer to a problem, maybe of another net; nothing is stored.

        Errors as those of `decide`.
        """
        return self._in_time(self.setting.checker().check(problem, budget).answer)

    def decide_together(
        self, targets: Sequence[Formula], budget: Budget, is_open: IsOpen = all_open
    ) -> Generator[tuple[Formula, bool], None, None]:
        """Yield targets and whether they are reachable, decided in searches that they share.

        The limits are on all together; `is_open` says whether the target of a number is still to be
        decided after what was yielded. InternalError where evidence failed the audit.
        """
        problems = [make_problem(self.net, target) for target in watched(targets, budget)]
        if len(problems) < 2:
            return
        prepare(self.net, budget)
        with closing(self._checker().check_together(problems, budget, is_open)) as results:
            for number, result in results:
                if isinstance(result, InternalError):
                    raise result
                truth = _truth(self._record(problems[number], result))
                if truth is not None:
                    yield targets[number], truth

    def _in_time(self, answer: Answer) -> Answer:
        """Return the answer; an engine that ends at a limit is no reason to go on after it."""
        if isinstance(answer, Unknown):
            self.budget.check()
        return answer

    def _checker(self) -> Checker:
        return replace(self.checker or self.setting.checker(), facts=self.facts)

    def _record(self, problem: Problem, audited: Audited) -> Answer:
        """Store the claim of an audited verdict; return the answer."""
        self.undecided = audited.undecided or self.undecided
        if not isinstance(audited.answer, Unknown):
            self.proved.append((claim_of(problem.target, audited.answer), audited.audit))
        return audited.answer


def _is_about(claim: Claim, target: Formula) -> bool:
    match claim:
        case Reached(stops=stops):
            return any(formula is target for _, formula in stops)
        case Excluded(formula):
            return formula is target
    return False


def _truth(answer: Answer) -> bool | None:
    return None if isinstance(answer, Unknown) else isinstance(answer, Reachable)
