"""The proved claims about one net."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from math import inf

from petricheck.answer import Answer, Reachable, Unknown
from petricheck.budget import Budget, watched
from petricheck.claims import Claim, Excluded
from petricheck.engines import IsOpen, Refused, all_open
from petricheck.errors import BudgetExhausted, Ending, InternalError
from petricheck.evidence.invariant import Certificate, CoverHints
from petricheck.presburger.formulas import FALSE, TRUE, Formula
from petricheck.problem import Net, Problem, make_problem
from petricheck.questions.checking import Checker, Clock, Setting, Verdict, checked

IMPOSSIBLE = Excluded(FALSE, Certificate(TRUE, CoverHints(())))
"""That nothing is reached that cannot be; its audit looks at what the net was unfolded from."""


@dataclass(eq=False)
class Study:
    """The proved claims, and who proves more.

    Attributes:
        net: the net.
        setting: who decides targets.
        budget: limits on everything.
        brief: whether the verdict is enough, without all places or transitions that bear it out.
        checker: prepared for the targets that will be decided; made for them where it is None.
        proved: the proved claims in their order, each with how it was checked.
        undecided: why the last audit of a claim came to no end, where that was no limit of the
            study or a part of it; empty where there was none.
        clock: the time that it takes.
    """

    net: Net
    setting: Setting
    budget: Budget
    brief: bool = False
    checker: Checker | None = None
    proved: list[tuple[Claim, str]] = field(default_factory=list, init=False)
    undecided: str = field(default="", init=False)
    clock: Clock = field(default_factory=Clock, init=False)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Those that are proved, in their order."""
        return tuple(claim for claim, _ in self.proved)

    def within(self, budget: Budget) -> Study:
        """The same study within these limits; what it proves counts for both."""
        inner = replace(self, budget=budget)
        inner.proved = self.proved
        return inner

    def prove(self, claim: Claim, budget: Budget | None = None) -> None:
        """Audit a claim, within these limits or those of the study, and take it in.

        Raises:
            InternalError: its evidence is refused.
            BudgetExhausted: the audit came to no end within the limits, or the claim says nothing
                of single colours.
        """
        limits, second = budget or self.budget, self.setting.second_solver
        try:
            self.proved.append(checked(self.net, claim, limits, second))
        except Refused as refusal:
            raise BudgetExhausted(str(refusal)) from None
        except BudgetExhausted as limit:
            self.undecided = str(limit) if limit.ending is Ending.GAVE_UP else self.undecided
            raise

    def prove_all(self, claims: Iterator[Claim], seconds: float = inf) -> None:
        """Prove claims as they are found; pass over what limits end before those of the study do.

        Raises:
            InternalError: the evidence of one is refused.
            BudgetExhausted: time or memory of the study ran out.
        """
        ended = False
        while not ended:
            with self.budget.tolerate_overruns():
                claim = next(claims, None)
                ended = claim is None
                if claim is not None:
                    self.prove(claim, self.budget.within(seconds))

    def solve(self, problem: Problem, budget: Budget, engine: str = "") -> Answer:
        """An engine's answer; a verdict becomes a claim about the problem's very target.

        Another engine than the study's own is named with its options.

        Raises:
            InternalError: the engine's evidence failed the audit.
        """
        if engine:
            checker = Setting(engine, second_solver=self.setting.second_solver).checker()
        else:
            checker = self._checker()
        return self._record(problem, checker.check(problem, budget))

    def decide(self, target: Formula, budget: Budget, engine: str = "") -> bool | None:
        """Return whether the target is reachable, as `solve` decides; None where it is open."""
        return _truth(self.solve(make_problem(self.net, target), budget, engine))

    def decide_together(
        self, targets: Sequence[Formula], budget: Budget, is_open: IsOpen = all_open
    ) -> Generator[tuple[Formula, bool], None, None]:
        """The same for several targets, in searches that they share; each as soon as it is decided.

        Args:
            targets: formulas.
            budget: limits on all together.
            is_open: whether the target of a number is still to be decided after what was yielded.

        Raises:
            InternalError: the engine's evidence failed the audit.
            BudgetExhausted: time or memory ran out before the search began.
        """
        problems = [make_problem(self.net, target) for target in watched(targets, budget)]
        with closing(self._checker().check_together(problems, budget, is_open)) as verdicts:
            for number, verdict in verdicts:
                if isinstance(verdict, InternalError):
                    raise verdict
                truth = _truth(self._record(problems[number], verdict))
                if truth is not None:
                    yield targets[number], truth

    def _checker(self) -> Checker:
        return self.checker or self.setting.checker()

    def _record(self, problem: Problem, verdict: Verdict) -> Answer:
        """Add the claims of an audited verdict; return its answer."""
        self.undecided = verdict.undecided or self.undecided
        self.proved += verdict.claims(problem.target)
        return verdict.answer


def _truth(answer: Answer) -> bool | None:
    return None if isinstance(answer, Unknown) else isinstance(answer, Reachable)
